//! `mingle hierarchy`: how values could become less precise, and what a hierarchy does to a column.

use crate::args::{HierarchyCheck, HierarchyCommand, HierarchyPropose, HierarchyStep};
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use mingle::hierarchy::{self, ProposedHierarchy};
use mingle::{Policy, Run, results};
use mingle_record::ProblemCode;
use mingle_record::answer::{CheckedHierarchy, HierarchyLevel};
use std::fmt::Write;
use std::path::Path;

pub fn run(args: &HierarchyCommand, screen: Screen) -> Result<Exit, Problem> {
    match &args.step {
        HierarchyStep::Propose(args) => propose(args, screen),
        HierarchyStep::Check(args) => check(args, screen),
    }
}

fn propose(args: &HierarchyPropose, screen: Screen) -> Result<Exit, Problem> {
    refuse_overwriting(args)?;
    let policy = match &args.policy {
        Some(policy) => Some(Policy::load(policy, &[])?),
        None => None,
    };
    let run = Run::default();
    let proposed = hierarchy::propose(&args.table, &args.column, policy.as_ref(), &run)?;
    let ProposedHierarchy { mut answer, file } = proposed;
    if let Some(out) = &args.out {
        results::write(out, file.as_bytes(), args.force)?;
        let out = out.display();
        screen.note(&format!(
            "{out} contains the values of the column: protect it like the table"
        ));
        answer.file = Some(out.to_string());
    }
    if args.json {
        print_json(&answer)?;
        return Ok(Exit::Fine);
    }
    let mut text = format!("# {}: {}\n", answer.column, answer.reason);
    let _ = writeln!(text, "# {}", levels_in_words(&answer.levels));
    match (&answer.file, &answer.line) {
        (Some(file), None) => {
            let _ = writeln!(text, "hierarchy = {file:?}");
        }
        (_, Some(line)) => {
            let _ = writeln!(text, "{line}");
        }
        (None, None) => text += "# no rule suits these values\n",
    }
    print(&visible(&text))?;
    Ok(Exit::Fine)
}

/// `--force` is for an old hierarchy, not for the table.
fn refuse_overwriting(args: &HierarchyPropose) -> Result<(), Problem> {
    let Some(out) = &args.out else {
        return Ok(());
    };
    let resolved = |path: &Path| path.canonicalize().ok();
    if resolved(out).is_some_and(|out| Some(out) == resolved(&args.table)) {
        let text = format!("{} is the table", out.display());
        let hint = "choose another name for the hierarchy";
        return Err(Problem::new(ProblemCode::OutputExists, text, hint));
    }
    if args.force || out.symlink_metadata().is_err() {
        return Ok(());
    }
    let text = format!("{} exists", out.display());
    let hint = "choose another name, or overwrite it with --force";
    Err(Problem::new(ProblemCode::OutputExists, text, hint))
}

fn check(args: &HierarchyCheck, screen: Screen) -> Result<Exit, Problem> {
    let run = Run::default();
    let column = args.column.as_deref();
    let answer = match (&args.file, &args.table, column, &args.policy) {
        (Some(file), Some(table), Some(column), _) => {
            hierarchy::check_file(file, table, column, &run)?
        }
        (_, _, _, Some(policy)) => {
            let policy = Policy::load(policy, &[])?;
            hierarchy::check_policy(&policy, column, &run)?
        }
        _ => {
            let hint = "name a policy, or use --file, --table and --column";
            return Err(Problem::new(ProblemCode::Usage, "nothing to check", hint));
        }
    };
    if args.json {
        print_json(&answer)?;
    } else {
        let mut text = String::new();
        for column in &answer.columns {
            text += &in_words(column);
        }
        print(&visible(&text))?;
    }
    let Some(problem) = hierarchy::problem_of(&answer) else {
        return Ok(Exit::Fine);
    };
    screen.problem(&problem);
    Ok(problem.code().exit())
}

fn in_words(checked: &CheckedHierarchy) -> String {
    let mut text = format!(
        "{}: {}, {} values\n",
        checked.column, checked.hierarchy, checked.values
    );
    if !checked.levels.is_empty() {
        let _ = writeln!(text, "  {}", levels_in_words(&checked.levels));
    }
    for finding in &checked.findings {
        match &finding.place {
            Some(place) if !finding.text.contains(place.as_str()) => {
                let _ = writeln!(text, "  ! {}, the first at {place}", finding.text);
            }
            _ => {
                let _ = writeln!(text, "  ! {}", finding.text);
            }
        }
    }
    text
}

fn levels_in_words(levels: &[HierarchyLevel]) -> String {
    let counts: Vec<String> = levels
        .iter()
        .map(|level| level.labels.to_string())
        .collect();
    format!("labels on each level: {}", counts.join(", "))
}

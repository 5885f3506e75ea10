//! `mingle init`: looks at tables and proposes a policy.

use crate::args::Init;
use crate::message::{Exit, Problem, Screen, beside, print, print_json};
use crate::progress::terminal_run;
use mingle::{Role, propose, results};
use mingle_io::HeaderLine;
use mingle_record::ProblemCode;
use mingle_record::answer::{InitAnswer, InitDryRun, InitPeople};
use std::path::Path;

/// Where the values of the summary start.
const INDENT: usize = 19;

pub fn run(args: &Init, screen: Screen) -> Result<Exit, Problem> {
    refuse_existing(args)?;
    propose::refuse_repeated(&args.data)?;
    refuse_overwriting(args)?;
    let folder = args
        .out
        .as_deref()
        .and_then(Path::parent)
        .unwrap_or(Path::new(""));
    let run = terminal_run(screen);
    let mut proposed = propose::policy(&args.data, folder, &look(args), &run)?;
    run.end();
    if let Some(out) = &args.out {
        results::write(out, proposed.answer.policy.as_bytes(), args.force)?;
        proposed.answer.written_to = Some(out.display().to_string());
    }
    for warning in &proposed.warnings {
        screen.warning(warning);
    }
    if args.json {
        print_json(&proposed.answer)?;
        return Ok(Exit::Fine);
    }
    if args.out.is_none() {
        print(&proposed.answer.policy)?;
    }
    screen.note(&summary(&proposed.answer));
    if let Some(out) = &args.out {
        screen.note(&next_step(&out.display().to_string(), args.domains));
    }
    Ok(Exit::Fine)
}

/// What is said about the tables beforehand.
fn look(args: &Init) -> propose::ProposalRequest {
    let header = if args.header {
        HeaderLine::Trusted
    } else if args.names.is_empty() {
        HeaderLine::Looked
    } else {
        HeaderLine::Absent(args.names.clone())
    };
    propose::ProposalRequest {
        header,
        domains: args.domains,
    }
}

fn next_step(out: &str, domains: bool) -> String {
    let step = if domains {
        "read it and confirm its domains"
    } else {
        "read it"
    };
    format!("policy written to {out}; {step}, then:\n  mingle publish {out} --out release")
}

/// What is proposed, what is left to decide, and what a release would be like.
fn summary(answer: &InitAnswer) -> String {
    let mut lines = Vec::new();
    let roles = [
        ("identifiers", Role::Identifier),
        ("quasi-identifiers", Role::QuasiIdentifier),
        ("sensitive", Role::Sensitive),
        ("left out", Role::Drop),
    ];
    for (title, role) in roles {
        let mut names = Vec::new();
        for column in &answer.columns {
            let provider = answer.provider_column.as_ref() == Some(&column.name);
            if column.role == role.name() && !column.decide && !provider {
                names.push(column.name.as_str());
            }
        }
        if !names.is_empty() {
            lines.push(beside(title, &names.join(", "), INDENT));
        }
    }
    if !answer.to_decide.is_empty() {
        let text = format!(
            "{}\nleft out until you give them another role; the policy says why",
            answer.to_decide.join(", ")
        );
        lines.push(beside("for you to decide", &text, INDENT));
    }
    if let Some(people) = &answer.people {
        lines.push(beside("people", &several_rows(people), INDENT));
    }
    if let Some(text) = singling_out(answer) {
        lines.push(beside("singles out", &text, INDENT));
    }
    if let Some(dry_run) = &answer.dry_run {
        lines.push(beside("dry run", &tried(answer, dry_run), INDENT));
        let mut costs = Vec::new();
        for cost in &dry_run.costliest {
            costs.push(format!(
                "{}: without it the others lose {:.3} instead of {:.3}",
                cost.column, cost.others_without, cost.others_with
            ));
        }
        if !costs.is_empty() {
            // figures of another method would be laid beside these
            if dry_run.costs_by != dry_run.method {
                costs.push(format!("(by {})", dry_run.costs_by));
            }
            lines.push(beside("costs most", &costs.join("\n"), INDENT));
        }
    }
    lines.join("\n")
}

/// How many rows people have, and what keeping them together costs.
fn several_rows(people: &InitPeople) -> String {
    let mut text = format!(
        "{} by {}, {:.1} rows each, up to {}",
        people.people,
        people.column,
        people.rows as f64 / people.people.max(1) as f64,
        people.most_rows
    );
    for change in &people.changes {
        text += &format!(
            "\n{} changes within {} of them: NCP {:.3} by itself",
            change.column,
            change.percent_of(people.people),
            change.ncp
        );
    }
    text
}

fn singling_out(answer: &InitAnswer) -> Option<String> {
    let found = &answer.singling_out;
    let last = found.steps.last()?;
    let names: Vec<&str> = found
        .steps
        .iter()
        .map(|step| step.column.as_str())
        .collect();
    let mut text = format!(
        "{}: {} of {} rows are alone with their values",
        names.join(" + "),
        last.alone,
        found.sample_rows
    );
    if found.sample_rows < answer.rows {
        text += &format!(" (a sample of {} rows)", answer.rows);
    }
    Some(text)
}

fn tried(answer: &InitAnswer, dry_run: &InitDryRun) -> String {
    let of = if dry_run.sample_rows < answer.rows {
        format!(
            "a sample of {} of {} rows",
            dry_run.sample_rows, answer.rows
        )
    } else {
        "all rows".to_owned()
    };
    let method = &dry_run.method;
    match (dry_run.ncp, dry_run.says_nothing) {
        (Some(ncp), Some(says_nothing)) => format!(
            "NCP {ncp:.3}, {:.0} % of the generalized cells say nothing ({method}, {of})",
            says_nothing * 100.0
        ),
        _ => format!("no release was found ({method}, {of})"),
    }
}

fn refuse_existing(args: &Init) -> Result<(), Problem> {
    let Some(out) = &args.out else { return Ok(()) };
    if args.force || out.symlink_metadata().is_err() {
        return Ok(());
    }
    let text = format!("{} exists", out.display());
    let hint = "choose another name, or overwrite it with --force";
    Err(Problem::new(ProblemCode::OutputExists, text, hint))
}

/// `--force` is for an old policy, not for a table.
fn refuse_overwriting(args: &Init) -> Result<(), Problem> {
    let Some(out) = args.out.as_deref().and_then(|out| out.canonicalize().ok()) else {
        return Ok(());
    };
    if args
        .data
        .iter()
        .any(|table| table.canonicalize().is_ok_and(|table| table == out))
    {
        let text = format!("{} is one of the tables", out.display());
        Err(Problem::new(
            ProblemCode::OutputExists,
            text,
            "choose another name for the policy",
        ))
    } else {
        Ok(())
    }
}

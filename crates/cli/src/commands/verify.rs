//! `mingle verify`: checks a release, or a table that any tool has anonymized.

mod noisy;
mod text;

use crate::args::Verify;
use crate::commands::publish::say_failed;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use mingle::tables::ForeignTable;
use mingle::verify::{self, VerifyOutcome};
use mingle::{Policy, Run};
use mingle_record::ProblemCode;
use std::path::Path;

pub fn run(args: &Verify, screen: Screen) -> Result<Exit, Problem> {
    let mut strict = args.strict;
    let mut outcome = match (&args.subject.table, &args.policy, &args.subject.release) {
        (Some(table), Some(policy), _) => {
            let policy = Policy::load(policy, &args.overrides.set)?;
            strict |= policy.release.strict;
            verify::table(&policy, ForeignTable::File(table), &Run::default())
                .map_err(|failed| say_failed(failed, screen))?
        }
        (_, _, Some(release)) => of_release(args, release)?,
        _ => {
            let hint = "name a release folder, or use --table and --policy";
            return Err(Problem::new(ProblemCode::Usage, "nothing to verify", hint));
        }
    };
    if strict {
        outcome.be_strict();
    }
    let remarks = outcome.remarks();
    for warning in &remarks.warnings {
        screen.warning(&warning.to_problem());
    }
    if let Some(detail) = remarks.detail {
        screen.detail(detail);
    }
    if let Some(note) = &remarks.note {
        screen.note(note);
    }
    if args.json {
        print_json(&outcome.answer())?;
    } else {
        let mut text = match &outcome {
            VerifyOutcome::Groups(groups) => text::of_groups(groups),
            VerifyOutcome::Dp(dp) => noisy::of_noise(dp),
        };
        text.push_str(&text::of_warnings(remarks));
        print(&visible(&text))?;
    }
    let Some(problem) = outcome.problem() else {
        return Ok(Exit::Fine);
    };
    screen.problem(&problem);
    Ok(problem.code().exit())
}

fn of_release(args: &Verify, folder: &Path) -> Result<VerifyOutcome, Problem> {
    if let Some(flag) = args.overrides.set.first() {
        let text = format!("--set {flag}: a release is verified against its own promises");
        let hint = "use --set with --table and --policy";
        return Err(Problem::new(ProblemCode::Usage, text, hint));
    }
    if args.policy.is_some() {
        let text = "--policy: a release is verified against its own promises";
        let hint = "leave it out, or check the table with --table and --policy";
        return Err(Problem::new(ProblemCode::Usage, text, hint));
    }
    verify::release(folder, &Run::default())
}

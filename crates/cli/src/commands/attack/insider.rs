//! `mingle attack insider`: plays coalitions of providers against a release, or against the table
//! of any tool.

mod text;

use super::files::{Asked, OutputFiles};
use crate::args::AttackInsider;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
use mingle::attack::AttackSubject;
use mingle::attack::insider::{InsiderOutcome, InsiderRequest, insider};
use mingle::tables::ForeignTable;
use mingle::{Inputs, Policy, Run};
use mingle_record::ProblemCode;
use std::path::PathBuf;
use text::InsiderText;

pub fn run(args: &AttackInsider, screen: Screen) -> Result<Exit, Problem> {
    let asked = Asked {
        files: vec![&args.csv, &args.groups, &args.svg],
        read: args.subject.read(),
        policy: args.policy.as_deref(),
        force: args.force,
    };
    let outputs = OutputFiles::new(asked)?;
    let run = terminal_run(screen);
    let subject = match (&args.subject.table, &args.policy, &args.subject.release) {
        (Some(table), Some(_), _) => AttackSubject::Table(ForeignTable::File(table)),
        (_, _, Some(folder)) => AttackSubject::Release(folder),
        _ => {
            let hint = "name a release folder, or use --table and --policy";
            return Err(Problem::new(ProblemCode::Usage, "nothing to attack", hint));
        }
    };
    if let (Some(flag), None) = (args.overrides.set.first(), &args.policy) {
        let text = format!("--set {flag}: a release is attacked by its own promises");
        return Err(Problem::new(
            ProblemCode::Usage,
            text,
            "use --set with --policy",
        ));
    }
    let played = play(args, subject, &run);
    run.end();
    let outcome = played?;
    if let Some(warning) = &outcome.warning {
        screen.warning(warning);
    }
    outputs.write(&args.csv, || outcome.exposure_table(), screen)?;
    outputs.write(&args.groups, || outcome.groups_table(), screen)?;
    outputs.write(&args.svg, || Ok(outcome.figure().into_bytes()), screen)?;
    let answer = outcome.answer();
    if args.json {
        print_json(&answer)?;
    } else {
        print(&visible(&InsiderText::new(&outcome, &answer).to_text()))?;
    }
    Ok(super::conclude(outcome.problem(), screen))
}

/// With a release, the policy names the original tables: ends of ranges are looked at, too.
fn play(
    args: &AttackInsider,
    subject: AttackSubject<'_>,
    run: &Run,
) -> Result<InsiderOutcome, Problem> {
    let load = |path: &PathBuf| Policy::load(path, &args.overrides.set);
    let mut request = InsiderRequest {
        subject,
        policy: None,
        up_to: args.up_to,
        show_values: args.show_values,
    };
    match (subject, &args.policy) {
        (AttackSubject::Table(_), Some(policy)) => {
            let policy = load(policy)?;
            request.policy = Some(&policy);
            insider(&request, run)
        }
        (_, None) => insider(&request, run),
        (AttackSubject::Release(_), Some(policy)) => {
            let mut outcome = insider(&request, run)?;
            let policy = load(policy)?;
            outcome.look_at_label_ends(&policy, &Inputs::of(&policy), run)?;
            Ok(outcome)
        }
    }
}

//! `mingle attack minimality`: plays a reader who knows everybody's quasi-identifiers and the
//! method, against a release or the table of any tool.

mod text;

use super::files::{Asked, OutputFiles};
use crate::args::AttackMinimality;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
use mingle::attack::minimality::{MinimalityRequest, check_confidence, minimality};
use mingle::{Inputs, Policy};
use text::MinimalityText;

pub fn run(args: &AttackMinimality, screen: Screen) -> Result<Exit, Problem> {
    let asked = Asked {
        files: vec![&args.csv],
        read: args.subject.read(),
        policy: Some(&args.policy),
        force: args.force,
    };
    let outputs = OutputFiles::new(asked)?;
    check_confidence(args.confidence)?;
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let run = terminal_run(screen);
    let table = super::table(&args.subject, &run)?;
    let request = MinimalityRequest {
        subject: super::subject(&args.subject, &table)?,
        policy: &policy,
        original: &Inputs::of(&policy),
        confidence: args.confidence,
        show_values: args.show_values,
    };
    let played = minimality(&request, &run);
    run.end();
    let outcome = played?;
    outputs.write(&args.csv, || outcome.table(), screen)?;
    if args.json {
        print_json(&outcome.answer)?;
    } else {
        print(&visible(&MinimalityText(&outcome).to_text()))?;
    }
    Ok(super::conclude(outcome.problem(), screen))
}

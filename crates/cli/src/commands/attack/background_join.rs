//! `mingle attack background-join`: plays a site that recognizes its own sensitive values in a
//! joined release, linked or fragmented, or in the table of any tool.

mod text;

use super::files::{Asked, OutputFiles};
use crate::args::AttackBackgroundJoin;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
use mingle::attack::background_join::{BackgroundJoinRequest, background_join};
use mingle::{Inputs, Policy};
use text::BackgroundJoinText;

pub fn run(args: &AttackBackgroundJoin, screen: Screen) -> Result<Exit, Problem> {
    let asked = Asked {
        files: vec![&args.csv, &args.svg],
        read: args.subject.read(),
        policy: Some(&args.policy),
        force: args.force,
    };
    let outputs = OutputFiles::new(asked)?;
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let run = terminal_run(screen);
    let table = super::table(&args.subject, &run)?;
    let request = BackgroundJoinRequest {
        subject: super::subject(&args.subject, &table)?,
        policy: &policy,
        original: &Inputs::of(&policy),
        knows: &args.knows,
        quasi_identifiers: &args.quasi_identifier,
        show_values: args.show_values,
    };
    let played = background_join(&request, &run);
    run.end();
    let outcome = played?;
    outputs.write(&args.csv, || outcome.table(), screen)?;
    outputs.write(&args.svg, || Ok(outcome.figure().into_bytes()), screen)?;
    if args.json {
        print_json(&outcome.answer)?;
    } else {
        print(&visible(&BackgroundJoinText(&outcome).to_text()))?;
    }
    Ok(super::conclude(outcome.problem(), screen))
}

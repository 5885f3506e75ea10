//! `mingle show`: the essentials of a release's report, as tables for a terminal and as the
//! document `mingle.show/1`.

mod grid;
mod private;
mod public;

use crate::args::Show;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
use grid::said;
use mingle::report::{ShownFacts, show};
use mingle_record::answer::ShownVerdict;

pub fn run(args: &Show, screen: Screen) -> Result<Exit, Problem> {
    let run = terminal_run(screen);
    let shown = show(&args.release, &run);
    run.end();
    let shown = shown?;
    if args.json {
        print_json(&shown.answer(&args.release))?;
    } else {
        print(&visible(&text(&shown)))?;
    }
    Ok(exit(&shown.public().verdict))
}

/// A promise that the rows do not keep is a finding; one that could not be decided is a limit.
fn exit(verdict: &ShownVerdict) -> Exit {
    if verdict.holds() {
        return Exit::Fine;
    }
    if verdict.fails() {
        return Exit::Finding;
    }
    Exit::Limit
}

fn text(shown: &ShownFacts) -> String {
    let warnings = warnings(shown);
    match shown {
        ShownFacts::Public(facts) => {
            public::text(facts, (&facts.protected, &facts.unprotected), &warnings)
        }
        ShownFacts::Private(facts) => {
            let statements = (&facts.protected[..], &facts.unprotected[..]);
            public::text(&facts.public, statements, &warnings) + &private::text(facts)
        }
    }
}

/// What deserves attention, and what is not known of it.
fn warnings(shown: &ShownFacts) -> String {
    let (warnings, recorded) = shown.warnings();
    let mut text = String::new();
    for warning in &warnings {
        let hint = match warning.hint.as_str() {
            "" => String::new(),
            hint => format!(" ({hint})"),
        };
        text += &said(
            &warning.code.to_string(),
            &format!("{}{hint}", warning.text),
        );
    }
    if let Some(words) = recorded.words() {
        text += &said("recorded", words);
    }
    text
}

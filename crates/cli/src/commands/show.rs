//! `mingle show`: the essentials of a release's report, as tables for a terminal and as the
//! document `mingle.show/1`.

mod grid;
mod private;
mod public;

use crate::args::Show;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
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
    match shown {
        ShownFacts::Public(facts) => public::text(facts, &facts.protected, &facts.unprotected),
        ShownFacts::Private(facts) => {
            public::text(&facts.public, &facts.protected, &facts.unprotected)
                + &private::text(facts)
        }
    }
}

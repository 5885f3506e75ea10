//! `mingle show`: the essentials of a release's report, as tables for a terminal and as the
//! document `mingle.show/1`.

mod grid;
mod private;
mod public;

use crate::args::Show;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
use mingle::reports::{not_made, open_whole};
use mingle_release::{Opened, ReportPlaces};
use mingle_report::facts::{PrivateFacts, PublicFacts, VerdictFacts};
use serde_json::{Value, json};
use std::path::Path;

pub fn run(args: &Show, screen: Screen) -> Result<Exit, Problem> {
    interrupt::listen();
    let run = terminal_run(screen);
    run.step("reading");
    let shown = Shown::open(&args.release)?;
    interrupt::check()?;
    drop(run);
    match args.json {
        true => print_json(&shown.to_json(&args.release))?,
        false => print(&visible(&shown.to_text()))?,
    }
    Ok(exit(shown.verdict()))
}

/// A promise that the rows do not keep is a finding; one that could not be decided is a limit.
fn exit(verdict: &VerdictFacts) -> Exit {
    match verdict.holds() {
        true => Exit::Fine,
        false if verdict.fails() => Exit::Finding,
        false => Exit::Limit,
    }
}

/// What is known of a release, by who may know it.
enum Shown {
    Public(Box<PublicFacts>),
    Private(Box<PrivateFacts>),
}

impl Shown {
    fn open(folder: &Path) -> Result<Shown, Problem> {
        let has_private = match open_whole(folder)? {
            Opened::Grouped(release) => release.private_manifest().is_some(),
            Opened::Noisy(release) => release.private_manifest().is_some(),
        };
        let shown = match has_private {
            true => PrivateFacts::open(folder).map(|facts| Shown::Private(Box::new(facts))),
            false => {
                let public = ReportPlaces::of(folder).public();
                PublicFacts::open(public.parent().unwrap_or(folder))
                    .map(|facts| Shown::Public(Box::new(facts)))
            }
        };
        shown.map_err(|e| not_made(&e))
    }

    fn verdict(&self) -> &VerdictFacts {
        match self {
            Shown::Public(facts) => &facts.verdict,
            Shown::Private(facts) => &facts.public.verdict,
        }
    }

    fn to_text(&self) -> String {
        match self {
            Shown::Public(facts) => public::text(facts, &facts.protected, &facts.unprotected),
            Shown::Private(facts) => {
                public::text(&facts.public, &facts.protected, &facts.unprotected)
                    + &private::text(facts)
            }
        }
    }

    fn to_json(&self, folder: &Path) -> Value {
        let (public, private) = match self {
            Shown::Public(facts) => (json!(facts), Value::Null),
            Shown::Private(facts) => {
                let mut all = json!(facts);
                let public = all
                    .as_object_mut()
                    .and_then(|all| all.remove("public"))
                    .unwrap_or_default();
                (public, all)
            }
        };
        json!({
            "schema": "mingle.show/1",
            "release": folder.display().to_string(),
            "public": public,
            "private": private,
        })
    }
}

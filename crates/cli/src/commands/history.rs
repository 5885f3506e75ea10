//! `mingle history`: the versions of a table that is published again and again, and what they say
//! together.

mod check;
mod list;

use crate::args::{HistoryAdd, HistoryCommand, HistoryForget, HistoryInit, HistoryStep};
use crate::message::{Exit, Problem, Screen};
use crate::progress::terminal_run;
use mingle::history::{self, AddedVersion, NewVersion};
use mingle::publish::Failed;
use mingle_policy::Policy;

pub fn run(args: &HistoryCommand, screen: Screen) -> Result<Exit, Problem> {
    match &args.step {
        HistoryStep::Init(args) => init(args, screen),
        HistoryStep::List(args) => list::run(args),
        HistoryStep::Check(args) => check::run(args),
        HistoryStep::Add(args) => add(args, screen),
        HistoryStep::Forget(args) => forget(args, screen),
    }
}

fn init(args: &HistoryInit, screen: Screen) -> Result<Exit, Problem> {
    history::init(&args.folder)?;
    screen.note(&format!(
        "an empty history is in {}; it is private: never hand it out\n\
         name it in the policy: [composition] history = \"…\", person = \"COLUMN\"",
        args.folder.display()
    ));
    Ok(Exit::Fine)
}

fn add(args: &HistoryAdd, screen: Screen) -> Result<Exit, Problem> {
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let new = NewVersion {
        history: &args.folder,
        release: &args.release,
        label: args.label.as_deref(),
        person: args.person.as_deref(),
    };
    let run = terminal_run(screen);
    let added = history::add(&policy, new, &run);
    drop(run);
    let (added, warnings) = match added {
        Ok(added) => added,
        Err(Failed { problem, warnings }) => {
            show(&warnings, screen);
            return Err(*problem);
        }
    };
    show(&warnings, screen);
    let release = args.release.display();
    let note = match added {
        AddedVersion::Added { label, rows } => {
            format!("{release} is version {label}, of {rows} rows")
        }
        AddedVersion::AlreadyThere { label } => format!("{release} is version {label} already"),
        AddedVersion::FoundAgain { label } => {
            format!("version {label}: its release is at {release} now")
        }
    };
    screen.note(&note);
    Ok(Exit::Fine)
}

fn show(warnings: &[Problem], screen: Screen) {
    for warning in warnings {
        screen.warning(warning);
    }
}

fn forget(args: &HistoryForget, screen: Screen) -> Result<Exit, Problem> {
    let note = match args.version.as_deref().filter(|_| !args.pending) {
        Some(label) => {
            let label = history::forget(&args.folder, label, args.yes)?;
            format!("version {label} was taken out; its release is where it was")
        }
        None => {
            let place = match history::forget_pending(&args.folder)? {
                Some(place) => format!(" to {place}"),
                None => String::new(),
            };
            format!("the release that was to be written{place} is forgotten: never hand it out")
        }
    };
    screen.note(&note);
    Ok(Exit::Fine)
}

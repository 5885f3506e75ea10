//! `mingle history`: the versions of a table that is published again and again, and what they say
//! together.

mod check;
mod list;

use crate::args::{HistoryAdd, HistoryCommand, HistoryForget, HistoryInit, HistoryStep};
use crate::commands::publish::say_failed;
use crate::message::{Exit, Problem, Screen, print_json};
use crate::progress::terminal_run;
use mingle::history::{self, AddedVersion, NewVersion};
use mingle_policy::Policy;
use mingle_record::answer::{
    HistoryAddAnswer, HistoryAddOutcome, HistoryForgetAnswer, HistoryInitAnswer, WarningNotice,
};
use mingle_record::schema::{HistoryAddSchema, HistoryForgetSchema, HistoryInitSchema};

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
    if args.json {
        print_json(&HistoryInitAnswer {
            schema: HistoryInitSchema,
            history: args.folder.display().to_string(),
        })?;
    }
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
        Err(failed) => return Err(say_failed(failed, screen)),
    };
    screen.warnings(&warnings);
    let release = args.release.display();
    let (outcome, version, rows, note) = match added {
        AddedVersion::Added { label, rows } => {
            let note = format!("{release} is version {label}, of {rows} rows");
            (HistoryAddOutcome::Added, label, Some(rows), note)
        }
        AddedVersion::AlreadyThere { label } => {
            let note = format!("{release} is version {label} already");
            (HistoryAddOutcome::AlreadyThere, label, None, note)
        }
        AddedVersion::FoundAgain { label } => {
            let note = format!("version {label}: its release is at {release} now");
            (HistoryAddOutcome::FoundAgain, label, None, note)
        }
    };
    screen.note(&note);
    if args.json {
        print_json(&HistoryAddAnswer {
            schema: HistoryAddSchema,
            release: release.to_string(),
            outcome,
            version,
            rows,
            warnings: warnings.iter().map(WarningNotice::from).collect(),
        })?;
    }
    Ok(Exit::Fine)
}

fn forget(args: &HistoryForget, screen: Screen) -> Result<Exit, Problem> {
    let mut answer = HistoryForgetAnswer {
        schema: HistoryForgetSchema,
        version: None,
        pending: None,
    };
    let note = match args.version.as_deref().filter(|_| !args.pending) {
        Some(label) => {
            let label = history::forget(&args.folder, label, args.yes)?;
            let note = format!("version {label} was taken out; its release is where it was");
            answer.version = Some(label);
            note
        }
        None => {
            answer.pending = history::forget_pending(&args.folder)?;
            let place = match &answer.pending {
                Some(place) => format!(" to {place}"),
                None => String::new(),
            };
            format!("the release that was to be written{place} is forgotten: never hand it out")
        }
    };
    screen.note(&note);
    if args.json {
        print_json(&answer)?;
    }
    Ok(Exit::Fine)
}

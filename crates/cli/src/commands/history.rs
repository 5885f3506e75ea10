//! `mingle history`: the versions of a table that is published again and again, and what they say
//! together.

mod add;
mod check;
mod list;

use crate::args::{History, HistoryForget, HistoryInit, HistoryStep};
use crate::message::{Exit, Problem, Screen};
use mingle::failure;
use mingle::history::pending;
use mingle_record::Code;
use mingle_release::history::{self, HistoryWriter};

pub fn run(args: &History, screen: Screen) -> Result<Exit, Problem> {
    match &args.step {
        HistoryStep::Init(args) => init(args, screen),
        HistoryStep::List(args) => list::run(args),
        HistoryStep::Check(args) => check::run(args),
        HistoryStep::Add(args) => add::run(args, screen),
        HistoryStep::Forget(args) => forget(args, screen),
    }
}

fn init(args: &HistoryInit, screen: Screen) -> Result<Exit, Problem> {
    history::History::create(&args.folder).map_err(|e| failure::release(&e))?;
    screen.note(&format!(
        "an empty history is in {}; it is private: never hand it out\n\
         name it in the policy: [composition] history = \"…\", person = \"COLUMN\"",
        args.folder.display()
    ));
    Ok(Exit::Fine)
}

fn forget(args: &HistoryForget, screen: Screen) -> Result<Exit, Problem> {
    let mut writer = HistoryWriter::open(&args.folder).map_err(|e| failure::release(&e))?;
    let Some(label) = args.version.as_deref().filter(|_| !args.pending) else {
        let place = pending::forget(&mut writer)?;
        let place = place.map_or(String::new(), |place| format!(" to {place}"));
        screen.note(&format!(
            "the release that was to be written{place} is forgotten: never hand it out"
        ));
        return Ok(Exit::Fine);
    };
    if !args.yes {
        let text =
            "whoever has a release keeps it, and later versions would be looked at without it";
        return Err(Problem::new(
            Code::Usage,
            text,
            "add --yes if the version was never handed out",
        ));
    }
    let version = writer.forget(label).map_err(|e| failure::release(&e))?;
    screen.note(&format!(
        "version {} was taken out; its release is where it was",
        version.label
    ));
    Ok(Exit::Fine)
}

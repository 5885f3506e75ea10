//! `mingle history`: the versions of a table that is published again and again, and what they say together.

mod add;
mod check;
mod clock;
mod document;
mod list;
mod people;

pub use clock::now;
pub use document::{replay_json, replay_lines};
pub use people::people;

use crate::args::{History, HistoryForget, HistoryInit, HistoryStep};
use crate::explain::Code;
use crate::failure;
use crate::message::{Exit, Problem, Screen};
use mingle_release::history::{self, HistoryWriter, PeopleTable};

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
    if !args.yes {
        let text = "whoever has a release keeps it, and later versions would be looked at without it";
        return Err(Problem::new(Code::Usage, text, "add --yes if the version was never handed out"));
    }
    let version = writer.forget(&args.version).map_err(|e| failure::release(&e))?;
    screen.note(&format!("version {} was taken out; its release is where it was", version.label));
    Ok(Exit::Fine)
}

/// The people of all versions, the oldest first.
pub fn versions(history: &history::History) -> Result<Vec<PeopleTable>, Problem> {
    let people = history.versions().iter().map(|version| history.people(version));
    people.collect::<Result<_, _>>().map_err(|e| failure::release(&e))
}

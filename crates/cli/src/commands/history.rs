//! `mingle history`: the versions of a table that is published again and again, and what they say
//! together.

mod add;
mod check;
mod clock;
mod document;
mod list;
mod pending;
mod people;

pub use clock::now;
pub use document::{replay_json, replay_lines};
pub use pending::Places;
pub use people::people;

use crate::args::{History, HistoryForget, HistoryInit, HistoryStep};
use crate::explain::Code;
use crate::failure;
use crate::message::{Exit, Problem, Screen};
use mingle_release::history::{self, HistoryWriter, PeopleTable, Recoded};

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
        pending::forget(&mut writer, screen)?;
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

/// Those columns of which the values of many changed.
pub fn many_changed(recoded: Vec<Recoded>) -> impl Iterator<Item = Problem> {
    recoded.into_iter().map(|Recoded { column, changed, both }| {
        let text =
            format!("column {column:?}: the value of {changed} of {both} who stayed changed since the last version");
        Problem::new(Code::ManyChanged, text, "if values are only written otherwise, write them as before; see MG0514")
    })
}

/// The people of all versions, the oldest first.
pub fn versions(history: &history::History) -> Result<Vec<PeopleTable>, Problem> {
    let people = history
        .versions()
        .iter()
        .map(|version| history.people(version));
    people
        .collect::<Result<_, _>>()
        .map_err(|e| failure::release(&e))
}

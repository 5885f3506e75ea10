//! The versions of a table that is published again and again, and what they say together.

mod add;
mod check;
mod list;
pub mod pending;
mod people;
mod replayed;

pub use add::{AddedVersion, NewVersion, add};
pub use check::check;
pub use list::list;
pub use pending::PendingPaths;
pub(crate) use people::new_people;
pub use people::people;
pub use replayed::{replay_lines, replay_record};

use crate::failure;
use mingle_record::{Problem, ProblemCode};
use mingle_release::history::{History, HistoryWriter, PeopleTable, Recoded};
use std::path::Path;

/// Makes an empty history.
pub fn init(folder: &Path) -> Result<(), Problem> {
    History::create(folder).map_err(|e| failure::release(&e))?;
    Ok(())
}

/// Takes a version out; its release stays where it is. Returns the version's label.
///
/// Whoever has a release keeps it: only who says that it was `never_handed_out` may have it
/// forgotten.
pub fn forget(folder: &Path, label: &str, never_handed_out: bool) -> Result<String, Problem> {
    let mut writer = HistoryWriter::open(folder).map_err(|e| failure::release(&e))?;
    if !never_handed_out {
        let text =
            "readers keep a release that they have, and later versions would be checked without it";
        let hint = "add --yes if the version was never handed out";
        return Err(Problem::new(ProblemCode::Usage, text, hint));
    }
    let version = writer.forget(label).map_err(|e| failure::release(&e))?;
    Ok(version.label)
}

/// Drops what a run that did not end had announced. Returns where it was to be written, where that
/// is known.
pub fn forget_pending(folder: &Path) -> Result<Option<String>, Problem> {
    let mut writer = HistoryWriter::open(folder).map_err(|e| failure::release(&e))?;
    pending::forget(&mut writer)
}

/// Those columns of which the values of many changed.
pub fn many_changed(recoded: Vec<Recoded>) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for Recoded {
        column,
        changed,
        both,
    } in recoded
    {
        let text = format!(
            "column {column:?}: the value of {changed} of {both} who stayed changed since the last version"
        );
        let hint = "if only their spelling changed, write them as before; see MG0514";
        warnings.push(Problem::new(ProblemCode::ManyChanged, text, hint));
    }
    warnings
}

/// The people of all versions, the oldest first.
pub fn versions(history: &History) -> Result<Vec<PeopleTable>, Problem> {
    let mut people = Vec::new();
    for version in history.versions() {
        people.push(history.people(version).map_err(|e| failure::release(&e))?);
    }
    Ok(people)
}

//! The versions of a table that is published again and again, and what they say together.

mod clock;
mod document;
pub mod pending;
mod people;

pub use clock::now;
pub use document::{replay_lines, replay_record};
pub use pending::Places;
pub use people::people;

use crate::failure;
use mingle_record::{Code, Problem};
use mingle_release::history::{History, PeopleTable, Recoded};

/// Those columns of which the values of many changed.
pub fn many_changed(recoded: Vec<Recoded>) -> impl Iterator<Item = Problem> {
    recoded.into_iter().map(|Recoded { column, changed, both }| {
        let text =
            format!("column {column:?}: the value of {changed} of {both} who stayed changed since the last version");
        Problem::new(Code::ManyChanged, text, "if values are only written otherwise, write them as before; see MG0514")
    })
}

/// The people of all versions, the oldest first.
pub fn versions(history: &History) -> Result<Vec<PeopleTable>, Problem> {
    let people = history
        .versions()
        .iter()
        .map(|version| history.people(version));
    people
        .collect::<Result<_, _>>()
        .map_err(|e| failure::release(&e))
}

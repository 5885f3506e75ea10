//! The same requirement about the same people, whose kinds have other numbers.

use super::Requirement;
use crate::people::Persons;
use mingle_model::{Kinds, PersonRows};

impl Requirement {
    /// For a cube that was made from the one that was bound, with every person a kind of her own:
    /// what is promised and whom it is about stays, only the numbers of the kinds change. Nothing
    /// happens where people are not counted.
    pub fn renumbered(mut self, kinds: &Kinds) -> Requirement {
        let Some(persons) = &self.persons else {
            return self;
        };
        let rows = if persons.together() {
            PersonRows::Together
        } else {
            PersonRows::Apart
        };
        self.persons = Some(Persons::new(kinds, rows));
        self
    }
}

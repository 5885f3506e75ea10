//! Whose records are whose: rows with the same identifier, in canonical form, are of one person.

use crate::explain::Code;
use crate::message::Problem;
use mingle_model::{Code as Cell, Column};
use mingle_protocol::canonical;
use rayon::prelude::*;
use std::collections::HashMap;

/// The person of each row.
pub struct People {
    /// Per row a number for its person.
    pub of_row: Vec<u32>,
    /// How many people there are.
    pub count: u64,
}

impl People {
    /// Reads an identifier column. A row without one might be anybody's, so that no bound would hold for it.
    pub fn of(column: &Column) -> Result<People, Problem> {
        let identifier = |code: Cell| {
            let identifier = canonical(column.domain.text(code));
            (!identifier.is_empty() && column.domain.missing() != Some(code)).then_some(identifier)
        };
        let identifiers: Vec<Option<String>> =
            (0..column.domain.len() as Cell).into_par_iter().map(identifier).collect();
        let mut known: HashMap<String, u32> = HashMap::with_capacity(identifiers.len());
        let mut person = |identifier: String| {
            let next = known.len() as u32;
            *known.entry(identifier).or_insert(next)
        };
        let person_of: Vec<Option<u32>> = identifiers.into_iter().map(|i| i.map(&mut person)).collect();
        let nobody = column.codes.iter().filter(|&code| person_of[code as usize].is_none()).count();
        if nobody > 0 {
            let text = format!("column {:?} has no value in {nobody} row(s)", column.spec.name);
            let hint = "`person` in [dp] bounds the records of a person by it: give every row an identifier, or take \
                        the row out";
            return Err(Problem::new(Code::PersonUnusable, text, hint));
        }
        let of_row = column.codes.iter().filter_map(|code| person_of[code as usize]).collect();
        Ok(People { of_row, count: known.len() as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{ColumnSpec, Kind, Missing, Role};

    fn people(texts: &[&str]) -> Result<People, Problem> {
        let spec = ColumnSpec { kind: Some(Kind::Category), ..ColumnSpec::new("pid", Role::Insensitive) };
        People::of(&Column::from_texts(spec, texts.iter().copied(), &Missing::default()).ok().unwrap())
    }

    #[test]
    fn spelling_does_not_make_another_person() {
        let found = people(&["Ann ", "bob", "ANN", "7", "007"]).unwrap();
        assert_eq!(found.count, 4);
        assert_eq!(found.of_row[0], found.of_row[2]);
        assert_ne!(found.of_row[3], found.of_row[4]);
    }

    #[test]
    fn a_row_of_nobody_is_refused() {
        for texts in [&["a", ""][..], &["a", "?"], &["a", "  "]] {
            assert_eq!(people(texts).err().unwrap().code(), Code::PersonUnusable);
        }
    }
}

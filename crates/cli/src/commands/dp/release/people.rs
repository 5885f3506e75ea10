//! Whose records are whose: rows with the same identifier, in canonical form, are of one person.

use mingle_dp::PerPerson;
use mingle_model::{Code as Cell, Column};
use mingle_protocol::canonical;
use mingle_record::Code;
use mingle_record::Problem;
use rayon::prelude::*;
use std::collections::HashMap;

/// The person of each row.
pub struct People {
    /// Per row a number for its person, or [`PerPerson::UNKNOWN`].
    pub of_row: Vec<u32>,
    /// How many there are of them.
    pub tally: Tally,
}

/// What an identifier column is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// How many people there are.
    pub people: u64,
    /// Rows without an identifier.
    pub unknown: u64,
    /// People whose identifier is spelled in more than one way.
    pub respelled: u64,
}

impl People {
    /// Reads an identifier column. A row without one might be anybody's, so that no bound would
    /// hold for it: it will be left out. Where no row has one there is nobody to make a promise to.
    pub fn of(column: &Column) -> Result<People, Problem> {
        let identifier = |code: Cell| {
            let identifier = canonical(column.domain.text(code));
            (!identifier.is_empty() && column.domain.missing() != Some(code)).then_some(identifier)
        };
        let identifiers: Vec<Option<String>> = (0..column.domain.len() as Cell)
            .into_par_iter()
            .map(identifier)
            .collect();
        let mut known: HashMap<String, u32> = HashMap::with_capacity(identifiers.len());
        let mut spellings: Vec<u32> = Vec::new();
        let mut person = |identifier: String| {
            let person = *known.entry(identifier).or_insert(spellings.len() as u32);
            match spellings.get_mut(person as usize) {
                Some(spellings) => *spellings += 1,
                None => spellings.push(1),
            }
            person
        };
        let person_of: Vec<u32> = identifiers
            .into_iter()
            .map(|i| i.map_or(PerPerson::UNKNOWN, &mut person))
            .collect();
        let of_row: Vec<u32> = column
            .codes
            .iter()
            .map(|code| person_of[code as usize])
            .collect();
        let tally = Tally {
            people: spellings.len() as u64,
            unknown: of_row
                .iter()
                .filter(|&&person| person == PerPerson::UNKNOWN)
                .count() as u64,
            respelled: spellings.iter().filter(|&&n| n > 1).count() as u64,
        };
        match tally.people {
            0 => Err(nobody(&column.spec.name)),
            _ => Ok(People { of_row, tally }),
        }
    }
}

fn nobody(column: &str) -> Problem {
    let text = format!(
        "column {column:?} has no value in any row, and `person` in [dp] tells people apart by it"
    );
    Problem::new(
        Code::PersonUnusable,
        text,
        "nothing was spent; name another identifier, or take `person` out",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{ColumnSpec, Kind, Missing, Role};

    fn people(texts: &[&str]) -> Result<People, Problem> {
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new("pid", Role::Insensitive)
        };
        People::of(
            &Column::from_texts(spec, texts.iter().copied(), &Missing::default())
                .ok()
                .unwrap(),
        )
    }

    #[test]
    fn spelling_does_not_make_another_person() {
        let found = people(&["Ann ", "bob", "ANN", "7", "007", "bob"]).unwrap();
        assert_eq!(
            found.tally,
            Tally {
                people: 4,
                unknown: 0,
                respelled: 1
            }
        );
        assert_eq!(found.of_row[0], found.of_row[2]);
        assert_ne!(found.of_row[3], found.of_row[4]);
    }

    #[test]
    fn a_row_of_nobody_is_of_nobody() {
        for texts in [
            &["", "a", "b", ""][..],
            &["?", "a", "b", "?"],
            &["  ", "a", "b", "?"],
        ] {
            let found = people(texts).unwrap();
            assert_eq!(
                found.tally,
                Tally {
                    people: 2,
                    unknown: 2,
                    respelled: 0
                }
            );
            assert_eq!(
                found.of_row,
                [
                    PerPerson::UNKNOWN,
                    found.of_row[1],
                    found.of_row[2],
                    PerPerson::UNKNOWN
                ]
            );
        }
        for texts in [&[""][..], &["?", " ", ""]] {
            assert_eq!(people(texts).err().unwrap().code(), Code::PersonUnusable);
        }
    }
}

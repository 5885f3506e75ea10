//! Whose records are whose: rows with the same identifier, in canonical form, are of one person.

use mingle_dp::PerPerson;
use mingle_model::{Code, Column};
use mingle_protocol::canonical;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use rayon::prelude::*;
use std::collections::HashMap;

/// The person of each row.
pub struct PeopleOfRows {
    /// Per row a number for its person, or [`PerPerson::UNKNOWN`].
    pub of_row: Vec<u32>,
    /// How many there are of them.
    pub tally: PeopleTally,
}

/// What an identifier column is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeopleTally {
    /// How many people there are.
    pub people: u64,
    /// Rows without an identifier.
    pub unknown: u64,
    /// People whose identifier is spelled in more than one way.
    pub respelled: u64,
}

impl PeopleOfRows {
    /// Reads an identifier column. A row without one might be anybody's, so that no bound would
    /// hold for it: it will be left out. Where no row has one there is nobody to make a promise to.
    pub fn read(column: &Column) -> Result<PeopleOfRows, Problem> {
        let identifiers: Vec<Option<String>> = (0..column.domain.len() as Code)
            .into_par_iter()
            .map(|code| identifier(column, code))
            .collect();
        let mut known: HashMap<String, u32> = HashMap::with_capacity(identifiers.len());
        // per person in how many ways the identifier is spelled
        let mut spellings: Vec<u32> = Vec::new();
        let mut person_of_code: Vec<u32> = Vec::with_capacity(identifiers.len());
        for identifier in identifiers {
            let Some(identifier) = identifier else {
                person_of_code.push(PerPerson::UNKNOWN);
                continue;
            };
            let person = *known.entry(identifier).or_insert(spellings.len() as u32);
            match spellings.get_mut(person as usize) {
                Some(spellings) => *spellings += 1,
                None => spellings.push(1),
            }
            person_of_code.push(person);
        }
        let mut of_row: Vec<u32> = Vec::with_capacity(column.codes.len());
        let mut unknown = 0;
        for code in column.codes.iter() {
            let person = person_of_code[code as usize];
            unknown += u64::from(person == PerPerson::UNKNOWN);
            of_row.push(person);
        }
        if spellings.is_empty() {
            return Err(nobody(&column.spec.name));
        }
        let tally = PeopleTally {
            people: spellings.len() as u64,
            unknown,
            respelled: spellings.iter().filter(|&&n| n > 1).count() as u64,
        };
        Ok(PeopleOfRows { of_row, tally })
    }
}

/// In canonical form; `None` where the cell names nobody.
fn identifier(column: &Column, code: Code) -> Option<String> {
    let identifier = canonical(column.domain.text(code));
    let is_missing = identifier.is_empty() || column.domain.missing() == Some(code);
    (!is_missing).then_some(identifier)
}

fn nobody(column: &str) -> Problem {
    let text = format!(
        "column {column:?} has no value in any row, and `person` in [dp] tells people apart by it"
    );
    Problem::new(
        ProblemCode::PersonUnusable,
        text,
        "nothing was spent; name another identifier, or take `person` out",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{ColumnSpec, Kind, Missing, Role};

    fn people(texts: &[&str]) -> Result<PeopleOfRows, Problem> {
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new("pid", Role::Insensitive)
        };
        PeopleOfRows::read(
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
            PeopleTally {
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
                PeopleTally {
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
            assert_eq!(
                people(texts).err().unwrap().code(),
                ProblemCode::PersonUnusable
            );
        }
    }
}

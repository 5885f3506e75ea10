//! Columns that are published as they are and link the rows of a person.
//!
//! A value that all rows of a person have and nobody else's says which rows are hers. Promises about
//! people hold for a reader who links rows within a group; that rows were to be unlinked is then no
//! longer true. Cost O(rows) for each such column.

use mingle_model::{Column, Role, Table};
use mingle_record::{Problem, ProblemCode};

/// A warning for each insensitive column that links the rows of somebody.
pub(super) fn warnings(table: &Table) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for column in table.with_role(Role::Insensitive) {
        let Some((linked, several)) = linked_people(table, column) else {
            continue;
        };
        if linked == 0 {
            continue;
        }
        let text = format!(
            "column {:?} is published unchanged and links the rows of {linked} of {several} people who have several",
            column.spec.name
        );
        let hint = "make it a quasi-identifier or an identifier, unless readers may know which rows are one person's";
        warnings.push(Problem::new(ProblemCode::RowsLinked, text, hint));
    }
    warnings
}

/// How many people with several rows have one value in all of them that nobody else has, and how
/// many people have several rows. A missing value links nothing.
fn linked_people(table: &Table, column: &Column) -> Option<(u64, u64)> {
    let person_of = table.person_of.as_ref()?;
    let people = person_of.iter().max().map_or(0, |last| last as usize + 1);
    let mut rows_of = vec![0u64; people];
    // the only value of a person, and the only person of a value
    let mut value_of: Vec<OneOf> = vec![OneOf::None; people];
    let mut person_with: Vec<OneOf> = vec![OneOf::None; column.domain.len()];
    for (person, code) in person_of.iter().zip(column.codes.iter()) {
        rows_of[person as usize] += 1;
        value_of[person as usize].add(code);
        person_with[code as usize].add(person);
    }
    let (mut linked, mut several) = (0, 0);
    for person in 0..people {
        if rows_of[person] < 2 {
            continue;
        }
        several += 1;
        let OneOf::One(code) = value_of[person] else {
            continue;
        };
        let alone = person_with[code as usize] == OneOf::One(person as u32);
        if alone && column.domain.missing() != Some(code) {
            linked += 1;
        }
    }
    Some((linked, several))
}

/// Whether numbers that were seen are all the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OneOf {
    None,
    One(u32),
    Several,
}

impl OneOf {
    fn add(&mut self, number: u32) {
        *self = match *self {
            OneOf::None => OneOf::One(number),
            OneOf::One(seen) if seen == number => OneOf::One(seen),
            OneOf::One(_) | OneOf::Several => OneOf::Several,
        };
    }
}

//! Whose the rows are: what a table shows about it, and what is refused because of it.
//!
//! Promises count people. Where a policy does not say whose rows belong together, each row is taken
//! to be one person, and an identifier that repeats contradicts that: a finding, not a warning,
//! because a release that counts rows as people promises nothing about those who have several.
//! Everything here says how many, never who.

mod linked;

use crate::propose;
use crate::tables::Original;
use mingle_io::{RepeatedIdentifier, SeenPeople};
use mingle_model::{Column, Role, Table, counted, plural};
use mingle_policy::{DeclaredPeople, Policy};
use mingle_record::{Problem, ProblemCode};

/// From so many rows of one person on it is said: few of whom anything is recorded come so often.
const VERY_MANY: u64 = 1_000;

/// An identifier repeats, and nobody has said whose the rows are.
pub(crate) fn finding(policy: &Policy, repeated: &[RepeatedIdentifier]) -> Option<Problem> {
    if !matches!(policy.data.people, DeclaredPeople::Unsaid) || policy.noise().is_some() {
        return None;
    }
    // a history tells people apart by an identifier that no two rows have
    if let Some(composition) = &policy.composition
        && composition.history.is_some()
    {
        return None;
    }
    // the one with the most different values is likeliest to be the one that tells people apart
    let most = repeated.iter().max_by_key(|column| column.distinct)?;
    let name = &most.column;
    let text = format!(
        "column {name:?} repeats: {} have {} different identifiers, up to {} have the same one, and each row would \
         count as one person",
        counted(most.rows, "row"),
        most.distinct,
        most.most_rows
    );
    let others = match repeated.len() {
        1 => String::new(),
        n => format!(" (so does {})", counted(n - 1, "other identifier")),
    };
    let hint = format!(
        "write person = {name:?} in [data] if it tells people apart{others}, so that promises count people; write \
         person = \"row\" if each row is still one person; see MG0310"
    );
    Some(Problem::new(ProblemCode::RowsAreNotPeople, text, hint))
}

/// What a steward should know about the people of a table.
pub(crate) fn warnings(policy: &Policy, original: &Original) -> Vec<Problem> {
    let mut warnings = Vec::new();
    if matches!(policy.data.people, DeclaredPeople::EachRow) {
        warnings.extend(original.repeated_identifiers.iter().map(repeated));
    }
    let (Some(person), Some(people)) = (policy.data.people.column(), &original.people) else {
        return warnings;
    };
    warnings.extend(odd_identifiers(&person.name, people));
    for column in original.table.with_role(Role::QuasiIdentifier) {
        if !propose::cannot_change(&column.spec.name) {
            continue;
        }
        let changed = changed_within_people(&original.table, column);
        if changed > 0 {
            let text = format!(
                "column {:?} differs between the rows of one person for {changed} of {} people",
                column.spec.name, people.people
            );
            let hint = "correct the column, or the identifiers: two people may share one";
            warnings.push(Problem::new(ProblemCode::ChangesWithinPerson, text, hint));
        }
    }
    warnings.extend(linked::warnings(&original.table));
    warnings
}

/// What is odd about the identifiers themselves.
pub(crate) fn odd_identifiers(column: &str, people: &SeenPeople) -> Vec<Problem> {
    let mut warnings = Vec::new();
    if people.folded < people.people {
        let text = format!(
            "column {column:?}: {} identifiers become {} when case is ignored",
            people.people, people.folded
        );
        let hint = "write identifiers alike in all tables: each spelling counts as a person";
        warnings.push(Problem::new(ProblemCode::PersonSpelledApart, text, hint));
    }
    if people.of_nobody > 0 {
        let text = format!(
            "column {column:?}: {} of {} {} a word that stands for nobody, such as unknown, in place of an identifier",
            people.of_nobody,
            counted(people.rows, "row"),
            plural(people.of_nobody, "has", "have")
        );
        let hint = "complete the identifiers or leave those rows out; add the word to `missing` in [data], and such rows are refused: \
                    all who have the same word are taken for one person";
        warnings.push(Problem::new(ProblemCode::WordForNobody, text, hint));
    }
    if people.most_rows >= VERY_MANY {
        let text = format!(
            "column {column:?}: one person has {} of {} rows",
            people.most_rows, people.rows
        );
        let hint = "check that this identifier belongs to one person, not to nobody or to many";
        warnings.push(Problem::new(ProblemCode::ManyRowsOfOne, text, hint));
    }
    warnings
}

/// Somebody says that each row is one person, and an identifier says otherwise: worth writing down.
fn repeated(column: &RepeatedIdentifier) -> Problem {
    let rows = column.repeats();
    let text = format!(
        "column {:?}: {} {} an identifier, but each row is taken to be one person",
        column.column,
        counted(rows, "row"),
        plural(rows, "repeats", "repeat")
    );
    let hint = "the policy says so with person = \"row\"; name the column instead if it tells people apart";
    Problem::new(ProblemCode::RepeatedIdentifier, text, hint)
}

/// How many people have more than one value of a column; a missing value is no other one.
fn changed_within_people(table: &Table, column: &Column) -> u64 {
    let Some(person_of) = &table.person_of else {
        return 0;
    };
    let people = person_of.iter().max().map_or(0, |last| last as usize + 1);
    let mut value_of: Vec<Option<u32>> = vec![None; people];
    let mut has_changed = vec![false; people];
    for (person, code) in person_of.iter().zip(column.codes.iter()) {
        if column.domain.missing() == Some(code) {
            continue;
        }
        match value_of[person as usize] {
            None => value_of[person as usize] = Some(code),
            Some(known) if known != code => has_changed[person as usize] = true,
            Some(_) => {}
        }
    }
    has_changed.iter().filter(|changed| **changed).count() as u64
}

#[cfg(test)]
mod tests;

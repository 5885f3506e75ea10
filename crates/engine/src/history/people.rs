//! From identifiers to the people of a history. Every row has one, and nobody has two rows unless the
//! policy says that rows with the same identifier are one person's.

use mingle_model::{ProviderId, Table};
use mingle_policy::{Policy, Tables};
use mingle_protocol::canonical;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_release::history::PersonKey;
use std::collections::HashMap;

/// The person of each row; `column` is the identifier.
pub fn people(
    policy: &Policy,
    column: &str,
    table: &Table,
    identifiers: &[String],
    key: &PersonKey,
) -> Result<Vec<u128>, Problem> {
    identified(policy, column, identifiers, key, |row| {
        place(policy, table, row)
    })
}

/// The same for rows that are not those of the policy's tables.
pub(crate) fn new_people(
    policy: &Policy,
    column: &str,
    identifiers: &[String],
    key: &PersonKey,
) -> Result<Vec<u128>, Problem> {
    identified(policy, column, identifiers, key, |row| {
        format!("new row {}", row + 1)
    })
}

fn identified(
    policy: &Policy,
    column: &str,
    identifiers: &[String],
    key: &PersonKey,
    place: impl Fn(usize) -> String,
) -> Result<Vec<u128>, Problem> {
    let counts_people = policy.data.people.column().is_some();
    let mut rows: HashMap<u128, usize> = HashMap::with_capacity(identifiers.len());
    let mut people = Vec::with_capacity(identifiers.len());
    for (row, text) in identifiers.iter().enumerate() {
        let identifier = canonical(text);
        if identifier.is_empty() || policy.data.missing.contains(text) {
            let text = format!("column {column:?} has no value in {}", place(row));
            let hint = "a history tells people apart by it: add the identifier, or remove the row";
            return Err(Problem::new(ProblemCode::IdentifierUnusable, text, hint));
        }
        let person = key.person(&identifier);
        if let Some(&first) = rows.get(&person)
            && !counts_people
        {
            let (first, second) = (place(first), place(row));
            let text = format!("column {column:?} has the same value in {first} and in {second}");
            return Err(Problem::new(
                ProblemCode::IdentifierUnusable,
                text,
                "merge the rows of a person first, or name the person column: `person` in [data]",
            ));
        }
        rows.insert(person, row);
        people.push(person);
    }
    Ok(people)
}

/// `p1.csv, row 3`, counted from 1 without the header.
fn place(policy: &Policy, table: &Table, row: usize) -> String {
    let (name, nth) = match &policy.data.tables {
        Some(Tables::One(input)) => (input.name.clone(), row + 1),
        Some(Tables::PerProvider(inputs)) => {
            let provider = table.provider_of.get(row);
            let nth = (0..=row)
                .filter(|&r| table.provider_of.get(r) == provider)
                .count();
            let named = inputs
                .iter()
                .find(|(name, _)| name == table.providers.name(ProviderId(provider)));
            (
                named.map_or(String::new(), |(_, input)| input.name.clone()),
                nth,
            )
        }
        None => (String::new(), row + 1),
    };
    format!("{name}, row {nth}")
}

//! From people on disk to versions that can be replayed: values get one number over all versions.
//!
//! A column may be of numbers in one version and, because of a single new text, of texts in the
//! next. So values that look like numbers are compared as such, however they are written, unless
//! some version tells two writings of a number apart: there `250` and `250.00` are codes.

use super::people::PeopleTable;
use mingle_model::Number;
use mingle_privacy::composition::versions::{Member, Version};
use std::collections::{HashMap, HashSet};

/// The sensitive columns of all versions, in the order in which they first occur.
pub fn attributes<'p>(people: impl IntoIterator<Item = &'p PeopleTable>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for column in people.into_iter().flat_map(PeopleTable::columns) {
        if !names.contains(&column.name) {
            names.push(column.name.clone());
        }
    }
    names
}

/// The versions that have a sensitive column, each with its place among all.
pub fn timeline(people: &[&PeopleTable], attribute: &str) -> Vec<(usize, Version)> {
    let mut numbers: HashMap<Option<String>, u32> = HashMap::new();
    let mut versions = Vec::new();
    for Writing { place, at, values } in writings(people, attribute) {
        let people = people[place];
        let mut number_of = Vec::new();
        for text in values {
            let next = numbers.len() as u32;
            number_of.push(*numbers.entry(text).or_insert(next));
        }
        let members = people.members().iter().map(|m| {
            let value = number_of[m.values[at] as usize];
            Member {
                person: m.person,
                value,
                group: m.group,
            }
        });
        let version = Version::new(people.groups().len(), members.collect());
        versions.push((
            place,
            version.expect("nobody is in two groups, and everybody in a group that is there"),
        ));
    }
    versions
}

/// A column's values in a version, written so that equal values of several versions are equal
/// texts.
pub(super) struct Writing {
    /// The version's place among all.
    pub(super) place: usize,
    /// The column's place in the version.
    pub(super) at: usize,
    /// By code; `None` is the missing value.
    pub(super) values: Vec<Option<String>>,
}

/// A column's values in the versions that have it.
pub(super) fn writings(people: &[&PeopleTable], attribute: &str) -> Vec<Writing> {
    let at = |people: &PeopleTable| people.columns().iter().position(|c| c.name == attribute);
    let found: Vec<(usize, usize)> = people
        .iter()
        .enumerate()
        .filter_map(|(place, people)| Some((place, at(people)?)))
        .collect();
    let texts = |(place, at): (usize, usize)| people[place].columns()[at].values.iter().flatten();
    let codes: HashSet<String> = found
        .iter()
        .flat_map(|&version| written_twice(texts(version)))
        .collect();
    let value = |text: &String| {
        number(text)
            .filter(|number| !codes.contains(number))
            .unwrap_or_else(|| text.clone())
    };
    let writing = |(place, at): (usize, usize)| {
        let values = people[place].columns()[at].values.iter();
        Writing {
            place,
            at,
            values: values.map(|text| text.as_ref().map(value)).collect(),
        }
    };
    found.into_iter().map(writing).collect()
}

/// The numbers that a version has in several writings.
fn written_twice<'t>(texts: impl Iterator<Item = &'t String>) -> Vec<String> {
    let mut writing_of: HashMap<String, &str> = HashMap::new();
    let twice = |text: &'t String| {
        let number = number(text)?;
        let first = *writing_of.entry(number.clone()).or_insert(text);
        (first != text).then_some(number)
    };
    texts.filter_map(twice).collect()
}

/// The one writing of what looks like a number.
fn number(text: &str) -> Option<String> {
    Number::parse(text).map(|number| Number::text(number.mantissa, number.scale))
}

//! From people on disk to versions that can be replayed: values get one number over all versions.

use super::people::PeopleTable;
use mingle_privacy::composition::versions::{Member, Version};
use std::collections::HashMap;

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
    let mut numbers: HashMap<Option<&str>, u32> = HashMap::new();
    let mut versions = Vec::new();
    for (place, people) in people.iter().enumerate() {
        let Some(at) = people.columns().iter().position(|c| c.name == attribute) else { continue };
        let mut number_of = Vec::new();
        for text in &people.columns()[at].values {
            let next = numbers.len() as u32;
            number_of.push(*numbers.entry(text.as_deref()).or_insert(next));
        }
        let members = people.members().iter().map(|m| {
            let value = number_of[m.values[at] as usize];
            Member { person: m.person, value, group: m.group }
        });
        let version = Version::new(people.groups().len(), members.collect());
        versions.push((place, version.expect("nobody is there twice, and everybody in a group that is there")));
    }
    versions
}

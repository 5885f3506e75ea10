//! The definition, played through: every assignment of values to people that agrees with all
//! published groups.
//!
//! Exponential in the number of people: for histories of a handful.

use super::{Member, Version};
use std::collections::{BTreeMap, BTreeSet};

/// Per person the values that they have in some assignment under which every group of every version
/// holds what was published. A person keeps the value over all versions.
pub fn possible(versions: &[&Version], values: u32) -> BTreeMap<u128, BTreeSet<u32>> {
    let people: Vec<u128> = versions
        .iter()
        .flat_map(|v| v.members())
        .map(|m| m.person)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut possible: BTreeMap<u128, BTreeSet<u32>> = BTreeMap::new();
    let mut assigned = vec![0; people.len()];
    loop {
        let value_of = |person: u128| assigned[people.binary_search(&person).unwrap()];
        if versions.iter().all(|version| agrees(version, value_of)) {
            for (&person, &value) in people.iter().zip(&assigned) {
                possible.entry(person).or_default().insert(value);
            }
        }
        let Some(next) = assigned.iter().position(|&value| value + 1 < values) else {
            return possible;
        };
        assigned[next] += 1;
        assigned[..next].fill(0);
    }
}

/// Whether every group holds what was published.
fn agrees(version: &Version, value_of: impl Fn(u128) -> u32) -> bool {
    published(version, |m| m.value) == published(version, |m| value_of(m.person))
}

fn published(version: &Version, value: impl Fn(&Member) -> u32) -> Vec<(u32, u32)> {
    let mut rows: Vec<(u32, u32)> = version
        .members()
        .iter()
        .map(|m| (m.group, value(m)))
        .collect();
    rows.sort_unstable();
    rows
}

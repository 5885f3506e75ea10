//! A chosen coalition: what certain providers, together, make of every group.
//!
//! They take out all of their rows and look at what is left. A group falls if a promise fails for
//! the rows left, or if the coalition contains the smallest one that breaks it: for promises that
//! are not group-monotone leaving some rows in may break more, and then the groups counted here are
//! a lower bound, as for [`worst`](super::worst). A record left is exposed if it is the only one,
//! or if all records left have its value in a sensitive column; missing values say nothing. Without
//! members it is the outsider. Where people have several rows, everything here counts people: it
//! takes out those whom it knows.
//!
//! Cost: O(entries log entries).

use super::GroupAttack;
use super::disclosure::value;
use super::fall::Promised;
use super::people::{GroupPeople, PromisedToPeople, chosen_among_people};
use mingle_model::{Code, Entry, ProviderId, Published};
use mingle_privacy::{Error, Knows, Promise};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What a coalition achieves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chosen {
    /// Rows that are its own.
    pub own: u64,
    /// Groups in which it has rows.
    pub touched: u64,
    /// Rows of others in all.
    pub others: u64,
    /// Whether no more groups fall where only some of its rows are taken out: all promises are
    /// group-monotone.
    pub exact: bool,
    /// What it makes of each group in which it has rows, that falls, or in which a record is
    /// exposed; in published order.
    pub groups: Vec<Attacked>,
}

/// What it makes of one group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attacked {
    /// The group's place in published order.
    pub group: usize,
    /// Rows of others.
    pub left: u64,
    /// The promise that fails, by its place in the policy.
    pub broken: Option<usize>,
    /// Whether one record is left, which is then known to be a certain person's.
    pub identity: bool,
    /// Records of others of which the row or a sensitive value is known for sure.
    pub exposed: u64,
}

/// Plays one coalition that knows so much of people who have several rows; `groups` are those of
/// [`play`](super::play) on the same table.
pub fn play(
    published: &Published,
    promises: &[Promise],
    groups: &[GroupAttack],
    members: &[ProviderId],
    knows: Knows,
) -> Result<Chosen, Error> {
    let mut members = members.to_vec();
    members.sort_unstable();
    members.dedup();
    if let Some(people) = published.people() {
        let promised = PromisedToPeople::new(published, people, promises, knows)?;
        return Ok(chosen_among_people(published, &promised, groups, &members));
    }
    let promised = Promised::new(published, promises)?;
    let sizes: Vec<(u64, u64)> = (0..published.groups())
        .map(|g| split(published.entries(g), &members))
        .collect();
    let attack = |group: usize| attacked(&promised, &groups[group], group, &members);
    let attacked = (0..published.groups())
        .into_par_iter()
        .filter_map(attack)
        .collect();
    Ok(Chosen {
        own: sizes.iter().map(|(own, _)| own).sum(),
        touched: sizes.iter().filter(|(own, _)| *own > 0).count() as u64,
        others: sizes.iter().map(|(_, left)| left).sum(),
        exact: members.is_empty() || promised.requirement.group_monotone(),
        groups: attacked,
    })
}

impl Chosen {
    /// Groups in which a promise fails.
    pub fn fallen(&self) -> u64 {
        self.groups.iter().filter(|g| g.broken.is_some()).count() as u64
    }

    /// Rows of others in groups in which a promise fails.
    pub fn people(&self) -> u64 {
        self.groups
            .iter()
            .filter(|g| g.broken.is_some())
            .map(|g| g.left)
            .sum()
    }

    /// Records whose row is known for sure.
    pub fn identity(&self) -> u64 {
        self.groups.iter().filter(|g| g.identity).count() as u64
    }

    /// Records whose row or a sensitive value is known for sure.
    pub fn exposed(&self) -> u64 {
        self.groups.iter().map(|g| g.exposed).sum()
    }
}

/// How many of those left in a group have each value of a sensitive column: rows, or people where
/// they may have several.
pub fn values_left(
    published: &Published,
    group: usize,
    column: usize,
    members: &[ProviderId],
    knows: Knows,
) -> BTreeMap<Code, u64> {
    let mut members = members.to_vec();
    members.sort_unstable();
    let codes = &published.sensitive()[column].codes;
    let mut counts: BTreeMap<Code, u64> = BTreeMap::new();
    let Some(people) = published.people() else {
        for entry in published.entries(group) {
            if members.binary_search(&entry.provider).is_err() {
                *counts
                    .entry(codes.get(entry.sensitive as usize))
                    .or_default() += entry.count;
            }
        }
        return counts;
    };
    let known = GroupPeople::new(published, people, group, knows);
    for kind in &known.kinds {
        if known.is_known(kind, &members) {
            continue;
        }
        let entries = people.kinds().get(kind.kind).entries.iter();
        let mut own: Vec<Code> = entries.map(|e| codes.get(e.sensitive as usize)).collect();
        own.sort_unstable();
        own.dedup();
        for code in own {
            *counts.entry(code).or_default() += kind.people;
        }
    }
    counts
}

/// Rows of the members and of the others.
fn split(entries: &[Entry], members: &[ProviderId]) -> (u64, u64) {
    let (mut own, mut left) = (0, 0);
    for entry in entries {
        *if members.binary_search(&entry.provider).is_ok() {
            &mut own
        } else {
            &mut left
        } += entry.count;
    }
    (own, left)
}

/// `None` where nothing is learnt and nothing was taken out, and where nobody is left.
fn attacked(
    promised: &Promised<'_>,
    known: &GroupAttack,
    group: usize,
    members: &[ProviderId],
) -> Option<Attacked> {
    let entries = promised.published.entries(group);
    let (own, left) = split(entries, members);
    if left == 0 {
        return None;
    }
    let rest = entries
        .iter()
        .filter(|entry| members.binary_search(&entry.provider).is_err());
    let contains =
        |smaller: &[ProviderId]| smaller.iter().all(|p| members.binary_search(p).is_ok());
    let contained = known
        .fall
        .breached
        .as_ref()
        .filter(|b| contains(&b.coalition))
        .map(|b| b.constraint);
    let broken = promised.failing(rest.clone()).or(contained);
    let exposed = if left == 1 {
        1
    } else {
        disclosed(promised.published, rest)
    };
    let told = own > 0 || broken.is_some() || exposed > 0;
    told.then_some(Attacked {
        group,
        left,
        broken,
        identity: left == 1,
        exposed,
    })
}

/// How many of the records left have a value that is the only one left.
pub(super) fn disclosed<'e>(
    published: &Published,
    left: impl Iterator<Item = &'e Entry> + Clone,
) -> u64 {
    let single = |column: &usize| {
        let mut values = left
            .clone()
            .filter_map(|entry| value(published, *column, entry));
        values
            .next()
            .is_some_and(|first| values.all(|other| other == first))
    };
    let columns: Vec<usize> = (0..published.sensitive().len()).filter(single).collect();
    let known = |entry: &&Entry| {
        columns
            .iter()
            .any(|&column| value(published, column, entry).is_some())
    };
    left.filter(known).map(|entry| entry.count).sum()
}

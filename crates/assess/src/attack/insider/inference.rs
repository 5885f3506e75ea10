//! One inference, worked out: what a coalition does and what it then knows.
//!
//! Of all that the smallest coalitions can do, the most telling: a record that is known to be a
//! certain person's, then a value that is known of everybody left, then a promise that fails. Among
//! equals the first group as published.

use super::GroupAttack;
use super::disclosure::{Held, isolating_coalition, value};
use super::fall::Promised;
use mingle_model::{Code, ProviderId, Published};

/// What a coalition does to a group, and what it learns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inference {
    /// The group's place in published order.
    pub group: usize,
    /// The members, in order of their names; nobody for the outsider.
    pub coalition: Vec<ProviderId>,
    /// How many records of the group are theirs.
    pub own: u64,
    /// How many records are left when they have taken out theirs, or those of theirs that stand in
    /// their way.
    pub left: u64,
    /// What they then know.
    pub learnt: Learnt,
    /// The same in people, where they may have several rows.
    pub people: Option<PeopleInferred>,
}

/// What a coalition does to the people of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PeopleInferred {
    /// People whom it knows.
    pub known: u64,
    /// People who are left when it has taken out those whom it knows, or some of them.
    pub left: u64,
    /// Of an attribute that is learnt: how many of the people left do not have it, because they have
    /// no value, or because the rows that say so were taken out.
    pub without_value: u64,
}

/// What a coalition knows about the records that are left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Learnt {
    /// One person is left, with these sensitive values by column: one of each where each row is one
    /// person.
    Identity(Vec<Vec<Code>>),
    /// All records left have this value in this sensitive column.
    Attribute(usize, Code),
    /// A promise, by its place in the policy, fails for the records left.
    Breach(usize),
}

/// One of the smallest coalitions of at most `up_to` members, if any learns something.
pub(super) fn smallest(
    promised: &Promised<'_>,
    groups: &[GroupAttack],
    up_to: u64,
) -> Option<Inference> {
    let size = groups
        .iter()
        .filter_map(GroupAttack::smallest)
        .min()
        .filter(|&size| size <= up_to)?;
    let first = |of: &dyn Fn(&GroupAttack) -> Option<u64>| {
        groups.iter().position(|group| of(group) == Some(size))
    };
    if let Some(group) = first(&|g| g.disclosure.identity_size()) {
        return identity(promised.published, group);
    }
    if let Some(group) = first(&|g| g.disclosure.attribute_size()) {
        let column = groups[group]
            .disclosure
            .attribute
            .iter()
            .position(|c| c.first().is_some_and(|p| p.0 == size))?;
        return attribute(promised.published, group, column);
    }
    let group = first(&|g| g.fall.size())?;
    let breached = groups[group].fall.breached.clone()?;
    let own = own(promised.published, group, &breached.coalition);
    let learnt = Learnt::Breach(breached.constraint);
    Some(Inference {
        group,
        coalition: breached.coalition,
        own,
        left: breached.left,
        learnt,
        people: None,
    })
}

fn identity(published: &Published, group: usize) -> Option<Inference> {
    let coalition = isolating_coalition(published, group)?;
    let victim = published
        .entries(group)
        .iter()
        .find(|entry| !coalition.contains(&entry.provider))?;
    let values = published
        .sensitive()
        .iter()
        .map(|column| vec![column.codes.get(victim.sensitive as usize)])
        .collect();
    let own = own(published, group, &coalition);
    Some(Inference {
        group,
        coalition,
        own,
        left: 1,
        learnt: Learnt::Identity(values),
        people: None,
    })
}

fn attribute(published: &Published, group: usize, column: usize) -> Option<Inference> {
    let (coalition, code) = Held::new(published, group, column).smallest_coalition()?;
    let own = own(published, group, &coalition);
    let left = published.size(group) - own;
    Some(Inference {
        group,
        coalition,
        own,
        left,
        learnt: Learnt::Attribute(column, code),
        people: None,
    })
}

fn own(published: &Published, group: usize, coalition: &[ProviderId]) -> u64 {
    published
        .entries(group)
        .iter()
        .filter(|e| coalition.binary_search(&e.provider).is_ok())
        .map(|e| e.count)
        .sum()
}

impl Inference {
    /// Of an attribute that is learnt: how many of the records left have no value.
    pub fn without_value(&self, published: &Published) -> u64 {
        let Learnt::Attribute(column, _) = self.learnt else {
            return 0;
        };
        let left = published
            .entries(self.group)
            .iter()
            .filter(|e| self.coalition.binary_search(&e.provider).is_err());
        left.filter(|entry| value(published, column, entry).is_none())
            .map(|entry| entry.count)
            .sum()
    }
}

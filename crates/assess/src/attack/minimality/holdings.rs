//! What somebody of a group has, and how many of its people have it.
//!
//! Where each row is one person a *holding* is one combination of sensitive values. Where people may
//! have several rows it is what all rows of one person say together: how often each combination.
//! Readers are played who see holdings and not whose they are, so one who can link the rows of a
//! person; what is certain to who cannot is certain to this one as well.

use super::super::background_join::{Held, Joined, combinations_of};
use mingle_model::{Code, Entry, Kinds, ProviderId, SensitiveColumn};
use std::collections::{BTreeMap, BTreeSet};

/// People of one group who have the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HoldingCount {
    /// What, by its number.
    pub holding: u32,
    /// How many people.
    pub people: u64,
}

/// The holdings of a release. No `Debug`: it has combinations of cells.
pub struct Holdings<'a> {
    sensitive: &'a [SensitiveColumn],
    /// What each holding is, ascending by combination.
    rows: Vec<Vec<Held>>,
    /// By group, ascending by holding.
    groups: Vec<Vec<HoldingCount>>,
}

impl<'a> Holdings<'a> {
    /// Of the people of a release, and of those it was made from.
    pub fn new(joined: &Joined<'a>) -> Holdings<'a> {
        let original = joined.original();
        let (Some(people), Some(held)) = (original.people(), joined.people()) else {
            let mut holdings = Holdings::of_rows(original.sensitive());
            for group in joined.groups() {
                let count = |held: &Held| HoldingCount {
                    holding: held.combination,
                    people: held.count,
                };
                holdings.groups.push(group.iter().map(count).collect());
            }
            return holdings;
        };
        let mut rows: BTreeSet<Vec<Held>> = BTreeSet::new();
        for alike in people.kinds().iter() {
            rows.insert(combinations_of(&alike));
        }
        for group in 0..joined.groups().len() {
            for (_, own) in held.of_group(group) {
                rows.insert(own.to_vec());
            }
        }
        let mut holdings = Holdings {
            sensitive: original.sensitive(),
            rows: rows.into_iter().collect(),
            groups: Vec::with_capacity(joined.groups().len()),
        };
        for group in 0..joined.groups().len() {
            let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
            for (people, own) in held.of_group(group) {
                *counts.entry(holdings.number(own)).or_default() += people;
            }
            let mut counted = Vec::with_capacity(counts.len());
            for (holding, people) in counts {
                counted.push(HoldingCount { holding, people });
            }
            holdings.groups.push(counted);
        }
        holdings
    }

    /// One row a person, without groups.
    pub fn of_rows(sensitive: &'a [SensitiveColumn]) -> Holdings<'a> {
        let combinations = sensitive.first().map_or(1, |column| column.codes.len());
        let mut rows = Vec::with_capacity(combinations);
        for combination in 0..combinations as u32 {
            rows.push(vec![Held {
                combination,
                count: 1,
            }]);
        }
        Holdings {
            sensitive,
            rows,
            groups: Vec::new(),
        }
    }

    /// The groups in published order.
    pub fn groups(&self) -> &[Vec<HoldingCount>] {
        &self.groups
    }

    /// How many people a group has.
    pub fn size(&self, group: usize) -> u64 {
        self.groups[group].iter().map(|held| held.people).sum()
    }

    /// How many people the largest group has.
    pub fn largest(&self) -> u64 {
        let sizes = (0..self.groups.len()).map(|group| self.size(group));
        sizes.max().unwrap_or(0)
    }

    /// The sensitive columns.
    pub fn sensitive(&self) -> &'a [SensitiveColumn] {
        self.sensitive
    }

    /// How many different holdings.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The rows of a holding, by combination.
    pub fn rows(&self, holding: u32) -> &[Held] {
        &self.rows[holding as usize]
    }

    /// The number of what somebody has.
    ///
    /// # Panics
    /// If nobody of the release or of the original has that.
    pub fn number(&self, rows: &[Held]) -> u32 {
        let place = self.rows.binary_search_by(|own| own.as_slice().cmp(rows));
        place.expect("everybody's holding was numbered") as u32
    }

    /// The different values of a holding in a column, a missing one among them.
    pub fn values(&self, holding: u32, column: usize) -> Vec<Code> {
        let codes = &self.sensitive[column].codes;
        let mut values: Vec<Code> = Vec::new();
        for row in self.rows(holding) {
            values.push(codes.get(row.combination as usize));
        }
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Everybody who is published as kinds of people, by the number of what they have. Who
    /// contributed their rows is not part of it.
    pub fn published_kinds(&self) -> Kinds {
        let mut people = vec![0; self.rows.len()];
        for held in self.groups.iter().flatten() {
            people[held.holding as usize] += held.people;
        }
        let mut kinds = Kinds::default();
        for (rows, people) in self.rows.iter().zip(people) {
            let entry = |row: &Held| Entry {
                sensitive: row.combination,
                provider: ProviderId(0),
                count: row.count,
            };
            kinds.push(people, rows.iter().map(entry), std::iter::empty());
        }
        kinds
    }
}

//! People who could have been published by themselves, and whether they were.

mod profiles;

use super::super::background_join::{Joined, all_columns};
use super::draw::Question;
use super::holdings::{HoldingCount, Holdings};
use mingle_model::{Published, Record};
use mingle_privacy::Requirement;
use std::collections::{BTreeMap, HashMap};

/// All people with certain tuples, or with certain profiles.
pub struct PeopleUnit {
    pub people: u64,
    /// What they have, ascending.
    pub held: Vec<HoldingCount>,
    /// The groups that may hold all of them, ascending.
    pub groups: Vec<u32>,
    /// Whether they are a group by themselves.
    pub published: bool,
    /// Whether their values fail a constraint.
    pub fails: bool,
    /// Whether they pass for the outsider and fail because of coalitions.
    pub for_insiders: bool,
}

/// Where units are looked for.
pub struct UnitSearch<'a> {
    pub joined: &'a Joined<'a>,
    pub holdings: &'a Holdings<'a>,
    pub question: &'a Question<'a>,
    /// The promises against insiders.
    pub against: &'a Requirement,
    /// Fewer people cannot be published by themselves.
    pub smallest: u64,
}

impl UnitSearch<'_> {
    /// Every tuple that enough people share; where people may have several rows, every profile.
    pub fn dense_tuples(&self) -> Vec<PeopleUnit> {
        let original = self.joined.original();
        if let Some(people) = original.people() {
            return self.dense_profiles(people);
        }
        let covering = self.covering();
        let unit = |tuple: u32| {
            let groups = covering.get(&tuple).map_or(&[][..], Vec::as_slice);
            let exact = groups
                .iter()
                .find(|&&group| self.joined.is_exact(group as usize));
            let published = exact.is_some_and(|&g| {
                self.holdings.size(g as usize) == original.weight(tuple as usize)
            });
            self.unit(vec![tuple], groups.to_vec(), published)
        };
        let tuples = 0..original.tuples() as u32;
        tuples
            .filter(|&tuple| original.weight(tuple as usize) >= self.smallest)
            .map(unit)
            .collect()
    }

    /// Every group of a run with the promised sizes alone.
    pub fn sizes_alone(&self, alone: &Published) -> Vec<PeopleUnit> {
        let original = self.joined.original();
        if let Some(people) = original.people() {
            return self.sizes_alone_of_people(people, alone);
        }
        let covering = self.covering();
        let mut tuples_of: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for tuple in 0..original.tuples() as u32 {
            let records = original.records_of(tuple as usize);
            let group = alone
                .group_of()
                .get(records.start)
                .copied()
                .unwrap_or(u32::MAX);
            tuples_of.entry(group).or_default().push(tuple);
        }
        let published = self.published_groups();
        let unit = |(group, tuples): (u32, Vec<u32>)| {
            let same = published.get(&labels_of(alone.describe(group as usize)));
            let size = alone.size(group as usize);
            let published = same.is_some_and(|&group| self.holdings.size(group) == size);
            let groups = in_all(
                tuples
                    .iter()
                    .map(|tuple| covering.get(tuple).map_or(&[][..], Vec::as_slice)),
            );
            self.unit(tuples, groups, published)
        };
        let known = |group: &u32| (*group as usize) < alone.groups();
        let groups = tuples_of.into_iter().filter(|(group, _)| known(group));
        groups
            .map(unit)
            .filter(|unit| unit.people >= self.smallest)
            .collect()
    }

    /// The groups by their labels.
    fn published_groups(&self) -> HashMap<BTreeMap<String, String>, usize> {
        let mut places = HashMap::new();
        for group in 0..self.joined.groups().len() {
            places.insert(labels_of(self.joined.describe(group)), group);
        }
        places
    }

    /// Per tuple the groups whose labels cover it.
    fn covering(&self) -> HashMap<u32, Vec<u32>> {
        let cover = self.joined.cover(&all_columns(self.joined.original()));
        cover
            .into_iter()
            .flat_map(|c| {
                c.tuples
                    .into_iter()
                    .map(move |tuple| (tuple, c.groups.clone()))
            })
            .collect()
    }

    fn unit(&self, tuples: Vec<u32>, groups: Vec<u32>, published: bool) -> PeopleUnit {
        let original = self.joined.original();
        let people = tuples
            .iter()
            .map(|&tuple| original.weight(tuple as usize))
            .sum();
        let records = tuples
            .iter()
            .flat_map(|&tuple| &original.records()[original.records_of(tuple as usize)]);
        let mut sorted: Vec<&Record> = records.collect();
        sorted.sort_by_key(|record| (record.sensitive, record.provider));
        let fails = self
            .question
            .fails(sorted.iter().map(|record| (record.sensitive, record.count)));
        let for_insiders = !fails
            && !self.against.holds(
                &self
                    .against
                    .tally(sorted.iter().map(|record| record.entry())),
            );
        let groups = groups
            .into_iter()
            .filter(|&group| self.holdings.size(group as usize) >= people)
            .collect();
        let mut held: BTreeMap<u32, u64> = BTreeMap::new();
        for record in sorted {
            *held.entry(record.sensitive).or_default() += record.count;
        }
        PeopleUnit {
            people,
            held: counts(held),
            groups,
            published,
            fails,
            for_insiders,
        }
    }
}

/// Labels with their columns' names, whatever the order of columns.
fn labels_of<'l>(labels: impl Iterator<Item = (&'l str, &'l str)>) -> BTreeMap<String, String> {
    let mut sorted = BTreeMap::new();
    for (column, label) in labels {
        sorted.insert(column.to_owned(), label.to_owned());
    }
    sorted
}

/// So many people of each holding.
fn counts(held: BTreeMap<u32, u64>) -> Vec<HoldingCount> {
    let count = |(holding, people)| HoldingCount { holding, people };
    held.into_iter().map(count).collect()
}

/// What is in all lists, which ascend.
fn in_all<'l>(mut lists: impl Iterator<Item = &'l [u32]>) -> Vec<u32> {
    let first = lists.next().map_or(Vec::new(), <[u32]>::to_vec);
    lists.fold(first, |both, list| {
        both.into_iter()
            .filter(|group| list.binary_search(group).is_ok())
            .collect()
    })
}

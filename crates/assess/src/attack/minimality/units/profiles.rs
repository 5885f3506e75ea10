//! The same of people who may have several rows.
//!
//! All rows of a person are in one group, so the reader looks for people who share their whole
//! *profile*: the tuples of all of somebody's rows. Such a unit stands by itself where a group that
//! covers it has just as many people, and they have what these have. A label says which profiles fit
//! it, and not that nobody else is there; the values settle it, which only makes the flag more
//! reliable than a reader's.

use super::{PeopleUnit, UnitSearch, counts, in_all, labels_of};
use crate::attack::background_join::combinations_of;
use mingle_model::{PeopleOfCube, Published};
use std::collections::BTreeMap;

impl UnitSearch<'_> {
    /// Every profile that enough people share.
    pub(super) fn dense_profiles(&self, people: &PeopleOfCube) -> Vec<PeopleUnit> {
        let cover = self.joined.profile_cover(people);
        let mut units = Vec::new();
        for profile in 0..people.profiles() {
            let kinds: Vec<usize> = people.kinds_of(profile).collect();
            let mut unit = self.unit_of_kinds(people, &kinds, cover.groups_of(profile).to_vec());
            if unit.people >= self.smallest {
                unit.published = self.is_alone(&unit);
                units.push(unit);
            }
        }
        units
    }

    /// Every group of a run with the promised sizes alone.
    pub(super) fn sizes_alone_of_people(
        &self,
        people: &PeopleOfCube,
        alone: &Published,
    ) -> Vec<PeopleUnit> {
        let cover = self.joined.profile_cover(people);
        let published = self.published_groups();
        let mut kinds_of: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for kind in 0..people.kinds().len() {
            let record = people.records_of(kind).first();
            let group = record.and_then(|&record| alone.group_of().get(record as usize));
            // who is left out of that run is in no group
            if let Some(&group) = group.filter(|&&group| (group as usize) < alone.groups()) {
                kinds_of.entry(group).or_default().push(kind);
            }
        }
        let mut units = Vec::new();
        for (group, kinds) in kinds_of {
            let fitting = kinds
                .iter()
                .map(|&kind| cover.groups_of(people.profile_of(kind)));
            let mut unit = self.unit_of_kinds(people, &kinds, in_all(fitting));
            if unit.people < self.smallest {
                continue;
            }
            let same = published.get(&labels_of(alone.describe(group as usize)));
            unit.published = same.is_some_and(|&group| self.holdings.size(group) == unit.people);
            units.push(unit);
        }
        units
    }

    /// All people of these kinds, who may be in these groups; not yet looked up among the published.
    fn unit_of_kinds(
        &self,
        people: &PeopleOfCube,
        kinds: &[usize],
        mut groups: Vec<u32>,
    ) -> PeopleUnit {
        let mut held: BTreeMap<u32, u64> = BTreeMap::new();
        for &kind in kinds {
            let alike = people.kinds().get(kind);
            let holding = self.holdings.number(&combinations_of(&alike));
            *held.entry(holding).or_default() += alike.people;
        }
        let held = counts(held);
        let size = held.iter().map(|held| held.people).sum();
        let fails = self
            .question
            .fails(held.iter().map(|held| (held.holding, held.people)));
        // the promises against insiders were bound to the original's people, behind the holdings
        let own = |&kind: &usize| {
            let behind = self.holdings.count() + kind;
            (behind, people.kinds().get(kind).people)
        };
        let tally = self.against.tally_kinds(kinds.iter().map(own));
        groups.retain(|&group| self.holdings.size(group as usize) >= size);
        PeopleUnit {
            people: size,
            held,
            groups,
            published: false,
            fails,
            for_insiders: !fails && !self.against.holds(&tally),
        }
    }

    /// Whether one of the groups that it may be in holds just these people.
    fn is_alone(&self, unit: &PeopleUnit) -> bool {
        let groups = self.holdings.groups();
        unit.groups
            .iter()
            .any(|&group| groups[group as usize] == unit.held)
    }
}

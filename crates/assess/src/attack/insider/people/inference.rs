//! One inference about people, worked out: the same order as for rows.

use super::{GroupPeople, PeopleGroups};
use crate::attack::insider::inference::{Inference, Learnt, PeopleInferred};
use crate::attack::insider::{GroupAttack, disclosure::value};
use mingle_model::{Code, ProviderId, Published};

/// One of the smallest coalitions of at most `up_to` members, if any learns something.
pub(super) fn smallest(
    published: &Published,
    played: &PeopleGroups<'_>,
    up_to: u64,
) -> Option<Inference> {
    let groups = played.groups;
    let sizes = groups.iter().filter_map(GroupAttack::smallest);
    let size = sizes.min().filter(|&size| size <= up_to)?;
    let has_size = |members: &[ProviderId]| members.len() as u64 == size;
    for (number, group) in groups.iter().enumerate() {
        let found = group.of_people.as_ref()?;
        if let Some((coalition, kind)) = &found.isolating
            && has_size(coalition)
        {
            let learnt = Learnt::Identity(values_of_kind(published, *kind));
            let people = &played.people[number];
            return Some(told(people, number, coalition, learnt));
        }
    }
    for (number, group) in groups.iter().enumerate() {
        let found = group.of_people.as_ref()?;
        for (column, telling) in found.telling.iter().enumerate() {
            if let Some((coalition, code)) = telling
                && has_size(coalition)
            {
                let learnt = Learnt::Attribute(column, *code);
                let people = &played.people[number];
                return Some(told(people, number, coalition, learnt));
            }
        }
    }
    for (number, group) in groups.iter().enumerate() {
        let Some(breached) = &group.fall.breached else {
            continue;
        };
        if has_size(&breached.coalition) {
            let learnt = Learnt::Breach(breached.constraint);
            let people = &played.people[number];
            let mut inference = told(people, number, &breached.coalition, learnt);
            inference.left = breached.left;
            if let (Some(people), Some(left)) = (&mut inference.people, breached.people_left) {
                people.left = left;
            }
            return Some(inference);
        }
    }
    None
}

/// What a coalition learns that takes out everybody it knows.
fn told(group: &GroupPeople, number: usize, coalition: &[ProviderId], learnt: Learnt) -> Inference {
    let mut people = PeopleInferred::default();
    let mut own = 0;
    let mut left = 0;
    for kind in &group.kinds {
        let is_own = |(provider, _): &&(ProviderId, u64)| super::contains(coalition, *provider);
        let rows: u64 = kind.rows_of.iter().map(|&(_, rows)| rows).sum();
        let own_rows: u64 = kind
            .rows_of
            .iter()
            .filter(is_own)
            .map(|&(_, rows)| rows)
            .sum();
        own += kind.people * own_rows;
        if group.is_known(kind, coalition) {
            people.known += kind.people;
            continue;
        }
        people.left += kind.people;
        left += kind.people * rows;
        if let Learnt::Attribute(column, code) = learnt
            && !kind.values[column].has(code)
        {
            people.without_value += kind.people;
        }
    }
    Inference {
        group: number,
        coalition: coalition.to_vec(),
        own,
        left,
        learnt,
        people: Some(people),
    }
}

/// By column the values of a kind of people; missing where they have none.
fn values_of_kind(published: &Published, kind: usize) -> Vec<Vec<Code>> {
    let mut values = Vec::new();
    let Some(people) = published.people() else {
        return values;
    };
    let alike = people.kinds().get(kind);
    for (place, column) in published.sensitive().iter().enumerate() {
        let named = alike.entries.iter();
        let named = named.filter_map(|entry| value(published, place, entry));
        let mut codes: Vec<Code> = named.collect();
        if codes.is_empty() {
            codes.extend(column.domain.missing());
        }
        codes.sort_unstable();
        codes.dedup();
        values.push(codes);
    }
    values
}

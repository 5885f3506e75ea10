//! What MDAV deals to groups, and in which order.
//!
//! MDAV sees points: tuples, each with its records; or, where people are counted, profiles by their
//! medians ([`Profiles`]), each with its kinds of people. Records and kinds are the items that are
//! dealt.
//!
//! Items of one point are the same to MDAV, but some order must decide which
//! of them fills up a group. It follows from the rows alone: by sensitive values, then by whatever
//! else is published with them. Only where a requirement looks at providers do these come in
//! between, and then not by name: the provider with more rows first, among equals the one whose
//! rows come first in the table's own order. Providers that are still equal then hold the same
//! rows, so that changing their places changes nothing. Cost: a sort of the records where providers
//! count.

use crate::bisect::{Tuples, Units};
use crate::profiles::{Profiles, counted};
use mingle_model::{Code, Cube, ProviderId, Record};
use mingle_privacy::{Requirement, Tally};
use std::cmp::Reverse;
use std::ops::Range;

/// Items point by point, in the order they are dealt.
pub struct Dealing<'a> {
    points: Points<'a>,
    order: Vec<u32>,
}

enum Points<'a> {
    Tuples(Tuples<'a>),
    Profiles(Profiles<'a>),
}

impl<'a> Dealing<'a> {
    /// The order for a table.
    pub fn new(cube: &'a Cube, requirement: &Requirement) -> Self {
        let rank = requirement.insiders().need_providers().then(|| ranks(cube));
        match counted(cube, requirement) {
            None => Dealing {
                points: Points::Tuples(Tuples(cube)),
                order: records_in_order(cube, rank),
            },
            Some(people) => {
                let points = Profiles::new(cube, people);
                Dealing {
                    order: kinds_in_order(&points, rank),
                    points: Points::Profiles(points),
                }
            }
        }
    }

    /// A point's items.
    pub fn items_of(&self, point: u32) -> &[u32] {
        &self.order[self.range(point as usize)]
    }

    fn range(&self, point: usize) -> Range<usize> {
        match &self.points {
            Points::Tuples(Tuples(cube)) => cube.records_of(point),
            Points::Profiles(profiles) => profiles.people().kinds_of(point),
        }
    }

    /// How many rows, or people, an item is.
    pub fn count(&self, item: u32) -> u64 {
        match &self.points {
            Points::Tuples(Tuples(cube)) => cube.records()[item as usize].count,
            Points::Profiles(profiles) => profiles.people().kinds().get(item as usize).people,
        }
    }

    /// The records of some items.
    pub fn records(&self, items: Vec<u32>) -> Vec<u32> {
        let Points::Profiles(profiles) = &self.points else {
            return items;
        };
        let mut records = Vec::new();
        for kind in items {
            records.extend_from_slice(profiles.people().records_of(kind as usize));
        }
        records
    }
}

impl Units for Dealing<'_> {
    fn cube(&self) -> &Cube {
        match &self.points {
            Points::Tuples(tuples) => tuples.cube(),
            Points::Profiles(profiles) => profiles.cube(),
        }
    }

    fn len(&self) -> usize {
        match &self.points {
            Points::Tuples(tuples) => tuples.len(),
            Points::Profiles(profiles) => profiles.len(),
        }
    }

    fn weight(&self, unit: u32) -> u64 {
        match &self.points {
            Points::Tuples(tuples) => tuples.weight(unit),
            Points::Profiles(profiles) => profiles.weight(unit),
        }
    }

    #[inline]
    fn code(&self, column: usize, unit: u32) -> Code {
        match &self.points {
            Points::Tuples(tuples) => tuples.code(column, unit),
            Points::Profiles(profiles) => profiles.code(column, unit),
        }
    }

    fn tally(&self, requirement: &Requirement, units: impl Iterator<Item = u32> + Clone) -> Tally {
        match &self.points {
            Points::Tuples(tuples) => tuples.tally(requirement, units),
            Points::Profiles(profiles) => profiles.tally(requirement, units),
        }
    }

    fn push_records(&self, unit: u32, records: &mut Vec<u32>) {
        match &self.points {
            Points::Tuples(tuples) => tuples.push_records(unit, records),
            Points::Profiles(profiles) => profiles.push_records(unit, records),
        }
    }
}

fn records_in_order(cube: &Cube, rank: Option<Vec<u32>>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..cube.records().len() as u32).collect();
    let Some(rank) = rank else {
        return order;
    };
    let key = |&r: &u32| {
        let Record {
            sensitive,
            provider,
            ..
        } = cube.records()[r as usize];
        (sensitive, rank[provider.0 as usize], r)
    };
    for tuple in 0..cube.tuples() {
        order[cube.records_of(tuple)].sort_unstable_by_key(key);
    }
    order
}

fn kinds_in_order(profiles: &Profiles<'_>, rank: Option<Vec<u32>>) -> Vec<u32> {
    let people = profiles.people();
    let mut order: Vec<u32> = (0..people.kinds().len() as u32).collect();
    let place = |provider: ProviderId| match &rank {
        Some(rank) => rank[provider.0 as usize],
        None => 0,
    };
    let key = |&kind: &u32| {
        let mut rows: Vec<(u32, u32, u64)> = Vec::new();
        for entry in people.kinds().get(kind as usize).entries {
            rows.push((entry.sensitive, place(entry.provider), entry.count));
        }
        rows.sort_unstable();
        (rows, kind)
    };
    for profile in 0..people.profiles() {
        order[people.kinds_of(profile)].sort_by_cached_key(key);
    }
    order
}

/// The providers' places: by number of rows, then by the rows themselves.
fn ranks(cube: &Cube) -> Vec<u32> {
    let mut rows = vec![0u64; cube.providers().len()];
    let mut held: Vec<Vec<(u32, u32, u64)>> = vec![Vec::new(); rows.len()];
    for tuple in 0..cube.tuples() {
        for &Record {
            sensitive,
            provider: ProviderId(provider),
            count,
        } in &cube.records()[cube.records_of(tuple)]
        {
            rows[provider as usize] += count;
            held[provider as usize].push((tuple as u32, sensitive, count));
        }
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| (Reverse(rows[a]), &held[a]).cmp(&(Reverse(rows[b]), &held[b])));
    let mut rank = vec![0; rows.len()];
    order
        .iter()
        .zip(0..)
        .for_each(|(&provider, place)| rank[provider] = place);
    rank
}

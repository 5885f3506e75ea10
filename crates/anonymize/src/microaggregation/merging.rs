//! Groups that fail take in their neighbours.
//!
//! In the order in which groups were made: one that fails is merged with the groups whose averages
//! are nearest to its own, nearest first, until it holds. Its average is taken anew each time it
//! has doubled its rows, and distances with it; among equally near groups the earlier one is taken.
//! What is left holds, or is a single group that fails. Cost: groups per doubling of a failing
//! group, and nothing where all groups hold.

use super::Search;
use super::metric::{Point, Scale};
use crate::{Error, plan};
use mingle_model::{Code, QuasiIdentifier};
use mingle_privacy::Tally;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Some records, and whether they may be published as a group.
pub struct CandidateGroup {
    pub records: Vec<u32>,
    pub tally: Tally,
    pub holds: bool,
}

impl CandidateGroup {
    pub fn new(search: &Search, records: Vec<u32>) -> Self {
        let all = records.iter().copied();
        let tally = plan::tally_records(search.cube, search.requirement, all);
        CandidateGroup {
            holds: search.requirement.holds(&tally),
            records,
            tally,
        }
    }
}

/// Merges until all groups hold or there is only one.
pub fn settle(search: &Search, groups: Vec<CandidateGroup>) -> Result<Vec<CandidateGroup>, Error> {
    if groups.len() < 2 || groups.iter().all(|group| group.holds) {
        return Ok(groups);
    }
    let averages = groups
        .iter()
        .map(|group| average(search, &group.records))
        .collect();
    let mut settling = Settling {
        search,
        groups: groups.into_iter().map(Some).collect(),
        averages,
    };
    for at in 0..settling.groups.len() {
        if let Some(group) = settling.groups[at].take_if(|group| !group.holds) {
            settling.grow(at, group)?;
        }
    }
    Ok(settling.groups.into_iter().flatten().collect())
}

struct Settling<'a> {
    search: &'a Search<'a>,
    /// `None` for a group that became part of another.
    groups: Vec<Option<CandidateGroup>>,
    averages: Vec<Point>,
}

impl Settling<'_> {
    /// Lets a group take in others until it holds, and puts it in its place.
    fn grow(&mut self, at: usize, mut group: CandidateGroup) -> Result<(), Error> {
        while !group.holds {
            self.search.options.check_cancelled()?;
            let mut others = self.others(at);
            if others.is_empty() {
                break;
            }
            let doubled = 2 * group.tally.size();
            while !group.holds && group.tally.size() < doubled {
                let Some(Reverse((_, other))) = others.pop() else {
                    break;
                };
                let other = self.groups[other]
                    .take()
                    .expect("each of the others is there once");
                group.tally.merge(&other.tally);
                group.records.extend(other.records);
                group.holds = self.search.requirement.holds(&group.tally);
            }
            self.averages[at] = average(self.search, &group.records);
        }
        self.groups[at] = Some(group);
        Ok(())
    }

    /// All groups but the one at this place, which has been taken out; the nearest to it comes
    /// first.
    fn others(&self, at: usize) -> BinaryHeap<Reverse<(Distance, usize)>> {
        let there = (0..self.groups.len()).filter(|&other| self.groups[other].is_some());
        let distance = |other: usize| {
            self.search
                .metric
                .between(&self.averages[at], &self.averages[other])
        };
        there
            .map(|other| Reverse((Distance(distance(other)), other)))
            .collect()
    }
}

/// The average of some records.
fn average(search: &Search, records: &[u32]) -> Point {
    let tuple = |&record: &u32| search.tuple_of[record as usize] as usize;
    let count = |&record: &u32| search.cube.records()[record as usize].count;
    let mut rows: Vec<(Code, u64)> = Vec::with_capacity(records.len());
    let column = |(scale, qi): (&Scale, &QuasiIdentifier)| {
        rows.clear();
        rows.extend(
            records
                .iter()
                .map(|record| (qi.codes.get(tuple(record)), count(record))),
        );
        rows.sort_unstable();
        let counts = rows
            .chunk_by(|a, b| a.0 == b.0)
            .map(|same| (same[0].0, same.iter().map(|&(_, n)| n).sum()));
        scale.average(counts)
    };
    search
        .metric
        .columns()
        .iter()
        .zip(search.cube.quasi_identifiers())
        .map(column)
        .collect()
}

/// A square of a distance, which is never NaN.
#[derive(PartialEq)]
struct Distance(f64);

impl Eq for Distance {}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Distance {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

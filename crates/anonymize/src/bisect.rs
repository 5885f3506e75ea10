//! Cutting a set of units in two: what top-down methods have in common.
//!
//! A unit is what a method moves as a whole: a distinct tuple, or a record where rows of different
//! providers must be able to part; where people are counted it is people, see
//! [`profiles`](crate::profiles). Columns are cut between codes: numbers between values,
//! hierarchies along their depth-first order, other categories along their order.

use crate::loss::GeneralizationCosts;
use crate::plan;
use mingle_model::{Code, Cube};
use mingle_privacy::{Requirement, Tally};

/// Units by number.
pub trait Units: Sync {
    /// The cube they come from.
    fn cube(&self) -> &Cube;

    /// How many there are.
    fn len(&self) -> usize;

    /// How many rows a unit has; how many people where people are counted.
    fn weight(&self, unit: u32) -> u64;

    /// A unit's code in a column.
    fn code(&self, column: usize, unit: u32) -> Code;

    /// Counts the rows, or people, of some units.
    fn tally(&self, requirement: &Requirement, units: impl Iterator<Item = u32> + Clone) -> Tally;

    /// Appends the records of a unit.
    fn push_records(&self, unit: u32, records: &mut Vec<u32>);

    /// The records of groups of units.
    fn records_of_groups(&self, groups: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let mut all = Vec::with_capacity(groups.len());
        for units in groups {
            let mut records = Vec::new();
            for &unit in units {
                self.push_records(unit, &mut records);
            }
            all.push(records);
        }
        all
    }
}

/// Units are whole tuples.
pub struct Tuples<'a>(pub &'a Cube);

impl Units for Tuples<'_> {
    fn cube(&self) -> &Cube {
        self.0
    }

    fn len(&self) -> usize {
        self.0.tuples()
    }

    #[inline]
    fn weight(&self, unit: u32) -> u64 {
        self.0.weight(unit as usize)
    }

    #[inline]
    fn code(&self, column: usize, unit: u32) -> Code {
        let qi = &self.0.quasi_identifiers()[column];
        qi.codes.get(unit as usize)
    }

    fn tally(&self, requirement: &Requirement, units: impl Iterator<Item = u32> + Clone) -> Tally {
        plan::tally(self.0, requirement, units)
    }

    fn push_records(&self, unit: u32, records: &mut Vec<u32>) {
        records.extend(self.0.records_of(unit as usize).map(|r| r as u32));
    }
}

/// Units are records.
pub struct RecordUnits<'a> {
    cube: &'a Cube,
    tuple_of: Vec<u32>,
}

impl<'a> RecordUnits<'a> {
    /// All records of a cube.
    pub fn new(cube: &'a Cube) -> Self {
        RecordUnits {
            cube,
            tuple_of: plan::tuple_of_record(cube),
        }
    }
}

impl Units for RecordUnits<'_> {
    fn cube(&self) -> &Cube {
        self.cube
    }

    fn len(&self) -> usize {
        self.tuple_of.len()
    }

    #[inline]
    fn weight(&self, unit: u32) -> u64 {
        self.cube.records()[unit as usize].count
    }

    #[inline]
    fn code(&self, column: usize, unit: u32) -> Code {
        let qi = &self.cube.quasi_identifiers()[column];
        qi.codes.get(self.tuple_of[unit as usize] as usize)
    }

    fn tally(&self, requirement: &Requirement, units: impl Iterator<Item = u32> + Clone) -> Tally {
        plan::tally_records(self.cube, requirement, units)
    }

    fn push_records(&self, unit: u32, records: &mut Vec<u32>) {
        records.push(unit);
    }
}

/// A column that could be cut, and before which code.
#[derive(Clone, Copy)]
pub struct Cut {
    pub column: usize,
    pub code: Code,
}

/// The median cut of every column that has two values, the widest column first.
pub fn median_cuts(units: &impl Units, loss: &GeneralizationCosts, members: &[u32]) -> Vec<Cut> {
    let mut columns: Vec<(f32, usize, Code, Code)> = (0..units.cube().quasi_identifiers().len())
        .map(|column| {
            let (lo, hi) = span(units, members, column);
            (loss.range_of_column(column, lo, hi), column, lo, hi)
        })
        .filter(|&(_, _, lo, hi)| lo < hi)
        .collect();
    columns.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let cut = |(_, column, lo, hi)| Cut {
        column,
        code: median(units, members, column, lo, hi),
    };
    columns.into_iter().map(cut).collect()
}

fn span(units: &impl Units, members: &[u32], column: usize) -> (Code, Code) {
    let all = members.iter().map(|&u| units.code(column, u));
    all.fold((Code::MAX, 0), |(lo, hi), code| {
        (lo.min(code), hi.max(code))
    })
}

/// The code before which a cut leaves the most equal numbers of rows on both sides.
fn median(units: &impl Units, members: &[u32], column: usize, lo: Code, hi: Code) -> Code {
    let weights = members
        .iter()
        .map(|&u| (units.code(column, u), units.weight(u)));
    if (hi - lo) as usize > 4 * members.len() {
        let mut sorted: Vec<(Code, u64)> = weights.collect();
        sorted.sort_unstable();
        return most_even(sorted.into_iter());
    }
    let mut counts = vec![0u64; (hi - lo) as usize + 1];
    weights.for_each(|(code, rows)| counts[(code - lo) as usize] += rows);
    most_even(
        counts
            .into_iter()
            .zip(lo..)
            .map(|(rows, code)| (code, rows))
            .filter(|&(_, rows)| rows > 0),
    )
}

/// The code before which the rows divide most evenly; codes ascend, may repeat, and are of at least
/// two kinds.
pub fn most_even(codes: impl Iterator<Item = (Code, u64)> + Clone) -> Code {
    let total: u64 = codes.clone().map(|(_, rows)| rows).sum();
    let mut below = 0u64;
    let mut previous = None;
    let mut best = (u64::MAX, 0);
    for (code, rows) in codes {
        if previous.is_some_and(|p| p != code) {
            best = best.min(((2 * below).abs_diff(total), code));
        }
        below += rows;
        previous = Some(code);
    }
    best.1
}

/// Counts both sides of a cut: the smaller one, and the whole without it.
pub fn tallies(
    units: &impl Units,
    requirement: &Requirement,
    members: &[u32],
    whole: &Tally,
    left: impl Fn(u32) -> bool + Copy,
) -> [Tally; 2] {
    let lefts = members.iter().filter(|&&u| left(u)).count();
    let left_is_smaller = 2 * lefts <= members.len();
    let side = members
        .iter()
        .copied()
        .filter(|&u| left(u) == left_is_smaller);
    let smaller = units.tally(requirement, side);
    let mut larger = whole.clone();
    larger.subtract(&smaller);
    if left_is_smaller {
        [smaller, larger]
    } else {
        [larger, smaller]
    }
}

/// Moves what goes left to the front, keeping the order on both sides.
pub fn partition_in_place(
    members: &mut [u32],
    left: impl Fn(u32) -> bool,
) -> (&mut [u32], &mut [u32]) {
    let right: Vec<u32> = members.iter().copied().filter(|&u| !left(u)).collect();
    let mut kept = 0;
    for i in 0..members.len() {
        if left(members[i]) {
            members[kept] = members[i];
            kept += 1;
        }
    }
    members[kept..].copy_from_slice(&right);
    members.split_at_mut(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_even_cut_keeps_equal_codes_together() {
        assert_eq!(most_even([(1, 3), (2, 1), (5, 2)].into_iter()), 2);
        assert_eq!(most_even([(1, 9), (2, 1)].into_iter()), 2);
        assert_eq!(most_even([(1, 1), (2, 9)].into_iter()), 2);
        assert_eq!(most_even([(3, 1), (3, 1), (3, 1), (4, 1)].into_iter()), 4);
    }

    #[test]
    fn partitioning_in_place_is_stable() {
        let mut items = [5, 2, 7, 4, 1];
        let (left, right) = partition_in_place(&mut items, |t| t % 2 == 0);
        assert_eq!((left, right), (&mut [2, 4][..], &mut [5, 7, 1][..]));
    }
}

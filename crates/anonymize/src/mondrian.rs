//! Mondrian: strict multidimensional partitioning (LeFevre, DeWitt, Ramakrishnan 2006), the field's baseline.
//!
//! The table is cut in two at the median of the column with the widest normalized range, as long as both sides satisfy
//! the requirement; where the widest column allows no cut, the next one is tried. All columns are cut between codes:
//! numbers between values, hierarchies along their depth-first order, other categories along their order. For m = 0
//! every constraint is closed under union, so a part that fails cannot have parts that hold, and stopping there is
//! right. Cost: distinct tuples × columns per level of the tree.

use crate::loss::Loss;
use crate::{Error, Method, Options, Ranges, plan};
use mingle_model::{Cell, Code, Cube, Partition};
use mingle_privacy::{Requirement, Tally};

/// Strict Mondrian with median cuts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mondrian;

/// Above this many tuples, both sides of a cut are divided at the same time.
const PARALLEL: usize = 2048;

impl Method for Mondrian {
    fn name(&self) -> &'static str {
        "mondrian"
    }

    fn partition(&self, cube: &Cube, requirement: &Requirement, options: &Options) -> Result<Partition, Error> {
        let loss = Loss::new(cube);
        let whole = plan::whole(cube, requirement);
        if !requirement.holds(&whole) {
            return Err(Error::Unsatisfiable);
        }
        let bounds = cube.quasi_identifiers().iter().map(|qi| (0, qi.domain.len().saturating_sub(1) as Code)).collect();
        let mut tuples: Vec<u32> = (0..cube.tuples() as u32).collect();
        let search = Search { cube, requirement, loss: &loss, options };
        let parts = search.divide(&mut tuples, whole, bounds)?;
        Ok(search.partition(&parts, &tuples))
    }
}

/// What stays the same throughout a run.
struct Search<'a> {
    cube: &'a Cube,
    requirement: &'a Requirement,
    loss: &'a Loss<'a>,
    options: &'a Options<'a>,
}

/// The smallest and largest code in every column.
type Bounds = Vec<(Code, Code)>;

/// A finished part: how many tuples, in the order they were left in, and its bounds.
struct Part {
    tuples: usize,
    bounds: Bounds,
}

impl Search<'_> {
    /// Reorders the tuples so that each part is contiguous, and returns the parts in that order.
    fn divide(&self, tuples: &mut [u32], tally: Tally, bounds: Bounds) -> Result<Vec<Part>, Error> {
        self.options.check_cancelled()?;
        let Some((column, code, tallies)) = self.choose(tuples, &tally) else {
            return Ok(vec![Part { tuples: tuples.len(), bounds }]);
        };
        let codes = &self.cube.quasi_identifiers()[column].codes;
        let (left, right) = partition_in_place(tuples, |t| codes.get(t as usize) < code);
        let (mut below, mut above) = (bounds.clone(), bounds);
        (below[column].1, above[column].0) = (code - 1, code);
        let [left_tally, right_tally] = tallies;
        let (left, right) = match left.len() + right.len() > PARALLEL {
            true => rayon::join(|| self.divide(left, left_tally, below), || self.divide(right, right_tally, above)),
            false => (self.divide(left, left_tally, below), self.divide(right, right_tally, above)),
        };
        let mut parts = left?;
        parts.extend(right?);
        Ok(parts)
    }

    /// The median cut of the widest column that the requirement allows, with both sides' counts.
    fn choose(&self, tuples: &[u32], tally: &Tally) -> Option<(usize, Code, [Tally; 2])> {
        if tally.size() < 2 * self.requirement.smallest_group() {
            return None;
        }
        let mut columns: Vec<(f32, usize, Code, Code)> = (0..self.cube.quasi_identifiers().len())
            .map(|column| {
                let (lo, hi) = self.span(tuples, column);
                (self.loss.range_of_column(column, lo, hi), column, lo, hi)
            })
            .filter(|&(_, _, lo, hi)| lo < hi)
            .collect();
        columns.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        columns.into_iter().find_map(|(_, column, lo, hi)| {
            let code = self.median(tuples, column, lo, hi);
            let tallies = self.tallies(tuples, tally, column, code)?;
            Some((column, code, tallies))
        })
    }

    fn span(&self, tuples: &[u32], column: usize) -> (Code, Code) {
        let codes = &self.cube.quasi_identifiers()[column].codes;
        let all = tuples.iter().map(|&t| codes.get(t as usize));
        all.fold((Code::MAX, 0), |(lo, hi), code| (lo.min(code), hi.max(code)))
    }

    /// The code before which a cut leaves the most equal numbers of rows on both sides.
    fn median(&self, tuples: &[u32], column: usize, lo: Code, hi: Code) -> Code {
        let codes = &self.cube.quasi_identifiers()[column].codes;
        let weights = tuples.iter().map(|&t| (codes.get(t as usize), self.cube.weight(t as usize)));
        if (hi - lo) as usize > 4 * tuples.len() {
            let mut sorted: Vec<(Code, u64)> = weights.collect();
            sorted.sort_unstable();
            return most_even(sorted.into_iter());
        }
        let mut counts = vec![0u64; (hi - lo) as usize + 1];
        weights.for_each(|(code, rows)| counts[(code - lo) as usize] += rows);
        most_even(counts.into_iter().zip(lo..).map(|(rows, code)| (code, rows)).filter(|&(_, rows)| rows > 0))
    }

    /// Counts the smaller side and takes it from the whole; `None` when a side does not satisfy the requirement.
    fn tallies(&self, tuples: &[u32], whole: &Tally, column: usize, code: Code) -> Option<[Tally; 2]> {
        let codes = &self.cube.quasi_identifiers()[column].codes;
        let is_left = |t: u32| codes.get(t as usize) < code;
        let lefts = tuples.iter().filter(|&&t| is_left(t)).count();
        let left_is_smaller = 2 * lefts <= tuples.len();
        let side = tuples.iter().copied().filter(|&t| is_left(t) == left_is_smaller);
        let smaller = plan::tally(self.cube, self.requirement, side);
        let mut larger = whole.clone();
        larger.subtract(&smaller);
        let hold = self.requirement.holds(&smaller) && self.requirement.holds(&larger);
        hold.then_some(if left_is_smaller { [smaller, larger] } else { [larger, smaller] })
    }

    fn partition(&self, parts: &[Part], tuples: &[u32]) -> Partition {
        let mut groups = Vec::with_capacity(parts.len());
        let mut rest = tuples;
        for part in parts {
            let (mine, others) = rest.split_at(part.tuples);
            groups.push(mine.to_vec());
            rest = others;
        }
        let mut partition = plan::of_tuples(self.cube, &groups);
        if self.options.ranges == Ranges::Cell {
            let cell = |&(lo, hi): &(Code, Code)| Cell::Span { lo, hi };
            partition.cells = parts.iter().flat_map(|p| p.bounds.iter().map(cell)).collect();
        }
        partition
    }
}

/// Moves what goes left to the front, keeping the order on both sides.
fn partition_in_place(tuples: &mut [u32], left: impl Fn(u32) -> bool) -> (&mut [u32], &mut [u32]) {
    let right: Vec<u32> = tuples.iter().copied().filter(|&t| !left(t)).collect();
    let mut kept = 0;
    for i in 0..tuples.len() {
        if left(tuples[i]) {
            tuples[kept] = tuples[i];
            kept += 1;
        }
    }
    tuples[kept..].copy_from_slice(&right);
    tuples.split_at_mut(kept)
}

/// The code before which the rows divide most evenly; codes ascend, may repeat, and are of at least two kinds.
fn most_even(codes: impl Iterator<Item = (Code, u64)> + Clone) -> Code {
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

//! Ordered ground distance: difference of ranks among the D values that occur in the table, over D
//! - 1.
//!
//! The earth mover's distance on a line is the sum over its D - 1 steps of the mass that must
//! cross,
//! |P(rank <= i) - Q(rank <= i)|. Numbers and dates are ranked by value, categories by code, and the missing value
//! comes first. With a single value every distance is 0. A value that the table does not have has
//! no rank: a group with such a value is no part of the table, and fails.
//!
//! Between two neighbouring values of the group P(rank <= i) stays the same while Q(rank <= i)
//! ascends, so a binary search finds where the difference changes its sign and sums of Q made
//! beforehand give the rest: cost O(values present × log D). Allocates only where ranks do not
//! follow codes (numbers in the order of a hierarchy file) or 128 bits are not enough.

use super::ladder::{Ladder, Line, Pieces};
use super::{Cost, Distance};
use crate::constraint::GroupCounts;
use mingle_model::{Code, Domain};
use num_bigint::BigUint;

/// The table's values in their order.
#[derive(Clone, Debug)]
pub struct Ordered {
    /// By code, [`NO_RANK`] for values that do not occur.
    rank: Vec<u32>,
    /// By rank, how many rows of the table have this rank or a lower one; one for each step, so
    /// without the last.
    below: Vec<u64>,
    /// `sums[i]` is the sum of `below[..i]`.
    sums: Vec<u128>,
    rows: u64,
    /// Ranks ascend with codes.
    code_order: bool,
}

const NO_RANK: u32 = u32::MAX;

/// A run of steps over which the group's share below stays the same.
struct Run {
    from: usize,
    to: usize,
    /// How many rows of the group are below.
    count: u64,
}

impl Ordered {
    /// From the attribute's values and the table's counts by code; their sum fits into 64 bits.
    pub fn new(domain: &Domain, table: &[u64]) -> Ordered {
        let mut order: Vec<Code> = (0..table.len() as Code)
            .filter(|&code| table[code as usize] > 0)
            .collect();
        order.sort_by_key(|&code| (domain.missing() != Some(code), domain.number(code), code));
        let mut rank = vec![NO_RANK; table.len()];
        order
            .iter()
            .zip(0..)
            .for_each(|(&code, place)| rank[code as usize] = place);

        let steps = order.len().saturating_sub(1);
        let mut below = Vec::with_capacity(steps);
        let mut sums = vec![0];
        let (mut rows, mut sum) = (0, 0u128);
        for &code in order.iter().take(steps) {
            rows += table[code as usize];
            sum += u128::from(rows);
            below.push(rows);
            sums.push(sum);
        }
        Ordered {
            rank,
            below,
            sums,
            rows: table.iter().sum(),
            code_order: order.is_sorted(),
        }
    }

    /// `None` when the group has a value without a rank.
    pub(super) fn distance(&self, group: GroupCounts<'_>) -> Option<Distance> {
        let ranked = group
            .values
            .iter()
            .map(|&(code, count)| (self.rank[code as usize], count));
        if ranked.clone().any(|(rank, _)| rank == NO_RANK) {
            return None;
        }
        let cost = if self.code_order {
            self.cost(ranked, group.size)
        } else {
            let mut sorted: Vec<(u32, u64)> = ranked.collect();
            sorted.sort_unstable();
            self.cost(sorted.iter().copied(), group.size)
        };
        // with a single value there is no step and the cost is 0, over any constant
        Some(Distance {
            cost,
            unit: [group.size, self.rows, self.below.len().max(1) as u64],
        })
    }

    /// |x| = 2 max(0, x) - x for each step between two values of the group. Below the lowest of them P is 0 and above the
    /// highest it is 1 whatever the counts, so these steps have no switch. All values have a rank.
    pub(super) fn pieces(&self, values: &[(Code, u64)]) -> Pieces {
        let rank = |place: usize| self.rank[values[place].0 as usize] as usize;
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|&place| rank(place));
        let steps = self.below.len();
        let line = |values: usize, from: usize, to: usize, sign: i128| Line {
            set: 0..values,
            times: sign * (to - from) as i128,
            table: sign * (self.sums[to] - self.sums[from]) as i128,
        };
        let (lowest, highest) = (rank(order[0]), rank(order[order.len() - 1]));
        let mut lines = vec![
            line(0, 0, lowest, -1),
            line(order.len(), highest.min(steps), steps, 1),
        ];
        let mut ladders = Vec::with_capacity(order.len());
        for (at, pair) in order.windows(2).enumerate() {
            let (from, to) = (rank(pair[0]), rank(pair[1]));
            lines.push(line(at + 1, from, to, -1));
            ladders.push(Ladder {
                set: 0..at + 1,
                weight: 2,
                steps: self.below[from..to].to_vec(),
            });
        }
        Pieces {
            order,
            ladders,
            lines,
            rows: self.rows,
            constant: steps.max(1) as u64,
        }
    }

    fn cost(&self, ranked: impl Iterator<Item = (u32, u64)> + Clone, size: u64) -> Cost {
        // each of the steps costs at most size × rows, and so does each of the parts that are
        // subtracted
        let largest =
            (u128::from(size) * u128::from(self.rows)).checked_mul(self.below.len() as u128);
        match largest {
            Some(_) => Cost::Narrow(self.runs(ranked).map(|run| self.narrow(&run, size)).sum()),
            None => Cost::Wide(self.runs(ranked).map(|run| self.wide(&run, size)).sum()),
        }
    }

    /// The steps from one value of the group to the next, the first from the lowest rank and the
    /// last to the highest.
    fn runs(&self, ranked: impl Iterator<Item = (u32, u64)> + Clone) -> impl Iterator<Item = Run> {
        let steps = self.below.len();
        let ends = ranked.clone().map(|(rank, _)| rank as usize).chain([steps]);
        let starts = [(0, 0)].into_iter().chain(ranked);
        let runs = starts.zip(ends).scan(0, |count, ((from, here), to)| {
            *count += here;
            Some(Run {
                from: from as usize,
                to,
                count: *count,
            })
        });
        // the highest rank has no step, nor have values at its place
        runs.filter(|run| run.from < run.to)
    }

    fn narrow(&self, run: &Run, size: u64) -> u128 {
        let share = u128::from(run.count) * u128::from(self.rows);
        let steps = &self.below[run.from..run.to];
        let turn =
            run.from + steps.partition_point(|&rows| u128::from(rows) * u128::from(size) <= share);
        let sum = |from: usize, to: usize| (self.sums[to] - self.sums[from]) * u128::from(size);
        let more = share * (turn - run.from) as u128 - sum(run.from, turn);
        let less = sum(turn, run.to) - share * (run.to - turn) as u128;
        more + less
    }

    fn wide(&self, run: &Run, size: u64) -> BigUint {
        let share = u128::from(run.count) * u128::from(self.rows);
        let step = |&rows: &u64| BigUint::from(share.abs_diff(u128::from(rows) * u128::from(size)));
        self.below[run.from..run.to].iter().map(step).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{Column, ColumnSpec, Missing, Role};

    fn domain(texts: &[&str]) -> Domain {
        let spec = ColumnSpec::new("salary", Role::Sensitive);
        Column::from_texts(spec, texts.iter().copied(), &Missing::default())
            .ok()
            .unwrap()
            .domain
    }

    fn distance(ground: &Ordered, values: &[(Code, u64)]) -> Option<(u128, [u64; 3])> {
        let size = values.iter().map(|v| v.1).sum();
        let Distance { cost, unit } = ground.distance(GroupCounts { size, values })?;
        let Cost::Narrow(cost) = cost else { panic!() };
        Some((cost, unit))
    }

    /// The salaries of Li et al., Section 4.3: 3k, 4k, 5k among 3k … 11k are 0.375 away, 6k, 8k,
    /// 11k 0.167.
    #[test]
    fn salaries() {
        let ground = Ordered::new(
            &domain(&["3", "4", "5", "6", "7", "8", "9", "10", "11"]),
            &[1; 9],
        );
        assert_eq!(
            distance(&ground, &[(0, 1), (1, 1), (2, 1)]),
            Some((81, [3, 9, 8]))
        );
        assert_eq!(
            distance(&ground, &[(3, 1), (5, 1), (8, 1)]),
            Some((36, [3, 9, 8]))
        );
    }

    #[test]
    fn a_single_value_is_no_distance() {
        let ground = Ordered::new(&domain(&["3", "4"]), &[0, 5]);
        assert_eq!(distance(&ground, &[(1, 2)]), Some((0, [2, 5, 1])));
        assert_eq!(distance(&ground, &[(0, 1), (1, 2)]), None);
    }

    #[test]
    fn narrow_and_wide_agree() {
        let texts: Vec<String> = (0..30).map(|n| n.to_string()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let table: Vec<u64> = (0..30).map(|n| n * n % 7).collect();
        let ground = Ordered::new(&domain(&texts), &table);
        let ranked = (0..ground.below.len() as u32 + 1)
            .step_by(4)
            .map(|rank| (rank, u64::from(rank) + 1));
        let size = ranked.clone().map(|r| r.1).sum();
        for run in ground.runs(ranked) {
            assert_eq!(ground.wide(&run, size), ground.narrow(&run, size).into());
        }
    }
}

//! The joint distribution of two attributes, estimated from the counts that each has inside every
//! group.
//!
//! Expectation-maximization. The estimate p starts with the counts expected where a group's values
//! are paired at random, added up over groups. Each round fits p to every group: the table with p's
//! odds ratios and the group's counts, found by iterative proportional fitting; the fitted tables,
//! added up, are the next p. Values that occur together in many groups attract each other, and
//! those that occur together by accident only lose: what one group leaves open, others decide.
//! Where all groups look alike nothing is learnt, and p stays where it started.
//!
//! The first round alone is the paper's measure: conditional probabilities from all pairs that the
//! tables allow. Later rounds make the estimate surer of itself. That is right where values depend
//! on each other alone, and too much where both follow the groups, as income and occupation follow
//! education; so both are kept. Fitting takes the most likely table for the mean one, which is too
//! timid in small groups. Estimates, not proofs.
//!
//! Cost: rounds × the cells of all groups (distinct values times distinct values) × the sweeps of a
//! fit, within a budget.

use mingle_model::Code;
use rayon::prelude::*;

/// Rounds beyond these change little.
const ROUNDS: usize = 300;
/// Sweeps of one fit.
const SWEEPS: usize = 30;
/// Nothing is impossible: a pair that p rules out may be the only one that a group's counts allow.
const FLOOR: f64 = 1e-12;
/// A round that moves no probability by more than this is the last.
const SETTLED: f64 = 1e-9;

/// A group's counts of two attributes.
pub struct Margins {
    /// Values of the first attribute, ascending.
    pub rows: Vec<(Code, u64)>,
    /// Values of the second.
    pub columns: Vec<(Code, u64)>,
    /// How many people.
    pub size: u64,
}

impl Margins {
    /// How many pairs of values.
    pub fn cells(&self) -> usize {
        self.rows.len() * self.columns.len()
    }

    /// Mean counts of a random pairing, row by row.
    pub fn independent(&self) -> Vec<f64> {
        let cell = |r: u64, c: u64| r as f64 * c as f64 / self.size as f64;
        self.rows
            .iter()
            .flat_map(|&(_, r)| self.columns.iter().map(move |&(_, c)| cell(r, c)))
            .collect()
    }
}

/// What was estimated.
pub struct Fit {
    /// Per group the estimated count of each pair, row by row; they add up to the group's counts,
    /// nearly.
    pub tables: Vec<Vec<f64>>,
    /// How many rounds it took.
    pub rounds: usize,
    /// Whether the last round changed nothing any more.
    pub settled: bool,
}

/// Estimates the joint distribution, with at most `budget` visits of cells: by the first round, and
/// by all of them.
pub fn fit(groups: &[Margins], budget: u64) -> [Fit; 2] {
    let (ids, pairs) = pair_ids(groups);
    let mut tables: Vec<Vec<f64>> = groups.iter().map(Margins::independent).collect();
    let people = groups.iter().map(|g| g.size).sum::<u64>().max(1) as f64;
    let mut joint = add_up(&tables, &ids, pairs, people);
    let cells: u64 = groups.iter().map(|g| g.cells() as u64).sum();
    let affordable = (budget / (cells * SWEEPS as u64).max(1)) as usize;
    let mut first = Fit {
        tables: tables.clone(),
        rounds: 0,
        settled: false,
    };
    let mut last = (0, false);
    for round in 1..=ROUNDS.min(affordable) {
        let one = |(group, ids): (&Margins, &Vec<u32>)| {
            scaled(group, ids.iter().map(|&id| joint[id as usize]))
        };
        tables = groups.par_iter().zip(&ids).map(one).collect();
        let next = add_up(&tables, &ids, pairs, people);
        let moved = joint
            .iter()
            .zip(&next)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        joint = next;
        last = (round, moved < SETTLED);
        if round == 1 {
            first = Fit {
                tables: tables.clone(),
                rounds: 1,
                settled: last.1,
            };
        }
        if last.1 {
            break;
        }
    }
    [
        first,
        Fit {
            tables,
            rounds: last.0,
            settled: last.1,
        },
    ]
}

/// Numbers the pairs of values that some group may have.
fn pair_ids(groups: &[Margins]) -> (Vec<Vec<u32>>, usize) {
    let key = |a: Code, b: Code| u64::from(a) << 32 | u64::from(b);
    let keys = |g: &Margins| -> Vec<u64> {
        g.rows
            .iter()
            .flat_map(|&(a, _)| g.columns.iter().map(move |&(b, _)| key(a, b)))
            .collect()
    };
    let keys: Vec<Vec<u64>> = groups.iter().map(keys).collect();
    let mut distinct: Vec<u64> = keys.iter().flatten().copied().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let id = |key: &u64| distinct.partition_point(|d| d < key) as u32;
    (
        keys.iter()
            .map(|keys| keys.iter().map(id).collect())
            .collect(),
        distinct.len(),
    )
}

/// In the order of the groups, so that sums do not depend on threads.
fn add_up(tables: &[Vec<f64>], ids: &[Vec<u32>], pairs: usize, people: f64) -> Vec<f64> {
    let mut joint = vec![0.0; pairs];
    for (table, ids) in tables.iter().zip(ids) {
        table
            .iter()
            .zip(ids)
            .for_each(|(count, &id)| joint[id as usize] += count / people);
    }
    joint
}

/// Iterative proportional fitting of a start to a group's counts.
fn scaled(group: &Margins, start: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut table: Vec<f64> = start.map(|p| p.max(FLOOR)).collect();
    let width = group.columns.len();
    let mut columns = vec![0.0; width];
    for _ in 0..SWEEPS {
        columns.fill(0.0);
        for (cells, &(_, count)) in table.chunks_mut(width).zip(&group.rows) {
            let factor = count as f64 / cells.iter().sum::<f64>();
            for (cell, sum) in cells.iter_mut().zip(&mut columns) {
                *cell *= factor;
                *sum += *cell;
            }
        }
        let off = columns
            .iter()
            .zip(&group.columns)
            .map(|(sum, &(_, c))| (sum / c as f64 - 1.0).abs());
        let off = off.fold(0.0, f64::max);
        let factors: Vec<f64> = columns
            .iter()
            .zip(&group.columns)
            .map(|(sum, &(_, c))| c as f64 / sum)
            .collect();
        table.chunks_mut(width).for_each(|cells| {
            cells
                .iter_mut()
                .zip(&factors)
                .for_each(|(cell, f)| *cell *= f)
        });
        if off < 1e-10 {
            break;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn margins(rows: &[(Code, u64)], columns: &[(Code, u64)]) -> Margins {
        Margins {
            rows: rows.to_vec(),
            columns: columns.to_vec(),
            size: rows.iter().map(|r| r.1).sum(),
        }
    }

    #[test]
    fn fitted_tables_keep_the_counts() {
        let group = margins(&[(0, 3), (1, 5), (7, 2)], &[(0, 4), (2, 6)]);
        let table = scaled(&group, [0.5, 0.01, 0.2, 0.2, 0.0, 0.09].into_iter());
        for (row, &(_, count)) in table.chunks(2).zip(&group.rows) {
            assert!((row.iter().sum::<f64>() - count as f64).abs() < 1e-6);
        }
        for (column, &(_, count)) in group.columns.iter().enumerate() {
            let sum: f64 = table.iter().skip(column).step_by(2).sum();
            assert!((sum - count as f64).abs() < 1e-6);
        }
    }

    #[test]
    fn other_groups_decide_what_one_leaves_open() {
        // the second and third group say that 0 goes with 0 and 1 with 1
        let open = || margins(&[(0, 1), (1, 1)], &[(0, 1), (1, 1)]);
        let told = |value| margins(&[(value, 2)], &[(value, 2)]);
        let [first, fit] = fit(&[open(), told(0), told(1)], u64::MAX);
        assert!(
            first.rounds == 1 && first.tables[0][0] > 0.6 && first.tables[0][0] < fit.tables[0][0]
        );
        assert!(
            fit.tables[0][0] > 0.95 && fit.tables[0][1] < 0.05,
            "{:?}",
            fit.tables[0]
        );
    }

    #[test]
    fn alike_groups_teach_nothing() {
        let group = || margins(&[(0, 2), (1, 3)], &[(0, 1), (1, 4)]);
        let [_, fit] = fit(&[group(), group(), group()], u64::MAX);
        assert!(fit.settled && fit.rounds == 1);
        assert!(
            fit.tables[2]
                .iter()
                .zip(group().independent())
                .all(|(a, b)| (a - b).abs() < 1e-9)
        );
    }

    #[test]
    fn without_a_budget_nothing_is_learnt() {
        let told = |value| margins(&[(value, 2)], &[(value, 2)]);
        let both = fit(&[told(0), told(1)], 3);
        assert!(both.iter().all(|fit| !fit.settled && fit.rounds == 0));
    }
}

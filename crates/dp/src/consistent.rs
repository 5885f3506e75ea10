//! Tables that agree: noisy counts over overlapping sets of attributes made non-negative and
//! mutually consistent.
//!
//! Measured tables contradict each other and go below zero. Afterwards, any two tables give the
//! same sub-table over the attributes that they share, the total included, and no count is
//! negative. Everything here is post-processing: it sees noisy counts and public sizes alone. Three
//! steps:
//!
//! 1. **Agree** (as in PriView, Qardaji, Yang and Li 2014). For each common set of attributes A,
//!    smaller ones first, the members' sub-tables are averaged by precision (a sum of s cells of
//!    variance σ² has variance s σ²), and each member is moved to the average, the change spread
//!    evenly over the cells that are summed. A later set B does not undo A: the change on B, summed
//!    onto A, is the change on A ∩ B spread evenly, and that is zero since A ∩ B came before. This
//!    is unbiased, but leaves negative counts.
//! 2. **Raise** to zero from small sets to large ones: each is taken to the nearest non-negative
//!    table of its total and then scaled to the sub-tables that have been raised before (iterative
//!    proportional fitting). Sums of many cells are known better than cells, so they lead. For
//!    pairs this ends in agreement. For triples it need not, since three pairs that agree need not
//!    belong to any triple; then members are averaged and scaled in turn, common set by common set.
//! 3. **Finish**: agree once more, with changes spread in proportion to the product of 1-way shares
//!    p instead of evenly (the argument of step 1 holds for any product of fixed positive shares),
//!    which is exact, and may push counts below zero again. So mix with the family of products
//!    n·p·p·p, which is positive and agrees with itself: any mixture of two families that agree
//!    agrees, and the share that lifts the lowest count to zero exists and is at most 1.
//!
//! Steps 1 and 3 are single passes and step 2 has a bounded number of rounds, so it ends, and step
//! 3 alone makes the result agree and non-negative, however far step 2 came. Cost: rounds × cells ×
//! 2^attributes.

mod projection;

use crate::Error;
use crate::error::stop_if;
use crate::nonnegative;
use crate::selection::Measured;
use projection::Projection;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Scaling ends where no count of a sub-table is off by more than this share of the total.
const AGREED: f64 = 1e-9;

/// Makes tables non-negative and mutually consistent.
pub(crate) fn reconcile(
    cells: &[usize],
    tables: &mut [Measured],
    cancel: &AtomicBool,
) -> Result<(), Error> {
    let sets = Sets::of(cells, tables);
    sets.agree(tables, None);
    let total = tables
        .first()
        .map_or(0.0, |table| table.counts.iter().sum());
    if total <= 0.0 {
        tables.iter_mut().for_each(|table| table.counts.fill(0.0));
        return Ok(());
    }
    let shares = sets.raise(tables, total);
    let work = 8 * tables.iter().map(|table| table.counts.len()).sum::<usize>();
    for _ in 0..(WORK / work.max(1)).clamp(ROUNDS.0, ROUNDS.1) {
        stop_if(cancel)?;
        if sets.scale(tables) <= AGREED * total {
            break;
        }
    }
    sets.agree(tables, Some(&shares));
    lift(tables, &shares, total);
    Ok(())
}

/// About how many steps scaling may take altogether, and the fewest and the most rounds.
const WORK: usize = 1 << 32;
const ROUNDS: (usize, usize) = (20, 200);

/// The part of every attribute's shares that is spread evenly, so that no share is zero.
const EVEN: f64 = 0.01;

/// Per attribute the share of each of its cells, all positive, together 1; empty where no table has
/// the attribute.
type Shares = Vec<Vec<f64>>;

/// The sets of attributes that tables have in common, smaller ones first.
struct Sets<'a> {
    cells: &'a [usize],
    common: Vec<Common>,
}

/// A set of attributes and the tables that have all of it.
struct Common {
    attributes: Vec<usize>,
    members: Vec<Member>,
}

/// A table, by place, and how it is summed onto the set.
type Member = (usize, Projection);

impl Sets<'_> {
    fn of<'a>(cells: &'a [usize], tables: &[Measured]) -> Sets<'a> {
        let mut common: BTreeMap<(usize, Vec<usize>), Vec<Member>> = BTreeMap::new();
        for (at, table) in tables.iter().enumerate() {
            for set in subsets(&table.attributes) {
                let projection = Projection::new(cells, &table.attributes, &set);
                common
                    .entry((set.len(), set))
                    .or_default()
                    .push((at, projection));
            }
        }
        let common = common
            .into_iter()
            .map(|((_, attributes), members)| Common {
                attributes,
                members,
            })
            .collect();
        Sets { cells, common }
    }

    /// One pass of averaging over all common sets; changes are spread by shares, or evenly.
    fn agree(&self, tables: &mut [Measured], shares: Option<&Shares>) {
        for common in self.common.iter().filter(|common| common.members.len() > 1) {
            let (average, own) = common.average(tables);
            for ((at, projection), own) in common.members.iter().zip(own) {
                let Measured {
                    attributes, counts, ..
                } = &mut tables[*at];
                let change: Vec<f64> = average
                    .iter()
                    .zip(&own)
                    .map(|(average, own)| average - own)
                    .collect();
                let Some(shares) = shares else {
                    shift(counts, projection, &change);
                    continue;
                };
                // 1 for the attributes in common, their shares for those that are summed
                let inside = |a| common.attributes.contains(&a);
                let mut changes = product(attributes, 1.0, |a| {
                    if inside(a) {
                        vec![1.0; self.cells[a]]
                    } else {
                        shares[a].clone()
                    }
                });
                projection.apply(&mut changes, &change, |spread, change| *spread *= change);
                counts
                    .iter_mut()
                    .zip(&changes)
                    .for_each(|(count, change)| *count += change);
            }
        }
    }

    /// Raises every set's table to zero, smaller sets first and larger ones scaled to them, and
    /// takes the tables from there. Gives the shares of single attributes.
    fn raise(&self, tables: &mut [Measured], total: f64) -> Shares {
        let mut raised: BTreeMap<&[usize], Vec<f64>> = BTreeMap::new();
        let mut shares: Shares = vec![Vec::new(); self.cells.len()];
        for common in self
            .common
            .chunk_by(|a, b| a.attributes.len() == b.attributes.len())
        {
            let level = common
                .par_iter()
                .map(|common| common.raised(self.cells, tables, total, &raised, &shares));
            let level: Vec<Vec<f64>> = level.collect();
            for (common, counts) in common.iter().zip(level) {
                if let [attribute] = common.attributes[..] {
                    shares[attribute] = positive(&counts, total);
                }
                raised.insert(&common.attributes, counts);
            }
        }
        for table in tables {
            table.counts = raised
                .remove(&table.attributes[..])
                .expect("a table's attributes are a set of their own");
        }
        shares
    }

    /// One round of averaging and scaling over all common sets; by how much a count was off at
    /// most.
    fn scale(&self, tables: &mut [Measured]) -> f64 {
        let mut off: f64 = 0.0;
        for common in self.common.iter().filter(|common| common.members.len() > 1) {
            let (average, own) = common.average(tables);
            for ((at, projection), own) in common.members.iter().zip(own) {
                off = own
                    .iter()
                    .zip(&average)
                    .map(|(own, average)| (own - average).abs())
                    .fold(off, f64::max);
                scale_to(&mut tables[*at].counts, projection, &own, &average);
            }
        }
        off
    }
}

impl Common {
    /// The members' average by precision, and what each of them has.
    fn average(&self, tables: &[Measured]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let own = |(at, projection): &Member| projection.sum(&tables[*at].counts);
        let own: Vec<Vec<f64>> = self.members.par_iter().map(own).collect();
        let (mut average, mut weight) = (vec![0.0; own[0].len()], 0.0);
        for ((at, projection), own) in self.members.iter().zip(&own) {
            let table = &tables[*at];
            let summed = (table.counts.len() / projection.size) as f64;
            let precision = 1.0 / (summed * table.deviation.powi(2)).max(1e-12);
            weight += precision;
            average
                .iter_mut()
                .zip(own)
                .for_each(|(average, own)| *average += precision * own);
        }
        average.iter_mut().for_each(|average| *average /= weight);
        (average, own)
    }

    /// This set's table, not negative, and scaled to the tables of its subsets with one attribute
    /// less.
    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    fn raised(
        &self,
        cells: &[usize],
        tables: &[Measured],
        total: f64,
        raised: &BTreeMap<&[usize], Vec<f64>>,
        shares: &Shares,
    ) -> Vec<f64> {
        // any member will do, since they agree
        let (at, projection) = &self.members[0];
        let mut counts = projection.sum(&tables[*at].counts);
        nonnegative::project(&mut counts, total);
        if self.attributes.len() < 2 {
            return counts;
        }
        let face = |without: &usize| {
            let face: Vec<usize> = self
                .attributes
                .iter()
                .copied()
                .filter(|a| a != without)
                .collect();
            (
                Projection::new(cells, &self.attributes, &face),
                &raised[&face[..]][..],
            )
        };
        let faces: Vec<(Projection, &[f64])> = self.attributes.iter().map(face).collect();
        shift_to_faces(&mut counts, &faces, total);
        // what is exactly zero could never be scaled up: a little of what independence expects, far
        // below the noise
        let noise = tables[*at].deviation * counts.len() as f64 / total;
        let little = (0.01 * noise).min(LITTLE);
        let expected = product(&self.attributes, total * little, |a| shares[a].clone());
        counts
            .iter_mut()
            .zip(&expected)
            .for_each(|(count, expected)| *count = *count * (1.0 - little) + expected);
        scale_to_faces(&mut counts, &faces, total);
        counts
    }
}

/// The most that a table is moved towards independence to keep its cells above zero.
const LITTLE: f64 = 0.02;

/// How often one table is shifted to its sub-tables and raised, by turns: nearer to the measured
/// counts than scaling.
const SHIFTS: usize = 10;

/// The most rounds in which one table is scaled to its sub-tables.
const SCALINGS: usize = 30;

/// A change of a sub-table, spread evenly over the cells that are summed.
fn shift(counts: &mut [f64], projection: &Projection, change: &[f64]) {
    let summed = (counts.len() / projection.size) as f64;
    projection.apply(counts, change, |count, change| *count += change / summed);
}

fn shift_to_faces(counts: &mut [f64], faces: &[(Projection, &[f64])], total: f64) {
    for _ in 0..SHIFTS {
        for (projection, wanted) in faces {
            let own = projection.sum(counts);
            let change: Vec<f64> = own
                .iter()
                .zip(*wanted)
                .map(|(own, wanted)| wanted - own)
                .collect();
            shift(counts, projection, &change);
        }
        nonnegative::project(counts, total);
    }
}

fn scale_to_faces(counts: &mut [f64], faces: &[(Projection, &[f64])], total: f64) {
    for _ in 0..SCALINGS {
        let mut off: f64 = 0.0;
        for (projection, wanted) in faces {
            let own = projection.sum(counts);
            off = own
                .iter()
                .zip(*wanted)
                .map(|(own, wanted)| (own - wanted).abs())
                .fold(off, f64::max);
            scale_to(counts, projection, &own, wanted);
        }
        if off <= AGREED * total {
            break;
        }
    }
}

fn subsets(attributes: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    (0..1u32 << attributes.len()).map(|which| {
        let inside = |at: &usize| which >> at & 1 == 1;
        (0..attributes.len())
            .filter(inside)
            .map(|at| attributes[at])
            .collect()
    })
}

fn scale_to(counts: &mut [f64], projection: &Projection, own: &[f64], wanted: &[f64]) {
    let by: Vec<f64> = own
        .iter()
        .zip(wanted)
        .map(|(own, wanted)| if *own > 0.0 { wanted / own } else { 0.0 })
        .collect();
    projection.apply(counts, &by, |count, by| *count *= by);
}

/// Shares of counts, none of them zero.
fn positive(counts: &[f64], total: f64) -> Vec<f64> {
    let even = EVEN / counts.len() as f64;
    counts
        .iter()
        .map(|count| even + (1.0 - EVEN) * count / total)
        .collect()
}

/// The table of products of what each attribute contributes, times a factor.
fn product(attributes: &[usize], factor: f64, of: impl Fn(usize) -> Vec<f64>) -> Vec<f64> {
    attributes.iter().fold(vec![factor], |table, &a| {
        let shares = of(a);
        table
            .iter()
            .flat_map(|value| shares.iter().map(move |share| value * share))
            .collect()
    })
}

/// Mixes with independence, just enough that no count is negative.
fn lift(tables: &mut [Measured], shares: &Shares, total: f64) {
    let expected = |table: &Measured| product(&table.attributes, total, |a| shares[a].clone());
    let deepest = |table: &Measured| {
        table
            .counts
            .iter()
            .zip(expected(table))
            .map(|(count, expected)| -count / expected)
            .fold(0.0, f64::max)
    };
    let depth = tables.par_iter().map(deepest).reduce(|| 0.0, f64::max);
    let share = depth / (1.0 + depth);
    tables.par_iter_mut().for_each(|table| {
        let expected = expected(table);
        let mix = |(count, expected): (&mut f64, &f64)| {
            *count = (*count * (1.0 - share) + expected * share).max(0.0)
        };
        table.counts.iter_mut().zip(&expected).for_each(mix);
    });
}
#[cfg(test)]
pub(crate) mod tests;

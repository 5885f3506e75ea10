//! Decoys: tuples that could be published as they are, and are merged with others all the same.
//!
//! Whoever knows everybody's quasi-identifiers sees which *dense* tuples, shared by enough people,
//! were not published as they are. Without decoys such a tuple must have failed a constraint on
//! sensitive values, or have taken in sparse neighbours, and its people are known to have few
//! values (Wong, Fu, Wang and Pei, *Minimality attack in privacy preserving data publishing*, VLDB
//! 2007). So of the dense tuples that pass a secret random share is treated as if it had failed: it
//! must find company before it is published, and may never be left alone again.
//!
//! **The bound.** Let F of the dense tuples of about some size fail and P pass. Each that passes
//! becomes a decoy with probability p = max([`LEAST`], F / P), whatever its values are, and each
//! that fails is merged anyway. So "merged" is at most 1 / p <= 8 times as likely of a tuple that
//! failed as of one that passed, and among the merged tuples of a size at least as many are
//! expected to have passed as to have failed. Where more fail than pass everything is merged, and
//! nothing is told by it. Where no constraint looks at sensitive values there are no decoys:
//! merging tells nothing about them.
//!
//! Shares are those of a piece where a large table is searched in [`pieces`](super::pieces): the
//! bound holds in each of them, and so in all.
//!
//! **The secret.** Draws must not be repeatable by a reader, and must be by the steward, for any
//! order of rows and any number of threads. They come from a hash of the whole table, sensitive
//! values included, which only those know who know the table. The requirement is no part of it: the
//! same table has the same draws for any k and l, so that several releases of it do not tell who is
//! merged in all of them and who only by chance. A table that changed has other draws. Where so few
//! sensitive values are unknown that all possible tables can be tried, there is no secret; nor
//! would there be with any method that computes its result from the table alone.
//!
//! Where people are counted, all this is so of profiles and people instead of tuples and rows: who
//! knows everybody's rows sees which profiles that enough people share were not published alone.
//!
//! Cost: hashing the table once, and the requirement once more for each dense tuple.

use super::clusters::Task;
use crate::Error;
use crate::profiles::counted;
use mingle_model::Cube;
use mingle_privacy::{Promise, Requirement, Tally};
use sha2::{Digest, Sha256};

/// One in so many of the dense tuples that pass is merged at least.
const LEAST: u64 = 8;
/// Tuples are compared with at least so many others of about their size.
const CLASS: usize = 32;

/// What only those know who know the table. No `Debug`.
pub(super) struct Secret([u8; 32]);

impl Secret {
    /// The secret of a table, if the requirement looks at sensitive values.
    pub fn of(cube: &Cube, requirement: &Requirement) -> Option<Secret> {
        if requirement.attributes().is_empty() {
            return None;
        }
        let mut hash = Sha256::new();
        for tuple in 0..cube.tuples() {
            cube.quasi_identifiers()
                .iter()
                .for_each(|qi| hash.update(qi.codes.get(tuple).to_le_bytes()));
            hash.update(cube.weight(tuple).to_le_bytes());
            // records ascend by sensitive values; who contributed them is no part of the secret
            for alike in
                cube.records()[cube.records_of(tuple)].chunk_by(|a, b| a.sensitive == b.sensitive)
            {
                let count: u64 = alike.iter().map(|record| record.count).sum();
                hash.update(alike[0].sensitive.to_le_bytes());
                hash.update(count.to_le_bytes());
            }
        }
        Some(Secret(hash.finalize().into()))
    }

    /// A number for a tuple or profile, as good as drawn at random.
    fn draw(&self, tuple: u32) -> u64 {
        let digest = Sha256::new()
            .chain_update(self.0)
            .chain_update(tuple.to_le_bytes())
            .finalize();
        digest
            .iter()
            .take(8)
            .fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}

/// A unit that is large enough to be published as it is.
#[derive(Clone, Copy)]
struct Dense {
    size: u64,
    unit: u32,
    passes: bool,
}

/// Which units are decoys, given the tuple or profile of each.
pub(super) fn choose(
    task: &Task,
    tuples: &[u32],
    secret: Option<&Secret>,
) -> Result<Vec<bool>, Error> {
    let mut decoys = vec![false; tuples.len()];
    let Some(secret) = secret else {
        return Ok(decoys);
    };
    let dense = dense(task)?;
    for class in classes(&dense) {
        let passing = class.iter().filter(|dense| dense.passes);
        let below = share(
            class.len() - passing.clone().count(),
            passing.clone().count(),
        );
        for &Dense { unit, .. } in passing {
            decoys[unit as usize] = u128::from(secret.draw(tuples[unit as usize])) < below;
        }
    }
    Ok(decoys)
}

/// The units that could be published as they are if nobody asked for their sensitive values, by
/// size.
fn dense(task: &Task) -> Result<Vec<Dense>, Error> {
    let requirement = task.requirement;
    let sizes: Vec<Promise> = requirement
        .promises()
        .iter()
        .copied()
        .filter(|p| p.attribute.is_none())
        .collect();
    let cube = task.loss.cube();
    let of_sizes = match counted(cube, requirement) {
        None => requirement.bind_again(&sizes, cube.sensitive(), &cube.combinations()),
        Some(people) => {
            let rows = requirement.person_rows().unwrap_or_default();
            requirement.bind_people_again(&sizes, cube.sensitive(), people.kinds(), rows)
        }
    };
    let of_sizes = of_sizes.map_err(|_| Error::Unsatisfiable)?;
    let unit = |(unit, tally): (u32, &Tally)| Dense {
        size: tally.members(),
        unit,
        passes: requirement.holds(tally),
    };
    let fits = |(_, tally): &(u32, &Tally)| {
        tally.members() >= requirement.smallest_group() && of_sizes.holds(tally)
    };
    let mut found: Vec<Dense> = (0..).zip(&task.tallies).filter(fits).map(unit).collect();
    found.sort_by_key(|dense| (dense.size, dense.unit));
    Ok(found)
}

/// Cuts what is sorted by size where enough are together: equal sizes stay together, the largest
/// join the last ones.
fn classes(dense: &[Dense]) -> Vec<&[Dense]> {
    let mut ends: Vec<usize> = Vec::new();
    for end in 1..dense.len() {
        let enough = end - ends.last().unwrap_or(&0) >= CLASS && dense.len() - end >= CLASS;
        if enough && dense[end].size != dense[end - 1].size {
            ends.push(end);
        }
    }
    ends.push(dense.len());
    let starts = [0].into_iter().chain(ends.clone());
    starts
        .zip(ends)
        .map(|(start, end)| &dense[start..end])
        .collect()
}

/// The share that becomes decoys, in parts of 2^64.
fn share(failing: usize, passing: usize) -> u128 {
    let as_many = ((failing as u128) << 64)
        .checked_div(passing as u128)
        .unwrap_or(0);
    as_many.max((1 << 64) / u128::from(LEAST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(sizes: &[u64]) -> Vec<Dense> {
        (0..)
            .zip(sizes)
            .map(|(unit, &size)| Dense {
                size,
                unit,
                passes: true,
            })
            .collect()
    }

    #[test]
    fn classes_hold_enough_and_never_part_equal_sizes() {
        let lengths = |all: &[u64]| {
            classes(&sizes(all))
                .iter()
                .map(|class| class.len())
                .collect::<Vec<_>>()
        };
        assert_eq!(lengths(&[]), [0]);
        assert_eq!(lengths(&[5; 200]), [200]);
        assert_eq!(lengths(&[[5; 40], [6; 40]].concat()), [40, 40]);
        // 31 of size 6 are too few by themselves
        assert_eq!(lengths(&[&[5; 40][..], &[6; 31]].concat()), [71]);
        assert_eq!(
            lengths(&[&[5; 20][..], &[6; 20], &[7; 90]].concat()),
            [40, 90]
        );
        assert_eq!(lengths(&(0..100).collect::<Vec<_>>()), [32, 32, 36]);
    }

    #[test]
    fn shares_are_never_below_an_eighth_and_cover_those_that_fail() {
        let whole = 1u128 << 64;
        assert_eq!(share(0, 100), whole / 8);
        assert_eq!(share(1, 100), whole / 8);
        assert_eq!(share(25, 100), whole / 4);
        // everybody
        assert!(share(100, 100) >= whole && share(101, 100) > whole);
        assert_eq!(share(3, 0), whole / 8);
    }
}

//! Bins that are found by a noisy look at the data.
//!
//! Where a number's bounds are public but good bins are not, a fine grid between the bounds is
//! counted with noise, and neighbouring cells of the grid are united until bins hold about equally
//! many by the noisy counts. The look is paid for from the release's own budget; everything after
//! it is post-processing. How many bins come out is public: as many as were asked for, or as many
//! as the grid has cells.

use crate::Error;
use crate::looks::{CentralLooks, Looks};
use crate::nonnegative;
use crate::purse::Purse;
use crate::records::Records;
use crate::universe::{Bins, CellId, DeclaredAttribute, DeclaredValues};
use std::borrow::Cow;

/// What one attribute's look takes of the whole budget. A bin of an eighth of the records is found
/// within a percent or two of them by a twentieth of a budget that leaves the release itself of any
/// use.
pub const SHARE: f64 = 0.05;

/// What all looks for bins together take at most, so that there is something left to fill them.
pub const MOST: f64 = 0.2;

/// Per attribute the number of cells that a release will have, bins that are still to be found
/// included.
pub fn planned_cells(attributes: &[DeclaredAttribute]) -> Vec<usize> {
    let planned = |a: &DeclaredAttribute| match &a.domain {
        DeclaredValues::Bins(Bins {
            starts,
            private: Some(count),
            ..
        }) => a.len() - starts.len() + starts.len().min(*count),
        _ => a.len(),
    };
    attributes.iter().map(planned).collect()
}

/// Unites the fine grids of attributes that ask for it into bins of about equal noisy counts.
pub(crate) fn find(
    attributes: &mut [DeclaredAttribute],
    records: &mut Records,
    purse: &mut Purse,
) -> Result<(), Error> {
    let held = std::mem::replace(records, Records::from_columns(Vec::new(), Vec::new(), 1));
    let mut looks = CentralLooks {
        records: Cow::Owned(held),
        purse,
    };
    let found = find_by(attributes, &mut looks);
    *records = looks.records.into_owned();
    found
}

/// The same, wherever the noisy counts come from.
pub(crate) fn find_by(
    attributes: &mut [DeclaredAttribute],
    looks: &mut dyn Looks,
) -> Result<(), Error> {
    let asked: Vec<(usize, usize)> = attributes
        .iter()
        .enumerate()
        .filter_map(|(at, a)| Some((at, asked(a)?)))
        .collect();
    if asked.is_empty() {
        return Ok(());
    }
    let share = SHARE.min(MOST / asked.len() as f64);
    let sets: Vec<Vec<usize>> = asked.iter().map(|&(at, _)| vec![at]).collect();
    let tables = looks.tables(&sets, &vec![share; sets.len()])?;
    for ((at, most), table) in asked.into_iter().zip(tables) {
        let DeclaredValues::Bins(fine) = &attributes[at].domain else {
            continue;
        };
        let first = even(&table.counts[..fine.starts.len()], most);
        let (into, cells) = (
            united(&first, fine.starts.len(), attributes[at].len()),
            first.len(),
        );
        let starts = first.iter().map(|&cell| fine.starts[cell]).collect();
        attributes[at].domain = DeclaredValues::Bins(Bins {
            starts,
            private: None,
            found: true,
            ..fine.clone()
        });
        debug_assert_eq!(
            usize::from(*into.iter().max().unwrap_or(&0)),
            attributes[at].len() - 1
        );
        looks.unite(at, into, attributes[at].len());
        debug_assert_eq!(cells, attributes[at].domain.len());
    }
    Ok(())
}

fn asked(attribute: &DeclaredAttribute) -> Option<usize> {
    match &attribute.domain {
        DeclaredValues::Bins(bins) => bins.private,
        DeclaredValues::Categories { .. } => None,
    }
}

/// Which bin every cell of the grid belongs to; `other` and missing stay cells of their own, behind
/// the bins.
fn united(first: &[usize], fine: usize, all: usize) -> Vec<CellId> {
    let bin = |cell: usize| first.partition_point(|&start| start <= cell) - 1;
    (0..fine)
        .map(bin)
        .chain((fine..all).map(|cell| first.len() + cell - fine))
        .map(|cell| cell as CellId)
        .collect()
}

/// The first cell of each of `most` bins (or as many as there are cells) of about equal counts.
pub(crate) fn even(noisy: &[i64], most: usize) -> Vec<usize> {
    let mut counts: Vec<f64> = noisy.iter().map(|&count| count as f64).collect();
    let sum = counts.iter().sum();
    nonnegative::project(&mut counts, sum);
    // one more record, spread evenly: where nothing was counted, bins are of equal width
    let spread = 1.0 / counts.len().max(1) as f64;
    counts.iter_mut().for_each(|count| *count += spread);
    let bins = most.min(counts.len());
    let (mut first, mut next, mut rest) = (Vec::with_capacity(bins), 0, counts.iter().sum::<f64>());
    for bin in 0..bins {
        first.push(next);
        let left = bins - bin - 1;
        let taken = take(&counts[next..counts.len() - left], rest / (left + 1) as f64);
        rest -= counts[next..next + taken].iter().sum::<f64>();
        next += taken;
    }
    first
}

/// How many cells, one at least, come nearest to a sum.
fn take(counts: &[f64], wanted: f64) -> usize {
    let (mut taken, mut sum) = (1, counts[0]);
    while taken < counts.len() && sum + counts[taken] / 2.0 < wanted {
        sum += counts[taken];
        taken += 1;
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amount::Amount;
    use crate::count::count;
    use crate::guarantee::{Epsilon, Guarantee};
    use crate::noise::{Tampered, tests_only};
    use mingle_model::{Kind, Role};
    use proptest::prelude::*;

    fn attribute(private: usize, other: bool, missing: bool) -> DeclaredAttribute {
        DeclaredAttribute {
            name: "age".into(),
            role: Role::QuasiIdentifier,
            kind: Kind::Integer,
            domain: DeclaredValues::Bins(Bins::to_be_found(0, 1, 0, 99, private).expect("bounds")),
            other: other.then(|| "other".into()),
            missing: missing.then(|| "?".into()),
        }
    }

    fn purse() -> Purse {
        Purse::new(Guarantee::Pure {
            epsilon: Epsilon(Amount::parse("1").expect("an amount")),
        })
    }

    #[test]
    fn bins_hold_equally_many() {
        // ages 20 to 59, ten times each
        let column: Vec<CellId> = (0..400).map(|i| 20 + i % 40).collect();
        let mut records = Records::from_columns(vec![column], vec![100], 1);
        let mut attributes = [attribute(4, false, false)];
        assert_eq!(planned_cells(&attributes), [4]);
        let mut purse = purse();
        tests_only::with(Tampered::Off, || {
            find(&mut attributes, &mut records, &mut purse)
        })
        .expect("within the budget");
        let DeclaredValues::Bins(bins) = &attributes[0].domain else {
            panic!("still bins")
        };
        assert_eq!(
            (bins.starts.as_slice(), bins.private, bins.found),
            (&[0, 30, 40, 50][..], None, true)
        );
        assert_eq!(count(&records, &[vec![0]]), [[100, 100, 100, 100]]);
        assert!((purse.left() - 0.95).abs() < 1e-5);
        assert_eq!(attributes[0].label(3), "[50-99]");
    }

    #[test]
    fn many_attributes_share_a_fifth() {
        let mut attributes: Vec<DeclaredAttribute> =
            (0..8).map(|_| attribute(3, false, false)).collect();
        let mut records = Records::from_columns(vec![vec![5]; 8], vec![100; 8], 1);
        let mut purse = purse();
        find(&mut attributes, &mut records, &mut purse).expect("within the budget");
        assert!((purse.left() - 0.8).abs() < 1e-5, "{}", purse.left());
        assert_eq!(records.cells(), [3; 8]);
    }

    #[test]
    fn a_heavy_value_gets_a_bin_and_the_rest_is_shared() {
        let mut counts = vec![1i64; 20];
        counts[0] = 1000;
        assert_eq!(even(&counts, 3), [0, 1, 10]);
        counts.reverse();
        assert_eq!(even(&counts, 3).last(), Some(&19));
    }

    #[test]
    fn nobody_there_gives_equal_widths() {
        assert_eq!(even(&[0; 12], 4), [0, 3, 6, 9]);
        assert_eq!(even(&[-5; 12], 4), [0, 3, 6, 9]);
        assert_eq!(even(&[7; 3], 9), [0, 1, 2]);
    }

    proptest! {
        #[test]
        fn every_cell_is_in_one_bin(
            noisy in prop::collection::vec(-50..1000i64, 1..60), most in 1..20usize, other: bool, missing: bool,
        ) {
            let first = even(&noisy, most);
            prop_assert_eq!(first.len(), most.min(noisy.len()), "the number of bins gives nothing away");
            prop_assert!(first[0] == 0 && first.is_sorted_by(|a, b| a < b));
            let all = noisy.len() + usize::from(other) + usize::from(missing);
            let into = united(&first, noisy.len(), all);
            prop_assert!(into.is_sorted());
            prop_assert_eq!(usize::from(into[all - 1]) + 1, first.len() + all - noisy.len());
        }
    }
}

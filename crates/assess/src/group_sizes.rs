//! How large the groups of a release are: in people where people have several rows, else in rows. Counted in bins that serve ten groups and ten million
//! alike.
//!
//! Bins are ranges of whole numbers: single sizes as long as there is room for them, else ranges
//! that grow with the size (1, 2, 3, 5, 7, 10, 15, 20, 30, …). They say for which sizes they stand,
//! and none between the smallest and the largest is left out, so a gap in the data is a gap in the
//! picture. Cost: O(groups).

use mingle_model::Published;
use mingle_record::answer::{ShownGroupSizes, ShownSizeBin};

/// The most bins of a distribution.
pub const MOST_BINS: usize = 24;

/// Counts the groups of a published table by size: where people have several rows, every figure
/// counts people.
pub fn group_sizes(published: &Published) -> ShownGroupSizes {
    let mut sizes: Vec<u64> = (0..published.groups())
        .map(|group| published.people_of(group))
        .collect();
    sizes.sort_unstable();
    let (Some(&smallest), Some(&largest)) = (sizes.first(), sizes.last()) else {
        return ShownGroupSizes::default();
    };
    let rows = sizes.iter().sum();
    ShownGroupSizes {
        groups: sizes.len() as u64,
        rows,
        smallest,
        largest,
        mean: rows as f64 / sizes.len() as f64,
        median: sizes[(sizes.len() - 1) / 2],
        bins: binned(sizes.into_iter().map(|size| (size, size))),
    }
}

/// Counts groups by a whole number, each given as the number and its rows. At most [`MOST_BINS`]
/// bins.
pub fn binned(groups: impl Iterator<Item = (u64, u64)>) -> Vec<ShownSizeBin> {
    let mut groups: Vec<(u64, u64)> = groups.collect();
    groups.sort_unstable();
    let (Some(&(low, _)), Some(&(high, _))) = (groups.first(), groups.last()) else {
        return Vec::new();
    };
    let mut bins = edges(low, high);
    let mut at = 0;
    for (number, rows) in groups {
        while bins[at].to < number {
            at += 1;
        }
        bins[at].groups += 1;
        bins[at].rows += rows;
    }
    bins
}

/// Ranges that cover everything from `low` to `high`: the finest ladder that is not too long.
fn edges(low: u64, high: u64) -> Vec<ShownSizeBin> {
    if high - low < MOST_BINS as u64 {
        return (low..=high)
            .map(|size| ShownSizeBin {
                from: size,
                to: size,
                ..ShownSizeBin::default()
            })
            .collect();
    }
    let ladders: [&[u64]; 4] = [&[10, 15, 20, 30, 50, 70], &[10, 20, 50], &[10, 30], &[10]];
    let fitting = ladders
        .iter()
        .map(|steps| ladder(steps, low, high))
        .find(|bins| bins.len() <= MOST_BINS);
    fitting.expect("powers of ten in 64 bits are fewer than bins")
}

/// Ranges that end at `steps` over ten, times powers of ten. What a step rounds down to is used
/// once.
fn ladder(steps: &[u64], low: u64, high: u64) -> Vec<ShownSizeBin> {
    let powers = (0..20).map(|power| 10u128.pow(power));
    let ends =
        powers.flat_map(|power| steps.iter().map(move |&step| u128::from(step) * power / 10));
    let ends = ends.map(|end| u64::try_from(end).unwrap_or(u64::MAX));
    let mut bins: Vec<ShownSizeBin> = Vec::new();
    for end in ends.filter(|&end| end >= low) {
        let from = bins.last().map_or(low, |bin| bin.to.saturating_add(1));
        if bins.last().is_some_and(|bin| bin.to >= high) {
            break;
        }
        if end >= from {
            bins.push(ShownSizeBin {
                from,
                to: end.min(high),
                ..ShownSizeBin::default()
            });
        }
    }
    // a range that ends between two steps of the ladder reaches to the largest number
    if let Some(last) = bins.last_mut() {
        last.to = last.to.max(high);
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranges(numbers: &[u64]) -> Vec<(u64, u64, u64)> {
        binned(numbers.iter().map(|&n| (n, 1)))
            .iter()
            .map(|bin| (bin.from, bin.to, bin.groups))
            .collect()
    }

    #[test]
    fn few_sizes_have_a_bin_each() {
        assert_eq!(ranges(&[5, 3, 3]), [(3, 3, 2), (4, 4, 0), (5, 5, 1)]);
        assert_eq!(ranges(&[7]), [(7, 7, 1)]);
        assert!(ranges(&[]).is_empty());
    }

    #[test]
    fn large_sizes_share_bins_that_grow() {
        let bins = ranges(&[3, 40, 41, 1_000]);
        assert_eq!(bins[..4], [(3, 3, 1), (4, 5, 0), (6, 7, 0), (8, 10, 0)]);
        assert!(bins.contains(&(31, 50, 2)));
        assert_eq!(bins.last(), Some(&(701, 1_000, 1)));
        assert!(ranges(&[1, u64::MAX]).len() <= MOST_BINS);
    }

    proptest! {
        /// Against the definition: every number is counted once, in a bin that has it, and bins
        /// leave nothing out.
        #[test]
        fn every_group_is_in_one_bin(numbers in prop::collection::vec(prop_oneof![1u64..40, 1u64..100_000, any::<u64>()], 1..60)) {
            let bins = ranges(&numbers);
            prop_assert!(bins.len() <= MOST_BINS);
            for &(from, to, groups) in &bins {
                prop_assert!(from <= to);
                prop_assert_eq!(numbers.iter().filter(|&&n| from <= n && n <= to).count() as u64, groups);
            }
            prop_assert!(bins.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0));
            prop_assert_eq!(bins[0].0, *numbers.iter().min().unwrap());
            prop_assert_eq!(bins.last().unwrap().1, *numbers.iter().max().unwrap());
        }
    }
}

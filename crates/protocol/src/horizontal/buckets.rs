//! Buckets: "l different values are left, whichever m collude" as thresholds on sums.
//!
//! Values are dealt to B = min(d, 2l) public buckets, evenly and in order of their codes. A bucket
//! with more than m holders keeps a value whichever m collude, and buckets are disjoint: l of them
//! suffice. Or more than m providers hold at least l values each: one of them is left. Both are
//! sound, neither is exact: values spread so that every bucket is thin may still be l.
//!
//! Hashing instead of dealing could put all values that occur into fewer than l buckets, whatever
//! the data.

use mingle_privacy::{L, M};

/// How a column's values are dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BucketDealing {
    buckets: u64,
    l: L,
}

impl BucketDealing {
    /// For a declared domain of `values`; `None` where it has fewer than l, so that no group can
    /// hold the promise.
    pub fn new(l: L, values: u64) -> Option<BucketDealing> {
        if values < l.0 {
            return None;
        }
        let buckets = values.min(l.0.saturating_mul(2)).max(1);
        Some(BucketDealing { buckets, l })
    }

    /// How many buckets there are.
    pub fn buckets(self) -> u64 {
        self.buckets
    }

    /// The bucket of a value.
    pub fn bucket(self, code: u32) -> usize {
        (u64::from(code) % self.buckets) as usize
    }

    /// What each bucket's number of holders must reach: m + 1.
    pub fn holders_needed(m: M) -> u64 {
        m.0 + 1
    }

    /// Whether so many thin buckets leave l that are not.
    pub fn suffices(self, thin: u64) -> bool {
        self.buckets.saturating_sub(thin) >= self.l.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::horizontal::generated::Draws;
    use std::collections::BTreeSet;

    fn least_distinct(held: &[BTreeSet<u32>], m: u64) -> u64 {
        let mut least = u64::MAX;
        for coalition in 0u32..1 << held.len() {
            if u64::from(coalition.count_ones()) > m {
                continue;
            }
            let mut left: BTreeSet<u32> = BTreeSet::new();
            for (provider, values) in held.iter().enumerate() {
                if coalition >> provider & 1 == 0 {
                    left.extend(values);
                }
            }
            least = least.min(left.len() as u64);
        }
        least
    }

    /// 60,000 cases against every coalition: nothing is accepted that fails, and a good part of
    /// what holds is accepted.
    #[test]
    fn buckets_and_rich_providers_are_sound() {
        let mut draws = Draws::new(22);
        let (mut accepted, mut holds) = (0u32, 0u32);
        for case in 0..60_000 {
            let providers = 3 + draws.below(5) as usize;
            let m = M(draws.below(providers as u64 - 1));
            let values = 2 + draws.below(9);
            let l = L(1 + draws.below(values.min(5)));
            let dealing = BucketDealing::new(l, values).expect("enough values");
            let mut held = vec![BTreeSet::new(); providers];
            for provider in &mut held {
                for _ in 0..draws.below(values + 2) {
                    provider.insert(draws.below(values) as u32);
                }
            }
            let mut thin = 0;
            for bucket in 0..dealing.buckets() as usize {
                let holds_one =
                    |own: &&BTreeSet<u32>| own.iter().any(|&v| dealing.bucket(v) == bucket);
                let holders = held.iter().filter(holds_one).count() as u64;
                thin += u64::from(holders < BucketDealing::holders_needed(m));
            }
            let rich = held.iter().filter(|own| own.len() as u64 >= l.0).count() as u64;
            let answer = dealing.suffices(thin) || rich >= BucketDealing::holders_needed(m);
            let truth = least_distinct(&held, m.0) >= l.0;
            assert!(!answer || truth, "case {case}");
            accepted += u32::from(answer);
            holds += u32::from(truth);
        }
        assert!(
            u64::from(accepted) * 10 > u64::from(holds) * 7,
            "{accepted} of {holds}"
        );
    }

    #[test]
    fn values_are_dealt_evenly() {
        for values in 1..40 {
            for l in 1..=values {
                let dealing = BucketDealing::new(L(l), values).expect("enough values");
                let mut sizes = vec![0u64; dealing.buckets() as usize];
                for code in 0..values {
                    sizes[dealing.bucket(code as u32)] += 1;
                }
                let (least, most) = (sizes.iter().min(), sizes.iter().max());
                assert!(least.zip(most).is_some_and(|(a, b)| *a >= 1 && b - a <= 1));
            }
        }
        assert_eq!(BucketDealing::new(L(4), 3), None);
    }
}

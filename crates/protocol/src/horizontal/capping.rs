//! Capping: "enough is left, whichever m collude" as a threshold on a sum.
//!
//! What is left of contributions u_1 … u_n when the m largest are taken out is
//!
//! ```text
//! rest_m(u) = max over b >= 0 of ( Σ_p min(u_p, b) - m b )
//! ```
//!
//! *Proof.* For any b the m largest add at most m b to the capped sum, so that what the others add
//! is at least the difference; at b = u_(m+1), the largest that is left, it is exactly m b. For
//! whole numbers b is whole. So rest_m(u) >= k iff for some b the capped sum reaches k + m b: a sum
//! of numbers that each provider computes alone. Every b gives a sound answer; which ones are tried
//! decides what is lost and what is learnt.
//!
//! Assumes n > m + 1. Contributions are rows: a patient with rows at r sites counts r times.

use mingle_privacy::{K, M, Ratio};

/// Which caps are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caps {
    /// ⌈2k/(n-m)⌉ alone: one bit, and some groups that would do are refused.
    Single,
    /// From ⌈k/(n-m)⌉ to k, each at most this many times the one before: accepts whenever the rest
    /// is at least that many times k.
    Grid(Ratio),
    /// Every cap from ⌈k/(n-m)⌉ to k: exact.
    Exact,
}

impl Caps {
    /// Its words in terms and manifests.
    pub fn describe(self) -> String {
        match self {
            Caps::Single => "single".to_owned(),
            Caps::Grid(ratio) => format!("grid {}/{}", ratio.numerator(), ratio.denominator()),
            Caps::Exact => "exact".to_owned(),
        }
    }

    /// The caps, ascending, for n providers of whom m collude. Empty where n <= m or k = 0: nobody
    /// would be left, or nothing is asked.
    pub fn list(self, k: K, providers: usize, m: M) -> Vec<u64> {
        let left = (providers as u64).saturating_sub(m.0);
        if left == 0 || k.0 == 0 {
            return Vec::new();
        }
        if m.0 == 0 {
            // nothing is taken out: capped at k, the sum reaches k exactly where the total does
            return vec![k.0];
        }
        let smallest = k.0.div_ceil(left);
        match self {
            Caps::Single => vec![k.0.saturating_mul(2).div_ceil(left)],
            Caps::Exact => (smallest..=k.0).collect(),
            Caps::Grid(ratio) => {
                let mut caps = vec![smallest];
                let mut cap = smallest;
                while cap < k.0 {
                    let wide = u128::from(cap) * u128::from(ratio.numerator());
                    let next = (wide / u128::from(ratio.denominator())).min(u128::from(k.0)) as u64;
                    // a ratio below two moves small caps by less than one
                    cap = next.max(cap + 1);
                    caps.push(cap);
                }
                caps
            }
        }
    }
}

/// What the capped sum must reach: k + m b.
pub fn capped_threshold(k: K, m: M, cap: u64) -> u64 {
    k.0.saturating_add(m.0.saturating_mul(cap))
}

/// No smaller total can pass with any of these caps, since a capped sum is at most the total.
pub(crate) fn least_total(caps: &[u64], k: K, m: M) -> u64 {
    let mut least = u64::MAX;
    for &cap in caps {
        least = least.min(capped_threshold(k, m, cap));
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::horizontal::generated::Draws;

    /// By the definition: every coalition of m takes its rows out.
    fn rest_by_coalitions(contributions: &[u64], m: usize) -> u64 {
        let mut least = u64::MAX;
        for coalition in 0u32..1 << contributions.len() {
            if coalition.count_ones() as usize > m {
                continue;
            }
            let mut left = 0;
            for (provider, &rows) in contributions.iter().enumerate() {
                if coalition >> provider & 1 == 0 {
                    left += rows;
                }
            }
            least = least.min(left);
        }
        least
    }

    fn accepts(caps: &[u64], contributions: &[u64], k: K, m: M) -> bool {
        for &cap in caps {
            let mut capped = 0;
            for &rows in contributions {
                capped += rows.min(cap);
            }
            if capped >= capped_threshold(k, m, cap) {
                return true;
            }
        }
        false
    }

    /// 60,000 cases: exact caps decide as the definition does, every other choice is sound, and a
    /// grid accepts what it says it accepts.
    #[test]
    fn caps_against_all_coalitions() {
        let mut draws = Draws::new(20);
        let mut accepted = [0u32; 3];
        for case in 0..60_000 {
            let providers = 3 + draws.below(6) as usize;
            let m = draws.below(providers as u64 - 1);
            let k = K(1 + draws.below(20));
            let most = 1 + draws.below(3 * k.0);
            let contributions: Vec<u64> = (0..providers).map(|_| draws.below(most)).collect();
            let rest = rest_by_coalitions(&contributions, m as usize);
            let ratio = Ratio::new(3, 2).expect("a ratio");
            for (at, caps) in [Caps::Exact, Caps::Grid(ratio), Caps::Single]
                .into_iter()
                .enumerate()
            {
                let answer = accepts(&caps.list(k, providers, M(m)), &contributions, k, M(m));
                assert!(!answer || rest >= k.0, "case {case}: {caps:?} is not sound");
                accepted[at] += u32::from(answer);
                match caps {
                    Caps::Exact => assert_eq!(answer, rest >= k.0, "case {case}"),
                    Caps::Grid(_) => assert!(answer || 2 * rest < 3 * k.0, "case {case}"),
                    Caps::Single => {}
                }
            }
        }
        assert!(
            accepted[0] > accepted[1] && accepted[1] > accepted[2],
            "{accepted:?}"
        );
        assert!(accepted[2] > 10_000, "{accepted:?}");
    }

    /// A threshold that forgets m caps is caught by the same comparison.
    #[test]
    fn forgetting_the_coalition_is_found() {
        let (k, m, contributions) = (K(5), M(1), [9, 1, 1]);
        assert_eq!(rest_by_coalitions(&contributions, 1), 2);
        let forgetful = Caps::Exact.list(k, 3, m).iter().any(|&cap| {
            contributions
                .iter()
                .map(|&rows: &u64| rows.min(cap))
                .sum::<u64>()
                >= k.0
        });
        assert!(forgetful && !accepts(&Caps::Exact.list(k, 3, m), &contributions, k, m));
    }

    #[test]
    fn nothing_is_skipped_that_could_pass() {
        let mut draws = Draws::new(21);
        for _ in 0..20_000 {
            let (providers, k) = (3 + draws.below(5) as usize, K(1 + draws.below(15)));
            let m = M(draws.below(providers as u64 - 1));
            let contributions: Vec<u64> = (0..providers).map(|_| draws.below(12)).collect();
            for caps in [Caps::Exact, Caps::Single] {
                let caps = caps.list(k, providers, m);
                let total: u64 = contributions.iter().sum();
                let passes = accepts(&caps, &contributions, k, m);
                assert!(!passes || total >= least_total(&caps, k, m));
            }
        }
    }
}

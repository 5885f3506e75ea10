//! How many pairs a guess gets right by chance: the mean overlap with a random pairing.
//!
//! Where a group's values are paired at random, r of its n people having one value and c the other,
//! the number X of those who have both is hypergeometric. A guess that says `guessed` gets
//! min(guessed, X) of them right.

/// The mean of min(`guessed`, X), X hypergeometric: `c` draws of `n`, of which `r` count.
///
/// Weights are built outwards from the mode and divided by their sum, so nothing overflows and
/// nothing that matters underflows. Cost: the width of the distribution.
pub fn overlap(n: u64, r: u64, c: u64, guessed: u64) -> f64 {
    let (least, most) = ((r + c).saturating_sub(n), r.min(c));
    let mode = ((u128::from(r) + 1) * (u128::from(c) + 1) / (u128::from(n) + 2)) as u64;
    let mode = mode.clamp(least, most);
    // how much likelier x + 1 is than x
    let step =
        |x: u64| ((r - x) as f64 * (c - x) as f64) / ((x + 1) as f64 * (n + x + 1 - r - c) as f64);
    let (mut sum, mut mean) = (0.0, 0.0);
    let mut add = |x: u64, weight: f64| {
        sum += weight;
        mean += weight * x.min(guessed) as f64;
        weight > NEGLIGIBLE
    };
    add(mode, 1.0);
    let mut weight = 1.0;
    for x in mode..most {
        weight *= step(x);
        if !add(x + 1, weight) {
            break;
        }
    }
    weight = 1.0;
    for x in (least..mode).rev() {
        weight /= step(x);
        if !add(x, weight) {
            break;
        }
    }
    mean / sum
}

/// Beside a weight of 1 at the mode.
const NEGLIGIBLE: f64 = 1e-20;

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to choose who of n has the second value.
    fn enumerated(n: u64, r: u64, c: u64, guessed: u64) -> f64 {
        let ways = (0u32..1 << n).filter(|ways| u64::from(ways.count_ones()) == c);
        let both = |ways: u32| u64::from((ways & ((1 << r) - 1)).count_ones());
        let overlaps: Vec<u64> = ways.map(|ways| both(ways).min(guessed)).collect();
        overlaps.iter().sum::<u64>() as f64 / overlaps.len() as f64
    }

    #[test]
    fn as_enumerated() {
        for n in 1..=8 {
            for (r, c, guessed) in
                (0..=n).flat_map(|r| (0..=n).flat_map(move |c| (0..=n).map(move |g| (r, c, g))))
            {
                let (fast, slow) = (overlap(n, r, c, guessed), enumerated(n, r, c, guessed));
                assert!(
                    (fast - slow).abs() < 1e-12,
                    "{n} {r} {c} {guessed}: {fast} {slow}"
                );
            }
        }
    }

    #[test]
    fn large_groups_stay_near_their_mean() {
        let mean = overlap(1_000_000, 500_000, 500_000, u64::MAX);
        assert!((mean - 250_000.0).abs() < 1e-6, "{mean}");
        assert_eq!(overlap(10, 10, 10, 10), 10.0);
    }
}

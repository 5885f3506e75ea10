//! Dealing rows to providers.
//!
//! Uniform: all alike. Exponential: provider i of n gets a share in proportion to exp(−3i/n), as in
//! `mingle-synth`, so the first has about twenty times as many rows as the last. Numbers of rows
//! are exact (largest remainder) instead of drawn, so that equal settings mean equal groups; every
//! provider gets at least one row where there are enough.

use mingle_synth::Distribution;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// How many rows each provider gets.
pub fn amounts(rows: usize, providers: u32, distribution: Distribution) -> Vec<usize> {
    let n = providers as usize;
    let each = usize::from(rows >= n);
    let rest = (rows - each * n.min(rows)) as f64;
    let weight = |i: usize| match distribution {
        Distribution::Uniform => 1.0,
        Distribution::Exponential => (-3.0 * i as f64 / n as f64).exp(),
    };
    let total: f64 = (0..n).map(weight).sum();
    let exact: Vec<f64> = (0..n).map(|i| rest * weight(i) / total).collect();
    let mut amounts: Vec<usize> = exact
        .iter()
        .map(|share| each + share.floor() as usize)
        .collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| {
        exact[b]
            .fract()
            .total_cmp(&exact[a].fract())
            .then(a.cmp(&b))
    });
    let left = rows - amounts.iter().sum::<usize>();
    order
        .iter()
        .cycle()
        .take(left)
        .for_each(|&provider| amounts[provider] += 1);
    amounts
}

/// All of `0..rows` in random order.
pub fn shuffled(rows: usize, seed: u64, draw: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(draw);
    let mut order: Vec<usize> = (0..rows).collect();
    for last in (1..rows).rev() {
        // the bias of a 64-bit multiple is below 2⁻⁴⁰ for any table here
        let other = (u128::from(rng.next_u64()) * (last as u128 + 1)) >> 64;
        order.swap(last, other as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_dealt_once() {
        for rows in [0, 1, 5, 15, 16, 150, 751] {
            for providers in [1, 2, 15, 25] {
                for distribution in [Distribution::Uniform, Distribution::Exponential] {
                    let amounts = amounts(rows, providers, distribution);
                    assert_eq!(amounts.iter().sum::<usize>(), rows, "{rows} {providers}");
                    assert_eq!(amounts.len(), providers as usize);
                    assert!(
                        rows < providers as usize || amounts.iter().all(|&a| a > 0),
                        "{rows} {providers}"
                    );
                    assert!(amounts.is_sorted_by(|a, b| a >= b), "{amounts:?}");
                }
            }
        }
    }

    #[test]
    fn uniform_is_even_and_exponential_is_not() {
        let even = amounts(152, 15, Distribution::Uniform);
        assert!(even.iter().all(|&a| a == 10 || a == 11));
        let steep = amounts(1500, 15, Distribution::Exponential);
        assert!(steep[0] > 12 * steep[14], "{steep:?}");
    }

    #[test]
    fn an_order_has_everybody_and_follows_the_seed() {
        let one = shuffled(100, 7, 0);
        let mut sorted = one.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..100));
        assert_eq!(one, shuffled(100, 7, 0));
        assert_ne!(one, shuffled(100, 7, 1));
        assert_ne!(one, shuffled(100, 8, 0));
    }
}

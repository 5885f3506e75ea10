//! Draws from a discrete distribution in constant time, with integers only.
//!
//! Vose's alias method: every cell of the table holds one value and lends the rest of its room to
//! another. With 32 bits of room a cell, shares are exact to about 2⁻³² per value.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// A distribution over `0..n`.
pub(crate) struct Alias {
    /// Below `keep` the cell's own value, else the alias.
    cells: Vec<(u32, u32)>,
}

impl Alias {
    /// Values in proportion to their weights, at least one of which must not be zero.
    pub(crate) fn new(weights: &[u64]) -> Self {
        let n = weights.len() as u128;
        let total: u128 = weights.iter().map(|&w| u128::from(w)).sum();
        assert!(total > 0, "a distribution needs weight");
        let full = 1u128 << 32;
        let mut room: Vec<u128> = weights
            .iter()
            .map(|&w| u128::from(w) * n * full / total)
            .collect();
        let mut cells: Vec<(u32, u32)> = (0..weights.len() as u32).map(|v| (u32::MAX, v)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..weights.len()).partition(|&v| room[v] < full);
        while let (Some(poor), Some(&rich)) = (small.pop(), large.last()) {
            cells[poor] = (room[poor] as u32, rich as u32);
            room[rich] -= full - room[poor];
            if room[rich] < full {
                small.extend(large.pop());
            }
        }
        Alias { cells }
    }

    /// Draws a value.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut ChaCha8Rng) -> u32 {
        let random = rng.next_u64();
        let cell = ((random >> 32) * self.cells.len() as u64) >> 32;
        let (keep, alias) = self.cells[cell as usize];
        if (random as u32) < keep {
            cell as u32
        } else {
            alias
        }
    }
}

/// Draws uniformly from `0..n`; the bias is below n × 2⁻³².
#[inline]
pub(crate) fn below(n: u32, rng: &mut ChaCha8Rng) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(n)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn shares_follow_the_weights() {
        let weights = [5, 0, 1, 94, 900];
        let alias = Alias::new(&weights);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut seen = [0u64; 5];
        (0..1_000_000).for_each(|_| seen[alias.draw(&mut rng) as usize] += 1);
        for (value, &weight) in weights.iter().enumerate() {
            let expected = weight * 1_000;
            // four standard deviations
            assert!(
                seen[value].abs_diff(expected) <= 4 * expected.isqrt(),
                "{seen:?}"
            );
        }
        assert_eq!(seen[1], 0);
        let certain = Alias::new(&[0, 7, 0]);
        assert!((0..10_000).all(|_| certain.draw(&mut rng) == 1));
    }
}

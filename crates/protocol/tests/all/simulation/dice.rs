//! A seeded generator for everything that a simulation leaves to chance.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Throws numbers. Not for secrets.
pub struct Dice(ChaCha20Rng);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(ChaCha20Rng::seed_from_u64(seed))
    }

    /// A number less than `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0.next_u64() % n.max(1)
    }

    /// True once in `n` throws.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

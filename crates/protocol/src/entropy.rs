//! Randomness, injected: the operating system's generator in every run, a seeded one in tests.

use zeroize::Zeroize;

/// A source of bytes that nobody else can guess.
pub trait Entropy: Send {
    /// Overwrites all bytes.
    fn fill(&mut self, bytes: &mut [u8]);
}

/// The operating system's generator.
pub(crate) struct OperatingSystem;

impl Entropy for OperatingSystem {
    fn fill(&mut self, bytes: &mut [u8]) {
        getrandom::fill(bytes)
            .expect("without the operating system's generator nothing secret can be made");
    }
}

/// A uniformly drawn order of `0..n`: what comes at each place.
///
/// Drawing from 64 bits favours no order by more than n/2^64.
pub(crate) fn shuffled(n: usize, entropy: &mut dyn Entropy) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut bytes = vec![0; n * 8];
    entropy.fill(&mut bytes);
    for (last, draw) in (1..n).rev().zip(bytes.as_chunks::<8>().0) {
        let other = (u128::from(u64::from_le_bytes(*draw)) * (last as u128 + 1)) >> 64;
        order.swap(last, other as usize);
    }
    bytes.zeroize();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_comes_up_as_often() {
        let mut seen = std::collections::BTreeMap::new();
        (0..24_000).for_each(|_| *seen.entry(shuffled(4, &mut OperatingSystem)).or_insert(0) += 1);
        assert_eq!(seen.len(), 24);
        // six standard deviations of a binomial with 24,000 draws
        assert!(
            seen.values().all(|&n: &i32| (n - 1000).abs() < 186),
            "{seen:?}"
        );
    }
}

//! A set of providers of a group by their numbers, as bits.

use std::hash::{Hash, Hasher};

/// At most 64 `W` providers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Places<const W: usize>([u64; W]);

impl<const W: usize> Places<W> {
    /// How many providers there may be.
    pub const MOST: usize = 64 * W;

    /// Nobody.
    pub const NONE: Self = Places([0; W]);

    /// These providers.
    pub fn of(numbers: &[usize]) -> Self {
        let mut set = Self::NONE;
        numbers.iter().for_each(|&number| set.insert(number));
        set
    }

    /// With one more.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// The same and one more.
    #[inline]
    pub fn with(mut self, number: usize) -> Self {
        self.insert(number);
        self
    }

    /// Without one of them.
    #[inline]
    pub fn without(mut self, number: usize) -> Self {
        self.0[number / 64] &= !(1 << (number % 64));
        self
    }

    /// Whether this one is among them.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Whether any is in both.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(&other.0)
            .any(|(mine, theirs)| mine & theirs != 0)
    }

    /// All of both.
    #[inline]
    pub fn join(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// How many.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many have a smaller number.
    #[inline]
    pub fn below(&self, number: usize) -> usize {
        let whole: usize = self.0[..number / 64]
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum();
        let part = (1u64 << (number % 64)) - 1;
        whole
            + self
                .0
                .get(number / 64)
                .map_or(0, |word| (word & part).count_ones() as usize)
    }

    /// The smallest number; `None` for nobody.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    /// All but the one with the smallest number.
    #[inline]
    pub fn without_first(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }

    /// Their numbers, ascending.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<W> {
        let mut rest = *self;
        std::iter::from_fn(move || {
            let first = rest.first();
            rest = rest.without_first();
            first
        })
    }

    /// The largest number; `None` for nobody.
    #[inline]
    pub fn last(&self) -> Option<usize> {
        let word = self.0.iter().rposition(|&word| word != 0)?;
        Some(64 * word + 63 - self.0[word].leading_zeros() as usize)
    }
}

impl<const W: usize> Hash for Places<W> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|&word| state.write_u64(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agree<const W: usize>(numbers: &[usize]) {
        let set = Places::<W>::of(numbers);
        assert_eq!(
            (set.len(), set.last()),
            (numbers.len(), numbers.iter().max().copied())
        );
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        assert!(set.iter().eq(sorted.iter().copied()));
        assert_eq!(set.first(), sorted.first().copied());
        assert!(set.without_first() == Places::of(sorted.get(1..).unwrap_or_default()));
        for number in 0..Places::<W>::MOST {
            assert_eq!(set.contains(number), numbers.contains(&number));
            assert_eq!(
                set.below(number),
                numbers.iter().filter(|&&n| n < number).count()
            );
        }
        for &number in numbers {
            let rest = set.without(number);
            assert!(!rest.contains(number) && rest.len() + 1 == set.len());
            assert!(set.meets(&Places::of(&[number])) && !rest.meets(&Places::of(&[number])));
            assert!(rest.with(number) == set);
            let mut both = rest;
            both.join(&Places::of(&[number]));
            assert!(both == set);
        }
    }

    #[test]
    fn sets_are_lists_without_order() {
        agree::<1>(&[]);
        agree::<1>(&[0, 5, 63]);
        agree::<2>(&[127, 64, 63, 1]);
        agree::<3>(&[100, 2, 150, 191]);
    }
}

//! Counts of a set of rows, in the form that a [`Requirement`](crate::Requirement) asks for.
//!
//! Merging and subtracting cost O(values of both).

use mingle_model::{Code, ProviderId};

const NOT_THERE: &str = "rows that are not there cannot be taken away";

/// Size and, per attribute that a requirement looks at, how often each value occurs; against
/// insiders, also how often it occurs among the rows of each provider.
///
/// Sparse and sorted, so that small groups stay small whatever the size of the domain or the number
/// of providers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub(crate) size: u64,
    pub(crate) counts: Vec<Vec<(Code, u64)>>,
    /// Per attribute, or once for all rows where a requirement looks at none; empty for the
    /// outsider.
    pub(crate) shares: Vec<Vec<(Holding, u64)>>,
    /// How many people of each type, ascending; `None` where each row is one person.
    pub(crate) people: Option<Vec<(u32, u64)>>,
    /// Per attribute how many people have a value among how many, ascending; `None` where nobody asks.
    pub(crate) parts: Vec<Option<Vec<(PartOfSet, u64)>>>,
}

/// A value, and of how many values of a person it is one, in the order of their number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct PartOfSet(u64);

impl PartOfSet {
    /// `of` is how many values the person has.
    pub(crate) fn new(of: usize, code: Code) -> PartOfSet {
        PartOfSet((of as u64) << 32 | u64::from(code))
    }

    pub(crate) fn of(self) -> u64 {
        self.0 >> 32
    }

    pub(crate) fn code(self) -> Code {
        self.0 as Code
    }
}

/// A provider and a value, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Holding(u64);

impl Holding {
    #[inline]
    pub(crate) fn new(provider: ProviderId, code: Code) -> Holding {
        Holding(u64::from(provider.0) << 32 | u64::from(code))
    }

    #[inline]
    pub(crate) fn provider(self) -> ProviderId {
        ProviderId((self.0 >> 32) as u32)
    }

    #[inline]
    pub(crate) fn code(self) -> Code {
        self.0 as Code
    }
}

impl Tally {
    /// All these sets of rows together. Merges sets of like size, so that many small ones cost
    /// O(entries × log sets) and not the size of the whole each.
    pub fn sum<'a>(tallies: impl Iterator<Item = &'a Tally>) -> Tally {
        let mut sums: Vec<(u32, Tally)> = Vec::new();
        for tally in tallies {
            let mut sum = (0, tally.clone());
            while let Some((_, other)) = sums.pop_if(|(level, _)| *level == sum.0) {
                sum.1.merge(&other);
                sum.0 += 1;
            }
            sums.push(sum);
        }
        let mut all = Tally::default();
        sums.iter().rev().for_each(|(_, sum)| all.merge(sum));
        all
    }

    /// How many rows.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How many people; as many as rows where each row is one person.
    pub fn members(&self) -> u64 {
        let sum = |people: &Vec<(u32, u64)>| people.iter().map(|&(_, n)| n).sum();
        self.people.as_ref().map_or(self.size, sum)
    }

    /// How many providers contributed rows; 0 where they are not counted.
    pub fn providers(&self) -> usize {
        self.shares.first().map_or(0, |shares| {
            shares
                .chunk_by(|a, b| a.0.provider() == b.0.provider())
                .count()
        })
    }

    /// How many rows each contributing provider has, in order of their names; empty where they are
    /// not counted.
    pub fn contributions(&self) -> Vec<u64> {
        let shares = self.shares.first().map_or(&[][..], Vec::as_slice);
        let of_one = |own: &[(Holding, u64)]| own.iter().map(|(_, count)| count).sum();
        shares
            .chunk_by(|a, b| a.0.provider() == b.0.provider())
            .map(of_one)
            .collect()
    }

    /// Adds another set of rows.
    pub fn merge(&mut self, other: &Tally) {
        self.merge_parts(other);
        match (&mut self.people, &other.people) {
            (Some(mine), Some(theirs)) => add_sorted(mine, theirs),
            (None, Some(theirs)) if self.size == 0 => self.people = Some(theirs.clone()),
            // rows without people among others: nobody knows how many people that is
            (mine, None) if other.size > 0 => *mine = None,
            _ => {}
        }
        self.size += other.size;
        // an empty tally may not know the attributes yet
        self.counts
            .resize_with(self.counts.len().max(other.counts.len()), Vec::new);
        self.counts
            .iter_mut()
            .zip(&other.counts)
            .for_each(|(mine, theirs)| add_sorted(mine, theirs));
        self.shares
            .resize_with(self.shares.len().max(other.shares.len()), Vec::new);
        self.shares
            .iter_mut()
            .zip(&other.shares)
            .for_each(|(mine, theirs)| add_sorted(mine, theirs));
    }

    fn merge_parts(&mut self, other: &Tally) {
        if other.size == 0 {
            return;
        }
        if self.size == 0 {
            self.parts.clone_from(&other.parts);
            return;
        }
        // where one of them does not say, nobody knows
        self.parts.truncate(other.parts.len());
        for (mine, theirs) in self.parts.iter_mut().zip(&other.parts) {
            match (mine.as_mut(), theirs) {
                (Some(mine), Some(theirs)) => add_sorted(mine, theirs),
                _ => *mine = None,
            }
        }
    }

    /// Takes away rows that are part of this set.
    ///
    /// # Panics
    /// When they are not: wrong counts must not reach a verdict.
    pub fn subtract(&mut self, other: &Tally) {
        self.size = self.size.checked_sub(other.size).expect(NOT_THERE);
        match (&mut self.people, &other.people) {
            (Some(mine), Some(theirs)) => subtract_sorted(mine, theirs),
            (mine, None) if other.size > 0 => *mine = None,
            _ => {}
        }
        self.counts
            .iter_mut()
            .zip(&other.counts)
            .for_each(|(mine, theirs)| subtract_sorted(mine, theirs));
        self.shares
            .iter_mut()
            .zip(&other.shares)
            .for_each(|(mine, theirs)| subtract_sorted(mine, theirs));
        if other.size > 0 {
            self.parts.truncate(other.parts.len());
        }
        for (mine, theirs) in self.parts.iter_mut().zip(&other.parts) {
            match (mine.as_mut(), theirs) {
                (Some(mine), Some(theirs)) => subtract_sorted(mine, theirs),
                _ => *mine = None,
            }
        }
    }

    /// Ascending values with their counts, for the n-th attribute of
    /// [`Requirement::attributes`](crate::Requirement).
    pub fn values(&self, attribute: usize) -> &[(Code, u64)] {
        &self.counts[attribute]
    }
}

fn subtract_sorted<K: Copy + Ord>(mine: &mut Vec<(K, u64)>, theirs: &[(K, u64)]) {
    let mut left = theirs.iter().peekable();
    mine.retain_mut(|(code, count)| {
        if let Some((_, less)) = left.next_if(|(other, _)| other == code) {
            *count = count.checked_sub(*less).expect(NOT_THERE);
        }
        *count > 0
    });
    assert!(left.next().is_none(), "{NOT_THERE}");
}

/// Merges from the back, so that everything stays within one allocation: O(mine + theirs).
fn add_sorted<K: Copy + Ord + Default>(mine: &mut Vec<(K, u64)>, theirs: &[(K, u64)]) {
    let mut to = mine.len() + new_values(mine, theirs);
    let (mut left, mut right) = (mine.len(), theirs.len());
    mine.resize(to, (K::default(), 0));
    while right > 0 {
        to -= 1;
        let (code, count) = theirs[right - 1];
        match left.checked_sub(1).map(|last| mine[last]) {
            Some(larger) if larger.0 > code => {
                mine[to] = larger;
                left -= 1;
            }
            same => {
                let before = same.filter(|value| value.0 == code);
                left -= usize::from(before.is_some());
                mine[to] = (code, count + before.map_or(0, |value| value.1));
                right -= 1;
            }
        }
    }
}

/// How many of their values are not among mine.
fn new_values<K: Copy + Ord>(mine: &[(K, u64)], theirs: &[(K, u64)]) -> usize {
    let mut rest = mine.iter().map(|&(code, _)| code).peekable();
    let is_new = |&&(code, _): &&(K, u64)| {
        while rest.next_if(|&smaller| smaller < code).is_some() {}
        rest.peek() != Some(&code)
    };
    theirs.iter().filter(is_new).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(values: &[(Code, u64)]) -> Tally {
        Tally {
            size: values.iter().map(|v| v.1).sum(),
            counts: vec![values.to_vec()],
            shares: Vec::new(),
            people: None,
            parts: Vec::new(),
        }
    }

    fn merged(mine: &[(Code, u64)], theirs: &[(Code, u64)]) -> Tally {
        let mut all = tally(mine);
        all.merge(&tally(theirs));
        all
    }

    #[test]
    fn merging_keeps_order_and_adds() {
        assert_eq!(merged(&[], &[(1, 2)]), tally(&[(1, 2)]));
        assert_eq!(merged(&[(1, 2)], &[]), tally(&[(1, 2)]));
        assert_eq!(
            merged(&[(1, 2), (5, 1)], &[(0, 7), (5, 3), (9, 1)]),
            tally(&[(0, 7), (1, 2), (5, 4), (9, 1)])
        );
        assert_eq!(
            merged(&[(3, 1)], &[(1, 1), (2, 1)]),
            tally(&[(1, 1), (2, 1), (3, 1)])
        );
        assert_eq!(
            merged(&[(1, 1), (2, 1)], &[(3, 1)]),
            tally(&[(1, 1), (2, 1), (3, 1)])
        );
    }

    #[test]
    fn an_empty_tally_takes_whatever_comes() {
        let mut all = Tally::default();
        all.merge(&tally(&[(1, 2)]));
        assert_eq!(all, tally(&[(1, 2)]));
        all.merge(&Tally::default());
        all.subtract(&Tally::default());
        assert_eq!(all, tally(&[(1, 2)]));
    }

    #[test]
    fn a_sum_is_what_merging_one_by_one_gives() {
        for n in 0..20 {
            let sets: Vec<Tally> = (0..n)
                .map(|i| tally(&[(i * 7 % 5, 1), (5 + i % 3, u64::from(i) + 1)]))
                .collect();
            let mut merged = Tally::default();
            sets.iter().for_each(|set| merged.merge(set));
            assert_eq!(Tally::sum(sets.iter()), merged, "{n}");
        }
    }

    #[test]
    fn subtracting_undoes_merging() {
        let (mine, theirs) = ([(1, 2), (5, 1), (6, 1)], [(0, 7), (5, 3), (9, 1)]);
        let mut all = merged(&mine, &theirs);
        all.subtract(&tally(&theirs));
        assert_eq!(all, tally(&mine));
        all.subtract(&tally(&mine));
        assert_eq!(all, tally(&[]));
    }

    #[test]
    #[should_panic(expected = "rows that are not there")]
    fn only_what_is_there_can_be_subtracted() {
        tally(&[(1, 2), (3, 1)]).subtract(&tally(&[(2, 1)]));
    }

    #[test]
    #[should_panic(expected = "rows that are not there")]
    fn no_more_than_what_is_there_can_be_subtracted() {
        tally(&[(1, 2), (3, 1)]).subtract(&tally(&[(3, 2)]));
    }
}

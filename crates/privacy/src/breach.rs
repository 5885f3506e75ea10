//! What a coalition can do to a group.

use crate::constraint::Limit;

/// The answer to: can at most so many of a group's providers break a constraint by taking out their own rows?
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attack {
    /// None of these coalitions can.
    Withstood,
    /// This one can.
    Breach(Breach),
    /// The search was cut short and found none.
    Undecided(Limit),
}

/// A coalition that succeeds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// Places of its members among the group's providers, ascending; nobody for the outsider.
    pub coalition: Vec<usize>,
    /// How many rows are left when it has taken out those of its own rows that stand in its way. It need not take out
    /// all of them: a constraint on proportions may fail just because some stay.
    pub left: u64,
}

impl Breach {
    /// Nobody needs to take out anything.
    pub fn by_outsider(size: u64) -> Breach {
        Breach { coalition: Vec::new(), left: size }
    }
}

/// The places of the `n` largest amounts, ascending; among equals the first.
pub(crate) fn largest(amounts: &[u64], n: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..amounts.len()).collect();
    places.sort_by_key(|&place| std::cmp::Reverse(amounts[place]));
    places.truncate(n);
    places.sort_unstable();
    places
}

/// What is left of a sum without its `n` largest amounts: rest_n. Reorders `amounts`.
#[inline]
pub(crate) fn rest(amounts: &mut [u64], n: usize) -> u64 {
    if n >= amounts.len() {
        return 0;
    }
    if n > 0 {
        amounts.select_nth_unstable_by(n - 1, |a, b| b.cmp(a));
    }
    amounts[n..].iter().sum()
}

/// The smallest number of largest amounts whose removal leaves at most `most`, if at most `limit` are enough.
pub(crate) fn fewest_removed(amounts: &[u64], most: u64, limit: usize) -> Option<usize> {
    let mut sorted = amounts.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let mut left: u64 = sorted.iter().sum();
    for (removed, amount) in sorted.iter().take(limit).enumerate() {
        if left <= most {
            return Some(removed);
        }
        left -= amount;
    }
    (left <= most).then_some(limit.min(sorted.len()))
}

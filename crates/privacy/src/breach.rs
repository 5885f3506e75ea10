//! What a coalition can do to a group.

mod response;

pub(crate) use response::Response;

use crate::constraint::Limit;
use crate::shares::Shares;
use std::cmp::Reverse;

/// The answer to: can at most so many of a group's providers break a constraint by taking out their
/// own rows?
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
    /// How many rows are left when it has taken out those of its own rows that stand in its way. It
    /// need not take out all of them: a constraint on proportions may fail just because some stay.
    pub left: u64,
    /// How many people are left, where people may have several rows.
    pub people_left: Option<u64>,
}

impl Breach {
    /// Nobody needs to take out anything.
    pub fn by_outsider(size: u64) -> Breach {
        Breach {
            coalition: Vec::new(),
            left: size,
            people_left: None,
        }
    }
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

/// The smallest coalition, of at most `most` members, that leaves at most `allowed` of these
/// amounts, where `kept` more rows stay in any case. Among equal amounts the first go.
pub(crate) fn leaving(amounts: &[u64], allowed: u64, most: usize, kept: u64) -> Option<Breach> {
    let mut coalition: Vec<usize> = (0..amounts.len()).collect();
    coalition.sort_by_key(|&provider| Reverse(amounts[provider]));
    coalition.truncate(most);
    let mut left: u64 = amounts.iter().sum();
    let mut members = 0;
    while left > allowed {
        left -= amounts[*coalition.get(members)?];
        members += 1;
    }
    coalition.truncate(members);
    coalition.sort_unstable();
    Some(Breach {
        coalition,
        left: kept + left,
        people_left: None,
    })
}

/// A value that can be made to stand out: at most `most` providers leave all its t_v rows and at
/// most `allowed(t_v)` of the others. O(entries + values × providers), for most values O(1).
pub(crate) fn standing_out(
    group: &Shares,
    most: usize,
    allowed: impl Fn(u64) -> Option<u64>,
) -> Option<Breach> {
    let holders = Holders::new(group);
    let least = rest(&mut group.sizes().to_vec(), most);
    let mut others = Vec::new();
    for (value, &(_, count)) in group.values().iter().enumerate() {
        // nobody leaves fewer rows than that, of all values
        let Some(allowed) =
            allowed(count).filter(|&allowed| least.saturating_sub(count) <= allowed)
        else {
            continue;
        };
        others.clear();
        others.extend_from_slice(group.sizes());
        holders
            .of(value)
            .iter()
            .for_each(|&(provider, rows)| others[provider as usize] -= rows);
        if let Some(breach) = leaving(&others, allowed, most, count) {
            return Some(breach);
        }
    }
    None
}

/// Who holds a value: the columns of n_ps.
pub(crate) struct Holders {
    starts: Vec<usize>,
    /// A provider's place and how many rows it has, ascending within a value.
    entries: Vec<(u32, u64)>,
}

impl Holders {
    pub(crate) fn new(group: &Shares) -> Holders {
        let mut starts = vec![0usize; group.values().len() + 1];
        let all = || {
            (0..group.providers())
                .flat_map(|p| group.of(p).iter().map(move |&(v, n)| (p, v as usize, n)))
        };
        all().for_each(|(_, value, _)| starts[value + 1] += 1);
        (1..starts.len()).for_each(|value| starts[value] += starts[value - 1]);
        let mut entries = vec![(0, 0); starts[starts.len() - 1]];
        let mut next = starts.clone();
        for (provider, value, count) in all() {
            entries[next[value]] = (provider as u32, count);
            next[value] += 1;
        }
        Holders { starts, entries }
    }

    /// The value's holders.
    #[inline]
    pub(crate) fn of(&self, value: usize) -> &[(u32, u64)] {
        &self.entries[self.starts[value]..self.starts[value + 1]]
    }

    /// How many rows of a value no coalition of at most `most` can take out: rest_m({s}).
    pub(crate) fn least(&self, value: usize, most: usize) -> u64 {
        rest(
            &mut self
                .of(value)
                .iter()
                .map(|&(_, count)| count)
                .collect::<Vec<_>>(),
            most,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::ProviderId;

    #[test]
    fn removing_the_largest() {
        let amounts = [3, 9, 1, 9];
        assert_eq!(
            [0, 1, 2, 9].map(|n| rest(&mut amounts.to_vec(), n)),
            [22, 13, 4, 0]
        );
        let members = |allowed| leaving(&amounts, allowed, 2, 0).map(|breach| breach.coalition);
        assert_eq!(
            [22, 21, 13].map(members),
            [Some(vec![]), Some(vec![1]), Some(vec![1])]
        );
        assert_eq!(
            [12, 4, 3].map(members),
            [Some(vec![1, 3]), Some(vec![1, 3]), None]
        );
        assert_eq!(
            leaving(&amounts, 1, 9, 0),
            Some(Breach {
                coalition: vec![0, 1, 3],
                left: 1,
                people_left: None,
            })
        );
        assert_eq!(
            leaving(&amounts, 4, 2, 5),
            Some(Breach {
                coalition: vec![1, 3],
                left: 9,
                people_left: None,
            })
        );
        assert_eq!(leaving(&amounts, 4, 1, 5), None);
    }

    #[test]
    fn columns_of_shares() {
        let rows = [(0, 5, 2), (0, 7, 1), (1, 7, 4), (2, 5, 1), (2, 9, 3)];
        let group = Shares::new(
            rows.into_iter()
                .map(|(p, code, n)| (ProviderId(p), Some(code), n)),
        );
        let holders = Holders::new(&group);
        assert_eq!(
            [0, 1, 2].map(|v| holders.of(v)),
            [&[(0, 2), (2, 1)][..], &[(0, 1), (1, 4)], &[(2, 3)]]
        );
        assert_eq!([0, 1, 2].map(|v| holders.least(v, 1)), [1, 1, 0]);
    }
}

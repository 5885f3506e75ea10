//! How much of each value a person has: her rows, or weight 1 spread evenly over S_v.
//!
//! Weights are whole numbers: all are multiplied by the least common multiple of the sizes of the sets
//! that occur in the group. People without any value have no weight.

use super::crowd::Crowd;
use crate::constraint::{GroupCounts, Limit};
use crate::ratio::gcd;
use crate::shares::Shares;
use mingle_model::{Alike, Code, ProviderId};

/// Numbers wider than this are not made.
const BITS: Limit = Limit::IntegerBits(u64::BITS as u64);

/// Amounts of values of each member of a crowd.
pub(crate) struct Weights {
    /// Per member the value's place and what each person has of it, ascending.
    pub of: Vec<Vec<(u32, u64)>>,
}

impl Weights {
    /// Rows, missing values included.
    pub(crate) fn rows(crowd: &Crowd) -> Weights {
        Weights {
            of: crowd.members.iter().map(|m| m.values.clone()).collect(),
        }
    }

    /// Weight 1 over S_v.
    pub(crate) fn people(crowd: &Crowd) -> Result<Weights, Limit> {
        let sizes = crowd.members.iter().map(|m| m.named.len() as u64);
        let common = common_multiple(sizes).ok_or(BITS)?;
        let mut of = Vec::with_capacity(crowd.members.len());
        for member in &crowd.members {
            let each = common / (member.named.len() as u64).max(1);
            of.push(member.named.iter().map(|&value| (value, each)).collect());
        }
        let weights = Weights { of };
        // no sum of some of them is larger than that of all
        weights.total(crowd).ok_or(BITS)?;
        Ok(weights)
    }

    fn total(&self, crowd: &Crowd) -> Option<u64> {
        let mut total = 0u64;
        for (own, member) in self.of.iter().zip(&crowd.members) {
            for &(_, amount) in own {
                total = total.checked_add(amount.checked_mul(member.people)?)?;
            }
        }
        Some(total)
    }

    /// What a member's people have of a value.
    pub(crate) fn amount(&self, member: usize, value: u32) -> u64 {
        let own = &self.of[member];
        let place = own.binary_search_by_key(&value, |&(v, _)| v);
        place.map_or(0, |at| own[at].1)
    }

    /// All people together, by place.
    pub(crate) fn sums(&self, crowd: &Crowd) -> Vec<u64> {
        let mut sums = vec![0; crowd.values()];
        for (own, member) in self.of.iter().zip(&crowd.members) {
            for &(value, amount) in own {
                sums[value as usize] += amount * member.people;
            }
        }
        sums
    }

    /// As if every value of a person could be taken out by itself: everything that a coalition of
    /// people reaches is within reach of one of rows. Shared people stand at a provider of their own,
    /// which comes last.
    pub(crate) fn shares(&self, crowd: &Crowd) -> Shares {
        let nobody = ProviderId(u32::MAX);
        let members = crowd.members.iter().zip(&self.of);
        Shares::new(members.flat_map(|(member, own)| {
            let provider = match member.known_to[..] {
                [only] => crowd.providers[only as usize],
                _ => nobody,
            };
            own.iter().map(move |&(value, amount)| {
                let code = crowd.codes[value as usize];
                (provider, Some(code), amount * member.people)
            })
        }))
    }
}

/// Sums by place as a constraint sees them.
pub(crate) fn present(crowd: &Crowd, sums: &[u64]) -> Vec<(Code, u64)> {
    let values = crowd.codes.iter().copied().zip(sums.iter().copied());
    values.filter(|&(_, sum)| sum > 0).collect()
}

/// The same as counts of a group.
pub(crate) fn counts(values: &[(Code, u64)]) -> GroupCounts<'_> {
    GroupCounts {
        size: values.iter().map(|&(_, count)| count).sum(),
        values,
    }
}

/// How much weight each value has among all these people, by code, where `named` says which values a
/// person has; `None` where that does not fit.
pub(crate) fn scaled_counts<'a>(
    people: impl Iterator<Item = Alike<'a>> + Clone,
    named: impl Fn(&Alike<'a>) -> Vec<Code>,
    codes: usize,
) -> Option<Vec<u64>> {
    let sizes = people.clone().map(|alike| named(&alike).len() as u64);
    let common = common_multiple(sizes)?;
    let mut counts = vec![0u64; codes];
    let mut total = 0u64;
    for alike in people {
        let own = named(&alike);
        for &code in &own {
            let amount = (common / own.len() as u64).checked_mul(alike.people)?;
            total = total.checked_add(amount)?;
            counts[code as usize] += amount;
        }
    }
    Some(counts)
}

pub(super) fn common_multiple(sizes: impl Iterator<Item = u64>) -> Option<u64> {
    let mut common = 1u64;
    for size in sizes.filter(|&size| size > 1) {
        if !common.is_multiple_of(size) {
            common = common.checked_mul(size / gcd(common, size))?;
        }
    }
    Some(common)
}

//! Who holds what within a group: the numbers n_ps that coalitions are made of.
//!
//! Only providers that contribute appear, in order of their names, and are called by their place
//! among them. Values are called by their place among the values that are present. Sparse: cost
//! O(entries).

use crate::constraint::GroupCounts;
use crate::tally::{Holding, Tally};
use mingle_model::{Code, ProviderId};

/// A group's rows of one attribute by provider.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    size: u64,
    providers: Vec<ProviderId>,
    /// Rows per provider, T_p.
    sizes: Vec<u64>,
    /// `entries[starts[p]..starts[p + 1]]` belong to provider `p`; empty without an attribute.
    starts: Vec<usize>,
    /// A value's place and how often it occurs, ascending.
    entries: Vec<(u32, u64)>,
    /// The values with how often each occurs in the whole group, t_s.
    values: Vec<(Code, u64)>,
    /// How many providers hold each value.
    holders: Vec<u32>,
}

impl Shares {
    /// From provider, value and how often, in any order; `None` as a value where only sizes matter.
    pub fn new(rows: impl Iterator<Item = (ProviderId, Option<Code>, u64)>) -> Shares {
        let mut with_attribute = false;
        let mut holdings: Vec<(Holding, u64)> = rows
            .filter(|&(_, _, count)| count > 0)
            .map(|(provider, code, count)| {
                with_attribute |= code.is_some();
                (Holding::new(provider, code.unwrap_or(0)), count)
            })
            .collect();
        add_up(&mut holdings);
        let mut values: Vec<(Code, u64)> = if with_attribute {
            holdings
                .iter()
                .map(|&(holding, count)| (holding.code(), count))
                .collect()
        } else {
            Vec::new()
        };
        add_up(&mut values);
        let mut shares = Shares::default();
        shares.fill(&holdings, &values);
        shares
    }

    /// The rows of a tally as the n-th attribute sees them, or without one; into memory that is
    /// used again.
    pub(crate) fn refill(&mut self, tally: &Tally, attribute: Option<usize>) {
        let values = attribute.map_or(&[][..], |a| &tally.counts[a]);
        self.fill(&tally.shares[attribute.unwrap_or(0)], values);
    }

    fn fill(&mut self, holdings: &[(Holding, u64)], values: &[(Code, u64)]) {
        self.providers.clear();
        self.sizes.clear();
        self.starts.clear();
        self.entries.clear();
        self.values.clear();
        self.values.extend_from_slice(values);
        self.holders.clear();
        self.holders.resize(values.len(), 0);
        if !values.is_empty() {
            self.entries.reserve(holdings.len());
        }
        // most groups have few providers; more are left to growing
        let providers = holdings.len().min(32);
        self.providers.reserve(providers);
        self.sizes.reserve(providers);
        self.starts.reserve(providers + 1);
        let first = values.first().map_or(0, |value| value.0);
        let gapless = values
            .last()
            .is_some_and(|last| (last.0 - first) as usize + 1 == values.len());
        let mut place = 0;
        for &(holding, count) in holdings {
            if self.providers.last() != Some(&holding.provider()) {
                self.providers.push(holding.provider());
                self.sizes.push(0);
                self.starts.push(self.entries.len());
                place = 0;
            }
            *self.sizes.last_mut().expect("a provider was just pushed") += count;
            if gapless {
                place = (holding.code() - first) as usize;
            } else if values.is_empty() {
                continue;
            } else {
                // codes ascend within a provider, as they do among the values
                while values[place].0 != holding.code() {
                    place += 1;
                }
            }
            self.entries.push((place as u32, count));
            self.holders[place] += 1;
        }
        self.starts.push(self.entries.len());
        self.size = self.sizes.iter().sum();
    }

    /// Rows of the group, N_G.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Contributing providers, n_G.
    pub fn providers(&self) -> usize {
        self.providers.len()
    }

    /// Who stands at this place.
    pub fn provider(&self, place: usize) -> ProviderId {
        self.providers[place]
    }

    /// Rows of each provider, T_p.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// The values present with their counts, t_s; empty without an attribute.
    pub fn values(&self) -> &[(Code, u64)] {
        &self.values
    }

    /// How many providers hold each value, by its place.
    pub fn holders(&self) -> &[u32] {
        &self.holders
    }

    /// A provider's values by place, with how often each occurs, n_ps.
    pub fn of(&self, provider: usize) -> &[(u32, u64)] {
        &self.entries[self.starts[provider]..self.starts[provider + 1]]
    }

    /// The group as a constraint sees it when nobody takes anything out.
    pub fn counts(&self) -> GroupCounts<'_> {
        GroupCounts {
            size: self.size,
            values: &self.values,
        }
    }
}

/// Sorts by key and adds up what has the same.
pub(crate) fn add_up<K: Copy + Ord>(values: &mut Vec<(K, u64)>) {
    values.sort_unstable_by_key(|&(key, _)| key);
    values.dedup_by(|later, first| {
        let same = later.0 == first.0;
        first.1 += if same { later.1 } else { 0 };
        same
    });
}

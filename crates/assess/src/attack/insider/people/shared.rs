//! Shared people: what a coalition learns about people it has in common with others.
//!
//! A person is *shared* with a coalition if members have rows of hers and others have, too. The
//! members knew their own rows; what is new to them is a value in a row of another provider that
//! none of their own rows of hers has. Two readers stand side by side, since neither is simply
//! stronger:
//!
//! * [`Knows::People`]: they recognise all her rows, so they *learn* every new value.
//! * [`Knows::Rows`]: they cannot tell which of the others' rows are hers. They are *certain* of a
//!   new value only if everybody has it who is left when they have taken out what is theirs, people
//!   without any value passed over.
//!
//! Nothing that is promised bounds the first: `knows = "people"` gives shared people up as victims,
//! and says so. With rows apart, a person is counted in each group in which she is shared. Cost:
//! coalitions × entries; where that exceeds [`VISITS`], only coalitions of the providers with most
//! shared people are looked at, and [`SharedWithCoalitions::exact`] says so.

use super::{GroupKind, GroupPeople, contains};
use crate::attack::insider::worst::VISITS;
use mingle_model::{ProviderId, Published};
use mingle_privacy::Knows;
use rayon::prelude::*;
use std::cmp::Reverse;

/// What coalitions learn about people they share with others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SharedPeople {
    /// People with rows of several providers in one group.
    pub people: u64,
    /// The coalitions that learn most, by size from 1.
    pub sizes: Vec<SharedWithCoalitions>,
}

/// The coalitions of one size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SharedWithCoalitions {
    /// The number of members.
    pub size: u64,
    /// Whether all coalitions of this size were looked at.
    pub exact: bool,
    /// Those that share people with others, and whose members all matter: who learns about most
    /// first, then who is certain of most, then who shares most, then by name.
    pub coalitions: Vec<SharedWith>,
}

/// What one coalition learns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SharedWith {
    /// Its members, in order of their names.
    pub members: Vec<ProviderId>,
    /// People it shares with others.
    pub people: u64,
    /// Rows of theirs that others contributed.
    pub rows: u64,
    /// By sensitive column, people of whom it learns a value if it recognises their rows.
    pub learnt_in: Vec<u64>,
    /// The same in any column.
    pub learnt: u64,
    /// People of whom it is certain of a new value although it recognises its own rows only.
    pub certain: u64,
}

impl SharedWith {
    fn rank(&self) -> (Reverse<(u64, u64, u64)>, &[ProviderId]) {
        let most = (self.learnt, self.certain, self.people);
        (Reverse(most), &self.members)
    }
}

/// What coalitions of up to `up_to` members learn, `named` of each size. `None` where nobody has
/// several rows.
pub fn shared_people(published: &Published, up_to: u64, named: usize) -> Option<SharedPeople> {
    let people = published.people()?;
    let mut groups: Vec<GroupPeople> = Vec::new();
    let mut entries = 0;
    for group in 0..published.groups() {
        let mut own = GroupPeople::new(published, people, group, Knows::Rows);
        entries += own.kinds.len();
        // people of one provider are looked at in groups with shared ones only
        if own.kinds.iter().any(|kind| kind.known_to.len() > 1) {
            own.providers.clear();
            groups.push(own);
        }
    }
    let mut shared = SharedPeople::default();
    let mut by_provider = vec![0u64; published.providers().len()];
    for kind in groups.iter().flat_map(|group| &group.kinds) {
        if kind.known_to.len() > 1 {
            shared.people += kind.people;
            for provider in &kind.known_to {
                by_provider[provider.0 as usize] += kind.people;
            }
        }
    }
    let mut candidates: Vec<ProviderId> = (0..by_provider.len() as u32).map(ProviderId).collect();
    candidates.sort_by_key(|provider| Reverse(by_provider[provider.0 as usize]));
    for size in 1..=up_to {
        let looked_at = affordable(candidates.len(), size, entries);
        let mut some = candidates[..looked_at].to_vec();
        some.sort_unstable();
        let coalitions = subsets_of_size(&some, size as usize);
        let mut found: Vec<SharedWith> = coalitions
            .into_par_iter()
            .map(|members| shared_with(&groups, members, published.sensitive().len()))
            .filter(|found| found.people > 0)
            .collect();
        found.sort_by(|a, b| a.rank().cmp(&b.rank()));
        let found = those_in_which_everybody_matters(&groups, found, named);
        shared.sizes.push(SharedWithCoalitions {
            size,
            exact: looked_at == candidates.len(),
            coalitions: found,
        });
    }
    Some(shared)
}

/// The first of these without whose members, any one of them, less would be learnt.
fn those_in_which_everybody_matters(
    groups: &[GroupPeople],
    ranked: Vec<SharedWith>,
    named: usize,
) -> Vec<SharedWith> {
    let mut kept = Vec::new();
    for coalition in ranked {
        if kept.len() == named {
            break;
        }
        let columns = coalition.learnt_in.len();
        let matters = |member: usize| {
            let mut fewer = coalition.members.clone();
            fewer.remove(member);
            let fewer = shared_with(groups, fewer, columns);
            fewer.people < coalition.people
                || fewer.learnt < coalition.learnt
                || fewer.certain < coalition.certain
        };
        if (0..coalition.members.len()).all(matters) {
            kept.push(coalition);
        }
    }
    kept
}

/// Of how many providers all coalitions of a size can be looked at.
fn affordable(providers: usize, size: u64, entries: usize) -> usize {
    let mut number = providers;
    while number > size as usize {
        let mut coalitions = 1.0;
        for i in 0..size {
            coalitions *= (number as f64 - i as f64) / (i + 1) as f64;
        }
        if coalitions * entries as f64 <= VISITS {
            break;
        }
        number -= 1;
    }
    number
}

fn subsets_of_size(of: &[ProviderId], size: usize) -> Vec<Vec<ProviderId>> {
    let mut all: Vec<Vec<ProviderId>> = vec![Vec::new()];
    for _ in 0..size {
        let mut larger = Vec::new();
        for smaller in &all {
            for &next in of {
                if smaller.last().is_none_or(|last| *last < next) {
                    larger.push([smaller.as_slice(), &[next]].concat());
                }
            }
        }
        all = larger;
    }
    all
}

fn shared_with(groups: &[GroupPeople], members: Vec<ProviderId>, columns: usize) -> SharedWith {
    let mut found = SharedWith {
        learnt_in: vec![0; columns],
        ..SharedWith::default()
    };
    for group in groups {
        let is_shared = |kind: &&GroupKind| {
            let inside = kind.known_to.iter().filter(|p| contains(&members, **p));
            (1..kind.known_to.len()).contains(&inside.count())
        };
        let mut shared = group.kinds.iter().filter(is_shared).peekable();
        if shared.peek().is_none() {
            continue;
        }
        let mut of_everybody: Vec<Vec<u32>> = Vec::new();
        for column in 0..columns {
            of_everybody.push(group.values_of_everybody(column, &members));
        }
        for kind in shared {
            found.people += kind.people;
            found.rows += kind.people * rows_of_others(kind, &members);
            let (mut learns, mut is_certain) = (false, false);
            for (column, everybody) in of_everybody.iter().enumerate() {
                let values = &kind.values[column];
                let is_new = |code: &&u32| {
                    let holders = values.holders(**code);
                    holders.iter().all(|p| !contains(&members, *p))
                };
                let mut new = values.codes.iter().filter(is_new).peekable();
                if new.peek().is_some() {
                    learns = true;
                    found.learnt_in[column] += kind.people;
                }
                is_certain |= new.any(|code| everybody.contains(code));
            }
            found.learnt += if learns { kind.people } else { 0 };
            found.certain += if is_certain { kind.people } else { 0 };
        }
    }
    found.members = members;
    found
}

fn rows_of_others(kind: &GroupKind, members: &[ProviderId]) -> u64 {
    let others = kind.rows_of.iter().filter(|(p, _)| !contains(members, *p));
    others.map(|&(_, rows)| rows).sum()
}

//! The insider's view: what providers learn about others' records by taking out their own.
//!
//! **The adversary** is a coalition of providers. It reads the release, and it knows which
//! published rows of a group are its own, because it contributed them. Taking them out leaves rows
//! of the others. It also knows, as any neighbour may, that a certain person of another provider is
//! in that group. A coalition leaves out at least one contributor of a group, the victim (see
//! [`mingle_privacy::Insiders`]): whoever contributed the whole group learns about nobody. The
//! coalition of size 0 is the outsider.
//!
//! **The measures**, for coalitions of at most c members, where each row is one person. What they
//! are for people who have several rows is in `people.rs`.
//!
//! * A group *falls* if one of these coalitions can make a promised constraint fail by taking out
//!   some or all of its rows. [`ExposureToCoalitions::records`] are all rows of such groups.
//! * A record is exposed to *identity disclosure* if one of these coalitions, without its provider,
//!   leaves exactly this one record: the published row is then known to be that person's. All other
//!   contributors have to collude.
//! * A record is exposed to *attribute disclosure*, in a sensitive column, if one of these
//!   coalitions, without its provider, leaves records with one value only, and it has this value.
//!   Missing values say nothing: they neither hide the one value nor are disclosed.
//!
//! Disclosure is about certainty and independent of what was promised. Every record is counted
//! once, however many coalitions expose it; for each record the smallest coalition is known exactly
//! (see [`disclosure`]), so these figures are exact. Whether a group falls is decided by
//! [`mingle_privacy::smallest_coalition`]; where that search is cut short, the group counts as
//! undecided for the sizes that stay open.
//!
//! Not played here: readers who know rows that they did not contribute, several releases side by
//! side, and what labels give away beside the counts, which is what [`ends`] is about.
//!
//! Cost: O(entries log entries) for disclosure, what the constraints need to decide for falls, and
//! see [`worst`].

pub mod chosen;
pub mod disclosure;
pub mod ends;
mod fall;
mod inference;
mod people;
mod told;
pub mod worst;

pub use fall::{Breached, Fall};
pub use inference::{Inference, Learnt, PeopleInferred};
pub use people::disclosure::PeopleDisclosure;
pub use people::shared::{SharedPeople, SharedWith, SharedWithCoalitions, shared_people};
pub use told::ToldLabels;

use disclosure::Disclosure;
use fall::Promised;
use mingle_model::{ProviderId, Published};
use mingle_privacy::{Error, Knows, Promise};
use rayon::prelude::*;
use worst::{RowGroups, Worst};

/// How far to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InsiderOptions {
    /// The largest coalition; at most all providers but one are played.
    pub up_to: u64,
    /// The largest size for which the worst coalitions are named.
    pub name_up_to: u64,
    /// How many of each size are named.
    pub named: usize,
    /// What coalitions know of people who have several rows.
    pub knows: Knows,
}

/// What insiders can do to a published table.
#[derive(Debug)]
pub struct Insider {
    /// By size of the coalition, from 0.
    pub exposure: Vec<ExposureToCoalitions>,
    /// By group, in published order.
    pub groups: Vec<GroupAttack>,
    /// The worst coalitions, by size from 1.
    pub worst: Vec<Worst>,
    /// What one of the smallest coalitions learns that learns anything.
    pub inference: Option<Inference>,
}

/// What coalitions of at most so many members can do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExposureToCoalitions {
    /// The number of members, c.
    pub size: u64,
    /// How many groups fall.
    pub groups: u64,
    /// How many groups may fall as well: a search was cut short.
    pub undecided: u64,
    /// How many rows the groups that fall have.
    pub rows: u64,
    /// How many people: as many as rows where each row is one person.
    pub records: u64,
    /// People exposed to identity disclosure.
    pub identity: u64,
    /// People exposed to attribute disclosure, by sensitive column.
    pub attribute: Vec<u64>,
    /// People exposed to either.
    pub exposed: u64,
}

/// What it takes to attack one group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupAttack {
    /// How many rows it has.
    pub records: u64,
    /// How many people: as many as rows where each row is one person.
    pub people: u64,
    /// How many providers contributed them.
    pub providers: usize,
    /// What it takes to break a promise.
    pub fall: Fall,
    /// What it takes to expose its people.
    pub disclosure: Disclosure,
    /// Who exposes them, where they may have several rows.
    pub of_people: Option<PeopleDisclosure>,
}

impl GroupAttack {
    /// The size of the smallest coalition that breaks a promise or exposes a record.
    pub fn smallest(&self) -> Option<u64> {
        [
            self.fall.size(),
            self.disclosure.identity_size(),
            self.disclosure.attribute_size(),
        ]
        .into_iter()
        .flatten()
        .min()
    }
}

/// Plays coalitions against every group.
///
/// The published table must say who contributed each row; without that there are no insiders to
/// play.
pub fn play(
    published: &Published,
    promises: &[Promise],
    options: InsiderOptions,
) -> Result<Insider, Error> {
    let up_to = options
        .up_to
        .min((published.providers().len() as u64).saturating_sub(1));
    let options = InsiderOptions {
        up_to,
        name_up_to: options.name_up_to.min(up_to),
        ..options
    };
    if published.people().is_some() {
        // taking out rows is not taking out people
        return people::play(published, promises, options);
    }
    let promised = Promised::new(published, promises)?;
    let group = |group: usize| GroupAttack {
        records: published.size(group),
        people: published.size(group),
        providers: contributors(published, group).len(),
        fall: promised.fall(group, up_to),
        disclosure: Disclosure::new(published, group),
        of_people: None,
    };
    let groups: Vec<GroupAttack> = (0..published.groups()).into_par_iter().map(group).collect();
    let played = RowGroups {
        promised: &promised,
        groups: &groups,
    };
    Ok(Insider {
        exposure: exposure(&groups, up_to, published.sensitive().len()),
        worst: worst::coalitions(&played, options),
        inference: inference::smallest(&promised, &groups, up_to),
        groups,
    })
}

/// Who contributed to a group, in order of their names.
fn contributors(published: &Published, group: usize) -> Vec<ProviderId> {
    let mut providers: Vec<ProviderId> = published
        .entries(group)
        .iter()
        .map(|entry| entry.provider)
        .collect();
    providers.sort_unstable();
    providers.dedup();
    providers
}

/// Adds up what happens first at each size, then over the sizes: what a coalition can do, a larger
/// one can.
fn exposure(groups: &[GroupAttack], up_to: u64, columns: usize) -> Vec<ExposureToCoalitions> {
    let nothing = ExposureToCoalitions {
        attribute: vec![0; columns],
        ..ExposureToCoalitions::default()
    };
    let mut sizes: Vec<ExposureToCoalitions> = (0..=up_to)
        .map(|size| ExposureToCoalitions {
            size,
            ..nothing.clone()
        })
        .collect();
    let mut opened = vec![0u64; sizes.len() + 1];
    let mut closed = opened.clone();
    for group in groups {
        if let Some(first) = sizes.get_mut(place(group.fall.size())) {
            first.groups += 1;
            first.rows += group.records;
            first.records += group.people;
        }
        if let Some(open) = group.fall.open_from {
            opened[place(Some(open)).min(sizes.len())] += 1;
            closed[place(group.fall.size()).min(sizes.len())] += 1;
        }
        group.disclosure.add_to(&mut sizes);
    }
    let mut open = 0;
    for at in 0..sizes.len() {
        open = open + opened[at] - closed[at];
        let (smaller, rest) = sizes.split_at_mut(at);
        rest[0].undecided = open;
        smaller
            .last()
            .into_iter()
            .for_each(|smaller| rest[0].add(smaller));
    }
    sizes
}

/// Where a size stands; nowhere if there is none.
fn place(size: Option<u64>) -> usize {
    size.and_then(|size| usize::try_from(size).ok())
        .unwrap_or(usize::MAX)
}

impl ExposureToCoalitions {
    fn add(&mut self, smaller: &ExposureToCoalitions) {
        self.groups += smaller.groups;
        self.rows += smaller.rows;
        self.records += smaller.records;
        self.identity += smaller.identity;
        self.attribute
            .iter_mut()
            .zip(&smaller.attribute)
            .for_each(|(mine, theirs)| *mine += theirs);
        self.exposed += smaller.exposed;
    }
}

#[cfg(test)]
mod tests;

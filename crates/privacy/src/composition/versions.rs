//! Versions: successive releases of one table that changes, and what they say together.
//!
//! Between versions people are inserted and deleted. A reader who knows everybody's
//! quasi-identifiers, who is in which version and in which group, draws two conclusions.
//!
//! * **Intersection**: a person who is in several versions has a value that all of their groups
//!   hold.
//! * **Difference**: link the groups of two versions that share people. In a component C of this
//!   graph those who stayed cancel out, so
//!   `values(after, C) - values(before, C) = values(inserted) - values(deleted)` as multisets. Let
//!   P be the positive and N the negative part. If |P| is the number of people who were inserted,
//!   nothing of theirs cancelled against what was deleted: their values are exactly P, and each has
//!   one that is in P and in the own group. Otherwise what is not in P cancelled against a deleted
//!   person's value, so it is held by a group that somebody was deleted from. The same for the
//!   deleted, with N and the version before. A person inserted into a group that is otherwise
//!   unchanged is a perfect breach.
//!
//! [`replay`] draws both for every person and every pair of versions, intersects what they leave,
//! and decides [`CompositionLimits`] for the result. Deleted people are targets although they are
//! not in the last version.
//!
//! Assumptions: each row is one person; those who stay keep their value. Where a value changed, the
//! person is taken for one that was deleted with the old value and another that was inserted with
//! the new one, so that the sums are right; what a reader learns of these two who knows that the
//! value changed is counted apart and no limit applies to it. A row that was suppressed is not in
//! the version.
//!
//! What is not seen: conclusions that need three versions at once, or several groups of a component
//! weighed against one another, or others' values that are already known (deciding all of that is
//! as hard as completing three-dimensional tables). What is concluded is always true: the true
//! value is never ruled out.
//!
//! Cost: per pair of versions one pass over their people and groups; memory for the values left of
//! every person.

mod clues;
mod difference;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;

use super::audit::Exposure;
use super::error::Error;
use super::limits::CompositionLimits;
use super::overlay::Found;
use clues::{Clues, Left, Lives};
use std::cmp::Reverse;

/// A row of a version: whose, with which value, in which group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// What tells people apart, the same in all versions.
    pub person: u128,
    /// The sensitive value's number, the same in all versions.
    pub value: u32,
    /// The group's number in this version.
    pub group: u32,
}

/// One version of the table, for one sensitive attribute. No `Debug`: it has values.
pub struct Version {
    /// By person.
    members: Vec<Member>,
    starts: Vec<usize>,
    /// Per group its values, ascending, with how many people have them.
    held: Vec<(u32, u64)>,
}

impl Version {
    /// The members of `groups` groups; nobody is there twice.
    pub fn new(groups: usize, mut members: Vec<Member>) -> Result<Version, Error> {
        members.sort_unstable();
        let twice = members
            .windows(2)
            .any(|pair| pair[0].person == pair[1].person);
        if twice || members.iter().any(|m| m.group as usize >= groups) {
            return Err(Error::NotAVersion);
        }
        let mut values: Vec<(u32, u32)> = members.iter().map(|m| (m.group, m.value)).collect();
        values.sort_unstable();
        let (mut starts, mut held) = (vec![0], Vec::new());
        for alike in values.chunk_by(|a, b| a == b) {
            let (group, value) = alike[0];
            starts.resize(group as usize + 1, held.len());
            held.push((value, alike.len() as u64));
        }
        starts.resize(groups + 1, held.len());
        Ok(Version {
            members,
            starts,
            held,
        })
    }

    /// The members, by person.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// A group's values, ascending, with how many people have them.
    pub fn held(&self, group: u32) -> &[(u32, u64)] {
        &self.held[self.starts[group as usize]..self.starts[group as usize + 1]]
    }
}

/// What became of a person between two versions.
pub(super) enum Fate<'v> {
    /// In both, with the same value.
    Stayed(&'v Member, &'v Member),
    /// In both, with another value.
    Changed(&'v Member, &'v Member),
    /// Only in the later one.
    Inserted(&'v Member),
    /// Only in the earlier one.
    Deleted(&'v Member),
}

/// What became of everybody.
pub(super) fn fates<'v>(before: &'v Version, after: &'v Version) -> impl Iterator<Item = Fate<'v>> {
    let (mut old, mut new) = (
        before.members.iter().peekable(),
        after.members.iter().peekable(),
    );
    std::iter::from_fn(move || {
        let order = match (old.peek(), new.peek()) {
            (Some(was), Some(is)) => was.person.cmp(&is.person),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, _) => std::cmp::Ordering::Greater,
        };
        match order {
            std::cmp::Ordering::Less => old.next().map(Fate::Deleted),
            std::cmp::Ordering::Greater => new.next().map(Fate::Inserted),
            std::cmp::Ordering::Equal => match (old.next()?, new.next()?) {
                (was, is) if was.value == is.value => Some(Fate::Stayed(was, is)),
                (was, is) => Some(Fate::Changed(was, is)),
            },
        }
    })
}

/// How many people had which fate between two versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// In both, with the same value.
    pub stayed: u64,
    /// In both, with another value.
    pub changed: u64,
    /// Only in the later one.
    pub inserted: u64,
    /// Only in the earlier one.
    pub deleted: u64,
}

impl Changes {
    /// Counts them.
    pub fn between(before: &Version, after: &Version) -> Changes {
        let mut changes = Changes::default();
        fates(before, after).for_each(|fate| match fate {
            Fate::Stayed(..) => changes.stayed += 1,
            Fate::Changed(..) => changes.changed += 1,
            Fate::Inserted(_) => changes.inserted += 1,
            Fate::Deleted(_) => changes.deleted += 1,
        });
        changes
    }
}

/// What a reader of all versions finds out. Targets are all people of any version; *already* is
/// what all versions but the last say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Replay {
    /// By intersection alone.
    pub intersection: Exposure,
    /// By difference alone.
    pub difference: Exposure,
    /// By both: what the limits are decided for.
    pub together: Exposure,
    /// People whose value changed between some versions.
    pub changed: u64,
    /// Of these, those of whom a single value is left, of the time before or after the change, for
    /// a reader who knows that it changed. No limit applies to them.
    pub changed_perfect: u64,
    /// The groups of the last version by which somebody has too few values left who had more
    /// before, ascending.
    pub groups: Vec<u32>,
    /// Whether the limits hold.
    pub holds: bool,
}

/// Plays the reader of all versions, the oldest first.
pub fn replay(versions: &[&Version], limits: &CompositionLimits) -> Replay {
    let Some((last, earlier)) = versions.split_last() else {
        return Replay {
            holds: true,
            ..Replay::default()
        };
    };
    let lives = Lives::new(versions);
    let mut clues = Clues::new(&lives);
    earlier.iter().enumerate().for_each(|(at, version)| {
        earlier[..at]
            .iter()
            .for_each(|before| drop(clues.compare(before, version)));
        clues.meet(version);
    });
    let already = clues.left();
    let components: Vec<_> = earlier
        .iter()
        .map(|before| clues.compare(before, last))
        .collect();
    clues.meet(last);
    let now = clues.left();

    let mut found = Replay::default();
    for people in lives.by_person() {
        let exposures = [
            &mut found.intersection,
            &mut found.difference,
            &mut found.together,
        ];
        for (kind, exposure) in exposures.into_iter().enumerate() {
            count(
                exposure,
                people
                    .clone()
                    .map(|life| (now[life][kind], already[life][kind])),
                limits,
            );
        }
        found.changed += u64::from(people.len() > 1);
        found.changed_perfect += u64::from(
            people
                .clone()
                .any(|life| clues.change_left(life) == Some(1)),
        );
    }
    let too_few = |life: usize| {
        let (now, already) = (now[life][Left::TOGETHER], already[life][Left::TOGETHER]);
        now.composed && now.values < limits.fewest() && now.values < already.values
    };
    let mut involved = vec![false; last.groups()];
    for member in last.members().iter().filter(|m| too_few(lives.find(m))) {
        involved[member.group as usize] = true;
    }
    for (before, component) in earlier.iter().zip(&components) {
        let deleted = fates(before, last).filter_map(|fate| match fate {
            Fate::Deleted(member) if too_few(lives.find(member)) => Some(member.group),
            _ => None,
        });
        component.mark(deleted, &mut involved);
    }
    found.groups = (0..)
        .zip(involved)
        .filter(|(_, involved)| *involved)
        .map(|(group, _)| group)
        .collect();
    found.holds = limits.hold(&found.together);
    found
}

/// Adds a person: the value of whom least is left counts, and among equals the one of whom more was
/// left before.
fn count(
    exposure: &mut Exposure,
    lives: impl Iterator<Item = (Left, Left)>,
    limits: &CompositionLimits,
) {
    let worst =
        lives.min_by_key(|(now, already)| (!now.composed, now.values, Reverse(already.values)));
    let Some((now, already)) = worst else { return };
    let found = Found {
        releases: 1 + u32::from(now.composed),
        prior: now.prior,
        posterior: now.values,
    };
    exposure.add(&found, 1, already.values, limits);
}

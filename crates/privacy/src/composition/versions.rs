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
//! **People with several rows.** Between versions of one table somebody's rows stay and others join
//! them: her set of values grows, so her values are never intersected as if one stayed. What holds
//! is about rows. The reader is taken to know in addition how many rows everybody has in each
//! version. Rows of hers that came with the same version are a *bundle*; a bundle of r rows is in
//! her group of that version and of every later one, and is new to every version before. So
//!
//! * each group bounds how many rows of the bundle may have a value: no more than it holds;
//! * each difference does: no more than came with the component, and of rows that cancelled no more
//!   than these;
//! * the bounds c(x) of all clues together leave this: whoever names a set L of values with
//!   sum of c(x) outside L < r knows that she has one of them, for the r rows do not fit outside.
//!
//! The fewest such values are what is *left* of the bundle; with one row a person, the values that
//! are left. Where rows of hers are gone, what is left is told apart as a change of value is. Who
//! links rows within a version is not played: the promises of each version over people bound that
//! reader, one version at a time.
//!
//! Assumptions: each row is one person or says whose it is, and all rows of a person are in one
//! group; those who stay keep their value. Where a value changed, the
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
//! every bundle.

mod clues;
mod difference;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod people_tests;
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
    /// By person, then by value.
    members: Vec<Member>,
    /// Where the rows of each person end.
    person_ends: Vec<usize>,
    starts: Vec<usize>,
    /// Per group its values, ascending, with how many rows have them.
    held: Vec<(u32, u64)>,
}

/// Somebody's rows in a version.
#[derive(Clone, Copy)]
pub(super) struct PersonRows<'v> {
    /// What tells people apart.
    pub person: u128,
    /// Her place among the version's people.
    pub place: usize,
    /// Her group.
    pub group: u32,
    /// By value.
    pub rows: &'v [Member],
}

impl Version {
    /// The members of `groups` groups; all rows of a person are in the same one.
    pub fn new(groups: usize, mut members: Vec<Member>) -> Result<Version, Error> {
        members.sort_unstable();
        let mut person_ends = Vec::new();
        for own in members.chunk_by(|a, b| a.person == b.person) {
            person_ends.push(person_ends.last().copied().unwrap_or(0) + own.len());
            let is_in =
                |member: &Member| member.group == own[0].group && (member.group as usize) < groups;
            if !own.iter().all(is_in) {
                return Err(Error::NotAVersion);
            }
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
            person_ends,
            starts,
            held,
        })
    }

    /// The rows, by person.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// How many people there are.
    pub fn people(&self) -> usize {
        self.person_ends.len()
    }

    /// Somebody's rows, by her place among the people.
    pub(super) fn person(&self, place: usize) -> PersonRows<'_> {
        let start = place
            .checked_sub(1)
            .map_or(0, |before| self.person_ends[before]);
        let rows = &self.members[start..self.person_ends[place]];
        PersonRows {
            person: rows[0].person,
            place,
            group: rows[0].group,
            rows,
        }
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// A group's values, ascending, with how many rows have them.
    pub fn held(&self, group: u32) -> &[(u32, u64)] {
        &self.held[self.starts[group as usize]..self.starts[group as usize + 1]]
    }
}

/// Whether all values of the first rows, each as often, are among those of the second.
pub(super) fn contains(few: &[Member], many: &[Member]) -> bool {
    let mut many = many.iter();
    few.iter()
        .all(|row| many.by_ref().any(|other| other.value == row.value))
}

/// What became of a person between two versions.
pub(super) enum Fate<'v> {
    /// In both, with the same rows and perhaps more.
    Stayed(PersonRows<'v>, PersonRows<'v>),
    /// In both, and rows are gone or have another value.
    Changed(PersonRows<'v>, PersonRows<'v>),
    /// Only in the later one.
    Inserted(PersonRows<'v>),
    /// Only in the earlier one.
    Deleted(PersonRows<'v>),
}

/// What became of everybody.
pub(super) fn fates<'v>(before: &'v Version, after: &'v Version) -> impl Iterator<Item = Fate<'v>> {
    let (mut old, mut new) = (
        (0..before.people())
            .map(|place| before.person(place))
            .peekable(),
        (0..after.people())
            .map(|place| after.person(place))
            .peekable(),
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
                (was, is) if contains(was.rows, is.rows) => Some(Fate::Stayed(was, is)),
                (was, is) => Some(Fate::Changed(was, is)),
            },
        }
    })
}

/// How many people had which fate between two versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// In both, with the same value; of several rows none is gone.
    pub stayed: u64,
    /// Of these, those who have more rows now.
    pub grown: u64,
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
            Fate::Stayed(was, is) => {
                changes.stayed += 1;
                changes.grown += u64::from(is.rows.len() > was.rows.len());
            }
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
    let (last_at, lives) = (earlier.len(), Lives::new(versions));
    let mut clues = Clues::new(versions, &lives);
    for at in 0..last_at {
        for before in 0..at {
            clues.compare(before, at);
        }
        clues.meet(at);
    }
    let already = clues.left();
    let components: Vec<_> = (0..last_at)
        .map(|before| clues.compare(before, last_at))
        .collect();
    clues.meet(last_at);
    let now = clues.left();

    let mut found = Replay::default();
    for (bundles, has_changed) in lives.by_person() {
        let exposures = [
            &mut found.intersection,
            &mut found.difference,
            &mut found.together,
        ];
        for (kind, exposure) in exposures.into_iter().enumerate() {
            let left = |bundle: usize| (now[bundle][kind], already[bundle][kind]);
            count(exposure, bundles.clone().map(left), limits);
        }
        found.changed += u64::from(has_changed);
        let told = |bundle: usize| clues.change_left(bundle) == Some(1);
        found.changed_perfect += u64::from(bundles.clone().any(told));
    }
    let too_few = |bundle: usize| {
        let (now, already) = (now[bundle][Left::TOGETHER], already[bundle][Left::TOGETHER]);
        now.composed && now.values < limits.fewest() && now.values < already.values
    };
    let exposed = |version: usize, place: usize| {
        let life = lives.life_of(version, place);
        lives.bundles(life, 0..version + 1).any(too_few)
    };
    let mut involved = vec![false; last.groups()];
    for place in 0..last.people() {
        involved[last.person(place).group as usize] |= exposed(last_at, place);
    }
    for (before, component) in components.iter().enumerate() {
        let deleted = fates(earlier[before], last).filter_map(|fate| match fate {
            Fate::Deleted(was) if exposed(before, was.place) => Some(was.group),
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

/// Adds a person: the bundle of which least is left counts, and among equals the one of which more
/// was left before.
fn count(
    exposure: &mut Exposure,
    bundles: impl Iterator<Item = (Left, Left)>,
    limits: &CompositionLimits,
) {
    let worst =
        bundles.min_by_key(|(now, already)| (!now.composed, now.values, Reverse(already.values)));
    let Some((now, already)) = worst else { return };
    let found = Found {
        releases: 1 + u32::from(now.composed),
        prior: now.prior,
        posterior: now.values,
    };
    exposure.add(&found, 1, already.values, limits);
}

//! The background join over people who may have several rows.
//!
//! **The reader** knows somebody's quasi-identifiers, all of her rows' as far as they differ, and one
//! of her rows' values in the known columns. All her rows are in one group, whose labels cover all
//! of them. Let S_v be her values of the target column, missing ones left out. Two readers, as
//! everywhere where people are counted:
//!
//! * *who can link rows*: the candidates are the people of the fitting groups who have the known
//!   values in some row. A value is certain where every candidate who has any has it. The posterior
//!   of a value is the share of candidates, of those who have any, who have it;
//! * *who cannot* ([`by_rows`](super::KnowledgePlay::by_rows)): the candidates are the rows of the
//!   fitting groups with the known values, one of which is hers. A value is certain where all of
//!   them that have any have this one.
//!
//! Neither bounds the other: one person's many rows weigh more with the second, and rows without a
//! target value hide from it what else their people have. Where nobody lacks a value, what is
//! certain to the second is certain to the first.
//!
//! Which of her values the reader knows is open, so the one counts that gives most away: she is
//! *certain* if some known value makes one of her target values certain, *newly* if the outsider,
//! who knows none, is not certain of that value; candidates are the fewest and the posterior the
//! largest for any of her known and target values. With one row a person this is
//! [what is counted there](super::exposure).
//!
//! Not played: tables for each sensitive column, which are not published of people with several
//! rows; re-linking from them; and rows apart, where it would have to be said which of her rows is
//! known. Cost: groups × kinds of people × their pairs of values, then kinds × covering groups.

use super::cover::Covered;
use super::error::Error;
use super::exposure::{
    Adding, CandidateUnit, KnowledgePlay, Learnt, NewlyExposed, Tally, UnlinkedViews,
    known_numbers, learnt_rows, linked, outsider, value_of,
};
use super::joined::{Held, Joined, all_columns};
use super::{BackgroundJoin, BackgroundJoinOptions};
use mingle_model::{Alike, Code, Cube, Entry, PeopleOfCube, PersonRows, Published};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Who is in which group. No `Debug`: it has combinations of cells.
pub(crate) struct JoinedPeople {
    /// By group, in the order of their rows.
    groups: Vec<Vec<HeldPeople>>,
    /// Per kind of people of the original whether they may be in the release.
    present: Vec<bool>,
}

/// People of one group who have the same sensitive values.
struct HeldPeople {
    people: u64,
    /// What each of them has, by combination.
    rows: Vec<Held>,
}

impl JoinedPeople {
    /// The people of a release in the original's combinations; `None` where each row is one person.
    pub(super) fn new(
        original: &Cube,
        published: &Published,
        combination: impl Fn(u32) -> Option<u32>,
    ) -> Result<Option<JoinedPeople>, Error> {
        let people = match (original.people(), published.people()) {
            (None, None) => return Ok(None),
            (Some(_), None) => return Err(Error::WhoseRows { of: "release" }),
            (None, Some(_)) => return Err(Error::WhoseRows { of: "original" }),
            (Some(_), Some(people)) => people,
        };
        if people.rows() == PersonRows::Apart || people.split().is_some_and(|split| split > 0) {
            return Err(Error::RowsApart);
        }
        let mut groups = Vec::with_capacity(published.groups());
        for group in 0..published.groups() {
            let mut held: BTreeMap<Vec<(u32, u64)>, u64> = BTreeMap::new();
            for alike in people.of(group) {
                let rows = rows_of(&alike, &combination);
                let rows = rows.ok_or(Error::ForeignValue { group: group + 1 })?;
                *held.entry(rows).or_default() += alike.people;
            }
            let mut kinds = Vec::with_capacity(held.len());
            for (rows, people) in held {
                kinds.push(HeldPeople {
                    people,
                    rows: held_rows(rows),
                });
            }
            groups.push(kinds);
        }
        Ok(Some(JoinedPeople {
            groups,
            present: Vec::new(),
        }))
    }

    /// The people of a group who have the same: how many, and the rows of each.
    pub(crate) fn of_group(&self, group: usize) -> impl Iterator<Item = (u64, &[Held])> {
        self.groups[group]
            .iter()
            .map(|held| (held.people, &held.rows[..]))
    }

    /// Insists that the people can be those of the original, who are covered in all columns.
    pub(super) fn checked(
        mut self,
        original: &PeopleOfCube,
        cover: &ProfileCover,
    ) -> Result<JoinedPeople, Error> {
        let mut spare: Vec<Vec<i128>> = Vec::with_capacity(self.groups.len());
        for held in &self.groups {
            spare.push(held.iter().map(|held| -i128::from(held.people)).collect());
        }
        self.present = vec![false; original.kinds().len()];
        let mut missing = 0;
        for profile in 0..original.profiles() {
            for kind in original.kinds_of(profile) {
                let alike = original.kinds().get(kind);
                let own = combinations_of(&alike);
                for &group in cover.groups_of(profile) {
                    let group = group as usize;
                    let place = self.groups[group].binary_search_by(|held| held.rows.cmp(&own));
                    if let Ok(place) = place {
                        spare[group][place] += i128::from(alike.people);
                        self.present[kind] = true;
                    }
                }
                missing += if self.present[kind] { 0 } else { alike.people };
            }
        }
        let short = |spare: &Vec<i128>| spare.iter().any(|&people| people < 0);
        if let Some(group) = spare.iter().position(short) {
            return Err(Error::ForeignRow { group: group + 1 });
        }
        let published: u64 = self.groups.iter().flatten().map(|held| held.people).sum();
        let left_out = original.count().saturating_sub(published);
        if missing > left_out {
            return Err(Error::NotPublished { missing, left_out });
        }
        Ok(self)
    }
}

/// One person's rows by combination, providers put together; `None` where the original lacks one.
fn rows_of(alike: &Alike<'_>, combination: impl Fn(u32) -> Option<u32>) -> Option<Vec<(u32, u64)>> {
    let mut rows: BTreeMap<u32, u64> = BTreeMap::new();
    for Entry {
        sensitive, count, ..
    } in alike.entries
    {
        *rows.entry(combination(*sensitive)?).or_default() += count;
    }
    Some(rows.into_iter().collect())
}

/// One person's rows by combination, whoever contributed them.
pub(crate) fn combinations_of(alike: &Alike<'_>) -> Vec<Held> {
    held_rows(rows_of(alike, Some).unwrap_or_default())
}

fn held_rows(rows: Vec<(u32, u64)>) -> Vec<Held> {
    let mut held = Vec::with_capacity(rows.len());
    for (combination, count) in rows {
        held.push(Held { combination, count });
    }
    held
}

/// Which groups people may be in: those that cover all tuples of their profile.
pub(crate) struct ProfileCover(Vec<Vec<u32>>);

impl ProfileCover {
    /// From which groups cover each tuple, in the columns that are known.
    pub(super) fn new(people: &PeopleOfCube, tuples: usize, cover: &[Covered]) -> ProfileCover {
        let nobody: &[u32] = &[];
        let mut groups_of_tuple = vec![nobody; tuples];
        for covered in cover {
            for &tuple in &covered.tuples {
                groups_of_tuple[tuple as usize] = &covered.groups;
            }
        }
        let mut groups_of_profile = Vec::with_capacity(people.profiles());
        for profile in 0..people.profiles() {
            let (first, others) = people.tuples_of(profile).split_first().unwrap_or((&0, &[]));
            let mut groups = groups_of_tuple[*first as usize].to_vec();
            for &tuple in others {
                let of_tuple = groups_of_tuple[tuple as usize];
                groups.retain(|group| of_tuple.binary_search(group).is_ok());
            }
            groups_of_profile.push(groups);
        }
        ProfileCover(groups_of_profile)
    }

    pub(crate) fn groups_of(&self, profile: usize) -> &[u32] {
        &self.0[profile]
    }
}

/// Plays both readers; each play is the known columns and the target.
pub(super) fn play(
    joined: &Joined<'_>,
    original: &PeopleOfCube,
    held: &JoinedPeople,
    plays: &[(Vec<usize>, usize)],
    (options, known): (&BackgroundJoinOptions, &[usize]),
) -> BackgroundJoin {
    let tuples = joined.original().tuples();
    let cover = ProfileCover::new(original, tuples, &joined.cover(known));
    let (mut people, mut overlapping) = (0, 0);
    for profile in 0..original.profiles() {
        let groups = cover.groups_of(profile).len();
        for kind in original.kinds_of(profile) {
            if held.present[kind] {
                let alike = original.kinds().get(kind).people;
                people += alike;
                overlapping += if groups > 1 { alike } else { 0 };
            }
        }
    }
    let mut found = Vec::with_capacity(plays.len());
    for (known, target) in plays {
        let game = PeopleGame::new(joined, held, (known, *target), options.k);
        found.push(game.play(original, &cover));
    }
    BackgroundJoin {
        people,
        left_out: original.count() - people,
        overlapping,
        plays: found,
        reconstructions: Vec::new(),
        not_reconstructed: Vec::new(),
    }
}

/// One set of known columns and one target.
struct PeopleGame<'a> {
    joined: &'a Joined<'a>,
    held: &'a JoinedPeople,
    known: &'a [usize],
    target: usize,
    k: u64,
    /// Per combination a number for its known values.
    known_of: Vec<u32>,
    /// By group, for who can link rows.
    people: Vec<Tally>,
    /// By group, for who cannot.
    rows: Vec<Tally>,
}

/// A person's known values, by their numbers, and her target values, both ascending.
struct Owned {
    known: Vec<u32>,
    values: Vec<Code>,
}

/// Figures of four readers while they are added up.
struct PeopleSums {
    people: u64,
    /// Outsider and site, who can link rows; outsider and site, who cannot.
    views: [Adding; 4],
}

impl<'a> PeopleGame<'a> {
    fn new(
        joined: &'a Joined<'a>,
        held: &'a JoinedPeople,
        (known, target): (&'a [usize], usize),
        k: u64,
    ) -> PeopleGame<'a> {
        let mut game = PeopleGame {
            joined,
            held,
            known,
            target,
            k,
            known_of: known_numbers(joined, known),
            people: Vec::new(),
            rows: Vec::new(),
        };
        for kinds in &held.groups {
            let (mut people, mut rows) = (Tally::default(), Tally::default());
            for kind in kinds {
                let owned = game.owned(&kind.rows);
                people.add(kind.people, &owned.known, &owned.values);
                for row in &kind.rows {
                    let one = game.owned(std::slice::from_ref(row));
                    rows.add(kind.people * row.count, &one.known, &one.values);
                }
            }
            game.people.push(people);
            game.rows.push(rows);
        }
        game
    }

    fn owned(&self, rows: &[Held]) -> Owned {
        let mut owned = Owned {
            known: Vec::new(),
            values: Vec::new(),
        };
        for row in rows {
            owned.known.push(self.known_of[row.combination as usize]);
            let value = value_of(self.joined, self.target, row.combination);
            owned.values.extend(value);
        }
        owned.known.sort_unstable();
        owned.known.dedup();
        owned.values.sort_unstable();
        owned.values.dedup();
        owned
    }

    fn play(&self, original: &PeopleOfCube, cover: &ProfileCover) -> KnowledgePlay {
        let profiles: Vec<usize> = (0..original.profiles()).collect();
        // chunks of a fixed size, added up in order: the same sums for any number of threads
        let parts: Vec<PeopleSums> = profiles
            .par_chunks(256)
            .map(|chunk| {
                let mut sums = PeopleSums::new();
                for &profile in chunk {
                    self.learn(original, profile, cover.groups_of(profile), &mut sums);
                }
                sums
            })
            .collect();
        let mut all = PeopleSums::new();
        for part in parts {
            all.people += part.people;
            for (mine, theirs) in all.views.iter_mut().zip(part.views) {
                mine.add(theirs);
            }
        }
        let people = all.people;
        let [outsider, linked, rows_outsider, rows_linked] =
            all.views.map(|view| view.finished(people));
        KnowledgePlay {
            known: self.known.to_vec(),
            target: self.target,
            people,
            outsider,
            linked,
            fragmented: None,
            by_rows: Some(UnlinkedViews {
                outsider: rows_outsider,
                linked: rows_linked,
            }),
        }
    }

    /// About everybody with this profile.
    fn learn(
        &self,
        original: &PeopleOfCube,
        profile: usize,
        groups: &[u32],
        sums: &mut PeopleSums,
    ) {
        for kind in original.kinds_of(profile) {
            if !self.held.present[kind] {
                continue;
            }
            let alike = original.kinds().get(kind);
            let victim = Victim {
                people: alike.people,
                groups,
                owned: self.owned(&combinations_of(&alike)),
            };
            let has_value = !victim.owned.values.is_empty();
            sums.people += if has_value { alike.people } else { 0 };
            let [outsider, site, rows_outsider, rows_site] = &mut sums.views;
            self.read(&victim, CandidateUnit::People, [outsider, site]);
            self.read(&victim, CandidateUnit::Rows, [rows_outsider, rows_site]);
        }
    }

    /// What the outsider and the site learn who count these.
    fn read(&self, victim: &Victim<'_>, unit: CandidateUnit, views: [&mut Adding; 2]) {
        let of_groups = match unit {
            CandidateUnit::People => &self.people,
            CandidateUnit::Rows => &self.rows,
        };
        let tallies = || victim.groups.iter().map(|&g| &of_groups[g as usize]);
        let [outsider_view, site_view] = views;
        let (people, owned) = (victim.people, &victim.owned);
        let mut alone = outsider(tallies(), None);
        let mut open = Vec::with_capacity(owned.values.len());
        for &value in &owned.values {
            let learnt = outsider(tallies(), Some(value));
            open.push(!learnt.certain);
            alone.gives_more(&learnt);
        }
        outsider_view.count(&alone, people, self.k);
        let mut worst: Option<Learnt> = None;
        let mut is_new = false;
        for &known in &owned.known {
            let mut site = linked(tallies(), known, None);
            for (&value, &open) in owned.values.iter().zip(&open) {
                let learnt = linked(tallies(), known, Some(value));
                if learnt.certain && open {
                    is_new = true;
                    let seen = &mut site_view.example;
                    let fewer = |best: &NewlyExposed| learnt.candidates < best.candidates;
                    if seen.as_ref().is_none_or(fewer) {
                        *seen = Some(NewlyExposed {
                            groups: self.possible(victim.groups, known, of_groups),
                            unit,
                            candidates: learnt.candidates,
                            rows: learnt_rows(victim.groups, of_groups),
                            known: self.known_codes(known),
                            value,
                        });
                    }
                }
                site.gives_more(&learnt);
            }
            match &mut worst {
                None => worst = Some(site),
                Some(worst) => worst.gives_more(&site),
            }
        }
        if let Some(worst) = worst {
            site_view.count(&worst, people, self.k);
        }
        site_view.newly += if is_new { people } else { 0 };
    }

    /// The groups that hold the known values.
    fn possible(&self, groups: &[u32], known: u32, of_groups: &[Tally]) -> Vec<u32> {
        let mut possible = groups.to_vec();
        possible.retain(|&group| of_groups[group as usize].known.contains_key(&known));
        possible
    }

    /// The codes of the known columns behind their number.
    fn known_codes(&self, known: u32) -> Vec<Code> {
        let combination = self.known_of.iter().position(|&number| number == known);
        let mut codes = Vec::with_capacity(self.known.len());
        for &column in self.known {
            let own = &self.joined.sensitive()[column].codes;
            codes.extend(combination.map(|combination| own.get(combination)));
        }
        codes
    }
}

/// People who are alike to every reader.
struct Victim<'g> {
    people: u64,
    groups: &'g [u32],
    owned: Owned,
}

impl PeopleSums {
    fn new() -> PeopleSums {
        let views = [Adding::new(), Adding::new(), Adding::new(), Adding::new()];
        PeopleSums { people: 0, views }
    }
}

/// Which groups cover the profiles of everybody in all columns.
pub(super) fn full_cover(joined: &Joined<'_>, original: &PeopleOfCube) -> ProfileCover {
    let cube = joined.original();
    ProfileCover::new(original, cube.tuples(), &joined.cover(&all_columns(cube)))
}

#[cfg(test)]
mod tests;

//! Ends of ranges that give a victim away.
//!
//! **The adversary** is a coalition that knows how labels are made: the tight range `[22-29]` says
//! that somebody in the group is exactly 22. A contributor *explains* an end if one of its own
//! original rows fits the group (all labels cover it, and the group has a row of that provider with
//! these sensitive values) and has exactly this value. Where at most m contributors explain an end,
//! a coalition among the others, or all but one of those who do, learns that a victim of few named
//! providers has exactly this value. An end that nobody explains was widened and says nothing, and
//! one that lies on the column's [`Grid`] looks as if it were.
//!
//! Where people have several rows it is people who attain an end. To insiders who know people
//! ([`Knows::People`]) it is given away where at most m of them know everybody who attains it: one
//! person's rows at two providers attain it twice, and either of them knows her. Insiders who know
//! rows take out their own, so that for them contributors are counted as before.
//!
//! Looked at are ranges of numbers and dates without a hierarchy. A label that is a single value
//! says the same of everybody in the group, whoever contributed; it is no end. Needs the original
//! tables.
//!
//! Cost: for each end, the original tuples with that value, until more than m providers explain it;
//! with people, all of them, and a search through their providers to the depth of m.

use super::told::{Fitting, ToldLabels};
use crate::utility::{ComparedColumn, Comparison, Error};
use mingle_model::{
    Code, Cube, Entry, Grid, Missing, PeopleOfCube, ProviderId, Published, PublishedPeople, Reading,
};
use mingle_privacy::Knows;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// What the ends of ranges give away.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ends {
    /// How many ends were looked at: two for each range of each group.
    pub checked: u64,
    /// How many of them give a victim's value away.
    pub given_away: u64,
    /// In how many groups.
    pub groups: u64,
    /// By column with such ranges, in the policy's order.
    pub columns: Vec<(String, u64)>,
    /// One of them.
    pub example: Option<ExplainedEnd>,
    /// What elements of sets and ends tell that more than a few have.
    pub told: ToldLabels,
}

/// An end that at most m contributors explain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExplainedEnd {
    /// The group's place in published order.
    pub group: usize,
    /// The column's place among the published ones.
    pub column: usize,
    /// Whether it is the upper end.
    pub upper: bool,
    /// The value's text, which the label shows.
    pub text: String,
    /// Who explains it, in order of their names; where people have several rows, fewest who know
    /// everybody that attains it.
    pub explained_by: Vec<ProviderId>,
}

/// Looks at every range of every group, against coalitions of up to `m`.
pub fn given_away(
    original: &Cube,
    missing: &Missing,
    published: &Published,
    (m, knows): (u64, Knows),
) -> Result<Ends, Error> {
    let comparison = Comparison::new(original, missing, published)?;
    let witnesses = Witnesses::new(&comparison);
    let fitting = Fitting::new(&comparison, &witnesses);
    // the grid follows the published rows; of a row that fits no group it is sure that it was left out
    let values = fitting.values(&comparison);
    let mut grids = vec![None; published.columns().len()];
    let mut ranges: Vec<Ranges<'_>> = Vec::new();
    for (column, values) in comparison.columns().iter().zip(&values) {
        let grid = column.domain().grid_among(|code| values[code as usize]);
        grids[column.place()] = grid;
        ranges.extend(grid.map(|grid| Ranges::new(column, grid)));
    }
    let of_group = |group: usize| -> (u64, Vec<(usize, ExplainedEnd)>) {
        let ends: Vec<(usize, bool, i128)> = ranges
            .iter()
            .enumerate()
            .filter_map(|(at, column)| Some((at, column.ends(published, group)?)))
            .flat_map(|(at, (lo, hi))| [(at, false, lo), (at, true, hi)])
            .collect();
        let found = ends.iter().filter_map(|&(at, upper, number)| {
            let column = &ranges[at];
            let code = column.attained(upper, number)?;
            let people = (original.people(), published.people());
            let explained_by = match people {
                (Some(own), Some(held)) if knows == Knows::People => {
                    let attaining =
                        witnesses.attaining(group, &column.tuples[code as usize], own, held);
                    who_knows_everybody(&attaining, m).unwrap_or_default()
                }
                _ => witnesses.explain(group, column, code, m),
            };
            let text = column.compared.domain().text(code).to_owned();
            let few = (1..=m).contains(&(explained_by.len() as u64));
            let end = || ExplainedEnd {
                group,
                column: column.compared.place(),
                upper,
                text,
                explained_by,
            };
            few.then(|| (at, end()))
        });
        (ends.len() as u64, found.collect())
    };
    let groups: Vec<(u64, Vec<(usize, ExplainedEnd)>)> = (0..published.groups())
        .into_par_iter()
        .map(of_group)
        .collect();
    let mut ends = Ends {
        columns: ranges
            .iter()
            .map(|c| (c.compared.name().to_owned(), 0))
            .collect(),
        told: fitting.told(&comparison, &grids),
        ..Ends::default()
    };
    for (checked, found) in groups {
        ends.checked += checked;
        ends.given_away += found.len() as u64;
        ends.groups += u64::from(!found.is_empty());
        found.iter().for_each(|&(at, _)| ends.columns[at].1 += 1);
        ends.example = ends
            .example
            .or_else(|| found.into_iter().next().map(|(_, end)| end));
    }
    Ok(ends)
}

/// A column that is published in ranges.
struct Ranges<'a> {
    compared: &'a ComparedColumn<'a>,
    grid: Grid,
    codes: HashMap<i128, Code>,
    /// Original tuples by code.
    tuples: Vec<Vec<u32>>,
}

impl<'a> Ranges<'a> {
    fn new(compared: &'a ComparedColumn<'a>, grid: Grid) -> Ranges<'a> {
        let domain = compared.domain();
        let number = |code: Code| domain.number(code).map(|number| (number, code));
        let mut tuples = vec![Vec::new(); domain.len()];
        compared
            .original()
            .codes
            .iter()
            .zip(0..)
            .for_each(|(code, tuple)| tuples[code as usize].push(tuple));
        Ranges {
            compared,
            grid,
            codes: (0..domain.len() as Code).filter_map(number).collect(),
            tuples,
        }
    }

    /// The ends of a group's label, if it is a range.
    fn ends(&self, published: &Published, group: usize) -> Option<(i128, i128)> {
        let label = published.labels(group)[self.compared.place()] as usize;
        let written = published.columns()[self.compared.place()].labels[label].starts_with('[');
        self.compared.readings()[label]
            .bounds
            .filter(|(lo, hi)| written && lo < hi)
    }

    /// The code of an end that occurs in the original and is not where it would have been widened
    /// to.
    fn attained(&self, upper: bool, number: i128) -> Option<Code> {
        let widened = if upper {
            self.grid.ceil(number)
        } else {
            self.grid.floor(number)
        };
        self.codes
            .get(&number)
            .copied()
            .filter(|_| widened != number)
    }
}

/// The original rows, as far as they may be behind published ones.
pub(super) struct Witnesses<'a> {
    comparison: &'a Comparison<'a>,
    /// Per original combination of sensitive values the published one.
    combinations: Vec<Option<u32>>,
    /// Per original provider the published one.
    providers: Vec<Option<ProviderId>>,
}

impl<'a> Witnesses<'a> {
    fn new(comparison: &'a Comparison<'a>) -> Witnesses<'a> {
        let (original, published) = (comparison.original(), comparison.published());
        Witnesses {
            comparison,
            combinations: combinations(original, published),
            providers: original
                .providers()
                .names()
                .map(|name| published.providers().id(name))
                .collect(),
        }
    }

    /// Contributors with a fitting row that has this value, in order of their names; no more than m
    /// + 1.
    fn explain(&self, group: usize, column: &Ranges<'_>, code: Code, m: u64) -> Vec<ProviderId> {
        let mut found = BTreeSet::new();
        for &tuple in &column.tuples[code as usize] {
            if found.len() as u64 > m {
                break;
            }
            if !self.fits(group, tuple as usize) {
                continue;
            }
            found.extend(self.holders(group, tuple as usize));
        }
        found.into_iter().collect()
    }

    /// Who knows each of the people who may be in a group and have one of these tuples.
    fn attaining(
        &self,
        group: usize,
        tuples: &[u32],
        own: &PeopleOfCube,
        held: &PublishedPeople,
    ) -> Vec<Vec<ProviderId>> {
        let original = self.comparison.original();
        let mut kinds = BTreeSet::new();
        for &tuple in tuples {
            for record in original.records_of(tuple as usize) {
                kinds.insert(own.kind_of(record));
            }
        }
        let mut attaining = BTreeSet::new();
        for kind in kinds {
            let mut profile = own.tuples_of(own.profile_of(kind)).iter();
            if !profile.all(|&tuple| self.fits(group, tuple as usize)) {
                continue;
            }
            let alike = own.kinds().get(kind);
            let Some(entries) = self.published_entries(alike.entries) else {
                continue;
            };
            if held.of(group).any(|other| other.entries == entries) {
                let mut providers = Vec::new();
                for provider in alike.providers {
                    providers.extend(self.providers[provider.0 as usize]);
                }
                providers.sort_unstable();
                attaining.insert(providers);
            }
        }
        attaining.into_iter().collect()
    }

    /// Somebody's rows as they are published; `None` where the release lacks one.
    fn published_entries(&self, entries: &[Entry]) -> Option<Vec<Entry>> {
        let mut published = Vec::with_capacity(entries.len());
        for entry in entries {
            published.push(Entry {
                sensitive: self.combinations[entry.sensitive as usize]?,
                provider: self.providers[entry.provider.0 as usize]?,
                count: entry.count,
            });
        }
        published.sort_unstable_by_key(|entry| (entry.sensitive, entry.provider));
        Some(published)
    }

    /// Contributors who have a row of this original tuple with sensitive values that they have in the
    /// group.
    pub(super) fn holders(&self, group: usize, tuple: usize) -> Vec<ProviderId> {
        let (original, published) = (self.comparison.original(), self.comparison.published());
        let entries = published.entries(group);
        let mut holders = Vec::new();
        for record in &original.records()[original.records_of(tuple)] {
            let provider = self.providers[record.provider.0 as usize];
            let combination = self.combinations[record.sensitive as usize];
            let Some((provider, combination)) = provider.zip(combination) else {
                continue;
            };
            let place = (combination, provider);
            let found = entries.binary_search_by_key(&place, |e| (e.sensitive, e.provider));
            if found.is_ok() {
                holders.push(provider);
            }
        }
        holders
    }

    pub(super) fn fits(&self, group: usize, tuple: usize) -> bool {
        let labels = self.comparison.published().labels(group);
        self.comparison.columns().iter().all(|column| {
            let reading: &Reading = &column.readings()[labels[column.place()] as usize];
            reading.covers(column.original().codes.get(tuple))
        })
    }
}

/// Fewest providers, at most m, of whom one knows each of these people; `None` where there are no
/// such providers.
fn who_knows_everybody(people: &[Vec<ProviderId>], m: u64) -> Option<Vec<ProviderId>> {
    for size in 0..=m {
        if let Some(mut found) = so_many_know_everybody(people, size) {
            found.sort_unstable();
            return Some(found);
        }
    }
    None
}

fn so_many_know_everybody(people: &[Vec<ProviderId>], size: u64) -> Option<Vec<ProviderId>> {
    // somebody must know the one whom fewest know
    let Some(fewest) = people.iter().min_by_key(|known_to| known_to.len()) else {
        return Some(Vec::new());
    };
    if size == 0 {
        return None;
    }
    for &provider in fewest {
        let mut others = people.to_vec();
        others.retain(|known_to| !known_to.contains(&provider));
        if let Some(mut found) = so_many_know_everybody(&others, size - 1) {
            found.push(provider);
            return Some(found);
        }
    }
    None
}

/// Combinations with the same texts; columns are matched by name.
fn combinations(original: &Cube, published: &Published) -> Vec<Option<u32>> {
    let rows =
        |of: &[mingle_model::SensitiveColumn]| of.first().map_or(1, |column| column.codes.len());
    let theirs: Option<Vec<_>> = published
        .sensitive()
        .iter()
        .map(|column| {
            original
                .sensitive()
                .iter()
                .find(|other| other.name == column.name)
        })
        .collect();
    let Some(theirs) = theirs else {
        return vec![None; rows(original.sensitive())];
    };
    let text = |column: &mingle_model::SensitiveColumn, at: usize| {
        let code = column.codes.get(at);
        (column.domain.missing() != Some(code)).then(|| column.domain.text(code).to_owned())
    };
    let of_published = |at: usize| -> Vec<Option<String>> {
        published.sensitive().iter().map(|c| text(c, at)).collect()
    };
    let known: HashMap<Vec<Option<String>>, u32> = (0..rows(published.sensitive()))
        .map(|at| (of_published(at), at as u32))
        .collect();
    let of_original =
        |at: usize| -> Vec<Option<String>> { theirs.iter().map(|c| text(c, at)).collect() };
    (0..rows(original.sensitive()))
        .map(|at| known.get(&of_original(at)).copied())
        .collect()
}

//! What is learnt about everybody's target value, with the known values and without.
//!
//! For a person with known values x and target value y, whom the groups G cover, let n(x) be the
//! rows of a group with the known values, n(x, y) those with both, m(y) those with the target value
//! and n all of them.
//!
//! * *Outsider*: any row of G may be the person's. Posterior of y: Σ m(y) / Σ n.
//! * *Linked*: any row of G with the known values. Σ n(x, y) / Σ n(x).
//! * *Fragmented*: the same rows, but any of the group's target values may stand beside each of
//!   them: Σ n(x) m(y) / n over Σ n(x). In a single group that is the outsider's m(y) / n; where
//!   several groups cover the person, the known value tells which of them are possible.
//!
//! These are the shares among all pairings of a group's published values, each as likely as any
//! other, and all rows that may be the person's. Missing target values say nothing: they are left
//! out of all counts, and a person without a value is nobody's target. Certainty is decided by
//! integers, never by a rounded posterior.
//!
//! Cost: one look at every covering group for each distinct (person's tuple, known, target).

use super::cover::Covered;
use super::joined::Joined;
use mingle_model::Code;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// Steps of [`LearntView::posteriors`].
pub const STEPS: usize = 100;

/// What a site with certain knowledge learns about one sensitive column.
#[derive(Clone, PartialEq, Debug)]
pub struct KnowledgePlay {
    /// The sensitive columns that the site knows, by their places.
    pub known: Vec<usize>,
    /// The sensitive column that it would like to know.
    pub target: usize,
    /// People who have a target value: whom it can learn about.
    pub people: u64,
    /// A reader who knows the same quasi-identifiers and no sensitive value.
    pub outsider: LearntView,
    /// The site, reading the table with its sensitive columns side by side.
    pub linked: LearntView,
    /// The site, reading the same groups with every sensitive column in a table of its own; `None`
    /// where people have several rows, which are not published so.
    pub fragmented: Option<LearntView>,
    /// The first two for who cannot tell which rows are one person's; `None` where each row is one
    /// person, and nobody has to.
    pub by_rows: Option<UnlinkedViews>,
}

/// What readers learn who count rows because they cannot tell which are one person's.
#[derive(Clone, PartialEq, Debug)]
pub struct UnlinkedViews {
    /// A reader who knows the same quasi-identifiers and no sensitive value.
    pub outsider: LearntView,
    /// The site.
    pub linked: LearntView,
}

/// What candidates are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CandidateUnit {
    /// Rows that may be the person's.
    Rows,
    /// People who may be the person.
    People,
}

impl CandidateUnit {
    /// `rows` or `people`.
    pub fn name(self) -> &'static str {
        match self {
            CandidateUnit::Rows => "rows",
            CandidateUnit::People => "people",
        }
    }
}

/// What one reader learns.
#[derive(Clone, PartialEq, Debug)]
pub struct LearntView {
    /// People whose target value is certain: all candidates that have one have this one.
    pub certain: u64,
    /// Those of them about whom the outsider is not certain.
    pub newly: u64,
    /// People with fewer candidates than k.
    pub below_k: u64,
    /// People with one candidate: it is known which row is theirs.
    pub alone: u64,
    /// The posterior of the true value, mean over people.
    pub mean_posterior: f64,
    /// The largest.
    pub largest_posterior: f64,
    /// How many people have a posterior of at least i/100, for i from 0 to 100.
    pub posteriors: Vec<u64>,
    /// The newly exposed person with the fewest candidates.
    pub example: Option<NewlyExposed>,
}

/// One person who is newly exposed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewlyExposed {
    /// The groups that the person may be in, given what is known.
    pub groups: Vec<u32>,
    /// Whether rows or people are counted.
    pub unit: CandidateUnit,
    /// How many rows of these groups may be the person's, or how many people the person.
    pub candidates: u64,
    /// How many may be for the outsider.
    pub rows: u64,
    /// The known values, in the order of [`KnowledgePlay::known`].
    pub known: Vec<Code>,
    /// The target value.
    pub value: Code,
}

/// Plays one set of known columns against one target.
pub(super) fn play(
    joined: &Joined<'_>,
    cover: &[Covered],
    known: &[usize],
    target: usize,
    k: u64,
) -> KnowledgePlay {
    let game = Game::new(joined, known, target, k);
    // chunks of a fixed size, added up in order: the same sums for any number of threads
    let parts: Vec<Sums> = cover
        .par_chunks(256)
        .map(|chunk| game.sums(chunk))
        .collect();
    let mut all = Sums::new();
    parts.into_iter().for_each(|part| all.add(part));
    let [outsider, linked, fragmented] = all.views.map(|view| view.finished(all.people));
    KnowledgePlay {
        known: known.to_vec(),
        target,
        people: all.people,
        outsider,
        linked,
        fragmented: Some(fragmented),
        by_rows: None,
    }
}

/// One set of known columns and one target.
struct Game<'a> {
    joined: &'a Joined<'a>,
    known: &'a [usize],
    target: usize,
    k: u64,
    /// Per combination a number for its known values.
    known_of: Vec<u32>,
    tallies: Vec<Tally>,
}

/// A group's counts of rows; of people where they have several.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) size: u64,
    /// Those that have a target value.
    pub(super) present: u64,
    pub(super) targets: BTreeMap<Code, u64>,
    /// By known values: all, and those that have a target value.
    pub(super) known: BTreeMap<u32, (u64, u64)>,
    pub(super) pairs: BTreeMap<(u32, Code), u64>,
}

impl<'a> Game<'a> {
    fn new(joined: &'a Joined<'a>, known: &'a [usize], target: usize, k: u64) -> Self {
        let known_of = known_numbers(joined, known);
        let mut game = Game {
            joined,
            known,
            target,
            k,
            known_of,
            tallies: Vec::new(),
        };
        game.tallies = (0..joined.groups().len())
            .map(|group| game.tally(group))
            .collect();
        game
    }

    fn tally(&self, group: usize) -> Tally {
        let mut tally = Tally::default();
        for held in &self.joined.groups()[group] {
            let known = self.known_of[held.combination as usize];
            let value = self.value(held.combination);
            tally.add(held.count, &[known], value.as_slice());
        }
        tally
    }

    /// The target value, if there is one.
    fn value(&self, combination: u32) -> Option<Code> {
        value_of(self.joined, self.target, combination)
    }

    fn sums(&self, cover: &[Covered]) -> Sums {
        let mut sums = Sums::new();
        cover
            .iter()
            .for_each(|covered| self.learn(covered, &mut sums));
        sums
    }

    /// About everybody whom the same groups cover.
    fn learn(&self, covered: &Covered, sums: &mut Sums) {
        let original = self.joined.original();
        let mut people: BTreeMap<u32, u64> = BTreeMap::new();
        for record in covered
            .tuples
            .iter()
            .flat_map(|&tuple| original.records_of(tuple as usize))
        {
            if self.joined.is_present(record) {
                let record = original.records()[record];
                *people.entry(record.sensitive).or_default() += record.count;
            }
        }
        for (combination, count) in people {
            let known = self.known_of[combination as usize];
            let value = self.value(combination);
            sums.people += if value.is_some() { count } else { 0 };
            let tallies = || covered.groups.iter().map(|&g| &self.tallies[g as usize]);
            let learnt = [
                outsider(tallies(), value),
                linked(tallies(), known, value),
                fragmented(tallies(), known, value),
            ];
            let open = !learnt[0].certain;
            for (view, learnt) in sums.views.iter_mut().zip(&learnt) {
                view.count(learnt, count, self.k);
                if learnt.certain && open {
                    view.newly += count;
                    self.exemplify(
                        view,
                        covered,
                        combination,
                        learnt,
                        &learnt_rows(&covered.groups, &self.tallies),
                    );
                }
            }
        }
    }

    /// Keeps the person if nobody with fewer candidates was seen before.
    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    fn exemplify(
        &self,
        view: &mut Adding,
        covered: &Covered,
        combination: u32,
        learnt: &Learnt,
        rows: &u64,
    ) {
        if view
            .example
            .as_ref()
            .is_some_and(|best| best.candidates <= learnt.candidates)
        {
            return;
        }
        let known = self.known_of[combination as usize];
        let possible = |&&g: &&u32| self.tallies[g as usize].known.contains_key(&known);
        view.example = Some(NewlyExposed {
            groups: covered.groups.iter().filter(possible).copied().collect(),
            unit: CandidateUnit::Rows,
            candidates: learnt.candidates,
            rows: *rows,
            known: self
                .known
                .iter()
                .map(|&c| self.joined.sensitive()[c].codes.get(combination as usize))
                .collect(),
            value: self.joined.sensitive()[self.target]
                .codes
                .get(combination as usize),
        });
    }
}

/// Per combination of sensitive values a number for those of the known columns.
pub(super) fn known_numbers(joined: &Joined<'_>, known: &[usize]) -> Vec<u32> {
    let sensitive = joined.sensitive();
    let combinations = sensitive.first().map_or(0, |column| column.codes.len());
    let mut numbers: HashMap<Vec<Code>, u32> = HashMap::new();
    let mut known_of = Vec::with_capacity(combinations);
    for combination in 0..combinations {
        let mut values = Vec::with_capacity(known.len());
        for &column in known {
            values.push(sensitive[column].codes.get(combination));
        }
        let next = numbers.len() as u32;
        known_of.push(*numbers.entry(values).or_insert(next));
    }
    known_of
}

/// The value of a column in a combination of sensitive values, if there is one.
pub(super) fn value_of(joined: &Joined<'_>, column: usize, combination: u32) -> Option<Code> {
    let column = &joined.sensitive()[column];
    let code = column.codes.get(combination as usize);
    (column.domain.missing() != Some(code)).then_some(code)
}

pub(super) fn learnt_rows(groups: &[u32], tallies: &[Tally]) -> u64 {
    groups.iter().map(|&g| tallies[g as usize].size).sum()
}

impl Tally {
    /// So many more that have all of these known values and all of these target values.
    pub(super) fn add(&mut self, count: u64, known: &[u32], values: &[Code]) {
        self.size += count;
        let has_value = !values.is_empty();
        self.present += if has_value { count } else { 0 };
        for &known in known {
            let of_known = self.known.entry(known).or_default();
            of_known.0 += count;
            of_known.1 += if has_value { count } else { 0 };
        }
        for &value in values {
            *self.targets.entry(value).or_default() += count;
            for &known in known {
                *self.pairs.entry((known, value)).or_default() += count;
            }
        }
    }
}

/// What one reader learns about one person.
pub(super) struct Learnt {
    pub(super) candidates: u64,
    pub(super) certain: bool,
    /// Of the true value; `None` where there is none.
    pub(super) posterior: Option<f64>,
}

pub(super) fn outsider<'t>(
    tallies: impl Iterator<Item = &'t Tally>,
    value: Option<Code>,
) -> Learnt {
    let (mut candidates, mut present, mut right) = (0, 0, 0);
    for tally in tallies {
        candidates += tally.size;
        present += tally.present;
        right += value
            .and_then(|value| tally.targets.get(&value))
            .unwrap_or(&0);
    }
    Learnt::counted(candidates, present, right, value)
}

pub(super) fn linked<'t>(
    tallies: impl Iterator<Item = &'t Tally>,
    known: u32,
    value: Option<Code>,
) -> Learnt {
    let (mut candidates, mut present, mut right) = (0, 0, 0);
    for tally in tallies {
        let (rows, with_value) = tally.known.get(&known).unwrap_or(&(0, 0));
        candidates += rows;
        present += with_value;
        right += value
            .and_then(|value| tally.pairs.get(&(known, value)))
            .unwrap_or(&0);
    }
    Learnt::counted(candidates, present, right, value)
}

fn fragmented<'t>(
    tallies: impl Iterator<Item = &'t Tally>,
    known: u32,
    value: Option<Code>,
) -> Learnt {
    let (mut candidates, mut other) = (0, 0);
    let (mut present, mut right) = (0.0, 0.0);
    for tally in tallies {
        let Some(&(rows, _)) = tally.known.get(&known) else {
            continue;
        };
        let same = value
            .and_then(|value| tally.targets.get(&value))
            .copied()
            .unwrap_or(0);
        candidates += tally.size;
        other += tally.present - same;
        let weight = rows as f64 / tally.size as f64;
        present += weight * tally.present as f64;
        right += weight * same as f64;
    }
    let certain = value.is_some() && other == 0 && right > 0.0;
    Learnt {
        candidates,
        certain,
        posterior: value.map(|_| if certain { 1.0 } else { right / present }),
    }
}

impl Learnt {
    /// Takes over whatever another known or target value of the same person gives away beyond this
    /// one.
    pub(super) fn gives_more(&mut self, other: &Learnt) {
        self.candidates = self.candidates.min(other.candidates);
        self.certain |= other.certain;
        self.posterior = match (self.posterior, other.posterior) {
            (Some(one), Some(another)) => Some(one.max(another)),
            (one, another) => one.or(another),
        };
    }

    fn counted(candidates: u64, present: u64, right: u64, value: Option<Code>) -> Learnt {
        let certain = right > 0 && right == present;
        Learnt {
            candidates,
            certain,
            posterior: value.map(|_| right as f64 / present as f64),
        }
    }
}

/// Figures of three readers while they are added up: outsider, linked, fragmented.
struct Sums {
    people: u64,
    views: [Adding; 3],
}

pub(super) struct Adding {
    pub(super) certain: u64,
    pub(super) newly: u64,
    below_k: u64,
    alone: u64,
    sum: f64,
    largest: f64,
    /// By whole hundredths.
    histogram: Vec<u64>,
    pub(super) example: Option<NewlyExposed>,
}

impl Sums {
    fn new() -> Sums {
        Sums {
            people: 0,
            views: [Adding::new(), Adding::new(), Adding::new()],
        }
    }

    fn add(&mut self, other: Sums) {
        self.people += other.people;
        self.views
            .iter_mut()
            .zip(other.views)
            .for_each(|(mine, theirs)| mine.add(theirs));
    }
}

impl Adding {
    pub(super) fn new() -> Adding {
        Adding {
            certain: 0,
            newly: 0,
            below_k: 0,
            alone: 0,
            sum: 0.0,
            largest: 0.0,
            histogram: vec![0; STEPS + 1],
            example: None,
        }
    }

    pub(super) fn count(&mut self, learnt: &Learnt, people: u64, k: u64) {
        self.below_k += if learnt.candidates < k { people } else { 0 };
        self.alone += if learnt.candidates == 1 { people } else { 0 };
        self.certain += if learnt.certain { people } else { 0 };
        if let Some(posterior) = learnt.posterior {
            self.sum += posterior * people as f64;
            self.largest = self.largest.max(posterior);
            // a hair above, so that 0.29 is in its own step
            let step = (posterior * STEPS as f64 + 1e-9) as usize;
            self.histogram[step.min(STEPS)] += people;
        }
    }

    pub(super) fn add(&mut self, other: Adding) {
        self.certain += other.certain;
        self.newly += other.newly;
        self.below_k += other.below_k;
        self.alone += other.alone;
        self.sum += other.sum;
        self.largest = self.largest.max(other.largest);
        self.histogram
            .iter_mut()
            .zip(other.histogram)
            .for_each(|(mine, theirs)| *mine += theirs);
        let fewer =
            |mine: &NewlyExposed, theirs: &NewlyExposed| theirs.candidates < mine.candidates;
        match (&self.example, other.example) {
            (Some(mine), Some(theirs)) if !fewer(mine, &theirs) => {}
            (_, Some(theirs)) => self.example = Some(theirs),
            (_, None) => {}
        }
    }

    pub(super) fn finished(self, people: u64) -> LearntView {
        let mut posteriors = self.histogram;
        (0..STEPS)
            .rev()
            .for_each(|step| posteriors[step] += posteriors[step + 1]);
        LearntView {
            certain: self.certain,
            newly: self.newly,
            below_k: self.below_k,
            alone: self.alone,
            mean_posterior: if people == 0 {
                0.0
            } else {
                self.sum / people as f64
            },
            largest_posterior: self.largest,
            posteriors,
            example: self.example,
        }
    }
}

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
    /// The site, reading the same groups with every sensitive column in a table of its own.
    pub fragmented: LearntView,
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
    /// How many rows of these groups may be the person's.
    pub candidates: u64,
    /// How many rows may be the person's for the outsider.
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
        fragmented,
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

/// A group's counts.
struct Tally {
    size: u64,
    /// Rows that have a target value.
    present: u64,
    targets: BTreeMap<Code, u64>,
    /// By known values: all rows, and those that have a target value.
    known: BTreeMap<u32, (u64, u64)>,
    pairs: BTreeMap<(u32, Code), u64>,
}

impl<'a> Game<'a> {
    fn new(joined: &'a Joined<'a>, known: &'a [usize], target: usize, k: u64) -> Self {
        let sensitive = joined.sensitive();
        let mut numbers: HashMap<Vec<Code>, u32> = HashMap::new();
        let number = |combination: usize| {
            let values = known
                .iter()
                .map(|&c| sensitive[c].codes.get(combination))
                .collect();
            let next = numbers.len() as u32;
            *numbers.entry(values).or_insert(next)
        };
        let known_of: Vec<u32> = (0..sensitive[target].codes.len()).map(number).collect();
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
        let (targets, known, pairs) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut tally = Tally {
            size: 0,
            present: 0,
            targets,
            known,
            pairs,
        };
        for held in &self.joined.groups()[group] {
            let known = self.known_of[held.combination as usize];
            let rows = tally.known.entry(known).or_default();
            tally.size += held.count;
            rows.0 += held.count;
            if let Some(value) = self.value(held.combination) {
                tally.present += held.count;
                rows.1 += held.count;
                *tally.targets.entry(value).or_default() += held.count;
                *tally.pairs.entry((known, value)).or_default() += held.count;
            }
        }
        tally
    }

    /// The target value, if there is one.
    fn value(&self, combination: u32) -> Option<Code> {
        let column = &self.joined.sensitive()[self.target];
        Some(column.codes.get(combination as usize))
            .filter(|&code| column.domain.missing() != Some(code))
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

fn learnt_rows(groups: &[u32], tallies: &[Tally]) -> u64 {
    groups.iter().map(|&g| tallies[g as usize].size).sum()
}

/// What one reader learns about one person.
struct Learnt {
    candidates: u64,
    certain: bool,
    /// Of the true value; `None` where there is none.
    posterior: Option<f64>,
}

fn outsider<'t>(tallies: impl Iterator<Item = &'t Tally>, value: Option<Code>) -> Learnt {
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

fn linked<'t>(tallies: impl Iterator<Item = &'t Tally>, known: u32, value: Option<Code>) -> Learnt {
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

#[derive(Default)]
struct Adding {
    certain: u64,
    newly: u64,
    below_k: u64,
    alone: u64,
    sum: f64,
    largest: f64,
    /// By whole hundredths.
    histogram: Vec<u64>,
    example: Option<NewlyExposed>,
}

impl Sums {
    fn new() -> Sums {
        let adding = || Adding {
            histogram: vec![0; STEPS + 1],
            ..Adding::default()
        };
        Sums {
            people: 0,
            views: [adding(), adding(), adding()],
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
    fn count(&mut self, learnt: &Learnt, people: u64, k: u64) {
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

    fn add(&mut self, other: Adding) {
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

    fn finished(self, people: u64) -> LearntView {
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

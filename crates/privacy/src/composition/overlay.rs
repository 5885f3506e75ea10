//! Releases laid over people, and what a reader makes of them.

use super::crowd::OverlaidPeople;
use super::error::Error;
use super::known::{Known, Look, People, Reader};
use super::values::Values;
use mingle_model::{Cube, Published};

/// Which of the groups that fit a person the reader takes.
#[derive(Clone, Copy, Debug)]
pub enum Choice<'c> {
    /// All of them.
    Union,
    /// Those that cover fewest combinations of values; of somebody with several rows, among those
    /// that cover most of them.
    MostSpecific,
    /// The one that the reader was told, by release; where there is none, the most specific.
    Told(&'c [Option<u32>]),
    /// The most specific of those that hold this value, which the reader knows to be the person's;
    /// `None` is a value that no release has. A release in which no group that fits holds it is one
    /// that the person is not in.
    Holding(Option<u32>),
    /// The one that the reader was told, by release; where there is none, as [`Choice::Holding`]
    /// the person's value.
    Informed {
        /// By release.
        groups: &'c [Option<u32>],
        /// The person's value.
        value: Option<u32>,
    },
}

/// What the reader found out about a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// In how many releases the person can be.
    pub releases: u32,
    /// The smallest effective prior anonymity among these; 0 where there is none.
    pub prior: u32,
    /// The effective posterior anonymity: values that all of these releases have for the person. 0
    /// means that the person is not in all of them.
    pub posterior: u32,
}

impl Found {
    /// Whether there is anything to intersect.
    pub fn is_composed(&self) -> bool {
        self.releases > 1
    }

    /// A single value is left.
    pub fn is_perfect(&self) -> bool {
        self.is_composed() && self.posterior == 1
    }

    /// The releases contradict one another about the person.
    pub fn is_apart(&self) -> bool {
        self.is_composed() && self.posterior == 0
    }
}

/// Releases laid over people, for one sensitive attribute. No `Debug`: it has cells.
pub struct Overlay<'a> {
    people: People<'a>,
    crowd: OverlaidPeople<'a>,
    attribute: String,
    releases: Vec<Known<'a>>,
    values: Values,
}

/// Memory for one reader; look-ups by several threads need one each.
#[derive(Default)]
pub struct Scratch {
    look: Look,
    groups: Vec<u32>,
    /// The groups that one of several tuples fits.
    of_tuple: Vec<u32>,
    /// How many tuples each of [`groups`](Scratch) covers, where there are several.
    covered: Vec<u32>,
    /// Per value the last look at which it was seen, and at which it was still a candidate.
    seen: Vec<u64>,
    alive: Vec<u64>,
    looks: u64,
    candidates: Vec<u32>,
    priors: Vec<u32>,
    fits: Vec<u32>,
    weights: Vec<f64>,
}

impl Scratch {
    /// The values that are left of the last person, in the order of their numbers.
    pub fn candidates(&self) -> &[u32] {
        &self.candidates
    }

    /// The last person's effective prior anonymity in each release; 0 where no group fits.
    pub fn priors(&self) -> &[u32] {
        &self.priors
    }

    /// How many groups of each release were taken for the last person.
    pub fn fits(&self) -> &[u32] {
        &self.fits
    }
}

impl<'a> Overlay<'a> {
    /// No release yet.
    pub fn new(people: People<'a>, attribute: &str) -> Overlay<'a> {
        Overlay {
            crowd: OverlaidPeople::new(people.cube),
            people,
            attribute: attribute.to_owned(),
            releases: Vec::new(),
            values: Values::default(),
        }
    }

    /// Lays a release over the people.
    pub fn add(&mut self, reader: &Reader<'_>, published: &Published) -> Result<(), Error> {
        let known = Known::new(
            &self.people,
            reader,
            published,
            &self.attribute,
            &mut self.values,
        )?;
        if let Some(other) = self.releases.first() {
            let mut before = vec![false; self.values.len()];
            other
                .values()
                .for_each(|value| before[value as usize] = true);
            if known.values().next().is_some()
                && other.values().next().is_some()
                && known.values().all(|v| !before[v as usize])
            {
                let (release, other) = (known.name.clone(), other.name.clone());
                return Err(Error::Coding {
                    release,
                    other,
                    column: self.attribute.clone(),
                });
            }
        }
        self.releases.push(known);
        Ok(())
    }

    /// Takes the last release away again.
    pub fn remove_last(&mut self) {
        self.releases.pop();
    }

    /// How many releases there are.
    pub fn len(&self) -> usize {
        self.releases.len()
    }

    /// Whether there is no release.
    pub fn is_empty(&self) -> bool {
        self.releases.is_empty()
    }

    /// The people.
    pub fn people(&self) -> &'a Cube {
        self.people.cube
    }

    /// The same people as a reader tells them apart.
    pub fn crowd(&self) -> &OverlaidPeople<'a> {
        &self.crowd
    }

    /// The sensitive attribute that is intersected.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    /// A release's name.
    pub fn name(&self, release: usize) -> &str {
        &self.releases[release].name
    }

    /// A value's text; values are numbered below [`values`](Overlay::values).
    pub fn value(&self, value: u32) -> &str {
        self.values.text(value)
    }

    /// How many different values the releases have.
    pub fn values(&self) -> usize {
        self.values.len()
    }

    /// The numbers of the people's own values of the attribute, by code of the people's column;
    /// `None` where no release has the value, or the people have no such column.
    pub fn own_values(&self) -> Vec<Option<u32>> {
        let column = self
            .people
            .cube
            .sensitive()
            .iter()
            .find(|s| s.name == self.attribute);
        column.map_or(Vec::new(), |column| self.values.find(&column.domain))
    }

    /// A group's values with their counts, ascending.
    pub fn held(&self, release: usize, group: u32) -> &[(u32, u64)] {
        self.releases[release].held(group)
    }

    /// The groups of a release that the people of a unit can be in, ascending. Somebody with
    /// several rows can be in every group that fits one of them: a release need not have all.
    pub fn fitting<'s>(&self, release: usize, unit: usize, scratch: &'s mut Scratch) -> &'s [u32] {
        self.fit(release, unit, scratch);
        &scratch.groups
    }

    fn fit(&self, release: usize, unit: usize, scratch: &mut Scratch) {
        let (release, cube) = (&self.releases[release], self.people.cube);
        scratch.covered.clear();
        if let [tuple] = self.crowd.tuples_of(unit) {
            let (look, groups) = (&mut scratch.look, &mut scratch.groups);
            release.fitting(cube, *tuple as usize, look, groups);
            return;
        }
        let mut all = std::mem::take(&mut scratch.groups);
        all.clear();
        for &tuple in self.crowd.tuples_of(unit) {
            let (look, of_tuple) = (&mut scratch.look, &mut scratch.of_tuple);
            release.fitting(cube, tuple as usize, look, of_tuple);
            all.extend_from_slice(of_tuple);
        }
        all.sort_unstable();
        for alike in all.chunk_by(|a, b| a == b) {
            scratch.covered.push(alike.len() as u32);
        }
        all.dedup();
        scratch.groups = all;
    }

    /// The groups of a release that the reader takes for the people of a unit.
    pub fn chosen<'s>(
        &self,
        release: usize,
        unit: usize,
        choice: Choice<'_>,
        scratch: &'s mut Scratch,
    ) -> &'s [u32] {
        self.choose(release, unit, choice, scratch);
        &scratch.groups
    }

    /// Plays the reader on the people of a unit of the [crowd](Overlay::crowd): those of a tuple,
    /// where each row is one person.
    pub fn person(&self, unit: usize, choice: Choice<'_>, scratch: &mut Scratch) -> Found {
        scratch.begin(self.values.len());
        let mut found = Found {
            releases: 0,
            prior: 0,
            posterior: 0,
        };
        for (j, release) in self.releases.iter().enumerate() {
            self.choose(j, unit, choice, scratch);
            scratch.fits.push(scratch.groups.len() as u32);
            if scratch.groups.is_empty() {
                scratch.priors.push(0);
                continue;
            }
            let prior = scratch.intersect(release, found.releases > 0);
            scratch.priors.push(prior);
            found.prior = if found.releases == 0 {
                prior
            } else {
                found.prior.min(prior)
            };
            found.releases += 1;
        }
        found.posterior = scratch.candidates.len() as u32;
        found
    }

    /// How likely each candidate is when the groups' frequencies are multiplied: the share of rows
    /// with the value among the groups taken, in each release, taken as independent. In the order
    /// of [`Scratch::candidates`].
    pub fn likelihoods(&self, unit: usize, choice: Choice<'_>, scratch: &mut Scratch) -> Vec<f64> {
        self.person(unit, choice, scratch);
        let candidates = scratch.candidates.clone();
        let mut product = vec![1.0; candidates.len()];
        scratch.weights.clear();
        scratch.weights.resize(self.values.len(), 0.0);
        for (j, release) in self.releases.iter().enumerate() {
            self.choose(j, unit, choice, scratch);
            let mut rows = 0.0;
            for &(value, count) in scratch.groups.iter().flat_map(|&group| release.held(group)) {
                scratch.weights[value as usize] += count as f64;
                rows += count as f64;
            }
            if rows > 0.0 {
                product
                    .iter_mut()
                    .zip(&candidates)
                    .for_each(|(p, &v)| *p *= scratch.weights[v as usize] / rows);
            }
            let held = scratch.groups.iter().flat_map(|&group| release.held(group));
            held.for_each(|&(value, _)| scratch.weights[value as usize] = 0.0);
        }
        let total: f64 = product.iter().sum();
        product.iter_mut().for_each(|p| *p /= total);
        product
    }

    fn choose(&self, j: usize, unit: usize, choice: Choice<'_>, scratch: &mut Scratch) {
        let release = &self.releases[j];
        if let Choice::Told(groups) | Choice::Informed { groups, .. } = choice
            && let Some(group) = groups[j]
        {
            scratch.groups.clear();
            scratch.groups.push(group);
            return;
        }
        self.fit(j, unit, scratch);
        if let Choice::Holding(value) | Choice::Informed { value, .. } = choice {
            let holds = |group: u32| value.is_some_and(|value| release.holds(group, value));
            scratch.keep(|group, _| holds(group));
        }
        if !matches!(choice, Choice::Union) {
            if let Some(&most) = scratch.covered.iter().max() {
                scratch.keep(|_, covered| covered == most);
            }
            release.keep_most_specific(&mut scratch.groups);
        }
    }
}

impl Scratch {
    /// Keeps groups by their number and how many tuples they cover.
    fn keep(&mut self, wanted: impl Fn(u32, u32) -> bool) {
        let mut kept = 0;
        for at in 0..self.groups.len() {
            let (group, covered) = (self.groups[at], self.covered.get(at).copied());
            if wanted(group, covered.unwrap_or(1)) {
                self.groups[kept] = group;
                if let Some(covered) = covered {
                    self.covered[kept] = covered;
                }
                kept += 1;
            }
        }
        self.groups.truncate(kept);
        self.covered.truncate(kept);
    }

    fn begin(&mut self, values: usize) {
        self.seen.resize(values, 0);
        self.alive.resize(values, 0);
        self.priors.clear();
        self.fits.clear();
        self.candidates.clear();
    }

    /// Keeps the candidates that the groups hold, or takes all their values as candidates; returns
    /// how many values the groups hold.
    fn intersect(&mut self, release: &Known<'_>, has_candidates: bool) -> u32 {
        let before = self.looks;
        self.looks += 1;
        self.candidates.clear();
        let mut prior = 0;
        for &(value, _) in self.groups.iter().flat_map(|&group| release.held(group)) {
            let at = value as usize;
            if self.seen[at] == self.looks {
                continue;
            }
            self.seen[at] = self.looks;
            prior += 1;
            if !has_candidates || self.alive[at] == before {
                self.alive[at] = self.looks;
                self.candidates.push(value);
            }
        }
        self.candidates.sort_unstable();
        prior
    }
}

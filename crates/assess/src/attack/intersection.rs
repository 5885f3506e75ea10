//! The intersection attack: what several releases together say about people who are in more than
//! one of them.
//!
//! **The adversary** reads some releases and knows people: their quasi-identifiers, and that they
//! may be in the releases. For each person it finds the groups that the person can be in, release
//! by release, takes the sensitive values of these groups, and keeps those that all releases have
//! in common (Ganta, Kasiviswanathan and Smith 2008, Algorithm 1). How people are found and values
//! are intersected is [`mingle_privacy::composition`]; here it is played on everybody and counted.
//!
//! **The measures** (Definitions 7 to 9 of the paper), with `s_ij` the values of person i's groups
//! in release j:
//!
//! * effective prior anonymity in j: `|s_ij|`; effective posterior anonymity: `|∩ s_ij|`;
//! * drop: the smallest prior minus the posterior; the *vulnerable* have a positive one;
//! * a reader's confidence is 1 over the posterior; `PVP_C` is the share of people with a
//!   confidence of at least C. At 100 % the breach is *perfect*; below it is *partial* where values
//!   were lost.
//!
//! Shares are of everybody in the population. Averages are over those who were *intersected*: who
//! fit a group in at least two releases, and of whom at least one value is left. An empty
//! intersection means that the person is not in all of the releases that they fit, or not with the
//! same value; such people are *apart* and counted by themselves.
//!
//! **The readers** differ in what they make of several groups that fit ([`IntersectionChoice`]).
//! Limits are to hold against each.
//!
//! Where the population has the sensitive column, what the reader concludes is scored against it
//! ([`Score`]); with [`IntersectionOptions::probabilistic`] the groups' frequencies are multiplied
//! and the likeliest value is taken ([`Likely`]).
//!
//! **Assumptions.** Each row is one person, or the population says whose each row is: then people are
//! counted, each once, and it is assumed that somebody has a value that all of the releases she is
//! in publish ([`mingle_privacy::composition`]). The reader who is told the right groups knows one
//! of her values, the one of which least is left; what is concluded is true where it is one of hers.
//! Nothing is assumed about who is in which
//! release: whoever fits a group is taken to be in it. Releases that are not given cannot be
//! intersected.
//!
//! Cost: for each distinct tuple of quasi-identifiers, or profile of several rows, release and reader a look-up of groups and
//! their values; on all cores, with the same result for any number of them.

mod likely;
mod person;
mod score;
mod sizes;

pub use likely::{Likely, STEPS};
pub use mingle_record::answer::IntersectionChoice;
pub use person::{Person, Truths};
pub use score::Score;
pub use sizes::Sizes;

use mingle_privacy::composition::{CompositionLimits, Overlay, Scratch};
use person::Known;
use rayon::prelude::*;
use std::ops::Range;

/// How to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IntersectionOptions {
    /// Whether the groups' frequencies are multiplied.
    pub probabilistic: bool,
}

/// What came of one reader's attack on everybody.
#[derive(Clone, PartialEq, Debug)]
pub struct IntersectionPlay {
    /// Who read.
    pub reader: IntersectionChoice,
    /// People in the population.
    pub people: u64,
    /// People by the number of releases in which they fit a group, from none.
    pub by_releases: Vec<u64>,
    /// What each release says by itself.
    pub releases: Vec<InRelease>,
    /// People of whom more than one group was taken in some release.
    pub several: u64,
    /// People about whom the releases contradict one another.
    pub apart: u64,
    /// The smallest prior of those who were intersected.
    pub prior: Sizes,
    /// Their posterior.
    pub posterior: Sizes,
    /// The difference.
    pub drop: Sizes,
    /// Of the perfect breaches, those that one of the releases makes by itself.
    pub perfect_already: u64,
    /// People with fewer values left than in any release, but more than one.
    pub partial: u64,
    /// Whether it is true, where that is known of anybody.
    pub score: Option<Score>,
    /// What the frequencies say, where asked for.
    pub likely: Option<Likely>,
}

/// What one release says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InRelease {
    /// People who fit a group of it.
    pub fitting: u64,
    /// People of whom more than one group was taken.
    pub several: u64,
    /// Its effective prior anonymity, of those who were intersected and fit it.
    pub prior: Sizes,
}

/// Plays a reader on everybody the overlay's releases are laid over.
pub fn play(
    overlay: &Overlay<'_>,
    reader: IntersectionChoice,
    options: IntersectionOptions,
) -> IntersectionPlay {
    let truths = Truths::new(overlay);
    let units = overlay.crowd().units();
    let parts: Vec<IntersectionPlay> = (0..units.div_ceil(CHUNK))
        .into_par_iter()
        .map_init(Scratch::default, |scratch, chunk| {
            let mut play = IntersectionPlay::nobody(overlay, reader, options, &truths);
            let end = units.min((chunk + 1) * CHUNK);
            play.read(overlay, &truths, chunk * CHUNK..end, scratch);
            play
        })
        .collect();
    let nobody = IntersectionPlay::nobody(overlay, reader, options, &truths);
    // in the order of the units: sums of fractions must not depend on who was ready first
    parts.into_iter().fold(nobody, |mut sum, part| {
        sum.add(&part);
        sum
    })
}

/// Units that one thread takes at a time.
const CHUNK: usize = 2048;

/// The first unit and member, in the order of the crowd, of whom a single value is left; with
/// `newly` only people of whom no release by itself leaves one.
pub fn first_perfect(
    overlay: &Overlay<'_>,
    reader: IntersectionChoice,
    newly: bool,
) -> Option<(usize, usize)> {
    let truths = Truths::new(overlay);
    let is_one = |unit: usize, member: usize, scratch: &mut Scratch| {
        let read = (reader, false);
        let found = Person::new(overlay, &truths, (unit, member), read, scratch).found;
        found.is_perfect() && (!newly || found.prior > 1)
    };
    let of_unit = |scratch: &mut Scratch, unit: usize| {
        let mut members = overlay.crowd().members_of(unit);
        let member = members.find(|&member| is_one(unit, member, scratch))?;
        Some((unit, member))
    };
    (0..overlay.crowd().units())
        .into_par_iter()
        .map_init(Scratch::default, of_unit)
        .find_first(Option::is_some)?
}

/// The reader against whom most is lost: the largest number of perfect breaches, then the fewest
/// values left on average; the first of equals.
pub fn worst(plays: &[IntersectionPlay]) -> Option<&IntersectionPlay> {
    let worse = |next: &IntersectionPlay, than: &IntersectionPlay| {
        let mean = |play: &IntersectionPlay| play.posterior.mean().unwrap_or(f64::INFINITY);
        next.perfect() > than.perfect()
            || (next.perfect() == than.perfect() && mean(next) < mean(than))
    };
    plays
        .iter()
        .reduce(|worst, next| if worse(next, worst) { next } else { worst })
}

impl IntersectionPlay {
    fn nobody(
        overlay: &Overlay<'_>,
        reader: IntersectionChoice,
        options: IntersectionOptions,
        truths: &Truths,
    ) -> IntersectionPlay {
        IntersectionPlay {
            reader,
            people: 0,
            by_releases: vec![0; overlay.len() + 1],
            releases: vec![InRelease::default(); overlay.len()],
            several: 0,
            apart: 0,
            prior: Sizes::default(),
            posterior: Sizes::default(),
            drop: Sizes::default(),
            perfect_already: 0,
            partial: 0,
            score: truths.any().then(Score::default),
            likely: options.probabilistic.then(Likely::default),
        }
    }

    /// People who fit groups of at least two releases and of whom a value is left.
    pub fn intersected(&self) -> u64 {
        self.posterior.people()
    }

    /// People who fit a group in fewer than two releases: there is nothing to intersect.
    pub fn alone(&self) -> u64 {
        self.by_releases.iter().take(2).sum()
    }

    /// People who fit a group in every release.
    pub fn everywhere(&self) -> u64 {
        self.by_releases.last().copied().unwrap_or(0)
    }

    /// Perfect breaches: a single value is left.
    pub fn perfect(&self) -> u64 {
        self.posterior.exactly(1)
    }

    /// People with fewer values left than in any of the releases.
    pub fn vulnerable(&self) -> u64 {
        self.drop.people() - self.drop.exactly(0)
    }

    /// People of whom at most so many values are left, that is with a confidence of at least one
    /// over it: `|VP_C|`.
    pub fn at_most(&self, values: u32) -> u64 {
        self.posterior.at_most(values)
    }

    /// A share of everybody; 0 of nobody.
    pub fn share(&self, people: u64) -> f64 {
        people as f64 / self.people.max(1) as f64
    }

    /// Whether what was found stays within limits. Whom the others expose already counts as
    /// anybody.
    pub fn is_within(&self, limits: &CompositionLimits) -> bool {
        let fewest = limits
            .min_posterior
            .map_or(0, |min| u32::try_from(min).unwrap_or(u32::MAX));
        self.perfect() <= limits.most_perfect(self.people)
            && self.at_most(fewest.saturating_sub(1)) == 0
    }

    fn read(
        &mut self,
        overlay: &Overlay<'_>,
        truths: &Truths,
        units: Range<usize>,
        scratch: &mut Scratch,
    ) {
        for unit in units {
            let mut last: Option<(Vec<Known>, Person)> = None;
            for member in overlay.crowd().members_of(unit) {
                let own = truths.of(overlay, member);
                let mut known: Vec<Known> = own
                    .iter()
                    .map(|truth| truth.known_to(self.reader))
                    .collect();
                // who knows no value is the same reader for all of somebody's values
                known.dedup();
                let person = match last.take() {
                    Some((before, person)) if before == known => person,
                    _ => Person::of_unit(overlay, unit, &known, self.likely.is_some(), scratch),
                };
                let people = overlay.crowd().people_of(member);
                self.count(&person, people);
                self.score
                    .iter_mut()
                    .for_each(|score| score.count(&person, &own, people));
                self.likely
                    .iter_mut()
                    .for_each(|likely| likely.count(&person, &own, people));
                last = Some((known, person));
            }
        }
    }

    /// So many people of whom this was learnt.
    fn count(&mut self, person: &Person, people: u64) {
        let found = person.found;
        self.people += people;
        self.by_releases[found.releases as usize] += people;
        self.several += if person.fits.iter().any(|&fits| fits > 1) {
            people
        } else {
            0
        };
        for (release, &fits) in self.releases.iter_mut().zip(&person.fits) {
            release.fitting += if fits > 0 { people } else { 0 };
            release.several += if fits > 1 { people } else { 0 };
        }
        if !found.is_composed() {
            return;
        }
        if found.is_apart() {
            self.apart += people;
            return;
        }
        self.prior.count(found.prior, people);
        self.posterior.count(found.posterior, people);
        self.drop.count(found.prior - found.posterior, people);
        let fitting = self
            .releases
            .iter_mut()
            .zip(&person.priors)
            .filter(|&(_, &prior)| prior > 0);
        fitting.for_each(|(release, &prior)| release.prior.count(prior, people));
        self.perfect_already += if found.prior == 1 { people } else { 0 };
        self.partial += if 1 < found.posterior && found.posterior < found.prior {
            people
        } else {
            0
        };
    }

    fn add(&mut self, other: &IntersectionPlay) {
        self.people += other.people;
        self.by_releases
            .iter_mut()
            .zip(&other.by_releases)
            .for_each(|(mine, theirs)| *mine += theirs);
        for (mine, theirs) in self.releases.iter_mut().zip(&other.releases) {
            mine.fitting += theirs.fitting;
            mine.several += theirs.several;
            mine.prior.add(&theirs.prior);
        }
        self.several += other.several;
        self.apart += other.apart;
        self.prior.add(&other.prior);
        self.posterior.add(&other.posterior);
        self.drop.add(&other.drop);
        self.perfect_already += other.perfect_already;
        self.partial += other.partial;
        self.score
            .iter_mut()
            .zip(&other.score)
            .for_each(|(mine, theirs)| mine.add(theirs));
        self.likely
            .iter_mut()
            .zip(&other.likely)
            .for_each(|(mine, theirs)| mine.add(theirs));
    }
}

#[cfg(test)]
mod people_tests;
#[cfg(test)]
mod tests;

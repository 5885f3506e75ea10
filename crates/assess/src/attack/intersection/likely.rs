//! The probabilistic refinement: candidates are not equally likely, because groups hold some values
//! more often.
//!
//! For each release the share of rows that have a value, among the rows of the groups taken; over
//! releases the product, as if what group a person is in told nothing about the others; then normed
//! to the candidates.

use super::person::{Person, Truth};

/// Confidence is counted in so many steps.
pub const STEPS: usize = 100;

/// Values nearly as likely as the likeliest count as equally likely: products round.
const ALIKE: f64 = 1.0 - 1e-12;

/// What the likeliest value of everybody who was intersected says.
#[derive(Clone, PartialEq, Debug)]
pub struct Likely {
    /// People who were intersected.
    pub people: u64,
    /// How likely the likeliest value is, added up over them.
    confidence: f64,
    /// By hundredths: people whose likeliest value is at least so likely.
    pub confident: Vec<u64>,
    /// Of them, those whose value is known.
    pub known: u64,
    /// Of these, those whose likeliest value is the true one; where n values are equally likely,
    /// each for one nth.
    pub right: f64,
}

impl Default for Likely {
    fn default() -> Likely {
        Likely {
            people: 0,
            confidence: 0.0,
            confident: vec![0; STEPS + 1],
            known: 0,
            right: 0.0,
        }
    }
}

impl Likely {
    /// How likely the likeliest value is on average; `None` of nobody.
    pub fn mean_confidence(&self) -> Option<f64> {
        (self.people > 0).then(|| self.confidence / self.people as f64)
    }

    /// How often the likeliest value is the true one; `None` where no value is known.
    pub fn accuracy(&self) -> Option<f64> {
        (self.known > 0).then(|| self.right / self.known as f64)
    }

    pub(super) fn count(&mut self, person: &Person, truths: &[Truth], people: u64) {
        if !person.found.is_composed() || person.found.is_apart() {
            return;
        }
        let best = person.likelihoods.iter().copied().fold(0.0, f64::max);
        let alike = || {
            person
                .candidates
                .iter()
                .zip(&person.likelihoods)
                .filter(|&(_, &p)| p >= best * ALIKE)
        };
        // somebody with several values may have several of the likeliest
        let is_true = |value: u32| truths.contains(&Truth::Value(value));
        let right = alike().filter(|&(&value, _)| is_true(value)).count() as f64;
        let right = right / alike().count() as f64;
        let is_known = truths.iter().any(|truth| truth.is_known());
        self.guess(best, is_known.then_some(right), people);
    }

    /// So many people with a value this likely, which is right this often where that is known.
    pub(super) fn guess(&mut self, best: f64, right: Option<f64>, people: u64) {
        self.people += people;
        self.confidence += best * people as f64;
        // a hair above, so that 0.29 counts as 29 hundredths
        let step = ((best + 1e-9) * STEPS as f64) as usize;
        self.confident
            .iter_mut()
            .take(step + 1)
            .for_each(|at_least| *at_least += people);
        if let Some(right) = right {
            self.known += people;
            self.right += right * people as f64;
        }
    }

    pub(super) fn add(&mut self, other: &Likely) {
        self.people += other.people;
        self.confidence += other.confidence;
        self.confident
            .iter_mut()
            .zip(&other.confident)
            .for_each(|(mine, theirs)| *mine += theirs);
        self.known += other.known;
        self.right += other.right;
    }
}

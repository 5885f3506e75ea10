//! Whether what the reader concludes is true.

use super::person::{Person, Truth};

/// What was concluded about people whose value is known, against that value. A missing value in the
/// population is one that is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// People who fit groups of at least two releases and whose value is known.
    pub known: u64,
    /// Of these, those of whom a value is among the values that are left.
    pub among: u64,
    /// Of these, perfect breaches.
    pub perfect: u64,
    /// Of the perfect breaches, those of whom a true value is left.
    pub perfect_right: u64,
}

impl Score {
    pub(super) fn count(&mut self, person: &Person, truths: &[Truth], people: u64) {
        if !truths.iter().any(|truth| truth.is_known()) || !person.found.is_composed() {
            return;
        }
        let right = person.leaves(truths);
        self.known += people;
        self.among += if right { people } else { 0 };
        if person.found.is_perfect() {
            self.perfect += people;
            self.perfect_right += if right { people } else { 0 };
        }
    }

    pub(super) fn add(&mut self, other: &Score) {
        self.known += other.known;
        self.among += other.among;
        self.perfect += other.perfect;
        self.perfect_right += other.perfect_right;
    }
}

//! Top-down: from the largest coalitions to smaller and smaller ones.
//!
//! Goryczka, Xiong and Fung (2011), Section III-B. A coalition that does not breach speaks for all
//! of its sub-coalitions, which are not visited. The search ends when a coalition of the stated
//! size breaches, or when none is left. Within a size the order matters only at the last one, where
//! the strongest coalitions come first.
//!
//! Seen from the remainders, which grow by one provider from level to level: one is visited iff no
//! smaller remainder within it is sufficient, that is, iff all that lack one of its providers were
//! visited and fail. Two failing remainders that differ in their weakest provider make a candidate;
//! the others are looked up. Cost: at most the sum of C(n, i) for i from m to n - 1 checks, and n
//! where no provider is needed by the others.

use super::lattice::{Lattice, Places};
use super::{Decision, most};
use crate::constraint::Limit;
use crate::insiders::M;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

pub(super) fn search<const W: usize>(lattice: &mut Lattice, m: M) -> Result<Decision, Limit> {
    let n = lattice.providers();
    let largest = n - most(n, m);
    let mut failing: Vec<Places<W>> = Vec::new();
    for number in 0..n {
        lattice.put(number);
        if lattice.breached()? {
            if largest == 1 {
                return Ok(lattice.breach());
            }
            failing.push(Places::of(&[number]));
        }
        lattice.take(number);
    }
    let mut levels = Levels {
        last: false,
        known: HashSet::default(),
        next: Vec::new(),
        here: Places::NONE,
    };
    for size in 2..=largest {
        levels.last = size == largest;
        if levels.grow(&failing, lattice)? {
            return Ok(lattice.breach());
        }
        std::mem::swap(&mut failing, &mut levels.next);
    }
    Ok(Decision::Holds)
}

struct Levels<const W: usize> {
    /// Whether remainders have the largest size.
    last: bool,
    /// The remainders of the level before that fail.
    known: HashSet<Places<W>, BuildHasherDefault<Mix>>,
    /// Those of this level, in ascending order.
    next: Vec<Places<W>>,
    /// The remainder whose rows are in the lattice.
    here: Places<W>,
}

impl<const W: usize> Levels<W> {
    /// Visits the remainders with one provider more than the failing ones; whether a coalition of
    /// the stated size breaches.
    fn grow(&mut self, failing: &[Places<W>], lattice: &mut Lattice) -> Result<bool, Limit> {
        self.known.clear();
        self.known.extend(failing);
        self.next.clear();
        // remainders ascend, so that those with the same stronger members stand together
        for alike in failing.chunk_by(|a, b| a.without_first() == b.without_first()) {
            for (place, &stronger) in alike.iter().enumerate() {
                for weaker in alike[..place].iter().filter_map(Places::first) {
                    let candidate = stronger.with(weaker);
                    lattice.spend(W as u64)?;
                    if self.is_open(candidate, stronger) && self.visit(candidate, lattice)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether everything that lacks one of the candidate's providers fails; the two it was made of
    /// do.
    fn is_open(&self, candidate: Places<W>, stronger: Places<W>) -> bool {
        stronger
            .without_first()
            .iter()
            .all(|number| self.known.contains(&candidate.without(number)))
    }

    fn visit(&mut self, remainder: Places<W>, lattice: &mut Lattice) -> Result<bool, Limit> {
        let (before, now) = (self.here, remainder);
        before
            .iter()
            .filter(|&number| !now.contains(number))
            .for_each(|number| lattice.take(number));
        now.iter()
            .filter(|&number| !before.contains(number))
            .for_each(|number| lattice.put(number));
        self.here = now;
        let fails = lattice.breached()?;
        if fails {
            // memory is a limit as well
            lattice.spend(16 * W as u64)?;
            self.next.push(remainder);
        }
        Ok(fails && self.last)
    }
}

/// A hash of a few words whose quality is enough for sets of providers; nobody can choose them.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

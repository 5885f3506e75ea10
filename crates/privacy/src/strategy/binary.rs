//! Binary: between a coalition that breaches and one that does not.
//!
//! Goryczka, Xiong and Fung (2011), Algorithm 1, as the text describes it: lines 6 and 7 of the
//! listing go on when a coalition breaches, where the text looks for the first that does. An
//! iteration takes a coalition of n - 1 providers that breaches and one of m of them. If the latter
//! breaches, this ends the search. Otherwise halving finds a coalition that does not breach though
//! it would with one more member; all that are part of the former, or contain the latter, are
//! settled.
//!
//! Coalitions of n - 1 are taken in turn, the weakest first, and then again, without another check,
//! as long as coalitions of m are left. What is taken between two coalitions adds the weakest
//! members first, so that what does not breach is large and settles much. Cost: at most C(n, m)
//! iterations of log(n - m) checks.

use super::lattice::{Lattice, Places, Walk};
use super::{Decision, most};
use crate::constraint::Limit;
use crate::insiders::M;

pub(super) fn search<const W: usize>(lattice: &mut Lattice, m: M) -> Result<Decision, Limit> {
    let n = lattice.providers();
    let mut search = Search {
        size: n - most(n, m),
        walk: Walk::<W>::new(n),
        sufficient: Vec::with_capacity(2 * n),
        failing: Vec::with_capacity(2 * n),
    };
    Ok(if search.in_turn(lattice)? || search.again(lattice)? {
        lattice.breach()
    } else {
        Decision::Holds
    })
}

/// Remainders instead of coalitions: those of m-adversaries have `size` providers.
struct Search<const W: usize> {
    size: usize,
    walk: Walk<W>,
    /// Remainders that satisfy everything: downward pruning.
    sufficient: Vec<Places<W>>,
    /// Remainders that do not: upward pruning.
    failing: Vec<Places<W>>,
}

impl<const W: usize> Search<W> {
    /// One iteration for each coalition of all providers but one; whether it ended with a breach.
    fn in_turn(&mut self, lattice: &mut Lattice) -> Result<bool, Limit> {
        if self.size == 1 {
            // these are the coalitions of the stated size
            return Ok(false);
        }
        for number in (0..lattice.providers()).rev() {
            if !self.fails_alone(number, lattice)? || number + 1 < self.size {
                continue;
            }
            self.walk
                .begin(self.size, number, &self.sufficient, &self.failing, lattice);
            let found = self.walk.advance(lattice)? && self.walk.strongest() == number;
            if found && self.iteration(lattice)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the coalition of all but this one breaches.
    fn fails_alone(&mut self, number: usize, lattice: &mut Lattice) -> Result<bool, Limit> {
        if self
            .failing
            .iter()
            .any(|remainder| remainder.contains(number))
        {
            return Ok(true);
        }
        self.walk.clear(lattice);
        lattice.put(number);
        let breached = lattice.breached()?;
        lattice.take(number);
        let list = if breached {
            &mut self.failing
        } else {
            &mut self.sufficient
        };
        list.push(Places::of(&[number]));
        Ok(breached)
    }

    /// Iterations until no coalition of the stated size is left; whether they ended with a breach.
    fn again(&mut self, lattice: &mut Lattice) -> Result<bool, Limit> {
        self.walk
            .begin(self.size, 0, &self.sufficient, &self.failing, lattice);
        while self.walk.advance(lattice)? {
            if self.iteration(lattice)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// From the remainder where the walk stands, which is left by a coalition of the stated size;
    /// whether it breaches.
    fn iteration(&mut self, lattice: &mut Lattice) -> Result<bool, Limit> {
        if lattice.breached()? {
            return Ok(true);
        }
        let known = self.walk.known_to_fail();
        let (mut fails, mut suffices) = (known, self.size);
        while suffices - fails > 1 {
            let between = fails.midpoint(suffices);
            self.walk.stand(between, lattice);
            *(if lattice.breached()? {
                &mut fails
            } else {
                &mut suffices
            }) = between;
        }
        if fails > known {
            self.failing.push(self.walk.fails(fails));
        }
        self.sufficient.push(self.walk.suffices(suffices, lattice));
        Ok(false)
    }
}

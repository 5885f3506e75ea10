//! Promises that are convex in who is left out: entropy and t-closeness.
//!
//! What is asked is whether a function of the amounts of values is negative, where it is concave, or
//! positive, where it is convex, for some set of people that a coalition can leave. The amounts are
//! linear in how many people of each kind are left, so the worst is at a corner: each kind of person
//! that is known stays as a whole or goes as a whole.
//!
//! First the question is asked as if every value of a person could be taken out by itself, which reaches
//! more: if that is withstood, so is this. Then coalitions are gone through, of all sizes where people are
//! shared, and for each the kinds that it knows, by branch and bound: with some kinds decided, the amounts
//! lie between two vectors, and a bound that the constraint gives for all vectors between them may rule
//! the node out. Corners are decided by the constraint's own check. More than [`STEPS`] nodes are not looked
//! at.

use super::crowd::Crowd;
use super::weights::{Weights, counts, present};
use crate::breach::{Attack, Breach};
use crate::constraint::{Check, Constraint, Limit};

/// How many nodes are looked at in one search, all coalitions together.
const STEPS: u64 = 1 << 15;

/// What can be left, between two vectors of amounts by place.
pub(crate) struct Reachable<'a> {
    pub fewest: &'a [u64],
    pub most: &'a [u64],
    /// The members who make the difference: each stays or goes.
    pub free: &'a [usize],
}

/// Looks for a coalition of at most `most` providers. `may_fail` must not be false where the constraint
/// fails for some vector in between.
pub(crate) fn convex(
    constraint: &dyn Constraint,
    crowd: &Crowd,
    weights: &Weights,
    most: usize,
    may_fail: &dyn Fn(&Reachable<'_>) -> bool,
) -> Attack {
    let all = weights.sums(crowd);
    match constraint.check(counts(&present(crowd, &all))) {
        Check::Fails => return Attack::Breach(crowd.breach(Vec::new(), |_| false)),
        Check::Undecided(limit) if most == 0 => return Attack::Undecided(limit),
        Check::Holds if most == 0 => return Attack::Withstood,
        _ => {}
    }
    if withstood_by_rows(constraint, crowd, weights, most) {
        return Attack::Withstood;
    }
    let mut search = Search {
        constraint,
        crowd,
        weights,
        may_fail,
        left_out: vec![false; crowd.members.len()],
        steps: 0,
        undecided: None,
    };
    let sizes = if crowd.shared() {
        0..=most
    } else {
        most..=most
    };
    for size in sizes {
        let mut coalition: Vec<usize> = (0..size).collect();
        loop {
            match search.coalition(&coalition) {
                Ok(None) => {}
                Ok(Some(breach)) => return Attack::Breach(breach),
                Err(limit) => return Attack::Undecided(limit),
            }
            if !next_combination(&mut coalition, crowd.providers()) {
                break;
            }
        }
    }
    search
        .undecided
        .map_or(Attack::Withstood, Attack::Undecided)
}

/// Whether even who could take out single values would not succeed.
fn withstood_by_rows(
    constraint: &dyn Constraint,
    crowd: &Crowd,
    weights: &Weights,
    most: usize,
) -> bool {
    let shares = weights.shares(crowd);
    // shared people may be taken out by anybody: they stand at a provider that joins for free
    let most = most + usize::from(crowd.shared());
    most < shares.providers() && constraint.breach(&shares, most) == Attack::Withstood
}

struct Search<'a> {
    constraint: &'a dyn Constraint,
    crowd: &'a Crowd,
    weights: &'a Weights,
    may_fail: &'a dyn Fn(&Reachable<'_>) -> bool,
    left_out: Vec<bool>,
    steps: u64,
    undecided: Option<Limit>,
}

/// The amounts at a node.
#[derive(Clone)]
struct Amounts {
    fewest: Vec<u64>,
    most: Vec<u64>,
}

impl Search<'_> {
    fn coalition(&mut self, coalition: &[usize]) -> Result<Option<Breach>, Limit> {
        let inside = self.crowd.inside(coalition);
        let known = |&at: &usize| self.crowd.is_known(&self.crowd.members[at], &inside);
        let free: Vec<usize> = (0..self.crowd.members.len()).filter(known).collect();
        if free.len() == self.crowd.members.len() {
            return Ok(None);
        }
        let mut amounts = Amounts {
            most: self.weights.sums(self.crowd),
            fewest: self.weights.sums(self.crowd),
        };
        for &member in &free {
            self.change(&mut amounts.fewest, member, false);
        }
        self.left_out.fill(false);
        let found = self.corner(&free, &amounts)?;
        Ok(found.then(|| {
            let left_out = |at: usize| self.left_out[at];
            self.crowd.breach(coalition.to_vec(), left_out)
        }))
    }

    /// Adds what a member's people have, or takes it away.
    fn change(&self, amounts: &mut [u64], member: usize, add: bool) {
        let people = self.crowd.members[member].people;
        for &(value, amount) in &self.weights.of[member] {
            let sum = &mut amounts[value as usize];
            if add {
                *sum += amount * people;
            } else {
                *sum -= amount * people;
            }
        }
    }

    /// Whether the constraint fails for some choice of these members.
    fn corner(&mut self, free: &[usize], amounts: &Amounts) -> Result<bool, Limit> {
        self.steps += 1;
        if self.steps > STEPS {
            return Err(Limit::SearchSteps(STEPS));
        }
        let Some((&first, others)) = free.split_first() else {
            let values = present(self.crowd, &amounts.fewest);
            return Ok(match self.constraint.check(counts(&values)) {
                Check::Holds => false,
                Check::Fails => true,
                Check::Undecided(limit) => {
                    self.undecided = Some(limit);
                    false
                }
            });
        };
        let reachable = Reachable {
            fewest: &amounts.fewest,
            most: &amounts.most,
            free,
        };
        if !(self.may_fail)(&reachable) {
            return Ok(false);
        }
        let mut without = amounts.clone();
        self.change(&mut without.most, first, false);
        self.left_out[first] = true;
        if self.corner(others, &without)? {
            return Ok(true);
        }
        self.left_out[first] = false;
        let mut with = amounts.clone();
        self.change(&mut with.fewest, first, true);
        self.corner(others, &with)
    }
}

/// The next set of places below `n` of the same size; `false` after the last.
pub(crate) fn next_combination(places: &mut [usize], n: usize) -> bool {
    let size = places.len();
    for at in (0..size).rev() {
        if places[at] < n - size + at {
            places[at] += 1;
            for after in at + 1..size {
                places[after] = places[after - 1] + 1;
            }
            return true;
        }
    }
    false
}

//! Coalitions against entropy l-diversity.
//!
//! The constraint fails where G(c) = sum f(c_s) - f(N) + N log l is positive, f(x) = x log x. In this order:
//!
//! 1. If no coalition can give a value more than 1/l of the rows, the entropy stays at least log l.
//! 2. For every set of values that may be kept in full ([`raised_sets`]), a bound on G over all coalitions
//!    ([`Kept`]). If all are negative, nobody breaches.
//! 3. The attack: G is the largest of the linear forms sum c_s log(l pi_s) over distributions pi, so take pi from
//!    counts, let the worst coalition answer that form, take pi from what it leaves, and so on.
//! 4. Branch and bound over providers, in the coalition or not, for each set that step 2 left.
//!
//! Floating-point numbers only rule out, and only with a margin for rounding; what fails is decided by the constraint
//! itself. A search of more than [`STEPS`] visits of entries is cut short.

use super::EntropyDiversity;
use super::kept::{Kept, Node};
use super::raised::raised_sets;
use crate::breach::{Attack, Breach, Response, standing_out};
use crate::constraint::{Check, Constraint, Counts, Limit};
use crate::shares::Shares;
use mingle_model::Code;
use std::collections::BTreeSet;

/// How many entries n_ps are looked at, all nodes of a search together.
const STEPS: u64 = 1 << 26;

/// How many sets of values are looked at.
const SETS: usize = 1 << 12;

/// How often the attack may improve on what it has.
const CLIMBS: usize = 16;

/// Looks for a coalition of at most `most` providers in a group that does not fail when nobody takes out anything.
pub(super) fn breach(constraint: &EntropyDiversity, group: &Shares, most: usize) -> Attack {
    let (p, q) = (constraint.l.numerator(), constraint.l.denominator());
    let too_few_others = |count: u64| {
        let spare = u128::from(count) * u128::from(p - q);
        spare.checked_sub(1).map(|below| u64::try_from(below / u128::from(q)).unwrap_or(u64::MAX))
    };
    if standing_out(group, most, too_few_others).is_none() {
        return Attack::Withstood;
    }
    let size = group.size() as f64;
    let operations = (group.providers() + group.values().len() + 64) as f64;
    let margin = 16.0 * f64::EPSILON * operations * size * (size.ln() + constraint.log_l() + 2.0);
    let response = Response::new(group, most);
    Search { constraint, group, most, response, margin, steps: 0, checked: BTreeSet::new(), unsure: None }.run()
}

struct Search<'a> {
    constraint: &'a EntropyDiversity,
    group: &'a Shares,
    most: usize,
    response: Response<'a>,
    /// More than all rounding errors of a bound together.
    margin: f64,
    steps: u64,
    /// Counts close to the boundary that do not fail: an exact decision may be costly.
    checked: BTreeSet<Vec<u64>>,
    /// Why an exact decision could not be made.
    unsure: Option<Limit>,
}

impl Search<'_> {
    fn run(&mut self) -> Attack {
        let cut = Attack::Undecided(Limit::SearchSteps(STEPS));
        let Some(sets) = raised_sets(self.group, self.most, self.constraint.l, SETS) else {
            return self.attack().map_or(cut, Attack::Breach);
        };
        let mut open = Vec::new();
        for set in sets {
            let mut kept = Kept::new(self.group, self.constraint.log_l(), &set);
            let root = kept.root(self.most);
            if kept.bound(&root, -self.margin) >= -self.margin {
                open.push((kept, root));
            }
        }
        if open.is_empty() {
            return Attack::Withstood;
        }
        if let Some(breach) = self.attack() {
            return Attack::Breach(breach);
        }
        for (mut kept, root) in open {
            match self.branch(&mut kept, root) {
                Some(None) => {}
                Some(Some(breach)) => return Attack::Breach(breach),
                None => return cut,
            }
        }
        self.unsure.map_or(Attack::Withstood, Attack::Undecided)
    }

    /// All coalitions with these values kept; `None` when the search was cut short.
    fn branch(&mut self, kept: &mut Kept, root: Node) -> Option<Option<Breach>> {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            self.steps += self.response.cost();
            if self.steps > STEPS {
                return None;
            }
            if kept.bound(&node, -self.margin) < -self.margin {
                continue;
            }
            let coalition = kept.coalition(&node);
            let counts = kept.counts(&coalition);
            if self.excess(&counts) >= -self.margin && self.fails(&counts) {
                return Some(Some(Breach { coalition, left: counts.iter().sum() }));
            }
            open.extend(kept.divide(node).into_iter().flatten());
        }
        Some(None)
    }

    /// From a few starts, each as far as it goes.
    fn attack(&mut self) -> Option<Breach> {
        let all: Vec<u64> = self.group.values().iter().map(|&(_, t)| t).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&value| std::cmp::Reverse(all[value]));
        let alone = |&value: &usize| (0..all.len()).map(|v| all[v] * u64::from(v == value)).collect();
        let starts: Vec<Vec<u64>> = [all.clone()].into_iter().chain(order.iter().take(4).map(alone)).collect();
        starts.into_iter().find_map(|start| self.climb(start))
    }

    fn climb(&mut self, start: Vec<u64>) -> Option<Breach> {
        let mut counts = start;
        let mut before = f64::NEG_INFINITY;
        for _ in 0..CLIMBS {
            let size = counts.iter().sum::<u64>() as f64;
            // a value that is gone should stay away, at a finite cost
            let alpha = |&c: &u64| self.constraint.log_l() + ((c as f64).max(0.01) / size).ln();
            let alpha: Vec<f64> = counts.iter().map(alpha).collect();
            self.response.maximum(&alpha);
            let coalition = self.response.coalition();
            counts = self.response.counts(&coalition);
            let excess = self.excess(&counts);
            if excess >= -self.margin && self.fails(&counts) {
                return Some(self.fewest(coalition));
            }
            if excess <= before {
                return None;
            }
            before = excess;
        }
        None
    }

    /// Of a coalition that succeeds by answering the last form, as few members as are needed.
    fn fewest(&mut self, coalition: Vec<usize>) -> Breach {
        let enough = (0..coalition.len()).find_map(|size| {
            let counts = self.response.counts(&coalition[..size]);
            (self.excess(&counts) >= -self.margin && self.fails(&counts)).then_some(size)
        });
        let mut members = coalition;
        members.truncate(enough.unwrap_or(members.len()));
        let left = self.response.counts(&members).iter().sum();
        members.sort_unstable();
        Breach { coalition: members, left }
    }

    /// G.
    fn excess(&self, counts: &[u64]) -> f64 {
        let size = counts.iter().sum::<u64>() as f64;
        let sum: f64 = counts.iter().filter(|&&c| c > 0).map(|&c| c as f64 * (c as f64).ln()).sum();
        sum - size * (size.ln() - self.constraint.log_l())
    }

    fn fails(&mut self, counts: &[u64]) -> bool {
        if self.checked.contains(counts) {
            return false;
        }
        let codes = self.group.values().iter().map(|&(code, _)| code);
        let values: Vec<(Code, u64)> = codes.zip(counts.iter().copied()).filter(|&(_, count)| count > 0).collect();
        let check = self.constraint.check(Counts { size: counts.iter().sum(), values: &values });
        if let Check::Undecided(limit) = check {
            self.unsure = Some(limit);
        }
        check == Check::Fails || {
            self.checked.insert(counts.to_vec());
            false
        }
    }
}

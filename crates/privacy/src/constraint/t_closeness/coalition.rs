//! Coalitions against t-closeness: which differences are positive, not who colludes, is what is
//! searched.
//!
//! Once it is settled which steps of the cost are on (see [`ladder`](super::ladder)), the cost is a
//! linear form of the counts, and the worst coalition for a linear form needs no search (see
//! [`Response`]). The constraint fails for some coalition iff one of these forms is positive for
//! its worst coalition. They are searched by branch and bound: where steps are undecided,
//! [`Relaxation`] gives one form above all of them; if that stays negative for every coalition, so
//! do they. Floating-point numbers only rule out, and only with a margin for rounding. What fails
//! is decided by the constraint itself on the counts that a coalition leaves, and a form that is
//! settled but too close to zero by integers. A search of more than [`STEPS`] visits of entries is
//! cut short.

use super::TCloseness;
use super::ladder::Pieces;
use super::relaxation::{Relaxation, State};
use crate::breach::{Attack, Breach, Response};
use crate::constraint::{Check, Constraint, GroupCounts, Limit};
use crate::shares::Shares;
use mingle_model::Code;

/// How many entries n_ps are looked at, all nodes of a search together.
const STEPS: u64 = 1 << 27;

/// How often the attack may improve on what it has.
const CLIMBS: usize = 16;

/// Looks for a coalition of at most `most` providers in a group that satisfies the constraint when
/// nobody takes out anything.
pub(super) fn breach(constraint: &TCloseness, group: &Shares, most: usize) -> Attack {
    let pieces = constraint.ground.pieces(group.values());
    let relaxation = Relaxation::new(group, most, &pieces, constraint.max);
    let steps: usize = pieces.ladders.iter().map(|ladder| ladder.steps.len()).sum();
    let operations = (group.providers() + group.values().len() + steps + 64) as f64;
    let margin = 8.0 * f64::EPSILON * operations * relaxation.weight * group.size() as f64;
    let response = Response::new(group, most);
    Search {
        constraint,
        group,
        most,
        pieces,
        relaxation,
        response,
        margin,
        alpha: Vec::new(),
    }
    .run()
}

struct Search<'a> {
    constraint: &'a TCloseness,
    group: &'a Shares,
    most: usize,
    pieces: Pieces,
    relaxation: Relaxation,
    response: Response<'a>,
    /// More than all rounding errors of a bound together.
    margin: f64,
    alpha: Vec<f64>,
}

impl Search<'_> {
    fn run(&mut self) -> Attack {
        let mut open = vec![self.relaxation.root.clone()];
        let (mut steps, mut too_long) = (0, false);
        let mut best = f64::NEG_INFINITY;
        while let Some(state) = open.pop() {
            if self.bound(&state) < -self.margin {
                continue;
            }
            steps += self.response.cost();
            if steps > STEPS {
                return Attack::Undecided(Limit::SearchSteps(STEPS));
            }
            let counts = self.response.counts(&self.response.coalition());
            let excess = self.relaxation.excess(&counts);
            if excess > best || excess >= -self.margin {
                best = best.max(excess);
                if let Some(breach) = self.attempt(&counts) {
                    return Attack::Breach(breach);
                }
            }
            match self.relaxation.loosest(&state, &counts) {
                Some(branch) => self.divide(state, branch, &mut open),
                None => match self.settle(&state) {
                    Some(Some(breach)) => return Attack::Breach(breach),
                    Some(None) => {}
                    None => too_long = true,
                },
            }
        }
        if too_long {
            Attack::Undecided(Limit::IntegerBits(127))
        } else {
            Attack::Withstood
        }
    }

    /// No coalition makes the excess larger than this as long as the switches are as in this state.
    fn bound(&mut self, state: &State) -> f64 {
        let constant = self.relaxation.form(state, &mut self.alpha);
        constant + self.response.maximum(&self.alpha)
    }

    /// The branch that the counts ask for comes out first.
    fn divide(
        &self,
        state: State,
        (ladder, step, on): (usize, usize, bool),
        open: &mut Vec<State>,
    ) {
        let mut other = state.clone();
        let mut same = state;
        let (with, without) = if on {
            (&mut same, &mut other)
        } else {
            (&mut other, &mut same)
        };
        with[ladder].0 = step + 1;
        without[ladder].1 = step;
        open.extend([other, same]);
    }

    /// Takes counts for a start, switches every step as they want it, lets the worst coalition
    /// answer, and so on.
    fn attempt(&mut self, start: &[u64]) -> Option<Breach> {
        let mut before = f64::NEG_INFINITY;
        let mut counts = start.to_vec();
        for _ in 0..CLIMBS {
            let state = self.relaxation.best(&counts);
            let excess = self.bound(&state);
            let breach = if excess >= -self.margin {
                self.fewest()
            } else {
                None
            };
            if breach.is_some() {
                return breach;
            }
            if excess <= before {
                return None;
            }
            before = excess;
            counts = self.response.counts(&self.response.coalition());
        }
        None
    }

    /// Of the coalition that answered the last form, as few members as are needed.
    fn fewest(&self) -> Option<Breach> {
        let coalition = self.response.coalition();
        if !self.fails(&self.response.counts(&coalition)) {
            return None;
        }
        (0..=coalition.len()).find_map(|size| {
            let counts = self.response.counts(&coalition[..size]);
            let mut members = coalition[..size].to_vec();
            members.sort_unstable();
            self.fails(&counts).then(|| Breach {
                coalition: members,
                left: counts.iter().sum(),
                people_left: None,
            })
        })
    }

    fn fails(&self, counts: &[u64]) -> bool {
        let codes = self.group.values().iter().map(|&(code, _)| code);
        let values: Vec<(Code, u64)> = codes
            .zip(counts.iter().copied())
            .filter(|&(_, count)| count > 0)
            .collect();
        self.constraint.check(GroupCounts {
            size: counts.iter().sum(),
            values: &values,
        }) == Check::Fails
    }

    /// Decides a state without undecided steps in integers; `None` when they would be too long.
    fn settle(&self, state: &State) -> Option<Option<Breach>> {
        let alpha = self.exact(state)?;
        let amount = |provider: usize| {
            let parts = self
                .group
                .of(provider)
                .iter()
                .map(|&(value, n)| alpha[value as usize].min(0).checked_mul(n.into()));
            parts
                .into_iter()
                .try_fold(0i128, |sum, part| sum.checked_sub(part?))
        };
        let amounts: Vec<i128> = (0..self.group.providers())
            .map(amount)
            .collect::<Option<_>>()?;
        let mut coalition: Vec<usize> = (0..amounts.len()).collect();
        coalition.sort_by_key(|&provider| std::cmp::Reverse(amounts[provider]));
        coalition.truncate(self.most);
        coalition.sort_unstable();
        let mut counts: Vec<u64> = self.group.values().iter().map(|&(_, t)| t).collect();
        for &(value, n) in coalition.iter().flat_map(|&p| self.group.of(p)) {
            counts[value as usize] -= if alpha[value as usize] < 0 { n } else { 0 };
        }
        Some(self.fails(&counts).then(|| Breach {
            coalition,
            left: counts.iter().sum(),
            people_left: None,
        }))
    }

    /// The form of a state, times T, the constant and t's denominator.
    fn exact(&self, state: &State) -> Option<Vec<i128>> {
        let Pieces {
            order,
            ladders,
            lines,
            rows,
            constant,
        } = &self.pieces;
        let table = i128::from(*rows);
        let mut form = vec![0i128; order.len()];
        let mut add = |set: &std::ops::Range<usize>, times: i128, share: i128| {
            form.iter_mut().for_each(|f| *f -= share);
            form[set.clone()]
                .iter_mut()
                .for_each(|f| *f += times * table);
        };
        lines
            .iter()
            .for_each(|line| add(&line.set, line.times, line.table));
        for (ladder, &(on, _)) in ladders.iter().zip(state) {
            let weight = i128::from(ladder.weight);
            let share: i128 = ladder.steps[..on].iter().map(|&b| i128::from(b)).sum();
            add(&ladder.set, weight * on as i128, weight * share);
        }
        let max = self.constraint.max;
        let most = table
            .checked_mul((*constant).into())?
            .checked_mul(max.numerator().into())?;
        let mut alpha = vec![0; order.len()];
        for (&value, &f) in order.iter().zip(&form) {
            alpha[value] = f.checked_mul(max.denominator().into())?.checked_sub(most)?;
        }
        Some(alpha)
    }
}

//! Exact: every constraint says itself which coalition hurts it most.
//!
//! A conjunction withstands m insiders iff each of its constraints does, whatever the constraints (each subset of rows
//! must satisfy all of them, so each constraint must be satisfied by each subset). So constraints are asked one by one,
//! and most answer without looking at coalitions: see [`Constraint::breach`](crate::Constraint::breach). The theorems
//! are in `docs/concepts/exact-verification.md`.

use super::{Decision, Effort};
use crate::breach::{Attack, Breach};
use crate::constraint::Constraint;
use crate::requirement::Requirement;
use crate::shares::Shares;
use crate::tally::Tally;

pub(super) fn decide(requirement: &Requirement, group: &Tally, m: u64, effort: &mut Effort) -> Decision {
    let mut shares = Shares::default();
    let mut undecided = None;
    let mut seen = None;
    for (at, constraint) in requirement.constraints().enumerate() {
        let attribute = requirement.attribute_of(at);
        if seen.replace(attribute) != Some(attribute) {
            shares.refill(group, attribute);
        }
        effort.checks += 1;
        match constraint.breach(&shares, most(&shares, m)) {
            Attack::Withstood => {}
            Attack::Breach(breach) => return Decision::Breach(at, breach),
            Attack::Undecided(limit) => undecided = Some(limit),
        }
    }
    undecided.map_or(Decision::Holds, Decision::Undecided)
}

/// The largest coalition that leaves out a contributor: m_G = min(m, n_G - 1).
pub(crate) fn most(group: &Shares, m: u64) -> usize {
    usize::try_from(m).unwrap_or(usize::MAX).min(group.providers().saturating_sub(1))
}

/// One of the smallest coalitions of at most `m` providers that breaches a constraint, and whether a smaller one is
/// ruled out: a search that was cut short leaves that open.
pub fn smallest(constraint: &dyn Constraint, group: &Shares, m: u64) -> (Attack, bool) {
    let mut best: Option<Breach> = None;
    let mut limit = most(group, m);
    loop {
        match constraint.breach(group, limit) {
            Attack::Withstood => return (best.map_or(Attack::Withstood, Attack::Breach), true),
            Attack::Undecided(cut) => {
                let sure = false;
                return (best.map_or(Attack::Undecided(cut), Attack::Breach), sure);
            }
            Attack::Breach(breach) if breach.coalition.is_empty() => return (Attack::Breach(breach), true),
            Attack::Breach(breach) => {
                limit = breach.coalition.len() - 1;
                best = Some(breach);
            }
        }
    }
}

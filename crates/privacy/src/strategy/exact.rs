//! Exact: every constraint says itself which coalition hurts it most.
//!
//! A conjunction withstands m insiders iff each of its constraints does, whatever the constraints
//! (each subset of rows must satisfy all of them, so each constraint must be satisfied by each
//! subset). So constraints are asked one by one, and most answer without looking at coalitions: see
//! [`Constraint::breach`](crate::Constraint::breach). The theorems are in
//! `docs/concepts/exact-verification.md`.

use super::{Decision, Effort, most};
use crate::breach::{Attack, Breach};
use crate::constraint::Constraint;
use crate::insiders::M;
use crate::requirement::Requirement;
use crate::shares::Shares;
use crate::tally::Tally;
use std::cell::Cell;

thread_local! {
    /// Memory that is used again from group to group.
    static SHARES: Cell<Shares> = Cell::default();
}

pub(super) fn decide(
    requirement: &Requirement,
    group: &Tally,
    m: M,
    effort: &mut Effort,
) -> Decision {
    let mut shares = SHARES.take();
    let decision = ask(requirement, group, m, &mut shares, effort);
    SHARES.set(shares);
    decision
}

fn ask(
    requirement: &Requirement,
    group: &Tally,
    m: M,
    shares: &mut Shares,
    effort: &mut Effort,
) -> Decision {
    let mut undecided = None;
    let mut seen = None;
    for (at, constraint) in requirement.constraints().enumerate() {
        // where only sizes matter any attribute will do, and the first is likely to be asked for
        // next
        let attribute = requirement
            .attribute_of(at)
            .or(seen.unwrap_or(requirement.first_attribute()));
        if seen.replace(attribute) != Some(attribute) {
            shares.refill(group, attribute);
        }
        effort.checks += 1;
        match constraint.breach(shares, most(shares.providers(), m)) {
            Attack::Withstood => {}
            Attack::Breach(breach) => return Decision::Breach(at, breach),
            Attack::Undecided(limit) => undecided = Some(limit),
        }
    }
    undecided.map_or(Decision::Holds, Decision::Undecided)
}

/// The smallest coalition over all constraints; see [`Requirement::smallest_breach`].
pub(crate) fn smallest_breach(requirement: &Requirement, group: &Tally, m: M) -> (Decision, bool) {
    let mut shares = Shares::default();
    let (mut best, mut undecided, mut all_sure) = (None, None, true);
    let mut worth = Some(m);
    for (at, constraint) in requirement.constraints().enumerate() {
        let Some(m) = worth else { break };
        shares.refill(group, requirement.attribute_of(at));
        let (attack, sure) = smallest(constraint, &shares, m);
        all_sure &= sure;
        match attack {
            Attack::Withstood => {}
            Attack::Undecided(limit) => undecided = Some(limit),
            Attack::Breach(breach) => {
                worth = (breach.coalition.len() as u64).checked_sub(1).map(M);
                best = Some(Decision::Breach(at, breach));
            }
        }
    }
    let none = undecided.map_or(Decision::Holds, Decision::Undecided);
    // nothing is smaller than nobody
    (best.unwrap_or(none), all_sure || worth.is_none())
}

/// One of the smallest coalitions of at most `m` providers that breaches a constraint, and whether
/// a smaller one is ruled out: a search that was cut short leaves that open.
pub fn smallest(constraint: &dyn Constraint, group: &Shares, m: M) -> (Attack, bool) {
    shrunk(most(group.providers(), m), |limit| {
        constraint.breach(group, limit)
    })
}

/// Asks for ever smaller coalitions, beginning with at most `limit` providers: the last breach that
/// was found, and whether a smaller one is ruled out.
pub(crate) fn shrunk(mut limit: usize, breach: impl Fn(usize) -> Attack) -> (Attack, bool) {
    let mut best: Option<Breach> = None;
    loop {
        match breach(limit) {
            Attack::Withstood => return (best.map_or(Attack::Withstood, Attack::Breach), true),
            Attack::Undecided(cut) => {
                let sure = false;
                return (best.map_or(Attack::Undecided(cut), Attack::Breach), sure);
            }
            Attack::Breach(breach) if breach.coalition.is_empty() => {
                return (Attack::Breach(breach), true);
            }
            Attack::Breach(breach) => {
                limit = breach.coalition.len() - 1;
                best = Some(breach);
            }
        }
    }
}

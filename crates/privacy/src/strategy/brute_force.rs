//! Brute force: the definition.
//!
//! Every coalition of at most m providers that leaves out a contributor, and every set of rows it
//! can reach by taking out some of its own, as vectors of counts: equal rows need not be told
//! apart. Each must satisfy every constraint. Counts are taken per attribute, although a set of
//! rows fixes those of all attributes together: a constraint looks at one attribute only, each
//! vector of its counts comes from some set of rows, and a conjunction holds for all sets of rows
//! iff each constraint does. For any constraints. Cost: the number of vectors; no more than
//! [`CHECKS`] are checked.

use super::lattice::RevolvingDoor;
use super::{Decision, Effort, most};
use crate::breach::Breach;
use crate::constraint::{Check, GroupCounts, Limit};
use crate::insiders::M;
use crate::requirement::Requirement;
use crate::shares::Shares;
use crate::tally::Tally;
use mingle_model::Code;

/// The most checks of a group.
const CHECKS: u64 = 1 << 24;

pub(super) fn decide(
    requirement: &Requirement,
    group: &Tally,
    m: M,
    effort: &mut Effort,
) -> Decision {
    let views = views(requirement, group);
    let n = views.first().map_or(0, |view| view.shares.providers());
    let mut search = Search {
        requirement,
        views,
        checks: 0,
        undecided: None,
    };
    let decision = (0..=most(n, m)).find_map(|size| search.coalitions(size, n));
    effort.checks += search.checks;
    let undecided = search.undecided;
    decision.unwrap_or_else(|| undecided.map_or(Decision::Holds, Decision::Undecided))
}

struct Search<'a> {
    requirement: &'a Requirement,
    views: Vec<View>,
    checks: u64,
    undecided: Option<Limit>,
}

/// The group as the constraints of one attribute see it, or those of none.
struct View {
    constraints: Vec<usize>,
    shares: Shares,
}

fn views(requirement: &Requirement, group: &Tally) -> Vec<View> {
    let attributes = (0..requirement.attributes().len()).map(Some);
    let view = |attribute: Option<usize>| {
        let mut shares = Shares::default();
        shares.refill(group, attribute);
        let looks = |&at: &usize| requirement.attribute_of(at) == attribute;
        View {
            constraints: (0..requirement.promises().len()).filter(looks).collect(),
            shares,
        }
    };
    [None].into_iter().chain(attributes).map(view).collect()
}

impl Search<'_> {
    /// Every coalition of this size; the first breach, or that the search was cut short.
    fn coalitions(&mut self, size: usize, n: usize) -> Option<Decision> {
        let mut door = RevolvingDoor::new(size, n);
        loop {
            let coalition = door.members().to_vec();
            if let Some(decision) =
                (0..self.views.len()).find_map(|view| self.subsets(view, &coalition))
            {
                return Some(decision);
            }
            door.turn()?;
        }
    }

    /// Every set of rows that a coalition can reach, as one attribute sees it.
    fn subsets(&mut self, view: usize, coalition: &[usize]) -> Option<Decision> {
        let fewest = remainder(&self.views[view].shares, coalition);
        let all = total(&self.views[view].shares);
        let mut counts = fewest.clone();
        loop {
            if let Some(decision) = self.check(view, coalition, &counts) {
                return Some(decision);
            }
            // the next vector: the first count that can grow does, those before it start over
            let grows = (0..counts.len()).find(|&value| counts[value].1 < all[value].1)?;
            counts[grows].1 += 1;
            counts[..grows].copy_from_slice(&fewest[..grows]);
        }
    }

    fn check(
        &mut self,
        view: usize,
        coalition: &[usize],
        counts: &[(Code, u64)],
    ) -> Option<Decision> {
        self.checks += 1;
        if self.checks > CHECKS {
            return Some(Decision::Undecided(Limit::SearchSteps(CHECKS)));
        }
        let size: u64 = counts.iter().map(|&(_, count)| count).sum();
        let present: Vec<(Code, u64)> = counts
            .iter()
            .copied()
            .filter(|&(_, count)| count > 0)
            .collect();
        for &at in &self.views[view].constraints {
            let values = if self.requirement.attribute_of(at).is_some() {
                &present[..]
            } else {
                &[]
            };
            match self
                .requirement
                .constraint(at)
                .check(GroupCounts { size, values })
            {
                Check::Holds => {}
                Check::Fails => {
                    return Some(Decision::Breach(
                        at,
                        Breach {
                            coalition: coalition.to_vec(),
                            left: size,
                            people_left: None,
                        },
                    ));
                }
                Check::Undecided(limit) => self.undecided = Some(limit),
            }
        }
        None
    }
}

/// How often each value occurs in the group; without an attribute all rows have the same.
fn total(shares: &Shares) -> Vec<(Code, u64)> {
    if shares.values().is_empty() {
        vec![(0, shares.size())]
    } else {
        shares.values().to_vec()
    }
}

/// How often each value occurs among the rows of those outside of a coalition.
fn remainder(shares: &Shares, coalition: &[usize]) -> Vec<(Code, u64)> {
    let mut counts = total(shares);
    for &provider in coalition {
        match shares.values() {
            [] => counts[0].1 -= shares.sizes()[provider],
            _ => shares
                .of(provider)
                .iter()
                .for_each(|&(value, count)| counts[value as usize].1 -= count),
        }
    }
    counts
}

//! What one coalition makes of a group of people.
//!
//! It takes out everybody it knows and looks at who is left. Promises on numbers of people, on
//! distinct values and on shares of rows are then as bad as they can get, if people are known; for
//! others leaving somebody in may break more, and the groups counted are a lower bound.

use super::fall::PromisedToPeople;
use super::{GroupKind, GroupPeople, contains};
use crate::attack::insider::fall::Fall;
use mingle_model::ProviderId;
use mingle_privacy::{Knows, Promise};

/// What is left to a coalition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::attack::insider) struct LeftToCoalition {
    /// People whom it knows.
    pub(in crate::attack::insider) known: u64,
    /// People whom it does not know.
    pub(in crate::attack::insider) people: u64,
    /// The promise that fails, by its place in the policy.
    pub(in crate::attack::insider) broken: Option<usize>,
    /// People of whom it is known which rows are theirs, or a sensitive value.
    pub(in crate::attack::insider) exposed: u64,
}

impl LeftToCoalition {
    /// Plays a coalition, ascending, whose smallest rivals are known from `fall`.
    pub(in crate::attack::insider) fn new(
        promised: &PromisedToPeople<'_>,
        group: &GroupPeople,
        fall: &Fall,
        members: &[ProviderId],
    ) -> LeftToCoalition {
        let mut left = LeftToCoalition::default();
        let mut unknown: Vec<&GroupKind> = Vec::new();
        for kind in &group.kinds {
            if group.is_known(kind, members) {
                left.known += kind.people;
            } else {
                left.people += kind.people;
                unknown.push(kind);
            }
        }
        if unknown.is_empty() {
            return left;
        }
        let as_they_are = unknown.iter().map(|kind| (kind.kind, kind.people));
        left.broken = promised.failing(as_they_are);
        if left.broken.is_none() {
            left.broken = contained(promised, fall, members);
        }
        left.exposed = exposed(group, &unknown, members);
        left
    }
}

/// A promise that fewer providers break already, each of whom is in the coalition.
fn contained(
    promised: &PromisedToPeople<'_>,
    fall: &Fall,
    members: &[ProviderId],
) -> Option<usize> {
    let breached = fall.breached.as_ref()?;
    let inside = breached.coalition.iter().all(|p| contains(members, *p));
    (inside && promised.has_no_victim(breached.constraint)).then_some(breached.constraint)
}

fn exposed(group: &GroupPeople, unknown: &[&GroupKind], members: &[ProviderId]) -> u64 {
    if let [only] = unknown
        && only.people == 1
    {
        return 1;
    }
    let mut told: Vec<(usize, Vec<u32>)> = Vec::new();
    for column in 0..group.columns {
        told.push((column, group.values_of_everybody(column, members)));
    }
    let mut exposed = 0;
    for kind in unknown {
        let is_told = |&(column, ref codes): &(usize, Vec<u32>)| {
            let values = &kind.values[column];
            // where rows are known, her row with the value must be somebody else's
            let tells = |code: &u32| {
                let holders = values.holders(*code);
                holders.iter().any(|p| !contains(members, *p))
            };
            codes.iter().any(tells)
        };
        if told.iter().any(is_told) {
            exposed += kind.people;
        }
    }
    exposed
}

/// Whether no coalition breaks more groups by leaving some of the people in whom it knows.
pub(in crate::attack::insider) fn exact_when_all_is_taken_out(
    promises: &[Promise],
    knows: Knows,
) -> bool {
    let counts_people = |promise: &Promise| {
        let rule = promise.rule;
        let of_values =
            rule.as_distinct_diversity().is_some() || rule.as_max_share_of_rows().is_some();
        rule.as_k_anonymity().is_some() || (of_values && knows == Knows::People)
    };
    promises.iter().all(counts_people)
}

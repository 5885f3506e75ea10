//! People who may have several rows: what every promise then counts, and what coalitions can do.
//!
//! A person has rows, and of a sensitive attribute the set S_v of values among them, missing ones
//! left out. People are interchangeable where they have the same rows, so a group is a list of kinds
//! with a number of people each ([`Crowd`]). Promises are asked about people, for a reader who can
//! link a person's rows, and about rows, for one who cannot: neither implies the other.
//!
//! Most promises fail iff kappa + sum over people of a_v > 0 for one of several forms ([`Form`]), where
//! a_v depends on the person's own rows. A coalition leaves out the people it knows whose a_v is
//! below 0. Where nobody is shared between providers, those are worth a sum to each provider, and the
//! largest are worst. Where people are shared they are a coverage function, and coalitions are
//! searched ([`coalition`]). Distinct diversity is a search for few values and few providers that
//! touch everybody ([`hitting`]). What is no such form, entropy and t-closeness, is convex in the
//! people left out, so every kind of person is left out as a whole or not at all ([`vertices`]).
//! Searches are capped, and then say undecided. The theorems are in
//! `docs/concepts/exact-verification.md`.

pub(crate) mod coalition;
mod counting;
mod crowd;
mod form;
mod glance;
mod hitting;
mod known;
mod persons;
mod sets;
mod vertices;
mod weights;

pub(crate) use crowd::View;
pub use crowd::{Crowd, CrowdMember};
pub(crate) use known::providers_know_everyone;

pub(crate) use counting::counting_reader;
pub(crate) use form::{Form, in_range, worst};
pub use glance::PeopleGlance;
pub(crate) use hitting::hitting;
pub(crate) use persons::{AttributeCodes, Persons};
pub(crate) use sets::{SetSearch, outside_at_least};
pub(crate) use vertices::{Reachable, convex};
pub(crate) use weights::{Weights, counts, present, scaled_counts};

use crate::breach::Attack;

/// The first breach of several parts of one promise; undecided if any part is and none fails.
pub(crate) fn conjunction(parts: &[&dyn Fn() -> Attack]) -> Attack {
    let mut undecided = None;
    for part in parts {
        match part() {
            Attack::Withstood => {}
            Attack::Undecided(limit) => undecided = undecided.or(Some(limit)),
            breach => return breach,
        }
    }
    undecided.map_or(Attack::Withstood, Attack::Undecided)
}

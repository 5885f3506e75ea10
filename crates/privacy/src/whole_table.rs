//! What no partition can repair: the whole table as one group.
//!
//! For the outsider (m = 0) every constraint here is closed under union of disjoint groups: if it
//! holds for two groups it holds for both together.
//!
//! * k-anonymity and distinct l-diversity are group-monotone.
//! * Maximum frequency asks for linear inequalities c_v <= a N, one per value v. They add up.
//! * Recursive (c,l)-diversity asks for c_v < c (sum of c_s over s not in L) for every value v and
//!   every set L of l - 1 values, since r_l + … + r_d is the smallest such sum. These are linear
//!   and add up as well.
//! * Entropy is concave and the earth mover's distance to a fixed distribution is convex, and the
//!   distribution of a union is a weighted mean of those of its parts. So the union's entropy is at
//!   least the smaller of both, and its distance at most the larger.
//!
//! * Dominance and the people's side of each constraint are such forms as well, or the same functions of
//!   the weights of people, and nobody is in two groups. A hitting number does not fall when people are
//!   added, and whoever has few rows in a part has no more in the whole. Where the rows of a person are
//!   apart none of this holds.
//!
//! Hence, if all groups of a partition of the whole table satisfied a constraint, so would the
//! whole table. Where it fails there, no partition that publishes every row can satisfy it. Leaving
//! rows out, or coalitions (m > 0), are another matter: the proof says nothing about either.

use crate::constraint::{Check, Limit};
use crate::requirement::Requirement;
use mingle_model::{Entry, ProviderId};

/// Decides every constraint, in the policy's order, for the whole table as one group.
///
/// `table` says how often each combination of sensitive values occurs, as for
/// [`Requirement::bind`]. `Fails` proves that no partition of all rows satisfies that constraint at
/// m = 0.
pub fn whole_table(requirement: &Requirement, table: &[u64]) -> Vec<Check> {
    if let Some(everyone) = requirement.everyone() {
        if !requirement.rows_together() {
            let nothing_follows = Check::Undecided(Limit::SearchSteps(0));
            return vec![nothing_follows; requirement.promises().len()];
        }
        return (0..requirement.promises().len())
            .map(|constraint| requirement.check(constraint, &everyone))
            .collect();
    }
    let rows = (0u32..).zip(table.iter().copied());
    let nobody = ProviderId(0);
    let tally = requirement.tally(rows.map(|(sensitive, count)| Entry {
        sensitive,
        provider: nobody,
        count,
    }));
    (0..requirement.promises().len())
        .map(|constraint| requirement.check(constraint, &tally))
        .collect()
}

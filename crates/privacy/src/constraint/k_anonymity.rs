//! k-anonymity (Samarati and Sweeney 1998): a group has at least k rows.
//!
//! Group-monotone: more rows are never fewer than k. Cost O(1); against coalitions O(providers),
//! since the m largest contributors are the worst.

use super::{Attribute, Check, Constraint, Counts};
use crate::breach::{Attack, leaving, rest};
use crate::error::Error;
use crate::shares::Shares;

/// At least `k` rows.
#[derive(Clone, Copy, Debug)]
pub struct KAnonymity {
    k: u64,
}

impl KAnonymity {
    /// The constraint's stable name.
    pub const NAME: &str = "k-anonymity";

    /// `k` is at least 1.
    pub fn new(k: u64) -> Result<KAnonymity, Error> {
        let range = Error::Parameter {
            constraint: Self::NAME,
            parameter: "k",
            expected: "at least 1",
        };
        if k == 0 {
            Err(range)
        } else {
            Ok(KAnonymity { k })
        }
    }
}

impl Constraint for KAnonymity {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn attribute(&self) -> Option<Attribute> {
        None
    }

    fn group_monotone(&self) -> bool {
        true
    }

    #[inline]
    fn check(&self, group: Counts<'_>) -> Check {
        Check::of(group.size >= self.k)
    }

    /// The largest contributors leave the fewest rows.
    fn breach(&self, group: &Shares, most: usize) -> Attack {
        let largest = group.sizes().iter().copied().max().unwrap_or(0);
        // most groups are so large that nothing needs to be looked up
        let at_least = group
            .size()
            .saturating_sub(largest.saturating_mul(most as u64));
        // selecting is quicker than sorting where there are many
        let many = group.providers() > 64;
        if at_least >= self.k || many && rest(&mut group.sizes().to_vec(), most) >= self.k {
            return Attack::Withstood;
        }
        leaving(group.sizes(), self.k - 1, most, 0).map_or(Attack::Withstood, Attack::Breach)
    }

    fn fitness(&self, group: Counts<'_>) -> f64 {
        group.size as f64 / self.k as f64
    }
}

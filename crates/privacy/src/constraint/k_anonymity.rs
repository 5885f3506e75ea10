//! k-anonymity (Samarati and Sweeney 1998): a group has at least k rows.
//!
//! Group-monotone: more rows are never fewer than k. Cost O(1).

use super::{Attribute, Check, Constraint, Counts};
use crate::error::Error;

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
        let range = Error::Parameter { constraint: Self::NAME, parameter: "k", expected: "at least 1" };
        if k == 0 { Err(range) } else { Ok(KAnonymity { k }) }
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
}

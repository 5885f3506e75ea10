//! Maximum frequency, the a of (a,k)-anonymity (Wong et al. 2006): no value in more than a share a of the rows.
//!
//! A missing value is a value like any other here. Not group-monotone: adding rows of one value raises its share.
//! Cost O(values present); nothing is allocated and nothing overflows (64 × 64 bits).

use super::{Attribute, Check, Constraint, Counts, Limit, outsider};
use crate::breach::Attack;
use crate::error::Error;
use crate::ratio::Ratio;
use crate::shares::Shares;

/// The most frequent value has at most the share `max` of the rows.
#[derive(Clone, Copy, Debug)]
pub struct MaxFrequency {
    attribute: Attribute,
    max: Ratio,
}

impl MaxFrequency {
    /// The constraint's stable name.
    pub const NAME: &str = "max-frequency";

    /// `max` is above 0 and at most 1.
    pub fn new(attribute: Attribute, max: Ratio) -> Result<MaxFrequency, Error> {
        let range = Error::Parameter { constraint: Self::NAME, parameter: Self::NAME, expected: "above 0, at most 1" };
        let fits = max > Ratio::from(0) && max <= Ratio::from(1);
        if fits { Ok(MaxFrequency { attribute, max }) } else { Err(range) }
    }
}

impl Constraint for MaxFrequency {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn attribute(&self) -> Option<Attribute> {
        Some(self.attribute)
    }

    fn group_monotone(&self) -> bool {
        false
    }

    #[inline]
    fn check(&self, group: Counts<'_>) -> Check {
        let Some(most) = group.values.iter().map(|&(_, count)| count).max() else { return Check::Fails };
        let share = u128::from(most) * u128::from(self.max.denominator());
        Check::of(share <= u128::from(group.size) * u128::from(self.max.numerator()))
    }

    fn breach(&self, group: &Shares, most: usize) -> Attack {
        if most == 0 {
            return outsider(self.check(group.counts()), group.size());
        }
        Attack::Undecided(Limit::SearchSteps(0))
    }

    fn fitness(&self, _group: Counts<'_>) -> f64 {
        1.0
    }
}

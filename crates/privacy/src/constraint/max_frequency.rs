//! Maximum frequency, the a of (a,k)-anonymity (Wong et al. 2006): no value in more than a share a
//! of the rows.
//!
//! A missing value is a value like any other here. Not group-monotone: adding rows of one value
//! raises its share. Cost O(values present); nothing is allocated and nothing overflows (64 × 64
//! bits).
//!
//! A coalition does most for a value by leaving in all its rows and taking out all others: the m
//! providers with most other rows leave the fewest. So there is one coalition to look at per value,
//! and most values are out of reach at a glance. Cost O(entries + values within reach × providers).

use super::{Attribute, Check, Constraint, Counts, beside_one, outsider};
use crate::breach::{Attack, standing_out};
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
        let range = Error::Parameter {
            constraint: Self::NAME,
            parameter: Self::NAME,
            expected: "above 0, at most 1",
        };
        let fits = max > Ratio::from(0) && max <= Ratio::from(1);
        if fits {
            Ok(MaxFrequency { attribute, max })
        } else {
            Err(range)
        }
    }

    /// The most other rows beside which so many of one value are too many: c > a (c + others).
    pub(super) fn too_few_others(&self, count: u64) -> Option<u64> {
        let (a, unit) = (self.max.numerator(), self.max.denominator());
        let spare = u128::from(count) * u128::from(unit - a);
        spare
            .checked_sub(1)
            .map(|below| u64::try_from(below / u128::from(a)).unwrap_or(u64::MAX))
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
        let Some(most) = group.values.iter().map(|&(_, count)| count).max() else {
            return Check::Fails;
        };
        let share = u128::from(most) * u128::from(self.max.denominator());
        Check::of(share <= u128::from(group.size) * u128::from(self.max.numerator()))
    }

    fn breach(&self, group: &Shares, most: usize) -> Attack {
        if most == 0 {
            return outsider(self.check(group.counts()), group.size());
        }
        standing_out(group, most, |count| self.too_few_others(count))
            .map_or(Attack::Withstood, Attack::Breach)
    }

    /// The largest share over that of the most frequent value.
    fn fitness(&self, group: Counts<'_>) -> f64 {
        let Some(most) = group.values.iter().map(|&(_, count)| count).max() else {
            return 0.0;
        };
        beside_one(self.max.to_f64() * group.size as f64 / most as f64, || {
            self.check(group)
        })
    }
}

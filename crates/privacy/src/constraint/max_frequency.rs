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
//!
//! Where people have several rows, the share of people who have the value among theirs is bounded, and
//! the share of rows. Missing values are no values of people; they are values of rows.

use super::{Attribute, Check, Constraint, GroupCounts, beside_one, outsider};
use crate::breach::{Attack, Breach, standing_out};
use crate::catalogue::{
    About, ConstraintKind, KindWords, ParameterForm, ParameterSpec, PolicyKey, Protection,
};
use crate::combinations::Combinations;
use crate::error::Error;
use crate::insiders::Knows;
use crate::people::{Crowd, Form, Member, conjunction, worst};
use crate::ratio::Ratio;
use crate::rule::{ParameterValue, Rule};
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

    fn share_of_people(&self, group: &Crowd, most: usize) -> Attack {
        let a = i128::from(self.max.numerator());
        let unit = i128::from(self.max.denominator());
        self.first_breach(group, most, |value| {
            let amount = |member: &Member| {
                let has = member.named.binary_search(&value).is_ok();
                if has { unit - a } else { -a }
            };
            group.members.iter().map(amount).collect()
        })
    }

    fn share_of_rows(&self, group: &Crowd, most: usize) -> Attack {
        if group.knows == Knows::Rows {
            // then rows are taken out one by one, as where each row is one person
            let shares = group.own_shares();
            let most = most.min(shares.providers().saturating_sub(1));
            return match self.breach(&shares, most) {
                Attack::Breach(breach) => {
                    let unknown = group.breach(breach.coalition.clone(), |_| true).people_left;
                    Attack::Breach(Breach {
                        people_left: unknown,
                        ..breach
                    })
                }
                attack => attack,
            };
        }
        let (a, unit) = (self.max.numerator(), self.max.denominator());
        let times = |a: u64, b: u64| i128::from(a) * i128::from(b);
        self.first_breach(group, most, |value| {
            let amount =
                |member: &Member| times(unit, member.rows_with(value)) - times(a, member.rows);
            group.members.iter().map(amount).collect()
        })
    }

    /// The first value whose form a coalition can make fail.
    fn first_breach(
        &self,
        group: &Crowd,
        most: usize,
        amounts: impl Fn(u32) -> Vec<i128>,
    ) -> Attack {
        let mut undecided = None;
        for value in 0..group.values() as u32 {
            let form = Form {
                kappa: 0,
                amounts: amounts(value),
                at_zero: false,
            };
            match worst(group, &form, most) {
                Ok(None) => {}
                Ok(Some(breach)) => return Attack::Breach(breach),
                Err(limit) => undecided = Some(limit),
            }
        }
        undecided.map_or(Attack::Withstood, Attack::Undecided)
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

/// Maximum frequency in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct MaxFrequencyKind;

impl Rule {
    /// No value in more than the share `max` of the rows.
    pub fn max_frequency(max: Ratio) -> Rule {
        Rule::of(&MaxFrequencyKind, &[ParameterValue::Ratio(max)])
    }

    /// The largest share.
    pub fn as_max_frequency(&self) -> Option<Ratio> {
        self.is(&MaxFrequencyKind).then(|| self.ratio(0))
    }
}

impl ConstraintKind for MaxFrequencyKind {
    fn name(&self) -> &'static str {
        MaxFrequency::NAME
    }

    fn policy(&self) -> PolicyKey {
        PolicyKey {
            key: "max_frequency",
            variant: None,
            asks: "the largest share",
            example: "0.5",
        }
    }

    fn parameters(&self) -> &'static [ParameterSpec] {
        &[ParameterSpec {
            name: "max",
            symbol: "max",
            form: ParameterForm::Ratio,
            example: "0.5",
        }]
    }

    fn about(&self) -> About {
        About::Values { joint: true }
    }

    fn group_monotone(&self) -> bool {
        false
    }

    fn check(&self, rule: &Rule) -> Result<(), Error> {
        MaxFrequency::new(Attribute::Joint, rule.ratio(0)).map(|_| ())
    }

    fn bind(
        &self,
        rule: &Rule,
        attribute: Option<Attribute>,
        table: &Combinations<'_>,
    ) -> Result<Box<dyn Constraint>, Error> {
        let attribute = table.attribute(self.name(), attribute)?;
        Ok(Box::new(MaxFrequency::new(attribute, rule.ratio(0))?))
    }

    fn smallest_group(&self, rule: &Rule) -> u64 {
        // some value is in at least one of n rows
        let max = rule.ratio(0);
        max.denominator().div_ceil(max.numerator().max(1))
    }

    fn protection(&self, rule: &Rule) -> Protection {
        let below_one = rule.ratio(0) < Ratio::from(1);
        Protection {
            says_something: below_one,
            rules_out_certainty: below_one,
            bounds_rows: false,
            bounds_shares: below_one,
        }
    }

    fn implies(&self, rule: &Rule, weaker: &Rule) -> bool {
        rule.ratio(0) <= weaker.ratio(0)
    }

    fn words(&self) -> KindWords {
        KindWords {
            meaning: "no value of {about} is that of more than {max:percent} of them",
            heading: "What is learned about {about}",
            promise: "No value of {about} is that of more than {max:percent} of the rows that look alike, so nobody can be said to \
                      have it with more certainty than that.",
        }
    }
}

impl Constraint for MaxFrequency {
    fn kind(&self) -> &'static dyn ConstraintKind {
        &MaxFrequencyKind
    }

    fn attribute(&self) -> Option<Attribute> {
        Some(self.attribute)
    }

    #[inline]
    fn check(&self, group: GroupCounts<'_>) -> Check {
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

    /// The share of people who have the value, and the share of rows.
    fn breach_people(&self, group: &Crowd, most: usize) -> Attack {
        conjunction(&[&|| self.share_of_people(group, most), &|| {
            self.share_of_rows(group, most)
        }])
    }

    /// The largest share over that of the most frequent value.
    fn fitness(&self, group: GroupCounts<'_>) -> f64 {
        let Some(most) = group.values.iter().map(|&(_, count)| count).max() else {
            return 0.0;
        };
        beside_one(self.max.to_f64() * group.size as f64 / most as f64, || {
            self.check(group)
        })
    }
}

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
use crate::people::{Crowd, CrowdMember, Form, PeopleGlance, conjunction, in_range, worst};
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
        let once = |member: &CrowdMember| member.named.iter().map(|&value| (value, 1)).collect();
        let parts = Parts {
            amounts: group.members.iter().map(once).collect(),
            sizes: vec![1; group.members.len()],
        };
        self.first_breach(group, &parts, most)
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
        let parts = Parts {
            amounts: group.members.iter().map(|m| m.values.clone()).collect(),
            sizes: group.members.iter().map(|m| m.rows).collect(),
        };
        self.first_breach(group, &parts, most)
    }

    /// The first value whose share a coalition can make too large: a form over people for each. Most
    /// values are out of reach at a glance, since all that no coalition takes out is beside them.
    fn first_breach(&self, group: &Crowd, parts: &Parts, most: usize) -> Attack {
        let (a, unit) = (
            i128::from(self.max.numerator()),
            i128::from(self.max.denominator()),
        );
        if let Err(limit) = in_range(self.max, group.rows()) {
            return Attack::Undecided(limit);
        }
        let least = parts.least(group, most);
        let mut undecided = None;
        for (value, count) in (0..).zip(parts.counts(group)) {
            if count * unit <= a * count.max(least) {
                continue;
            }
            let form = Form {
                kappa: 0,
                amounts: (0..group.members.len())
                    .map(|at| unit * parts.amount(at, value) - a * i128::from(parts.sizes[at]))
                    .collect(),
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

/// What each person has of values, and of everything: one, or rows.
struct Parts {
    amounts: Vec<Vec<(u32, u64)>>,
    sizes: Vec<u64>,
}

impl Parts {
    fn amount(&self, member: usize, value: u32) -> i128 {
        let own = &self.amounts[member];
        let place = own.binary_search_by_key(&value, |&(v, _)| v);
        place.map_or(0, |at| own[at].1.into())
    }

    /// By value, all people together.
    fn counts(&self, group: &Crowd) -> Vec<i128> {
        let mut counts = vec![0; group.values()];
        for (member, own) in group.members.iter().zip(&self.amounts) {
            for &(value, amount) in own {
                counts[value as usize] += i128::from(amount) * i128::from(member.people);
            }
        }
        counts
    }

    /// What no coalition of at most `most` providers takes out; shared people are counted at each.
    fn least(&self, group: &Crowd, most: usize) -> i128 {
        let mut of_provider = vec![0i128; group.providers()];
        let mut all = 0;
        for (member, &size) in group.members.iter().zip(&self.sizes) {
            let amount = i128::from(size) * i128::from(member.people);
            all += amount;
            for &provider in &member.known_to {
                of_provider[provider as usize] += amount;
            }
        }
        of_provider.sort_unstable_by(|a, b| b.cmp(a));
        all - of_provider.iter().take(most).sum::<i128>()
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

    fn words_of_people(&self) -> KindWords {
        KindWords {
            meaning: "no value of {about} is had by more than {max:percent} of them, or stands in more of their rows",
            heading: "What is learned about {about}",
            promise: "No value of {about} is had by more than {max:percent} of the people who look alike, or stands in more than \
                      that share of their rows, so nobody can be said to have it with more certainty than that.",
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

    fn glance(&self, group: &PeopleGlance<'_>) -> Option<bool> {
        let within = |some: u64, all: u64| {
            u128::from(some) * u128::from(self.max.denominator())
                <= u128::from(all) * u128::from(self.max.numerator())
        };
        let people = group.people_of_one_value()?;
        let rows = group.rows_of_one_value()?;
        if !within(people, group.count) || !within(rows, group.rows) {
            return Some(false);
        }
        let holds = within(people, group.count.saturating_sub(group.people_taken))
            && within(rows, group.rows.saturating_sub(group.rows_taken));
        holds.then_some(true)
    }

    fn weighs_people(&self) -> bool {
        true
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

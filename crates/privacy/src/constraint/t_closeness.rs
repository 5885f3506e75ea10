//! t-closeness (Li, Li and Venkatasubramanian 2007): a group's values are distributed nearly as in
//! the whole table.
//!
//! The distance is the earth mover's distance between the group's distribution P and the
//! distribution Q of the whole published table, which is public and therefore fixed. How far apart
//! two values are is the [`Ground`] distance, one file each; all have closed forms. A missing value
//! is a value like any other. Not group-monotone: added rows may lead away from Q.
//!
//! With N rows in the group and T in the table a distance is a whole number over N T times a
//! constant, so it is compared with t by integers: in 128 bits where everything fits, in big
//! integers otherwise. Coalitions are another matter, see [`coalition`]; people with several rows as
//! well, see [`people`].

mod coalition;
mod equal;
mod hierarchical;
mod ladder;
mod ordered;
mod people;
mod relaxation;

pub use equal::Equal;
pub use hierarchical::Hierarchical;
pub use ordered::Ordered;

use super::{Attribute, Check, Constraint, GroupCounts, beside_one, outsider};
use crate::breach::Attack;
use crate::catalogue::{
    About, ConstraintKind, KindWords, ParameterForm, ParameterSpec, PolicyKey, Protection,
};
use crate::combinations::Combinations;
use crate::constraint::Limit;
use crate::error::Error;
use crate::insiders::Knows;
use crate::people::{Crowd, PeopleGlance, Weights, conjunction, counts};
use crate::ratio::Ratio;
use crate::rule::{self, ParameterValue, Rule};
use crate::shares::Shares;
use ladder::Pieces;
use mingle_model::Code;
use num_bigint::BigUint;

/// The earth mover's distance to the table's distribution is at most `max`.
#[derive(Clone, Debug)]
pub struct TCloseness {
    attribute: Attribute,
    max: Ratio,
    ground: Ground,
    /// The same about the weights of people; `None` where these are too wide.
    over_people: Option<Box<TCloseness>>,
}

/// How far apart two values are, prepared for a table.
#[derive(Clone, Debug)]
pub enum Ground {
    /// 1 for different values.
    Equal(Equal),
    /// Difference of ranks.
    Ordered(Ordered),
    /// Height of the lowest common ancestor.
    Hierarchical(Hierarchical),
}

/// A distance as `cost / unit`.
struct Distance {
    cost: Cost,
    /// Size of the group, size of the table, and the constant of the ground distance.
    unit: [u64; 3],
}

/// A whole number that nearly always fits into 128 bits.
enum Cost {
    Narrow(u128),
    Wide(BigUint),
}

impl TCloseness {
    /// The constraint's stable name.
    pub const NAME: &str = "t-closeness";

    /// `max` is at most 1.
    pub fn new(attribute: Attribute, max: Ratio, ground: Ground) -> Result<TCloseness, Error> {
        let range = Error::Parameter {
            constraint: Self::NAME,
            parameter: "t",
            expected: "between 0 and 1",
        };
        if max > Ratio::from(1) {
            Err(range)
        } else {
            Ok(TCloseness {
                attribute,
                max,
                ground,
                over_people: None,
            })
        }
    }

    /// The same, where people are to be compared with how the weights of all people are distributed.
    fn with_people(mut self, ground: Option<Ground>) -> TCloseness {
        let (attribute, max) = (self.attribute, self.max);
        self.over_people = ground.map(|ground| {
            Box::new(TCloseness {
                attribute,
                max,
                ground,
                over_people: None,
            })
        });
        self
    }
}

/// t-closeness in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct TClosenessKind;

impl Rule {
    /// Distance of the group's distribution from the table's at most `max`, which is t.
    pub fn t_closeness(max: Ratio, distance: rule::Distance) -> Rule {
        let values = [
            ParameterValue::Ratio(max),
            ParameterValue::Distance(distance),
        ];
        Rule::of(&TClosenessKind, &values)
    }

    /// The t and the distance between values of t-closeness.
    pub fn as_t_closeness(&self) -> Option<(Ratio, rule::Distance)> {
        self.is(&TClosenessKind)
            .then(|| (self.ratio(0), self.distance().unwrap_or_default()))
    }
}

impl ConstraintKind for TClosenessKind {
    fn name(&self) -> &'static str {
        TCloseness::NAME
    }

    fn policy(&self) -> PolicyKey {
        PolicyKey {
            key: "t",
            variant: None,
            asks: "how far and by which distance",
            example: "{ max = 0.2, distance = \"equal\" }",
        }
    }

    fn parameters(&self) -> &'static [ParameterSpec] {
        &[
            ParameterSpec {
                name: "max",
                symbol: "t",
                form: ParameterForm::Ratio,
                example: "0.2",
            },
            ParameterSpec {
                name: "distance",
                symbol: "distance",
                form: ParameterForm::Distance,
                example: "\"equal\"",
            },
        ]
    }

    fn about(&self) -> About {
        // how far combinations of several attributes are apart is nobody's to say
        About::Values { joint: false }
    }

    fn group_monotone(&self) -> bool {
        false
    }

    fn check(&self, rule: &Rule) -> Result<(), Error> {
        let nowhere = Ground::Equal(Equal::new(Vec::new()));
        TCloseness::new(Attribute::Joint, rule.ratio(0), nowhere).map(|_| ())
    }

    fn bind(
        &self,
        rule: &Rule,
        attribute: Option<Attribute>,
        table: &Combinations<'_>,
    ) -> Result<Box<dyn Constraint>, Error> {
        let attribute = table.attribute(self.name(), attribute)?;
        let distance = rule.distance().unwrap_or_default();
        let ground = table.ground(attribute, distance)?;
        let of_people = table.people_ground(attribute, distance)?;
        let constraint = TCloseness::new(attribute, rule.ratio(0), ground)?;
        Ok(Box::new(constraint.with_people(of_people)))
    }

    fn smallest_group(&self, _rule: &Rule) -> u64 {
        1
    }

    fn protection(&self, rule: &Rule) -> Protection {
        // the whole table may lean to one value as much as the group, so certainty is not ruled out
        Protection {
            says_something: rule.ratio(0) < Ratio::from(1),
            rules_out_certainty: false,
            bounds_rows: false,
            bounds_shares: false,
        }
    }

    fn implies(&self, rule: &Rule, weaker: &Rule) -> bool {
        rule.ratio(0) <= weaker.ratio(0)
    }

    fn words(&self) -> KindWords {
        KindWords {
            meaning: "how their {about} is distributed is at most {max} away from the whole table (0 is the same, 1 the farthest; {distance:meaning})",
            heading: "What is learned about {about}",
            promise: "How {about} is distributed among the rows that look alike differs from the whole table by at most {max}, \
                      where 0 is no difference and 1 the largest.",
        }
    }

    fn words_of_people(&self) -> KindWords {
        KindWords {
            meaning: "how their {about} is distributed, counted by people and by rows, is at most {max} away from the whole table (0 is the same, 1 the farthest; {distance:meaning})",
            heading: "What is learned about {about}",
            promise: "How {about} is distributed among the people who look alike, and among their rows, differs from the whole \
                      table by at most {max}, where 0 is no difference and 1 the largest. A person with several values counts for each of \
                      them in equal parts.",
        }
    }
}

impl Constraint for TCloseness {
    fn kind(&self) -> &'static dyn ConstraintKind {
        &TClosenessKind
    }

    fn attribute(&self) -> Option<Attribute> {
        Some(self.attribute)
    }

    #[inline]
    fn check(&self, group: GroupCounts<'_>) -> Check {
        if group.size == 0 {
            return Check::Fails;
        }
        Check::of(
            self.ground
                .distance(group)
                .is_some_and(|d| d.at_most(self.max)),
        )
    }

    fn breach(&self, group: &Shares, most: usize) -> Attack {
        match outsider(self.check(group.counts()), group.size()) {
            Attack::Withstood if most > 0 => coalition::breach(self, group, most),
            attack => attack,
        }
    }

    /// By the weights of people, compared with those of all people, and by rows.
    fn breach_people(&self, group: &Crowd, most: usize) -> Attack {
        if group.knows == Knows::Rows && most > 0 {
            return Attack::Undecided(Limit::SearchSteps(0));
        }
        let over_people = || match (&self.over_people, Weights::people(group)) {
            (Some(constraint), Ok(weights)) => people::breach(constraint, group, &weights, most),
            (None, _) => Attack::Undecided(Limit::IntegerBits(u64::BITS.into())),
            (_, Err(limit)) => Attack::Undecided(limit),
        };
        conjunction(&[&over_people, &|| {
            people::breach(self, group, &Weights::rows(group), most)
        }])
    }

    fn glance(&self, group: &PeopleGlance<'_>) -> Option<bool> {
        let over_people = self.over_people.as_ref()?;
        let weights = group.weights()?;
        match over_people.check(counts(&weights)) {
            Check::Fails => Some(false),
            // what the rows show holds already where a glance is asked for
            Check::Holds if group.most == 0 => Some(true),
            Check::Holds | Check::Undecided(_) => None,
        }
    }

    fn weighs_people(&self) -> bool {
        true
    }

    /// (t + 0.01) / (distance + 0.01): finite even where there is no distance.
    fn fitness(&self, group: GroupCounts<'_>) -> f64 {
        const FINITE: f64 = 0.01;
        let Some(distance) = self.ground.distance(group).filter(|_| group.size > 0) else {
            return 0.0;
        };
        beside_one(
            (self.max.to_f64() + FINITE) / (distance.to_f64() + FINITE),
            || self.check(group),
        )
    }
}

impl Ground {
    /// How far a group is from the table, rounded: for people to look at, never for a verdict.
    /// `None` when the group has no rows, or a value that has no place in the table's order.
    pub fn measured(&self, group: GroupCounts<'_>) -> Option<f64> {
        self.distance(group)
            .filter(|_| group.size > 0)
            .map(|distance| distance.to_f64())
    }

    /// `None` when the group has a value that has no place in the table's order.
    #[inline]
    fn distance(&self, group: GroupCounts<'_>) -> Option<Distance> {
        match self {
            Ground::Equal(ground) => Some(ground.distance(group)),
            Ground::Ordered(ground) => ground.distance(group),
            Ground::Hierarchical(ground) => Some(ground.distance(group)),
        }
    }

    fn pieces(&self, values: &[(Code, u64)]) -> Pieces {
        match self {
            Ground::Equal(ground) => ground.pieces(values),
            Ground::Ordered(ground) => ground.pieces(values),
            Ground::Hierarchical(ground) => ground.pieces(values),
        }
    }
}

impl Distance {
    fn to_f64(&self) -> f64 {
        let cost = match &self.cost {
            Cost::Narrow(cost) => *cost as f64,
            // all digits but the leading ones are rounded away anyhow
            Cost::Wide(cost) => {
                cost.iter_u64_digits()
                    .fold((0.0, 1.0), |(sum, unit): (f64, f64), digit| {
                        (sum + digit as f64 * unit, unit * 2f64.powi(64))
                    })
                    .0
            }
        };
        cost / self.unit.iter().map(|&n| n as f64).product::<f64>()
    }

    /// `cost × denominator <= numerator × unit`.
    fn at_most(&self, max: Ratio) -> bool {
        let [size, table, constant] = self.unit;
        let pairs = u128::from(size) * u128::from(table);
        let narrow = |cost: u128| {
            let left = cost.checked_mul(max.denominator().into())?;
            let right = pairs
                .checked_mul(constant.into())?
                .checked_mul(max.numerator().into())?;
            Some(left <= right)
        };
        let wide = |cost: BigUint| {
            cost * max.denominator() <= BigUint::from(pairs) * constant * max.numerator()
        };
        match &self.cost {
            Cost::Narrow(cost) => narrow(*cost).unwrap_or_else(|| wide((*cost).into())),
            Cost::Wide(cost) => wide(cost.clone()),
        }
    }
}

/// max(0, `count / size - total / table`) times `size × table`: what a value, or a node, has too
/// much of.
#[inline]
fn excess(count: u64, size: u64, total: u64, table: u64) -> u128 {
    (u128::from(count) * u128::from(table)).saturating_sub(u128::from(total) * u128::from(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_beyond_128_bits() {
        let huge = u64::MAX;
        let third = Ratio::new(1, 3).unwrap();
        // over this unit the cost of a third is size × table; one more is more
        let cost = u128::from(huge) * u128::from(huge);
        let unit = [huge, huge, 3];
        let narrow = |cost: u128| {
            Distance {
                cost: Cost::Narrow(cost),
                unit,
            }
            .at_most(third)
        };
        assert!(cost.checked_mul(3).is_none());
        assert!(narrow(cost) && narrow(cost - 1) && !narrow(cost + 1));
        let wide = |cost: u128| {
            Distance {
                cost: Cost::Wide(cost.into()),
                unit,
            }
            .at_most(third)
        };
        assert!(wide(cost) && wide(cost - 1) && !wide(cost + 1));
    }

    #[test]
    fn shares_are_compared_exactly() {
        assert_eq!(excess(1, 3, 2, 6), 0);
        assert_eq!(excess(1, 3, 1, 6), 3);
        assert_eq!(excess(0, 3, 1, 6), 0);
        assert_eq!(
            excess(u64::MAX, u64::MAX, 0, u64::MAX),
            u128::from(u64::MAX) * u128::from(u64::MAX)
        );
    }
}

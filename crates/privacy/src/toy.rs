//! A toy constraint: for tests, in this crate and in others.
//!
//! It is in no catalogue of the program. A test that reads, writes or describes promises with
//! [`CATALOGUE`] shows that a constraint needs to be told to nobody but the catalogue. What it asks
//! is that a group has `factor` times `rows` rows, though it pretends to be about the values of a
//! sensitive column.

use crate::breach::Attack;
use crate::catalogue::{
    About, Catalogue, ConstraintKind, KindWords, ParameterForm, ParameterSpec, PolicyKey,
    Protection,
};
use crate::combinations::Combinations;
use crate::constraint::{
    Attribute, Check, Constraint, DistinctDiversityKind, EntropyDiversityKind, GroupCounts,
    KAnonymity, KAnonymityKind, MaxFrequencyKind, MaxShareOfRowsKind, RecursiveDiversityKind,
    TClosenessKind,
};
use crate::error::Error;
use crate::ratio::Ratio;
use crate::rule::{ParameterValue, Rule};
use crate::shares::Shares;

/// The constraint's name.
pub const NAME: &str = "toy-rows";

/// The program's constraints, and this one.
pub const CATALOGUE: Catalogue = Catalogue::of(&[
    &KAnonymityKind,
    &MaxShareOfRowsKind,
    &DistinctDiversityKind,
    &EntropyDiversityKind,
    &RecursiveDiversityKind,
    &TClosenessKind,
    &MaxFrequencyKind,
    &ToyKind,
]);

/// At least `factor` times `rows` rows.
pub fn rule(rows: u64, factor: Ratio) -> Rule {
    let values = [ParameterValue::Whole(rows), ParameterValue::Ratio(factor)];
    Rule::of(&ToyKind, &values)
}

fn fewest_rows(rule: &Rule) -> u64 {
    let factor = rule.ratio(1);
    let rows = u128::from(rule.whole(0)) * u128::from(factor.numerator());
    u64::try_from(rows.div_ceil(factor.denominator().into())).unwrap_or(u64::MAX)
}

/// The toy in a catalogue.
#[derive(Clone, Copy, Debug)]
pub struct ToyKind;

impl ConstraintKind for ToyKind {
    fn name(&self) -> &'static str {
        NAME
    }

    fn policy(&self) -> PolicyKey {
        PolicyKey {
            key: "toy",
            variant: None,
            asks: "how many rows and by which factor",
            example: "{ rows = 3, factor = 1.5 }",
        }
    }

    fn parameters(&self) -> &'static [ParameterSpec] {
        &[
            ParameterSpec {
                name: "rows",
                symbol: "rows",
                form: ParameterForm::Whole { least: 1 },
                example: "3",
            },
            ParameterSpec {
                name: "factor",
                symbol: "f",
                form: ParameterForm::Ratio,
                example: "1.5",
            },
        ]
    }

    fn about(&self) -> About {
        About::Values { joint: true }
    }

    fn group_monotone(&self) -> bool {
        true
    }

    fn check(&self, rule: &Rule) -> Result<(), Error> {
        if rule.ratio(1) > Ratio::from(100) {
            return Err(Error::Parameter {
                constraint: NAME,
                parameter: "factor",
                expected: "at most 100",
            });
        }
        KAnonymity::new(fewest_rows(rule)).map(|_| ())
    }

    fn bind(
        &self,
        rule: &Rule,
        attribute: Option<Attribute>,
        table: &Combinations<'_>,
    ) -> Result<Box<dyn Constraint>, Error> {
        self.check(rule)?;
        Ok(Box::new(Toy {
            attribute: table.attribute(NAME, attribute)?,
            sizes: KAnonymity::new(fewest_rows(rule))?,
        }))
    }

    fn smallest_group(&self, rule: &Rule) -> u64 {
        fewest_rows(rule)
    }

    fn protection(&self, rule: &Rule) -> Protection {
        let says_something = fewest_rows(rule) > 1;
        Protection {
            says_something,
            rules_out_certainty: false,
            bounds_rows: says_something,
            bounds_shares: false,
        }
    }

    fn implies(&self, rule: &Rule, weaker: &Rule) -> bool {
        fewest_rows(rule) >= fewest_rows(weaker)
    }

    fn words(&self) -> KindWords {
        KindWords {
            meaning: "{about} has {factor} times {rows} rows",
            heading: "What is played about {about}",
            promise: "{reader} finds {rows} toys, {factor} times.",
        }
    }

    fn words_of_people(&self) -> KindWords {
        KindWords {
            meaning: "{about} has {factor} times {rows} people",
            ..self.words()
        }
    }
}

/// The toy, bound to a table.
#[derive(Debug)]
struct Toy {
    attribute: Attribute,
    sizes: KAnonymity,
}

impl Constraint for Toy {
    fn kind(&self) -> &'static dyn ConstraintKind {
        &ToyKind
    }

    fn attribute(&self) -> Option<Attribute> {
        Some(self.attribute)
    }

    fn check(&self, group: GroupCounts<'_>) -> Check {
        self.sizes.check(group)
    }

    fn breach(&self, group: &Shares, most: usize) -> Attack {
        self.sizes.breach(group, most)
    }

    fn fitness(&self, group: GroupCounts<'_>) -> f64 {
        self.sizes.fitness(group)
    }
}

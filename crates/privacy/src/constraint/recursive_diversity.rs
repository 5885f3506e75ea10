//! Recursive (c,l)-diversity (Machanavajjhala et al. 2007): r_1 < c (r_l + … + r_d), counts in
//! descending order.
//!
//! The most frequent value is not too frequent even after l - 2 other values were ruled out. A
//! group with fewer than l values has an empty tail and fails. A missing value is a value like any
//! other here. Not group-monotone: adding rows of one value raises r_1. Cost O(values present ×
//! min(l, 16)); only a larger l allocates. Nothing overflows (64 × 64 bits). Coalitions are another
//! matter, see [`coalition`]; people with several rows as well, see [`people`].

mod coalition;
mod people;

use super::{Attribute, Check, Constraint, GroupCounts, beside_one, outsider};
use crate::breach::Attack;
use crate::catalogue::{
    About, ConstraintKind, KindWords, ParameterForm, ParameterSpec, PolicyKey, Protection,
};
use crate::combinations::Combinations;
use crate::constraint::Limit;
use crate::error::Error;
use crate::insiders::Knows;
use crate::people::{Crowd, PeopleGlance, Weights, conjunction, counts, hitting};
use crate::ratio::Ratio;
use crate::rule::{L, ParameterValue, Rule};
use crate::shares::Shares;
use mingle_model::Code;
use std::cmp::Reverse;

/// r_1 < `c` (r_`l` + … + r_d).
#[derive(Clone, Copy, Debug)]
pub struct RecursiveDiversity {
    attribute: Attribute,
    c: Ratio,
    l: u64,
}

/// Up to this many largest counts are kept on the stack.
const ON_STACK: usize = 16;

impl RecursiveDiversity {
    /// The constraint's stable name.
    pub const NAME: &str = "recursive-l-diversity";

    /// `c` is above 0 and `l` at least 1.
    pub fn new(attribute: Attribute, c: Ratio, l: u64) -> Result<RecursiveDiversity, Error> {
        let range = |parameter, expected| Error::Parameter {
            constraint: Self::NAME,
            parameter,
            expected,
        };
        if c == Ratio::from(0) {
            return Err(range("c", "above 0"));
        }
        if l == 0 {
            return Err(range("l", "at least 1"));
        }
        Ok(RecursiveDiversity { attribute, c, l })
    }
}

/// Recursive (c,l)-diversity in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct RecursiveDiversityKind;

impl Rule {
    /// r_1 < `c` (r_`l` + … + r_d) for counts in descending order.
    pub fn recursive_diversity(c: Ratio, l: L) -> Rule {
        let values = [ParameterValue::Ratio(c), ParameterValue::Whole(l.0)];
        Rule::of(&RecursiveDiversityKind, &values)
    }

    /// The c and the l of recursive (c,l)-diversity.
    pub fn as_recursive_diversity(&self) -> Option<(Ratio, L)> {
        self.is(&RecursiveDiversityKind)
            .then(|| (self.ratio(0), L(self.whole(1))))
    }
}

impl ConstraintKind for RecursiveDiversityKind {
    fn name(&self) -> &'static str {
        RecursiveDiversity::NAME
    }

    fn policy(&self) -> PolicyKey {
        PolicyKey {
            key: "l",
            variant: Some("recursive"),
            asks: "which diversity",
            example: "{ recursive = { c = 3, l = 2 } }",
        }
    }

    fn parameters(&self) -> &'static [ParameterSpec] {
        &[
            ParameterSpec {
                name: "c",
                symbol: "c",
                form: ParameterForm::Ratio,
                example: "3",
            },
            ParameterSpec {
                name: "l",
                symbol: "l",
                form: ParameterForm::Whole { least: 1 },
                example: "2",
            },
        ]
    }

    fn about(&self) -> About {
        About::Values { joint: true }
    }

    fn group_monotone(&self) -> bool {
        false
    }

    fn check(&self, rule: &Rule) -> Result<(), Error> {
        RecursiveDiversity::new(Attribute::Joint, rule.ratio(0), rule.whole(1)).map(|_| ())
    }

    fn bind(
        &self,
        rule: &Rule,
        attribute: Option<Attribute>,
        table: &Combinations<'_>,
    ) -> Result<Box<dyn Constraint>, Error> {
        let attribute = table.attribute(self.name(), attribute)?;
        let constraint = RecursiveDiversity::new(attribute, rule.ratio(0), rule.whole(1))?;
        Ok(Box::new(constraint))
    }

    fn smallest_group(&self, rule: &Rule) -> u64 {
        rule.whole(1)
    }

    fn protection(&self, rule: &Rule) -> Protection {
        // with l = 1 the tail is the whole group, of which a single value has the share 1
        let several_values = rule.whole(1) > 1 || rule.ratio(0) <= Ratio::from(1);
        Protection {
            says_something: several_values,
            rules_out_certainty: several_values,
            bounds_rows: false,
            bounds_shares: false,
        }
    }

    fn implies(&self, rule: &Rule, weaker: &Rule) -> bool {
        rule == weaker
    }

    fn words(&self) -> KindWords {
        KindWords {
            meaning: "the commonest value of {about} is less than {c} times as frequent as all from the {l}-th commonest on together",
            heading: "What is learned about {about}",
            promise: "Among the rows that look alike, the commonest value of {about} does not stand out: it is less than {c} \
                      times as frequent as all values from the {l}-th commonest on together.",
        }
    }

    fn words_of_people(&self) -> KindWords {
        KindWords {
            meaning: "counted by people and by rows, the commonest value of {about} is less than {c} times as frequent as all from the {l}-th commonest on together, and it takes at least {l} values to be sure of one that somebody has",
            heading: "What is learned about {about}",
            promise: "Among the people who look alike, and among their rows, the commonest value of {about} does not stand out: it \
                      is less than {c} times as frequent as all values from the {l}-th commonest on together, and it takes at least {l} \
                      values to be sure of one that somebody has. A person with several values counts for each of them in equal parts.",
        }
    }
}

impl Constraint for RecursiveDiversity {
    fn kind(&self) -> &'static dyn ConstraintKind {
        &RecursiveDiversityKind
    }

    fn attribute(&self) -> Option<Attribute> {
        Some(self.attribute)
    }

    #[inline]
    fn check(&self, group: GroupCounts<'_>) -> Check {
        if (group.values.len() as u64) < self.l {
            return Check::Fails;
        }
        let Some(most) = group.values.iter().map(|&(_, count)| count).max() else {
            return Check::Fails;
        };
        let tail = group.size - sum_of_largest(group.values, self.l as usize - 1);
        let bound = u128::from(self.c.numerator()) * u128::from(tail);
        Check::of(u128::from(most) * u128::from(self.c.denominator()) < bound)
    }

    fn breach(&self, group: &Shares, most: usize) -> Attack {
        match outsider(self.check(group.counts()), group.size()) {
            Attack::Withstood if most > 0 => coalition::breach(group, most, self.c, self.l),
            attack => attack,
        }
    }

    /// By the weights of people, by rows, and with a hitting number of at least l, which weights alone
    /// do not imply.
    fn breach_people(&self, group: &Crowd, most: usize) -> Attack {
        if group.knows == Knows::Rows && most > 0 {
            return Attack::Undecided(Limit::SearchSteps(0));
        }
        conjunction(&[
            &|| hitting(group, self.l, most),
            &|| match Weights::people(group) {
                Ok(weights) => people::breach(self, group, &weights, most),
                Err(limit) => Attack::Undecided(limit),
            },
            &|| people::breach(self, group, &Weights::rows(group), most),
        ])
    }

    fn glance(&self, group: &PeopleGlance<'_>) -> Option<bool> {
        let weights = group.weights()?;
        match self.check(counts(&weights)) {
            Check::Fails => Some(false),
            // what the rows show holds already where a glance is asked for
            Check::Holds if group.most == 0 => {
                group.many_have_only_one_value(self.l).then_some(true)
            }
            Check::Holds | Check::Undecided(_) => None,
        }
    }

    fn weighs_people(&self) -> bool {
        true
    }

    /// What r_1 may be over what it is: c (r_l + … + r_d) / r_1.
    fn fitness(&self, group: GroupCounts<'_>) -> f64 {
        let Some(most) = group.values.iter().map(|&(_, count)| count).max() else {
            return 0.0;
        };
        let tail = match usize::try_from(self.l - 1) {
            Ok(before) if before < group.values.len() => {
                group.size - sum_of_largest(group.values, before)
            }
            _ => 0,
        };
        beside_one(self.c.to_f64() * tail as f64 / most as f64, || {
            self.check(group)
        })
    }
}

/// The sum of the `n` largest counts; there are at least `n`.
fn sum_of_largest(values: &[(Code, u64)], n: usize) -> u64 {
    match n {
        0 => 0,
        n if n <= ON_STACK => {
            let mut largest = [0; ON_STACK];
            values
                .iter()
                .for_each(|&(_, count)| keep_largest(&mut largest[..n], count));
            largest.iter().sum()
        }
        n => {
            let mut counts: Vec<u64> = values.iter().map(|&(_, count)| count).collect();
            counts.select_nth_unstable_by_key(n - 1, |&count| Reverse(count));
            counts[..n].iter().sum()
        }
    }
}

/// Puts a count into its place among the largest so far, which stay in descending order.
fn keep_largest(largest: &mut [u64], count: u64) {
    let mut place = largest.len();
    while place > 0 && largest[place - 1] < count {
        place -= 1;
    }
    if let Some(from) = largest.get_mut(place..).filter(|from| !from.is_empty()) {
        from.rotate_right(1);
        from[0] = count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_counts_on_the_stack_and_on_the_heap() {
        let values: Vec<(Code, u64)> = (0..40).map(|c| (c, u64::from(c * 7 % 40))).collect();
        let mut sorted: Vec<u64> = values.iter().map(|v| v.1).collect();
        sorted.sort_unstable_by_key(|&c| Reverse(c));
        for n in 0..=40 {
            assert_eq!(
                sum_of_largest(&values, n),
                sorted[..n].iter().sum::<u64>(),
                "{n}"
            );
        }
    }
}

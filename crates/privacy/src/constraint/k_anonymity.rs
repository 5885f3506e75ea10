//! k-anonymity (Samarati and Sweeney 1998): a group has at least k rows.
//!
//! Group-monotone: more rows are never fewer than k. Cost O(1); against coalitions O(providers),
//! since the m largest contributors are the worst. Where people have several rows it is people who are
//! counted: at least k different ones.

use super::{Attribute, Check, Constraint, GroupCounts};
use crate::breach::{Attack, leaving, rest};
use crate::catalogue::{
    About, ConstraintKind, KindWords, ParameterForm, ParameterSpec, PolicyKey, Protection,
};
use crate::combinations::Combinations;
use crate::error::Error;
use crate::people::{Crowd, Form, PeopleGlance, worst};
use crate::rule::{K, ParameterValue, Rule};
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

/// k-anonymity in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct KAnonymityKind;

impl Rule {
    /// At least `k` rows.
    pub fn k_anonymity(k: K) -> Rule {
        Rule::of(&KAnonymityKind, &[ParameterValue::Whole(k.0)])
    }

    /// The k of k-anonymity.
    pub fn as_k_anonymity(&self) -> Option<K> {
        self.is(&KAnonymityKind).then(|| K(self.whole(0)))
    }
}

impl ConstraintKind for KAnonymityKind {
    fn name(&self) -> &'static str {
        KAnonymity::NAME
    }

    fn policy(&self) -> PolicyKey {
        PolicyKey {
            key: "k",
            variant: None,
            asks: "how many rows",
            example: "5",
        }
    }

    fn parameters(&self) -> &'static [ParameterSpec] {
        &[ParameterSpec {
            name: "k",
            symbol: "k",
            form: ParameterForm::Whole { least: 1 },
            example: "5",
        }]
    }

    fn about(&self) -> About {
        About::Rows
    }

    fn group_monotone(&self) -> bool {
        true
    }

    fn check(&self, rule: &Rule) -> Result<(), Error> {
        KAnonymity::new(rule.whole(0)).map(|_| ())
    }

    fn bind(
        &self,
        rule: &Rule,
        _attribute: Option<Attribute>,
        _table: &Combinations<'_>,
    ) -> Result<Box<dyn Constraint>, Error> {
        Ok(Box::new(KAnonymity::new(rule.whole(0))?))
    }

    fn smallest_group(&self, rule: &Rule) -> u64 {
        rule.whole(0)
    }

    fn protection(&self, rule: &Rule) -> Protection {
        let says_something = rule.whole(0) > 1;
        Protection {
            says_something,
            rules_out_certainty: false,
            bounds_rows: says_something,
            bounds_shares: false,
        }
    }

    fn implies(&self, rule: &Rule, weaker: &Rule) -> bool {
        rule.whole(0) >= weaker.whole(0)
    }

    fn words(&self) -> KindWords {
        KindWords {
            meaning: "at least {k} rows look alike",
            heading: "Finding somebody",
            promise: "{reader} finds at least {k:grouped} rows that look alike, and cannot tell which of them is this person's.",
        }
    }

    fn words_of_people(&self) -> KindWords {
        KindWords {
            meaning: "at least {k} people look alike",
            heading: "Finding somebody",
            promise: "{reader} finds at least {k:grouped} people who look alike, and cannot tell which of them is this person.",
        }
    }
}

impl Constraint for KAnonymity {
    fn kind(&self) -> &'static dyn ConstraintKind {
        &KAnonymityKind
    }

    fn attribute(&self) -> Option<Attribute> {
        None
    }

    #[inline]
    fn check(&self, group: GroupCounts<'_>) -> Check {
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

    /// The people are counted, whatever their rows.
    fn breach_people(&self, group: &Crowd, most: usize) -> Attack {
        let form = Form {
            kappa: self.k.into(),
            amounts: vec![-1; group.members.len()],
            at_zero: false,
        };
        worst(group, &form, most).map_or_else(Attack::Undecided, |breach| {
            breach.map_or(Attack::Withstood, Attack::Breach)
        })
    }

    fn glance(&self, group: &PeopleGlance<'_>) -> Option<bool> {
        if group.count.saturating_sub(group.people_taken) >= self.k {
            return Some(true);
        }
        // where nobody is shared, a coalition takes out that many
        (!group.shared).then_some(false)
    }

    fn people_monotone(&self) -> bool {
        true
    }

    fn people_closed_under_union(&self) -> bool {
        true
    }

    fn fitness(&self, group: GroupCounts<'_>) -> f64 {
        group.size as f64 / self.k as f64
    }
}

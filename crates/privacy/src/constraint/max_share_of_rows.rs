//! Dominance: no person has more than a share of a group's rows.
//!
//! k people are no crowd where one of them owns most of the rows: whoever knows that she comes often
//! knows which rows are hers. With one row a person this asks for groups of at least 1/share rows. Not
//! group-monotone where people have several rows: a newcomer may have most of them. Cost O(kinds of
//! people).
//!
//! Against coalitions the person must be somebody whom the coalition does not know, and it takes out all
//! others that it can: their rows are worth a sum to each provider, or a coverage where people are shared.

use super::{Attribute, Check, Constraint, GroupCounts, KAnonymity};
use crate::breach::Attack;
use crate::catalogue::{
    About, ConstraintKind, KindWords, ParameterForm, ParameterSpec, PolicyKey, Protection,
};
use crate::combinations::Combinations;
use crate::constraint::Limit;
use crate::error::Error;
use crate::insiders::Knows;
use crate::people::coalition::{Covers, Removal};
use crate::people::{Crowd, PeopleGlance, in_range};
use crate::ratio::Ratio;
use crate::rule::{ParameterValue, Rule};
use crate::shares::Shares;

/// Nobody has more than the share `max` of the rows.
#[derive(Clone, Copy, Debug)]
pub struct MaxShareOfRows {
    max: Ratio,
    /// What it asks where each row is one person.
    rows: KAnonymity,
}

impl MaxShareOfRows {
    /// The constraint's stable name.
    pub const NAME: &str = "max-share-of-rows";

    /// `max` is above 0 and at most 1.
    pub fn new(max: Ratio) -> Result<MaxShareOfRows, Error> {
        if max == Ratio::from(0) || max > Ratio::from(1) {
            return Err(Error::Parameter {
                constraint: Self::NAME,
                parameter: Self::NAME,
                expected: "above 0, at most 1",
            });
        }
        let rows = KAnonymity::new(fewest_rows(max))?;
        Ok(MaxShareOfRows { max, rows })
    }

    fn search(&self, crowd: &Crowd, most: usize) -> Result<Option<Attack>, Limit> {
        in_range(self.max, crowd.rows())?;
        let (a, unit) = (
            i128::from(self.max.numerator()),
            i128::from(self.max.denominator()),
        );
        let mut order: Vec<usize> = (0..crowd.members.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(crowd.members[at].rows));
        let single: Vec<u32> = (0..crowd.providers() as u32).collect();
        let at_most = most_taken_out(crowd, most);
        let mut seen: Vec<&[u32]> = Vec::new();
        for at in order {
            let victim = &crowd.members[at];
            let own = i128::from(victim.rows);
            let others = i128::from(crowd.rows()) - own;
            // she has too much where the others have at most this
            let allowed = (own * (unit - a) - 1).div_euclid(a);
            let need = others - allowed;
            if need > at_most {
                // nobody after her has more
                return Ok(None);
            }
            // where people are known, of those with the same providers the first has most
            if crowd.knows == Knows::People {
                if seen.contains(&&victim.known_to[..]) {
                    continue;
                }
                seen.push(&victim.known_to);
            }
            let mut by_provider = vec![0i128; crowd.providers()];
            let removal = match crowd.knows {
                Knows::People => {
                    let rows = |member: &crate::people::CrowdMember| {
                        i128::from(member.rows) * i128::from(member.people)
                    };
                    let amounts = crowd.members.iter().map(|m| (&m.known_to[..], rows(m)));
                    Removal::new(amounts, Covers::Any, Some(&victim.known_to))
                }
                Knows::Rows => {
                    for member in &crowd.members {
                        for &(provider, _, rows) in &member.holdings {
                            by_provider[provider as usize] +=
                                i128::from(rows) * i128::from(member.people);
                        }
                    }
                    for &(provider, _, rows) in &victim.holdings {
                        by_provider[provider as usize] -= i128::from(rows);
                    }
                    let amounts = single.chunks(1).zip(by_provider.iter().copied());
                    Removal::new(amounts, Covers::Any, Some(&victim.known_to))
                }
            };
            if let Some(coalition) = removal.find(crowd, need, most)? {
                return Ok(Some(Attack::Breach(crowd.breach(coalition, |_| true))));
            }
        }
        Ok(None)
    }
}

/// More rows than this no coalition takes out; shared people are counted at each of their providers.
fn most_taken_out(crowd: &Crowd, most: usize) -> i128 {
    let mut of_provider = vec![0i128; crowd.providers()];
    for member in &crowd.members {
        for &provider in &member.known_to {
            of_provider[provider as usize] += i128::from(member.rows) * i128::from(member.people);
        }
    }
    of_provider.sort_unstable_by(|a, b| b.cmp(a));
    of_provider.iter().take(most).sum()
}

/// No group of fewer rows, one a person, satisfies it.
fn fewest_rows(max: Ratio) -> u64 {
    max.denominator().div_ceil(max.numerator().max(1))
}

/// Dominance in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct MaxShareOfRowsKind;

impl Rule {
    /// Nobody has more than the share `max` of a group's rows.
    pub fn max_share_of_rows(max: Ratio) -> Rule {
        Rule::of(&MaxShareOfRowsKind, &[ParameterValue::Ratio(max)])
    }

    /// The largest share of a group's rows that one person may have.
    pub fn as_max_share_of_rows(&self) -> Option<Ratio> {
        self.is(&MaxShareOfRowsKind).then(|| self.ratio(0))
    }
}

impl ConstraintKind for MaxShareOfRowsKind {
    fn name(&self) -> &'static str {
        MaxShareOfRows::NAME
    }

    fn policy(&self) -> PolicyKey {
        PolicyKey {
            key: "max_share_of_rows",
            variant: None,
            asks: "the largest share of a group's rows that one person may have",
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
        About::Rows
    }

    fn group_monotone(&self) -> bool {
        true
    }

    fn check(&self, rule: &Rule) -> Result<(), Error> {
        MaxShareOfRows::new(rule.ratio(0)).map(|_| ())
    }

    fn bind(
        &self,
        rule: &Rule,
        _attribute: Option<Attribute>,
        _table: &Combinations<'_>,
    ) -> Result<Box<dyn Constraint>, Error> {
        Ok(Box::new(MaxShareOfRows::new(rule.ratio(0))?))
    }

    fn smallest_group(&self, rule: &Rule) -> u64 {
        // of n people one has at least the n-th part of the rows
        fewest_rows(rule.ratio(0))
    }

    fn protection(&self, rule: &Rule) -> Protection {
        let says_something = rule.ratio(0) < Ratio::from(1);
        Protection {
            says_something,
            rules_out_certainty: false,
            bounds_rows: says_something,
            bounds_shares: false,
        }
    }

    fn implies(&self, rule: &Rule, weaker: &Rule) -> bool {
        rule.ratio(0) <= weaker.ratio(0)
    }

    fn words(&self) -> KindWords {
        KindWords {
            meaning: "nobody has more than {max:percent} of the rows that look alike",
            heading: "Finding somebody",
            promise: "Of the rows that look alike, no more than {max:percent} are one person's, however many she has.",
        }
    }

    /// It speaks of people in any case.
    fn words_of_people(&self) -> KindWords {
        self.words()
    }
}

impl Constraint for MaxShareOfRows {
    fn kind(&self) -> &'static dyn ConstraintKind {
        &MaxShareOfRowsKind
    }

    fn attribute(&self) -> Option<Attribute> {
        None
    }

    fn check(&self, group: GroupCounts<'_>) -> Check {
        self.rows.check(group)
    }

    fn breach(&self, group: &Shares, most: usize) -> Attack {
        self.rows.breach(group, most)
    }

    fn breach_people(&self, group: &Crowd, most: usize) -> Attack {
        match self.search(group, most) {
            Err(limit) => Attack::Undecided(limit),
            Ok(found) => found.unwrap_or(Attack::Withstood),
        }
    }

    fn glance(&self, group: &PeopleGlance<'_>) -> Option<bool> {
        let within = |rows: u64| {
            u128::from(group.most_rows) * u128::from(self.max.denominator())
                <= u128::from(rows) * u128::from(self.max.numerator())
        };
        if !within(group.rows) {
            return Some(false);
        }
        within(group.rows.saturating_sub(group.rows_taken)).then_some(true)
    }

    fn people_closed_under_union(&self) -> bool {
        true
    }

    fn fitness(&self, group: GroupCounts<'_>) -> f64 {
        self.rows.fitness(group)
    }
}

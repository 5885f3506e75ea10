//! Distinct l-diversity (Machanavajjhala et al. 2007): a group has at least l different sensitive
//! values.
//!
//! A missing value says nothing about a person and is none of the l; for several attributes
//! together, a combination in which any of them is missing is none either. Group-monotone: values
//! do not disappear when rows are added. Cost O(values present), O(log values) for one attribute;
//! nothing is allocated. Coalitions are another matter, see [`hide`].
//!
//! Where people have several rows, two readers are asked. Who can link a person's rows must not be able
//! to name l - 1 values of which everybody has one: that asks for a hitting number of at least l, which
//! is group-monotone. Who only knows how many rows she has must not be able to tell that one of hers is
//! among the rows of l - 1 values: that is closed under union.

mod hide;

use super::{Attribute, Check, Constraint, GroupCounts, outsider};
use crate::breach::{Attack, Breach};
use crate::catalogue::{
    About, ConstraintKind, KindWords, ParameterForm, ParameterSpec, PolicyKey, Protection,
};
use crate::combinations::Combinations;
use crate::error::Error;
use crate::people::{Crowd, PeopleGlance, conjunction, counting_reader, hitting};
use crate::rule::{L, ParameterValue, Rule};
use crate::shares::Shares;
use hide::{Hidden, hide};
use mingle_model::Code;

/// At least `l` different values that are not missing.
#[derive(Clone, Debug)]
pub struct DistinctDiversity {
    attribute: Attribute,
    l: u64,
    absent: Absent,
}

/// Which codes stand for a missing value.
#[derive(Clone, Debug)]
pub enum Absent {
    /// None.
    Never,
    /// One code.
    Code(Code),
    /// Those marked, by code.
    Marked(Vec<bool>),
}

impl DistinctDiversity {
    /// The constraint's stable name.
    pub const NAME: &str = "distinct-l-diversity";

    /// `l` is at least 1.
    pub fn new(attribute: Attribute, l: u64, absent: Absent) -> Result<DistinctDiversity, Error> {
        let range = Error::Parameter {
            constraint: Self::NAME,
            parameter: "l",
            expected: "at least 1",
        };
        if l == 0 {
            Err(range)
        } else {
            Ok(DistinctDiversity {
                attribute,
                l,
                absent,
            })
        }
    }
}

impl Absent {
    #[inline]
    pub(crate) fn is(&self, code: Code) -> bool {
        match self {
            Absent::Never => false,
            Absent::Code(absent) => *absent == code,
            Absent::Marked(marked) => marked[code as usize],
        }
    }

    fn among(&self, values: &[(Code, u64)]) -> usize {
        match self {
            Absent::Never => 0,
            Absent::Code(code) => values
                .binary_search_by_key(code, |&(c, _)| c)
                .is_ok()
                .into(),
            Absent::Marked(marked) => values.iter().filter(|&&(c, _)| marked[c as usize]).count(),
        }
    }
}

/// Distinct l-diversity in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct DistinctDiversityKind;

impl Rule {
    /// At least `l` different values, missing ones not counted.
    pub fn distinct_diversity(l: L) -> Rule {
        Rule::of(&DistinctDiversityKind, &[ParameterValue::Whole(l.0)])
    }

    /// The l of distinct l-diversity.
    pub fn as_distinct_diversity(&self) -> Option<L> {
        self.is(&DistinctDiversityKind).then(|| L(self.whole(0)))
    }
}

impl ConstraintKind for DistinctDiversityKind {
    fn name(&self) -> &'static str {
        DistinctDiversity::NAME
    }

    fn policy(&self) -> PolicyKey {
        PolicyKey {
            key: "l",
            variant: Some("distinct"),
            asks: "which diversity",
            example: "{ distinct = 2 }",
        }
    }

    fn parameters(&self) -> &'static [ParameterSpec] {
        &[ParameterSpec {
            name: "l",
            symbol: "l",
            form: ParameterForm::Whole { least: 1 },
            example: "2",
        }]
    }

    fn about(&self) -> About {
        About::Values { joint: true }
    }

    fn group_monotone(&self) -> bool {
        true
    }

    fn check(&self, rule: &Rule) -> Result<(), Error> {
        DistinctDiversity::new(Attribute::Joint, rule.whole(0), Absent::Never).map(|_| ())
    }

    fn bind(
        &self,
        rule: &Rule,
        attribute: Option<Attribute>,
        table: &Combinations<'_>,
    ) -> Result<Box<dyn Constraint>, Error> {
        let attribute = table.attribute(self.name(), attribute)?;
        let absent = table.absent(attribute);
        let constraint = DistinctDiversity::new(attribute, rule.whole(0), absent)?;
        Ok(Box::new(constraint))
    }

    fn smallest_group(&self, rule: &Rule) -> u64 {
        // n rows have at most n values
        rule.whole(0)
    }

    fn protection(&self, rule: &Rule) -> Protection {
        let several_values = rule.whole(0) > 1;
        Protection {
            says_something: several_values,
            rules_out_certainty: several_values,
            bounds_rows: false,
            bounds_shares: false,
        }
    }

    fn implies(&self, rule: &Rule, weaker: &Rule) -> bool {
        rule.whole(0) >= weaker.whole(0)
    }

    fn words(&self) -> KindWords {
        KindWords {
            meaning: "they have at least {l} different values of {about}",
            heading: "What is learned about {about}",
            promise: "{reader} finds at least {l} different values of {about} among the rows that look alike, so it is not \
                      certain which one is this person's.",
        }
    }

    fn words_of_people(&self) -> KindWords {
        KindWords {
            meaning: "it takes at least {l} values of {about} to be sure of one that somebody has, even for who counts rows",
            heading: "What is learned about {about}",
            promise: "{reader} finds people who look alike, and cannot name fewer than {l} values of {about} of which this person \
                      has one for certain, not even by knowing how many rows are this person's.",
        }
    }
}

impl Constraint for DistinctDiversity {
    fn kind(&self) -> &'static dyn ConstraintKind {
        &DistinctDiversityKind
    }

    fn attribute(&self) -> Option<Attribute> {
        Some(self.attribute)
    }

    #[inline]
    fn check(&self, group: GroupCounts<'_>) -> Check {
        let different = group.values.len();
        // most groups that fail have too few values even with the missing one
        Check::of(
            different as u64 >= self.l
                && (different - self.absent.among(group.values)) as u64 >= self.l,
        )
    }

    fn breach(&self, group: &Shares, most: usize) -> Attack {
        if most == 0 {
            return outsider(self.check(group.counts()), group.size());
        }
        // more values than there are rows is a wish that no group fulfils
        let l = usize::try_from(self.l).unwrap_or(usize::MAX);
        let coalition = match hide(group, |code| self.absent.is(code), most, l) {
            Hidden::Never => return Attack::Withstood,
            Hidden::Undecided(limit) => return Attack::Undecided(limit),
            Hidden::By(coalition) => coalition,
        };
        let taken: u64 = coalition
            .iter()
            .map(|&provider| group.sizes()[provider])
            .sum();
        Attack::Breach(Breach {
            coalition,
            left: group.size() - taken,
            people_left: None,
        })
    }

    /// Nobody names l - 1 values of which the victim surely has one, neither by linking rows nor by
    /// counting them.
    fn breach_people(&self, group: &Crowd, most: usize) -> Attack {
        conjunction(&[&|| hitting(group, self.l, most), &|| {
            counting_reader(group, self.l, most)
        }])
    }

    fn glance(&self, group: &PeopleGlance<'_>) -> Option<bool> {
        // the counting reader, as in `people::counting`
        let named = usize::try_from(self.l.saturating_sub(1)).unwrap_or(usize::MAX);
        let outside = group.rows - group.rows_of_commonest(named);
        if group.most_rows > outside {
            return Some(false);
        }
        let holds = group.most_rows <= outside.saturating_sub(group.rows_taken)
            && group.many_have_only_one_value(self.l);
        holds.then_some(true)
    }

    fn people_closed_under_union(&self) -> bool {
        true
    }

    fn fitness(&self, group: GroupCounts<'_>) -> f64 {
        (group.values.len() - self.absent.among(group.values)) as f64 / self.l as f64
    }
}

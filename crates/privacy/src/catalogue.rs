//! The catalogue of constraints: a constraint is one file and one line of [`CONSTRAINTS`].
//!
//! Everything that is to be known about a constraint apart from a table stands in its own file, as
//! an implementation of [`ConstraintKind`]: how policy and manifests write it down, how it is bound
//! to a table, what it amounts to, and what it means in words. The policy's reader, the codecs of
//! manifests and of the protocol's terms, the JSON of `verify` and the report go through the
//! catalogue; none of them knows a constraint by name. No item of the trait has a default, because
//! a constraint that says nothing about itself would be published as if it promised something.

use crate::combinations::Combinations;
use crate::constraint::{
    Attribute, Constraint, DistinctDiversityKind, EntropyDiversityKind, KAnonymityKind,
    MaxFrequencyKind, MaxShareOfRowsKind, RecursiveDiversityKind, TClosenessKind,
};
use crate::error::Error;
use crate::rule::Rule;
use std::fmt::Debug;

/// All constraints, in the order in which documents list them.
pub static CONSTRAINTS: &[&dyn ConstraintKind] = &[
    &KAnonymityKind,
    &MaxShareOfRowsKind,
    &DistinctDiversityKind,
    &EntropyDiversityKind,
    &RecursiveDiversityKind,
    &TClosenessKind,
    &MaxFrequencyKind,
];

/// What there is to know about a constraint, whatever the table.
pub trait ConstraintKind: Send + Sync + Debug {
    /// The stable name, as in JSON.
    fn name(&self) -> &'static str;

    /// How the policy asks for it.
    fn policy(&self) -> PolicyKey;

    /// Its parameters, in the order in which they are written.
    fn parameters(&self) -> &'static [ParameterSpec];

    /// What it is about.
    fn about(&self) -> About;

    /// Whether adding rows to a group that satisfies it can never break it (the paper's EG
    /// monotonicity, Definition 2.3). Pruning relies on this; a property test tries to falsify it.
    fn group_monotone(&self) -> bool;

    /// An error if a parameter of the rule is outside of its range.
    fn check(&self, rule: &Rule) -> Result<(), Error>;

    /// The constraint, prepared for a table. The attribute is there unless the constraint is about
    /// rows alone.
    fn bind(
        &self,
        rule: &Rule,
        attribute: Option<Attribute>,
        table: &Combinations<'_>,
    ) -> Result<Box<dyn Constraint>, Error>;

    /// No smaller group can satisfy the rule.
    fn smallest_group(&self, rule: &Rule) -> u64;

    /// What the rule amounts to.
    fn protection(&self, rule: &Rule) -> Protection;

    /// Whether whoever satisfies the first rule satisfies the second, both of this constraint,
    /// whatever the distance between values.
    fn implies(&self, rule: &Rule, weaker: &Rule) -> bool;

    /// What it means where each row is one person, in words.
    fn words(&self) -> KindWords;

    /// What it means where people may have several rows: what is decided by
    /// [`Constraint::breach_people`], and nothing that only rows promise.
    fn words_of_people(&self) -> KindWords;
}

/// Where a policy asks for a constraint, in `[privacy]`.
///
/// A constraint with one parameter is written as that value, `k = 5`, one with several as a table
/// of them, `t = { max = 0.2, distance = "equal" }`. Several constraints may share a key; each is
/// then an entry of the key's table: `l = { distinct = 2 }`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolicyKey {
    /// The key.
    pub key: &'static str,
    /// The entry below it, where the key is shared.
    pub variant: Option<&'static str>,
    /// What a value that is no table leaves open, such as `which diversity`; the same for all that
    /// share a key.
    pub asks: &'static str,
    /// What may be written behind the key.
    pub example: &'static str,
}

/// A parameter of a constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterSpec {
    /// Its name in policy and JSON.
    pub name: &'static str,
    /// The letter that the literature has for it.
    pub symbol: &'static str,
    /// What values it can have.
    pub form: ParameterForm,
    /// One of them, as the policy writes it.
    pub example: &'static str,
}

/// What values a parameter can have. How large a fraction may be is the constraint's to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterForm {
    /// A whole number.
    Whole {
        /// The smallest.
        least: u64,
    },
    /// An exact fraction.
    Ratio,
    /// A distance between values; a policy that does not say which means the equal one.
    Distance,
}

/// What a constraint is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// How many rows a group has.
    Rows,
    /// The values of a sensitive attribute.
    Values {
        /// Whether `joint = true` adds it for all sensitive attributes together.
        joint: bool,
    },
}

/// What a rule amounts to, for the reader of a release.
///
/// A rule may ask for what every table has: groups of at least one row, a share of at most 1. It
/// then holds and protects nobody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Protection {
    /// Whether some table breaks the rule.
    pub says_something: bool,
    /// Whether no group can have a single value of what the rule is about.
    pub rules_out_certainty: bool,
    /// Whether it bounds how many rows look alike.
    pub bounds_rows: bool,
    /// Whether it bounds the share of each value.
    pub bounds_shares: bool,
}

/// A constraint in words that need no textbook, as templates for [`fill`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindWords {
    /// What it says of the rows, or of the people, that look alike.
    pub meaning: &'static str,
    /// What the promise to a reader is about.
    pub heading: &'static str,
    /// What it means for a reader who knows people's quasi-identifiers, who is `{reader}`.
    pub promise: &'static str,
}

/// Fills a template in: `{max}` becomes the parameter of that name, everything else in braces what
/// `words` has for it, which is asked first.
///
/// `{about}` is the sensitive column, `{reader}` who reads, `{max:percent}` and `{k:grouped}` are a
/// parameter in another form, and `{distance:meaning}` says how far apart values are.
pub fn fill(template: &str, rule: &Rule, words: &dyn Fn(&str) -> Option<String>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, from)) = rest.split_once('{') {
        let (place, after) = from.split_once('}').unwrap_or((from, ""));
        text.push_str(before);
        if let Some(word) = words(place) {
            text.push_str(&word);
        } else if place == "distance:meaning" {
            text.push_str(rule.distance().unwrap_or_default().meaning());
        } else {
            let value = rule.parameters().find(|(spec, _)| spec.name == place);
            let (_, value) = value.expect("a template names parameters of its own constraint");
            text.push_str(&value.to_string());
        }
        rest = after;
    }
    text + rest
}

/// The constraints that a reader knows: those of the program, or with one more in a test.
#[derive(Clone, Copy, Debug)]
pub struct Catalogue(&'static [&'static dyn ConstraintKind]);

impl Catalogue {
    /// All constraints of the program.
    pub fn standard() -> Catalogue {
        Catalogue(CONSTRAINTS)
    }

    /// Other constraints, with names and policy keys of their own.
    pub const fn of(kinds: &'static [&'static dyn ConstraintKind]) -> Catalogue {
        Catalogue(kinds)
    }

    /// The constraints in their order.
    pub fn kinds(self) -> impl Iterator<Item = &'static dyn ConstraintKind> {
        self.0.iter().copied()
    }

    /// The constraint of that name.
    pub fn kind(self, name: &str) -> Option<&'static dyn ConstraintKind> {
        self.kinds().find(|kind| kind.name() == name)
    }

    /// The constraints that a policy asks for by this key.
    pub fn with_key(self, key: &str) -> impl Iterator<Item = &'static dyn ConstraintKind> {
        self.kinds().filter(move |kind| kind.policy().key == key)
    }

    /// The policy's keys for constraints about rows, or for those about values; each once.
    pub fn keys(self, about_rows: bool) -> Vec<&'static str> {
        let mut keys = Vec::new();
        for kind in self.kinds() {
            let key = kind.policy().key;
            if (kind.about() == About::Rows) == about_rows && !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }
}

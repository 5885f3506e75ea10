//! Promises as a policy states them, before they meet a table.

use crate::constraint::{
    Attribute, DistinctDiversity, EntropyDiversity, KAnonymity, MaxFrequency, RecursiveDiversity,
    TCloseness,
};
use crate::ratio::Ratio;

/// How far apart two values of a sensitive attribute are, for t-closeness.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Distance {
    /// All different values are equally far apart: total variation.
    Equal,
    /// Difference of ranks among the values that occur in the table, over their number minus one.
    Ordered,
    /// Height of the lowest common ancestor over the height of the hierarchy (Li et al. 2007).
    Hierarchical,
}

impl Distance {
    /// All distances.
    pub const ALL: [Distance; 3] = [Distance::Equal, Distance::Ordered, Distance::Hierarchical];

    /// The word used in the policy file and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Distance::Equal => "equal",
            Distance::Ordered => "ordered",
            Distance::Hierarchical => "hierarchical",
        }
    }
}

/// The parameters of one constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// At least `k` rows.
    KAnonymity {
        /// The smallest size.
        k: u64,
    },
    /// At least `l` different values, missing ones not counted.
    DistinctDiversity {
        /// The smallest number of values.
        l: u64,
    },
    /// Entropy of the values at least log `l`.
    EntropyDiversity {
        /// The effective number of values.
        l: Ratio,
    },
    /// r_1 < c (r_l + … + r_d) for counts in descending order.
    RecursiveDiversity {
        /// The factor.
        c: Ratio,
        /// Where the tail begins.
        l: u64,
    },
    /// No value in more than this share of the rows.
    MaxFrequency {
        /// The largest share.
        max: Ratio,
    },
    /// Distance of the group's distribution from the table's at most `max`.
    TCloseness {
        /// The largest distance, t.
        max: Ratio,
        /// Between values.
        distance: Distance,
    },
}

impl Rule {
    /// The constraint's stable name, as in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Rule::KAnonymity { .. } => KAnonymity::NAME,
            Rule::DistinctDiversity { .. } => DistinctDiversity::NAME,
            Rule::EntropyDiversity { .. } => EntropyDiversity::NAME,
            Rule::RecursiveDiversity { .. } => RecursiveDiversity::NAME,
            Rule::MaxFrequency { .. } => MaxFrequency::NAME,
            Rule::TCloseness { .. } => TCloseness::NAME,
        }
    }

    /// No smaller group can satisfy it: n rows have at most n values, entropy at most log n, and
    /// some value in at least one of the n rows.
    pub fn smallest_group(&self) -> u64 {
        match *self {
            Rule::KAnonymity { k } => k,
            Rule::DistinctDiversity { l } | Rule::RecursiveDiversity { l, .. } => l,
            Rule::EntropyDiversity { l } => l.numerator().div_ceil(l.denominator()),
            Rule::MaxFrequency { max } => max.denominator().div_ceil(max.numerator().max(1)),
            Rule::TCloseness { .. } => 1,
        }
    }
}

/// A rule and the attribute it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise {
    /// What is promised.
    pub rule: Rule,
    /// About which attribute; `None` for k-anonymity.
    pub attribute: Option<Attribute>,
}

impl Promise {
    /// The constraint's stable name, as in JSON.
    pub fn name(&self) -> &'static str {
        self.rule.name()
    }
}

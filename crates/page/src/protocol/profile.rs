//! What the tables look like.

use super::ProblemView;
use serde::{Deserialize, Serialize};

/// Asks for the profile of a policy's tables.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProfileRequest {
    /// The policy.
    pub text: String,
}

/// The tables, column by column. Problems of single files do not keep the others from being shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProfileAnswer {
    /// Rows in all.
    pub rows: f64,
    /// Rows of each provider.
    pub providers: Vec<LabelledCount>,
    /// The columns of the tables, declared or not.
    pub columns: Vec<ColumnProfile>,
    /// Some rows of the tables, or all of few: what columns say together is counted on them.
    pub sample_rows: f64,
    /// How many of those are alone with their values in all quasi-identifiers of the policy.
    pub alone_together: f64,
    /// What is wrong with the tables.
    pub problem: Option<ProblemView>,
}

/// A column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// `integer`, `decimal`, `date` or `category`.
    pub kind: String,
    /// Distinct values.
    pub distinct: f64,
    /// Rows without a value.
    pub missing: f64,
    /// Its distribution: the most frequent categories, or at most 24 intervals of equal width.
    pub bars: Vec<LabelledCount>,
    /// Rows that no bar counts: rarer categories.
    pub rest: f64,
    /// Whether the bars are intervals of numbers or days in order, or categories by frequency.
    pub ordered: bool,
    /// Whether nearly every row has a value of its own.
    pub unique: bool,
    /// Rows that are alone with their value.
    pub alone: f64,
    /// Rows that share their value with fewer than five, themselves counted.
    pub rare: f64,
    /// What it was recognised as, such as `postcode` or `diagnosis`.
    pub recognised: String,
    /// The role that is proposed for it.
    pub proposed_role: String,
    /// The kind that goes with it where it is published.
    pub proposed_kind: String,
    /// Whether it is left out only until somebody decides.
    pub decide: bool,
    /// Why.
    pub reason: String,
}

/// A labelled count.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LabelledCount {
    /// What is counted.
    pub label: String,
    /// How many rows.
    pub count: f64,
}

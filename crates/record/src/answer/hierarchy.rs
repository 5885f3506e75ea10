//! `mingle hierarchy propose --json` and `mingle hierarchy check --json`.
//!
//! Neither holds a value of the table: values are counted and located.

use crate::schema::{HierarchyCheckSchema, HierarchyProposeSchema};
use serde::{Deserialize, Serialize};

/// The document `mingle.hierarchy-propose/1`: how a column could generalize.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HierarchyProposeAnswer {
    /// Which document this is.
    pub schema: HierarchyProposeSchema,
    /// The column.
    pub column: String,
    /// Its kind.
    pub kind: String,
    /// The line for its entry in the policy; none where no rule suits it.
    #[serde(deserialize_with = "crate::required")]
    pub line: Option<String>,
    /// Why.
    pub reason: String,
    /// What it does, level by level.
    pub levels: Vec<HierarchyLevel>,
    /// The file that was written, which holds values.
    #[serde(deserialize_with = "crate::required")]
    pub file: Option<String>,
}

/// One level of a hierarchy over the values of a column; the first are the values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HierarchyLevel {
    /// How many distinct labels there are.
    pub labels: u64,
    /// The most values that one label stands for.
    pub largest: u64,
}

/// The document `mingle.hierarchy-check/1`: what hierarchies do to their columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HierarchyCheckAnswer {
    /// Which document this is.
    pub schema: HierarchyCheckSchema,
    /// Whether anything was found.
    pub verdict: HierarchyVerdict,
    /// The columns, in the order of the policy.
    pub columns: Vec<CheckedHierarchy>,
}

/// Whether hierarchies are as they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HierarchyVerdict {
    /// Nothing was found.
    Fine,
    /// Something was found.
    Findings,
}

/// A column's hierarchy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedHierarchy {
    /// The column.
    pub column: String,
    /// The rule; `file` for a file.
    pub hierarchy: String,
    /// How many distinct values the column has.
    pub values: u64,
    /// What it does, level by level; empty where it cannot be used.
    pub levels: Vec<HierarchyLevel>,
    /// What is wrong or weak.
    pub findings: Vec<HierarchyFinding>,
}

/// What is wrong or weak about a hierarchy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HierarchyFinding {
    /// What kind of weakness.
    pub kind: HierarchyWeakness,
    /// In words, without values.
    pub text: String,
    /// How many values it is about.
    #[serde(deserialize_with = "crate::required")]
    pub values: Option<u64>,
    /// Where the first of them stands.
    #[serde(deserialize_with = "crate::required")]
    pub place: Option<String>,
}

/// Kinds of weakness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum HierarchyWeakness {
    /// It cannot be used at all.
    Unusable,
    /// Values have no place.
    NotCovered,
    /// Values are in the branch of those that it does not know.
    Unlisted,
    /// A mask on codes of different lengths.
    Misaligned,
    /// A level that joins no values.
    IdleLevel,
    /// A label that stands for almost all values.
    Unbalanced,
}

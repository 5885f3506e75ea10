//! Building hierarchies.

use super::ProblemView;
use mingle_record::answer::HierarchyFinding;
use serde::{Deserialize, Serialize};

/// Asks what a hierarchy would do to a column of the policy's tables.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HierarchyRequest {
    /// The policy.
    pub text: String,
    /// The column.
    pub column: String,
    /// The hierarchy.
    pub draft: HierarchyDraft,
    /// How many values to answer: 2,000 unless it is said, 20,000 at most. Grouping by hand needs
    /// all of them once.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A hierarchy in the making.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum HierarchyDraft {
    /// What the policy says now; the answer without any hierarchy lists the values as they are.
    Current,
    /// Digits are masked from the right.
    Mask {
        /// The length of the codes.
        digits: u32,
    },
    /// Intervals; each width a multiple of the one before.
    Intervals {
        /// As texts.
        widths: Vec<String>,
    },
    /// Month, quarter, year, decade.
    Dates,
    /// The first characters of codes.
    Prefix {
        /// How many on each level, from many to few.
        lengths: Vec<u32>,
    },
    /// Bands between bounds, the outermost open.
    Bands {
        /// The bounds on each level, as texts: numbers or days.
        levels: Vec<Vec<String>>,
    },
    /// Years of age from dates of birth, then bands of them.
    Age {
        /// The day on which people are that old.
        at: String,
        /// The bounds on each level, as texts; none for years alone.
        levels: Vec<Vec<String>>,
    },
    /// The structure of a public code system.
    Template {
        /// `icd-10`, `icd-9` or `atc`.
        name: String,
    },
    /// Groups pasted as a table: a value or a range of values, then its group, then groups of
    /// groups; tabs, semicolons or commas between them. The root need not be there.
    Groups {
        /// The text as pasted.
        text: String,
    },
    /// Values in their order, and how many neighbours make a group on each level.
    Order {
        /// From the smallest to the largest.
        values: Vec<String>,
        /// How many values a group has, each a multiple of the one before.
        sizes: Vec<u32>,
    },
    /// Rows of labels, leaf first, as in a hierarchy file.
    Table {
        /// A row for each leaf; all of one length.
        rows: Vec<Vec<String>>,
    },
}

/// What a hierarchy does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HierarchyAnswer {
    /// The column's kind.
    pub column_kind: String,
    /// How many distinct labels each level has; level 0 are the values themselves.
    pub distinct: Vec<f64>,
    /// The column's values with their labels, in order; at most `limit`.
    pub rows: Vec<HierarchyRow>,
    /// How many values there are.
    pub values: f64,
    /// How many values of the tables have no place in the hierarchy.
    pub gaps: f64,
    /// Why it is no hierarchy.
    pub problem: Option<ProblemView>,
    /// What `mingle hierarchy check` says about it.
    pub findings: Vec<HierarchyFinding>,
    /// The hierarchy as a file, where it is one.
    pub file: Option<String>,
}

/// A value with its labels.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HierarchyRow {
    /// The value, then its label on each level; the value alone where it has no place.
    pub labels: Vec<String>,
    /// Rows that have it.
    pub count: f64,
    /// Whether it has no place in the hierarchy.
    pub gap: bool,
}

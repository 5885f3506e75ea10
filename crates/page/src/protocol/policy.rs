//! A policy's text, edits of it, and what it says.

use super::ProblemView;
use mingle_record::policy_document::PolicyValue;
use serde::{Deserialize, Serialize};

/// A text, and what to change in it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PolicyRequest {
    /// TOML.
    pub text: String,
    /// Applied in this order; comments and order of the text are kept.
    pub edits: Vec<Edit>,
}

/// Sets or removes one key.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Edit {
    /// From the top: `["privacy", "k"]`, `["columns", "zip", "hierarchy"]`. Tables on the way are
    /// made.
    pub path: Vec<String>,
    /// A TOML value as JSON (objects become inline tables); null removes the key.
    #[cfg_attr(test, ts(type = "unknown"))]
    pub value: PolicyValue,
}

/// A policy for files that were dropped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProposeRequest {
    /// Their names; a table each. Several tables are several providers.
    pub files: Vec<String>,
    /// The column that names the provider, for one table.
    pub provider_column: Option<String>,
}

/// The new text, and what it says or where it is wrong. A text that is no TOML is not edited.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PolicyAnswer {
    /// TOML.
    pub text: String,
    /// What it says, if it can be read.
    pub view: Option<PolicyView>,
    /// Where it is wrong.
    pub problem: Option<ProblemView>,
}

/// What a policy says, as far as the page shows it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PolicyView {
    /// The tables.
    pub providers: Vec<ProviderView>,
    /// The column that names the provider.
    pub provider_column: Option<String>,
    /// The columns, in the policy's order.
    pub columns: Vec<ColumnView>,
    /// What is promised; null if the policy is for releases with noise.
    pub limits: Option<LimitsView>,
    /// The anonymizer.
    pub method: String,
    /// `csv` or `parquet`.
    pub format: String,
    /// Whether sensitive columns are published in tables of their own.
    pub fragmented: bool,
    /// Whether nothing is published as long as anything is warned of.
    pub strict: bool,
    /// The largest share of rows that may be left out.
    pub max_suppressed: f64,
}

/// A table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProviderView {
    /// The provider; null for one table of all.
    pub name: Option<String>,
    /// The file, as the policy names it.
    pub file: String,
    /// Whether it is there.
    pub found: bool,
}

/// A column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ColumnView {
    /// Its name.
    pub name: String,
    /// `identifier`, `quasi-identifier`, `sensitive`, `insensitive` or `drop`.
    pub role: String,
    /// Whether the proposal left it out until somebody decides, and nobody has.
    pub decide: bool,
    /// As declared; null where it is inferred.
    pub kind: Option<String>,
    /// How its values generalize.
    pub hierarchy: Option<HierarchyView>,
    /// The declared order of a category.
    pub order: Option<Vec<String>>,
}

/// A declared hierarchy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum HierarchyView {
    /// A file.
    File {
        /// As the policy names it.
        name: String,
    },
    /// Digits are masked from the right.
    Mask {
        /// How many.
        digits: f64,
    },
    /// Intervals of growing widths.
    Intervals {
        /// As texts, exact.
        widths: Vec<String>,
    },
    /// Month, quarter, year, decade.
    Dates,
    /// The first characters of codes.
    Prefix {
        /// How many on each level, from many to few.
        lengths: Vec<f64>,
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
        /// The bounds on each level, as texts.
        levels: Vec<Vec<String>>,
    },
    /// The structure of a public code system.
    Template {
        /// `icd-10`, `icd-9` or `atc`.
        name: String,
    },
}

/// What is promised.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LimitsView {
    /// The largest coalition; null where the default counts.
    pub m: Option<f64>,
    /// Group size; null where none is promised.
    pub k: Option<f64>,
    /// `victim` or `strict`.
    pub semantics: String,
    /// For each sensitive column.
    pub sensitive: Vec<SensitiveView>,
}

/// What is promised about a sensitive column. Numbers as the policy writes them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SensitiveView {
    /// Its name.
    pub column: String,
    /// At least so many distinct values.
    pub l_distinct: Option<f64>,
    /// Entropy l-diversity.
    pub l_entropy: Option<f64>,
    /// Recursive (c, l)-diversity.
    pub l_recursive: Option<(f64, f64)>,
    /// t-closeness.
    pub t: Option<f64>,
    /// Its distance: `equal`, `ordered` or `hierarchical`.
    pub t_distance: Option<String>,
    /// The largest share of one value.
    pub max_frequency: Option<f64>,
    /// Which of `l`, `t` and `max_frequency` the policy says about this column alone.
    pub own: Vec<String>,
}

//! A declared domain as a manifest states it.

use super::{ColumnKind, ColumnRole};
use serde::{Deserialize, Serialize};

/// A column with its public domain: words, or bins of numbers or days.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DomainColumn {
    /// The column's name.
    pub name: String,
    /// Its role.
    pub role: ColumnRole,
    /// Its kind, as declared.
    pub kind: ColumnKind,
    /// The words, in their declared order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    /// Where words stand for other ones, as a level of a hierarchy does: each of those with its
    /// word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaves: Vec<(String, String)>,
    /// The bins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bins: Option<BinsEntry>,
    /// What stands for every value that is not declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// How a missing value is written in CSV; in Parquet it is null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// Bins, each from its start to before the next one's. Numbers as texts, because readers of JSON
/// round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BinsEntry {
    /// Where each bin starts.
    pub starts: Vec<String>,
    /// The largest value of the last bin.
    pub last: String,
    /// The distance between two values, in days where they are dates.
    pub step: String,
    /// Decimal places.
    pub decimals: u8,
    /// Whether the starts were found by a noisy look at the data, between declared bounds.
    pub private: bool,
}

//! `mingle history list|check --json`: the versions of a table, and what they say together.

use crate::composition::VersionReplay;
use crate::schema::{HistoryCheckSchema, HistoryListSchema};
use crate::{ByName, Judgement};
use serde::{Deserialize, Serialize};

/// The document `mingle.history-list/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryListAnswer {
    /// Which document this is.
    pub schema: HistoryListSchema,
    /// The versions, the oldest first.
    pub versions: Vec<HistoryVersion>,
    /// Where a run that did not end was to write its release.
    #[serde(deserialize_with = "crate::required")]
    pub pending: Option<String>,
}

/// One version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryVersion {
    /// What it is called.
    pub label: String,
    /// When it was added.
    pub added: String,
    /// Where its release is; `None` where a later version replaced it.
    #[serde(deserialize_with = "crate::required")]
    pub release: Option<String>,
    /// The hash of its public manifest.
    pub manifest_sha256: String,
    /// Its rows.
    pub rows: u64,
    /// Its groups.
    pub groups: u64,
    /// What changed since the version before; `None` for the first.
    #[serde(deserialize_with = "crate::required")]
    pub since: Option<ChangesSince>,
}

/// What changed since the version before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangesSince {
    /// People who are in both; those whose value changed have stayed.
    pub stayed: u64,
    /// People who are new.
    pub inserted: u64,
    /// People who are gone.
    pub deleted: u64,
    /// How many people's value changed, by the sensitive column; columns without change are absent.
    pub changed: ByName<u64>,
}

/// The document `mingle.history-check/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryCheckAnswer {
    /// Which document this is.
    pub schema: HistoryCheckSchema,
    /// Whether the limits hold.
    pub verdict: Judgement,
    /// How many versions there are.
    pub versions: usize,
    /// The largest share of people of whom a single value may be left.
    #[serde(deserialize_with = "crate::required")]
    pub max_perfect_breach: Option<f64>,
    /// The fewest values that must be left of everybody.
    #[serde(deserialize_with = "crate::required")]
    pub min_posterior: Option<u64>,
    /// By sensitive column.
    pub columns: Vec<VersionReplay>,
}

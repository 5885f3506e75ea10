//! `mingle history … --json`: the versions of a table, what they say together, and what was done
//! with them.

use crate::composition::VersionReplay;
use crate::schema::{
    HistoryAddSchema, HistoryCheckSchema, HistoryForgetSchema, HistoryInitSchema, HistoryListSchema,
};
use crate::{ByName, Judgement, WarningNotice};
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
    /// Its people; absent where each row is one person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<u64>,
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
    /// Of them, those who have more rows now; absent where nobody has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grown: Option<u64>,
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

/// The document `mingle.history-init/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryInitAnswer {
    /// Which document this is.
    pub schema: HistoryInitSchema,
    /// The folder that was made; it is private.
    pub history: String,
}

/// The document `mingle.history-add/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryAddAnswer {
    /// Which document this is.
    pub schema: HistoryAddSchema,
    /// The folder of the release.
    pub release: String,
    /// What became of it.
    pub outcome: HistoryAddOutcome,
    /// What the version is called.
    pub version: String,
    /// Its rows, where it is new.
    #[serde(deserialize_with = "crate::required")]
    pub rows: Option<u64>,
    /// What deserves attention.
    pub warnings: Vec<WarningNotice>,
}

/// What became of a release that was to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HistoryAddOutcome {
    /// It is a new version.
    Added,
    /// The history had it already.
    AlreadyThere,
    /// The history had it at another place.
    FoundAgain,
}

/// The document `mingle.history-forget/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryForgetAnswer {
    /// Which document this is.
    pub schema: HistoryForgetSchema,
    /// The version that was taken out; `None` for a release that was only announced.
    #[serde(deserialize_with = "crate::required")]
    pub version: Option<String>,
    /// Where the release that was only announced was to be written, where that is known.
    #[serde(deserialize_with = "crate::required")]
    pub pending: Option<String>,
}

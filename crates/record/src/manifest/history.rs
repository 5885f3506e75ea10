//! `history.json`: the versions of a table, in the order in which they were added.

use super::FileEntry;
use crate::schema::HistorySchema;
use serde::{Deserialize, Serialize};

/// A version.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionEntry {
    /// What it is called.
    pub label: String,
    /// When it was added, as the caller tells the time.
    pub added: String,
    /// The release's folder, relative to the history or absolute; nothing once another version took
    /// its place.
    pub release: Option<String>,
    /// SHA-256 of the release's `public/manifest.json`.
    pub manifest_sha256: String,
    /// Published rows.
    pub rows: u64,
    /// Groups.
    pub groups: u64,
    /// The file with its people.
    pub people: FileEntry,
}

/// `history.json`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryFile {
    /// Which document this is.
    pub schema: HistorySchema,
    /// What tells the key from others.
    pub key_check: String,
    /// The column that tells people apart; histories made before this was written down have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The next version's number; those of forgotten versions are not given again.
    pub next: u64,
    /// The versions.
    pub versions: Vec<VersionEntry>,
    /// Over all bytes of this file, see `release`.
    pub checksum: String,
}

//! `history.json`: the versions of a table, in the order in which they were added.

use crate::manifest::{FileEntry, Manifest, Problem};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The file's name.
pub(super) const FILE: &str = "history.json";

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
pub(super) struct HistoryFile {
    pub(super) schema: String,
    /// What tells the key from others.
    pub(super) key_check: String,
    /// The column that tells people apart; histories made before this was written down have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) person: Option<String>,
    /// The next version's number; those of forgotten versions are not given again.
    pub(super) next: u64,
    pub(super) versions: Vec<VersionEntry>,
    pub(super) checksum: String,
}

impl HistoryFile {
    pub(super) fn new(key_check: String) -> HistoryFile {
        let schema = HistoryFile::SCHEMA.to_owned();
        HistoryFile {
            schema,
            key_check,
            person: None,
            next: 1,
            versions: Vec::new(),
            checksum: String::new(),
        }
    }
}

impl Manifest for HistoryFile {
    const SCHEMA: &'static str = "mingle.history/1";

    fn validate(&self) -> Result<(), Problem> {
        let once = |name: fn(&VersionEntry) -> &String| {
            let mut seen = HashSet::new();
            self.versions
                .iter()
                .all(|version| seen.insert(name(version)))
        };
        let named = |v: &VersionEntry| is_label(&v.label) && v.people.is_plain();
        let fits =
            self.versions.iter().all(named) && once(|v| &v.label) && once(|v| &v.people.name);
        if fits {
            Ok(())
        } else {
            Err(Problem::Inconsistent { what: "versions" })
        }
    }

    fn checksum_mut(&mut self) -> &mut String {
        &mut self.checksum
    }
}

/// Whether a version may be called this.
pub(super) fn is_label(text: &str) -> bool {
    !text.is_empty() && text.len() <= 128 && !text.chars().any(char::is_control)
}

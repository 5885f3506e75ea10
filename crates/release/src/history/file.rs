//! `history.json`, as this room reads and writes it.

use crate::manifest::{Manifest, ManifestProblem, first_misfit, is_plain};
use mingle_record::manifest::{HistoryFile, VersionEntry};
use mingle_record::schema::HistorySchema;
use std::collections::HashSet;

/// The file's name.
pub(super) const FILE: &str = "history.json";

/// A history without versions.
pub(super) fn empty_history(key_check: String) -> HistoryFile {
    HistoryFile {
        schema: HistorySchema,
        key_check,
        person: None,
        next: 1,
        versions: Vec::new(),
        checksum: String::new(),
    }
}

impl Manifest for HistoryFile {
    const SCHEMA: &'static str = HistorySchema::TEXT;

    fn validate(&self) -> Result<(), ManifestProblem> {
        first_misfit(&[("versions", versions_fit(&self.versions))])
    }

    fn checksum_mut(&mut self) -> &mut String {
        &mut self.checksum
    }
}

/// Labels and files are names, and no two versions have the same.
fn versions_fit(versions: &[VersionEntry]) -> bool {
    let (mut labels, mut files) = (HashSet::new(), HashSet::new());
    for version in versions {
        let named = is_label(&version.label) && is_plain(&version.people);
        if !named || !labels.insert(&version.label) || !files.insert(&version.people.name) {
            return false;
        }
    }
    true
}

/// Whether a version may be called this.
pub(super) fn is_label(text: &str) -> bool {
    !text.is_empty() && text.len() <= 128 && !text.chars().any(char::is_control)
}

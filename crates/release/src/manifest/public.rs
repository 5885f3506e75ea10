//! The public manifest: what follows from the published rows and the policy, plus the verdict for
//! the stated m.

use super::column::ManifestColumn;
use super::promise::PromiseEntry;
use super::protocol::ProtocolEntry;
use super::{FileEntry, Manifest, Problem};
use crate::fragmented;
use crate::promise_entry::promise_of;
use mingle_model::{GID, Missing, Role};
use mingle_privacy::{Insiders, Promise, Semantics};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;

/// `public/manifest.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublicManifest {
    /// `mingle.release/1`.
    pub schema: String,
    /// The program and its version.
    pub tool: String,
    /// Published rows.
    pub rows: u64,
    /// Groups of rows with equal quasi-identifiers.
    pub groups: u64,
    /// Whether quasi-identifiers and sensitive columns are in tables of their own; releases without
    /// this key are of one table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fragmented: bool,
    /// The columns in the order of the file, or of the policy where there are several files.
    pub columns: Vec<ManifestColumn>,
    /// Of a fragmented release: which file holds which columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableEntry>,
    /// How a missing value is written in CSV; in Parquet it is null.
    pub missing: Option<String>,
    /// What is promised, in the policy's order.
    pub promises: Vec<PromiseEntry>,
    /// How many colluding providers the promises withstand.
    pub m: u64,
    /// What a group with few contributors counts as: `victim` or `strict`; releases without this
    /// key are of the first.
    #[serde(default = "victim")]
    pub semantics: String,
    /// With strict semantics: how many contributors a group has beyond m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_diversity: Option<u64>,
    /// Whether the promises hold: `holds`.
    pub verdict: String,
    /// The anonymizer.
    pub method: String,
    /// Of a joint release: how two sites came to it. They sign it in `signatures.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<ProtocolEntry>,
    /// How the labels' ends were chosen.
    pub ranges: String,
    /// `csv` or `parquet`.
    pub format: String,
    /// For CSV: what was done to cells that a spreadsheet would run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula_guard: Option<String>,
    /// The files next to this one.
    pub files: Vec<FileEntry>,
    /// The part of the policy that is public.
    pub policy: Value,
    /// Chosen figures, rounded, where the policy publishes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<Value>,
    /// Over all bytes of this file, see [`checksum`](super::checksum).
    pub checksum: String,
}

/// A file of a fragmented release and its columns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableEntry {
    /// The file's name.
    pub file: String,
    /// Its columns in order; the first is the group number.
    pub columns: Vec<String>,
}

impl PublicManifest {
    /// The note in `formula_guard`.
    pub const FORMULA_GUARD: &str =
        "a cell that a spreadsheet would run as a formula has a leading ' which readers remove";

    /// The texts that mean a missing value in this release.
    pub fn missing(&self) -> Missing {
        Missing::new(self.missing.iter().cloned().collect())
    }

    /// The names of the sensitive columns, in order.
    pub fn sensitive(&self) -> Vec<&str> {
        self.columns
            .iter()
            .filter(|c| c.role == Role::Sensitive)
            .map(|c| c.name.as_str())
            .collect()
    }

    /// The promises, ready to be verified; `None` if one of them is not understood.
    pub fn promises(&self) -> Option<Vec<Promise>> {
        let sensitive = self.sensitive();
        self.promises
            .iter()
            .map(|entry| promise_of(entry, &sensitive))
            .collect()
    }

    /// Against whom the promises are to hold; `None` if that is not understood.
    pub fn insiders(&self) -> Option<Insiders> {
        match (self.semantics.as_str(), self.site_diversity) {
            ("victim", None) => Some(Insiders::victim(self.m)),
            ("strict", Some(site_diversity @ 1..)) => {
                Some(Insiders::strict(self.m, site_diversity))
            }
            _ => None,
        }
    }

    /// The name of the data file; of a fragmented release that of the quasi-identifiers.
    pub fn data_file(&self) -> String {
        format!(
            "{}.{}",
            if self.fragmented { "qi" } else { "data" },
            self.format
        )
    }

    /// The names and columns of all tables follow from the columns; only a fragmented release lists
    /// them.
    fn tables_fit(&self) -> bool {
        let expected = match self.fragmented {
            true => fragmented::tables(&self.columns, &self.format),
            false => Vec::new(),
        };
        let fragment = |c: &ManifestColumn| {
            c.name != GID && matches!(c.role, Role::QuasiIdentifier | Role::Sensitive)
        };
        let listed = self.files.iter().map(|f| &f.name);
        self.tables == expected
            && (!self.fragmented
                || self.columns.iter().all(fragment) && listed.eq(expected.iter().map(|t| &t.file)))
    }

    /// What two sites made has no providers to collude, and always the shape of fragments.
    fn protocol_fits(&self) -> bool {
        self.protocol
            .as_ref()
            .is_none_or(|protocol| protocol.is_complete() && self.fragmented && self.m == 0)
    }
}

fn victim() -> String {
    Semantics::Victim.name().to_owned()
}

impl Manifest for PublicManifest {
    const SCHEMA: &'static str = "mingle.release/1";

    fn validate(&self) -> Result<(), Problem> {
        let mut names = HashSet::new();
        let published = |c: &ManifestColumn| c.role != Role::Identifier;
        let checks = [
            (
                "columns",
                self.columns
                    .iter()
                    .all(|c| published(c) && names.insert(&c.name)),
            ),
            ("files", self.files.iter().all(FileEntry::is_plain)),
            (
                "files",
                self.files.iter().any(|f| f.name == self.data_file()),
            ),
            ("tables", self.tables_fit()),
            ("protocol", self.protocol_fits()),
            ("format", matches!(self.format.as_str(), "csv" | "parquet")),
            ("promises", self.promises().is_some()),
            ("semantics", self.insiders().is_some()),
            ("verdict", self.verdict == "holds"),
        ];
        match checks.into_iter().find(|(_, fits)| !fits) {
            Some((what, _)) => Err(Problem::Inconsistent { what }),
            None => Ok(()),
        }
    }

    fn checksum_mut(&mut self) -> &mut String {
        &mut self.checksum
    }
}

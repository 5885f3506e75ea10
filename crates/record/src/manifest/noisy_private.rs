//! The private manifest of a release of noisy counts: what the steward keeps and nobody else sees.

use super::FileEntry;
use crate::RecordedWarning;
use crate::distributions::Distributions;
use crate::policy_document::PolicyDocument;
use crate::schema::NoisyPrivateSchema;
use crate::utility::UtilityRecord;
use serde::{Deserialize, Serialize};

/// `private/manifest.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoisyPrivateManifest {
    /// Which document this is.
    pub schema: NoisyPrivateSchema,
    /// The program and its version.
    pub tool: String,
    /// When it was made.
    pub time: String,
    /// SHA-256 of `public/manifest.json`.
    pub public_manifest: String,
    /// The ledger's file.
    pub ledger: String,
    /// The number of its entry, counted from 1.
    pub entry: u64,
    /// The hash that the ledger has for the entry.
    pub entry_hash: String,
    /// The files that were read.
    pub inputs: Vec<FileEntry>,
    /// What happened to records on the way to declared cells.
    pub encoded: EncodedEntry,
    /// Figures against the original.
    pub utility: Option<UtilityRecord>,
    /// How values were distributed and how the release shows them; releases without this key were
    /// not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distributions: Option<Distributions>,
    /// What the steward was warned of.
    pub warnings: Vec<RecordedWarning>,
    /// The whole policy.
    pub policy: PolicyDocument,
    /// Over all bytes of this file, see `release`.
    pub checksum: String,
}

/// Records on their way to declared cells.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncodedEntry {
    /// Rows of the tables.
    pub rows: u64,
    /// Rows left out because a value is not declared and nothing stands for it.
    pub left_out: u64,
    /// Rows left out because their person has more than the bound.
    pub beyond_bound: u64,
    /// Rows left out because their person is not known.
    pub of_unknown: u64,
    /// Per column what was not declared.
    pub columns: Vec<UndeclaredEntry>,
}

/// Rows with a value of one column that is not declared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UndeclaredEntry {
    /// The column's name.
    pub column: String,
    /// Counted in the nearest bin.
    pub clamped: u64,
    /// Counted as `other`.
    pub other: u64,
    /// Left out.
    pub left_out: u64,
}

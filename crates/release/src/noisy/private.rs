//! The private manifest of a release of noisy counts: what the steward keeps and nobody else sees.

use crate::manifest::{FileEntry, Manifest, Problem};
use mingle_dp::Encoded;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `private/manifest.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoisyPrivateManifest {
    /// `mingle.noisy-private/1`.
    pub schema: String,
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
    pub utility: Option<Value>,
    /// How values were distributed and how the release shows them; releases without this key were
    /// not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distributions: Option<Value>,
    /// What the steward was warned of.
    pub warnings: Vec<String>,
    /// The whole policy.
    pub policy: Value,
    /// Over all bytes of this file, see [`checksum`](crate::manifest::checksum).
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

impl EncodedEntry {
    /// As the manifest states it.
    pub fn new(encoded: &Encoded) -> EncodedEntry {
        let column = |c: &mingle_dp::records::Undeclared| UndeclaredEntry {
            column: c.column.clone(),
            clamped: c.clamped,
            other: c.other,
            left_out: c.left_out,
        };
        EncodedEntry {
            rows: encoded.rows,
            left_out: encoded.left_out,
            beyond_bound: encoded.beyond_bound,
            of_unknown: encoded.of_unknown,
            columns: encoded.columns.iter().map(column).collect(),
        }
    }
}

impl Manifest for NoisyPrivateManifest {
    const SCHEMA: &'static str = "mingle.noisy-private/1";

    fn validate(&self) -> Result<(), Problem> {
        if self.entry > 0 {
            Ok(())
        } else {
            Err(Problem::Inconsistent { what: "entry" })
        }
    }

    fn checksum_mut(&mut self) -> &mut String {
        &mut self.checksum
    }
}

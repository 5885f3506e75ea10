//! Manifests: what a release says about itself, as JSON in a fixed order of keys.
//!
//! A manifest is read without trust: its size is bounded, unknown keys are refused, and file names
//! with a folder in them are too. Its last field is a [`checksum`] of all its bytes, so that no
//! byte changes unnoticed.

pub mod checksum;
pub(crate) mod column;
mod fits;
mod meaning;

pub use column::{
    add_hierarchy, add_order, column_entry, column_kind, column_role, kind_of, role_of,
};
pub(crate) use fits::{are_public, first_misfit, is_complete};
pub use meaning::ManifestMeaning;
pub use mingle_record::manifest::{
    AuditFile, AuditPeople, ColumnKind, ColumnRole, ExactNumber, FileEntry, FileFormat,
    ManifestColumn, ParameterEntry, PeopleCounts, PeopleEntry, PrivateManifest, PromiseEntry,
    ProtocolEntry, ProviderRows, ProvidersEntry, PublicManifest, SiteEntry, StatedKnowledge,
    StatedPersonRows, StatedScope, StatedSemantics, TableEntry, ToldApartBy,
};

use mingle_io::{FileHash, Format};
use mingle_privacy::Semantics;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// A manifest holds labels of columns, not rows; hierarchies of sensitive columns may need some
/// room.
pub(crate) const MAX_BYTES: u64 = 256 << 20;

/// What is wrong with a manifest. Positions, never values.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ManifestProblem {
    /// The bytes are not those that were written.
    #[error("the checksum does not match")]
    Checksum,
    /// Not the JSON that is expected.
    #[error("not a manifest: line {line}, column {column}")]
    Malformed {
        /// Line of the file.
        line: usize,
        /// Column of that line.
        column: usize,
    },
    /// Another kind of file, or another version.
    #[error("expected schema {expected}")]
    Schema {
        /// The schema that is understood here.
        expected: &'static str,
    },
    /// Well formed, but about columns or files that cannot be.
    #[error("{what} does not fit")]
    Inconsistent {
        /// The key.
        what: &'static str,
    },
    /// Larger than any manifest.
    #[error("larger than {} bytes", MAX_BYTES)]
    TooLarge,
}

/// A name and what was written under it.
pub fn file_entry(name: impl Into<String>, hash: FileHash) -> FileEntry {
    FileEntry {
        name: name.into(),
        sha256: hash.sha256,
        bytes: hash.bytes,
    }
}

/// How a manifest calls the way in which tables are written.
pub fn format_entry(format: Format) -> FileFormat {
    match format {
        Format::Csv => FileFormat::Csv,
        Format::Parquet => FileFormat::Parquet,
    }
}

/// How a manifest calls what a group with few contributors counts as.
pub fn semantics_stated(semantics: Semantics) -> StatedSemantics {
    match semantics {
        Semantics::Victim => StatedSemantics::Victim,
        Semantics::Strict { .. } => StatedSemantics::Strict,
    }
}

/// The way in which tables are written, as a manifest calls it.
pub fn format_of(entry: FileFormat) -> Format {
    match entry {
        FileFormat::Csv => Format::Csv,
        FileFormat::Parquet => Format::Parquet,
    }
}

/// Whether a file's name stays in its folder.
pub(crate) fn is_plain(file: &FileEntry) -> bool {
    !matches!(file.name.as_str(), "" | "." | "..") && !file.name.contains(['/', '\\', '\0'])
}

/// What both manifests have in common.
pub(crate) trait Manifest: Serialize + DeserializeOwned {
    const SCHEMA: &'static str;

    /// What serde cannot see.
    fn validate(&self) -> Result<(), ManifestProblem>;

    /// The last field.
    fn checksum_mut(&mut self) -> &mut String;
}

/// A manifest as found on disk.
pub(crate) struct Found<M> {
    pub(crate) manifest: Result<M, ManifestProblem>,
    /// Whether every byte is as it was written.
    pub(crate) intact: bool,
    pub(crate) sha256: String,
}

/// Pretty-printed, one line feed at the end; the checksum is put into the bytes and into the
/// manifest itself.
pub(crate) fn seal<M: Manifest>(manifest: &mut M) -> Vec<u8> {
    checksum::UNSEALED.clone_into(manifest.checksum_mut());
    let mut bytes = serde_json::to_vec_pretty(manifest).expect("manifests have string keys only");
    bytes.push(b'\n');
    *manifest.checksum_mut() = checksum::seal(&mut bytes);
    bytes
}

/// Reads a manifest; an error is one of the file system only.
pub(crate) fn read<M: Manifest>(path: &Path) -> io::Result<Found<M>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Ok(Found {
            manifest: Err(ManifestProblem::TooLarge),
            intact: false,
            sha256: String::new(),
        });
    }
    Ok(Found {
        manifest: parse(&bytes),
        intact: checksum::holds(&bytes),
        sha256: checksum::sha256(&bytes),
    })
}

/// The one key that tells documents apart; all others are for those who know the document.
#[derive(Deserialize)]
struct Opening {
    schema: Option<String>,
}

fn parse<M: Manifest>(bytes: &[u8]) -> Result<M, ManifestProblem> {
    // serde's messages quote values, so only the position is kept
    let malformed = |e: serde_json::Error| ManifestProblem::Malformed {
        line: e.line(),
        column: e.column(),
    };
    let opening: Opening = serde_json::from_slice(bytes).map_err(malformed)?;
    if opening.schema.as_deref() != Some(M::SCHEMA) {
        return Err(ManifestProblem::Schema {
            expected: M::SCHEMA,
        });
    }
    let manifest: M = serde_json::from_slice(bytes).map_err(malformed)?;
    manifest.validate()?;
    Ok(manifest)
}

/// Whether this is the public manifest of a release of any kind and version.
pub(crate) fn is_release(path: &Path) -> bool {
    schema(path).is_some_and(|s| s.starts_with("mingle.release/") || s.starts_with("mingle.noisy/"))
}

/// Whether this is the public manifest of a release of noisy counts, of any version.
pub(crate) fn is_noisy(path: &Path) -> bool {
    schema(path).is_some_and(|s| s.starts_with("mingle.noisy/"))
}

fn schema(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path)
        .ok()?
        .take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .ok()?;
    let opening: Opening = serde_json::from_slice(&bytes).ok()?;
    opening.schema
}

//! Manifests: what a release says about itself, as JSON in a fixed order of keys.
//!
//! Plain types, strict when read: a key or word that is not known is refused. What serde cannot see
//! (checksums, limits, whether columns and files fit together) is `release`'s to check.

mod column;
mod domain;
mod history;
mod noisy;
mod noisy_private;
mod people;
mod private;
mod protocol;
mod public;

pub use crate::promise::{ExactNumber, ParameterEntry, PromiseEntry};
pub use column::{ColumnKind, ColumnRole, ManifestColumn};
pub use domain::{BinsEntry, DomainColumn};
pub use history::{HistoryFile, VersionEntry};
pub use noisy::{
    AmountEntry, GuaranteeEntry, Neighbouring, NoiseName, NoisyKind, NoisyManifest, NoisyTable,
    SemanticsEntry,
};
pub use noisy_private::{EncodedEntry, NoisyPrivateManifest, UndeclaredEntry};
pub use people::{
    PeopleCounts, PeopleEntry, StatedKnowledge, StatedPersonRows, StatedScope, ToldApartBy,
};
pub use private::{AuditFile, AuditPeople, PrivateManifest, ProviderRows};
pub use protocol::{ProtocolEntry, ProvidersEntry, SiteEntry};
pub use public::{PublicManifest, StatedSemantics, TableEntry};

use serde::{Deserialize, Serialize};

/// A file of the release with what it held.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its name within its folder.
    pub name: String,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileFormat {
    /// Comma-separated values.
    Csv,
    /// Parquet.
    Parquet,
}

impl FileFormat {
    /// The word in policies and documents, and how file names end.
    pub fn name(self) -> &'static str {
        match self {
            FileFormat::Csv => "csv",
            FileFormat::Parquet => "parquet",
        }
    }
}

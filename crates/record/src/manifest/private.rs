//! The private manifest: what the steward keeps and nobody else sees.

use super::{FileEntry, PeopleCounts};
use crate::RecordedWarning;
use crate::composition::CompositionRecord;
use crate::distributions::Distributions;
use crate::policy_document::PolicyDocument;
use crate::schema::ReleasePrivateSchema;
use crate::utility::UtilityRecord;
use serde::{Deserialize, Serialize};

/// `private/manifest.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivateManifest {
    /// Which document this is.
    pub schema: ReleasePrivateSchema,
    /// The program and its version.
    pub tool: String,
    /// SHA-256 of `public/manifest.json`.
    pub public_manifest: String,
    /// Who contributed how many rows.
    pub providers: Vec<ProviderRows>,
    /// Rows that were left out.
    pub suppressed_rows: u64,
    /// Where the policy says whose rows belong together: how many people there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<PeopleCounts>,
    /// The smallest coalition that breaches some group, if one was found.
    pub attack_number: Option<u64>,
    /// Whether larger coalitions than the stated ones were not looked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub attack_number_undecided: bool,
    /// Where tie-breaks and sampling started.
    pub seed: u64,
    /// The files that were read.
    pub inputs: Vec<FileEntry>,
    /// The audit; a joint release has none, because no site knows who contributed what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditFile>,
    /// Of a joint release: the site that keeps this copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// Figures against the original.
    pub utility: Option<UtilityRecord>,
    /// How values were distributed and how the release shows them; releases without this key were
    /// not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distributions: Option<Distributions>,
    /// What the release says together with others that are out already, where the policy names any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub composition: Option<CompositionRecord>,
    /// What the steward was warned of.
    pub warnings: Vec<RecordedWarning>,
    /// The whole policy; a site that was made up for a demonstration has none.
    #[serde(deserialize_with = "crate::required")]
    pub policy: Option<PolicyDocument>,
    /// Over all bytes of this file, see `release`.
    pub checksum: String,
}

/// A provider's part in the release.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderRows {
    /// The provider's name.
    pub name: String,
    /// Rows that were read.
    pub rows: u64,
    /// Rows that were published.
    pub published_rows: u64,
}

/// The audit and how its own columns are called.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditFile {
    /// `audit.parquet`.
    pub file: FileEntry,
    /// Of a fragmented release: the column with the group number, in place of the
    /// quasi-identifiers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gid_column: Option<String>,
    /// The column with the provider's name.
    pub provider_column: String,
    /// The column with the number of rows.
    pub count_column: String,
    /// Where people have several rows: the columns that say whose they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<AuditPeople>,
}

/// The columns by which an audit keeps people: without an identifier, as kinds within a group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditPeople {
    /// The column with the number of the kind within its group: people who have the same rows.
    pub kind_column: String,
    /// The column with how many people are of that kind.
    pub people_column: String,
    /// The column with how many such rows each of them has.
    pub rows_each_column: String,
}

impl ProviderRows {
    /// How many providers have published rows.
    pub fn contributors(providers: &[ProviderRows]) -> usize {
        let has_rows = |provider: &&ProviderRows| provider.published_rows > 0;
        providers.iter().filter(has_rows).count()
    }
}

//! The public manifest: what follows from the published rows and the policy, plus the verdict for
//! the stated m.

use super::{
    ColumnRole, FileEntry, FileFormat, ManifestColumn, PeopleEntry, PromiseEntry, ProtocolEntry,
};
use crate::policy_document::PolicyDocument;
use crate::schema::ReleaseSchema;
use crate::utility::PublicUtility;
use crate::{Judgement, WarningNotice};
use serde::{Deserialize, Serialize};

/// `public/manifest.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublicManifest {
    /// Which document this is.
    pub schema: ReleaseSchema,
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
    /// Whose rows belong together, where the policy says that; otherwise each row is one person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<PeopleEntry>,
    /// What is promised, in the policy's order.
    pub promises: Vec<PromiseEntry>,
    /// How many colluding providers the promises withstand.
    pub m: u64,
    /// What a group with few contributors counts as: `victim` or `strict`; releases without this
    /// key are of the first.
    #[serde(default = "victim")]
    pub semantics: StatedSemantics,
    /// With strict semantics: how many contributors a group has beyond m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_diversity: Option<u64>,
    /// Whether the promises hold; nothing else is published.
    pub verdict: Judgement,
    /// The anonymizer.
    pub method: String,
    /// Of a joint release: how two sites came to it. They sign it in `signatures.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<ProtocolEntry>,
    /// How the labels' ends were chosen.
    pub ranges: String,
    /// `csv` or `parquet`.
    pub format: FileFormat,
    /// For CSV: what was done to cells that a spreadsheet would run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula_guard: Option<String>,
    /// The files next to this one.
    pub files: Vec<FileEntry>,
    /// The part of the policy that is public.
    pub policy: PolicyDocument,
    /// Chosen figures, rounded, where the policy publishes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<PublicUtility>,
    /// What deserves attention and follows from the published rows and the policy; releases without
    /// this key do not record it, which is not to say that there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<WarningNotice>>,
    /// Over all bytes of this file, see `release`.
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

/// What a group with few contributors counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatedSemantics {
    /// It is fine where nobody else's people can be learned about.
    Victim,
    /// It is a breach.
    Strict,
}

impl StatedSemantics {
    /// The word in documents.
    pub fn name(self) -> &'static str {
        match self {
            StatedSemantics::Victim => "victim",
            StatedSemantics::Strict => "strict",
        }
    }
}

impl PublicManifest {
    /// The note in `formula_guard`.
    pub const FORMULA_GUARD: &str = "a cell that a spreadsheet would run as a formula has a leading ', and so has what \
                                     would run after a semicolon or a tab; readers remove it";

    /// What 0.1.0 wrote there.
    pub const FIRST_FORMULA_GUARD: &str =
        "a cell that a spreadsheet would run as a formula has a leading ' which readers remove";

    /// The names of the sensitive columns, in order.
    pub fn sensitive(&self) -> Vec<&str> {
        self.named(ColumnRole::Sensitive)
    }

    /// The names of the columns with a role, in order.
    pub fn named(&self, role: ColumnRole) -> Vec<&str> {
        let mut names = Vec::new();
        for column in &self.columns {
            if column.role == role {
                names.push(column.name.as_str());
            }
        }
        names
    }

    /// The name of the data file; of a fragmented release that of the quasi-identifiers.
    pub fn data_file(&self) -> String {
        let name = if self.fragmented { "qi" } else { "data" };
        format!("{name}.{}", self.format.name())
    }
}

fn victim() -> StatedSemantics {
    StatedSemantics::Victim
}

//! What the caller knows about a release and the verified table does not say.

use crate::manifest::file_entry;
use crate::reports::Render;
use mingle_io::{FileHash, Format};
use mingle_model::Missing;
use mingle_record::RecordedWarning;
use mingle_record::composition::CompositionRecord;
use mingle_record::distributions::Distributions;
use mingle_record::manifest::{FileEntry, PeopleEntry};
use mingle_record::policy_document::PolicyDocument;
use mingle_record::utility::UtilityRecord;
use std::collections::BTreeMap;

/// Everything that goes into the manifests besides the table itself.
///
/// Columns, roles and kinds come from the table; promises, and against whom they hold, from what
/// was verified. Nothing here goes into `public/` unchecked: the policy passes
/// [`public_policy`](crate::public_policy) and the figures
/// [`public_utility`](crate::public_utility).
#[derive(Clone)]
pub struct Facts {
    /// The program's version.
    pub tool_version: String,
    /// How the data is written.
    pub format: Format,
    /// The anonymizer's name. Public.
    pub method: String,
    /// `tight` or `cell`. Public.
    pub ranges: String,
    /// What stood for a missing value in the input; the first text is published.
    pub missing: Missing,
    /// Whose rows belong together, where the policy says that. Public.
    pub people: Option<PeopleEntry>,
    /// The whole policy. Private; what is fit for the public is taken from it.
    pub policy: PolicyDocument,
    /// The files that were read. Private.
    pub inputs: Vec<InputFile>,
    /// Rows that were left out before the table was made, by provider: the table that is released
    /// does not have them. Private.
    pub left_out_before: BTreeMap<String, u64>,
    /// Where tie-breaks and sampling started. Private.
    pub seed: u64,
    /// Figures against the original. Private.
    pub utility: Option<UtilityRecord>,
    /// How values were distributed and how the release shows them. Private.
    pub distributions: Option<Distributions>,
    /// What the release says together with others that are out already. Private.
    pub composition: Option<CompositionRecord>,
    /// Whether chosen figures, rounded, are public as well.
    pub publish_utility: bool,
    /// What the steward was warned of. Private; those that are public are found in the rows anew.
    pub warnings: Vec<RecordedWarning>,
    /// What makes the reports; without, there are none.
    pub reports: Option<Render>,
}

/// A file that was read.
#[derive(Clone)]
pub struct InputFile {
    /// Its name as the policy gives it.
    pub name: String,
    /// What it held.
    pub hash: FileHash,
}

/// The files as a private manifest lists them.
pub(crate) fn input_entries(inputs: &[InputFile]) -> Vec<FileEntry> {
    let mut entries = Vec::with_capacity(inputs.len());
    for input in inputs {
        entries.push(file_entry(&input.name, input.hash.clone()));
    }
    entries
}

//! What the caller knows about a release of noisy counts and the output does not say.

use crate::facts::InputFile;
use crate::reports::Render;
use mingle_dp::Encoded;
use mingle_io::Format;
use mingle_record::RecordedWarning;
use mingle_record::distributions::Distributions;
use mingle_record::manifest::ProtocolEntry;
use mingle_record::policy_document::PolicyDocument;
use mingle_record::utility::UtilityRecord;
use std::path::PathBuf;

/// Everything that goes into the manifests besides the output itself.
///
/// Public are the version, the format, whether an identifier bounds records per person, and the
/// part of the policy that [`public_policy`](crate::public_policy) lets through. The rest is
/// private.
#[derive(Clone)]
pub struct NoisyFacts {
    /// The program's version. Public.
    pub tool_version: String,
    /// How tables are written. Public.
    pub format: Format,
    /// Whether an identifier said which records are of one person, so that the bound was kept by
    /// the program and is not the steward's word. Public.
    pub person_known: bool,
    /// The whole policy. Private; what is fit for the public is taken from it.
    pub policy: PolicyDocument,
    /// The file of the ledger that was charged; the receipt has the entry. Private.
    pub ledger: PathBuf,
    /// The files that were read. Private.
    pub inputs: Vec<InputFile>,
    /// What happened to records on the way to declared cells. Private.
    pub encoded: Encoded,
    /// Figures against the original. Private.
    pub utility: Option<UtilityRecord>,
    /// How values were distributed and how the release shows them. Private.
    pub distributions: Option<Distributions>,
    /// What the steward was warned of. Private; those that are public follow from the promise.
    pub warnings: Vec<RecordedWarning>,
    /// When it was made. Private.
    pub time: String,
    /// What makes the reports; without, there are none.
    pub reports: Option<Render>,
    /// How providers made it together, where they did. Public.
    pub protocol: Option<ProtocolEntry>,
}

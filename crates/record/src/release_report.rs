//! `report.json`: what a release's report says, for programs.
//!
//! It stands beside `report.html` and is made from the same facts: in `public/` from what is handed
//! out alone, in `private/` with what only the steward may see. It names the manifest that it was
//! made from, and its last field is a checksum of all its bytes.

use crate::answer::{ShownPrivate, ShownPublic};
use crate::schema::{ReleaseReportPrivateSchema, ReleaseReportSchema};
use crate::{WarningNotice, WarningsRecorded};
use serde::{Deserialize, Serialize};

/// The document `mingle.release-report/1`, in `public/`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseReport {
    /// Which document this is.
    pub schema: ReleaseReportSchema,
    /// SHA-256 of `public/manifest.json`.
    pub manifest: String,
    /// The verdict in a few words, as the page has it on top.
    pub headline: String,
    /// What deserves attention.
    pub warnings: Vec<WarningNotice>,
    /// How much of what the steward was warned of is in `public/`.
    pub warnings_recorded: WarningsRecorded,
    /// Everything that a reader of `public/` can know.
    pub public: ShownPublic,
    /// SHA-256 of this file with zeros here.
    pub checksum: String,
}

/// The document `mingle.release-report-private/1`, in `private/`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivateReleaseReport {
    /// Which document this is.
    pub schema: ReleaseReportPrivateSchema,
    /// SHA-256 of `public/manifest.json`.
    pub manifest: String,
    /// The verdict in a few words, as the page has it on top.
    pub headline: String,
    /// What deserves attention.
    pub warnings: Vec<WarningNotice>,
    /// How much of what the steward was warned of is here.
    pub warnings_recorded: WarningsRecorded,
    /// Everything that a reader of `public/` can know, with the verdict of the audit.
    pub public: ShownPublic,
    /// What only the steward may see.
    pub private: ShownPrivate,
    /// SHA-256 of this file with zeros here.
    pub checksum: String,
}

//! `mingle report --json`: which reports were written.

use crate::WarningNotice;
use crate::schema::ReportSchema;
use serde::{Deserialize, Serialize};

/// The document `mingle.report/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportAnswer {
    /// Which document this is.
    pub schema: ReportSchema,
    /// The folder of the release.
    pub release: String,
    /// The files that were written.
    pub written: Vec<String>,
    /// Whether the reports say that every promise holds.
    pub holds: bool,
    /// What deserves attention.
    pub warnings: Vec<WarningNotice>,
}

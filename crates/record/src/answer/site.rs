//! `mingle site run --json`: what was published together with a partner.

use super::ReportFiles;
use crate::PromiseEntry;
use crate::schema::SiteSchema;
use serde::{Deserialize, Serialize};

/// The document `mingle.site/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteAnswer {
    /// Which document this is.
    pub schema: SiteSchema,
    /// The folder of the release.
    pub release: String,
    /// Where its reports are, if it has them.
    #[serde(deserialize_with = "crate::required")]
    pub reports: Option<ReportFiles>,
    /// Whether it was published before this session.
    pub already_published: bool,
    /// The people that both sites have.
    pub rows: u64,
    /// Groups of the release.
    pub groups: u64,
    /// How the sites' groups were brought together.
    pub synchronizer: String,
    /// What a site learns beyond the release: `L0`, `L1` or `L2`.
    pub leak_level: String,
    /// How many rounds it took.
    pub rounds: u64,
    /// The session's number, in hexadecimal.
    pub session: String,
    /// The sites' names, in the order of their roles.
    pub sites: Vec<String>,
    /// What is promised.
    pub constraints: Vec<PromiseEntry>,
    /// How many bytes were moved, both ways.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
}

//! What `mingle publish` answers: `mingle.publish/1`.

use super::ReportFiles;
use crate::composition::CompositionRecord;
use crate::manifest::{FileFormat, PeopleCounts, PeopleEntry, StatedSemantics};
use crate::schema::PublishSchema;
use crate::utility::UtilityRecord;
use crate::{ConstraintVerdict, Judgement, WarningNotice, required};
use serde::{Deserialize, Serialize};

/// What was published, or would have been.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishAnswer {
    /// Which document this is.
    pub schema: PublishSchema,
    /// The release's folder; `None` for a dry run.
    #[serde(deserialize_with = "required")]
    pub release: Option<String>,
    /// Where its reports are.
    #[serde(deserialize_with = "required")]
    pub reports: Option<ReportFiles>,
    /// Nothing else is published: it holds.
    pub verdict: Judgement,
    /// How many insiders it withstands.
    pub m: u64,
    /// What a coalition must not be able to do.
    pub semantics: StatedSemantics,
    /// Rows of the original.
    pub rows: u64,
    /// Rows of the release.
    pub published_rows: u64,
    /// Rows that were left out.
    pub suppressed_rows: u64,
    /// Groups of the release.
    pub groups: u64,
    /// Rows of the smallest of them.
    pub smallest_group: u64,
    /// Whose rows they are, where the policy says that; otherwise each row is one person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<PublishedPeopleRecord>,
    /// How many providers there are.
    pub providers: u64,
    /// The anonymizer.
    pub method: String,
    /// How the labels' ends were chosen.
    pub ranges: String,
    /// How the tables are written.
    pub format: FileFormat,
    /// In the policy's order.
    pub constraints: Vec<ConstraintVerdict>,
    /// What it costs.
    pub utility: UtilityRecord,
    /// What a steward should know before handing it out.
    pub warnings: Vec<WarningNotice>,
    /// How long it took.
    pub seconds: f64,
    /// Whether sensitive columns are in tables of their own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fragmented: bool,
    /// What it says together with releases that are out already, where the policy names any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub composition: Option<CompositionRecord>,
}

/// Whose rows are published.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedPeopleRecord {
    /// What counts as a person.
    pub stated: PeopleEntry,
    /// How many they are.
    pub counts: PeopleCounts,
}

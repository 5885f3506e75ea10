//! What `mingle apply` answers: `mingle.apply/1`.

use super::ReportFiles;
use crate::composition::CompositionRecord;
use crate::manifest::{FileFormat, StatedSemantics};
use crate::schema::ApplySchema;
use crate::{ConstraintVerdict, Judgement, WarningNotice, required};
use serde::{Deserialize, Serialize};

/// What became of rows that were put into the groups of a release.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplyAnswer {
    /// Which document this is.
    pub schema: ApplySchema,
    /// The release whose groups were used.
    pub earlier: String,
    /// The new release's folder; `None` for a dry run.
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
    /// Rows of the earlier release.
    pub earlier_rows: u64,
    /// New rows.
    pub new_rows: u64,
    /// Those of them that have a place in a group.
    pub placed_rows: u64,
    /// Rows of the release.
    pub published_rows: u64,
    /// Rows that were left out, then and now.
    pub suppressed_rows: u64,
    /// Groups of the release.
    pub groups: u64,
    /// Groups that got new rows.
    pub grown_groups: u64,
    /// Rows of the smallest group.
    pub smallest_group: u64,
    /// How many providers there are.
    pub providers: u64,
    /// How many of them had no row before.
    pub new_providers: u64,
    /// How the tables are written.
    pub format: FileFormat,
    /// In the policy's order.
    pub constraints: Vec<ConstraintVerdict>,
    /// What a reader learns who has both releases; `None` where the earlier one was never handed
    /// out, or a history was asked instead.
    #[serde(deserialize_with = "required")]
    pub difference: Option<ApplyDifference>,
    /// What a reader learns who has all versions of the history, where the policy names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub composition: Option<CompositionRecord>,
    /// What a steward should know before handing it out.
    pub warnings: Vec<WarningNotice>,
    /// How long it took.
    pub seconds: f64,
}

/// What a reader of both releases sees who subtracts one from the other: the new rows by group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplyDifference {
    /// The largest coalition that such a reader may be part of.
    pub m: u64,
    /// The fewest new rows that a group got which got any.
    pub fewest_rows: u64,
    /// The fewest different values of a sensitive column among the new rows of a group; `None` where
    /// no column is sensitive.
    #[serde(deserialize_with = "required")]
    pub fewest_values: Option<u64>,
    /// New rows of which a single sensitive value is left: none, or nothing would be published.
    pub exposed_rows: u64,
}

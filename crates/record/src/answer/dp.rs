//! `mingle dp synthetic|marginals|histogram --json`: a release with noise that was made, or would
//! be.

use super::ReportFiles;
use crate::WarningNotice;
use crate::manifest::{FileFormat, NoisyKind};
use crate::noise::{BudgetCharge, EpsilonAtDelta, NoiseGuarantee};
use crate::schema::DpSchema;
use serde::{Deserialize, Serialize};

/// The document `mingle.dp/1`. It is for the steward: rows and values outside the domains depend on
/// the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpAnswer {
    /// Which document this is.
    pub schema: DpSchema,
    /// The folder of the release; `None` for a dry run.
    #[serde(deserialize_with = "crate::required")]
    pub release: Option<String>,
    /// Where its reports are, if it has them.
    #[serde(deserialize_with = "crate::required")]
    pub reports: Option<ReportFiles>,
    /// What is released.
    pub kind: NoisyKind,
    /// What is promised.
    pub guarantee: NoiseGuarantee,
    /// The promise as ε and δ.
    pub said_as: EpsilonAtDelta,
    /// The most records of one person.
    pub records_per_person: u64,
    /// Whether an identifier keeps that bound; otherwise it is the steward's word.
    pub person_known: bool,
    /// The shape of the noise.
    pub noise: String,
    /// The smallest standard deviation that the noise of a count can have.
    pub least_deviation: f64,
    /// What is spent from which ledger.
    pub ledger: DpLedgerUse,
    /// Rows of the tables.
    pub rows: u64,
    /// Rows left out because a value is not declared and nothing stands for it.
    pub rows_left_out: u64,
    /// Rows left out because nobody knows whose they are.
    pub rows_of_unknown: u64,
    /// Rows left out because their person has more than the bound.
    pub rows_beyond_bound: u64,
    /// The declared columns.
    pub columns: Vec<DpColumn>,
    /// What was made; `None` for a dry run.
    #[serde(deserialize_with = "crate::required")]
    pub made: Option<DpMade>,
    /// How tables are written.
    pub format: FileFormat,
    /// What the steward should know.
    pub warnings: Vec<WarningNotice>,
    /// How long it took.
    pub seconds: f64,
}

/// What a release takes from its ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpLedgerUse {
    /// The ledger as the policy names it.
    pub path: String,
    /// The entry that was written; `None` for a dry run.
    #[serde(deserialize_with = "crate::required")]
    pub entry: Option<u64>,
    /// What is charged.
    pub charged: BudgetCharge,
    /// What was left before.
    pub left_before: BudgetCharge,
    /// Whether the release leaves cells out, which costs δ.
    pub leaves_cells_out: bool,
}

/// A declared column, and what its table held beside the declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpColumn {
    /// Its name.
    pub name: String,
    /// How many cells it has.
    pub cells: usize,
    /// Values counted in the nearest bin.
    pub clamped: u64,
    /// Values counted as `other`.
    pub other: u64,
    /// Values left out with their row.
    pub left_out: u64,
}

/// What was made, by the kind of release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DpMade {
    /// Tables of counts.
    Marginals(DpMadeMarginals),
    /// One table of counts.
    Histogram(DpMadeHistogram),
    /// Made-up records.
    Synthetic(DpMadeSynthetic),
}

/// Tables of counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpMadeMarginals {
    /// How many.
    pub tables: usize,
    /// Their cells together.
    pub cells: usize,
}

/// One table of counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpMadeHistogram {
    /// Its published cells.
    pub cells: usize,
    /// The smallest count that is published, where small ones are left out.
    #[serde(deserialize_with = "crate::required")]
    pub threshold: Option<u64>,
}

/// Made-up records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpMadeSynthetic {
    /// How many.
    pub rows: usize,
    /// From how many measured tables.
    pub measured: usize,
}

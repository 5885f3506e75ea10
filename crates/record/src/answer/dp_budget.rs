//! `mingle dp budget --json`: what a data set's releases have spent, and what is left.

use crate::noise::{BudgetCharge, EpsilonAtDelta, ExactAmount, NoiseGuarantee};
use crate::schema::DpBudgetSchema;
use serde::{Deserialize, Serialize};

/// The document `mingle.dp-budget/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpBudgetAnswer {
    /// Which document this is.
    pub schema: DpBudgetSchema,
    /// What the data set is called.
    pub name: String,
    /// When the ledger was made.
    pub created: String,
    /// How releases are added up.
    pub accounting: DpBudgetRule,
    /// What everything together is promised to keep.
    pub budget: NoiseGuarantee,
    /// What may be spent.
    pub limit: BudgetCharge,
    /// What was spent.
    pub spent: BudgetCharge,
    /// What is left.
    pub left: BudgetCharge,
    /// The largest single releases that can still be paid for.
    pub possible: DpBudgetPossible,
    /// The releases, the oldest first.
    pub entries: Vec<DpBudgetEntry>,
}

/// How the releases of a ledger are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DpBudgetRule {
    /// ε and δ are added up.
    Basic,
    /// ρ is added up.
    Concentrated,
}

/// The largest single releases that can still be paid for, by what they promise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpBudgetPossible {
    /// A pure ε.
    #[serde(deserialize_with = "crate::required")]
    pub pure: Option<ExactAmount>,
    /// ε and δ with Gaussian noise.
    #[serde(deserialize_with = "crate::required")]
    pub approximate: Option<EpsilonAtDelta>,
    /// ε and δ where small cells are left out.
    #[serde(deserialize_with = "crate::required")]
    pub leaving_cells_out: Option<EpsilonAtDelta>,
    /// ρ.
    #[serde(deserialize_with = "crate::required")]
    pub rho: Option<ExactAmount>,
}

/// One release in a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpBudgetEntry {
    /// Counted from 1.
    pub entry: u64,
    /// When it was spent.
    pub at: String,
    /// The kind of release.
    pub release: String,
    /// What the release promises.
    pub guarantee: NoiseGuarantee,
    /// Whether it leaves cells out.
    pub leaves_cells_out: bool,
    /// What was taken from the budget.
    pub charged: BudgetCharge,
    /// The most records of one person.
    pub records_per_person: u64,
    /// Whether an identifier keeps that bound; otherwise it is the steward's word.
    pub identified: bool,
    /// Free text.
    pub label: String,
    /// The hash of the ledger's line, which the release's private part names.
    #[serde(deserialize_with = "crate::required")]
    pub sha256: Option<String>,
}

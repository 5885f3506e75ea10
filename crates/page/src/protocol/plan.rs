//! A candidate: what a policy would publish, against whom it protects and what it costs.

use super::{LabelledCount, ProblemView};
use mingle_record::StatedPromise;
use mingle_record::answer::{
    ShownBalance, ShownCoalition, ShownExposureOfSize, ShownLossName, ShownRisk, ShownSizeBin,
};
use mingle_record::utility::QueryError;
use serde::{Deserialize, Serialize};

/// Asks for a candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlanRequest {
    /// Who asks: a new request of the same tab stops the one before.
    pub tab: String,
    /// The policy.
    pub text: String,
    /// Whether a quick look may come first.
    pub quick: bool,
    /// Whether somebody has confirmed the roles: more than [`Start`](super::Start) allows
    /// unconfirmed are not searched before.
    #[serde(default)]
    pub confirmed: bool,
}

/// What is sent while a candidate is made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum PlanEvent {
    /// What is being done.
    Progress {
        /// `reading`, `counting`, `anonymizing`, `measuring`.
        step: String,
        /// Which method is at work.
        method: String,
        /// How much of it is done, between 0 and 1, where that is known.
        done: Option<f64>,
        /// Milliseconds since the request.
        elapsed: f64,
    },
    /// A candidate. A quick look is followed by the final one.
    Answer {
        /// The candidate.
        candidate: Box<Candidate>,
    },
    /// There is none.
    Problem {
        /// Why.
        problem: ProblemView,
    },
}

/// How final a candidate is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// By a shorter search than the policy asks for, or, where its method knows no efforts, by a
    /// faster method: verified just as well, but costlier.
    Quick,
    /// What would be published.
    Final,
}

/// What a policy would publish.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Candidate {
    /// For questions about it; the same policy and tables give the same.
    pub id: String,
    /// How final it is.
    pub stage: Stage,
    /// The method that made it.
    pub method: String,
    /// Milliseconds that making it took.
    pub milliseconds: f64,
    /// The coalition size that it withstands.
    pub m: f64,
    /// The promised group size; 1 where none is.
    pub k: f64,
    /// Against whom it protects, in words.
    pub against: String,
    /// The promises.
    pub promises: Vec<StatedPromise>,
    /// Rows of the tables.
    pub rows: f64,
    /// Rows left out.
    pub suppressed: f64,
    /// People of all groups: as many as published rows where each row is one person. Whoever is in
    /// several groups counts in each.
    pub people: f64,
    /// Groups.
    pub groups: f64,
    /// People of the smallest group.
    pub smallest: f64,
    /// Groups by size.
    pub sizes: Vec<ShownSizeBin>,
    /// The share of detail that is lost, between 0 and 1: NCP, or the information loss of
    /// centroids.
    pub loss: f64,
    /// What `loss` is.
    pub loss_name: ShownLossName,
    /// By column.
    pub columns: Vec<ColumnCost>,
    /// Sum of squared group sizes.
    pub discernibility: f64,
    /// Error of COUNT queries.
    pub query_error: QueryError,
    /// What an outsider risks to find.
    pub risk: ShownRisk,
    /// By sensitive column.
    pub balance: Vec<ShownBalance>,
    /// By size of the coalition, from 0 to all but one.
    pub exposure: Vec<ShownExposureOfSize>,
    /// The worst coalitions, by size from 1.
    pub worst: Vec<ShownCoalition>,
    /// The providers and their rows.
    pub providers: Vec<LabelledCount>,
    /// What the steward should know.
    pub warnings: Vec<ProblemView>,
}

/// What a quasi-identifier lost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ColumnCost {
    /// Its name.
    pub column: String,
    /// Between 0 and 1.
    pub loss: f64,
    /// How many different labels are published.
    pub labels: f64,
}

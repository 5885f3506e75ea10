//! A candidate: what a policy would publish, against whom it protects and what it costs.

use super::{LabelledCount, ProblemView};
use serde::{Deserialize, Serialize};

/// Asks for a candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlanRequest {
    /// Who asks: a new request of the same tab stops the one before.
    pub tab: String,
    /// The policy.
    pub text: String,
    /// Whether a quick look by a faster method may come first.
    pub quick: bool,
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
    /// A candidate. A quick look is followed by the real one.
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
    /// By a faster method than the policy's: verified just as well, but costlier.
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
    /// The promises, in words.
    pub promises: Vec<String>,
    /// Rows of the tables.
    pub rows: f64,
    /// Rows left out.
    pub suppressed: f64,
    /// Groups.
    pub groups: f64,
    /// Rows of the smallest group.
    pub smallest: f64,
    /// Groups by size.
    pub sizes: Vec<SizeBin>,
    /// The share of detail that is lost, between 0 and 1: NCP, or the information loss of
    /// centroids.
    pub loss: f64,
    /// What `loss` is: `NCP` or `information loss`.
    pub loss_name: String,
    /// By column.
    pub columns: Vec<ColumnCost>,
    /// Sum of squared group sizes.
    pub discernibility: f64,
    /// Error of COUNT queries.
    pub query_error: QueryErrorView,
    /// What an outsider risks to find.
    pub risk: RiskView,
    /// By sensitive column.
    pub balance: Vec<BalanceView>,
    /// By size of the coalition, from 0 to all but one.
    pub exposure: Vec<ExposureView>,
    /// The worst coalitions, by size from 1.
    pub worst: Vec<CoalitionView>,
    /// The providers and their rows.
    pub providers: Vec<LabelledCount>,
    /// What the steward should know.
    pub warnings: Vec<ProblemView>,
}

/// Groups of some size.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SizeBin {
    /// The smallest size counted.
    pub from: f64,
    /// The largest size counted.
    pub to: f64,
    /// How many groups.
    pub groups: f64,
    /// How many rows they have.
    pub rows: f64,
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

/// Relative error of random COUNT queries.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QueryErrorView {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// How many queries.
    pub queries: f64,
}

/// Re-identification risk for a reader without rows of its own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RiskView {
    /// The highest chance to name a row of a person known to be in the table: 1 over the smallest
    /// group.
    pub prosecutor_highest: f64,
    /// The mean chance over all rows: groups over rows.
    pub prosecutor_average: f64,
    /// The same where the reader does not know who is in the table; the table stands for the
    /// population.
    pub journalist_highest: f64,
    /// The expected share of rows that linking all of them gets right.
    pub marketer: f64,
}

/// How sensitive values are spread over groups.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BalanceView {
    /// The sensitive column.
    pub column: String,
    /// The fewest distinct values of a group.
    pub fewest_distinct: f64,
    /// The smallest e^entropy of a group.
    pub smallest_entropy_l: f64,
    /// The largest distance of a group from the table (total variation unless the policy says
    /// otherwise).
    pub largest_distance: f64,
    /// The largest share of one value in a group.
    pub largest_share: f64,
}

/// What coalitions of at most `size` providers can do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExposureView {
    /// Their members.
    pub size: f64,
    /// Groups in which a promise fails.
    pub groups: f64,
    /// Rows of those groups.
    pub people: f64,
    /// Groups that stay undecided.
    pub undecided: f64,
    /// People whose row is known for sure.
    pub identity: f64,
    /// People whose sensitive value is known for sure, or their row.
    pub exposed: f64,
}

/// A coalition.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoalitionView {
    /// Its members.
    pub providers: Vec<String>,
    /// Groups in which a promise fails.
    pub groups: f64,
    /// People exposed.
    pub exposed: f64,
}

//! Risk and loss over a range of parameters.

use super::ProblemView;
use mingle_record::answer::ShownLossName;
use serde::{Deserialize, Serialize};

/// What is varied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Vary {
    /// Group size.
    K,
    /// Coalition size.
    M,
    /// Distinct sensitive values.
    L,
    /// t-closeness.
    T,
}

/// Asks for a candidate at each combination of value and method.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FrontierRequest {
    /// Who asks.
    pub tab: String,
    /// The policy that is varied.
    pub text: String,
    /// What is varied.
    pub vary: Vary,
    /// Its values.
    pub values: Vec<f64>,
    /// The methods.
    pub methods: Vec<String>,
    /// Whether somebody has confirmed the roles, as for [`PlanRequest`](super::PlanRequest).
    #[serde(default)]
    pub confirmed: bool,
}

/// What is sent meanwhile.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum FrontierEvent {
    /// A point.
    Point {
        /// The point.
        point: FrontierPoint,
        /// How many points are done.
        done: f64,
        /// How many there are.
        of: f64,
    },
    /// No point there.
    Missing {
        /// The value.
        value: f64,
        /// The method.
        method: String,
        /// Why.
        problem: ProblemView,
        /// How many points are done.
        done: f64,
        /// How many there are.
        of: f64,
    },
    /// Nothing can be computed.
    Problem {
        /// Why.
        problem: ProblemView,
    },
}

/// A candidate in short.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FrontierPoint {
    /// The value that was varied.
    pub value: f64,
    /// The method.
    pub method: String,
    /// The share of detail that is lost.
    pub loss: f64,
    /// What `loss` is.
    pub loss_name: ShownLossName,
    /// The mean query error.
    pub query_error: f64,
    /// The highest prosecutor risk of an outsider.
    pub highest_risk: f64,
    /// The mean prosecutor risk of an outsider.
    pub average_risk: f64,
    /// The share of people in groups that one insider breaks.
    pub insider_share: f64,
    /// The share of people of whom one insider knows row or value for sure.
    pub insider_exposed: f64,
    /// The policy's text at this point.
    pub text: String,
}

//! A candidate beside other releases.

use super::ProblemView;
use serde::{Deserialize, Serialize};

/// Asks what a reader of several releases finds out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AttackRequest {
    /// Who asks.
    pub tab: String,
    /// The policy of the candidate.
    pub text: String,
    /// Folders of releases, or tables, among the files that were dropped.
    pub releases: Vec<String>,
    /// Whether somebody has confirmed the roles, as for [`PlanRequest`](super::PlanRequest).
    #[serde(default)]
    pub confirmed: bool,
}

/// What is sent meanwhile.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum AttackEvent {
    /// What is being done.
    Progress {
        /// In a word.
        step: String,
    },
    /// What was found, by sensitive column.
    Answer {
        /// The findings.
        findings: Vec<AttackFinding>,
        /// Whether the candidate is as good beside the others as alone; never where something may
        /// have been misread.
        holds: bool,
        /// What to add to the policy so that publishing takes the others into account.
        policy_text: String,
    },
    /// It could not be played.
    Problem {
        /// Why.
        problem: ProblemView,
    },
}

/// What a reader of all releases finds out about a sensitive column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AttackFinding {
    /// The column.
    pub column: String,
    /// The releases that have it.
    pub releases: Vec<String>,
    /// People of our table.
    pub people: f64,
    /// People left with one value by our candidate alone.
    pub alone: f64,
    /// People left with one value by all together.
    pub breached: f64,
    /// Of these, people left with one value by the others without our candidate.
    pub already: f64,
    /// People who fit no group of the others.
    pub elsewhere: f64,
    /// Whether these are so many that the others' labels were more likely misread: nothing can be
    /// told then.
    pub misread: bool,
    /// In words.
    pub summary: String,
}

//! Writing the release and the policy.

use super::ProblemView;
use serde::{Deserialize, Serialize};

/// Asks for a release.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PublishRequest {
    /// Who asks.
    pub tab: String,
    /// The policy.
    pub text: String,
    /// A plain name within the folder that releases are written to.
    pub name: String,
    /// Whether a release of that name is replaced.
    pub force: bool,
}

/// What is sent meanwhile.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum PublishEvent {
    /// What is being done.
    Progress {
        /// In a word.
        step: String,
        /// Milliseconds since the request.
        elapsed: f64,
    },
    /// It is there.
    Published {
        /// The folder.
        folder: String,
        /// Its name, for [`ReportRequest`].
        name: String,
        /// What the terminal would say.
        summary: String,
        /// The command that does the same; null where the file does not hold this policy, and must
        /// be saved first.
        command: Option<String>,
        /// What the steward should know.
        warnings: Vec<ProblemView>,
    },
    /// It is not.
    Problem {
        /// Why.
        problem: ProblemView,
    },
}

/// Asks for the policy to be written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SaveRequest {
    /// The policy.
    pub text: String,
    /// A plain name ending in `.toml`.
    pub name: String,
    /// What this tab read from that file, or wrote to it, last; null if it did neither.
    #[serde(default)]
    pub base: Option<String>,
    /// Whether a file that holds something else is replaced.
    pub force: bool,
}

/// It is written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SaveAnswer {
    /// Where.
    pub path: String,
    /// The hierarchies and tables that were dropped and that the policy refers to, and where they
    /// were copied.
    pub copied: Vec<String>,
    /// The command that publishes it.
    pub command: String,
}

/// Asks for the reports of a release that this page has published.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportRequest {
    /// Its name.
    pub name: String,
}

/// Addresses of reports; each can be visited once, within a minute.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportLinks {
    /// The one to hand out.
    pub public: String,
    /// The one to keep.
    pub private: String,
}

/// Which report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportKind {
    /// The one to hand out.
    Public,
    /// The one to keep.
    Private,
}

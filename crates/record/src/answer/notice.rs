//! What several answers have in common: warnings, and where reports are.

use crate::{Problem, ProblemCode};
use serde::{Deserialize, Serialize};

/// What deserves attention though the command went on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarningNotice {
    /// Its stable code.
    pub code: ProblemCode,
    /// What it says.
    pub text: String,
}

impl From<&Problem> for WarningNotice {
    fn from(problem: &Problem) -> WarningNotice {
        WarningNotice {
            code: problem.code(),
            text: problem.text().to_owned(),
        }
    }
}

/// Where the two reports of a release are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportFiles {
    /// To hand out.
    pub public: String,
    /// To keep.
    pub private: String,
}

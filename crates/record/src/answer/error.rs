//! What any command answers with `--json` where it fails and has no result of its own:
//! `mingle.error/1`.
//!
//! A finding whose document exists, such as that of `mingle verify`, is that document and no error.

use crate::schema::ErrorSchema;
use crate::{Problem, ProblemCode, ProblemPlace, WarningNotice};
use serde::{Deserialize, Serialize};

/// Why there is no result. It never holds a cell of a table: texts are made of names, positions and
/// counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorAnswer {
    /// Which document this is.
    pub schema: ErrorSchema,
    /// Its stable code, which `mingle explain` explains.
    pub code: ProblemCode,
    /// What is wrong, and where.
    pub message: String,
    /// What to do about it; may be empty.
    pub hint: String,
    /// Where it is, as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<ProblemPlace>,
    /// What was odd before it failed, which may be the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningNotice>,
    /// How the program ends.
    pub exit: u8,
}

impl ErrorAnswer {
    /// From a problem, and what was warned of before it.
    pub fn new(problem: &Problem, warnings: Vec<WarningNotice>) -> ErrorAnswer {
        ErrorAnswer {
            schema: ErrorSchema,
            code: problem.code(),
            message: problem.text().to_owned(),
            hint: problem.hint().to_owned(),
            place: problem.place().cloned(),
            warnings,
            exit: problem.code().exit() as u8,
        }
    }
}

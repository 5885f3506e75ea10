//! `mingle explain --json`: codes with what they mean.

use crate::ProblemCode;
use crate::schema::ExplainSchema;
use serde::{Deserialize, Serialize};

/// The document `mingle.explain/1`: the code that was asked for, or all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplainAnswer {
    /// Which document this is.
    pub schema: ExplainSchema,
    /// In order of their numbers.
    pub codes: Vec<ExplainedCode>,
}

/// A code with what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ExplainedCode {
    /// The code.
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub code: ProblemCode,
    /// What it is, in a few words.
    pub title: String,
    /// What it means and what to do.
    pub text: String,
    /// How the program ends after it; 0 for a warning.
    pub exit: u8,
}

impl From<ProblemCode> for ExplainedCode {
    fn from(code: ProblemCode) -> ExplainedCode {
        ExplainedCode {
            code,
            title: code.title().to_owned(),
            text: code.text().to_owned(),
            exit: code.exit() as u8,
        }
    }
}

//! What is written down about a release: problems with their codes, manifests, verdicts and every
//! JSON answer, as plain types.
//!
//! Rooms talk in these types and in nothing else: what one room says about a release is a field
//! here, never a JSON value or a heading that another room has to know. The types hold no logic and
//! depend on no other room.
#![forbid(unsafe_code)]

pub mod about;
pub mod answer;
mod by_name;
mod code;
pub mod composition;
pub mod distributions;
mod exit;
pub mod foreign_text;
mod guarantee;
mod judgement;
pub mod manifest;
pub mod noise;
pub mod policy_document;
mod problem;
mod promise;
pub mod release_report;
pub mod schema;
pub mod signature;
pub mod utility;
mod warning;

pub use by_name::{ByName, GroupLabels};
pub use code::ProblemCode;
pub use exit::Exit;
pub use guarantee::{GuaranteeAmounts, NeighbouringStatement, SemanticsStatement};
pub use judgement::Judgement;
pub use problem::{Problem, ProblemPlace};
pub use promise::{ConstraintVerdict, ExactNumber, ParameterEntry, PromiseEntry, StatedPromise};
pub use warning::{
    PUBLIC_WARNINGS, RecordedWarning, WarningLine, WarningNotice, WarningsRecorded,
    found_and_recorded,
};

use serde::{Deserialize, Deserializer};

/// Reads a key that may be null and must be there: a missing key is no answer.
pub(crate) fn required<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

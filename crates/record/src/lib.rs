//! What is written down about a release: problems with their codes, manifests, verdicts and every
//! JSON answer, as plain types.
//!
//! Rooms talk in these types and in nothing else: what one room says about a release is a field
//! here, never a JSON value or a heading that another room has to know. The types hold no logic and
//! depend on no other room.
#![forbid(unsafe_code)]

pub mod answer;
mod code;
pub mod composition;
pub mod distributions;
mod exit;
pub mod foreign_text;
pub mod noise;
pub mod policy_document;
mod problem;
mod schema;
pub mod utility;

pub use code::Code;
pub use exit::Exit;
pub use problem::Problem;

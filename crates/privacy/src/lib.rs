//! What is promised, and whether it holds.
//!
//! A [`Rule`] is a promise as the policy states it. Bound to a table it becomes a [`Constraint`],
//! one file each; a conjunction of them is a [`Requirement`]. [`verify`] decides a [`Requirement`]
//! for every group of a [`Published`](mingle_model::Published) table and is the only maker of
//! [`Verified`], without which nothing can be released. Verdicts are decided with integers, never
//! with floating-point numbers near a boundary.
//!
//! This crate must not know any anonymizer: a checker that shares code with the maker proves
//! nothing.
#![forbid(unsafe_code)]

mod breach;
pub mod catalogue;
mod combinations;
pub mod composition;
pub mod constraint;
mod error;
mod fragments;
mod insiders;
mod label_ends;
pub mod oracle;
mod parts;
mod people;
mod ratio;
mod reference;
mod requirement;
mod risk_limits;
mod rule;
mod shares;
mod strategy;
mod tally;
pub mod toy;
mod verify;
mod whole_table;

pub use breach::{Attack, Breach};
pub use catalogue::Catalogue;
pub use combinations::Combinations;
pub use constraint::{Attribute, Check, Constraint, GroupCounts, Limit};
pub use error::Error;
pub use fragments::{FragmentsVerification, VerifiedFragments, verify_fragments};
pub use insiders::{Insiders, Knows, LabelPromise, M, Semantics};
pub use label_ends::NarrowEnd;
pub use parts::{PartSummary, VerifiedParts};
pub use people::{Crowd, CrowdMember, PeopleGlance};
pub use ratio::Ratio;
pub use reference::{CountedCombination, ReferenceTable};
pub use requirement::Requirement;
pub use risk_limits::RiskLimits;
pub use rule::{Distance, K, L, ParameterValue, Promise, Rule};
pub use shares::Shares;
pub use strategy::{Decision, Effort, Strategy, smallest_coalition};
pub use tally::Tally;
pub use verify::{
    AttackNumber, Reach, Verdict, Verification, Verified, Witness, verify, verify_part,
};
pub use whole_table::whole_table;

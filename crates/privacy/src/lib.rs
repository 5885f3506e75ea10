//! What is promised, and whether it holds.
//!
//! A [`Rule`] is a promise as the policy states it. Bound to a table it becomes a [`Constraint`], one file each; a
//! conjunction of them is a [`Requirement`]. [`verify`](verify::verify) decides a [`Requirement`] for every group of a
//! [`Published`](mingle_model::Published) table and is the only maker of [`Verified`], without which nothing can be
//! released. Verdicts are decided with integers, never with floating-point numbers near a boundary.
//!
//! This crate must not know any anonymizer: a checker that shares code with the maker proves nothing.
#![forbid(unsafe_code)]

pub mod constraint;
mod ratio;
mod requirement;
mod rule;
mod tally;

pub use constraint::{Attribute, Check, Constraint, Counts, Limit};
pub use ratio::Ratio;
pub use requirement::Requirement;
pub use rule::{Distance, Promise, Rule};
pub use tally::Tally;

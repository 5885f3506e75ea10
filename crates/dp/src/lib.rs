//! Differential privacy: releases that compose, whatever else is known.
//!
//! A release is made from a [`Table`](mingle_model::Table) read through public domains
//! ([`DeclaredAttribute`]) into [`Records`]. Its [`Guarantee`] is charged to a [`ledger`] first; the
//! receipt buys a [`Purse`](purse::Purse), the purse buys noise, and everything that is published
//! follows from noisy counts, the declared domains and the policy. Neighbouring tables differ in
//! all records of one person, of which there are at most [`Records::per_person`].
//!
//! | module | what is in it |
//! |---|---|
//! | [`universe`], [`records`] | public domains, and records read through them |
//! | [`amount`], [`guarantee`] | exact parameters; pure ε, (ε, δ) and ρ, converted into another |
//! | [`share`] | noise that several parties add together, without one who is trusted |
//! | [`joint`] | the same releases by several parties who add up their counts |
//! | [`noise`], [`purse`] | exact draws, and paying for them |
//! | [`count`] | contingency tables |
//! | [`marginals`], [`histogram`], [`synthetic`] | what is released |
//! | [`ledger`] | the budget of a data set, in a file |
//! | [`compose`](mod@compose) | what several releases amount to |
//! | [`semantics`], [`odds`] | what a promise means, in the paper's words and in odds |
#![forbid(unsafe_code)]

pub mod amount;
mod bins;
pub mod compose;
mod consistent;
pub mod count;
mod error;
pub mod guarantee;
pub mod histogram;
pub mod joint;
pub mod ledger;
mod looks;
pub mod marginals;
pub mod noise;
mod nonnegative;
mod occupied;
pub mod odds;
pub mod purse;
pub mod records;
mod release;
mod selection;
pub mod semantics;
pub mod share;
pub mod synthetic;
#[cfg(test)]
mod tests;
mod threshold;
pub mod universe;

pub use amount::Amount;
pub use bins::planned_cells;
pub use error::Error;
pub use guarantee::{Epsilon, Guarantee};
pub use records::{Encoded, PerPerson, Records};
pub use release::{Content, Output, Request, check, release};
pub use universe::{Bins, DeclaredAttribute, DeclaredValues};

//! n providers, one table, nobody in the middle.
//!
//! The providers hold rows of the same table and publish it together. The published table is the
//! sum of their counts, and "k rows and l values are left whichever m collude" is a threshold on
//! sums: nothing more than sums and comparisons of secret sums is needed. Each provider keeps its
//! rows; all n end with the same signed release, or none does.
//!
//! Claimed is security against semi-honest providers, at least two of whom do not collude. The
//! board that relays their messages is not trusted with anything but delivering them.
//! `docs/design/horizontal.md` tells how the parts fit together.

mod buckets;
mod capping;
mod cell;
mod central;
mod counts;
mod elgamal;
#[cfg(test)]
mod generated;
mod hkdf;
mod masks;
mod publish;
mod shared;
mod terms;
mod tree;

pub use buckets::Dealing;
pub use capping::{Caps, capped_threshold};
pub use cell::CellBox;
pub use central::{HorizontalReference, TotalNoise, horizontal_reference};
pub use publish::HorizontalTable;
pub use shared::{OwnRows, SharedColumn, SharedSchema};
pub use terms::{CutRule, HorizontalTerms, MOST_PROVIDERS, RevealLevel};
pub use tree::CutCounts;

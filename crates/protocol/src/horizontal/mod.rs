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

mod agreement;
mod assembly;
mod board;
mod buckets;
mod capping;
mod cell;
mod central;
mod counts;
mod elgamal;
mod envelope;
#[cfg(test)]
mod generated;
mod hkdf;
mod joint_counts;
mod joint_noise;
mod joint_verification;
mod journal;
mod masks;
mod output;
mod provider;
mod publish;
mod run;
mod setup;
mod shared;
mod terms;
mod tree;

pub use agreement::HORIZONTAL_VERSION;
pub use board::{BoardLimits, RelayBoard};
pub use buckets::BucketDealing;
pub use capping::{Caps, capped_threshold};
pub use cell::CellBox;
pub use central::{HorizontalReference, TotalNoise, horizontal_reference};
pub use joint_counts::{CountedTables, JointCounts};
pub use joint_noise::{NoisyOutput, NoisyTask, TotalTableNoise, noisy_reference};
pub use joint_verification::{ExistingTable, JointVerification};
pub use journal::{KeptRecord, RunVault, Signer};
pub use output::{HorizontalOutput, RunResult, RunTraffic, statements, verification_statements};
pub(crate) use provider::PartySources;
pub use provider::{ProviderParty, release_message};
pub use publish::HorizontalTable;
pub use run::NoiseSource;
pub use setup::{HorizontalSetup, RunMember, RunTask};
pub use shared::{OwnRows, SharedColumn, SharedSchema};
pub use terms::{CutRule, HorizontalTerms, MOST_PROVIDERS, RevealLevel};
pub use tree::CutCounts;

//! A release of noisy counts: what leaves the house under differential privacy.
//!
//! ```text
//! DIR/public/    data.csv (made-up records, or a histogram) or marginal_01.csv …, manifest.json
//! DIR/private/   manifest.json                                                       never handed out
//! ```
//!
//! [`Bundle::noisy`](crate::Bundle::noisy) makes `public/` from the [`Output`](mingle_dp::Output) of a mechanism and the
//! public part of the policy, and from nothing else: no hash of the input, exact number of rows,
//! figure against the original, ledger, time or warning gets there. It takes an output only if a
//! ledger was charged for it. [`NoisyRelease`] reads a folder back without trust and checks what
//! can be checked: that the files are those that were written and fit the declared domains. That
//! noise was drawn as promised is a property of the program that made them, and no check of a table
//! can show it.
//!
//! Cost: one pass over the tables, and for made-up records one sort.

mod agreement;
mod bundle;
mod check;
mod domain;
mod facts;
mod ledger;
mod manifest;
mod read;
mod tables;

pub use bundle::check_domains;
pub use check::NoisyFindings;
pub use domain::{attribute_of, domain_entry};
pub use facts::NoisyFacts;
pub use ledger::LedgerCheck;
pub use manifest::{
    NoisyMeaning, amount_entry, amount_of, encoded_entry, guarantee_entry, guarantee_of,
    neighbouring_entry, noise_name, semantics_entry,
};
pub use mingle_record::manifest::{
    AmountEntry, BinsEntry, DomainColumn, EncodedEntry, GuaranteeEntry, Neighbouring, NoiseName,
    NoisyKind, NoisyManifest, NoisyPrivateManifest, NoisyTable, SemanticsEntry, UndeclaredEntry,
};
pub use read::{CellCounts, CountsProblem, NoisyRelease, Opened, cell_of, open_any};

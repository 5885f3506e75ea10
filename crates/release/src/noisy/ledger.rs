//! What the ledger says about a release: whether the entry that its private part names is there and
//! pays for it.

use super::{NoisyManifest, NoisyMeaning, NoisyPrivateManifest};
use mingle_dp::Error;
use mingle_dp::ledger::{Ledger, LedgerProblem};
use std::path::Path;

/// What was found in the ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LedgerCheck {
    /// The entry is there, as it was when the release was made, and paid for what is promised.
    Paid,
    /// The ledger cannot be looked at from here.
    OutOfReach {
        /// Why.
        reason: String,
    },
    /// The ledger says something else.
    Differs {
        /// What.
        reason: String,
    },
}

pub(super) fn check(private: &NoisyPrivateManifest, manifest: &NoisyManifest) -> LedgerCheck {
    let ledger = match Ledger::read(Path::new(&private.ledger)) {
        Ok(ledger) => ledger,
        Err(Error::Ledger {
            problem: LedgerProblem::Missing | LedgerProblem::Io { .. },
            ..
        }) => {
            return LedgerCheck::OutOfReach {
                reason: "the file cannot be read from here".to_owned(),
            };
        }
        Err(error) => {
            return LedgerCheck::Differs {
                reason: error.to_string(),
            };
        }
    };
    let number = private.entry;
    let differs = |what: &str| LedgerCheck::Differs {
        reason: format!("entry {number} {what}"),
    };
    let Some(entry) = number
        .checked_sub(1)
        .and_then(|at| ledger.entries().get(usize::try_from(at).ok()?))
    else {
        return differs("is not there");
    };
    let neighbouring = &manifest.neighbouring;
    let bound = (neighbouring.records_per_person, neighbouring.enforced);
    let leaves_out = manifest
        .tables
        .iter()
        .any(|table| table.threshold.is_some());
    match () {
        () if ledger.sha256(number) != Some(&private.entry_hash) => {
            differs("is not the one that was written")
        }
        () if entry.guarantee != manifest.guarantee() => differs("paid for another guarantee"),
        () if entry.release != manifest.kind.name() => differs("paid for another kind of release"),
        () if (entry.records_per_person, entry.identified) != bound => {
            differs("paid for another bound per person")
        }
        () if leaves_out && !entry.leaves_cells_out => differs("did not pay for leaving cells out"),
        () => LedgerCheck::Paid,
    }
}

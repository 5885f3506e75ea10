//! What can go wrong. Never a cell's value.

use crate::ledger::LedgerProblem;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// Why there is no release.
#[derive(Debug, Error)]
pub enum Error {
    /// The operating system gave no random bits.
    #[error("the system's random generator failed")]
    NoRandomness,
    /// More was asked for than the release's budget has: a defect.
    #[error("a mechanism asked for more than the release's budget")]
    Overdrawn,
    /// The receipt is for another release.
    #[error("another release was paid for")]
    NotPaidFor,
    /// The table has not the declared columns.
    #[error("the table is not the one that was declared")]
    OtherTable,
    /// A table of counts that is larger than can be held.
    #[error("{what} has {cells} cells, more than the limit of {most}")]
    TooManyCells {
        /// Which table.
        what: String,
        /// How many cells it has.
        cells: u128,
        /// How many are allowed.
        most: u128,
    },
    /// A ledger cannot be used, or does not pay.
    #[error("{}: {problem}", path.display())]
    Ledger {
        /// The file, as it was named.
        path: PathBuf,
        /// What is wrong.
        problem: LedgerProblem,
    },
    /// More made-up records than can be held.
    #[error("{rows} records are more than the limit of {most}")]
    TooManyRows {
        /// How many were asked for.
        rows: u64,
        /// How many are allowed.
        most: u64,
    },
    /// So little budget that nothing would be known of any table.
    #[error("the noise would have a standard deviation of {deviation:.0} records in every cell")]
    AllNoise {
        /// The standard deviation of a cell.
        deviation: f64,
    },
    /// A promise that shares of noise cannot keep.
    #[error("shares of noise are Gaussian and keep no pure epsilon; promise a delta too, or rho")]
    PureOverShares,
    /// Counts that the parties have not added up yet, or others than were asked for: a defect.
    #[error("counts were asked for that are not there")]
    Unanswered,
    /// Someone asked to stop.
    #[error("stopped")]
    Cancelled,
}

/// Gives up where someone has asked to.
pub(crate) fn stop_if(cancel: &AtomicBool) -> Result<(), Error> {
    if cancel.load(Ordering::Relaxed) {
        Err(Error::Cancelled)
    } else {
        Ok(())
    }
}

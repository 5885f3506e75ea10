//! Why a ledger cannot be used, or does not pay.

use super::Charge;
use std::io;
use thiserror::Error;

/// What is wrong with a ledger, or with what is asked of it.
#[derive(Debug, Error)]
pub enum LedgerProblem {
    /// There is no file.
    #[error("there is no such ledger")]
    Missing,
    /// A folder, a device or the like.
    #[error("this is not a file")]
    NotAFile,
    /// A link, a folder or the like where the lock should be.
    #[error("what is beside it as its lock is a link or no file")]
    LockNotAFile,
    /// The system refused.
    #[error("cannot {doing}: {source}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The entry was written, but the system did not confirm that it would last: it may have been
    /// spent.
    #[error("an entry was written and may not last: {source}; count it as spent")]
    Unflushed {
        /// What the system says.
        source: io::Error,
    },
    /// Another run has it.
    #[error("another run has been using it for {seconds} s")]
    Locked {
        /// How long it was waited.
        seconds: u64,
    },
    /// Something has the name already.
    #[error("there is something with this name already")]
    Exists,
    /// A ledger with this name had entries, and is no longer there.
    #[error("a ledger with this name had {entries} entries and is no longer there")]
    Gone {
        /// How many, at least.
        entries: u64,
    },
    /// The file has two names: replacing one would leave the other behind.
    #[error("the file has {names} names (hard links), and spending would part them")]
    HardLinks {
        /// How many.
        names: u64,
    },
    /// The file has nothing in it.
    #[error("the file is empty")]
    Empty,
    /// The file is larger than any ledger.
    #[error("the file has more than {most} bytes, the limit of a ledger")]
    TooLarge {
        /// How many are allowed.
        most: u64,
    },
    /// Something else.
    #[error("line 1: this is not a ledger")]
    NotALedger,
    /// A ledger of another version of the program.
    #[error("line 1: the ledger was written by another version of this program")]
    OtherVersion,
    /// Bytes that are no text.
    #[error("line {line}: not UTF-8")]
    NotUtf8 {
        /// Counted from 1.
        line: usize,
    },
    /// The end is missing.
    #[error("line {line}: the line is cut short")]
    CutShort {
        /// Counted from 1.
        line: usize,
    },
    /// The line does not fit the hash at its end and the line before.
    #[error(
        "line {line}: the line was changed, or lines before it were changed, moved or taken out"
    )]
    Changed {
        /// Counted from 1.
        line: usize,
    },
    /// The line is not what this program writes.
    #[error("line {line}: not what a ledger has there")]
    Unreadable {
        /// Counted from 1.
        line: usize,
    },
    /// An older copy took its place.
    #[error(
        "it has {found} entries, and had {written} when it was last written here: an older copy was put back"
    )]
    OlderCopy {
        /// How many there are.
        found: u64,
        /// How many there were.
        written: u64,
    },
    /// Another history took its place.
    #[error("entry {entry} is not the one that was last written here: another copy took its place")]
    OtherCopy {
        /// The first that is known to differ.
        entry: u64,
    },
    /// The budget does not reach.
    #[error("the budget does not reach: {} asked for, {} left", .asked.ceil_to(4), .left.floor_to(4))]
    Exhausted {
        /// What the release costs.
        asked: Box<Charge>,
        /// What is left.
        left: Box<Charge>,
    },
    /// ε with a δ, from a ledger without.
    #[error("a ledger with δ = 0 pays for pure ε only, and the release has a δ or counts ρ")]
    DeltaFromPure,
    /// ρ from a ledger that counts ε.
    #[error("a ledger that adds up ε cannot pay for a release that promises ρ")]
    RhoFromEpsilon,
    /// Leaving cells out has a δ, and the promise has none.
    #[error("a release that leaves cells out needs a δ, and promises none")]
    CellsNeedDelta,
    /// Leaving cells out has a δ, and the ledger has none.
    #[error("a release that leaves cells out costs δ, and a budget in ρ has none")]
    CellsFromRho,
    /// A parameter that means nothing.
    #[error("{what} is zero, or out of range")]
    OutOfRange {
        /// Which.
        what: &'static str,
    },
    /// Nobody has zero records.
    #[error("the most records of one person must be at least 1")]
    NoRecords,
}

impl LedgerProblem {
    /// Wraps what the system says.
    pub(super) fn io(doing: &'static str) -> impl Fn(io::Error) -> LedgerProblem {
        move |source| LedgerProblem::Io { doing, source }
    }
}

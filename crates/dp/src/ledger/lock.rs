//! One writer at a time, and a memory of what was written last.
//!
//! The lock is a guarded [`LockFile`] beside the ledger. Its file stays, since removing it would let
//! two runs lock two different files. That it stays makes it a place to remember the last entry: a
//! ledger that is behind it is an old copy, perhaps put back from a backup, that would spend twice.

use super::{Ledger, LedgerProblem};
use mingle_disk::LockFile;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The right to write to a ledger, until it is dropped.
pub(super) struct Lock {
    file: LockFile,
    mark: Option<Mark>,
}

/// The last entry that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    pub(super) entries: u64,
    pub(super) sha256: String,
}

impl Lock {
    /// Takes the lock of a ledger, waiting for other runs.
    pub(super) fn take(ledger: &Path, wait: Duration) -> Result<Lock, LedgerProblem> {
        use mingle_disk::Error as Disk;
        let taken = LockFile::take_guarded(&beside(ledger), wait);
        let mut file = taken.map_err(|error| match error {
            Disk::NotAFile { .. } => LedgerProblem::LockNotAFile,
            Disk::Busy { .. } => LedgerProblem::Locked {
                seconds: wait.as_secs(),
            },
            Disk::Lock { source, .. } => LedgerProblem::io("take the lock beside it")(source),
            other => LedgerProblem::io("open the lock beside it")(other.into_source()),
        })?;
        // what cannot be read is no mark
        let text = file
            .text()
            .map_err(LedgerProblem::io("read the lock beside it"))?;
        Ok(Lock {
            file,
            mark: Mark::parse(&text),
        })
    }

    /// The last entry that was written here, where that is known.
    pub(super) fn mark(&self) -> Option<&Mark> {
        self.mark.as_ref()
    }

    /// Remembers the last entry.
    pub(super) fn remember(&mut self, mark: &Mark) -> io::Result<()> {
        self.file
            .set_text(&format!("{} {}\n", mark.entries, mark.sha256))
    }
}

/// `LEDGER.lock`.
fn beside(ledger: &Path) -> PathBuf {
    let mut name = OsString::from(ledger);
    name.push(".lock");
    PathBuf::from(name)
}

impl Mark {
    /// What the lock of a ledger remembers, without taking it. To be asked before the ledger is
    /// read: an entry is there before it is remembered.
    pub(super) fn of(ledger: &Path) -> Option<Mark> {
        Mark::parse(&LockFile::text_at(&beside(ledger))?)
    }

    /// `7 0123…`; anything else, such as half a line, is no mark.
    fn parse(text: &str) -> Option<Mark> {
        let (entries, hash) = text.strip_suffix('\n')?.split_once(' ')?;
        let is_hash = hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then_some(Mark {
            entries: entries.parse().ok()?,
            sha256: hash.to_owned(),
        })
    }

    /// Whether a ledger goes on from here.
    pub(super) fn check(&self, ledger: &Ledger) -> Result<(), LedgerProblem> {
        match ledger.sha256(self.entries) {
            None => Err(LedgerProblem::OlderCopy {
                found: ledger.entries.len() as u64,
                written: self.entries,
            }),
            Some(hash) if hash != self.sha256 => Err(LedgerProblem::OtherCopy {
                entry: self.entries,
            }),
            Some(_) => Ok(()),
        }
    }
}

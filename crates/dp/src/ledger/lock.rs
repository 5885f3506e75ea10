//! One writer at a time, and a memory of what was written last.
//!
//! The lock is one of the operating system, on a file beside the ledger: it ends with its process, whatever happens. The
//! file stays, since removing it would let two runs lock two different files. That it stays makes it a place to remember
//! the last entry: a ledger that is behind it is an old copy, perhaps put back from a backup, that would spend twice.

use super::{Ledger, LedgerProblem};
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The right to write to a ledger, until it is dropped.
pub(super) struct Lock {
    file: File,
    mark: Option<Mark>,
}

/// The last entry that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    pub(super) entries: u64,
    pub(super) sha256: String,
}

/// How long to sleep before the lock is tried again: at first, and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(50)];

impl Lock {
    /// Takes the lock of a ledger, waiting for other runs.
    pub(super) fn take(ledger: &Path, wait: Duration) -> Result<Lock, LedgerProblem> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let path = beside(ledger);
        // what a link leads to is not ours to write on
        if path.symlink_metadata().is_ok_and(|found| !found.is_file() || found.nlink() > 1) {
            return Err(LedgerProblem::LockNotAFile);
        }
        let mut file = options.open(&path).map_err(LedgerProblem::io("open the lock beside it"))?;
        let (start, [mut pause, longest]) = (Instant::now(), PAUSES);
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if start.elapsed() < wait => {
                    std::thread::sleep(pause.min(wait));
                    pause = (pause * 2).min(longest);
                }
                Err(TryLockError::WouldBlock) => return Err(LedgerProblem::Locked { seconds: wait.as_secs() }),
                Err(TryLockError::Error(e)) => return Err(LedgerProblem::io("take the lock beside it")(e)),
            }
        }
        let mut text = String::new();
        // what cannot be read is no mark
        let _ = (&file).take(200).read_to_string(&mut text);
        file.rewind().map_err(LedgerProblem::io("read the lock beside it"))?;
        Ok(Lock { file, mark: Mark::parse(&text) })
    }

    /// The last entry that was written here, where that is known.
    pub(super) fn mark(&self) -> Option<&Mark> {
        self.mark.as_ref()
    }

    /// Remembers the last entry.
    pub(super) fn remember(&mut self, mark: &Mark) -> io::Result<()> {
        let text = format!("{} {}\n", mark.entries, mark.sha256);
        self.file.rewind()?;
        self.file.write_all(text.as_bytes())?;
        self.file.set_len(text.len() as u64)
    }
}

/// `LEDGER.lock`.
fn beside(ledger: &Path) -> PathBuf {
    let mut name = OsString::from(ledger);
    name.push(".lock");
    PathBuf::from(name)
}

impl Mark {
    /// `7 0123…`; anything else, such as half a line, is no mark.
    fn parse(text: &str) -> Option<Mark> {
        let (entries, hash) = text.strip_suffix('\n')?.split_once(' ')?;
        let is_hash = hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then_some(Mark { entries: entries.parse().ok()?, sha256: hash.to_owned() })
    }

    /// Whether a ledger goes on from here.
    pub(super) fn check(&self, ledger: &Ledger) -> Result<(), LedgerProblem> {
        match ledger.sha256(self.entries) {
            None => Err(LedgerProblem::OlderCopy { found: ledger.entries.len() as u64, written: self.entries }),
            Some(hash) if hash != self.sha256 => Err(LedgerProblem::OtherCopy { entry: self.entries }),
            Some(_) => Ok(()),
        }
    }
}

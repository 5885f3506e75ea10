//! One writer at a time, and a memory of what was written last.
//!
//! The lock is one of the operating system, on a file beside the ledger: it ends with its process,
//! whatever happens. The file stays, since removing it would let two runs lock two different files.
//! That it stays makes it a place to remember the last entry: a ledger that is behind it is an old
//! copy, perhaps put back from a backup, that would spend twice.
//!
//! Should somebody remove the file while a run holds it, the next run would lock another one. So
//! the folder is locked as well, where the file system can do that: it cannot be removed while the
//! ledger is in it.

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
    _folder: Option<File>,
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
        options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600);
        let path = beside(ledger);
        // what a link leads to is not ours to write on
        if path
            .symlink_metadata()
            .is_ok_and(|found| !found.is_file() || found.nlink() > 1)
        {
            return Err(LedgerProblem::LockNotAFile);
        }
        let mut file = options
            .open(&path)
            .map_err(LedgerProblem::io("open the lock beside it"))?;
        let start = Instant::now();
        wait_for(&file, start, wait)?.map_err(LedgerProblem::io("take the lock beside it"))?;
        let folder = path.parent().and_then(|folder| File::open(folder).ok());
        let folder = match folder
            .as_ref()
            .map(|folder| wait_for(folder, start, wait))
            .transpose()?
        {
            Some(Ok(())) => folder,
            // a file system that cannot lock folders
            _ => None,
        };
        let mut text = String::new();
        // what cannot be read is no mark
        let _ = (&file).take(200).read_to_string(&mut text);
        file.rewind()
            .map_err(LedgerProblem::io("read the lock beside it"))?;
        Ok(Lock {
            file,
            mark: Mark::parse(&text),
            _folder: folder,
        })
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

/// Waits for a lock until the time is over; the inner error is the system's.
fn wait_for(file: &File, start: Instant, wait: Duration) -> Result<io::Result<()>, LedgerProblem> {
    let [mut pause, longest] = PAUSES;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Ok(())),
            Err(TryLockError::WouldBlock) if start.elapsed() < wait => {
                std::thread::sleep(pause.min(wait));
                pause = (pause * 2).min(longest);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(LedgerProblem::Locked {
                    seconds: wait.as_secs(),
                });
            }
            Err(TryLockError::Error(e)) => return Ok(Err(e)),
        }
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
        let file = File::open(beside(ledger))
            .ok()
            .filter(|file| file.metadata().is_ok_and(|found| found.is_file()))?;
        let mut text = String::new();
        file.take(200).read_to_string(&mut text).ok()?;
        Mark::parse(&text)
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

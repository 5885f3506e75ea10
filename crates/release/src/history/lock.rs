//! One writer at a time: a lock of the operating system, which ends with the process whatever
//! happens.

use super::problem::HistoryProblem;
use crate::error::Error;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The right to write to a history, until it is dropped.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a history's folder, or says that another run has it. The file stays:
    /// removing it would let two runs lock two different files.
    pub(super) fn take(folder: &Path) -> Result<Lock, Error> {
        let path = folder.join("lock");
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path);
        let file = file.map_err(Error::io(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::History {
                path: folder.to_owned(),
                problem: HistoryProblem::Busy,
            }),
            Err(TryLockError::Error(e)) => Err(Error::io(&path)(e)),
        }
    }
}

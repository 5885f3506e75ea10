//! One run at a time for an output folder.
//!
//! A lock of the operating system on a file beside the folder, so that it ends with the process
//! whatever happens. The file is removed by whoever holds the lock; a lock on a file that has been
//! removed meanwhile counts for nothing and is taken anew.

use crate::error::Error;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The right to publish to a folder, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock `path` of the folder `out`, or says that another run has it.
    pub(crate) fn take(path: &Path, out: &Path) -> Result<Lock, Error> {
        loop {
            let mut options = OpenOptions::new();
            let file = options
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .open(path)
                .map_err(Error::io(path))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::Busy {
                        path: out.to_owned(),
                    });
                }
                Err(TryLockError::Error(e)) => return Err(Error::io(path)(e)),
            }
            if is_the_file_at(&file, path) {
                return Ok(Lock {
                    path: path.to_owned(),
                    _file: file,
                });
            }
        }
    }
}

fn is_the_file_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(held), Ok(there)) => (held.dev(), held.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // while it is still held; a file that stays behind is taken over by the next run
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_run_is_refused_and_the_next_one_is_not() {
        let home = tempfile::tempdir().expect("a folder");
        let (path, out) = (home.path().join(".out.lock"), home.path().join("out"));
        let first = Lock::take(&path, &out).expect("free");
        assert!(matches!(Lock::take(&path, &out), Err(Error::Busy { path }) if path == out));
        drop(first);
        assert!(!path.exists());
        drop(Lock::take(&path, &out).expect("free again"));
    }

    #[test]
    fn a_file_left_behind_does_not_lock() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join(".out.lock");
        File::create(&path).expect("made");
        Lock::take(&path, home.path()).expect("nobody holds it");
    }
}

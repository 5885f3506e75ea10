//! One run at a time.
//!
//! A lock of the operating system on a file, so that it ends with its process, whatever happens. It
//! is advice: it holds among those who ask for it. Where a file system has no locks, asking is an
//! error.
//!
//! What is beside a lock file can go wrong in two ways. Somebody may remove the file while a run
//! holds it, and the next run would lock another one. Or a link may lead to a file that is not
//! ours. How much of that must be excluded depends on what the lock protects, so there are three
//! ways to take one.

use crate::error::Error;
use crate::folder::folder_of;
use crate::platform;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to sleep before a lock is tried again: at first, and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(50)];

/// As much as is read of what a lock remembers.
const MOST_TEXT: u64 = 200;

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub struct LockFile {
    file: File,
    path: PathBuf,
    /// Where nobody must be able to lock another file of the same name.
    _folder: Option<File>,
    is_removed_at_the_end: bool,
}

impl LockFile {
    /// Takes a lock, or says that another run has it. The file stays: removing it would let two
    /// runs lock two different files.
    pub fn take(path: &Path) -> Result<LockFile, Error> {
        let file = open(path)?;
        lock_within(&file, path, Instant::now(), Duration::ZERO)?;
        Ok(LockFile::held(file, path))
    }

    /// Takes a lock whose file is removed by whoever holds it, or says that another run has it. A
    /// lock on a file that has been removed meanwhile counts for nothing and is taken anew.
    ///
    /// Where the system does not tell one file from another, the file stays.
    pub fn take_and_remove(path: &Path) -> Result<LockFile, Error> {
        loop {
            let file = open(path)?;
            lock_within(&file, path, Instant::now(), Duration::ZERO)?;
            let still_there = platform::is_the_file_at(&file, path);
            if still_there != Some(false) {
                let mut lock = LockFile::held(file, path);
                lock.is_removed_at_the_end = still_there.is_some();
                return Ok(lock);
            }
        }
    }

    /// Takes a lock that protects something which cannot be made good again, waiting for other
    /// runs. The file must be one of its own, not a link or one with several names, and stays.
    ///
    /// Should somebody remove it while a run holds it, the next run would lock another one. So the
    /// folder is locked as well, where the file system can do that: it cannot be removed while
    /// something is in it.
    pub fn take_guarded(path: &Path, wait: Duration) -> Result<LockFile, Error> {
        // what a link leads to is not ours to write on
        let is_foreign = path
            .symlink_metadata()
            .is_ok_and(|found| !found.is_file() || platform::names_of(&found) > 1);
        if is_foreign {
            return Err(Error::NotAFile {
                path: path.to_owned(),
            });
        }
        let file = open(path)?;
        let start = Instant::now();
        lock_within(&file, path, start, wait)?;
        let mut lock = LockFile::held(file, path);
        // some systems do not open folders, some file systems do not lock them
        if let Ok(folder) = File::open(folder_of(path)) {
            match lock_within(&folder, path, start, wait) {
                Ok(()) => lock._folder = Some(folder),
                Err(Error::Lock { .. }) => {}
                Err(busy) => return Err(busy),
            }
        }
        Ok(lock)
    }

    /// What the last holder wrote down; nothing if it is no text.
    pub fn text(&mut self) -> io::Result<String> {
        self.file.rewind()?;
        Ok(read_text(&self.file).unwrap_or_default())
    }

    /// Writes something down for the next holder.
    pub fn set_text(&mut self, text: &str) -> io::Result<()> {
        self.file.rewind()?;
        self.file.write_all(text.as_bytes())?;
        self.file.set_len(text.len() as u64)
    }

    /// What is written down in a lock's file, without taking the lock.
    pub fn text_at(path: &Path) -> Option<String> {
        let file = File::open(path).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        read_text(&file).ok()
    }

    fn held(file: File, path: &Path) -> LockFile {
        LockFile {
            file,
            path: path.to_owned(),
            _folder: None,
            is_removed_at_the_end: false,
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        if self.is_removed_at_the_end {
            // while it is still held; a file that stays behind is taken over by the next run
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn open(path: &Path) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    platform::private_file(&mut options);
    options.open(path).map_err(Error::io(path))
}

/// Locks a file, trying again until the time is over.
fn lock_within(file: &File, path: &Path, start: Instant, wait: Duration) -> Result<(), Error> {
    let [mut pause, longest] = PAUSES;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(source)) => {
                return Err(Error::Lock {
                    path: path.to_owned(),
                    source,
                });
            }
            Err(TryLockError::WouldBlock) if start.elapsed() >= wait => {
                return Err(Error::Busy {
                    path: path.to_owned(),
                });
            }
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(pause.min(wait));
                pause = (pause * 2).min(longest);
            }
        }
    }
}

fn read_text(file: &File) -> io::Result<String> {
    let mut text = String::new();
    file.take(MOST_TEXT).read_to_string(&mut text)?;
    Ok(text)
}

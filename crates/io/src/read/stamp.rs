//! Whether a file was changed while it was read.
//!
//! What was read then is half of one table and half of another, and its hash is of neither. Seen are
//! a change of size, of the time of the last change, and of the file behind the name.

use crate::error::Error;
use std::fs::Metadata;
use std::path::PathBuf;
use std::time::SystemTime;

/// What a file looked like when it was opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileStamp {
    path: PathBuf,
    size: u64,
    modified: Option<SystemTime>,
    /// Device and number of the file, where the system has them.
    identity: Option<(u64, u64)>,
}

impl FileStamp {
    /// What a file looks like now.
    pub fn new(path: impl Into<PathBuf>, metadata: &Metadata) -> FileStamp {
        FileStamp {
            path: path.into(),
            size: metadata.len(),
            modified: metadata.modified().ok(),
            identity: identity(metadata),
        }
    }

    /// Refuses a file that does not look the same any more.
    pub fn check(&self, file: &str) -> Result<(), Error> {
        let now = std::fs::metadata(&self.path);
        if now.is_ok_and(|metadata| FileStamp::new(&self.path, &metadata) == *self) {
            return Ok(());
        }
        Err(Error::Changed {
            file: file.to_owned(),
        })
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_metadata: &Metadata) -> Option<(u64, u64)> {
    None
}

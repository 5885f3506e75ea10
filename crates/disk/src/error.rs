//! What the system refused, and where.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What the system refused, and where.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something has the name already, and keeps it.
    #[error("{} exists", path.display())]
    Exists {
        /// The name.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Everything is in its place, but the system did not confirm that it will last.
    #[error("{}: in place, but may not outlast a power cut: {source}", path.display())]
    Unflushed {
        /// What is in its place; the folder around it was not flushed.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another run has the lock.
    #[error("{}: another run has this lock", path.display())]
    Busy {
        /// The lock's file.
        path: PathBuf,
    },
    /// The system cannot lock this file.
    #[error("{}: {source}", path.display())]
    Lock {
        /// The lock's file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A link, a folder or the like where a file of its own should be.
    #[error("{} is a link or no file", path.display())]
    NotAFile {
        /// What is there.
        path: PathBuf,
    },
    /// The folder that should hold something does not exist.
    #[error("the folder {} does not exist", path.display())]
    NoParent {
        /// The missing folder.
        path: PathBuf,
    },
    /// A path without a name of its own, such as `/` or `..`.
    #[error("{} has no name of its own", path.display())]
    BadName {
        /// The path.
        path: PathBuf,
    },
}

impl Error {
    /// What it is about.
    pub fn path(&self) -> &Path {
        match self {
            Error::Io { path, .. }
            | Error::Exists { path, .. }
            | Error::Unflushed { path, .. }
            | Error::Busy { path }
            | Error::Lock { path, .. }
            | Error::NotAFile { path }
            | Error::NoParent { path }
            | Error::BadName { path } => path,
        }
    }

    /// What the system said, for a room whose own error says the rest.
    pub fn into_source(self) -> io::Error {
        match self {
            Error::Io { source, .. }
            | Error::Exists { source, .. }
            | Error::Unflushed { source, .. }
            | Error::Lock { source, .. } => source,
            Error::Busy { .. } => io::ErrorKind::WouldBlock.into(),
            Error::NoParent { .. } => io::ErrorKind::NotFound.into(),
            Error::NotAFile { .. } | Error::BadName { .. } => io::ErrorKind::InvalidInput.into(),
        }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }

    pub(crate) fn unflushed(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Unflushed { path, source }
    }

    /// Of giving something a name that somebody else may have taken meanwhile.
    pub(crate) fn naming(path: &Path) -> impl FnOnce(io::Error) -> Error {
        use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty};
        let path = path.to_owned();
        move |source| {
            if matches!(source.kind(), AlreadyExists | DirectoryNotEmpty) {
                Error::Exists { path, source }
            } else {
                Error::Io { path, source }
            }
        }
    }
}

/// Whether the system had no room left for what was written.
pub fn is_disk_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_other_failures() {
        for kind in [
            io::ErrorKind::StorageFull,
            io::ErrorKind::QuotaExceeded,
            io::ErrorKind::FileTooLarge,
        ] {
            assert!(is_disk_full(&kind.into()), "{kind}");
        }
        assert!(!is_disk_full(&io::ErrorKind::PermissionDenied.into()));
    }

    #[test]
    fn every_error_has_something_that_the_system_said() {
        let path = PathBuf::from("here");
        let busy = Error::Busy { path: path.clone() };
        assert_eq!(busy.into_source().kind(), io::ErrorKind::WouldBlock);
        let taken = Error::naming(&path)(io::ErrorKind::DirectoryNotEmpty.into());
        assert!(matches!(&taken, Error::Exists { path, .. } if path == Path::new("here")));
        assert_eq!(taken.into_source().kind(), io::ErrorKind::DirectoryNotEmpty);
    }
}

//! Renaming in one step: two folders that change places, and a name that nobody loses.

use std::io;
use std::path::Path;

pub(crate) use flags::{exchange, rename_to_free_name};

#[cfg(all(any(target_os = "linux", target_os = "macos"), not(mingle_portable)))]
mod flags {
    use super::*;
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;

    /// Two folders change places.
    pub(crate) fn exchange(from: &Path, to: &Path) -> io::Result<()> {
        renameat_with(CWD, from, CWD, to, RenameFlags::EXCHANGE).map_err(told)
    }

    /// Renames to a name that nobody has; someone who took it meanwhile keeps it.
    pub(crate) fn rename_to_free_name(from: &Path, to: &Path) -> io::Result<()> {
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE).map_err(told) {
            // a folder with something in it is not renamed over by this either
            Err(e) if unsupported(&e) => std::fs::rename(from, to),
            other => other,
        }
    }

    /// macOS has two numbers for the same answer, of which the standard library knows one.
    fn told(error: Errno) -> io::Error {
        if error == Errno::NOTSUP {
            io::ErrorKind::Unsupported.into()
        } else {
            error.into()
        }
    }
}

#[cfg(any(not(any(target_os = "linux", target_os = "macos")), mingle_portable))]
mod flags {
    use super::*;

    /// Not known here.
    pub(crate) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// A folder with something in it is never renamed over.
    pub(crate) fn rename_to_free_name(from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }
}

/// What systems, and file systems without these flags, answer.
pub(crate) fn unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}

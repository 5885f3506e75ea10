//! Files that are there whole or not at all, even after a power cut.

use crate::error::Error;
use crate::staging::sync_folder;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file or replaces what it held, at once; only the owner may read it.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    replace_by(folder_of(path), path, bytes)
}

/// The same, written first in another folder of the same file system.
pub(crate) fn replace_by(scratch: &Path, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let written = || -> io::Result<()> {
        // 0600 from the moment it exists
        let mut file = tempfile::Builder::new()
            .prefix(".writing-")
            .tempfile_in(scratch)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map(drop).map_err(|e| e.error)
    };
    written().map_err(Error::io(path))?;
    sync_folder(folder_of(path))
}

/// Removes a file for good; one that is not there is no error.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io(path)(e)),
        Ok(()) => sync_folder(folder_of(path)),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

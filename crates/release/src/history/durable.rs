//! Files that are there whole or not at all, even after a power cut.

use crate::error::Error;
use crate::staging::sync_folder;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file or replaces what it held, at once; only the owner may read it.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = folder_of(path);
    let written = || -> io::Result<()> {
        // 0600 from the moment it exists
        let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map(drop).map_err(|e| e.error)
    };
    written().map_err(Error::io(path))?;
    sync_folder(folder)
}

/// Removes a file for good; one that is not there is no error.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io(path)(e)),
        Ok(()) => sync_folder(folder_of(path)),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

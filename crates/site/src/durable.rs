//! Small files that are there whole or not at all, even after a power cut.
//!
//! Bytes go to a new file that only the owner may read, are flushed, and are renamed into place;
//! the folder is flushed last, because a rename that is not on the disk did not happen.

use crate::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Writes a file that must not be there yet; only the owner may read it.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let written = || -> io::Result<()> {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        sync(folder_of(path))
    };
    written().map_err(Error::io(path))
}

/// Writes a file or replaces what it held, at once; only the owner may read it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let written = || -> io::Result<()> {
        let folder = folder_of(path);
        let mut file = tempfile::Builder::new()
            .prefix(".mingle-")
            .tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|e| e.error)?;
        sync(folder)
    };
    written().map_err(Error::io(path))
}

/// Removes a file for good; one that is not there is no error.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done
            .and_then(|()| sync(folder_of(path)))
            .map_err(Error::io(path)),
    }
}

/// The folder that holds a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_is_created_once_and_replaced_at_will() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("file");
        create(&path, b"1").expect("written");
        assert!(create(&path, b"2").is_err());
        assert_eq!(fs::read(&path).expect("there"), b"1");
        replace(&path, b"3").expect("replaced");
        assert_eq!(fs::read(&path).expect("there"), b"3");
        assert_eq!(
            fs::metadata(&path).expect("there").permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(fs::read_dir(home.path()).expect("listed").count(), 1);
    }

    #[test]
    fn removing_what_is_not_there_is_fine() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("file");
        remove(&path).expect("nothing to do");
        create(&path, b"1").expect("written");
        remove(&path).expect("removed");
        assert!(!path.exists());
        assert!(replace(&home.path().join("no/such/file"), b"1").is_err());
    }
}

//! Folders: around a file, for one user alone, and on the disk.

use crate::error::Error;
use crate::platform;
use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};

/// The folder that holds a file.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// `.NAME.what`, next to a file or folder.
pub fn hidden_beside(path: &Path, what: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name.push(what);
    path.with_file_name(name)
}

/// Makes a folder that must not be there yet; only the owner may enter it.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    platform::private_folder(&mut builder);
    builder.create(path)
}

/// Waits until the names in a folder are on the disk.
pub fn flush_folder(folder: &Path) -> Result<(), Error> {
    platform::flush_folder(folder).map_err(Error::io(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_in_a_folder() {
        for (path, folder) in [
            ("a", "."),
            ("./a", "."),
            ("b/a", "b"),
            ("/a", "/"),
            ("", "."),
        ] {
            assert_eq!(folder_of(Path::new(path)), Path::new(folder), "{path}");
        }
    }

    #[test]
    fn a_hidden_name_is_in_the_same_folder() {
        let beside = |path| hidden_beside(Path::new(path), "lock");
        assert_eq!(beside("a/out"), Path::new("a/.out.lock"));
        assert_eq!(beside("out"), Path::new(".out.lock"));
    }

    #[test]
    fn a_folder_is_made_once() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("folder");
        create_private_folder(&path).unwrap();
        let again = create_private_folder(&path).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert!(!crate::is_open_to_others(&path).unwrap());
        flush_folder(&path).unwrap();
    }
}

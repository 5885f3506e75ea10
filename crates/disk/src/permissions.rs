//! Who may look at a file, and whether it is still the same one.

use crate::platform;
use std::fs::Metadata;
use std::io;
use std::path::Path;
use tempfile::TempDir;

/// Whether others than its owner may read, write or enter it. `false` where the system has no such
/// permissions.
pub fn is_open_to_others(path: &Path) -> io::Result<bool> {
    Ok(platform::is_open_to_others(&path.metadata()?))
}

/// How many names (hard links) a file has; 1 where the system does not say.
pub fn names_of(file: &Metadata) -> u64 {
    platform::names_of(file)
}

/// What changes when another file takes a file's name, even with the same size and date.
pub fn change_stamp(file: &Metadata) -> [i64; 3] {
    platform::change_stamp(file)
}

/// A folder for this user alone, in the system's place for such things; it goes when it is dropped.
pub fn private_temporary_folder(prefix: &str) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    // unless told, such a folder can be read by every user of the machine
    builder.prefix(prefix);
    platform::for_the_owner(&mut builder);
    builder.tempdir()
}

#[cfg(all(test, unix, not(mingle_portable)))]
mod tests {
    use super::*;
    use std::fs::{self, File, Permissions};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn any_bit_for_others_is_too_much() {
        let home = private_temporary_folder("test-").unwrap();
        assert!(!is_open_to_others(home.path()).unwrap());
        let file = home.path().join("file");
        File::create(&file).unwrap();
        for (mode, open) in [(0o600, false), (0o400, false), (0o640, true), (0o601, true)] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_open_to_others(&file).unwrap(), open, "{mode:o}");
        }
        assert!(is_open_to_others(&home.path().join("none")).is_err());
    }

    #[test]
    fn another_file_of_the_same_name_is_noticed() {
        let home = private_temporary_folder("test-").unwrap();
        let file = home.path().join("file");
        crate::create(&file, b"1").unwrap();
        let old = file.metadata().unwrap();
        assert_eq!(names_of(&old), 1);
        fs::hard_link(&file, home.path().join("twin")).unwrap();
        assert_eq!(names_of(&file.metadata().unwrap()), 2);
        crate::replace(&file, b"2").unwrap();
        let new = file.metadata().unwrap();
        assert_ne!(change_stamp(&old), change_stamp(&new));
        assert_eq!(change_stamp(&new), change_stamp(&file.metadata().unwrap()));
    }
}

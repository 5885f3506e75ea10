//! Small files of text that are read as a whole: policies, settings.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What a person writes is not longer than this.
const LONGEST: u64 = 16 << 20;

/// The text of a regular file of at most 16 MiB. A device has no end, and a pipe may have nobody who
/// writes to it: both are refused before anything is read.
pub fn read_small_file(path: &Path) -> io::Result<String> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut text = String::new();
    File::open(path)?
        .take(LONGEST + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other("more than 16 MiB"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "a file that need not last")]
    fn only_regular_files_of_some_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.toml");
        std::fs::write(&path, "[data]").unwrap();
        assert_eq!(read_small_file(&path).unwrap(), "[data]");
        assert!(read_small_file(folder.path()).is_err());
        #[cfg(unix)]
        assert!(read_small_file(Path::new("/dev/zero")).is_err());
        std::fs::write(&path, vec![b' '; LONGEST as usize + 1]).unwrap();
        assert!(read_small_file(&path).is_err());
    }
}

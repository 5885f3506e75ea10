//! Paths as a policy names them: relative to its own folder.

use std::path::{Component, Path, PathBuf};

/// The way from a folder to a file; absolute where there is none.
pub fn relative(file: &Path, folder: &Path) -> PathBuf {
    let absolute = |path: &Path| {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        path.canonicalize()
            .or_else(|_| std::path::absolute(path))
            .unwrap_or_else(|_| path.to_owned())
    };
    // standard input is nowhere
    let is_nowhere = file.as_os_str() == "-";
    if is_nowhere || file.is_absolute() || folder.as_os_str().is_empty() {
        return file.to_owned();
    }
    let (file, folder) = (absolute(file), absolute(folder));
    let common = file
        .components()
        .zip(folder.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder
        .components()
        .skip(common)
        .map(|_| Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_from_the_policys_folder() {
        let base = tempfile::tempdir().unwrap();
        let root = base.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::File::create(root.join("a/t.csv")).unwrap();
        // given as absolute stays absolute
        assert_eq!(
            relative(&root.join("a/t.csv"), &root.join("a/b")),
            root.join("a/t.csv")
        );
        assert_eq!(
            relative(Path::new("t.csv"), Path::new("")),
            Path::new("t.csv")
        );
        let there = relative(Path::new("src"), Path::new("tests"));
        assert_eq!(there, Path::new("../src"));
    }
}

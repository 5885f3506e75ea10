//! The frozen kit: which files the figures are about, by their SHA-256.

use sha2::{Digest, Sha256};
use std::path::Path;

/// The list in the form of `sha256sum`: a hash, two blanks, a path below the data folder.
const HASHES: &str = include_str!("../kit/data.sha256");

/// What there is about one file of the kit.
enum KitFile {
    Same,
    Differs,
    Absent,
}

/// Compares the data folder with the kit and says what differs; figures are comparable with others'
/// only if nothing does.
pub fn check(data: &Path) {
    let mut same = 0;
    for (hash, path) in entries(HASHES) {
        match compare(&data.join(path), hash) {
            KitFile::Same => same += 1,
            KitFile::Differs => println!("> {path} is not the file of the kit: other contents"),
            KitFile::Absent => println!("> {path} of the kit is not there"),
        }
    }
    let all = entries(HASHES).len();
    println!("{same} of {all} files are those of the kit (bench/kit).\n");
}

fn entries(list: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for line in list.lines() {
        if let Some((hash, path)) = line.split_once("  ") {
            found.push((hash, path));
        }
    }
    found
}

fn compare(path: &Path, hash: &str) -> KitFile {
    let Ok(bytes) = std::fs::read(path) else {
        return KitFile::Absent;
    };
    let mut found = String::new();
    for byte in Sha256::digest(&bytes) {
        found.push_str(&format!("{byte:02x}"));
    }
    if found == hash {
        KitFile::Same
    } else {
        KitFile::Differs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        crate::program::write(&path, "abc");
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert!(matches!(compare(&path, hash), KitFile::Same));
        crate::program::write(&path, "abd");
        assert!(matches!(compare(&path, hash), KitFile::Differs));
        assert!(matches!(
            compare(&folder.path().join("b.csv"), hash),
            KitFile::Absent
        ));
    }

    #[test]
    fn the_list_is_well_formed() {
        let all = entries(HASHES);
        assert!(all.len() > 10);
        for (hash, path) in all {
            assert!(hash.len() == 64 && !path.starts_with('/'), "{path}");
        }
    }
}

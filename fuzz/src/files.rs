//! Files that this program has written, and somebody else may have changed since.

use mingle_dp::ledger::Ledger;
use mingle_release::history::History;
use mingle_release::{Opened, open_any};
use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

thread_local! {
    /// One folder a thread, used again and again: making one costs more than most parsers.
    static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
}

/// The place of a name in this thread's folder.
fn place(name: &str) -> PathBuf {
    FOLDER.with(|folder| {
        let folder = folder.get_or_init(|| tempfile::tempdir().expect("a folder"));
        folder.path().join(name)
    })
}

/// Writes the bytes to a file and has it read.
#[allow(clippy::disallowed_methods, reason = "a file that need not last")]
pub fn with_file<T>(name: &str, bytes: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    let path = place(name);
    fs::write(&path, bytes).expect("a writable folder");
    read(&path)
}

/// Releases that version 0.1.0 wrote.
fn kept(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let near = ["..", "../.."].map(|up| here.join(up).join("crates/release/tests/releases-0.1.0"));
    let found = near.into_iter().find(|folder| folder.exists());
    found.expect("the releases of 0.1.0").join(name)
}

/// A copy of such a release, made once a thread.
#[allow(clippy::disallowed_methods, reason = "a file that need not last")]
fn copy(name: &str) -> PathBuf {
    let to = place(name);
    if !to.exists() {
        copy_folder(&kept(name), &to);
    }
    to
}

#[allow(clippy::disallowed_methods, reason = "files that need not last")]
fn copy_folder(from: &Path, to: &Path) {
    mingle_disk::create_private_folder(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let there = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &there);
        } else {
            fs::copy(entry.path(), there).expect("a copy");
        }
    }
}

/// A release with one of its files replaced is looked at as `verify` does, and the file put back.
#[allow(clippy::disallowed_methods, reason = "files that need not last")]
fn check_with(release: &str, file: &str, bytes: &[u8]) {
    let folder = copy(release);
    let path = folder.join(file);
    let sound = fs::read(&path).expect("a file of the release");
    fs::write(&path, bytes).expect("a writable folder");
    let changed = sound != bytes;
    match open_any(&folder) {
        Err(_) => {}
        Ok(Opened::Grouped(release)) => {
            let findings = release.check();
            let _ = (release.table(), release.published(), release.audited());
            assert!(
                !(changed && findings.problems.is_empty()),
                "a changed file goes unnoticed"
            );
        }
        Ok(Opened::Noisy(release)) => {
            let findings = release.check();
            assert!(
                !(changed && findings.is_clean()),
                "a changed file goes unnoticed"
            );
        }
    }
    fs::write(&path, sound).expect("a writable folder");
}

pub fn manifest(bytes: &[u8]) {
    check_with("grouped", "public/manifest.json", bytes);
}

pub fn private_manifest(bytes: &[u8]) {
    check_with("grouped", "private/manifest.json", bytes);
}

pub fn audit(bytes: &[u8]) {
    check_with("grouped", "private/audit.parquet", bytes);
}

pub fn noisy_manifest(bytes: &[u8]) {
    check_with("noisy-histogram", "public/manifest.json", bytes);
}

/// The people of a version; first byte odd: the list of versions.
#[allow(clippy::disallowed_methods, reason = "files that need not last")]
pub fn history(bytes: &[u8]) {
    let Some((choice, rest)) = bytes.split_first() else {
        return;
    };
    let folder = copy("history");
    let file = if choice % 2 == 0 {
        "people-1.json"
    } else {
        "history.json"
    };
    let path = folder.join(file);
    let sound = fs::read(&path).expect("a file of the history");
    fs::write(&path, rest).expect("a writable folder");
    if let Ok(history) = History::open(&folder) {
        for version in history.versions() {
            let _ = history.people(version);
        }
    }
    fs::write(&path, sound).expect("a writable folder");
}

pub fn ledger(bytes: &[u8]) {
    with_file("ledger.jsonl", bytes, |path| drop(Ledger::read(path)));
}

pub fn journal(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = mingle_site::hazmat::is_journal(text);
    }
}

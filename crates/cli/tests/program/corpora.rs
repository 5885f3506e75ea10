//! Every file of the fuzzers' corpora, through the same functions as the fuzzers call.
//!
//! `scripts/fuzz` finds such files; this test keeps what they found, without an instrumented
//! compiler.

#[path = "../../../../fuzz/src/targets.rs"]
mod targets;

use std::fs;
use std::path::{Path, PathBuf};
use targets::TARGETS;

/// More than this is not minimized.
const LARGEST: u64 = 64 << 10;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder with seeds");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

#[test]
fn no_file_of_a_corpus_makes_its_parser_panic() {
    for target in TARGETS {
        let files = files(&corpus().join(target.name));
        assert!(!files.is_empty(), "{} has no seeds", target.name);
        for file in files {
            // the test's output names the last one when a target panics
            println!("{}", file.display());
            targets::run(target.name, &fs::read(&file).expect("a file"));
        }
    }
}

#[test]
fn corpora_are_small_and_of_known_targets() {
    for folder in files(&corpus()) {
        let name = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        assert!(
            TARGETS.iter().any(|target| target.name == name),
            "{name} is no target"
        );
        let mut bytes = 0;
        for file in files(&folder) {
            bytes += file.metadata().expect("a file").len();
        }
        assert!(bytes <= LARGEST, "{name}: {bytes} bytes");
    }
}

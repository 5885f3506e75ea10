//! Releases that version 0.1.0 wrote: they open, verify, and would be written alike today.
//!
//! `releases-0.1.0/` has one of each kind, written by that version's program from small tables of
//! made-up people; reports are left out.

use mingle_release::history::History;
use mingle_release::{Opened, Release, open_any};
use serde::Serialize;
use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const GROUPED: [&str; 9] = [
    "grouped",
    "fragmented",
    "parquet",
    "centroids",
    "composition",
    "joint-hospital",
    "joint-insurer",
    "version-1",
    "version-2",
];

const NOISY: [&str; 3] = ["noisy-synthetic", "noisy-marginals", "noisy-histogram"];

fn written() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/releases-0.1.0")
}

/// A manifest that was read would be written with the same keys and values in the same order.
fn assert_written_alike(manifest: &impl Serialize, file: &Path) {
    // the last digit of a long fraction depends on the reader, so the file is read as well
    let found: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let written = serde_json::to_string_pretty(manifest).unwrap();
    let expected = serde_json::to_string_pretty(&found).unwrap();
    assert!(written == expected, "{}", file.display());
}

#[test]
fn releases_of_groups_open_and_verify() {
    for name in GROUPED {
        let folder = written().join(name);
        let Opened::Grouped(release) = open_any(&folder).unwrap() else {
            panic!("{name} is no release of groups");
        };
        let findings = release.check();
        assert!(findings.is_clean(), "{name}: {:?}", findings.problems);
        let manifest = release.manifest().unwrap();
        assert_eq!(manifest.tool, "mingle 0.1.0");
        assert_written_alike(manifest, &folder.join("public/manifest.json"));
        let private = release.private_manifest().unwrap();
        assert_written_alike(private, &folder.join("private/manifest.json"));
        // the part that is handed out stands alone
        let public = Release::open(&folder.join("public")).unwrap();
        assert!(public.check().problems.is_empty(), "{name}");
    }
}

#[test]
fn figures_of_releases_are_there() {
    let private = |name: &str| {
        let release = Release::open(&written().join(name)).unwrap();
        release.private_manifest().unwrap().clone()
    };
    let grouped = private("grouped");
    assert!(grouped.utility.unwrap().ncp().is_some());
    assert!(grouped.distributions.is_some() && grouped.composition.is_none());
    assert!(private("centroids").utility.unwrap().ncp().is_none());
    let composition = private("composition").composition.unwrap();
    assert_eq!(composition.audits[0].readers.union.targets, 10);
    let history = private("version-2").composition.unwrap().history.unwrap();
    assert_eq!((history.earlier, history.columns.len()), (1, 1));
}

#[test]
fn releases_of_noisy_counts_open() {
    for name in NOISY {
        let folder = written().join(name);
        let Opened::Noisy(release) = open_any(&folder).unwrap() else {
            panic!("{name} is no release of noisy counts");
        };
        let findings = release.check();
        assert!(findings.is_clean(), "{name}: {:?}", findings.problems);
        let manifest = release.manifest().unwrap();
        assert_written_alike(manifest, &folder.join("public/manifest.json"));
        let private = release.private_manifest().unwrap();
        assert_written_alike(private, &folder.join("private/manifest.json"));
    }
}

/// A checkout does not keep permissions, and a key that others may read is no key.
fn only_for_the_owner(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    fs::set_permissions(to, Permissions::from_mode(0o700)).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            only_for_the_owner(&entry.path(), &place);
        } else {
            fs::write(&place, fs::read(entry.path()).unwrap()).unwrap();
            fs::set_permissions(&place, Permissions::from_mode(0o600)).unwrap();
        }
    }
}

#[test]
fn a_history_opens_with_its_versions() {
    let home = tempfile::tempdir().unwrap();
    let all = home.path().join("all");
    only_for_the_owner(&written(), &all);
    let history = History::open(&all.join("history")).unwrap();
    history.check_releases().unwrap();
    assert_eq!(history.versions().len(), 2);
    for (version, people) in history.versions().iter().zip([10, 12]) {
        assert_eq!(history.people(version).unwrap().members().len(), people);
    }
}

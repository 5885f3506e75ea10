//! What killed programs leave behind.

use crate::{Destination, StagingFolder};
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

fn staging(target: &Path) -> StagingFolder {
    StagingFolder::new(Destination::new(target).unwrap()).unwrap()
}

fn make_old(folder: &Path) {
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    File::open(folder).unwrap().set_modified(hour_ago).unwrap();
}

/// A folder as a killed program leaves it.
#[allow(clippy::disallowed_methods, reason = "a file that need not last")]
fn leave(target: &Path, name: &str) -> std::path::PathBuf {
    let folder = target.with_file_name(name);
    fs::create_dir_all(folder.join("private")).unwrap();
    fs::write(folder.join("private/audit.parquet"), "everybody").unwrap();
    make_old(&folder);
    folder
}

#[test]
#[cfg(all(unix, not(mingle_portable)))]
fn dead_staging_folders_are_removed_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("out");
    let dead = leave(&target, ".out.staging-abcdefABCDEF");
    let kept = [
        // an old release that was moved aside, another place's, one that is no folder of ours
        leave(&target, ".out.old-abcdefABCDEF"),
        leave(&target, ".out2.staging-abcdefABCDEF"),
        leave(&target, ".out.staging-notes"),
    ];
    let young = target.with_file_name(".out.staging-123456123456");
    fs::create_dir(&young).unwrap();
    let alive = staging(&target);
    make_old(alive.path());
    assert!(!dead.exists());
    let other = staging(&target);
    assert!(alive.path().exists() && other.path().exists() && young.exists());
    assert!(kept.iter().all(|folder| folder.exists()));
    make_old(&young);
    other.commit().unwrap();
    drop(staging(&target));
    assert!(!young.exists() && alive.path().exists() && target.exists());
}

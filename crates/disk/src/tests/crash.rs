//! Whatever is being written, an end at any step leaves the old or the new, whole.

use super::*;
use crate::file::replace_watched;
use crate::*;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

const STEPS: [WriteStep; 6] = [
    WriteStep::Created,
    WriteStep::Written,
    WriteStep::Flushed,
    WriteStep::MovedAside,
    WriteStep::Renamed,
    WriteStep::FolderFlushed,
];

/// Something that replaces the old by the new.
struct Way {
    name: &'static str,
    /// Makes what is old.
    before: fn(&Path),
    replace: fn(&Path, WatchSteps<'_>) -> Result<(), Error>,
    /// What is there.
    found: fn(&Path) -> Option<String>,
    /// Whether a crash leaves nothing but what is old or new.
    tidy: bool,
}

const WAYS: [Way; 4] = [
    Way {
        name: "a file",
        before: |path| replace(path, b"old").unwrap(),
        replace: |path, watch| replace_watched(folder_of(path), path, b"new", watch),
        found: |path| fs::read_to_string(path).ok(),
        tidy: false,
    },
    Way {
        name: "a file with one writer",
        before: |path| replace(path, b"old").unwrap(),
        replace: |path, watch| {
            replace_by_only_writer(&hidden_beside(path, "new"), path, b"new", watch)
        },
        found: |path| fs::read_to_string(path).ok(),
        tidy: true,
    },
    Way {
        name: "a folder",
        before: |path| stage(path, "old", false).commit().unwrap(),
        replace: |path, watch| stage(path, "new", true).commit_watched(watch),
        found: |path| {
            let there = fs::read_to_string(path.join("inner/marker")).ok();
            if cfg!(any(not(unix), mingle_portable)) {
                there.or_else(|| moved_aside(path))
            } else {
                there
            }
        },
        tidy: false,
    },
    Way {
        name: "a folder, moved aside",
        before: |path| stage(path, "old", false).commit().unwrap(),
        replace: |path, watch| {
            let staged = stage(path, "new", true);
            let destination = Destination::new(path)?.replacing();
            destination.move_aside(staged.path(), watch)
        },
        found: |path| {
            let there = fs::read_to_string(path.join("inner/marker")).ok();
            there.or_else(|| moved_aside(path))
        },
        tidy: false,
    },
];

fn stage(target: &Path, marker: &str, replace: bool) -> StagingFolder {
    let mut destination = Destination::new(target).unwrap();
    if replace {
        destination = destination.replacing();
    }
    let staging = StagingFolder::new(destination).unwrap();
    staging.create_folder("inner").unwrap();
    let mut file = staging.create_file("inner/marker").unwrap();
    file.write_all(marker.as_bytes()).unwrap();
    file.sync_all().unwrap();
    staging
}

/// Where folders cannot be exchanged, the old one may be under another name for a moment.
fn moved_aside(target: &Path) -> Option<String> {
    for name in names(folder_of(target)) {
        let inner = folder_of(target).join(name).join("release/inner/marker");
        if let Ok(text) = fs::read_to_string(inner) {
            return Some(text);
        }
    }
    None
}

/// Whether a way comes by a step at all.
fn steps_of(way: &Way) -> Vec<WriteStep> {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("out");
    (way.before)(&path);
    let seen = std::cell::RefCell::new(Vec::new());
    (way.replace)(&path, &|step| {
        seen.borrow_mut().push(step);
        Ok(())
    })
    .unwrap();
    assert_eq!((way.found)(&path).as_deref(), Some("new"), "{}", way.name);
    assert_eq!(names(home.path()), ["out"], "{}", way.name);
    seen.into_inner()
}

/// What is there after a way has ended after a step. Nothing is new before it was renamed.
fn old_or_new(step: WriteStep) -> &'static str {
    match step {
        WriteStep::Renamed | WriteStep::FolderFlushed => "new",
        _ => "old",
    }
}

#[test]
fn the_system_may_refuse_at_any_step() {
    for way in &WAYS {
        for step in steps_of(way) {
            let home = tempfile::tempdir().unwrap();
            let path = home.path().join("out");
            (way.before)(&path);
            let refused = (way.replace)(&path, &|done| {
                if done == step {
                    Err(io::ErrorKind::StorageFull.into())
                } else {
                    Ok(())
                }
            });
            let context = format!("{} after {step:?}", way.name);
            let error = refused.expect_err(&context);
            let is_there = matches!(error, Error::Unflushed { .. });
            assert_eq!(is_there, old_or_new(step) == "new", "{context}: {error}");
            assert!(is_disk_full(&error.into_source()), "{context}");
            assert_eq!(
                (way.found)(&path).as_deref(),
                Some(old_or_new(step)),
                "{context}"
            );
            assert_eq!(names(home.path()), ["out"], "{context}");
        }
    }
}

/// Not a test by itself: what the test below runs in a process of its own, to its end.
#[test]
fn ends_where_it_is_told_to() {
    let (Ok(path), Ok(told)) = (
        std::env::var("MINGLE_TEST_PLACE"),
        std::env::var("MINGLE_TEST_END"),
    ) else {
        return;
    };
    let (way, step) = told.split_once(' ').unwrap();
    let way = &WAYS[way.parse::<usize>().unwrap()];
    let step = STEPS[step.parse::<usize>().unwrap()];
    let done = (way.replace)(&PathBuf::from(path), &|done| {
        if done == step {
            // without so much as unwinding
            std::process::abort();
        }
        Ok(())
    });
    panic!("it should have ended: {done:?}");
}

#[test]
fn the_process_may_end_at_any_step() {
    for (number, way) in WAYS.iter().enumerate() {
        for step in steps_of(way) {
            let home = tempfile::tempdir().unwrap();
            let path = home.path().join("out");
            (way.before)(&path);
            let at = STEPS.iter().position(|other| *other == step).unwrap();
            let ended = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "tests::crash::ends_where_it_is_told_to"])
                .env("MINGLE_TEST_PLACE", &path)
                .env("MINGLE_TEST_END", format!("{number} {at}"))
                .output()
                .unwrap();
            let context = format!("{} after {step:?}", way.name);
            let said = String::from_utf8_lossy(&ended.stdout);
            assert!(
                !ended.status.success() && !said.contains("should have"),
                "{context}: {said}"
            );
            assert_eq!(
                (way.found)(&path).as_deref(),
                Some(old_or_new(step)),
                "{context}"
            );
            if path.exists() {
                // the next run is not hindered by what was left behind
                (way.replace)(&path, &unwatched).expect(&context);
                assert_eq!((way.found)(&path).as_deref(), Some("new"), "{context}");
            }
            if way.tidy {
                assert_eq!(names(home.path()), ["out"], "{context}");
            }
        }
    }
}

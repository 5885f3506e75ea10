use super::*;
use crate::*;
use std::io::{self, Write};

/// Stages a folder with one file in a folder of its own.
fn stage(target: &Path, replace: bool, marker: &str) -> Result<StagingFolder, Error> {
    let mut destination = Destination::new(target)?;
    if replace && destination.occupant()? == Occupant::Folder {
        destination = destination.replacing();
    }
    let staging = StagingFolder::new(destination)?;
    staging.create_folder("inner")?;
    let mut file = staging.create_file("inner/marker")?;
    file.write_all(marker.as_bytes()).unwrap();
    file.sync_all().unwrap();
    Ok(staging)
}

fn put(target: &Path, replace: bool, marker: &str) -> Result<(), Error> {
    stage(target, replace, marker)?.commit()
}

fn marker(target: &Path) -> String {
    text(&target.join("inner/marker"))
}

#[test]
fn nothing_is_there_until_the_commit() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("out");
    let staging = stage(&target, false, "1").unwrap();
    assert!(!target.exists());
    drop(staging);
    assert!(names(home.path()).is_empty());
}

#[test]
fn a_file_is_never_written_twice() {
    let home = tempfile::tempdir().unwrap();
    let staging = stage(&home.path().join("out"), false, "1").unwrap();
    let Err(Error::Io { source, .. }) = staging.create_file("inner/marker") else {
        panic!()
    };
    assert_eq!(source.kind(), io::ErrorKind::AlreadyExists);
}

#[test]
fn only_the_owner_may_look() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("out");
    put(&target, false, "1").unwrap();
    for (path, expected) in [("", 0o700), ("inner", 0o700), ("inner/marker", 0o600)] {
        assert_eq!(mode(&target.join(path), expected), expected, "{path}");
    }
}

#[test]
fn an_old_folder_is_exchanged_and_removed() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("out");
    put(&target, false, "1").unwrap();
    assert!(matches!(
        put(&target, false, "2"),
        Err(Error::Exists { .. })
    ));
    assert_eq!(marker(&target), "1");
    put(&target, true, "2").unwrap();
    assert_eq!(marker(&target), "2");
    assert_eq!(names(home.path()), ["out"]);
}

#[test]
fn without_exchange_the_old_one_is_moved_aside() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("out");
    put(&target, false, "1").unwrap();
    let staging = stage(&target, true, "2").unwrap();
    let destination = Destination::new(&target).unwrap().replacing();
    destination.move_aside(staging.path(), &unwatched).unwrap();
    drop(staging);
    assert_eq!(marker(&target), "2");
    assert_eq!(names(home.path()), ["out"]);
}

#[test]
fn a_failed_move_brings_the_old_one_back() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("out");
    put(&target, false, "1").unwrap();
    let staging = stage(&target, true, "2").unwrap();
    fs::remove_dir_all(staging.path()).unwrap();
    let destination = Destination::new(&target).unwrap().replacing();
    assert!(destination.move_aside(staging.path(), &unwatched).is_err());
    assert_eq!(marker(&target), "1");
    assert_eq!(names(home.path()), ["out"]);
}

#[test]
fn someone_who_was_faster_keeps_the_name() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("out");
    let slow = stage(&target, false, "slow").unwrap();
    put(&target, false, "fast").unwrap();
    assert!(matches!(slow.commit(), Err(Error::Exists { path, .. }) if path == target));
    assert_eq!(marker(&target), "fast");
    assert_eq!(names(home.path()), ["out"]);
}

#[test]
fn a_folder_may_outlive_the_program_under_another_name() {
    let home = tempfile::tempdir().unwrap();
    let (target, waiting) = (home.path().join("out"), home.path().join(".out.waiting"));
    stage(&target, false, "1")
        .unwrap()
        .keep_as(&waiting)
        .unwrap();
    assert_eq!(marker(&waiting), "1");
    let again = stage(&target, false, "2").unwrap().keep_as(&waiting);
    assert!(matches!(again, Err(Error::Exists { .. })));
    assert_eq!(names(home.path()), [".out.waiting"]);
    assert!(!Destination::new(&target).unwrap().put(&waiting).unwrap());
    assert_eq!(marker(&target), "1");
    // one that is put in the place of another leaves that one where it was
    stage(&target, true, "2")
        .unwrap()
        .keep_as(&waiting)
        .unwrap();
    let destination = Destination::new(&target).unwrap().replacing();
    let is_old_one_left = destination.put(&waiting).unwrap();
    assert_eq!(marker(&target), "2");
    assert_eq!(is_old_one_left, waiting.exists());
}

#[test]
fn names_and_parents_are_checked() {
    let home = tempfile::tempdir().unwrap();
    let lost = home.path().join("no/such/out");
    let found = Destination::new(&lost);
    assert!(matches!(found, Err(Error::NoParent { path }) if path.ends_with("no/such")));
    for bad in ["/", "..", "a/.."] {
        let found = Destination::new(Path::new(bad));
        assert!(matches!(found, Err(Error::BadName { .. })), "{bad}");
    }
}

#[test]
fn what_is_there_is_told_apart() {
    let home = tempfile::tempdir().unwrap();
    let occupant = |name: &str| {
        Destination::new(&home.path().join(name))
            .unwrap()
            .occupant()
    };
    fs::create_dir(home.path().join("folder")).unwrap();
    create(&home.path().join("file"), b"").unwrap();
    assert_eq!(occupant("none").unwrap(), Occupant::Nobody);
    assert_eq!(occupant("folder").unwrap(), Occupant::Folder);
    assert_eq!(occupant("file").unwrap(), Occupant::Other);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(home.path().join("folder"), home.path().join("link")).unwrap();
        assert_eq!(occupant("link").unwrap(), Occupant::Other);
    }
}

use super::*;
use crate::*;
use std::io::{self, Write};

#[test]
fn a_file_is_created_once_and_replaced_at_will() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("file");
    create(&path, b"1").unwrap();
    assert_eq!(mode(&path, 0o600), 0o600);
    let Err(Error::Exists { source, .. }) = create(&path, b"2") else {
        panic!()
    };
    assert_eq!(source.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(text(&path), "1");
    replace(&path, b"3").unwrap();
    assert_eq!(text(&path), "3");
    assert_eq!(mode(&path, 0o600), 0o600);
    assert_eq!(names(home.path()), ["file"]);
}

#[test]
fn removing_what_is_not_there_is_fine() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("file");
    remove(&path).unwrap();
    create(&path, b"1").unwrap();
    remove(&path).unwrap();
    assert!(!path.exists());
    let nowhere = home.path().join("no/such/file");
    assert!(matches!(replace(&nowhere, b"1"), Err(Error::Io { path, .. }) if path == nowhere));
    assert!(matches!(create(&nowhere, b"1"), Err(Error::Io { .. })));
    remove(&nowhere).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(remove(&path).is_err(), "a folder is no file");
}

#[test]
fn a_pending_file_appears_when_it_is_complete() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("file");
    let mut pending = PendingFile::beside(&path).unwrap();
    pending.write_all(b"half").unwrap();
    assert!(!path.exists());
    assert_eq!(names(home.path()).len(), 1, "it has a hidden name");
    drop(pending);
    assert!(names(home.path()).is_empty());

    let mut pending = PendingFile::beside(&path).unwrap();
    pending.write_all(b"first").unwrap();
    pending.commit(IfTaken::Refuse).unwrap();
    assert_eq!(
        (text(&path), mode(&path, 0o600)),
        ("first".to_owned(), 0o600)
    );

    let mut second = PendingFile::beside(&path).unwrap();
    second.write_all(b"second").unwrap();
    assert!(matches!(
        second.commit(IfTaken::Refuse),
        Err(Error::Exists { .. })
    ));
    assert_eq!(text(&path), "first");
    let mut third = PendingFile::beside(&path).unwrap();
    third.write_all(b"third").unwrap();
    third.commit_result(IfTaken::Replace).unwrap();
    assert_eq!(text(&path), "third");
    assert_eq!(names(home.path()), ["file"]);
}

#[test]
fn a_folder_is_not_replaced_by_a_file() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("folder");
    fs::create_dir(&path).unwrap();
    assert!(matches!(replace(&path, b"1"), Err(Error::Io { .. })));
    assert!(path.is_dir());
    assert_eq!(names(home.path()), ["folder"]);
}

#[test]
fn what_a_crash_left_behind_is_overwritten_by_the_only_writer() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("file");
    let scratch = hidden_beside(&path, "new");
    create(&scratch, b"half of something that was longer").unwrap();
    replace_by_only_writer(&scratch, &path, b"1", &unwatched).unwrap();
    assert_eq!(text(&path), "1");
    assert_eq!(names(home.path()), ["file"]);
    // a folder in the way is not ours to remove
    fs::create_dir(&scratch).unwrap();
    assert!(replace_by_only_writer(&scratch, &path, b"2", &unwatched).is_err());
    assert_eq!(text(&path), "1");
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_is_replaced_and_what_it_leads_to_stays() {
        let home = tempfile::tempdir().unwrap();
        let (real, link) = (home.path().join("real"), home.path().join("link"));
        create(&real, b"real").unwrap();
        symlink(&real, &link).unwrap();
        assert!(matches!(create(&link, b"1"), Err(Error::Exists { .. })));
        replace(&link, b"1").unwrap();
        assert!(!fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(
            (text(&link), text(&real)),
            ("1".to_owned(), "real".to_owned())
        );
        remove(&link).unwrap();
        symlink(home.path().join("nowhere"), &link).unwrap();
        assert!(matches!(create(&link, b"1"), Err(Error::Exists { .. })));
        assert!(!home.path().join("nowhere").exists());
    }

    #[test]
    fn a_hidden_name_that_is_a_link_is_not_written_through() {
        let home = tempfile::tempdir().unwrap();
        let (real, path) = (home.path().join("real"), home.path().join("file"));
        create(&real, b"real").unwrap();
        let scratch = hidden_beside(&path, "new");
        symlink(&real, &scratch).unwrap();
        replace_by_only_writer(&scratch, &path, b"1", &unwatched).unwrap();
        assert_eq!(
            (text(&path), text(&real)),
            ("1".to_owned(), "real".to_owned())
        );
        assert_eq!(names(home.path()), ["file", "real"]);
    }

    #[test]
    fn a_twin_keeps_the_old_bytes() {
        let home = tempfile::tempdir().unwrap();
        let (path, twin) = (home.path().join("file"), home.path().join("twin"));
        create(&path, b"old").unwrap();
        fs::hard_link(&path, &twin).unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(
            (text(&path), text(&twin)),
            ("new".to_owned(), "old".to_owned())
        );
    }

    #[cfg(not(mingle_portable))]
    #[test]
    fn those_who_shared_the_old_one_share_the_new_one() {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("file");
        let scratch = hidden_beside(&path, "new");
        replace_by_only_writer(&scratch, &path, b"1", &unwatched).unwrap();
        assert_eq!(mode(&path, 0), 0o600);
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        replace_by_only_writer(&scratch, &path, b"2", &unwatched).unwrap();
        assert_eq!(mode(&path, 0), 0o640);
        replace(&path, b"3").unwrap();
        assert_eq!(mode(&path, 0), 0o600, "else a file is its owner's alone");
    }
}

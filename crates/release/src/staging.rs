//! A release that is written whole or not at all, into a folder beside its place.
//!
//! How that is done is [`mingle_disk::StagingFolder`]; here is what it means for a release: its
//! `public/` and `private/` sides, and what may be replaced.

use crate::error::Error;
use mingle_disk::{Destination, Occupant, StagingFolder};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A release in the making.
pub(crate) struct Staging {
    folder: StagingFolder,
}

/// Whether a release may go to `target`: an old release, or an empty folder, is replaced only with
/// `force`; anything else that is there never.
pub(crate) fn destination(target: &Path, force: bool) -> Result<Destination, Error> {
    let destination = Destination::new(target)?;
    let occupant = destination.occupant()?;
    if occupant == Occupant::Nobody {
        return Ok(destination);
    }
    if !force {
        return Err(Error::Exists {
            path: target.to_owned(),
        });
    }
    if occupant == Occupant::Folder && is_replaceable(target)? {
        return Ok(destination.replacing());
    }
    Err(Error::NotARelease {
        path: target.to_owned(),
    })
}

/// Puts a folder that was kept under another name in its place, see [`Staging::keep_as`]. Says
/// whether an old release is now where the folder was.
pub(crate) fn put(staged: &Path, destination: &Destination) -> Result<bool, Error> {
    destination.put(staged).map_err(Error::placing)
}

impl Staging {
    /// Makes the folder, if a release may go to `target`, see [`destination`].
    pub(crate) fn new(target: &Path, force: bool) -> Result<Staging, Error> {
        let folder = StagingFolder::new(destination(target, force)?)?;
        for part in ["public", "private"] {
            folder.create_folder(part)?;
        }
        Ok(Staging { folder })
    }

    /// Where a file stands for now.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// A new file.
    pub(crate) fn create(&self, file: &str) -> Result<File, Error> {
        Ok(self.folder.create_file(file)?)
    }

    /// A whole file at once, flushed to the disk.
    pub(crate) fn write(&self, file: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path(file);
        let mut created = self.create(file)?;
        created.write_all(bytes).map_err(Error::io(&path))?;
        created.sync_all().map_err(Error::io(&path))
    }

    /// Flushes the folders.
    pub(crate) fn flush(&self) -> Result<(), Error> {
        Ok(self.folder.flush()?)
    }

    /// Flushes the folders and puts the release in its place. An error does not mean that it is not
    /// there: the folder around it may be what could not be flushed.
    pub(crate) fn commit(self) -> Result<(), Error> {
        self.folder.commit().map_err(Error::placing)
    }

    /// Flushes everything and gives the folder a name under which it outlives this program.
    /// `false`, and the folder is removed, if that name is taken.
    pub(crate) fn keep_as(self, path: &Path) -> Result<bool, Error> {
        match self.folder.keep_as(path) {
            Ok(()) => Ok(true),
            Err(mingle_disk::Error::Exists { .. }) => Ok(false),
            Err(other) => Err(other.into()),
        }
    }
}

/// A release holds `public/manifest.json` and nothing beside `public` and `private`; an empty
/// folder holds nothing.
fn is_replaceable(folder: &Path) -> Result<bool, Error> {
    let mut empty = true;
    for entry in fs::read_dir(folder).map_err(Error::io(folder))? {
        let name = entry.map_err(Error::io(folder))?.file_name();
        if name != "public" && name != "private" {
            return Ok(false);
        }
        empty = false;
    }
    Ok(empty || crate::manifest::is_release(&folder.join("public/manifest.json")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::os::unix::fs::PermissionsExt;
    use tempfile::TempDir;

    fn home() -> TempDir {
        tempfile::tempdir().unwrap()
    }

    /// A release as far as the staging folder cares.
    fn write_release(target: &Path, force: bool, marker: &str) -> Result<(), Error> {
        let staging = Staging::new(target, force)?;
        staging.write("public/manifest.json", br#"{"schema":"mingle.release/1"}"#)?;
        staging.write("public/marker", marker.as_bytes())?;
        staging.commit()
    }

    fn entries(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        names.sort();
        names
    }

    fn marker(target: &Path) -> String {
        fs::read_to_string(target.join("public/marker")).unwrap()
    }

    #[test]
    fn only_the_owner_may_look() {
        let home = home();
        let target = home.path().join("out");
        write_release(&target, false, "1").unwrap();
        let mode = |path: &str| {
            fs::metadata(target.join(path))
                .unwrap()
                .permissions()
                .mode()
                & 0o777
        };
        for (path, expected) in [
            ("", 0o700),
            ("public", 0o700),
            ("private", 0o700),
            ("public/marker", 0o600),
        ] {
            assert_eq!(mode(path), expected, "{path}");
        }
    }

    #[test]
    fn an_old_release_is_swapped_only_by_force() {
        let home = home();
        let target = home.path().join("out");
        write_release(&target, true, "1").unwrap();
        assert!(matches!(
            write_release(&target, false, "2"),
            Err(Error::Exists { .. })
        ));
        assert_eq!(marker(&target), "1");
        write_release(&target, true, "2").unwrap();
        assert_eq!(marker(&target), "2");
        assert_eq!(entries(home.path()), ["out"]);
    }

    #[test]
    fn what_is_not_a_release_is_never_replaced() {
        let home = home();
        let others: [(&str, &[(&str, &str)]); 5] = [
            ("photos", &[("a.jpg", "")]),
            ("page", &[("public/index.html", "")]),
            (
                "other",
                &[("public/manifest.json", r#"{"schema":"something.else/1"}"#)],
            ),
            ("broken", &[("public/manifest.json", r#"{"schema":"#)]),
            (
                "mixed",
                &[
                    ("public/manifest.json", r#"{"schema":"mingle.release/1"}"#),
                    ("thesis.tex", ""),
                ],
            ),
        ];
        for (name, files) in others {
            let target = home.path().join(name);
            for (file, text) in files {
                let path = target.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                File::create(&path)
                    .unwrap()
                    .write_all(text.as_bytes())
                    .unwrap();
            }
            assert!(
                matches!(
                    write_release(&target, true, "2"),
                    Err(Error::NotARelease { .. })
                ),
                "{name}"
            );
            assert!(
                files.iter().all(|(file, _)| target.join(file).exists()),
                "{name}"
            );
        }
        let file = home.path().join("file");
        File::create(&file).unwrap();
        assert!(matches!(
            write_release(&file, true, "2"),
            Err(Error::NotARelease { .. })
        ));
        let link = home.path().join("link");
        write_release(&home.path().join("real"), false, "1").unwrap();
        std::os::unix::fs::symlink(home.path().join("real"), &link).unwrap();
        assert!(matches!(
            write_release(&link, true, "2"),
            Err(Error::NotARelease { .. })
        ));
        assert_eq!(marker(&home.path().join("real")), "1");
    }

    #[test]
    fn an_empty_folder_may_be_replaced_by_force() {
        let home = home();
        let target = home.path().join("out");
        fs::create_dir(&target).unwrap();
        assert!(matches!(
            write_release(&target, false, "1"),
            Err(Error::Exists { .. })
        ));
        write_release(&target, true, "1").unwrap();
        assert_eq!(marker(&target), "1");
    }

    #[test]
    fn someone_who_was_faster_keeps_the_name() {
        let home = home();
        let target = home.path().join("out");
        let slow = Staging::new(&target, false).unwrap();
        write_release(&target, false, "fast").unwrap();
        assert!(matches!(slow.commit(), Err(Error::Exists { .. })));
        assert_eq!(marker(&target), "fast");
        assert_eq!(entries(home.path()), ["out"]);
    }

    #[test]
    fn names_and_parents_are_checked() {
        let home = home();
        let lost = home.path().join("no/such/out");
        assert!(
            matches!(Staging::new(&lost, false), Err(Error::NoParent { path }) if path.ends_with("no/such"))
        );
        for bad in ["/", "..", "a/.."] {
            assert!(
                matches!(
                    Staging::new(Path::new(bad), true),
                    Err(Error::BadName { .. })
                ),
                "{bad}"
            );
        }
    }
}

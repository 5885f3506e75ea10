//! A folder that becomes the release at once, or never was.
//!
//! Everything is written into `.NAME.staging-…` next to the target, flushed, and renamed into
//! place. An old release is exchanged in one step where the system can do that (Linux, most file
//! systems); elsewhere it is moved aside first, and moved back if the new one cannot take its
//! place. Whatever goes wrong, dropping a [`Staging`] removes the folder and the target is as it
//! was. Folders are 0700 and files 0600 from the moment they exist.

use crate::error::Error;
use mingle_io::{FileHash, HashingWriter};
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A release in the making.
pub(crate) struct Staging {
    folder: TempDir,
    destination: Destination,
}

/// Where a release goes, and whether something is there already.
pub(crate) struct Destination {
    target: PathBuf,
    pub(crate) parent: PathBuf,
    pub(crate) name: OsString,
    replace: bool,
}

impl Destination {
    /// Whether a release may go to `target`: an old release, or an empty folder, is replaced only
    /// with `force`; anything else that is there never.
    pub(crate) fn new(target: &Path, force: bool) -> Result<Destination, Error> {
        let name = target
            .file_name()
            .ok_or_else(|| Error::BadName {
                path: target.to_owned(),
            })?
            .to_owned();
        let parent = target
            .parent()
            .filter(|p| !p.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
            .to_owned();
        if !parent.is_dir() {
            return Err(Error::NoParent { path: parent });
        }
        let replace = match fs::symlink_metadata(target) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => false,
            Err(e) => return Err(Error::io(target)(e)),
            Ok(_) if !force => {
                return Err(Error::Exists {
                    path: target.to_owned(),
                });
            }
            Ok(found) if found.is_dir() && is_replaceable(target)? => true,
            Ok(_) => {
                return Err(Error::NotARelease {
                    path: target.to_owned(),
                });
            }
        };
        Ok(Destination {
            target: target.to_owned(),
            parent,
            name,
            replace,
        })
    }

    /// Flushes a staged folder and puts it in its place. Says whether an old release is now where
    /// the folder was.
    pub(crate) fn put(&self, staged: &Path) -> Result<bool, Error> {
        for folder in [&staged.join("public"), &staged.join("private"), staged] {
            sync_folder(folder)?;
        }
        match self.replace {
            true => exchange(staged, self)?,
            false => place(staged, &self.target)?,
        }
        let flushed = File::open(&self.parent).and_then(|folder| folder.sync_all());
        flushed.map_err(|source| Error::Unflushed {
            path: self.parent.clone(),
            source,
        })?;
        Ok(self.replace && staged.exists())
    }
}

impl Staging {
    /// Makes the folder, if a release may go to `target`, see [`Destination::new`].
    pub(crate) fn new(target: &Path, force: bool) -> Result<Staging, Error> {
        let destination = Destination::new(target, force)?;
        let folder = temporary_folder(&destination.parent, &destination.name, "staging")?;
        for part in ["public", "private"] {
            let path = folder.path().join(part);
            DirBuilder::new()
                .mode(0o700)
                .create(&path)
                .map_err(Error::io(&path))?;
        }
        Ok(Staging {
            folder,
            destination,
        })
    }

    /// Where a file stands for now.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// A new file, hashed while it is written.
    pub(crate) fn create(&self, file: &str) -> Result<HashingWriter<File>, Error> {
        let path = self.path(file);
        let opened = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path);
        opened.map(HashingWriter::new).map_err(Error::io(&path))
    }

    /// Flushes a file to the disk and returns what it holds.
    pub(crate) fn close(&self, file: &str, writer: HashingWriter<File>) -> Result<FileHash, Error> {
        let (inner, hash) = writer.finish();
        inner.sync_all().map_err(Error::io(&self.path(file)))?;
        Ok(hash)
    }

    /// A whole file at once.
    pub(crate) fn write(&self, file: &str, bytes: &[u8]) -> Result<FileHash, Error> {
        let mut writer = self.create(file)?;
        writer
            .write_all(bytes)
            .map_err(Error::io(&self.path(file)))?;
        self.close(file, writer)
    }

    /// Flushes the folders.
    pub(crate) fn flush(&self) -> Result<(), Error> {
        let folders = [
            self.path("public"),
            self.path("private"),
            self.folder.path().to_owned(),
        ];
        folders.iter().try_for_each(|folder| sync_folder(folder))
    }

    /// Flushes the folders and puts the release in its place. An error does not mean that it is not
    /// there: the folder around it may be what could not be flushed.
    pub(crate) fn commit(self) -> Result<(), Error> {
        if !self.destination.put(self.folder.path())? {
            // it has moved away; there is nothing left to remove
            let _ = self.folder.keep();
        }
        Ok(())
    }

    /// Flushes everything and gives the folder a name under which it outlives this program.
    /// `false`, and the folder is removed, if that name is taken.
    pub(crate) fn keep_as(self, path: &Path) -> Result<bool, Error> {
        self.flush()?;
        match place(self.folder.path(), path) {
            Err(Error::Exists { .. }) => return Ok(false),
            other => other?,
        }
        let _ = self.folder.keep();
        sync_folder(&self.destination.parent)?;
        Ok(true)
    }
}

fn temporary_folder(parent: &Path, name: &OsString, purpose: &str) -> Result<TempDir, Error> {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(format!(".{purpose}-"));
    let mut builder = tempfile::Builder::new();
    builder
        .prefix(&prefix)
        .rand_bytes(12)
        .permissions(Permissions::from_mode(0o700));
    builder.tempdir_in(parent).map_err(Error::io(parent))
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

pub(crate) fn sync_folder(folder: &Path) -> Result<(), Error> {
    File::open(folder)
        .and_then(|f| f.sync_all())
        .map_err(Error::io(folder))
}

/// Renames to a name that nobody has; someone who took it meanwhile keeps it.
fn place(from: &Path, to: &Path) -> Result<(), Error> {
    let taken = |e: &io::Error| {
        matches!(
            e.kind(),
            io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty
        )
    };
    rename_new(from, to).map_err(|e| match taken(&e) {
        true => Error::Exists {
            path: to.to_owned(),
        },
        false => Error::io(to)(e),
    })
}

/// The old release ends up where the staged one was.
fn exchange(staged: &Path, destination: &Destination) -> Result<(), Error> {
    match swap(staged, &destination.target) {
        Err(e) if unsupported(&e) => move_aside(staged, destination),
        other => other.map_err(Error::io(&destination.target)),
    }
}

fn move_aside(staged: &Path, destination: &Destination) -> Result<(), Error> {
    let target = &destination.target;
    let aside = temporary_folder(&destination.parent, &destination.name, "old")?;
    let old = aside.path().join("release");
    fs::rename(target, &old).map_err(Error::io(target))?;
    fs::rename(staged, target).map_err(|e| {
        if fs::rename(&old, target).is_err() {
            // better a release under another name than none
            let _ = aside.keep();
        }
        Error::io(target)(e)
    })
}

#[cfg(target_os = "linux")]
fn swap(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn swap(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE).map_err(io::Error::from) {
        Err(e) if unsupported(&e) => fs::rename(from, to),
        other => other,
    }
}

#[cfg(not(target_os = "linux"))]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// What file systems without these flags answer.
fn unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn nothing_is_there_until_the_commit() {
        let home = home();
        let target = home.path().join("out");
        let staging = Staging::new(&target, false).unwrap();
        staging.write("public/a", b"a").unwrap();
        assert!(!target.exists());
        drop(staging);
        assert!(entries(home.path()).is_empty());
    }

    #[test]
    fn a_file_is_never_written_twice() {
        let home = home();
        let staging = Staging::new(&home.path().join("out"), false).unwrap();
        staging.write("public/a", b"a").unwrap();
        let Err(Error::Io { source, .. }) = staging.write("public/a", b"b") else {
            panic!()
        };
        assert_eq!(source.kind(), io::ErrorKind::AlreadyExists);
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
    fn without_exchange_the_old_one_is_moved_aside() {
        let home = home();
        let target = home.path().join("out");
        write_release(&target, false, "1").unwrap();
        let staging = Staging::new(&target, true).unwrap();
        staging.write("public/marker", b"2").unwrap();
        move_aside(staging.folder.path(), &staging.destination).unwrap();
        drop(staging);
        assert_eq!(marker(&target), "2");
        assert_eq!(entries(home.path()), ["out"]);
    }

    #[test]
    fn a_failed_move_brings_the_old_one_back() {
        let home = home();
        let target = home.path().join("out");
        write_release(&target, false, "1").unwrap();
        let staging = Staging::new(&target, true).unwrap();
        fs::remove_dir_all(staging.folder.path()).unwrap();
        assert!(move_aside(staging.folder.path(), &staging.destination).is_err());
        assert_eq!(marker(&target), "1");
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

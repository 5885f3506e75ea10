//! A folder that takes its place at once, or never was.
//!
//! Everything is written into `.NAME.staging-…` next to the target, flushed, and renamed into
//! place. An old folder is exchanged in one step where the system can do that (Linux and macOS,
//! most file systems); elsewhere it is moved aside first, and moved back if the new one cannot take
//! its place. Whatever goes wrong, dropping a [`StagingFolder`] removes it and the target is as it
//! was. Only a crash between moving aside and renaming, where nothing can be exchanged, leaves the
//! old folder under another name: `.NAME.old-…/release`.
//!
//! A program that is killed leaves its `.NAME.staging-…` behind, perhaps complete and with all that
//! was private. Whoever writes to the same place next removes it: a folder in the making is locked by
//! its maker, and one that can be locked has no maker any more. Where folders cannot be locked,
//! nothing is removed.

use crate::error::Error;
use crate::file::create_private_file;
use crate::folder::{create_private_folder, flush_folder, folder_of};
use crate::platform;
use crate::step::{WatchSteps, WriteStep, unwatched};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// What folders in the making are called.
const STAGING: &str = "staging";

/// How many random characters end the name of a temporary folder.
const RANDOM_CHARACTERS: usize = 12;

/// A folder that is younger may have been made, but not yet locked, by somebody who is alive.
const YOUNG: Duration = Duration::from_secs(60);

/// A lock on a folder, until it is dropped; `None` where somebody else has it, or where folders cannot be
/// locked.
fn locked_folder(folder: &Path) -> Option<File> {
    let file = File::open(folder).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Where a folder goes, and whether it takes the place of another.
#[derive(Clone, Debug)]
pub struct Destination {
    target: PathBuf,
    parent: PathBuf,
    name: OsString,
    replaces: bool,
}

/// What is at a destination already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occupant {
    /// Nothing.
    Nobody,
    /// A folder.
    Folder,
    /// A file, or a link to anything.
    Other,
}

impl Destination {
    /// A place that has a name and is in a folder that exists. What has the place already keeps it,
    /// unless it is [replaced](Destination::replacing).
    pub fn new(target: &Path) -> Result<Destination, Error> {
        let name = target.file_name().ok_or_else(|| Error::BadName {
            path: target.to_owned(),
        })?;
        let parent = folder_of(target);
        if !parent.is_dir() {
            return Err(Error::NoParent {
                path: parent.to_owned(),
            });
        }
        Ok(Destination {
            target: target.to_owned(),
            parent: parent.to_owned(),
            name: name.to_owned(),
            replaces: false,
        })
    }

    /// What is there now. A link is not followed: it would be replaced, not what it leads to.
    pub fn occupant(&self) -> Result<Occupant, Error> {
        match fs::symlink_metadata(&self.target) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Occupant::Nobody),
            Err(e) => Err(Error::io(&self.target)(e)),
            Ok(found) if found.is_dir() => Ok(Occupant::Folder),
            Ok(_) => Ok(Occupant::Other),
        }
    }

    /// The same place, where the folder that is there is to be replaced.
    pub fn replacing(self) -> Destination {
        Destination {
            replaces: true,
            ..self
        }
    }

    /// Flushes all folders of a staged one and puts it in its place. Says whether the old folder is
    /// now where the staged one was.
    ///
    /// The files in it have been flushed by whoever wrote them.
    pub fn put(&self, staged: &Path) -> Result<bool, Error> {
        self.put_watched(staged, &unwatched)
    }

    pub(crate) fn put_watched(&self, staged: &Path, watch: WatchSteps<'_>) -> Result<bool, Error> {
        flush_folders(staged)?;
        watch(WriteStep::Flushed).map_err(Error::io(staged))?;
        if self.replaces {
            self.exchange(staged, watch)?;
        } else {
            platform::rename_to_free_name(staged, &self.target)
                .map_err(Error::naming(&self.target))?;
        }
        watch(WriteStep::Renamed)
            .and_then(|()| platform::flush_folder(&self.parent))
            .and_then(|()| watch(WriteStep::FolderFlushed))
            .map_err(Error::unflushed(&self.target))?;
        Ok(self.replaces && staged.exists())
    }

    /// The old folder ends up where the staged one was.
    fn exchange(&self, staged: &Path, watch: WatchSteps<'_>) -> Result<(), Error> {
        match platform::exchange(staged, &self.target) {
            Err(e) if platform::unsupported(&e) => self.move_aside(staged, watch),
            other => other.map_err(Error::io(&self.target)),
        }
    }

    pub(crate) fn move_aside(&self, staged: &Path, watch: WatchSteps<'_>) -> Result<(), Error> {
        let aside = self.temporary_folder("old")?;
        let old = aside.path().join("release");
        fs::rename(&self.target, &old).map_err(Error::io(&self.target))?;
        let placed = watch(WriteStep::MovedAside).and_then(|()| fs::rename(staged, &self.target));
        if let Err(e) = placed {
            if fs::rename(&old, &self.target).is_err() {
                // better under another name than not at all
                let _ = aside.keep();
            }
            return Err(Error::io(&self.target)(e));
        }
        Ok(())
    }

    /// Removes staging folders for this place whose makers are gone. What cannot be removed stays.
    fn remove_dead_folders(&self) {
        let Ok(entries) = fs::read_dir(&self.parent) else {
            return;
        };
        let prefix = self.prefix(STAGING);
        for entry in entries.flatten() {
            let name = entry.file_name();
            let rest = name
                .as_encoded_bytes()
                .strip_prefix(prefix.as_encoded_bytes());
            let is_ours = rest.is_some_and(|rest| rest.len() == RANDOM_CHARACTERS);
            // a link is not followed
            if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            let Some(dead) = locked_folder(&entry.path()) else {
                continue;
            };
            let changed = dead.metadata().and_then(|found| found.modified());
            let age = changed.ok().and_then(|changed| changed.elapsed().ok());
            if age.is_some_and(|age| age > YOUNG) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// How the names of temporary folders begin.
    fn prefix(&self, purpose: &str) -> OsString {
        let mut prefix = OsString::from(".");
        prefix.push(&self.name);
        prefix.push(format!(".{purpose}-"));
        prefix
    }

    /// `.NAME.purpose-…` next to the target; removed when it is dropped.
    fn temporary_folder(&self, purpose: &str) -> Result<TempDir, Error> {
        let prefix = self.prefix(purpose);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).rand_bytes(RANDOM_CHARACTERS);
        platform::for_the_owner(&mut builder);
        builder
            .tempdir_in(&self.parent)
            .map_err(Error::io(&self.parent))
    }
}

/// A folder in the making.
#[derive(Debug)]
pub struct StagingFolder {
    folder: TempDir,
    destination: Destination,
    /// Says to others that its maker is alive.
    _alive: Option<File>,
}

impl StagingFolder {
    /// Makes an empty folder next to where it is to go.
    pub fn new(destination: Destination) -> Result<StagingFolder, Error> {
        destination.remove_dead_folders();
        let folder = destination.temporary_folder(STAGING)?;
        let alive = locked_folder(folder.path());
        Ok(StagingFolder {
            folder,
            destination,
            _alive: alive,
        })
    }

    /// Where it stands for now.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A new folder in it.
    pub fn create_folder(&self, name: impl AsRef<OsStr>) -> Result<(), Error> {
        let path = self.path().join(name.as_ref());
        create_private_folder(&path).map_err(Error::io(&path))
    }

    /// A new file in it. Whoever has written it flushes it.
    pub fn create_file(&self, name: impl AsRef<OsStr>) -> Result<File, Error> {
        let path = self.path().join(name.as_ref());
        create_private_file(&path).map_err(Error::io(&path))
    }

    /// Flushes the folders.
    pub fn flush(&self) -> Result<(), Error> {
        flush_folders(self.path())
    }

    /// Flushes the folders and puts this one in its place. An error does not always mean that it is
    /// not there: see [`Error::Unflushed`].
    pub fn commit(self) -> Result<(), Error> {
        self.commit_watched(&unwatched)
    }

    pub(crate) fn commit_watched(self, watch: WatchSteps<'_>) -> Result<(), Error> {
        if !self.destination.put_watched(self.folder.path(), watch)? {
            // it has moved away; there is nothing left to remove
            let _ = self.folder.keep();
        }
        Ok(())
    }

    /// Flushes the folders and gives this one a name under which it outlives this program. If that
    /// name is taken ([`Error::Exists`]), the folder is removed.
    pub fn keep_as(self, path: &Path) -> Result<(), Error> {
        self.flush()?;
        platform::rename_to_free_name(self.folder.path(), path).map_err(Error::naming(path))?;
        let _ = self.folder.keep();
        flush_folder(&self.destination.parent)
    }
}

/// Flushes a folder and all folders in it, the innermost first.
fn flush_folders(folder: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Error::io(folder))? {
        let entry = entry.map_err(Error::io(folder))?;
        // a link is not followed
        if entry.file_type().map_err(Error::io(folder))?.is_dir() {
            flush_folders(&entry.path())?;
        }
    }
    flush_folder(folder)
}

//! Files that are there whole or not at all, even after a power cut.
//!
//! Bytes go to a new file under a hidden name that only the owner may read, are flushed, and are
//! renamed into place; the folder is flushed last. Where that fails before the renaming, the place
//! is as it was and the hidden file is removed; a crash may leave the hidden file behind.

use crate::error::Error;
use crate::folder::folder_of;
use crate::platform;
use crate::step::{WatchSteps, WriteStep, unwatched};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// Writes a file that must not be there yet; only the owner may read it.
///
/// It is written under its own name, so that two who try never both believe that it is theirs. A
/// crash may leave a part of it.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = create_private_file(path).map_err(Error::naming(path))?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .map_err(Error::io(path))?;
    platform::flush_folder(folder_of(path)).map_err(Error::unflushed(path))
}

/// Writes a file or replaces what it held, at once; only the owner may read it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    replace_via(folder_of(path), path, bytes)
}

/// The same, written first in another folder of the same file system.
pub fn replace_via(scratch: &Path, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    replace_watched(scratch, path, bytes, &unwatched)
}

pub(crate) fn replace_watched(
    scratch: &Path,
    path: &Path,
    bytes: &[u8],
    watch: WatchSteps<'_>,
) -> Result<(), Error> {
    let file = PendingFile::in_folder(scratch, path)?;
    watch(WriteStep::Created).map_err(Error::io(path))?;
    file.fill(bytes, IfTaken::Replace, watch)
}

/// Replaces a file that nobody else is writing, because the caller has its lock or its folder. Those
/// who could read the old one can read the new one.
///
/// The hidden file is `scratch`, on the same file system: one that a crash left there is
/// overwritten, so that scraps do not pile up.
pub fn replace_by_only_writer(
    scratch: &Path,
    path: &Path,
    bytes: &[u8],
    watch: WatchSteps<'_>,
) -> Result<(), Error> {
    let file = PendingFile::at(scratch, path)?;
    watch(WriteStep::Created).map_err(Error::io(path))?;
    if let Ok(old) = path.metadata() {
        platform::share_like(file.file.as_file(), &old).map_err(Error::io(path))?;
    }
    file.fill(bytes, IfTaken::Replace, watch)
}

/// Removes a file for good; one that is not there is no error.
pub fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io(path)(e)),
        Ok(()) => platform::flush_folder(folder_of(path)).map_err(Error::unflushed(path)),
    }
}

/// What becomes of a file that has the name already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IfTaken {
    /// The new one takes its place.
    Replace,
    /// It keeps its place, and the new one is given up.
    Refuse,
}

impl IfTaken {
    /// Replaced by those who ask for it.
    pub fn replace_if(asked: bool) -> IfTaken {
        if asked {
            IfTaken::Replace
        } else {
            IfTaken::Refuse
        }
    }
}

/// A file that is being written, and appears under its name when it is complete. Dropped before
/// that, it never was.
#[derive(Debug)]
pub struct PendingFile {
    file: NamedTempFile,
    place: PathBuf,
}

impl PendingFile {
    /// A file that is written beside its place.
    pub fn beside(place: &Path) -> Result<PendingFile, Error> {
        PendingFile::in_folder(folder_of(place), place)
    }

    /// A file that is written in another folder of the same file system.
    fn in_folder(scratch: &Path, place: &Path) -> Result<PendingFile, Error> {
        // such files are 0600 from the moment they exist
        let file = tempfile::Builder::new()
            .prefix(".writing-")
            .tempfile_in(scratch);
        Ok(PendingFile {
            file: file.map_err(Error::io(place))?,
            place: place.to_owned(),
        })
    }

    /// A file that is written under a hidden name which nobody else uses.
    fn at(scratch: &Path, place: &Path) -> Result<PendingFile, Error> {
        let created = || -> io::Result<NamedTempFile> {
            match fs::remove_file(scratch) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
                _ => {}
            }
            // a new file, and never one that a link leads to
            let file = create_private_file(scratch)?;
            let guard = TempPath::try_from_path(scratch)?;
            Ok(NamedTempFile::from_parts(file, guard))
        };
        Ok(PendingFile {
            file: created().map_err(Error::io(place))?,
            place: place.to_owned(),
        })
    }

    /// Flushes the file and gives it its name.
    ///
    /// An error does not always mean that it has not got it: see [`Error::Unflushed`].
    pub fn commit(self, if_taken: IfTaken) -> Result<(), Error> {
        self.finish(if_taken, &unwatched)
    }

    /// The same for a result that can be made again: once it has its name all is well, even if the
    /// system does not confirm that it will last.
    pub fn commit_result(self, if_taken: IfTaken) -> Result<(), Error> {
        match self.commit(if_taken) {
            Err(Error::Unflushed { .. }) => Ok(()),
            other => other,
        }
    }

    fn fill(mut self, bytes: &[u8], if_taken: IfTaken, watch: WatchSteps<'_>) -> Result<(), Error> {
        self.write_all(bytes)
            .and_then(|()| watch(WriteStep::Written))
            .map_err(Error::io(&self.place))?;
        self.finish(if_taken, watch)
    }

    fn finish(self, if_taken: IfTaken, watch: WatchSteps<'_>) -> Result<(), Error> {
        let PendingFile { file, place } = self;
        file.as_file()
            .sync_all()
            .and_then(|()| watch(WriteStep::Flushed))
            .map_err(Error::io(&place))?;
        // the file is closed first: some systems do not rename one that is open
        let hidden = file.into_temp_path();
        match if_taken {
            IfTaken::Replace => hidden
                .persist(&place)
                .map_err(|e| Error::io(&place)(e.error))?,
            IfTaken::Refuse => hidden
                .persist_noclobber(&place)
                .map_err(|e| Error::naming(&place)(e.error))?,
        }
        watch(WriteStep::Renamed)
            .and_then(|()| platform::flush_folder(folder_of(&place)))
            .and_then(|()| watch(WriteStep::FolderFlushed))
            .map_err(Error::unflushed(&place))
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // through the file itself: errors of the temporary one would tell its hidden name
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// A new file for its owner alone.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    platform::private_file(&mut options);
    options.open(path)
}

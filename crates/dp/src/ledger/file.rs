//! The file of a ledger: read within limits, replaced at once.
//!
//! A new version is written to `.NAME.new` in the same folder, flushed, and renamed over the old
//! one: a crash leaves the old ledger or the new one. The caller holds the lock, so that nobody
//! else has a `.NAME.new`; one that a crash left behind is removed.

use super::{LedgerProblem, line};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Room for more than a hundred thousand entries.
const MOST_BYTES: u64 = 64 << 20;

/// What has just been done to the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Locked,
    Read,
    Created,
    Written,
    Flushed,
    Renamed,
    FolderFlushed,
    Marked,
}

/// What happens after each step: nothing, except in tests.
pub(super) trait Disk {
    fn done(&self, step: Step) -> Result<(), LedgerProblem>;
}

/// The real one.
pub(super) struct Real;

impl Disk for Real {
    fn done(&self, _: Step) -> Result<(), LedgerProblem> {
        Ok(())
    }
}

/// Where a ledger really is. A file with two names is refused: replacing one would leave the other
/// behind.
pub(super) fn place(path: &Path) -> Result<PathBuf, LedgerProblem> {
    let path = path.canonicalize().map_err(missing)?;
    // looked at before it is opened: opening a pipe would wait for a writer
    let found = path.metadata().map_err(missing)?;
    match found.nlink() {
        _ if !found.is_file() => Err(LedgerProblem::NotAFile),
        names @ 2.. => Err(LedgerProblem::HardLinks { names }),
        _ => Ok(path),
    }
}

fn missing(error: io::Error) -> LedgerProblem {
    match error.kind() {
        io::ErrorKind::NotFound => LedgerProblem::Missing,
        _ => LedgerProblem::io("find it")(error),
    }
}

/// Where a new ledger is to be, with its folder's links followed.
pub(super) fn new_place(path: &Path) -> Result<PathBuf, LedgerProblem> {
    let name = path.file_name().ok_or(LedgerProblem::NotAFile)?;
    let parent = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    Ok(parent
        .canonicalize()
        .map_err(LedgerProblem::io("find its folder"))?
        .join(name))
}

/// The text of a ledger.
pub(super) fn read(path: &Path) -> Result<String, LedgerProblem> {
    let file = File::open(path).map_err(LedgerProblem::io("read it"))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(LedgerProblem::io("read it"))?;
    if bytes.is_empty() {
        return Err(LedgerProblem::Empty);
    }
    if bytes.len() as u64 > MOST_BYTES {
        return Err(LedgerProblem::TooLarge { most: MOST_BYTES });
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        LedgerProblem::NotUtf8 {
            line: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
        }
    })?;
    line::check_schema(&text)?;
    Ok(text)
}

/// Puts a text in the place of a file. Where it fails before the renaming, the file is as it was.
pub(super) fn replace(path: &Path, text: &str, disk: &dyn Disk) -> Result<(), LedgerProblem> {
    if text.len() as u64 > MOST_BYTES {
        return Err(LedgerProblem::TooLarge { most: MOST_BYTES });
    }
    let folder = path.parent().ok_or(LedgerProblem::NotAFile)?;
    let new = beside(path).ok_or(LedgerProblem::NotAFile)?;
    // those who shared the old one share the new one
    let mode = path.metadata().map_or(0o600, |old| old.mode() & 0o777);
    let written = write(&new, text, mode, disk)
        .and_then(|()| fs::rename(&new, path).map_err(LedgerProblem::io("write it")));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written?;
    disk.done(Step::Renamed).map_err(unflushed)?;
    let flushed = File::open(folder).and_then(|folder| folder.sync_all());
    flushed.map_err(|source| LedgerProblem::Unflushed { source })?;
    disk.done(Step::FolderFlushed).map_err(unflushed)
}

fn write(new: &Path, text: &str, mode: u32, disk: &dyn Disk) -> Result<(), LedgerProblem> {
    let failed = LedgerProblem::io("write it");
    match fs::remove_file(new) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(failed(e)),
        _ => {}
    }
    // a new file, and never one that a link leads to
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(new)
        .map_err(&failed)?;
    disk.done(Step::Created)?;
    file.set_permissions(Permissions::from_mode(mode))
        .map_err(&failed)?;
    file.write_all(text.as_bytes()).map_err(&failed)?;
    disk.done(Step::Written)?;
    file.sync_all().map_err(&failed)?;
    disk.done(Step::Flushed)
}

/// `.NAME.new`.
fn beside(path: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(".");
    name.push(path.file_name()?);
    name.push(".new");
    Some(path.with_file_name(name))
}

/// Once the new file has its name, an error no longer means that nothing was spent.
fn unflushed(problem: LedgerProblem) -> LedgerProblem {
    match problem {
        LedgerProblem::Io { source, .. } => LedgerProblem::Unflushed { source },
        other => other,
    }
}

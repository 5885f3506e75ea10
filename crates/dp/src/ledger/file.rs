//! The file of a ledger: read within limits, replaced at once.
//!
//! A new version is written to `.NAME.new` in the same folder, flushed, and renamed over the old
//! one: a crash leaves the old ledger or the new one. The caller holds the lock, so that nobody
//! else has a `.NAME.new`; one that a crash left behind is removed.

use super::{LedgerProblem, line};
use mingle_disk::{WriteStep, folder_of, hidden_beside, names_of, replace_by_only_writer};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Room for more than a hundred thousand entries.
const MOST_BYTES: u64 = 64 << 20;

/// What has just been done to the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Locked,
    Read,
    Replacing(WriteStep),
    Marked,
}

/// What happens after each step: nothing, except in tests.
pub(super) trait Disk {
    fn after(&self, step: Step) -> io::Result<()>;

    fn done(&self, step: Step) -> Result<(), LedgerProblem> {
        self.after(step).map_err(LedgerProblem::io("go on"))
    }
}

/// The real one.
pub(super) struct Real;

impl Disk for Real {
    fn after(&self, _: Step) -> io::Result<()> {
        Ok(())
    }
}

/// Where a ledger really is. A file with two names is refused: replacing one would leave the other
/// behind.
pub(super) fn place(path: &Path) -> Result<PathBuf, LedgerProblem> {
    let path = path.canonicalize().map_err(missing)?;
    // looked at before it is opened: opening a pipe would wait for a writer
    let found = path.metadata().map_err(missing)?;
    if !found.is_file() {
        return Err(LedgerProblem::NotAFile);
    }
    let names = names_of(&found);
    if names > 1 {
        return Err(LedgerProblem::HardLinks { names });
    }
    Ok(path)
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
    let folder = folder_of(path)
        .canonicalize()
        .map_err(LedgerProblem::io("find its folder"))?;
    Ok(folder.join(name))
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

/// Puts a text in the place of a file. Where it fails before the renaming, the file is as it was;
/// once the new file has its name, an error no longer means that nothing was spent.
pub(super) fn replace(path: &Path, text: &str, disk: &dyn Disk) -> Result<(), LedgerProblem> {
    if text.len() as u64 > MOST_BYTES {
        return Err(LedgerProblem::TooLarge { most: MOST_BYTES });
    }
    let new = hidden_beside(path, "new");
    let watch = |step| disk.after(Step::Replacing(step));
    replace_by_only_writer(&new, path, text.as_bytes(), &watch).map_err(|error| match error {
        mingle_disk::Error::Unflushed { source, .. } => LedgerProblem::Unflushed { source },
        other => LedgerProblem::io("write it")(other.into_source()),
    })
}

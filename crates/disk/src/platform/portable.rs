//! What the standard library can do on every system; Windows has no more than this here.
//!
//! Who may read a new file follows from its folder (access control lists are inherited), so a
//! folder in the user's own profile is private. A folder cannot be opened as a file and hence not
//! be flushed; NTFS writes names through its journal.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Inherited from the folder.
pub(crate) fn private_file(_: &mut OpenOptions) {}

/// Inherited from the folder around it.
pub(crate) fn private_folder(_: &mut DirBuilder) {}

/// Inherited from the folder around it.
pub(crate) fn for_the_owner(_: &mut tempfile::Builder<'_, '_>) {}

/// Inherited from the folder, as those of the old file were.
pub(crate) fn share_like(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// The bits that would say so are not there.
pub(crate) fn is_open_to_others(_: &Metadata) -> bool {
    false
}

/// The standard library does not tell.
pub(crate) fn names_of(_: &Metadata) -> u64 {
    1
}

/// When the file was made, where the system knows.
pub(crate) fn change_stamp(file: &Metadata) -> [i64; 3] {
    let since_epoch = file
        .created()
        .ok()
        .and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    match since_epoch {
        Some(at) => [0, at.as_secs() as i64, i64::from(at.subsec_nanos())],
        None => [0; 3],
    }
}

/// Left to the file system's journal.
pub(crate) fn flush_folder(folder: &Path) -> io::Result<()> {
    // one that is not there is an error on every system
    folder.metadata().map(drop)
}

/// The standard library does not tell.
pub(crate) fn is_the_file_at(_: &File, _: &Path) -> Option<bool> {
    None
}

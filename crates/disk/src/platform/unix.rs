//! POSIX.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// A new file is for its owner alone from the moment it exists.
pub(crate) fn private_file(options: &mut OpenOptions) {
    options.mode(0o600);
}

/// The same of a folder.
pub(crate) fn private_folder(builder: &mut DirBuilder) {
    builder.mode(0o700);
}

/// The same of a temporary folder.
pub(crate) fn for_the_owner(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(Permissions::from_mode(0o700));
}

/// Those who shared the old file share the new one.
pub(crate) fn share_like(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(old.mode() & 0o777))
}

pub(crate) fn is_open_to_others(found: &Metadata) -> bool {
    found.mode() & 0o077 != 0
}

pub(crate) fn names_of(file: &Metadata) -> u64 {
    file.nlink()
}

pub(crate) fn change_stamp(file: &Metadata) -> [i64; 3] {
    [file.ino() as i64, file.ctime(), file.ctime_nsec()]
}

/// A rename is on the disk only once its folder is.
pub(crate) fn flush_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Whether an open file is the one that has this name now. `None` where nobody can tell.
pub(crate) fn is_the_file_at(file: &File, path: &Path) -> Option<bool> {
    let (Ok(held), Ok(there)) = (file.metadata(), path.metadata()) else {
        return Some(false);
    };
    Some((held.dev(), held.ino()) == (there.dev(), there.ino()))
}

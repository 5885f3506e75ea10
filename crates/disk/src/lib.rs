//! Files and folders that are there whole or not at all, even after a power cut; locks; and
//! permissions.
//!
//! | concept | what it promises |
//! |---|---|
//! | [`create`], [`replace`], [`remove`] | a small file: old or new, never half of it |
//! | [`PendingFile`] | a large file, written piece by piece, that appears when it is complete |
//! | [`StagingFolder`], [`Destination`] | a whole folder that takes its place in one step |
//! | [`LockFile`] | one run at a time, until the process ends, however it ends |
//! | [`create_private_folder`], [`is_open_to_others`] | nobody else looks |
//!
//! All of them work alike: bytes go to a hidden name on the same file system, are flushed, and are
//! renamed into place; the folder is flushed last, because a rename that is not on the disk did not
//! happen. Files are 0600 and folders 0700 from the moment they exist. What is replaced is a name,
//! so a link is replaced by a file and what it leads to stays as it was.
//!
//! Assumed: the file system keeps what it has flushed, and renames in one step.
//!
//! # Platforms
//!
//! Permission bits, flushing of folders and the identity of files are POSIX; exchanging two folders
//! in one step is known to Linux and macOS. Elsewhere (Windows) new files inherit who may read them
//! from their folder, the file system's own journal keeps a rename, the old folder is moved aside
//! before the new one comes, and lock files stay where they are. That code is chosen by
//! `cfg(not(unix))`, and on any system with `--cfg mingle_portable`, so that it is compiled and
//! tested where the house is built:
//!
//! ```text
//! RUSTFLAGS="--cfg mingle_portable" cargo test -p mingle-disk --target-dir target/portable
//! ```
#![forbid(unsafe_code)]

mod error;
mod file;
mod folder;
mod lock;
mod permissions;
mod platform;
mod staging;
mod step;
#[cfg(test)]
mod tests;

pub use error::{Error, is_disk_full};
pub use file::{
    IfTaken, PendingFile, create, remove, replace, replace_by_only_writer, replace_via,
};
pub use folder::{create_private_folder, flush_folder, folder_of, hidden_beside};
pub use lock::LockFile;
pub use permissions::{change_stamp, is_open_to_others, names_of, private_temporary_folder};
pub use staging::{Destination, Occupant, StagingFolder};
pub use step::{WatchSteps, WriteStep, unwatched};

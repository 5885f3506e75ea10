//! What has just been done to the disk, for whoever wants to see what an end at that step leaves
//! behind.

use std::io;

/// What has just been done to the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteStep {
    /// The new file has a hidden name, and nothing in it.
    Created,
    /// It has all its bytes.
    Written,
    /// The bytes are on the disk.
    Flushed,
    /// An old folder was moved out of the way, where the system cannot exchange two.
    MovedAside,
    /// The new file or folder has its name.
    Renamed,
    /// The name is on the disk.
    FolderFlushed,
}

/// Told after each step; an error is taken for one of the system. Nobody watches, except in tests.
pub type WatchSteps<'a> = &'a dyn Fn(WriteStep) -> io::Result<()>;

/// Nobody watches.
pub fn unwatched(_: WriteStep) -> io::Result<()> {
    Ok(())
}

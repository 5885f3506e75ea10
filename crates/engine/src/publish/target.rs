//! Where a release goes.

use crate::failure;
use crate::run::Run;
use mingle_record::Problem;
use std::path::{Path, PathBuf};

/// A folder that a release is written to.
#[derive(Clone, Debug)]
pub struct ReleaseFolder {
    folder: PathBuf,
    replaces: bool,
}

impl ReleaseFolder {
    /// A folder that does not exist yet; its parent does.
    pub fn at(path: impl Into<PathBuf>) -> ReleaseFolder {
        ReleaseFolder {
            folder: path.into(),
            replaces: false,
        }
    }

    /// Whether a release that is there already is replaced, at once.
    pub fn replacing(mut self, replaces: bool) -> ReleaseFolder {
        self.replaces = replaces;
        self
    }

    /// Whether a release could be written there now: hours of work should not end at a folder that
    /// is in the way.
    pub fn check(&self, run: &Run) -> Result<(), Problem> {
        self.place(run).check().map_err(|e| failure::release(&e))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The same for the room that writes.
    pub(crate) fn place<'a>(&'a self, run: &'a Run) -> mingle_release::Target<'a> {
        mingle_release::Target {
            folder: &self.folder,
            force: self.replaces,
            cancelled: run.cancel().flag(),
        }
    }
}

impl From<&str> for ReleaseFolder {
    fn from(path: &str) -> ReleaseFolder {
        ReleaseFolder::at(path)
    }
}

impl From<&Path> for ReleaseFolder {
    fn from(path: &Path) -> ReleaseFolder {
        ReleaseFolder::at(path)
    }
}

impl From<PathBuf> for ReleaseFolder {
    fn from(path: PathBuf) -> ReleaseFolder {
        ReleaseFolder::at(path)
    }
}

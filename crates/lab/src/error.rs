//! Why an experiment ended without a result.

use thiserror::Error;

/// What went wrong. Settings and file names, never values of the data.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The folder lacks a file of the Adult data.
    #[error("{folder}: there is no {file}")]
    NoData {
        /// The folder as it was given.
        folder: String,
        /// The file within it.
        file: String,
    },
    /// The experiment needs more rows.
    #[error("the data have {rows} complete rows, but the experiment needs {needed}")]
    TooFewRows {
        /// Rows that there are.
        rows: usize,
        /// Rows that are needed.
        needed: usize,
    },
    /// Two ways that must agree do not: a defect of one of them.
    #[error("{one} and {other} disagree ({cell})")]
    Disagreement {
        /// The setting.
        cell: String,
        /// One way.
        one: String,
        /// The other.
        other: String,
    },
    /// A method made what does not hold: a defect.
    #[error("the release of {method} was refused ({cell})")]
    Refused {
        /// The setting.
        cell: String,
        /// The method.
        method: &'static str,
    },
    /// A search gave no verdict where the experiment compares verdicts.
    #[error("{strategy} did not decide ({cell})")]
    Undecided {
        /// The setting.
        cell: String,
        /// The strategy.
        strategy: &'static str,
    },
    /// Reading the data failed.
    #[error(transparent)]
    Data(#[from] mingle_io::Error),
    /// Rows could not be made up.
    #[error(transparent)]
    Synth(#[from] mingle_synth::Error),
    /// A sample of the data could not be encoded.
    #[error("column {column}: {source}")]
    Column {
        /// The column.
        column: String,
        /// Why.
        source: mingle_model::DomainError,
    },
    /// The promises do not fit the data.
    #[error(transparent)]
    Privacy(#[from] mingle_privacy::Error),
    /// Releases could not be laid over people.
    #[error(transparent)]
    Composition(#[from] mingle_privacy::composition::Error),
    /// A release with noise could not be made.
    #[error(transparent)]
    Noise(#[from] mingle_dp::Error),
    /// A release could not be compared with its original.
    #[error(transparent)]
    Utility(#[from] mingle_assess::utility::Error),
    /// A file could not be written.
    #[error("cannot write {file}")]
    Write {
        /// The file's name.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// Stopped from outside.
    #[error("cancelled")]
    Cancelled,
}

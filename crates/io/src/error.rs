//! What can go wrong with bytes. Positions and names, never cells.

use std::io;
use thiserror::Error;

/// Why something could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The output refused bytes: disk full, no permission, closed pipe.
    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
    /// The Parquet encoder refused.
    #[error("cannot encode Parquet")]
    ParquetWrite,
    /// A column's texts do not fit the kind it should be written as.
    #[error("column {column:?}: a value cannot be written as {kind}")]
    WrongKind {
        /// The column's name.
        column: String,
        /// The kind it was declared with.
        kind: &'static str,
    },
    /// A row that does not fit the columns of the writer.
    #[error("row {row} does not fit the {columns} columns of the output")]
    RowShape {
        /// The row, counted from 1.
        row: u64,
        /// The writer's columns.
        columns: usize,
    },
}

//! Untrusted bytes in, safe bytes out. Every limit on input lives here.
//!
//! Inwards, [`read_table`] turns CSV and Parquet files into the model's encoded columns,
//! [`read_raw`] looks at files before there is a policy, and [`read_hierarchy`] reads hierarchy
//! files. Outwards, [`RowWriter`] writes rows of dictionary codes as CSV or Parquet: cells a
//! spreadsheet would run are guarded, Parquet dictionaries hold only what was written, and equal
//! rows give equal bytes.
//!
//! Errors say where (file, line, column name) and never what: no message of this crate contains a
//! cell.
#![forbid(unsafe_code)]

mod error;
mod guard;
mod hash;
mod limits;
mod read;
mod write;

pub use error::Error;
pub use guard::{guard, unguard};
pub use hash::{FileHash, HashingWriter};
pub use limits::Limits;
pub use read::{
    Input, RawTable, ReadOptions, Source, Undeclared, read_header, read_hierarchy, read_raw,
    read_table,
};
pub use write::{Format, OutColumn, OutKind, RowWriter};

//! Untrusted bytes in, safe bytes out. Every limit on input lives here.
//!
//! Outwards, [`RowWriter`] writes rows of dictionary codes as CSV or Parquet: cells a spreadsheet would run are
//! guarded, Parquet dictionaries hold only what was written, and equal rows give equal bytes.
//!
//! Errors say where (file, line, column name) and never what: no message of this crate contains a cell.
#![forbid(unsafe_code)]

mod error;
mod guard;
mod hash;
mod write;

pub use error::Error;
pub use guard::{guard, unguard};
pub use hash::{FileHash, HashingWriter};
pub use write::{Format, OutColumn, OutKind, RowWriter};

//! Untrusted bytes in, safe bytes out. Every limit on input lives here.
//!
//! Inwards, [`read_table`] and [`read_selection`] turn whatever can be scanned ([`Scan`]: CSV and
//! Parquet files, Arrow batches, texts in memory, and what other crates add) into the model's
//! encoded columns, [`read_counted`] does so with rows that a source has counted by itself,
//! [`read_raw`] looks at tables before there is a policy, and [`read_hierarchy`] reads hierarchy
//! files. Outwards, [`RowWriter`] writes rows of dictionary codes as CSV or Parquet: cells a
//! spreadsheet would run are guarded, Parquet dictionaries hold only what was written, and equal
//! rows give equal bytes.
//!
//! Errors say where (file, line, column name) and never what: no message of this crate contains a
//! cell.
#![forbid(unsafe_code)]

mod database_flaw;
mod detect;
mod error;
mod expected_panic;
mod format;
mod guard;
mod hash;
mod limits;
mod read;
mod sheet_flaw;
mod small_file;
mod ways;
mod write;

pub use database_flaw::DatabaseFlaw;
pub use detect::{
    DateEvidence, DetectedColumn, DetectedDates, DetectedFormat, EncodingEvidence, HeaderEvidence,
};
pub use error::{AmbiguousDays, DifferingKinds, Error, JsonFlaw};
pub use expected_panic::{caught_if_it_panics, panic_is_expected};
pub use format::{DateFormat, DecimalMark, Encoding, HeaderLine, InputFormat, TableFormat};
pub use guard::{FormulaGuard, guard, unguard};
pub use hash::{FileHash, HashingWriter};
pub use limits::Limits;
pub use read::{
    ArrowStream, ArrowTable, Batch, CountedInput, Counts, FileStamp, FirstLine, Input, Keep, Link,
    LinkedColumn, Pass, RawTable, ReadOptions, RepeatedIdentifier, SOLE_PROVIDER, Scan, SeenPeople,
    Selection, SeparatedColumn, Source, TextTable, Undeclared, WantedColumn, WantedPerson,
    check_names, detect, read_counted, read_header, read_hierarchy, read_raw, read_raw_selection,
    read_selection, read_table, written_differently,
};
pub use sheet_flaw::{CellFlaw, SheetFlaw};
pub use small_file::read_small_file;
pub use ways::{DECIMAL_COMMA, ISO_DAY, NUMBER, Ways, WaysOfWriting};
pub use write::{Format, OutColumn, OutKind, RowWriter};

//! What can go wrong with bytes. Positions and names, never cells.

use crate::sheet_flaw::SheetFlaw;
use mingle_model::DomainError;
use mingle_model::{counted, plural};
use std::io;
use thiserror::Error;

/// Why something could not be read or written. `file` is the name the policy gives, `line` counts
/// from 1 and the header is part of it; in Parquet it is the row. Of Arrow batches `file` names the
/// source and the batch, and `line` is the row of the batch.
#[derive(Debug, Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum Error {
    #[error("cannot read {file}: {source}")]
    Unreadable { file: String, source: io::Error },
    #[error("{file} is empty")]
    EmptyFile { file: String },
    #[error(
        "there are no rows below the header ({} read, the first is {file})",
        counted(.files, "file")
    )]
    NoRows { file: String, files: usize },
    #[error("{file} looks like {found}; expected CSV, JSON Lines, Parquet, XLSX or ODS")]
    UnsupportedFile { file: String, found: &'static str },
    #[error("{file} looks like {found}, and its name or `format` says {said}")]
    OtherFormat {
        file: String,
        found: &'static str,
        said: &'static str,
    },
    #[error("{file} was changed while it was read")]
    Changed { file: String },

    #[error("{file}: the header is not valid UTF-8")]
    HeaderNotUtf8 { file: String },
    #[error(
        "{file}: the first line may be a record, not a header: {} {} {}",
        plural(.columns.len(), "the name of column", "the names of columns"),
        numbers(.columns),
        plural(.columns.len(), "looks like a value", "look like values"),
    )]
    HeaderDoubtful { file: String, columns: Vec<usize> },
    #[error(
        "{file}: the first line may be a record, not a header: nothing distinguishes it from the lines below"
    )]
    HeaderUnclear { file: String },
    #[error("{file}: {format} has a name for every column, so `header = false` cannot be meant")]
    NamesItself { file: String, format: &'static str },
    #[error(
        "{file}: the first line names the columns, though `header = false` says that it is a record"
    )]
    HeaderThere { file: String },
    #[error("{file}, line {line}: the header occurs here again, as if files were joined")]
    HeaderRepeated { file: String, line: u64 },
    #[error("{file}, line {line}: {}, and `names` has {expected}", counted(.found, "field"))]
    NamesCount {
        file: String,
        line: u64,
        expected: usize,
        found: usize,
    },
    #[error("{file}: columns {} have the same name", numbers(.columns))]
    DuplicateColumn { file: String, columns: Vec<usize> },
    #[error("{file}: {}; the file has {}", missing(.columns), names(.found))]
    MissingColumns {
        file: String,
        columns: Vec<String>,
        found: Vec<String>,
    },
    #[error("{file}: {}", missing(.columns))]
    MissingEverywhere { file: String, columns: Vec<String> },
    #[error(
        "{file} and {first} do not have the same columns: {lacking} of {first} are missing in \
             {file}, and {additional} of {file} in {first}"
    )]
    OtherColumns {
        file: String,
        first: String,
        lacking: usize,
        additional: usize,
    },
    #[error("{file}: the first line names none of the columns {}", names(.columns))]
    NoHeader { file: String, columns: Vec<String> },
    #[error("{file}: the provider column {column:?} is missing; the file has {}", names(.found))]
    MissingProviderColumn {
        file: String,
        column: String,
        found: Vec<String>,
    },
    #[error(
        "{file}: {} {} {} not declared in the policy",
        plural(.columns.len(), "column", "columns"),
        names(.columns),
        plural(.columns.len(), "is", "are")
    )]
    UndeclaredColumns { file: String, columns: Vec<String> },

    #[error("{file}, line {line}: {}, expected {expected} as in the header", counted(.found, "field"))]
    RaggedRow {
        file: String,
        line: u64,
        expected: usize,
        found: usize,
    },
    #[error("{file}, line {line}, column {column:?}: not valid UTF-8")]
    InvalidUtf8 {
        file: String,
        line: u64,
        column: String,
    },
    #[error("{file}, line {line}: bytes that are no character in {encoding}")]
    NotInEncoding {
        file: String,
        line: u64,
        encoding: &'static str,
    },
    #[error(
        "{file}, line {line}: characters in UTF-8 beside bytes that are none: two encodings in one file"
    )]
    MixedEncodings { file: String, line: u64 },
    #[error("{file}, line {line}: a NUL byte, which no text has")]
    NulByte { file: String, line: u64 },
    #[error("{file}, line {line}: a byte-order mark in the middle of the file")]
    StrayMark { file: String, line: u64 },
    #[error("{file}, line {line}: a carriage return without a line feed, outside quotes")]
    LoneCarriageReturn { file: String, line: u64 },
    #[error("{file}, line {line}: a quote that opens in this record is never closed")]
    UnclosedQuote { file: String, line: u64 },
    #[error("{file}: the gzip data are damaged or cut short")]
    GzipCorrupt { file: String },
    #[error("{file}: the Parquet data are damaged or of an unknown kind")]
    ParquetCorrupt { file: String },
    #[error("{file}, column {column:?}: values of this {format} type ({found}) cannot be used")]
    ColumnType {
        file: String,
        column: String,
        format: &'static str,
        found: &'static str,
    },
    #[error("{file}, batch {batch}: its columns are not those that the source declares")]
    BatchShape { file: String, batch: u64 },
    #[error("{file}, batch {batch}: the Arrow data are damaged")]
    BatchCorrupt { file: String, batch: u64 },
    #[error("{file}: the source failed before it gave batch {batch}")]
    SourceFailed { file: String, batch: u64 },
    #[error("{file} can be read only once")]
    AlreadyRead { file: String },
    #[error("{file}, column {column:?}: {found} rows where other columns have {expected}")]
    UnequalColumns {
        file: String,
        column: String,
        expected: usize,
        found: usize,
    },
    #[error("{file}: the source does not give one count for each of the rows that it counts")]
    CountsShape { file: String },
    #[error("{file}, row {row}, column {column:?}: a date outside the years 0000 to 9999")]
    DateOutOfRange {
        file: String,
        row: u64,
        column: String,
    },

    #[error("{file}, line {line}: {flaw}")]
    JsonLine {
        file: String,
        line: u64,
        flaw: JsonFlaw,
    },
    #[error("{file}: the keys of the first {lines} lines differ as if they were values")]
    KeysAreValues { file: String, lines: usize },
    #[error("standard input is a terminal")]
    Terminal,

    #[error("{file}{flaw}")]
    Sheet { file: String, flaw: SheetFlaw },

    #[error("{file}: a provider needs a name")]
    EmptyProviderName { file: String },
    #[error("{file}, line {line}: the provider column {column:?} has no value here")]
    EmptyProviderCell {
        file: String,
        line: u64,
        column: String,
    },
    #[error("{}", missing_people(.file, .column, *.missing, *.files, [*.in_all, *.rows]))]
    MissingPerson {
        file: String,
        column: String,
        missing: u64,
        files: usize,
        in_all: u64,
        rows: u64,
    },
    #[error(
        "column {column:?} has the same value in all {rows} rows, as if they were one person's"
    )]
    EverybodyIsOne { column: String, rows: u64 },
    #[error("the system gives no random numbers")]
    NoRandomness,
    #[error("column {column:?}: {source}")]
    Column { column: String, source: DomainError },
    #[error("{file}, line {line}, column {column:?}: expected {expected}")]
    NotAsWritten {
        file: String,
        line: u64,
        column: String,
        expected: String,
    },
    #[error("{0}")]
    KindsDiffer(Box<DifferingKinds>),
    #[error("{0}")]
    DaysAmbiguous(Box<AmbiguousDays>),

    #[error("{file}, line {line}, column {column:?}: a cell of more than {limit} bytes")]
    CellTooLong {
        file: String,
        line: u64,
        column: String,
        limit: usize,
    },
    #[error(
        "{file}, line {line}: a record of more than {limit} bytes; perhaps a quote is never closed"
    )]
    RecordTooLong {
        file: String,
        line: u64,
        limit: usize,
    },
    #[error("{file}: more than {limit} columns")]
    TooManyColumns { file: String, limit: usize },
    #[error("more than {limit} rows in total")]
    TooManyRows { limit: u64 },
    #[error("{file}: more than {limit} bytes")]
    FileTooLong { file: String, limit: usize },
    #[error("{file}: more than {limit} bytes when unpacked")]
    UnpackedTooLong { file: String, limit: u64 },
    #[error("keeping the rows takes more than {limit} bytes")]
    TooMuchToKeep { limit: u64 },

    #[error("cancelled")]
    Cancelled,

    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
    #[error("cannot encode Parquet")]
    ParquetWrite,
    #[error("column {column:?}: a value cannot be written as {kind}")]
    WrongKind { column: String, kind: &'static str },
    #[error("row {row} does not fit the {columns} columns of the output")]
    RowShape { row: u64, columns: usize },
}

/// A text of one provider where another has numbers or days only.
#[derive(Debug, Error)]
#[error(
    "{file}, line {line}, column {column:?}: provider {provider:?} has text here, where all values \
     of provider {other:?} are {values}"
)]
#[allow(missing_docs, reason = "the message says what each field is")]
pub struct DifferingKinds {
    pub file: String,
    pub line: u64,
    pub column: String,
    pub provider: String,
    pub other: String,
    pub values: String,
}

/// Days that could be others, where several providers have days.
#[derive(Debug, Error)]
#[error(
    "{file}, line {line}, column {column:?}: the days of provider {provider:?} can be read in several \
     ways ({}), and other providers may mean another one",
    .patterns.join(", ")
)]
#[allow(missing_docs, reason = "the message says what each field is")]
pub struct AmbiguousDays {
    pub file: String,
    pub line: u64,
    pub column: String,
    pub provider: String,
    pub patterns: Vec<&'static str>,
}

/// Why a line of JSON Lines is not a row.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum JsonFlaw {
    #[error("not one JSON object")]
    NotAnObject,
    #[error("not valid UTF-8")]
    NotUtf8,
    #[error("column {column:?}: an object or a list is no cell")]
    Nested { column: String },
    #[error("column {column:?}: the key is there twice")]
    RepeatedKey { column: String },
    #[error("a key that none of the first {lines} lines has")]
    LateKey { lines: usize },
}

impl Error {
    /// Whether a limit of this program was reached, as opposed to an input that is wrong.
    pub fn is_limit(&self) -> bool {
        matches!(
            self,
            Error::CellTooLong { .. }
                | Error::RecordTooLong { .. }
                | Error::TooManyColumns { .. }
                | Error::TooManyRows { .. }
                | Error::FileTooLong { .. }
                | Error::UnpackedTooLong { .. }
                | Error::TooMuchToKeep { .. }
        ) || matches!(self, Error::Sheet { flaw, .. } if flaw.is_limit())
    }
}

/// Which columns are missing.
fn missing(columns: &[String]) -> String {
    let noun = plural(columns.len(), "column", "columns");
    let verb = plural(columns.len(), "is", "are");
    format!("{noun} {} {verb} missing", names(columns))
}

/// How many rows do not say whose they are, and where.
fn missing_people(
    file: &str,
    column: &str,
    missing: u64,
    files: usize,
    [in_all, rows]: [u64; 2],
) -> String {
    let verb = plural(missing as usize, "row does", "rows do");
    let here = format!("{file}, column {column:?}: {missing} {verb} not say whose they are");
    if files > 1 {
        format!("{here}; {in_all} of {rows} rows in {files} files")
    } else {
        format!("{here}, of {rows} in all")
    }
}

/// Column numbers for a message.
fn numbers(all: &[usize]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = all.iter().take(SHOWN).map(usize::to_string).collect();
    let mut text = shown.join(", ");
    if all.len() > SHOWN {
        text.push_str(&format!(" and {} more", all.len() - SHOWN));
    }
    text
}

/// Column names for a message: quoted, so that they cannot control a terminal, and few and short,
/// because the header of a file without one is a row of cells.
fn names(all: &[String]) -> String {
    const SHOWN: usize = 20;
    const LENGTH: usize = 64;
    let name = |n: &String| match n.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{:?}…", &n[..end]),
        None => format!("{n:?}"),
    };
    let mut text = all
        .iter()
        .take(SHOWN)
        .map(name)
        .collect::<Vec<_>>()
        .join(", ");
    if all.len() > SHOWN {
        text.push_str(&format!(" and {} more", all.len() - SHOWN));
    }
    if all.is_empty() {
        "no columns".to_owned()
    } else {
        text
    }
}

//! What can be scanned: the one way in for tables, wherever they are.
//!
//! A [`Scan`] is a table that can be read from its start to its end. Opening it gives a [`Pass`],
//! which names its columns, is told which of them are wanted, and hands out [`Batch`]es that are
//! worked on in parallel and put back into their order. Files ([`Source`](super::Source)), Arrow
//! batches ([`ArrowTable`](super::ArrowTable)), streams of them
//! ([`ArrowStream`](super::ArrowStream)) and texts in memory ([`TextTable`](super::TextTable))
//! implement it; databases and clusters can, from outside this crate, with Arrow batches.
//!
//! Limits on what is taken are not a pass's business: whoever reads from it applies them.

use super::ReadOptions;
use super::csv::CsvBlock;
use super::first_line::FirstLine;
use super::json_lines::JsonBlock;
use super::parquet::ParquetFile;
use super::stamp::FileStamp;
use crate::error::Error;
use crate::format::TableFormat;
use crate::hash::FileHash;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use std::sync::Arc;

static PLAIN: TableFormat = TableFormat::PLAIN;

/// A table that can be scanned.
///
/// Names and errors may be shown to anybody who sees messages, so they must not quote a cell.
pub trait Scan: Send + Sync {
    /// What messages call it.
    fn name(&self) -> &str;

    /// Who contributed it, when it is one provider's table.
    fn provider(&self) -> Option<&str> {
        None
    }

    /// How its cells are written. Names, decimals, days and missing values are translated by
    /// whoever reads from it, so a source need only say it; the encoding, the delimiter, the header
    /// and the sheet are its own business.
    fn format(&self) -> &TableFormat {
        &PLAIN
    }

    /// About how many bytes will be read, or `None` if nobody knows. Small tables are read by one
    /// thread.
    fn size(&self) -> Option<u64> {
        None
    }

    /// Starts reading. Cheap: no more than the names and types of the columns is read yet.
    fn open<'s>(&'s self, options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error>;

    /// The distinct rows of these columns with the number of times each occurs, from a source that
    /// groups by itself, as `SELECT a, b, COUNT(*) … GROUP BY a, b` does. `None` from one that
    /// cannot: its rows are then read and grouped here. No count is zero.
    fn count_distinct(&self, columns: &[&str]) -> Option<Result<Counts, Error>> {
        let _ = columns;
        None
    }
}

/// One reading of a table, batch by batch.
pub trait Pass: Send {
    /// The columns in their order. Only types that are cells can be read; any may be there.
    fn schema(&self) -> SchemaRef;

    /// What the types of the schema are types of, for a message about one that is no cell.
    fn format(&self) -> &'static str {
        "Arrow"
    }

    /// Whether the names of the schema are a line of text, which may be a record.
    fn first_line(&self) -> FirstLine {
        FirstLine::None
    }

    /// What the file looked like when it was opened: one that looks otherwise after the last batch
    /// was read is refused.
    fn stamp(&self) -> Option<FileStamp> {
        None
    }

    /// Says which columns are wanted, one flag each. Called once, before the first batch; batches
    /// then have these columns and no others, in the schema's order.
    fn project(&mut self, wanted: &[bool]) -> Result<(), Error>;

    /// The next batch, or `None` at the end.
    fn next(&mut self) -> Result<Option<Batch>, Error>;

    /// Bytes read so far, for progress.
    fn bytes_read(&mut self) -> u64;

    /// The hash of the bytes that were read, once the end was reached; `None` where there are no
    /// bytes to hash, or where a batch brings the hash.
    fn hash(&mut self) -> Option<FileHash> {
        None
    }

    /// Takes back the memory of a block that is no longer needed.
    #[doc(hidden)]
    fn recycle(&mut self, block: Vec<u8>) {
        drop(block);
    }
}

/// A piece of a table that one thread works on.
pub struct Batch(pub(super) BatchContent);

/// CSV is not turned into Arrow arrays on its way: cells go from the block into the dictionaries,
/// which no array in between could make faster.
pub(super) enum BatchContent {
    /// Rows as Arrow arrays.
    Arrow(RecordBatch),
    /// The same from a source that numbers its rows through, and the number of the first.
    Numbered(RecordBatch, u64),
    /// Complete CSV records.
    Csv(CsvBlock),
    /// Complete lines of JSON objects.
    Json(JsonBlock),
    /// A row group of a Parquet file, decoded by the thread that works on it.
    RowGroup(Arc<ParquetFile>, usize),
    /// A Parquet file's bytes are read out of order, so they are hashed on their own.
    Hash(Arc<ParquetFile>),
}

impl Batch {
    /// Rows of a source that numbers its rows through: messages say where a row is by its number,
    /// and these follow one another from `first_row` on.
    pub fn numbered(rows: RecordBatch, first_row: u64) -> Self {
        Batch(BatchContent::Numbered(rows, first_row))
    }
}

impl From<RecordBatch> for Batch {
    fn from(batch: RecordBatch) -> Self {
        Batch(BatchContent::Arrow(batch))
    }
}

/// Distinct rows and how often each occurs. No `Debug`: rows are cells.
pub struct Counts {
    /// The columns: exactly those that were asked for, in any order.
    pub schema: SchemaRef,
    /// The rows.
    pub rows: Vec<RecordBatch>,
    /// Per row of all batches together the number of times it occurs.
    pub counts: Vec<u64>,
    /// The hash of what was sent, where there is one.
    pub hash: Option<FileHash>,
}

macro_rules! scan_through {
    ($($pointer:ty),*) => {$(
        impl<T: Scan + ?Sized> Scan for $pointer {
            fn name(&self) -> &str {
                (**self).name()
            }

            fn provider(&self) -> Option<&str> {
                (**self).provider()
            }

            fn format(&self) -> &TableFormat {
                (**self).format()
            }

            fn size(&self) -> Option<u64> {
                (**self).size()
            }

            fn open<'s>(
                &'s self,
                options: &'s ReadOptions<'s>,
            ) -> Result<Box<dyn Pass + 's>, Error> {
                (**self).open(options)
            }

            fn count_distinct(&self, columns: &[&str]) -> Option<Result<Counts, Error>> {
                (**self).count_distinct(columns)
            }
        }
    )*};
}

scan_through!(&T, Box<T>, Arc<T>);

//! Rows as Parquet.
//!
//! Rows are gathered into batches of plain values, so the encoder builds its dictionaries from what
//! is written and a text that no row uses cannot get into the file. Row groups are written as they
//! fill up: memory does not grow with the number of rows.

use super::{OutColumn, OutKind, integer, numbered};
use crate::error::Error;
use arrow_array::{ArrayRef, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use mingle_model::date;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows handed to the encoder at once.
const BATCH: usize = 1 << 14;
/// Rows of a row group: small enough to read several in parallel, large enough for dictionaries to
/// pay.
const ROW_GROUP: usize = 1 << 18;

pub(super) struct ParquetRows<W: Write + Send> {
    writer: ArrowWriter<Watched<W>>,
    refused: Refusal,
    schema: SchemaRef,
    columns: Vec<Values>,
    /// Codes of the batch, column by column.
    codes: Vec<Vec<u32>>,
}

/// A column's dictionary in the type it is written as; `None` is missing.
enum Values {
    Text(Vec<Option<String>>),
    Integer(Vec<Option<i64>>),
    Date(Vec<Option<i32>>),
    Number(Vec<Option<f64>>),
    Numbered(String),
}

impl<W: Write + Send> ParquetRows<W> {
    pub(super) fn new(out: W, columns: Vec<OutColumn>) -> Result<Self, Error> {
        let field = |c: &OutColumn| {
            let data_type = match c.kind {
                OutKind::Text | OutKind::Numbered => DataType::Utf8,
                OutKind::Integer => DataType::Int64,
                OutKind::Date => DataType::Date32,
                OutKind::Number => DataType::Float64,
            };
            Field::new(&c.name, data_type, c.missing.is_some())
        };
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let properties = WriterProperties::builder()
            .set_created_by("mingle".to_owned())
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .build();
        // without the Arrow schema, so that readers see plain Parquet types and nothing depends on
        // Arrow's version
        let options = ArrowWriterOptions::new()
            .with_properties(properties)
            .with_skip_arrow_metadata(true);
        let refused = Refusal::default();
        let out = Watched {
            out,
            refused: refused.clone(),
        };
        let writer = ArrowWriter::try_new_with_options(out, schema.clone(), options)
            .map_err(|_| write_error(&refused))?;
        let columns: Vec<Values> = columns
            .into_iter()
            .map(Values::new)
            .collect::<Result<_, _>>()?;
        let codes = columns.iter().map(|_| Vec::with_capacity(BATCH)).collect();
        Ok(ParquetRows {
            writer,
            refused,
            schema,
            columns,
            codes,
        })
    }

    pub(super) fn row(&mut self, codes: &[u32], mut count: u64) -> Result<(), Error> {
        while count > 0 {
            let held = self.codes.first().map_or(0, Vec::len);
            let now = count.min((BATCH - held) as u64);
            for (column, &code) in self.codes.iter_mut().zip(codes) {
                column.extend(std::iter::repeat_n(code, now as usize));
            }
            count -= now;
            if held + now as usize == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        let arrays = self
            .columns
            .iter()
            .zip(&self.codes)
            .map(|(values, codes)| values.array(codes))
            .collect();
        let batch =
            RecordBatch::try_new(self.schema.clone(), arrays).map_err(|_| Error::ParquetWrite)?;
        self.codes.iter_mut().for_each(Vec::clear);
        self.writer
            .write(&batch)
            .map_err(|_| write_error(&self.refused))
    }

    pub(super) fn finish(mut self) -> Result<W, Error> {
        if self.codes.first().is_some_and(|c| !c.is_empty()) {
            self.flush()?;
        }
        let mut written = self
            .writer
            .into_inner()
            .map_err(|_| write_error(&self.refused))?;
        written.out.flush().map_err(Error::Write)?;
        Ok(written.out)
    }
}

impl Values {
    fn new(column: OutColumn) -> Result<Self, Error> {
        let OutColumn {
            name,
            kind,
            texts,
            missing,
        } = column;
        let texts = (0..)
            .zip(texts)
            .map(|(code, text)| (Some(code) != missing).then_some(text));
        let wrong = || Error::WrongKind {
            column: name.clone(),
            kind: kind.name(),
        };
        Ok(match kind {
            OutKind::Text => Values::Text(texts.collect()),
            OutKind::Numbered => Values::Numbered(texts.flatten().collect()),
            OutKind::Integer => Values::Integer(read_all(texts, integer).ok_or_else(wrong)?),
            OutKind::Date => Values::Date(read_all(texts, date::parse).ok_or_else(wrong)?),
            OutKind::Number => Values::Number(read_all(texts, number).ok_or_else(wrong)?),
        })
    }

    fn array(&self, codes: &[u32]) -> ArrayRef {
        match self {
            Values::Text(texts) => Arc::new(
                codes
                    .iter()
                    .map(|&c| texts[c as usize].as_deref())
                    .collect::<StringArray>(),
            ),
            Values::Numbered(prefix) => Arc::new(
                codes
                    .iter()
                    .map(|&c| Some(numbered(prefix, c)))
                    .collect::<StringArray>(),
            ),
            Values::Integer(numbers) => Arc::new(
                codes
                    .iter()
                    .map(|&c| numbers[c as usize])
                    .collect::<Int64Array>(),
            ),
            Values::Date(days) => Arc::new(
                codes
                    .iter()
                    .map(|&c| days[c as usize])
                    .collect::<Date32Array>(),
            ),
            Values::Number(numbers) => Arc::new(
                codes
                    .iter()
                    .map(|&c| numbers[c as usize])
                    .collect::<Float64Array>(),
            ),
        }
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

fn read_all<T>(
    texts: impl Iterator<Item = Option<String>>,
    read: impl Fn(&str) -> Option<T>,
) -> Option<Vec<Option<T>>> {
    texts
        .map(|text| text.map_or(Some(None), |t| read(&t).map(Some)))
        .collect()
}

/// Passes bytes on and keeps the error of an output that refuses them: the encoder turns it into
/// text.
struct Watched<W> {
    out: W,
    refused: Refusal,
}

type Refusal = Arc<Mutex<Option<io::Error>>>;

impl<W> Watched<W> {
    fn keep<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
            kind.into()
        })
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.out.write(bytes);
        self.keep(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.keep(flushed)
    }
}

/// The output's error if it had one. The encoder's own texts are dropped: they may quote values.
fn write_error(refused: &Refusal) -> Error {
    let refused = refused
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    refused.map_or(Error::ParquetWrite, Error::Write)
}

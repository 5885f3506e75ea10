//! Tables that are in memory, or arrive in it: Arrow batches, streams of them, and plain texts.
//!
//! Positions in messages are the batch and the row in it, both counted from 1. What a stream's
//! errors say is not repeated, because it may quote cells.

use super::ReadOptions;
use super::scan::{Batch, Pass, Scan};
use crate::error::Error;
use arrow_array::{ArrayRef, LargeStringArray, RecordBatch, RecordBatchReader};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::sync::{Arc, Mutex, PoisonError};

/// Arrow batches in memory. They can be read any number of times.
#[derive(Clone)]
pub struct ArrowTable {
    name: String,
    provider: Option<String>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl ArrowTable {
    /// Batches of one schema; those that do not have it are refused when they are read.
    pub fn new(name: impl Into<String>, schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        ArrowTable {
            name: name.into(),
            provider: None,
            schema,
            batches,
        }
    }

    /// All rows are of one provider.
    pub fn of_provider(mut self, provider: impl Into<String>) -> Self {
        self.provider = Some(provider.into());
        self
    }
}

impl Scan for ArrowTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    fn size(&self) -> Option<u64> {
        let bytes = self
            .batches
            .iter()
            .map(|b| b.get_array_memory_size() as u64);
        Some(bytes.sum())
    }

    fn open<'s>(&'s self, _options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        Ok(Box::new(TablePass {
            schema: self.schema.clone(),
            batches: self.batches.iter(),
            projection: Projection::new(&self.name),
            bytes_read: 0,
        }))
    }
}

struct TablePass<'s> {
    schema: SchemaRef,
    batches: std::slice::Iter<'s, RecordBatch>,
    projection: Projection<'s>,
    bytes_read: u64,
}

impl Pass for TablePass<'_> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn project(&mut self, wanted: &[bool]) -> Result<(), Error> {
        self.projection.choose(wanted);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Batch>, Error> {
        let Some(batch) = self.batches.next() else {
            return Ok(None);
        };
        self.bytes_read += batch.get_array_memory_size() as u64;
        self.projection.apply(batch).map(Some)
    }

    fn bytes_read(&mut self) -> u64 {
        self.bytes_read
    }
}

/// Arrow batches that arrive one after the other, from whatever reads them. They can be read once.
pub struct ArrowStream {
    name: String,
    provider: Option<String>,
    schema: SchemaRef,
    /// Gone once it was read.
    reader: Mutex<Option<Box<dyn RecordBatchReader + Send>>>,
}

impl ArrowStream {
    /// A stream of which nothing was read.
    pub fn new(name: impl Into<String>, reader: impl RecordBatchReader + Send + 'static) -> Self {
        ArrowStream {
            name: name.into(),
            provider: None,
            schema: reader.schema(),
            reader: Mutex::new(Some(Box::new(reader))),
        }
    }

    /// All rows are of one provider.
    pub fn of_provider(mut self, provider: impl Into<String>) -> Self {
        self.provider = Some(provider.into());
        self
    }
}

impl Scan for ArrowStream {
    fn name(&self) -> &str {
        &self.name
    }

    fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    fn open<'s>(&'s self, _options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        Ok(Box::new(StreamPass {
            stream: self,
            reader: None,
            projection: Projection::new(&self.name),
            bytes_read: 0,
        }))
    }
}

struct StreamPass<'s> {
    stream: &'s ArrowStream,
    /// Taken from the stream with the first batch, so that looking at the names leaves it there.
    reader: Option<Box<dyn RecordBatchReader + Send>>,
    projection: Projection<'s>,
    bytes_read: u64,
}

impl Pass for StreamPass<'_> {
    fn schema(&self) -> SchemaRef {
        self.stream.schema.clone()
    }

    fn project(&mut self, wanted: &[bool]) -> Result<(), Error> {
        self.projection.choose(wanted);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Batch>, Error> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            None => {
                let mut unread = self
                    .stream
                    .reader
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                let taken = unread.take().ok_or_else(|| Error::AlreadyRead {
                    file: self.stream.name.clone(),
                })?;
                self.reader.insert(taken)
            }
        };
        match reader.next() {
            None => Ok(None),
            Some(Err(_)) => Err(Error::SourceFailed {
                file: self.stream.name.clone(),
                batch: self.projection.batches + 1,
            }),
            Some(Ok(batch)) => {
                self.bytes_read += batch.get_array_memory_size() as u64;
                self.projection.apply(&batch).map(Some)
            }
        }
    }

    fn bytes_read(&mut self) -> u64 {
        self.bytes_read
    }
}

/// Which columns of each batch are handed on.
struct Projection<'s> {
    name: &'s str,
    /// How many columns a batch must have.
    width: usize,
    wanted: Vec<usize>,
    /// How many batches were handed on.
    batches: u64,
}

impl<'s> Projection<'s> {
    fn new(name: &'s str) -> Self {
        Projection {
            name,
            width: 0,
            wanted: Vec::new(),
            batches: 0,
        }
    }

    fn choose(&mut self, wanted: &[bool]) {
        self.width = wanted.len();
        self.wanted = (0..wanted.len()).filter(|&c| wanted[c]).collect();
    }

    fn apply(&mut self, batch: &RecordBatch) -> Result<Batch, Error> {
        self.batches += 1;
        let projected = batch.project(&self.wanted).ok();
        projected
            .filter(|_| batch.num_columns() == self.width)
            .map(Batch::from)
            .ok_or_else(|| Error::BatchShape {
                file: self.name.to_owned(),
                batch: self.batches,
            })
    }
}

/// A table of texts in memory, as CSV would give them: which of them mean that a value is missing
/// is said by whoever reads. No `Debug`: they are cells.
#[derive(Clone)]
pub struct TextTable {
    table: ArrowTable,
}

impl TextTable {
    /// Columns of texts, each with its name; all must have the same number of rows.
    pub fn new<Name, Texts>(
        name: impl Into<String>,
        columns: impl IntoIterator<Item = (Name, Texts)>,
    ) -> Result<Self, Error>
    where
        Name: Into<String>,
        Texts: IntoIterator,
        Texts::Item: AsRef<str>,
    {
        let name = name.into();
        let mut fields = Vec::new();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        let mut rows = None;
        for (column, texts) in columns {
            let column = column.into();
            let texts = LargeStringArray::from_iter_values(texts);
            let found = arrow_array::Array::len(&texts);
            let expected = *rows.get_or_insert(found);
            if found != expected {
                return Err(Error::UnequalColumns {
                    file: name,
                    column,
                    expected,
                    found,
                });
            }
            fields.push(Field::new(column, DataType::LargeUtf8, false));
            arrays.push(Arc::new(texts));
        }
        let schema = Arc::new(Schema::new(fields));
        let batches = if arrays.is_empty() {
            Vec::new()
        } else {
            let batch = RecordBatch::try_new(schema.clone(), arrays);
            vec![batch.expect("the columns are as long as each other and of the schema's types")]
        };
        Ok(TextTable {
            table: ArrowTable::new(name, schema, batches),
        })
    }

    /// All rows are of one provider.
    pub fn of_provider(mut self, provider: impl Into<String>) -> Self {
        self.table = self.table.of_provider(provider);
        self
    }
}

impl Scan for TextTable {
    fn name(&self) -> &str {
        self.table.name()
    }

    fn provider(&self) -> Option<&str> {
        self.table.provider()
    }

    fn size(&self) -> Option<u64> {
        self.table.size()
    }

    fn open<'s>(&'s self, options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        self.table.open(options)
    }
}

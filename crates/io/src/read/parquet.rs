//! Parquet files: their shape, and their row groups as Arrow batches.
//!
//! Strings are asked for as dictionaries, so that a text is looked at once per dictionary and a row
//! costs a table look-up. Errors of the Parquet reader are replaced, because their texts may quote
//! cells, and so are its panics.

use super::first_line::{FirstLine, check_names, refuse_names_given};
use super::open::RawBytes;
use super::scan::{Batch, BatchContent, Pass};
use super::{FileStamp, ReadOptions, Source, feed};
use crate::error::Error;
use crate::format::HeaderLine;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::reader::ChunkReader;
use std::io::Cursor;
use std::sync::Arc;

/// Rows decoded at once.
const BATCH: usize = 1 << 14;

/// The shape of a Parquet file, and which of its columns are wanted.
pub(super) struct ParquetFile {
    pub(super) source: Source,
    metadata: ArrowReaderMetadata,
    /// The first row of each group, counted from 0.
    starts: Vec<u64>,
    /// The fields that are wanted.
    fields: Vec<usize>,
}

impl ParquetFile {
    fn new(source: &Source, metadata: ArrowReaderMetadata, wanted: &[bool]) -> Result<Self, Error> {
        let mut starts = Vec::new();
        let mut rows = 0u64;
        for group in metadata.metadata().row_groups() {
            starts.push(rows);
            let more = u64::try_from(group.num_rows()).map_err(|_| corrupt(source))?;
            rows = rows.saturating_add(more);
        }
        let fields = (0..wanted.len()).filter(|&f| wanted[f]).collect();
        Ok(ParquetFile {
            source: source.clone(),
            metadata: as_dictionaries(metadata),
            starts,
            fields,
        })
    }

    fn groups(&self) -> usize {
        self.starts.len()
    }

    /// How many bytes of the file a group takes.
    fn group_bytes(&self, group: usize) -> u64 {
        u64::try_from(self.metadata.metadata().row_group(group).compressed_size()).unwrap_or(0)
    }

    /// How many rows of the file stand before a group.
    pub(super) fn rows_before(&self, group: usize) -> u64 {
        self.starts[group]
    }

    /// Decodes a group and hands each of its batches on.
    pub(super) fn read_group(
        &self,
        group: usize,
        take: &mut dyn FnMut(&RecordBatch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        guarded(&self.source, || self.decode_group(group, take))?
    }

    fn decode_group(
        &self,
        group: usize,
        take: &mut dyn FnMut(&RecordBatch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match RawBytes::of(&self.source)? {
            RawBytes::File(file) => self.decode(file, group, take),
            RawBytes::Memory(bytes) => self.decode(shared(bytes), group, take),
        }
    }

    fn decode<R: ChunkReader + 'static>(
        &self,
        bytes: R,
        group: usize,
        take: &mut dyn FnMut(&RecordBatch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(bytes, self.metadata.clone());
        let mask = ProjectionMask::roots(builder.parquet_schema(), self.fields.iter().copied());
        let reader = builder
            .with_row_groups(vec![group])
            .with_projection(mask)
            .with_batch_size(BATCH)
            .build();
        for batch in reader.map_err(|_| corrupt(&self.source))? {
            take(&batch.map_err(|_| corrupt(&self.source))?)?;
        }
        Ok(())
    }
}

/// A Parquet file, handed out row group by row group.
pub(super) struct ParquetPass<'s> {
    source: &'s Source,
    metadata: ArrowReaderMetadata,
    stamp: Option<FileStamp>,
    /// Known once it is known which columns are wanted.
    file: Option<Arc<ParquetFile>>,
    /// The next row group; `None` before the file is hashed.
    next: Option<usize>,
    bytes_read: u64,
}

impl<'s> ParquetPass<'s> {
    /// Opens a file. Its names may have been made from a first line that was a record, so they are
    /// looked at as well.
    pub(super) fn open(
        file: RawBytes,
        stamp: Option<FileStamp>,
        source: &'s Source,
        options: &ReadOptions<'_>,
    ) -> Result<Self, Error> {
        refuse_names_given(source, "Parquet")?;
        let metadata = load(file, source)?;
        if source.format.header == HeaderLine::Looked {
            let names = feed::names(metadata.schema());
            check_names(&source.display, &names, &options.missing)?;
        }
        Ok(ParquetPass {
            source,
            metadata,
            stamp,
            file: None,
            next: None,
            bytes_read: 0,
        })
    }
}

impl Pass for ParquetPass<'_> {
    fn schema(&self) -> SchemaRef {
        self.metadata.schema().clone()
    }

    fn first_line(&self) -> FirstLine {
        FirstLine::of_names(&self.source.format.header)
    }

    fn format(&self) -> &'static str {
        "Parquet"
    }

    fn project(&mut self, wanted: &[bool]) -> Result<(), Error> {
        let file = ParquetFile::new(self.source, self.metadata.clone(), wanted)?;
        self.file = Some(Arc::new(file));
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Batch>, Error> {
        let Some(file) = &self.file else {
            return Ok(None);
        };
        let Some(group) = self.next else {
            self.next = Some(0);
            return Ok(Some(Batch(BatchContent::Hash(file.clone()))));
        };
        if group == file.groups() {
            return Ok(None);
        }
        self.next = Some(group + 1);
        self.bytes_read += file.group_bytes(group);
        Ok(Some(Batch(BatchContent::RowGroup(file.clone(), group))))
    }

    fn stamp(&self) -> Option<FileStamp> {
        self.stamp.clone()
    }

    fn bytes_read(&mut self) -> u64 {
        self.bytes_read
    }
}

/// Runs code of the Parquet reader on bytes nobody has checked: a panic there is a damaged file
/// here.
fn guarded<R>(source: &Source, read: impl FnOnce() -> R) -> Result<R, Error> {
    crate::caught_if_it_panics(read).ok_or_else(|| corrupt(source))
}

fn load(file: RawBytes, source: &Source) -> Result<ArrowReaderMetadata, Error> {
    guarded(source, || match file {
        RawBytes::File(file) => ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()),
        RawBytes::Memory(bytes) => {
            ArrowReaderMetadata::load(&shared(bytes), ArrowReaderOptions::new())
        }
    })?
    .map_err(|_| corrupt(source))
}

/// Bytes in memory as the Parquet reader takes them, without a copy.
fn shared(bytes: Cursor<Arc<[u8]>>) -> bytes::Bytes {
    bytes::Bytes::from_owner(bytes.into_inner())
}

fn corrupt(source: &Source) -> Error {
    Error::ParquetCorrupt {
        file: source.display.clone(),
    }
}

/// Asks for strings as dictionaries.
fn as_dictionaries(metadata: ArrowReaderMetadata) -> ArrowReaderMetadata {
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let field = |field: &Arc<Field>| match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            Arc::new(field.as_ref().clone().with_data_type(dictionary.clone()))
        }
        _ => field.clone(),
    };
    let schema = metadata.schema();
    let fields: Vec<Arc<Field>> = schema.fields().iter().map(field).collect();
    let wished = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
    let options = ArrowReaderOptions::new().with_schema(wished);
    ArrowReaderMetadata::try_new(metadata.metadata().clone(), options).unwrap_or(metadata)
}

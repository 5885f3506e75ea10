//! Parquet row groups into codes.
//!
//! Strings are asked for as dictionaries, so that a text is looked at once per dictionary and a row
//! costs a table look-up; numbers, days and instants are looked up by value and rendered once each.
//! A null is the canonical missing text. Errors of the Parquet reader are replaced, because their
//! texts may quote cells, and so are its panics.

use super::Source;
use super::arrow_text::{Cells, Numbers, type_flaw};
use super::dictionary::Place;
use super::header::{Layout, Plan};
use super::open::unreadable;
use super::worker::{Chunk, Worker};
use crate::error::Error;
use crate::limits::Limits;
use ahash::RandomState;
use arrow_array::cast::AsArray;
use arrow_array::{AnyDictionaryArray, Array, ArrayRef};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use mingle_model::Codes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Rows decoded at once.
const BATCH: usize = 1 << 14;
const UNKNOWN: u32 = u32::MAX;

/// The shape of a Parquet file.
pub(super) struct ParquetFile {
    metadata: ArrowReaderMetadata,
    layout: Layout,
    /// The first row of each group, counted from 0.
    starts: Vec<u64>,
}

impl ParquetFile {
    pub(super) fn open(
        file: File,
        source: &Source,
        plan: &Plan,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let metadata = load(&file, source)?;
        let layout = plan.layout(&source.display, &names(metadata.schema()), limits)?;
        for (field, slot) in metadata.schema().fields().iter().zip(&layout.fields) {
            if let (Some(_), Some(found)) = (slot, type_flaw(field.data_type())) {
                let (file, column) = (source.display.clone(), field.name().clone());
                return Err(Error::ParquetType {
                    file,
                    column,
                    found,
                });
            }
        }
        let mut starts = Vec::new();
        let mut rows = 0u64;
        for group in metadata.metadata().row_groups() {
            starts.push(rows);
            rows =
                rows.saturating_add(u64::try_from(group.num_rows()).map_err(|_| corrupt(source))?);
        }
        Ok(ParquetFile {
            metadata: as_dictionaries(metadata),
            layout,
            starts,
        })
    }

    /// The column names of a file.
    pub(super) fn names(file: File, source: &Source) -> Result<Vec<String>, Error> {
        Ok(names(load(&file, source)?.schema()))
    }

    pub(super) fn groups(&self) -> usize {
        self.starts.len()
    }

    /// How many bytes of the file a group takes.
    pub(super) fn group_bytes(&self, group: usize) -> u64 {
        u64::try_from(self.metadata.metadata().row_group(group).compressed_size()).unwrap_or(0)
    }

    pub(super) fn read_group(
        &self,
        group: usize,
        source: &Source,
        worker: &mut Worker<'_>,
        chunk: &mut Chunk,
    ) -> Result<(), Error> {
        guarded(source, || self.decode_group(group, source, worker, chunk))?
    }

    fn decode_group(
        &self,
        group: usize,
        source: &Source,
        worker: &mut Worker<'_>,
        chunk: &mut Chunk,
    ) -> Result<(), Error> {
        let file = File::open(&source.path).map_err(|e| unreadable(source, e))?;
        let wanted = self
            .layout
            .fields
            .iter()
            .enumerate()
            .filter_map(|(f, slot)| Some((f, (*slot)?)));
        let (fields, slots): (Vec<usize>, Vec<usize>) = wanted.unzip();
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone());
        let mask = ProjectionMask::roots(builder.parquet_schema(), fields);
        let reader = builder
            .with_row_groups(vec![group])
            .with_projection(mask)
            .with_batch_size(BATCH)
            .build();
        let mut columns: Vec<ColumnReader> = slots.into_iter().map(ColumnReader::new).collect();
        for batch in reader.map_err(|_| corrupt(source))? {
            let batch = batch.map_err(|_| corrupt(source))?;
            let before = self.starts[group] + chunk.rows as u64;
            for (column, array) in columns.iter_mut().zip(batch.columns()) {
                let codes = &mut chunk.codes[column.slot];
                column.read(
                    array,
                    Rows {
                        worker,
                        codes,
                        source,
                        file: chunk.file,
                        before,
                    },
                )?;
            }
            chunk.rows += batch.num_rows();
        }
        Ok(())
    }
}

/// Runs code of the Parquet reader on bytes nobody has checked: a panic there is a damaged file
/// here.
fn guarded<R>(source: &Source, read: impl FnOnce() -> R) -> Result<R, Error> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| corrupt(source))
}

fn load(file: &File, source: &Source) -> Result<ArrowReaderMetadata, Error> {
    guarded(source, || {
        ArrowReaderMetadata::load(file, ArrowReaderOptions::new())
    })?
    .map_err(|_| corrupt(source))
}

fn corrupt(source: &Source) -> Error {
    Error::ParquetCorrupt {
        file: source.display.clone(),
    }
}

fn names(schema: &SchemaRef) -> Vec<String> {
    schema.fields().iter().map(|f| f.name().clone()).collect()
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

/// Reads one column of a row group, batch after batch.
struct ColumnReader {
    slot: usize,
    /// The dictionary of the last batch, and the number of each of its texts; [`UNKNOWN`] before a
    /// row uses it.
    dictionary: Option<(ArrayRef, Vec<u32>)>,
    /// Numbers of values that are not texts.
    by_value: HashMap<i128, u32, RandomState>,
    null: u32,
}

impl ColumnReader {
    fn new(slot: usize) -> Self {
        ColumnReader {
            slot,
            dictionary: None,
            by_value: HashMap::default(),
            null: UNKNOWN,
        }
    }

    fn read(&mut self, array: &ArrayRef, mut rows: Rows<'_, '_>) -> Result<(), Error> {
        let dictionary = array
            .as_any_dictionary_opt()
            .filter(|d| !d.values().is_empty());
        let values = dictionary.map_or(array, |d| d.values());
        let cells = match dictionary.is_none() && array.null_count() == array.len() {
            true => Cells::Nothing,
            false => Cells::new(values).ok_or_else(|| corrupt(rows.source))?,
        };
        match (dictionary, &cells) {
            _ if rows.worker.is_hashed(self.slot) => self.read_each(array, &cells, &mut rows),
            (Some(dictionary), _) => self.read_dictionary(dictionary, &cells, &mut rows),
            (None, Cells::Numbers(numbers)) => self.read_numbers(array, numbers, &mut rows),
            (None, _) => self.read_each(array, &cells, &mut rows),
        }
    }

    /// Texts of the dictionary that no row uses are never looked at: they are not values of the
    /// table.
    fn read_dictionary(
        &mut self,
        dictionary: &dyn AnyDictionaryArray,
        cells: &Cells<'_>,
        rows: &mut Rows<'_, '_>,
    ) -> Result<(), Error> {
        let values = dictionary.values();
        let mut ids = match self.dictionary.take() {
            Some((known, ids)) if Arc::ptr_eq(&known, values) => ids,
            _ => vec![UNKNOWN; values.len()],
        };
        for (row, key) in dictionary.normalized_keys().into_iter().enumerate() {
            let null = dictionary.is_null(row) || values.is_null(key);
            let id = if null { &mut self.null } else { &mut ids[key] };
            if *id == UNKNOWN {
                *id = rows.number(self.slot, row, (!null).then(|| cells.text(key)))?;
            }
            rows.codes.push(*id);
        }
        self.dictionary = Some((values.clone(), ids));
        Ok(())
    }

    fn read_numbers(
        &mut self,
        array: &ArrayRef,
        numbers: &Numbers,
        rows: &mut Rows<'_, '_>,
    ) -> Result<(), Error> {
        for (row, &value) in numbers.values.iter().enumerate() {
            let null = array.is_null(row);
            let known = if null {
                Some(self.null).filter(|&id| id != UNKNOWN)
            } else {
                self.by_value.get(&value).copied()
            };
            let id = match known {
                Some(id) => id,
                None => rows.number(
                    self.slot,
                    row,
                    (!null).then(|| numbers.text(value).map(Cow::Owned)),
                )?,
            };
            match null {
                true => self.null = id,
                false => _ = self.by_value.insert(value, id),
            }
            rows.codes.push(id);
        }
        Ok(())
    }

    /// Row by row: identifiers, whose cells are hashed, and strings without a dictionary.
    fn read_each(
        &mut self,
        array: &ArrayRef,
        cells: &Cells<'_>,
        rows: &mut Rows<'_, '_>,
    ) -> Result<(), Error> {
        let dictionary = array
            .as_any_dictionary_opt()
            .filter(|d| !d.values().is_empty());
        let keys = dictionary.map(|d| (d.normalized_keys(), d.values()));
        for row in 0..array.len() {
            let (key, null) = match &keys {
                Some((keys, values)) => {
                    (keys[row], array.is_null(row) || values.is_null(keys[row]))
                }
                None => (row, array.is_null(row)),
            };
            let id = rows.number(self.slot, row, (!null).then(|| cells.text(key)))?;
            if !rows.worker.is_hashed(self.slot) {
                rows.codes.push(id);
            }
        }
        Ok(())
    }
}

/// The rows of a batch and where their codes go.
struct Rows<'r, 'w> {
    worker: &'r mut Worker<'w>,
    codes: &'r mut Codes,
    source: &'r Source,
    file: usize,
    /// Rows of the file before this batch.
    before: u64,
}

impl Rows<'_, '_> {
    /// The number of a text, `None` being a null.
    fn number(
        &mut self,
        slot: usize,
        row: usize,
        text: Option<Option<Cow<'_, str>>>,
    ) -> Result<u32, Error> {
        let place = Place {
            file: self.file as u32,
            line: self.before + row as u64 + 1,
        };
        let out_of_range = || Error::DateOutOfRange {
            file: self.source.display.clone(),
            row: place.line,
            column: self.worker.column_name(slot).to_owned(),
        };
        let text = match text {
            Some(text) => text.ok_or_else(out_of_range)?,
            None => Cow::Borrowed(self.worker.missing_text()),
        };
        Ok(self
            .worker
            .cell(slot, text.as_bytes(), place)?
            .unwrap_or(UNKNOWN))
    }
}

//! Rows of Arrow batches into codes.
//!
//! A dictionary's text is looked at once and a row then costs a table look-up; numbers, days and
//! instants are looked up by value and rendered once each. A null is the canonical missing text.

use super::arrow_text::{Cells, Numbers};
use super::dictionary::Place;
use super::worker::{Chunk, Worker};
use crate::error::Error;
use ahash::RandomState;
use arrow_array::cast::AsArray;
use arrow_array::{AnyDictionaryArray, Array, ArrayRef, RecordBatch};
use mingle_model::Codes;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

const UNKNOWN: u32 = u32::MAX;

/// Reads batches that follow one another, column by column.
pub(super) struct RowsReader {
    columns: Vec<ColumnReader>,
    /// The batch's number in its source, counted from 1; 0 where rows are numbered through.
    batch: u32,
    /// Rows of the source, or of the batch where there is one, before the next row.
    before: u64,
}

impl RowsReader {
    /// `slots` has the slot of each column.
    pub(super) fn new(slots: &[usize], batch: u32, before: u64) -> Self {
        RowsReader {
            columns: slots.iter().map(|&slot| ColumnReader::new(slot)).collect(),
            batch,
            before,
        }
    }

    pub(super) fn read(
        &mut self,
        batch: &RecordBatch,
        worker: &mut Worker<'_>,
        chunk: &mut Chunk,
    ) -> Result<(), Error> {
        for (column, array) in self.columns.iter_mut().zip(batch.columns()) {
            let rows = Rows {
                worker,
                codes: &mut chunk.codes[column.slot],
                before: Place {
                    file: chunk.file as u32,
                    batch: self.batch,
                    line: self.before,
                },
            };
            column.read(array, rows)?;
        }
        chunk.rows += batch.num_rows();
        self.before += batch.num_rows() as u64;
        Ok(())
    }
}

/// Reads one column, batch after batch.
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
        let cells = if dictionary.is_none() && array.null_count() == array.len() {
            Cells::Nothing
        } else {
            Cells::new(values).ok_or_else(|| rows.worker.corrupt(rows.before))?
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
            if null {
                self.null = id
            } else {
                _ = self.by_value.insert(value, id)
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
    /// The place before the first of them.
    before: Place,
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
            line: self.before.line + row as u64 + 1,
            ..self.before
        };
        let text = match text {
            None => Cow::Borrowed(self.worker.missing_text()),
            Some(Some(text)) => text,
            Some(None) => return Err(self.worker.date_out_of_range(slot, place)),
        };
        let number = self.worker.cell(slot, text.as_bytes(), place)?;
        Ok(number.unwrap_or(UNKNOWN))
    }
}

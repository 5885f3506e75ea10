//! The full table of counts.

use crate::Error;
use crate::amount::Amount;
use crate::purse::Purse;
use crate::records::Records;
use crate::universe::CellId;
use std::sync::atomic::AtomicBool;

/// How a histogram is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The attributes, by place; all of them where empty.
    pub attributes: Vec<usize>,
    /// The largest table in which every cell gets noise; beyond, only cells that hold someone do, and small ones are
    /// left out.
    pub most_cells: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { attributes: Vec::new(), most_cells: 1 << 20 }
    }
}

/// Noisy counts of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The attributes, by place.
    pub attributes: Vec<usize>,
    /// Cells and their counts, in the order of cells; those with a count of zero are left out.
    pub cells: Vec<(Vec<CellId>, u64)>,
    /// The smallest count that is published, where cells were left out.
    pub threshold: Option<u64>,
    /// The standard deviation of the noise.
    pub deviation: f64,
}

/// Makes a histogram.
pub fn make(
    _records: &Records,
    _options: &Options,
    _purse: &mut Purse,
    _direct_delta: Amount,
    _cancel: &AtomicBool,
) -> Result<Histogram, Error> {
    Err(Error::Cancelled)
}

//! Looks at the data, whoever holds it.
//!
//! What is released follows from noisy counts alone, and every noisy count is asked for through
//! [`Looks`]. So the same release is made from a table in one place ([`CentralLooks`]) and from
//! tables of several parties who add up their counts ([`joint`](crate::joint)).

use crate::Error;
use crate::count::count;
use crate::noise::Shape;
use crate::purse::{Purse, Sensitivity};
use crate::records::Records;
use crate::selection::{self, SCORES, Scores};
use crate::universe::CellId;
use std::borrow::Cow;

/// A table of counts with noise.
pub(crate) struct NoisyTable {
    pub(crate) counts: Vec<i64>,
    /// The standard deviation of each cell's noise.
    pub(crate) deviation: f64,
}

/// Where noisy counts come from, and what is left to pay for them.
pub(crate) trait Looks {
    /// Per attribute its number of cells.
    fn cells(&self) -> &[usize];

    /// The most records of one person.
    fn per_person(&self) -> u64;

    /// Which noise there is.
    fn shape(&self) -> Shape;

    /// The share of the budget that is left, about.
    fn left(&self) -> f64;

    /// The standard deviation of the noise that a share of the whole budget would buy, about.
    fn deviation(&self, share: f64, sensitivity: Sensitivity) -> f64;

    /// A noisy table per set of attributes, each paid for with its share of the whole budget.
    fn tables(&mut self, sets: &[Vec<usize>], shares: &[f64]) -> Result<Vec<NoisyTable>, Error>;

    /// The share of the budget that scores of pairs are worth.
    fn scores_share(&self) -> f64;

    /// Noisy distances of pairs of attributes from independence.
    fn pair_scores(&mut self, one_way: &[Vec<f64>], share: f64) -> Result<Scores, Error>;

    /// From now on, the cells of one attribute are united.
    fn unite(&mut self, attribute: usize, into: Vec<CellId>, cells: usize);
}

/// Records in one place.
pub(crate) struct CentralLooks<'a> {
    pub(crate) records: Cow<'a, Records>,
    pub(crate) purse: &'a mut Purse,
}

impl<'a> CentralLooks<'a> {
    pub(crate) fn new(records: &'a Records, purse: &'a mut Purse) -> CentralLooks<'a> {
        CentralLooks {
            records: Cow::Borrowed(records),
            purse,
        }
    }
}

impl Looks for CentralLooks<'_> {
    fn cells(&self) -> &[usize] {
        self.records.cells()
    }

    fn per_person(&self) -> u64 {
        self.records.per_person()
    }

    fn shape(&self) -> Shape {
        self.purse.shape()
    }

    fn left(&self) -> f64 {
        self.purse.left()
    }

    fn deviation(&self, share: f64, sensitivity: Sensitivity) -> f64 {
        self.purse.deviation(share, sensitivity)
    }

    fn tables(&mut self, sets: &[Vec<usize>], shares: &[f64]) -> Result<Vec<NoisyTable>, Error> {
        let sensitivity = Sensitivity::of_counts(self.records.per_person());
        let mut noisy = Vec::with_capacity(sets.len());
        for (table, &share) in count(&self.records, sets).iter().zip(shares) {
            let noise = self.purse.buy(share, sensitivity)?;
            noisy.push(NoisyTable {
                counts: noise.add_to(table)?,
                deviation: noise.deviation(),
            });
        }
        Ok(noisy)
    }

    fn scores_share(&self) -> f64 {
        SCORES
    }

    fn pair_scores(&mut self, one_way: &[Vec<f64>], share: f64) -> Result<Scores, Error> {
        selection::pair_scores(&self.records, one_way, self.purse, share)
    }

    fn unite(&mut self, attribute: usize, into: Vec<CellId>, cells: usize) {
        self.records.to_mut().united(attribute, &into, cells);
    }
}

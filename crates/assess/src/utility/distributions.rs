//! Distributions: how a release shows the values of columns and of pairs, beside how they were.
//!
//! Where [`marginals`](super::marginals) says how far apart the tables of one and of two columns are, this shows them:
//! for a column up to [`BARS`] bars, for the [`GRIDS`] pairs that lost most a grid of up to [`GRID`] × [`GRID`] cells.
//! All figures are shares, of the original's rows on one side and of what the release says on the other, so that each
//! side adds up to one and rows that were left out do not lower the bars. Total variations are those of `marginals`, of
//! the uncut tables.
//!
//! The figures are taken against the original and hold its values: they belong into `private/`.

use super::marginals::Summary;
use serde::{Deserialize, Serialize};

/// The most bars of a column.
pub const BARS: usize = 24;

/// The most rows and columns of a grid.
pub const GRID: usize = 8;

/// Of how many pairs a grid is kept: those with the largest total variation.
pub const GRIDS: usize = 3;

/// The most columns whose pairs are compared.
pub const PAIRED_COLUMNS: usize = 40;

/// Original and release side by side.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Distributions {
    /// Total variation over columns.
    pub one_way: Summary,
    /// Total variation over pairs.
    pub two_way: Summary,
    /// Each column, in the table's order.
    pub columns: Vec<ColumnDistribution>,
    /// Pairs of columns.
    pub pairs: Vec<PairDistribution>,
    /// Pairs that were not compared because there are too many columns.
    #[serde(default)]
    pub pairs_left_out: u64,
}

/// A column on both sides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ColumnDistribution {
    /// The column's name.
    pub column: String,
    /// Whether the bars are in the order of the values; else the most frequent comes first.
    pub ordered: bool,
    /// Between 0 and 1.
    pub total_variation: f64,
    /// Values or intervals.
    pub bars: Vec<Bar>,
    /// What the bars do not show.
    pub rest: Shares,
}

/// A value or interval on both sides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Bar {
    /// The value, or the interval.
    pub label: String,
    /// Its share of the original's rows, between 0 and 1.
    pub original: f64,
    /// Its share in the release, between 0 and 1.
    pub released: f64,
}

/// A share of each side.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Shares {
    /// Of the original's rows, between 0 and 1.
    pub original: f64,
    /// Of the release, between 0 and 1.
    pub released: f64,
}

/// A pair of columns on both sides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairDistribution {
    /// The columns' names.
    pub columns: [String; 2],
    /// Between 0 and 1.
    pub total_variation: f64,
    /// Whether the release counts them together; else they were taken for independent.
    pub covered: bool,
    /// The table of both, for the pairs that lost most.
    pub grid: Option<Grid>,
}

/// The table of two columns on both sides: `original[row][column]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Grid {
    /// Values or intervals of the first column; the last may stand for all others.
    pub rows: Vec<String>,
    /// Values or intervals of the second column; the last may stand for all others.
    pub columns: Vec<String>,
    /// Shares of the original's rows.
    pub original: Vec<Vec<f64>>,
    /// Shares of the release.
    pub released: Vec<Vec<f64>>,
}

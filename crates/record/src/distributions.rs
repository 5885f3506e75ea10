//! How a release shows values beside how they were: tables of one and of two columns on both sides.
//!
//! How cells are chosen and counted is `assess`'s to say. The figures hold values of the original:
//! they belong into `private/`.

use serde::{Deserialize, Serialize};

/// How far a release's tables of counts are from the original's.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distances {
    /// Over tables of one column.
    pub one_way: Summary,
    /// Over tables of two columns.
    pub two_way: Summary,
    /// Pairs that the release does not count together, so that independence was assumed.
    pub not_covered: usize,
    /// Each column.
    pub columns: Vec<ColumnDistance>,
    /// Each pair of columns that was compared.
    pub pairs: Vec<PairDistance>,
    /// Pairs that were not compared because there are too many columns.
    #[serde(default, skip_serializing_if = "is_none_left_out")]
    pub pairs_left_out: u64,
}

/// Answers about tables of few columns stay as they were.
fn is_none_left_out(pairs: &u64) -> bool {
    *pairs == 0
}

/// Mean and maximum of total variations; 0 where there are none.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Their mean.
    pub mean: f64,
    /// The largest.
    pub max: f64,
}

/// The distance of a column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnDistance {
    /// The column's name.
    pub column: String,
    /// Between 0 and 1.
    pub total_variation: f64,
}

/// The distance of a pair of columns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairDistance {
    /// The columns' names.
    pub columns: [String; 2],
    /// Between 0 and 1.
    pub total_variation: f64,
    /// Whether the release counts them together.
    pub covered: bool,
    /// How strongly the two hang together in the original and in the release; `None` where one side
    /// has a single value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub association: Option<PairAssociation>,
}

/// Cramér's V of a pair of columns: 0 for independent ones, 1 where one says the other.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairAssociation {
    /// In the original.
    pub original: f64,
    /// In the release, as a reader counts it.
    pub released: f64,
}

/// Original and release side by side.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
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
    pub rest: ComparedShares,
}

/// A value or interval on both sides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
pub struct ComparedShares {
    /// Of the original's rows, between 0 and 1.
    pub original: f64,
    /// Of the release, between 0 and 1.
    pub released: f64,
}

/// A pair of columns on both sides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairDistribution {
    /// The columns' names.
    pub columns: [String; 2],
    /// Between 0 and 1.
    pub total_variation: f64,
    /// Whether the release counts them together; else they were taken for independent.
    pub covered: bool,
    /// The table of both, for the pairs that lost most.
    pub grid: Option<ContingencyTable>,
}

/// The table of two columns on both sides: `original[row][column]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContingencyTable {
    /// Values or intervals of the first column; the last may stand for all others.
    pub rows: Vec<String>,
    /// Values or intervals of the second column; the last may stand for all others.
    pub columns: Vec<String>,
    /// Shares of the original's rows.
    pub original: Vec<Vec<f64>>,
    /// Shares of the release.
    pub released: Vec<Vec<f64>>,
}

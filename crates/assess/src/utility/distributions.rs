//! Distributions: how a release shows the values of columns and of pairs, beside how they were.
//!
//! Where [`marginals`](super::marginals) says how far apart the tables of one and of two columns
//! are, this shows them: for a column up to [`BARS`] bars, for the [`GRIDS`] pairs that lost most a
//! grid of up to [`GRID`] × [`GRID`] cells. All figures are shares, of the original's rows on one
//! side and of what the release says on the other, so that each side adds up to one and rows that
//! were left out do not lower the bars. Total variations are those of `marginals`, of the uncut
//! tables. What a release says about a value is said there as well: a label is spread evenly over
//! the values that it covers, a centroid stands for the nearest value that occurs, fragments and
//! marginals are independent where nothing says how columns go together.
//!
//! Assumes that both sides have the same columns and cells. Cost: that of `marginals`. Where there
//! are too many columns for all pairs, those of quasi-identifiers and sensitive columns are compared,
//! and of many such columns a choice ([`chosen_pairs`]); how many pairs were left out is said.
//!
//! The figures are taken against the original and hold its values: they belong into `private/`.

mod axis;

pub use axis::ComparisonAxis;
pub use mingle_record::distributions::{
    Bar, ColumnDistribution, ComparedShares, ContingencyTable, Distributions, PairDistribution,
};

use super::marginals::{Counted, chosen_pairs, pairs_of, summary, total_variation};
use axis::Bars;
use mingle_model::Role;
use rayon::prelude::*;

/// The most bars of a column.
pub const BARS: usize = 24;

/// The most rows and columns of a grid.
pub const GRID: usize = 8;

/// Of how many pairs a grid is kept: those with the largest total variation.
pub const GRIDS: usize = 3;

/// What stands for everything that a grid does not show by itself.
const OTHERS: &str = "all others";

/// Compares the sides of a release, column by column. Both have the axes' cells, one more for what
/// is outside included.
pub fn compare(
    axes: &[ComparisonAxis],
    original: &dyn Counted,
    release: &dyn Counted,
) -> Distributions {
    let sides = Sides {
        axes,
        original,
        release,
    };
    let columns: Vec<ColumnDistribution> = (0..axes.len())
        .into_par_iter()
        .map(|c| sides.column(c))
        .collect();
    let all = paired(axes);
    let mut pairs: Vec<PairDistribution> = all.par_iter().map(|&(a, b)| sides.pair(a, b)).collect();
    for at in farthest(&pairs) {
        pairs[at].grid = Some(sides.grid(all[at].0, all[at].1));
    }
    Distributions {
        one_way: summary(columns.iter().map(|c| c.total_variation)),
        two_way: summary(pairs.iter().map(|p| p.total_variation)),
        columns,
        pairs_left_out: pairs_of(axes.len()) - pairs.len() as u64,
        pairs,
    }
}

/// The pairs that are compared, in the table's order. Where they are chosen among the columns that
/// matter to people, columns that are carried along are in no pair: a release shows them as they
/// were.
fn paired(axes: &[ComparisonAxis]) -> Vec<(usize, usize)> {
    let mut columns: Vec<usize> = (0..axes.len()).collect();
    if chosen_pairs(columns.len()).len() as u64 != pairs_of(columns.len()) {
        columns.retain(|&c| matches!(axes[c].role, Role::QuasiIdentifier | Role::Sensitive));
    }
    let mut pairs = Vec::new();
    for (first, second) in chosen_pairs(columns.len()) {
        pairs.push((columns[first], columns[second]));
    }
    pairs
}

/// The pairs that lost most, the first of those that lost as much.
fn farthest(pairs: &[PairDistribution]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..pairs.len()).collect();
    places.sort_by(|&a, &b| {
        pairs[b]
            .total_variation
            .total_cmp(&pairs[a].total_variation)
    });
    places.truncate(GRIDS);
    places
}

struct Sides<'a> {
    axes: &'a [ComparisonAxis],
    original: &'a dyn Counted,
    release: &'a dyn Counted,
}

impl Sides<'_> {
    fn column(&self, column: usize) -> ColumnDistribution {
        let [original, released] = self.one(column);
        let axis = &self.axes[column];
        let Bars { labels, united } = axis.bars(BARS, &weights(&original, &released));
        let shown = united
            .counts(&original)
            .into_iter()
            .zip(united.counts(&released));
        let mut shown: Vec<ComparedShares> = shown
            .map(|(original, released)| ComparedShares { original, released })
            .collect();
        let rest = shown.pop().unwrap_or_default();
        let bar = |(label, ComparedShares { original, released })| Bar {
            label,
            original,
            released,
        };
        ColumnDistribution {
            column: axis.name.clone(),
            ordered: axis.is_ordered(),
            total_variation: total_variation(&original, &released),
            bars: labels.into_iter().zip(shown).map(bar).collect(),
            rest,
        }
    }

    fn pair(&self, first: usize, second: usize) -> PairDistribution {
        let (released, covered) = self.release.two(first, second);
        PairDistribution {
            columns: [first, second].map(|column| self.axes[column].name.clone()),
            total_variation: total_variation(&self.original.two(first, second).0, &released),
            covered,
            grid: None,
        }
    }

    fn grid(&self, first: usize, second: usize) -> ContingencyTable {
        let [rows, columns] = [first, second].map(|column| self.few(column));
        let cells = |side: &dyn Counted| {
            let counts = shares(
                side.pair((first, &rows.united), (second, &columns.united))
                    .0,
            );
            let lines = counts
                .chunks(columns.united.cells())
                .take(rows.labels.len());
            lines
                .map(|line| line[..columns.labels.len()].to_vec())
                .collect()
        };
        let (original, released) = (cells(self.original), cells(self.release));
        ContingencyTable {
            rows: rows.labels,
            columns: columns.labels,
            original,
            released,
        }
    }

    /// So few bars that a grid can be read; where they do not show everything, the last one does.
    fn few(&self, column: usize) -> Bars {
        let [original, released] = self.one(column);
        let weights = weights(&original, &released);
        let all = self.axes[column].bars(GRID, &weights);
        match all.united.counts(&weights).last() {
            Some(rest) if *rest > 0.0 => {
                let mut bars = self.axes[column].bars(GRID - 1, &weights);
                bars.labels.push(OTHERS.to_owned());
                bars
            }
            _ => all,
        }
    }

    /// Shares of cells on both sides.
    fn one(&self, column: usize) -> [Vec<f64>; 2] {
        [self.original, self.release].map(|side| shares(side.one(column)))
    }
}

/// What decides which values are shown: how frequent they were, and among equals how frequent they
/// are.
fn weights(original: &[f64], released: &[f64]) -> Vec<f64> {
    original
        .iter()
        .zip(released)
        .map(|(original, released)| original + released * 1e-9)
        .collect()
}

/// Counts over their sum; zeros where there is none.
fn shares(mut counts: Vec<f64>) -> Vec<f64> {
    let all: f64 = counts.iter().sum();
    counts
        .iter_mut()
        .for_each(|count| *count = if all > 0.0 { *count / all } else { 0.0 });
    counts
}

#[cfg(test)]
mod tests;

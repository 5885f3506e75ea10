//! Total variation of all tables of one and of two columns between the original and a release of
//! any kind.
//!
//! Both sides are counted in the same cells: those of the declared domains, or the original's
//! values where nothing is declared ([`Binning`]). The distance of two tables is TV = ½ Σ |p − q|
//! over their cells, with both brought to a sum of one: 0 is the same distribution, 1 is nothing in
//! common. Reported are mean and maximum over columns and over pairs. All columns that both sides
//! have take part, sensitive ones included. Beside the distance of a pair stands how strongly its
//! columns hang together on either side, as Cramér's V.
//!
//! What a release says about a cell: made-up records and histograms by their counts; groups by
//! uniform spread over the original's values that a label covers, as in
//! [`query_error`](super::query_error); fragments by independence within a group; marginals by a
//! table that has both columns, and where none has, by the product of their own tables, which is
//! counted in `not_covered`. A column that no table has is taken for uniform.
//!
//! A pair counts at most [`MOST`] cells of a column and [`MOST_OF_PAIR`] in all: beyond,
//! neighbouring cells are taken together. Where there are many columns, each is compared with
//! [`PARTNERS`] × 2 others and not with all ([`chosen_pairs`]); how many pairs are left out is said.
//! Cost: O(pairs × lines), and per pair what its labels cover: linear in the columns. Pairs run in
//! parallel, with the same result for any number of threads.

mod binning;
mod grouped;
mod lines;
mod pairs;
mod tables;
mod united;

pub use binning::Binning;
pub use lines::{LabelProblem, MarginalLines, Spread};
pub use pairs::{PARTNERS, chosen_pairs, pairs_of};
pub use tables::CountTables;
pub use united::United;

pub use mingle_record::distributions::{
    ColumnDistance, Distances, PairAssociation, PairDistance, Summary,
};
use rayon::prelude::*;

/// The most cells of a column in a pair.
pub const MOST: usize = 1024;

/// The most cells of the table of a pair. A table with more cells than rows says more about chance
/// than about the release.
pub const MOST_OF_PAIR: usize = 1 << 16;

/// Something that can be counted in cells. Counts need not be whole or add up to anything.
pub trait Counted: Sync {
    /// The cells of each column.
    fn cells(&self) -> &[usize];

    /// A count for each cell of a column.
    fn one(&self, column: usize) -> Vec<f64>;

    /// A count for each pair of cells of two columns that are united as given, row-major, the
    /// second column fastest; and whether the two columns were counted together.
    fn pair(&self, first: (usize, &United), second: (usize, &United)) -> (Vec<f64>, bool);

    /// The same with at most [`MOST`] cells of a column and [`MOST_OF_PAIR`] of both.
    fn two(&self, first: usize, second: usize) -> (Vec<f64>, bool) {
        let (a, b) = United::coarse_pair(self.cells()[first], self.cells()[second]);
        self.pair((first, &a), (second, &b))
    }
}

/// Compares two sides with the same columns and cells.
pub fn distances(names: &[String], original: &dyn Counted, release: &dyn Counted) -> Distances {
    let of_column = |(c, name): (usize, &String)| ColumnDistance {
        column: name.clone(),
        total_variation: total_variation(&original.one(c), &release.one(c)),
    };
    let columns: Vec<ColumnDistance> = names.par_iter().enumerate().map(of_column).collect();
    let chosen = chosen_pairs(names.len());
    let of_pair = |&(a, b): &(usize, usize)| {
        let (published, covered) = release.two(a, b);
        let (truth, _) = original.two(a, b);
        let width = United::coarse_pair(original.cells()[a], original.cells()[b])
            .1
            .cells();
        let association = cramers_v(&truth, width).zip(cramers_v(&published, width));
        PairDistance {
            columns: [names[a].clone(), names[b].clone()],
            total_variation: total_variation(&truth, &published),
            covered,
            association: association
                .map(|(original, released)| PairAssociation { original, released }),
        }
    };
    let pairs: Vec<PairDistance> = chosen.par_iter().map(of_pair).collect();
    Distances {
        one_way: summary(columns.iter().map(|c| c.total_variation)),
        two_way: summary(pairs.iter().map(|p| p.total_variation)),
        not_covered: pairs.iter().filter(|p| !p.covered).count(),
        columns,
        pairs_left_out: pairs_of(names.len()) - pairs.len() as u64,
        pairs,
    }
}

/// Cramér's V of a table of counts, row-major: √(φ² / (min(rows, columns) − 1)), where φ² is the sum of
/// (p − p_r p_c)² / (p_r p_c) over the cells and rows and columns without counts do not matter. `None`
/// where there is only one row or column.
fn cramers_v(counts: &[f64], width: usize) -> Option<f64> {
    let all: f64 = counts.iter().sum();
    if width == 0 || all <= 0.0 {
        return None;
    }
    let mut of_row = vec![0.0; counts.len() / width];
    let mut of_column = vec![0.0; width];
    for (cell, count) in counts.iter().enumerate() {
        of_row[cell / width] += count;
        of_column[cell % width] += count;
    }
    let used = |sums: &[f64]| sums.iter().filter(|&&sum| sum > 0.0).count();
    let smaller = used(&of_row).min(used(&of_column));
    if smaller < 2 {
        return None;
    }
    let mut phi_squared = 0.0;
    for (cell, count) in counts.iter().enumerate() {
        let expected = of_row[cell / width] * of_column[cell % width] / all;
        if expected > 0.0 {
            phi_squared += (count - expected) * (count - expected) / expected / all;
        }
    }
    Some((phi_squared / (smaller - 1) as f64).sqrt().min(1.0))
}

/// ½ Σ |p − q| of two tables of counts, each over its own sum. Of an empty and a filled table 1, of
/// two empty ones 0.
pub(super) fn total_variation(p: &[f64], q: &[f64]) -> f64 {
    let (all_p, all_q): (f64, f64) = (p.iter().sum(), q.iter().sum());
    match (all_p > 0.0, all_q > 0.0) {
        (true, true) => {
            let apart: f64 = p
                .iter()
                .zip(q)
                .map(|(p, q)| (p / all_p - q / all_q).abs())
                .sum();
            (apart / 2.0).min(1.0)
        }
        (false, false) => 0.0,
        _ => 1.0,
    }
}

pub(super) fn summary(distances: impl Iterator<Item = f64> + Clone) -> Summary {
    let count = distances.clone().count().max(1);
    Summary {
        mean: distances.clone().sum::<f64>() / count as f64,
        max: distances.fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests;

//! Distinct tuples of a few columns with how many rows have each.
//!
//! Where the product of the columns' widths is small, equal tuples are added up in a dense array; else the tuples stay
//! as they come, because then few of them are alike and a sort would cost more than it saves. Cost: O(rows + cells).

use mingle_model::Code;

/// Dense arrays up to this many cells (32 MiB): larger ones fall out of the cache and are mostly empty.
const DENSE_CELLS: usize = 1 << 22;

/// Tuples, column by column, with counts.
pub(super) struct Histogram {
    columns: Vec<Vec<Code>>,
    counts: Vec<f64>,
}

impl Histogram {
    /// Adds up `rows` tuples; `code(row, column)` is below `widths[column]`.
    pub(super) fn new(
        widths: &[usize],
        rows: usize,
        code: impl Fn(usize, usize) -> Code,
        count: impl Fn(usize) -> u64,
    ) -> Histogram {
        let cells = widths.iter().try_fold(1usize, |cells, width| cells.checked_mul(*width));
        match cells.filter(|&cells| cells <= DENSE_CELLS) {
            Some(cells) => Histogram::dense(cells, widths, rows, code, count),
            None => Histogram {
                columns: (0..widths.len()).map(|c| (0..rows).map(|row| code(row, c)).collect()).collect(),
                counts: (0..rows).map(|row| count(row) as f64).collect(),
            },
        }
    }

    fn dense(
        cells: usize,
        widths: &[usize],
        rows: usize,
        code: impl Fn(usize, usize) -> Code,
        count: impl Fn(usize) -> u64,
    ) -> Histogram {
        let mut sums = vec![0u64; cells];
        for row in 0..rows {
            let cell = widths.iter().enumerate().fold(0, |cell, (c, width)| cell * width + code(row, c) as usize);
            sums[cell] += count(row);
        }
        let mut histogram = Histogram { columns: vec![Vec::new(); widths.len()], counts: Vec::new() };
        for (cell, &sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0) {
            let mut rest = cell;
            for (column, width) in histogram.columns.iter_mut().zip(widths).rev() {
                column.push((rest % width) as Code);
                rest /= width;
            }
            histogram.counts.push(sum as f64);
        }
        histogram
    }

    /// The sum over tuples of count times the product of the weights of its codes.
    pub(super) fn total(&self, weights: &[Vec<f64>]) -> f64 {
        let weighted = |(row, &count): (usize, &f64)| {
            let columns = self.columns.iter().zip(weights);
            columns.fold(count, |product, (codes, weights)| product * weights[codes[row] as usize])
        };
        self.counts.iter().enumerate().map(weighted).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_agree() {
        let tuples = [[0, 2], [1, 0], [0, 2], [1, 2]];
        let counts = [1, 2, 3, 4];
        let made = |widths: &[usize]| Histogram::new(widths, 4, |row, c| tuples[row][c], |row| counts[row]);
        let (dense, sparse) = (made(&[2, 3]), made(&[2, DENSE_CELLS]));
        assert_eq!((dense.counts.len(), sparse.counts.len()), (3, 4));
        for weights in [[[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [[0.5, 1.0, 0.0], [1.0, 0.0, 0.25]]] {
            let weights = weights.map(Vec::from);
            assert_eq!(dense.total(&weights), sparse.total(&weights));
        }
        assert_eq!(made(&[2, 3]).total(&[vec![1.0, 0.0], vec![0.0, 0.0, 1.0]]), 4.0);
    }

    #[test]
    fn no_columns_means_all_rows() {
        assert_eq!(Histogram::new(&[], 3, |_, _| 0, |row| row as u64).total(&[]), 3.0);
        assert_eq!(Histogram::new(&[0], 0, |_, _| 0, |_| 1).total(&[vec![]]), 0.0);
    }
}

//! Distinct tuples of a few columns with how many rows have each.
//!
//! Where the product of the columns' widths is small against the rows, equal tuples are added up in
//! a dense array; else the tuples stay as they come, because then few of them are alike and adding
//! up would cost more than it saves. Cost: O(rows + cells).

use mingle_model::Code;
use std::borrow::Cow;

/// A dense array may have so many cells, whatever the number of rows.
const FEW_CELLS: usize = 1 << 12;
/// So many rows are compared at once: small enough for the fastest cache.
const CHUNK: usize = 512;
/// So many columns of a query are compared for all rows.
const COMPARED_FOR_ALL: usize = 2;

/// Tuples, column by column, with counts.
pub(super) struct Histogram<'a> {
    columns: Vec<Cow<'a, [Code]>>,
    counts: Cow<'a, [u64]>,
}

impl<'a> Histogram<'a> {
    /// Adds up tuples given column by column; codes of a column are below its width.
    pub(super) fn new(widths: &[usize], columns: &[&'a [Code]], counts: &'a [u64]) -> Self {
        let cells = widths
            .iter()
            .try_fold(1usize, |cells, width| cells.checked_mul(*width));
        match cells.filter(|&cells| cells <= FEW_CELLS.max(counts.len())) {
            Some(cells) => Histogram::dense(cells, widths, columns, counts),
            None => Histogram {
                columns: columns.iter().map(|&codes| Cow::Borrowed(codes)).collect(),
                counts: Cow::Borrowed(counts),
            },
        }
    }

    fn dense(cells: usize, widths: &[usize], columns: &[&[Code]], counts: &[u64]) -> Self {
        let mut sums = vec![0u64; cells];
        for (row, count) in counts.iter().enumerate() {
            let cell = widths
                .iter()
                .zip(columns)
                .fold(0, |cell, (width, codes)| cell * width + codes[row] as usize);
            sums[cell] += count;
        }
        let mut distinct = vec![Vec::new(); widths.len()];
        let mut kept = Vec::new();
        for (cell, &sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0) {
            let mut rest = cell;
            for (column, width) in distinct.iter_mut().zip(widths).rev() {
                column.push((rest % width) as Code);
                rest /= width;
            }
            kept.push(sum);
        }
        Histogram {
            columns: distinct.into_iter().map(Cow::Owned).collect(),
            counts: Cow::Owned(kept),
        }
    }

    /// How many rows lie between `lo` and `hi` in every column.
    ///
    /// The first columns are compared for all rows, in plain loops over a chunk that compilers turn
    /// into comparisons of many rows at once. They leave so few rows that the others are looked up
    /// one by one: a query about twenty columns costs little more than one about two.
    pub(super) fn within(&self, ranges: &[(Code, Code)]) -> u64 {
        let for_all = ranges.len().min(COMPARED_FOR_ALL);
        let mut inside = [0u32; CHUNK];
        let mut left: Vec<usize> = Vec::with_capacity(CHUNK);
        let mut sum = 0;
        for (chunk, counts) in self.counts.chunks(CHUNK).enumerate() {
            let first = chunk * CHUNK;
            let inside = &mut inside[..counts.len()];
            inside.fill(u32::MAX);
            for (codes, &(lo, hi)) in self.columns.iter().zip(&ranges[..for_all]) {
                let codes = &codes[first..][..counts.len()];
                for (mask, &code) in inside.iter_mut().zip(codes) {
                    *mask &= u32::from(code.wrapping_sub(lo) <= hi - lo).wrapping_neg();
                }
            }
            if for_all == ranges.len() {
                for (&count, &mask) in counts.iter().zip(&*inside) {
                    sum += if mask == 0 { 0 } else { count };
                }
                continue;
            }
            left.clear();
            left.extend((0..counts.len()).filter(|&row| inside[row] != 0));
            for (codes, &(lo, hi)) in self.columns.iter().zip(ranges).skip(for_all) {
                left.retain(|&row| codes[first + row].wrapping_sub(lo) <= hi - lo);
            }
            for &row in &left {
                sum += counts[row];
            }
        }
        sum
    }

    /// The sum over tuples of count times the product of the weights of its codes.
    pub(super) fn weighted(&self, weights: &[Vec<f64>]) -> f64 {
        self.weighted_by(|column, code| weights[column][code as usize])
    }

    /// The same with weights that are asked for as they are needed, by column and code.
    pub(super) fn weighted_by(&self, mut weight: impl FnMut(usize, Code) -> f64) -> f64 {
        let mut sum = 0.0;
        for (row, &count) in self.counts.iter().enumerate() {
            let mut product = count as f64;
            for (column, codes) in self.columns.iter().enumerate() {
                product *= weight(column, codes[row]);
                // most tuples are outside of the first range or two
                if product == 0.0 {
                    break;
                }
            }
            sum += product;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_agree() {
        let (first, second, counts) = ([0, 1, 0, 1], [2, 0, 2, 2], [1, 2, 3, 4]);
        let made = |widths: &[usize]| Histogram::new(widths, &[&first, &second], &counts);
        let (dense, sparse) = (made(&[2, 3]), made(&[2, FEW_CELLS]));
        assert_eq!((dense.counts.len(), sparse.counts.len()), (3, 4));
        for weights in [
            [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.5, 1.0, 0.0], [1.0, 0.0, 0.25]],
        ] {
            let weights = weights.map(Vec::from);
            assert_eq!(dense.weighted(&weights), sparse.weighted(&weights));
        }
        for ranges in [[(0, 1), (0, 2)], [(0, 0), (1, 2)], [(1, 1), (1, 1)]] {
            assert_eq!(dense.within(&ranges), sparse.within(&ranges));
        }
        assert_eq!(dense.weighted(&[vec![1.0, 0.0], vec![0.0, 0.0, 1.0]]), 4.0);
        assert_eq!(dense.within(&[(0, 0), (2, 2)]), 4);
    }

    #[test]
    fn many_rows_are_counted_chunk_by_chunk() {
        let rows = 3 * CHUNK + 7;
        let column = |c: usize| -> Vec<Code> {
            (0..rows)
                .map(|row| (row / (c + 1) % FEW_CELLS) as Code)
                .collect()
        };
        let columns: Vec<Vec<Code>> = (0..5).map(column).collect();
        let counts: Vec<u64> = (0..rows as u64).collect();
        let ranges = [(5, 1400), (100, 600), (60, 500), (3, 280), (30, 200)];
        // some columns are compared for all rows, others for those that are left
        for asked in 1..=5 {
            let codes: Vec<&[Code]> = columns[..asked].iter().map(Vec::as_slice).collect();
            let histogram = Histogram::new(&vec![FEW_CELLS; asked], &codes, &counts);
            let inside = |row: usize| {
                let mut columns = columns[..asked].iter().zip(&ranges);
                columns.all(|(codes, &(lo, hi))| (lo..=hi).contains(&codes[row]))
            };
            let expected: u64 = (0..rows)
                .filter(|&row| inside(row))
                .map(|row| row as u64)
                .sum();
            assert!(expected > 0);
            assert_eq!(histogram.within(&ranges[..asked]), expected);
        }
    }

    #[test]
    fn no_columns_means_all_rows() {
        let histogram = Histogram::new(&[], &[], &[0, 1, 2]);
        assert_eq!((histogram.weighted(&[]), histogram.within(&[])), (3.0, 3));
        assert_eq!(Histogram::new(&[0], &[&[]], &[]).weighted(&[vec![]]), 0.0);
    }
}

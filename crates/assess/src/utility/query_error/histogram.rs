//! Distinct tuples of a few columns with how many rows have each.
//!
//! Where the product of the columns' widths is small against the rows, equal tuples are added up in
//! a dense array; else the tuples stay as they come, because then few of them are alike and adding
//! up would cost more than it saves. Cost: O(rows + cells).
//!
//! [`RangeCounts`] answers how many rows lie within ranges: from sums over all smaller cells
//! (a summed-area table) where the array is dense and has few dimensions, with as many look-ups as
//! the box has corners; else row by row.

use mingle_model::Code;
use std::borrow::Cow;

/// A dense array may have so many cells, whatever the number of rows.
const FEW_CELLS: usize = 1 << 12;
/// So many rows are compared at once: small enough for the fastest cache.
const CHUNK: usize = 512;
/// So many columns of a query are compared for all rows.
const COMPARED_FOR_ALL: usize = 2;

/// A box in more dimensions has too many corners.
const MOST_DIMENSIONS: usize = 6;

/// How many cells a dense array has, if it is small against the rows.
fn dense_cells(widths: &[usize], rows: usize) -> Option<usize> {
    let mut cells = 1usize;
    for width in widths {
        cells = cells.checked_mul(*width)?;
    }
    (cells <= FEW_CELLS.max(rows)).then_some(cells)
}

/// Adds up equal tuples in an array of so many cells, the last column running fastest. Column by
/// column over a few rows at a time, in loops that compilers turn into operations on many rows.
fn dense_sums(cells: usize, widths: &[usize], columns: &[&[Code]], counts: &[u64]) -> Vec<u64> {
    let mut sums = vec![0u64; cells];
    let mut places = [0usize; CHUNK];
    for (chunk, counts) in counts.chunks(CHUNK).enumerate() {
        let first = chunk * CHUNK;
        let places = &mut places[..counts.len()];
        places.fill(0);
        for (width, codes) in widths.iter().zip(columns) {
            for (place, &code) in places.iter_mut().zip(&codes[first..]) {
                *place = *place * width + code as usize;
            }
        }
        for (&place, count) in places.iter().zip(counts) {
            sums[place] += count;
        }
    }
    sums
}

/// How many rows lie within ranges of codes.
pub(super) enum RangeCounts<'a> {
    /// Per cell how many rows have codes up to the cell's in every column.
    Summed { widths: Vec<usize>, sums: Vec<u64> },
    /// Counted row by row.
    Lines(Histogram<'a>),
}

impl<'a> RangeCounts<'a> {
    /// Prepares tuples given column by column; codes of a column are below its width.
    pub(super) fn new(widths: &[usize], columns: &[&'a [Code]], counts: &'a [u64]) -> Self {
        let cells = dense_cells(widths, counts.len());
        let Some(cells) = cells.filter(|_| widths.len() <= MOST_DIMENSIONS) else {
            return RangeCounts::Lines(Histogram::new(widths, columns, counts));
        };
        let mut sums = dense_sums(cells, widths, columns, counts);
        let mut step = 1;
        for width in widths.iter().rev() {
            for block in sums.chunks_mut(step * width) {
                for cell in step..block.len() {
                    block[cell] += block[cell - step];
                }
            }
            step *= width;
        }
        RangeCounts::Summed {
            widths: widths.to_vec(),
            sums,
        }
    }

    /// How many rows lie between `lo` and `hi` in every column.
    pub(super) fn within(&self, ranges: &[(Code, Code)]) -> u64 {
        let (widths, sums) = match self {
            RangeCounts::Lines(lines) => return lines.within(ranges),
            RangeCounts::Summed { widths, sums } => (widths, sums),
        };
        // corners with an even number of lower ends count, the others are taken away; what is taken
        // away in between may exceed what was counted
        let mut inside = 0u64;
        'corners: for corner in 0..1u32 << ranges.len() {
            let mut place = 0;
            for (column, &(lo, hi)) in ranges.iter().enumerate() {
                let end = if corner >> column & 1 == 0 {
                    hi as usize
                } else if lo > 0 {
                    lo as usize - 1
                } else {
                    // nothing lies below the first code
                    continue 'corners;
                };
                place = place * widths[column] + end;
            }
            inside = if corner.count_ones() % 2 == 0 {
                inside.wrapping_add(sums[place])
            } else {
                inside.wrapping_sub(sums[place])
            };
        }
        inside
    }
}

/// Tuples, column by column, with counts.
pub(super) struct Histogram<'a> {
    columns: Vec<Cow<'a, [Code]>>,
    counts: Cow<'a, [u64]>,
}

impl<'a> Histogram<'a> {
    /// Adds up tuples given column by column; codes of a column are below its width.
    pub(super) fn new(widths: &[usize], columns: &[&'a [Code]], counts: &'a [u64]) -> Self {
        match dense_cells(widths, counts.len()) {
            Some(cells) => Histogram::dense(cells, widths, columns, counts),
            None => Histogram {
                columns: columns.iter().map(|&codes| Cow::Borrowed(codes)).collect(),
                counts: Cow::Borrowed(counts),
            },
        }
    }

    fn dense(cells: usize, widths: &[usize], columns: &[&[Code]], counts: &[u64]) -> Self {
        let sums = dense_sums(cells, widths, columns, counts);
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

    /// Whether tuples stand as they were given, and not added up.
    pub(super) fn is_as_given(&self) -> bool {
        matches!(self.counts, Cow::Borrowed(_))
    }

    /// The same sum where most weights are 0: for tuples that stand as they were given, with the
    /// lowest and the highest value of each in the first columns, those who do not meet the
    /// column's range weigh nothing. Who meets it is found for many rows at once.
    pub(super) fn weighted_where(
        &self,
        spans: &[(&[Code], &[Code])],
        ranges: &[(Code, Code)],
        mut weight: impl FnMut(usize, Code) -> f64,
    ) -> f64 {
        let mut meets = [0u32; CHUNK];
        let mut rows = [0usize; CHUNK];
        let mut sum = 0.0;
        for (chunk, counts) in self.counts.chunks(CHUNK).enumerate() {
            let first = chunk * CHUNK;
            let meets = &mut meets[..counts.len()];
            meets.fill(1);
            for ((lows, highs), &(lo, hi)) in spans.iter().zip(ranges) {
                let ends = lows[first..].iter().zip(&highs[first..]);
                for (meets, (&low, &high)) in meets.iter_mut().zip(ends) {
                    *meets &= u32::from(low <= hi) & u32::from(lo <= high);
                }
            }
            // without a branch, which would go wrong every other time
            let mut meeting = 0;
            for (row, &meets) in meets.iter().enumerate() {
                rows[meeting] = row;
                meeting += meets as usize;
            }
            for &row in &rows[..meeting] {
                let mut product = counts[row] as f64;
                for (column, codes) in self.columns.iter().enumerate() {
                    product *= weight(column, codes[first + row]);
                    if product == 0.0 {
                        break;
                    }
                }
                sum += product;
            }
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

    /// Boxes that begin anywhere, the first code included, in one to five columns.
    #[test]
    fn sums_over_smaller_cells_count_what_lies_within() {
        let mut drawn = 7u32;
        let mut draw = |below: u32| {
            drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (drawn >> 8) % below
        };
        for dimensions in 1..=5 {
            let mut widths = Vec::new();
            for _ in 0..dimensions {
                widths.push(1 + draw(5) as usize);
            }
            let mut columns: Vec<Vec<Code>> = Vec::new();
            for &width in &widths {
                columns.push((0..700).map(|_| draw(width as u32)).collect());
            }
            let counts: Vec<u64> = (0..700).map(|_| u64::from(draw(9))).collect();
            let codes: Vec<&[Code]> = columns.iter().map(Vec::as_slice).collect();
            let summed = RangeCounts::new(&widths, &codes, &counts);
            assert!(matches!(summed, RangeCounts::Summed { .. }));
            for _ in 0..50 {
                let mut ranges = Vec::new();
                for &width in &widths {
                    let (one, other) = (draw(width as u32), draw(width as u32));
                    ranges.push((one.min(other), one.max(other)));
                }
                let mut expected = 0;
                for row in 0..700 {
                    let is_inside = |column: usize| {
                        let (lo, hi) = ranges[column];
                        (lo..=hi).contains(&columns[column][row])
                    };
                    if (0..dimensions).all(is_inside) {
                        expected += counts[row];
                    }
                }
                assert_eq!(summed.within(&ranges), expected);
            }
        }
        // too many corners, and too many cells
        let few = [0u32];
        let narrow = RangeCounts::new(&[1; 7], &[&few[..]; 7], &[3]);
        assert!(matches!(narrow, RangeCounts::Lines(_)));
        assert_eq!(narrow.within(&[(0, 0); 7]), 3);
        let wide = RangeCounts::new(&[FEW_CELLS + 1], &[&few[..]], &[3]);
        assert!(matches!(wide, RangeCounts::Lines(_)));
    }

    /// Whoever is skipped weighs nothing: the sums agree to the last bit.
    #[test]
    fn skipping_what_does_not_meet_changes_nothing() {
        let rows = 2 * CHUNK + 31;
        let low = |row: usize, c: usize| (row * (7 + c) % 5_000) as Code;
        let mut columns: Vec<Vec<Code>> = Vec::new();
        let mut lows: Vec<Vec<Code>> = Vec::new();
        let mut highs: Vec<Vec<Code>> = Vec::new();
        for c in 0..3 {
            columns.push((0..rows as Code).collect());
            lows.push((0..rows).map(|row| low(row, c)).collect());
            highs.push(
                (0..rows)
                    .map(|row| low(row, c) + (row % 40) as Code)
                    .collect(),
            );
        }
        let counts: Vec<u64> = (0..rows as u64).map(|row| 1 + row % 9).collect();
        let codes: Vec<&[Code]> = columns.iter().map(Vec::as_slice).collect();
        let lines = Histogram::new(&[rows; 3], &codes, &counts);
        assert!(lines.is_as_given());
        for ranges in [
            [(100, 2_000), (0, 900), (50, 4_000)],
            [(0, 60), (0, 5_100), (0, 300)],
        ] {
            let share = |column: usize, row: Code| {
                let row = row as usize;
                let (lo, hi) = ranges[column];
                let span = (lows[column][row], highs[column][row]);
                let end = u64::from(hi.min(span.1)) + 1;
                let inside = end.saturating_sub(lo.max(span.0).into());
                inside as f64 / f64::from(span.1 - span.0 + 1)
            };
            let all = lines.weighted_by(share);
            assert!(all > 0.0);
            for skipping in 0..=3 {
                let mut spans: Vec<(&[Code], &[Code])> = Vec::new();
                for column in 0..skipping {
                    spans.push((&lows[column], &highs[column]));
                }
                let some = lines.weighted_where(&spans, &ranges, share);
                assert_eq!(all.to_bits(), some.to_bits());
            }
        }
    }

    #[test]
    fn no_columns_means_all_rows() {
        assert_eq!(RangeCounts::new(&[], &[], &[0, 1, 2]).within(&[]), 3);
        let histogram = Histogram::new(&[], &[], &[0, 1, 2]);
        assert_eq!((histogram.weighted(&[]), histogram.within(&[])), (3.0, 3));
        assert_eq!(Histogram::new(&[0], &[&[]], &[]).weighted(&[vec![]]), 0.0);
    }
}

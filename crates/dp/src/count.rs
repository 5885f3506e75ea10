//! Counting: contingency tables of records, many in one pass.

use crate::records::Records;
use crate::universe::CellId;
use rayon::prelude::*;

/// The cells of a table over some attributes, row-major, the last attribute fastest. `None` beyond
/// what can be counted.
pub fn cells_of(cells: &[usize], attributes: &[usize]) -> Option<usize> {
    attributes
        .iter()
        .try_fold(1usize, |all, &a| all.checked_mul(cells[a]))
}

/// The cell at a place of such a table.
pub fn cell_at(sizes: &[usize], mut place: usize) -> Vec<CellId> {
    let mut cell = vec![0; sizes.len()];
    for (value, size) in cell.iter_mut().zip(sizes).rev() {
        *value = (place % size) as CellId;
        place /= size;
    }
    cell
}

/// Records per pass over a block: their columns stay in the cache while every table is counted.
const BLOCK: usize = 1 << 13;

/// Counts one table per set of attributes.
pub fn count(records: &Records, sets: &[Vec<usize>]) -> Vec<Vec<u64>> {
    let sizes: Vec<usize> = sets
        .iter()
        .map(|set| cells_of(records.cells(), set).expect("sizes were checked"))
        .collect();
    let empty = || {
        sizes
            .iter()
            .map(|&size| vec![0u64; size])
            .collect::<Vec<_>>()
    };
    let rows = records.len();
    // each thread counts a stretch of rows into tables of its own
    let stretch = rows
        .div_ceil(rayon::current_num_threads().max(1))
        .max(BLOCK * 4);
    let stretches: Vec<usize> = (0..rows).step_by(stretch.max(1)).collect();
    let counted = stretches.par_iter().map(|&start| {
        let mut tables = empty();
        let end = (start + stretch).min(rows);
        for from in (start..end).step_by(BLOCK) {
            let to = (from + BLOCK).min(end);
            sets.iter()
                .zip(&mut tables)
                .for_each(|(set, table)| count_block(records, set, from..to, table));
        }
        tables
    });
    counted.reduce(empty, |mut all, some| {
        all.iter_mut()
            .flatten()
            .zip(some.iter().flatten())
            .for_each(|(all, some)| *all += some);
        all
    })
}

fn count_block(records: &Records, set: &[usize], rows: std::ops::Range<usize>, table: &mut [u64]) {
    let column = |a: usize| &records.column(a)[rows.clone()];
    let cells = records.cells();
    match *set {
        [] => table[0] += rows.len() as u64,
        [a] => column(a).iter().for_each(|&x| table[usize::from(x)] += 1),
        [a, b] => count_pairs(column(a), column(b), cells[b], table),
        ref many => {
            let columns: Vec<_> = many.iter().map(|&a| (column(a), cells[a])).collect();
            for row in 0..rows.len() {
                let at = columns
                    .iter()
                    .fold(0, |at, (column, n)| at * n + usize::from(column[row]));
                table[at] += 1;
            }
        }
    }
}

/// Rows next to each other are often in one cell, and an addition that waits for the one before is
/// slow: four rows at a time go to four tables, while these are small enough to stay near.
fn count_pairs(rows: &[u16], columns: &[u16], n: usize, table: &mut [u64]) {
    const NEAR: usize = 1 << 12;
    let cell = |x: u16, y: u16| usize::from(x) * n + usize::from(y);
    if table.len() > NEAR || rows.len() < table.len() {
        rows.iter()
            .zip(columns)
            .for_each(|(&x, &y)| table[cell(x, y)] += 1);
        return;
    }
    let size = table.len();
    let mut four = vec![0u32; size * 4];
    let (first, rest) = four.split_at_mut(size);
    let (second, rest) = rest.split_at_mut(size);
    let (third, fourth) = rest.split_at_mut(size);
    let (x4, y4) = (rows.chunks_exact(4), columns.chunks_exact(4));
    let left = x4.remainder().iter().zip(y4.remainder());
    left.for_each(|(&x, &y)| table[cell(x, y)] += 1);
    for (x, y) in x4.zip(y4) {
        first[cell(x[0], y[0])] += 1;
        second[cell(x[1], y[1])] += 1;
        third[cell(x[2], y[2])] += 1;
        fourth[cell(x[3], y[3])] += 1;
    }
    four.iter()
        .enumerate()
        .for_each(|(at, &count)| table[at % size] += u64::from(count));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tables_are_what_a_loop_counts(rows in prop::collection::vec((0..3u16, 0..5u16, 0..2u16), 0..300)) {
            let column = |f: fn(&(u16, u16, u16)) -> CellId| rows.iter().map(f).collect::<Vec<_>>();
            let records = Records::from_columns(vec![column(|r| r.0), column(|r| r.1), column(|r| r.2)], vec![3, 5, 2], 1);
            let sets = [vec![], vec![1], vec![2, 0], vec![0, 1], vec![1, 2, 0]];
            let tables = count(&records, &sets);
            for (set, table) in sets.iter().zip(&tables) {
                let mut expected = vec![0; table.len()];
                for row in &rows {
                    let row = [row.0, row.1, row.2];
                    let at = set.iter().fold(0, |at, &a| at * [3, 5, 2][a] + usize::from(row[a]));
                    expected[at] += 1;
                }
                prop_assert_eq!(table, &expected);
            }
        }
    }
}

//! The cells that hold someone, where the table of all cells is too large to be written down.
//!
//! A record's cells are one number, in the base of the domains' sizes, as far as 64 bits go. Where
//! they do not, the numbers so far are replaced by their rank among those that occur, and the next
//! attributes are appended. Numbers and ranks rise in the order of cells, so the result is in that
//! order. One sort of the records for each such stretch.

use crate::records::Records;
use crate::universe::CellId;
use rayon::prelude::*;

/// Which cells hold someone, and how many, in the order of cells.
pub(crate) fn occupied(records: &Records, attributes: &[usize]) -> Vec<(Vec<CellId>, u64)> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut keys = vec![0u64; records.len()];
    let mut rest = attributes;
    while !rest.is_empty() {
        let ranks = stretches
            .last()
            .map_or(1, |before| before.distinct.len().max(1) as u64);
        let (now, later) = rest.split_at(fitting(records.cells(), rest, ranks));
        if let Some(before) = stretches.last() {
            let rank = |key: &mut u64| {
                let place = before
                    .distinct
                    .binary_search(key)
                    .expect("every key was collected");
                *key = place as u64;
            };
            keys.par_iter_mut().for_each(rank);
        }
        append(records, now, &mut keys);
        let (distinct, counts) = distinct(&keys);
        stretches.push(Stretch {
            sizes: now.iter().map(|&a| records.cells()[a] as u64).collect(),
            distinct,
            counts,
        });
        rest = later;
    }
    let Some(last) = stretches.last() else {
        return Vec::new();
    };
    (0..last.distinct.len())
        .into_par_iter()
        .map(|at| (cells(&stretches, at), last.counts[at]))
        .collect()
}

/// Attributes that are appended to the keys at once.
struct Stretch {
    sizes: Vec<u64>,
    distinct: Vec<u64>,
    counts: Vec<u64>,
}

/// How many attributes still fit behind ranks below `ranks`: one at least, since there are fewer
/// than 2⁴⁸ records.
fn fitting(sizes: &[usize], attributes: &[usize], ranks: u64) -> usize {
    let products = attributes.iter().scan(Some(ranks), |product, &a| {
        *product = product.and_then(|product| product.checked_mul(sizes[a] as u64));
        *product
    });
    products.count().max(1)
}

fn append(records: &Records, attributes: &[usize], keys: &mut [u64]) {
    for &attribute in attributes {
        let size = records.cells()[attribute] as u64;
        let column = records.column(attribute).par_iter().with_min_len(1 << 14);
        keys.par_iter_mut()
            .with_min_len(1 << 14)
            .zip(column)
            .for_each(|(key, &cell)| *key = *key * size + u64::from(cell));
    }
}

/// The distinct keys, ascending, and how often each occurs.
fn distinct(keys: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let mut sorted = keys.to_vec();
    sorted.par_sort_unstable();
    sorted
        .chunk_by(|a, b| a == b)
        .map(|same| (same[0], same.len() as u64))
        .unzip()
}

/// The cells of a key, read back stretch by stretch from the end.
fn cells(stretches: &[Stretch], at: usize) -> Vec<CellId> {
    let (mut cells, mut place) = (Vec::new(), at);
    for stretch in stretches.iter().rev() {
        let mut key = stretch.distinct[place];
        for size in stretch.sizes.iter().rev() {
            cells.push((key % size) as CellId);
            key /= size;
        }
        place = key as usize;
    }
    cells.reverse();
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Few distinct values of wide domains: keys of one, two and more stretches.
        #[test]
        fn cells_are_what_a_map_counts(
            rows in prop::collection::vec(prop::collection::vec(0..3u16, 9), 0..60),
            sizes in prop::collection::vec(prop_oneof![Just(3usize), Just(1 << 16), Just(1 << 10)], 9),
            used in prop::sample::subsequence((0..9usize).collect::<Vec<_>>(), 1..=9),
        ) {
            // the largest cell of every domain occurs, too
            let cell = |row: &Vec<u16>, a: usize| if row[a] == 2 { (sizes[a] - 1) as u16 } else { row[a] };
            let columns = (0..9).map(|a| rows.iter().map(|row| cell(row, a)).collect()).collect();
            let records = Records::from_columns(columns, sizes.clone(), 1);
            let mut expected: BTreeMap<Vec<CellId>, u64> = BTreeMap::new();
            for row in &rows {
                *expected.entry(used.iter().map(|&a| cell(row, a)).collect()).or_default() += 1;
            }
            prop_assert_eq!(occupied(&records, &used), expected.into_iter().collect::<Vec<_>>());
        }
    }
}

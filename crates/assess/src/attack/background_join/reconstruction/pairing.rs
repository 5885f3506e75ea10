//! From estimated counts to whole people: the pairing that a reader would bet on.
//!
//! Whole parts first, then the largest remainders while the group's counts allow it. Ties are
//! broken at random by the seed: broken by the order of values they would re-link columns whose
//! values happen to sort alike, and the attack would look better than it is.

use super::fit::Margins;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// A whole count for each pair, row by row, with the group's counts.
pub fn pairing(group: &Margins, table: &[f64], rng: &mut ChaCha8Rng) -> Vec<u64> {
    let width = group.columns.len();
    let mut rows: Vec<u64> = group.rows.iter().map(|&(_, count)| count).collect();
    let mut columns: Vec<u64> = group.columns.iter().map(|&(_, count)| count).collect();
    let mut pairs = vec![0; table.len()];
    let mut take = |cell: usize, wanted: u64| {
        let taken = wanted.min(rows[cell / width]).min(columns[cell % width]);
        rows[cell / width] -= taken;
        columns[cell % width] -= taken;
        pairs[cell] += taken;
    };
    let whole = |count: f64| (count + ALIKE).floor();
    (0..table.len()).for_each(|cell| take(cell, whole(table[cell]) as u64));
    let order = by_remainder(table.iter().map(|&count| count - whole(count)), rng);
    order.iter().for_each(|&cell| take(cell, 1));
    // what rounding left over goes wherever there is room
    order.iter().for_each(|&cell| take(cell, u64::MAX));
    pairs
}

/// Remainders closer than this are a tie.
const ALIKE: f64 = 1e-6;

/// Cells by falling remainder.
fn by_remainder(remainders: impl Iterator<Item = f64>, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut keys: Vec<(i64, u64, usize)> = remainders
        .enumerate()
        .map(|(cell, remainder)| (-(remainder / ALIKE).round() as i64, rng.next_u64(), cell))
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, _, cell)| cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand_chacha::rand_core::SeedableRng;

    fn margins(rows: &[u64], columns: &[u64]) -> Margins {
        let coded = |counts: &[u64]| {
            counts
                .iter()
                .zip(0..)
                .map(|(&count, code)| (code, count))
                .collect()
        };
        Margins {
            rows: coded(rows),
            columns: coded(columns),
            size: rows.iter().sum(),
        }
    }

    proptest! {
        #[test]
        fn counts_are_kept(people in prop::collection::vec((0usize..4, 0usize..3), 1..30), seed: u64, skew in 0.0..1.0f64) {
            let mut rows = vec![0; 4];
            let mut columns = vec![0; 3];
            people.iter().for_each(|&(a, b)| { rows[a] += 1; columns[b] += 1; });
            rows.retain(|&n| n > 0);
            columns.retain(|&n| n > 0);
            let group = margins(&rows, &columns);
            let table: Vec<f64> = group.independent().iter().enumerate().map(|(i, n)| n * (1.0 + skew * (i % 2) as f64)).collect();
            let pairs = pairing(&group, &table, &mut ChaCha8Rng::seed_from_u64(seed));
            let width = columns.len();
            for (row, count) in pairs.chunks(width).zip(&rows) {
                prop_assert_eq!(row.iter().sum::<u64>(), *count);
            }
            for (column, count) in columns.iter().enumerate() {
                prop_assert_eq!(pairs.iter().skip(column).step_by(width).sum::<u64>(), *count);
            }
        }
    }

    #[test]
    fn ties_do_not_follow_the_order_of_values() {
        let group = margins(&[1, 1], &[1, 1]);
        let diagonal = |seed| pairing(&group, &[0.5; 4], &mut ChaCha8Rng::seed_from_u64(seed))[0];
        let ones: u64 = (0..1_000).map(diagonal).sum();
        assert!((400..600).contains(&ones), "{ones}");
    }

    #[test]
    fn the_likelier_pairing_wins() {
        let group = margins(&[1, 1], &[1, 1]);
        let pairs = pairing(
            &group,
            &[0.4, 0.6, 0.6, 0.4],
            &mut ChaCha8Rng::seed_from_u64(0),
        );
        assert_eq!(pairs, [0, 1, 1, 0]);
    }
}

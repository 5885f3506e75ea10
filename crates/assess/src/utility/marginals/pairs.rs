//! Which pairs of columns are compared.
//!
//! All of them while there are few columns. There are quadratically many, so that of a wide table
//! each column is compared with as many others, the same number for every column: with those that
//! stand certain distances behind it in the table, taken as a circle. The distances are spread
//! evenly from the neighbour to the column opposite. Every column takes part equally often, the
//! choice depends on nothing but the number of columns, and the mean over the chosen pairs stands
//! for the mean over all.

/// How many columns behind it a column is compared with; as many in front of it are compared with
/// it.
pub const PARTNERS: usize = 10;

/// The pairs that are compared, ascending: all of up to `2 × PARTNERS + 1` columns.
pub fn chosen_pairs(columns: usize) -> Vec<(usize, usize)> {
    // columns that are further apart one way around are nearer the other way
    let farthest = columns / 2;
    let mut pairs = Vec::new();
    if farthest <= PARTNERS {
        for first in 0..columns {
            for second in first + 1..columns {
                pairs.push((first, second));
            }
        }
        return pairs;
    }
    // on an even circle the column opposite would be met from both sides
    let farthest = (columns - 1) / 2;
    for step in 0..PARTNERS {
        let apart = 1 + step * (farthest - 1) / (PARTNERS - 1);
        for column in 0..columns {
            let partner = (column + apart) % columns;
            pairs.push((column.min(partner), column.max(partner)));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// How many pairs so many columns have.
pub fn pairs_of(columns: usize) -> u64 {
    let columns = columns as u64;
    columns * columns.saturating_sub(1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_as_many_partners_and_no_pair_is_there_twice() {
        for columns in 0..200 {
            let pairs = chosen_pairs(columns);
            let mut partners = vec![0; columns];
            for &(first, second) in &pairs {
                assert!(first < second && second < columns);
                partners[first] += 1;
                partners[second] += 1;
            }
            assert!(pairs.windows(2).all(|two| two[0] < two[1]), "{columns}");
            let expected = columns.saturating_sub(1).min(2 * PARTNERS);
            assert!(partners.iter().all(|&count| count == expected), "{columns}");
            assert!(pairs.len() as u64 <= pairs_of(columns));
        }
        assert_eq!(chosen_pairs(20).len() as u64, pairs_of(20));
        assert_eq!(chosen_pairs(21).len() as u64, pairs_of(21));
        assert_eq!((chosen_pairs(38).len(), pairs_of(38)), (380, 703));
    }
}

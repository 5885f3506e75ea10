//! Which columns single people out together: rows that are alone with one, two or three
//! quasi-identifiers.
//!
//! A reader seldom knows all quasi-identifiers of somebody. Every subset of up to three is looked
//! at: how many rows nobody shares its values with, and how many rows the smallest class has. In the
//! original this says where the risk comes from (Sweeney 2000 counted so); in a release every class
//! of a subset is a union of groups, so none is smaller than the smallest group. Where people have
//! several rows, rows are counted all the same.
//!
//! Cost: one pass over the rows for each subset; with more than [`MOST_COLUMNS`] columns triples are
//! left out, and with more than [`MOST_FOR_PAIRS`] pairs are as well, which is said.

use mingle_model::{Cube, Published};
use rayon::prelude::*;
use std::collections::HashMap;

/// The most columns for which triples are looked at.
pub const MOST_COLUMNS: usize = 12;
/// The most columns for which pairs are looked at.
pub const MOST_FOR_PAIRS: usize = 60;

/// What a subset of columns tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubsetClasses {
    /// The columns' places, ascending.
    pub columns: Vec<usize>,
    /// Rows that are alone with their values.
    pub alone: u64,
    /// Rows of the smallest class.
    pub smallest: u64,
    /// How many classes there are.
    pub classes: u64,
}

/// Rows with their values as numbers, and how often each occurs.
struct CodedRows {
    columns: Vec<Vec<u32>>,
    weights: Vec<u64>,
}

/// Every subset of the original, those that leave most rows alone first.
pub fn of_original(cube: &Cube) -> Vec<SubsetClasses> {
    let mut columns = Vec::new();
    for column in cube.quasi_identifiers() {
        columns.push(column.codes.iter().collect());
    }
    ranked(&CodedRows {
        columns,
        weights: (0..cube.tuples()).map(|tuple| cube.weight(tuple)).collect(),
    })
}

/// Every subset of a release, in the same order.
pub fn of_release(published: &Published) -> Vec<SubsetClasses> {
    let groups = published.groups();
    let mut columns = Vec::new();
    for place in 0..published.columns().len() {
        columns.push((0..groups).map(|g| published.labels(g)[place]).collect());
    }
    ranked(&CodedRows {
        columns,
        weights: (0..groups).map(|group| published.size(group)).collect(),
    })
}

fn ranked(rows: &CodedRows) -> Vec<SubsetClasses> {
    let subsets = subsets(rows.columns.len());
    let mut found: Vec<SubsetClasses> = subsets
        .into_par_iter()
        .map(|columns| classes_of(rows, columns))
        .collect();
    // fewer columns first among equals: who needs less to know is the greater risk
    found.sort_by(|a, b| {
        let (most, smallest) = (b.alone.cmp(&a.alone), a.smallest.cmp(&b.smallest));
        let simpler = a.columns.len().cmp(&b.columns.len());
        most.then(smallest)
            .then(simpler)
            .then_with(|| a.columns.cmp(&b.columns))
    });
    found
}

/// All subsets that are looked at.
fn subsets(columns: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for a in 0..columns {
        all.push(vec![a]);
        if columns > MOST_FOR_PAIRS {
            continue;
        }
        for b in a + 1..columns {
            all.push(vec![a, b]);
            if columns > MOST_COLUMNS {
                continue;
            }
            for c in b + 1..columns {
                all.push(vec![a, b, c]);
            }
        }
    }
    all
}

fn classes_of(rows: &CodedRows, columns: Vec<usize>) -> SubsetClasses {
    let mut sizes: HashMap<[u32; 3], u64> = HashMap::new();
    for (row, weight) in rows.weights.iter().enumerate() {
        let mut key = [0; 3];
        for (at, &column) in columns.iter().enumerate() {
            key[at] = rows.columns[column][row];
        }
        *sizes.entry(key).or_default() += weight;
    }
    SubsetClasses {
        alone: sizes.values().filter(|&&size| size == 1).count() as u64,
        smallest: sizes.values().copied().min().unwrap_or(0),
        classes: sizes.len() as u64,
        columns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition: every row beside every other.
    fn by_definition(rows: &CodedRows, columns: &[usize]) -> (u64, u64) {
        let count = rows.weights.len();
        let like = |a: usize| -> u64 {
            (0..count)
                .filter(|&b| {
                    columns
                        .iter()
                        .all(|&c| rows.columns[c][a] == rows.columns[c][b])
                })
                .map(|b| rows.weights[b])
                .sum()
        };
        let alone = (0..count).filter(|&a| like(a) == 1).count() as u64;
        (alone, (0..count).map(like).min().unwrap_or(0))
    }

    #[test]
    fn every_subset_is_counted_as_defined() {
        let rows = CodedRows {
            columns: vec![
                vec![0, 0, 1, 1, 2, 2, 2],
                vec![0, 1, 0, 1, 0, 1, 2],
                vec![5, 5, 5, 5, 5, 5, 6],
            ],
            weights: vec![1, 1, 2, 1, 1, 3, 1],
        };
        let found = ranked(&rows);
        assert_eq!(found.len(), 7);
        for subset in &found {
            let expected = by_definition(&rows, &subset.columns);
            assert_eq!(
                (subset.alone, subset.smallest),
                expected,
                "{:?}",
                subset.columns
            );
        }
        assert!(found.windows(2).all(|pair| pair[0].alone >= pair[1].alone));
        assert_eq!(found[0].columns, [0, 1]);
    }

    #[test]
    fn many_columns_are_looked_at_in_smaller_subsets() {
        assert_eq!(subsets(12).len(), 12 + 66 + 220);
        assert_eq!(subsets(13).len(), 13 + 78);
        assert_eq!(subsets(61).len(), 61);
        assert!(subsets(0).is_empty());
    }
}

//! A bound that no method can go below.
//!
//! Only for tables whose columns all have hierarchies: there the labels that a row can get are the
//! vectors of levels, and the rows that could share one are those that agree under it. First, every
//! row at the cheapest label that at least k rows could share: nobody's label is shared by fewer
//! than k in a release with k-anonymity. Then [prices of rows](crate::row_prices), which know that
//! a row can be at one place only. Cost: rows × vectors of levels, for each round of prices.

use crate::cases::{MethodCase, read_columns};
use crate::row_prices::{self, SharedLabels};
use std::collections::HashMap;
use std::path::Path;

/// Tuples × vectors of levels; more would take minutes.
const MOST_STEPS: usize = 1_000_000_000;
/// Pairs of a tuple and a label that prices are computed with; of more, the first bound is given.
const MOST_PAIRS: usize = 100_000_000;

/// The bound.
#[derive(Clone, Copy)]
pub struct LossFloor {
    /// Rows of the table.
    pub rows: usize,
    /// The smallest normalized certainty penalty that a release may have.
    pub ncp: f64,
}

/// A column's nodes: for each level and value the node above, and each node's penalty.
struct Levels {
    nodes: Vec<Vec<u32>>,
    penalties: Vec<Vec<f64>>,
}

/// Rows of a CSV file without its header.
pub fn count_rows(table: &Path) -> usize {
    let text =
        std::fs::read_to_string(table).unwrap_or_else(|e| panic!("{}: {e}", table.display()));
    text.lines().count() - 1
}

/// The bound for a setting; `None` without hierarchies or where there are too many vectors.
pub fn of_case(case: &MethodCase) -> Option<LossFloor> {
    if !case.has_hierarchies() {
        return None;
    }
    let names: Vec<&str> = case.columns.iter().map(|c| c.name.as_str()).collect();
    let table = read_columns(&case.table, &names, 1);
    let mut levels = Vec::new();
    let mut codes: Vec<Vec<u32>> = Vec::new();
    for (place, column) in case.columns.iter().enumerate() {
        let values: Vec<&str> = table.rows.iter().map(|row| row[place].as_str()).collect();
        let file = column.hierarchy.as_ref().expect("asked above");
        let (of_values, own) = read_levels(file, &values);
        codes.push(of_values);
        levels.push(own);
    }
    let tuples = tuples(&codes, table.rows.len());
    let vectors: usize = levels.iter().map(|l| l.nodes.len()).product();
    if vectors.saturating_mul(tuples.len()) > MOST_STEPS {
        return None;
    }
    Some(floor(&tuples, &levels, case.promises.k))
}

/// Distinct tuples and how many rows each has.
fn tuples(codes: &[Vec<u32>], rows: usize) -> Vec<(Vec<u32>, u32)> {
    let mut counts: HashMap<Vec<u32>, u32> = HashMap::new();
    for row in 0..rows {
        let tuple: Vec<u32> = codes.iter().map(|column| column[row]).collect();
        *counts.entry(tuple).or_default() += 1;
    }
    let mut sorted: Vec<(Vec<u32>, u32)> = counts.into_iter().collect();
    sorted.sort_unstable();
    sorted
}

fn floor(tuples: &[(Vec<u32>, u32)], levels: &[Levels], k: u32) -> LossFloor {
    let weights: Vec<f64> = tuples
        .iter()
        .map(|(_, weight)| f64::from(*weight))
        .collect();
    let mut cheapest = vec![levels.len() as f64; tuples.len()];
    let mut labels = SharedLabels::default();
    let mut vector = vec![0; levels.len()];
    loop {
        // which tuples agree under this vector, as one number each
        let mut nodes: Vec<u64> = vec![0; tuples.len()];
        let mut penalties = vec![0.0; tuples.len()];
        for (column, &level) in vector.iter().enumerate() {
            let own = &levels[column];
            let width = own.penalties[level].len() as u64;
            for (at, (tuple, _)) in tuples.iter().enumerate() {
                let node = own.nodes[level][tuple[column] as usize];
                nodes[at] = nodes[at].wrapping_mul(width) + u64::from(node);
                penalties[at] += own.penalties[level][node as usize];
            }
        }
        let mut order: Vec<u32> = (0..tuples.len() as u32).collect();
        order.sort_unstable_by_key(|&at| nodes[at as usize]);
        for alike in order.chunk_by(|&a, &b| nodes[a as usize] == nodes[b as usize]) {
            let rows: f64 = alike.iter().map(|&at| weights[at as usize]).sum();
            if rows < f64::from(k) {
                continue;
            }
            let penalty = penalties[alike[0] as usize];
            for &at in alike {
                cheapest[at as usize] = penalty.min(cheapest[at as usize]);
            }
            if labels.pairs() < MOST_PAIRS {
                labels.push(penalty, alike.iter().copied());
            }
        }
        if !next(&mut vector, levels) {
            break;
        }
    }
    let rows: f64 = weights.iter().sum();
    let lost = if labels.pairs() < MOST_PAIRS {
        row_prices::bound(&labels, &weights, f64::from(k), cheapest)
    } else {
        cheapest
            .iter()
            .zip(&weights)
            .map(|(own, weight)| own * weight)
            .sum()
    };
    LossFloor {
        rows: rows as usize,
        ncp: lost / rows / levels.len() as f64,
    }
}

/// The next vector of levels, as an odometer counts; false after the last.
fn next(vector: &mut [usize], levels: &[Levels]) -> bool {
    for (column, level) in vector.iter_mut().enumerate() {
        if *level + 1 < levels[column].nodes.len() {
            *level += 1;
            return true;
        }
        *level = 0;
    }
    false
}

/// The code of every value, and the nodes above the codes.
fn read_levels(file: &Path, values: &[&str]) -> (Vec<u32>, Levels) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut paths: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut height = 0;
    for line in text.lines() {
        let path: Vec<&str> = line.split(';').collect();
        height = path.len();
        paths.insert(path[0], path);
    }
    let mut distinct: Vec<&str> = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut levels = Levels {
        nodes: Vec::new(),
        penalties: Vec::new(),
    };
    for level in 0..height {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut node_of = Vec::new();
        let mut below: Vec<f64> = Vec::new();
        for value in &distinct {
            let path = paths.get(value);
            let path = path.unwrap_or_else(|| panic!("{}: no row for some value", file.display()));
            let number = *numbers.entry(path[level]).or_insert(below.len() as u32);
            if number as usize == below.len() {
                below.push(0.0);
            }
            below[number as usize] += 1.0;
            node_of.push(number);
        }
        for covered in &mut below {
            *covered = if *covered > 1.0 {
                *covered / distinct.len() as f64
            } else {
                0.0
            };
        }
        levels.nodes.push(node_of);
        levels.penalties.push(below);
    }
    let mut codes = Vec::new();
    for value in values {
        let code = distinct.binary_search(value).expect("every value is there");
        codes.push(code as u32);
    }
    (codes, levels)
}

//! Whether marginals agree: any two tables add up to the same on every set of columns that they
//! share, the total included.
//!
//! Every subset of a table's columns is summed once and compared with the first table that has it.
//! Cost: with at most three columns a table is summed eight times.

use super::NoisyTable;
use super::read::CellCounts;
use crate::finding::Finding;
use mingle_dp::DeclaredAttribute;
use std::collections::HashMap;

/// Pairs of tables whose sums differ by more than one of them says they may.
pub(super) fn disagreements(
    attributes: &[DeclaredAttribute],
    tables: &[(&NoisyTable, CellCounts)],
) -> Vec<Finding> {
    let mut first: HashMap<Vec<usize>, (Vec<f64>, usize)> = HashMap::new();
    let mut found: Vec<Finding> = Vec::new();
    for (place, (table, counts)) in tables.iter().enumerate() {
        for shared in subsets(counts.attributes.len()) {
            let set: Vec<usize> = shared.iter().map(|&i| counts.attributes[i]).collect();
            let sums = summed(counts, &shared, attributes);
            let Some((expected, other)) = first.get(&set) else {
                first.insert(set, (sums, place));
                continue;
            };
            let other = tables[*other].0;
            let allowed = table
                .tolerance
                .unwrap_or(0.0)
                .max(other.tolerance.unwrap_or(0.0));
            // a comparison that is not certainly fine is a finding
            let agree = sums
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() <= allowed);
            let finding = Finding::Disagree {
                file: table.file.clone(),
                other: other.file.clone(),
            };
            if !agree && !found.contains(&finding) {
                found.push(finding);
            }
        }
    }
    found
}

/// All subsets of the first `n` numbers, each ascending.
fn subsets(n: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1u32 << n.min(20)).map(move |bits| (0..n).filter(|&i| bits >> i & 1 == 1).collect())
}

fn summed(counts: &CellCounts, shared: &[usize], attributes: &[DeclaredAttribute]) -> Vec<f64> {
    let sizes: Vec<usize> = shared
        .iter()
        .map(|&i| attributes[counts.attributes[i]].len())
        .collect();
    let mut sums = vec![0.0; sizes.iter().product()];
    for (row, count) in counts.counts.iter().enumerate() {
        let cell = |(&i, size): (&usize, &usize)| (usize::from(counts.cells[i][row]), *size);
        let at = shared
            .iter()
            .zip(&sizes)
            .map(cell)
            .fold(0, |at, (cell, size)| at * size + cell);
        sums[at] += count;
    }
    sums
}

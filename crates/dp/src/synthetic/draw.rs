//! Drawing records from a model with as little chance as possible.
//!
//! Cliques are visited from the root, and within a clique one attribute after another is given to
//! the records, which are then grouped by what they already have of that clique. A group of g
//! records gets g times the conditional distribution in whole records; what rounding leaves over is
//! carried to the next group, so that every attribute's totals are met to within a record. Which
//! record of a group gets which value is chance. Everything here follows from the model: it costs
//! no privacy.

use super::fit::{Model, projection, sums};
use crate::universe::CellId;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// Records by column.
pub(crate) fn records(
    model: &Model,
    cells: &[usize],
    rows: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<Vec<CellId>> {
    let mut columns: Vec<Option<Vec<CellId>>> = cells.iter().map(|_| None).collect();
    for (clique, table) in model.tree.cliques.iter().zip(&model.tables) {
        let mut known: Vec<usize> = clique
            .iter()
            .copied()
            .filter(|&a| columns[a].is_some())
            .collect();
        let mut open: Vec<usize> = clique
            .iter()
            .copied()
            .filter(|&a| columns[a].is_none())
            .collect();
        // large domains first: their groups are large then
        open.sort_by_key(|&a| std::cmp::Reverse(cells[a]));
        for new in open {
            let onto: Vec<usize> = known.iter().copied().chain([new]).collect();
            let size = onto.iter().map(|&a| cells[a]).product();
            let joint = sums(table, &projection(clique, &onto, cells), size);
            columns[new] = Some(column(
                &joint, &known, &columns, cells, cells[new], rows, rng,
            ));
            known.push(new);
        }
    }
    columns
        .into_iter()
        .map(|column| column.expect("every attribute is in a clique"))
        .collect()
}

#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
fn column(
    joint: &[f64],
    known: &[usize],
    columns: &[Option<Vec<CellId>>],
    cells: &[usize],
    values: usize,
    rows: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<CellId> {
    let groups = joint.len() / values;
    let mut key = vec![0u32; rows];
    for &a in known {
        let column = columns[a].as_ref().expect("known");
        key.iter_mut()
            .zip(column)
            .for_each(|(key, &cell)| *key = *key * cells[a] as u32 + u32::from(cell));
    }
    let mut starts = vec![0usize; groups + 1];
    key.iter().for_each(|&key| starts[key as usize + 1] += 1);
    (0..groups).for_each(|group| starts[group + 1] += starts[group]);
    let mut drawn: Vec<CellId> = Vec::with_capacity(rows);
    let mut over = vec![0.0; values];
    for group in 0..groups {
        let size = starts[group + 1] - starts[group];
        if size > 0 {
            let from = drawn.len();
            share_out(
                &joint[group * values..][..values],
                size,
                &mut over,
                &mut drawn,
            );
            shuffle(&mut drawn[from..], rng);
        }
    }
    let mut next = starts;
    let give = |&key: &u32| {
        let at = &mut next[key as usize];
        *at += 1;
        drawn[*at - 1]
    };
    key.iter().map(give).collect()
}

/// Gives `size` records the values of a distribution, in whole records: what is due is the share
/// and what is left over from before, whole parts first, then the largest rests.
fn share_out(weights: &[f64], size: usize, over: &mut [f64], drawn: &mut Vec<CellId>) {
    let all: f64 = weights.iter().sum();
    let possible = |v: usize| if all > 0.0 { weights[v] > 0.0 } else { true };
    for (v, over) in over.iter_mut().enumerate() {
        *over += size as f64
            * if all > 0.0 {
                weights[v] / all
            } else {
                1.0 / weights.len() as f64
            };
    }
    let mut left = size;
    for v in (0..weights.len()).filter(|&v| possible(v)) {
        let whole = (over[v].floor().max(0.0) as usize).min(left);
        drawn.extend(std::iter::repeat_n(v as CellId, whole));
        over[v] -= whole as f64;
        left -= whole;
    }
    for _ in 0..left {
        let most = (0..weights.len())
            .filter(|&v| possible(v))
            .max_by(|&a, &b| over[a].total_cmp(&over[b]));
        let v = most.expect("some value is possible");
        drawn.push(v as CellId);
        over[v] -= 1.0;
    }
}

fn shuffle(values: &mut [CellId], rng: &mut ChaCha8Rng) {
    for i in (1..values.len()).rev() {
        values.swap(i, below(rng, i as u64 + 1) as usize);
    }
}

/// A number below `n`, each as likely as the other to within 2⁻³².
pub(crate) fn below(rng: &mut ChaCha8Rng, n: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u64
}

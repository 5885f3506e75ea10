//! How far methods are from the proven optimum, on samples small enough to solve exactly.
//!
//! A sample is some rows of a public table, drawn by a seed. Its optimum is the least normalized
//! certainty penalty that k-anonymity allows ([`crate::exact`]); its bound is the mean over rows of the
//! cheapest group that the row could be in. A release below the optimum would be a defect, and ends
//! the run.

use crate::exact::least_cost;
use crate::greedy::{ReferenceGroup, read};
use crate::made::MadeTable;
use crate::program::publish;
use crate::settings::{TableSetting, optimum_settings};
use mingle_model::Cube;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// Rows of a sample for each k: as many as are solved in seconds.
const SIZES: [(usize, usize); 4] = [(2, 40), (2, 60), (3, 36), (5, 20)];
/// The default method and the quickest.
const METHODS: [&str; 2] = [mingle_anonymize::METHODS[0].name, "mondrian"];

/// One sample.
struct Sampled {
    optimum: f64,
    bound: f64,
    losses: [f64; 2],
}

/// Solves `tables` samples for every setting and size and prints distributions.
pub fn run(data: &Path, tables: usize, scratch: &Path) {
    println!("Gap = (NCP − optimum) / optimum, on samples of rows; 0 is the optimum.\n");
    println!(
        "| table | k | rows | solved | method | median gap | upper quartile | largest | mean | optimal | bound / optimum |"
    );
    println!("|---|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|");
    for (number, setting) in optimum_settings(data).iter().enumerate() {
        for (k, rows) in SIZES {
            let mut solved = Vec::new();
            for sample in 0..tables {
                let seed = (number * 1_000 + sample) as u64 * 100 + (k * 7 + rows) as u64;
                solved.extend(solve(setting, (k, rows), seed, scratch));
            }
            print_gaps(setting.name, (k, rows), tables, &solved);
        }
    }
}

/// Draws a sample, solves it, publishes it; `None` where the search gave up.
fn solve(
    setting: &TableSetting,
    (k, rows): (usize, usize),
    seed: u64,
    scratch: &Path,
) -> Option<Sampled> {
    let table = scratch.join("sample.csv");
    draw_sample(setting, rows, seed).write(&table);
    let sample = TableSetting {
        table,
        promises: format!("k = {k}"),
        ..setting.clone()
    };
    let cube = read(&sample);
    let row_tuples = tuples_by_row(&cube);
    let columns = cube.quasi_identifiers().len() as f64;
    let cost = |members: &[usize]| {
        let mut group = ReferenceGroup::of(&cube, row_tuples[members[0]]);
        for &member in &members[1..] {
            group.join(&ReferenceGroup::of(&cube, row_tuples[member]));
        }
        group.loss(&cube) * members.len() as f64
    };
    let scale = columns * row_tuples.len() as f64;
    let exact = least_cost(row_tuples.len(), k, cost)?;
    let (optimum, bound) = (exact.least / scale, exact.row_by_row / scale);
    let losses = METHODS.map(|method| publish(&sample, method, scratch).ncp);
    for loss in losses {
        assert!(
            loss > optimum - 1e-6,
            "{}: {loss} is below the optimum {optimum}",
            setting.name
        );
    }
    Some(Sampled {
        optimum,
        bound,
        losses,
    })
}

fn draw_sample(setting: &TableSetting, rows: usize, seed: u64) -> MadeTable {
    let names: Vec<&str> = setting
        .quasi_identifiers
        .iter()
        .map(|(name, _)| *name)
        .collect();
    let mut table = crate::cases::read_columns(&setting.table, &names, 1);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for place in 0..rows {
        let other = random.random_range(place..table.rows.len());
        table.rows.swap(place, other);
    }
    table.rows.truncate(rows);
    table
}

/// The tuple of every row: one that stands for several people, as often.
fn tuples_by_row(cube: &Cube) -> Vec<usize> {
    let mut rows = Vec::new();
    for tuple in 0..cube.tuples() {
        for _ in 0..cube.weight(tuple) {
            rows.push(tuple);
        }
    }
    rows
}

fn print_gaps(name: &str, (k, rows): (usize, usize), tables: usize, solved: &[Sampled]) {
    let tight: Vec<f64> = solved
        .iter()
        .filter(|s| s.optimum > 0.0)
        .map(|s| s.bound / s.optimum)
        .collect();
    for (place, method) in METHODS.iter().enumerate() {
        let mut gaps = Vec::new();
        for sampled in solved {
            if sampled.optimum > 0.0 {
                gaps.push(sampled.losses[place] / sampled.optimum - 1.0);
            }
        }
        gaps.sort_by(f64::total_cmp);
        if gaps.is_empty() {
            println!(
                "| {name} | {k} | {rows} | 0 of {tables} | {method} | – | – | – | – | – | – |"
            );
            continue;
        }
        let at = |share: f64| gaps[((gaps.len() - 1) as f64 * share).round() as usize];
        let optimal = gaps.iter().filter(|&&gap| gap < 1e-6).count();
        println!(
            "| {name} | {k} | {rows} | {} of {tables} | {method} | {:.3} | {:.3} | {:.3} | {:.3} | {optimal} | {:.2} |",
            gaps.len(),
            at(0.5),
            at(0.75),
            at(1.0),
            mean(&gaps),
            mean(&tight)
        );
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

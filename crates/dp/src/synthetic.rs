//! Made-up records from a model of noisy counts.

mod draw;
mod estimate;
mod fit;
mod tree;

use crate::Error;
use crate::purse::{Purse, Sensitivity};
use crate::records::Records;
use crate::selection::{measure, pair_scores, split};
use crate::universe::{Attribute, CellId, Values};
use fit::Target;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::sync::atomic::{AtomicBool, Ordering};
use tree::Tree;

/// How made-up records are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How many, a public number; the noisy count of records where it is not said.
    pub rows: Option<u64>,
    /// The most cells that the model holds: more of them follow the data closer and take longer.
    pub model_cells: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { rows: None, model_cells: 1 << 18 }
    }
}

/// Made-up records.
#[derive(Clone, PartialEq)]
pub struct Synthetic {
    /// Per attribute a cell for each record.
    pub columns: Vec<Vec<CellId>>,
    /// Per attribute with bins, a number or day within its bin for each record.
    pub numbers: Vec<Option<Vec<i64>>>,
    /// The sets of attributes that were measured.
    pub measured: Vec<Vec<usize>>,
}

impl Synthetic {
    /// How many records there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// A cell as it is published.
    pub fn text(&self, attributes: &[Attribute], attribute: usize, row: usize) -> String {
        let (cell, declared) = (self.columns[attribute][row], &attributes[attribute]);
        let special = Some(cell) == declared.other_cell() || Some(cell) == declared.missing_cell();
        match self.numbers[attribute].as_ref().filter(|_| !special) {
            Some(numbers) => declared.text(i128::from(numbers[row])),
            None => declared.label(cell),
        }
    }
}

/// Fits a model to noisy counts and draws records from it.
pub fn make(
    attributes: &[Attribute],
    records: &Records,
    options: &Options,
    purse: &mut Purse,
    cancel: &AtomicBool,
) -> Result<Synthetic, Error> {
    let cells = records.cells().to_vec();
    let all = purse.left();
    let single: Vec<Vec<usize>> = (0..cells.len()).map(|a| vec![a]).collect();
    let shares = split(all * ONE_WAY, &cells, purse);
    let mut measured = measure(records, &single, &shares, purse)?;
    let first = estimate::one_way(&cells, &measured);
    let (scores, _) = pair_scores(records, &first, purse, all * SCORES)?;
    let share = purse.left();
    let chosen = choose(&cells, &scores, options.model_cells, |pairs| {
        let sizes: Vec<usize> = pairs.iter().map(|&(a, b)| cells[a] * cells[b]).collect();
        let sensitivity = Sensitivity::of_counts(records.per_person());
        let error = |(share, size): (f64, &usize)| purse.deviation(share, sensitivity) * *size as f64;
        split(share, &sizes, purse).into_iter().zip(&sizes).map(error).sum::<f64>()
    });
    let pairs: Vec<Vec<usize>> = chosen.pairs.iter().map(|&(a, b)| vec![a, b]).collect();
    let sizes: Vec<usize> = pairs.iter().map(|pair| cells[pair[0]] * cells[pair[1]]).collect();
    let shares = split(share, &sizes, purse);
    measured.extend(measure(records, &pairs, &shares, purse)?);
    if cancel.load(Ordering::Relaxed) {
        return Err(Error::Cancelled);
    }
    let one_way = estimate::one_way(&cells, &measured);
    let mut targets: Vec<Target> = Vec::new();
    for table in &measured {
        if let [a, b] = table.attributes[..] {
            let counts = estimate::pair(table, &one_way[a], &one_way[b]);
            targets.push(Target { attributes: vec![a, b], counts });
        }
    }
    targets.extend((0..cells.len()).map(|a| Target { attributes: vec![a], counts: one_way[a].clone() }));
    let model = fit::fit(chosen.tree, &cells, &one_way, &targets, SWEEPS, cancel)?;
    let noisy_rows = one_way.first().map_or(0.0, |counts| counts.iter().sum::<f64>().round());
    let rows = options.rows.unwrap_or(noisy_rows as u64) as usize;
    let mut rng = generator()?;
    let columns = draw::records(&model, &cells, rows, &mut rng);
    let numbers = attributes.iter().zip(&columns).map(|(a, column)| numbers(a, column, &mut rng)).collect();
    Ok(Synthetic { columns, numbers, measured: measured.into_iter().map(|m| m.attributes).collect() })
}

/// The share of the budget for 1-way tables.
const ONE_WAY: f64 = 0.1;

/// The share of the budget for the scores of pairs.
const SCORES: f64 = 0.1;

/// The most sweeps of fitting.
const SWEEPS: usize = 100;

struct Chosen {
    pairs: Vec<(usize, usize)>,
    tree: Tree,
}

/// Takes pairs by descending score while the error that measuring them leaves, noise and what is not measured, falls
/// and the model stays small enough.
fn choose(
    cells: &[usize],
    scores: &[((usize, usize), f64)],
    model_cells: u64,
    noise_of: impl Fn(&[(usize, usize)]) -> f64,
) -> Chosen {
    let mut ranked = scores.to_vec();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut tree = Tree::new(cells, &[], model_cells).expect("single attributes always do");
    let mut noise = 0.0;
    for (pair, score) in ranked {
        pairs.push(pair);
        let more = noise_of(&pairs);
        let worth = more - noise < score;
        match Tree::new(cells, &pairs, model_cells).filter(|_| worth) {
            Some(larger) => (tree, noise) = (larger, more),
            None => drop(pairs.pop()),
        }
    }
    Chosen { pairs, tree }
}

fn generator() -> Result<ChaCha8Rng, Error> {
    let mut seed = [0; 32];
    opendp::traits::samplers::fill_bytes(&mut seed).map_err(|_| Error::NoRandomness)?;
    Ok(ChaCha8Rng::from_seed(seed))
}

/// Numbers within bins, each value of a bin as likely as the other.
fn numbers(attribute: &Attribute, column: &[CellId], rng: &mut ChaCha8Rng) -> Option<Vec<i64>> {
    let Values::Bins(bins) = &attribute.domain else { return None };
    let number = |&cell: &CellId| match usize::from(cell) {
        bin if bin < bins.starts.len() => {
            let (lo, hi) = bins.range(bin);
            let values = u64::try_from((hi - lo) / bins.step).unwrap_or(u64::MAX - 1) + 1;
            (lo + i128::from(draw::below(rng, values)) * bins.step) as i64
        }
        _ => 0,
    };
    Some(column.iter().map(number).collect())
}

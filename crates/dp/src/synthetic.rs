//! Made-up records from a model of noisy counts, after the select, measure, generate scheme of MST
//! and AIM (McKenna, Miklau and Sheldon 2021; McKenna et al. 2022) and the scores of PrivSyn (Zhang
//! et al. 2021).
//!
//! Attributes that depend on each other are found by noisy scores, their tables are measured with
//! noise, a junction tree is fitted to these, and records are drawn from it. Only looks at the data
//! cost privacy; fitting and drawing follow from what was seen.

mod draw;
mod estimate;
mod fit;
mod tree;

use crate::Error;
use crate::error::stop_if;
use crate::looks::{CentralLooks, Looks};
use crate::purse::{Purse, Sensitivity};
use crate::records::Records;
use crate::selection::{Measured, ONE_WAY, measure, split};
use crate::universe::{CellId, DeclaredAttribute, DeclaredValues};
use fit::Target;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::sync::atomic::AtomicBool;
use tree::Tree;

/// How made-up records are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntheticOptions {
    /// How many, a public number; the noisy count of records where it is not said.
    pub rows: Option<u64>,
    /// The most cells that the model holds: more of them follow the data closer and take longer.
    pub model_cells: u64,
}

impl Default for SyntheticOptions {
    fn default() -> SyntheticOptions {
        SyntheticOptions {
            rows: None,
            model_cells: 1 << 17,
        }
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
    pub fn text(&self, attributes: &[DeclaredAttribute], attribute: usize, row: usize) -> String {
        let (cell, declared) = (self.columns[attribute][row], &attributes[attribute]);
        let special = Some(cell) == declared.other_cell() || Some(cell) == declared.missing_cell();
        match self.numbers[attribute].as_ref().filter(|_| !special) {
            Some(numbers) => declared.text(i128::from(numbers[row])),
            None => declared.label(cell),
        }
    }
}

/// Whether a model and its records would fit into memory.
pub fn check(cells: &[usize], options: &SyntheticOptions) -> Result<(), Error> {
    let model = cells
        .iter()
        .map(|&n| n as u128)
        .sum::<u128>()
        .max(u128::from(options.model_cells));
    if model > MOST_MODEL_CELLS {
        return Err(Error::TooManyCells {
            what: "the model".to_owned(),
            cells: model,
            most: MOST_MODEL_CELLS,
        });
    }
    match options.rows {
        Some(rows) if rows > MOST_ROWS => Err(Error::TooManyRows {
            rows,
            most: MOST_ROWS,
        }),
        _ => Ok(()),
    }
}

/// Fits a model to noisy counts and draws records from it.
///
/// A tenth of the budget measures every 1-way table, a tenth the scores of pairs, the rest the
/// pairs that are worth their noise and keep the junction tree small. Everything after that follows
/// from the noisy tables.
pub fn make(
    attributes: &[DeclaredAttribute],
    records: &Records,
    options: &SyntheticOptions,
    purse: &mut Purse,
    cancel: &AtomicBool,
) -> Result<Synthetic, Error> {
    let mut looks = CentralLooks::new(records, purse);
    make_by(attributes, &mut looks, options, generator, cancel)
}

/// Made-up records, wherever the noisy counts come from and whatever they are drawn by.
pub(crate) fn make_by(
    attributes: &[DeclaredAttribute],
    looks: &mut dyn Looks,
    options: &SyntheticOptions,
    generator: impl FnOnce() -> Result<ChaCha8Rng, Error>,
    cancel: &AtomicBool,
) -> Result<Synthetic, Error> {
    let cells = looks.cells().to_vec();
    check(&cells, options)?;
    let (measured, tree) = look(looks, options, cancel)?;
    let one_way = estimate::one_way(&cells, &measured);
    let pair = |table: &Measured| match table.attributes[..] {
        [a, b] => {
            let counts = estimate::pair(table, &one_way[a], &one_way[b]);
            Some(Target {
                attributes: vec![a, b],
                counts,
            })
        }
        _ => None,
    };
    // 1-way tables last: what is fitted last is met best
    let single = (0..cells.len()).map(|a| Target {
        attributes: vec![a],
        counts: one_way[a].clone(),
    });
    let targets: Vec<Target> = measured.iter().filter_map(pair).chain(single).collect();
    let model = fit::fit(tree, &cells, &one_way, &targets, SWEEPS, cancel)?;
    let noisy_rows = one_way
        .first()
        .map_or(0.0, |counts| counts.iter().sum::<f64>().round());
    let rows = options.rows.unwrap_or((noisy_rows as u64).min(MOST_ROWS)) as usize;
    let mut rng = generator()?;
    let columns = draw::records(&model, &cells, rows, &mut rng);
    stop_if(cancel)?;
    let numbers = attributes
        .iter()
        .zip(&columns)
        .map(|(a, column)| numbers(a, column, &mut rng))
        .collect();
    let mut measured: Vec<Vec<usize>> =
        measured.into_iter().map(|table| table.attributes).collect();
    measured.sort_by_key(|set| (set.len(), set.clone()));
    measured.dedup();
    Ok(Synthetic {
        columns,
        numbers,
        measured,
    })
}

/// The most sweeps of fitting.
const SWEEPS: usize = 100;

/// The largest model that is held, and the most records that are drawn.
const MOST_MODEL_CELLS: u128 = 1 << 28;
const MOST_ROWS: u64 = 1_000_000_000;

/// Every look at the data, and the tree of what was looked at.
fn look(
    looks: &mut dyn Looks,
    options: &SyntheticOptions,
    cancel: &AtomicBool,
) -> Result<(Vec<Measured>, Tree), Error> {
    let cells = looks.cells().to_vec();
    let all = looks.left();
    let single: Vec<Vec<usize>> = (0..cells.len()).map(|a| vec![a]).collect();
    let mut measured = measure(looks, &single, all * ONE_WAY)?;
    stop_if(cancel)?;
    let one_way = estimate::one_way(&cells, &measured);
    let scores = looks.pair_scores(&one_way, all * looks.scores_share())?;
    stop_if(cancel)?;
    let share = looks.left();
    let size = |&(a, b): &(usize, usize)| cells[a] * cells[b];
    let sensitivity = Sensitivity::of_counts(looks.per_person());
    let noise_of = |pairs: &[(usize, usize)]| {
        let sizes: Vec<usize> = pairs.iter().map(size).collect();
        let error =
            |(share, &size): (f64, &usize)| looks.deviation(share, sensitivity) * size as f64;
        split(share, &sizes, looks.shape())
            .into_iter()
            .zip(&sizes)
            .map(error)
            .sum::<f64>()
    };
    let (pairs, tree) = choose(&cells, &scores, options.model_cells, noise_of);
    // where no pair is worth it, single attributes get what is left
    let sets = if pairs.is_empty() {
        single
    } else {
        pairs.iter().map(|&(a, b)| vec![a, b]).collect()
    };
    measured.extend(measure(looks, &sets, share)?);
    stop_if(cancel)?;
    Ok((measured, tree))
}

/// Takes pairs by descending score while measuring one more adds less error than it removes, and
/// the model stays small enough. About half of the noise survives [`estimate::pair`].
fn choose(
    cells: &[usize],
    scores: &[((usize, usize), f64)],
    model_cells: u64,
    noise_of: impl Fn(&[(usize, usize)]) -> f64,
) -> (Vec<(usize, usize)>, Tree) {
    const SURVIVES: f64 = 0.5;
    let mut ranked = scores.to_vec();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut tree = Tree::new(cells, &[], model_cells).expect("single attributes always do");
    let mut noise = 0.0;
    for (pair, score) in ranked {
        pairs.push(pair);
        let more = noise_of(&pairs) * SURVIVES;
        let larger = if more - noise < score {
            Tree::new(cells, &pairs, model_cells)
        } else {
            None
        };
        match larger {
            Some(larger) => (tree, noise) = (larger, more),
            None => drop(pairs.pop()),
        }
    }
    (pairs, tree)
}

fn generator() -> Result<ChaCha8Rng, Error> {
    let mut seed = [0; 32];
    opendp::traits::samplers::fill_bytes(&mut seed).map_err(|_| Error::NoRandomness)?;
    Ok(ChaCha8Rng::from_seed(seed))
}

/// Numbers within bins, each value of a bin as likely as the other.
fn numbers(
    attribute: &DeclaredAttribute,
    column: &[CellId],
    rng: &mut ChaCha8Rng,
) -> Option<Vec<i64>> {
    let DeclaredValues::Bins(bins) = &attribute.domain else {
        return None;
    };
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

#[cfg(test)]
mod tests;

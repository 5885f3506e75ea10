//! Which attributes depend on each other: noisy distances of pairs from independence.
//!
//! The score of a pair is the L1 distance, in records, between its table and the product of its two
//! 1-way tables as they were measured with noise. With those held fixed, one record moves one cell
//! by one, so a person with at most c records moves a score by at most c, and all scores together
//! by c·√pairs. Measuring every score costs less than choosing pairs one by one: on 45,000 records
//! and 45 pairs a tenth of ρ = 0.01 buys scores to within 0.3 % of the records (compare Zhang et
//! al., *PrivSyn*, USENIX Security 2021).
//!
//! Products are rounded to 1/256 of a record before they are compared, so that the distance is a
//! whole number and its sensitivity holds exactly, not up to rounding.

use crate::Error;
use crate::count::{cells_of, count};
use crate::looks::Looks;
use crate::noise::Shape;
use crate::purse::{Purse, Sensitivity};
use crate::records::Records;
use rayon::prelude::*;

/// Parts of a record.
const PARTS: u64 = 256;

/// The most cells over which a dependency is looked for.
const MOST_CELLS: usize = 1 << 20;

/// A noisy table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    /// The attributes, ascending.
    pub attributes: Vec<usize>,
    /// Every cell, row-major.
    pub counts: Vec<f64>,
    /// The standard deviation of each cell's noise.
    pub deviation: f64,
}

/// The shares of a budget for 1-way tables and for the scores of pairs, where tables are chosen by
/// their scores.
pub(crate) const ONE_WAY: f64 = 0.1;
pub(crate) const SCORES: f64 = 0.1;

/// Measures tables with a share of the whole budget, split among them.
pub(crate) fn measure(
    looks: &mut dyn Looks,
    sets: &[Vec<usize>],
    share: f64,
) -> Result<Vec<Measured>, Error> {
    let size = |set: &Vec<usize>| cells_of(looks.cells(), set).expect("sizes were checked");
    let sizes: Vec<usize> = sets.iter().map(size).collect();
    let shares = split(share, &sizes, looks.shape());
    let mut measured = Vec::with_capacity(sets.len());
    for (set, table) in sets.iter().zip(looks.tables(sets, &shares)?) {
        measured.push(Measured {
            attributes: set.clone(),
            counts: table.counts.into_iter().map(|count| count as f64).collect(),
            deviation: table.deviation,
        });
    }
    Ok(measured)
}

/// Splits a share over tables so that the expected absolute error of all cells together is least.
pub(crate) fn split(share: f64, cells: &[usize], shape: Shape) -> Vec<f64> {
    let weights: Vec<f64> = cells
        .iter()
        .map(|&n| (n as f64).powf(shape.power()))
        .collect();
    let all: f64 = weights.iter().sum();
    weights.iter().map(|weight| share * weight / all).collect()
}

/// Pairs of attributes, the smaller one first, with their scores.
pub(crate) type Scores = Vec<((usize, usize), f64)>;

/// The pairs of attributes that are small enough to be looked at.
pub(crate) fn scored_pairs(cells: &[usize]) -> Vec<Vec<usize>> {
    let small = |pair: &[usize]| cells_of(cells, pair).is_some_and(|n| n <= MOST_CELLS);
    let all = (0..cells.len()).flat_map(|a| (a + 1..cells.len()).map(move |b| vec![a, b]));
    all.filter(|pair| small(pair)).collect()
}

/// Noisy scores of all pairs of attributes. Pairs with too many cells to look at get no score.
pub(crate) fn pair_scores(
    records: &Records,
    one_way: &[Vec<f64>],
    purse: &mut Purse,
    share: f64,
) -> Result<Scores, Error> {
    let cells = records.cells();
    let pairs = scored_pairs(cells);
    if pairs.is_empty() {
        return Ok(Vec::new());
    }
    let sensitivity =
        Sensitivity::of_counts(records.per_person() * PARTS).times(pairs.len() as u64);
    let noise = purse.buy(share, sensitivity)?;
    let mut exact = Vec::with_capacity(pairs.len());
    // tables of some pairs at a time: together they may be large
    let mut from = 0;
    while from < pairs.len() {
        let mut held = 0;
        let fits = |pair: &&Vec<usize>| {
            held += cells[pair[0]] * cells[pair[1]];
            held <= MOST_CELLS * 4
        };
        let to = from + pairs[from..].iter().take_while(fits).count().max(1);
        let tables = count(records, &pairs[from..to]);
        let score = |(pair, table): (&Vec<usize>, &Vec<u64>)| {
            distance(table, &one_way[pair[0]], &one_way[pair[1]])
        };
        exact.extend(
            pairs[from..to]
                .par_iter()
                .zip(&tables)
                .map(score)
                .collect::<Vec<u64>>(),
        );
        from = to;
    }
    let noisy = noise.add_to(&exact)?;
    let scored = pairs
        .iter()
        .zip(noisy)
        .map(|(pair, score)| ((pair[0], pair[1]), score as f64 / PARTS as f64));
    Ok(scored.collect())
}

/// The L1 distance of a table from the product of two others, in parts of a record.
fn distance(table: &[u64], rows: &[f64], columns: &[f64]) -> u64 {
    let total: f64 = rows.iter().sum::<f64>().max(1.0);
    let expected =
        |row: f64, column: f64| (row * column / total * PARTS as f64).round().max(0.0) as u64;
    let cells = rows
        .iter()
        .flat_map(|&row| columns.iter().map(move |&column| expected(row, column)));
    // cutting a sum at the end of its range moves no two sums apart
    let apart = table
        .iter()
        .zip(cells)
        .map(|(&count, expected)| (count * PARTS).abs_diff(expected));
    apart.fold(0, u64::saturating_add)
}

//! Tables of counts over one, two or three attributes, non-negative and mutually consistent.
//!
//! Every table is one look at the data, and each person is in every table, so the budget is split:
//! under ρ (σ ∝ 1/√ρᵢ) in proportion to cells^⅔, under ε (scale ∝ 1/εᵢ) to cells^½, which makes the
//! expected absolute error of all cells together least. Which tables are made is named, or all, or
//! selected by noisy scores that are paid for from the same budget. The noisy tables are then made
//! to agree.
//!
//! Counts are published with [`PLACES`] decimals; so written, two tables that share attributes
//! agree on them to [`TOLERANCE`]. Cost: one pass over the records for all tables, two where tables
//! are selected, and the reconciliation.

mod worth;

use crate::Error;
use crate::consistent::reconcile;
use crate::error::stop_if;
use crate::looks::{CentralLooks, Looks};
use crate::purse::{Purse, Sensitivity};
use crate::records::Records;
use crate::selection::{Measured, ONE_WAY, measure};
use std::sync::atomic::AtomicBool;
use worth::{Chosen, absolute};

/// Which tables are made.
#[derive(Clone, Debug, PartialEq)]
pub struct MarginalsOptions {
    /// Which attributes together, by place.
    pub choice: MarginalsChoice,
    /// The largest table, [`MOST_CELLS`] at most.
    pub most_cells: u64,
}

/// Which attributes together.
#[derive(Clone, Debug, PartialEq)]
pub enum MarginalsChoice {
    /// These, each of one to three attributes.
    Named(Vec<Vec<usize>>),
    /// All sets of up to this many attributes.
    All(usize),
    /// Those sets of up to this many attributes that noisy scores say are worth their noise.
    Selected(usize),
}

impl Default for MarginalsOptions {
    fn default() -> MarginalsOptions {
        MarginalsOptions {
            choice: MarginalsChoice::Selected(2),
            most_cells: MOST_CELLS,
        }
    }
}

/// A table of counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginal {
    /// The attributes, by place, ascending.
    pub attributes: Vec<usize>,
    /// Every cell, row-major, the last attribute fastest. Not negative, and of [`PLACES`] decimals.
    pub counts: Vec<f64>,
    /// The standard deviation of the noise of a cell as it was measured, before tables were made
    /// consistent.
    pub deviation: f64,
}

/// The largest table that is made, whatever was asked for.
pub const MOST_CELLS: u64 = 1 << 20;

/// The most cells of all tables together.
pub const MOST_TOGETHER: u64 = 1 << 24;

/// Decimals of a published count: few enough to read, and so many that sums of [`MOST_CELLS`]
/// rounded counts are right to half of [`TOLERANCE`].
pub const PLACES: usize = 9;

/// By how many records two tables may disagree on a common sub-table, as published. Binary numbers
/// hold that many digits up to 10¹² records.
pub const TOLERANCE: f64 = 0.001;

/// Whether the tables can be made, known from the domains' sizes alone, as
/// [`planned_cells`](crate::planned_cells) says them.
pub fn check(cells: &[usize], options: &MarginalsOptions) -> Result<(), Error> {
    let most = u128::from(options.most_cells.min(MOST_CELLS));
    let fits = |what: &str, cells: u128, most: u128| {
        if cells <= most {
            Ok(())
        } else {
            Err(Error::TooManyCells {
                what: what.to_owned(),
                cells,
                most,
            })
        }
    };
    let size = |set: &[usize]| {
        set.iter()
            .map(|&a| cells[a] as u128)
            .fold(1, u128::saturating_mul)
    };
    let (largest, together) = match &options.choice {
        MarginalsChoice::Named(sets) => {
            let sizes = || sets.iter().map(|set| size(set));
            (
                sizes().max().unwrap_or(0),
                sizes().fold(0, u128::saturating_add),
            )
        }
        MarginalsChoice::All(ways) => sizes_of_all(cells, *ways),
        // larger sets are only candidates
        MarginalsChoice::Selected(_) => sizes_of_all(cells, 1),
    };
    fits("the largest table", largest, most)?;
    fits("the sum of all tables", together, u128::from(MOST_TOGETHER))
}

/// Makes the tables with what is left in the purse.
pub fn make(
    records: &Records,
    options: &MarginalsOptions,
    purse: &mut Purse,
    cancel: &AtomicBool,
) -> Result<Vec<Marginal>, Error> {
    make_by(&mut CentralLooks::new(records, purse), options, cancel)
}

/// Makes the tables, wherever their noisy counts come from.
pub(crate) fn make_by(
    looks: &mut dyn Looks,
    options: &MarginalsOptions,
    cancel: &AtomicBool,
) -> Result<Vec<Marginal>, Error> {
    let cells = looks.cells().to_vec();
    check(&cells, options)?;
    let all = looks.left();
    let mut measured = match &options.choice {
        MarginalsChoice::Named(sets) => measure(looks, &named(sets), all)?,
        MarginalsChoice::All(ways) => measure(looks, &sets_up_to(cells.len(), *ways), all)?,
        MarginalsChoice::Selected(ways) => {
            selected(looks, *ways, options.most_cells.min(MOST_CELLS), cancel)?
        }
    };
    stop_if(cancel)?;
    reconcile(&cells, &mut measured, cancel)?;
    measured.sort_by(|a, b| {
        (a.attributes.len(), &a.attributes).cmp(&(b.attributes.len(), &b.attributes))
    });
    Ok(measured.into_iter().map(published).collect())
}

/// The sizes of the largest and of all tables over up to `ways` attributes; `u128::MAX` for that
/// many and more.
fn sizes_of_all(cells: &[usize], ways: usize) -> (u128, u128) {
    // sums[k]: of the products of every k sizes, without going through them
    let mut sums = vec![0u128; ways.min(cells.len()) + 1];
    sums[0] = 1;
    for &size in cells {
        for k in (1..sums.len()).rev() {
            sums[k] = sums[k].saturating_add(sums[k - 1].saturating_mul(size as u128));
        }
    }
    let mut falling: Vec<u128> = cells.iter().map(|&size| size as u128).collect();
    falling.sort_unstable_by(|a, b| b.cmp(a));
    let largest = falling
        .iter()
        .take(ways)
        .fold(1, |all: u128, &size| all.saturating_mul(size));
    (
        largest,
        sums[1..]
            .iter()
            .fold(0, |all: u128, &sum| all.saturating_add(sum)),
    )
}

fn sets_up_to(attributes: usize, ways: usize) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = Vec::new();
    let mut last: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..ways.min(attributes) {
        let more = |set: &Vec<usize>| {
            let (set, from) = (set.clone(), set.last().map_or(0, |&a| a + 1));
            (from..attributes).map(move |a| [&set[..], &[a]].concat())
        };
        last = last.iter().flat_map(more).collect();
        sets.extend_from_slice(&last);
    }
    sets
}

/// Ascending, and each once.
fn named(sets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let ascending = |set: &Vec<usize>| {
        let mut set = set.clone();
        set.sort_unstable();
        set.dedup();
        set
    };
    let mut sets: Vec<Vec<usize>> = sets
        .iter()
        .map(ascending)
        .filter(|set| !set.is_empty())
        .collect();
    sets.sort();
    sets.dedup();
    sets
}

/// What a triple may add to the expected error, as a share of the records. Scores see pairs alone,
/// so that nothing is known of what a triple would tell beyond its pairs; this is what not knowing
/// is taken to be worth.
const TRIPLE: f64 = 0.1;

/// Measures 1-way tables, scores pairs against them, and measures what is worth its noise.
fn selected(
    looks: &mut dyn Looks,
    ways: usize,
    most_cells: u64,
    cancel: &AtomicBool,
) -> Result<Vec<Measured>, Error> {
    let (cells, budget) = (looks.cells().to_vec(), looks.left());
    let single = sets_up_to(cells.len(), 1);
    let share = if ways < 2 { budget } else { budget * ONE_WAY };
    let mut measured = measure(looks, &single, share)?;
    if ways < 2 {
        return Ok(measured);
    }
    let mut first = measured.clone();
    reconcile(&cells, &mut first, cancel)?;
    let one_way: Vec<Vec<f64>> = first.into_iter().map(|table| table.counts).collect();
    let total = one_way.first().map_or(0.0, |counts| counts.iter().sum());
    let mut scores = looks.pair_scores(&one_way, budget * looks.scores_share())?;
    // the noise of two 1-way tables moves their product by at most the sum of their errors: so much
    // of a score may be it
    let shape = looks.shape();
    let explained = |a: usize| absolute(shape) * measured[a].deviation * cells[a] as f64;
    scores
        .iter_mut()
        .for_each(|((a, b), score)| *score -= explained(*a) + explained(*b));
    let rest = looks.left();
    let error = looks.deviation(rest, Sensitivity::of_counts(looks.per_person()));
    let mut chosen = Chosen::new(&cells, most_cells, error, shape);
    chosen.add_pairs(&scores);
    if ways > 2 {
        chosen.add_triples(TRIPLE * total);
    }
    if chosen.sets.is_empty() {
        let again = measure(looks, &single, rest)?;
        measured
            .iter_mut()
            .zip(&again)
            .for_each(|(table, again)| combine(table, again));
    } else {
        measured.extend(measure(looks, &chosen.sets, rest)?);
    }
    Ok(measured)
}

/// Two measurements of one table, averaged by precision.
fn combine(table: &mut Measured, again: &Measured) {
    let variance = |table: &Measured| table.deviation.powi(2).max(1e-12);
    let (here, there) = (variance(table), variance(again));
    let weight = there / (here + there);
    let average =
        |(count, again): (&mut f64, &f64)| *count = *count * weight + again * (1.0 - weight);
    table.counts.iter_mut().zip(&again.counts).for_each(average);
    table.deviation = (here * there / (here + there)).sqrt();
}

fn published(table: Measured) -> Marginal {
    let unit = 10f64.powi(PLACES as i32);
    let counts = table
        .counts
        .iter()
        .map(|count| (count * unit).round() / unit + 0.0)
        .collect();
    Marginal {
        attributes: table.attributes,
        counts,
        deviation: table.deviation,
    }
}

#[cfg(test)]
mod tests;

//! The full table of counts: every cell of the attributes' domains with a noisy count.
//!
//! **Dense.** Up to [`HistogramOptions::most_cells`] cells, every cell gets noise, whether it holds
//! someone or not: one look with the sensitivity of counts. Negative counts are then raised to zero
//! and zeros are left out, which is post-processing.
//!
//! **Sparse.** Beyond, only cells that hold someone get noise, and those whose noisy count is below
//! a threshold are left out. *Claim*: the release is δ₀-approximately ρ-zCDP (with Laplace noise,
//! (ε, δ₀)-differentially private), for the ρ (or ε) that the noise was bought for. *Proof*: let D′
//! be D without one person's records, c at most. Every cell that holds someone in D′ does so in D;
//! let F be the cells that hold someone in D alone. They hold nobody but this person, so there are
//! at most c of them, each with a count of at most c. Let A(X) be: take the counts that X has in
//! the cells of D′, add noise, leave out what is below the threshold. A looks at the same cells in
//! both tables, their counts differ by at most c in sum, so A is ρ-zCDP (ε-differentially private)
//! for this pair, in both directions; leaving out is post-processing. The release of D′ is A(D′).
//! In the release of D, let E be that no cell of F is published: noise is drawn for each cell on
//! its own, hence E is independent of the rest, and the release of D given E is A(D). P(not E) ≤
//! Σ_{cells of F} P(noise ≥ threshold − c) ≤ c · P(noise ≥ threshold − c) ≤ δ₀. This is the
//! definition of δ₀-approximate zCDP (Bun and Steinke 2016, Definition 8.1), with E for D and the
//! sure event for D′. For pure A and any set of outcomes O: P(D ∈ O) ≤ P(not E) + P(A(D) ∈ O) ≤
//! δ₀ + e^ε P(A(D′) ∈ O), and P(A(D′) ∈ O) ≤ e^ε P(A(D) ∈ O) = e^ε P(D ∈ O | E), where with P(E) ≥
//! 1 − δ₀ the right side is at most e^ε P(D ∈ O) / (1 − δ₀); since the left side is at most 1,
//! P(A(D′) ∈ O) ≤ e^ε P(D ∈ O) + δ₀. ∎
//!
//! Cost: one pass and a draw for each cell; sparse, one sort of the records and a draw for each
//! cell that holds someone.

use crate::Error;
use crate::amount::Amount;
use crate::count::{cell_at, cells_of, count};
use crate::error::stop_if;
use crate::guarantee::Guarantee;
use crate::looks::Looks;
use crate::noise::Noise;
use crate::occupied::occupied;
use crate::purse::{Purse, Sensitivity};
use crate::records::Records;
use crate::threshold::threshold;
use crate::universe::CellId;
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;

/// How a histogram is made.
#[derive(Clone, Debug, PartialEq)]
pub struct HistogramOptions {
    /// The attributes, by place; all of them where empty.
    pub attributes: Vec<usize>,
    /// The largest table in which every cell gets noise, [`MOST_DENSE`] at most; beyond, only cells
    /// that hold someone do, and small ones are left out.
    pub most_cells: u64,
}

impl Default for HistogramOptions {
    fn default() -> HistogramOptions {
        HistogramOptions {
            attributes: Vec::new(),
            most_cells: 1 << 20,
        }
    }
}

/// No table with noise in every cell is larger, whatever was asked for: it would not fit the
/// memory.
pub const MOST_DENSE: u64 = 1 << 24;

/// Noisy counts of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The attributes, by place, ascending.
    pub attributes: Vec<usize>,
    /// Cells and their counts, in the order of cells; those with a count of zero are left out.
    pub cells: Vec<(Vec<CellId>, u64)>,
    /// The smallest count that is published, where cells were left out.
    pub threshold: Option<u64>,
    /// The standard deviation of the noise.
    pub deviation: f64,
}

/// Whether a histogram can be made, known from what is public alone: from the domains' sizes, as
/// [`planned_cells`](crate::planned_cells) says them, and from the promise.
pub fn check(
    cells: &[usize],
    options: &HistogramOptions,
    guarantee: Guarantee,
) -> Result<(), Error> {
    plan(cells, options, guarantee.direct_delta()).map(|_| ())
}

/// Whether a histogram with noise in every cell can be made.
pub(crate) fn check_dense(cells: &[usize], options: &HistogramOptions) -> Result<(), Error> {
    plan(cells, options, Amount::ZERO).map(|_| ())
}

/// The number of cells of a histogram; `u128::MAX` for that many and more.
pub fn size(cells: &[usize], options: &HistogramOptions) -> u128 {
    let sizes = used(cells, options).into_iter().map(|a| cells[a] as u128);
    sizes.fold(1, u128::saturating_mul)
}

/// Makes a histogram with what is left in the purse.
pub fn make(
    records: &Records,
    options: &HistogramOptions,
    purse: &mut Purse,
    direct_delta: Amount,
    cancel: &AtomicBool,
) -> Result<Histogram, Error> {
    let dense = plan(records.cells(), options, direct_delta)?;
    let attributes = used(records.cells(), options);
    let noise = purse.buy(purse.left(), Sensitivity::of_counts(records.per_person()))?;
    let deviation = noise.deviation();
    if dense {
        let cells = dense_cells(records, &attributes, &noise, cancel)?;
        return Ok(Histogram {
            attributes,
            cells,
            threshold: None,
            deviation,
        });
    }
    // rounded down, since a decimal may be a little above its nearest binary number
    let delta = direct_delta.to_f64() * (1.0 - 1e-12);
    let least = threshold(&noise, records.per_person(), delta).ok_or(Error::Overdrawn)?;
    let mut cells = occupied(records, &attributes);
    noisy(&mut cells, &noise, cancel)?;
    cells.retain(|(_, count)| *count >= least);
    Ok(Histogram {
        attributes,
        cells,
        threshold: Some(least),
        deviation,
    })
}

/// Makes a histogram from noisy counts of every cell; only cells that hold someone get noise where
/// it is larger, and which these are nobody who holds a part of the records may tell.
pub(crate) fn make_dense_by(
    looks: &mut dyn Looks,
    options: &HistogramOptions,
) -> Result<Histogram, Error> {
    let cells = looks.cells().to_vec();
    plan(&cells, options, Amount::ZERO)?;
    let attributes = used(&cells, options);
    let all = looks.left();
    let mut tables = looks.tables(std::slice::from_ref(&attributes), &[all])?;
    let table = tables.pop().ok_or(Error::OtherTable)?;
    let sizes: Vec<usize> = attributes.iter().map(|&a| cells[a]).collect();
    let mut published = Vec::new();
    for (place, count) in table.counts.into_iter().enumerate() {
        match u64::try_from(count) {
            Ok(count) if count > 0 => published.push((cell_at(&sizes, place), count)),
            _ => {}
        }
    }
    Ok(Histogram {
        attributes,
        cells: published,
        threshold: None,
        deviation: table.deviation,
    })
}

/// Whether every cell gets noise, if there is anything to pay for leaving some out otherwise.
fn plan(cells: &[usize], options: &HistogramOptions, direct_delta: Amount) -> Result<bool, Error> {
    let dense = is_dense(cells, options);
    if !dense && direct_delta.is_zero() {
        let (cells, most) = (
            size(cells, options),
            u128::from(options.most_cells.min(MOST_DENSE)),
        );
        return Err(Error::TooManyCells {
            what: "the histogram".into(),
            cells,
            most,
        });
    }
    Ok(dense)
}

/// Whether every cell gets noise; otherwise small ones are left out.
pub(crate) fn is_dense(cells: &[usize], options: &HistogramOptions) -> bool {
    size(cells, options) <= u128::from(options.most_cells.min(MOST_DENSE))
}

fn used(cells: &[usize], options: &HistogramOptions) -> Vec<usize> {
    let mut used = options.attributes.clone();
    if used.is_empty() {
        used = (0..cells.len()).collect();
    }
    used.sort_unstable();
    used.dedup();
    used
}

fn dense_cells(
    records: &Records,
    attributes: &[usize],
    noise: &Noise,
    cancel: &AtomicBool,
) -> Result<Vec<(Vec<CellId>, u64)>, Error> {
    let counts = count(records, &[attributes.to_vec()])
        .pop()
        .expect("one table was asked for");
    debug_assert_eq!(cells_of(records.cells(), attributes), Some(counts.len()));
    let sizes: Vec<usize> = attributes.iter().map(|&a| records.cells()[a]).collect();
    let mut published = Vec::new();
    for (stretch, counts) in counts.chunks(STRETCH).enumerate() {
        let noisy = draw(counts, noise, cancel)?;
        let cell = |(at, count): (usize, u64)| {
            (count > 0).then(|| (cell_at(&sizes, stretch * STRETCH + at), count))
        };
        published.extend(noisy.into_iter().enumerate().filter_map(cell));
    }
    Ok(published)
}

/// Counts between two looks at the wish to stop.
const STRETCH: usize = 1 << 14;

/// Noisy counts, not below zero.
fn draw(counts: &[u64], noise: &Noise, cancel: &AtomicBool) -> Result<Vec<u64>, Error> {
    stop_if(cancel)?;
    let noisy = noise.add_to(counts)?;
    Ok(noisy
        .into_iter()
        .map(|count| u64::try_from(count).unwrap_or(0))
        .collect())
}

fn noisy(
    cells: &mut [(Vec<CellId>, u64)],
    noise: &Noise,
    cancel: &AtomicBool,
) -> Result<(), Error> {
    for cells in cells.chunks_mut(STRETCH) {
        let counts: Vec<u64> = cells.iter().map(|cell| cell.1).collect();
        let noisy = draw(&counts, noise, cancel)?;
        cells
            .par_iter_mut()
            .zip(noisy)
            .for_each(|(cell, noisy)| cell.1 = noisy);
    }
    Ok(())
}

#[cfg(test)]
mod tests;

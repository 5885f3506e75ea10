//! Better tables from noisy ones, without another look at the data.

use crate::nonnegative;
use crate::selection::Measured;

/// Estimates of the number of records and of all 1-way tables, from every measured table that has
/// the attribute: each sum over s cells of noise σ has variance s σ², and estimates are weighted by
/// precision. Not negative, and all of one total.
pub(crate) fn one_way(cells: &[usize], measured: &[Measured]) -> Vec<Vec<f64>> {
    let (mut weight, mut total) = (0.0, 0.0);
    for table in measured {
        let precision = 1.0 / (table.deviation.powi(2) * table.counts.len() as f64).max(1e-9);
        weight += precision;
        total += precision * table.counts.iter().sum::<f64>();
    }
    let total = if weight > 0.0 {
        (total / weight).max(1.0)
    } else {
        1.0
    };
    (0..cells.len())
        .map(|a| {
            let (mut weight, mut sums) = (0.0, vec![0.0; cells[a]]);
            for table in measured
                .iter()
                .filter(|table| table.attributes.contains(&a))
            {
                let own = sum_onto(table, a, cells);
                let summed = (table.counts.len() / cells[a]) as f64;
                let precision = 1.0 / (table.deviation.powi(2) * summed).max(1e-9);
                weight += precision;
                sums.iter_mut()
                    .zip(&own)
                    .for_each(|(sum, own)| *sum += precision * own);
            }
            sums.iter_mut()
                .for_each(|sum| *sum /= weight.max(f64::MIN_POSITIVE));
            nonnegative::project(&mut sums, total);
            sums
        })
        .collect()
}

/// The 1-way table of one attribute of a measured table.
fn sum_onto(table: &Measured, attribute: usize, cells: &[usize]) -> Vec<f64> {
    let cell = super::fit::projection(&table.attributes, &[attribute], cells);
    super::fit::sums(&table.counts, &cell, cells[attribute])
}

/// A pair's table from its noisy one. What independence predicts is believed unless the noise can
/// hardly explain the difference: differences are drawn towards zero by `THRESHOLD` standard
/// deviations (soft thresholding, Donoho and Johnstone 1994). Then rows and columns are scaled to
/// the 1-way tables.
pub(crate) fn pair(noisy: &Measured, rows: &[f64], columns: &[f64]) -> Vec<f64> {
    let total: f64 = rows.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let expected = rows
        .iter()
        .flat_map(|row| columns.iter().map(move |column| row * column / total));
    let mut table: Vec<f64> = expected
        .zip(&noisy.counts)
        .map(|(expected, count)| {
            let difference = count - expected;
            let kept = (difference.abs() - THRESHOLD * noisy.deviation)
                .max(0.0)
                .copysign(difference);
            (expected + kept).max(expected * LEAST)
        })
        .collect();
    balance(&mut table, rows, columns);
    table
}

/// In standard deviations. A larger one loses weak dependencies, a smaller one believes noise;
/// between a half and one hardly matters.
const THRESHOLD: f64 = 0.5;

/// No cell that independence expects is emptied altogether: fitting could never bring it back.
const LEAST: f64 = 1e-4;

fn balance(table: &mut [f64], rows: &[f64], columns: &[f64]) {
    for _ in 0..100 {
        for (row, wanted) in table.chunks_mut(columns.len()).zip(rows) {
            let sum: f64 = row.iter().sum();
            let by = if sum > 0.0 { wanted / sum } else { 0.0 };
            row.iter_mut().for_each(|value| *value *= by);
        }
        let mut sums = vec![0.0; columns.len()];
        table.chunks(columns.len()).for_each(|row| {
            sums.iter_mut()
                .zip(row)
                .for_each(|(sum, value)| *sum += value)
        });
        let by: Vec<f64> = columns
            .iter()
            .zip(&sums)
            .map(|(w, s)| if *s > 0.0 { w / s } else { 0.0 })
            .collect();
        table
            .chunks_mut(columns.len())
            .for_each(|row| row.iter_mut().zip(&by).for_each(|(value, by)| *value *= by));
    }
}

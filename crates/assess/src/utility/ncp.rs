//! The normalized certainty penalty of Xu, Wang, Pei, Wang, Shi and Fu, *Utility-based
//! anonymization using local recoding* (KDD 2006).
//!
//! A cell costs between 0 (a single value) and 1 (anything):
//! * in a column with a hierarchy and in a column of categories, a label that covers v of the V
//!   values that occur in the original costs 0 for v = 1, else v / V;
//! * in a column of numbers or dates without a hierarchy, a label from lo to hi costs (hi − lo) /
//!   (max − min) of the original, at most 1. A label that mixes the missing value with numbers has
//!   no extent and costs v / V; `*` is the case where that is 1;
//! * a suppressed row costs 1 in every column.
//!
//! The loss of a column is the mean over the original's rows, the overall loss the mean over the
//! columns. A column in which only one value occurs has nothing to lose, so its labels cost 0.
//! Cost: one pass over the labels.

use super::comparison::{ComparedColumn, Comparison};
use super::{ColumnLoss, Loss};
use mingle_model::{Domain, PersonRows, Reading};

/// The penalty of every column and their mean.
pub fn loss(comparison: &Comparison<'_>) -> Loss {
    let column = |c: &ComparedColumn<'_>| ColumnLoss {
        column: c.name().to_owned(),
        loss: column_loss(c, comparison),
    };
    let columns: Vec<ColumnLoss> = comparison.columns().iter().map(column).collect();
    let sum: f64 = columns.iter().map(|c| c.loss).sum();
    Loss {
        overall: if columns.is_empty() {
            0.0
        } else {
            sum / columns.len() as f64
        },
        columns,
    }
}

fn column_loss(column: &ComparedColumn<'_>, comparison: &Comparison<'_>) -> f64 {
    if comparison.rows() == 0 {
        return 0.0;
    }
    let labels = column.readings().iter().zip(column.rows());
    let published: f64 = labels
        .map(|(reading, &rows)| rows as f64 * cell(column.domain(), reading))
        .sum();
    (published + comparison.suppressed() as f64) / comparison.rows() as f64
}

/// The penalty of one cell whose label reads like this.
pub fn cell(domain: &Domain, reading: &Reading) -> f64 {
    match (domain.extent(), reading.bounds) {
        (Some(extent), Some(bounds))
            if domain.hierarchy().is_none() && !mixes_missing(domain, reading) =>
        {
            let whole = distance(extent);
            if whole > 0.0 {
                (distance(bounds) / whole).clamp(0.0, 1.0)
            } else {
                0.0
            }
        }
        _ => match reading.count() {
            0 | 1 => 0.0,
            covered => covered as f64 / domain.len() as f64,
        },
    }
}

/// The mean over people of the mean penalty of their rows: somebody with many rows counts once here,
/// and once for each row in [`loss`]. Whoever was left out costs 1.
///
/// `None` where each row is one person, and where it is not known in which groups somebody is.
pub fn loss_of_people(comparison: &Comparison<'_>) -> Option<f64> {
    let people = comparison.original().people()?;
    if comparison.columns().is_empty() {
        return Some(0.0);
    }
    let published = comparison.published();
    let of_group: Vec<f64> = (0..published.groups())
        .map(|group| group_penalty(comparison, group))
        .collect();
    let everybody = people.count() as f64;
    let mut sum = 0.0;
    if let Some(rendered) = published.rendered()
        && rendered.group_of().len() == comparison.original().records().len()
    {
        for kind in 0..people.kinds().len() {
            let alike = people.kinds().get(kind);
            let mut own = 0.0;
            for &record in people.records_of(kind) {
                // a record holds the rows of everybody of its kind
                let rows = comparison.original().records()[record as usize].count as f64;
                let group = rendered.group_of()[record as usize] as usize;
                own += rows * of_group.get(group).copied().unwrap_or(1.0);
            }
            sum += own / alike.rows() as f64;
        }
        return Some(sum / everybody);
    }
    // read back: with rows together a person has one label, and counts are enough
    let groups = published.people()?;
    if groups.rows() == PersonRows::Apart {
        return None;
    }
    let mut there = 0;
    for (group, penalty) in of_group.iter().enumerate() {
        there += groups.size(group);
        sum += groups.size(group) as f64 * penalty;
    }
    let left_out = people.count().checked_sub(there)?;
    Some((sum + left_out as f64) / everybody)
}

/// The mean penalty of a group's labels.
fn group_penalty(comparison: &Comparison<'_>, group: usize) -> f64 {
    let labels = comparison.published().labels(group);
    let mut sum = 0.0;
    for column in comparison.columns() {
        let reading = &column.readings()[labels[column.place()] as usize];
        sum += cell(column.domain(), reading);
    }
    sum / comparison.columns().len() as f64
}

fn mixes_missing(domain: &Domain, reading: &Reading) -> bool {
    reading.count() > 1 && domain.missing().is_some_and(|code| reading.covers(code))
}

fn distance((lo, hi): (i128, i128)) -> f64 {
    hi.checked_sub(lo)
        .map_or_else(|| hi as f64 - lo as f64, |difference| difference as f64)
}

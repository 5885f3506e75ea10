//! What a release by centroids costs.
//!
//! Its cells are points that do not say what values their groups have, so a penalty for the width
//! of labels, such as NCP or non-uniform entropy, would call it lossless. Instead, each
//! quasi-identifier has a loss between 0 and 1 that follows from the centroids, the rows that carry
//! each, and the original:
//! * **numbers and dates**: the sum of squares within groups over that of the whole column, SSE /
//!   SST, the usual measure of microaggregation. Since a centroid is its group's mean, SSE is SST
//!   without the squares between the centroids and the mean of the column, up to the rounding of
//!   centroids. A row that is published as `*` keeps nothing of SST;
//! * **categories without a hierarchy**: the smallest share of rows whose value cannot be their
//!   own, given how many rows carry each value before and after. Exchanges that cancel out are not
//!   seen, so the truth may be worse;
//! * **with a hierarchy**: NCP, because its labels do cover their groups.
//!
//! Query error is that of a reader who takes the centroids for the rows' own values, a mean that
//! does not occur for the nearest value that does. Cost: one pass over the labels.

use super::comparison::{ComparedColumn, Comparison, Error};
use super::{
    CentroidUtility, ColumnLoss, Loss, UtilityOptions, average_group_size, discernibility, ncp,
    query_error,
};
use mingle_model::{Code, Cube, Missing, Published, Reading};

/// Takes every measure that a release by centroids has against its original; see
/// [`measure`](super::measure).
pub fn measure_centroids(
    original: &Cube,
    missing: &Missing,
    published: &Published,
    k: u64,
    options: UtilityOptions,
) -> Result<CentroidUtility, Error> {
    let comparison = Comparison::of_centroids(original, missing, published)?;
    Ok(CentroidUtility {
        rows: comparison.rows(),
        published_rows: comparison.published_rows(),
        suppressed_rows: comparison.suppressed(),
        groups: published.groups(),
        ncp: None,
        non_uniform_entropy: None,
        information_loss: information_loss(&comparison),
        discernibility: discernibility::penalty(&comparison),
        average_group_size: average_group_size::over_k(&comparison, k),
        query_error: query_error::error(&comparison, options),
    })
}

/// The loss of every column and their mean.
fn information_loss(comparison: &Comparison<'_>) -> Loss {
    let coarse = ncp::loss(comparison);
    let column = |(c, coarse): (&ComparedColumn<'_>, ColumnLoss)| match c.domain().hierarchy() {
        Some(_) => coarse,
        None if c.domain().kind().is_numeric() => ColumnLoss {
            loss: within(c),
            ..coarse
        },
        None => ColumnLoss {
            loss: changed(c, comparison.rows()),
            ..coarse
        },
    };
    let columns: Vec<ColumnLoss> = comparison
        .columns()
        .iter()
        .zip(coarse.columns)
        .map(column)
        .collect();
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

/// SSE / SST.
fn within(column: &ComparedColumn<'_>) -> f64 {
    let Some((low, _)) = column.domain().extent() else {
        return 0.0;
    };
    // from the smallest number, because large numbers have no digits to spare
    let above = |number: i128| (number - low) as f64;
    let number =
        |(rows, code): (&u64, Code)| Some((above(column.domain().number(code)?), *rows as f64));
    let original: Vec<(f64, f64)> = column
        .frequencies()
        .iter()
        .zip(0..)
        .filter_map(number)
        .collect();
    let rows: f64 = original.iter().map(|(_, rows)| rows).sum();
    let mean = original
        .iter()
        .map(|(number, rows)| number * rows)
        .sum::<f64>()
        / rows;
    let squares = |numbers: &[(f64, f64)]| {
        numbers
            .iter()
            .map(|(n, rows)| (n - mean).powi(2) * rows)
            .sum::<f64>()
    };
    let centroid = |(reading, rows): (&Reading, &u64)| match (reading.bounds, reading.count()) {
        (Some((lo, hi)), 1) if lo == hi => Some((above(lo), *rows as f64)),
        _ => None,
    };
    let centroids: Vec<(f64, f64)> = column
        .readings()
        .iter()
        .zip(column.rows())
        .filter_map(centroid)
        .collect();
    let all = squares(&original);
    if all > 0.0 {
        (1.0 - squares(&centroids) / all).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// The smallest share of rows whose category was changed.
fn changed(column: &ComparedColumn<'_>, rows: u64) -> f64 {
    let mut left = column.frequencies().to_vec();
    for (reading, &rows) in column.readings().iter().zip(column.rows()) {
        if let [(lo, hi)] = reading.ranges[..]
            && lo == hi
        {
            left[lo as usize] = left[lo as usize].saturating_sub(rows);
        }
    }
    if rows == 0 {
        0.0
    } else {
        left.iter().sum::<u64>() as f64 / rows as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{
        Cell, Column, ColumnSpec, HierarchySource, Partition, Providers, Role, Table,
    };
    use std::sync::Arc;

    fn cube(columns: &[(&[&str], Option<HierarchySource>)]) -> Cube {
        let column = |(at, (texts, hierarchy)): (usize, &(&[&str], Option<HierarchySource>))| {
            let spec = ColumnSpec::new(format!("c{at}"), Role::QuasiIdentifier);
            let spec = ColumnSpec {
                hierarchy: hierarchy.clone(),
                ..spec
            };
            Column::from_texts(spec, texts.iter().copied(), &Missing::default())
                .ok()
                .unwrap()
        };
        let rows = columns[0].0.len();
        let columns = columns.iter().enumerate().map(column).collect();
        let providers = Providers::new(vec!["p".into()]);
        Cube::new(Table {
            columns,
            providers,
            provider_of: vec![0; rows].into_iter().collect(),
            person_of: None,
        })
    }

    fn losses(cube: &Cube, group_of: &[u32], cells: Vec<Cell>) -> (Vec<f64>, CentroidUtility) {
        let partition = Partition {
            group_of: group_of.to_vec(),
            cells,
        };
        let published =
            Published::from_partition(&Arc::new(cube.clone()), &partition, &Missing::default())
                .unwrap();
        let options = UtilityOptions {
            queries: 10,
            ..UtilityOptions::default()
        };
        let utility = measure_centroids(cube, &Missing::default(), &published, 2, options).unwrap();
        (
            utility
                .information_loss
                .columns
                .iter()
                .map(|c| c.loss)
                .collect(),
            utility,
        )
    }

    #[test]
    fn squares_within_groups_over_those_of_the_column() {
        // 0, 2 | 10, 12: within 1 + 1 + 1 + 1, in all 36 + 16 + 16 + 36
        let cube = cube(&[(&["0", "2", "10", "12"], None)]);
        let (loss, utility) = losses(
            &cube,
            &[0, 0, 1, 1],
            vec![Cell::Centroid(1), Cell::Centroid(11)],
        );
        assert!((loss[0] - 4.0 / 104.0).abs() < 1e-12, "{loss:?}");
        assert_eq!(
            (
                utility.groups,
                utility.discernibility,
                utility.average_group_size
            ),
            (2, 8, 1.0)
        );
        assert_eq!((utility.ncp, utility.non_uniform_entropy), (None, None));
        let (all, _) = losses(&cube, &[0, 0, 0, 0], vec![Cell::Centroid(6)]);
        assert_eq!(all, [1.0]);
        let (none, _) = losses(
            &cube,
            &[0, 1, 2, 3],
            [0, 2, 10, 12].map(Cell::Centroid).into(),
        );
        assert_eq!(none, [0.0]);
    }

    #[test]
    fn stars_and_missing_values() {
        let cube = cube(&[(&["0", "2", "10", "12", "?"], None)]);
        let missing = Cell::Span { lo: 0, hi: 0 };
        let (all_but_missing, _) = losses(
            &cube,
            &[0, 1, 1, 2, 2],
            vec![missing, Cell::Centroid(1), Cell::Centroid(11)],
        );
        assert!((all_but_missing[0] - 4.0 / 104.0).abs() < 1e-12);
        // 10 and 12 are now hidden
        let (hidden, _) = losses(&cube, &[1, 0, 0, 1, 1], vec![Cell::Centroid(1), Cell::All]);
        assert!(
            (hidden[0] - (1.0 - 50.0 / 104.0)).abs() < 1e-12,
            "{hidden:?}"
        );
    }

    #[test]
    fn categories_that_must_have_changed() {
        let cube = cube(&[
            (&["a", "a", "b", "c"], None),
            (
                &["130", "131", "240", "241"],
                Some(HierarchySource::Mask(2)),
            ),
        ]);
        let cells = vec![
            Cell::Mode(0),
            Cell::Span { lo: 0, hi: 1 },
            Cell::Mode(1),
            Cell::Span { lo: 2, hi: 3 },
        ];
        let (loss, utility) = losses(&cube, &[0, 0, 1, 1], cells);
        assert_eq!(loss, [0.25, 0.5]);
        assert_eq!(utility.information_loss.overall, 0.375);
    }

    #[test]
    fn a_release_in_ranges_is_not_mistaken() {
        let cube = cube(&[(&["0", "2", "10", "12"], None)]);
        let partition = Partition {
            group_of: vec![0, 0, 1, 1],
            cells: [1, 11].map(Cell::Centroid).into(),
        };
        let published =
            Published::from_partition(&Arc::new(cube.clone()), &partition, &Missing::default())
                .unwrap();
        let by_ranges = crate::utility::measure(
            &cube,
            &Missing::default(),
            &published,
            2,
            UtilityOptions::default(),
        );
        assert_eq!(
            by_ranges,
            Err(Error::Unreadable {
                column: "c0".into(),
                group: 1
            })
        );
    }
}

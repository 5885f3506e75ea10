//! How much a generalized label misleads, column by column.
//!
//! A reader spreads the rows under a label evenly over the values it covers. Where values occur
//! about equally often that does little harm; where one of them has nearly all rows, it invents
//! people with the others. The unevenness of a column is the mean, over ranges between two values
//! drawn at random, of the difference between the share of rows in the range and the share of
//! values in it: what a range query would be wrong by if the column were suppressed. Cost
//! O(values²) up to [`MOST`] values, which stand for more of them.

use mingle_model::{Cube, QuasiIdentifier};

/// Columns with more values are looked at in so many steps.
const MOST: usize = 256;
/// So much of a column's weight does not depend on its unevenness.
const EQUAL: f32 = 0.5;

/// Weights of the columns, half equal and half in proportion to their unevenness, one in the mean.
pub fn weights(cube: &Cube) -> Vec<f32> {
    let uneven: Vec<f32> = cube
        .quasi_identifiers()
        .iter()
        .map(|qi| unevenness(cube, qi))
        .collect();
    let mean = uneven.iter().sum::<f32>() / uneven.len().max(1) as f32;
    if mean > 0.0 {
        uneven
            .iter()
            .map(|u| EQUAL + (1.0 - EQUAL) * u / mean)
            .collect()
    } else {
        vec![1.0; uneven.len()]
    }
}

fn unevenness(cube: &Cube, qi: &QuasiIdentifier) -> f32 {
    let mut below = vec![0u64; qi.domain.len() + 1];
    qi.codes
        .iter()
        .enumerate()
        .for_each(|(tuple, code)| below[code as usize + 1] += cube.weight(tuple));
    (1..below.len()).for_each(|at| below[at] += below[at - 1]);
    let values = qi.domain.len();
    let steps = values.min(MOST);
    let at = |step: usize| step * values / steps;
    let share =
        |from: usize, to: usize| (below[to] - below[from]) as f64 / cube.rows().max(1) as f64;
    let wrong =
        |from: usize, to: usize| (share(from, to) - (to - from) as f64 / values as f64).abs();
    let ends = (0..steps).flat_map(|a| (0..steps).map(move |b| (a.min(b), a.max(b) + 1)));
    let sum: f64 = ends.map(|(a, b)| wrong(at(a), at(b))).sum();
    (sum / (steps * steps).max(1) as f64) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{Codes, Column, ColumnSpec, Missing, Providers, Role, Table};

    fn cube(columns: [Vec<String>; 2]) -> Cube {
        let rows = columns[0].len();
        let column = |(at, texts): (usize, Vec<String>)| {
            let spec = ColumnSpec::new(format!("q{at}"), Role::QuasiIdentifier);
            Column::from_texts(spec, texts.iter().map(String::as_str), &Missing::default())
                .ok()
                .unwrap()
        };
        let provider_of: Codes = std::iter::repeat_n(0, rows).collect();
        let columns = columns.into_iter().enumerate().map(column).collect();
        Cube::new(Table {
            columns,
            providers: Providers::new(vec!["p".into()]),
            provider_of,
            person_of: None,
        })
    }

    #[test]
    fn one_frequent_value_weighs_more_than_many_equal_ones() {
        let even = (0..1000).map(|n| (n % 10).to_string()).collect();
        let uneven = (0..1000)
            .map(|n| (if n % 10 == 9 { n % 100 / 10 } else { 0 }).to_string())
            .collect();
        let weights = weights(&cube([even, uneven]));
        assert!(
            (weights[0] - EQUAL).abs() < 0.01 && weights[1] > 1.48,
            "{weights:?}"
        );
    }

    #[test]
    fn equal_columns_count_the_same_however_many_values() {
        let many: Vec<String> = (0..1000).map(|n| n.to_string()).collect();
        assert_eq!(weights(&cube([many.clone(), many])), [1.0, 1.0]);
        let one: Vec<String> = vec!["7".to_owned(); 5];
        assert_eq!(weights(&cube([one.clone(), one])), [1.0, 1.0]);
    }
}

//! How far rows are apart, and what their average is.
//!
//! Euclidean over the columns, each of which says how far two of its values are apart:
//! * **numbers and dates**: their difference in standard deviations of the column. A missing value is as far from any
//!   number as the column is wide, and at least one standard deviation: mixed with numbers it is published as `*`;
//! * **with a hierarchy** (numbers and dates as well, since their labels are its nodes): the level of the lowest common
//!   ancestor over that of the root, so 0 for equal values and 1 for those that only meet at `*`;
//! * **categories without a hierarchy**: 0 or 1.
//!
//! The average of numbers is their mean, unless more of the values are missing; that of categories is the most frequent
//! one, the first in the column's order among equals. Averages are kept as exact sums, so that they depend on the rows
//! and not on the way there.

use mingle_model::{Code, Cube, Domain, Hierarchy, QuasiIdentifier};

/// Distances between rows of a table.
pub struct Metric<'a> {
    columns: Vec<Scale<'a>>,
}

/// Distances within a column.
enum Scale<'a> {
    Number(Line),
    Tree(&'a Hierarchy),
    Flat,
}

/// A column of numbers.
struct Line {
    /// Per code the distance from the smallest number, in whole steps.
    steps: Vec<u64>,
    /// A step in standard deviations.
    unit: f64,
    missing: Option<Code>,
    /// The square of the distance between a number and a missing value.
    apart: f64,
}

/// Where a row or an average is in a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Coordinate {
    /// The mean of some numbers, which are given as their distances from the smallest of the column.
    Number { sum: u128, rows: u64 },
    /// A category, or the missing value among numbers.
    Value(Code),
}

/// Where it is in all of them.
pub type Point = Vec<Coordinate>;

impl<'a> Metric<'a> {
    /// Measures the columns of a table.
    pub fn new(cube: &'a Cube) -> Self {
        let scale = |qi: &'a QuasiIdentifier| match qi.domain.hierarchy() {
            Some(tree) => Scale::Tree(tree),
            None if qi.domain.kind().is_numeric() => Scale::Number(Line::new(&qi.domain, &frequencies(cube, qi))),
            None => Scale::Flat,
        };
        Metric { columns: cube.quasi_identifiers().iter().map(scale).collect() }
    }

    /// Where a value is.
    pub fn coordinate(&self, column: usize, code: Code) -> Coordinate {
        match &self.columns[column] {
            Scale::Number(line) if line.missing != Some(code) => {
                Coordinate::Number { sum: line.steps[code as usize].into(), rows: 1 }
            }
            _ => Coordinate::Value(code),
        }
    }

    /// The square of the distance between two places of a column.
    pub fn squared(&self, column: usize, from: Coordinate, to: Coordinate) -> f64 {
        match (&self.columns[column], from, to) {
            (Scale::Number(line), Coordinate::Number { sum: a, rows: m }, Coordinate::Number { sum: b, rows: n }) => {
                // in whole numbers, so that what is equally far on both sides of an average is so here
                let steps = (a * u128::from(n)).abs_diff(b * u128::from(m)) as f64;
                (steps / (m as f64 * n as f64) * line.unit).powi(2)
            }
            (_, Coordinate::Value(a), Coordinate::Value(b)) if a == b => 0.0,
            (Scale::Number(line), ..) => line.apart,
            (Scale::Tree(tree), Coordinate::Value(a), Coordinate::Value(b)) => {
                let level = tree.lowest_common_ancestor(a, b).0 as f64 / tree.height() as f64;
                level * level
            }
            _ => 1.0,
        }
    }

    /// The square of the distance between two points.
    pub fn between(&self, from: &[Coordinate], to: &[Coordinate]) -> f64 {
        from.iter().zip(to).enumerate().map(|(column, (&a, &b))| self.squared(column, a, b)).sum()
    }

    /// The average of some rows, given as ascending codes with their numbers of rows. At least one has rows.
    pub fn average(&self, column: usize, counts: impl Iterator<Item = (Code, u64)>) -> Coordinate {
        match &self.columns[column] {
            Scale::Number(line) => line.mean(counts),
            _ => most_frequent(counts),
        }
    }
}

fn most_frequent(counts: impl Iterator<Item = (Code, u64)>) -> Coordinate {
    let more = |most: (Code, u64), next: (Code, u64)| if next.1 > most.1 { next } else { most };
    Coordinate::Value(counts.reduce(more).expect("an average is taken of some rows").0)
}

fn frequencies(cube: &Cube, qi: &QuasiIdentifier) -> Vec<u64> {
    let mut rows = vec![0; qi.domain.len()];
    (0..cube.tuples()).for_each(|tuple| rows[qi.codes.get(tuple) as usize] += cube.weight(tuple));
    rows
}

impl Line {
    fn new(domain: &Domain, rows: &[u64]) -> Line {
        let (low, high) = domain.extent().unwrap_or((0, 0));
        // as many bits as a float resolves leave room for sums of all rows, and for products of these with their number
        let shift = (128 - (high - low).leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS);
        let step = |code: Code| domain.number(code).map_or(0, |number| ((number - low) >> shift) as u64);
        let steps: Vec<u64> = (0..domain.len() as Code).map(step).collect();
        let missing = domain.missing();
        let deviation = deviation(steps.iter().zip(rows).zip(0..).filter(|&(_, c)| Some(c) != missing).map(|(s, _)| s));
        let unit = if deviation > 0.0 { 1.0 / deviation } else { 1.0 };
        let width = steps.iter().copied().max().unwrap_or(0) as f64 * unit;
        Line { steps, unit, missing, apart: (width * width).max(1.0) }
    }

    fn mean(&self, counts: impl Iterator<Item = (Code, u64)>) -> Coordinate {
        let (mut sum, mut present, mut missing) = (0u128, 0u64, 0u64);
        for (code, rows) in counts {
            if self.missing == Some(code) {
                missing += rows;
            } else {
                sum += u128::from(self.steps[code as usize]) * u128::from(rows);
                present += rows;
            }
        }
        match self.missing {
            Some(code) if missing > present => Coordinate::Value(code),
            _ => Coordinate::Number { sum, rows: present },
        }
    }
}

/// The standard deviation of numbers with their rows.
fn deviation<'s>(steps: impl Iterator<Item = (&'s u64, &'s u64)> + Clone) -> f64 {
    let rows: u64 = steps.clone().map(|(_, &rows)| rows).sum();
    let sum: u128 = steps.clone().map(|(&step, &rows)| u128::from(step) * u128::from(rows)).sum();
    let mean = sum as f64 / rows as f64;
    let squares: f64 = steps.map(|(&step, &rows)| (step as f64 - mean).powi(2) * rows as f64).sum();
    (squares / rows as f64).sqrt()
}

//! How far rows are apart, and what their average is.
//!
//! Euclidean over the columns, each of which says how far two of its values are apart:
//! * **numbers and dates**: their difference in standard deviations of the column. A missing value
//!   is as far from any number as the column is wide, and at least one standard deviation: mixed
//!   with numbers it is published as `*`;
//! * **with a hierarchy** (numbers and dates as well, since their labels are its nodes): the level
//!   of the lowest common ancestor over that of the root, so 0 for equal values and 1 for those
//!   that only meet at `*`;
//! * **categories without a hierarchy**: 0 or 1.
//!
//! The average of numbers is their mean, unless more of the values are missing; that of categories
//! is the most frequent one, the first in the column's order among equals. Averages are kept as
//! exact sums, so that they depend on the rows and not on the way there, and rows equally far on
//! both sides of an average are so here.

use mingle_model::{Code, Cube, Domain, Hierarchy, QuasiIdentifier};

/// Distances between rows of a table.
pub struct Metric<'a> {
    columns: Vec<Scale<'a>>,
}

/// Distances within a column.
pub enum Scale<'a> {
    Number(Line),
    Tree(&'a Hierarchy),
    Flat,
}

/// A column of numbers.
pub struct Line {
    /// Per code the distance from the smallest number in whole steps, which a float holds exactly;
    /// NaN where the value is missing.
    pub steps: Vec<f64>,
    missing: Option<Code>,
    /// A step in standard deviations.
    unit: f64,
    /// The square of the distance between a number and a missing value.
    apart: f64,
}

/// Where a row or an average is in a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Coordinate {
    /// The mean of so many numbers, given as the sum of their steps.
    Number { sum: f64, rows: f64 },
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
            None if qi.domain.kind().is_numeric() => {
                Scale::Number(Line::new(&qi.domain, &frequencies(cube, qi)))
            }
            None => Scale::Flat,
        };
        Metric {
            columns: cube.quasi_identifiers().iter().map(scale).collect(),
        }
    }

    /// The columns.
    pub fn columns(&self) -> &[Scale<'a>] {
        &self.columns
    }

    /// The square of the distance between two points.
    pub fn between(&self, from: &[Coordinate], to: &[Coordinate]) -> f64 {
        self.columns
            .iter()
            .zip(from.iter().zip(to))
            .map(|(scale, (&a, &b))| scale.squared(a, b))
            .sum()
    }
}

impl Scale<'_> {
    /// Where a value is.
    pub fn coordinate(&self, code: Code) -> Coordinate {
        match self {
            Scale::Number(line) if line.missing != Some(code) => Coordinate::Number {
                sum: line.steps[code as usize],
                rows: 1.0,
            },
            _ => Coordinate::Value(code),
        }
    }

    /// The square of the distance between two places.
    pub fn squared(&self, from: Coordinate, to: Coordinate) -> f64 {
        match (self, from, to) {
            (
                Scale::Number(line),
                Coordinate::Number { sum, rows },
                Coordinate::Number { sum: to, rows: n },
            ) => {
                let distance = (to * rows - sum * n) * (line.unit / (rows * n));
                distance * distance
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

    /// The average of some rows, given as ascending codes with their numbers of rows. At least one
    /// has rows.
    pub fn average(&self, counts: impl Iterator<Item = (Code, u64)>) -> Coordinate {
        let Scale::Number(line) = self else {
            return most_frequent(counts);
        };
        let mut mean = Mean::default();
        counts.for_each(|(code, rows)| mean.add(line.steps[code as usize], rows));
        line.average(mean)
    }
}

fn most_frequent(counts: impl Iterator<Item = (Code, u64)>) -> Coordinate {
    let more = |most: (Code, u64), next: (Code, u64)| if next.1 > most.1 { next } else { most };
    Coordinate::Value(
        counts
            .reduce(more)
            .expect("an average is taken of some rows")
            .0,
    )
}

fn frequencies(cube: &Cube, qi: &QuasiIdentifier) -> Vec<u64> {
    let mut rows = vec![0; qi.domain.len()];
    (0..cube.tuples()).for_each(|tuple| rows[qi.codes.get(tuple) as usize] += cube.weight(tuple));
    rows
}

impl Line {
    fn new(domain: &Domain, rows: &[u64]) -> Line {
        let (low, high) = domain.extent().unwrap_or((0, 0));
        let shift = (128 - (high - low).leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS);
        let step = |code: Code| {
            domain
                .number(code)
                .map_or(f64::NAN, |number| ((number - low) >> shift) as f64)
        };
        let steps: Vec<f64> = (0..domain.len() as Code).map(step).collect();
        let deviation = deviation(steps.iter().copied().zip(rows.iter().copied()));
        let unit = if deviation > 0.0 {
            1.0 / deviation
        } else {
            1.0
        };
        // a maximum takes no notice of NaN
        let width = steps.iter().copied().fold(0.0, f64::max) * unit;
        Line {
            steps,
            missing: domain.missing(),
            unit,
            apart: (width * width).max(1.0),
        }
    }

    /// Adds to each sum the square of the distance of a value, given in steps, from a place of this
    /// column.
    pub fn add_squares(&self, from: Coordinate, steps: &[f64], sums: &mut [f64]) {
        match from {
            Coordinate::Number { sum, rows } => {
                let unit = self.unit / rows;
                for (total, &step) in sums.iter_mut().zip(steps) {
                    let distance = (step * rows - sum) * unit;
                    *total += if step.is_nan() {
                        self.apart
                    } else {
                        distance * distance
                    };
                }
            }
            Coordinate::Value(_) => {
                for (total, &step) in sums.iter_mut().zip(steps) {
                    *total += if step.is_nan() { 0.0 } else { self.apart };
                }
            }
        }
    }

    /// Where the average of some rows is.
    pub fn average(&self, mean: Mean) -> Coordinate {
        match self.missing {
            Some(code) if mean.missing > mean.present => Coordinate::Value(code),
            _ => Coordinate::Number {
                sum: mean.sum as f64,
                rows: mean.present as f64,
            },
        }
    }
}

/// The standard deviation of numbers with their rows.
fn deviation(steps: impl Iterator<Item = (f64, u64)> + Clone) -> f64 {
    let steps = steps.filter(|(step, _)| !step.is_nan());
    let mut all = Mean::default();
    steps.clone().for_each(|(step, rows)| all.add(step, rows));
    let mean = all.sum as f64 / all.present as f64;
    let squares: f64 = steps
        .map(|(step, rows)| (step - mean).powi(2) * rows as f64)
        .sum();
    (squares / all.present as f64).sqrt()
}

/// The mean of numbers that come and go, given in steps.
#[derive(Clone, Copy, Default)]
pub struct Mean {
    sum: u128,
    present: u64,
    missing: u64,
}

impl Mean {
    /// Some rows with this number come.
    pub fn add(&mut self, step: f64, rows: u64) {
        if step.is_nan() {
            self.missing += rows;
        } else {
            self.sum += step as u128 * u128::from(rows);
            self.present += rows;
        }
    }

    /// Some of those that came go.
    pub fn remove(&mut self, step: f64, rows: u64) {
        if step.is_nan() {
            self.missing -= rows;
        } else {
            self.sum -= step as u128 * u128::from(rows);
            self.present -= rows;
        }
    }
}

//! MDAV-generic (Domingo-Ferrer and Torra 2005).
//!
//! While at least 3k rows are left: the row farthest from the average of those left and the k − 1
//! rows nearest to it are a group; then the row farthest from *that* row and the k − 1 nearest to
//! it are another. Of 2k to 3k − 1 rows that are left, the one farthest from their average makes
//! one more group like that, and what then remains is the last group. Among equally far or near
//! rows the first in the cube's order is taken.
//!
//! Equal rows are equally far from everything, so distances are taken between distinct tuples,
//! those of categories once per value. Cost: tuples × rows / k per column.

use super::dealing::Dealing;
use super::metric::{Coordinate, Line, Mean, Metric, Point, Scale};
use crate::bisect::Units;
use crate::{Error, MethodOptions};
use mingle_model::Code;

/// Divides the rows of tuples, each of fewer than `k` rows, into groups of `k`, given as items of the
/// dealing. The last group may have up to 2k − 1 rows, and fewer than k if there are no more in all.
/// Where people are counted, this is so of profiles and people.
pub fn groups(
    metric: &Metric,
    dealing: &Dealing,
    tuples: &[u32],
    k: u64,
    options: &MethodOptions,
) -> Result<Vec<Vec<u32>>, Error> {
    let mut rest = Rest::new(metric, dealing, tuples);
    let mut groups = Vec::new();
    while rest.rows >= k.saturating_mul(3) {
        options.check_cancelled()?;
        rest.tidy();
        rest.measure(&rest.average());
        groups.push(rest.take_around_farthest(k));
        // distances are those from the row just taken
        groups.push(rest.take_around_farthest(k));
    }
    if rest.rows >= k.saturating_mul(2) {
        rest.measure(&rest.average());
        groups.push(rest.take_around_farthest(k));
    }
    if rest.rows > 0 {
        groups.push(rest.take_all());
    }
    Ok(groups)
}

/// The rows that are in no group yet. A tuple without rows is forgotten, and the last takes its
/// place.
struct Rest<'a> {
    dealing: &'a Dealing<'a>,
    columns: Vec<Column<'a>>,
    units: Vec<Unit<'a>>,
    /// How many rows all units have.
    rows: u64,
    /// How many units there were when columns were tidied last.
    tidied: usize,
    /// Per unit the square of its distance from the point that was measured last.
    distances: Vec<f64>,
}

/// What is left of a tuple, or of a profile.
#[derive(Clone, Copy)]
struct Unit<'a> {
    tuple: u32,
    rows: u64,
    records: &'a [u32],
}

impl<'a> Rest<'a> {
    fn new(metric: &'a Metric<'a>, dealing: &'a Dealing<'a>, tuples: &[u32]) -> Self {
        let unit = |&tuple: &u32| Unit {
            tuple,
            rows: dealing.weight(tuple),
            records: dealing.items_of(tuple),
        };
        let units: Vec<Unit> = tuples.iter().map(unit).collect();
        let columns = metric.columns().iter().enumerate();
        Rest {
            columns: columns
                .map(|(column, scale)| Column::new(scale, &units, |t| dealing.code(column, t)))
                .collect(),
            rows: units.iter().map(|unit| unit.rows).sum(),
            tidied: units.len(),
            distances: vec![0.0; units.len()],
            dealing,
            units,
        }
    }

    /// Forgets values that no unit has any more, from time to time.
    fn tidy(&mut self) {
        if self.units.len() < self.tidied / 2 {
            self.columns.iter_mut().for_each(Column::tidy);
            self.tidied = self.units.len();
        }
    }

    fn average(&self) -> Point {
        self.columns.iter().map(Column::average).collect()
    }

    fn point(&self, unit: usize) -> Point {
        let tuple = self.units[unit].tuple;
        let mut point = Vec::with_capacity(self.columns.len());
        for (at, column) in self.columns.iter().enumerate() {
            point.push(column.scale.coordinate(self.dealing.code(at, tuple)));
        }
        point
    }

    /// Takes the distances of all units from a point.
    fn measure(&mut self, point: &Point) {
        self.distances.fill(0.0);
        for (column, &from) in self.columns.iter().zip(point) {
            column.add_squares(from, &mut self.distances);
        }
    }

    /// A group of the row that is farthest from the point measured last, and those nearest to that
    /// row, from which all are measured then.
    fn take_around_farthest(&mut self, k: u64) -> Vec<u32> {
        let seed = self.farthest();
        let tuple = self.units[seed].tuple;
        self.measure(&self.point(seed));
        let nearest = self.nearest(tuple, k);
        let mut records = Vec::new();
        let mut wanted = k;
        for &(_, _, unit) in &nearest {
            wanted -= self.deal(unit, wanted, &mut records).min(wanted);
        }
        let gone = nearest
            .iter()
            .map(|&(_, _, unit)| unit)
            .filter(|&unit| self.units[unit].rows == 0);
        let mut gone: Vec<usize> = gone.collect();
        // from the back, so that the places of those yet to go stay what they are
        gone.sort_unstable_by(|a, b| b.cmp(a));
        gone.into_iter().for_each(|unit| self.forget(unit));
        records
    }

    fn farthest(&self) -> usize {
        let farther = |a: usize, b: usize| match self.distances[b].total_cmp(&self.distances[a]) {
            std::cmp::Ordering::Greater => b,
            std::cmp::Ordering::Equal if self.units[b].tuple < self.units[a].tuple => b,
            _ => a,
        };
        (0..self.units.len())
            .reduce(farther)
            .expect("rows are left")
    }

    /// The nearest units that have k rows together, nearest first, this tuple before all.
    fn nearest(&self, seed: u32, k: u64) -> Vec<(f64, u32, usize)> {
        let mut nearest: Vec<(f64, u32, usize)> = Vec::new();
        let mut rows = 0;
        for (at, (&distance, unit)) in self.distances.iter().zip(&self.units).enumerate() {
            let distance = if unit.tuple == seed { -1.0 } else { distance };
            if rows >= k && nearest.last().is_some_and(|last| distance > last.0) {
                continue;
            }
            let place =
                nearest.partition_point(|other| (other.0, other.1) < (distance, unit.tuple));
            nearest.insert(place, (distance, unit.tuple, at));
            rows += unit.rows;
            while let Some(last) = nearest.pop_if(|last| rows - self.units[last.2].rows >= k) {
                rows -= self.units[last.2].rows;
            }
        }
        nearest
    }

    /// Moves rows of a unit into a group until `wanted` have gone; returns how many went.
    fn deal(&mut self, unit: usize, wanted: u64, records: &mut Vec<u32>) -> u64 {
        let Unit { records: left, .. } = self.units[unit];
        let mut gone = 0;
        let mut taken = 0;
        while gone < wanted && taken < left.len() {
            gone += self.dealing.count(left[taken]);
            taken += 1;
        }
        records.extend_from_slice(&left[..taken]);
        self.units[unit].records = &left[taken..];
        self.units[unit].rows -= gone;
        self.rows -= gone;
        self.columns
            .iter_mut()
            .for_each(|column| column.remove(unit, gone));
        gone
    }

    fn forget(&mut self, unit: usize) {
        self.units.swap_remove(unit);
        self.distances.swap_remove(unit);
        self.columns
            .iter_mut()
            .for_each(|column| column.forget(unit));
    }

    /// All rows that are left, in the cube's order.
    fn take_all(&mut self) -> Vec<u32> {
        self.rows = 0;
        let mut units = std::mem::take(&mut self.units);
        units.sort_unstable_by_key(|unit| unit.tuple);
        units
            .iter()
            .flat_map(|unit| unit.records)
            .copied()
            .collect()
    }
}

/// A column of the units.
struct Column<'a> {
    scale: &'a Scale<'a>,
    cells: Cells<'a>,
}

/// What the units have in a column, and how many rows of the rest have what.
enum Cells<'a> {
    Numbers {
        line: &'a Line,
        steps: Vec<f64>,
        mean: Mean,
    },
    /// Per unit the place of its value among those that occur.
    Values {
        values: Vec<Code>,
        rows: Vec<u64>,
        places: Vec<u32>,
    },
}

impl<'a> Column<'a> {
    fn new(scale: &'a Scale<'a>, units: &[Unit], code: impl Fn(u32) -> Code) -> Self {
        let codes: Vec<Code> = units.iter().map(|unit| code(unit.tuple)).collect();
        if let Scale::Number(line) = scale {
            let steps: Vec<f64> = codes
                .iter()
                .map(|&code| line.steps[code as usize])
                .collect();
            let mut mean = Mean::default();
            steps
                .iter()
                .zip(units)
                .for_each(|(&step, unit)| mean.add(step, unit.rows));
            return Column {
                scale,
                cells: Cells::Numbers { line, steps, mean },
            };
        }
        let mut values = codes.clone();
        values.sort_unstable();
        values.dedup();
        let place = |&code: &Code| values.partition_point(|&value| value < code) as u32;
        let places: Vec<u32> = codes.iter().map(place).collect();
        let mut rows = vec![0; values.len()];
        places
            .iter()
            .zip(units)
            .for_each(|(&place, unit)| rows[place as usize] += unit.rows);
        Column {
            scale,
            cells: Cells::Values {
                values,
                rows,
                places,
            },
        }
    }

    fn average(&self) -> Coordinate {
        match &self.cells {
            Cells::Numbers { line, mean, .. } => line.average(*mean),
            Cells::Values { values, rows, .. } => self
                .scale
                .average(values.iter().copied().zip(rows.iter().copied())),
        }
    }

    fn add_squares(&self, from: Coordinate, distances: &mut [f64]) {
        match &self.cells {
            Cells::Numbers { line, steps, .. } => line.add_squares(from, steps, distances),
            Cells::Values { values, places, .. } => {
                let square = |&value: &Code| self.scale.squared(from, Coordinate::Value(value));
                let by_value: Vec<f64> = values.iter().map(square).collect();
                distances
                    .iter_mut()
                    .zip(places)
                    .for_each(|(sum, &place)| *sum += by_value[place as usize]);
            }
        }
    }

    /// Rows of a unit are gone.
    fn remove(&mut self, unit: usize, gone: u64) {
        match &mut self.cells {
            Cells::Numbers { steps, mean, .. } => mean.remove(steps[unit], gone),
            Cells::Values { rows, places, .. } => rows[places[unit] as usize] -= gone,
        }
    }

    fn forget(&mut self, unit: usize) {
        match &mut self.cells {
            Cells::Numbers { steps, .. } => drop(steps.swap_remove(unit)),
            Cells::Values { places, .. } => drop(places.swap_remove(unit)),
        }
    }

    fn tidy(&mut self) {
        let Cells::Values {
            values,
            rows,
            places,
        } = &mut self.cells
        else {
            return;
        };
        let mut next = 0;
        let number = |&rows: &u64| {
            next += u32::from(rows > 0);
            next.saturating_sub(1)
        };
        let numbers: Vec<u32> = rows.iter().map(number).collect();
        places
            .iter_mut()
            .for_each(|place| *place = numbers[*place as usize]);
        let mut kept = rows.iter();
        values.retain(|_| kept.next().is_some_and(|&rows| rows > 0));
        rows.retain(|&rows| rows > 0);
    }
}

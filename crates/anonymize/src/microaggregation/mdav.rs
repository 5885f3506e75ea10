//! MDAV-generic (Domingo-Ferrer and Torra 2005).
//!
//! While at least 3k rows are left: the row farthest from the average of those left and the k − 1 rows nearest to it are
//! a group; then the row farthest from *that* row and the k − 1 nearest to it are another. Of 2k to 3k − 1 rows that are
//! left, the one farthest from their average makes one more group like that, and what then remains is the last group.
//! Among equally far or near rows the first in the cube's order is taken.
//!
//! Equal rows are equally far from everything, so distances are taken between distinct tuples, and a column's distances
//! from a point are looked up by value. Cost: tuples × rows / k look-ups per column.

use super::dealing::Dealing;
use super::metric::{Metric, Point};
use crate::{Error, Options};
use mingle_model::{Code, Cube};

/// Divides the rows of tuples, each of fewer than `k` rows, into groups of `k`, given as records. The last group may have
/// up to 2k − 1 rows, and fewer than k if there are no more in all.
pub fn groups(
    cube: &Cube,
    metric: &Metric,
    dealing: &Dealing,
    tuples: &[u32],
    k: u64,
    options: &Options,
) -> Result<Vec<Vec<u32>>, Error> {
    let mut rest = Rest::new(cube, metric, dealing, tuples);
    let mut groups = Vec::new();
    while rest.rows >= k.saturating_mul(3) {
        options.check_cancelled()?;
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

/// The rows that are in no group yet. A tuple without rows is forgotten, and the last takes its place.
struct Rest<'a> {
    cube: &'a Cube,
    metric: &'a Metric<'a>,
    columns: Vec<Column>,
    units: Vec<Unit<'a>>,
    /// How many rows all units have.
    rows: u64,
    /// Per unit the square of its distance from the point that was measured last.
    distances: Vec<f64>,
    /// Scratch: the same by value of a column.
    by_value: Vec<f64>,
}

/// The values of a column that occur here.
struct Column {
    values: Vec<Code>,
    /// Per value how many rows of the rest have it.
    rows: Vec<u64>,
    /// Per unit its value's place.
    places: Vec<u32>,
}

/// What is left of a tuple.
#[derive(Clone, Copy)]
struct Unit<'a> {
    tuple: u32,
    rows: u64,
    records: &'a [u32],
}

impl<'a> Rest<'a> {
    fn new(cube: &'a Cube, metric: &'a Metric<'a>, dealing: &'a Dealing, tuples: &[u32]) -> Self {
        let unit = |&tuple: &u32| {
            let rows = cube.weight(tuple as usize);
            Unit { tuple, rows, records: dealing.records_of(cube, tuple) }
        };
        let units: Vec<Unit> = tuples.iter().map(unit).collect();
        let columns = cube.quasi_identifiers().iter();
        Rest {
            columns: columns.map(|qi| Column::new(&units, |tuple| qi.codes.get(tuple as usize))).collect(),
            rows: units.iter().map(|unit| unit.rows).sum(),
            distances: vec![0.0; units.len()],
            by_value: Vec::new(),
            cube,
            metric,
            units,
        }
    }

    fn average(&self) -> Point {
        let counts = |c: &'_ Column| c.values.iter().copied().zip(c.rows.iter().copied()).collect::<Vec<_>>();
        (0..self.columns.len()).map(|c| self.metric.average(c, counts(&self.columns[c]).into_iter())).collect()
    }

    fn point(&self, unit: usize) -> Point {
        let coordinate =
            |(c, column): (usize, &Column)| self.metric.coordinate(c, column.values[column.places[unit] as usize]);
        self.columns.iter().enumerate().map(coordinate).collect()
    }

    /// Takes the distances of all units from a point.
    fn measure(&mut self, point: &Point) {
        self.distances.fill(0.0);
        for (c, column) in self.columns.iter().enumerate() {
            let distance = |&value: &Code| self.metric.squared(c, point[c], self.metric.coordinate(c, value));
            self.by_value.clear();
            self.by_value.extend(column.values.iter().map(distance));
            let by_value = self.by_value.as_slice();
            self.distances.iter_mut().zip(&column.places).for_each(|(sum, &place)| *sum += by_value[place as usize]);
        }
    }

    /// A group of the row that is farthest from the point measured last, and those nearest to that row, from which all
    /// are measured then.
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
        let gone = nearest.iter().map(|&(_, _, unit)| unit).filter(|&unit| self.units[unit].rows == 0);
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
        (0..self.units.len()).reduce(farther).expect("rows are left")
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
            let place = nearest.partition_point(|other| (other.0, other.1) < (distance, unit.tuple));
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
            gone += u64::from(self.cube.records()[left[taken] as usize].count);
            taken += 1;
        }
        records.extend_from_slice(&left[..taken]);
        self.units[unit].records = &left[taken..];
        self.units[unit].rows -= gone;
        self.rows -= gone;
        self.columns.iter_mut().for_each(|column| column.rows[column.places[unit] as usize] -= gone);
        gone
    }

    fn forget(&mut self, unit: usize) {
        self.units.swap_remove(unit);
        self.distances.swap_remove(unit);
        self.columns.iter_mut().for_each(|column| {
            column.places.swap_remove(unit);
        });
    }

    /// All rows that are left, in the cube's order.
    fn take_all(&mut self) -> Vec<u32> {
        self.rows = 0;
        let mut units = std::mem::take(&mut self.units);
        units.sort_unstable_by_key(|unit| unit.tuple);
        units.iter().flat_map(|unit| unit.records).copied().collect()
    }
}

impl Column {
    fn new(units: &[Unit], code: impl Fn(u32) -> Code) -> Column {
        let mut values: Vec<Code> = units.iter().map(|unit| code(unit.tuple)).collect();
        values.sort_unstable();
        values.dedup();
        let place = |unit: &Unit| values.partition_point(|&value| value < code(unit.tuple)) as u32;
        let places: Vec<u32> = units.iter().map(place).collect();
        let mut rows = vec![0; values.len()];
        places.iter().zip(units).for_each(|(&place, unit)| rows[place as usize] += unit.rows);
        Column { values, rows, places }
    }
}

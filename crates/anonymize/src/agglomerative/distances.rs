//! How far the rows of a cell are from one of them: what each would cost together with it.
//!
//! A cell is carved by measuring all of its rows from one row after another. Its rows have few
//! distinct values in a column, so what each value costs together with the one measured from is
//! looked up once, and a row's distance is a sum over its values' places in that list. Cost per
//! measuring: the distinct values of the cell, and one addition per row and column.

use super::clusters::Task;
use mingle_model::Code;

/// The rows of a cell, by number.
pub(super) struct CellRows {
    slots: usize,
    /// The distinct values of the cell, slot by slot.
    values: Vec<Code>,
    /// Where the values of each slot begin, and where those of the last one end.
    begins: Vec<usize>,
    /// Row by row and slot by slot, where its value stands.
    places: Vec<u32>,
    /// Scratch: what each value costs together with the one that is measured from.
    costs: Vec<f32>,
}

impl CellRows {
    /// The rows of these units, numbered as they are given.
    pub fn new(task: &Task, units: &[u32]) -> Self {
        let slots = task.loss.slots();
        let mut rows = CellRows {
            slots,
            values: Vec::new(),
            begins: vec![0],
            places: vec![0; units.len() * slots],
            costs: Vec::new(),
        };
        let mut codes = Vec::with_capacity(units.len());
        for slot in 0..slots {
            codes.clear();
            for &unit in units {
                codes.push(task.loss.top(&task.extents, unit as usize, slot));
            }
            let begin = rows.values.len();
            let mut distinct = codes.clone();
            distinct.sort_unstable();
            distinct.dedup();
            for (row, code) in codes.iter().enumerate() {
                let place = begin + distinct.partition_point(|value| value < code);
                rows.places[row * slots + slot] = place as u32;
            }
            rows.values.extend(distinct);
            rows.begins.push(rows.values.len());
        }
        rows.costs = vec![0.0; rows.values.len()];
        rows
    }

    /// Puts the distance of every row in `rows` from one of them into `distances`.
    pub fn measure_from(&mut self, task: &Task, seed: u32, rows: &[u32], distances: &mut Vec<f32>) {
        for slot in 0..self.slots {
            let own = self.values[self.places[seed as usize * self.slots + slot] as usize];
            for place in self.begins[slot]..self.begins[slot + 1] {
                self.costs[place] = task.loss.pair(slot, own, self.values[place]);
            }
        }
        distances.clear();
        for &row in rows {
            let mut distance = 0.0;
            for &place in &self.places[row as usize * self.slots..][..self.slots] {
                distance += self.costs[place as usize];
            }
            distances.push(distance);
        }
    }
}

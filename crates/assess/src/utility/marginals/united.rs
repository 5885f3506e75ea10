//! Cells of a column taken together.

use super::MOST;

/// For each cell of a column the one that it is counted in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct United {
    into: Vec<u32>,
    cells: usize,
}

impl United {
    /// Each cell goes into the given one, which is below `cells`.
    pub fn new(into: Vec<u32>, cells: usize) -> United {
        debug_assert!(into.iter().all(|&cell| (cell as usize) < cells));
        United { into, cells }
    }

    /// Neighbouring cells together, so that at most [`MOST`] are left.
    pub fn coarse(cells: usize) -> United {
        let left = cells.min(MOST);
        let into = |cell: usize| {
            if cells <= MOST {
                cell
            } else {
                cell * MOST / cells
            }
        };
        United::new((0..cells).map(|cell| into(cell) as u32).collect(), left)
    }

    /// How many cells are left.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Where a cell is counted.
    pub fn cell(&self, cell: usize) -> usize {
        self.into[cell] as usize
    }

    /// Counts of the column's cells, counted together.
    pub fn counts(&self, counts: &[f64]) -> Vec<f64> {
        let mut united = vec![0.0; self.cells];
        counts
            .iter()
            .enumerate()
            .for_each(|(cell, count)| united[self.cell(cell)] += count);
        united
    }
}

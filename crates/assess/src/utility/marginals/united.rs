//! Cells of a column taken together.

use super::{MOST, MOST_OF_PAIR};

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

    /// Neighbouring cells together, so that at most `most` are left.
    pub fn coarse(cells: usize, most: usize) -> United {
        let left = cells.min(most);
        let into = |cell: usize| {
            if cells <= most {
                cell
            } else {
                cell * most / cells
            }
        };
        United::new((0..cells).map(|cell| into(cell) as u32).collect(), left)
    }

    /// The cells of two columns that are counted together: at most [`MOST`] of each and
    /// [`MOST_OF_PAIR`] pairs of them. The column with more cells gives way first, until both have
    /// as many.
    pub fn coarse_pair(first: usize, second: usize) -> (United, United) {
        let (few, many) = (first.min(second).min(MOST), first.max(second).min(MOST));
        let even = MOST_OF_PAIR.isqrt();
        let most = if few * many <= MOST_OF_PAIR {
            MOST
        } else {
            (MOST_OF_PAIR / few).max(even)
        };
        (United::coarse(first, most), United::coarse(second, most))
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

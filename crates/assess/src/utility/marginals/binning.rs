//! Which cell of the common counting each original value belongs to.

use mingle_model::{Code, Column};

/// The cells of one column, by original value. One cell more than declared is kept for what is
/// outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binning {
    cell_of: Vec<u32>,
    cells: usize,
}

impl Binning {
    /// Declared cells: for each code of the original the cell it belongs to, `None` for a value
    /// outside.
    pub fn declared(cell_of: impl IntoIterator<Item = Option<u32>>, cells: usize) -> Binning {
        Binning {
            cell_of: cell_of
                .into_iter()
                .map(|cell| cell.unwrap_or(cells as u32))
                .collect(),
            cells: cells + 1,
        }
    }

    /// Each value of the original is a cell.
    pub fn values(column: &Column) -> Binning {
        let values = column.domain.len();
        Binning::declared((0..values as u32).map(Some), values)
    }

    /// The cell of an original value.
    pub fn cell(&self, code: Code) -> u32 {
        self.cell_of[code as usize]
    }

    /// The cell of what is outside.
    pub fn outside(&self) -> u32 {
        self.cells as u32 - 1
    }

    /// How many cells there are, that for the outside included.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// How many original values there are.
    pub fn values_len(&self) -> usize {
        self.cell_of.len()
    }

    /// Per cell the original values in it, ascending.
    pub fn values_of(&self) -> Vec<Vec<Code>> {
        let mut values = vec![Vec::new(); self.cells];
        self.cell_of
            .iter()
            .zip(0..)
            .for_each(|(&cell, code)| values[cell as usize].push(code));
        values
    }
}

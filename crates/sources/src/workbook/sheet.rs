//! A sheet as rows of cells, whichever format it comes from.

use super::cell::CellText;
use mingle_io::SheetFlaw;

/// No spreadsheet has more rows.
pub(super) const MAX_ROWS: u64 = 1 << 20;

/// A row that holds something. No `Debug`: it is cells.
pub(super) struct SheetRow {
    /// As spreadsheets number rows: from 1.
    pub(super) number: u64,
    /// The cells that hold something, by their columns counted from 0, in ascending order.
    cells: Vec<(usize, CellText)>,
    /// Bytes of all texts.
    bytes: usize,
    limit: usize,
}

impl SheetRow {
    /// Takes rows of at most so many bytes: a text that a thousand cells share is written once.
    pub(super) fn new(limit: usize) -> SheetRow {
        SheetRow {
            number: 0,
            cells: Vec::new(),
            bytes: 0,
            limit,
        }
    }

    /// Begins another row.
    pub(super) fn start(&mut self, number: u64) {
        self.number = number;
        self.cells.clear();
        self.bytes = 0;
    }

    /// Adds a cell to the right of those that are there.
    pub(super) fn push(&mut self, column: usize, text: CellText) -> Result<(), SheetFlaw> {
        self.bytes += text.as_ref().map_or(0, String::len);
        if self.bytes > self.limit {
            return Err(SheetFlaw::TooLong { limit: self.limit });
        }
        self.cells.push((column, text));
        Ok(())
    }

    pub(super) fn cells(&self) -> &[(usize, CellText)] {
        &self.cells
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many bytes its texts have.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Becomes a copy of another row.
    pub(super) fn copy_from(&mut self, other: &SheetRow) {
        self.number = other.number;
        self.bytes = other.bytes;
        self.cells.clone_from(&other.cells);
    }
}

/// A sheet, row by row. No `Debug`: rows are cells.
pub(super) trait SheetReader: Send {
    /// Reads the next row that holds something, in ascending order; false at the end.
    fn next_row(&mut self, row: &mut SheetRow) -> Result<bool, SheetFlaw>;
}

/// A sheet of a workbook.
pub(super) struct SheetEntry {
    pub(super) name: String,
    pub(super) is_hidden: bool,
}

/// What spreadsheets call a column: A to Z, then AA.
pub(super) fn letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// Which columns nobody sees, as ranges counted from 0.
#[derive(Default)]
pub(super) struct HiddenColumns {
    ranges: Vec<(u64, u64)>,
}

impl HiddenColumns {
    pub(super) fn add(&mut self, first: u64, last: u64) {
        self.ranges.push((first, last));
    }

    /// The first cell of a row that stands in one of them.
    pub(super) fn refuse(&self, row: &SheetRow) -> Result<(), SheetFlaw> {
        if self.ranges.is_empty() {
            return Ok(());
        }
        for (column, _) in &row.cells {
            let at = *column as u64;
            let mut ranges = self.ranges.iter();
            if ranges.any(|(first, last)| (*first..=*last).contains(&at)) {
                let letters = letters(*column);
                return Err(SheetFlaw::HiddenColumn { letters });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn columns_are_called_as_in_spreadsheets() {
        for (column, name) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")] {
            assert_eq!(letters(column), name);
        }
    }
}

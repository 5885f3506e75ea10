//! Tables of counts over a few columns each, which together stand for all columns.

use super::{Counted, United};

/// Tables of counts. No `Debug`: they may be of people.
pub struct CountTables {
    declared: Vec<usize>,
    /// With one cell more per column for what is outside, where these tables have nothing.
    cells: Vec<usize>,
    tables: Vec<(Vec<usize>, Vec<f64>)>,
}

impl CountTables {
    /// Tables over columns given by place, ascending, row-major, the last fastest. `declared` are
    /// the cells of each column. `None` where a table's size does not fit them.
    pub fn new(declared: Vec<usize>, tables: Vec<(Vec<usize>, Vec<f64>)>) -> Option<CountTables> {
        let size = |columns: &[usize]| {
            columns
                .iter()
                .try_fold(1usize, |n, &c| n.checked_mul(*declared.get(c)?))
        };
        let fits = |(columns, counts): &(Vec<usize>, Vec<f64>)| {
            columns.is_sorted_by(|a, b| a < b) && size(columns) == Some(counts.len())
        };
        let cells = declared
            .iter()
            .map(|cells| cells.checked_add(1))
            .collect::<Option<_>>()?;
        tables.iter().all(fits).then_some(CountTables {
            declared,
            cells,
            tables,
        })
    }

    /// The counts of all cells together.
    pub fn total(&self) -> f64 {
        self.tables
            .first()
            .map_or(0.0, |(_, counts)| counts.iter().sum())
    }

    /// The tables, each with its columns.
    pub fn tables(&self) -> &[(Vec<usize>, Vec<f64>)] {
        &self.tables
    }

    /// The smallest table that has all of some columns.
    fn with(&self, columns: &[usize]) -> Option<&(Vec<usize>, Vec<f64>)> {
        let has = |t: &&(Vec<usize>, Vec<f64>)| columns.iter().all(|c| t.0.contains(c));
        self.tables.iter().filter(has).min_by_key(|t| t.1.len())
    }

    /// Visits every cell of a table: its coordinate in each column, and its count.
    pub fn visit(
        &self,
        (columns, counts): &(Vec<usize>, Vec<f64>),
        mut see: impl FnMut(&[usize], f64),
    ) {
        let mut at = vec![0; columns.len()];
        for &count in counts {
            see(&at, count);
            for (place, &column) in at.iter_mut().zip(columns).rev() {
                *place += 1;
                if *place < self.declared[column] {
                    break;
                }
                *place = 0;
            }
        }
    }

    fn place(columns: &[usize], column: usize) -> usize {
        columns
            .iter()
            .position(|&c| c == column)
            .expect("the table has the column")
    }
}

impl Counted for CountTables {
    fn cells(&self) -> &[usize] {
        &self.cells
    }

    fn one(&self, column: usize) -> Vec<f64> {
        let mut counts = vec![0.0; self.cells[column]];
        let Some(table) = self.with(&[column]) else {
            counts[..self.declared[column]].fill(1.0);
            return counts;
        };
        let place = CountTables::place(&table.0, column);
        self.visit(table, |at, count| counts[at[place]] += count);
        counts
    }

    fn pair(
        &self,
        (first, a): (usize, &United),
        (second, b): (usize, &United),
    ) -> (Vec<f64>, bool) {
        let width = b.cells();
        let mut counts = vec![0.0; a.cells() * width];
        let Some(table) = self.with(&[first, second]) else {
            let (one, other) = (a.counts(&self.one(first)), b.counts(&self.one(second)));
            for (row, p) in counts.chunks_mut(width).zip(&one) {
                row.iter_mut()
                    .zip(&other)
                    .for_each(|(count, q)| *count = p * q);
            }
            return (counts, false);
        };
        let (p, q) = (
            CountTables::place(&table.0, first),
            CountTables::place(&table.0, second),
        );
        self.visit(table, |at, count| {
            counts[a.cell(at[p]) * width + b.cell(at[q])] += count
        });
        (counts, true)
    }
}

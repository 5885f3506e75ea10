//! Some rows of the tables: what columns say together is counted on them, and a dry run is made of
//! them.
//!
//! Up to 10,000 rows are all taken. Of more, a row is taken if a hash of its number says so: the
//! same rows on every machine, spread over all tables, and no pattern of the rows can hit a pattern
//! of the choice. A sample singles out more than the tables do, since fewer people are alike in it;
//! figures from it are said to be from it.

use mingle_io::RawTable;
use mingle_model::RawColumn;
use std::collections::HashMap;

/// About so many rows are taken.
const ENOUGH_ROWS: u64 = 10_000;

/// Rows of the tables. No `Debug`: they are cells.
pub struct Sample {
    /// How many rows there are in all.
    pub of: usize,
    /// The table of each row, by its place.
    pub table_of: Vec<usize>,
    /// The columns, as read.
    pub columns: Vec<RawColumn>,
}

impl Sample {
    /// Takes rows of tables.
    pub fn of(raw: &RawTable) -> Sample {
        let mut rows = Vec::new();
        let mut table_of = Vec::new();
        let mut row: u64 = 0;
        for (table, &rows_of_table) in raw.rows_of.iter().enumerate() {
            let end = row + rows_of_table;
            while row < end {
                if is_taken(row, raw.rows) {
                    rows.push(row as usize);
                    table_of.push(table);
                }
                row += 1;
            }
        }
        let mut columns = Vec::with_capacity(raw.columns.len());
        for (_, column) in &raw.columns {
            columns.push(taken(column, &rows));
        }
        Sample {
            of: raw.rows as usize,
            table_of,
            columns,
        }
    }

    /// How many rows were taken.
    pub fn rows(&self) -> usize {
        self.table_of.len()
    }
}

fn is_taken(row: u64, rows: u64) -> bool {
    rows <= ENOUGH_ROWS || mixed(row) % rows < ENOUGH_ROWS
}

/// Scatters row numbers (the finalizer of SplitMix64).
fn mixed(row: u64) -> u64 {
    let mut bits = row.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The rows of a column, with the values that occur in them.
fn taken(column: &RawColumn, rows: &[usize]) -> RawColumn {
    let mut place_of: HashMap<u32, u32> = HashMap::new();
    let mut taken = RawColumn::default();
    for &row in rows {
        let id = column.ids.get(row);
        let place = *place_of.entry(id).or_insert_with(|| {
            taken.values.push(column.values[id as usize].clone());
            taken.values.len() as u32 - 1
        });
        taken.ids.push(place);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_enough_rows_are_taken_and_all_of_a_small_table() {
        assert!((0..10_000).all(|row| is_taken(row, 10_000)));
        for rows in [10_001, 50_000, 1_000_000] {
            let taken = (0..rows).filter(|&row| is_taken(row, rows)).count();
            assert!((9_500..10_500).contains(&taken), "{taken} of {rows}");
        }
    }
}

//! How much columns single out: how many rows are alone with their values, in one column and in
//! several together.
//!
//! A row that is alone in some columns can be found by whoever knows them of a person (Sweeney 2000
//! counted so that three columns find most Americans). Which columns do it together is searched
//! greedily: the column that leaves most rows alone first, then the one that adds most to it, and
//! so on. Cost: one pass over the sample for each column and each step.

use super::sample::Sample;
use std::collections::HashMap;

/// Steps after which a list of columns is long enough.
const MOST_STEPS: usize = 4;

/// The columns that single out most together.
pub struct SinglingOut {
    /// One step for each column, by its place, with the rows that are alone from there on.
    pub steps: Vec<(usize, usize)>,
}

/// Rows by the values that they have in some columns.
struct RowGroups {
    /// The group of each row.
    of_row: Vec<u32>,
    /// How many groups there are.
    groups: usize,
    /// How many rows are alone in theirs.
    alone: usize,
}

impl RowGroups {
    fn whole(rows: usize) -> RowGroups {
        RowGroups {
            of_row: vec![0; rows],
            groups: rows.min(1),
            alone: if rows == 1 { 1 } else { 0 },
        }
    }

    /// The same with one column more.
    fn with(&self, sample: &Sample, column: usize) -> RowGroups {
        let ids = &sample.columns[column].ids;
        let mut number_of: HashMap<(u32, u32), u32> = HashMap::new();
        let mut sizes: Vec<u32> = Vec::new();
        let mut of_row = Vec::with_capacity(self.of_row.len());
        for (row, &group) in self.of_row.iter().enumerate() {
            let number = *number_of.entry((group, ids.get(row))).or_insert_with(|| {
                sizes.push(0);
                sizes.len() as u32 - 1
            });
            sizes[number as usize] += 1;
            of_row.push(number);
        }
        RowGroups {
            of_row,
            groups: sizes.len(),
            alone: sizes.iter().filter(|&&size| size == 1).count(),
        }
    }
}

impl SinglingOut {
    /// Searches among these columns.
    pub fn search(sample: &Sample, among: &[usize]) -> SinglingOut {
        let mut left = among.to_vec();
        let mut groups = RowGroups::whole(sample.rows());
        let mut steps = Vec::new();
        while steps.len() < MOST_STEPS && !left.is_empty() {
            let mut best: Option<(usize, RowGroups)> = None;
            for (place, &column) in left.iter().enumerate() {
                let refined = groups.with(sample, column);
                let better = match &best {
                    Some((_, known)) => {
                        (refined.alone, refined.groups) > (known.alone, known.groups)
                    }
                    None => true,
                };
                if better {
                    best = Some((place, refined));
                }
            }
            let Some((place, refined)) = best else { break };
            // a column that adds nothing belongs to no list
            if refined.groups == groups.groups {
                break;
            }
            steps.push((left.remove(place), refined.alone));
            groups = refined;
        }
        SinglingOut { steps }
    }
}

/// How many rows are alone with their values in all of these columns together.
pub fn alone_in_all(sample: &Sample, columns: &[usize]) -> usize {
    let mut groups = RowGroups::whole(sample.rows());
    for &column in columns {
        groups = groups.with(sample, column);
    }
    groups.alone
}

/// Whether two columns say the same in other words: each value of one goes with one of the other.
pub fn say_the_same(sample: &Sample, one: usize, other: usize) -> bool {
    let values = sample.columns[one].values.len();
    if values != sample.columns[other].values.len() || values < 3 || values * 2 > sample.rows() {
        return false;
    }
    let together = RowGroups::whole(sample.rows())
        .with(sample, one)
        .with(sample, other);
    together.groups == values
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_io::RawTable;
    use mingle_model::{Codes, Position, RawColumn, RawValue};

    /// A table of small numbers, from a rule for each column.
    fn sample(rows: usize, columns: &[fn(usize) -> usize]) -> Sample {
        let mut made = Vec::new();
        for (place, value) in columns.iter().enumerate() {
            let most = (0..rows).map(value).max().unwrap_or(0);
            let values = (0..=most).map(|v| RawValue {
                text: v.to_string().into(),
                position: Position {
                    file: "f".into(),
                    line: 1,
                },
            });
            let ids: Codes = (0..rows).map(|row| value(row) as u32).collect();
            let column = RawColumn {
                values: values.collect(),
                ids,
            };
            made.push((place.to_string(), column));
        }
        Sample::of(&RawTable {
            columns: made,
            rows: rows as u64,
            rows_of: vec![rows as u64],
            hashes: Vec::new(),
        })
    }

    /// Rows that no other row equals in these columns, by comparing all pairs.
    fn alone_by_definition(rows: usize, columns: &[fn(usize) -> usize]) -> usize {
        let mut alone = 0;
        for row in 0..rows {
            let same = |other: usize| columns.iter().all(|value| value(row) == value(other));
            if (0..rows).filter(|&other| same(other)).count() == 1 {
                alone += 1;
            }
        }
        alone
    }

    const COLUMNS: [fn(usize) -> usize; 4] = [
        |row| row % 7,
        |row| row * row % 11,
        |row| row / 9 % 5,
        |row| (row * 31 + 7) % 3,
    ];

    #[test]
    fn rows_alone_are_counted_as_by_definition() {
        for rows in [1, 2, 60, 211] {
            let sample = sample(rows, &COLUMNS);
            for subset in 1..16usize {
                let places: Vec<usize> = (0..4).filter(|c| subset >> c & 1 == 1).collect();
                let chosen: Vec<fn(usize) -> usize> =
                    places.iter().map(|&place| COLUMNS[place]).collect();
                let expected = alone_by_definition(rows, &chosen);
                assert_eq!(
                    alone_in_all(&sample, &places),
                    expected,
                    "{rows} {places:?}"
                );
            }
        }
    }

    #[test]
    fn each_step_takes_the_column_that_adds_most() {
        let sample = sample(211, &COLUMNS);
        let found = SinglingOut::search(&sample, &[0, 1, 2, 3]);
        let mut taken: Vec<usize> = Vec::new();
        for &(column, alone) in &found.steps {
            let best = (0..4)
                .filter(|c| !taken.contains(c))
                .map(|c| alone_in_all(&sample, &[taken.as_slice(), &[c]].concat()))
                .max();
            assert_eq!(Some(alone), best);
            taken.push(column);
        }
        assert!(!taken.is_empty());
    }

    #[test]
    fn columns_in_other_words_are_found() {
        let columns: [fn(usize) -> usize; 3] =
            [|row| row % 5, |row| (row % 5) * 2 % 5, |row| row / 2 % 5];
        let sample = sample(100, &columns);
        assert!(say_the_same(&sample, 0, 1));
        assert!(!say_the_same(&sample, 0, 2));
    }
}

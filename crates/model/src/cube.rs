//! The cube: weighted distinct rows.
//!
//! Distinct quasi-identifier tuples in lexicographic order of their codes; below each, the distinct
//! combinations of sensitive values and provider with a count. All algorithms work on this and
//! never on rows, so that their cost follows the number of distinct tuples.

use crate::codes::{Code, Codes};
use crate::domain::Domain;
use crate::fold::Folded;
use crate::provider::{ProviderId, Providers};
use crate::published::{Entry, SensitiveColumn};
use crate::schema::Role;
use crate::table::Table;
use std::ops::Range;

/// `count` rows that agree in quasi-identifiers, sensitive values and provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Which combination of sensitive values, an index into the codes of [`Cube::sensitive`].
    pub sensitive: u32,
    /// Who contributed the rows.
    pub provider: ProviderId,
    /// How many rows.
    pub count: u32,
}

impl Record {
    /// The same without its quasi-identifiers.
    pub fn entry(&self) -> Entry {
        Entry {
            sensitive: self.sensitive,
            provider: self.provider,
            count: self.count.into(),
        }
    }
}

/// A quasi-identifier of the cube.
#[derive(Clone)]
pub struct QuasiIdentifier {
    /// The column's name.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Per tuple the value's code.
    pub codes: Codes,
}

/// Weighted distinct rows of a table.
#[derive(Clone)]
pub struct Cube {
    rows: u64,
    quasi_identifiers: Vec<QuasiIdentifier>,
    /// `records[starts[t]..starts[t + 1]]` belong to tuple `t`.
    starts: Vec<usize>,
    records: Vec<Record>,
    weights: Vec<u64>,
    sensitive: Vec<SensitiveColumn>,
    providers: Providers,
    /// Only kept where insensitive columns need to find their rows again.
    rows_kept: Option<Rows>,
}

/// Which row of the table is in which record.
#[derive(Clone)]
struct Rows {
    record_of: Vec<u32>,
    /// The rows by tuple and sensitive values, then by what they carry along: no trace of the order
    /// of the input, and none of the providers' names where rows are dealt to groups.
    order: Vec<u32>,
}

impl Cube {
    /// Groups the rows of a table.
    pub fn new(table: &Table) -> Cube {
        let rows = table.rows();
        let qi: Vec<_> = table.with_role(Role::QuasiIdentifier).collect();
        let sensitive: Vec<_> = table.with_role(Role::Sensitive).collect();
        let insensitive: Vec<_> = table.with_role(Role::Insensitive).collect();

        let width = |c: &&crate::column::Column| c.domain.len();
        let tuples = Folded::new(rows, sensitive.iter().map(|c| (&c.codes, width(c))));
        let (tuple_of_row, combinations) = dense(&tuples);
        let qi_columns = qi.iter().map(|c| (&c.codes, width(c)));
        let last = [
            (&tuple_of_row, combinations.len()),
            (&table.provider_of, table.providers.len()),
        ];
        let folded = Folded::new(rows, qi_columns.chain(last));

        let mut cube = Cube {
            rows: rows as u64,
            quasi_identifiers: qi
                .iter()
                .map(|c| QuasiIdentifier {
                    name: c.spec.name.clone(),
                    domain: c.domain.clone(),
                    codes: Codes::with_capacity(c.domain.len(), 0),
                })
                .collect(),
            starts: Vec::new(),
            records: Vec::new(),
            weights: Vec::new(),
            sensitive: sensitive_columns(&sensitive, &tuples, &combinations),
            providers: table.providers.clone(),
            rows_kept: None,
        };
        if !insensitive.is_empty() {
            let carried = Folded::new(rows, insensitive.iter().map(|c| (&c.codes, width(c))));
            cube.rows_kept = Some(Rows::new(
                &folded.keys,
                &carried.keys,
                table.providers.len().max(1) as u64,
            ));
        }
        cube.fill(folded);
        cube
    }

    fn fill(&mut self, mut folded: Folded) {
        let mut keys = std::mem::take(&mut folded.keys);
        keys.sort_unstable();
        let q = self.quasi_identifiers.len();
        let mut codes = Vec::new();
        let mut previous: Option<Vec<Code>> = None;
        for run in keys.chunk_by(|a, b| a == b) {
            folded.unfold(run[0], &mut codes);
            if previous.as_deref() != Some(&codes[..q]) {
                self.starts.push(self.records.len());
                self.weights.push(0);
                for (column, &code) in self.quasi_identifiers.iter_mut().zip(&codes) {
                    column.codes.push(code);
                }
                let kept = previous.get_or_insert_default();
                kept.clear();
                kept.extend_from_slice(&codes[..q]);
            }
            *self.weights.last_mut().expect("a tuple was just pushed") += run.len() as u64;
            self.records.push(Record {
                sensitive: codes[q],
                provider: ProviderId(codes[q + 1]),
                count: run.len() as u32,
            });
        }
        self.starts.push(self.records.len());
    }

    /// The same cube with one record per row, for methods that must put equal rows into different
    /// groups.
    pub fn into_rows(mut self) -> Cube {
        let tuples = 0..self.tuples();
        let counts = |t: usize| {
            self.records[self.records_of(t)]
                .iter()
                .map(|r| r.count as usize)
                .sum::<usize>()
        };
        let mut starts = vec![0];
        starts.extend(tuples.scan(0, |end, t| {
            *end += counts(t);
            Some(*end)
        }));
        let single = |r: &Record| std::iter::repeat_n(Record { count: 1, ..*r }, r.count as usize);
        self.records = match &self.rows_kept {
            None => self.records.iter().flat_map(single).collect(),
            Some(Rows { record_of, order }) => {
                let record = |&row: &u32| self.records[record_of[row as usize] as usize];
                order
                    .iter()
                    .map(|row| Record {
                        count: 1,
                        ..record(row)
                    })
                    .collect()
            }
        };
        self.starts = starts;
        if let Some(rows) = &mut self.rows_kept {
            rows.order
                .iter()
                .zip(0..)
                .for_each(|(&row, record)| rows.record_of[row as usize] = record);
        }
        self
    }

    /// Rows of the table.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Distinct quasi-identifier tuples.
    pub fn tuples(&self) -> usize {
        self.weights.len()
    }

    /// The quasi-identifiers, in the policy's order.
    pub fn quasi_identifiers(&self) -> &[QuasiIdentifier] {
        &self.quasi_identifiers
    }

    /// How many rows share a tuple.
    pub fn weight(&self, tuple: usize) -> u64 {
        self.weights[tuple]
    }

    /// All records, tuple by tuple.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Which records belong to a tuple.
    pub fn records_of(&self, tuple: usize) -> Range<usize> {
        self.starts[tuple]..self.starts[tuple + 1]
    }

    /// The sensitive attributes; each has a code per combination of sensitive values.
    pub fn sensitive(&self) -> &[SensitiveColumn] {
        &self.sensitive
    }

    /// How many rows have each combination of sensitive values; without sensitive attributes there
    /// is one combination.
    pub fn combinations(&self) -> Vec<u64> {
        let mut counts = vec![
            0;
            self.sensitive
                .first()
                .map_or(1, |column| column.codes.len())
        ];
        self.records
            .iter()
            .for_each(|record| counts[record.sensitive as usize] += u64::from(record.count));
        counts
    }

    /// The providers.
    pub fn providers(&self) -> &Providers {
        &self.providers
    }

    /// The record of a row of the table, where insensitive columns made the cube keep it.
    pub fn record_of_row(&self) -> Option<&[u32]> {
        self.rows_kept
            .as_ref()
            .map(|rows| rows.record_of.as_slice())
    }
}

impl Rows {
    /// `keys` have the provider as their last digit, below `providers`.
    fn new(keys: &[u64], carried: &[u64], providers: u64) -> Rows {
        let mut order: Vec<u32> = (0..keys.len() as u32).collect();
        order.sort_unstable_by_key(|&row| (keys[row as usize], row));
        let mut record_of = vec![0; keys.len()];
        let same_record = |a: &u32, b: &u32| keys[*a as usize] == keys[*b as usize];
        for (rows, record) in order.chunk_by(same_record).zip(0..) {
            rows.iter()
                .for_each(|&row| record_of[row as usize] = record);
        }
        order.sort_unstable_by_key(|&row| {
            (keys[row as usize] / providers, carried[row as usize], row)
        });
        Rows { record_of, order }
    }
}

/// Numbers distinct keys in their order; returns each row's number and the distinct keys.
pub(crate) fn dense(folded: &Folded) -> (Codes, Vec<u64>) {
    let mut distinct = folded.keys.clone();
    // few combinations among many rows: dropping repeats early saves most of the sort
    distinct.dedup();
    distinct.sort_unstable();
    distinct.dedup();
    let mut codes = Codes::with_capacity(distinct.len(), folded.keys.len());
    let top = distinct.last().copied().unwrap_or(0);
    if top < 1 << 20 {
        let mut number = vec![0; top as usize + 1];
        distinct
            .iter()
            .zip(0..)
            .for_each(|(&key, n)| number[key as usize] = n);
        folded
            .keys
            .iter()
            .for_each(|&key| codes.push(number[key as usize]));
    } else {
        folded
            .keys
            .iter()
            .for_each(|key| codes.push(distinct.partition_point(|d| d < key) as Code));
    }
    (codes, distinct)
}

pub(crate) fn sensitive_columns(
    columns: &[&crate::column::Column],
    tuples: &Folded,
    combinations: &[u64],
) -> Vec<SensitiveColumn> {
    let mut codes = Vec::new();
    let mut split: Vec<Codes> = columns
        .iter()
        .map(|c| Codes::with_capacity(c.domain.len(), combinations.len()))
        .collect();
    for &key in combinations {
        tuples.unfold(key, &mut codes);
        split
            .iter_mut()
            .zip(&codes)
            .for_each(|(column, &code)| column.push(code));
    }
    let column = |(c, codes): (&&crate::column::Column, Codes)| SensitiveColumn {
        name: c.spec.name.clone(),
        domain: c.domain.clone(),
        codes,
    };
    columns.iter().zip(split).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use crate::schema::{ColumnSpec, Missing};

    fn table(rows: &[[&str; 4]]) -> Table {
        let column = |at: usize, role| {
            let spec = ColumnSpec::new(format!("c{at}"), role);
            Column::from_texts(spec, rows.iter().map(|r| r[at]), &Missing::default())
                .ok()
                .unwrap()
        };
        let providers = Providers::new(rows.iter().map(|r| r[3].to_owned()).collect());
        let provider_of = rows.iter().map(|r| providers.id(r[3]).unwrap().0).collect();
        let columns = vec![
            column(0, Role::QuasiIdentifier),
            column(1, Role::Sensitive),
            column(2, Role::Insensitive),
        ];
        Table {
            columns,
            providers,
            provider_of,
        }
    }

    const ROWS: [[&str; 4]; 6] = [
        ["2", "flu", "x", "B"],
        ["1", "flu", "z", "A"],
        ["2", "flu", "w", "B"],
        ["2", "flu", "x", "A"],
        ["1", "ill", "z", "A"],
        ["2", "flu", "v", "B"],
    ];

    #[test]
    fn equal_rows_become_one_weighted_record() {
        let cube = Cube::new(&table(&ROWS));
        assert_eq!(
            (cube.rows(), cube.tuples(), cube.records().len()),
            (6, 2, 4)
        );
        assert_eq!((cube.weight(0), cube.weight(1)), (2, 4));
        assert_eq!(
            cube.records()[3],
            Record {
                sensitive: 0,
                provider: ProviderId(1),
                count: 3
            }
        );
        assert_eq!(cube.record_of_row().unwrap(), [3, 0, 3, 2, 1, 3]);
    }

    #[test]
    fn single_rows_find_their_records_whatever_the_order_of_the_input() {
        let carried = |rows: &[[&str; 4]]| -> Vec<String> {
            let cube = Cube::new(&table(rows)).into_rows();
            assert_eq!(cube.records().len(), 6);
            assert!(cube.records().iter().all(|r| r.count == 1));
            assert_eq!((cube.records_of(0), cube.records_of(1)), (0..2, 2..6));
            let mut by_record = vec![String::new(); 6];
            for (row, &record) in cube.record_of_row().unwrap().iter().enumerate() {
                by_record[record as usize] = rows[row][2].to_owned();
            }
            by_record
        };
        let mut reversed = ROWS;
        reversed.reverse();
        assert_eq!(carried(&ROWS), carried(&reversed));
        let renamed =
            ROWS.map(|[a, b, c, provider]| [a, b, c, if provider == "A" { "Z" } else { provider }]);
        assert_eq!(carried(&ROWS), carried(&renamed));
    }

    #[test]
    fn a_table_without_sensitive_columns_has_one_combination() {
        let mut table = table(&ROWS);
        table.columns.truncate(1);
        let cube = Cube::new(&table);
        assert!(cube.sensitive().is_empty() && cube.record_of_row().is_none());
        assert!(cube.records().iter().all(|r| r.sensitive == 0));
    }
}

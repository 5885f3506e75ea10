//! The cube: weighted distinct rows.
//!
//! Distinct quasi-identifier tuples in lexicographic order of their codes; below each, the distinct combinations of
//! sensitive values and provider with a count. All algorithms work on this and never on rows, so that their cost
//! follows the number of distinct tuples.

use crate::codes::{Code, Codes};
use crate::domain::Domain;
use crate::fold::Folded;
use crate::provider::{ProviderId, Providers};
use crate::published::SensitiveColumn;
use crate::schema::Role;
use crate::table::Table;
use std::ops::Range;

/// `count` rows that agree in quasi-identifiers, sensitive values and provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Which combination of sensitive values, an index into [`Cube::sensitive_codes`].
    pub sensitive: u32,
    /// Who contributed the rows.
    pub provider: ProviderId,
    /// How many rows.
    pub count: u32,
}

/// A quasi-identifier of the cube.
pub struct QuasiIdentifier {
    /// The column's name.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Per tuple the value's code.
    pub codes: Codes,
}

/// Weighted distinct rows of a table.
pub struct Cube {
    rows: u64,
    quasi_identifiers: Vec<QuasiIdentifier>,
    /// `records[starts[t]..starts[t + 1]]` belong to tuple `t`.
    starts: Vec<usize>,
    records: Vec<Record>,
    weights: Vec<u64>,
    sensitive: Vec<SensitiveColumn>,
    providers: Providers,
    /// Per row of the table its record; only kept where insensitive columns need it.
    record_of_row: Option<Vec<u32>>,
}

impl Cube {
    /// Groups the rows of a table.
    pub fn new(table: &Table) -> Cube {
        let rows = table.rows();
        let qi: Vec<_> = table.with_role(Role::QuasiIdentifier).collect();
        let sensitive: Vec<_> = table.with_role(Role::Sensitive).collect();
        let keep_rows = table.with_role(Role::Insensitive).next().is_some();

        let width = |c: &&crate::column::Column| c.domain.len();
        let tuples = Folded::new(rows, sensitive.iter().map(|c| (&c.codes, width(c))));
        let (tuple_of_row, combinations) = dense(&tuples);
        let qi_columns = qi.iter().map(|c| (&c.codes, width(c)));
        let last = [(&tuple_of_row, combinations.len()), (&table.provider_of, table.providers.len())];
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
            record_of_row: None,
        };
        if keep_rows {
            let mut order: Vec<u32> = (0..rows as u32).collect();
            order.sort_unstable_by_key(|&row| (folded.keys[row as usize], row));
            let mut record_of_row = vec![0; rows];
            let mut records = 0u32;
            for (i, &row) in order.iter().enumerate() {
                let new = i > 0 && folded.keys[row as usize] != folded.keys[order[i - 1] as usize];
                records += u32::from(new);
                record_of_row[row as usize] = records;
            }
            cube.record_of_row = Some(record_of_row);
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

    /// The providers.
    pub fn providers(&self) -> &Providers {
        &self.providers
    }

    /// The record of a row of the table, where insensitive columns made the cube keep it.
    pub fn record_of_row(&self) -> Option<&[u32]> {
        self.record_of_row.as_deref()
    }
}

/// Numbers distinct keys in their order; returns each row's number and the distinct keys.
fn dense(folded: &Folded) -> (Codes, Vec<u64>) {
    let mut distinct = folded.keys.clone();
    // few combinations among many rows: dropping repeats early saves most of the sort
    distinct.dedup();
    distinct.sort_unstable();
    distinct.dedup();
    let mut codes = Codes::with_capacity(distinct.len(), folded.keys.len());
    let top = distinct.last().copied().unwrap_or(0);
    if top < 1 << 20 {
        let mut number = vec![0; top as usize + 1];
        distinct.iter().zip(0..).for_each(|(&key, n)| number[key as usize] = n);
        folded.keys.iter().for_each(|&key| codes.push(number[key as usize]));
    } else {
        folded.keys.iter().for_each(|key| codes.push(distinct.partition_point(|d| d < key) as Code));
    }
    (codes, distinct)
}

fn sensitive_columns(
    columns: &[&crate::column::Column],
    tuples: &Folded,
    combinations: &[u64],
) -> Vec<SensitiveColumn> {
    let mut codes = Vec::new();
    let mut split: Vec<Codes> =
        columns.iter().map(|c| Codes::with_capacity(c.domain.len(), combinations.len())).collect();
    for &key in combinations {
        tuples.unfold(key, &mut codes);
        split.iter_mut().zip(&codes).for_each(|(column, &code)| column.push(code));
    }
    let column = |(c, codes): (&&crate::column::Column, Codes)| SensitiveColumn {
        name: c.spec.name.clone(),
        domain: c.domain.clone(),
        codes,
    };
    columns.iter().zip(split).map(column).collect()
}

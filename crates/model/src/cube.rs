//! The cube: weighted distinct rows.
//!
//! Distinct quasi-identifier tuples in lexicographic order of their codes; below each, the distinct
//! combinations of sensitive values and provider with a count. All algorithms work on this and
//! never on rows, so that their cost follows the number of distinct tuples.
//!
//! Where the table says whose rows belong together, records are split by kind of person as well: see
//! [`PeopleOfCube`].
//!
//! Counts are 64 bits wide, because a database may have counted more rows than could be read here.
//! Records are numbered in 32 bits, as the rows of a table are.

use crate::codes::{Code, Codes};
use crate::column::Column;
use crate::domain::Domain;
use crate::fold::Folded;
use crate::people::{KeyParts, KindRecord, PeopleOfCube, all_differ, group_people};
use crate::provider::{ProviderId, Providers};
use crate::published::{Entry, SensitiveColumn};
use crate::schema::Role;
use crate::table::Table;
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

/// `count` rows that agree in quasi-identifiers, sensitive values and provider, and whose people have
/// the same rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Which combination of sensitive values, an index into the codes of [`Cube::sensitive`].
    pub sensitive: u32,
    /// Who contributed the rows.
    pub provider: ProviderId,
    /// How many rows.
    pub count: u64,
}

impl Record {
    /// The same without its quasi-identifiers.
    pub fn entry(&self) -> Entry {
        Entry {
            sensitive: self.sensitive,
            provider: self.provider,
            count: self.count,
        }
    }
}

/// Why counted rows are no cube.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CountsError {
    /// Not one count per row, or more rows than can be numbered.
    #[error("the counts do not fit the rows")]
    Shape,
    /// The counts add up to more than 64 bits hold.
    #[error("the counts add up to more rows than can be counted")]
    TooManyRows,
    /// A column is carried along by row, and a row that is counted more than once is no row.
    #[error("rows with insensitive columns must come one by one, not counted")]
    Insensitive,
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
    /// What it was made from; counted rows stand there once each.
    table: Arc<Table>,
    grouped: Grouped,
}

/// What the rows of some table become when they are grouped.
#[derive(Clone)]
pub(crate) struct Grouped {
    rows: u64,
    pub(crate) quasi_identifiers: Vec<QuasiIdentifier>,
    /// `records[starts[t]..starts[t + 1]]` belong to tuple `t`.
    starts: Vec<u32>,
    pub(crate) records: Vec<Record>,
    weights: Vec<u64>,
    pub(crate) sensitive: Vec<SensitiveColumn>,
    /// Only kept where insensitive columns, or whoever asks for people, need to find their rows
    /// again.
    rows_kept: Option<Rows>,
    /// Only there where somebody has several rows.
    pub(crate) people: Option<PeopleOfCube>,
}

/// How the rows of a table come.
#[derive(Clone, Copy)]
enum RowsGiven<'a> {
    /// Each once.
    Single,
    /// Each once, and people are to be found again.
    Kept,
    /// Each so many times.
    Counted(&'a [u64]),
}

/// Which row of the table is in which record.
#[derive(Clone)]
struct Rows {
    record_of: Vec<u32>,
    /// The rows by tuple and sensitive values, then by what they carry along: no trace of the order
    /// of the input, and none of the providers' names where rows are dealt to groups. Empty where
    /// people have several rows: they are then told apart when they are separated.
    order: Vec<u32>,
}

impl Cube {
    /// Groups the rows of a table, which the cube keeps: codes of one table can then not be taken
    /// for those of another.
    pub fn new(table: impl Into<Arc<Table>>) -> Cube {
        let table = table.into();
        let grouped = Grouped::new(&table);
        Cube { table, grouped }
    }

    /// The same, and where people have several rows it is remembered which row is in which record,
    /// for who must find people again ([`record_of_row`](Cube::record_of_row)).
    pub fn keeping_people(table: impl Into<Arc<Table>>) -> Cube {
        let table = table.into();
        let grouped = Grouped::of_rows(&table, RowsGiven::Kept);
        Cube { table, grouped }
    }

    /// The cube of a table of which each row occurs `counts` times: what a source sends that has
    /// grouped its rows by itself. It is the cube of the table with its rows repeated; rows that
    /// agree are added up, and rows that occur never are left out.
    pub fn from_counts(table: impl Into<Arc<Table>>, counts: &[u64]) -> Result<Cube, CountsError> {
        let table = table.into();
        if counts.len() != table.rows() || u32::try_from(counts.len()).is_err() {
            return Err(CountsError::Shape);
        }
        let mut rows = 0u64;
        for &count in counts {
            rows = rows.checked_add(count).ok_or(CountsError::TooManyRows)?;
        }
        if counts.contains(&0) {
            let (table, counts) = without_absent(&table, counts);
            return Cube::from_counts(table, &counts);
        }
        if table.with_role(Role::Insensitive).next().is_some() {
            // what a row carries along is found by the row's number, and counted rows have none
            if counts.iter().any(|&count| count > 1) {
                return Err(CountsError::Insensitive);
            }
            return Ok(Cube::new(table));
        }
        let mut keys = Keys::new(&table);
        let mut grouped = keys.no_groups(&table);
        grouped.rows = rows;
        let of_rows = std::mem::take(&mut keys.of_rows);
        if grouped.group_people(&mut keys, &table, &of_rows, RowsGiven::Counted(counts)) {
            return Ok(Cube { table, grouped });
        }
        let mut counted: Vec<(u64, u64)> =
            of_rows.into_iter().zip(counts.iter().copied()).collect();
        counted.sort_unstable();
        for run in counted.chunk_by(|a, b| a.0 == b.0) {
            // no sum of some counts is larger than that of all
            let count = run.iter().map(|(_, count)| count).sum();
            grouped.push(&mut keys, run[0].0, count);
        }
        grouped.finish();
        Ok(Cube { table, grouped })
    }

    /// Whether the rows are few enough to be records of their own: see
    /// [`into_rows`](Cube::into_rows). Those of a table that was read always are.
    pub fn fits_single_rows(&self) -> bool {
        self.grouped.rows <= u32::MAX.into()
    }

    /// The same cube with one record per row, for methods that must put equal rows into different
    /// groups. Where people have several rows it is one kind per person: a record then holds all
    /// rows of one person that agree.
    ///
    /// # Panics
    /// If the rows are too many to be numbered, which only counted ones can be: ask
    /// [`fits_single_rows`](Cube::fits_single_rows) first.
    pub fn into_rows(mut self) -> Cube {
        assert!(self.fits_single_rows(), "too many rows to be numbered");
        if self.grouped.people.is_some() {
            self.separate_people();
            return self;
        }
        let mut starts = Vec::with_capacity(self.grouped.starts.len());
        let mut end = 0;
        for weight in &self.grouped.weights {
            starts.push(number(end));
            end += *weight as usize;
        }
        starts.push(number(end));
        let mut records = Vec::with_capacity(end);
        match &self.grouped.rows_kept {
            None => {
                for record in &self.grouped.records {
                    let single = Record {
                        count: 1,
                        ..*record
                    };
                    records.extend((0..record.count).map(|_| single));
                }
            }
            Some(Rows { record_of, order }) => {
                for &row in order {
                    let record = self.grouped.records[record_of[row as usize] as usize];
                    records.push(Record { count: 1, ..record });
                }
            }
        }
        self.grouped.records = records;
        self.grouped.starts = starts;
        if let Some(rows) = &mut self.grouped.rows_kept {
            for (&row, record) in rows.order.iter().zip(0..) {
                rows.record_of[row as usize] = record;
            }
        }
        self
    }

    /// The same cube with other records, as many below each tuple.
    pub(crate) fn with_records(&self, records: Vec<Record>) -> Cube {
        let grouped = Grouped {
            records,
            rows: self.grouped.rows,
            quasi_identifiers: self.grouped.quasi_identifiers.clone(),
            starts: self.grouped.starts.clone(),
            weights: self.grouped.weights.clone(),
            sensitive: self.grouped.sensitive.clone(),
            // which row is where is known of the other one
            rows_kept: None,
            people: None,
        };
        Cube {
            table: self.table.clone(),
            grouped,
        }
    }

    /// Makes every person a kind of her own.
    fn separate_people(&mut self) {
        let Some(people) = self.grouped.people.take() else {
            return;
        };
        let persons = |record: usize| people.kinds().get(people.kind_of(record)).people;
        let old = &self.grouped.records;
        let mut firsts = Vec::with_capacity(old.len() + 1);
        let mut records = Vec::new();
        for (number, record) in old.iter().enumerate() {
            let persons = persons(number);
            let single = Record {
                count: record.count / persons,
                ..*record
            };
            firsts.push(self::number(records.len()));
            records.extend((0..persons).map(|_| single));
        }
        firsts.push(number(records.len()));
        for start in &mut self.grouped.starts {
            *start = firsts[*start as usize];
        }
        if let Some(rows) = &mut self.grouped.rows_kept {
            let place_of_row = places_within_kinds(&self.table, &rows.record_of, &people);
            for (record, place) in rows.record_of.iter_mut().zip(place_of_row) {
                *record = firsts[*record as usize] + place;
            }
        }
        self.grouped.records = records;
        self.grouped.people = Some(people.into_single(&firsts));
    }

    /// The kinds of people, where the table says whose rows belong together and somebody has several;
    /// `None`: each row is one person.
    pub fn people(&self) -> Option<&PeopleOfCube> {
        self.grouped.people.as_ref()
    }

    /// The table it was made from. It has as many rows as the cube, unless they were counted before
    /// they were read: then it has each distinct row once.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Rows of the table, each as often as it occurs.
    pub fn rows(&self) -> u64 {
        self.grouped.rows
    }

    /// Distinct quasi-identifier tuples.
    pub fn tuples(&self) -> usize {
        self.grouped.weights.len()
    }

    /// The quasi-identifiers, in the policy's order.
    pub fn quasi_identifiers(&self) -> &[QuasiIdentifier] {
        &self.grouped.quasi_identifiers
    }

    /// How many rows share a tuple.
    pub fn weight(&self, tuple: usize) -> u64 {
        self.grouped.weights[tuple]
    }

    /// All records, tuple by tuple.
    pub fn records(&self) -> &[Record] {
        &self.grouped.records
    }

    /// Which records belong to a tuple.
    pub fn records_of(&self, tuple: usize) -> Range<usize> {
        self.grouped.records_of(tuple)
    }

    /// The sensitive attributes; each has a code per combination of sensitive values.
    pub fn sensitive(&self) -> &[SensitiveColumn] {
        &self.grouped.sensitive
    }

    /// How many rows have each combination of sensitive values; without sensitive attributes there
    /// is one combination.
    pub fn combinations(&self) -> Vec<u64> {
        let mut counts = vec![
            0;
            self.grouped
                .sensitive
                .first()
                .map_or(1, |column| column.codes.len())
        ];
        self.grouped
            .records
            .iter()
            .for_each(|record| counts[record.sensitive as usize] += record.count);
        counts
    }

    /// The providers.
    pub fn providers(&self) -> &Providers {
        &self.table.providers
    }

    /// How many rows each provider has.
    pub fn rows_of_providers(&self) -> Vec<u64> {
        let mut rows = vec![0; self.providers().len()];
        for record in &self.grouped.records {
            rows[record.provider.0 as usize] += record.count;
        }
        rows
    }

    /// The record of a row of the table, where insensitive columns made the cube keep it.
    pub fn record_of_row(&self) -> Option<&[u32]> {
        self.grouped
            .rows_kept
            .as_ref()
            .map(|rows| rows.record_of.as_slice())
    }
}

/// A record's number.
fn number(record: usize) -> u32 {
    u32::try_from(record).expect("rows are numbered in 32 bits, and records are no more than rows")
}

impl Grouped {
    /// Groups the rows of a table.
    pub(crate) fn new(table: &Table) -> Grouped {
        Grouped::of_rows(table, RowsGiven::Single)
    }

    fn of_rows(table: &Table, given: RowsGiven<'_>) -> Grouped {
        let mut keys = Keys::new(table);
        let mut grouped = keys.no_groups(table);
        let mut of_rows = std::mem::take(&mut keys.of_rows);
        if grouped.group_people(&mut keys, table, &of_rows, given) {
            return grouped;
        }
        if table.with_role(Role::Insensitive).next().is_some() {
            grouped.rows_kept = Some(Rows::new(
                &of_rows,
                &carried_along(table).keys,
                table.providers.len().max(1) as u64,
            ));
        }
        of_rows.sort_unstable();
        for run in of_rows.chunk_by(|a, b| a == b) {
            grouped.push(&mut keys, run[0], run.len() as u64);
        }
        grouped.finish();
        grouped
    }

    /// Groups rows by kind of person; `false` where each row is one person, and nothing was done.
    fn group_people(
        &mut self,
        keys: &mut Keys,
        table: &Table,
        of_rows: &[u64],
        given: RowsGiven<'_>,
    ) -> bool {
        let Some(person_of) = &table.person_of else {
            return false;
        };
        let counts = match given {
            RowsGiven::Counted(counts) => Some(counts),
            RowsGiven::Single | RowsGiven::Kept => None,
        };
        if counts.is_none() && all_differ(person_of) {
            return false;
        }
        let mut distinct = of_rows.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let place = |key: &u64| distinct.partition_point(|other| other < key) as u32;
        let key_of: Vec<u32> = of_rows.iter().map(place).collect();
        let q = self.quasi_identifiers.len();
        let mut parts: Vec<KeyParts> = Vec::with_capacity(distinct.len());
        for &key in &distinct {
            keys.folded.unfold(key, &mut keys.codes);
            let last = parts.last().map(|part| part.tuple);
            let tuple = match last {
                Some(tuple) if keys.tuple == keys.codes[..q] => tuple,
                _ => last.map_or(0, |tuple| tuple + 1),
            };
            keys.tuple.clear();
            keys.tuple.extend_from_slice(&keys.codes[..q]);
            parts.push(KeyParts {
                tuple,
                sensitive: keys.codes[q],
                provider: ProviderId(keys.codes[q + 1]),
            });
        }
        let Some(grouped) = group_people(person_of, &key_of, counts, &parts) else {
            return false;
        };
        for record in &grouped.records {
            let people = grouped.people.kinds().get(record.kind as usize).people;
            let key = distinct[record.key as usize];
            self.push(keys, key, people * record.rows_each);
        }
        self.finish();
        let carries = table.with_role(Role::Insensitive).next().is_some();
        if carries || matches!(given, RowsGiven::Kept) {
            let place = |key: u32, kind: u32| {
                let before = |record: &KindRecord| (record.key, record.kind) < (key, kind);
                grouped.records.partition_point(before) as u32
            };
            let mut record_of = Vec::with_capacity(key_of.len());
            for (person, &key) in person_of.iter().zip(&key_of) {
                record_of.push(place(key, grouped.kind_of_person[person as usize]));
            }
            let order = Vec::new();
            self.rows_kept = Some(Rows { record_of, order });
        }
        self.people = Some(grouped.people);
        true
    }

    /// Adds the record of a key, which is no smaller than all keys before it.
    fn push(&mut self, keys: &mut Keys, key: u64, count: u64) {
        let q = self.quasi_identifiers.len();
        keys.folded.unfold(key, &mut keys.codes);
        if self.weights.is_empty() || keys.tuple != keys.codes[..q] {
            self.starts.push(number(self.records.len()));
            self.weights.push(0);
            for (column, &code) in self.quasi_identifiers.iter_mut().zip(&keys.codes) {
                column.codes.push(code);
            }
            keys.tuple.clear();
            keys.tuple.extend_from_slice(&keys.codes[..q]);
        }
        *self.weights.last_mut().expect("a tuple was just pushed") += count;
        self.records.push(Record {
            sensitive: keys.codes[q],
            provider: ProviderId(keys.codes[q + 1]),
            count,
        });
    }

    fn finish(&mut self) {
        self.starts.push(number(self.records.len()));
    }

    pub(crate) fn tuples(&self) -> usize {
        self.weights.len()
    }

    pub(crate) fn records_of(&self, tuple: usize) -> Range<usize> {
        self.starts[tuple] as usize..self.starts[tuple + 1] as usize
    }
}

/// The rows of a table as keys that compare like quasi-identifiers, sensitive values and provider
/// do, and how keys are taken apart.
struct Keys {
    /// A key per row.
    of_rows: Vec<u64>,
    folded: Folded,
    sensitive: Vec<SensitiveColumn>,
    /// The codes of the key at hand.
    codes: Vec<Code>,
    /// The quasi-identifiers of the tuple at hand.
    tuple: Vec<Code>,
}

impl Keys {
    fn new(table: &Table) -> Keys {
        let rows = table.rows();
        let sensitive: Vec<_> = table.with_role(Role::Sensitive).collect();
        let tuples = Folded::new(rows, sensitive.iter().map(|c| (&c.codes, c.domain.len())));
        let (tuple_of_row, combinations) = dense(&tuples);
        let quasi_identifiers = table.with_role(Role::QuasiIdentifier);
        let quasi_identifiers = quasi_identifiers.map(|c| (&c.codes, c.domain.len()));
        let last = [
            (&tuple_of_row, combinations.len()),
            (&table.provider_of, table.providers.len()),
        ];
        let mut folded = Folded::new(rows, quasi_identifiers.chain(last));
        Keys {
            of_rows: std::mem::take(&mut folded.keys),
            folded,
            sensitive: sensitive_columns(&sensitive, &tuples, &combinations),
            codes: Vec::new(),
            tuple: Vec::new(),
        }
    }

    /// Nothing grouped yet.
    fn no_groups(&mut self, table: &Table) -> Grouped {
        let mut quasi_identifiers = Vec::new();
        for column in table.with_role(Role::QuasiIdentifier) {
            quasi_identifiers.push(QuasiIdentifier {
                name: column.spec.name.clone(),
                domain: column.domain.clone(),
                codes: Codes::with_capacity(column.domain.len(), 0),
            });
        }
        Grouped {
            rows: table.rows() as u64,
            quasi_identifiers,
            starts: Vec::new(),
            records: Vec::new(),
            weights: Vec::new(),
            sensitive: std::mem::take(&mut self.sensitive),
            rows_kept: None,
            people: None,
        }
    }
}

/// The rows that occur, and their counts.
fn without_absent(table: &Table, counts: &[u64]) -> (Table, Vec<u64>) {
    let kept: Vec<usize> = (0..counts.len()).filter(|&row| counts[row] > 0).collect();
    let pick = |codes: &Codes| kept.iter().map(|&row| codes.get(row)).collect::<Codes>();
    let mut columns = Vec::with_capacity(table.columns.len());
    for column in &table.columns {
        columns.push(Column {
            spec: column.spec.clone(),
            domain: column.domain.clone(),
            codes: pick(&column.codes),
        });
    }
    let table = Table {
        columns,
        providers: table.providers.clone(),
        provider_of: pick(&table.provider_of),
        person_of: table.person_of.as_ref().map(pick),
    };
    (table, kept.iter().map(|&row| counts[row]).collect())
}

/// What rows carry along unchanged, as one key per row.
fn carried_along(table: &Table) -> Folded {
    let insensitive = table.with_role(Role::Insensitive);
    Folded::new(
        table.rows(),
        insensitive.map(|c| (&c.codes, c.domain.len())),
    )
}

/// Per row the place of its person among the people of her kind: by what her rows carry along, so
/// that no order of the input leaves a trace.
fn places_within_kinds(table: &Table, record_of: &[u32], people: &PeopleOfCube) -> Vec<u32> {
    let person_of = table.person_of.as_ref();
    let person_of = person_of.expect("people are told apart by what the table says");
    let carried = carried_along(table).keys;
    let mut rows: Vec<u32> = (0..record_of.len() as u32).collect();
    let own = |row: u32| (record_of[row as usize], carried[row as usize]);
    rows.sort_unstable_by_key(|&row| (person_of.get(row as usize), own(row)));
    let same_person = |a: &u32, b: &u32| person_of.get(*a as usize) == person_of.get(*b as usize);
    let mut persons: Vec<(usize, &[u32])> = Vec::new();
    for of_one in rows.chunk_by(same_person) {
        let record = record_of[of_one[0] as usize];
        persons.push((people.kind_of(record as usize), of_one));
    }
    let content = |rows: &[u32]| rows.iter().map(|&row| own(row)).collect::<Vec<_>>();
    persons.sort_by_cached_key(|(kind, rows)| (*kind, content(rows)));
    let mut place_of_row = vec![0; record_of.len()];
    for of_kind in persons.chunk_by(|a, b| a.0 == b.0) {
        for ((_, rows), place) in of_kind.iter().zip(0..) {
            for &row in *rows {
                place_of_row[row as usize] = place;
            }
        }
    }
    place_of_row
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
    columns: &[&Column],
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
    let column = |(c, codes): (&&Column, Codes)| SensitiveColumn {
        name: c.spec.name.clone(),
        domain: c.domain.clone(),
        codes,
    };
    columns.iter().zip(split).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{ColumnSpec, Missing};
    use proptest::prelude::*;

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
            person_of: None,
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
        let cube = Cube::new(table(&ROWS));
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
            let cube = Cube::new(table(rows)).into_rows();
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
        let cube = Cube::new(table);
        assert!(cube.sensitive().is_empty() && cube.record_of_row().is_none());
        assert!(cube.records().iter().all(|r| r.sensitive == 0));
    }

    /// Everything that can be seen of a cube.
    #[derive(PartialEq, Debug)]
    struct SeenCube {
        quasi_identifiers: Vec<Vec<Code>>,
        records: Vec<Record>,
        starts_and_weights: Vec<(usize, u64)>,
        sensitive: Vec<Vec<Code>>,
    }

    fn seen(cube: &Cube) -> SeenCube {
        let quasi_identifiers = cube.quasi_identifiers().iter();
        let sensitive = cube.sensitive().iter();
        let tuples = 0..cube.tuples();
        SeenCube {
            quasi_identifiers: quasi_identifiers
                .map(|c| c.codes.iter().collect())
                .collect(),
            records: cube.records().to_vec(),
            starts_and_weights: tuples
                .map(|t| (cube.records_of(t).start, cube.weight(t)))
                .collect(),
            sensitive: sensitive.map(|c| c.codes.iter().collect()).collect(),
        }
    }

    /// Columns of small numbers with fixed domains, so that leaving rows out leaves no value out.
    fn small_table(rows: &[[u32; 5]]) -> Table {
        let mut columns = Vec::new();
        let roles = [
            Role::QuasiIdentifier,
            Role::Sensitive,
            Role::QuasiIdentifier,
            Role::Sensitive,
        ];
        for (at, role) in roles.into_iter().enumerate() {
            let spec = ColumnSpec::new(format!("c{at}"), role);
            let missing = Missing::default();
            let mut column = Column::from_texts(spec, ["0", "1", "2"], &missing)
                .ok()
                .unwrap();
            column.codes = rows.iter().map(|row| row[at]).collect();
            columns.push(column);
        }
        Table {
            columns,
            providers: Providers::new(vec!["A".to_owned(), "B".to_owned(), "C".to_owned()]),
            provider_of: rows.iter().map(|row| row[4]).collect(),
            person_of: None,
        }
    }

    proptest! {
        #[test]
        fn counted_rows_are_the_rows_repeated(
            rows in prop::collection::vec((prop::array::uniform5(0u32..3), 0u64..4), 0..40),
        ) {
            let (distinct, counts): (Vec<_>, Vec<_>) = rows.iter().copied().unzip();
            let mut expanded = Vec::new();
            for (row, count) in rows {
                expanded.extend((0..count).map(|_| row));
            }
            let counted = Cube::from_counts(small_table(&distinct), &counts).unwrap();
            let whole = Cube::new(small_table(&expanded));
            prop_assert_eq!(seen(&counted), seen(&whole));
            prop_assert_eq!(counted.rows(), whole.rows());
            prop_assert_eq!(counted.combinations(), whole.combinations());
            prop_assert_eq!(seen(&counted.into_rows()), seen(&whole.into_rows()));
        }
    }

    #[test]
    fn counts_are_64_bits_wide() {
        let table = small_table(&[
            [0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0],
            [0, 1, 0, 0, 1],
            [1, 0, 0, 0, 0],
        ]);
        let large = 3 << 32;
        let cube = Cube::from_counts(table, &[large, 5, 7, 1 << 50]).unwrap();
        let counts: Vec<u64> = cube.records().iter().map(|record| record.count).collect();
        assert_eq!(counts, [large + 5, 7, 1 << 50]);
        assert_eq!((cube.weight(0), cube.weight(1)), (large + 12, 1 << 50));
        assert_eq!(cube.rows(), large + 12 + (1 << 50));
        assert_eq!(cube.combinations(), [large + 5 + (1 << 50), 7]);
        assert_eq!(cube.records()[0].entry().count, large + 5);
        assert!(!cube.fits_single_rows());
    }

    #[test]
    fn counts_that_are_none() {
        let rows = Arc::new(small_table(&[[0, 0, 0, 0, 0], [0, 1, 0, 0, 1]]));
        let error = |table: &Arc<Table>, counts: &[u64]| {
            Cube::from_counts(table.clone(), counts).err().unwrap()
        };
        assert_eq!(error(&rows, &[1]), CountsError::Shape);
        assert_eq!(error(&rows, &[1, 2, 3]), CountsError::Shape);
        assert_eq!(error(&rows, &[u64::MAX, 1]), CountsError::TooManyRows);
        let carrying = Arc::new(table(&ROWS));
        assert_eq!(
            error(&carrying, &[1, 1, 1, 1, 1, 2]),
            CountsError::Insensitive
        );
        let ones = Cube::from_counts(carrying.clone(), &[1; 6]).unwrap();
        assert_eq!(ones.record_of_row(), Cube::new(carrying).record_of_row());
    }
}

//! Publications from tables that are anonymized already: the rows of any tool, or counted rows such as
//! those of an audit.
//!
//! Quasi-identifier cells are opaque: equal text is one group. Counted rows are laid out once
//! ([`LaidOutRows`]), whether they stand for rows or for people. Cost O(rows log rows).

use super::gathering::{Gathered, gather, regroup};
use super::people::PublishedPeople;
use super::{Entry, Origin, Published, PublishedColumn};
use crate::codes::{Code, Codes};
use crate::column::Column;
use crate::cube::{Grouped, Record, dense, sensitive_columns};
use crate::domain::Domain;
use crate::fold::Folded;
use crate::people::PersonRows;
use crate::provider::ProviderId;
use crate::schema::Role;
use crate::table::Table;

impl Published {
    /// Takes a table as already anonymized: quasi-identifier cells are opaque, equal text is one
    /// group.
    ///
    /// The quasi-identifiers must have been read as plain categories, or equal numbers in other
    /// words would become one.
    pub fn from_table(table: &Table) -> Published {
        let mut cube = Grouped::new(table);
        let q = cube.quasi_identifiers.len();
        let mut labels = Vec::with_capacity(q * cube.tuples());
        let mut starts = Vec::with_capacity(cube.tuples() + 1);
        for tuple in 0..cube.tuples() {
            labels.extend(cube.quasi_identifiers.iter().map(|qi| qi.codes.get(tuple)));
            starts.push(cube.records_of(tuple).start);
        }
        starts.push(cube.records.len());
        let mut group_of = Vec::new();
        for tuple in 0..cube.tuples() {
            group_of.extend(cube.records_of(tuple).map(|_| tuple as u32));
        }
        let people = cube.people.as_ref().map(|people| {
            let apart = PersonRows::Apart;
            PublishedPeople::new(people, &cube.records, &group_of, cube.tuples(), apart)
                .expect("only rows together can be split")
                .with_rows(PersonRows::Together)
        });
        if people.is_some() {
            merge_kinds(&mut cube.records, &mut starts);
        }
        Published {
            columns: opaque(table),
            labels,
            starts,
            entries: cube.records.iter().map(Record::entry).collect(),
            sensitive: cube.sensitive,
            providers: table.providers.clone(),
            suppressed: 0,
            people,
            origin: Origin::Foreign,
        }
    }

    /// Like [`from_table`](Published::from_table), where each row of the table stands for `counts`
    /// people. Rows that agree are added up, rows that stand for nobody are left out.
    ///
    /// `None` when there is not one count per row, or when they add up to more than can be counted.
    pub fn from_counts(table: &Table, counts: &[u64]) -> Option<Published> {
        if counts.len() != table.rows() {
            return None;
        }
        let mut all = 0u64;
        for &count in counts {
            all = all.checked_add(count)?;
        }
        let laid_out = LaidOutRows::new(table);
        let gathered = laid_out.gather(|row| counts[row]);
        Some(laid_out.published(gathered, None))
    }
}

/// The rows of a table with their groups and their combinations of sensitive values.
pub(super) struct LaidOutRows<'t> {
    table: &'t Table,
    columns: Vec<PublishedColumn>,
    /// Per row its group, and the groups' labels.
    pub(super) group_of: Vec<u32>,
    labels: Vec<u32>,
    sensitive: Vec<&'t Column>,
    tuples: Folded,
    combination_of: Codes,
    combinations: Vec<u64>,
}

impl<'t> LaidOutRows<'t> {
    pub(super) fn new(table: &'t Table) -> LaidOutRows<'t> {
        let columns = opaque(table);
        let codes: Vec<Codes> = table
            .with_role(Role::QuasiIdentifier)
            .map(|c| c.codes.clone())
            .collect();
        let (group_of, labels) = regroup(table.rows(), &columns, &codes);
        let sensitive: Vec<_> = table.with_role(Role::Sensitive).collect();
        let tuples = Folded::new(
            table.rows(),
            sensitive.iter().map(|c| (&c.codes, c.domain.len())),
        );
        let (combination_of, combinations) = dense(&tuples);
        LaidOutRows {
            table,
            columns,
            group_of,
            labels,
            sensitive,
            tuples,
            combination_of,
            combinations,
        }
    }

    /// What a row says that occurs so many times.
    pub(super) fn entry(&self, row: usize, count: u64) -> Entry {
        Entry {
            sensitive: self.combination_of.get(row),
            provider: ProviderId(self.table.provider_of.get(row)),
            count,
        }
    }

    /// The groups of the rows that occur at all.
    pub(super) fn gather(&self, count_of: impl Fn(usize) -> u64 + Copy) -> Gathered {
        let counted = (0..self.table.rows()).filter(|&row| count_of(row) > 0);
        let laid = counted.map(|row| (self.group_of[row], self.entry(row, count_of(row))));
        gather(self.columns.len(), self.labels.clone(), laid)
    }

    /// The publication of these groups.
    pub(super) fn published(
        self,
        gathered: Gathered,
        people: Option<PublishedPeople>,
    ) -> Published {
        Published {
            columns: self.columns,
            labels: gathered.labels,
            starts: gathered.starts,
            entries: gathered.entries,
            sensitive: sensitive_columns(&self.sensitive, &self.tuples, &self.combinations),
            providers: self.table.providers.clone(),
            suppressed: 0,
            people,
            origin: Origin::Foreign,
        }
    }
}

/// Adds up records that differ only in the kind of person, group by group.
fn merge_kinds(records: &mut Vec<Record>, starts: &mut [usize]) {
    let mut kept: Vec<Record> = Vec::with_capacity(records.len());
    let mut group = 0;
    for (at, record) in records.iter().enumerate() {
        while starts[group] == at && group + 1 < starts.len() {
            starts[group] = kept.len();
            group += 1;
        }
        let first = starts[group - 1];
        match kept[first..].last_mut() {
            Some(last)
                if (last.sensitive, last.provider) == (record.sensitive, record.provider) =>
            {
                last.count += record.count;
            }
            _ => kept.push(*record),
        }
    }
    starts[group] = kept.len();
    *records = kept;
}

/// The quasi-identifiers of a table with their texts as labels.
fn opaque(table: &Table) -> Vec<PublishedColumn> {
    let labels = |domain: &Domain| {
        (0..domain.len() as Code)
            .map(|code| domain.text(code).to_owned())
            .collect()
    };
    let column = |c: &Column| PublishedColumn {
        name: c.spec.name.clone(),
        labels: labels(&c.domain),
    };
    table.with_role(Role::QuasiIdentifier).map(column).collect()
}

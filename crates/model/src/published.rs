//! What a reader of the release sees, plus who contributed it.
//!
//! Groups are formed from the published texts: rows that look alike are one group, whatever the
//! anonymizer meant. The same type is made from a plan ([`Published::from_partition`]), from a
//! table that any tool has anonymized ([`Published::from_table`]), from rows whose labels are there
//! already ([`Published::from_labels`]) and from counted rows, such as those of an audit
//! ([`Published::from_counts`]), so all of them are verified by the same code.
//! Where the table says whose rows belong together, people are counted beside rows: see
//! [`PublishedPeople`].

mod across;
mod people;

pub use across::AcrossGroups;
pub use people::{CountedPerson, PublishedPeople};

use crate::codes::{Code, Codes};
use crate::column::Column;
use crate::cube::{Cube, Grouped, Record, dense, sensitive_columns};
use crate::domain::Domain;
use crate::fold::Folded;
use crate::label::{Cell, LabelReader};
use crate::partition::{Partition, PartitionError};
use crate::people::PersonRows;
use crate::provider::{ProviderId, Providers};
use crate::range_ends::{ColumnRanges, Labelled, column_ranges};
use crate::schema::{Missing, Role};
use crate::table::Table;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A sensitive attribute.
#[derive(Clone)]
pub struct SensitiveColumn {
    /// The column's name.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// The value's code, per combination of sensitive values.
    pub codes: Codes,
}

/// A quasi-identifier as published.
pub struct PublishedColumn {
    /// The column's name.
    pub name: String,
    /// The distinct labels in text order.
    pub labels: Vec<String>,
}

/// `count` published rows of one group that agree in sensitive values and provider.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// Which combination of sensitive values.
    pub sensitive: u32,
    /// Who contributed them.
    pub provider: ProviderId,
    /// How many rows.
    pub count: u64,
}

/// Groups of rows with equal published quasi-identifiers, in the order of their texts.
pub struct Published {
    columns: Vec<PublishedColumn>,
    /// Per group and column a label, group by group.
    labels: Vec<u32>,
    starts: Vec<usize>,
    entries: Vec<Entry>,
    sensitive: Vec<SensitiveColumn>,
    providers: Providers,
    suppressed: u64,
    /// Only there where somebody has several rows.
    people: Option<PublishedPeople>,
    origin: Origin,
}

/// Where a publication comes from.
enum Origin {
    /// A plan, rendered here: the rows behind it are at hand.
    Rendered(Rendered),
    /// A table or an audit that some tool has written: nobody knows the rows behind it.
    Foreign,
}

/// What a publication was rendered from, so that its codes cannot be written with the texts of
/// another table.
pub struct Rendered {
    cube: Arc<Cube>,
    /// Per record of the cube its published group.
    group_of: Vec<u32>,
    /// The columns that are published in ranges.
    ranges: Vec<ColumnRanges>,
}

impl Rendered {
    /// The records that the groups are made of.
    pub fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }

    /// The rows behind the records.
    pub fn table(&self) -> &Arc<Table> {
        self.cube.table()
    }

    /// Per record of the cube its group in the publication, or [`Partition::SUPPRESSED`].
    pub fn group_of(&self) -> &[u32] {
        &self.group_of
    }
}

impl Published {
    /// Renders a plan's labels, checks that each can be read back and covers the values of its
    /// group, and forms the groups anew from the texts. Only a cell that [is a
    /// point](crate::Cell::is_point) covers nothing but itself. All rows of a person are in one group,
    /// or none of them is published.
    pub fn from_partition(
        cube: &Arc<Cube>,
        partition: &Partition,
        missing: &Missing,
    ) -> Result<Published, PartitionError> {
        Published::render(cube, partition, missing, PersonRows::Together)
    }

    /// Like [`from_partition`](Published::from_partition), where the rows of a person may be in
    /// several groups.
    pub fn from_partition_apart(
        cube: &Arc<Cube>,
        partition: &Partition,
        missing: &Missing,
    ) -> Result<Published, PartitionError> {
        Published::render(cube, partition, missing, PersonRows::Apart)
    }

    fn render(
        cube: &Arc<Cube>,
        partition: &Partition,
        missing: &Missing,
        rows: PersonRows,
    ) -> Result<Published, PartitionError> {
        let q = cube.quasi_identifiers().len();
        let groups = partition.cells.len().checked_div(q).unwrap_or(1);
        let misfit = |&g: &u32| g != Partition::SUPPRESSED && g as usize >= groups;
        if partition.group_of.len() != cube.records().len()
            || groups * q != partition.cells.len()
            || partition.group_of.iter().any(misfit)
        {
            return Err(PartitionError::Shape);
        }
        let mut columns = Vec::with_capacity(q);
        let mut codes = Vec::with_capacity(q);
        for (c, qi) in cube.quasi_identifiers().iter().enumerate() {
            let (column, labels) = render(
                partition.cells.iter().skip(c).step_by(q),
                &qi.domain,
                &qi.name,
            );
            check_cover(cube, c, partition, &column, &labels, missing)?;
            columns.push(column);
            codes.push(labels);
        }
        let (group_of_planned, labels) = regroup(groups, &columns, &codes);
        let published_group = |&g: &u32| match g {
            Partition::SUPPRESSED => g,
            _ => group_of_planned[g as usize],
        };
        let group_of: Vec<u32> = partition.group_of.iter().map(published_group).collect();
        let mut suppressed = 0;
        for (record, &group) in cube.records().iter().zip(&group_of) {
            if group == Partition::SUPPRESSED {
                suppressed += record.count;
            }
        }
        let published = cube.records().iter().zip(&group_of);
        let published = published.filter(|(_, group)| **group != Partition::SUPPRESSED);
        let gathered = gather(q, labels, published.map(|(r, &group)| (group, r.entry())));
        let renumbered = |g: u32| {
            if g == Partition::SUPPRESSED {
                g
            } else {
                gathered.number[g as usize]
            }
        };
        let group_of: Vec<u32> = group_of.into_iter().map(renumbered).collect();
        let groups = gathered.starts.len() - 1;
        let people = cube
            .people()
            .map(|people| PublishedPeople::new(people, cube.records(), &group_of, groups, rows))
            .transpose()?;
        let mut ranges = Vec::new();
        for (c, column) in columns.iter().enumerate() {
            let label_of: Vec<u32> = gathered.labels.iter().skip(c).step_by(q).copied().collect();
            let labelled = Labelled {
                column: c,
                labels: &column.labels,
                label_of: &label_of,
                group_of: &group_of,
            };
            ranges.extend(column_ranges(cube, &labelled, missing));
        }
        Ok(Published {
            columns,
            labels: gathered.labels,
            starts: gathered.starts,
            entries: gathered.entries,
            sensitive: cube.sensitive().to_vec(),
            providers: cube.providers().clone(),
            suppressed,
            people,
            origin: Origin::Rendered(Rendered {
                cube: cube.clone(),
                group_of,
                ranges,
            }),
        })
    }

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

    /// Takes a table whose quasi-identifier cells are labels already, as rows that were published
    /// before and rows that were put beside them: equal text is one group. Unlike
    /// [`from_table`](Published::from_table) it keeps the rows, so that a release can be made of it.
    ///
    /// Nothing is read back and nobody knows the values behind the labels: whether a label covers
    /// what was put under it is for the caller to see to, and ends of ranges are not looked at. The
    /// quasi-identifiers must be plain categories, and each row one person.
    ///
    /// `None` where people have several rows.
    pub fn from_labels(cube: &Arc<Cube>) -> Option<Published> {
        if cube.people().is_some() {
            return None;
        }
        let q = cube.quasi_identifiers().len();
        let mut columns = Vec::with_capacity(q);
        let mut codes = Vec::with_capacity(q);
        for qi in cube.quasi_identifiers() {
            let (column, rank) = in_text_order(&qi.name, &qi.domain);
            let mut ranks = Codes::with_capacity(rank.len(), cube.tuples());
            ranks.extend_mapped(&qi.codes, &rank);
            columns.push(column);
            codes.push(ranks);
        }
        let (group_of_tuple, labels) = regroup(cube.tuples(), &columns, &codes);
        let mut group_of = Vec::with_capacity(cube.records().len());
        for (tuple, &group) in group_of_tuple.iter().enumerate() {
            group_of.extend(cube.records_of(tuple).map(|_| group));
        }
        let records = cube.records().iter().zip(&group_of);
        let gathered = gather(q, labels, records.map(|(r, &group)| (group, r.entry())));
        for group in &mut group_of {
            *group = gathered.number[*group as usize];
        }
        Some(Published {
            columns,
            labels: gathered.labels,
            starts: gathered.starts,
            entries: gathered.entries,
            sensitive: cube.sensitive().to_vec(),
            providers: cube.providers().clone(),
            suppressed: 0,
            people: None,
            origin: Origin::Rendered(Rendered {
                cube: cube.clone(),
                group_of,
                ranges: Vec::new(),
            }),
        })
    }

    /// Like [`from_table`](Published::from_table), where each row of the table stands for `counts`
    /// people. Rows that agree are added up, rows that stand for nobody are left out.
    ///
    /// `None` when there is not one count per row, or when they add up to more than can be counted.
    pub fn from_counts(table: &Table, counts: &[u64]) -> Option<Published> {
        counts
            .iter()
            .try_fold(0u64, |sum, &count| sum.checked_add(count))
            .filter(|_| counts.len() == table.rows())?;
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
        let entry = |row: usize| {
            let provider = ProviderId(table.provider_of.get(row));
            (
                group_of[row],
                Entry {
                    sensitive: combination_of.get(row),
                    provider,
                    count: counts[row],
                },
            )
        };
        let counted = (0..table.rows()).filter(|&row| counts[row] > 0);
        let gathered = gather(columns.len(), labels, counted.map(entry));
        Some(Published {
            columns,
            labels: gathered.labels,
            starts: gathered.starts,
            entries: gathered.entries,
            sensitive: sensitive_columns(&sensitive, &tuples, &combinations),
            providers: table.providers.clone(),
            suppressed: 0,
            people: None,
            origin: Origin::Foreign,
        })
    }

    /// Groups that were formed elsewhere and are told apart already.
    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    pub(crate) fn from_parts(
        columns: Vec<PublishedColumn>,
        labels: Vec<u32>,
        starts: Vec<usize>,
        entries: Vec<Entry>,
        sensitive: Vec<SensitiveColumn>,
        providers: Providers,
        suppressed: u64,
    ) -> Published {
        Published {
            columns,
            labels,
            starts,
            entries,
            sensitive,
            providers,
            suppressed,
            people: None,
            origin: Origin::Foreign,
        }
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many rows are published.
    pub fn rows(&self) -> u64 {
        self.entries.iter().map(|e| e.count).sum()
    }

    /// How many of them each provider has, in the order of the providers.
    pub fn rows_by_provider(&self) -> Vec<u64> {
        let mut rows = vec![0; self.providers().len()];
        for entry in &self.entries {
            rows[entry.provider.0 as usize] += entry.count;
        }
        rows
    }

    /// How many rows were left out.
    pub fn suppressed(&self) -> u64 {
        self.suppressed
    }

    /// The quasi-identifiers.
    pub fn columns(&self) -> &[PublishedColumn] {
        &self.columns
    }

    /// A group's label in each column, as indices into [`PublishedColumn::labels`].
    pub fn labels(&self, group: usize) -> &[u32] {
        let q = self.columns.len();
        &self.labels[group * q..(group + 1) * q]
    }

    /// A group's label texts with their columns' names.
    pub fn describe(&self, group: usize) -> impl Iterator<Item = (&str, &str)> {
        self.columns
            .iter()
            .zip(self.labels(group))
            .map(|(c, &l)| (c.name.as_str(), c.labels[l as usize].as_str()))
    }

    /// A group's entries.
    pub fn entries(&self, group: usize) -> &[Entry] {
        &self.entries[self.entry_range(group)]
    }

    fn entry_range(&self, group: usize) -> Range<usize> {
        self.starts[group]..self.starts[group + 1]
    }

    /// How many rows a group has.
    pub fn size(&self, group: usize) -> u64 {
        self.entries(group).iter().map(|e| e.count).sum()
    }

    /// The sensitive attributes.
    pub fn sensitive(&self) -> &[SensitiveColumn] {
        &self.sensitive
    }

    /// The providers.
    pub fn providers(&self) -> &Providers {
        &self.providers
    }

    /// What it was rendered from; `None` for what some tool has written, of which nobody here knows
    /// the rows.
    pub fn rendered(&self) -> Option<&Rendered> {
        match &self.origin {
            Origin::Rendered(rendered) => Some(rendered),
            Origin::Foreign => None,
        }
    }

    /// The columns that are published in ranges, with who attains the ends; empty when made from a
    /// table, which does not say what was generalized.
    pub fn ranges(&self) -> &[ColumnRanges] {
        self.rendered().map_or(&[], |rendered| &rendered.ranges)
    }

    /// Per record of the cube its group here, or [`Partition::SUPPRESSED`]; empty where there is no
    /// cube.
    pub fn group_of(&self) -> &[u32] {
        self.rendered().map_or(&[], Rendered::group_of)
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

/// The texts of a domain as labels in text order, and the place of each code's text among them.
fn in_text_order(name: &str, domain: &Domain) -> (PublishedColumn, Vec<Code>) {
    let mut labels: Vec<String> = Vec::with_capacity(domain.len());
    for code in 0..domain.len() as Code {
        labels.push(domain.text(code).to_owned());
    }
    labels.sort_unstable();
    labels.dedup();
    let mut place = Vec::with_capacity(domain.len());
    for code in 0..domain.len() as Code {
        let text = domain.text(code);
        place.push(labels.partition_point(|label| label.as_str() < text) as Code);
    }
    let name = name.to_owned();
    (PublishedColumn { name, labels }, place)
}

/// The distinct label texts of a column in text order, and each planned group's label.
fn render<'a>(
    cells: impl Iterator<Item = &'a Cell>,
    domain: &Domain,
    name: &str,
) -> (PublishedColumn, Codes) {
    let mut by_cell: HashMap<&Cell, u32> = HashMap::new();
    let mut by_text: HashMap<String, u32> = HashMap::new();
    let mut ids = Vec::new();
    for cell in cells {
        ids.push(*by_cell.entry(cell).or_insert_with(|| {
            let next = by_text.len() as u32;
            *by_text.entry(domain.label(cell)).or_insert(next)
        }));
    }
    let mut texts: Vec<(String, u32)> = by_text.into_iter().collect();
    texts.sort_unstable();
    let mut place = vec![0; texts.len()];
    texts
        .iter()
        .zip(0..)
        .for_each(|((_, id), rank)| place[*id as usize] = rank);
    let column = PublishedColumn {
        name: name.to_owned(),
        labels: texts.into_iter().map(|(text, _)| text).collect(),
    };
    (
        column,
        ids.into_iter().map(|id| place[id as usize]).collect(),
    )
}

/// Reads every label back and insists that it covers what was put under it.
#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
fn check_cover(
    cube: &Cube,
    column: usize,
    partition: &Partition,
    published: &PublishedColumn,
    labels: &Codes,
    missing: &Missing,
) -> Result<(), PartitionError> {
    let qi = &cube.quasi_identifiers()[column];
    let reader = LabelReader::new(&qi.domain, missing);
    let q = cube.quasi_identifiers().len();
    let points: Vec<bool> = partition
        .cells
        .iter()
        .skip(column)
        .step_by(q)
        .map(Cell::is_point)
        .collect();
    let mut covering = vec![false; published.labels.len()];
    points
        .iter()
        .zip(labels.iter())
        .for_each(|(&point, label)| covering[label as usize] |= !point);
    let read = |(label, &covering): (&String, &bool)| {
        if covering {
            reader.read(label)
        } else {
            reader.read_centroid(label)
        }
    };
    let readings: Option<Vec<_>> = published.labels.iter().zip(&covering).map(read).collect();
    let readings = readings.ok_or_else(|| PartitionError::Unreadable {
        column: qi.name.clone(),
    })?;
    for tuple in 0..cube.tuples() {
        let code = qi.codes.get(tuple);
        let groups = &partition.group_of[cube.records_of(tuple)];
        let covered = |&g: &u32| {
            let covers =
                || points[g as usize] || readings[labels.get(g as usize) as usize].covers(code);
            g == Partition::SUPPRESSED || covers()
        };
        if !groups.iter().all(covered) {
            return Err(PartitionError::NotCovered {
                column: qi.name.clone(),
            });
        }
    }
    if points.contains(&true) {
        check_points(cube, column, partition)
    } else {
        Ok(())
    }
}

/// A point is not free to lie either: a centroid is between the smallest and the largest number of
/// its group, and a mode is one of its values.
fn check_points(cube: &Cube, column: usize, partition: &Partition) -> Result<(), PartitionError> {
    let qi = &cube.quasi_identifiers()[column];
    let cells: Vec<&Cell> = partition
        .cells
        .iter()
        .skip(column)
        .step_by(cube.quasi_identifiers().len())
        .collect();
    // per group whether a value at or below, and one at or above the point was seen
    let mut sides = vec![(false, false); cells.len()];
    for tuple in 0..cube.tuples() {
        let code = qi.codes.get(tuple);
        for &group in partition.group_of[cube.records_of(tuple)]
            .iter()
            .filter(|&&g| g != Partition::SUPPRESSED)
        {
            let (below, above) = &mut sides[group as usize];
            match (cells[group as usize], qi.domain.number(code)) {
                (Cell::Centroid(point), Some(number)) => {
                    *below |= number <= *point;
                    *above |= number >= *point;
                }
                (Cell::Mode(mode), _) if *mode == code => (*below, *above) = (true, true),
                _ => {}
            }
        }
    }
    let lies = |(cell, sides): (&&Cell, &(bool, bool))| cell.is_point() && *sides != (true, true);
    let has_rows = |group: usize| partition.group_of.contains(&(group as u32));
    if cells
        .iter()
        .zip(&sides)
        .enumerate()
        .any(|(group, pair)| lies(pair) && has_rows(group))
    {
        Err(PartitionError::NotCovered {
            column: qi.name.clone(),
        })
    } else {
        Ok(())
    }
}

/// Numbers the distinct label tuples in text order; returns each planned group's number and the
/// tuples.
fn regroup(groups: usize, columns: &[PublishedColumn], codes: &[Codes]) -> (Vec<u32>, Vec<u32>) {
    let folded = Folded::new(
        groups,
        codes.iter().zip(columns.iter().map(|c| c.labels.len())),
    );
    let mut distinct = folded.keys.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let number = folded
        .keys
        .iter()
        .map(|key| distinct.partition_point(|d| d < key) as u32)
        .collect();
    let mut labels = Vec::with_capacity(distinct.len() * columns.len());
    let mut tuple = Vec::new();
    for key in distinct {
        folded.unfold(key, &mut tuple);
        labels.extend_from_slice(&tuple);
    }
    (number, labels)
}

/// Groups that have rows, and what is in them.
struct Gathered {
    /// The labels of the groups, group by group.
    labels: Vec<u32>,
    /// The new number of each old group; [`Partition::SUPPRESSED`] of one without rows.
    number: Vec<u32>,
    starts: Vec<usize>,
    entries: Vec<Entry>,
}

/// Puts entries into their groups and adds up what is alike; groups without rows disappear.
///
/// Entries are laid straight into their group's place, so that there is never more than one copy of
/// them: at this moment a plan needs the most memory. Hence two passes over them.
fn gather(
    q: usize,
    labels: Vec<u32>,
    entries: impl Iterator<Item = (u32, Entry)> + Clone,
) -> Gathered {
    let groups = labels.len().checked_div(q).unwrap_or(1);
    let mut next = vec![0; groups];
    for (group, _) in entries.clone() {
        next[group as usize] += 1;
    }
    let mut all = 0;
    for place in &mut next {
        let size = std::mem::replace(place, all);
        all += size;
    }
    let nothing = Entry {
        sensitive: 0,
        provider: ProviderId(0),
        count: 0,
    };
    let mut laid = vec![nothing; all];
    for (group, entry) in entries {
        laid[next[group as usize]] = entry;
        next[group as usize] += 1;
    }

    let mut gathered = Gathered {
        labels: Vec::new(),
        number: vec![Partition::SUPPRESSED; groups],
        starts: Vec::new(),
        entries: Vec::new(),
    };
    let (mut start, mut kept) = (0, 0);
    for (group, &end) in next.iter().enumerate() {
        if start == end {
            continue;
        }
        gathered.number[group] = gathered.starts.len() as u32;
        gathered
            .labels
            .extend_from_slice(&labels[group * q..(group + 1) * q]);
        gathered.starts.push(kept);
        laid[start..end].sort_unstable_by_key(|entry| (entry.sensitive, entry.provider));
        let first = kept;
        for place in start..end {
            let entry = laid[place];
            let last = kept.checked_sub(1).filter(|&last| last >= first);
            match last.map(|last| &mut laid[last]) {
                Some(last)
                    if (last.sensitive, last.provider) == (entry.sensitive, entry.provider) =>
                {
                    last.count += entry.count;
                }
                _ => {
                    laid[kept] = entry;
                    kept += 1;
                }
            }
        }
        start = end;
    }
    gathered.starts.push(kept);
    laid.truncate(kept);
    laid.shrink_to_fit();
    gathered.entries = laid;
    gathered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::ColumnSpec;
    use proptest::prelude::*;

    /// Two quasi-identifiers, two sensitive columns, and a provider, from small numbers.
    fn table(rows: &[[u8; 5]]) -> Table {
        let column = |at: usize, role| {
            let texts: Vec<String> = rows.iter().map(|r| format!("v{}", r[at])).collect();
            let spec = ColumnSpec::new(format!("c{at}"), role);
            Column::from_texts(spec, texts.iter().map(String::as_str), &Missing::default())
                .ok()
                .unwrap()
        };
        let name = |row: &[u8; 5]| format!("p{}", row[4]);
        let providers = Providers::new(rows.iter().map(name).collect());
        let provider_of = rows
            .iter()
            .map(|r| providers.id(&name(r)).unwrap().0)
            .collect();
        let roles = [
            Role::QuasiIdentifier,
            Role::Sensitive,
            Role::QuasiIdentifier,
            Role::Sensitive,
        ];
        Table {
            columns: (0..4).map(|at| column(at, roles[at])).collect(),
            providers,
            provider_of,
            person_of: None,
        }
    }

    /// Sensitive values, provider and count in texts.
    type Shown = (String, String, u64);

    /// Everything in texts: groups, and below each the entries.
    fn shown(published: &Published) -> Vec<(String, Vec<Shown>)> {
        let values = |e: &Entry| {
            let value =
                |c: &SensitiveColumn| c.domain.text(c.codes.get(e.sensitive as usize)).to_owned();
            published
                .sensitive()
                .iter()
                .map(value)
                .collect::<Vec<_>>()
                .join(" ")
        };
        let entry = |e: &Entry| {
            (
                values(e),
                published.providers().name(e.provider).to_owned(),
                e.count,
            )
        };
        let group = |g: usize| {
            let labels: Vec<String> = published
                .describe(g)
                .map(|(name, label)| format!("{name}={label}"))
                .collect();
            (
                labels.join(" "),
                published.entries(g).iter().map(entry).collect(),
            )
        };
        (0..published.groups()).map(group).collect()
    }

    proptest! {
        #[test]
        fn counted_rows_are_as_good_as_repeated_ones(
            rows in prop::collection::vec((prop::array::uniform5(0u8..3), 0u64..4), 1..20)
        ) {
            let (distinct, counts): (Vec<[u8; 5]>, Vec<u64>) = rows.into_iter().unzip();
            let repeated: Vec<[u8; 5]> =
                distinct.iter().zip(&counts).flat_map(|(row, &n)| std::iter::repeat_n(*row, n as usize)).collect();
            let counted = Published::from_counts(&table(&distinct), &counts).unwrap();
            let expected = Published::from_table(&table(&repeated));
            prop_assert_eq!(shown(&counted), shown(&expected));
        }
    }

    proptest! {
        /// Labels with their rows say what the table without them says, and every record knows its
        /// group.
        #[test]
        fn labels_are_as_good_as_an_opaque_table(
            rows in prop::collection::vec(prop::array::uniform5(0u8..3), 1..20)
        ) {
            let cube = Arc::new(Cube::new(table(&rows)));
            let labelled = Published::from_labels(&cube).unwrap();
            prop_assert_eq!(shown(&labelled), shown(&Published::from_table(&table(&rows))));
            let mut counted = vec![0; labelled.groups()];
            for (record, &group) in cube.records().iter().zip(labelled.group_of()) {
                counted[group as usize] += record.count;
            }
            let sizes: Vec<u64> = (0..labelled.groups()).map(|g| labelled.size(g)).collect();
            prop_assert_eq!(counted, sizes);
        }
    }

    /// One column of numbers 10, 20, 30, 40, and a plan of two groups.
    fn planned(group_of: [u32; 4], cells: [Cell; 2]) -> Result<Vec<(String, u64)>, PartitionError> {
        let spec = ColumnSpec::new("q", Role::QuasiIdentifier);
        let texts = ["10", "20", "30", "40"];
        let column = Column::from_texts(spec, texts, &Missing::default())
            .ok()
            .unwrap();
        let providers = Providers::new(vec!["p".into()]);
        let cube = Arc::new(Cube::new(Table {
            columns: vec![column],
            providers,
            provider_of: [0; 4].into_iter().collect(),
            person_of: None,
        }));
        let partition = Partition {
            group_of: group_of.to_vec(),
            cells: cells.into(),
        };
        let published = Published::from_partition(&cube, &partition, &Missing::default())?;
        let label = |g: usize| {
            published
                .describe(g)
                .map(|(_, label)| label.to_owned())
                .collect()
        };
        Ok((0..published.groups())
            .map(|g| (label(g), published.size(g)))
            .collect())
    }

    #[test]
    fn only_a_point_need_not_cover_its_group() {
        let means = [Cell::Centroid(15), Cell::Centroid(35)];
        assert_eq!(
            planned([0, 0, 1, 1], means),
            Ok(vec![("15".into(), 2), ("35".into(), 2)])
        );
        // groups with the same mean are one group
        assert_eq!(
            planned([0, 1, 1, 0], [Cell::Centroid(25), Cell::Centroid(25)]),
            Ok(vec![("25".into(), 4)])
        );
        let not_covered = Err(PartitionError::NotCovered { column: "q".into() });
        assert_eq!(
            planned(
                [0, 0, 1, 1],
                [Cell::Centroid(15), Cell::Span { lo: 3, hi: 3 }]
            ),
            not_covered
        );
        // the text of a centroid does not excuse a range that is written alike
        assert_eq!(
            planned(
                [0, 0, 1, 1],
                [Cell::Centroid(40), Cell::Span { lo: 3, hi: 3 }]
            ),
            not_covered
        );
        // nor beside its group
        let beside = planned(
            [0, 0, 0, 1],
            [Cell::Centroid(40), Cell::Span { lo: 3, hi: 3 }],
        );
        assert_eq!(beside, not_covered);
        let between = Cell::Between { lo: 35, hi: 35 };
        assert!(planned([0, 0, 1, 1], [Cell::Centroid(35), between]).is_err());
    }

    /// Two providers; the lower end of the range is A's alone, the upper one is everybody's.
    #[test]
    fn it_is_known_who_attains_the_ends_of_ranges() {
        let spec = ColumnSpec::new("q", Role::QuasiIdentifier);
        let texts = ["11", "20", "33", "33", "40", ""];
        let column = Column::from_texts(spec, texts, &Missing::default())
            .ok()
            .unwrap();
        let cube = Arc::new(Cube::new(Table {
            columns: vec![column],
            providers: Providers::new(vec!["A".into(), "B".into()]),
            provider_of: [0, 1, 0, 1, 1, 0].into_iter().collect(),
            person_of: None,
        }));
        // codes: missing, 11, 20, 33, 40; records by tuple, then provider
        let partition = Partition {
            group_of: vec![2, 0, 0, 0, 0, 1],
            cells: vec![
                Cell::Span { lo: 1, hi: 3 },
                Cell::Span { lo: 4, hi: 4 },
                Cell::All,
            ],
        };
        let published = Published::from_partition(&cube, &partition, &Missing::default()).unwrap();
        let [ranges] = published.ranges() else {
            panic!("one column of numbers")
        };
        let ends = |group: usize| {
            (
                ranges.ends(published.labels(group)[0]),
                ranges.attained_by(group),
            )
        };
        let shown: Vec<_> = (0..published.groups())
            .map(|group| {
                (
                    published.describe(group).next().unwrap().1.to_owned(),
                    ends(group),
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("*".to_owned(), (None, [0, 0])),
                ("40".to_owned(), (None, [0, 0])),
                ("[11-33]".to_owned(), (Some((11, 33)), [1, 2])),
            ]
        );
        assert!(Published::from_table(&table(&[[0; 5]])).ranges().is_empty());
    }

    #[test]
    fn counts_that_do_not_fit() {
        let two = table(&[[0; 5], [1; 5]]);
        assert!(Published::from_counts(&two, &[1]).is_none());
        assert!(Published::from_counts(&two, &[u64::MAX, 1]).is_none());
        assert_eq!(
            Published::from_counts(&two, &[u64::MAX, 0]).unwrap().rows(),
            u64::MAX
        );
        assert_eq!(Published::from_counts(&two, &[0, 0]).unwrap().groups(), 0);
    }
}

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
mod counted;
mod gathering;
mod labelled;
mod people;

pub use across::AcrossGroups;
pub use people::{CountedPerson, PublishedPeople};

use crate::codes::Codes;
use crate::cube::Cube;
use crate::domain::Domain;
use crate::label::{Cell, LabelReader};
use crate::partition::{Partition, PartitionError};
use crate::people::PersonRows;
use crate::provider::{ProviderId, Providers};
use crate::range_ends::{ColumnRanges, Labelled, column_ranges};
use crate::schema::Missing;
use crate::table::Table;
use gathering::{gather, regroup};
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
    /// Per column and label whether it belongs to the column's public vocabulary.
    in_vocabulary: Vec<Vec<bool>>,
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
        let mut in_vocabulary = Vec::with_capacity(q);
        for (c, column) in columns.iter().enumerate() {
            let domain = &cube.quasi_identifiers()[c].domain;
            in_vocabulary.push(domain.in_vocabulary(&column.labels, missing));
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
                in_vocabulary,
            }),
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

    /// The first group with a label that the policy does not fix, and the column, both by their place.
    /// `None` also where nobody knows the rows behind it.
    pub fn first_label_outside_vocabulary(&self) -> Option<(usize, usize)> {
        let rendered = self.rendered()?;
        for group in 0..self.groups() {
            for (column, &label) in self.labels(group).iter().enumerate() {
                // nothing is known of labels that were published before
                let known = rendered.in_vocabulary.get(column);
                if known.is_some_and(|known| !known[label as usize]) {
                    return Some((group, column));
                }
            }
        }
        None
    }

    /// Per record of the cube its group here, or [`Partition::SUPPRESSED`]; empty where there is no
    /// cube.
    pub fn group_of(&self) -> &[u32] {
        self.rendered().map_or(&[], Rendered::group_of)
    }
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

#[cfg(test)]
mod tests;

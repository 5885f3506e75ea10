//! Who is in which published group.
//!
//! A publication knows the groups of a cube's records, that is of rows that look alike. Rows of
//! equal quasi-identifiers, sensitive values and provider are interchangeable: where a method dealt
//! them to different groups, nobody can tell which went where, and they are dealt in the order of
//! their people, so that the same people come to the same places in the next version if they can.

use super::people::{PeopleColumn, PeopleTable, PersonRow};
use crate::error::Error;
use mingle_model::{Folded, Partition, Published, Role, Table};

/// Per row of the table from which a publication was rendered its group there, or
/// [`Partition::SUPPRESSED`]. `people` has one person per row. Where people have several rows the cube
/// must have kept which row is whose ([`Cube::keeping_people`](mingle_model::Cube::keeping_people)).
pub fn groups_of_rows(published: &Published, people: &[u128]) -> Result<Vec<u32>, Error> {
    let rendered = published.rendered().ok_or(Error::OtherTable)?;
    let (table, cube) = (rendered.table(), rendered.cube());
    if cube.rows() != table.rows() as u64 || people.len() != table.rows() {
        return Err(Error::OtherTable);
    }
    let group_of = rendered.group_of();
    Ok(match cube.record_of_row() {
        Some(records) => records
            .iter()
            .map(|&record| group_of[record as usize])
            .collect(),
        None if cube.people().is_some() => return Err(Error::OtherTable),
        None => {
            let mut groups = vec![Partition::SUPPRESSED; table.rows()];
            let records = cube.records().iter().zip(group_of);
            let each = records
                .flat_map(|(record, &group)| std::iter::repeat_n(group, record.count as usize));
            in_order(table, people)
                .into_iter()
                .zip(each)
                .for_each(|(row, group)| groups[row as usize] = group);
            groups
        }
    })
}

/// The rows in the order of the cube's records.
pub(super) fn in_order(table: &Table, people: &[u128]) -> Vec<u32> {
    let of_role = |role| table.with_role(role).map(|c| (&c.codes, c.domain.len()));
    let provider = [(&table.provider_of, table.providers.len())];
    let columns = of_role(Role::QuasiIdentifier)
        .chain(of_role(Role::Sensitive))
        .chain(provider);
    let keys = Folded::new(table.rows(), columns).keys;
    let mut rows: Vec<u32> = (0..table.rows() as u32).collect();
    rows.sort_unstable_by_key(|&row| (keys[row as usize], people[row as usize]));
    rows
}

/// The people of a publication, given each row's group; suppressed rows are not among them.
/// `release` is where it is published. `None` where a person has rows in several groups, or where the
/// publication was not rendered here and nobody knows its rows.
pub fn people_of(
    release: &str,
    published: &Published,
    groups_of_rows: &[u32],
    people: &[u128],
) -> Option<PeopleTable> {
    let label = |group: usize| {
        published
            .describe(group)
            .map(|(_, label)| label.to_owned())
            .collect()
    };
    let labels = (0..published.groups()).map(label).collect();
    let table = published.rendered()?.table();
    people_in(release, table, labels, groups_of_rows, people)
}

/// Everybody of a table, before there are groups: all are in one.
pub fn people_of_table(table: &Table, people: &[u128]) -> Option<PeopleTable> {
    people_in("", table, vec![Vec::new()], &vec![0; table.rows()], people)
}

/// The same for groups of which only the labels are known.
pub(super) fn people_in(
    release: &str,
    table: &Table,
    labels: Vec<Vec<String>>,
    groups_of_rows: &[u32],
    people: &[u128],
) -> Option<PeopleTable> {
    let columns: Vec<_> = table.with_role(Role::Sensitive).collect();
    let member = |(row, (&group, &person)): (usize, (&u32, &u128))| {
        let values = || columns.iter().map(|column| column.codes.get(row)).collect();
        (group != Partition::SUPPRESSED).then(|| PersonRow {
            person,
            group,
            values: values(),
        })
    };
    PeopleTable::new(
        release.to_owned(),
        labels,
        columns
            .iter()
            .map(|column| PeopleColumn::new(&column.spec.name, &column.domain))
            .collect(),
        groups_of_rows
            .iter()
            .zip(people)
            .enumerate()
            .filter_map(member)
            .collect(),
    )
}

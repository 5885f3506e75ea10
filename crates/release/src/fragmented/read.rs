//! Fragments back from files, read without trust.
//!
//! What is refused here would let a release say more than its tables: group numbers with gaps,
//! labels that differ within a group, tables that disagree on sizes, and any order but the one that
//! follows from what is published.

use crate::error::Error;
use mingle_model::{Code, Column, FragmentColumn, FragmentGroup, Fragments, Table};
use thiserror::Error;

/// What is wrong with a table of a fragmented release. Columns, never cells.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FragmentsProblem {
    /// Group numbers that are missing, unknown, out of order or no numbers.
    #[error("the group numbers are not 1, 2, 3, … in this order")]
    Gids,
    /// Rows of one group with different labels.
    #[error("column {column}: a group has more than one label")]
    Labels {
        /// The quasi-identifier.
        column: String,
    },
    /// Another number of rows for a group than the quasi-identifiers have.
    #[error("a group has another number of rows than in the table of quasi-identifiers")]
    Size,
    /// Values that are not in the order of their texts.
    #[error("the rows of a group are not in the order of their values")]
    Order,
    /// Groups in another order than that of what is published about them.
    #[error("the groups are not numbered by what is published about them")]
    Numbering,
}

/// Quasi-identifiers read as opaque texts: the gid in the first column, then theirs.
pub(crate) fn quasi_identifiers(table: &Table) -> Result<Vec<FragmentGroup>, FragmentsProblem> {
    let (gid, labels) = table.columns.split_first().ok_or(FragmentsProblem::Gids)?;
    let numbers = numbers(gid);
    let mut groups: Vec<FragmentGroup> = Vec::new();
    let mut first = 0;
    for row in 0..table.rows() {
        match numbers[gid.codes.get(row) as usize] {
            Some(n) if n == groups.len() => {
                if let Some(column) = labels
                    .iter()
                    .find(|c| c.codes.get(row) != c.codes.get(first))
                {
                    return Err(FragmentsProblem::Labels {
                        column: column.spec.name.clone(),
                    });
                }
                // a number of 0 would be counted to nobody
                groups.last_mut().ok_or(FragmentsProblem::Gids)?.size += 1;
            }
            Some(n) if n == groups.len() + 1 => {
                let labels = labels
                    .iter()
                    .map(|c| c.domain.text(c.codes.get(row)).to_owned())
                    .collect();
                groups.push(FragmentGroup {
                    labels,
                    size: 1,
                    values: Vec::new(),
                });
                first = row;
            }
            _ => return Err(FragmentsProblem::Gids),
        }
    }
    Ok(groups)
}

/// Adds the values of one sensitive attribute to their groups: the gid in the first column, the
/// value in the second.
pub(crate) fn sensitive(
    table: &Table,
    groups: &mut [FragmentGroup],
) -> Result<(), FragmentsProblem> {
    let [gid, value] = &table.columns[..] else {
        return Err(FragmentsProblem::Gids);
    };
    let numbers = numbers(gid);
    groups.iter_mut().for_each(|g| g.values.push(Vec::new()));
    let mut last: Option<(usize, Code)> = None;
    for row in 0..table.rows() {
        let number = numbers[gid.codes.get(row) as usize].ok_or(FragmentsProblem::Gids)?;
        let group = number
            .checked_sub(1)
            .and_then(|g| groups.get_mut(g))
            .ok_or(FragmentsProblem::Gids)?;
        let code = value.codes.get(row);
        match last {
            Some((before, _)) if number < before => return Err(FragmentsProblem::Gids),
            Some((before, other))
                if number == before && value.domain.text(code) < value.domain.text(other) =>
            {
                return Err(FragmentsProblem::Order);
            }
            _ => {}
        }
        let values = group.values.last_mut().expect("one list was pushed above");
        match values.last_mut() {
            Some((other, count)) if *other == code => *count += 1,
            _ => values.push((code, 1)),
        }
        last = Some((number, code));
    }
    let complete = |g: &FragmentGroup| {
        g.values
            .last()
            .is_some_and(|v| v.iter().map(|(_, n)| n).sum::<u64>() == g.size)
    };
    if groups.iter().all(complete) {
        Ok(())
    } else {
        Err(FragmentsProblem::Size)
    }
}

/// Puts the tables together and insists that the groups are numbered as they must be.
pub(crate) fn fragments(
    quasi_identifiers: Vec<String>,
    columns: Vec<FragmentColumn>,
    groups: Vec<FragmentGroup>,
    file: &str,
) -> Result<Fragments, Error> {
    let fragments = Fragments::new(quasi_identifiers, columns, groups.clone())?;
    let same = |(a, b): (&FragmentGroup, &FragmentGroup)| {
        a.labels == b.labels && a.size == b.size && same_values(a, b)
    };
    if fragments.groups().iter().zip(&groups).all(same) {
        Ok(fragments)
    } else {
        Err(Error::Fragmented {
            file: file.to_owned(),
            problem: FragmentsProblem::Numbering,
        })
    }
}

/// The first has its values by code, the second by text.
fn same_values(numbered: &FragmentGroup, read: &FragmentGroup) -> bool {
    numbered
        .values
        .iter()
        .zip(&read.values)
        .all(|(numbered, read)| {
            let mut read = read.clone();
            read.sort_unstable();
            *numbered == read
        })
}

/// Per code of the gid its number, where it is one as this program writes it.
fn numbers(gid: &Column) -> Vec<Option<usize>> {
    let canonical = |text: &str| text.parse::<usize>().ok().filter(|n| n.to_string() == text);
    (0..gid.domain.len() as Code)
        .map(|code| canonical(gid.domain.text(code)))
        .collect()
}

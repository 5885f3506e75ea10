//! Finding the people of a release that was published elsewhere or before: each in the group whose
//! labels cover them and which holds their values.

use super::contents::Contents;
use super::members::{in_order, people_in};
use super::people::{PeopleColumn, PeopleTable};
use super::problem::HistoryProblem;
use crate::error::Error;
use crate::open::Release;
use mingle_model::{Column, Cube, GID, Partition, Role, Table};
use mingle_privacy::composition::{Overlay, People, Reader, Scratch};
use std::path::Path;

/// Puts the rows of the original table, which is that of the cube, into the groups of its release.
/// `people` has one person per row.
///
/// A row that fits no group was suppressed. Rows that fit several are an error: guessing would make
/// a wrong history. Whether the groups then hold what was published is for
/// [`check_people`](super::check_people).
pub fn place_by_labels(
    release: &Release,
    folder: &Path,
    original: People<'_>,
    people: &[u128],
) -> Result<PeopleTable, Error> {
    let wrong = |problem| Error::History {
        path: folder.to_owned(),
        problem,
    };
    let contents = Contents::of(release)?;
    let Some(attribute) = contents.columns.first() else {
        return Err(wrong(HistoryProblem::OtherColumns {
            column: String::new(),
        }));
    };
    let cube = original.cube;
    let table = cube.table();
    let fits = table
        .with_role(Role::Sensitive)
        .map(|c| &c.spec.name)
        .eq(&contents.columns);
    if !fits {
        return Err(wrong(HistoryProblem::OtherColumns {
            column: attribute.clone(),
        }));
    }
    if people.len() != table.rows() || cube.rows() != table.rows() as u64 {
        return Err(Error::OtherTable);
    }
    let name = folder.display().to_string();
    let mut overlay = Overlay::new(original, attribute);
    let without = [GID.to_owned()];
    let reader = Reader {
        without: &without,
        ..Reader::new(&name)
    };
    overlay.add(&reader, &contents.published)?;
    let groups = groups_of_rows(&contents, table, cube, &overlay, people).map_err(wrong)?;
    people_in(&name, table, contents.labels, &groups, people)
        .ok_or_else(|| wrong(HistoryProblem::SeveralRows))
}

/// Per row its only group.
fn groups_of_rows(
    contents: &Contents,
    table: &Table,
    cube: &Cube,
    overlay: &Overlay<'_>,
    people: &[u128],
) -> Result<Vec<u32>, HistoryProblem> {
    let columns: Vec<(&Column, PeopleColumn)> = table
        .with_role(Role::Sensitive)
        .map(|c| (c, PeopleColumn::new(&c.spec.name, &c.domain)))
        .collect();
    let holds = |group: u32, row: usize| {
        let mut counts = columns.iter().zip(&contents.counts[group as usize]);
        counts.all(|((column, texts), counts)| {
            counts.contains_key(&texts.values[column.codes.get(row) as usize])
        })
    };
    let mut groups = vec![Partition::SUPPRESSED; table.rows()];
    let (mut rows, mut scratch, mut ambiguous) =
        (in_order(table, people).into_iter(), Scratch::default(), 0);
    for tuple in 0..cube.tuples() {
        let fitting = overlay.fitting(0, tuple, &mut scratch);
        for row in rows.by_ref().take(cube.weight(tuple) as usize) {
            let mut fits = fitting.iter().filter(|&&group| holds(group, row as usize));
            match (fits.next(), fits.next()) {
                (Some(&group), None) => groups[row as usize] = group,
                (None, _) => {}
                (Some(_), Some(_)) => ambiguous += 1,
            }
        }
    }
    if ambiguous > 0 {
        Err(HistoryProblem::Ambiguous { rows: ambiguous })
    } else {
        Ok(groups)
    }
}

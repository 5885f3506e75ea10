//! A release of groups while it is made, and its original: their lines without reading files back.
//!
//! Where every column is a quasi-identifier or sensitive, a line is a record of the cube on one
//! side and a value of a group on the other, with their counts; a column that is carried along by
//! row needs a line per row on both.

use super::binning::Binning;
use super::lines::{LabelProblem, Labels, MarginalLines, Spread};
use mingle_model::{Code, Codes, Column, Cube, Missing, Partition, Published, Role};

impl MarginalLines {
    /// The rows of the original, as a cube of them has them.
    pub fn of_cube(columns: &[&Column], binnings: &[Binning], cube: &Cube) -> MarginalLines {
        let Some(places) = columns
            .iter()
            .map(|c| place_in(cube, c))
            .collect::<Option<Vec<_>>>()
        else {
            return MarginalLines::original(columns, binnings);
        };
        let tuples: Vec<u32> = (0..cube.tuples())
            .flat_map(|t| cube.records_of(t).map(move |_| t as u32))
            .collect();
        let spread = |(place, binning): (&Place, &Binning)| {
            let mut labels = Codes::with_capacity(binning.values_len(), tuples.len());
            match place {
                Place::Quasi(q) => {
                    let codes = &cube.quasi_identifiers()[*q].codes;
                    tuples
                        .iter()
                        .for_each(|&tuple| labels.push(codes.get(tuple as usize)));
                }
                Place::Sensitive(s) => {
                    let codes = &cube.sensitive()[*s].codes;
                    cube.records()
                        .iter()
                        .for_each(|record| labels.push(codes.get(record.sensitive as usize)));
                }
            }
            Spread {
                labels,
                shares: by_value(binning),
                cells: binning.cells(),
            }
        };
        let counts = cube.records().iter().map(|record| record.count).collect();
        MarginalLines::new(counts, places.iter().zip(binnings).map(spread).collect())
    }

    /// A release that was planned from a cube of the original. With `centroids`, numbers need not
    /// occur in the original.
    pub fn of_groups(
        columns: &[&Column],
        binnings: &[Binning],
        (cube, published): (&Cube, &Published),
        missing: &Missing,
        centroids: bool,
    ) -> Result<MarginalLines, LabelProblem> {
        let carried = columns
            .iter()
            .find(|column| place_in(cube, column).is_none());
        let lines = match carried {
            None => by_group(published),
            Some(column) => by_row(cube, published).ok_or_else(|| problem(column))?,
        };
        let spread = |(column, binning): (&&Column, &Binning)| {
            let read = Labels {
                original: column,
                binning,
                missing,
                centroids,
            };
            let (labels, shares) = match place_in(cube, column) {
                Some(Place::Quasi(q)) => {
                    let texts: Vec<&str> = published.columns()[q]
                        .labels
                        .iter()
                        .map(String::as_str)
                        .collect();
                    let labels = lines
                        .iter()
                        .map(|line| published.labels(line.group as usize)[q])
                        .collect();
                    (labels, read.shares(&texts).ok_or_else(|| problem(column))?)
                }
                Some(Place::Sensitive(s)) => {
                    let codes = &published.sensitive()[s].codes;
                    (
                        lines
                            .iter()
                            .map(|line| codes.get(line.combination as usize))
                            .collect(),
                        by_value(binning),
                    )
                }
                None => (
                    lines
                        .iter()
                        .map(|line| column.codes.get(line.row as usize))
                        .collect(),
                    by_value(binning),
                ),
            };
            Ok(Spread {
                labels,
                shares,
                cells: binning.cells(),
            })
        };
        let spreads = columns
            .iter()
            .zip(binnings)
            .map(spread)
            .collect::<Result<_, _>>()?;
        Ok(MarginalLines::new(
            lines.iter().map(|line| line.count).collect(),
            spreads,
        ))
    }
}

/// Where the cube has a column; it has none that is carried along.
enum Place {
    Quasi(usize),
    Sensitive(usize),
}

fn place_in(cube: &Cube, column: &Column) -> Option<Place> {
    let name = &column.spec.name;
    match column.spec.role {
        Role::QuasiIdentifier => cube
            .quasi_identifiers()
            .iter()
            .position(|q| q.name == *name)
            .map(Place::Quasi),
        Role::Sensitive => cube
            .sensitive()
            .iter()
            .position(|s| s.name == *name)
            .map(Place::Sensitive),
        _ => None,
    }
}

/// Published rows that look alike, or a single one.
struct Line {
    group: u32,
    combination: u32,
    row: u32,
    count: u64,
}

fn by_group(published: &Published) -> Vec<Line> {
    let of = |group: usize| {
        let line = move |alike: &[mingle_model::Entry]| Line {
            group: group as u32,
            combination: alike[0].sensitive,
            row: 0,
            count: alike.iter().map(|entry| entry.count).sum(),
        };
        // entries come ordered by combination
        published
            .entries(group)
            .chunk_by(|a, b| a.sensitive == b.sensitive)
            .map(line)
    };
    (0..published.groups()).flat_map(of).collect()
}

/// `None` where the cube does not know its rows.
fn by_row(cube: &Cube, published: &Published) -> Option<Vec<Line>> {
    let line = |(row, &record): (u32, &u32)| {
        let group = published.group_of()[record as usize];
        let combination = cube.records()[record as usize].sensitive;
        (group != Partition::SUPPRESSED).then_some(Line {
            group,
            combination,
            row,
            count: 1,
        })
    };
    Some((0..).zip(cube.record_of_row()?).filter_map(line).collect())
}

/// Each value lies in its cell.
fn by_value(binning: &Binning) -> Vec<Vec<(u32, f64)>> {
    (0..binning.values_len() as Code)
        .map(|code| vec![(binning.cell(code), 1.0)])
        .collect()
}

fn problem(column: &Column) -> LabelProblem {
    LabelProblem {
        column: column.spec.name.clone(),
    }
}

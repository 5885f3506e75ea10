//! What stands below names, once all rows were read.
//!
//! The look at the first records of a CSV file ([`first_line`](super::first_line)) sees most of what
//! is wrong with its first line before any name is used. Names of other formats may have been made
//! from a record as well, by whoever turned a table into them, and are looked at here; so are names
//! that stand as values far below, and headers in the middle of a file, because several were glued
//! together. Cost: a look at some rows of each source, and a comparison with each distinct text of a
//! column.

use super::feed::OpenedSource;
use super::first_line::{FirstLine, FirstLineVerdict, FirstLook};
use super::merge::Runs;
use super::scan::Scan;
use crate::error::Error;
use crate::format::HeaderLine;
use mingle_model::{Missing, Position, RawColumn};

/// All rows that were read.
pub(super) struct RowsBelow<'r> {
    pub(super) columns: &'r [RawColumn],
    /// Which source how many rows come from, in their order.
    pub(super) runs: &'r Runs,
    pub(super) missing: &'r Missing,
}

impl RowsBelow<'_> {
    /// Refuses sources whose first line is among their own records, or whose names are values.
    ///
    /// `names_are_found`: nobody has declared the names, so something must speak for them.
    pub(super) fn check(
        &self,
        sources: &[&dyn Scan],
        opened: &[OpenedSource],
        names_are_found: bool,
    ) -> Result<(), Error> {
        for (at, (source, opened)) in sources.iter().zip(opened).enumerate() {
            if matches!(source.format().header, HeaderLine::Absent(_)) {
                self.refuse_header(at, source.name(), opened)?;
            }
        }
        self.check_among_values(sources, opened)?;
        for (at, (source, opened)) in sources.iter().zip(opened).enumerate() {
            if !matches!(opened.first_line, FirstLine::Looked | FirstLine::Own) {
                continue;
            }
            // names that the format has need nothing else that speaks for them
            let needs_evidence = names_are_found && opened.first_line == FirstLine::Looked;
            let file = source.name().to_owned();
            match self.verdict(at, opened) {
                FirstLineVerdict::Values(columns) => {
                    return Err(Error::HeaderDoubtful { file, columns });
                }
                FirstLineVerdict::Unclear if needs_evidence => {
                    return Err(Error::HeaderUnclear { file });
                }
                FirstLineVerdict::Names | FirstLineVerdict::Unclear => {}
            }
        }
        Ok(())
    }

    /// Refuses a first record that is the header after all: half of its cells are the names.
    fn refuse_header(&self, source: usize, file: &str, opened: &OpenedSource) -> Result<(), Error> {
        let mut first_row = 0;
        for &(of_source, rows) in self.runs {
            if of_source == source && rows > 0 {
                break;
            }
            first_row += rows;
        }
        let (mut cells, mut names) = (0, 0);
        if first_row < self.rows() {
            for (field, cell) in self.cells(first_row, opened) {
                cells += 1;
                names += usize::from(cell.trim().eq_ignore_ascii_case(&opened.names[field]));
            }
        }
        if names > 0 && names * 2 >= cells {
            return Err(Error::HeaderThere {
                file: file.to_owned(),
            });
        }
        Ok(())
    }

    fn rows(&self) -> usize {
        self.runs.iter().map(|(_, rows)| rows).sum()
    }

    /// Looks at the first rows of a source.
    fn verdict(&self, source: usize, opened: &OpenedSource) -> FirstLineVerdict {
        let mut look = FirstLook::new(&opened.names, self.missing);
        let mut first_row = 0;
        for &(of_source, rows) in self.runs {
            if of_source == source {
                for row in first_row..first_row + rows {
                    if !look.wants_more() {
                        return look.verdict();
                    }
                    look.see(self.cells(row, opened));
                }
            }
            first_row += rows;
        }
        look.verdict()
    }

    /// The cells of a row that are kept, with the places of their columns in the source.
    fn cells<'c>(
        &'c self,
        row: usize,
        opened: &'c OpenedSource,
    ) -> impl Iterator<Item = (usize, &'c str)> {
        let fields = opened.layout.fields.iter().enumerate();
        fields.filter_map(move |(field, slot)| {
            let column = &self.columns[(*slot)?];
            // identifiers are not kept
            if column.values.is_empty() {
                return None;
            }
            let text = &column.values[column.ids.get(row) as usize].text;
            Some((field, &**text))
        })
    }

    fn check_among_values(
        &self,
        sources: &[&dyn Scan],
        opened: &[OpenedSource],
    ) -> Result<(), Error> {
        // sources mostly have the same names: each name of a column is looked for once
        let mut known: Vec<(usize, &str, Option<&Position>)> = Vec::new();
        for (source, opened) in sources.iter().zip(opened) {
            if opened.first_line == FirstLine::None {
                continue;
            }
            let mut read = 0;
            let mut below = Vec::new();
            for (field, slot) in opened.layout.fields.iter().enumerate() {
                let Some(slot) = *slot else {
                    continue;
                };
                let column = &self.columns[slot];
                if column.values.is_empty() {
                    continue;
                }
                read += 1;
                let name = opened.names[field].as_str();
                let found = known.iter().find(|(s, n, _)| (*s, *n) == (slot, name));
                let position = match found {
                    Some((_, _, position)) => *position,
                    None => {
                        let position = place_of(column, name);
                        known.push((slot, name, position));
                        position
                    }
                };
                if let Some(position) = position {
                    below.push((field + 1, position));
                }
            }
            refuse(*source, opened.first_line, read, &below)?;
        }
        Ok(())
    }
}

fn place_of<'c>(column: &'c RawColumn, name: &str) -> Option<&'c Position> {
    let values = &column.values;
    let value = values.iter().find(|value| *value.text == *name)?;
    Some(&value.position)
}

/// What names among the values mean: all of them on one line are a header, some are doubtful.
fn refuse(
    source: &dyn Scan,
    first_line: FirstLine,
    read: usize,
    below: &[(usize, &Position)],
) -> Result<(), Error> {
    let Some((_, first)) = below.first() else {
        return Ok(());
    };
    let on_one_line = below.iter().all(|(_, position)| position == first);
    if read > 1 && below.len() == read && on_one_line {
        return Err(Error::HeaderRepeated {
            file: first.file.to_string(),
            line: first.line,
        });
    }
    if first_line == FirstLine::Trusted {
        return Ok(());
    }
    Err(Error::HeaderDoubtful {
        file: source.name().to_owned(),
        columns: below.iter().map(|(number, _)| *number).collect(),
    })
}

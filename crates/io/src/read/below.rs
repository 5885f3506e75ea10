//! Names that stand as values in their own columns, once all rows were read.
//!
//! The look at the first records of a file ([`first_line`](super::first_line)) sees most of them;
//! this one sees the rest, and headers that stand in the middle of a file because several were glued
//! together. Cost: a comparison with each distinct text of a column.

use super::feed::OpenedSource;
use super::first_line::FirstLine;
use super::scan::Scan;
use crate::error::Error;
use mingle_model::{Position, RawColumn};

/// Refuses sources whose first line is among their own records, or whose names are values.
pub(super) fn check_first_lines(
    sources: &[&dyn Scan],
    opened: &[OpenedSource],
    columns: &[RawColumn],
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
            // identifiers are not kept
            if columns[slot].values.is_empty() {
                continue;
            }
            read += 1;
            let name = opened.names[field].as_str();
            let found = known.iter().find(|(s, n, _)| (*s, *n) == (slot, name));
            let position = match found {
                Some((_, _, position)) => *position,
                None => {
                    let position = place_of(&columns[slot], name);
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

//! Hierarchy files: one row per leaf, leaf first, root last, no header (the ARX format).

use super::Source;
use super::open::{Bytes, Content, open, unsupported};
use super::record::{Records, sniff};
use super::record_ends::RecordEnds;
use crate::error::Error;
use crate::limits::Limits;
use mingle_model::hierarchy::HierarchyRows;
use std::path::Path;

/// Bytes of a hierarchy file: a million leaves of 256 bytes.
const LIMIT: usize = 256 << 20;

/// Reads a hierarchy's rows with their lines. Fields are separated by `;`, or by comma or tab if
/// the first line has no `;`. Rows of unequal length are left for the model to refuse.
pub fn read_hierarchy(path: &Path, display: &str) -> Result<HierarchyRows, Error> {
    // `-` is standard input for tables, and a file for everything else
    let source = Source::new(Path::new(".").join(path), display);
    let text = read_all(&source)?;
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = text[..] {
        return Err(unsupported(&source, "UTF-16 text"));
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let first = text
        .split(|&b| b == b'\n')
        .find(|l| !l.is_empty() && *l != b"\r")
        .unwrap_or_default();
    let delimiter = if first.contains(&b';') {
        b';'
    } else {
        sniff(text, b";,\t")
    };
    let mut scanner = RecordEnds::new(delimiter);
    let complete = scanner.scan(text, true);
    if scanner.in_quotes() {
        let line = 1 + memchr::memchr_iter(b'\n', &text[..complete]).count() as u64;
        return Err(Error::UnclosedQuote {
            file: display.to_owned(),
            line,
        });
    }
    let rows = read_rows(Records::new(text, delimiter, 1), display)?;
    if rows.is_empty() {
        Err(Error::EmptyFile {
            file: display.to_owned(),
        })
    } else {
        Ok(HierarchyRows {
            file: display.to_owned(),
            rows,
        })
    }
}

fn read_all(source: &Source) -> Result<Vec<u8>, Error> {
    let (file, content, _) = open(source)?;
    if content == Content::Parquet {
        return Err(unsupported(source, "Parquet"));
    }
    let mut text = Vec::new();
    if Bytes::new(file, content, u64::MAX).append(&mut text, LIMIT + 1, source)? {
        Ok(text)
    } else {
        Err(Error::FileTooLong {
            file: source.display.clone(),
            limit: LIMIT,
        })
    }
}

fn read_rows(mut records: Records<'_>, display: &str) -> Result<Vec<(u64, Vec<String>)>, Error> {
    let limit = Limits::default();
    let file = || display.to_owned();
    let mut rows = Vec::new();
    while let Some(line) = records.next_record() {
        let mut row: Vec<String> = Vec::new();
        loop {
            let (cell, last) = records.field().map_err(|cr| Error::LoneCarriageReturn {
                file: file(),
                line: cr.0,
            })?;
            let column = || format!("level {}", row.len());
            if cell.len() > limit.cell {
                return Err(Error::CellTooLong {
                    file: file(),
                    line,
                    column: column(),
                    limit: limit.cell,
                });
            }
            if row.len() == limit.columns {
                return Err(Error::TooManyColumns {
                    file: file(),
                    limit: limit.columns,
                });
            }
            let text = std::str::from_utf8(cell)
                .map_err(|_| Error::InvalidUtf8 {
                    file: file(),
                    line,
                    column: column(),
                })?
                .to_owned();
            row.push(text);
            if last {
                break;
            }
        }
        rows.push((line, row));
    }
    Ok(rows)
}

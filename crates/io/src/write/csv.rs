//! Rows as CSV: comma, line feed, RFC 4180 quotes, guarded formulas.
//!
//! Each dictionary text is guarded, quoted and joined with its separator once; a row is then a
//! handful of copies.

use super::{OutColumn, OutKind, numbered};
use crate::error::Error;
use crate::guard::guard;
use std::io::Write;

/// Bytes are handed on in pieces of about this size.
const BUFFER: usize = 256 << 10;

pub(super) struct CsvRows<W> {
    out: W,
    columns: Vec<Cells>,
    row: Vec<u8>,
    buffer: Vec<u8>,
}

/// The finished cells of a column, each with the separator behind it.
struct Cells {
    bytes: Vec<u8>,
    /// Cell `c` is `bytes[starts[c]..starts[c + 1]]`.
    starts: Vec<usize>,
    /// Cells are this and their code, and made one by one.
    prefix: Option<String>,
    separator: u8,
}

impl<W: Write> CsvRows<W> {
    pub(super) fn new(out: W, columns: Vec<OutColumn>) -> Result<Self, Error> {
        let last = columns.len().saturating_sub(1);
        let alone = columns.len() == 1;
        let separator = |c: usize| if c == last { b'\n' } else { b',' };
        let mut buffer = Vec::with_capacity(BUFFER);
        for (c, column) in columns.iter().enumerate() {
            push_cell(&mut buffer, &column.name, alone);
            buffer.push(separator(c));
        }
        let columns = columns
            .iter()
            .enumerate()
            .map(|(c, column)| Cells::new(column, separator(c), alone))
            .collect();
        Ok(CsvRows {
            out,
            columns,
            row: Vec::new(),
            buffer,
        })
    }

    pub(super) fn row(&mut self, codes: &[u32], count: u64) -> Result<(), Error> {
        self.row.clear();
        for (column, &code) in self.columns.iter().zip(codes) {
            match &column.prefix {
                None => self.row.extend_from_slice(column.cell(code as usize)),
                Some(prefix) => {
                    push_cell(&mut self.row, &numbered(prefix, code), false);
                    self.row.push(column.separator);
                }
            }
        }
        for _ in 0..count {
            self.buffer.extend_from_slice(&self.row);
            if self.buffer.len() >= BUFFER {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.out.write_all(&self.buffer).map_err(Error::Write)?;
        self.buffer.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<W, Error> {
        self.flush()?;
        self.out.flush().map_err(Error::Write)?;
        Ok(self.out)
    }
}

impl Cells {
    fn new(column: &OutColumn, separator: u8, alone: bool) -> Self {
        let prefix = (column.kind == OutKind::Numbered).then(|| column.texts[0].clone());
        let mut cells = Cells {
            bytes: Vec::new(),
            starts: vec![0],
            prefix,
            separator,
        };
        for text in &column.texts {
            push_cell(&mut cells.bytes, text, alone);
            cells.bytes.push(separator);
            cells.starts.push(cells.bytes.len());
        }
        cells
    }

    fn cell(&self, code: usize) -> &[u8] {
        &self.bytes[self.starts[code]..self.starts[code + 1]]
    }
}

/// Guards and quotes. An empty cell that is `alone` in its row is quoted, or the row would be a
/// blank line; a cell that starts with U+FEFF is, or it would be taken for a byte order mark.
fn push_cell(to: &mut Vec<u8>, text: &str, alone: bool) {
    let text = guard(text);
    let quote = text.contains(['"', ',', '\n', '\r'])
        || text.starts_with('\u{feff}')
        || (alone && text.is_empty());
    if !quote {
        to.extend_from_slice(text.as_bytes());
        return;
    }
    to.push(b'"');
    for (i, part) in text.split('"').enumerate() {
        if i > 0 {
            to.extend_from_slice(b"\"\"");
        }
        to.extend_from_slice(part.as_bytes());
    }
    to.push(b'"');
}

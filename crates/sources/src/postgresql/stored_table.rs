//! A table of a release as lines for `COPY … FROM STDIN`, in its text format.

use super::rows::RowsDigest;
use crate::stored::StoredSide;
use mingle_io::{Error, FileHash, FormulaGuard, ReadOptions, Source, read_raw};
use mingle_model::{Codes, Missing};
use std::path::Path;

/// A table of a release: texts, each once, and for each row which of them it has.
pub(super) struct StoredTable {
    pub(super) side: StoredSide,
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: usize,
    /// Per column its texts, as they stand in a line, and its rows.
    cells: Vec<(Vec<Vec<u8>>, Codes)>,
}

impl StoredTable {
    /// A file of a release; `None` if it is no table.
    pub(super) fn read(side: StoredSide, path: &Path) -> Result<Option<StoredTable>, Error> {
        let ending = path.extension().unwrap_or_default();
        if ending != "csv" && ending != "parquet" {
            return Ok(None);
        }
        let shown = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let source = Source::of_release(path, shown);
        let options = ReadOptions {
            // a database runs no formulas
            unguard: FormulaGuard::Parts,
            missing: Missing::default(),
            ..ReadOptions::default()
        };
        let raw = read_raw(&[source], &options)?;
        let mut columns = Vec::with_capacity(raw.columns.len());
        let mut cells = Vec::with_capacity(raw.columns.len());
        for (name, column) in raw.columns {
            let mut texts = Vec::with_capacity(column.values.len());
            for value in &column.values {
                let mut text = Vec::with_capacity(value.text.len());
                escape(&value.text, &mut text);
                texts.push(text);
            }
            columns.push(name);
            cells.push((texts, column.ids));
        }
        let stem = path.file_stem().unwrap_or_default();
        Ok(Some(StoredTable {
            side,
            name: stem.to_string_lossy().into_owned(),
            columns,
            rows: raw.rows as usize,
            cells,
        }))
    }

    /// Adds a row with its end of line.
    pub(super) fn line(&self, row: usize, line: &mut Vec<u8>) {
        for (place, (texts, ids)) in self.cells.iter().enumerate() {
            if place > 0 {
                line.push(b'\t');
            }
            line.extend_from_slice(&texts[ids.get(row) as usize]);
        }
        line.push(b'\n');
    }

    /// The digest of its rows, as of a table in a database.
    pub(super) fn digest(&self) -> FileHash {
        let mut digest = RowsDigest::of_names(self.columns.iter().map(String::as_str));
        let mut line = Vec::new();
        for row in 0..self.rows {
            line.clear();
            self.line(row, &mut line);
            line.pop();
            digest.add(&line);
        }
        digest.finish()
    }
}

/// A text as `COPY` writes and reads it.
pub(super) fn escape(text: &str, line: &mut Vec<u8>) {
    for &byte in text.as_bytes() {
        let letter = match byte {
            8 => b'b',
            12 => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            11 => b'v',
            b'\\' => b'\\',
            other => {
                line.push(other);
                continue;
            }
        };
        line.extend_from_slice(&[b'\\', letter]);
    }
}

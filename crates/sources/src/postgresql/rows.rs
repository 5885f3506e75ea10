//! Rows of `COPY … TO STDOUT` in its text format, as Arrow texts.
//!
//! A line is a row, a tab separates its cells, `\N` is a null, and a backslash takes the next
//! character as it is or as a control character (PostgreSQL's manual, COPY, "Text Format"). Cells
//! are the texts that `COPY … TO … (FORMAT csv)` would write, so that a table and its export are
//! the same.
//!
//! The digest is one of a multiset: a server gives the rows of a table in any order, and the same
//! rows shall have the same digest. It is the SHA-256 of the columns' names, the number of rows and
//! the sum of the SHA-256 of all rows, modulo 2^256. It shows that something else was read; it is
//! not made to withstand somebody who searches for rows with the same sum.

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use mingle_io::{DatabaseFlaw, FileHash};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Turns lines into rows.
pub(super) struct RowDecoder {
    schema: SchemaRef,
    /// A number behind each row, where the server has counted it.
    counts: Option<Vec<u64>>,
    digest: RowsDigest,
}

impl RowDecoder {
    pub(super) fn new(schema: SchemaRef, counted: bool) -> RowDecoder {
        let digest = RowsDigest::new(&schema);
        RowDecoder {
            schema,
            counts: counted.then(Vec::new),
            digest,
        }
    }

    /// The rows of a piece of complete lines.
    pub(super) fn decode(&mut self, piece: &[u8]) -> Result<RecordBatch, DatabaseFlaw> {
        let columns = self.schema.fields().len();
        let lines = memchr::memchr_iter(b'\n', piece).count();
        let mut builders = Vec::with_capacity(columns);
        for _ in 0..columns {
            let bytes = piece.len() / columns.max(1);
            builders.push(StringBuilder::with_capacity(lines, bytes));
        }
        let mut unescaped = Vec::new();
        let mut rest = piece;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).ok_or(DatabaseFlaw::NotARow)?;
            let (line, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            self.digest.add(line);
            let mut cells = line.split(|byte| *byte == b'\t');
            for builder in &mut builders {
                let cell = cells.next().ok_or(DatabaseFlaw::NotARow)?;
                if cell == b"\\N" {
                    builder.append_null();
                    continue;
                }
                let cell = if memchr::memchr(b'\\', cell).is_some() {
                    unescape(cell, &mut unescaped)?;
                    &unescaped
                } else {
                    cell
                };
                let text = std::str::from_utf8(cell).map_err(|_| DatabaseFlaw::NotARow)?;
                builder.append_value(text);
            }
            if let Some(counts) = &mut self.counts {
                let cell = cells.next().ok_or(DatabaseFlaw::NotARow)?;
                let count = std::str::from_utf8(cell)
                    .ok()
                    .and_then(|text| text.parse().ok());
                counts.push(count.ok_or(DatabaseFlaw::NotARow)?);
            }
            // a table without columns has one empty cell
            if cells.next().is_some() && columns > 0 {
                return Err(DatabaseFlaw::NotARow);
            }
        }
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns);
        for mut builder in builders {
            arrays.push(Arc::new(builder.finish()));
        }
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(lines));
        RecordBatch::try_new_with_options(self.schema.clone(), arrays, &options)
            .map_err(|_| DatabaseFlaw::NotARow)
    }

    /// What was counted, and the digest of all that was read.
    pub(super) fn finish(self) -> (Vec<u64>, FileHash) {
        (self.counts.unwrap_or_default(), self.digest.finish())
    }
}

fn unescape(cell: &[u8], text: &mut Vec<u8>) -> Result<(), DatabaseFlaw> {
    text.clear();
    let mut bytes = cell.iter();
    while let Some(&byte) = bytes.next() {
        if byte != b'\\' {
            text.push(byte);
            continue;
        }
        text.push(match bytes.next() {
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'v') => 11,
            Some(b'\\') => b'\\',
            // others are never written
            _ => return Err(DatabaseFlaw::NotARow),
        });
    }
    Ok(())
}

/// A sum of hashes.
pub(super) struct RowsDigest {
    names: Sha256,
    /// Least significant first.
    sum: [u64; 4],
    rows: u64,
    bytes: u64,
}

impl RowsDigest {
    fn new(schema: &SchemaRef) -> RowsDigest {
        RowsDigest::of_names(schema.fields().iter().map(|field| field.name().as_str()))
    }

    /// Of no rows yet.
    pub(super) fn of_names<'n>(columns: impl Iterator<Item = &'n str>) -> RowsDigest {
        let mut names = Sha256::new();
        for name in columns {
            names.update((name.len() as u64).to_le_bytes());
            names.update(name.as_bytes());
        }
        RowsDigest {
            names,
            sum: [0; 4],
            rows: 0,
            bytes: 0,
        }
    }

    /// A line without its end.
    pub(super) fn add(&mut self, line: &[u8]) {
        let hash = Sha256::digest(line);
        let mut carry = false;
        for (limb, bytes) in self.sum.iter_mut().zip(hash.chunks_exact(8)) {
            let bytes = bytes.try_into().expect("a chunk has eight bytes");
            let (sum, over) = limb.overflowing_add(u64::from_le_bytes(bytes));
            let (sum, over_by_carry) = sum.overflowing_add(u64::from(carry));
            *limb = sum;
            carry = over | over_by_carry;
        }
        self.rows += 1;
        self.bytes += line.len() as u64 + 1;
    }

    pub(super) fn finish(mut self) -> FileHash {
        self.names.update(self.rows.to_le_bytes());
        for limb in self.sum {
            self.names.update(limb.to_le_bytes());
        }
        let mut sha256 = String::with_capacity(64);
        for byte in self.names.finalize() {
            sha256.push_str(&format!("{byte:02x}"));
        }
        FileHash {
            sha256,
            bytes: self.bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_schema::{DataType, Field, Schema};

    fn schema(names: &[&str]) -> SchemaRef {
        let field = |name: &&str| Field::new(*name, DataType::Utf8, true);
        Arc::new(Schema::new(names.iter().map(field).collect::<Vec<_>>()))
    }

    #[test]
    fn cells_are_what_the_manual_says() {
        let mut decoder = RowDecoder::new(schema(&["a", "b"]), true);
        let rows = decoder
            .decode(b"x\\ty\\\\N\t\\N\t3\n\t\\n\\b\\f\\v\\r\t1\n")
            .unwrap();
        let a = rows.column(0).as_string::<i32>();
        let b = rows.column(1).as_string::<i32>();
        assert_eq!(a.value(0), "x\ty\\N");
        assert!(b.is_null(0));
        assert_eq!(a.value(1), "");
        assert!(!a.is_null(1));
        assert_eq!(b.value(1), "\n\u{8}\u{c}\u{b}\r");
        assert_eq!(decoder.finish().0, [3, 1]);
    }

    #[test]
    fn what_is_no_row_is_refused() {
        for wrong in [
            &b"a\n"[..],
            b"a\tb\tc\n",
            b"a\tb",
            b"a\t\\\n",
            b"a\t\\x41\n",
            b"a\t\xff\n",
        ] {
            let mut decoder = RowDecoder::new(schema(&["a", "b"]), false);
            assert!(decoder.decode(wrong).is_err());
        }
        let mut decoder = RowDecoder::new(schema(&["a"]), true);
        assert!(decoder.decode(b"a\t-1\n").is_err());
    }

    #[test]
    fn the_digest_depends_on_rows_and_names_and_not_on_their_order() {
        let digest = |names: &[&str], pieces: &[&[u8]]| {
            let mut decoder = RowDecoder::new(schema(names), false);
            for piece in pieces {
                decoder.decode(piece).unwrap();
            }
            decoder.finish().1.sha256
        };
        let one = digest(&["a"], &[b"1\n2\n2\n"]);
        assert_eq!(one, digest(&["a"], &[b"2\n", b"1\n2\n"]));
        for other in [
            digest(&["a"], &[b"1\n2\n"]),
            digest(&["a"], &[b"1\n1\n2\n"]),
            digest(&["b"], &[b"1\n2\n2\n"]),
            digest(&["a"], &[b"1\n2\n3\n"]),
        ] {
            assert_ne!(one, other);
        }
    }
}

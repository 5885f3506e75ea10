//! Fields of CSV records in a block of complete records.
//!
//! RFC 4180 with the leniency everyone expects: any one-byte delimiter, LF or CRLF, blank lines
//! skipped (also the last ones), quotes inside an unquoted field kept as they are, text behind a
//! closing quote appended. A carriage return that neither is quoted nor stands before a line feed
//! is refused, because readers disagree about it.

use memchr::{memchr, memchr_iter};

/// Reads records field by field.
pub(super) struct Records<'a> {
    block: &'a [u8],
    delimiter: u8,
    at: usize,
    line: u64,
    /// The field at hand, when it is not a slice of the block.
    scratch: Vec<u8>,
}

/// A carriage return where none belongs, on this line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LoneCarriageReturn(pub(super) u64);

impl<'a> Records<'a> {
    /// A block that starts with a record on this line.
    pub(super) fn new(block: &'a [u8], delimiter: u8, line: u64) -> Self {
        Records {
            block,
            delimiter,
            at: 0,
            line,
            scratch: Vec::new(),
        }
    }

    /// Moves to the next record that is not blank; returns its line.
    #[inline]
    pub(super) fn next_record(&mut self) -> Option<u64> {
        loop {
            self.at += match &self.block[self.at..] {
                [] => return None,
                [b'\n', ..] => 1,
                [b'\r', b'\n', ..] => 2,
                [b'\r'] => 1,
                _ => return Some(self.line),
            };
            self.line += 1;
        }
    }

    /// The next field of the record, and whether it is the last.
    #[inline]
    pub(super) fn field(&mut self) -> Result<(&[u8], bool), LoneCarriageReturn> {
        if self.block.get(self.at) == Some(&b'"') {
            return self.quoted();
        }
        let start = self.at;
        let (end, last) = self.unquoted()?;
        Ok((&self.block[start..end], last))
    }

    /// Moves behind an unquoted field and its separator; returns where it ends.
    #[inline]
    fn unquoted(&mut self) -> Result<(usize, bool), LoneCarriageReturn> {
        let block = self.block;
        let mut i = self.at;
        loop {
            let Some(&byte) = block.get(i) else {
                self.at = i;
                return Ok((i, true));
            };
            if byte == self.delimiter {
                self.at = i + 1;
                return Ok((i, false));
            }
            if byte == b'\n' {
                self.at = i + 1;
                self.line += 1;
                return Ok((i, true));
            }
            if byte == b'\r' {
                if !matches!(block.get(i + 1), None | Some(b'\n')) {
                    return Err(LoneCarriageReturn(self.line));
                }
                self.at = (i + 2).min(block.len());
                self.line += 1;
                return Ok((i, true));
            }
            i += 1;
        }
    }

    #[cold]
    #[inline(never)]
    fn quoted(&mut self) -> Result<(&[u8], bool), LoneCarriageReturn> {
        self.scratch.clear();
        self.at += 1;
        loop {
            let rest = &self.block[self.at..];
            let close = memchr(b'"', rest).unwrap_or(rest.len());
            self.scratch.extend_from_slice(&rest[..close]);
            self.line += memchr_iter(b'\n', &rest[..close]).count() as u64;
            self.at += close + 1;
            if self.block.get(self.at) != Some(&b'"') {
                break;
            }
            self.scratch.push(b'"');
            self.at += 1;
        }
        self.at = self.at.min(self.block.len());
        let start = self.at;
        let (end, last) = self.unquoted()?;
        self.scratch.extend_from_slice(&self.block[start..end]);
        Ok((&self.scratch, last))
    }

    /// Bytes read so far.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// The line of the next byte.
    pub(super) fn line(&self) -> u64 {
        self.line
    }
}

/// The delimiter that occurs most often in the first line that is not blank, outside quotes; the
/// first given if none.
pub(super) fn sniff(start: &[u8], candidates: &[u8]) -> u8 {
    let blank = start
        .iter()
        .take_while(|b| matches!(b, b'\n' | b'\r'))
        .count();
    let mut in_quotes = false;
    let mut seen = vec![0usize; candidates.len()];
    for &byte in &start[blank..] {
        match byte {
            b'"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            b'\n' => break,
            _ => seen
                .iter_mut()
                .zip(candidates)
                .for_each(|(n, &c)| *n += usize::from(c == byte)),
        }
    }
    let most = seen.iter().copied().max().unwrap_or(0);
    let first = seen.iter().position(|&n| n == most).unwrap_or(0);
    candidates[first]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Row = (u64, Vec<Vec<u8>>);

    fn rows(text: &[u8]) -> Result<Vec<Row>, LoneCarriageReturn> {
        let mut records = Records::new(text, b',', 1);
        let mut rows = Vec::new();
        while let Some(line) = records.next_record() {
            let mut row = Vec::new();
            loop {
                let (field, last) = records.field()?;
                row.push(field.to_vec());
                if last {
                    break;
                }
            }
            rows.push((line, row));
        }
        Ok(rows)
    }

    fn reference(text: &[u8]) -> Vec<Row> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text);
        let record = |r: csv::ByteRecord| {
            (
                r.position().unwrap().line(),
                r.iter().map(<[u8]>::to_vec).collect(),
            )
        };
        reader.byte_records().map(|r| record(r.unwrap())).collect()
    }

    #[test]
    fn a_carriage_return_alone_is_refused() {
        assert_eq!(rows(b"a,b\nc\rd,e\n"), Err(LoneCarriageReturn(2)));
        assert_eq!(rows(b"a\r\r\nb"), Err(LoneCarriageReturn(1)));
        assert_eq!(rows(b"a\r\nb\r\n").unwrap().len(), 2);
        assert_eq!(rows(b"a\r").unwrap(), [(1, vec![b"a".to_vec()])]);
    }

    #[test]
    fn delimiters_are_found_in_the_header() {
        let all = b",;\t|";
        for (text, found) in [
            ("a;b;c,d\n", b';'),
            ("a\tb\n,,,,", b'\t'),
            ("a|b|c", b'|'),
            ("alone\na;b", b','),
            ("\"a;b;c\",d\n", b','),
            ("\r\n\na;b\n", b';'),
            ("", b','),
        ] {
            assert_eq!(sniff(text.as_bytes(), all), found, "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn reads_what_the_csv_crate_reads(pieces in proptest::collection::vec(
            proptest::sample::select(vec!["a", ",", "\"", "\n", "\r\n", "\"\"", "ß", " ", "\"a\nb\"", "1"]), 0..24)
        ) {
            let text = pieces.concat().into_bytes();
            // the csv crate starts a record behind CR already, so its line of a record behind blank
            // lines may differ
            let (mine, theirs) = (rows(&text).unwrap(), reference(&text));
            let fields = |rows: &[Row]| rows.iter().map(|r| r.1.clone()).collect::<Vec<_>>();
            prop_assert_eq!(fields(&mine), fields(&theirs));
        }
    }
}

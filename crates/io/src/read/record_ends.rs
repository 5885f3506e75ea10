//! Where CSV records end, without looking at cells.
//!
//! A quote opens a quoted field only as the first byte of a field; elsewhere it is an ordinary
//! character. Inside a quoted field two quotes are one and a single one closes. This is what
//! [`Records`](super::record::Records) reads, so blocks can be cut here and parsed there. Cost: a
//! search for quotes, and one for line feeds between them.

use memchr::{memchr, memrchr};

/// Follows quotes through a buffer that starts at the start of a record and grows at its end.
pub(super) struct RecordEnds {
    delimiter: u8,
    /// Bytes looked at.
    at: usize,
    in_quotes: bool,
    /// Behind the last line feed outside quotes.
    end: usize,
}

impl RecordEnds {
    pub(super) fn new(delimiter: u8) -> Self {
        RecordEnds {
            delimiter,
            at: 0,
            in_quotes: false,
            end: 0,
        }
    }

    /// Looks at what was added; returns the length of all complete records. `last`: nothing will
    /// follow.
    pub(super) fn scan(&mut self, buffer: &[u8], last: bool) -> usize {
        loop {
            let quote = memchr(b'"', &buffer[self.at..]).map(|i| self.at + i);
            let until = quote.unwrap_or(buffer.len());
            if !self.in_quotes {
                let line_feed = memrchr(b'\n', &buffer[self.at..until]);
                self.end = line_feed.map_or(self.end, |i| self.at + i + 1);
            }
            self.at = until;
            let Some(quote) = quote else { return self.end };
            let next = buffer.get(quote + 1);
            if !self.in_quotes {
                self.in_quotes = self.starts_field(buffer, quote);
            } else if next == Some(&b'"') {
                self.at += 1;
            } else if next.is_none() && !last {
                return self.end;
            } else {
                self.in_quotes = false;
            }
            self.at += 1;
        }
    }

    fn starts_field(&self, buffer: &[u8], at: usize) -> bool {
        at == 0 || buffer[at - 1] == b'\n' || buffer[at - 1] == self.delimiter
    }

    /// Whether the bytes seen so far end inside a quoted field.
    pub(super) fn in_quotes(&self) -> bool {
        self.in_quotes
    }

    /// The first `length` bytes were taken out of the buffer.
    pub(super) fn taken(&mut self, length: usize) {
        self.at -= length;
        self.end -= length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> usize {
        RecordEnds::new(b',').scan(text.as_bytes(), true)
    }

    #[test]
    fn line_feeds_inside_quotes_end_nothing() {
        for (text, end) in [
            ("", 0),
            ("a", 0),
            ("a\n", 2),
            ("a\nb", 2),
            ("\"a\nb\"\nc", 6),
            ("\"a\"\"\nb\"\n", 8),
            ("a\n\"b\nc", 2),
            ("x\"y\nz\"\n", 7),
            ("x,\"y\nz\"\nw", 8),
            ("\"a\"b\"\nc\n", 8),
            ("\"\"\n", 3),
            ("\"\"\"\n\"\n", 6),
        ] {
            assert_eq!(ends(text), end, "{text:?}");
        }
    }

    #[test]
    fn the_pieces_in_which_bytes_come_do_not_matter() {
        let text = b"a,\"b\"\"\n\"\n\"\"\"\",\"\n\"\nx\"\n,\"\"\n";
        let all = RecordEnds::new(b',').scan(text, true);
        for cut in 0..text.len() {
            let mut scanner = RecordEnds::new(b',');
            let done = scanner.scan(&text[..cut], false);
            scanner.taken(done);
            assert_eq!(
                done + scanner.scan(&text[done..], true),
                all,
                "cut at {cut}"
            );
            assert!(!scanner.in_quotes());
        }
    }
}

//! JSON Lines: an object per line, plain or gzip, cut into blocks of complete lines.
//!
//! Keys are names of columns, in any order; a key that is not there and `null` mean that the value
//! is missing. The names are those of the first lines. A key that comes later is refused: names are
//! shown and published, so they are looked at before anything else, and a file whose keys are
//! people must not get new columns row by row.

use super::first_line::{FirstLine, check_names, refuse_names_given};
use super::json_object::{JsonCell, Refusal, TakeFields, read_object};
use super::open::{TextBytes, TextStart};
use super::scan::{Batch, BatchContent, Pass};
use super::{FileStamp, ReadOptions, Source};
use crate::error::{Error, JsonFlaw};
use crate::format::HeaderLine;
use crate::hash::FileHash;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use memchr::{memchr, memchr_iter, memrchr};
use std::collections::HashMap;
use std::sync::Arc;

/// Lines whose keys are the columns.
pub(super) const SAMPLE_LINES: usize = 1_000;

/// Complete lines.
pub(super) struct JsonBlock {
    pub(super) bytes: Vec<u8>,
    /// The number of the first line.
    pub(super) line: u64,
    pub(super) keys: Arc<JsonKeys>,
}

/// The keys that are columns.
pub(super) struct JsonKeys {
    pub(super) names: Vec<String>,
    places: HashMap<String, usize, ahash::RandomState>,
}

impl JsonKeys {
    /// Where a key is among the names; `guess` is where it probably is.
    pub(super) fn place(&self, key: &str, guess: usize) -> Option<usize> {
        // objects of one writer mostly have the same keys in the same order
        if self.names.get(guess).is_some_and(|name| name == key) {
            return Some(guess);
        }
        self.places.get(key).copied()
    }
}

/// The lines of a block that are not blank, with their numbers.
pub(super) struct Lines<'b> {
    all: &'b [u8],
    /// Where the next line starts.
    at: usize,
    next: u64,
}

impl<'b> Lines<'b> {
    pub(super) fn new(bytes: &'b [u8], first: u64) -> Self {
        Lines {
            all: bytes,
            at: 0,
            next: first,
        }
    }
}

impl<'b> Iterator for Lines<'b> {
    type Item = (u64, &'b [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = &self.all[self.at..];
            if rest.is_empty() {
                return None;
            }
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..end];
            self.at = (self.at + end + 1).min(self.all.len());
            self.next += 1;
            if !line.trim_ascii().is_empty() {
                return Some((self.next - 1, line));
            }
        }
    }
}

/// A file of JSON Lines, read block by block.
pub(super) struct JsonPass<'s> {
    source: &'s Source,
    options: &'s ReadOptions<'s>,
    keys: Arc<JsonKeys>,
    bytes: TextBytes,
    /// Read and not handed out; starts at the start of a line.
    buffer: Vec<u8>,
    at_end: bool,
    /// The number of the buffer's first line.
    line: u64,
    spare: Vec<u8>,
    hash: Option<FileHash>,
    bytes_in_all: u64,
    stamp: Option<FileStamp>,
}

/// Whether a text starts like JSON Lines: with an object that has a key, or none.
pub(super) fn looks_like_json(start: &[u8]) -> bool {
    let Some(inside) = start.trim_ascii_start().strip_prefix(b"{") else {
        return false;
    };
    matches!(inside.trim_ascii_start().first(), Some(b'"' | b'}'))
}

impl<'s> JsonPass<'s> {
    /// Reads the first lines for their keys.
    pub(super) fn open(
        start: TextStart,
        stamp: Option<FileStamp>,
        source: &'s Source,
        options: &'s ReadOptions<'s>,
    ) -> Result<Self, Error> {
        refuse_names_given(source, "JSON Lines")?;
        let no_keys = JsonKeys {
            names: Vec::new(),
            places: HashMap::default(),
        };
        let mut pass = JsonPass {
            source,
            options,
            keys: Arc::new(no_keys),
            bytes: start.bytes,
            buffer: start.buffer,
            at_end: start.at_end,
            line: 1,
            spare: Vec::new(),
            hash: None,
            bytes_in_all: 0,
            stamp,
        };
        pass.keys = Arc::new(pass.read_keys()?);
        Ok(pass)
    }

    /// The keys of the first lines: as many as start within the bytes that one record may have, and
    /// not more than a number that does not depend on how the file is cut into blocks.
    fn read_keys(&mut self) -> Result<JsonKeys, Error> {
        let limit = self.options.limits.record;
        while !self.at_end
            && self.complete()? <= limit
            && Lines::new(&self.buffer, 1).count() <= SAMPLE_LINES
        {
            self.read_more()?;
        }
        let mut sample = Sample {
            keys: JsonKeys {
                names: Vec::new(),
                places: HashMap::default(),
            },
            limit: self.options.limits.columns,
            in_line: 0,
        };
        let mut widest = 0;
        let mut lines = Lines::new(&self.buffer[..self.complete()?], self.line);
        for _ in 0..SAMPLE_LINES {
            if lines.at > limit {
                break;
            }
            let Some((number, line)) = lines.next() else {
                break;
            };
            sample.in_line = 0;
            let flawed = |flaw| Error::JsonLine {
                file: self.source.display.clone(),
                line: number,
                flaw,
            };
            let text = std::str::from_utf8(line).map_err(|_| flawed(JsonFlaw::NotUtf8))?;
            read_object(text, &mut sample).map_err(|refusal| match refusal {
                Refusal::NotAnObject => flawed(JsonFlaw::NotAnObject),
                Refusal::ByTaker(TooManyKeys) => Error::TooManyColumns {
                    file: self.source.display.clone(),
                    limit: self.options.limits.columns,
                },
            })?;
            widest = widest.max(sample.in_line);
        }
        let keys = sample.keys;
        if keys.names.is_empty() {
            return Err(Error::EmptyFile {
                file: self.source.display.clone(),
            });
        }
        // lines of a table have most keys in common
        if keys.names.len() > 2 * widest {
            return Err(Error::KeysAreValues {
                file: self.source.display.clone(),
                lines: SAMPLE_LINES,
            });
        }
        // keys may have been made from a first line that was a record
        if self.source.format.header == HeaderLine::Looked {
            check_names(&self.source.display, &keys.names, &self.options.missing)?;
        }
        Ok(keys)
    }

    fn read_more(&mut self) -> Result<(), Error> {
        let wanted = self.options.block.max(1);
        self.at_end = self.bytes.append(&mut self.buffer, wanted, self.source)?;
        Ok(())
    }

    /// How many bytes of the buffer are complete lines.
    fn complete(&self) -> Result<usize, Error> {
        if self.at_end {
            return Ok(self.buffer.len());
        }
        let complete = memrchr(b'\n', &self.buffer).map_or(0, |end| end + 1);
        if self.buffer.len() - complete > self.options.limits.record {
            let line = self.line + lines(&self.buffer[..complete]);
            return Err(Error::RecordTooLong {
                file: self.source.display.clone(),
                line,
                limit: self.options.limits.record,
            });
        }
        Ok(complete)
    }
}

impl Pass for JsonPass<'_> {
    fn schema(&self) -> SchemaRef {
        let mut fields = Vec::with_capacity(self.keys.names.len());
        for name in &self.keys.names {
            fields.push(Field::new(name, DataType::Utf8, true));
        }
        Arc::new(Schema::new(fields))
    }

    fn first_line(&self) -> FirstLine {
        FirstLine::of_names(&self.source.format.header)
    }

    fn stamp(&self) -> Option<FileStamp> {
        self.stamp.clone()
    }

    /// Every key has to be looked at to find the next.
    fn project(&mut self, _wanted: &[bool]) -> Result<(), Error> {
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Batch>, Error> {
        let mut complete = self.complete()?;
        while !self.at_end && (complete == 0 || self.buffer.len() < self.options.block) {
            self.read_more()?;
            complete = self.complete()?;
        }
        if complete == 0 {
            if self.hash.is_none() {
                let hash = self.bytes.take_hasher().finish();
                self.bytes_in_all = hash.bytes;
                self.hash = Some(hash);
            }
            return Ok(None);
        }
        let line = self.line;
        self.line += lines(&self.buffer[..complete]);
        let mut rest = std::mem::take(&mut self.spare);
        rest.extend_from_slice(&self.buffer[complete..]);
        let mut bytes = std::mem::replace(&mut self.buffer, rest);
        bytes.truncate(complete);
        Ok(Some(Batch(BatchContent::Json(JsonBlock {
            bytes,
            line,
            keys: self.keys.clone(),
        }))))
    }

    fn bytes_read(&mut self) -> u64 {
        if self.hash.is_some() {
            self.bytes_in_all
        } else {
            self.bytes.read()
        }
    }

    fn hash(&mut self) -> Option<FileHash> {
        self.hash.clone()
    }

    fn recycle(&mut self, mut block: Vec<u8>) {
        block.clear();
        self.spare = block;
    }
}

fn lines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

/// Gathers keys in the order in which they are met.
struct Sample {
    keys: JsonKeys,
    limit: usize,
    /// How many keys the line has.
    in_line: usize,
}

struct TooManyKeys;

impl TakeFields for Sample {
    type Flaw = TooManyKeys;

    fn key(&mut self, key: &str) -> Result<bool, TooManyKeys> {
        if self.keys.place(key, self.in_line).is_none() {
            if self.keys.names.len() == self.limit {
                return Err(TooManyKeys);
            }
            self.keys
                .places
                .insert(key.to_owned(), self.keys.names.len());
            self.keys.names.push(key.to_owned());
        }
        self.in_line += 1;
        Ok(false)
    }

    fn value(&mut self, _value: JsonCell<'_>) -> Result<(), TooManyKeys> {
        Ok(())
    }
}

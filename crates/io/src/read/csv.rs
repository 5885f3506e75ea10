//! CSV files, plain or gzip, cut into blocks of complete records.

use super::first_line::{FirstLine, FirstLineVerdict, FirstLook};
use super::header::read_names;
use super::open::{TextBytes, TextStart};
use super::record::{Records, sniff};
use super::record_ends::RecordEnds;
use super::scan::{Batch, BatchContent, Pass};
use super::{FileStamp, ReadOptions, Source};
use crate::error::Error;
use crate::format::HeaderLine;
use crate::hash::FileHash;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use memchr::memchr_iter;
use std::sync::Arc;

/// What is looked for in a header when no delimiter is given.
const DELIMITERS: &[u8] = b",;\t|";

/// Complete CSV records.
pub(super) struct CsvBlock {
    pub(super) bytes: Vec<u8>,
    /// The line of the first record.
    pub(super) line: u64,
    pub(super) delimiter: u8,
}

/// A CSV file, read block by block.
pub(super) struct CsvPass<'s> {
    source: &'s Source,
    options: &'s ReadOptions<'s>,
    schema: SchemaRef,
    bytes: TextBytes,
    /// Read and not handed out; starts at the start of a record.
    buffer: Vec<u8>,
    /// Complete records at the start of `buffer`.
    complete: usize,
    at_end: bool,
    scanner: RecordEnds,
    delimiter: u8,
    /// The line of the buffer's first byte.
    line: u64,
    /// The memory of a block that is no longer needed.
    spare: Vec<u8>,
    hash: Option<FileHash>,
    /// All bytes of the file, once its hash was taken.
    bytes_in_all: u64,
    stamp: Option<FileStamp>,
}

impl Pass for CsvPass<'_> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Every field has to be looked at to find the next, so nothing is saved by leaving some out.
    fn project(&mut self, _wanted: &[bool]) -> Result<(), Error> {
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Batch>, Error> {
        if !self.fill()? {
            if self.hash.is_none() {
                let hash = self.bytes.take_hasher().finish();
                self.bytes_in_all = hash.bytes;
                self.hash = Some(hash);
            }
            return Ok(None);
        }
        let line = self.line;
        let bytes = self.take_block();
        Ok(Some(Batch(BatchContent::Csv(CsvBlock {
            bytes,
            line,
            delimiter: self.delimiter,
        }))))
    }

    fn first_line(&self) -> FirstLine {
        FirstLine::of_text(&self.source.format.header)
    }

    fn stamp(&self) -> Option<FileStamp> {
        self.stamp.clone()
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

impl<'s> CsvPass<'s> {
    /// Opens a file and reads its header.
    pub(super) fn open(
        start: TextStart,
        stamp: Option<FileStamp>,
        source: &'s Source,
        options: &'s ReadOptions<'s>,
    ) -> Result<Self, Error> {
        let TextStart {
            bytes,
            buffer,
            at_end,
        } = start;
        let delimiter = source
            .format
            .delimiter
            .unwrap_or_else(|| sniff(&buffer, DELIMITERS));
        let mut pass = CsvPass {
            source,
            options,
            schema: Arc::new(Schema::empty()),
            bytes,
            buffer,
            complete: 0,
            at_end,
            scanner: RecordEnds::new(delimiter),
            delimiter,
            line: 1,
            spare: Vec::new(),
            hash: None,
            bytes_in_all: 0,
            stamp,
        };
        let names = match &source.format.header {
            HeaderLine::Absent(names) => {
                pass.check_width(names)?;
                names.clone()
            }
            HeaderLine::Trusted => pass.read_header()?,
            HeaderLine::Looked => {
                let names = pass.read_header()?;
                pass.look_at_header(&names)?;
                names
            }
        };
        let fields: Vec<Field> = names
            .into_iter()
            .map(|name| Field::new(name, DataType::Utf8, false))
            .collect();
        pass.schema = Arc::new(Schema::new(fields));
        Ok(pass)
    }

    /// Refuses a first line that may be a record.
    fn look_at_header(&mut self, names: &[String]) -> Result<(), Error> {
        // the first records are there already, or come with the next block
        self.fill()?;
        let mut records = Records::new(&self.buffer[..self.complete], self.delimiter, self.line);
        let mut look = FirstLook::new(names, &self.options.missing);
        look.look(&mut records);
        match look.verdict() {
            // whether names that nothing speaks for are names, a policy may have said
            FirstLineVerdict::Names | FirstLineVerdict::Unclear => Ok(()),
            FirstLineVerdict::Values(columns) => Err(Error::HeaderDoubtful {
                file: self.source.display.clone(),
                columns,
            }),
        }
    }

    /// Compares the first record with the names that somebody has given.
    fn check_width(&mut self, names: &[String]) -> Result<(), Error> {
        if !self.fill()? {
            return Err(Error::EmptyFile {
                file: self.source.display.clone(),
            });
        }
        let mut records = Records::new(&self.buffer[..self.complete], self.delimiter, self.line);
        let Some(line) = records.next_record() else {
            return Ok(());
        };
        let mut found = 0;
        // what is broken in the record is found when it is read
        while let Ok((_, last)) = records.field() {
            found += 1;
            if last {
                break;
            }
        }
        if found == names.len() {
            return Ok(());
        }
        Err(Error::NamesCount {
            file: self.source.display.clone(),
            line,
            expected: names.len(),
            found,
        })
    }

    fn read_header(&mut self) -> Result<Vec<String>, Error> {
        let options = self.options;
        // blank lines before the header may fill a block
        while self.fill()? {
            let mut records =
                Records::new(&self.buffer[..self.complete], self.delimiter, self.line);
            let names = read_names(
                &self.source.display,
                &mut records,
                options.unguard,
                &options.limits,
            )?;
            let (read, line) = (records.position(), records.line());
            self.discard(read);
            self.line = line;
            if let Some(names) = names {
                return Ok(names);
            }
        }
        Err(Error::EmptyFile {
            file: self.source.display.clone(),
        })
    }

    /// Reads until a block's worth of complete records is there; false when nothing is left.
    fn fill(&mut self) -> Result<bool, Error> {
        let (source, options) = (self.source, self.options);
        loop {
            self.complete = self.scanner.scan(&self.buffer, self.at_end);
            if self.at_end {
                if self.scanner.in_quotes() {
                    let line = self.line + lines(&self.buffer[..self.complete]);
                    return Err(Error::UnclosedQuote {
                        file: source.display.clone(),
                        line,
                    });
                }
                self.complete = self.buffer.len();
                return Ok(self.complete > 0);
            }
            if self.buffer.len() - self.complete > options.limits.record {
                let line = self.line + lines(&self.buffer[..self.complete]);
                let limit = options.limits.record;
                return Err(Error::RecordTooLong {
                    file: source.display.clone(),
                    line,
                    limit,
                });
            }
            if self.complete > 0 && self.buffer.len() >= options.block {
                return Ok(true);
            }
            let wanted = options
                .block
                .saturating_sub(self.buffer.len())
                .max(options.block / 2 + 1);
            self.at_end = self.bytes.append(&mut self.buffer, wanted, source)?;
        }
    }

    /// The complete records; what is left moves into spare memory.
    fn take_block(&mut self) -> Vec<u8> {
        let mut spare = std::mem::take(&mut self.spare);
        self.line += lines(&self.buffer[..self.complete]);
        spare.extend_from_slice(&self.buffer[self.complete..]);
        let mut block = std::mem::replace(&mut self.buffer, spare);
        block.truncate(self.complete);
        self.forget_scanned(self.complete);
        block
    }

    fn discard(&mut self, length: usize) {
        self.buffer.drain(..length);
        self.forget_scanned(length);
    }

    fn forget_scanned(&mut self, length: usize) {
        self.complete -= length;
        if self.buffer.is_empty() {
            // at the end of a file the last record may lack its line feed, so the scanner has not
            // ended it
            self.scanner = RecordEnds::new(self.delimiter);
        } else {
            self.scanner.taken(length);
        }
    }
}

fn lines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

//! The input as a sequence of units that can be worked on independently.
//!
//! A unit is a block of complete CSV records or a row group of a Parquet file. One worker at a time
//! takes the next one (reading, unpacking and hashing happen then), and all work on theirs in
//! parallel: memory is bounded by a block per worker, and the units' numbers put the results back
//! into the order of the input.

use super::header::{Layout, Plan, read_names};
use super::open::{Bytes, Content, open};
use super::parquet::ParquetFile;
use super::record::{Records, sniff};
use super::scan::Scanner;
use super::{ReadOptions, Source};
use crate::error::Error;
use crate::hash::FileHash;
use memchr::memchr_iter;
use std::sync::Arc;

/// What is looked for in a header when no delimiter is given.
const DELIMITERS: &[u8] = b",;\t|";
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A piece of work, numbered in the order of the input.
pub(super) struct Unit {
    pub(super) number: u64,
    pub(super) file: usize,
    pub(super) work: Work,
}

pub(super) enum Work {
    /// Complete CSV records, the first on this line.
    Block {
        bytes: Vec<u8>,
        line: u64,
        delimiter: u8,
        layout: Arc<Layout>,
    },
    /// A row group of a Parquet file.
    RowGroup {
        group: usize,
        parquet: Arc<ParquetFile>,
    },
    /// A Parquet file's bytes are read out of order, so they are hashed on their own.
    Hash,
}

/// Hands out units.
pub(super) struct Feed<'a> {
    sources: &'a [Source],
    plan: &'a Plan,
    options: &'a ReadOptions<'a>,
    units: u64,
    next_file: usize,
    open: Option<Open>,
    hashes: Vec<Option<FileHash>>,
    /// Bytes of the files before the open one.
    passed: u64,
}

enum Open {
    Text(Box<TextFile>),
    /// The next row group; `None` before the file is hashed.
    Parquet(Arc<ParquetFile>, Option<usize>),
}

impl<'a> Feed<'a> {
    pub(super) fn new(sources: &'a [Source], plan: &'a Plan, options: &'a ReadOptions<'a>) -> Self {
        let hashes = vec![None; sources.len()];
        Feed {
            sources,
            plan,
            options,
            units: 0,
            next_file: 0,
            open: None,
            hashes,
            passed: 0,
        }
    }

    /// How many units were handed out.
    pub(super) fn units(&self) -> u64 {
        self.units
    }

    /// The hashes of the text files, as far as they were read.
    pub(super) fn into_hashes(self) -> Vec<Option<FileHash>> {
        self.hashes
    }

    /// The next unit; `spare` is a block that is no longer needed.
    pub(super) fn next(&mut self, mut spare: Vec<u8>) -> Result<Option<Unit>, Error> {
        spare.clear();
        loop {
            let Some(mut open) = self.open.take() else {
                if self.next_file == self.sources.len() {
                    return Ok(None);
                }
                self.open = Some(self.open_next()?);
                continue;
            };
            let file = self.next_file - 1;
            let work = match &mut open {
                Open::Text(text) => self.next_block(text, &mut spare, file)?,
                Open::Parquet(parquet, group) => self.next_group(parquet, group),
            };
            if let Some(work) = work {
                self.open = Some(open);
                self.units += 1;
                return Ok(Some(Unit {
                    number: self.units - 1,
                    file,
                    work,
                }));
            }
        }
    }

    fn open_next(&mut self) -> Result<Open, Error> {
        let source = &self.sources[self.next_file];
        self.next_file += 1;
        let (file, content) = open(source)?;
        if content == Content::Parquet {
            let parquet = ParquetFile::open(file, source, self.plan, &self.options.limits)?;
            return Ok(Open::Parquet(Arc::new(parquet), None));
        }
        let mut text = TextFile::open(Bytes::new(file, content), source, self.options)?;
        let names = text.read_header(source, self.options)?;
        text.layout = Arc::new(
            self.plan
                .layout(&source.display, &names, &self.options.limits)?,
        );
        Ok(Open::Text(Box::new(text)))
    }

    fn next_block(
        &mut self,
        text: &mut TextFile,
        spare: &mut Vec<u8>,
        file: usize,
    ) -> Result<Option<Work>, Error> {
        let more = text.fill(&self.sources[file], self.options)?;
        self.report(text.bytes.read());
        if !more {
            let hash = text.bytes.take_hasher().finish();
            self.passed += hash.bytes;
            self.hashes[file] = Some(hash);
            return Ok(None);
        }
        let line = text.line;
        let bytes = text.take_block(std::mem::take(spare));
        Ok(Some(Work::Block {
            bytes,
            line,
            delimiter: text.delimiter,
            layout: text.layout.clone(),
        }))
    }

    fn next_group(&mut self, parquet: &Arc<ParquetFile>, next: &mut Option<usize>) -> Option<Work> {
        let Some(current) = *next else {
            *next = Some(0);
            return Some(Work::Hash);
        };
        if current == parquet.groups() {
            return None;
        }
        *next = Some(current + 1);
        self.passed += parquet.group_bytes(current);
        self.report(0);
        Some(Work::RowGroup {
            group: current,
            parquet: parquet.clone(),
        })
    }

    fn report(&self, of_open_file: u64) {
        if let Some(progress) = self.options.progress {
            progress(self.passed + of_open_file);
        }
    }
}

/// Reads only the column names of a file.
pub(super) fn header_of(source: &Source, options: &ReadOptions<'_>) -> Result<Vec<String>, Error> {
    let (file, content) = open(source)?;
    match content {
        Content::Parquet => ParquetFile::names(file, source),
        _ => {
            TextFile::open(Bytes::new(file, content), source, options)?.read_header(source, options)
        }
    }
}

/// A CSV file, read block by block.
struct TextFile {
    bytes: Bytes,
    /// Read and not handed out; starts at the start of a record.
    buffer: Vec<u8>,
    /// Complete records at the start of `buffer`.
    complete: usize,
    at_end: bool,
    scanner: Scanner,
    delimiter: u8,
    /// The line of the buffer's first byte.
    line: u64,
    layout: Arc<Layout>,
}

impl TextFile {
    fn open(mut bytes: Bytes, source: &Source, options: &ReadOptions<'_>) -> Result<Self, Error> {
        let mut buffer = Vec::with_capacity(options.block + 1);
        let at_end = bytes.append(
            &mut buffer,
            options.block.max(BYTE_ORDER_MARK.len()),
            source,
        )?;
        if buffer.starts_with(BYTE_ORDER_MARK) {
            buffer.drain(..BYTE_ORDER_MARK.len());
        }
        let delimiter = options
            .delimiter
            .unwrap_or_else(|| sniff(&buffer, DELIMITERS));
        let layout = Arc::new(Layout { fields: Vec::new() });
        let scanner = Scanner::new(delimiter);
        Ok(TextFile {
            bytes,
            buffer,
            complete: 0,
            at_end,
            scanner,
            delimiter,
            line: 1,
            layout,
        })
    }

    fn read_header(
        &mut self,
        source: &Source,
        options: &ReadOptions<'_>,
    ) -> Result<Vec<String>, Error> {
        // blank lines before the header may fill a block
        while self.fill(source, options)? {
            let mut records =
                Records::new(&self.buffer[..self.complete], self.delimiter, self.line);
            let names = read_names(
                &source.display,
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
            file: source.display.clone(),
        })
    }

    /// Reads until a block's worth of complete records is there; false when nothing is left.
    fn fill(&mut self, source: &Source, options: &ReadOptions<'_>) -> Result<bool, Error> {
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

    /// The complete records; what is left moves into `spare`.
    fn take_block(&mut self, mut spare: Vec<u8>) -> Vec<u8> {
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
        match self.buffer.is_empty() {
            // at the end of a file the last record may lack its line feed, so the scanner has not
            // ended it
            true => self.scanner = Scanner::new(self.delimiter),
            false => self.scanner.taken(length),
        }
    }
}

fn lines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

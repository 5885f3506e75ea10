//! Files as something to scan.

use super::csv::CsvPass;
use super::json_lines::{JsonPass, looks_like_json};
use super::open::{Bytes, Content, RawBytes, TextStart, open, unreadable};
use super::parquet::ParquetPass;
use super::scan::{Pass, Scan};
use super::standard_input;
use super::{FileStamp, ReadOptions};
use crate::error::Error;
use crate::format::{InputFormat, TableFormat};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// A file of the input: CSV or JSON Lines, plain or gzip, or Parquet. Which of them is told by its
/// first bytes; its ending and its format must agree.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// What messages call it.
    pub display: String,
    /// Who contributed it, when there is one table per provider.
    pub provider: Option<String>,
    /// How it is written.
    pub format: TableFormat,
}

impl Source {
    /// A file that needs no words: with a header, decimal points and ISO dates, in UTF-8. The path
    /// `-` is standard input, and messages call it so.
    pub fn new(path: impl Into<PathBuf>, display: impl Into<String>) -> Source {
        let mut source = Source {
            path: path.into(),
            display: display.into(),
            provider: None,
            format: TableFormat::default(),
        };
        if source.is_standard_input() {
            source.display = "standard input".to_owned();
        }
        source
    }

    /// A file of a release that this program has written.
    pub fn of_release(path: impl Into<PathBuf>, display: impl Into<String>) -> Source {
        Source::new(path, display).written_as(TableFormat::released())
    }

    /// All rows are of one provider.
    pub fn of_provider(mut self, provider: impl Into<String>) -> Source {
        self.provider = Some(provider.into());
        self
    }

    /// How the file is written.
    pub fn written_as(mut self, format: TableFormat) -> Source {
        self.format = format;
        self
    }
}

/// What stands for standard input where a path is expected.
const STANDARD_INPUT: &str = "-";

impl Source {
    /// Whether it is standard input, which is called `-`.
    pub fn is_standard_input(&self) -> bool {
        self.path.as_os_str() == STANDARD_INPUT
    }

    /// Its first bytes, or all if it has fewer.
    pub fn first_bytes(&self, count: usize) -> Result<Vec<u8>, Error> {
        let mut start = Vec::new();
        let read = RawBytes::of(self)?
            .take(count as u64)
            .read_to_end(&mut start);
        read.map_err(|error| unreadable(self, error))?;
        Ok(start)
    }

    /// What the file looks like now, so that a change while it is read is noticed; `None` for
    /// standard input, which is kept.
    pub fn stamp(&self) -> Result<Option<FileStamp>, Error> {
        RawBytes::of(self)?.stamp(self)
    }

    /// All of its bytes as they stand, if they are not more than `limit`.
    pub fn read_whole(&self, limit: usize) -> Result<Arc<[u8]>, Error> {
        match RawBytes::of(self)? {
            RawBytes::Memory(bytes) => Ok(bytes.into_inner()),
            file => Ok(standard_input::all(file, &self.display, limit)?.into()),
        }
    }
}

impl Scan for Source {
    fn name(&self) -> &str {
        &self.display
    }

    fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    fn format(&self) -> &TableFormat {
        &self.format
    }

    /// A file that cannot be looked at has no bytes: opening it says why.
    fn size(&self) -> Option<u64> {
        if self.is_standard_input() {
            return None;
        }
        Some(self.path.metadata().map_or(0, |metadata| metadata.len()))
    }

    fn open<'s>(&'s self, options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        let (file, content, stamp) = open(self)?;
        if content == Content::Parquet {
            self.check_format(InputFormat::Parquet)?;
            return Ok(Box::new(ParquetPass::open(file, stamp, self, options)?));
        }
        let start = TextStart::read(
            Bytes::new(file, content, options.limits.unpacked_text),
            self,
            options,
        )?;
        if looks_like_json(&start.buffer) {
            self.check_format(InputFormat::JsonLines)?;
            return Ok(Box::new(JsonPass::open(start, stamp, self, options)?));
        }
        start.refuse_other(self, options)?;
        self.check_format(InputFormat::Csv)?;
        Ok(Box::new(CsvPass::open(start, stamp, self, options)?))
    }
}

//! Files as something to scan.

use super::ReadOptions;
use super::csv::CsvPass;
use super::open::{Bytes, Content, TextStart, open};
use super::parquet::ParquetPass;
use super::scan::{Pass, Scan};
use crate::error::Error;
use crate::format::{InputFormat, TableFormat};
use std::path::PathBuf;

/// A file of the input: CSV, plain or gzip, or Parquet. Which of them is told by its first bytes,
/// unless its format says it.
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
    /// A file that needs no words: with a header, decimal points and ISO dates, in UTF-8.
    pub fn new(path: impl Into<PathBuf>, display: impl Into<String>) -> Source {
        Source {
            path: path.into(),
            display: display.into(),
            provider: None,
            format: TableFormat::default(),
        }
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
        Some(self.path.metadata().map_or(0, |metadata| metadata.len()))
    }

    fn open<'s>(&'s self, options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        let (file, content, stamp) = open(self)?;
        if content == Content::Parquet {
            self.check_format(InputFormat::Parquet)?;
            return Ok(Box::new(ParquetPass::open(file, stamp, self, options)?));
        }
        let start = TextStart::read(Bytes::new(file, content), self, options)?;
        start.refuse_other(self, options)?;
        self.check_format(InputFormat::Csv)?;
        Ok(Box::new(CsvPass::open(start, stamp, self, options)?))
    }
}

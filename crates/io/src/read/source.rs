//! Files as something to scan.

use super::ReadOptions;
use super::csv::CsvPass;
use super::open::{Bytes, Content, open};
use super::parquet::ParquetPass;
use super::scan::{Pass, Scan};
use crate::error::Error;
use std::path::PathBuf;

/// A file of the input: CSV, plain or gzip, or Parquet. Which of them is told by its first bytes.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// What messages call it.
    pub display: String,
    /// Who contributed it, when there is one table per provider.
    pub provider: Option<String>,
}

impl Scan for Source {
    fn name(&self) -> &str {
        &self.display
    }

    fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    /// A file that cannot be looked at has no bytes: opening it says why.
    fn size(&self) -> Option<u64> {
        Some(self.path.metadata().map_or(0, |metadata| metadata.len()))
    }

    fn open<'s>(&'s self, options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        let (file, content) = open(self)?;
        if content == Content::Parquet {
            Ok(Box::new(ParquetPass::open(file, self)?))
        } else {
            Ok(Box::new(CsvPass::open(
                Bytes::new(file, content),
                self,
                options,
            )?))
        }
    }
}

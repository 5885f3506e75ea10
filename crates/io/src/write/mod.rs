//! Rows of dictionary codes out to a file.
//!
//! Columns are given as dictionaries of texts and rows as codes into them, so that escaping costs
//! once per distinct text and a row that occurs a thousand times is assembled once. The bytes
//! depend on the columns and the rows in their order, on nothing else: no time stamp, no host, no
//! text that no row uses.

mod csv;
mod parquet;

use crate::error::Error;
use mingle_model::{Kind, date};
use std::io::Write;

/// A file format for tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Format {
    /// Comma, line feed, header line, quotes as in RFC 4180, formulas guarded.
    Csv,
    /// Parquet with dictionaries of what was written.
    Parquet,
}

impl Format {
    /// The word used in the policy file, which is also the file name's extension.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        }
    }
}

/// How Parquet stores a column; CSV has texts only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum OutKind {
    /// A string.
    Text,
    /// A 64-bit integer; every text must be one in canonical form.
    Integer,
    /// A day; every text must be one such as `2001-03-02`.
    Date,
    /// A 64-bit floating-point number; every text must be one that is finite.
    Number,
    /// A string made of the column's only text, a prefix, and the code itself in at least eight
    /// digits: for numbers that are all different, where a dictionary would be as long as the
    /// table.
    Numbered,
}

impl OutKind {
    /// The narrowest type that gives every text back unchanged, for a column of this kind.
    pub fn of<'a>(kind: Kind, texts: impl IntoIterator<Item = &'a str>) -> OutKind {
        let mut texts = texts.into_iter();
        match kind {
            Kind::Integer if texts.all(|t| integer(t).is_some()) => OutKind::Integer,
            Kind::Date if texts.all(|t| date::parse(t).is_some()) => OutKind::Date,
            _ => OutKind::Text,
        }
    }

    fn name(self) -> &'static str {
        match self {
            OutKind::Text => "text",
            OutKind::Numbered => "a number behind a single prefix",
            OutKind::Integer => "a 64-bit integer",
            OutKind::Date => "a date",
            OutKind::Number => "a number",
        }
    }
}

/// The text of a cell of a [`OutKind::Numbered`] column.
fn numbered(prefix: &str, code: u32) -> String {
    format!("{prefix}{code:08}")
}

/// Reads what [`i64::to_string`] writes, and nothing else.
fn integer(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|n| n.to_string() == text)
}

/// A column whose cells are given as indices into a dictionary of texts. No `Debug`: it holds
/// cells.
#[derive(Clone)]
pub struct OutColumn {
    /// The column's name.
    pub name: String,
    /// How Parquet stores it.
    pub kind: OutKind,
    /// The dictionary. Texts that no row uses are not written.
    pub texts: Vec<String>,
    /// This index is a null in Parquet; CSV writes its text.
    pub missing: Option<u32>,
}

/// Writes rows one after the other. Call [`finish`](RowWriter::finish): dropping the writer leaves
/// half a file.
pub struct RowWriter<W: Write + Send> {
    inner: Inner<W>,
    /// How many texts each column has.
    sizes: Vec<usize>,
    rows: u64,
}

enum Inner<W: Write + Send> {
    Csv(csv::CsvRows<W>),
    Parquet(Box<parquet::ParquetRows<W>>),
}

impl<W: Write + Send> RowWriter<W> {
    /// Prepares every text once, and writes the header.
    pub fn new(format: Format, out: W, columns: Vec<OutColumn>) -> Result<Self, Error> {
        let size = |c: &OutColumn| match c.kind {
            OutKind::Numbered if c.texts.len() == 1 => Ok(usize::MAX),
            OutKind::Numbered => Err(Error::WrongKind {
                column: c.name.clone(),
                kind: c.kind.name(),
            }),
            _ => Ok(c.texts.len()),
        };
        let sizes = columns.iter().map(size).collect::<Result<_, _>>()?;
        let inner = match format {
            Format::Csv => Inner::Csv(csv::CsvRows::new(out, columns)?),
            Format::Parquet => Inner::Parquet(Box::new(parquet::ParquetRows::new(out, columns)?)),
        };
        Ok(RowWriter {
            inner,
            sizes,
            rows: 0,
        })
    }

    /// Writes the same row `count` times; `codes` has one index per column.
    pub fn row(&mut self, codes: &[u32], count: u64) -> Result<(), Error> {
        let fits = codes.len() == self.sizes.len()
            && codes
                .iter()
                .zip(&self.sizes)
                .all(|(&c, &n)| (c as usize) < n);
        if !fits {
            return Err(Error::RowShape {
                row: self.rows + 1,
                columns: self.sizes.len(),
            });
        }
        self.rows += count;
        match &mut self.inner {
            Inner::Csv(csv) => csv.row(codes, count),
            Inner::Parquet(parquet) => parquet.row(codes, count),
        }
    }

    /// Writes what is buffered and gives the output back.
    pub fn finish(self) -> Result<W, Error> {
        match self.inner {
            Inner::Csv(csv) => csv.finish(),
            Inner::Parquet(parquet) => parquet.finish(),
        }
    }
}

#[cfg(test)]
mod tests;

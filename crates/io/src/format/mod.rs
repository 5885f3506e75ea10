//! How a table is written down: what has to be known before its bytes are values.
//!
//! Two providers may write the same day as `2001-03-02` and `02.03.2001`. Published as they stand,
//! the two texts would tell who contributed a row. So every source says how it is written, and its
//! cells are translated into one canonical form while they are read: decimals with a point, days as
//! year-month-day, UTF-8. Nothing of this is guessed while a table is read for publishing;
//! [`detect`](crate::detect) proposes a format from a look at a file.

mod date_format;
mod decimal;
mod encoding;

pub use date_format::DateFormat;
pub use decimal::DecimalMark;
pub use encoding::Encoding;

pub(crate) use encoding::Decoder;

use mingle_model::Missing;

/// How a table is written down. The default is what needs no words: CSV in UTF-8 with a header, or
/// Parquet, with decimal points and ISO dates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFormat {
    /// What kind of file it is; `None`: what its first bytes say, if its ending agrees.
    pub file: Option<InputFormat>,
    /// Of a workbook: the name of the sheet; `None`: the only one.
    pub sheet: Option<String>,
    /// Of text: how characters are bytes.
    pub encoding: Encoding,
    /// Of CSV: what separates fields; `None`: the most frequent of comma, semicolon, tab and bar in
    /// the first line.
    pub delimiter: Option<u8>,
    /// What stands before the decimals of a number.
    pub decimal: DecimalMark,
    /// How days are written; `None`: `yyyy-mm-dd`.
    pub date_format: Option<DateFormat>,
    /// Whether the first line names the columns.
    pub header: HeaderLine,
    /// Columns that have another name here: theirs, and ours.
    pub renamed: Vec<(String, String)>,
    /// Texts that mean here that a value is missing, besides those that mean it everywhere.
    pub missing: Vec<String>,
}

/// Kinds of files that hold tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum InputFormat {
    /// Text with a delimiter between fields, perhaps gzipped.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// A JSON object per line, perhaps gzipped.
    JsonLines,
    /// A workbook of Excel.
    Xlsx,
    /// A workbook of LibreOffice.
    Ods,
}

impl InputFormat {
    /// All of them, in the order in which messages list them.
    pub const ALL: [InputFormat; 5] = [
        InputFormat::Csv,
        InputFormat::Parquet,
        InputFormat::JsonLines,
        InputFormat::Xlsx,
        InputFormat::Ods,
    ];

    /// The word in policies.
    pub fn name(self) -> &'static str {
        match self {
            InputFormat::Csv => "csv",
            InputFormat::Parquet => "parquet",
            InputFormat::JsonLines => "json-lines",
            InputFormat::Xlsx => "xlsx",
            InputFormat::Ods => "ods",
        }
    }
}

/// Whether the first line of a table names its columns.
///
/// A first line that is taken for names by mistake is a person's record, and names are published:
/// so a line that might be a record is refused unless somebody vouches for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum HeaderLine {
    /// It is looked at, and refused when in doubt.
    #[default]
    Looked,
    /// Somebody says that it does.
    Trusted,
    /// It is a record; these are the names.
    Absent(Vec<String>),
}

impl Default for TableFormat {
    fn default() -> Self {
        TableFormat::PLAIN
    }
}

impl TableFormat {
    /// What needs no words.
    pub const PLAIN: TableFormat = TableFormat {
        file: None,
        sheet: None,
        encoding: Encoding::Utf8,
        delimiter: None,
        decimal: DecimalMark::Point,
        date_format: None,
        header: HeaderLine::Looked,
        renamed: Vec::new(),
        missing: Vec::new(),
    };

    /// How this program writes releases: the first line is a header, whatever the columns are
    /// called.
    pub fn released() -> TableFormat {
        TableFormat {
            delimiter: Some(b','),
            header: HeaderLine::Trusted,
            ..TableFormat::PLAIN
        }
    }

    /// What a column of the source is called by everybody.
    pub fn our_name<'a>(&'a self, theirs: &'a str) -> &'a str {
        for (renamed, ours) in &self.renamed {
            if renamed == theirs {
                return ours;
            }
        }
        theirs
    }

    /// Whether texts of this source may mean other values than they say.
    pub fn translates(&self) -> bool {
        self.decimal != DecimalMark::Point || self.date_format.is_some()
    }

    /// All texts that mean here that a value is missing.
    pub fn all_missing(&self, everywhere: &Missing) -> Missing {
        let mut texts = everywhere.texts().to_vec();
        for text in &self.missing {
            if !texts.contains(text) {
                texts.push(text.clone());
            }
        }
        Missing::new(texts)
    }
}

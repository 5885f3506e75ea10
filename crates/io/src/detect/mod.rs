//! What a file looks like before anybody says how it is written.
//!
//! A proposal with its evidence, for people to confirm: counts and column numbers, never a cell.
//! Where two readings fit (01/02/2003), both are listed and neither is proposed.
//!
//! Assumption: the start of a file is like the rest of it. Whoever reads the whole table checks it.

pub(crate) mod look;

use crate::format::{DateFormat, DecimalMark, InputFormat, TableFormat};

/// A proposed format, and what speaks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DetectedFormat {
    /// What is proposed. `decimal` and `date_format` are set where exactly one fits all columns
    /// that need one; a doubtful header is proposed to be absent, without names,
    /// because nobody has given any.
    pub format: TableFormat,
    /// Records that were looked at, without the header.
    pub rows: u64,
    /// Whether these are all records.
    pub whole: bool,
    /// What speaks for the encoding.
    pub encoding: EncodingEvidence,
    /// Whether the first line names the columns.
    pub header: HeaderEvidence,
    /// The columns in the file's order.
    pub columns: Vec<DetectedColumn>,
}

/// What speaks for an encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EncodingEvidence {
    /// Nothing but ASCII: any of them would do, except UTF-16.
    AsciiOnly,
    /// A byte-order mark.
    Marked,
    /// So many characters beyond ASCII, all of them valid UTF-8.
    Valid {
        /// How many.
        characters: u64,
    },
    /// Not valid UTF-8; so many bytes beyond ASCII, of which so many are letters or quotes in
    /// Windows-1252 and nothing in Latin-1.
    SingleBytes {
        /// Bytes beyond ASCII.
        beyond_ascii: u64,
        /// Bytes from 0x80 to 0x9f.
        windows_only: u64,
    },
    /// Every second byte is zero, in so many pairs of bytes.
    ZeroPattern {
        /// How many pairs were looked at.
        pairs: u64,
    },
}

/// Whether the first line of a file names its columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeaderEvidence {
    /// Nothing speaks against it.
    Names,
    /// These columns, counted from 1, have names that may be values: it may be a record.
    Doubtful {
        /// The numbers of the columns.
        columns: Vec<usize>,
    },
    /// Nothing tells it from the records below.
    Unclear,
    /// The file itself has names, and no first line.
    Typed,
}

/// A column of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DetectedColumn {
    /// Counted from 1.
    pub number: usize,
    /// Its name, where the first line is surely a header.
    pub name: Option<String>,
    /// Cells that were looked at and are not missing.
    pub values: u64,
    /// Of these: whole numbers.
    pub whole_numbers: u64,
    /// Numbers with a decimal point.
    pub with_point: u64,
    /// Numbers with a decimal comma.
    pub with_comma: u64,
    /// Ways of writing days that fit some value, the best first.
    pub dates: Vec<DateEvidence>,
}

/// How many values of a column fit a way of writing days.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DateEvidence {
    /// The way.
    pub format: DateFormat,
    /// Values that fit it.
    pub fits: u64,
    /// Values that fit it and no other way that was tried.
    pub fits_only: u64,
}

/// How a column writes days.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DetectedDates {
    /// It does not hold days.
    None,
    /// One way fits all values and no other does.
    One(DateEvidence),
    /// Several ways fit all values: nobody can tell.
    Ambiguous(Vec<DateFormat>),
}

impl DetectedFormat {
    /// A file whose columns have names of their own, and need no words about how values are written.
    pub fn typed(file: InputFormat, names: Vec<String>) -> DetectedFormat {
        look::typed(file, names)
    }
}

impl DetectedColumn {
    /// How the column writes days, if all its values are days.
    pub fn days(&self) -> DetectedDates {
        let mut fitting = Vec::new();
        for evidence in &self.dates {
            if self.values > 0 && evidence.fits == self.values {
                fitting.push(evidence.clone());
            }
        }
        match fitting.len() {
            0 => DetectedDates::None,
            1 => DetectedDates::One(fitting.remove(0)),
            _ => {
                let formats = fitting.into_iter().map(|evidence| evidence.format);
                DetectedDates::Ambiguous(formats.collect())
            }
        }
    }

    /// How the column writes decimals, if all its values are numbers and some have decimals.
    pub fn decimals(&self) -> Option<DecimalMark> {
        let numbers = self.whole_numbers + self.with_point + self.with_comma;
        if numbers != self.values {
            return None;
        }
        match (self.with_point, self.with_comma) {
            (1.., 0) => Some(DecimalMark::Point),
            (0, 1..) => Some(DecimalMark::Comma),
            _ => None,
        }
    }
}

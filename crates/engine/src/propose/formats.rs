//! How tables are written, as keys of a policy with what speaks for them.
//!
//! What needs no words is not said: UTF-8, commas, decimal points, ISO dates. Evidence is counts and
//! names of columns. A header that may be a record is not trusted here: whoever reads the table
//! refuses it and says what to do.

use super::render::quoted;
use crate::tables::detect;
use mingle_io::{
    DateEvidence, DecimalMark, DetectedDates, DetectedFormat, Encoding, EncodingEvidence,
    HeaderLine, ReadOptions, Source, TableFormat,
};
use mingle_model::{counted, plural};
use mingle_record::Problem;
use mingle_record::answer::InitFormat;

/// How a table is written: keys with their values, and what speaks for each.
#[derive(Default)]
pub struct SeenFormat {
    /// A key with its value, as in TOML, and the evidence.
    pub keys: Vec<(String, String)>,
    /// What nobody can tell.
    pub doubts: Vec<String>,
}

impl SeenFormat {
    /// Looks at the start of a file, and makes the source read it so. What is no file, such as a
    /// pipe, can be read once only and is taken as it is.
    pub fn of(source: &mut Source, options: &ReadOptions<'_>) -> Result<SeenFormat, Problem> {
        if !source.path.is_file() && !source.is_standard_input() {
            return Ok(SeenFormat::default());
        }
        let detected = detect(source, options)?;
        let said = source.format.header.clone();
        let mut seen = SeenFormat {
            keys: keys(&detected),
            doubts: doubts(&detected),
        };
        seen.keys.extend(said_keys(&said));
        source.format = TableFormat {
            // what was detected is no word of anybody, and a record that is taken for names would
            // be published
            header: said,
            ..detected.format
        };
        Ok(seen)
    }

    /// As it is written down.
    pub fn to_record(&self, table: &str) -> InitFormat {
        let (keys, evidence) = self.keys.iter().cloned().unzip();
        InitFormat {
            table: table.to_owned(),
            keys,
            evidence,
            doubts: self.doubts.clone(),
        }
    }
}

fn keys(detected: &DetectedFormat) -> Vec<(String, String)> {
    let format = &detected.format;
    let mut keys = Vec::new();
    if format.encoding != Encoding::Utf8 {
        let key = format!("encoding = {}", quoted(format.encoding.name()));
        keys.push((key, of_encoding(detected.encoding)));
    }
    if let Some(delimiter) = format.delimiter.filter(|&byte| byte != b',') {
        let key = format!("delimiter = {}", quoted(&char::from(delimiter).to_string()));
        keys.push((key, "found in the first line".to_owned()));
    }
    if format.decimal == DecimalMark::Comma {
        let mut columns = 0;
        let mut values = 0;
        for column in &detected.columns {
            if column.decimals() == Some(DecimalMark::Comma) {
                columns += 1;
                values += column.with_comma;
            }
        }
        let evidence = format!(
            "{} in {}, and none with a point; take it out if they are lists",
            counted(values, "number"),
            counted(columns, "column")
        );
        keys.push(("decimal = \",\"".to_owned(), evidence));
    }
    if let Some(days) = &format.date_format {
        let mut columns = 0;
        let mut fits_only = 0;
        for column in &detected.columns {
            if let DetectedDates::One(DateEvidence {
                fits_only: only, ..
            }) = column.days()
            {
                columns += 1;
                fits_only += only;
            }
        }
        let evidence = format!(
            "all of {}; {} {} nothing else",
            counted(columns, "column"),
            counted(fits_only, "value"),
            plural(fits_only, "fits", "fit")
        );
        keys.push((
            format!("date_format = {}", quoted(days.pattern())),
            evidence,
        ));
    }
    keys
}

/// What somebody has said about the first line.
fn said_keys(header: &HeaderLine) -> Vec<(String, String)> {
    let evidence = || "as you say".to_owned();
    match header {
        HeaderLine::Looked => Vec::new(),
        HeaderLine::Trusted => vec![("header = true".to_owned(), evidence())],
        HeaderLine::Absent(names) => {
            let mut listed = Vec::new();
            for name in names {
                listed.push(quoted(name));
            }
            vec![
                ("header = false".to_owned(), evidence()),
                (format!("names = [{}]", listed.join(", ")), evidence()),
            ]
        }
    }
}

fn of_encoding(evidence: EncodingEvidence) -> String {
    match evidence {
        EncodingEvidence::AsciiOnly => "nothing but ASCII".to_owned(),
        EncodingEvidence::Marked => "a byte-order mark".to_owned(),
        EncodingEvidence::Valid { characters } => format!("{characters} characters beyond ASCII"),
        EncodingEvidence::SingleBytes {
            beyond_ascii,
            windows_only,
        } => format!(
            "not UTF-8: {beyond_ascii} bytes beyond ASCII, {windows_only} only in Windows-1252"
        ),
        EncodingEvidence::ZeroPattern { pairs } => format!("zeros in {pairs} pairs of bytes"),
    }
}

fn doubts(detected: &DetectedFormat) -> Vec<String> {
    let mut doubts = Vec::new();
    for column in &detected.columns {
        let (DetectedDates::Ambiguous(formats), Some(name)) = (column.days(), &column.name) else {
            continue;
        };
        // where another column has settled it, nothing is in doubt
        if detected.format.date_format.is_some() {
            continue;
        }
        let patterns: Vec<&str> = formats.iter().map(|format| format.pattern()).collect();
        doubts.push(format!(
            "the days of `{name}` could be {}: say date_format",
            patterns.join(" or ")
        ));
    }
    doubts
}

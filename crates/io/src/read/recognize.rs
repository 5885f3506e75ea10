//! What a file is by its first bytes, whatever its name says.
//!
//! Whatever passes for text is read as CSV, and the first line of what is no CSV would become the
//! names of columns, which are published. So everything that is known to be something else is
//! refused by its name.

use crate::format::InputFormat;

/// Bytes that are looked at: the mark of a tar archive stands at 257.
pub(super) const START: usize = 512;

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Recognized {
    /// Nothing that is known: text, if anything.
    Text,
    Gzip,
    Parquet,
    /// Something else, in words.
    Other(&'static str),
}

/// Marks at the start of files that are no tables, or none that can be read.
const MARKS: &[(&[u8], &str)] = &[
    (b"PK\x03\x04", "a ZIP archive or a workbook"),
    (b"\xd0\xcf\x11\xe0", "an old workbook"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"BZh", "bzip2 data"),
    (b"\x04\x22\x4d\x18", "LZ4 data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\0\x01\0\0Standard ", "an Access database"),
    (b"ARROW1", "an Arrow IPC file"),
    (b"\xff\xff\xff\xff", "an Arrow IPC stream"),
    (b"FEA1", "a Feather file"),
    (b"Obj\x01", "an Avro file"),
    (b"ORC", "an ORC file"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"CDF\x01", "a NetCDF file"),
    (b"\x93NUMPY", "a NumPy file"),
    (b"MATLAB 5.0", "a MATLAB file"),
    (b"$FL2", "an SPSS file"),
    (b"$FL3", "an SPSS file"),
    (b"<stata_dta>", "a Stata file"),
    (b"HEADER RECORD*******", "a SAS transport file"),
    (b"RDX2\n", "an R data file"),
    (b"RDX3\n", "an R data file"),
    (b"X\n\0\0\0", "an R data file"),
    (b"\x80\x04\x95", "a Python pickle"),
    (b"%PDF-", "a PDF document"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"\x7fELF", "a program"),
];

/// The magic number of SAS tables, behind twelve zeros.
const SAS: &[u8] = b"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60";

/// Says what a file is by its first [`START`] bytes.
pub(super) fn recognize(start: &[u8]) -> Recognized {
    if start.starts_with(&[0x1f, 0x8b]) {
        return Recognized::Gzip;
    }
    if start.starts_with(b"PAR1") {
        return Recognized::Parquet;
    }
    if start.starts_with(b"PARE") {
        return Recognized::Other("an encrypted Parquet file");
    }
    for (mark, name) in MARKS {
        if start.starts_with(mark) {
            return Recognized::Other(name);
        }
    }
    if start.starts_with(SAS) {
        return Recognized::Other("a SAS table");
    }
    if start.get(257..262) == Some(b"ustar") {
        return Recognized::Other("a tar archive");
    }
    // versions 113 to 115 of Stata have no word: a version, a byte order, 1 and 0
    if let [0x71..=0x73, 1 | 2, 1, 0, ..] = start {
        return Recognized::Other("a Stata file");
    }
    Recognized::Text
}

/// What decoded text is that is not CSV.
pub(super) fn other_text(start: &[u8]) -> Option<&'static str> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let blank = start.iter().take_while(|byte| is_blank(byte)).count();
    let text = &start[blank..];
    let behind = |at: usize| text[at..].iter().find(|byte| !is_blank(byte));
    match text.first() {
        Some(b'{') if matches!(behind(1), Some(b'"' | b'}')) => Some("JSON"),
        Some(b'[') if matches!(behind(1), Some(b'{' | b'[' | b'"')) => Some("JSON"),
        Some(b'<') if matches!(text.get(1), Some(b'?' | b'!' | b'a'..=b'z' | b'A'..=b'Z')) => {
            Some("XML or HTML")
        }
        _ => match recognize(text) {
            Recognized::Other(name) => Some(name),
            Recognized::Gzip => Some("gzip data inside of gzip data"),
            Recognized::Parquet => Some("Parquet inside of gzip data"),
            Recognized::Text => None,
        },
    }
}

/// What the ending of a file's name says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Format(InputFormat),
    /// Something that cannot be read, in words.
    Other(&'static str),
}

/// What a file name's ending says; `.gz` says nothing by itself.
pub(super) fn ending(name: &str) -> Option<Ending> {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let (stem, ending) = name.rsplit_once('.')?;
    if stem.is_empty() {
        return None;
    }
    Some(match ending {
        "csv" | "tsv" | "tab" | "psv" | "txt" => Ending::Format(InputFormat::Csv),
        "parquet" | "pq" => Ending::Format(InputFormat::Parquet),
        "jsonl" | "ndjson" | "json" => Ending::Format(InputFormat::JsonLines),
        "xlsx" | "xlsm" => Ending::Format(InputFormat::Xlsx),
        "ods" => Ending::Format(InputFormat::Ods),
        "xls" => Ending::Other("an old workbook"),
        "sav" | "zsav" | "por" => Ending::Other("an SPSS file"),
        "sas7bdat" | "xpt" => Ending::Other("a SAS table"),
        "dta" => Ending::Other("a Stata file"),
        "rds" | "rdata" => Ending::Other("an R data file"),
        "xml" | "html" | "htm" => Ending::Other("XML or HTML"),
        "pdf" => Ending::Other("a PDF document"),
        "db" | "sqlite" | "sqlite3" => Ending::Other("an SQLite database"),
        "arrow" | "ipc" | "feather" => Ending::Other("an Arrow IPC file"),
        "avro" => Ending::Other("an Avro file"),
        "orc" => Ending::Other("an ORC file"),
        "zip" => Ending::Other("a ZIP archive"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_csv_has_a_name() {
        for (start, name) in [
            (&b"{\"a\": 1}\n"[..], "JSON"),
            (b"\n [ {\"a\": 1}]", "JSON"),
            (b"<?xml version", "XML or HTML"),
            (b"<html>", "XML or HTML"),
            (b"%PDF-1.7", "a PDF document"),
            (b"SQLite format 3\0", "an SQLite database"),
            (b"$FL2@(#) SPSS", "an SPSS file"),
            (b"Obj\x01", "an Avro file"),
            (b"\x72\x02\x01\x00", "a Stata file"),
        ] {
            assert_eq!(other_text(start), Some(name), "{start:?}");
        }
        for start in [
            &b"age,sex\n"[..],
            b"[name],[age]\n",
            b"<5,x\n",
            b"",
            b"{a},b\n",
            b"\"a\",b",
        ] {
            assert_eq!(other_text(start), None, "{start:?}");
        }
    }

    #[test]
    fn endings_are_read_behind_gzip() {
        assert_eq!(ending("a.CSV.gz"), Some(Ending::Format(InputFormat::Csv)));
        assert_eq!(
            ending("a.parquet"),
            Some(Ending::Format(InputFormat::Parquet))
        );
        assert_eq!(ending("a.xls"), Some(Ending::Other("an old workbook")));
        assert_eq!(
            (ending("table"), ending(".csv"), ending("a.gz")),
            (None, None, None)
        );
    }
}

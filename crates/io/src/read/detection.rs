//! [`detect`]: a file's format, proposed from its start.

use super::first_line::{FirstLook, doubtful_names};
use super::open::{Bytes, Content, open, unsupported};
use super::recognize::other_text;
use super::record::{Records, sniff};
use super::record_ends::RecordEnds;
use super::{ReadOptions, Source, read_header};
use crate::detect::look::{self, ColumnLook};
use crate::detect::{DetectedColumn, DetectedFormat, HeaderEvidence};
use crate::error::Error;
use crate::format::{HeaderLine, TableFormat};

/// Bytes of a file that are looked at.
const START: usize = 8 << 20;

/// What is looked for in the first line when no delimiter is given.
const DELIMITERS: &[u8] = b",;\t|";

/// Looks at the start of a file and proposes how it is written. What the source's own format says
/// about encoding, delimiter and header is taken as said.
pub fn detect(source: &Source, options: &ReadOptions<'_>) -> Result<DetectedFormat, Error> {
    let (file, content, _) = open(source)?;
    if content == Content::Parquet {
        return Ok(look::typed(read_header(source, options)?));
    }
    let mut start = Vec::new();
    let is_whole = Bytes::new(file, content).append(&mut start, START, source)?;
    let said = &source.format;
    let (mut encoding, evidence) = look::encoding_of(&start, is_whole);
    if said.encoding != TableFormat::PLAIN.encoding {
        encoding = said.encoding;
    }
    let text = look::decoded(&start, encoding);
    if let Some(found) = other_text(&text) {
        return Err(unsupported(source, found));
    }
    let delimiter = said.delimiter.unwrap_or_else(|| sniff(&text, DELIMITERS));
    let complete = RecordEnds::new(delimiter).scan(&text, is_whole);
    let text = if is_whole {
        &text[..]
    } else {
        &text[..complete]
    };
    let looked = look_at(text, delimiter, source, options)?;
    let mut format = TableFormat {
        encoding,
        delimiter: Some(delimiter),
        ..said.clone()
    };
    if said.header == HeaderLine::Looked && looked.header != HeaderEvidence::Names {
        format.header = HeaderLine::Absent(Vec::new());
    }
    look::propose_values(&looked.columns, &mut format);
    Ok(DetectedFormat {
        format,
        rows: looked.rows,
        whole: is_whole,
        encoding: evidence,
        header: looked.header,
        columns: looked.columns,
    })
}

struct Looked {
    rows: u64,
    header: HeaderEvidence,
    columns: Vec<DetectedColumn>,
}

fn look_at(
    text: &[u8],
    delimiter: u8,
    source: &Source,
    options: &ReadOptions<'_>,
) -> Result<Looked, Error> {
    let mut records = Records::new(text, delimiter, 1);
    let Some(names) = next_cells(&mut records) else {
        return Err(Error::EmptyFile {
            file: source.display.clone(),
        });
    };
    let header = match &source.format.header {
        HeaderLine::Trusted => HeaderEvidence::Names,
        HeaderLine::Absent(_) => HeaderEvidence::Doubtful {
            columns: Vec::new(),
        },
        HeaderLine::Looked => {
            let mut doubtful = doubtful_names(&names, &options.missing);
            let mut first = FirstLook::new(&names);
            let below = &text[records.position()..];
            first.look(&mut Records::new(below, delimiter, 2));
            doubtful.extend(first.doubtful());
            doubtful.sort_unstable();
            doubtful.dedup();
            if doubtful.is_empty() {
                HeaderEvidence::Names
            } else {
                HeaderEvidence::Doubtful { columns: doubtful }
            }
        }
    };
    let is_header = header == HeaderEvidence::Names;
    let mut looks: Vec<ColumnLook> = names.iter().map(|_| ColumnLook::new()).collect();
    let mut rows = 0;
    if !is_header {
        rows += 1;
        see_all(&mut looks, &names, options);
    }
    while let Some(cells) = next_cells(&mut records) {
        rows += 1;
        see_all(&mut looks, &cells, options);
    }
    let mut columns = Vec::with_capacity(looks.len());
    for (at, (look, name)) in looks.into_iter().zip(names).enumerate() {
        columns.push(look.finish(at + 1, is_header.then_some(name)));
    }
    Ok(Looked {
        rows,
        header,
        columns,
    })
}

fn see_all(looks: &mut [ColumnLook], cells: &[String], options: &ReadOptions<'_>) {
    for (look, cell) in looks.iter_mut().zip(cells) {
        look.see(cell, &options.missing);
    }
}

/// The next record; `None` at the end, or where one is broken.
fn next_cells(records: &mut Records<'_>) -> Option<Vec<String>> {
    records.next_record()?;
    let mut cells = Vec::new();
    loop {
        let (cell, last) = records.field().ok()?;
        cells.push(String::from_utf8_lossy(cell).into_owned());
        if last {
            return Some(cells);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Files, gzip};
    use super::*;
    use crate::detect::{DetectedDates, EncodingEvidence};
    use crate::format::{DecimalMark, Encoding};

    fn detected(bytes: impl AsRef<[u8]>) -> DetectedFormat {
        let files = Files::new().with(bytes, None);
        detect(&files.sources[0], &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn a_national_table_is_recognized_with_its_evidence() {
        let mut text = "name;admitted;size;code\n".to_owned();
        for row in 1..=20 {
            text += &format!("Müller;{row:02}.03.2001;1,{row};{row}\n");
        }
        let latin: Vec<u8> = text.chars().map(|c| u32::from(c) as u8).collect();
        for bytes in [gzip(&latin), latin] {
            let found = detected(bytes);
            let format = &found.format;
            assert_eq!(
                (format.encoding, format.delimiter),
                (Encoding::Latin1, Some(b';'))
            );
            assert_eq!(format.decimal, DecimalMark::Comma);
            assert_eq!(format.date_format.as_ref().unwrap().pattern(), "dd.mm.yyyy");
            assert_eq!((found.rows, found.whole), (20, true));
            let days = &found.columns[1].dates[0];
            assert_eq!((days.fits, days.fits_only), (20, 20));
            assert_eq!(found.columns[2].with_comma, 20);
            assert_eq!(found.columns[3].whole_numbers, 20);
            let evidence = EncodingEvidence::SingleBytes {
                beyond_ascii: 20,
                windows_only: 0,
            };
            assert_eq!(found.encoding, evidence);
        }
    }

    #[test]
    fn days_that_could_be_both_are_ambiguous() {
        let found = detected("a,b\n01/02/2003,x\n03/04/2005,y\n");
        let DetectedDates::Ambiguous(ways) = found.columns[0].days() else {
            panic!("two ways fit");
        };
        assert_eq!((ways.len(), found.format.date_format), (2, None));
        let found = detected("a,b\n01/02/2003,x\n13/04/2005,y\n");
        let DetectedDates::One(evidence) = found.columns[0].days() else {
            panic!("one way fits");
        };
        assert_eq!(
            (evidence.format.pattern(), evidence.fits_only),
            ("dd/mm/yyyy", 1)
        );
    }

    #[test]
    fn a_record_is_no_header_and_names_nothing() {
        let found = detected("4711,canary,2001-03-02\n4712,x,2001-03-03\n");
        let doubtful = HeaderEvidence::Doubtful {
            columns: vec![1, 3],
        };
        assert_eq!((&found.header, found.rows), (&doubtful, 2));
        assert!(!format!("{found:?}").contains("canary"));
    }

    #[test]
    fn utf16_is_recognized_with_and_without_its_mark() {
        let text = "name,size\nx,1\ny,2\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let found = detected(&little);
        assert_eq!(found.format.encoding, Encoding::Utf16LittleEndian);
        assert_eq!(found.columns.len(), 2);
        let marked = [&[0xff, 0xfe][..], &little].concat();
        assert_eq!(detected(marked).format.encoding, Encoding::Utf16);
        assert_eq!(detected("größe,b\n1,2\n").format.encoding, Encoding::Utf8);
    }
}

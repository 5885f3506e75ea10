//! [`detect`]: a file's format, proposed from its start.

use super::first_line::{FirstLineVerdict, FirstLook};
use super::json_lines::looks_like_json;
use super::open::{Bytes, Content, open, unsupported};
use super::recognize::other_text;
use super::record::{LoneCarriageReturn, Records, sniff};
use super::record_ends::RecordEnds;
use super::{ReadOptions, Source, read_header};
use crate::detect::look::{self, ColumnLook};
use crate::detect::{DetectedColumn, DetectedFormat, EncodingEvidence, HeaderEvidence};
use crate::error::Error;
use crate::format::{HeaderLine, InputFormat, TableFormat};

/// Bytes of a file that are looked at.
const START: usize = 8 << 20;

/// What is looked for in the first line when no delimiter is given.
const DELIMITERS: &[u8] = b",;\t|";

/// Looks at the start of a file and proposes how it is written. What the source's own format says
/// about encoding, delimiter and header is taken as said.
pub fn detect(source: &Source, options: &ReadOptions<'_>) -> Result<DetectedFormat, Error> {
    let (file, content, _) = open(source)?;
    if content == Content::Parquet {
        let names = read_header(source, options)?;
        return Ok(look::typed(InputFormat::Parquet, names));
    }
    let mut start = Vec::new();
    let is_whole = Bytes::new(file, content, u64::MAX).append(&mut start, START, source)?;
    let said = &source.format;
    let (mut encoding, evidence) = look::encoding_of(&start, is_whole);
    if said.encoding != TableFormat::PLAIN.encoding {
        encoding = said.encoding;
    }
    // what somebody has said about the encoding is taken as said
    if said.encoding == TableFormat::PLAIN.encoding
        && matches!(evidence, EncodingEvidence::SingleBytes { .. })
        && let Some(line) = look::line_of_utf8(&start)
    {
        return Err(Error::MixedEncodings {
            file: source.display.clone(),
            line,
        });
    }
    let text = look::decoded(&start, encoding);
    if looks_like_json(&text) {
        let names = read_header(source, options)?;
        return Ok(look::typed(InputFormat::JsonLines, names));
    }
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
    let names = match next_cells(&mut records) {
        Ok(Some(names)) => names,
        Ok(None) => {
            return Err(Error::EmptyFile {
                file: source.display.clone(),
            });
        }
        Err(LoneCarriageReturn(line)) => {
            return Err(Error::LoneCarriageReturn {
                file: source.display.clone(),
                line,
            });
        }
    };
    let header = match &source.format.header {
        HeaderLine::Trusted => HeaderEvidence::Names,
        HeaderLine::Absent(_) => HeaderEvidence::Doubtful {
            columns: Vec::new(),
        },
        HeaderLine::Looked => {
            let mut first = FirstLook::new(&names, &options.missing);
            let below = &text[records.position()..];
            first.look(&mut Records::new(below, delimiter, 2));
            match first.verdict() {
                FirstLineVerdict::Names => HeaderEvidence::Names,
                FirstLineVerdict::Values(columns) => HeaderEvidence::Doubtful { columns },
                FirstLineVerdict::Unclear => HeaderEvidence::Unclear,
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
    // a broken record is refused by whoever reads the table
    while let Ok(Some(cells)) = next_cells(&mut records) {
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

/// The next record; `None` at the end.
fn next_cells(records: &mut Records<'_>) -> Result<Option<Vec<String>>, LoneCarriageReturn> {
    if records.next_record().is_none() {
        return Ok(None);
    }
    let mut cells = Vec::new();
    loop {
        let (cell, last) = records.field()?;
        cells.push(String::from_utf8_lossy(cell).into_owned());
        if last {
            return Ok(Some(cells));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Files, gzip};
    use super::*;
    use crate::detect::DetectedDates;
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
    fn two_encodings_and_broken_first_lines_are_refused() {
        let mut bytes = "name,size\nMüller,1\n".as_bytes().to_vec();
        bytes.extend(b"M\xfcller,2\n");
        let files = Files::new().with(bytes, None);
        let error = detect(&files.sources[0], &ReadOptions::default()).unwrap_err();
        assert!(
            matches!(error, Error::MixedEncodings { line: 2, .. }),
            "{error}"
        );
        let files = Files::new().with("name,size\rx,1\ry,2\r", None);
        let error = detect(&files.sources[0], &ReadOptions::default()).unwrap_err();
        assert!(
            matches!(error, Error::LoneCarriageReturn { line: 1, .. }),
            "{error}"
        );
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

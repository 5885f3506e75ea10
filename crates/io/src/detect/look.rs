//! The look itself: bytes, then the first line, then cells.
//!
//! Only the start of a file is looked at, a few megabytes of it: a proposal must not take longer
//! than reading would, and what is further down is checked when the table is read.

use super::{
    DateEvidence, DetectedColumn, DetectedDates, DetectedFormat, EncodingEvidence, HeaderEvidence,
};
use crate::format::{DateFormat, DecimalMark, Decoder, Encoding, InputFormat, TableFormat};
use mingle_model::{Missing, Number};

/// Bytes that are looked at for zeros.
const ZERO_SAMPLE: usize = 4_096;

/// The encoding of some bytes from the start of a file, and what speaks for it. `is_whole`: nothing
/// follows them.
pub(crate) fn encoding_of(start: &[u8], is_whole: bool) -> (Encoding, EncodingEvidence) {
    if start.starts_with(b"\xef\xbb\xbf") {
        return (Encoding::Utf8, EncodingEvidence::Marked);
    }
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = start {
        return (Encoding::Utf16, EncodingEvidence::Marked);
    }
    if let Some(found) = zero_pattern(&start[..start.len().min(ZERO_SAMPLE)]) {
        return found;
    }
    let valid = match std::str::from_utf8(start) {
        Ok(text) => Some(text),
        // the last character may be cut
        Err(error) if error.error_len().is_none() && !is_whole => {
            std::str::from_utf8(&start[..error.valid_up_to()]).ok()
        }
        Err(_) => None,
    };
    if let Some(text) = valid {
        let characters = text.chars().filter(|c| !c.is_ascii()).count() as u64;
        if characters == 0 {
            return (Encoding::Utf8, EncodingEvidence::AsciiOnly);
        }
        return (Encoding::Utf8, EncodingEvidence::Valid { characters });
    }
    let beyond_ascii = start.iter().filter(|byte| !byte.is_ascii()).count() as u64;
    let windows_only = start.iter().filter(|byte| (0x80..0xa0).contains(*byte));
    let windows_only = windows_only.count() as u64;
    let encoding = if windows_only > 0 {
        Encoding::Windows1252
    } else {
        Encoding::Latin1
    };
    let evidence = EncodingEvidence::SingleBytes {
        beyond_ascii,
        windows_only,
    };
    (encoding, evidence)
}

/// The line of the first character in UTF-8 that is beyond ASCII, in bytes that as a whole are no
/// UTF-8. In texts of one byte a character the pairs of bytes that UTF-8 uses are an accented
/// capital and a sign, which hardly stand together.
pub(crate) fn line_of_utf8(bytes: &[u8]) -> Option<u64> {
    let mut lines = 1;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c == '\n' {
                lines += 1;
            } else if !c.is_ascii() {
                return Some(lines);
            }
        }
    }
    None
}

/// UTF-16 of mostly Latin letters has a zero in every second byte.
fn zero_pattern(start: &[u8]) -> Option<(Encoding, EncodingEvidence)> {
    let (mut first_zero, mut second_zero, mut pairs) = (0u64, 0u64, 0u64);
    for pair in start.chunks_exact(2) {
        pairs += 1;
        first_zero += u64::from(pair[0] == 0);
        second_zero += u64::from(pair[1] == 0);
    }
    let evidence = EncodingEvidence::ZeroPattern { pairs };
    if second_zero * 2 > pairs && first_zero * 20 < pairs {
        return Some((Encoding::Utf16LittleEndian, evidence));
    }
    if first_zero * 2 > pairs && second_zero * 20 < pairs {
        return Some((Encoding::Utf16BigEndian, evidence));
    }
    None
}

/// The characters of some bytes as UTF-8, as far as they can be read.
pub(crate) fn decoded(start: &[u8], encoding: Encoding) -> Vec<u8> {
    let Some(mut decoder) = Decoder::new(encoding) else {
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
        return text.to_vec();
    };
    let mut text = Vec::new();
    // bytes that are no characters are refused by whoever reads the table
    _ = decoder.decode(start, false, &mut text);
    text
}

/// What is known about a column while its cells are looked at.
pub(crate) struct ColumnLook {
    formats: Vec<DateFormat>,
    fits: Vec<u64>,
    fits_only: Vec<u64>,
    values: u64,
    whole_numbers: u64,
    with_point: u64,
    with_comma: u64,
}

impl ColumnLook {
    pub(crate) fn new() -> Self {
        let formats = DateFormat::COMMON.map(DateFormat::new);
        let formats: Vec<DateFormat> = formats.into_iter().flatten().collect();
        ColumnLook {
            fits: vec![0; formats.len()],
            fits_only: vec![0; formats.len()],
            formats,
            values: 0,
            whole_numbers: 0,
            with_point: 0,
            with_comma: 0,
        }
    }

    pub(crate) fn see(&mut self, text: &str, missing: &Missing) {
        if missing.contains(text) {
            return;
        }
        self.values += 1;
        if Number::parse_integer(text).is_some() {
            self.whole_numbers += 1;
        } else if text.contains('.') && DecimalMark::Point.reads(text) {
            self.with_point += 1;
        } else if text.contains(',') && DecimalMark::Comma.reads(text) {
            self.with_comma += 1;
        }
        // no day has fewer characters than 1.1.2001
        if text.len() < 8 || !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return;
        }
        let mut fitting = Vec::new();
        for (at, format) in self.formats.iter().enumerate() {
            if format.day(text).is_some() {
                fitting.push(at);
            }
        }
        for &at in &fitting {
            self.fits[at] += 1;
            if fitting.len() == 1 {
                self.fits_only[at] += 1;
            }
        }
    }

    pub(crate) fn finish(self, number: usize, name: Option<String>) -> DetectedColumn {
        let mut dates = Vec::new();
        for ((format, fits), fits_only) in
            self.formats.into_iter().zip(self.fits).zip(self.fits_only)
        {
            if fits > 0 {
                dates.push(DateEvidence {
                    format,
                    fits,
                    fits_only,
                });
            }
        }
        dates.sort_by_key(|evidence| std::cmp::Reverse((evidence.fits, evidence.fits_only)));
        DetectedColumn {
            number,
            name,
            values: self.values,
            whole_numbers: self.whole_numbers,
            with_point: self.with_point,
            with_comma: self.with_comma,
            dates,
        }
    }
}

/// The one decimal mark and the one way of writing days that all columns need, if there is one.
pub(crate) fn propose_values(columns: &[DetectedColumn], format: &mut TableFormat) {
    let mut marks = Vec::new();
    let mut ways: Vec<DateFormat> = Vec::new();
    let mut is_ambiguous = false;
    for column in columns {
        marks.extend(column.decimals());
        match column.days() {
            DetectedDates::One(evidence) => ways.push(evidence.format),
            DetectedDates::Ambiguous(_) => is_ambiguous = true,
            DetectedDates::None => {}
        }
    }
    if marks.iter().all(|&mark| mark == DecimalMark::Comma) && !marks.is_empty() {
        format.decimal = DecimalMark::Comma;
    }
    ways.dedup();
    if let [way] = &ways[..]
        && !is_ambiguous
        && way.pattern() != "yyyy-mm-dd"
        // eight digits are as often a number
        && way.pattern() != "yyyymmdd"
    {
        format.date_format = Some(way.clone());
    }
}

/// A file whose columns have names and types of their own.
pub(crate) fn typed(file: InputFormat, columns: Vec<String>) -> DetectedFormat {
    let mut detected = Vec::new();
    for (name, number) in columns.into_iter().zip(1..) {
        detected.push(ColumnLook::new().finish(number, Some(name)));
    }
    DetectedFormat {
        format: TableFormat {
            file: Some(file),
            ..TableFormat::default()
        },
        rows: 0,
        whole: false,
        encoding: EncodingEvidence::AsciiOnly,
        header: HeaderEvidence::Typed,
        columns: detected,
    }
}

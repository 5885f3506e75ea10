//! Tables as providers write them: headers, encodings, decimals, days, names.

use super::tests::{Files, gzip};
use super::*;
use crate::format::{DateFormat, DecimalMark, Encoding, HeaderLine, InputFormat, TableFormat};
use mingle_model::{Kind, Role};
use proptest::prelude::*;
use std::io::Write as _;
use std::sync::Mutex;

/// What must never stand in a message.
const CANARY: &str = "canary";

fn spec(name: &str, kind: Option<Kind>) -> ColumnSpec {
    ColumnSpec {
        kind,
        ..ColumnSpec::new(name, Role::QuasiIdentifier)
    }
}

fn read_columns(sources: &[Source], columns: &[ColumnSpec]) -> Result<Input, Error> {
    read_table(
        sources,
        None,
        columns,
        Undeclared::Error,
        &ReadOptions::default(),
    )
}

fn error_of(sources: &[Source], columns: &[ColumnSpec]) -> Error {
    let error = read_columns(sources, columns).err().expect("refused");
    let message = error.to_string();
    assert!(!message.to_lowercase().contains(CANARY), "{message}");
    error
}

fn one(bytes: impl AsRef<[u8]>, format: TableFormat) -> Files {
    let mut files = Files::new().with(bytes, None);
    files.sources[0].format = format;
    files
}

fn plain(bytes: impl AsRef<[u8]>) -> Files {
    one(bytes, TableFormat::default())
}

fn rows_of(table: &Table) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for row in 0..table.rows() {
        let mut cells = Vec::new();
        for column in &table.columns {
            cells.push(column.domain.text(column.codes.get(row)).to_owned());
        }
        rows.push(cells);
    }
    rows
}

fn ab() -> Vec<ColumnSpec> {
    vec![spec("a", None), spec("b", None)]
}

#[test]
fn a_first_line_that_may_be_a_record_is_refused() {
    for (text, doubtful) in [
        ("4711,canary,2001-03-02\n4712,x,2001-03-03\n", vec![1, 3]),
        ("canary,F\nx,M\ny,F\n", vec![2]),
        ("canary,E11.9\nx,C50.1\ny,J45.0\n", vec![2]),
        ("canary,[70-80)\nx,[0-10)\n", vec![2]),
        ("canary,\nx,y\n", vec![2]),
        ("canary;02.03.2001\nx;03.03.2001\n", vec![2]),
    ] {
        let files = plain(text);
        let error = read_raw(&files.sources, &ReadOptions::default()).err();
        match error.expect("refused") {
            Error::HeaderDoubtful { columns, .. } => assert_eq!(columns, doubtful, "{text}"),
            other => panic!("{text}: {other}"),
        }
        // neither does a policy that was written from such names help
        error_of(&files.sources, &ab());
    }
}

#[test]
fn names_that_nothing_speaks_for_are_refused_unless_somebody_has_declared_them() {
    let mut text = "canarya,canaryb\n".to_owned();
    for row in 0..60u8 {
        let (one, two) = (char::from(b'a' + row % 26), char::from(b'a' + row / 26));
        text += &format!("canary{one}{two}c,canary{two}{one}d\n");
    }
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
        let error = read_raw(&plain(bytes).sources, &ReadOptions::default()).err();
        let error = error.expect("refused");
        assert!(matches!(error, Error::HeaderUnclear { .. }), "{error}");
        assert!(!error.to_string().contains(CANARY), "{error}");
    }
    // a policy that names the columns has said that they are names
    let declared = [spec("canarya", None), spec("canaryb", None)];
    assert!(read_columns(&plain(&text).sources, &declared).is_ok());
    let trusted = TableFormat {
        header: HeaderLine::Trusted,
        ..TableFormat::default()
    };
    let files = one(&text, trusted);
    assert!(read_raw(&files.sources, &ReadOptions::default()).is_ok());
}

#[test]
fn names_of_other_formats_may_be_a_record_as_well() {
    let text =
        "{\"canary\": \"x\", \"E11.9\": \"C50.1\"}\n{\"canary\": \"y\", \"E11.9\": \"J45.0\"}\n";
    let error = read_raw(&plain(text).sources, &ReadOptions::default()).err();
    assert!(matches!(error, Some(Error::HeaderDoubtful { columns, .. }) if columns == [2]));
    let text = "{\"a\": \"canary\", \"F\": \"F\"}\n{\"a\": \"canaryb\", \"F\": \"M\"}\n";
    let error = read_raw(&plain(text).sources, &ReadOptions::default()).err();
    assert!(matches!(error, Some(Error::HeaderDoubtful { columns, .. }) if columns == [2]));
    // they have names, so nothing else has to speak for them
    let text = "{\"ant\": \"bee\"}\n{\"ant\": \"fly\"}\n";
    assert!(read_raw(&plain(text).sources, &ReadOptions::default()).is_ok());
}

#[test]
fn names_are_given_only_where_there_is_no_header() {
    let absent = TableFormat {
        header: HeaderLine::Absent(vec!["a".to_owned(), "b".to_owned()]),
        ..TableFormat::default()
    };
    for text in ["A,b\n1,x\n2,y\n", "a,canary\n1,x\n"] {
        let error = error_of(&one(text, absent.clone()).sources, &ab());
        assert!(matches!(error, Error::HeaderThere { .. }), "{error}");
    }
    let files = one("{\"a\": 1, \"b\": \"canary\"}\n", absent);
    let error = error_of(&files.sources, &ab());
    assert!(matches!(error, Error::NamesItself { .. }), "{error}");
}

#[test]
fn a_name_far_below_is_found_as_well() {
    let mut text = "canary,Flu\n".to_owned();
    for row in 0..5_000 {
        text += &format!("x{row},y{row}\n");
    }
    text += "z,Flu\n";
    let error = read_raw(&plain(text).sources, &ReadOptions::default()).err();
    assert!(matches!(error, Some(Error::HeaderDoubtful { columns, .. }) if columns == [2]));
}

#[test]
fn somebody_may_vouch_for_a_header_or_name_the_columns() {
    let trusted = TableFormat {
        header: HeaderLine::Trusted,
        ..TableFormat::default()
    };
    let files = one("2010,2011\n1,2\n", trusted);
    let columns = [spec("2010", None), spec("2011", None)];
    let read = read_columns(&files.sources, &columns).ok().unwrap();
    assert_eq!(rows_of(&read.table), [["1", "2"]]);

    let absent = TableFormat {
        header: HeaderLine::Absent(vec!["a".to_owned(), "b".to_owned()]),
        ..TableFormat::default()
    };
    let files = one("1,x\n2,y\n", absent.clone());
    let read = read_columns(&files.sources, &ab()).ok().unwrap();
    assert_eq!(rows_of(&read.table), [["1", "x"], ["2", "y"]]);
    let files = one("\n1,x,canary\n2,y,canary\n", absent);
    let error = error_of(&files.sources, &ab());
    let Error::NamesCount {
        line,
        expected,
        found,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!((line, expected, found), (2, 2, 3));
}

#[test]
fn a_header_in_the_middle_is_refused_with_its_line() {
    let text = "a,b\n1,x\na,b\n2,y\n";
    for header in [HeaderLine::Looked, HeaderLine::Trusted] {
        let format = TableFormat {
            header,
            ..TableFormat::default()
        };
        let error = error_of(&one(text, format).sources, &ab());
        assert!(
            matches!(error, Error::HeaderRepeated { line: 3, .. }),
            "{error}"
        );
    }
}

#[test]
fn messages_about_columns_show_no_first_line_that_may_be_a_record() {
    for text in ["canary,x\ny,z\n", "canary,canary\nx,y\n", "canary\nx\n"] {
        error_of(&plain(text).sources, &ab());
    }
    let files = Files::new()
        .with("a,b\n1,x\n", Some("P"))
        .with("canary,y\n1,x\n", Some("Q"));
    let error = read_raw(&files.sources, &ReadOptions::default())
        .err()
        .unwrap();
    assert!(!error.to_string().contains(CANARY), "{error}");
    let files = Files::new()
        .with("canary,y\n1,x\n", Some("P"))
        .with("a,b\n1,x\n", Some("Q"));
    let error = read_raw(&files.sources, &ReadOptions::default())
        .err()
        .unwrap();
    assert!(!error.to_string().contains(CANARY), "{error}");
}

fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Latin1 => text
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect(),
        Encoding::Windows1252 => {
            let byte = |c: char| if c == '€' { 0x80 } else { u32::from(c) as u8 };
            text.chars().map(byte).collect()
        }
        Encoding::Utf16 => encoded(&format!("\u{feff}{text}"), Encoding::Utf16BigEndian),
        Encoding::Utf16LittleEndian => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16BigEndian => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    }
}

#[test]
fn every_encoding_gives_the_same_table() {
    let text = "größe,b\nü,x\n\"é\nß\",y\n";
    let columns = [spec("größe", None), spec("b", None)];
    for encoding in Encoding::ALL {
        let format = TableFormat {
            encoding,
            ..TableFormat::default()
        };
        let bytes = encoded(text, encoding);
        for bytes in [gzip(&bytes), bytes] {
            let files = one(bytes, format.clone());
            for block in [1, 7, 1 << 20] {
                let options = ReadOptions {
                    block,
                    ..ReadOptions::default()
                };
                let read = read_table(&files.sources, None, &columns, Undeclared::Error, &options);
                let read = read.unwrap_or_else(|e| panic!("{encoding:?}: {e}"));
                assert_eq!(rows_of(&read.table), [["ü", "x"], ["é\nß", "y"]]);
            }
        }
    }
}

#[test]
fn bytes_that_are_no_characters_are_refused_with_their_line() {
    let mixed = b"a,b\n1,x\n2,canary\xfc\n";
    assert!(matches!(
        error_of(&plain(mixed).sources, &ab()),
        Error::InvalidUtf8 { line: 3, .. }
    ));
    let latin = TableFormat {
        encoding: Encoding::Latin1,
        ..TableFormat::default()
    };
    assert!(matches!(
        error_of(&one(b"a,b\n1,x\n2,canary\x80\n", latin).sources, &ab()),
        Error::NotInEncoding { line: 3, .. }
    ));
    assert!(matches!(
        error_of(&plain(b"a,b\n1,x\n2,canary\0\n").sources, &ab()),
        Error::NulByte { line: 3, .. }
    ));
    assert!(matches!(
        error_of(&plain("a,b\n1,x\n\u{feff}2,canary\n").sources, &ab()),
        Error::StrayMark { line: 3, .. }
    ));
    let unmarked = encoded("a,canary\n1,x\n", Encoding::Utf16LittleEndian);
    assert!(matches!(
        error_of(&plain(unmarked).sources, &ab()),
        Error::NulByte { line: 1, .. }
    ));
    // identifiers are hashed and not kept, and are characters all the same
    let columns = [ColumnSpec::new("a", Role::Identifier), spec("b", None)];
    assert!(matches!(
        error_of(&plain(b"a,b\n\xfc,x\n").sources, &columns),
        Error::InvalidUtf8 { line: 2, .. }
    ));
}

#[test]
fn other_formats_do_not_pass_for_csv() {
    for bytes in [
        &b"[{\"canary\": 1}]"[..],
        b"<?xml version=\"1.0\"?><canary/>",
        b"%PDF-1.7 canary",
        b"SQLite format 3\0canary",
        b"ARROW1\0\0canary",
        b"Obj\x01canary",
        b"ORCcanary",
        b"\xfd7zXZ\0canary",
        b"BZh91AYcanary",
        b"$FL2@(#) canary",
        b"<stata_dta>canary",
        b"PK\x03\x04canary",
    ] {
        for bytes in [bytes.to_vec(), gzip(bytes)] {
            let error = error_of(&plain(bytes).sources, &ab());
            assert!(matches!(error, Error::UnsupportedFile { .. }), "{error}");
        }
    }
}

#[test]
fn a_file_must_be_what_its_name_says() {
    let mut files = plain("a,b\n1,x\n");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    std::fs::copy(&files.sources[0].path, &path).unwrap();
    files.sources[0].path = path;
    let error = error_of(&files.sources, &ab());
    assert!(
        matches!(
            error,
            Error::OtherFormat {
                said: "parquet",
                found: "csv",
                ..
            }
        ),
        "{error}"
    );
    files.sources[0].format.file = Some(InputFormat::Csv);
    assert!(read_columns(&files.sources, &ab()).is_ok());
    files.sources[0].format.file = Some(InputFormat::JsonLines);
    assert!(matches!(
        error_of(&files.sources, &ab()),
        Error::OtherFormat { .. }
    ));
}

fn two(first: &str, second: &str) -> Files {
    Files::new().with(first, Some("P")).with(second, Some("Q"))
}

#[test]
fn kinds_that_differ_between_providers_are_refused() {
    let differing = |error: Error| match error {
        Error::KindsDiffer(found) => (found.line, found.values),
        other => panic!("{other}"),
    };
    let days = two("a,b\n2001-03-02,x\n", "a,b\n03.03.2001,x\n");
    let error = error_of(&days.sources, &ab());
    let message = error.to_string();
    assert_eq!(differing(error), (2, "dates".to_owned()));
    for part in ["f2, line 2", "\"a\"", "\"P\"", "\"Q\"", "dates"] {
        assert!(message.contains(part), "{message}");
    }
    let decimals = two("a,b\n1.5,x\n", "a;b\n1,5;x\n");
    assert_eq!(
        differing(error_of(&decimals.sources, &ab())),
        (2, "numbers".to_owned())
    );
    let national = two("a;b\n02.03.2001;x\n", "a;b\n03/14/2001;x\n");
    assert_eq!(
        differing(error_of(&national.sources, &ab())),
        (2, "dates written dd.mm.yyyy".to_owned())
    );
    let ambiguous = two("a;b\n01/02/2003;x\n", "a;b\n13/02/2003;x\n");
    let error = error_of(&ambiguous.sources, &ab());
    assert!(matches!(error, Error::DaysAmbiguous(_)), "{error}");
    // one table with a provider column is no different
    let files = plain("p,a\nP,2001-03-02\nQ,03.03.2001\n");
    let options = ReadOptions::default();
    let columns = [spec("a", None)];
    let read = read_table(
        &files.sources,
        Some("p"),
        &columns,
        Undeclared::Error,
        &options,
    );
    assert_eq!(differing(read.err().unwrap()), (3, "dates".to_owned()));
    // said to be a category, it is one
    let category = [spec("a", Some(Kind::Category)), spec("b", None)];
    assert!(read_columns(&days.sources, &category).is_ok());
    let agreeing = two("a,b\n1,x\n2,\n", "a,b\n1.5,x\n?,y\n");
    assert!(read_columns(&agreeing.sources, &ab()).is_ok());
}

#[test]
fn values_are_read_as_their_source_writes_them() {
    let columns = [spec("a", Some(Kind::Date)), spec("b", Some(Kind::Decimal))];
    let mut files = two("a,b\n2001-03-02,1.5\n", "a;b\n2.3.2001;1,50\n-;2\n");
    files.sources[1].format = TableFormat {
        decimal: DecimalMark::Comma,
        date_format: DateFormat::new("dd.mm.yyyy"),
        missing: vec!["-".to_owned()],
        ..TableFormat::default()
    };
    let read = read_columns(&files.sources, &columns).unwrap_or_else(|e| panic!("{e}"));
    let expected = [["2001-03-02", "1.5"], ["2001-03-02", "1.5"], ["", "2"]];
    assert_eq!(rows_of(&read.table), expected);

    for (cell, line) in [
        ("2001-03-02;1", 2),
        ("02.03.2001;1.5", 2),
        ("31.02.2001;1", 2),
    ] {
        let mut files = two("a,b\n2001-03-02,1.5\n", &format!("a;b\n{cell}\n"));
        files.sources[1].format = TableFormat {
            decimal: DecimalMark::Comma,
            date_format: DateFormat::new("dd.mm.yyyy"),
            ..TableFormat::default()
        };
        let error = error_of(&files.sources, &columns);
        match &error {
            Error::NotAsWritten {
                line: found, file, ..
            } => {
                assert_eq!((*found, file.as_str()), (line, "f2"), "{cell}");
            }
            other => panic!("{cell}: {other}"),
        }
    }
    // a list is no number
    let error = error_of(
        &two("a,b\n2001-03-02,1.5\n", "a;b\n2001-03-02;1,5\n").sources,
        &columns,
    );
    assert!(matches!(error, Error::Column { .. }), "{error}");
}

#[test]
fn columns_meet_under_one_name() {
    let mut files = two("a,b\n1,x\n", "Alter,b\n2,y\n");
    files.sources[1].format.renamed = vec![("Alter".to_owned(), "a".to_owned())];
    let read = read_columns(&files.sources, &ab()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(rows_of(&read.table), [["1", "x"], ["2", "y"]]);
    let raw = read_raw(&files.sources, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(raw.columns[0].0, "a");
}

#[test]
fn a_column_may_be_missing_if_it_is_optional() {
    let files = two("a,b\n1,x\n", "a\n2\n3\n");
    assert!(matches!(
        error_of(&files.sources, &ab()),
        Error::MissingColumns { .. }
    ));
    let mut columns: Vec<WantedColumn<'_>> = ab().into_iter().map(Into::into).collect();
    columns[1].optional = true;
    let selection = Selection {
        provider_column: None,
        columns,
        undeclared: Undeclared::Error,
        person: None,
        separated: None,
    };
    let options = ReadOptions::default();
    let read =
        read_selection(&files.sources, &selection, &options).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(rows_of(&read.table), [["1", "x"], ["2", ""], ["3", ""]]);
    assert_eq!(read.absent, [(1, "b".to_owned())]);
    let nobody = Files::new().with("a\n2\n", None);
    let error = read_selection(&nobody.sources, &selection, &options).err();
    assert!(matches!(error, Some(Error::MissingEverywhere { .. })));
}

#[test]
fn a_dropped_column_is_not_read() {
    let files = plain(b"a,b\n1,\xff\n");
    let columns = [spec("a", None), ColumnSpec::new("b", Role::Drop)];
    let read = read_columns(&files.sources, &columns).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(rows_of(&read.table), [["1"]]);
    assert!(read_columns(&plain("a\n1\n").sources, &columns).is_ok());
}

#[test]
fn a_file_that_changes_while_it_is_read_is_refused() {
    for replaced in [false, true] {
        let files = plain("a,b\n1,x\n2,y\n");
        let path = files.sources[0].path.clone();
        let once = Mutex::new(true);
        let change = |_| {
            if !std::mem::take(&mut *once.lock().unwrap()) {
                return;
            }
            if replaced {
                std::fs::remove_file(&path).unwrap();
                let mut file = std::fs::File::create_new(&path).unwrap();
                file.write_all(b"a,b\n1,x\n2,y\n").unwrap();
            } else {
                let mut file = std::fs::File::options().append(true).open(&path).unwrap();
                file.write_all(b"3,z\n").unwrap();
            }
        };
        let options = ReadOptions {
            progress: Some(&change),
            ..ReadOptions::default()
        };
        let read = read_table(&files.sources, None, &ab(), Undeclared::Error, &options);
        assert!(
            matches!(read.err(), Some(Error::Changed { .. })),
            "{replaced}"
        );
    }
}

/// A row: a day, a number in hundredths, a word.
type Row = (i32, i32, &'static str);

/// How a provider writes its table.
#[derive(Clone, Debug)]
struct Style {
    encoding: Encoding,
    delimiter: u8,
    comma: bool,
    pattern: &'static str,
    header: bool,
    renamed: bool,
    backwards: bool,
    missing: &'static str,
}

fn style() -> impl Strategy<Value = Style> {
    let patterns = vec![
        "yyyy-mm-dd",
        "dd.mm.yyyy",
        "mm/dd/yyyy",
        "yyyymmdd",
        "dd.mm.yyyy hh:mm",
    ];
    (
        proptest::sample::select(Encoding::ALL.to_vec()),
        proptest::sample::select(b",;\t|".to_vec()),
        any::<bool>(),
        proptest::sample::select(patterns),
        (any::<bool>(), any::<bool>(), any::<bool>()),
        proptest::sample::select(vec!["", "NA", "-9"]),
    )
        .prop_map(
            |(encoding, delimiter, comma, pattern, (header, renamed, backwards), missing)| Style {
                encoding,
                delimiter,
                comma,
                pattern,
                header,
                renamed,
                backwards,
                missing,
            },
        )
}

fn written(rows: &[Row], style: &Style) -> (Vec<u8>, TableFormat) {
    let ours = ["day", "size", "word"];
    let theirs = if style.renamed {
        ["tag", "größe", "wort"]
    } else {
        ours
    };
    let mut lines = Vec::new();
    if style.header {
        lines.push(theirs.map(str::to_owned).to_vec());
    }
    for &(day, size, word) in rows {
        let (year, month) = (2_000 + day / 400, 1 + day / 31 % 12);
        let day = 1 + day % 28;
        let pad = |text: &str, number: i32| format!("{number:0width$}", width = text.len());
        let mut written = style.pattern.replace(" hh:mm", " 10:20");
        for (part, number) in [("yyyy", year), ("mm", month), ("dd", day)] {
            written = written.replace(part, &pad(part, number));
        }
        let mark = if style.comma { ',' } else { '.' };
        let size = if size < 0 {
            style.missing.to_owned()
        } else {
            format!("{}{mark}{:02}", size / 100, size % 100)
        };
        lines.push(vec![written, size, word.to_owned()]);
    }
    let delimiter = char::from(style.delimiter);
    let mut text = String::new();
    for mut line in lines {
        if style.backwards {
            line.reverse();
        }
        let cells: Vec<String> = line.iter().map(|cell| format!("\"{cell}\"")).collect();
        text += &cells.join(&delimiter.to_string());
        text.push('\n');
    }
    let mut names: Vec<String> = theirs.map(str::to_owned).to_vec();
    if style.backwards {
        names.reverse();
    }
    let mut renamed = Vec::new();
    for (their, our) in theirs.iter().zip(ours) {
        if style.renamed {
            renamed.push(((*their).to_owned(), our.to_owned()));
        }
    }
    let format = TableFormat {
        encoding: style.encoding,
        delimiter: Some(style.delimiter),
        decimal: if style.comma {
            DecimalMark::Comma
        } else {
            DecimalMark::Point
        },
        date_format: DateFormat::new(style.pattern),
        header: if style.header {
            HeaderLine::Looked
        } else {
            HeaderLine::Absent(names)
        },
        renamed,
        missing: vec![style.missing.to_owned()],
        ..TableFormat::default()
    };
    (encoded(&text, style.encoding), format)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Who writes in which way changes nothing: the table is that of providers who all write as we
    /// do.
    #[test]
    fn the_way_of_writing_leaves_no_trace(
        tables in proptest::collection::vec(
            proptest::collection::vec(
                (0..4_000i32, -1..300i32, proptest::sample::select(vec!["ü", "x", "y z"])), 1..6),
            1..4),
        styles in proptest::collection::vec(style(), 4),
        threads in 1usize..3,
    ) {
        let ours = Style {
            encoding: Encoding::Utf8, delimiter: b',', comma: false, pattern: "yyyy-mm-dd",
            header: true, renamed: false, backwards: false, missing: "",
        };
        let columns = [
            spec("day", Some(Kind::Date)),
            spec("size", Some(Kind::Decimal)),
            spec("word", Some(Kind::Category)),
        ];
        let options = ReadOptions { threads, block: 64, ..ReadOptions::default() };
        let mut expected = Files::new();
        let mut files = Files::new();
        for (number, rows) in tables.iter().enumerate() {
            let provider = format!("P{number}");
            let (bytes, _) = written(rows, &ours);
            expected = expected.with(bytes, Some(&provider));
            let (bytes, format) = written(rows, &styles[number]);
            files = files.with(bytes, Some(&provider));
            files.sources[number].format = format;
        }
        let read = |sources: &[Source]| {
            let read = read_table(sources, None, &columns, Undeclared::Error, &options);
            read.unwrap_or_else(|e| panic!("{e}")).table
        };
        let (expected, found) = (read(&expected.sources), read(&files.sources));
        prop_assert_eq!(rows_of(&expected), rows_of(&found));
        for (expected, found) in expected.columns.iter().zip(&found.columns) {
            prop_assert!(expected.domain == found.domain);
        }
    }
}

use super::*;
use crate::format::{HeaderLine, TableFormat};
use crate::guard::FormulaGuard;
use crate::write::{Format, OutColumn, OutKind, RowWriter};
use flate2::Compression;
use flate2::write::GzEncoder;
use mingle_model::Role;
use proptest::prelude::*;
use std::io::Write;
use std::sync::Mutex;
use tempfile::TempDir;

/// Identifiers that repeat, and how many rows repeat one.
pub(super) fn repeats(columns: &[RepeatedIdentifier]) -> Vec<(&str, u64)> {
    let mut repeats = Vec::new();
    for column in columns {
        repeats.push((column.column.as_str(), column.repeats()));
    }
    repeats
}

/// Files in a folder that disappears.
pub(super) struct Files {
    folder: TempDir,
    pub(super) sources: Vec<Source>,
}

impl Files {
    pub(super) fn new() -> Self {
        Files {
            folder: tempfile::tempdir().unwrap(),
            sources: Vec::new(),
        }
    }

    pub(super) fn with(mut self, bytes: impl AsRef<[u8]>, provider: Option<&str>) -> Self {
        let display = format!("f{}", self.sources.len() + 1);
        let path = self.folder.path().join(&display);
        std::fs::File::create(&path)
            .unwrap()
            .write_all(bytes.as_ref())
            .unwrap();
        let mut source = Source::new(path, display);
        source.provider = provider.map(str::to_owned);
        self.sources.push(source);
        self
    }

    /// Made-up names above made-up cells, for which nothing speaks.
    pub(super) fn with_trusted_headers(mut self) -> Self {
        for source in &mut self.sources {
            source.format.header = HeaderLine::Trusted;
        }
        self
    }
}

fn one(bytes: impl AsRef<[u8]>) -> Files {
    Files::new().with(bytes, None)
}

fn specs(names: &[&str]) -> Vec<ColumnSpec> {
    names
        .iter()
        .map(|n| ColumnSpec::new(*n, Role::QuasiIdentifier))
        .collect()
}

/// Every text a category, so that it comes back as it was written.
fn categories(names: &[&str]) -> Vec<ColumnSpec> {
    specs(names)
        .into_iter()
        .map(|s| ColumnSpec {
            kind: Some(mingle_model::Kind::Category),
            ..s
        })
        .collect()
}

fn read_ab(bytes: impl AsRef<[u8]>) -> Result<Input, Error> {
    let files = one(bytes);
    read_table(
        &files.sources,
        None,
        &specs(&["a", "b"]),
        Undeclared::Error,
        &ReadOptions::default(),
    )
}

fn error_of(bytes: impl AsRef<[u8]>) -> Error {
    read_ab(bytes).err().expect("malformed")
}

fn cells(table: &Table) -> Vec<Vec<String>> {
    let row = |r: usize| {
        table
            .columns
            .iter()
            .map(|c| c.domain.text(c.codes.get(r)).to_owned())
            .collect()
    };
    (0..table.rows()).map(row).collect()
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn dialects_of_csv() {
    for text in [
        "a,b\n1,x\n2,y\n",
        "a,b\n1,x\n2,y",
        "a,b\r\n1,x\r\n2,y\r\n",
        "\u{feff}a,b\n1,x\n2,y\n",
        "a;b\n1;x\n2;y\n",
        "a\tb\n1\tx\n2\ty\n\n\n",
        "a|b\n1|x\n2|y\n\r\n",
        "\n\na,b\n1,x\n\n2,y\n",
        "b,a\nx,1\ny,2\n",
        "\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\"y\"\n",
    ] {
        let input = read_ab(text).ok().unwrap_or_else(|| panic!("{text:?}"));
        assert_eq!(cells(&input.table), [["1", "x"], ["2", "y"]], "{text:?}");
        let packed = read_ab(gzip(text.as_bytes())).ok().unwrap();
        assert_eq!(cells(&packed.table), [["1", "x"], ["2", "y"]], "{text:?}");
    }
    let members = [gzip(b"a,b\n1,"), gzip(b"x\n2,y\n")].concat();
    assert_eq!(
        cells(&read_ab(members).ok().unwrap().table),
        [["1", "x"], ["2", "y"]]
    );
}

#[test]
fn malformed_files_and_where() {
    use Error::*;
    assert!(matches!(error_of(""), EmptyFile { .. }));
    assert!(matches!(error_of("\n\r\n\n"), EmptyFile { .. }));
    assert!(matches!(error_of("\u{feff}"), EmptyFile { .. }));
    assert!(matches!(error_of("a,b\n"), NoRows { files: 1, .. }));
    assert!(matches!(error_of("a,b"), NoRows { .. }));
    assert!(matches!(error_of("\u{ff}\u{fe}"), NoHeader { columns, .. } if columns == ["a", "b"]));
    assert!(matches!(error_of("secret,cells\n1,2\n"), NoHeader { .. }));
    assert!(matches!(
        error_of(b"\xff\xfea\0,\0b\0"),
        UnsupportedFile {
            found: "UTF-16 text",
            ..
        }
    ));
    assert!(matches!(error_of(b"\xfe\xff\0a"), UnsupportedFile { .. }));
    assert!(matches!(
        error_of(b"PK\x03\x04rest"),
        UnsupportedFile { .. }
    ));
    assert!(
        matches!(error_of("a,b,a\n1,2,3\n"), DuplicateColumn { columns, .. } if columns == [1, 3])
    );
    assert!(
        matches!(error_of("a,c\n1,2\n"), MissingColumns { columns, found, .. } if columns == ["b"] && found == ["a", "c"])
    );
    assert!(
        matches!(error_of("a,b,c,d\n1,2,3,4\n"), UndeclaredColumns { columns, .. } if columns == ["c", "d"])
    );
    assert!(matches!(error_of(b"a,\xff\n1,2\n"), HeaderNotUtf8 { .. }));
    assert!(matches!(
        error_of("a,b\n1,2\n3\n"),
        RaggedRow {
            line: 3,
            expected: 2,
            found: 1,
            ..
        }
    ));
    assert!(matches!(
        error_of("a,b\n\"1\n\n\",2\n\n3,4,5\n"),
        RaggedRow {
            line: 6,
            found: 3,
            ..
        }
    ));
    assert!(matches!(
        error_of("a,b\n1,2\n3,\n4"),
        RaggedRow {
            line: 4,
            found: 1,
            ..
        }
    ));
    assert!(
        matches!(error_of(b"a,b\n1,2\n3,\xc3\n"), InvalidUtf8 { line: 3, column, .. } if column == "b")
    );
    assert!(matches!(
        error_of("a,b\n1,x\ry\n"),
        LoneCarriageReturn { line: 2, .. }
    ));
    assert!(matches!(
        error_of("a,b\r1,2\r3,4\r"),
        LoneCarriageReturn { line: 1, .. }
    ));
    assert!(matches!(
        error_of("a,b\n1,2\n3,\"4\n5,6\n7,8\n"),
        UnclosedQuote { line: 3, .. }
    ));
    assert!(matches!(
        error_of("\"a,b\n1,2\n"),
        UnclosedQuote { line: 1, .. }
    ));
    assert!(matches!(error_of(b"PAR1"), ParquetCorrupt { .. }));
    assert!(matches!(
        error_of(b"PAR1junkjunkjunkjunkPAR1"),
        ParquetCorrupt { .. }
    ));
    assert!(matches!(error_of(b"\x1f\x8bjunk"), GzipCorrupt { .. }));
    let packed = gzip(b"a,b\n1,2\n3,4\n");
    assert!(matches!(
        error_of(&packed[..packed.len() - 9]),
        GzipCorrupt { .. }
    ));
    let mut flipped = packed;
    let at = flipped.len() - 6;
    flipped[at] ^= 1;
    assert!(matches!(error_of(flipped), GzipCorrupt { .. }));
}

#[test]
fn files_that_cannot_be_read() {
    let files = one("a,b\n1,2\n");
    let mut missing = files.sources.clone();
    missing[0].path.push("nowhere");
    let mut folder = files.sources.clone();
    folder[0].path = files.folder.path().to_owned();
    for sources in [missing, folder] {
        let read = read_table(
            &sources,
            None,
            &specs(&["a", "b"]),
            Undeclared::Error,
            &ReadOptions::default(),
        );
        assert!(matches!(read, Err(Error::Unreadable { .. })));
    }
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"a,b\n1,2\n").unwrap();
    drop(writer);
    let mut pipe = files.sources.clone();
    pipe[0].path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader)).into();
    let read = read_table(
        &pipe,
        None,
        &specs(&["a", "b"]),
        Undeclared::Error,
        &ReadOptions::default(),
    );
    assert!(matches!(read, Err(Error::Unreadable { .. })));
    let none = read_table::<Source>(
        &[],
        None,
        &specs(&["a"]),
        Undeclared::Error,
        &ReadOptions::default(),
    );
    assert!(matches!(none, Err(Error::NoRows { .. })));
}

#[test]
fn messages_never_hold_a_cell() {
    let canary = "canary";
    let long = format!("a,b\n1,{}\n", canary.repeat(200_000));
    let texts: Vec<Vec<u8>> = vec![
        b"a,b\ncanary\n".to_vec(),
        b"a,b\n1,canary\xff\n".to_vec(),
        b"a,b\ncanary,\"canary\n".to_vec(),
        b"a,b\ncanary\rcanary,1\n".to_vec(),
        long.into_bytes(),
    ];
    for text in texts {
        let error = error_of(text);
        let message = format!("{error} {error:?}");
        assert!(
            !message.contains(canary) && message.contains("f1"),
            "{message}"
        );
    }
    let files = one("a\n1\ncanary\n");
    let spec = ColumnSpec {
        kind: Some(mingle_model::Kind::Integer),
        ..specs(&["a"]).remove(0)
    };
    let error = read_table(
        &files.sources,
        None,
        &[spec],
        Undeclared::Error,
        &ReadOptions::default(),
    )
    .err()
    .unwrap();
    assert_eq!(
        error.to_string(),
        "column \"a\": f1, line 3: not an integer"
    );
    assert!(!error.is_limit());
}

#[test]
fn long_headers_are_cut_in_messages() {
    let header: Vec<String> = (0..50).map(|i| format!("{i}{}", "x".repeat(200))).collect();
    let message = error_of(format!("a,{}\n", header.join(","))).to_string();
    assert!(
        message.len() < 3_000 && message.contains("and 31 more"),
        "{message}"
    );
    assert!(error_of("a,\u{1b}[31m\n").to_string().contains("\\u{1b}"));
}

#[test]
fn limits_are_refused_as_limits() {
    let wide = |n: usize| {
        format!(
            "{}\n",
            (0..n)
                .map(|i| format!("c{i}"))
                .collect::<Vec<_>>()
                .join(",")
        )
    };
    let limit = error_of(wide(10_000));
    assert!(matches!(limit, Error::TooManyColumns { limit: 4_096, .. }) && limit.is_limit());
    assert!(!error_of(wide(4_096)).is_limit());

    let cell = error_of(format!("a,b\n1,2\n3,{}\n", "x".repeat((1 << 20) + 1)));
    assert!(
        matches!(&cell, Error::CellTooLong { line: 3, column, .. } if column == "b")
            && cell.is_limit()
    );
    assert!(read_ab(format!("a,b\n1,2\n3,{}\n", "x".repeat(1 << 20))).is_ok());

    // 200 MB in one line, and in one quoted cell, from 200 kB on disk
    for start in ["a,b\n1,2\n", "a,b\n1,2\n3,\""] {
        let mut bomb = gzip(start.as_bytes());
        let member = gzip(&vec![b'x'; 10 << 20]);
        (0..20).for_each(|_| bomb.extend_from_slice(&member));
        let record = error_of(bomb);
        assert!(matches!(record, Error::RecordTooLong { line: 3, .. }) && record.is_limit());
    }

    let files = one("a,b\n1,2\n3,4\n5,6\n");
    let limits = Limits {
        rows: 2,
        ..Limits::default()
    };
    let options = ReadOptions {
        limits,
        ..ReadOptions::default()
    };
    let rows = read_table(
        &files.sources,
        None,
        &specs(&["a", "b"]),
        Undeclared::Error,
        &options,
    )
    .err()
    .unwrap();
    assert!(matches!(rows, Error::TooManyRows { limit: 2 }) && rows.is_limit());
}

#[test]
fn undeclared_columns_can_be_dropped() {
    let files = one("x,b,y,a\nq,1,\"r\n\",2\n");
    let read = read_table(
        &files.sources,
        None,
        &specs(&["a", "b"]),
        Undeclared::Drop,
        &ReadOptions::default(),
    );
    assert_eq!(cells(&read.ok().unwrap().table), [["2", "1"]]);
    let files = one(format!("a,x\n1,{}\n", "x".repeat(2 << 20)));
    let read = read_table(
        &files.sources,
        None,
        &specs(&["a"]),
        Undeclared::Drop,
        &ReadOptions::default(),
    );
    assert!(matches!(read, Err(Error::CellTooLong { .. })));
}

#[test]
fn one_table_per_provider() {
    let files = Files::new()
        .with("a,b\n1,x\n2,y\n", Some("Zoe"))
        .with("b;a\nx;3\n", Some("Ann"))
        .with("a,b\n", Some("Bob"));
    let read = read_table(
        &files.sources,
        None,
        &specs(&["a", "b"]),
        Undeclared::Error,
        &ReadOptions::default(),
    );
    let input = read.ok().unwrap();
    assert_eq!(cells(&input.table), [["1", "x"], ["2", "y"], ["3", "x"]]);
    assert_eq!(
        input.table.providers.names().collect::<Vec<_>>(),
        ["Ann", "Bob", "Zoe"]
    );
    assert!(input.table.provider_of.iter().eq([2, 2, 0]));
    assert_eq!(input.hashes.len(), 3);
    assert_eq!(input.hashes[2].as_ref().unwrap().bytes, 4);
    assert_eq!(input.hashes[2].as_ref().unwrap().sha256, sha256(b"a,b\n"));

    let unnamed = Files::new().with("a,b\n1,x\n", Some(" "));
    let read = read_table(
        &unnamed.sources,
        None,
        &specs(&["a", "b"]),
        Undeclared::Error,
        &ReadOptions::default(),
    );
    assert!(matches!(read, Err(Error::EmptyProviderName { .. })));
}

fn sha256(bytes: &[u8]) -> String {
    let mut writer = crate::hash::HashingWriter::new(std::io::sink());
    writer.write_all(bytes).unwrap();
    writer.finish().1.sha256
}

#[test]
fn one_table_with_a_provider_column() {
    let read = |text: &str, columns: &[ColumnSpec]| {
        let files = one(text);
        read_table(
            &files.sources,
            Some("who"),
            columns,
            Undeclared::Error,
            &ReadOptions::default(),
        )
    };
    let input = read("a,who\n1,Zoe\n2,Ann\n3,Zoe\n", &specs(&["a"]))
        .ok()
        .unwrap();
    assert_eq!(input.table.columns.len(), 1);
    assert!(input.table.provider_of.iter().eq([1, 0, 1]));
    // declared as a column as well
    let input = read("a,who\n1,Zoe\n2,Ann\n", &specs(&["who", "a"]))
        .ok()
        .unwrap();
    assert_eq!(cells(&input.table), [["Zoe", "1"], ["Ann", "2"]]);
    assert!(input.table.provider_of.iter().eq([1, 0]));
    let identifier = [
        ColumnSpec::new("who", Role::Identifier),
        ColumnSpec::new("a", Role::Sensitive),
    ];
    let input = read("a,who\n1,Zoe\n2,Zoe\n", &identifier).ok().unwrap();
    assert!(input.table.columns.len() == 1 && input.table.providers.len() == 1);

    assert!(
        matches!(read("a,b\n1,2\n", &specs(&["a", "b"])), Err(Error::MissingProviderColumn { column, .. }) if column == "who")
    );
    for empty in ["", " ", "?"] {
        let wrong = read(&format!("a,who\n1,Zoe\n2,{empty}\n"), &specs(&["a"]));
        assert!(matches!(
            wrong,
            Err(Error::EmptyProviderCell { line: 3, .. })
        ));
    }
}

#[test]
fn identifiers_are_dropped_and_repeats_counted() {
    let files = Files::new()
        .with("id,a\nx,1\ny,1\n,1\n", Some("P"))
        .with("a,id\n1,x\n1,\n1,x\n1,y\n", Some("Q"));
    let columns = [
        ColumnSpec::new("id", Role::Identifier),
        ColumnSpec::new("a", Role::Sensitive),
    ];
    let read = read_table(
        &files.sources,
        None,
        &columns,
        Undeclared::Error,
        &ReadOptions::default(),
    );
    let input = read.ok().unwrap();
    assert_eq!(input.table.columns.len(), 1);
    assert_eq!(repeats(&input.repeated_identifiers), [("id", 3)]);
    let unique = one("id,a\nx,1\ny,1\n");
    let read = read_table(
        &unique.sources,
        None,
        &columns,
        Undeclared::Error,
        &ReadOptions::default(),
    );
    assert!(read.ok().unwrap().repeated_identifiers.is_empty());
}

#[test]
fn progress_and_cancelling() {
    let text = format!("a,b\n{}", "1,2\n".repeat(10_000));
    let files = one(&text);
    let reports = Mutex::new(Vec::new());
    let progress = |bytes| reports.lock().unwrap().push(bytes);
    let options = ReadOptions {
        progress: Some(&progress),
        block: 1_000,
        threads: 3,
        ..ReadOptions::default()
    };
    assert!(
        read_table(
            &files.sources,
            None,
            &specs(&["a", "b"]),
            Undeclared::Error,
            &options
        )
        .is_ok()
    );
    let reports = reports.into_inner().unwrap();
    assert!(
        reports.is_sorted() && reports.len() > 10 && reports.last() == Some(&(text.len() as u64))
    );

    let cancel = AtomicBool::new(true);
    let options = ReadOptions {
        cancel: Some(&cancel),
        ..ReadOptions::default()
    };
    let read = read_table(
        &files.sources,
        None,
        &specs(&["a", "b"]),
        Undeclared::Error,
        &options,
    );
    assert!(matches!(read, Err(Error::Cancelled)));
}

#[test]
fn the_first_error_wins_for_any_number_of_threads() {
    let mut text = String::from("a,b\n");
    (2..2_000).for_each(|line| text.push_str(if line % 700 == 0 { "1\n" } else { "1,2\n" }));
    let files = one(&text);
    for threads in [1, 2, 8] {
        for block in [16, 100, 5_000] {
            let options = ReadOptions {
                threads,
                block,
                ..ReadOptions::default()
            };
            let read = read_table(
                &files.sources,
                None,
                &specs(&["a", "b"]),
                Undeclared::Error,
                &options,
            );
            assert!(
                matches!(read, Err(Error::RaggedRow { line: 700, .. })),
                "{threads} {block}"
            );
        }
    }
}

#[test]
fn headers_and_raw_columns() {
    let files = Files::new()
        .with("a;b\nx;1\ny;2\nx;1\n", None)
        .with("b;a\n3;y\n", None);
    let options = ReadOptions::default();
    assert_eq!(
        read_header(&files.sources[0], &options).unwrap(),
        ["a", "b"]
    );
    let raw = read_raw(&files.sources, &options).ok().unwrap();
    assert_eq!(raw.rows, 4);
    assert_eq!(
        raw.columns
            .iter()
            .map(|(n, _)| n.as_str())
            .collect::<Vec<_>>(),
        ["a", "b"]
    );
    let (_, a) = &raw.columns[0];
    assert!(a.ids.iter().eq([0, 1, 0, 1]));
    let values: Vec<_> = a
        .values
        .iter()
        .map(|v| (&*v.text, v.position.to_string()))
        .collect();
    assert_eq!(
        values,
        [
            ("x", "f1, line 2".to_owned()),
            ("y", "f1, line 3".to_owned())
        ]
    );
    assert_eq!(
        raw.columns[1].1.values[2].position.to_string(),
        "f2, line 2"
    );
}

#[test]
fn hierarchies() {
    let read = |bytes: &[u8]| {
        let files = one(bytes);
        read_hierarchy(&files.sources[0].path, "h.csv")
    };
    let rows = |bytes: &[u8]| read(bytes).unwrap().rows;
    let expected = vec![
        (1, vec!["a,1".to_owned(), "*".to_owned()]),
        (3, vec!["b".to_owned(), "*".to_owned()]),
    ];
    assert_eq!(rows("\u{feff}a,1;*\r\n\r\nb;*\r\n".as_bytes()), expected);
    assert_eq!(rows(b"\"a,1\";*\n\n\"b\";*"), expected);
    assert_eq!(rows(b"\"a,1\",*\n\nb,*"), expected);
    assert_eq!(rows(b"a;1,2\nb;3\n")[0].1, ["a", "1,2"]);
    assert_eq!(rows(b"a\t*\nb\t*")[1].1, ["b", "*"]);
    assert_eq!(rows(b"a;b\n\"c\nd\";e\nf;g\n")[2].0, 4);
    assert!(matches!(read(b""), Err(Error::EmptyFile { .. })));
    assert!(matches!(read(b"\n\n"), Err(Error::EmptyFile { .. })));
    assert!(matches!(
        read(b"a;b\n\"c;d\n"),
        Err(Error::UnclosedQuote { line: 2, .. })
    ));
    assert!(matches!(
        read(b"a;b\nc;\xff\n"),
        Err(Error::InvalidUtf8 { line: 2, .. })
    ));
    assert!(matches!(
        read(b"a;b\nc\rd\n"),
        Err(Error::LoneCarriageReturn { line: 2, .. })
    ));
    assert!(matches!(
        read(b"\xff\xfea"),
        Err(Error::UnsupportedFile { .. })
    ));
    assert!(matches!(
        read(b"PAR1...."),
        Err(Error::UnsupportedFile { .. })
    ));
    assert!(
        read(&[b"a;".repeat(5_000), b"b\n".to_vec()].concat())
            .unwrap_err()
            .is_limit()
    );
}

/// Writes rows of texts in a format and returns the bytes.
fn write(format: Format, names: &[&str], rows: &[Vec<String>]) -> Vec<u8> {
    let column = |c: usize| OutColumn {
        name: names[c].to_owned(),
        kind: OutKind::Text,
        texts: rows.iter().map(|r| r[c].clone()).collect(),
        missing: None,
    };
    let mut writer =
        RowWriter::new(format, Vec::new(), (0..names.len()).map(column).collect()).unwrap();
    for row in 0..rows.len() as u32 {
        writer.row(&vec![row; names.len()], 1).unwrap();
    }
    writer.finish().unwrap()
}

fn nasty_text() -> impl Strategy<Value = String> {
    let pieces = [
        "\"", "\n", "\r", "\r\n", ",", ";", "=", "'", "-", "+", "@", "\t", "a", "ß", "0", " ",
        "\u{feff}", "\u{0}", "?",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..6)
        .prop_map(|p| p.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_is_written_is_read_back(
        rows in proptest::collection::vec(proptest::collection::vec(nasty_text(), 2), 1..12),
        names in proptest::collection::hash_set(nasty_text(), 2),
        width in 1usize..3,
    ) {
        let names: Vec<&str> = names.iter().map(String::as_str).take(width).collect();
        let rows: Vec<Vec<String>> = rows.into_iter().map(|r| r.into_iter().take(width).collect()).collect();
        for format in [Format::Csv, Format::Parquet] {
            let mut files = one(write(format, &names, &rows));
            files.sources[0].format = TableFormat::released();
            // "" stands for itself; nothing else is missing
            let options = ReadOptions {
                missing: Missing::new(vec![String::new()]),
                unguard: FormulaGuard::Parts,
                ..ReadOptions::default()
            };
            let read = read_table(&files.sources, None, &categories(&names), Undeclared::Error, &options);
            prop_assert_eq!(&cells(&read.unwrap_or_else(|e| panic!("{e}")).table), &rows);
        }
    }

    #[test]
    fn neither_threads_nor_blocks_change_the_table(
        rows in proptest::collection::vec(proptest::collection::vec("[ab\"\n,]{0,3}", 3), 1..60),
        line_feed in proptest::sample::select(vec!["\n", "\r\n"]),
        threads in 1usize..5,
        block in 1usize..200,
    ) {
        let quoted = |c: &String| format!("\"{}\"", c.replace('"', "\"\""));
        let line = |r: &Vec<String>| r.iter().map(quoted).collect::<Vec<_>>().join(",") + line_feed;
        let text = format!("one,two,three{line_feed}{}", rows.iter().map(line).collect::<String>());
        let files = Files::new().with(&text, Some("P")).with(gzip(text.as_bytes()), Some("Q")).with_trusted_headers();
        let options = ReadOptions { threads, block, ..ReadOptions::default() };
        let raw = read_raw(&files.sources, &options).unwrap_or_else(|e| panic!("{e}"));
        prop_assert_eq!(raw.rows as usize, 2 * rows.len());
        let twice: Vec<&Vec<String>> = rows.iter().chain(&rows).collect();
        for (c, (_, column)) in raw.columns.iter().enumerate() {
            let read = column.ids.iter().map(|id| &*column.values[id as usize].text);
            prop_assert!(read.eq(twice.iter().map(|r| r[c].as_str())));
            let mut lines = csv_lines(&text);
            for value in &column.values {
                // values come in the order of their first lines
                let first = lines.by_ref().find(|(_, record)| record[c] == *value.text).expect("in order").0;
                prop_assert_eq!(value.position.to_string(), format!("f1, line {first}"));
            }
        }
        prop_assert_eq!(&raw.hashes[0].as_ref().unwrap().sha256, &sha256(text.as_bytes()));
        prop_assert_eq!(&raw.hashes[1].as_ref().unwrap().sha256, &sha256(&gzip(text.as_bytes())));
    }
}

/// Lines and records as the csv crate reads them.
fn csv_lines(text: &str) -> impl Iterator<Item = (u64, Vec<String>)> {
    let reader = ::csv::Reader::from_reader(std::io::Cursor::new(text.to_owned()));
    // a record starts where the one before ended, which with CRLF is before the line feed for this
    // crate
    let mut line = 2;
    reader.into_records().map(move |r| {
        let record: Vec<String> = r.unwrap().iter().map(str::to_owned).collect();
        let first = line;
        line += 1 + record
            .iter()
            .map(|c| c.matches('\n').count() as u64)
            .sum::<u64>();
        (first, record)
    })
}

mod parquet_files {
    use super::*;
    use ::parquet::arrow::ArrowWriter;
    use ::parquet::file::properties::WriterProperties;
    use arrow_array::types::Int8Type;
    use arrow_array::*;
    use arrow_schema::{DataType, Field, Schema};

    fn parquet(columns: Vec<(&str, ArrayRef)>, group: usize) -> Vec<u8> {
        let field =
            |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let batch = RecordBatch::try_new(
            schema.clone(),
            columns.into_iter().map(|(_, a)| a).collect(),
        )
        .unwrap();
        let properties = WriterProperties::builder()
            .set_max_row_group_row_count(Some(group))
            .build();
        let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    }

    fn read_column(array: ArrayRef) -> Result<Vec<String>, Error> {
        let rows = array.len();
        for threads in [1, 3] {
            for group in [rows / 100 + 1, 1_000] {
                let files = one(parquet(vec![("c", array.clone())], group));
                let options = ReadOptions {
                    threads,
                    block: 8,
                    ..ReadOptions::default()
                };
                let raw = read_raw(&files.sources, &options)?;
                assert_eq!(raw.rows as usize, rows);
                let column = &raw.columns[0].1;
                let texts: Vec<String> = column
                    .ids
                    .iter()
                    .map(|id| column.values[id as usize].text.to_string())
                    .collect();
                let mut used: Vec<u32> = column.ids.iter().collect();
                used.sort_unstable();
                used.dedup();
                assert_eq!(used.len(), column.values.len(), "a value that no row has");
                if (threads, group) == (3, 1_000) {
                    return Ok(texts);
                }
            }
        }
        unreachable!()
    }

    #[test]
    fn half_precision_floats_are_read() {
        type Half = <types::Float16Type as ArrowPrimitiveType>::Native;
        let values = [Some(1.5), Some(-0.0), None, Some(65504.0), Some(0.1)];
        let halves = values.map(|value| value.map(Half::from_f32));
        let array: ArrayRef = Arc::new(Float16Array::from_iter(halves));
        let texts = read_column(array).unwrap();
        assert_eq!(texts, ["1.5", "0", "", "65504", "0.099975586"]);
    }

    #[test]
    fn every_usual_compression_is_read() {
        use ::parquet::basic::Compression;
        let cells: Vec<String> = (0..2_000)
            .map(|row| format!("cell {}", row % 300))
            .collect();
        let column: ArrayRef = Arc::new(StringArray::from(cells.clone()));
        let batch = RecordBatch::try_from_iter([("c", column)]).unwrap();
        for compression in [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            Compression::GZIP(Default::default()),
            Compression::ZSTD(Default::default()),
            Compression::LZ4,
            Compression::LZ4_RAW,
        ] {
            let properties = WriterProperties::builder()
                .set_compression(compression)
                .build();
            let mut writer =
                ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
            writer.write(&batch).unwrap();
            let files = one(writer.into_inner().unwrap());
            let raw = read_raw(&files.sources, &ReadOptions::default()).unwrap();
            let column = &raw.columns[0].1;
            let mut texts = Vec::new();
            for id in column.ids.iter() {
                texts.push(column.values[id as usize].text.to_string());
            }
            assert_eq!(texts, cells, "{compression}");
        }
    }

    #[test]
    fn types_become_texts_and_nulls_are_missing() {
        let texts = |array: ArrayRef| read_column(array).unwrap();
        assert_eq!(
            texts(Arc::new(Int32Array::from(vec![
                Some(5),
                None,
                Some(-5),
                Some(5)
            ]))),
            ["5", "", "-5", "5"]
        );
        assert_eq!(
            texts(Arc::new(Float64Array::from(vec![
                Some(0.5),
                None,
                Some(2.0)
            ]))),
            ["0.5", "", "2"]
        );
        assert_eq!(
            texts(Arc::new(BooleanArray::from(vec![
                Some(true),
                None,
                Some(false)
            ]))),
            ["true", "", "false"]
        );
        let strings = vec![Some("x"), None, Some(""), Some("x"), Some("y")];
        let expected = ["x", "", "", "x", "y"];
        assert_eq!(
            texts(Arc::new(StringArray::from(strings.clone()))),
            expected
        );
        assert_eq!(
            texts(Arc::new(LargeStringArray::from(strings.clone()))),
            expected
        );
        assert_eq!(
            texts(Arc::new(StringViewArray::from(strings.clone()))),
            expected
        );
        assert_eq!(
            texts(Arc::new(
                strings.into_iter().collect::<DictionaryArray<Int8Type>>()
            )),
            expected
        );
        assert_eq!(
            texts(Arc::new(Date32Array::from(vec![Some(0), None]))),
            ["1970-01-01", ""]
        );
        assert_eq!(
            texts(Arc::new(TimestampMillisecondArray::from(vec![0, 1]))),
            ["1970-01-01", "1970-01-01T00:00:00.001"]
        );
        assert_eq!(
            texts(Arc::new(StringArray::from(vec![None::<&str>, None]))),
            ["", ""]
        );
        assert_eq!(
            texts(Arc::new(Int64Array::from(vec![None, None]))),
            ["", ""]
        );
        let decimal = Decimal128Array::from(vec![Some(1250), None])
            .with_precision_and_scale(9, 2)
            .unwrap();
        assert_eq!(texts(Arc::new(decimal)), ["12.5", ""]);
    }

    #[test]
    fn many_batches_and_distinct_texts() {
        let text = |i: usize| format!("t{}", i * 7_919 % 30_011);
        let strings: Vec<String> = (0..60_000).map(text).collect();
        assert_eq!(
            read_column(Arc::new(StringArray::from(strings.clone()))).unwrap(),
            strings
        );
    }

    #[test]
    fn values_of_a_dictionary_that_no_row_uses_are_no_values() {
        let keys = Int8Array::from(vec![Some(2), Some(2), None]);
        let dictionary = DictionaryArray::new(
            keys,
            Arc::new(StringArray::from(vec!["ghost", "phantom", "x"])),
        );
        assert_eq!(read_column(Arc::new(dictionary)).unwrap(), ["x", "x", ""]);
    }

    #[test]
    fn types_that_are_no_cells_name_the_column() {
        let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1]));
        let binary: ArrayRef = Arc::new(BinaryArray::from(vec![b"x".as_slice()]));
        let fields = vec![Field::new("inner", DataType::Int32, true)];
        let nested: ArrayRef =
            Arc::new(StructArray::new(fields.into(), vec![numbers.clone()], None));
        for (array, word) in [(binary, "binary"), (nested, "nested")] {
            let files = one(parquet(vec![("a", numbers.clone()), ("odd", array)], 10));
            let read = |columns: &[&str]| {
                let (columns, options) = (specs(columns), ReadOptions::default());
                read_table(&files.sources, None, &columns, Undeclared::Drop, &options)
            };
            assert!(
                matches!(read(&["a", "odd"]), Err(Error::ColumnType { column, found, .. }) if column == "odd" && found == word)
            );
            assert_eq!(cells(&read(&["a"]).ok().unwrap().table), [["1"]]);
        }
    }

    #[test]
    fn dates_without_a_text_say_where() {
        let days: ArrayRef = Arc::new(Date32Array::from(vec![0, 1, i32::MAX]));
        assert!(
            matches!(read_column(days), Err(Error::DateOutOfRange { row: 3, column, .. }) if column == "c")
        );
    }

    #[test]
    fn parquet_and_csv_side_by_side() {
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("b", Arc::new(StringArray::from(vec!["x", "y"]))),
            ("id", Arc::new(StringArray::from(vec!["1", "1"]))),
            ("a", Arc::new(Int64Array::from(vec![7, 8]))),
        ];
        let bytes = parquet(columns, 1);
        let hash = sha256(&bytes);
        let files = Files::new()
            .with(bytes, Some("P"))
            .with("a,b,id\n7,y,2\n", Some("Q"));
        let mut columns = specs(&["a", "b"]);
        columns.push(ColumnSpec::new("id", Role::Identifier));
        let read = read_table(
            &files.sources,
            None,
            &columns,
            Undeclared::Error,
            &ReadOptions::default(),
        );
        let input = read.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(cells(&input.table), [["7", "x"], ["8", "y"], ["7", "y"]]);
        assert_eq!(repeats(&input.repeated_identifiers), [("id", 1)]);
        assert_eq!(input.hashes[0].as_ref().unwrap().sha256, hash);
        let options = ReadOptions::default();
        assert_eq!(
            read_header(&files.sources[0], &options).unwrap(),
            ["b", "id", "a"]
        );
    }

    #[test]
    fn damaged_parquet_is_an_error_and_nothing_worse() {
        let strings: Vec<String> = (0..300).map(|i| format!("canary{i}")).collect();
        let bytes = parquet(
            vec![("a", Arc::new(StringArray::from(strings)) as ArrayRef)],
            100,
        );
        for at in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            let files = one(damaged);
            let read = read_table(
                &files.sources,
                None,
                &specs(&["a"]),
                Undeclared::Error,
                &ReadOptions::default(),
            );
            if let Err(error) = read {
                assert!(!error.to_string().contains("canary"), "{error}");
            }
        }
        for cut in [10, bytes.len() / 2, bytes.len() - 1] {
            let files = one(&bytes[..cut]);
            let read = read_table(
                &files.sources,
                None,
                &specs(&["a"]),
                Undeclared::Error,
                &ReadOptions::default(),
            );
            assert!(matches!(read, Err(Error::ParquetCorrupt { .. })));
        }
    }
}

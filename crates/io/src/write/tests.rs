use super::*;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::OpenOptions;

fn column(name: &str, kind: OutKind, texts: &[&str], missing: Option<u32>) -> OutColumn {
    OutColumn {
        name: name.into(),
        kind,
        texts: texts.iter().map(|t| t.to_string()).collect(),
        missing,
    }
}

fn write(
    format: Format,
    columns: Vec<OutColumn>,
    rows: &[(&[u32], u64)],
) -> Result<Vec<u8>, Error> {
    let mut writer = RowWriter::new(format, Vec::new(), columns)?;
    for (codes, count) in rows {
        writer.row(codes, *count)?;
    }
    writer.finish()
}

fn csv_of(columns: Vec<OutColumn>, rows: &[(&[u32], u64)]) -> String {
    String::from_utf8(write(Format::Csv, columns, rows).unwrap()).unwrap()
}

#[test]
fn csv_is_quoted_guarded_and_repeated() {
    let columns = vec![
        column(
            "=name",
            OutKind::Text,
            &["a,b", "\"q\"", "=1", "-5", "l\nm", ""],
            None,
        ),
        column("n", OutKind::Integer, &["1", "?"], Some(1)),
    ];
    let text = csv_of(
        columns,
        &[
            (&[0, 0], 2),
            (&[1, 1], 1),
            (&[2, 0], 0),
            (&[2, 0], 1),
            (&[3, 0], 1),
            (&[4, 0], 1),
        ],
    );
    assert_eq!(
        text,
        "'=name,n\n\"a,b\",1\n\"a,b\",1\n\"\"\"q\"\"\",?\n'=1,1\n-5,1\n\"l\nm\",1\n"
    );
}

#[test]
fn a_lone_empty_cell_and_a_byte_order_mark_are_quoted() {
    let columns = vec![column("\u{feff}c", OutKind::Text, &[""], None)];
    assert_eq!(csv_of(columns, &[(&[0], 1)]), "\"\u{feff}c\"\n\"\"\n");
}

#[test]
fn numbered_cells_need_no_dictionary() {
    let columns = || {
        vec![
            column("id", OutKind::Numbered, &["P"], None),
            column("c", OutKind::Text, &["x"], None),
        ]
    };
    assert_eq!(
        csv_of(columns(), &[(&[7, 0], 1), (&[123_456_789, 0], 1)]),
        "id,c\nP00000007,x\nP123456789,x\n"
    );
    let bytes = write(Format::Parquet, columns(), &[(&[7, 0], 1)]).unwrap();
    assert!(bytes.windows(9).any(|w| w == b"P00000007"));
    for format in [Format::Csv, Format::Parquet] {
        let two = write(
            format,
            vec![column("id", OutKind::Numbered, &["P", "Q"], None)],
            &[],
        );
        assert!(matches!(two, Err(Error::WrongKind { .. })));
    }
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    for format in [Format::Csv, Format::Parquet] {
        let columns = || vec![column("c", OutKind::Text, &["a"], None)];
        assert!(matches!(
            write(format, columns(), &[(&[1], 1)]),
            Err(Error::RowShape { row: 1, columns: 1 })
        ));
        assert!(matches!(
            write(format, columns(), &[(&[0], 3), (&[0, 0], 1)]),
            Err(Error::RowShape { row: 4, .. })
        ));
    }
}

#[test]
fn parquet_refuses_texts_that_are_not_of_their_kind() {
    for (kind, text) in [
        (OutKind::Integer, "05"),
        (OutKind::Integer, "+5"),
        (OutKind::Integer, "9223372036854775808"),
        (OutKind::Integer, "[1-2]"),
        (OutKind::Date, "2001-02-30"),
        (OutKind::Date, "2001"),
        (OutKind::Number, "1,5"),
        (OutKind::Number, "inf"),
    ] {
        let wrong = write(Format::Parquet, vec![column("c", kind, &[text], None)], &[]);
        assert!(matches!(wrong, Err(Error::WrongKind { .. })), "{text}");
        let message = wrong.err().unwrap().to_string();
        assert!(!message.contains(text), "{message}");
        assert!(
            write(
                Format::Parquet,
                vec![column("c", kind, &[text], Some(0))],
                &[(&[0], 1)]
            )
            .is_ok()
        );
    }
}

#[test]
fn kinds_fall_back_to_text() {
    assert_eq!(OutKind::of(Kind::Integer, ["1", "-7"]), OutKind::Integer);
    assert_eq!(
        OutKind::of(
            Kind::Integer,
            ["1", "170141183460469231731687303715884105727"]
        ),
        OutKind::Text
    );
    assert_eq!(OutKind::of(Kind::Date, ["2001-03-02"]), OutKind::Date);
    assert_eq!(OutKind::of(Kind::Date, ["2001-03"]), OutKind::Text);
    assert_eq!(OutKind::of(Kind::Decimal, ["1"]), OutKind::Text);
}

#[test]
fn texts_that_no_row_uses_are_not_in_the_bytes() {
    let canary = "canary-in-the-dictionary";
    for format in [Format::Csv, Format::Parquet] {
        let columns = || vec![column("c", OutKind::Text, &["used", canary], None)];
        let holds =
            |bytes: Vec<u8>, what: &str| bytes.windows(what.len()).any(|w| w == what.as_bytes());
        assert!(!holds(
            write(format, columns(), &[(&[0], 5)]).unwrap(),
            canary
        ));
        assert!(holds(
            write(format, columns(), &[(&[0], 5), (&[1], 1)]).unwrap(),
            canary
        ));
    }
}

#[test]
fn equal_rows_give_equal_bytes_however_they_are_counted() {
    for format in [Format::Csv, Format::Parquet] {
        let columns = || vec![column("c", OutKind::Text, &["a", "b"], Some(1))];
        let at_once = write(format, columns(), &[(&[0], 40_000), (&[1], 2)]).unwrap();
        let mut singly: Vec<(&[u32], u64)> = vec![(&[0], 1); 40_000];
        singly.extend([(&[1u32][..], 1), (&[1][..], 1)]);
        assert!(at_once == write(format, columns(), &singly).unwrap());
    }
}

#[test]
fn parquet_says_nothing_about_how_it_was_made() {
    let bytes = write(
        Format::Parquet,
        vec![column("c", OutKind::Date, &["2001-03-02"], None)],
        &[(&[0], 1)],
    )
    .unwrap();
    let reader = SerializedFileReader::new(tempfile_of(&bytes)).unwrap();
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.created_by(), Some("mingle"));
    assert!(metadata.key_value_metadata().is_none_or(|kv| kv.is_empty()));
}

#[test]
fn a_full_disk_is_an_error_of_writing() {
    for format in [Format::Csv, Format::Parquet] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let columns = vec![column("c", OutKind::Text, &["a"], None)];
        let attempt = || {
            let mut writer = RowWriter::new(format, full, columns)?;
            writer.row(&[0], 1_000_000)?;
            writer.finish()
        };
        let Err(Error::Write(source)) = attempt() else {
            panic!("{format:?}")
        };
        assert_eq!(source.kind(), std::io::ErrorKind::StorageFull);
    }
}

fn tempfile_of(bytes: &[u8]) -> std::fs::File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

//! JSON Lines as tables: the same as CSV of the same cells, and everything that is refused.

use super::tests::{Files, gzip};
use super::*;
use mingle_model::{Kind, Role};
use proptest::prelude::*;

/// Never in a message.
const CANARY: &str = "zqxcanary";

fn categories() -> Vec<ColumnSpec> {
    let mut specs = Vec::new();
    for name in ["a", "b"] {
        specs.push(ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(name, Role::QuasiIdentifier)
        });
    }
    specs
}

/// The cells of both columns, row by row.
fn read_in_blocks(bytes: &[u8], block: usize, threads: usize) -> Result<Vec<[String; 2]>, Error> {
    let files = Files::new().with(bytes, None);
    let options = ReadOptions {
        block,
        threads,
        ..ReadOptions::default()
    };
    let input = read_table(
        &files.sources,
        None,
        &categories(),
        Undeclared::Drop,
        &options,
    )?;
    let hash = input.hashes[0].as_ref().unwrap();
    assert_eq!(hash.bytes, bytes.len() as u64);
    let mut rows = Vec::new();
    for row in 0..input.table.rows() {
        let text = |column: usize| {
            let column = &input.table.columns[column];
            column.domain.text(column.codes.get(row)).to_owned()
        };
        rows.push([text(0), text(1)]);
    }
    Ok(rows)
}

fn read(text: &str) -> Result<Vec<[String; 2]>, Error> {
    read_in_blocks(text.as_bytes(), 1 << 20, 1)
}

fn message(text: &str) -> String {
    let error = read(text).expect_err("was read");
    let message = error.to_string();
    assert!(!message.contains(CANARY), "{message}");
    assert!(!format!("{error:?}").contains(CANARY), "{error:?}");
    message
}

#[test]
fn keys_are_columns_in_any_order() {
    let text = "\u{feff}\n{\"a\": 1.50, \"b\": \"x\", \"c\": [1]}\r\n\n  {\"b\":null,\"a\":true}\n{\"a\":\"\\u00e9\"}";
    let expected = [["1.50", "x"], ["true", ""], ["é", ""]];
    assert_eq!(read(text).unwrap(), expected);
    let packed = read_in_blocks(&gzip(text.as_bytes()), 7, 3).unwrap();
    assert_eq!(packed, expected);
}

#[test]
fn kinds_follow_from_the_texts_as_in_csv() {
    let files = Files::new().with(
        "{\"a\":1,\"b\":\"2001-03-02\"}\n{\"a\":2.50,\"b\":null}\n",
        None,
    );
    let csv = Files::new().with("a,b\n1,2001-03-02\n2.50,\n", None);
    let read = |files: &Files| {
        let specs = ["a", "b"].map(|name| ColumnSpec::new(name, Role::QuasiIdentifier));
        let options = ReadOptions::default();
        let input = read_table(&files.sources, None, &specs, Undeclared::Error, &options);
        let mut columns = Vec::new();
        for column in input.ok().unwrap().table.columns {
            let texts = (0..column.domain.len() as Code).map(|c| column.domain.text(c).to_owned());
            columns.push((column.domain.kind(), texts.collect::<Vec<_>>()));
        }
        columns
    };
    assert_eq!(read(&files), read(&csv));
    assert_eq!(read(&files)[0].0, Kind::Decimal);
    assert_eq!(read(&files)[1].0, Kind::Date);
}

#[test]
fn lines_that_are_no_rows_are_refused_with_their_number() {
    let first = "{\"a\":1,\"b\":2,\"c\":3}\n\n";
    for (line, expected) in [
        (
            "{\"a\":{\"zqxcanary\":1}}",
            "f1, line 3: column \"a\": an object or a list is no cell",
        ),
        (
            "{\"b\":[\"zqxcanary\"]}",
            "f1, line 3: column \"b\": an object or a list is no cell",
        ),
        (
            "{\"a\":1,\"a\":\"zqxcanary\"}",
            "f1, line 3: column \"a\": the key is there twice",
        ),
        (
            "{\"c\":1,\"c\":2}",
            "f1, line 3: column \"(not read)\": the key is there twice",
        ),
        ("[\"zqxcanary\"]", "f1, line 3: not one JSON object"),
        ("{\"a\":zqxcanary}", "f1, line 3: not one JSON object"),
        ("{\"a\":1} {\"a\":2}", "f1, line 3: not one JSON object"),
        ("{", "f1, line 3: not one JSON object"),
        ("zqxcanary", "f1, line 3: not one JSON object"),
    ] {
        assert_eq!(message(&format!("{first}{line}\n")), expected, "{line}");
    }
    let bytes = [first.as_bytes(), b"{\"a\":\"\xff\"}\n"].concat();
    let error = read_in_blocks(&bytes, 1 << 20, 1).unwrap_err();
    assert_eq!(error.to_string(), "f1, line 3: not valid UTF-8");
    assert_eq!(message("{}\n"), "f1 is empty");
}

#[test]
fn a_key_that_comes_late_is_refused_and_not_named() {
    let mut text = "{\"a\":1,\"b\":2}\n".repeat(999);
    text.push_str("{\"a\":1,\"c\":2}\n");
    assert_eq!(read(&text).unwrap().len(), 1000);
    text.push_str("{\"zqxcanary\":1}\n");
    for block in [16, 1_000, 1 << 20] {
        let error = read_in_blocks(text.as_bytes(), block, 2).unwrap_err();
        assert_eq!(
            error.to_string(),
            "f1, line 1001: a key that none of the first 1000 lines has"
        );
    }
}

#[test]
fn keys_that_are_people_are_refused() {
    let mut text = String::new();
    for person in 0..50 {
        text.push_str(&format!("{{\"{CANARY}{person}\":1}}\n"));
    }
    assert_eq!(
        message(&text),
        "f1: the keys of the first 1000 lines differ as if they were values"
    );
}

#[test]
fn limits_hold() {
    let files = Files::new().with("{\"a\":1,\"b\":\"0123456789\"}\n", None);
    let with = |limits: Limits| {
        let options = ReadOptions {
            limits,
            ..ReadOptions::default()
        };
        let read = read_table(
            &files.sources,
            None,
            &categories(),
            Undeclared::Drop,
            &options,
        );
        read.err().unwrap()
    };
    let columns = with(Limits {
        columns: 1,
        ..Limits::default()
    });
    assert!(matches!(columns, Error::TooManyColumns { limit: 1, .. }));
    let cell = with(Limits {
        cell: 9,
        ..Limits::default()
    });
    assert!(matches!(
        cell,
        Error::CellTooLong {
            line: 1,
            limit: 9,
            ..
        }
    ));
    let endless = format!("{{\"a\":\"{}", "x".repeat(5_000));
    let files = Files::new().with(endless, None);
    let options = ReadOptions {
        block: 100,
        limits: Limits {
            record: 1_000,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let error = read_table(
        &files.sources,
        None,
        &categories(),
        Undeclared::Drop,
        &options,
    );
    assert!(matches!(
        error.err(),
        Some(Error::RecordTooLong { line: 1, .. })
    ));
}

proptest! {
    /// CSV of the same cells, for any size of blocks and any number of threads.
    #[test]
    fn the_same_as_csv(
        rows in prop::collection::vec(prop::array::uniform2("[ ->@-`c-~é]{0,6}"), 1..60),
        block in 1usize..300,
        threads in 1usize..4,
    ) {
        let mut csv = String::from("a,b\n");
        let mut json = String::new();
        for [a, b] in &rows {
            let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
            csv.push_str(&format!("{},{}\n", quoted(a), quoted(b)));
            let a = serde_json::to_string(a).unwrap();
            let b = serde_json::to_string(b).unwrap();
            json.push_str(&format!("{{\"b\":{b},\"a\":{a}}}\n"));
        }
        let from_json = read_in_blocks(json.as_bytes(), block, threads).unwrap();
        prop_assert_eq!(&from_json, &rows);
        prop_assert_eq!(from_json, read(&csv).unwrap());
    }

    #[test]
    fn any_bytes_after_a_line_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let all = [b"{\"a\":1,\"b\":2}\n".to_vec(), bytes].concat();
        let _ = read_in_blocks(&all, 8, 2);
    }
}

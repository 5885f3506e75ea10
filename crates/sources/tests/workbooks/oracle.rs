//! The field's reader of sheets, `calamine`, as an oracle: it was written by others, and reads the
//! same texts from workbooks that other programs have saved and from generated ones.
//!
//! `saved/` holds a table of five rows as three libraries write it (openpyxl, XlsxWriter, odfpy):
//! shared and inline texts, styles, frozen panes, filters, a formula with its result, several
//! paragraphs and spaces, dates with and without a time of day.

use super::made::{Xlsx, ods};
use super::{Columns, read};
use calamine::{Data, Reader, open_workbook_auto_from_rs};
use proptest::prelude::*;
use std::io::Cursor;

/// All columns of the only sheet, as calamine reads them.
fn by_oracle(bytes: &[u8]) -> Columns {
    let mut workbook = open_workbook_auto_from_rs(Cursor::new(bytes.to_vec())).unwrap();
    let range = workbook.worksheet_range_at(0).unwrap().unwrap();
    let mut rows = range.rows();
    let mut columns: Columns = Vec::new();
    for name in rows.next().unwrap() {
        columns.push((text(name), Vec::new()));
    }
    for row in rows {
        for (column, cell) in columns.iter_mut().zip(row) {
            column.1.push(text(cell));
        }
    }
    columns
}

/// A cell as a CSV file of the same table has it.
fn text(cell: &Data) -> String {
    match cell {
        Data::Empty => String::new(),
        Data::String(text) => text.clone(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::Bool(value) => value.to_string(),
        Data::DateTime(instant) => {
            let (year, month, day, hour, minute, second, _) = instant.to_ymd_hms_milli();
            instant_text(
                &format!("{year:04}-{month:02}-{day:02}"),
                &format!("{hour:02}:{minute:02}:{second:02}"),
            )
        }
        Data::DateTimeIso(instant) => match instant.split_once('T') {
            Some((day, time)) => instant_text(day, time),
            None => instant.clone(),
        },
        other => panic!("not in these workbooks: {other:?}"),
    }
}

fn instant_text(day: &str, time: &str) -> String {
    if time == "00:00:00" {
        day.to_owned()
    } else {
        format!("{day}T{time}")
    }
}

#[test]
fn workbooks_of_other_programs_are_read_alike() {
    let mut first: Option<Columns> = None;
    for bytes in [
        &include_bytes!("saved/openpyxl.xlsx")[..],
        include_bytes!("saved/xlsxwriter.xlsx"),
        include_bytes!("saved/odfpy.ods"),
    ] {
        let columns = read(bytes).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(columns, by_oracle(bytes));
        assert_eq!(columns.len(), 8);
        assert_eq!(columns[1].1[0], "1970-01-02");
        assert_eq!(columns[4].1[0], "2001-03-02T10:30:00");
        // the same table, whoever wrote it
        match &first {
            None => first = Some(columns),
            Some(first) => assert_eq!(first, &columns),
        }
    }
}

/// What a cell of a generated sheet holds.
#[derive(Clone, Debug)]
enum Made {
    Nothing,
    Text(String),
    Number(String),
    Yes(bool),
    /// Days since 31 December 1899 as Excel counts them, from 1 March 1900 on.
    Day(u32),
}

fn made_cell() -> impl Strategy<Value = Made> {
    prop_oneof![
        Just(Made::Nothing),
        "[A-Za-zäßЖ<>&\"'0-9.,;|-]{1,9}( [a-z]{1,4})?".prop_map(Made::Text),
        (-1_000_000i64..1_000_000).prop_map(|number| Made::Number(number.to_string())),
        (-99_999i64..99_999, 1u32..6).prop_map(|(number, places)| {
            let number = number as f64 / 10f64.powi(places as i32);
            Made::Number(number.to_string())
        }),
        any::<bool>().prop_map(Made::Yes),
        (61u32..73_000).prop_map(Made::Day),
    ]
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The day of a sheet's number by counting months, apart from both readers.
fn day_of(serial: u32) -> String {
    // 1 March 1900 is number 61
    let (mut year, mut month, mut day) = (1900u32, 3u32, serial - 60);
    loop {
        let is_leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let length = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if day <= length {
            return format!("{year:04}-{month:02}-{day:02}");
        }
        day -= length;
        month += 1;
        if month > 12 {
            (year, month) = (year + 1, 1);
        }
    }
}

const NAMES: [&str; 3] = ["Row name", "Second", "Third"];

fn as_xlsx(rows: &[Vec<Made>]) -> Vec<u8> {
    let mut sheet = super::made::row(1, &NAMES);
    for (at, row) in rows.iter().enumerate() {
        let number = at + 2;
        let mut cells = format!(r#"<c r="A{number}" t="inlineStr"><is><t>r{at}</t></is></c>"#);
        for (cell, column) in row.iter().zip(["B", "C"]) {
            cells += &match cell {
                Made::Nothing => continue,
                Made::Text(text) => format!(
                    r#"<c r="{column}{number}" t="inlineStr"><is><t>{}</t></is></c>"#,
                    escaped(text)
                ),
                Made::Number(value) => format!(r#"<c r="{column}{number}"><v>{value}</v></c>"#),
                Made::Yes(value) => {
                    let value = u8::from(*value);
                    format!(r#"<c r="{column}{number}" t="b"><v>{value}</v></c>"#)
                }
                Made::Day(day) => format!(r#"<c r="{column}{number}" s="1"><v>{day}</v></c>"#),
            };
        }
        sheet += &format!(r#"<row r="{number}">{cells}</row>"#);
    }
    Xlsx::of(&sheet).bytes()
}

fn as_ods(rows: &[Vec<Made>]) -> Vec<u8> {
    let mut sheet = super::made::ods_row(&NAMES);
    for (at, row) in rows.iter().enumerate() {
        let mut cells = format!(
            r#"<table:table-cell office:value-type="string"><text:p>r{at}</text:p></table:table-cell>"#
        );
        for cell in row {
            let (attributes, inside) = match cell {
                Made::Nothing => (String::new(), String::new()),
                Made::Text(text) => ("string\"".to_owned(), escaped(text)),
                Made::Number(value) => {
                    (format!("float\" office:value=\"{value}\""), "x".to_owned())
                }
                Made::Yes(value) => (
                    format!("boolean\" office:boolean-value=\"{value}\""),
                    "x".to_owned(),
                ),
                Made::Day(day) => (
                    format!("date\" office:date-value=\"{}\"", day_of(*day)),
                    "x".to_owned(),
                ),
            };
            cells += &if attributes.is_empty() {
                "<table:table-cell/>".to_owned()
            } else {
                format!(
                    r#"<table:table-cell office:value-type="{attributes}><text:p>{inside}</text:p></table:table-cell>"#
                )
            };
        }
        sheet += &format!("<table:table-row>{cells}</table:table-row>");
    }
    ods(&[("table:name=\"a\"", &sheet)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn generated_sheets_are_read_alike(
        rows in proptest::collection::vec(proptest::collection::vec(made_cell(), 2), 6..20),
    ) {
        let (xlsx, ods) = (as_xlsx(&rows), as_ods(&rows));
        let found = read(&xlsx).unwrap_or_else(|e| panic!("{e}"));
        prop_assert_eq!(&found, &by_oracle(&xlsx));
        prop_assert_eq!(&found, &read(&ods).unwrap_or_else(|e| panic!("{e}")));
        prop_assert_eq!(&found, &by_oracle(&ods));
    }
}

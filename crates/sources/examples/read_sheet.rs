//! How long it takes to read a sheet: `cargo run --release -p mingle-sources --features workbook
//! --example read_sheet -- ROWS COLUMNS`. Makes the workbook itself.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "not part of the program"
)]

#[path = "../tests/workbooks/made.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod made;

use mingle_io::{ReadOptions, Source, read_raw};
use std::fmt::Write;
use std::time::Instant;

fn main() {
    let numbers: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|n| n.parse().ok())
        .collect();
    let [rows, columns] = numbers[..] else {
        eprintln!("give rows and columns");
        std::process::exit(2);
    };
    let mut sheet = String::from("<row>");
    for column in 0..columns {
        let _ = write!(
            sheet,
            "<c t=\"inlineStr\"><is><t>column {column}</t></is></c>"
        );
    }
    sheet.push_str("</row>");
    for row in 0..rows {
        let _ = write!(sheet, "<row r=\"{}\">", row + 2);
        for column in 0..columns {
            let value = (row * 7 + column * 31) % 5_000;
            let _ = match column % 4 {
                0 => write!(sheet, "<c t=\"s\"><v>{}</v></c>", value % 100),
                1 => write!(sheet, "<c><v>{value}.5</v></c>"),
                2 => write!(sheet, "<c s=\"1\"><v>{}</v></c>", 30_000 + value),
                _ => write!(sheet, "<c t=\"inlineStr\"><is><t>text {value}</t></is></c>"),
            };
        }
        sheet.push_str("</row>");
    }
    let mut book = made::Xlsx::of(&sheet);
    book.shared_texts = vec!["<t>a text that sheets share</t>"; 100];
    let bytes = book.bytes();
    println!(
        "{} MB of XML, {} MB packed",
        sheet.len() >> 20,
        bytes.len() >> 20
    );
    drop(sheet);
    let path = std::env::temp_dir().join(format!("read_sheet_{}.xlsx", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let start = Instant::now();
    let source = mingle_sources::table(Source::new(&path, "sheet"));
    let raw = read_raw(&[source], &ReadOptions::default());
    let seconds = start.elapsed().as_secs_f64();
    std::fs::remove_file(&path).unwrap();
    println!("{} rows in {seconds:.2} s", raw.ok().unwrap().rows);
}

//! Tables: text, packed text, workbooks, Parquet.

use flate2::write::GzEncoder;
use flate2::{Compression, Crc};
use mingle_io::{Limits, RawTable, ReadOptions, Scan, Source, TableFormat};
use std::io::Write;
use std::path::Path;

/// Small enough that a packed bomb of a few bytes reaches them.
fn limits() -> Limits {
    Limits {
        columns: 256,
        cell: 4 << 10,
        record: 64 << 10,
        rows: 10_000,
        in_memory: 1 << 20,
        unpacked: 1 << 20,
        unpacked_text: 1 << 20,
        memory: 8 << 20,
    }
}

fn options(block: usize) -> ReadOptions<'static> {
    ReadOptions {
        limits: limits(),
        threads: 1,
        block,
        ..ReadOptions::default()
    }
}

/// Per column its name and the texts of its rows, or the words of the error.
type Cells = Result<Vec<(String, Vec<String>)>, String>;

fn cells(table: RawTable) -> Vec<(String, Vec<String>)> {
    let mut columns = Vec::new();
    for (name, column) in table.columns {
        let text = |id: u32| column.values[id as usize].text.to_string();
        columns.push((name, column.ids.iter().map(text).collect()));
    }
    columns
}

fn read_as(path: &Path, format: &TableFormat, block: usize) -> Cells {
    let source = Source::new(path, "table").written_as(format.clone());
    let table: Box<dyn Scan> = mingle_sources::table(source);
    let read = mingle_io::read_raw(&[table.as_ref()], &options(block));
    read.map(cells).map_err(|error| error.to_string())
}

/// Looks at a file, reads it plainly and as it was proposed to; the size of the blocks in which it
/// is read must not matter.
fn read_file(path: &Path) -> Cells {
    let source = Source::new(path, "table");
    if let Ok(detected) = mingle_sources::detect(&source, &options(1 << 16)) {
        let _ = read_as(path, &detected.format, 1 << 16);
    }
    let whole = read_as(path, &TableFormat::default(), 1 << 16);
    let in_pieces = read_as(path, &TableFormat::default(), 16);
    if let (Ok(whole), Ok(in_pieces)) = (&whole, &in_pieces) {
        assert!(whole == in_pieces, "blocks of 16 bytes give another table");
    }
    assert_eq!(
        whole.is_ok(),
        in_pieces.is_ok(),
        "only one size of blocks is refused"
    );
    whole
}

pub fn csv(bytes: &[u8]) {
    super::files::with_file("t.csv", bytes, |path| drop(read_file(path)));
}

pub fn json_lines(bytes: &[u8]) {
    super::files::with_file("t.jsonl", bytes, |path| drop(read_file(path)));
}

pub fn parquet(bytes: &[u8]) {
    super::files::with_file("t.parquet", bytes, |path| drop(read_file(path)));
}

/// An even first byte: the rest as a packed file. An odd one: the rest is packed here, and must read
/// like the plain text.
pub fn gzip(bytes: &[u8]) {
    let Some((choice, rest)) = bytes.split_first() else {
        return;
    };
    if choice % 2 == 0 {
        let packed = [&[0x1f, 0x8b, 8][..], rest].concat();
        super::files::with_file("t.csv.gz", &packed, |path| drop(read_file(path)));
        return;
    }
    // what says by its first bytes that it is no text is not looked into twice
    if rest.starts_with(&[0x1f, 0x8b]) || rest.starts_with(b"PAR1") || rest.starts_with(b"PK") {
        return;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(rest).expect("memory");
    let packed = encoder.finish().expect("memory");
    let format = TableFormat::default();
    let plain = super::files::with_file("t.csv", rest, |path| read_as(path, &format, 1 << 16));
    let packed =
        super::files::with_file("t.csv.gz", &packed, |path| read_as(path, &format, 1 << 16));
    if let (Ok(plain), Ok(packed)) = (&plain, &packed) {
        assert!(plain == packed, "packed text reads differently");
    }
    assert_eq!(plain.is_ok(), packed.is_ok(), "only one of both is read");
}

/// What a workbook must have around the parts that are fuzzed.
const XLSX: &[(&str, &str)] = &[
    (
        "[Content_Types].xml",
        r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#,
    ),
    (
        "_rels/.rels",
        r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    ),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#,
    ),
    (
        "xl/workbook.xml",
        r#"<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="rId1"/></sheets></workbook>"#,
    ),
];

/// First byte 0: the rest is a file. 1: the parts of an Excel workbook (sheet, shared texts, styles),
/// divided by a zero byte, packed here. 2: the content of a LibreOffice one.
pub fn workbook(bytes: &[u8]) {
    let Some((choice, rest)) = bytes.split_first() else {
        return;
    };
    let mut parts = rest.split(|&byte| byte == 0);
    let mut next = || parts.next().unwrap_or_default().to_vec();
    let (name, file) = match choice % 3 {
        0 => ("t.xlsx", rest.to_vec()),
        1 => {
            let fixed = XLSX
                .iter()
                .map(|(name, text)| (*name, text.as_bytes().to_vec()));
            let mut entries: Vec<(&str, Vec<u8>)> = fixed.collect();
            entries.push(("xl/worksheets/sheet1.xml", next()));
            entries.push(("xl/sharedStrings.xml", next()));
            entries.push(("xl/styles.xml", next()));
            ("t.xlsx", archive(&entries))
        }
        _ => {
            let mimetype = b"application/vnd.oasis.opendocument.spreadsheet".to_vec();
            let entries = [("mimetype", mimetype), ("content.xml", next())];
            ("t.ods", archive(&entries))
        }
    };
    super::files::with_file(name, &file, |path| drop(read_file(path)));
}

/// A ZIP archive whose entries are not compressed.
fn archive(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in entries {
        let mut crc = Crc::new();
        crc.update(content);
        let offset = file.len() as u32;
        let mut head = Vec::new();
        head.extend([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
        head.extend(crc.sum().to_le_bytes());
        head.extend((content.len() as u32).to_le_bytes());
        head.extend((content.len() as u32).to_le_bytes());
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        file.extend(b"PK\x03\x04");
        file.extend(&head);
        file.extend(name.as_bytes());
        file.extend(content);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = file.len() as u32;
    let count = (entries.len() as u16).to_le_bytes();
    file.extend(&directory);
    file.extend(b"PK\x05\x06\x00\x00\x00\x00");
    file.extend(count);
    file.extend(count);
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0, 0]);
    file
}

//! Workbooks as tables: what they become, and everything that is refused.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking and its files need not last"
)]

mod made;
mod oracle;

use made::{Part, Xlsx, Zip, ods, ods_row, ods_zip, row};
use mingle_io::{
    Error, HeaderLine, InputFormat, Limits, ReadOptions, Source, TableFormat, read_raw,
};
use proptest::prelude::*;

/// Never in a message.
const CANARY: &str = "zqxcanary";

/// All columns, each with its name and its texts in the order of the rows.
type Columns = Vec<(String, Vec<String>)>;

fn read_as(bytes: &[u8], mut format: TableFormat, limits: Limits) -> Result<Columns, Error> {
    let folder = tempfile::tempdir().unwrap();
    // a file of another format than its ending says is refused before anything is read
    let is_ods = bytes.windows(8).take(60).any(|part| part == b"mimetype");
    if is_ods && format.file.is_none() {
        format.file = Some(InputFormat::Ods);
    }
    let path = folder.path().join("beds.xlsx");
    std::fs::write(&path, bytes).unwrap();
    let source = Source::new(path, "beds.xlsx").written_as(format);
    let table = mingle_sources::table(source);
    let options = ReadOptions {
        limits,
        ..ReadOptions::default()
    };
    let raw = read_raw(&[table], &options)?;
    let hash = raw.hashes[0].as_ref().unwrap();
    assert_eq!(hash.bytes, bytes.len() as u64);
    let mut columns = Vec::new();
    for (name, column) in raw.columns {
        let texts = column
            .ids
            .iter()
            .map(|id| column.values[id as usize].text.to_string());
        columns.push((name, texts.collect()));
    }
    Ok(columns)
}

fn read(bytes: &[u8]) -> Result<Columns, Error> {
    read_as(bytes, TableFormat::default(), Limits::default())
}

fn message(bytes: &[u8]) -> String {
    let Err(error) = read(bytes) else {
        panic!("was read");
    };
    let text = error.to_string();
    assert!(!text.contains(CANARY), "{text}");
    assert!(!format!("{error:?}").contains(CANARY), "{error:?}");
    text
}

fn texts<'a>(columns: &'a Columns, name: &str) -> Vec<&'a str> {
    let column = columns.iter().find(|(found, _)| found == name).unwrap();
    column.1.iter().map(String::as_str).collect()
}

#[test]
fn cells_of_excel_are_the_texts_that_csv_has() {
    let mut book = Xlsx::of(&format!(
        "{}{}{}",
        row(
            1,
            &["name", "age", "day", "seen", "flag", "share", "length"]
        ),
        r#"<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>5</v></c><c r="C2" s="1"><v>36952</v></c><c r="D2" s="2"><v>36952.430902777778</v></c><c r="E2" t="b"><v>1</v></c><c r="F2" s="4"><v>0.30000000000000004</v></c><c r="G2" s="3"><v>1.5</v></c></row>"#,
        r#"<row><c t="str"><f>A1</f><v>x &amp; y</v></c><c><f>1+1</f><v>2.0</v></c><c t="d"><v>2001-03-02T00:00:00</v></c><c s="1"><v>0.5</v></c><c t="b"><v>0</v></c><c><v>1E-3</v></c><c/></row>"#,
    ));
    book.shared_texts =
        vec!["<r><t>An</t></r><r><t xml:space=\"preserve\">na </t></r><rPh><t>no</t></rPh>"];
    let columns = read(&book.bytes()).unwrap();
    assert_eq!(texts(&columns, "name"), ["Anna ", "x & y"]);
    assert_eq!(texts(&columns, "age"), ["5", "2"]);
    assert_eq!(texts(&columns, "day"), ["2001-03-02", "2001-03-02"]);
    assert_eq!(texts(&columns, "seen"), ["2001-03-02T10:20:30", "12:00:00"]);
    assert_eq!(texts(&columns, "flag"), ["true", "false"]);
    assert_eq!(texts(&columns, "share"), ["0.30000000000000004", "0.001"]);
    assert_eq!(texts(&columns, "length"), ["36:00:00", ""]);
}

#[test]
fn days_from_1904() {
    let mut book = Xlsx::of(&format!(
        "{}{}",
        row(1, &["day"]),
        r#"<row r="2"><c r="A2" s="1"><v>35490</v></c></row>"#
    ));
    book.from_1904 = true;
    assert_eq!(texts(&read(&book.bytes()).unwrap(), "day"), ["2001-03-02"]);
}

#[test]
fn cells_of_libreoffice_are_the_same_texts() {
    let header = ods_row(&["name", "age", "day", "seen", "flag", "time"]);
    let first = r#"<table:table-row><table:table-cell office:value-type="string"><office:annotation><text:p>zqxcanary</text:p></office:annotation><text:p>x <text:span>&amp;</text:span><text:s text:c="2"/>y</text:p><text:p>z</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="5.0"><text:p>five</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2001-03-02"><text:p>2.3.01</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2001-03-02T10:20:30"/><table:table-cell office:value-type="boolean" office:boolean-value="true"/><table:table-cell office:value-type="time" office:time-value="PT10H20M30S"/></table:table-row>"#;
    let second = r#"<table:table-row table:number-rows-repeated="2"><table:table-cell/><table:table-cell table:formula="of:=1" office:value-type="percentage" office:value="0.05"/><table:table-cell table:number-columns-repeated="16380"/></table:table-row><table:table-row table:number-rows-repeated="1048572"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>"#;
    let book = ods(&[
        (
            "table:name=\"a\"",
            &format!(
                "<table:shapes><text:p>zqxcanary</text:p></table:shapes><table:table-column table:number-columns-repeated=\"6\"/><table:table-column table:visibility=\"collapse\" table:number-columns-repeated=\"16378\"/>{header}{first}{second}"
            ),
        ),
        (
            "table:name=\"b\" table:style-name=\"ta2\"",
            "<table:table-row table:number-rows-repeated=\"1048576\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>",
        ),
    ]);
    let columns = read(&book).unwrap();
    assert_eq!(texts(&columns, "name"), ["x &  y\nz", "", ""]);
    assert_eq!(texts(&columns, "age"), ["5", "0.05", "0.05"]);
    assert_eq!(texts(&columns, "day"), ["2001-03-02", "", ""]);
    assert_eq!(texts(&columns, "seen")[0], "2001-03-02T10:20:30");
    assert_eq!(texts(&columns, "flag")[0], "true");
    assert_eq!(texts(&columns, "time")[0], "10:20:30");
}

/// A sheet with a header of two columns above these rows.
fn below_header(rows: &str) -> Vec<u8> {
    Xlsx::of(&format!("{}{rows}", row(1, &["age", "disease"]))).bytes()
}

fn ods_below_header(rows: &str) -> Vec<u8> {
    let rows = format!("{}{rows}", ods_row(&["age", "disease"]));
    ods(&[("table:name=\"a\"", &rows)])
}

#[test]
fn cells_without_a_value_are_refused_with_their_place() {
    for (cell, flaw) in [
        (
            r#"<c r="B2" t="e"><v>#N/A</v></c>"#,
            "an error such as #N/A or #REF!",
        ),
        (
            r#"<c r="B2" t="e"><f>zqxcanary</f><v>#REF!</v></c>"#,
            "an error such as #N/A or #REF!",
        ),
        (
            r#"<c r="B2"><f>zqxcanary</f></c>"#,
            "a formula whose result is not in the file",
        ),
        (
            r#"<c r="B2"><f>zqxcanary</f><v></v></c>"#,
            "a formula whose result is not in the file",
        ),
        (
            r#"<c r="B2"><f>zqxcanary</f><v/></c>"#,
            "a formula whose result is not in the file",
        ),
        (
            r#"<c r="B2"><v>1234567890123456</v></c>"#,
            "a number of more than 15 digits, which a sheet does not keep exactly",
        ),
        (
            r#"<c r="B2"><v>zqxcanary</v></c>"#,
            "a value of an unknown kind",
        ),
        (
            r#"<c r="B2" t="zqxcanary"><v>1</v></c>"#,
            "a value of an unknown kind",
        ),
        (
            r#"<c r="B2" s="1"><v>59</v></c>"#,
            "a date that could be another one, or a time of day, in another program",
        ),
        (
            r#"<c r="B2" s="1"><v>-1</v></c>"#,
            "a date outside the years 1900 to 9999, or none",
        ),
    ] {
        let book = below_header(&format!(r#"<row r="2">{cell}</row>"#));
        let expected = format!("beds.xlsx, row 2, column \"disease\": {flaw}");
        assert_eq!(message(&book), expected, "{cell}");
    }
    for (cell, flaw) in [
        (
            r#"<table:table-cell table:formula="of:=zqxcanary"/>"#,
            "a formula whose result is not in the file",
        ),
        (
            r#"<table:table-cell calcext:value-type="error" office:value-type="string"><text:p>#N/A</text:p></table:table-cell>"#,
            "an error such as #N/A or #REF!",
        ),
        (
            r#"<table:table-cell office:value-type="date" office:date-value="zqxcanary"/>"#,
            "a date outside the years 1900 to 9999, or none",
        ),
        (
            r#"<table:table-cell office:value-type="zqxcanary"/>"#,
            "a value of an unknown kind",
        ),
    ] {
        let book = ods_below_header(&format!(
            "<table:table-row><table:table-cell/>{cell}</table:table-row>"
        ));
        let expected = format!("beds.xlsx, row 2, column \"disease\": {flaw}");
        assert_eq!(message(&book), expected, "{cell}");
    }
}

#[test]
fn formulas_may_give_the_empty_text() {
    let book = below_header(
        r#"<row r="2"><c r="A2"><v>5</v></c><c r="B2" t="str"><f>""</f><v></v></c></row>"#,
    );
    assert_eq!(texts(&read(&book).unwrap(), "disease"), [""]);
}

#[test]
fn what_is_no_table_is_refused() {
    let rows = |rows: &str| format!("<sheetData>{}{rows}</sheetData>", row(1, &["age", CANARY]));
    let merged = r#"<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>"#;
    for (sheet, expected) in [
        (
            rows(&row(2, &["5", "x"])) + merged,
            ": the cells A1:B1 are merged",
        ),
        // the cause is a better message than what follows from it
        (
            rows(&row(2, &["5", "x", CANARY])) + merged,
            ": the cells A1:B1 are merged",
        ),
        (
            rows(&row(2, &["5", "x", CANARY])),
            ", row 2: a cell in column C, which has no name",
        ),
        (
            rows(&row(4, &["5", CANARY])),
            ", row 2: rows follow below an empty one",
        ),
        (
            rows(&row(2, &["5", "x"]).replace("<row", r#"<row hidden="1""#)),
            ", row 2: a hidden row",
        ),
        (
            format!(
                r#"<cols><col min="2" max="2" hidden="1"/></cols>{}"#,
                rows("")
            ),
            ": column B is hidden",
        ),
    ] {
        let book = Xlsx::of_sheet(&sheet).bytes();
        assert_eq!(message(&book), format!("beds.xlsx{expected}"), "{sheet}");
    }
    let two = ods_row(&["5", CANARY]);
    for (rows, expected) in [
        (r#"<table:table-row><table:table-cell table:number-columns-spanned="2"/></table:table-row>"#.to_owned(), ": the cells A2:B2 are merged"),
        (format!("<table:table-row/>{two}"), ", row 2: rows follow below an empty one"),
        (two.replace("<table:table-row", r#"<table:table-row table:visibility="filter""#), ", row 2: a hidden row"),
        (ods_row(&["", "", CANARY]), ", row 2: a cell in column C, which has no name"),
    ] {
        assert_eq!(message(&ods_below_header(&rows)), format!("beds.xlsx{expected}"));
    }
}

#[test]
fn hidden_columns_that_hold_nothing_and_blank_rows_above_do_no_harm() {
    let sheet = format!(
        r#"<cols><col min="3" max="16384" hidden="1"/></cols><sheetData>{}{}<row r="7" hidden="1"/></sheetData>"#,
        row(3, &["age", "disease"]),
        row(4, &["5", "x"])
    );
    let columns = read(&Xlsx::of_sheet(&sheet).bytes()).unwrap();
    assert_eq!(texts(&columns, "age"), ["5"]);
    // the place of a cell is that of the sheet
    let sheet = sheet.replace(r#"t="inlineStr"><is><t>5</t></is>"#, r#"t="e"><v>#N/A</v>"#);
    let text = message(&Xlsx::of_sheet(&sheet).bytes());
    assert!(
        text.starts_with("beds.xlsx, row 4, column \"age\""),
        "{text}"
    );
}

#[test]
fn a_sheet_is_chosen_by_its_name() {
    let sheet = |name: &str| {
        let rows = format!("{}{}", row(1, &[name]), row(2, &["x"]));
        format!("<sheetData>{rows}</sheetData>")
    };
    let mut book = Xlsx::of("");
    book.sheets = vec![
        (CANARY, "visible", sheet("first")),
        ("Notes", "visible", "<sheetData/>".to_owned()),
        ("Lists", "veryHidden", sheet("second")),
    ];
    assert_eq!(
        message(&book.bytes()),
        "beds.xlsx: 2 sheets hold cells (by their place among the tabs: 1, 3)"
    );
    let named = |name: &str| TableFormat {
        sheet: Some(name.to_owned()),
        header: HeaderLine::Trusted,
        ..TableFormat::default()
    };
    for (name, column) in [(CANARY, "first"), ("Lists", "second")] {
        let columns = read_as(&book.bytes(), named(name), Limits::default()).unwrap();
        assert_eq!(columns[0].0, column);
    }
    let missing = read_as(&book.bytes(), named("Other"), Limits::default()).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "beds.xlsx: none of its 3 sheets has the name that the policy gives"
    );
    book.sheets.remove(0);
    assert_eq!(
        message(&book.bytes()),
        "beds.xlsx: the only sheet that holds cells is number 2, and it is hidden"
    );
    book.sheets.remove(1);
    assert_eq!(message(&book.bytes()), "beds.xlsx is empty");
    let hidden = ods(&[(
        "table:name=\"a\" table:style-name=\"ta2\"",
        &ods_row(&[CANARY]),
    )]);
    assert_eq!(
        message(&hidden),
        "beds.xlsx: the only sheet that holds cells is number 1, and it is hidden"
    );
}

#[test]
fn rows_of_the_next_sheet_are_not_read() {
    let sheet =
        |text: &str| ods_row(&["name", "ward"]) + &ods_row(&[text, "x"]) + &ods_row(&[text, "y"]);
    let (first, second) = (sheet("Anna"), sheet(CANARY));
    let book = ods(&[
        ("table:name=\"one\"", &first),
        ("table:name=\"two\"", &second),
    ]);
    for (name, text) in [("one", "Anna"), ("two", CANARY)] {
        let format = TableFormat {
            sheet: Some(name.to_owned()),
            header: HeaderLine::Trusted,
            ..TableFormat::default()
        };
        let columns = read_as(&book, format, Limits::default()).unwrap();
        assert_eq!(texts(&columns, "name"), [text, text]);
    }
}

#[test]
fn a_sheet_without_a_header_is_read_with_names() {
    let book = Xlsx::of(&format!("{}{}", row(1, &["", "x"]), row(2, &["5", "y"]))).bytes();
    let format = TableFormat {
        header: HeaderLine::Absent(vec!["age".to_owned(), "disease".to_owned()]),
        ..TableFormat::default()
    };
    let columns = read_as(&book, format, Limits::default()).unwrap();
    assert_eq!(texts(&columns, "age"), ["", "5"]);
    assert_eq!(texts(&columns, "disease"), ["x", "y"]);
}

#[test]
fn other_files_are_called_by_their_names() {
    let old = [
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice(),
        CANARY.as_bytes(),
    ]
    .concat();
    assert!(message(&old).contains("an old workbook (.xls)"));
    let mut envelope = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    envelope.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    assert_eq!(message(&envelope), "beds.xlsx: the workbook is encrypted");
    let zip = Zip::default().add("a.txt", CANARY).finish();
    assert!(message(&zip).contains("a ZIP archive that is no workbook"));
    let binary = Zip::default()
        .add("_rels/.rels", r#"<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>"#)
        .finish();
    assert!(message(&binary).contains("a binary workbook (.xlsb)"));
    let text = Zip::default()
        .add("mimetype", "application/vnd.oasis.opendocument.text")
        .finish();
    assert!(message(&text).contains("a document that is no workbook"));
    let mut encrypted = Zip::default();
    encrypted.add_part(&Part {
        name: "xl/workbook.xml",
        content: b"x",
        claimed: None,
        flags: 1,
    });
    assert_eq!(
        message(&encrypted.finish()),
        "beds.xlsx: the workbook is encrypted"
    );
    let manifest = Zip::default()
        .add("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        .add("META-INF/manifest.xml", "<manifest:encryption-data/>")
        .add("content.xml", "zzz")
        .finish();
    assert_eq!(message(&manifest), "beds.xlsx: the workbook is encrypted");
}

#[test]
fn limits_hold_while_parts_are_unpacked() {
    let small = Limits {
        unpacked: 100_000,
        ..Limits::default()
    };
    let blank = " ".repeat(200_000);
    let bomb = Xlsx::of_sheet(&blank).bytes();
    let error = read_as(&bomb, TableFormat::default(), small).unwrap_err();
    assert!(error.is_limit());
    assert_eq!(
        error.to_string(),
        "beds.xlsx: a part of more than 100000 bytes once it is unpacked"
    );
    // a directory that says less than there is
    let mut liar = ods_zip(&[]);
    liar = Zip::default().add("x", liar.finish());
    liar.add_part(&Part {
        name: "mimetype",
        content: b"application/vnd.oasis.opendocument.spreadsheet",
        claimed: None,
        flags: 0,
    });
    liar.add_part(&Part {
        name: "content.xml",
        content: format!("<a>{blank}</a>").as_bytes(),
        claimed: Some(50),
        flags: 0,
    });
    assert_eq!(
        message(&liar.finish()),
        "beds.xlsx: the workbook is damaged or of an unknown kind"
    );
    // an element, a row and a text without an end
    let few = Limits {
        record: 10_000,
        ..Limits::default()
    };
    let spaces = ods(&[(
        "",
        r#"<table:table-row><table:table-cell office:value-type="string"><text:p><text:s text:c="4000000000"/></text:p></table:table-cell></table:table-row>"#,
    )]);
    let repeated = ods(&[(
        "",
        &format!(
            r#"<table:table-row><table:table-cell table:number-columns-repeated="16000" office:value-type="string"><text:p>{}</text:p></table:table-cell></table:table-row>"#,
            "y".repeat(100)
        ),
    )]);
    let attribute = Xlsx::of_sheet(&format!("<a b=\"{blank}\"/>")).bytes();
    for book in [spaces, repeated, attribute] {
        let error = read_as(&book, TableFormat::default(), few).unwrap_err();
        assert_eq!(
            error.to_string(),
            "beds.xlsx: more than 10000 bytes in a row or a text"
        );
    }
    let rows = ods_below_header(&ods_row(&["5", "x"]).replace(
        "<table:table-row",
        r#"<table:table-row table:number-rows-repeated="4000000000""#,
    ));
    assert_eq!(
        message(&rows),
        "beds.xlsx: more than 1048576 rows in a sheet"
    );
    let packed = Limits {
        in_memory: 100,
        ..Limits::default()
    };
    let error = read_as(&bomb, TableFormat::default(), packed).unwrap_err();
    assert_eq!(error.to_string(), "beds.xlsx: more than 100 bytes");
    let narrow = Limits {
        columns: 1,
        ..Limits::default()
    };
    let error = read_as(&below_header(""), TableFormat::default(), narrow).unwrap_err();
    assert!(matches!(error, Error::TooManyColumns { limit: 1, .. }));
    let short = Limits {
        cell: 2,
        ..Limits::default()
    };
    let long = Xlsx::of(&format!("{}{}", row(1, &["a"]), row(2, &[CANARY]))).bytes();
    let error = read_as(&long, TableFormat::default(), short).unwrap_err();
    assert!(
        matches!(error, Error::CellTooLong { line: 2, .. }),
        "{error}"
    );
}

#[test]
fn entities_that_a_file_declares_are_refused() {
    let mut book = Xlsx::of("");
    book.sheets[0].2 = format!("<!DOCTYPE a [<!ENTITY b \"{CANARY}\">]><sheetData/>");
    assert!(message(&book.bytes()).contains("damaged"));
    let unknown = below_header(&row(2, &["&b;", "x"]));
    assert!(message(&unknown).contains("damaged"));
}

#[test]
fn cells_that_go_back_are_refused() {
    for rows in [
        r#"<row r="2"><c r="B2"><v>1</v></c><c r="A2"><v>1</v></c></row>"#,
        r#"<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>1</v></c></row>"#,
        r#"<row r="2"><c r="A3"><v>1</v></c></row>"#,
        r#"<row r="2"/><row r="2"/>"#,
        r#"<row r="2"><c r="A2" t="s"><v>7</v></c></row>"#,
        r#"<row r="2"><c r="A2" s="99"><v>7</v></c></row>"#,
        r#"<row r="2"><c r="ZZZZ2"/></row>"#,
    ] {
        assert!(message(&below_header(rows)).contains("damaged"), "{rows}");
    }
}

/// A whole workbook of each kind.
fn whole() -> [Vec<u8>; 2] {
    let mut rows = row(1, &["age", "disease"]);
    let mut ods_rows = ods_row(&["age", "disease"]);
    for number in 2..40 {
        rows.push_str(&row(number, &["5", CANARY]));
        ods_rows.push_str(&ods_row(&["5", CANARY]));
    }
    [
        Xlsx::of(&rows).bytes(),
        ods(&[("table:name=\"a\"", &ods_rows)]),
    ]
}

#[test]
fn truncated_workbooks_are_refused() {
    for book in whole() {
        assert!(read(&book).is_ok());
        for end in (4..book.len()).step_by(7) {
            assert!(!message(&book[..end]).is_empty());
        }
    }
}

proptest! {
    /// Damage is noticed, never a panic, and never shown: checksums guard what is read.
    #[test]
    fn changed_bytes_are_refused_or_do_no_harm(
        which in 0..2usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut book = whole()[which].clone();
        let before = read(&book).unwrap();
        for (at, byte) in changes {
            let at = 4 + at.index(book.len() - 4);
            book[at] = byte;
        }
        match read(&book) {
            Ok(columns) => prop_assert!(columns == before),
            Err(error) => prop_assert!(!error.to_string().contains(CANARY)),
        }
    }

    /// XML that nobody has written.
    #[test]
    fn any_xml_is_read_or_refused(pieces in prop::collection::vec(0..PIECES.len(), 0..30)) {
        let xml: String = pieces.iter().map(|&piece| PIECES[piece]).collect();
        for book in [Xlsx::of(&xml).bytes(), ods(&[("table:name=\"a\"", &xml)])] {
            if let Err(error) = read(&book) {
                prop_assert!(!error.to_string().contains(CANARY));
            }
        }
    }

    #[test]
    fn random_bytes_are_no_workbook(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let book = [b"PK\x03\x04".to_vec(), bytes].concat();
        prop_assert!(read(&book).is_err());
    }
}

const PIECES: &[&str] = &[
    "<row>",
    "</row>",
    r#"<row r="2" hidden="1">"#,
    r#"<c r="A1" t="s">"#,
    r#"<c t="inlineStr" s="1">"#,
    "<c>",
    "</c>",
    "<v>",
    "</v>",
    "<v>1</v>",
    "<is><t>zqxcanary</t></is>",
    "<f>zqxcanary</f>",
    r#"<mergeCell ref="zqxcanary"/>"#,
    r#"<table:table-row table:number-rows-repeated="3">"#,
    "<table:table-row>",
    "</table:table-row>",
    r#"<table:table-cell office:value-type="string" table:number-columns-repeated="3">"#,
    r#"<table:table-cell office:value-type="float" office:value="zqxcanary">"#,
    "</table:table-cell>",
    "<text:p>zqxcanary</text:p>",
    r#"<text:s text:c="zqxcanary"/>"#,
    "<table:table>",
    "</table:table>",
    "<!-- zqxcanary -->",
    "<![CDATA[zqxcanary]]>",
    "&amp;",
    "&#0;",
    "&#xD800;",
    "<",
    "</",
];

//! Which provider writes which kind of file, in which encoding, with which delimiter, decimal mark
//! and days, leaves no trace: all public files are the same byte for byte.

use super::common::Bench;
use super::formats::made::{self, Xlsx};
use flate2::Compression;
use flate2::write::GzEncoder;
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use std::collections::BTreeMap;
use std::io::Write;

const PROVIDERS: usize = 3;

/// A row as everybody means it.
struct Person {
    name: String,
    age: usize,
    /// A day of March 2001.
    day: usize,
    /// In tenths; `None` is missing.
    weight: Option<usize>,
    disease: &'static str,
}

fn people(provider: usize) -> Vec<Person> {
    let mut people = Vec::new();
    for row in 0..9 {
        people.push(Person {
            name: format!("n{provider}{row}"),
            age: 20 + (row * 7 + provider * 3) % 30,
            day: 1 + (row * 5 + provider) % 28,
            weight: (row % 4 != 3).then_some(605 + row * 11 + provider),
            disease: ["grippé", "cold", "asthma"][row % 3],
        });
    }
    people
}

const NAMES: [&str; 5] = ["name", "age", "born", "weight", "disease"];

/// How a provider writes text with delimiters.
struct TextStyle {
    delimiter: char,
    decimal: char,
    /// From year, month and day.
    day: fn(usize) -> String,
    header: bool,
}

fn text(people: &[Person], style: &TextStyle) -> String {
    let delimiter = style.delimiter.to_string();
    let mut lines = Vec::new();
    if style.header {
        lines.push(NAMES.join(&delimiter));
    }
    for person in people {
        let weight = match person.weight {
            Some(tenths) => format!("\"{}{}{}\"", tenths / 10, style.decimal, tenths % 10),
            None => String::new(),
        };
        let cells = [
            person.name.clone(),
            person.age.to_string(),
            (style.day)(person.day),
            weight,
            person.disease.to_owned(),
        ];
        lines.push(cells.join(&delimiter));
    }
    lines.join("\n") + "\n"
}

fn iso(day: usize) -> String {
    format!("2001-03-{day:02}")
}

fn german(day: usize) -> String {
    format!("{day:02}.03.2001")
}

fn american(day: usize) -> String {
    format!("03/{day:02}/2001")
}

fn json_lines(people: &[Person]) -> String {
    let mut lines = String::new();
    for person in people {
        let weight = match person.weight {
            Some(tenths) => format!("\"weight\": {}.{}, ", tenths / 10, tenths % 10),
            None => String::new(),
        };
        lines += &format!(
            "{{\"disease\": \"{}\", {weight}\"age\": {}, \"born\": \"{}\", \"name\": \"{}\"}}\n",
            person.disease,
            person.age,
            iso(person.day),
            person.name
        );
    }
    lines
}

fn xlsx(people: &[Person]) -> Vec<u8> {
    let mut rows = made::row(1, &NAMES);
    for (at, person) in people.iter().enumerate() {
        let row = at + 2;
        // 1 March 2001 in days of a sheet
        let serial = 36_950 + person.day;
        let weight = match person.weight {
            Some(tenths) => format!(
                r#"<c r="D{row}"><v>{}.{}</v></c>"#,
                tenths / 10,
                tenths % 10
            ),
            None => String::new(),
        };
        rows += &format!(
            r#"<row r="{row}"><c r="A{row}" t="inlineStr"><is><t>{}</t></is></c><c r="B{row}"><v>{}</v></c><c r="C{row}" s="1"><v>{serial}</v></c>{weight}<c r="E{row}" t="str"><v>{}</v></c></row>"#,
            person.name, person.age, person.disease
        );
    }
    Xlsx::of(&rows).bytes()
}

fn ods(people: &[Person]) -> Vec<u8> {
    let mut rows = made::ods_row(&NAMES);
    for person in people {
        let weight = match person.weight {
            Some(tenths) => format!(
                r#"<table:table-cell office:value-type="float" office:value="{}.{}"/>"#,
                tenths / 10,
                tenths % 10
            ),
            None => "<table:table-cell/>".to_owned(),
        };
        rows += &format!(
            r#"<table:table-row><table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="{}"/><table:table-cell office:value-type="date" office:date-value="{}"/>{weight}<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell></table:table-row>"#,
            person.name,
            person.age,
            iso(person.day),
            person.disease
        );
    }
    made::ods(&[("table:name=\"a\"", &rows)])
}

fn parquet(people: &[Person]) -> Vec<u8> {
    let kinds = [
        OutKind::Text,
        OutKind::Integer,
        OutKind::Date,
        OutKind::Number,
        OutKind::Text,
    ];
    let mut columns = Vec::new();
    for (at, (name, kind)) in NAMES.iter().zip(kinds).enumerate() {
        let mut texts = Vec::new();
        for person in people {
            let weight = person.weight.unwrap_or(0);
            let weight = format!("{}.{}", weight / 10, weight % 10);
            let cells = [
                person.name.clone(),
                person.age.to_string(),
                iso(person.day),
                weight,
                person.disease.to_owned(),
            ];
            texts.push(cells[at].clone());
        }
        let missing = people.iter().position(|person| person.weight.is_none());
        columns.push(OutColumn {
            name: (*name).to_owned(),
            kind,
            texts,
            missing: (at == 3).then(|| missing.unwrap() as u32),
        });
    }
    let missing = columns[3].missing.unwrap();
    let mut writer = RowWriter::new(Format::Parquet, Vec::new(), columns).unwrap();
    for (row, person) in people.iter().enumerate() {
        let mut codes = [row as u32; NAMES.len()];
        if person.weight.is_none() {
            codes[3] = missing;
        }
        writer.row(&codes, 1).unwrap();
    }
    writer.finish().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// One byte a character, which both Latin-1 and Windows-1252 have for these texts.
fn single_bytes(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect()
}

fn utf16(text: &str) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xfe];
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}

const KINDS: usize = 9;

/// A table of some kind: the ending of its name, its bytes, and what a policy says about it.
fn table(people: &[Person], kind: usize) -> (&'static str, Vec<u8>, &'static str) {
    let plain = TextStyle {
        delimiter: ',',
        decimal: '.',
        day: iso,
        header: true,
    };
    match kind {
        0 => ("csv", text(people, &plain).into_bytes(), ""),
        1 => {
            let style = TextStyle {
                delimiter: ';',
                decimal: ',',
                day: german,
                header: true,
            };
            let keys = ", encoding = \"latin-1\", decimal = \",\", date_format = \"dd.mm.yyyy\"";
            ("csv", single_bytes(&text(people, &style)), keys)
        }
        2 => {
            let style = TextStyle {
                delimiter: '\t',
                day: american,
                header: false,
                ..plain
            };
            let keys = ", encoding = \"utf-16\", delimiter = \"\\t\", date_format = \"mm/dd/yyyy\", header = false, \
                        names = [\"name\", \"age\", \"born\", \"weight\", \"disease\"]";
            ("csv", utf16(&text(people, &style)), keys)
        }
        3 => {
            let style = TextStyle {
                delimiter: '|',
                ..plain
            };
            let bytes = gzip(&single_bytes(&text(people, &style)));
            ("csv.gz", bytes, ", encoding = \"windows-1252\"")
        }
        4 => ("jsonl", json_lines(people).into_bytes(), ""),
        5 => ("jsonl.gz", gzip(json_lines(people).as_bytes()), ""),
        6 => ("xlsx", xlsx(people), ""),
        7 => ("ods", ods(people), ""),
        _ => ("parquet", parquet(people), ""),
    }
}

/// All public files where each provider has a table of this kind.
fn public(kinds: [usize; PROVIDERS]) -> BTreeMap<String, Vec<u8>> {
    let bench = Bench::with(&[]);
    let mut providers = String::new();
    for (provider, kind) in kinds.into_iter().enumerate() {
        let (ending, bytes, keys) = table(&people(provider), kind);
        let file = format!("p{provider}.{ending}");
        providers += &format!("  {{ name = \"P{provider}\", path = \"{file}\"{keys} }},\n");
        bench.write(&file, bytes);
    }
    let policy = format!(
        r#"[data]
providers = [
{providers}]
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
kind = "integer"
[columns.born]
role = "quasi-identifier"
kind = "date"
[columns.weight]
role = "insensitive"
kind = "decimal"
[columns.disease]
role = "sensitive"
kind = "category"
[privacy]
k = 3
m = 1
l = {{ distinct = 2 }}
"#
    );
    bench.write("policy.toml", policy);
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .exits(0);
    let mut public = bench.contents();
    public.retain(|name, _| name.starts_with("out/public/"));
    assert!(public.len() > 1);
    public
}

#[test]
fn who_has_which_kind_of_file_changes_no_public_byte() {
    let expected = public([0; PROVIDERS]);
    // every kind with every provider, and kinds mixed: 9 rotations of three steps each
    for step in [1, 2, 4] {
        for first in 0..KINDS {
            let kinds = [first, (first + step) % KINDS, (first + 2 * step) % KINDS];
            let found = public(kinds);
            for (name, bytes) in &expected {
                assert!(found[name] == *bytes, "{name} differs with {kinds:?}");
            }
            assert_eq!(found.len(), expected.len(), "{kinds:?}");
        }
    }
}

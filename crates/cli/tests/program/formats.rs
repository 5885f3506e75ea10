//! Tables in other formats than CSV, and from standard input: the same release.

#[path = "../../../sources/tests/workbooks/made.rs"]
#[allow(dead_code, reason = "shared with the tests of the reader itself")]
pub mod made;

use super::common::{Bench, CANARY, Run};
use assert_cmd::Command;
use made::Xlsx;

const POLICY: &str = r#"
[data]
providers = [
  { name = "P1", path = "FIRST" },
  { name = "P2", path = "p2.csv" },
]
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
[columns.born]
role = "quasi-identifier"
[columns.weight]
role = "insensitive"
[columns.disease]
role = "sensitive"
[privacy]
k = 2
m = 1
l = { distinct = 2 }
"#;

/// Rows of one provider: name, age, day of birth and its number in a sheet, weight, disease.
const ROWS: [(&str, &str, &str, &str, &str, &str); 6] = [
    ("n1", "20", "2001-03-02", "36952", "70.5", "flu"),
    ("n2", "21", "2001-03-03", "36953", "71", "cold"),
    ("n3", "22", "2001-03-04", "36954", "", "flu"),
    ("n4", "30", "1991-03-02", "33299", "0.1", "asthma"),
    ("n5", "31", "1991-03-03", "33300", "80", "cold"),
    ("n6", "32", "1991-03-04", "33301", "80.25", ""),
];

fn csv() -> String {
    let mut text = String::from("name,age,born,weight,disease\n");
    for (name, age, born, _, weight, disease) in ROWS {
        text.push_str(&format!("{name},{age},{born},{weight},{disease}\n"));
    }
    text
}

fn json_lines() -> String {
    let mut text = String::new();
    for (name, age, born, _, weight, disease) in ROWS {
        // a key that is not there, and null
        let weight = match weight {
            "" => String::new(),
            weight => format!("\"weight\":{weight},"),
        };
        let disease = match disease {
            "" => "null".to_owned(),
            disease => format!("\"{disease}\""),
        };
        text.push_str(&format!(
            "{{\"disease\":{disease},{weight}\"name\":\"{name}\",\"age\":{age},\"born\":\"{born}\"}}\n"
        ));
    }
    text
}

fn xlsx() -> Vec<u8> {
    let mut rows = made::row(1, &["name", "age", "born", "weight", "disease"]);
    for (at, (name, age, _, serial, weight, disease)) in ROWS.iter().enumerate() {
        let number = at + 2;
        let optional = |column: &str, value: &str, cell: String| {
            if value.is_empty() {
                format!(r#"<c r="{column}{number}"/>"#)
            } else {
                cell
            }
        };
        rows.push_str(&format!(
            r#"<row r="{number}"><c r="A{number}" t="inlineStr"><is><t>{name}</t></is></c><c r="B{number}"><v>{age}.0</v></c><c r="C{number}" s="1"><v>{serial}</v></c>"#
        ));
        rows.push_str(&optional(
            "D",
            weight,
            format!(r#"<c r="D{number}"><v>{weight}</v></c>"#),
        ));
        rows.push_str(&optional(
            "E",
            disease,
            format!(r#"<c r="E{number}" t="str"><f>A1</f><v>{disease}</v></c>"#),
        ));
        rows.push_str("</row>");
    }
    Xlsx::of(&rows).bytes()
}

fn ods() -> Vec<u8> {
    let mut rows = made::ods_row(&["name", "age", "born", "weight", "disease"]);
    for (name, age, born, _, weight, disease) in ROWS {
        let weight = match weight {
            "" => "<table:table-cell/>".to_owned(),
            weight => {
                format!(r#"<table:table-cell office:value-type="float" office:value="{weight}"/>"#)
            }
        };
        rows.push_str(&format!(
            r#"<table:table-row><table:table-cell office:value-type="string"><text:p>{name}</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="{age}"/><table:table-cell office:value-type="date" office:date-value="{born}"/>{weight}<table:table-cell office:value-type="string"><text:p>{disease}</text:p></table:table-cell></table:table-row>"#
        ));
    }
    made::ods(&[("table:name=\"a\"", &rows)])
}

/// Runs the program with something on its standard input.
fn piped(bench: &Bench, input: &[u8], args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mingle"));
    command
        .current_dir(bench.path(""))
        .env("NO_COLOR", "1")
        .args(args)
        .write_stdin(input);
    Run::new(command.output().unwrap())
}

fn bench() -> Bench {
    let second = csv().replace("\nn", "\nm").replace("2001", "2002");
    Bench::with(&[("p2.csv", &second)])
}

/// The public table of a release whose first provider's table is this one.
fn public(first: &str, bytes: &[u8]) -> Vec<u8> {
    let bench = bench();
    bench.write("policy.toml", POLICY.replace("FIRST", first));
    let args = ["publish", "policy.toml", "--out", "release"];
    if first == "-" {
        piped(&bench, bytes, &args).exits(0);
    } else {
        bench.write(first, bytes);
        bench.run(&args).exits(0);
    }
    let private = bench.read("release/private/manifest.json");
    let name = if first == "-" {
        "standard input"
    } else {
        first
    };
    assert!(private.contains(&format!("\"{name}\"")), "{private}");
    std::fs::read(bench.path("release/public/data.csv")).unwrap()
}

#[test]
fn every_format_gives_the_same_public_table() {
    let expected = public("p1.csv", csv().as_bytes());
    assert!(!expected.is_empty());
    for (name, bytes) in [
        ("p1.jsonl", json_lines().into_bytes()),
        ("p1.xlsx", xlsx()),
        ("p1.ods", ods()),
        // by what it is
        ("p1", xlsx()),
    ] {
        assert_eq!(public(name, &bytes), expected, "{name}");
    }
    for bytes in [csv().into_bytes(), json_lines().into_bytes(), xlsx(), ods()] {
        assert_eq!(public("-", &bytes), expected);
    }
}

#[test]
fn parquet_can_be_piped_in() {
    let bench = Bench::new();
    let made = ["synth", "census", "--rows", "200", "--providers", "1"];
    bench
        .run(&[&made[..], &["--out", "c.parquet"]].concat())
        .exits(0);
    let bytes = std::fs::read(bench.path("c.parquet")).unwrap();
    let from_file = bench.run(&["init", "c.parquet"]).exits(0).out;
    let piped_in = piped(&bench, &bytes, &["init", "-"]).exits(0).out;
    assert!(piped_in.contains("path = \"-\""), "{piped_in}");
    let columns = |text: &str| text[text.find("[columns").unwrap()..].to_owned();
    assert_eq!(columns(&piped_in), columns(&from_file));
}

#[test]
fn standard_input_is_one_table() {
    let bench = bench();
    bench.write(
        "policy.toml",
        POLICY.replace("FIRST", "-").replace("p2.csv", "-"),
    );
    let args = ["publish", "policy.toml", "--out", "release"];
    piped(&bench, b"", &args).refuses(2, "MG0110", &["listed twice"]);
    piped(&bench, b"", &["init", "-", "-"]).exits(2);
    bench.write("policy.toml", POLICY.replace("FIRST", "-"));
    piped(&bench, b"", &args)
        .exits(2)
        .says(&["standard input is empty"]);
    let broken = format!("name,age,born,weight,disease\n{CANARY}\n");
    piped(&bench, broken.as_bytes(), &args)
        .exits(2)
        .says(&["standard input, line 2"])
        .shows_no_cell();
    // a file of that name is named by its folder
    bench.write("-", csv());
    bench.write("policy.toml", POLICY.replace("FIRST", "./-"));
    bench.run(&args).exits(0);
}

#[test]
fn an_anonymized_sheet_is_verified() {
    let bench = bench();
    bench.write("policy.toml", POLICY.replace("FIRST", "p1.csv"));
    let rows: String = (1..5)
        .map(|number| match number {
            1 => made::row(1, &["age", "born", "disease"]),
            number => made::row(number, &["*", "*", &format!("d{number}")]),
        })
        .collect();
    bench.write("anonymized.xlsx", Xlsx::of(&rows).bytes());
    let args = [
        "verify",
        "--table",
        "anonymized.xlsx",
        "--policy",
        "policy.toml",
    ];
    let from_file = bench.run(&[&args[..], &["--json"]].concat());
    assert!(
        from_file.out.contains("\"records\": 3"),
        "{}{}",
        from_file.out,
        from_file.err
    );
}

#[test]
fn what_a_sheet_hides_is_refused_with_what_to_do() {
    let bench = bench();
    bench.write("policy.toml", POLICY.replace("FIRST", "p1.xlsx"));
    let args = ["publish", "policy.toml", "--out", "release"];
    let header = made::row(1, &["name", "age", "born", "weight", "disease"]);
    let canary = made::row(2, &[CANARY; 5]);
    let hidden = canary.replace("<row", "<row hidden=\"1\"");
    bench.write("p1.xlsx", Xlsx::of(&(header.clone() + &hidden)).bytes());
    bench
        .run(&args)
        .exits(2)
        .says(&["p1.xlsx, row 2: a hidden row", "hint: "])
        .shows_no_cell();
    let mut two = Xlsx::of(&(header + &canary));
    two.sheets
        .push((CANARY, "visible", two.sheets[0].2.clone()));
    bench.write("p1.xlsx", two.bytes());
    bench
        .run(&args)
        .exits(2)
        .says(&["2 sheets hold cells", "sheet = "])
        .shows_no_cell();
    assert!(!bench.path("release").exists());
}

//! Tables as hospitals have them: without a header, in another encoding, with national dates and
//! decimals. What is not declared is refused, and nothing of it is shown or written.

use crate::common::{Bench, CANARY};

/// Two hospitals; every text is a canary.
const POLICY: &str = r#"
[data]
providers = [
  { name = "North", path = "north.csv" },
  { name = "South", path = "south.csv" },
]
[columns.born]
role = "quasi-identifier"
[columns.size]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
[privacy]
k = 2
m = 0
l = { distinct = 2 }
"#;

/// The same, with kinds.
fn with_kinds() -> String {
    POLICY
        .replace("[columns.born]", "[columns.born]\nkind = \"date\"")
        .replace("[columns.size]", "[columns.size]\nkind = \"decimal\"")
        .replace(
            "[columns.disease]",
            "[columns.disease]\nkind = \"category\"",
        )
}

/// How a hospital writes.
#[derive(Clone, Copy)]
struct Style {
    national: bool,
    header: bool,
    utf16: bool,
    other_names: bool,
}

const PLAIN: Style = Style {
    national: false,
    header: true,
    utf16: false,
    other_names: false,
};

fn table(start: usize, style: Style) -> Vec<u8> {
    let mut text = String::new();
    if style.header && style.other_names {
        text += "geboren;gr\u{f6}\u{df}e;diagnose\n";
    } else if style.header {
        text += "born;size;disease\n";
    }
    for row in start..start + 8 {
        let (day, month) = (row % 28 + 1, row % 12 + 1);
        let disease = format!("{CANARY}d{}", row % 3);
        if style.national {
            text += &format!("{day:02}.{month:02}.1970;1,{row:02};{disease}\n");
        } else {
            text += &format!("1970-{month:02}-{day:02};1.{row:02};{disease}\n");
        }
    }
    if !style.utf16 {
        return text.into_bytes();
    }
    let mut bytes = vec![0xff, 0xfe];
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}

/// What a policy says about a hospital that writes so.
fn keys(style: Style) -> String {
    let mut keys = String::new();
    if style.national {
        keys += ", date_format = \"dd.mm.yyyy\", decimal = \",\"";
    }
    if style.utf16 {
        keys += ", encoding = \"utf-16\"";
    }
    if !style.header {
        keys += ", header = false, names = [\"born\", \"size\", \"disease\"]";
    } else if style.other_names {
        keys += ", columns = { geboren = \"born\", \"gr\u{f6}\u{df}e\" = \"size\", diagnose = \"disease\" }";
    }
    keys
}

fn bench(policy: &str, north: Style, south: Style) -> Bench {
    let policy = policy
        .replace("\"north.csv\"", &format!("\"north.csv\"{}", keys(north)))
        .replace("\"south.csv\"", &format!("\"south.csv\"{}", keys(south)));
    let bench = Bench::with(&[("policy.toml", &policy)]);
    bench.write("north.csv", table(0, north));
    bench.write("south.csv", table(100, south));
    bench
}

#[track_caller]
fn refused(bench: &Bench, code: &str, parts: &[&str]) {
    let before = bench.contents();
    let json = bench.run(&["publish", "policy.toml", "--out", "out", "--json"]);
    json.exits(2).shows_no_cell();
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .refuses(2, code, parts);
    assert!(before == bench.contents(), "something was left behind");
}

#[test]
fn a_table_without_a_header_publishes_nobody() {
    let record = format!("4711;{CANARY}x;1.5\n4712;{CANARY}y;2.5\n4713;{CANARY}z;3.5\n");
    let bench = Bench::with(&[]);
    bench.write("t.csv", &record);
    bench
        .run(&["init", "t.csv", "--out", "policy.toml"])
        .refuses(2, "MG0214", &["t.csv", "columns 1, 3", "header = false"])
        .shows_no_cell();
    assert!(!bench.path("policy.toml").exists());

    // a policy that an earlier version has written from such a table
    let policy = format!(
        "[data]\npath = \"t.csv\"\n[columns.4711]\nrole = \"quasi-identifier\"\n\
         [columns.{CANARY}x]\nrole = \"sensitive\"\n[columns.\"1.5\"]\nrole = \"quasi-identifier\"\n\
         [privacy]\nk = 2\n"
    );
    bench.write("policy.toml", policy);
    refused(&bench, "MG0214", &["t.csv", "columns 1, 3"]);
}

#[test]
fn a_way_of_writing_does_not_name_its_hospital() {
    let national = Style {
        national: true,
        ..PLAIN
    };
    // undeclared: refused with file, line and what to write
    let undeclared = Bench::with(&[("policy.toml", POLICY)]);
    undeclared.write("north.csv", table(0, PLAIN));
    undeclared.write("south.csv", table(100, national));
    refused(
        &undeclared,
        "MG0215",
        &[
            "south.csv, line 2",
            "\"born\"",
            "\"South\"",
            "dates",
            "date_format",
        ],
    );
    // without kinds nobody could tell which texts to translate
    let without_kinds = bench(POLICY, PLAIN, national);
    refused(&without_kinds, "MG0104", &["`born`", "kind"]);
    // declared otherwise than written
    let wrong = bench(&with_kinds(), PLAIN, national);
    wrong.write("south.csv", table(100, PLAIN));
    refused(&wrong, "MG0209", &["south.csv, line 2", "dd.mm.yyyy"]);
}

#[test]
fn who_writes_in_which_way_changes_no_public_byte() {
    let national = Style {
        national: true,
        ..PLAIN
    };
    let headerless = Style {
        header: false,
        utf16: true,
        ..PLAIN
    };
    let renamed = Style {
        national: true,
        utf16: true,
        other_names: true,
        ..PLAIN
    };
    let mut first = None;
    for (north, south) in [
        (PLAIN, PLAIN),
        (PLAIN, national),
        (national, PLAIN),
        (headerless, renamed),
        (renamed, headerless),
    ] {
        let bench = bench(&with_kinds(), north, south);
        bench
            .run(&["publish", "policy.toml", "--out", "out"])
            .exits(0)
            .shows_no_cell();
        let mut public = bench.contents();
        public.retain(|name, _| name.starts_with("out/public/"));
        assert!(public.len() > 1);
        match &first {
            None => first = Some(public),
            Some(first) => {
                for (name, bytes) in first {
                    assert!(public[name] == *bytes, "{name} differs");
                }
                assert_eq!(first.len(), public.len());
            }
        }
    }
}

#[test]
fn what_is_not_as_declared_is_refused_without_a_cell() {
    let policy = with_kinds();
    let cases: [(&str, Vec<u8>); 7] = [
        (
            "MG0202",
            table(
                100,
                Style {
                    utf16: true,
                    ..PLAIN
                },
            ),
        ),
        ("MG0208", [&table(100, PLAIN)[..], b"\xff;1;x\n"].concat()),
        ("MG0208", [&table(100, PLAIN)[..], b"\0;1;x\n"].concat()),
        (
            "MG0214",
            table(
                100,
                Style {
                    header: false,
                    ..PLAIN
                },
            ),
        ),
        ("MG0214", [table(100, PLAIN), table(120, PLAIN)].concat()),
        ("MG0217", format!("{{\"{CANARY}\": 1}}\n").into_bytes()),
        (
            "MG0204",
            format!("{CANARY}a;{CANARY}b;{CANARY}c\nx;y;z\n").into_bytes(),
        ),
    ];
    for (code, bytes) in cases {
        let bench = bench(&policy, PLAIN, PLAIN);
        bench.write("south.csv", bytes);
        refused(&bench, code, &["south.csv"]);
    }
    let bench = bench(&policy, PLAIN, PLAIN);
    bench.write("south.parquet", table(100, PLAIN));
    let text = bench
        .read("policy.toml")
        .replace("south.csv", "south.parquet");
    bench.write("policy.toml", text);
    refused(&bench, "MG0217", &["south.parquet", "csv"]);
}

#[test]
fn an_optional_column_and_a_category_may_tell_the_provider() {
    let policy = POLICY
        .replace("[columns.size]", "[columns.size]\noptional = true")
        .replace("[columns.born]", "[columns.born]\nkind = \"category\"");
    let bench = Bench::with(&[("policy.toml", &policy)]);
    bench.write("north.csv", table(0, PLAIN));
    let national = Style {
        national: true,
        ..PLAIN
    };
    let south = String::from_utf8(table(100, national)).unwrap();
    let mut narrow = String::new();
    for line in south.lines() {
        let cells: Vec<&str> = line.split(';').collect();
        narrow += &format!("{};{}\n", cells[0], cells[2]);
    }
    bench.write("south.csv", narrow);
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .exits(0)
        .says(&["MG0517", "MG0518", "\"South\"", "\"size\"", "\"born\""])
        .shows_no_cell();
}

#[test]
fn a_dropped_column_is_nowhere() {
    let policy = POLICY.replace(
        "[columns.size]",
        "[columns.size]\nrole = \"drop\"\n[columns.none]",
    );
    let policy = policy.replace("[columns.none]\nrole = \"quasi-identifier\"\n", "");
    let bench = Bench::with(&[("policy.toml", &policy)]);
    bench.write("north.csv", table(0, PLAIN));
    bench.write("south.csv", table(100, PLAIN));
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .exits(0);
    assert!(
        bench
            .read("out/public/data.csv")
            .starts_with("born,disease\n")
    );
    bench.run(&["verify", "out"]).exits(0);
}

/// Names and cities that nobody shares.
fn list_of_words() -> String {
    let mut text = String::new();
    for row in 0..40u8 {
        let (one, two) = (char::from(b'a' + row % 26), char::from(b'a' + row / 26));
        text += &format!("{CANARY}{one}{two}n,{CANARY}{two}{one}c\n");
    }
    text
}

#[test]
fn a_first_line_that_nothing_speaks_for_is_asked_about() {
    let bench = Bench::with(&[]);
    bench.write("t.csv", list_of_words());
    for args in [&["init", "t.csv", "--json"][..], &["init", "t.csv"]] {
        bench
            .run(args)
            .refuses(
                2,
                "MG0214",
                &["nothing distinguishes it", "--names", "--header"],
            )
            .shows_no_cell();
    }
    // two ways out, and what was said stands in the policy
    let named = bench.run(&["init", "t.csv", "--names", "who,where", "--out", "a.toml"]);
    named.exits(0).shows_no_cell();
    let policy = bench.read("a.toml");
    assert!(policy.contains("names = [\"who\", \"where\"]"), "{policy}");
    assert!(policy.contains("40 rows"), "{policy}");
    assert!(!policy.contains(CANARY), "{policy}");
    bench.write("t.csv", format!("{}x,y\n", list_of_words()));
    let trusted = bench.run(&["init", "t.csv", "--header", "--out", "b.toml"]);
    trusted.exits(0);
    assert!(bench.read("b.toml").contains("header = true"));
    assert!(bench.read("b.toml").contains("40 rows"));
}

#[test]
fn names_are_not_given_to_a_table_that_has_them() {
    let bench = Bench::with(&[]);
    let given = POLICY.replace(
        "\"south.csv\"",
        "\"south.csv\", header = false, names = [\"born\", \"size\", \"disease\"]",
    );
    bench.write("policy.toml", &given);
    bench.write("north.csv", table(0, PLAIN));
    bench.write("south.csv", table(100, PLAIN));
    refused(&bench, "MG0214", &["south.csv", "header = false"]);
    let lines = format!("{{\"born\": \"2001-03-02\", \"size\": 1.5, \"disease\": \"{CANARY}\"}}\n");
    bench.write("south.jsonl", lines);
    bench.write("policy.toml", given.replace("south.csv", "south.jsonl"));
    refused(&bench, "MG0217", &["south.jsonl", "header = false"]);
}

#[test]
fn days_that_could_be_two_are_not_guessed_across_providers() {
    let bench = Bench::with(&[("policy.toml", POLICY)]);
    let days = |pattern: fn(usize) -> String| {
        let mut text = "born;size;disease\n".to_owned();
        for row in 0..8 {
            text += &format!("{};1.{row};{CANARY}{}\n", pattern(row), row % 3);
        }
        text
    };
    let american = |row: usize| format!("0{}/0{}/2003", row % 9 + 1, row % 8 + 1);
    bench.write("north.csv", days(american));
    bench.write("south.csv", days(american));
    refused(
        &bench,
        "MG0215",
        &["north.csv, line 2", "dd/mm/yyyy, mm/dd/yyyy"],
    );
    let german = |row: usize| format!("{}.03.2003", row + 20);
    bench.write("south.csv", days(german));
    refused(
        &bench,
        "MG0215",
        &["south.csv, line 2", "dates written dd/mm/yyyy"],
    );

    // a proposal leaves the column out until somebody says how it is written
    let proposed = bench.run(&["init", "north.csv", "south.csv", "--out", "init.toml"]);
    proposed
        .exits(0)
        .says(&["MG0518", "\"born\""])
        .shows_no_cell();
    let policy = bench.read("init.toml");
    let born = &policy[policy.find("[columns.born]").unwrap()..];
    let born = &born[..born.find("\n\n").unwrap()];
    assert!(
        born.contains("DECIDE") && born.contains("role = \"drop\""),
        "{born}"
    );
    bench
        .run(&["publish", "init.toml", "--out", "out"])
        .exits(0);
    assert!(!bench.read("out/public/data.csv").contains("2003"));
}

#[test]
fn two_national_ways_in_a_category_are_told() {
    let policy = POLICY.replace("[columns.born]", "[columns.born]\nkind = \"category\"");
    let bench = Bench::with(&[("policy.toml", &policy)]);
    let national = Style {
        national: true,
        ..PLAIN
    };
    let dotted = String::from_utf8(table(0, national)).unwrap();
    bench.write("north.csv", dotted.replace("1,", "1."));
    bench.write(
        "south.csv",
        dotted.replace("1,", "1.").replace(".1970", "/1970"),
    );
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .exits(0)
        .says(&["MG0518", "\"born\"", "dates written"])
        .shows_no_cell();
}

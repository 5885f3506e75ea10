//! Hierarchies without a file, and `mingle hierarchy`: each kind is published, verified and
//! measured; bad ones are refused with a place and without a cell.

use crate::common::{Bench, CANARY};
use std::fmt::Write;

/// Forty people of two providers with codes of different lengths, ages, births and bands.
fn patients() -> Bench {
    let codes = [
        "250.83", "250", "250.1", "V58.67", "401.9", "410", "E849.0", "38",
    ];
    let icd = [
        "E11.9", "E10", "I21.0", "I25", "C50.9", "E119", "nonsense", "Z00.0",
    ];
    let drugs = [
        "A10BA02", "A10BB01", "C09AA05", "N02BE01", "A10B", "C07AB02", "J01CA04", "N05",
    ];
    let bands = ["[0-10)", "[10-20)", "[20-30)", "[30-40)"];
    let mut tables = ["", ""].map(|_| "code,icd,drug,age,weight,born,band,disease\n".to_owned());
    for i in 0..40 {
        let _ = writeln!(
            tables[i % 2],
            "{},{},{},{},{}.5,{}-0{}-11,{},{}",
            codes[i % 8],
            icd[(i + 3) % 8],
            drugs[(i * 3) % 8],
            (i * 7) % 90,
            40 + i,
            1940 + i * 2,
            1 + i % 9,
            bands[(i / 3) % 4],
            ["flu", "cold", "gout"][i % 3]
        );
    }
    Bench::with(&[("p1.csv", &tables[0]), ("p2.csv", &tables[1])])
}

/// A policy with one quasi-identifier.
fn policy(column: &str, entry: &str) -> String {
    let mut text = "[data]\nproviders = [{ name = \"P1\", path = \"p1.csv\" }, \
                    { name = \"P2\", path = \"p2.csv\" }]\nundeclared = \"drop\"\n"
        .to_owned();
    let _ = write!(
        text,
        "[columns.{column}]\nrole = \"quasi-identifier\"\n{entry}\n\
         [columns.disease]\nrole = \"sensitive\"\n[privacy]\nm = 0\nk = 4\n"
    );
    text
}

const KINDS: [(&str, &str); 9] = [
    ("code", "hierarchy = { prefix = [3, 1] }"),
    ("code", "hierarchy = { template = \"icd-9\" }"),
    ("icd", "hierarchy = { template = \"icd-10\" }"),
    ("drug", "hierarchy = { template = \"atc\" }"),
    ("age", "hierarchy = { bands = [[18, 40, 65], [18, 65]] }"),
    ("weight", "hierarchy = { bands = [50, 60.25] }"),
    (
        "born",
        "hierarchy = { age = \"2024-12-31\", bands = [18, 40, 65] }",
    ),
    ("code", "hierarchy = \"codes.csv\""),
    ("band", "kind = \"band\""),
];

#[test]
fn each_kind_is_published_verified_and_measured() {
    for (column, entry) in KINDS {
        for method in ["agglomerative", "datafly"] {
            let bench = patients();
            bench.write(
                "policy.toml",
                policy(column, entry) + &format!("[method]\nname = \"{method}\"\n"),
            );
            bench.write(
                "codes.csv",
                "240-279;endocrine;*\n390-459;circulatory;*\n*;rest;*\n",
            );
            bench
                .run(&[
                    "publish",
                    "policy.toml",
                    "--out",
                    "r",
                    "--set",
                    "privacy.k=12",
                ])
                .exits(0);
            bench.run(&["verify", "r"]).exits(0);
            let measured = bench.run(&["measure", "r", "--policy", "policy.toml", "--json"]);
            let measured = measured.exits(0).json();
            let ncp = measured["ncp"]["overall"]
                .as_f64()
                .unwrap_or_else(|| panic!("{measured}"));
            assert!(0.0 < ncp && ncp <= 1.0, "{entry}: {ncp}");
            bench.run(&["report", "r"]).exits(0);
            // what the public table says is read back by whoever knows the rule
            bench
                .run(&[
                    "verify",
                    "--table",
                    "r/public/data.csv",
                    "--policy",
                    "policy.toml",
                ])
                .exits(0);
        }
    }
}

#[test]
fn labels_as_documented() {
    let bench = patients();
    let published = |column: &str, entry: &str| {
        bench.write("policy.toml", policy(column, entry));
        bench.write(
            "codes.csv",
            "240-279;endocrine;*\n390-459;circulatory;*\n*;rest;*\n",
        );
        bench
            .run(&["publish", "policy.toml", "--out", "r", "--force"])
            .exits(0);
        let table = bench.read("r/public/data.csv");
        let mut labels: Vec<String> = Vec::new();
        for line in table.lines().skip(1) {
            let label = line.split(',').next().unwrap().to_owned();
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        labels
    };
    let coarse = |column: &str, entry: &str| published(column, entry).join(" ");
    assert!(coarse("weight", "hierarchy = { bands = [50, 60.25] }").contains("[50-60.25)"));
    let ages = coarse("age", "hierarchy = { bands = [18, 65] }");
    assert!(
        ages.contains("<18") && ages.contains("[18-64]") && ages.contains("≥65"),
        "{ages}"
    );
    let ages = coarse(
        "born",
        "hierarchy = { age = \"2024-12-31\", bands = [18, 40, 65] }",
    );
    assert!(ages.contains("age "), "{ages}");
}

#[test]
fn unlisted_values_and_ragged_masks_are_warned_about() {
    let bench = patients();
    bench.write(
        "policy.toml",
        policy("icd", "hierarchy = { template = \"icd-10\" }"),
    );
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0)
        .says(&["MG0530", "1 of 8 distinct values are not in its hierarchy"]);
    bench.write("policy.toml", policy("code", "hierarchy = { mask = 3 }"));
    bench
        .run(&["publish", "policy.toml", "--out", "r2"])
        .exits(0)
        .says(&["MG0531", "a mask on codes of different lengths"]);
}

#[test]
fn check_counts_and_shows_no_value() {
    let bench = Bench::with(&[
        (
            "t.csv",
            &format!("code,disease\n250.1,flu\n{CANARY},flu\n401,cold\n25,flu\n"),
        ),
        ("h.csv", "240-279;endocrine;*\n390-459;circulatory;*\n"),
        (
            "d.csv",
            "240-279;endocrine;*\n390-459;circulatory;*\n*;rest;*\n",
        ),
    ]);
    let check = |file: &str, json: bool| {
        let mut args = vec![
            "hierarchy",
            "check",
            "--file",
            file,
            "--table",
            "t.csv",
            "--column",
            "code",
        ];
        if json {
            args.push("--json");
        }
        bench.run(&args).shows_no_cell()
    };
    let gap = check("h.csv", true).exits(1).json();
    assert_eq!(gap["schema"], "mingle.hierarchy-check/1");
    assert_eq!(gap["columns"][0]["findings"][0]["kind"], "not-covered");
    assert_eq!(gap["columns"][0]["findings"][0]["values"], 2);
    let rest = check("d.csv", true).exits(1).json();
    assert_eq!(rest["columns"][0]["findings"][0]["kind"], "unlisted");
    assert_eq!(rest["columns"][0]["findings"][0]["place"], "t.csv, line 3");
    assert_eq!(rest["columns"][0]["levels"][1]["labels"], 3);
    assert!(
        check("d.csv", false)
            .exits(1)
            .out
            .contains("labels on each level: 4, 3, 1")
    );
    let bench = patients();
    bench.write(
        "policy.toml",
        policy("age", "hierarchy = { bands = [18, 65] }"),
    );
    let fine = bench.run(&["hierarchy", "check", "policy.toml"]).exits(0);
    assert!(fine.out.contains("age: bands 18, 65,"), "{}", fine.out);
    bench.write("policy.toml", policy("code", "hierarchy = { mask = 2 }"));
    let run = bench.run(&["hierarchy", "check", "policy.toml", "--column", "code"]);
    assert!(run.exits(1).out.contains("different lengths"));
    bench
        .run(&["hierarchy", "check", "policy.toml", "--column", "age"])
        .refuses(2, "MG0210", &["no hierarchy for column \"age\""]);
}

#[test]
fn proposals_fit_their_columns() {
    let bench = patients();
    for (column, line) in [
        ("code", "hierarchy = { template = \"icd-9\" }"),
        ("drug", "hierarchy = { template = \"atc\" }"),
        ("age", "hierarchy = { intervals = [2, 4, 8] }"),
        (
            "born",
            "hierarchy = { dates = [\"month\", \"quarter\", \"year\", \"decade\"] }",
        ),
        ("band", "# no rule suits these values"),
        ("disease", "# no rule suits these values"),
    ] {
        let run = bench
            .run(&["hierarchy", "propose", "p1.csv", "--column", column])
            .exits(0);
        assert!(run.out.contains(line), "{column}:\n{}", run.out);
        // what is proposed is a policy that publishes
        if line.starts_with('h') {
            bench.write("policy.toml", policy(column, line));
            bench.run(&["publish", "policy.toml", "--dry-run"]).exits(0);
        }
    }
    let args = [
        "hierarchy",
        "propose",
        "p1.csv",
        "--column",
        "code",
        "--out",
        "h.csv",
    ];
    bench
        .run(&args)
        .exits(0)
        .says(&["contains the values of the column"]);
    assert!(bench.read("h.csv").contains("250.83;250…;240-279;*\n"));
    bench
        .run(&[
            "hierarchy",
            "check",
            "--file",
            "h.csv",
            "--table",
            "p1.csv",
            "--column",
            "code",
        ])
        .exits(0);
    bench.run(&args).refuses(2, "MG0401", &["exists"]);
    let json = bench.run(&[
        "hierarchy",
        "propose",
        "p1.csv",
        "--column",
        "age",
        "--json",
    ]);
    assert_eq!(json.exits(0).json()["schema"], "mingle.hierarchy-propose/1");
    bench
        .run(&["hierarchy", "propose", "p1.csv", "--column", "nothing"])
        .refuses(2, "MG0204", &["no column \"nothing\""]);
}

#[test]
fn what_a_policy_may_not_say() {
    let bench = patients();
    for (column, entry, code, said) in [
        (
            "code",
            "hierarchy = { prefix = [0] }",
            "MG0107",
            "prefix length 1 must be at least 1",
        ),
        (
            "code",
            "hierarchy = { prefix = [1, 3] }",
            "MG0107",
            "length 2 is not below",
        ),
        ("code", "hierarchy = { prefix = [] }", "MG0107", "no level"),
        ("code", "hierarchy = { prefix = 3 }", "MG0105", "a list"),
        (
            "code",
            "kind = \"decimal\"\nhierarchy = { prefix = [3] }",
            "MG0109",
            "kind category",
        ),
        (
            "code",
            "hierarchy = { template = \"icd-11\" }",
            "MG0106",
            "icd-10",
        ),
        (
            "code",
            "hierarchy = { prefix = [3], template = \"icd-9\" }",
            "MG0105",
            "one of mask",
        ),
        (
            "age",
            "hierarchy = { bands = [65, 18] }",
            "MG0107",
            "bound 2 is not above",
        ),
        (
            "age",
            "hierarchy = { bands = [18, 18] }",
            "MG0107",
            "bound 2 is not above",
        ),
        (
            "age",
            "hierarchy = { bands = [] }",
            "MG0107",
            "have no bound",
        ),
        (
            "age",
            "hierarchy = { bands = [[0, 18], [17]] }",
            "MG0107",
            "no bound of the finer level",
        ),
        (
            "age",
            "hierarchy = { bands = [[0, 18], [0, 18]] }",
            "MG0107",
            "those of the level before",
        ),
        ("age", "hierarchy = { bands = [0, \"x\"] }", "MG0105", "day"),
        (
            "age",
            "hierarchy = { bands = [0.5] }",
            "MG0210",
            "whole numbers",
        ),
        (
            "born",
            "hierarchy = { bands = [5] }",
            "MG0210",
            "needs a column of numbers",
        ),
        (
            "born",
            "hierarchy = { age = \"31.12.2024\" }",
            "MG0105",
            "no day",
        ),
        (
            "born",
            "hierarchy = { age = 2024 }",
            "MG0105",
            "a day in quotes",
        ),
        (
            "born",
            "hierarchy = { age = \"2024-12-31\", bands = [1.5] }",
            "MG0107",
            "whole number",
        ),
        (
            "born",
            "hierarchy = { age = \"1950-01-01\" }",
            "MG0210",
            "a date after the one",
        ),
        (
            "age",
            "hierarchy = { age = \"2024-12-31\" }",
            "MG0209",
            "not a date",
        ),
        ("disease2", "kind = \"bands\"", "MG0106", "band"),
        (
            "band",
            "kind = \"band\"\norder = [\"a\"]",
            "MG0108",
            "an order of their own",
        ),
        ("code", "kind = \"band\"", "MG0209", "not a band"),
    ] {
        bench.write("policy.toml", policy(column, entry));
        let run = bench.run(&["publish", "policy.toml", "--dry-run"]);
        assert_eq!(run.exit, Some(2), "{entry}: {}{}", run.out, run.err);
        run.says(&[&format!("error[{code}]"), said]);
    }
}

/// A rule for codes says that they are codes: a provider whose codes all look like numbers agrees
/// with one that has letters, and `250.80` is not `250.8`.
#[test]
fn codes_that_look_like_numbers_are_codes() {
    for entry in [
        "hierarchy = { template = \"icd-9\" }",
        "hierarchy = { prefix = [3, 1] }",
    ] {
        let bench = Bench::new();
        for (file, codes) in [
            ("p1.csv", ["250.80", "250.8", "401.10", "410"]),
            ("p2.csv", ["V58.67", "E849.0", "250.8", "401.10"]),
        ] {
            let mut text = "code,disease\n".to_owned();
            for code in codes {
                text += &format!("{code},flu\n{code},cold\n{code},gout\n").repeat(2);
            }
            bench.write(file, text);
        }
        bench.write("policy.toml", policy("code", entry));
        bench
            .run(&["publish", "policy.toml", "--out", "r"])
            .exits(0);
        let table = bench.read("r/public/data.csv");
        assert!(table.contains("\n250.80,"), "{entry}: {table}");
        assert!(table.contains("\n250.8,"), "{entry}: {table}");
    }
}

/// What is checked are the texts that publishing reads: translated where the policy says so and only
/// there, from tables that may have other columns besides.
#[test]
fn check_reads_the_tables_as_publishing_does() {
    let policy = r#"
[data]
undeclared = "drop"
providers = [
  { name = "North", path = "north.csv", decimal = ",", date_format = "dd.mm.yyyy" },
  { name = "South", path = "south.csv" },
]
[columns.day]
role = "quasi-identifier"
kind = "date"
hierarchy = "day.csv"
[columns.codes]
role = "quasi-identifier"
kind = "category"
hierarchy = "codes.csv"
[columns.disease]
role = "sensitive"
kind = "category"
[privacy]
k = 2
m = 0
"#;
    let bench = Bench::with(&[
        ("policy.toml", policy),
        ("day.csv", "2001-03-02;early;*\n2001-03-03;late;*\n"),
        ("codes.csv", "1,5;low;*\n2,5;high;*\n"),
        (
            "north.csv",
            "day;codes;disease;ward\n02.03.2001;1,5;flu;A\n03.03.2001;2,5;cold;A\n02.03.2001;1,5;cold;B\n",
        ),
        (
            "south.csv",
            "day;codes;disease\n2001-03-02;1,5;flu\n2001-03-03;2,5;cold\n2001-03-03;2,5;flu\n",
        ),
    ]);
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .exits(0);
    let checked = bench.run(&["hierarchy", "check", "policy.toml", "--json"]);
    let document = checked.exits(0).json();
    assert_eq!(document["verdict"], "fine", "{document}");
    assert_eq!(document["columns"][1]["values"], 2, "{document}");

    // without a policy a table is read by the way it looks
    let proposed = bench.run(&[
        "hierarchy",
        "propose",
        "north.csv",
        "--column",
        "day",
        "--json",
    ]);
    assert_eq!(proposed.exits(0).json()["kind"], "date");
}

//! `mingle publish` with `method.name = "datafly"`, from tables to a release that `mingle verify`
//! accepts.

use crate::common::Bench;
use serde_json::Value;

/// Two clinics. At k = 3 the ages must become decades and the ZIP codes lose two digits; the last
/// patient is far from all.
const NORTH: &str = "zip,age,ill
12345,21,flu
12345,22,cold
12346,23,flu
12347,24,cold
12351,41,flu
12352,42,cold
";
const SOUTH: &str = "zip,age,ill
12348,25,flu
12349,26,cold
12353,43,flu
12354,44,cold
12355,45,flu
98765,91,cold
";

const COLUMNS: &str = "[columns.zip]
role = \"quasi-identifier\"
kind = \"category\"
hierarchy = { mask = 2 }
[columns.age]
role = \"quasi-identifier\"
hierarchy = { intervals = [10, 50] }
[columns.ill]
role = \"sensitive\"
";

/// Without hierarchies.
const BARE: &str = "[columns.zip]
role = \"quasi-identifier\"
kind = \"category\"
[columns.age]
role = \"quasi-identifier\"
[columns.ill]
role = \"sensitive\"
";

fn policy(columns: &str, privacy: &str, method: &str) -> String {
    format!(
        "[data]\nproviders = [{{ name = \"north\", path = \"north.csv\" }}, {{ name = \"south\", path = \"south.csv\" }}]\n\
         {columns}[privacy]\n{privacy}\n[method]\nname = \"datafly\"\n{method}\n"
    )
}

fn clinics(policy: &str) -> Bench {
    Bench::with(&[
        ("north.csv", NORTH),
        ("south.csv", SOUTH),
        ("policy.toml", policy),
    ])
}

/// Publishes and verifies; the summary, and the distinct published rows without the sensitive
/// column.
fn published(bench: &Bench, set: &[&str]) -> (Value, Vec<String>) {
    let run = bench
        .run(
            &[
                &[
                    "publish",
                    "policy.toml",
                    "--out",
                    "release",
                    "--force",
                    "--json",
                ],
                set,
            ]
            .concat(),
        )
        .exits(0);
    let verdict = bench.run(&["verify", "release", "--json"]).exits(0).json();
    assert_eq!(verdict["verdict"], "holds");
    assert_eq!(verdict["records"], run.json()["published_rows"]);
    let data = bench.read("release/public/data.csv");
    let mut labels: Vec<String> = data
        .lines()
        .skip(1)
        .map(|line| line.rsplit_once(',').unwrap().0.to_owned())
        .collect();
    labels.dedup();
    (run.json(), labels)
}

fn warned(summary: &Value, code: &str) -> usize {
    summary["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|warning| warning["code"] == code)
        .count()
}

#[test]
fn everybody_has_the_labels_of_one_level() {
    let bench = clinics(&policy(COLUMNS, "m = 0\nk = 3", ""));
    let (summary, labels) = published(&bench, &[]);
    // 91 has no neighbours below the root, and takes everybody's age along; its ZIP code likewise
    assert_eq!(labels, ["*,*"]);
    assert_eq!(
        (&summary["method"], &summary["suppressed_rows"]),
        (&"datafly".into(), &0.into())
    );
    let (_, labels) = published(&bench, &["--set", "privacy.k=1"]);
    assert_eq!(
        labels.len(),
        12,
        "nothing is generalized where nothing is asked"
    );
}

#[test]
fn outliers_are_left_out_where_the_policy_allows() {
    let bench = clinics(&policy(
        COLUMNS,
        "m = 0\nk = 3\nl = { distinct = 2 }",
        "max_suppressed = 0.1",
    ));
    let (summary, labels) = published(&bench, &[]);
    assert_eq!(
        labels,
        ["1234*,[20-29]", "1235*,[40-49]"],
        "labels are those of the level, not the tightest"
    );
    assert_eq!(
        (&summary["suppressed_rows"], &summary["published_rows"]),
        (&1.into(), &11.into())
    );
    assert_eq!(summary["smallest_group"], 5);
    // one row in twelve is more than 8 %
    let (summary, labels) = published(&bench, &["--set", "method.max_suppressed=0.08"]);
    assert_eq!(
        (labels, &summary["suppressed_rows"]),
        (vec!["*,*".to_owned()], &0.into())
    );
}

#[test]
fn an_insider_costs_levels() {
    let bench = clinics(&policy(COLUMNS, "m = 1\nk = 3", "max_suppressed = 0.1"));
    let (summary, labels) = published(&bench, &[]);
    // of the six in their twenties, south has two: without north's, too few are left
    assert_eq!(labels, ["123**,[0-49]"]);
    assert_eq!(
        (&summary["m"], &summary["suppressed_rows"]),
        (&1.into(), &1.into())
    );
    let verdict = bench.run(&["verify", "release", "--json"]).exits(0).json();
    assert_eq!(verdict["attack_number"], Value::Null);
    let attack = bench.run(&["attack", "insider", "release", "--policy", "policy.toml"]);
    attack.exits(0);
}

#[test]
fn t_closeness_decides_as_well() {
    let bench = clinics(&policy(
        COLUMNS,
        "m = 0\nk = 3\nt = { max = 0.1 }",
        "max_suppressed = 0.1",
    ));
    let (_, labels) = published(&bench, &[]);
    // half of all twelve have the flu, three of the six, and three of the five: 1/10 away
    assert_eq!(labels, ["1234*,[20-29]", "1235*,[40-49]"]);
    let (_, labels) = published(&bench, &["--set", "privacy.t.max=0.05"]);
    assert_eq!(labels, ["123**,[0-49]"]);
}

#[test]
fn a_dry_run_writes_nothing() {
    let bench = clinics(&policy(COLUMNS, "m = 0\nk = 3", "max_suppressed = 0.1"));
    let before = bench.contents();
    bench
        .run(&["publish", "policy.toml", "--dry-run"])
        .exits(0)
        .says(&["11 published, 1 suppressed", "dry run"]);
    assert!(before == bench.contents());
}

#[test]
fn columns_without_a_hierarchy_are_named_once() {
    let bench = clinics(&policy(BARE, "m = 0\nk = 3", ""));
    let (summary, labels) = published(&bench, &[]);
    assert_eq!(
        (labels, warned(&summary, "MG0510")),
        (vec!["*,*".to_owned()], 1)
    );
    bench.run(&["publish", "policy.toml", "--dry-run"]).says(&[
        "2 columns without a hierarchy",
        "\"zip\", \"age\"",
        "intervals = [",
        "mask = ",
    ]);
    let (summary, _) = published(&bench, &["--set", "method.name=mondrian"]);
    assert_eq!(
        warned(&summary, "MG0510"),
        0,
        "other methods make ranges and sets"
    );
    let (summary, _) = published(&clinics(&policy(COLUMNS, "m = 0\nk = 3", "")), &[]);
    assert_eq!(warned(&summary, "MG0510"), 0);
}

#[test]
fn two_values_need_no_hierarchy() {
    let bench = Bench::with(&[
        ("t.csv", "sex,ill\nf,x\nf,y\nm,x\nm,y\n"),
        (
            "policy.toml",
            "[data]\npath = \"t.csv\"\n[columns.sex]\nrole = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n\
             [privacy]\nk = 2\n[method]\nname = \"datafly\"",
        ),
    ]);
    let (summary, labels) = published(&bench, &[]);
    assert_eq!(
        (labels, warned(&summary, "MG0510")),
        (vec!["f".to_owned(), "m".to_owned()], 0)
    );
}

#[test]
fn what_cannot_be_is_said() {
    let bench = clinics(&policy(COLUMNS, "m = 0\nk = 13", "max_suppressed = 0.1"));
    bench.run(&["publish", "policy.toml", "--dry-run"]).refuses(
        1,
        "MG0306",
        &["datafly", "no release was found"],
    );
    let bench = clinics(&policy(COLUMNS, "m = 0\nk = 13", ""));
    bench
        .run(&["publish", "policy.toml", "--dry-run"])
        .refuses(1, "MG0301", &["k = 13"]);
    // everybody may be left out, which would be a release without rows
    let bench = clinics(&policy(COLUMNS, "m = 0\nk = 13", "max_suppressed = 1"));
    bench.run(&["publish", "policy.toml", "--dry-run"]).refuses(
        1,
        "MG0306",
        &["no release was found"],
    );
    let bench = clinics(&policy(COLUMNS, "m = 0\nk = 3", "ranges = \"cell\""));
    bench
        .run(&["publish", "policy.toml", "--dry-run"])
        .refuses(2, "MG0109", &["datafly", "cells"]);
}

#[test]
fn the_order_of_rows_and_the_number_of_threads_leave_no_trace() {
    let bench = clinics(&policy(COLUMNS, "m = 1\nk = 2", "max_suppressed = 0.1"));
    let read = |threads: &str| {
        bench
            .run(&[
                "publish",
                "policy.toml",
                "--out",
                "release",
                "--force",
                "--threads",
                threads,
            ])
            .exits(0);
        ["data.csv", "manifest.json"].map(|file| bench.read(&format!("release/public/{file}")))
    };
    let before = read("1");
    let mut lines: Vec<&str> = NORTH.lines().skip(1).collect();
    lines.reverse();
    bench.write("north.csv", format!("zip,age,ill\n{}\n", lines.join("\n")));
    assert_eq!(read("16"), before);
}

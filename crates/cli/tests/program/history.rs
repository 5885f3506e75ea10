//! `mingle history`: successive versions of one table, with insertions and deletions.

use crate::common::Bench;
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;

const POLICY: &str = r#"
[data]
path = "patients.csv"
[columns.patient_id]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 20] }
[columns.condition]
role = "sensitive"
[privacy]
k = 3
l = { distinct = 2 }
[method]
name = "datafly"
[composition]
history = "history"
person = "patient_id"
"#;

const PATIENTS: [&str; 8] = [
    "P1,21,flu",
    "P2,23,cold",
    "P3,25,gout",
    "P4,28,flu",
    "P5,31,cold",
    "P6,33,flu",
    "P7,36,gout",
    "P8,39,cold",
];

fn table(rows: &[&str]) -> String {
    format!("patient_id,age,condition\n{}\n", rows.join("\n"))
}

fn without(gone: &str) -> Vec<&'static str> {
    PATIENTS
        .into_iter()
        .filter(|row| !row.starts_with(&format!("{gone},")))
        .collect()
}

/// An empty history, a policy and the first table.
fn hospital() -> Bench {
    let bench = Bench::with(&[("policy.toml", POLICY), ("patients.csv", &table(&PATIENTS))]);
    bench
        .run(&["history", "init", "history"])
        .exits(0)
        .says(&["private", "person"]);
    bench
}

/// The same with one version.
fn published() -> Bench {
    let bench = hospital();
    bench
        .run(&["publish", "policy.toml", "--out", "v1"])
        .exits(0)
        .says(&["this one is v1"]);
    bench
}

fn set_table(bench: &Bench, rows: &[&str]) {
    bench.write("patients.csv", table(rows));
}

fn labels(bench: &Bench) -> Vec<String> {
    let document: Value = bench
        .run(&["history", "list", "history", "--json"])
        .exits(0)
        .json();
    document["versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v["label"].as_str().unwrap().to_owned())
        .collect()
}

/// The first table and two who differ: a version that gives nothing away.
fn two_more() -> Vec<&'static str> {
    [&PATIENTS[..], &["P9,24,gout", "P10,26,flu"]].concat()
}

/// The next version is refused, nothing is written, and no cell or identifier is told.
#[track_caller]
fn refused(rows: &[&str]) -> String {
    let bench = published();
    set_table(&bench, rows);
    let before = bench.contents();
    for flags in [&["--dry-run"][..], &["--out", "v2"]] {
        let run = bench.run(&[&["publish", "policy.toml"], flags].concat());
        let said = run
            .refuses(1, "MG0308", &["1 earlier version in history", "condition"])
            .err;
        for cell in ["flu", "gout", "P9", "P4"] {
            assert!(!said.contains(cell), "{said}");
        }
    }
    let mut after = bench.contents();
    after.retain(|name, _| before.contains_key(name) || name != "history/lock");
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        after.keys().collect::<Vec<_>>()
    );
    assert!(before == after, "a refused version left something behind");
    bench.run(&["publish", "policy.toml", "--dry-run"]).err
}

/// The next version is published.
#[track_caller]
fn accepted(rows: &[&str]) -> Value {
    let bench = published();
    set_table(&bench, rows);
    let document: Value = bench
        .run(&["publish", "policy.toml", "--out", "v2", "--json"])
        .exits(0)
        .json();
    assert_eq!(labels(&bench), ["v1", "v2"]);
    bench.run(&["history", "check", "history"]).exits(0);
    bench.run(&["verify", "v2"]).exits(0);
    document["composition"]["history"].clone()
}

#[test]
fn one_who_is_inserted_alone_is_a_breach() {
    let said = refused(&[&PATIENTS[..], &["P9,24,gout"]].concat());
    assert!(said.contains("1 of 9 people"), "{said}");
}

#[test]
fn one_who_is_deleted_alone_is_a_breach() {
    let said = refused(&without("P4"));
    assert!(said.contains("1 of 8 people"), "{said}");
}

#[test]
fn two_who_differ_are_not() {
    let found = accepted(&[&PATIENTS[..], &["P9,24,gout", "P10,26,flu"]].concat());
    assert_eq!(found["columns"][0]["difference"]["targets"], 2);
    assert_eq!(found["columns"][0]["together"]["perfect"], 0);
    assert_eq!(found["columns"][0]["together"]["least"], 2);
    assert_eq!(
        (&found["earlier"], &found["version"]),
        (&1.into(), &"v2".into())
    );
}

/// As m-invariance has it: who goes is followed by somebody with the same value.
#[test]
fn a_group_that_keeps_its_values_is_safe() {
    let found = accepted(&[&without("P4")[..], &["P9,27,flu"]].concat());
    assert_eq!(found["columns"][0]["together"]["perfect"], 0);
    refused(&[&without("P4")[..], &["P9,27,cold"]].concat());
}

#[test]
fn the_same_table_again_says_nothing_new() {
    let bench = published();
    bench
        .run(&["publish", "policy.toml", "--out", "again"])
        .exits(0)
        .says(&["this one is v1"]);
    assert_eq!(labels(&bench), ["v1"]);
    assert!(!bench.path("history/pending.json").exists());
}

/// The same bytes are published, but of other people.
#[test]
fn equal_releases_of_other_people_are_versions_of_their_own() {
    let bench = published();
    set_table(&bench, &[&without("P4")[..], &["P9,28,flu"]].concat());
    bench
        .run(&["publish", "policy.toml", "--out", "v2"])
        .exits(0)
        .says(&["this one is v2"]);
    assert_eq!(
        bench.read("v1/public/data.csv"),
        bench.read("v2/public/data.csv")
    );
    assert_eq!(labels(&bench), ["v1", "v2"]);
    let document: Value = bench.run(&["history", "list", "history", "--json"]).json();
    let since = &document["versions"][1]["since"];
    assert_eq!(
        (&since["stayed"], &since["inserted"], &since["deleted"]),
        (&7.into(), &1.into(), &1.into())
    );
}

#[test]
fn changed_values_are_counted_and_left_out() {
    let found = accepted(&[&without("P4")[..], &["P4,28,cold"]].concat());
    let column = &found["columns"][0];
    assert_eq!(
        (&column["changed"], &column["changed_perfect"]),
        (&1.into(), &1.into())
    );
    assert_eq!(column["together"]["perfect"], 0);
    let bench = published();
    set_table(&bench, &[&without("P4")[..], &["P4,28,cold"]].concat());
    bench
        .run(&["publish", "policy.toml", "--out", "v2"])
        .exits(0)
        .says(&["the value of 1 changed"]);
    let list = bench.run(&["history", "list", "history"]).exits(0);
    assert!(
        list.out
            .contains("condition changed its value for 1 people"),
        "{}",
        list.out
    );
}

/// Refused before anything is written, by a look as well, and by `add`.
#[track_caller]
fn not_recognized(bench: &Bench, says: &[&str]) {
    let before = bench.contents();
    for flags in [&["--dry-run"][..], &["--out", "v2"]] {
        let run = bench.run(&[&["publish", "policy.toml"], flags].concat());
        let said = run
            .refuses(2, "MG0416", says)
            .says(&["new history", "mingle history init"])
            .err;
        assert!(
            !said.to_lowercase().contains("flu") && !said.contains("P1"),
            "{said}"
        );
    }
    let mut after = bench.contents();
    after.retain(|name, _| before.contains_key(name) || name != "history/lock");
    assert!(before == after);
    let policy = bench.read("policy.toml");
    let person = policy
        .split("person = \"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    bench.write(
        "alone.toml",
        &policy[..policy.find("[composition]").unwrap()],
    );
    bench
        .run(&["publish", "alone.toml", "--out", "aside"])
        .exits(0);
    let add = [
        "history",
        "add",
        "history",
        "aside",
        "--policy",
        "alone.toml",
        "--label",
        "x",
        "--person",
        &person,
    ];
    bench.run(&add).refuses(2, "MG0416", says);
    assert_eq!(labels(bench), ["v1"]);
}

#[test]
fn values_in_other_writing_are_refused() {
    let bench = published();
    let rows: Vec<String> = two_more()
        .iter()
        .map(|row| {
            let (start, value) = row.rsplit_once(',').unwrap();
            format!("{start},{}", value.to_uppercase())
        })
        .collect();
    set_table(&bench, &rows.iter().map(String::as_str).collect::<Vec<_>>());
    not_recognized(&bench, &["condition", "no value of the last version"]);
}

#[test]
fn a_sensitive_column_of_another_name_is_refused() {
    let bench = published();
    bench.write(
        "patients.csv",
        table(&two_more()).replace("condition", "diagnosis"),
    );
    bench.write("policy.toml", POLICY.replace("condition", "diagnosis"));
    not_recognized(&bench, &["no sensitive column"]);
}

#[test]
fn another_identifier_is_refused() {
    let bench = published();
    let numbered = |rows: &[&str]| -> String {
        let rows = rows
            .iter()
            .zip(700..)
            .map(|(row, n)| format!("M{n},{row}\n"));
        format!("mrn,patient_id,age,condition\n{}", rows.collect::<String>())
    };
    bench.write("patients.csv", numbered(&two_more()));
    let policy = format!("{}\n[columns.mrn]\nrole = \"identifier\"\n", POLICY);
    bench.write(
        "policy.toml",
        policy.replace("person = \"patient_id\"", "person = \"mrn\""),
    );
    let before = bench.contents();
    for flags in [&["--dry-run"][..], &["--out", "v2"]] {
        let run = bench.run(&[&["publish", "policy.toml"], flags].concat());
        run.refuses(2, "MG0416", &["patient_id", "mrn", "new history"]);
    }
    assert_eq!(before.len(), bench.contents().len());
    bench.write("policy.toml", policy);
    bench
        .run(&["publish", "policy.toml", "--out", "v2"])
        .exits(0)
        .says(&["1 earlier version"]);
    let add = [
        "history",
        "add",
        "history",
        "v2",
        "--policy",
        "policy.toml",
        "--label",
        "x",
        "--person",
        "mrn",
    ];
    bench.run(&add).refuses(2, "MG0416", &["patient_id", "mrn"]);
    // without versions any column will do
    for label in ["v1", "v2"] {
        bench
            .run(&["history", "forget", "history", label, "--yes"])
            .exits(0);
    }
    let mrn = ["--set", "composition.person=\"mrn\""];
    bench
        .run(&[&["publish", "policy.toml", "--out", "v3"], &mrn[..]].concat())
        .exits(0);
}

#[test]
fn other_people_are_refused() {
    let bench = published();
    bench.write("patients.csv", table(&two_more()).replace("\nP", "\nP0"));
    not_recognized(&bench, &["nobody of the last version"]);
}

#[test]
fn many_changed_values_are_told_of() {
    let bench = published();
    let recoded: Vec<String> = two_more()
        .iter()
        .map(|row| row.replace("flu", "influenza"))
        .collect();
    set_table(
        &bench,
        &recoded.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let tolerant = ["--set", "composition.max_perfect_breach=1"];
    let run = bench
        .run(
            &[
                &["publish", "policy.toml", "--out", "v2", "--json"],
                &tolerant[..],
            ]
            .concat(),
        )
        .exits(0);
    let document = run
        .says(&[
            "warning[MG0514]",
            "\"condition\": the value of 3 of 8 who stayed changed",
        ])
        .json();
    assert_eq!(document["warnings"][0]["code"], "MG0514");
    for (name, bytes) in bench.contents() {
        assert!(
            !name.contains("/public/") || !String::from_utf8_lossy(&bytes).contains("MG0514"),
            "{name}"
        );
    }
}

/// One new code that is no number makes the column one of texts.
#[test]
fn numbers_that_become_texts_are_the_same_values() {
    let coded = |rows: &[&str], flu: &str, cold: &str, gout: &str| -> Vec<String> {
        rows.iter()
            .map(|r| {
                r.replace("flu", flu)
                    .replace("cold", cold)
                    .replace("gout", gout)
            })
            .collect()
    };
    let set = |bench: &Bench, rows: Vec<String>| {
        set_table(bench, &rows.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for (flu, cold, gout) in [
        ("250.00", "460.10", "274.90"),
        ("250", "460.1", "274.9"),
        ("0250", "460.1", "274.900"),
    ] {
        let bench = hospital();
        set(&bench, coded(&PATIENTS, "250.00", "460.10", "274.90"));
        bench
            .run(&["publish", "policy.toml", "--out", "v1"])
            .exits(0);
        set(
            &bench,
            coded(
                &[&PATIENTS[..], &["P9,24,gout", "P10,26,V45"]].concat(),
                flu,
                cold,
                gout,
            ),
        );
        let run = bench
            .run(&["publish", "policy.toml", "--out", "v2", "--json"])
            .exits(0);
        let column = run.json()["composition"]["history"]["columns"][0].clone();
        assert_eq!(
            (&column["changed"], &column["difference"]["targets"]),
            (&0.into(), &2.into())
        );
        assert!(!run.err.contains("MG0514"), "{}", run.err);
        // and who comes alone is found
        set(
            &bench,
            coded(
                &[&PATIENTS[..], &["P9,24,gout", "P10,26,V45", "P11,24,flu"]].concat(),
                flu,
                cold,
                gout,
            ),
        );
        bench.run(&["publish", "policy.toml", "--dry-run"]).refuses(
            1,
            "MG0308",
            &["1 of 11 people"],
        );
    }
}

/// Alone in their groups the two are found; united they hide each other.
#[test]
fn mitigating_unites_groups() {
    let bench = published();
    set_table(
        &bench,
        &[&PATIENTS[..], &["P9,24,gout", "P10,35,flu"]].concat(),
    );
    bench
        .run(&["publish", "policy.toml", "--out", "v2"])
        .refuses(1, "MG0308", &["2 of 10 people"]);
    let run = bench.run(&[
        "publish",
        "policy.toml",
        "--out",
        "v2",
        "--json",
        "--set",
        "composition.mitigate=true",
    ]);
    let document: Value = run.exits(0).json();
    assert_eq!(
        (&document["composition"]["mitigated"], &document["groups"]),
        (&true.into(), &1.into())
    );
    bench.run(&["history", "check", "history"]).exits(0);
    // one alone has nobody to hide behind, whatever the groups
    set_table(
        &bench,
        &[&PATIENTS[..], &["P9,24,gout", "P10,35,flu", "P11,22,flu"]].concat(),
    );
    let run = bench.run(&[
        "publish",
        "policy.toml",
        "--out",
        "v3",
        "--set",
        "composition.mitigate=true",
    ]);
    run.refuses(1, "MG0308", &["no grouping"]);
}

#[test]
fn check_finds_what_was_tolerated() {
    let bench = published();
    set_table(&bench, &[&PATIENTS[..], &["P9,24,gout"]].concat());
    let tolerant = ["--set", "composition.max_perfect_breach=0.2"];
    bench
        .run(&[&["publish", "policy.toml", "--out", "v2"], &tolerant[..]].concat())
        .exits(0);
    let run = bench.run(&["history", "check", "history"]).exits(1);
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("only one value remains for 1 of 9 people")
            && run.out.contains("verdict: fails")
    );
    let document: Value = bench
        .run(&["history", "check", "history", "--json"])
        .exits(1)
        .json();
    assert_eq!(
        (&document["schema"], &document["verdict"]),
        (&"mingle.history-check/1".into(), &"fails".into())
    );
    assert_eq!(document["columns"][0]["difference"]["perfect"], 1);
    assert_eq!(document["columns"][0]["intersection"]["perfect"], 0);
    bench
        .run(&["history", "check", "history", "--max-perfect-breach", "0.2"])
        .exits(0);
    bench
        .run(&["history", "check", "history", "--min-posterior", "2"])
        .exits(1);
    bench
        .run(&["history", "check", "history", "--max-perfect-breach", "2"])
        .refuses(2, "MG0601", &["from 0 to 1"]);
    // what is out already is nobody's fault but the past's
    let except = ["--set", "composition.except_already_exposed=true"];
    set_table(
        &bench,
        &[&PATIENTS[..], &["P9,24,gout", "P10,22,flu", "P11,26,cold"]].concat(),
    );
    bench.run(&["publish", "policy.toml", "--dry-run"]).refuses(
        1,
        "MG0308",
        &["2 earlier versions", "for 1 of them"],
    );
    bench
        .run(&[&["publish", "policy.toml", "--out", "v3"], &except[..]].concat())
        .exits(0);
}

#[test]
fn nothing_of_it_is_public_and_no_identifier_is_kept() {
    let bench = published();
    for (name, bytes) in bench.contents() {
        let text = String::from_utf8_lossy(&bytes);
        if name.starts_with("v1/public/") {
            assert!(
                !text.contains("history") && !text.contains("patient_id"),
                "{name}"
            );
        }
        if name.starts_with("history/")
            || name.starts_with("v1/") && !name.ends_with("audit.parquet")
        {
            assert!(!text.contains("P7"), "{name}");
        }
    }
}

#[test]
fn any_form_of_release_becomes_a_version() {
    for flags in [
        &["release.format=parquet"][..],
        &["release.fragmented=true"],
        &["method.name=agglomerative"],
    ] {
        let bench = hospital();
        let set: Vec<&str> = flags.iter().flat_map(|flag| ["--set", flag]).collect();
        bench
            .run(&[&["publish", "policy.toml", "--out", "v1"], &set[..]].concat())
            .exits(0);
        set_table(&bench, &[&PATIENTS[..], &["P9,24,gout"]].concat());
        bench
            .run(&[&["publish", "policy.toml", "--out", "v2"], &set[..]].concat())
            .refuses(1, "MG0308", &[]);
        bench.run(&["history", "check", "history"]).exits(0);
    }
}

#[test]
fn replacing_a_release_keeps_its_version() {
    let bench = published();
    set_table(
        &bench,
        &[&PATIENTS[..], &["P9,24,gout", "P10,26,flu"]].concat(),
    );
    bench
        .run(&["publish", "policy.toml", "--out", "v1", "--force"])
        .exits(0);
    assert_eq!(labels(&bench), ["v1", "v2"]);
    let list = bench.run(&["history", "list", "history"]).exits(0);
    assert!(
        list.out.contains("replaced by a later version"),
        "{}",
        list.out
    );
    assert!(
        list.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        list.out
    );
    bench.run(&["history", "check", "history"]).exits(0);
}

#[test]
fn identifiers_that_do_not_identify_are_refused() {
    for (row, says) in [
        (
            "P1,24,zqxcanary",
            "patients.csv, row 1 and in patients.csv, row 9",
        ),
        (
            " p1 ,24,zqxcanary",
            "patients.csv, row 1 and in patients.csv, row 9",
        ),
        (",24,zqxcanary", "no value in patients.csv, row 9"),
        ("?,24,zqxcanary", "no value in patients.csv, row 9"),
    ] {
        let bench = hospital();
        set_table(&bench, &[&PATIENTS[..], &[row]].concat());
        bench
            .run(&["publish", "policy.toml", "--out", "v1"])
            .refuses(2, "MG0213", &["patient_id", says]);
        assert!(!bench.path("v1").exists());
    }
}

#[test]
fn rows_are_named_by_their_file() {
    let policy = POLICY.replace(
        "path = \"patients.csv\"",
        "providers = [{ name = \"B\", path = \"b.csv\" }, { name = \"A\", path = \"a.csv\" }]",
    );
    let bench = hospital();
    bench.write("policy.toml", policy);
    bench.write("a.csv", table(&PATIENTS[..4]));
    bench.write("b.csv", table(&[&PATIENTS[4..], &["P2,24,flu"]].concat()));
    let run = bench.run(&[
        "publish",
        "policy.toml",
        "--out",
        "v1",
        "--set",
        "privacy.m=0",
    ]);
    run.refuses(2, "MG0213", &["b.csv, row 5", "a.csv, row 2"]);
}

#[test]
fn policies_that_make_no_sense_are_refused() {
    for (from, to, code, says) in [
        (
            "person = \"patient_id\"",
            "",
            "MG0104",
            "composition.person",
        ),
        ("history = \"history\"", "", "MG0108", "composition.person"),
        (
            "person = \"patient_id\"",
            "person = \"age\"",
            "MG0106",
            "patient_id",
        ),
        (
            "person = \"patient_id\"",
            "person = 3",
            "MG0105",
            "composition.person",
        ),
        (
            "history = \"history\"",
            "history = \"nowhere\"",
            "MG0412",
            "mingle history init",
        ),
        (
            "history = \"history\"\nperson = \"patient_id\"",
            "mitigate = true",
            "MG0104",
            "history",
        ),
    ] {
        let bench = hospital();
        bench.write("policy.toml", POLICY.replace(from, to));
        bench
            .run(&["publish", "policy.toml", "--out", "v1"])
            .refuses(2, code, &[says]);
    }
}

#[test]
fn a_damaged_history_is_refused() {
    for (file, from, to, code, says) in [
        (
            "history/history.json",
            "\"rows\": 8",
            "\"rows\": 7",
            "MG0412",
            "checksum",
        ),
        (
            "history/history.json",
            "mingle.history/1",
            "mingle.history/2",
            "MG0412",
            "schema",
        ),
        (
            "history/people-1.json",
            "flu",
            "gut",
            "MG0412",
            "people-1.json",
        ),
        (
            "v1/public/manifest.json",
            "\"rows\": 8",
            "\"rows\": 7",
            "MG0414",
            "v1",
        ),
    ] {
        let bench = published();
        let text = bench.read(file);
        assert!(text.contains(from), "{file}");
        bench.write(file, text.replacen(from, to, 1));
        for command in [
            &["history", "check", "history"][..],
            &["publish", "policy.toml", "--out", "v2"],
        ] {
            bench.run(command).refuses(2, code, &[says]);
        }
    }
    for file in [
        "history/key",
        "history/people-1.json",
        "history/history.json",
    ] {
        let bench = published();
        std::fs::remove_file(bench.path(file)).unwrap();
        bench
            .run(&["history", "check", "history"])
            .refuses(2, "MG0412", &["history"]);
    }
    let bench = published();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(
        bench.path("history"),
        std::fs::Permissions::from_mode(0o755),
    )
    .unwrap();
    bench
        .run(&["history", "list", "history"])
        .refuses(2, "MG0412", &["chmod 700"]);
}

#[test]
fn a_release_that_was_moved_is_found_again() {
    let bench = published();
    std::fs::rename(bench.path("v1"), bench.path("aside")).unwrap();
    bench
        .run(&["history", "check", "history"])
        .refuses(2, "MG0414", &["v1", "history add"]);
    let add = [
        "history",
        "add",
        "history",
        "aside",
        "--policy",
        "policy.toml",
    ];
    bench.run(&add).exits(0).says(&["version v1", "aside"]);
    bench.run(&["history", "check", "history"]).exits(0);
    assert_eq!(labels(&bench), ["v1"]);
}

#[test]
fn releases_without_a_history_are_added_afterwards() {
    let bench = hospital();
    let alone = POLICY[..POLICY.find("[composition]").unwrap()].to_owned();
    bench.write("alone.toml", &alone);
    let add = |release: &str, more: &[&str]| {
        bench.run(
            &[
                &[
                    "history",
                    "add",
                    "history",
                    release,
                    "--policy",
                    "alone.toml",
                ],
                more,
            ]
            .concat(),
        )
    };
    bench
        .run(&["publish", "alone.toml", "--out", "one"])
        .exits(0);
    add("one", &[]).refuses(2, "MG0601", &["--person"]);
    add("one", &["--person", "age"]).refuses(2, "MG0601", &["age"]);
    add("one", &["--person", "patient_id", "--label", "spring"])
        .exits(0)
        .says(&["version spring"]);
    set_table(&bench, &[&PATIENTS[..], &["P9,24,gout"]].concat());
    bench
        .run(&["publish", "alone.toml", "--out", "two"])
        .exits(0);
    // of another table
    set_table(&bench, &PATIENTS);
    add("two", &["--person", "patient_id"]).refuses(2, "MG0412", &["other"]);
    set_table(&bench, &[&PATIENTS[..], &["P9,24,gout"]].concat());
    add("two", &["--person", "patient_id", "--label", "spring"]).refuses(2, "MG0412", &["spring"]);
    add("two", &["--person", "patient_id"]).exits(0);
    assert_eq!(labels(&bench), ["spring", "v2"]);
    bench.run(&["history", "check", "history"]).exits(1);
    add("nowhere", &["--person", "patient_id"]).refuses(2, "MG0404", &["nowhere"]);
}

#[test]
fn forgetting_needs_a_word() {
    let bench = published();
    bench
        .run(&["history", "forget", "history", "v1"])
        .refuses(2, "MG0601", &["--yes"]);
    assert_eq!(labels(&bench), ["v1"]);
    bench
        .run(&["history", "forget", "history", "v7", "--yes"])
        .refuses(2, "MG0412", &["v7"]);
    bench
        .run(&["history", "forget", "history", "v1", "--yes"])
        .exits(0);
    assert!(labels(&bench).is_empty() && bench.path("v1/public").exists());
    assert!(!bench.path("history/people-1.json").exists());
    bench
        .run(&["history", "init", "history"])
        .refuses(2, "MG0401", &["history"]);
}

#[test]
fn two_runs_do_not_publish_at_once() {
    let bench = published();
    set_table(
        &bench,
        &[&PATIENTS[..], &["P9,24,gout", "P10,26,flu"]].concat(),
    );
    let lock = std::fs::OpenOptions::new()
        .write(true)
        .open(bench.path("history/lock"))
        .unwrap();
    lock.lock().unwrap();
    bench
        .run(&["publish", "policy.toml", "--out", "v2"])
        .refuses(2, "MG0413", &["another run"]);
    bench
        .run(&["history", "forget", "history", "v1", "--yes"])
        .refuses(2, "MG0413", &["another run"]);
    assert!(!bench.path("v2").exists());
    bench.run(&["publish", "policy.toml", "--dry-run"]).exits(0);
    lock.unlock().unwrap();
    bench
        .run(&["publish", "policy.toml", "--out", "v2"])
        .exits(0);
    // started together: both are there, or one was told to wait
    let runs: Vec<_> = (3..5).map(|n| spawn(&bench, &format!("v{n}"))).collect();
    let ended: Vec<bool> = runs
        .into_iter()
        .map(|mut run| run.wait().unwrap().success())
        .collect();
    assert!(ended.contains(&true));
    bench.run(&["history", "check", "history"]).exits(0);
}

fn spawn(bench: &Bench, out: &str) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mingle"));
    command
        .current_dir(bench.path(""))
        .args(["publish", "policy.toml", "--out", out]);
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// What a run leaves behind that died before the history had its release, v2.
fn crashed() -> Bench {
    let bench = published();
    let before = bench.read("history/history.json");
    set_table(&bench, &two_more());
    bench
        .run(&["publish", "policy.toml", "--out", "v2"])
        .exits(0);
    std::fs::rename(
        bench.path("history/people-2.json"),
        bench.path("history/pending.json"),
    )
    .unwrap();
    bench.write("history/history.json", before);
    bench
}

#[test]
fn a_release_that_a_crash_kept_from_the_history_is_added() {
    let bench = crashed();
    let list = bench.run(&["history", "list", "history"]).exits(0);
    assert!(list.out.contains("not recorded"), "{}", list.out);
    // what the versions say together is not said without it
    bench
        .run(&["history", "check", "history"])
        .refuses(2, "MG0415", &["mingle history add", "v2"]);
    // the tables have changed meanwhile: what was written down is enough
    set_table(&bench, &PATIENTS[..6]);
    bench
        .run(&["history", "add", "history", "v2", "--policy", "policy.toml"])
        .exits(0)
        .says(&["version v2"]);
    assert_eq!(labels(&bench), ["v1", "v2"]);
    assert!(!bench.path("history/pending.json").exists());
    bench.run(&["history", "check", "history"]).exits(0);
}

#[test]
fn the_next_run_adds_what_a_crash_left_behind() {
    let bench = crashed();
    set_table(&bench, &[&two_more()[..], &["P11,22,cold"]].concat());
    // a look counts it and changes nothing
    let before = bench.contents();
    bench.run(&["publish", "policy.toml", "--dry-run"]).refuses(
        1,
        "MG0308",
        &["2 earlier versions"],
    );
    assert!(before == bench.contents());
    bench
        .run(&["publish", "policy.toml", "--out", "v3"])
        .refuses(1, "MG0308", &["2 earlier versions"])
        .says(&["warning[MG0515]", "v2"]);
    assert_eq!(labels(&bench), ["v1", "v2"]);
    assert!(!bench.path("history/pending.json").exists() && !bench.path("v3").exists());
    bench.run(&["history", "check", "history"]).exits(0);
}

/// Nobody knows whether it was handed out: moved, gone, damaged, or another release in its place.
#[test]
fn a_pending_release_that_is_not_in_its_place_stops_everything() {
    type Harm = fn(&Bench);
    let harms: [(Harm, &str); 4] = [
        (
            |bench| std::fs::rename(bench.path("v2"), bench.path("aside")).unwrap(),
            "nothing is there",
        ),
        (
            |bench| std::fs::remove_dir_all(bench.path("v2")).unwrap(),
            "nothing is there",
        ),
        (
            |bench| std::fs::remove_file(bench.path("v2/public/manifest.json")).unwrap(),
            "something else",
        ),
        (
            |bench| {
                std::fs::remove_dir_all(bench.path("v2")).unwrap();
                std::fs::rename(bench.path("v1"), bench.path("v2")).unwrap();
            },
            "something else",
        ),
    ];
    for (harm, says) in harms {
        let bench = crashed();
        harm(&bench);
        let before = bench.contents();
        let ways = [
            says,
            "/v2",
            "mingle history add",
            "mingle history forget",
            "--pending",
        ];
        for command in [
            &["publish", "policy.toml", "--out", "v3"][..],
            &["publish", "policy.toml", "--dry-run"],
            &["history", "check", "history"],
        ] {
            bench.run(command).refuses(2, "MG0415", &ways);
        }
        assert!(before == bench.contents());
    }
}

#[test]
fn a_pending_release_that_is_found_again_is_added() {
    let bench = crashed();
    std::fs::rename(bench.path("v2"), bench.path("aside")).unwrap();
    // another release does not stand in for it
    bench
        .run(&["history", "add", "history", "v1", "--policy", "policy.toml"])
        .exits(0);
    assert!(bench.path("history/pending.json").exists());
    bench
        .run(&[
            "history",
            "add",
            "history",
            "aside",
            "--policy",
            "policy.toml",
        ])
        .exits(0)
        .says(&["version v2"]);
    assert!(!bench.path("history/pending.json").exists());
    bench.run(&["history", "check", "history"]).exits(0);
    assert_eq!(labels(&bench), ["v1", "v2"]);
}

#[test]
fn other_releases_do_not_drop_the_pending_one() {
    let bench = crashed();
    std::fs::remove_dir_all(bench.path("v2")).unwrap();
    let alone = POLICY[..POLICY.find("[composition]").unwrap()].to_owned();
    bench.write("alone.toml", alone);
    set_table(
        &bench,
        &[&PATIENTS[..], &["P9,24,gout", "P10,26,flu", "P11,22,cold"]].concat(),
    );
    bench
        .run(&["publish", "alone.toml", "--out", "other"])
        .exits(0);
    for label in [&[][..], &["--label", "again"]] {
        bench
            .run(
                &[
                    &[
                        "history",
                        "add",
                        "history",
                        "other",
                        "--policy",
                        "policy.toml",
                    ],
                    label,
                ]
                .concat(),
            )
            .exits(0);
        assert!(bench.path("history/pending.json").exists());
    }
    bench
        .run(&["publish", "policy.toml", "--dry-run"])
        .refuses(2, "MG0415", &["/v2"]);
}

#[test]
fn only_a_word_drops_a_pending_release() {
    let bench = crashed();
    std::fs::remove_dir_all(bench.path("v2")).unwrap();
    for wrong in [&["v1", "--pending"][..], &["--pending", "--yes"], &[]] {
        bench
            .run(&[&["history", "forget", "history"], wrong].concat())
            .exits(2);
    }
    assert!(bench.path("history/pending.json").exists());
    let forget = ["history", "forget", "history", "--pending"];
    bench
        .run(&forget)
        .exits(0)
        .says(&["/v2", "never hand it out"]);
    bench
        .run(&forget)
        .refuses(2, "MG0412", &["no release is pending"]);
    bench
        .run(&["publish", "policy.toml", "--out", "v2"])
        .exits(0)
        .says(&["1 earlier version"]);
    assert_eq!(labels(&bench), ["v1", "v2"]);
}

/// The folder around the release cannot be flushed, so writing fails after the release is in its
/// place.
#[test]
fn a_write_that_fails_at_the_very_end_is_not_forgotten() {
    use std::os::unix::fs::PermissionsExt;
    let bench = published();
    set_table(&bench, &two_more());
    let out = bench.path("out");
    std::fs::create_dir(&out).unwrap();
    let allow =
        |mode| std::fs::set_permissions(&out, std::fs::Permissions::from_mode(mode)).unwrap();
    allow(0o300);
    let run = as_anybody(&bench, &["publish", "policy.toml", "--out", "out/v2"]);
    allow(0o700);
    assert!(
        !run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    assert!(bench.path("out/v2/public/manifest.json").exists());
    assert!(bench.path("history/pending.json").exists());
    let run = as_anybody(&bench, &["publish", "policy.toml", "--out", "v3"]);
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(
        run.status.success() && said.contains("MG0515") && said.contains("2 earlier versions"),
        "{said}"
    );
}

/// Runs the program as somebody whom permissions hold back.
fn as_anybody(bench: &Bench, args: &[&str]) -> std::process::Output {
    let program = bench.path("program");
    let mut command = Command::new(&program);
    if !program.exists() {
        // by a process of its own: a program that this one has open for writing while another
        // test forks would be "busy" when it is run
        let copied = Command::new("cp")
            .arg(env!("CARGO_BIN_EXE_mingle"))
            .arg(&program)
            .status();
        assert!(copied.unwrap().success());
    }
    if crate::common::is_root() {
        const NOBODY: u32 = 65534;
        let all = Command::new("chown")
            .arg("-R")
            .arg(NOBODY.to_string())
            .arg(bench.path(""))
            .status()
            .unwrap();
        assert!(all.success());
        std::os::unix::process::CommandExt::uid(&mut command, NOBODY);
    }
    command
        .current_dir(bench.path(""))
        .args(args)
        .output()
        .unwrap()
}

/// A run that fails before its release is complete leaves nothing that is in the way.
#[test]
fn a_run_that_fails_early_leaves_nothing_pending() {
    let bench = published();
    set_table(&bench, &two_more());
    bench
        .run(&["publish", "policy.toml", "--out", "v1"])
        .refuses(2, "MG0401", &["v1"]);
    bench
        .run(&["publish", "policy.toml", "--out", "no/v2"])
        .exits(2);
    assert!(!bench.path("history/pending.json").exists());
    bench
        .run(&["publish", "policy.toml", "--out", "v2"])
        .exits(0);
}

/// A run that died after the history had the release, and before it could tidy up.
#[test]
fn a_crash_after_everything_is_tidied_up() {
    for moved in [false, true] {
        let bench = published();
        std::fs::copy(
            bench.path("history/people-1.json"),
            bench.path("history/pending.json"),
        )
        .unwrap();
        if moved {
            std::fs::rename(bench.path("v1"), bench.path("aside")).unwrap();
            bench
                .run(&[
                    "history",
                    "add",
                    "history",
                    "aside",
                    "--policy",
                    "policy.toml",
                ])
                .exits(0);
        }
        set_table(
            &bench,
            &[&PATIENTS[..], &["P9,24,gout", "P10,26,flu"]].concat(),
        );
        bench
            .run(&["publish", "policy.toml", "--out", "v2"])
            .exits(0);
        assert_eq!(labels(&bench), ["v1", "v2"]);
    }
}

/// Killed at any moment, the release is there or not, and if it is, the history has it or can be
/// told.
#[test]
fn killed_at_any_moment_nothing_is_lost() {
    let bench = hospital();
    let rows: Vec<String> = (0..3000)
        .map(|n| format!("Q{n},{},c{}", 20 + n % 60, n % 7))
        .collect();
    bench.write(
        "patients.csv",
        table(&rows.iter().map(String::as_str).collect::<Vec<_>>()),
    );
    for wait in 0..8 {
        let out = format!("out{wait}");
        let mut run = spawn(&bench, &out);
        while !bench.path(&out).exists() && run.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(400 * wait));
        let _ = run.kill();
        run.wait().unwrap();
        let list: Value = bench
            .run(&["history", "list", "history", "--json"])
            .exits(0)
            .json();
        let release = bench.path(&out).exists();
        if list["versions"].as_array().unwrap().is_empty() {
            assert!(!release || list["pending"].as_str().unwrap().ends_with(&out));
            if release {
                bench
                    .run(&["history", "add", "history", &out, "--policy", "policy.toml"])
                    .exits(0);
            } else if list["pending"].is_string() {
                bench.run(&["publish", "policy.toml", "--dry-run"]).refuses(
                    2,
                    "MG0415",
                    &[&out, "--pending"],
                );
                bench
                    .run(&["history", "forget", "history", "--pending"])
                    .exits(0);
            }
        }
        if release {
            bench.run(&["history", "check", "history"]).exits(0);
            assert_eq!(labels(&bench).len(), 1);
            let label = labels(&bench).remove(0);
            bench
                .run(&["history", "forget", "history", &label, "--yes"])
                .exits(0);
        }
    }
}

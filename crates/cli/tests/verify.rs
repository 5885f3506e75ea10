//! Verifying releases and the tables of other tools.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking and writes scratch files"
)]

mod common;

use common::{Bench, CANARY};
use serde_json::json;

#[test]
fn both_tables_of_the_paper_hold_against_outsiders() {
    let bench = Bench::hospitals();
    for table in ["t_a.csv", "t_b.csv"] {
        let run = bench.run(&["verify", "--table", table, "--policy", "table.toml", "--json"]).exits(0);
        let expected = json!({
            "schema": "mingle.verify/1", "verdict": "holds", "groups": 3, "records": 10, "providers": 4, "m": 0,
            "attack_number": null, "attack_number_undecided": true,
            "constraints": [
                { "name": "k-anonymity", "k": 3, "verdict": "holds" },
                { "name": "distinct-l-diversity", "column": "disease", "l": 2, "verdict": "holds" },
            ],
        });
        assert_eq!(run.json(), expected, "{table}");
        assert_eq!(run.err, "");
    }
}

#[test]
fn a_failure_has_a_witness() {
    let bench = Bench::hospitals();
    let args = ["verify", "--table", "t_a.csv", "--policy", "table.toml", "--set", "privacy.k=4", "--json"];
    let run = bench.run(&args).refuses(1, "MG0302", &["t_a.csv", "k-anonymity fails"]);
    let expected = json!({
        "schema": "mingle.verify/1", "verdict": "fails", "groups": 3, "records": 10, "providers": 4, "m": 0,
        "attack_number": 0,
        "constraints": [
            { "name": "k-anonymity", "k": 4, "verdict": "fails" },
            { "name": "distinct-l-diversity", "column": "disease", "l": 2, "verdict": "holds" },
        ],
        "witness": {
            "constraint": "k-anonymity", "group": { "age": "[20-30]", "zip": "*****" }, "coalition": [],
            "records_left": 3,
        },
    });
    assert_eq!(run.json(), expected);
    let keys: Vec<String> = run.json().as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, expected.as_object().unwrap().keys().cloned().collect::<Vec<_>>());
    let text = bench.run(&args[..7]).exits(1);
    assert!(text.out.contains("fails     k-anonymity, k = 4") && text.out.contains("age = [20-30]"), "{}", text.out);
}

#[test]
fn parameters_are_in_the_document() {
    let bench = Bench::hospitals();
    let run = bench.run(&[
        "verify",
        "--table",
        "t_a.csv",
        "--policy",
        "table.toml",
        "--json",
        "--set",
        "privacy.l={ recursive = { c = 2.5, l = 2 }, entropy = 1.5 }",
        "--set",
        "privacy.t={ max = 0.2, distance = \"equal\" }",
        "--set",
        "privacy.max_frequency=0.75",
    ]);
    let document = run.exits(1).json();
    let parameters: Vec<_> = document["constraints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| {
            let mut c = c.clone();
            c.as_object_mut().unwrap().remove("verdict");
            c
        })
        .collect();
    let expected = [
        json!({ "name": "k-anonymity", "k": 3 }),
        json!({ "name": "recursive-l-diversity", "column": "disease", "c": 2.5, "l": 2 }),
        json!({ "name": "entropy-l-diversity", "column": "disease", "l": 1.5 }),
        json!({ "name": "t-closeness", "column": "disease", "max": 0.2, "distance": "equal" }),
        json!({ "name": "max-frequency", "column": "disease", "max": 0.75 }),
    ];
    assert_eq!(parameters, expected);
}

/// k = 2 over one quasi-identifier `q`, with `table` below the header `q,s`.
fn verify_table(policy: &str, table: &str) -> common::Run {
    let bench = Bench::with(&[("p.toml", policy), ("t.csv", table)]);
    bench.run(&["verify", "--table", "t.csv", "--policy", "p.toml", "--json"])
}

const TABLE_POLICY: &str = "
[columns.id]
role = \"identifier\"
[columns.q]
role = \"quasi-identifier\"
kind = \"integer\"
hierarchy = \"not/there.csv\"
[columns.s]
role = \"sensitive\"
[privacy]
k = 2
";

#[test]
fn quasi_identifiers_are_opaque_text() {
    // equal as numbers, different as texts; and none of them need be an integer
    assert_eq!(verify_table(TABLE_POLICY, "q,s\n1,a\n1,b\n1.0,a\n").exits(1).json()["groups"], 2);
    assert_eq!(verify_table(TABLE_POLICY, "q,s\n5-9,a\n5-9,b\n").exits(0).json()["groups"], 1);
    // both are missing texts, but a reader tells them apart
    assert_eq!(verify_table(TABLE_POLICY, "q,s\n?,a\n?,b\n\"\",a\n").exits(1).json()["groups"], 2);
}

#[test]
fn missing_sensitive_values_are_not_counted() {
    let policy = TABLE_POLICY.replace("k = 2", "l = { distinct = 2 }");
    verify_table(&policy, "q,s\n1,a\n1,?\n").exits(1);
    verify_table(&policy, "q,s\n1,a\n1,b\n").exits(0);
}

#[test]
fn other_columns_and_tables_are_ignored() {
    let policy = TABLE_POLICY.to_owned() + "[data]\npath = \"gone.csv\"\nprovider_column = \"p\"\n";
    let run = verify_table(&policy, "q,other,s\n1,x,a\n1,y,b\n").exits(0);
    assert_eq!(run.json()["providers"], json!(null));
    assert_eq!(run.json()["attack_number_undecided"], true);
    let alone = verify_table(TABLE_POLICY, "q,s\n1,a\n1,b\n").exits(0).json();
    assert_eq!((alone["providers"].clone(), alone.get("attack_number_undecided")), (json!(1), None));
    let named = verify_table(&policy, "q,s,p\n1,a,x\n1,b,x\n").exits(0);
    assert_eq!(named.json()["providers"], 1);
    verify_table(&policy, "q,s,p\n1,a,x\n1,b,y\n").refuses(2, "MG0114", &["m = 0"]);
    verify_table(TABLE_POLICY, "q,other\n1,x\n").refuses(2, "MG0204", &["\"s\""]);
}

#[test]
fn distances_of_sensitive_columns() {
    let policy = |distance: &str| {
        format!(
            "[columns.q]\nrole = \"quasi-identifier\"\n[columns.s]\nrole = \"sensitive\"\norder = [\"low\", \"mid\", \"high\"]\n\
             hierarchy = \"s.csv\"\n[privacy]\nt = {{ max = 0.5, distance = \"{distance}\" }}\n"
        )
    };
    // group 1 is all low: equal 1/2, ordered 1/2, and with a hierarchy low and mid are close
    let table = "q,s\n1,low\n1,low\n2,high\n2,high\n";
    for (distance, exit) in [("equal", 0), ("ordered", 0), ("hierarchical", 0)] {
        let bench =
            Bench::with(&[("p.toml", &policy(distance)), ("t.csv", table), ("s.csv", "low;l;*\nmid;l;*\nhigh;h;*\n")]);
        bench.run(&["verify", "--table", "t.csv", "--policy", "p.toml"]).exits(exit);
        let strict = bench.run(&["verify", "--table", "t.csv", "--policy", "p.toml", "--set", "privacy.t.max=0.49"]);
        strict.exits(1);
    }
}

fn released() -> Bench {
    let bench = Bench::hospitals();
    bench.run(&["publish", "policy.toml", "--out", "r"]).exits(0);
    bench
}

#[test]
fn a_release_is_verified_by_itself() {
    let bench = released();
    let document = bench.run(&["verify", "r", "--json"]).exits(0).json();
    assert_eq!((&document["verdict"], &document["providers"]), (&json!("holds"), &json!(4)));
    assert_eq!(document["attack_number_undecided"], true);
    let public = bench.run(&["verify", "r/public", "--json"]).exits(0).says(&["no audit"]);
    assert_eq!(public.json()["providers"], json!(null));
    bench.run(&["verify", "r", "--set", "privacy.k=9"]).refuses(2, "MG0601", &["--set"]);
    bench.run(&["verify", "."]).refuses(2, "MG0404", &["not a release"]);
    bench.run(&["verify", "nowhere"]).refuses(2, "MG0404", &["nowhere"]);
}

#[test]
fn every_changed_byte_is_found() {
    let bench = released();
    for file in ["r/public/data.csv", "r/public/manifest.json", "r/private/audit.parquet", "r/private/manifest.json"] {
        let good = std::fs::read(bench.path(file)).unwrap();
        for at in (0..good.len()).step_by(good.len() / 8) {
            let mut bad = good.clone();
            bad[at] ^= 1;
            std::fs::write(bench.path(file), &bad).unwrap();
            let run = bench.run(&["verify", "r", "--json"]).exits(1);
            assert_eq!(run.json()["verdict"], "fails", "{file}, byte {at}");
            run.refuses(1, "MG0304", &[]);
        }
        std::fs::write(bench.path(file), good).unwrap();
    }
    bench.run(&["verify", "r"]).exits(0);
}

#[test]
fn missing_and_foreign_files_are_found() {
    let bench = released();
    bench.write("r/public/names.csv", CANARY);
    bench.run(&["verify", "r"]).refuses(1, "MG0304", &["names.csv"]);
    std::fs::remove_file(bench.path("r/public/names.csv")).unwrap();
    for file in ["r/public/data.csv", "r/private/audit.parquet", "r/private/manifest.json"] {
        std::fs::rename(bench.path(file), bench.path("aside")).unwrap();
        bench.run(&["verify", "r"]).refuses(1, "MG0304", &["is missing"]);
        std::fs::rename(bench.path("aside"), bench.path(file)).unwrap();
    }
    // private part of another release
    bench.run(&["publish", "policy.toml", "--out", "other", "--set", "privacy.k=10"]).exits(0);
    std::fs::remove_dir_all(bench.path("r/private")).unwrap();
    std::fs::rename(bench.path("other/private"), bench.path("r/private")).unwrap();
    bench.run(&["verify", "r"]).refuses(1, "MG0304", &["another release"]);
}

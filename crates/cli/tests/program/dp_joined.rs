//! Differentially private releases in the rest of the program: verify, measure, attack
//! intersection, and commands that need groups.

use crate::common::{Bench, CANARY};
use serde_json::Value;

const COLUMNS: &str = "\
[data]
path = \"people.csv\"
[columns.pid]
role = \"identifier\"
[columns.age]
role = \"quasi-identifier\"
domain = { from = 0, to = 100, width = 20 }
[columns.sex]
role = \"quasi-identifier\"
domain = { values = [\"f\", \"m\"], other = \"Other\" }
[columns.disease]
role = \"sensitive\"
domain = [\"flu\", \"cold\", \"none\"]
";
const GROUPS: &str = "[privacy]\nk = 5\nl = { distinct = 2 }\n";

/// Disease follows age, mostly.
fn people(shift: usize) -> String {
    let row = |i: usize| {
        let (age, sex) = ((i * 7 + shift) % 100, ["f", "m"][i % 2]);
        let disease = ["flu", "cold", "none"][if i.is_multiple_of(5) { i % 3 } else { age / 34 }];
        format!("{CANARY}{i},{age},{sex},{disease}\n")
    };
    format!(
        "pid,age,sex,disease\n{}",
        (1..=1000).map(row).collect::<String>()
    )
}

/// A table, a policy with noise and one with groups, and a ledger.
fn bench() -> Bench {
    let noisy =
        format!("{COLUMNS}[dp]\nepsilon = 1\ndelta = 1e-9\nledger = \"l\"\nperson = \"pid\"\n");
    let bench = Bench::with(&[
        ("people.csv", &people(0)),
        ("policy.toml", &noisy),
        ("groups.toml", &format!("{COLUMNS}{GROUPS}")),
    ]);
    bench
        .run(&[
            "dp",
            "budget",
            "l",
            "--create",
            "--epsilon",
            "50",
            "--delta",
            "1e-6",
        ])
        .exits(0);
    bench
}

fn release(bench: &Bench, kind: &str, out: &str) {
    bench
        .run(&["dp", kind, "policy.toml", "--out", out])
        .exits(0);
}

#[test]
fn verify_says_what_is_guaranteed_and_what_it_cannot_show() {
    let bench = bench();
    for kind in ["synthetic", "histogram", "marginals"] {
        release(&bench, kind, kind);
        let run = bench.run(&["verify", kind]).exits(0).shows_no_cell();
        assert!(
            run.out.lines().all(|line| line.chars().count() <= 80),
            "{}",
            run.out
        );
        let text = run.out.replace('\n', " ");
        for part in [
            &format!("verdict: holds ({kind}, ε 1, δ 1e-9)"),
            "(n−1)-private by ε",
            "any coalition of providers, up to all but one",
            "mingle dp compose",
            "Theorem 15",
            "verify cannot prove it",
            "the ledger has the entry",
            "kept by an identifier",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let document = bench.run(&["verify", kind, "--json"]).exits(0).json();
        assert_eq!(document["schema"], "mingle.verify/1");
        assert_eq!(
            (&document["verdict"], &document["kind"]),
            (&"holds".into(), &"dp".into())
        );
        assert_eq!(
            (&document["release"], &document["ledger"]),
            (&kind.into(), &"paid".into())
        );
        assert_eq!(document["constraints"], Value::Array(Vec::new()));
        let guarantee = &document["guarantee"];
        assert_eq!(
            (&guarantee["epsilon"], &guarantee["delta"]),
            (&"1".into(), &"1e-9".into())
        );
        assert_eq!(guarantee["neighbouring"]["unit"], "person");
        assert_eq!(guarantee["proven_by_verify"], false);
        let public = bench
            .run(&["verify", &format!("{kind}/public"), "--json"])
            .exits(4)
            .json();
        assert_eq!(
            (&public["verdict"], &public["ledger"]),
            (&"undecided".into(), &Value::Null)
        );
    }
}

#[test]
fn verify_finds_what_was_changed() {
    let bench = bench();
    release(&bench, "synthetic", "r");
    let data = bench.read("r/public/data.csv");
    bench.write("r/public/data.csv", data.replacen("flu", "gout", 1));
    let run = bench
        .run(&["verify", "r"])
        .refuses(1, "MG0304", &["data.csv was changed"]);
    assert!(run.out.starts_with("verdict: fails"), "{}", run.out);
    assert_eq!(
        bench.run(&["verify", "r", "--json"]).json()["verdict"],
        "fails"
    );
    bench.write("r/public/data.csv", data);
    bench.run(&["verify", "r"]).exits(0);
    bench.write(
        "l",
        bench
            .read("l")
            .replacen("\"synthetic\"", "\"histogram\"", 1),
    );
    bench
        .run(&["verify", "r"])
        .refuses(1, "MG0304", &["the ledger differs"]);
    std::fs::remove_file(bench.path("l")).unwrap();
    let document = bench.run(&["verify", "r", "--json"]).exits(4).json();
    assert_eq!(document["ledger"], "out-of-reach");
}

#[test]
fn all_kinds_are_measured_alike() {
    let bench = bench();
    bench
        .run(&["publish", "groups.toml", "--out", "groups"])
        .exits(0);
    let groups = bench
        .run(&["measure", "groups", "--policy", "groups.toml", "--json"])
        .exits(0)
        .json();
    let same = bench.run(&[
        "measure",
        "--table",
        "groups/public/data.csv",
        "--policy",
        "groups.toml",
        "--json",
    ]);
    assert_eq!(same.exits(0).json(), groups);
    for kind in ["synthetic", "histogram", "marginals"] {
        release(&bench, kind, kind);
        let found = bench
            .run(&["measure", kind, "--policy", "policy.toml", "--json"])
            .exits(0)
            .json();
        assert_eq!(
            (&found["kind"], &found["release"]),
            (&"dp".into(), &kind.into())
        );
        assert_eq!(found["query_error"]["queries"], 2500);
        assert!(found.get("ncp").is_none());
        for ways in ["one_way", "two_way"] {
            for figure in ["mean", "max"] {
                let value = found["marginals"][ways][figure].as_f64().unwrap();
                assert!(
                    value > 0.0 && value < 0.35,
                    "{kind} {ways} {figure}: {value}"
                );
                let value = groups["marginals"][ways][figure].as_f64().unwrap();
                assert!(
                    (0.0..0.8).contains(&value),
                    "groups {ways} {figure}: {value}"
                );
            }
        }
        let names = |document: &Value| -> Vec<Value> {
            let columns = document["marginals"]["columns"].as_array().unwrap();
            columns.iter().map(|c| c["column"].clone()).collect()
        };
        assert_eq!(names(&found), names(&groups));
        assert_eq!(found["marginals"]["pairs"].as_array().unwrap().len(), 3);
        // a policy for groups with the same domains measures the same
        let other = bench
            .run(&["measure", kind, "--policy", "groups.toml", "--json"])
            .exits(0)
            .json();
        assert_eq!(other["marginals"], found["marginals"]);
        assert_eq!(other["query_error"], found["query_error"]);
        let run = bench
            .run(&["measure", kind, "--policy", "policy.toml"])
            .exits(0)
            .shows_no_cell();
        for part in [
            "1-way tables",
            "2-way tables",
            "total variation",
            "query error",
            kind,
        ] {
            assert!(run.out.contains(part), "{}", run.out);
        }
    }
}

/// The whole way by hand: distances of the published tables, counted here.
#[test]
fn distances_are_those_of_the_files() {
    let bench = bench();
    release(&bench, "synthetic", "r");
    let found = bench
        .run(&["measure", "r", "--policy", "policy.toml", "--json"])
        .exits(0)
        .json();
    let cells = |text: &str, first: usize| -> Vec<(String, String)> {
        let rows = text
            .lines()
            .skip(1)
            .map(|line| line.split(',').skip(first).collect::<Vec<_>>());
        rows.map(|row| {
            (
                (row[0].parse::<u32>().unwrap() / 20).min(4).to_string(),
                row[2].to_owned(),
            )
        })
        .collect()
    };
    let (original, made) = (
        cells(&people(0), 1),
        cells(&bench.read("r/public/data.csv"), 0),
    );
    let apart = |key: &dyn Fn(&(String, String)) -> String| {
        let mut keys: Vec<String> = original.iter().chain(&made).map(key).collect();
        keys.sort();
        keys.dedup();
        let share = |rows: &[(String, String)], wanted: &String| {
            rows.iter().filter(|row| key(row) == *wanted).count() as f64 / rows.len() as f64
        };
        keys.iter()
            .map(|k| (share(&original, k) - share(&made, k)).abs())
            .sum::<f64>()
            / 2.0
    };
    let close = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-9;
    assert!(close(
        &found["marginals"]["columns"][0]["total_variation"],
        apart(&|row| row.0.clone())
    ));
    assert!(close(
        &found["marginals"]["columns"][2]["total_variation"],
        apart(&|row| row.1.clone())
    ));
    let pair = &found["marginals"]["pairs"][1];
    assert_eq!(pair["columns"], serde_json::json!(["age", "disease"]));
    assert!(
        close(
            &pair["total_variation"],
            apart(&|row| format!("{}/{}", row.0, row.1))
        ),
        "{pair}"
    );
}

#[test]
fn an_intersection_of_noisy_releases_is_compared_with_guessing() {
    let bench = bench();
    release(&bench, "synthetic", "one");
    release(&bench, "histogram", "two");
    let args = [
        "attack",
        "intersection",
        "one",
        "two",
        "--policy",
        "policy.toml",
    ];
    let run = bench.run(&args).exits(0).shows_no_cell();
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    let text = run.out.replace('\n', " ");
    for part in [
        "synthetic with ε 1, δ 1e-9",
        "guessing the commonest value",
        "No row of a differentially private release is a person",
        "dp compose",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let document = bench
        .run(&[&args[..], &["--json"]].concat())
        .exits(0)
        .json();
    assert_eq!(document["verdict"], "holds");
    assert_eq!(document["releases"][0]["kind"], "synthetic");
    assert_eq!(document["releases"][1]["guarantee"]["epsilon"], "1");
    let attribute = &document["attributes"][0];
    let commonest = attribute["base_rate"]["commonest"].as_f64().unwrap();
    assert!((0.3..0.6).contains(&commonest), "{attribute}");
    assert!((attribute["base_rate"]["any"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-9);
    // everybody is somewhere in the cells
    assert!(
        attribute["readers"][0]["intersected"].as_u64().unwrap() > 900,
        "{attribute}"
    );
}

#[test]
fn noisy_releases_stand_beside_groups() {
    let bench = bench();
    release(&bench, "synthetic", "noisy");
    bench
        .run(&["publish", "groups.toml", "--out", "groups"])
        .exits(0);
    let run = bench.run(&[
        "attack",
        "intersection",
        "groups",
        "noisy",
        "--policy",
        "groups.toml",
        "--json",
    ]);
    let document = serde_json::from_str::<Value>(&run.out).unwrap();
    assert_eq!(document["releases"][0]["kind"], "groups");
    assert_eq!(document["releases"][0]["guarantee"], Value::Null);
    assert_eq!(document["releases"][1]["kind"], "synthetic");
    let run = bench.run(&[
        "attack",
        "intersection",
        "groups",
        "noisy",
        "--policy",
        "groups.toml",
    ]);
    assert!(
        run.out
            .replace('\n', " ")
            .contains("Releases of groups beside it have no such bound"),
        "{}",
        run.out
    );
}

#[test]
fn a_sensitive_column_in_bins_is_scored_in_bins() {
    let bench = bench();
    let policy = bench.read("policy.toml").replace(
        "[columns.age]\nrole = \"quasi-identifier\"",
        "[columns.age]\nrole = \"sensitive\"",
    );
    bench.write("policy.toml", policy);
    release(&bench, "synthetic", "one");
    release(&bench, "synthetic", "two");
    let args = [
        "attack",
        "intersection",
        "one",
        "two",
        "--policy",
        "policy.toml",
        "--sensitive",
        "age",
        "--json",
    ];
    let document = bench.run(&args).exits(0).json();
    let attribute = &document["attributes"][0];
    assert!(
        (attribute["base_rate"]["any"].as_f64().unwrap() - 0.2).abs() < 1e-9,
        "five bins: {attribute}"
    );
    assert!(
        attribute["readers"][0]["truth"]["among"].as_u64().unwrap() > 900,
        "{attribute}"
    );
}

#[test]
fn what_needs_groups_says_so() {
    let bench = bench();
    release(&bench, "marginals", "m");
    release(&bench, "synthetic", "s");
    let args = [
        "attack",
        "intersection",
        "s",
        "m",
        "--policy",
        "policy.toml",
    ];
    bench.run(&args).refuses(2, "MG0721", &["m has marginals"]);
    bench
        .run(&["attack", "insider", "s"])
        .refuses(2, "MG0720", &["differentially private"]);
    bench
        .run(&["attack", "minimality", "s", "--policy", "groups.toml"])
        .refuses(2, "MG0720", &["differentially private"]);
    bench.run(&["history", "init", "h"]).exits(0);
    let run = bench.run(&[
        "history",
        "add",
        "h",
        "s",
        "--policy",
        "groups.toml",
        "--label",
        "1",
    ]);
    assert!(run.exit == Some(2), "{} {}", run.out, run.err);
    let against = format!("{COLUMNS}{GROUPS}[composition]\nagainst = [\"s\"]\n");
    bench.write("against.toml", against);
    let run = bench.run(&["publish", "against.toml", "--out", "out"]);
    run.refuses(2, "MG0720", &["against.toml", "nobody is behind its rows"]);
}

#[test]
fn damaged_releases_are_not_measured_or_attacked() {
    let bench = bench();
    release(&bench, "synthetic", "s");
    bench.write(
        "s/public/data.csv",
        bench.read("s/public/data.csv").replacen("flu", "cold", 1),
    );
    bench
        .run(&["measure", "s", "--policy", "policy.toml"])
        .refuses(1, "MG0304", &["data.csv was changed"]);
    let args = [
        "attack",
        "intersection",
        "s",
        "s",
        "--policy",
        "policy.toml",
    ];
    bench
        .run(&args)
        .refuses(1, "MG0304", &["s: data.csv was changed"]);
}

/// A sparse histogram may have no cell that reaches the threshold: an empty table is a release like
/// any other.
#[test]
fn a_histogram_without_cells_is_a_release() {
    let bench = bench();
    for format in ["csv", "parquet"] {
        let format = format!("release.format={format}");
        let sparse = ["--set", "dp.max_cells=1", "--set", &format];
        let run = [
            &[
                "dp",
                "histogram",
                "policy.toml",
                "--out",
                "h",
                "--force",
                "--epsilon",
                "0.01",
            ][..],
            &sparse,
        ];
        bench.run(&run.concat()).exits(0);
        bench.run(&["verify", "h"]).exits(0);
        let document = bench
            .run(&["measure", "h", "--policy", "policy.toml", "--json"])
            .exits(0)
            .json();
        assert_eq!(document["marginals"]["one_way"]["mean"], 1.0, "{document}");
    }
}

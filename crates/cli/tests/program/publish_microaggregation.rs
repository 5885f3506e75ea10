//! `mingle publish` with `method.name = "microaggregation"`, from tables to a release that `mingle
//! verify` accepts.

use crate::common::Bench;
use serde_json::Value;

/// Three places far apart, of four people each.
const PEOPLE: &str = "zip,age,seen,job,ill,note
10000,20,2001-03-01,cook,flu,a
10000,22,2001-03-02,cook,cold,b
10000,24,2001-03-03,cook,flu,c
10000,27,2001-03-04,smith,cold,d
20000,40,2005-06-01,smith,flu,e
20000,41,2005-06-02,smith,cold,f
20000,42,2005-06-03,nurse,flu,g
20000,45,2005-06-10,nurse,cold,h
30000,70,2009-01-01,nurse,flu,i
30000,72,2009-01-02,nurse,cold,j
30001,74,2009-01-03,nurse,flu,k
30002,?,2009-01-09,nurse,cold,l
";

fn policy(privacy: &str, method: &str) -> String {
    format!(
        "[data]\npath = \"people.csv\"\n\
         [columns.zip]\nrole = \"quasi-identifier\"\nkind = \"category\"\nhierarchy = {{ mask = 4 }}\n\
         [columns.age]\nrole = \"quasi-identifier\"\n[columns.seen]\nrole = \"quasi-identifier\"\n\
         [columns.job]\nrole = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n\
         [columns.note]\nrole = \"insensitive\"\n\
         [privacy]\n{privacy}\n[method]\nname = \"microaggregation\"\n{method}\n"
    )
}

fn bench(privacy: &str, method: &str) -> Bench {
    Bench::with(&[
        ("people.csv", PEOPLE),
        ("policy.toml", &policy(privacy, method)),
    ])
}

/// Publishes and verifies; the summary, and the distinct published quasi-identifiers.
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
    assert_eq!(verdict["records"], 12);
    let data = bench.read("release/public/data.csv");
    let mut labels: Vec<String> = data
        .lines()
        .skip(1)
        .map(|line| line.splitn(5, ',').take(4).collect::<Vec<_>>().join(","))
        .collect();
    labels.dedup();
    (run.json(), labels)
}

fn manifest(bench: &Bench) -> Value {
    serde_json::from_str(&bench.read("release/public/manifest.json")).unwrap()
}

#[test]
fn groups_of_k_in_ranges() {
    let bench = bench("k = 4\nl = { distinct = 2 }", "");
    let (summary, labels) = published(&bench, &[]);
    let expected = [
        "10000,[20-27],[2001-03-01/2001-03-04],{cook|smith}",
        "20000,[40-45],[2005-06-01/2005-06-10],{nurse|smith}",
        "3000*,*,[2009-01-01/2009-01-09],nurse",
    ];
    assert_eq!(labels, expected);
    assert_eq!(summary["method"], "microaggregation");
    assert!(summary["utility"]["ncp"]["overall"].as_f64().unwrap() > 0.0);
    let measured = bench
        .run(&["measure", "release", "--policy", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(measured["ncp"], summary["utility"]["ncp"]);
}

#[test]
fn centroids_say_so_and_are_measured_as_what_they_are() {
    let bench = bench("k = 4", "output = \"centroid\"");
    let (summary, labels) = published(&bench, &[]);
    // the hierarchy's labels stay true, a missing age hides the mean, halves go to even
    let expected = [
        "10000,23,2001-03-03,cook",
        "20000,42,2005-06-04,nurse",
        "3000*,*,2009-01-04,nurse",
    ];
    assert_eq!(labels, expected);
    assert_eq!(manifest(&bench)["policy"]["method"]["output"], "centroid");
    let measured = bench
        .run(&["measure", "release", "--policy", "policy.toml", "--json"])
        .exits(0)
        .json();
    for figures in [&summary["utility"], &measured] {
        assert!(figures["ncp"].is_null() && figures["non_uniform_entropy"].is_null());
        let loss = figures["information_loss"]["overall"].as_f64().unwrap();
        assert!((0.01..0.6).contains(&loss), "{loss}");
    }
    assert_eq!(
        measured["information_loss"],
        summary["utility"]["information_loss"]
    );
    let text = bench
        .run(&["measure", "release", "--policy", "policy.toml"])
        .exits(0)
        .out;
    assert!(
        text.contains("information loss") && !text.contains("NCP"),
        "{text}"
    );
    let text = bench
        .run(&["publish", "policy.toml", "--dry-run"])
        .exits(0)
        .err;
    assert!(text.contains("information loss"), "{text}");
    // a table without a manifest is read as its policy says
    let table = [
        "measure",
        "--table",
        "release/public/data.csv",
        "--policy",
        "policy.toml",
        "--json",
    ];
    let measured = bench.run(&table).exits(0).json();
    assert_eq!(
        measured["information_loss"],
        summary["utility"]["information_loss"]
    );
}

#[test]
fn an_altered_centroid_is_noticed() {
    let bench = bench("k = 4", "output = \"centroid\"");
    published(&bench, &[]);
    let data = bench
        .read("release/public/data.csv")
        .replacen("10000,23,", "10000,29,", 1);
    bench.write("release/public/data.csv", data);
    assert_ne!(bench.run(&["verify", "release"]).exit, Some(0));
}

#[test]
fn centroids_are_refused_where_somebody_could_subtract() {
    for (privacy, method) in [
        ("k = 4\nm = 1", "output = \"centroid\""),
        ("k = 4", "output = \"centroid\"\nmax_suppressed = 0.1"),
        ("k = 4", "output = \"middle\""),
    ] {
        let bench = bench(privacy, method);
        let refused = bench
            .run(&["publish", "policy.toml", "--out", "release"])
            .exits(2);
        assert!(refused.err.contains("output"), "{}", refused.err);
    }
    // several providers, and m left to its default, which is 1
    let bench = bench("k = 2", "output = \"centroid\"");
    let columns = policy("k = 2", "output = \"centroid\"");
    let two = columns.replace(
        "path = \"people.csv\"",
        "providers = [{ name = \"a\", path = \"people.csv\" }, { name = \"b\", path = \"more.csv\" }]",
    );
    bench.write("two.toml", two);
    bench.write("more.csv", PEOPLE.replace("1,2", "2,2"));
    let refused = bench
        .run(&["publish", "two.toml", "--out", "release"])
        .exits(2);
    assert!(refused.err.contains("insiders"), "{}", refused.err);
    bench
        .run(&[
            "publish",
            "two.toml",
            "--out",
            "release",
            "--set",
            "privacy.m=0",
        ])
        .exits(0);
}

#[test]
fn the_order_of_rows_and_the_number_of_threads_leave_no_trace() {
    let (header, rows) = PEOPLE.split_once('\n').unwrap();
    let mut reversed: Vec<&str> = rows.lines().rev().collect();
    reversed.insert(0, header);
    for method in ["", "output = \"centroid\""] {
        let bench = bench("k = 2\nl = { distinct = 2 }", method);
        published(&bench, &["--threads", "1"]);
        let one = bench.read("release/public/data.csv");
        bench.write("people.csv", reversed.join("\n") + "\n");
        published(&bench, &["--threads", "8"]);
        assert_eq!(one, bench.read("release/public/data.csv"));
    }
}

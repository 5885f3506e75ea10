//! `[release] fragmented = true`: publish, verify and measure, and what is refused.

use crate::common::Bench;
use serde_json::{Value, json};

const HEADER: &str = "zip,age,disease,treatment\n";

/// Patients of the D2Pt paper, and as many again, dealt to two hospitals.
const NORTH: &str = "12345,23,Gastric ulcer,Antacid\n12345,29,Gastritis,Acid-reducing drug\n\
                     12363,41,Flu,Antipyretic drug\n12361,43,Stomach cancer,Cytostatic drug\n\
                     12362,59,Pneumonia,Antibiotics\n12471,52,Bronchitis,Antibiotics\n12473,55,Flu,Antipyretic drug\n";
const SOUTH: &str = "12341,24,Gastritis,Antacid\n12349,28,Gastric ulcer,Antacid\n12364,42,Flu,Antibiotics\n\
                     12365,44,Bronchitis,Antipyretic drug\n12366,58,Pneumonia,Antibiotics\n\
                     12472,53,Flu,Antipyretic drug\n12474,56,Bronchitis,Antibiotics\n";

fn policy(privacy: &str) -> String {
    format!(
        "[data]\nproviders = [{{ name = \"north\", path = \"n.csv\" }}, {{ name = \"south\", path = \"s.csv\" }}]\n\
         [columns.zip]\nrole = \"quasi-identifier\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
         [columns.disease]\nrole = \"sensitive\"\n[columns.treatment]\nrole = \"sensitive\"\n\
         [privacy]\n{privacy}\n[release]\nfragmented = true\n"
    )
}

fn bench(privacy: &str) -> Bench {
    let (north, south) = (HEADER.to_owned() + NORTH, HEADER.to_owned() + SOUTH);
    Bench::with(&[
        ("n.csv", &north),
        ("s.csv", &south),
        ("policy.toml", &policy(privacy)),
    ])
}

fn published(privacy: &str, more: &[&str]) -> Bench {
    let bench = bench(privacy);
    let args = [&["publish", "policy.toml", "--out", "r", "-q"], more].concat();
    bench.run(&args).exits(0);
    bench
}

fn names(bench: &Bench, folder: &str) -> Vec<String> {
    let start = format!("{folder}/");
    bench
        .contents()
        .into_keys()
        .filter_map(|n| n.strip_prefix(&start).map(str::to_owned))
        .filter(|n| !n.is_empty())
        .collect()
}

#[test]
fn one_insider_and_every_column_in_a_table_of_its_own() {
    let bench = bench("m = 1\nk = 2\nl = { distinct = 2 }");
    let run = bench
        .run(&["publish", "policy.toml", "--out", "r", "--json"])
        .exits(0);
    run.json()["fragmented"].as_bool().filter(|f| *f).unwrap();
    assert!(
        crate::common::unbroken(&run.err).contains("in 3 tables that only the group number joins"),
        "{}",
        run.err
    );
    assert!(!run.err.contains("MG0503"), "{}", run.err);
    assert_eq!(
        names(&bench, "r/public"),
        [
            "manifest.json",
            "qi.csv",
            "report.html",
            "report.json",
            "sa_disease.csv",
            "sa_treatment.csv"
        ]
    );
    let table = |name: &str| bench.read(&format!("r/public/{name}.csv"));
    assert!(
        table("qi").starts_with("gid,zip,age\n1,")
            && table("sa_disease").starts_with("gid,disease\n1,")
    );
    for name in ["qi", "sa_disease", "sa_treatment"] {
        assert_eq!(table(name).lines().count(), 15);
        let gids: Vec<u32> = table(name)
            .lines()
            .skip(1)
            .map(|l| l.split(',').next().unwrap().parse().unwrap())
            .collect();
        assert!(gids.is_sorted() && gids[0] == 1);
    }
    for name in ["sa_disease", "sa_treatment"] {
        assert!(table(name).lines().skip(1).is_sorted(), "{name}");
    }
    let run = bench.run(&["verify", "r", "--json"]).exits(0);
    let document = run.json();
    assert_eq!(
        (
            &document["verdict"],
            &document["fragmented"],
            &document["m"]
        ),
        (&json!("holds"), &json!(true), &json!(1))
    );
    let constraints: Vec<&Value> = document["constraints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| &c["name"])
        .collect();
    assert_eq!(
        constraints,
        [
            "k-anonymity",
            "distinct-l-diversity",
            "distinct-l-diversity"
        ]
    );
    bench.run(&["verify", "r"]).exits(0).says(&[]);
    // the outsider's part holds, what insiders could do is unknown
    let run = bench.run(&["verify", "r/public", "--json"]).exits(4);
    assert_eq!(run.json()["verdict"], "undecided");
}

#[test]
fn the_order_of_rows_and_tables_changes_no_byte() {
    let first = published("m = 1\nk = 2\nl = { distinct = 2 }", &[]);
    let other = bench("m = 1\nk = 2\nl = { distinct = 2 }");
    let reversed = |rows: &str| {
        HEADER.to_owned()
            + &rows
                .lines()
                .rev()
                .map(|r| format!("{r}\n"))
                .collect::<String>()
    };
    other.write("n.csv", reversed(SOUTH));
    other.write("s.csv", reversed(NORTH));
    other
        .run(&["publish", "policy.toml", "--out", "r", "-q"])
        .exits(0);
    for name in names(&first, "r/public") {
        assert_eq!(
            first.contents()[&format!("r/public/{name}")],
            other.contents()[&format!("r/public/{name}")],
            "{name}"
        );
    }
}

#[test]
fn parquet_suppression_and_measures() {
    let bench = published(
        "m = 0\nk = 3",
        &[
            "--set",
            "release.format=\"parquet\"",
            "--set",
            "method.max_suppressed=0.2",
        ],
    );
    assert_eq!(
        names(&bench, "r/public"),
        [
            "manifest.json",
            "qi.parquet",
            "report.html",
            "report.json",
            "sa_disease.parquet",
            "sa_treatment.parquet"
        ]
    );
    bench.run(&["verify", "r"]).exits(0);
    bench.run(&["verify", "r/public"]).exits(0);
    let run = bench
        .run(&["measure", "r", "--policy", "policy.toml", "--json"])
        .exits(0);
    assert!(run.json()["ncp"]["overall"].as_f64().unwrap() > 0.0);
    // the same figures as for the same groups in one table, but for pairs of columns that nothing
    // links any more
    let linked = published(
        "m = 0\nk = 3",
        &[
            "--set",
            "release.fragmented=false",
            "--set",
            "method.max_suppressed=0.2",
        ],
    );
    let other = linked
        .run(&["measure", "r", "--policy", "policy.toml", "--json"])
        .exits(0);
    let [mut fragmented, mut linked] = [run.json(), other.json()];
    let pairs = [&mut fragmented, &mut linked].map(|document| document["marginals"].take());
    assert_ne!(pairs[0], pairs[1]);
    assert_eq!(fragmented, linked);
}

#[test]
fn columns_together_are_decided_where_something_links_them() {
    let bench = published("m = 0\nk = 2\nl = { distinct = 2 }\njoint = true", &[]);
    let run = bench.run(&["verify", "r", "--json"]).exits(0);
    assert_eq!(run.json()["constraints"].as_array().unwrap().len(), 4);
    let run = bench.run(&["verify", "r/public", "--json"]).exits(4);
    let document = run.json();
    assert_eq!(document["verdict"], "undecided");
    let last = document["constraints"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["joint"], &last["verdict"]),
        (&json!(true), &json!("undecided"))
    );
    assert!(
        run.err.contains("MG0305") && run.err.contains("belong together"),
        "{}",
        run.err
    );
}

#[test]
fn a_changed_table_is_a_finding() {
    let bench = published("m = 0\nk = 2\nl = { distinct = 2 }", &[]);
    let text = bench.read("r/public/sa_disease.csv");
    bench.write(
        "r/public/sa_disease.csv",
        text.replacen("1,Gas", "1,Zas", 1),
    );
    bench
        .run(&["verify", "r"])
        .exits(1)
        .says(&["MG0304", "sa_disease.csv was changed"]);
}

#[test]
fn a_witness_has_its_gid() {
    let bench = published("m = 0\nk = 2", &[]);
    // a manifest that promises more than holds; its checksum is a finding of its own
    let manifest = bench
        .read("r/public/manifest.json")
        .replacen("\"k\": 2", "\"k\": 9", 1);
    bench.write("r/public/manifest.json", manifest);
    let run = bench.run(&["verify", "r", "--json"]).exits(1);
    assert_eq!(run.json()["witness"]["group"]["gid"], "1");
    assert!(run.json()["witness"]["group"]["age"].is_string());
}

#[test]
fn what_does_not_go_with_fragments() {
    let bench = bench("k = 2");
    let publish = ["publish", "policy.toml", "--out", "r"];
    let with =
        |from: &str, to: &str| bench.write("policy.toml", policy("k = 2").replacen(from, to, 1));
    let sensitive = "[columns.treatment]\nrole = \"sensitive\"";
    with(sensitive, "[columns.treatment]\nrole = \"insensitive\"");
    bench
        .run(&publish)
        .refuses(2, "MG0109", &["treatment", "fragmented"]);
    with(sensitive, "[columns.gid]\nrole = \"sensitive\"");
    bench.run(&publish).refuses(2, "MG0109", &["gid"]);
    bench.write(
        "policy.toml",
        policy("k = 2").replace("\"sensitive\"", "\"quasi-identifier\""),
    );
    bench.run(&publish).refuses(2, "MG0111", &["fragmented"]);
    with("fragmented = true", "fragmented = \"yes\"");
    bench.run(&publish).refuses(2, "MG0105", &["fragmented"]);
    assert!(!bench.path("r").exists());
}

#[test]
fn one_table_with_two_sensitive_columns_warns_and_says_how_to_avoid_it() {
    let bench = bench("m = 0\nk = 2");
    let args = [
        "publish",
        "policy.toml",
        "--dry-run",
        "--set",
        "release.fragmented=false",
    ];
    bench
        .run(&args)
        .exits(0)
        .says(&["warning[MG0503]", "fragmented = true"]);
}

//! Attacks, other releases and histories where people have several rows: exit codes, figures and
//! texts.

use crate::common::{Bench, Run, unbroken};
use serde_json::{Value, json};

const TREATED: &str = "[data]\npath = \"t.csv\"\nperson = \"patient_id\"\n\
    [columns.patient_id]\nrole = \"identifier\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
    [columns.disease]\nrole = \"sensitive\"\n[columns.treatment]\nrole = \"sensitive\"\n\
    [privacy]\nk = 2\nm = 0\nmax_share_of_rows = 1\n";

/// Patient, age, disease, treatment.
type Visit = (u32, u32, &'static str, &'static str);

fn treated(visits: &[Visit], age: Option<&str>) -> String {
    let mut rows = "patient_id,age,disease,treatment\n".to_owned();
    for (patient, own, disease, treatment) in visits {
        let own = own.to_string();
        let age = age.unwrap_or(&own);
        rows += &format!("zqx{patient},{age},{disease},{treatment}\n");
    }
    rows
}

const JOIN: [&str; 6] = [
    "attack",
    "background-join",
    "--table",
    "out.csv",
    "--policy",
    "policy.toml",
];

fn joined(visits: &[Visit]) -> Bench {
    Bench::with(&[
        ("policy.toml", TREATED),
        ("t.csv", &treated(visits, None)),
        ("out.csv", &treated(visits, Some("[30-39]"))),
    ])
}

/// Two people have the flu, and a diet in common, in other rows; the rows with the flu have two
/// treatments.
const EXPOSED: [Visit; 6] = [
    (1, 31, "flu", "antiviral"),
    (1, 32, "gout", "diet"),
    (2, 33, "flu", "rest"),
    (2, 33, "cold", "diet"),
    (3, 34, "cold", "rest"),
    (3, 39, "cold", "tea"),
];

/// Whatever is known of anybody leaves two people without anything in common.
const SAFE: [Visit; 6] = [
    (1, 31, "flu", "rest"),
    (1, 32, "cold", "diet"),
    (2, 33, "flu", "diet"),
    (3, 34, "cold", "rest"),
    (4, 35, "flu", "rest"),
    (5, 39, "cold", "diet"),
];

fn is_discreet(run: &Run) {
    assert!(!run.out.contains("zqx") && !run.err.contains("zqx"));
    let short = run.out.lines().all(|line| line.chars().count() <= 80);
    assert!(short, "{}", run.out);
}

#[test]
fn a_background_join_counts_people_and_rows() {
    let bench = joined(&EXPOSED);
    let run = bench.run(&JOIN).exits(1);
    is_discreet(&run);
    assert!(!run.out.contains("diet"), "{}", run.out);
    let said = unbroken(&run.out);
    for part in [
        "groups 1, people 3, k = 2",
        "who cannot link a person's rows",
        "1 of 3 people has it, and with her rows stands the treatment",
    ] {
        assert!(said.contains(part), "{part}: {}", run.out);
    }
    let answer = bench.run(&[&JOIN[..], &["--json"]].concat()).json();
    let play = &answer["plays"][0];
    assert_eq!(
        (&play["knows"], &play["target"]),
        (&json!(["disease"]), &json!("treatment"))
    );
    let figures = |view: &Value| {
        ["certain", "newly", "below_k", "alone"].map(|name| view[name].as_u64().unwrap())
    };
    assert_eq!(figures(&play["linked"]), [3, 3, 1, 1]);
    assert_eq!(figures(&play["outsider"]), [0, 0, 0, 0]);
    // gout stands in one row; the other diseases stand beside different treatments
    assert_eq!(figures(&play["by_rows"]["linked"]), [1, 1, 1, 1]);
    assert_eq!(play["fragmented"], Value::Null);
    assert_eq!(answer["inference"]["counts"], "people");
    assert_eq!(answer["reconstructions"], json!([]));
    let csv = bench.run(&[&JOIN[..], &["--csv", "plays.csv"]].concat());
    csv.exits(1);
    assert!(bench.read("plays.csv").contains("linked by rows"));
}

#[test]
fn a_background_join_that_finds_nobody() {
    let bench = joined(&SAFE);
    let run = bench.run(&JOIN).exits(0);
    assert!(run.out.contains("nobody is exposed"), "{}", run.out);
}

#[test]
fn a_background_join_needs_to_know_whose_rows_are_whose() {
    let bench = joined(&EXPOSED);
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0);
    let attack = |release| {
        [
            "attack",
            "background-join",
            release,
            "--policy",
            "policy.toml",
        ]
    };
    let whole = bench.run(&[&attack("r")[..], &["--json"]].concat());
    let answer: Value = serde_json::from_str(&whole.out).unwrap();
    assert_eq!(answer["people"], 3);
    assert!(answer["plays"][0]["by_rows"].is_object());
    bench.run(&attack("r/public")).refuses(
        2,
        "MG0410",
        &["the release does not say whose each row is"],
    );
    // as if each row were a person
    let row = [&JOIN[..], &["--set", "data.person=row", "--json"]].concat();
    let answer: Value = serde_json::from_str(&bench.run(&row).out).unwrap();
    assert_eq!(answer["people"], 6);
    let apart = [&JOIN[..], &["--set", "privacy.rows=apart"]].concat();
    bench.run(&apart).refuses(2, "MG0135", &["several groups"]);
}

const HIDDEN: &str = "[data]\npath = \"t.csv\"\nperson = \"patient_id\"\n\
    [columns.patient_id]\nrole = \"identifier\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
    [columns.disease]\nrole = \"sensitive\"\n\
    [privacy]\nk = 5\nm = 0\nl = { distinct = 2 }\n";

/// Five people who are seen at 30 and at 31, with four others in one group, and five by themselves. What
/// everybody was treated for at 30 is given; the rest of their rows differ.
fn hidden(first: [&str; 5]) -> Bench {
    let (mut original, mut released) = (String::new(), String::new());
    let mut add = |patient: u32, age: u32, label: &str, disease: &str| {
        original += &format!("zqx{patient},{age},{disease}\n");
        released += &format!("zqx{patient},{label},{disease}\n");
    };
    for (patient, disease) in (0..).zip(first) {
        add(patient, 30, "[30-35]", disease);
        add(patient, 31, "[30-35]", &format!("rare{patient}"));
    }
    for (patient, disease) in (5..).zip(["gout", "cold", "ulcer", "asthma"]) {
        add(patient, 27 + patient, "[30-35]", disease);
    }
    for (patient, disease) in (9..).zip(["flu", "gout", "cold", "ulcer", "asthma"]) {
        add(patient, 50, "[50-51]", disease);
        add(patient, 51, "[50-51]", &format!("rare{patient}"));
    }
    let header = "patient_id,age,disease\n";
    Bench::with(&[
        ("policy.toml", HIDDEN),
        ("t.csv", &format!("{header}{original}")),
        ("out.csv", &format!("{header}{released}")),
    ])
}

const MINIMALITY: [&str; 6] = [
    "attack",
    "minimality",
    "--table",
    "out.csv",
    "--policy",
    "policy.toml",
];

#[test]
fn minimality_counts_people_who_share_a_profile() {
    let bench = hidden(["flu"; 5]);
    let run = bench.run(&MINIMALITY).exits(1);
    is_discreet(&run);
    let said = unbroken(&run.out);
    let part = "55.6 % of the people have one disease, and it is theirs with 100.0 %";
    assert!(said.contains(part), "{}", run.out);
    let answer = bench.run(&[&MINIMALITY[..], &["--json"]].concat()).json();
    assert_eq!(
        (&answer["people"], &answer["records"]),
        (&json!(14), &json!(24))
    );
    let inferred = &answer["plays"][0]["targets"][0]["inferred"];
    assert_eq!(inferred, &json!({ "people": 5, "right": 5 }));
    // with different diseases at 30 nobody fails, and nobody is inferred
    let safe = hidden(["flu", "gout", "cold", "ulcer", "asthma"]);
    let run = safe.run(&MINIMALITY).exits(0);
    assert!(unbroken(&run.out).contains("nobody's value"), "{}", run.out);
}

#[test]
fn minimality_needs_to_know_whose_rows_are_whose() {
    let bench = hidden(["flu", "gout", "cold", "ulcer", "asthma"]);
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0);
    let attack = |release| ["attack", "minimality", release, "--policy", "policy.toml"];
    let whole = bench
        .run(&[&attack("r")[..], &["--json"]].concat())
        .exits(0);
    let answer: Value = serde_json::from_str(&whole.out).unwrap();
    assert_eq!(answer["people"], 14);
    // the reader's own run counts people as well
    assert_eq!(answer["plays"].as_array().unwrap().len(), 2);
    assert!(answer["sizes_alone_not_played"].is_null());
    bench.run(&attack("r/public")).refuses(
        2,
        "MG0410",
        &["the release does not say whose each row is"],
    );
    let apart = [&MINIMALITY[..], &["--set", "privacy.rows=apart"]].concat();
    bench.run(&apart).refuses(2, "MG0135", &["several groups"]);
}

const FIRST: &str = "age,condition\n[20-29],flu\n[20-29],gout\n[30-39],cold\n[30-39],ill\n";
const SECOND: &str = "age,condition\n[20-39],gout\n[20-39],cancer\n[40-49],cold\n[40-49],ill\n";
const KNOWN: &str = "patient_id,age,condition\nzqx1,25,gout\nzqx1,26,flu\nzqx2,45,cold\n";

fn hospitals() -> Bench {
    let policy = "[data]\npath = \"people.csv\"\nperson = \"patient_id\"\n\
        [columns.patient_id]\nrole = \"identifier\"\n\
        [columns.age]\nrole = \"quasi-identifier\"\nkind = \"integer\"\n\
        [columns.condition]\nrole = \"sensitive\"\n[privacy]\nk = 2\n";
    Bench::with(&[
        ("policy.toml", policy),
        ("h1.csv", FIRST),
        ("h2.csv", SECOND),
        ("people.csv", KNOWN),
        ("rows.csv", "age,condition\n25,gout\n26,flu\n45,cold\n"),
    ])
}

const INTERSECT: [&str; 6] = [
    "attack",
    "intersection",
    "h1.csv",
    "h2.csv",
    "--policy",
    "policy.toml",
];

#[test]
fn an_intersection_counts_people() {
    let bench = hospitals();
    let run = bench.run(&INTERSECT).exits(1);
    is_discreet(&run);
    let said = unbroken(&run.out);
    for part in [
        "over 2 people with 3 rows of the policy's tables",
        "is taken to have a value that all releases she is in publish",
    ] {
        assert!(said.contains(part), "{part}: {}", run.out);
    }
    let answer = bench.run(&[&INTERSECT[..], &["--json"]].concat()).json();
    assert_eq!((&answer["people"], &answer["rows"]), (&json!(2), &json!(3)));
    for reader in answer["attributes"][0]["readers"].as_array().unwrap() {
        assert_eq!(
            (&reader["people"], &reader["perfect"]),
            (&json!(2), &json!(1))
        );
        assert_eq!(reader["truth"]["perfect_right"], 1);
    }
    let more = ["--per-person", "found.csv"];
    bench.run(&[&INTERSECT[..], &more].concat()).exits(1);
    let found = bench.read("found.csv");
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 3, "{found}");
    assert!(
        lines[1].starts_with("1,zqx1,") && lines[2].starts_with("3,zqx2,"),
        "{found}"
    );
}

#[test]
fn people_of_an_intersection_must_be_told_apart() {
    let bench = hospitals();
    let rows = [&INTERSECT[..], &["--population", "rows.csv"]].concat();
    bench.run(&rows).refuses(
        2,
        "MG0204",
        &["rows.csv has no column \"patient_id\"", "data.person=row"],
    );
    let each = [&rows[..], &["--set", "data.person=row", "--json"]].concat();
    let answer: Value = serde_json::from_str(&bench.run(&each).out).unwrap();
    assert_eq!(
        (&answer["people"], &answer["rows"]),
        (&json!(3), &Value::Null)
    );
}

/// Six patients, each with two conditions, beside another hospital's group of their ages.
fn beside(other: &str, more: &str) -> Bench {
    let mut rows = "patient_id,age,condition\n".to_owned();
    for patient in 0..6 {
        for visit in 0..2 {
            let condition = ["gout", "flu", "cold"][(patient + visit) % 3];
            rows += &format!("zqx{patient},{},{condition}\n", 20 + patient);
        }
    }
    let policy = format!(
        "[data]\npath = \"t.csv\"\nperson = \"patient_id\"\n\
         [columns.patient_id]\nrole = \"identifier\"\n\
         [columns.age]\nrole = \"quasi-identifier\"\nkind = \"integer\"\n\
         [columns.condition]\nrole = \"sensitive\"\n[privacy]\nk = 6\n\
         [composition]\nagainst = [\"other.csv\"]\n{more}"
    );
    Bench::with(&[
        ("policy.toml", &policy),
        ("t.csv", &rows),
        ("other.csv", other),
    ])
}

#[test]
fn a_release_is_laid_beside_others_by_people() {
    let other = "age,condition\n[20-29],gout\n[20-29],ill\n";
    let bench = beside(other, "");
    let publish = ["publish", "policy.toml", "--out", "r"];
    let said = ["a single value of condition is left for 6 of 6 people"];
    bench.run(&publish).refuses(1, "MG0308", &said);
    let mitigate = [&publish[..], &["--set", "composition.mitigate=true"]].concat();
    let run = bench.run(&mitigate);
    run.refuses(
        1,
        "MG0308",
        &["does not change groups of people with several rows"],
    );
    assert!(!bench.path("r").exists());

    let other = "age,condition\n[20-29],gout\n[20-29],flu\n[20-29],cold\n";
    let bench = beside(other, "");
    let answer = bench.run(&[&publish[..], &["--json"]].concat()).json();
    let readers = &answer["composition"]["audits"][0]["readers"];
    for reader in ["union", "most-specific", "told"] {
        let found = &readers[reader];
        assert_eq!(
            (&found["targets"], &found["perfect"]),
            (&json!(6), &json!(0)),
            "{answer}"
        );
    }
    let apart = [&publish[..], &["--force", "--set", "privacy.rows=apart"]].concat();
    bench
        .run(&apart)
        .refuses(2, "MG0135", &["rows = \"apart\""]);
}

/// Six patients with two visits each, and more.
fn versions(more: &str) -> String {
    let mut rows = "patient_id,age,condition\n".to_owned();
    for patient in 0..6 {
        for visit in 0..2 {
            let condition = ["gout", "flu", "cold"][(patient + visit) % 3];
            rows += &format!("zqx{patient},{},{condition}\n", 30 + patient);
        }
    }
    rows + more
}

fn with_history() -> Bench {
    let policy = "[data]\npath = \"t.csv\"\nperson = \"patient_id\"\n\
        [columns.patient_id]\nrole = \"identifier\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
        [columns.condition]\nrole = \"sensitive\"\n[privacy]\nk = 6\n\
        [composition]\nhistory = \"history\"\nperson = \"patient_id\"\n";
    let bench = Bench::with(&[("policy.toml", policy), ("t.csv", &versions(""))]);
    bench.run(&["history", "init", "history"]).exits(0);
    bench
        .run(&["publish", "policy.toml", "--out", "v1"])
        .exits(0);
    bench
}

#[test]
fn a_visit_that_comes_alone_is_found_out_by_a_history() {
    let bench = with_history();
    bench.write("t.csv", versions("zqx2,32,gout\n"));
    let publish = ["publish", "policy.toml", "--out", "v2"];
    let said = ["a single value of condition is left for 1 of 6 people"];
    let run = bench.run(&publish).refuses(1, "MG0308", &said);
    assert!(
        !run.err.contains("gout") && !run.err.contains("zqx"),
        "{}",
        run.err
    );
    // two visits of two people hide each other, somebody new with two values hides nothing
    bench.write("t.csv", versions("zqx6,36,gout\nzqx6,36,flu\n"));
    bench
        .run(&publish)
        .refuses(1, "MG0308", &["for 1 of 7 people"]);
    bench.write("t.csv", versions("zqx2,32,gout\nzqx3,33,flu\n"));
    bench.run(&publish).exits(0);
    let list = bench.run(&["history", "list", "history"]).exits(0);
    for part in ["6 people\n", "2 people have more rows than before"] {
        assert!(list.out.contains(part), "{}", list.out);
    }
    let answer = bench.run(&["history", "list", "history", "--json"]).json();
    let version = &answer["versions"][1];
    assert_eq!(
        (&version["rows"], &version["people"]),
        (&json!(14), &json!(6))
    );
    assert_eq!(version["since"]["grown"], 2);
    let check = bench.run(&["history", "check", "history", "--json"]).json();
    assert_eq!(
        (&check["verdict"], &check["columns"][0]["people"]),
        (&json!("holds"), &json!(6))
    );
    assert_eq!(check["columns"][0]["difference"]["least"], 2);
}

#[test]
fn what_a_history_of_people_refuses() {
    let bench = with_history();
    let publish = |key: &'static str| ["publish", "policy.toml", "--out", "v2", "--set", key];
    bench
        .run(&publish("privacy.rows=apart"))
        .refuses(2, "MG0135", &["rows = \"apart\""]);
    bench.run(&publish("data.person_scope=provider")).refuses(
        2,
        "MG0135",
        &["by the identifier alone"],
    );
    // labels do not say whose rows are whose
    let alone = bench.read("policy.toml");
    let alone = alone.split("[composition]").next().unwrap();
    bench.write("alone.toml", alone);
    bench.write("t.csv", versions("zqx2,32,gout\nzqx3,33,flu\n"));
    bench
        .run(&["publish", "alone.toml", "--out", "v2"])
        .exits(0);
    bench
        .run(&["history", "add", "history", "v2", "--policy", "policy.toml"])
        .refuses(2, "MG0135", &["finding people by labels again"]);
    // nobody said whose the rows are
    let unsaid = bench
        .read("policy.toml")
        .replacen("person = \"patient_id\"\n", "", 1);
    bench.write("unsaid.toml", unsaid);
    bench
        .run(&["publish", "unsaid.toml", "--out", "v3"])
        .refuses(2, "MG0213", &["`person` in [data]"]);
}

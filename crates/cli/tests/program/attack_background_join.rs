//! `mingle attack background-join`: a site that recognizes its own sensitive values in a joined
//! table.

use crate::common::{Bench, CANARY, Run};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The seven patients of the D2Pt paper.
const PATIENTS: &str = "\
id,zip,age,disease,treatment
1,12345,23,Gastric ulcer,Antacid
2,12345,29,Gastritis,Acid-reducing drug
3,12363,41,Flu,Antipyretic drug
4,12361,43,Stomach cancer,Cytostatic drug
5,12362,59,Pneumonia,Antibiotics
6,12471,52,Bronchitis,Antibiotics
7,12473,55,Flu,Antipyretic drug
";

/// The same in the groups of its MERGE.
const MERGED: &str = "\
zip,age,disease,treatment
1234*,[20-29],Gastric ulcer,Antacid
1234*,[20-29],Gastritis,Acid-reducing drug
12***,[40-59],Flu,Antipyretic drug
12***,[40-59],Stomach cancer,Cytostatic drug
12***,[40-59],Pneumonia,Antibiotics
12***,[40-59],Bronchitis,Antibiotics
12***,[40-59],Flu,Antipyretic drug
";

const POLICY: &str = "\
[data]
path = \"patients.csv\"
[columns.id]
role = \"identifier\"
[columns.zip]
role = \"quasi-identifier\"
kind = \"category\"
hierarchy = { mask = 4 }
[columns.age]
role = \"quasi-identifier\"
[columns.disease]
role = \"sensitive\"
[columns.treatment]
role = \"sensitive\"
[privacy]
k = 2
[method]
name = \"mondrian\"
";

fn patients() -> Bench {
    Bench::with(&[
        ("p.toml", POLICY),
        ("patients.csv", PATIENTS),
        ("merged.csv", MERGED),
    ])
}

fn attack(bench: &Bench, args: &[&str]) -> Run {
    bench.run(&[&["attack", "background-join"], args].concat())
}

fn table(bench: &Bench, args: &[&str]) -> Run {
    attack(
        bench,
        &[&["--table", "merged.csv", "--policy", "p.toml"], args].concat(),
    )
}

fn play<'a>(document: &'a Value, knows: &str) -> &'a Value {
    document["plays"]
        .as_array()
        .unwrap()
        .iter()
        .find(|p| p["knows"][0] == knows)
        .unwrap()
}

#[test]
fn the_paper_s_patients() {
    let run = table(&patients(), &["--json"]).refuses(
        1,
        "MG0307",
        &["merged.csv", "disease", "treatment of 7 people"],
    );
    let document = run.json();
    assert_eq!(document["schema"], "mingle.attack-background-join/1");
    assert_eq!(
        (&document["verdict"], &document["form"], &document["k"]),
        (&json!("fails"), &json!("linked"), &json!(2))
    );
    assert_eq!(
        (
            &document["groups"],
            &document["people"],
            &document["left_out"]
        ),
        (&json!(2), &json!(7), &json!(0))
    );
    let disease = play(&document, "disease");
    assert_eq!(
        (&disease["linked"]["newly"], &disease["linked"]["below_k"]),
        (&json!(7), &json!(5))
    );
    assert_eq!(
        (
            &disease["fragmented"]["certain"],
            &disease["outsider"]["certain"]
        ),
        (&json!(0), &json!(0))
    );
    assert_eq!(
        disease["fragmented"]["mean_posterior"],
        disease["outsider"]["mean_posterior"]
    );
    let treatment = play(&document, "treatment");
    assert_eq!(
        (
            &treatment["linked"]["newly"],
            &treatment["linked"]["below_k"]
        ),
        (&json!(5), &json!(3))
    );
    let inference = &document["inference"];
    assert_eq!(
        (&inference["candidates"], &inference["rows"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(
        inference["groups"],
        json!([{ "zip": "1234*", "age": "[20-29]" }])
    );
    let re_linked = &document["reconstructions"][0];
    assert_eq!(
        (&re_linked["people"], &re_linked["estimates"][0]["rounds"]),
        (&json!(7), &json!(1))
    );
}

#[test]
fn for_people() {
    let run = table(&patients(), &[]).exits(1);
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    for part in [
        "background join against a linked release, knowing all quasi-identifiers: fails",
        "who knows disease about treatment (7 people)",
        "  linked *                7         7         5         5    1.0000    1.0000",
        "  fragmented              0         0         0         0",
        "re-linked from fragments alone",
        "t-closeness does not help here",
    ] {
        assert!(run.out.contains(part), "{part:?} is not in\n{}", run.out);
    }
    let words = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let inference = "for example, whoever knows the disease of a certain person in the group zip 1234*, age [20-29]: 1 of \
                     2 rows has it, and with it stands the treatment";
    assert!(words.contains(inference), "{}", run.out);
}

#[test]
fn one_column_may_be_known() {
    let bench = patients();
    let document = table(&bench, &["--knows", "treatment", "--json"])
        .exits(1)
        .json();
    assert_eq!(document["plays"].as_array().unwrap().len(), 1);
    assert_eq!(document["plays"][0]["target"], "disease");
    // without quasi-identifiers everybody fits every row: flu goes with one treatment all the same
    let few = table(
        &bench,
        &["--knows", "disease", "--quasi-identifier", "age", "--json"],
    )
    .exits(1)
    .json();
    assert_eq!(few["quasi_identifiers"], json!(["age"]));
    assert_eq!(few["plays"][0]["linked"]["newly"], 7);
}

#[test]
fn a_table_that_withstands() {
    let rows = "1,1,a,x\n1,1,a,y\n1,1,b,x\n1,1,b,y\n";
    let policy = POLICY
        .replace("kind = \"category\"\nhierarchy = { mask = 4 }\n", "")
        .replace("[columns.id]\nrole = \"identifier\"\n", "");
    let header = "zip,age,disease,treatment\n";
    let text = format!("{header}{rows}");
    let bench = Bench::with(&[
        ("p.toml", &policy),
        ("patients.csv", &text),
        ("merged.csv", &text),
    ]);
    let run = table(&bench, &["--json"]).exits(0);
    assert_eq!(
        (&run.json()["verdict"], &run.json()["inference"]),
        (&json!("holds"), &Value::Null)
    );
    assert_eq!(run.err, "");
    assert!(
        table(&bench, &[])
            .exits(0)
            .out
            .contains("nobody is exposed who is not exposed to everybody")
    );
    // the same treatment for everybody is known without any join
    let same = format!("{header}1,1,a,x\n1,1,b,x\n");
    bench.write("patients.csv", &same);
    bench.write("merged.csv", &same);
    let known = table(&bench, &["--knows", "disease", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (
            &known["plays"][0]["linked"]["certain"],
            &known["plays"][0]["linked"]["newly"]
        ),
        (&json!(2), &json!(0))
    );
}

#[test]
fn a_release_and_its_fragmented_counterpart() {
    let bench = patients();
    bench
        .run(&["publish", "p.toml", "--out", "linked"])
        .exits(0);
    let linked = attack(&bench, &["linked", "--policy", "p.toml", "--json"])
        .exits(1)
        .json();
    let set = ["--set", "release.fragmented=true"];
    bench
        .run(&[&["publish", "p.toml", "--out", "apart"][..], &set].concat())
        .exits(0);
    let apart = attack(&bench, &["apart", "--policy", "p.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&linked["form"], &apart["form"]),
        (&json!("linked"), &json!("fragmented"))
    );
    assert_eq!(
        (&apart["verdict"], &apart["inference"]),
        (&json!("holds"), &Value::Null)
    );
    // both forms are played either way
    assert_eq!(linked["plays"], apart["plays"]);
    assert_eq!(linked["reconstructions"], apart["reconstructions"]);
    // without the private part the original tells who is in which group, unless labels overlap
    let public = attack(&bench, &["apart/public", "--policy", "p.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(public["plays"], apart["plays"]);
}

#[test]
fn fragments_with_overlapping_labels_need_the_private_part() {
    // made up without a pattern, so that labels overlap and counts do not decide
    let mut state = 1u64;
    let mut draw = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut row = |i| {
        format!(
            "{i},123{},{},d{},t{}\n",
            10 + draw(90),
            20 + draw(6),
            draw(3),
            draw(3)
        )
    };
    let rows: String = (0..600).map(&mut row).collect();
    let bench = patients();
    bench.write(
        "patients.csv",
        format!("id,zip,age,disease,treatment\n{rows}"),
    );
    let set = ["--set", "release.fragmented=true"];
    bench
        .run(&[&["publish", "p.toml", "--out", "apart"][..], &set].concat())
        .exits(0);
    let whole = attack(&bench, &["apart", "--policy", "p.toml", "--json"]);
    let overlapping = whole.json()["overlapping"].as_u64().unwrap();
    assert!(overlapping > 0, "choose another table for this test");
    attack(&bench, &["apart/public", "--policy", "p.toml"]).refuses(
        2,
        "MG0410",
        &["people fit several groups"],
    );
}

#[test]
fn columns_that_are_not_there() {
    let bench = patients();
    table(&bench, &["--knows", "diseas"]).refuses(
        2,
        "MG0601",
        &["no such column", "did you mean \"disease\""],
    );
    table(&bench, &["--knows", "zip"]).refuses(
        2,
        "MG0601",
        &["role is quasi-identifier", "disease, treatment"],
    );
    table(&bench, &["--knows", "id"]).refuses(2, "MG0601", &["role is identifier"]);
    table(&bench, &["--quasi-identifier", "disease"]).refuses(
        2,
        "MG0601",
        &["role is sensitive", "zip, age"],
    );
    table(&bench, &["--knows", "disease", "--knows", "treatment"]).refuses(
        2,
        "MG0409",
        &["nothing to learn"],
    );
}

#[test]
fn one_sensitive_column_is_nothing_to_join() {
    let bench = patients();
    let policy = POLICY.replace(
        "[columns.treatment]\nrole = \"sensitive\"",
        "[columns.treatment]\nrole = \"drop\"",
    );
    bench.write("p.toml", policy);
    table(&bench, &[]).refuses(2, "MG0409", &["1 sensitive column"]);
    bench.run(&["publish", "p.toml", "--out", "r"]).exits(0);
    attack(&bench, &["r", "--policy", "p.toml"]).refuses(2, "MG0409", &["nothing to join"]);
}

#[test]
fn another_table() {
    let bench = patients();
    bench.run(&["publish", "p.toml", "--out", "r"]).exits(0);
    let other = |from: &str, to: &str| bench.write("patients.csv", PATIENTS.replace(from, to));
    other("Stomach cancer", CANARY);
    attack(&bench, &["r", "--policy", "p.toml"]).refuses(
        2,
        "MG0406",
        &["no row of the original has"],
    );
    other("7,12473,55,Flu,Antipyretic drug\n", "");
    attack(&bench, &["r", "--policy", "p.toml"]).refuses(2, "MG0406", &["more than the 6 rows"]);
    other("3,12363,41", "3,12345,23");
    attack(&bench, &["r", "--policy", "p.toml"]).refuses(
        2,
        "MG0406",
        &["rows that the original does not have"],
    );
    bench.write("patients.csv", PATIENTS);
    let three = POLICY.replace(
        "[privacy]",
        "[columns.extra]\nrole = \"sensitive\"\n[privacy]",
    );
    bench.write("three.toml", three);
    bench.write(
        "patients.csv",
        PATIENTS.replace('\n', ",e\n").replacen(",e", ",extra", 1),
    );
    attack(&bench, &["r", "--policy", "three.toml"]).refuses(
        2,
        "MG0406",
        &["column extra is sensitive in only one"],
    );
}

#[test]
fn wrong_files() {
    let bench = patients();
    attack(&bench, &["nowhere", "--policy", "p.toml"]).refuses(2, "MG0404", &["nowhere"]);
    attack(&bench, &["--table", "gone.csv", "--policy", "p.toml"]).refuses(
        2,
        "MG0201",
        &["gone.csv"],
    );
    attack(&bench, &["--table", "merged.csv"]).refuses(2, "MG0601", &["--policy"]);
    attack(&bench, &["--table", "merged.csv", "--policy", "gone.toml"]).refuses(
        2,
        "MG0101",
        &["gone.toml"],
    );
    bench.run(&["publish", "p.toml", "--out", "r"]).exits(0);
    let data = bench.read("r/public/data.csv");
    bench.write("r/public/data.csv", data.replacen("Flu", "Gastritis", 1));
    attack(&bench, &["r", "--policy", "p.toml"]).refuses(1, "MG0304", &["r: "]);
}

#[test]
fn files_are_written_once_and_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let bench = patients();
    table(&bench, &["--csv", "e.csv", "--svg", "e.svg"])
        .exits(1)
        .says(&["written to e.csv", "written to e.svg"]);
    let text = bench.read("e.csv");
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap(),
        "knows,target,reader,people,certain,newly,below_k,alone,mean_posterior,largest_posterior"
    );
    assert_eq!(
        lines.nth(1).unwrap(),
        "disease,treatment,linked,7,7,7,5,5,1,1"
    );
    assert_eq!(text.lines().count(), 7);
    let svg = bench.read("e.svg");
    assert!(
        svg.starts_with("<svg")
            && svg.contains("fragmented")
            && svg.contains("probability of the true value")
    );
    for file in ["e.csv", "e.svg"] {
        assert_eq!(
            std::fs::metadata(bench.path(file))
                .unwrap()
                .permissions()
                .mode()
                & 0o077,
            0,
            "{file}"
        );
    }
    let before = bench.contents();
    table(&bench, &["--csv", "e.csv"]).refuses(2, "MG0401", &["e.csv"]);
    table(&bench, &["--svg", "merged.csv", "--force"]).refuses(2, "MG0401", &["merged.csv"]);
    table(&bench, &["--csv", "p.toml", "--force"]).refuses(2, "MG0401", &["p.toml"]);
    table(&bench, &["--csv", "x", "--svg", "x", "--force"]).refuses(
        2,
        "MG0401",
        &["x is given for two things"],
    );
    assert_eq!(bench.contents(), before);
    table(&bench, &["--csv", "e.csv", "--force"]).exits(1);
}

#[test]
fn values_come_out_only_when_asked_for() {
    let bench = patients();
    for file in ["patients.csv", "merged.csv"] {
        let text = bench.read(file);
        bench.write(
            file,
            text.replace("Gastric ulcer", CANARY)
                .replace("Antacid", CANARY),
        );
    }
    for args in [&["--json"][..], &[], &["-v"], &["--csv", "e.csv"]] {
        table(&bench, args).exits(1).shows_no_cell();
    }
    let shown = table(&bench, &["--show-values"]).exits(1).out;
    assert!(shown.contains(CANARY), "{shown}");
    let document = table(&bench, &["--show-values", "--json"]).exits(1).json();
    assert_eq!(
        document["inference"]["values"],
        json!({ "disease": CANARY, "treatment": CANARY })
    );
}

#[test]
fn thirty_thousand_people_are_quick() {
    let row = |i: u64| {
        let (zip, age) = (10_000 + i * 7919 % 90_000, 18 + i * 31 % 70);
        format!("{i},{zip},{age},d{},t{}\n", i * 17 % 14, i * 13 % 9)
    };
    let bench = patients();
    bench.write(
        "patients.csv",
        format!(
            "id,zip,age,disease,treatment\n{}",
            (0..30_000).map(row).collect::<String>()
        ),
    );
    bench
        .run(&["publish", "p.toml", "--out", "r", "--set", "privacy.k=5"])
        .exits(0);
    let started = Instant::now();
    let found = attack(&bench, &["r", "--policy", "p.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(found["people"], 30_000);
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}

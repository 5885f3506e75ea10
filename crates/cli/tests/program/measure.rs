//! Measuring releases and other tools' tables.

use crate::common::Bench;
use std::collections::BTreeSet;

#[test]
fn a_release_and_its_table_give_the_same_figures() {
    let bench = Bench::hospitals();
    let published = bench
        .run(&["publish", "policy.toml", "--out", "r", "--json"])
        .exits(0)
        .json();
    let measured = bench
        .run(&["measure", "r", "--policy", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(measured["schema"], "mingle.measure/1");
    for (key, value) in published["utility"].as_object().unwrap() {
        assert_eq!(&measured[key], value, "{key}");
    }
    let args = [
        "measure",
        "--table",
        "r/public/data.csv",
        "--policy",
        "policy.toml",
        "--json",
    ];
    assert_eq!(bench.run(&args).exits(0).json(), measured);
}

#[test]
fn the_papers_tables_by_hand() {
    let bench = Bench::hospitals();
    let of = |table: &str| {
        bench
            .run(&[
                "measure",
                "--table",
                table,
                "--policy",
                "policy.toml",
                "--json",
            ])
            .exits(0)
            .json()
    };
    let (a, b) = (of("t_a.csv"), of("t_b.csv"));
    // three groups of 3, 4 and 3 rows
    assert_eq!(
        (&a["discernibility"], &b["discernibility"]),
        (&34.into(), &34.into())
    );
    let close = |value: &serde_json::Value, expected: f64| {
        (value.as_f64().unwrap() - expected).abs() < 1e-9
    };
    // T_a: widths as the labels say, 10, 4 and 4 of 19 years; all ZIP codes hidden
    assert!(
        close(
            &a["ncp"]["columns"][0]["loss"],
            (3.0 * 10.0 + 4.0 * 4.0 + 3.0 * 4.0) / 19.0 / 10.0
        ),
        "{a}"
    );
    assert!(close(&a["ncp"]["columns"][1]["loss"], 1.0), "{a}");
    // T_b: all ages; ZIP codes: 3 rows hidden, 3 rows of the four 987**, 4 rows of the six 123**
    assert!(close(&b["ncp"]["columns"][0]["loss"], 1.0), "{b}");
    assert!(
        close(
            &b["ncp"]["columns"][1]["loss"],
            (3.0 + 3.0 * 0.4 + 4.0 * 0.6) / 10.0
        ),
        "{b}"
    );
}

#[test]
fn text_has_every_figure() {
    let bench = Bench::hospitals();
    let run = bench
        .run(&["measure", "--table", "t_a.csv", "--policy", "policy.toml"])
        .exits(0);
    for name in [
        "NCP",
        "discernibility",
        "group size over k",
        "non-uniform entropy",
        "query error",
    ] {
        assert!(run.out.contains(name), "{}", run.out);
    }
}

#[test]
fn other_data_is_refused() {
    let bench = Bench::hospitals();
    bench.write("other.csv", "age,zip,disease\nyoung,*,Flu\n");
    bench
        .run(&["measure", "--table", "other.csv", "--policy", "policy.toml"])
        .refuses(2, "MG0406", &["age"]);
    bench
        .run(&["measure", "nowhere", "--policy", "policy.toml"])
        .refuses(2, "MG0404", &["nowhere"]);
    bench
        .run(&["measure", "--table", "t_a.csv", "--policy", "table.toml"])
        .refuses(2, "MG0116", &["table.toml"]);
}

/// A category, an ordered one and one with a hierarchy, in labels of every form.
fn labelled_tables() -> Bench {
    let bench = Bench::new();
    let mut rows = String::from("city,grade,code,ill\n");
    for row in 0..300u64 {
        let city = (row * row * 31 + row * 7) % 101 % 14;
        let grade = (row * 17 + row * row) % 97 % 12;
        let code = 100 + (row * row * 13 + row) % 89 % 40;
        rows += &format!("c{city},g{grade},{code},i{}\n", row % 4);
    }
    bench.write("t.csv", rows);
    // from the last to the first, which no order of texts is
    let order: Vec<String> = (0..12).rev().map(|grade| format!("\"g{grade}\"")).collect();
    let policy = format!(
        "[data]\npath = \"t.csv\"\n[columns.city]\nrole = \"quasi-identifier\"\n\
         [columns.grade]\nrole = \"quasi-identifier\"\norder = [{}]\n\
         [columns.code]\nrole = \"quasi-identifier\"\nkind = \"category\"\nhierarchy = {{ mask = 3 }}\n\
         [columns.ill]\nrole = \"sensitive\"\n[privacy]\nk = 4\nl = {{ distinct = 2 }}\nm = 0\n",
        order.join(", ")
    );
    bench.write("policy.toml", policy);
    bench
}

/// What a label costs, from its text: how many of the column's values it stands for.
fn penalty_of_text(label: &str, values: &BTreeSet<String>) -> f64 {
    let prefix = label.trim_end_matches('*');
    let covered = if let Some(list) = label.strip_prefix('{') {
        list.split('|').count()
    } else if prefix.len() < label.len() {
        values
            .iter()
            .filter(|value| value.starts_with(prefix))
            .count()
    } else {
        1
    };
    if covered == 1 {
        0.0
    } else {
        covered as f64 / values.len() as f64
    }
}

#[test]
fn labels_of_every_form_are_verified_and_cost_what_they_say() {
    let bench = labelled_tables();
    let table = |text: &str| -> Vec<Vec<String>> {
        let lines = text.lines().skip(1);
        lines
            .map(|line| line.split(',').map(str::to_owned).collect())
            .collect()
    };
    let original = table(&bench.read("t.csv"));
    for (at, settings) in [
        &["--set", "method.max_label_values=3"][..],
        &["--set", "method.labels=\"sets\""][..],
        &[
            "--set",
            "method.labels=\"sets\"",
            "--set",
            "method.name=\"mondrian\"",
        ][..],
        &[
            "--set",
            "method.max_label_values=2",
            "--set",
            "method.name=\"microaggregation\"",
        ][..],
    ]
    .iter()
    .enumerate()
    {
        let out = format!("r{at}");
        let publish = ["publish", "policy.toml", "--out", &out];
        bench.run(&[&publish[..], settings].concat()).exits(0);
        bench.run(&["verify", &out]).exits(0);
        let published = table(&bench.read(&format!("{out}/public/data.csv")));
        let mut expected = 0.0;
        let mut sets = 0;
        for column in 0..3 {
            let values: BTreeSet<String> = original.iter().map(|row| row[column].clone()).collect();
            for row in &published {
                expected += penalty_of_text(&row[column], &values);
                sets += usize::from(row[column].starts_with('{'));
            }
        }
        expected /= (3 * original.len()) as f64;
        assert!(sets > 20, "{out}: {sets} sets");
        let measure = ["measure", &out, "--policy", "policy.toml", "--json"];
        let document = bench.run(&measure).exits(0).json();
        let ncp = document["ncp"]["overall"].as_f64().unwrap();
        assert!(
            (ncp - expected).abs() < 1e-9,
            "{out}: {ncp} measured, {expected} from the labels"
        );
    }
}

/// A table in which age says the disease, and four people are alone.
#[test]
fn who_is_singled_out_and_what_a_model_learns() {
    let mut rows = String::from("age,zip,disease\n");
    for i in 0..600 {
        let age = 20 + i % 60;
        let disease = if age < 50 { "flu" } else { "cold" };
        rows += &format!("{age},{},{disease}\n", 100 + i % 3);
    }
    rows += "99,100,flu\n98,101,cold\n97,102,flu\n96,100,cold\n";
    let policy = "[data]\npath = \"t.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
        [columns.zip]\nrole = \"quasi-identifier\"\n[columns.disease]\nrole = \"sensitive\"\n\
        [privacy]\nk = 4\n";
    let bench = Bench::with(&[("t.csv", &rows), ("p.toml", policy)]);
    bench.run(&["publish", "p.toml", "--out", "r"]).exits(0);
    let measure = ["measure", "r", "--policy", "p.toml"];
    let answer = bench
        .run(
            &[
                &measure[..],
                &["--population", "6040", "--target", "disease", "--json"],
            ]
            .concat(),
        )
        .exits(0)
        .json();
    let first = &answer["singling_out"][0];
    assert_eq!(first["columns"], serde_json::json!(["age"]));
    assert_eq!(
        (&first["original_alone"], &first["original_smallest"]),
        (&4.into(), &1.into())
    );
    assert!(first["released_smallest"].as_u64().unwrap() >= 4);
    let population = &answer["population"];
    assert_eq!(population["sample_uniques"], 4);
    assert_eq!(population["released_uniques"], 0);
    assert_eq!(population["sampling_fraction"], 0.1);
    assert!(population["zayatz"].as_f64().unwrap() > 0.0);
    let share = |key: &str| answer["models"][key].as_f64().unwrap();
    assert!(share("original") > 0.9, "{}", answer["models"]);
    assert!(
        share("released") > share("baseline") + 0.2,
        "{}",
        answer["models"]
    );
    let association = &answer["marginals"]["pairs"][0]["association"];
    assert!(association["original"].as_f64().unwrap() <= 1.0);
    // twice the same
    let again = bench.run(&[&measure[..], &["--target", "disease"]].concat());
    assert_eq!(
        again.exits(0).out,
        bench
            .run(&[&measure[..], &["--target", "disease"]].concat())
            .out
    );
    for (args, said) in [
        (&["--population", "603"][..], "--population"),
        (&["--target", "age"][..], "--target age"),
        (&["--target", "none"][..], "--target none"),
    ] {
        bench
            .run(&[&measure[..], args].concat())
            .refuses(2, "MG0601", &[said]);
    }
}

//! `mingle attack minimality`: a reader who knows the method and everybody's quasi-identifiers.

use crate::common::{Bench, CANARY, Run};
use serde_json::{Value, json};

/// Six people of 30 have one disease; two of 31 came along so that the group has two. Those of 50
/// and 60 stand alone.
const PEOPLE: &str = "\
age,disease
30,flu\n30,flu\n30,flu\n30,flu\n30,flu\n30,flu
31,cold\n31,ulcer
50,flu\n50,cold\n50,ulcer\n50,gout\n50,gout\n50,gout
60,flu\n60,cold\n60,ulcer\n60,gout\n60,cold
";

const MERGED: &str = "\
age,disease
[30-31],flu\n[30-31],flu\n[30-31],flu\n[30-31],flu\n[30-31],flu\n[30-31],flu
[30-31],cold\n[30-31],ulcer
50,flu\n50,cold\n50,ulcer\n50,gout\n50,gout\n50,gout
60,flu\n60,cold\n60,ulcer\n60,gout\n60,cold
";

const POLICY: &str = "\
[data]
path = \"people.csv\"
[columns.age]
role = \"quasi-identifier\"
[columns.disease]
role = \"sensitive\"
[privacy]
k = 5
l = { distinct = 2 }
[method]
name = \"mondrian\"
";

fn people() -> Bench {
    Bench::with(&[
        ("p.toml", POLICY),
        ("people.csv", PEOPLE),
        ("merged.csv", MERGED),
    ])
}

fn attack(bench: &Bench, args: &[&str]) -> Run {
    bench.run(&[&["attack", "minimality"], args].concat())
}

fn table(bench: &Bench, args: &[&str]) -> Run {
    attack(
        bench,
        &[&["--table", "merged.csv", "--policy", "p.toml"], args].concat(),
    )
}

#[test]
fn a_table_that_gives_six_people_away() {
    let bench = people();
    let document = table(&bench, &["--json"]).exits(1).json();
    assert_eq!(document["schema"], "mingle.attack-minimality/1");
    assert_eq!(
        (&document["verdict"], &document["confidence"]),
        (&json!("fails"), &json!(0.9))
    );
    assert_eq!(
        (
            &document["smallest"],
            &document["people"],
            &document["groups"]
        ),
        (&json!(5), &json!(19), &json!(3))
    );
    let play = &document["plays"][0];
    assert_eq!(play["rule"], "dense-tuple");
    assert_eq!(play["units"], json!({ "units": 3, "people": 17 }));
    for of_one in ["failing", "flagged", "flagged_failing"] {
        assert_eq!(play[of_one], json!({ "units": 1, "people": 6 }), "{of_one}");
    }
    // nothing that passes is flagged: the ratio is infinite, which JSON cannot say
    assert_eq!(
        (&play["precision"], &play["likelihood_ratio"]),
        (&json!(1.0), &Value::Null)
    );
    assert_eq!(
        play["targets"][0]["inferred"],
        json!({ "people": 6, "right": 6 })
    );
    assert_eq!(
        play["targets"][0]["mean"],
        json!({ "frequency": 0.75, "naive": 1.0, "calibrated": 1.0 })
    );
    let inference = &document["inference"];
    assert_eq!(inference["groups"], json!([{ "age": "[30-31]" }]));
    assert_eq!(
        (
            &inference["people"],
            &inference["right"],
            &inference["value"]
        ),
        (&json!(6), &json!(6), &Value::Null)
    );
    assert_eq!(
        document["sizes_alone_not_played"],
        "the method of a table is not known"
    );
}

#[test]
fn in_words() {
    let bench = people();
    let run = table(&bench, &[]).exits(1).says(&[
        "error[MG0307]: merged.csv: ",
        "90 % sure of the disease of 6 people",
        "hint: ",
    ]);
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    let words = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "minimality, by a reader who knows all quasi-identifiers and the method: fails",
        "flagged that fail 1 6",
        "base rate 0.3333, precision 1.0000, likelihood ratio infinite",
        "90 % 0 0 6 6 6 6",
        "for example, 6 people in the group age [30-31] share all quasi-identifiers and were not published by themselves: \
         one disease has 75.0 % of the rows, and is theirs with 100.0 %",
    ] {
        assert!(words.contains(part), "{part:?} is not in\n{}", run.out);
    }
}

#[test]
fn what_frequency_says_anyway_is_no_finding() {
    let bench = people();
    let found = table(&bench, &["--json", "--confidence", "0.7"])
        .exits(0)
        .json();
    assert_eq!(
        (&found["verdict"], &found["inference"]),
        (&json!("holds"), &Value::Null)
    );
    assert!(
        table(&bench, &["--confidence", "0.7"])
            .exits(0)
            .out
            .contains("nobody's value")
    );
    // five have the flu, so that no six can have the same
    bench.write("people.csv", PEOPLE.replacen("30,flu\n", "30,cold\n", 1));
    bench.write(
        "merged.csv",
        MERGED.replacen("[30-31],flu\n", "[30-31],cold\n", 1),
    );
    let found = table(&bench, &["--json"]).exits(0).json();
    assert_eq!(found["plays"][0]["flagged_failing"]["units"], 0);
    assert_eq!(
        found["plays"][0]["cleared"],
        json!({ "units": 1, "people": 6 })
    );
}

#[test]
fn releases_of_every_method() {
    let rows = |age: u32| {
        (0..4 + age % 5).map(move |at| format!("{age},d{}\n", at * (age % 7).min(1) + at % 2))
    };
    let text: String = (20..90).flat_map(rows).collect();
    let bench = people();
    bench.write("people.csv", format!("age,disease\n{text}"));
    for method in [
        "agglomerative",
        "mondrian",
        "provider-aware",
        "datafly",
        "microaggregation",
    ] {
        let set = format!("method.name={method}");
        bench
            .run(&["publish", "p.toml", "--out", method, "--set", &set])
            .exits(0);
        let run = attack(&bench, &[method, "--policy", "p.toml", "--json"]);
        assert!(run.exit == Some(0) || run.exit == Some(1), "{}", run.err);
        let found = run.json();
        assert_eq!(found["sizes_alone_not_played"], Value::Null, "{method}");
        let plays = found["plays"].as_array().unwrap();
        assert_eq!(
            plays.iter().map(|play| &play["rule"]).collect::<Vec<_>>(),
            ["dense-tuple", "sizes-alone"]
        );
        for play in plays {
            // what fails is never published by itself
            assert_eq!(play["failing"], play["flagged_failing"], "{method}");
            assert!(play["failing"]["units"].as_u64() <= play["flagged"]["units"].as_u64());
        }
    }
}

/// Microaggregation makes groups of single rows, so what a reader makes with sizes alone must be
/// made of single rows, too. Of every age three rows are alike and four make a group: where equal
/// rows were kept together, groups of six came out that nobody has published, and 48 people were
/// flagged in a release that is just what sizes alone give.
#[test]
fn sizes_alone_are_run_as_the_release_was_made() {
    let bench = people();
    let mut text = "age,disease\n".to_owned();
    for age in 20..36 {
        let row = format!("{age},d{}\n", age % 2);
        text.push_str(&row.repeat(3));
    }
    bench.write("people.csv", text);
    bench.write("sizes.toml", POLICY.replace("l = { distinct = 2 }\n", ""));
    let publish = |policy: &str, folder: &str| {
        let method = [
            "--set",
            "method.name=microaggregation",
            "--set",
            "privacy.k=4",
        ];
        let run = bench.run(&[&["publish", policy, "--out", folder], &method[..]].concat());
        run.exits(0);
        bench.read(&format!("{folder}/public/data.csv"))
    };
    assert_eq!(publish("p.toml", "r"), publish("sizes.toml", "sizes"));
    let found = attack(&bench, &["r", "--policy", "p.toml", "--json"])
        .exits(0)
        .json();
    let play = &found["plays"][1];
    assert_eq!(play["rule"], "sizes-alone");
    assert_ne!(play["units"]["units"], 0);
    assert_eq!(play["flagged"], json!({ "units": 0, "people": 0 }));
}

#[test]
fn promises_on_proportions_and_none() {
    let bench = people();
    for promise in [
        "max_frequency=0.7",
        "l={ entropy = 1.5 }",
        "t={ max = 0.6 }",
    ] {
        let text = POLICY.replace("l = { distinct = 2 }", &promise.replacen('=', " = ", 1));
        bench.write("other.toml", text);
        let run = attack(
            &bench,
            &["--table", "merged.csv", "--policy", "other.toml", "--json"],
        );
        let play = &run.json()["plays"][0];
        assert_eq!(play["flagged"]["units"], 1, "{promise}: {}", run.err);
    }
    bench.write("other.toml", POLICY.replace("l = { distinct = 2 }\n", ""));
    let run = attack(&bench, &["--table", "merged.csv", "--policy", "other.toml"]).exits(0);
    assert!(
        run.out.contains("no constraint looks at sensitive values"),
        "{}",
        run.out
    );
}

#[test]
fn insiders_are_another_reason() {
    let bench = people();
    let providers: Vec<String> = PEOPLE
        .lines()
        .skip(1)
        .zip((0..2).cycle())
        .map(|(row, p)| format!("{row},P{p}"))
        .collect();
    bench.write(
        "people.csv",
        format!("age,disease,site\n{}\n", providers.join("\n")),
    );
    bench.write(
        "p.toml",
        POLICY.replace(
            "path = \"people.csv\"",
            "path = \"people.csv\"\nprovider_column = \"site\"",
        ),
    );
    bench
        .run(&["publish", "p.toml", "--out", "r", "--set", "privacy.k=2"])
        .exits(0);
    let run = attack(&bench, &["r", "--policy", "p.toml"]);
    let words = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words
            .contains("not run with sizes alone: a reader does not know who contributed which row"),
        "{words}"
    );
    assert!(
        words.contains("m = 1: a tuple may also have been merged because of insiders"),
        "{words}"
    );
}

#[test]
fn rows_left_out() {
    let bench = people();
    let rest: String = MERGED
        .lines()
        .filter(|line| !line.starts_with("[30-31]"))
        .map(|line| format!("{line}\n"))
        .collect();
    bench.write("merged.csv", rest);
    let found = table(&bench, &["--json"]).exits(0).json();
    assert_eq!(found["records"], 11);
    assert_eq!(
        found["plays"][0]["unplaced"],
        json!({ "units": 1, "people": 6 })
    );
}

#[test]
fn another_table() {
    let bench = people();
    bench.write("people.csv", PEOPLE.replace("ulcer", CANARY));
    table(&bench, &[]).refuses(
        2,
        "MG0406",
        &["sensitive values that no row of the original has"],
    );
    bench.write("people.csv", PEOPLE.replace("60,flu\n", ""));
    table(&bench, &[]).refuses(2, "MG0406", &["more than the 18 rows"]);
    bench.write("people.csv", PEOPLE.replace("31,cold", "61,cold"));
    table(&bench, &[]).refuses(2, "MG0406", &["rows that the original does not have"]);
    bench.write("people.csv", PEOPLE.replace("60,", "99,"));
    table(&bench, &[]).refuses(2, "MG0406", &["column age, group 2"]);
}

#[test]
fn wrong_words_and_files() {
    let bench = people();
    for confidence in ["0", "1.5", "-1", "NaN"] {
        let run = table(&bench, &[&format!("--confidence={confidence}")]);
        run.refuses(2, "MG0601", &["is not a probability"]);
    }
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
    table(&bench, &["--csv", "p.toml", "--force"]).refuses(2, "MG0401", &["p.toml"]);
}

#[test]
fn a_file_with_all_levels() {
    let bench = people();
    table(&bench, &["--csv", "levels.csv"])
        .exits(1)
        .says(&["written to levels.csv"]);
    let text = bench.read("levels.csv");
    assert_eq!(
        text.lines().next().unwrap(),
        "rule,column,reader,confidence,people,right"
    );
    assert_eq!(text.lines().count(), 1 + 7 * 3);
    assert!(
        text.contains("dense-tuple,disease,calibrated,0.9,6,6\n"),
        "{text}"
    );
    table(&bench, &["--csv", "levels.csv"]).refuses(2, "MG0401", &["levels.csv"]);
}

#[test]
fn values_come_out_only_when_asked_for() {
    let bench = people();
    for file in ["people.csv", "merged.csv"] {
        let text = bench.read(file);
        bench.write(file, text.replace("flu", CANARY));
    }
    for args in [&["--json"][..], &[], &["-v"], &["--csv", "levels.csv"]] {
        table(&bench, args).exits(1).shows_no_cell();
    }
    assert!(!bench.read("levels.csv").contains(CANARY));
    assert!(
        table(&bench, &["--show-values"])
            .exits(1)
            .out
            .contains(CANARY)
    );
    assert_eq!(
        table(&bench, &["--show-values", "--json"]).exits(1).json()["inference"]["value"],
        CANARY
    );
}

//! Measuring releases and other tools' tables.

use crate::common::Bench;

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

//! `mingle attack intersection`: a reader who lays releases about the same people side by side.

use crate::common::{Bench, CANARY, Run};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// A copy of `examples/two-hospitals`, and more people.
fn hospitals() -> Bench {
    let bench = Bench::new();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two-hospitals");
    for file in std::fs::read_dir(example).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), bench.path(&file.file_name().to_string_lossy())).unwrap();
    }
    bench.write("more.csv", MORE);
    bench
}

/// Alice; Bob, whom the first hospital exposes alone; somebody who lives elsewhere; and two of whom
/// something is missing.
const MORE: &str = "\
name,zip,age,nationality,condition
Alice,13012,28,Japanese,AIDS
Bob,13055,36,Russian,Cancer
Carol,14801,50,American,Flu
Dan,?,32,Indian,Cancer
Eve,13068,29,American,?
";

fn attack(bench: &Bench, args: &[&str]) -> Run {
    bench.run(&[&["attack", "intersection"], args].concat())
}

/// Both hospitals over more people.
fn both(bench: &Bench, args: &[&str]) -> Run {
    attack(
        bench,
        &[
            &[
                "h1.csv",
                "h2.csv",
                "--policy",
                "policy.toml",
                "--population",
                "more.csv",
            ],
            args,
        ]
        .concat(),
    )
}

fn reader<'a>(document: &'a Value, choice: &str) -> &'a Value {
    let readers = document["attributes"][0]["readers"].as_array().unwrap();
    readers.iter().find(|r| r["choice"] == choice).unwrap()
}

#[test]
fn alice_has_aids() {
    let bench = hospitals();
    let people = [
        "h1.csv",
        "h2.csv",
        "--policy",
        "policy.toml",
        "--population",
        "people.csv",
    ];
    let shown = attack(
        &bench,
        &[&people[..], &["--without", "nationality", "--show-values"]].concat(),
    )
    .exits(1);
    let words = shown.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let inference = "the person in row 1 of people.csv (Alice) can be in 1 group of h1.csv with 3 values and in 1 group \
                     of h2.csv with 4 values: a single condition is in all of them: AIDS";
    assert!(words.contains(inference), "{}", shown.out);
    // neither who nor what unless asked for
    let hidden = attack(
        &bench,
        &[&people[..], &["--without", "nationality"]].concat(),
    );
    let hidden = hidden.refuses(
        1,
        "MG0307",
        &["only one value of condition remains for 1 of 1 people"],
    );
    for secret in ["AIDS", "Alice"] {
        assert!(
            !hidden.out.contains(secret) && !hidden.err.contains(secret),
            "{}",
            hidden.out
        );
    }
    assert!(
        hidden
            .out
            .contains("intersection of 2 releases over 1 person of people.csv"),
        "{}",
        hidden.out
    );
}

#[test]
fn everybody_is_counted_once() {
    let document = both(&hospitals(), &["--json", "--probabilistic"])
        .exits(1)
        .json();
    assert_eq!(document["schema"], "mingle.attack-intersection/1");
    assert_eq!(
        (
            &document["verdict"],
            &document["people"],
            &document["incomplete"]
        ),
        (&json!("fails"), &json!(5), &json!(1))
    );
    let union = reader(&document, "union");
    assert_eq!(
        (&union["by_releases"], &union["alone"], &union["apart"]),
        (&json!([2, 0, 3]), &json!(2), &json!(0))
    );
    assert_eq!(
        (
            &union["intersected"],
            &union["perfect"],
            &union["perfect_already"]
        ),
        (&json!(3), &json!(3), &json!(1))
    );
    assert_eq!(
        (&union["vulnerable"], &union["perfect_share"]),
        (&json!(2), &json!(0.6))
    );
    assert_eq!(union["posterior"], json!([{ "values": 1, "people": 3 }]));
    assert_eq!(
        union["confidence"],
        json!([{ "confidence": 1.0, "people": 3, "share": 0.6 }])
    );
    // of Eve nothing is known to compare with
    assert_eq!(
        union["truth"],
        json!({ "known": 2, "among": 2, "perfect": 2, "perfect_right": 2 })
    );
    assert_eq!(
        (
            &union["likeliest"]["people"],
            &union["likeliest"]["accuracy"]
        ),
        (&json!(3), &json!(1.0))
    );
    assert_eq!(document["attributes"][0]["worst"], "union");
    assert!(
        document["attributes"][0]["inference"]
            .get("value")
            .is_none()
    );
}

#[test]
fn for_people() {
    let run = both(&hospitals(), &["--probabilistic"]).exits(1);
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    for part in [
        "intersection of 2 releases over 5 people of more.csv: fails\n",
        "1 person without a value of some quasi-identifier",
        "h1.csv: 3 groups, 12 rows\n",
        "condition                                  union   most specific            true\n",
        "  who fit fewer than two                       2               2               2\n",
        "perfect breach                         3  60.0 %       3  60.0 %       3  60.0 %\n",
        "  by one release alone                 1  20.0 %       1  20.0 %       1  20.0 %\n",
        "perfect breaches that are true           100.0 %",
    ] {
        assert!(run.out.contains(part), "{part:?} is not in\n{}", run.out);
    }
    let one = both(&hospitals(), &["--choice", "most-specific", "--json"])
        .exits(1)
        .json();
    assert_eq!(one["attributes"][0]["readers"].as_array().unwrap().len(), 1);
}

#[test]
fn limits_decide() {
    let bench = hospitals();
    both(&bench, &["--max-perfect-breach", "0.6"]).exits(0);
    both(&bench, &["--max-perfect-breach", "0.59"]).refuses(1, "MG0307", &["3 of 5 people"]);
    let few = both(
        &bench,
        &["--max-perfect-breach", "1", "--min-posterior", "2"],
    );
    few.refuses(
        1,
        "MG0307",
        &["fewer than 2 values of condition remain for 3 of 5 people"],
    );
    both(&bench, &["--max-perfect-breach", "1.5"]).refuses(2, "MG0601", &["between 0 and 1"]);
    both(&bench, &["--min-posterior", "0"]).refuses(2, "MG0601", &["--min-posterior"]);
}

#[test]
fn each_person_in_the_order_of_the_file() {
    let bench = hospitals();
    both(&bench, &["--per-person", "people_out.csv"]).exits(1);
    let expected = "\
row,name,sensitive,choice,groups_1,prior_1,groups_2,prior_2,posterior,drop,perfect
1,Alice,condition,union,1,3,1,4,1,2,yes
2,Bob,condition,union,1,1,1,3,1,0,yes
3,Carol,condition,union,0,0,0,0,,,no
4,Dan,condition,union,0,0,0,0,,,no
5,Eve,condition,union,1,3,1,4,1,2,yes
";
    assert_eq!(bench.read("people_out.csv"), expected);
    // the other way round, with what is left
    let mut lines: Vec<&str> = MORE.lines().collect();
    lines[1..].reverse();
    bench.write("more.csv", lines.join("\n"));
    both(&bench, &["--per-person", "people_out.csv"]).refuses(
        2,
        "MG0401",
        &["people_out.csv exists"],
    );
    both(
        &bench,
        &[
            "--per-person",
            "people_out.csv",
            "--force",
            "--show-values",
            "--probabilistic",
        ],
    )
    .exits(1);
    let out = bench.read("people_out.csv");
    assert!(
        out.lines()
            .next()
            .unwrap()
            .ends_with(",perfect,likelihood,left"),
        "{out}"
    );
    assert_eq!(
        out.lines().last().unwrap(),
        "5,Alice,condition,union,1,3,1,4,1,2,yes,1.0000,AIDS"
    );
    both(&bench, &["--per-person", "more.csv", "--force"]).refuses(
        2,
        "MG0401",
        &["more.csv is given for two things"],
    );
}

#[test]
fn a_figure() {
    let bench = hospitals();
    both(&bench, &["--svg", "a.svg"]).exits(1);
    let svg = bench.read("a.svg");
    assert!(
        svg.starts_with("<svg") && svg.contains("confidence") && !svg.contains("AIDS"),
        "{svg}"
    );
}

#[test]
fn releases_that_withstand() {
    let bench = hospitals();
    // the second hospital has the first one's conditions in its younger group, and Bob's group has
    // company
    let second = bench
        .read("h2.csv")
        .replace("Tuberculosis", "Viral Infection")
        .replace("Flu", "Heart Disease");
    bench.write("h2.csv", second);
    let first = bench
        .read("h1.csv")
        .replacen("3*,*,Cancer", "3*,*,Viral Infection", 1);
    bench.write("h1.csv", first);
    let run = both(&bench, &["--json"]).exits(0);
    let document = run.json();
    assert_eq!(
        (
            &document["verdict"],
            &document["attributes"][0]["inference"]
        ),
        (&json!("holds"), &Value::Null)
    );
    assert_eq!(reader(&document, "union")["perfect"], 0);
    assert!(run.err.is_empty(), "{}", run.err);
}

const POLICY: &str = "\
[data]
path = \"a.csv\"
undeclared = \"drop\"
[columns.name]
role = \"identifier\"
[columns.age]
role = \"quasi-identifier\"
[columns.zip]
role = \"quasi-identifier\"
kind = \"category\"
hierarchy = { mask = 4 }
[columns.disease]
role = \"sensitive\"
[columns.job]
role = \"sensitive\"
[privacy]
k = 3
[method]
name = \"mondrian\"
";

/// Two tables that share people 100 to 199.
fn clinics() -> Bench {
    let row = |n: u32| {
        let disease =
            ["flu", "gout", "cold", "cancer", "asthma", "AIDS", "angina"][(n * n % 7) as usize];
        let job = ["clerk", "nurse", "pilot", "cook", "judge"][(n * 3 % 5) as usize];
        format!(
            "p{n},{},{},{disease},{job}\n",
            20 + n * 7 % 50,
            13000 + n * 37 % 80
        )
    };
    let table = |people: std::ops::Range<u32>| {
        let mut text = "name,age,zip,disease,job\n".to_owned();
        people.for_each(|n| text.write_str(&row(n)).unwrap());
        text
    };
    let policy = |file: &str| POLICY.replace("a.csv", file);
    let bench = Bench::with(&[
        ("a.csv", &table(0..200)),
        ("b.csv", &table(100..300)),
        ("both.csv", &table(100..200)),
        ("a.toml", &policy("a.csv")),
        ("b.toml", &policy("b.csv")),
    ]);
    bench.run(&["publish", "a.toml", "--out", "ra"]).exits(0);
    bench.run(&["publish", "b.toml", "--out", "rb"]).exits(0);
    bench
}

const OVER_BOTH: [&str; 4] = ["--policy", "a.toml", "--population", "both.csv"];

#[test]
fn releases_in_every_form_say_the_same() {
    let bench = clinics();
    let run = |releases: &[&str]| {
        attack(&bench, &[releases, &OVER_BOTH, &["--json"]].concat())
            .exits(1)
            .json()
    };
    let plain = run(&["ra", "rb"]);
    let columns: Vec<&Value> = plain["attributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|a| &a["column"])
        .collect();
    assert_eq!(columns, [&json!("disease"), &json!("job")]);
    let union = reader(&plain, "union");
    assert_eq!(
        (&union["people"], &union["by_releases"]),
        (&json!(100), &json!([0, 0, 100]))
    );
    // everybody is in both, so who takes all groups is never wrong
    assert_eq!(
        (&union["truth"]["among"], &union["apart"]),
        (&json!(100), &json!(0))
    );
    assert!(union["perfect"].as_u64().unwrap() > 0);
    let figures = |document: &Value| -> Vec<Value> {
        let mut attributes = document["attributes"].as_array().unwrap().clone();
        for reader in attributes
            .iter_mut()
            .flat_map(|a| a["readers"].as_array_mut().unwrap())
        {
            reader["releases"]
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .for_each(|r| r["name"] = Value::Null);
        }
        attributes.iter().map(|a| a["readers"].clone()).collect()
    };
    let expected = figures(&plain);
    for (out, set) in [
        ("parquet", "release.format=parquet"),
        ("fragmented", "release.fragmented=true"),
    ] {
        bench
            .run(&["publish", "b.toml", "--out", out, "--set", set])
            .exits(0);
        assert_eq!(figures(&run(&["ra", out])), expected, "{out}");
    }
    assert_eq!(
        figures(&run(&["ra/public", "rb/public"])),
        expected,
        "the public part alone"
    );
    assert_eq!(
        figures(&run(&["ra/public/data.csv", "rb/public/data.csv=b.toml"])),
        expected,
        "as tables of any tool"
    );
    let own = [
        "ra",
        "rb",
        "--policy",
        "a.toml",
        "--json",
        "--sensitive",
        "job",
    ];
    let own = attack(&bench, &own).exits(1).json();
    assert_eq!(
        (&own["people"], &own["attributes"][0]["column"]),
        (&json!(200), &json!("job"))
    );
}

#[test]
fn people_who_are_not_in_both_are_counted_apart() {
    let bench = Bench::with(&[
        (
            "p.toml",
            "[columns.age]\nrole = \"quasi-identifier\"\n[columns.d]\nrole = \"sensitive\"\n[privacy]\nk = 1\n",
        ),
        ("a.csv", "age,d\n[1-5],x\n[1-5],y\n[6-9],z\n"),
        ("b.csv", "age,d\n[1-5],z\n[1-5],w\n"),
        ("people.csv", "age\n1\n7\n90\n"),
        ("nobody.csv", "age\n50\n60\n"),
    ]);
    let run = attack(
        &bench,
        &[
            "a.csv",
            "b.csv",
            "--policy",
            "p.toml",
            "--population",
            "people.csv",
        ],
    )
    .exits(0);
    assert!(
        run.out.contains("nothing remains for anybody"),
        "{}",
        run.out
    );
    assert!(
        run.out
            .contains("  apart: nothing in common                     1               1\n"),
        "{}",
        run.out
    );
    let none = attack(
        &bench,
        &[
            "a.csv",
            "b.csv",
            "--policy",
            "p.toml",
            "--population",
            "nobody.csv",
        ],
    )
    .exits(0);
    assert!(
        none.out.contains("nobody fits groups of two releases"),
        "{}",
        none.out
    );
    none.says(&[
        "warning[MG0513]",
        "a.csv: no label of column \"age\" covers anybody",
    ]);
}

#[test]
fn columns_that_do_not_match_are_named() {
    let bench = clinics();
    let with = |text: &str| {
        attack(
            &bench,
            &[
                &["ra", "rb"],
                &["--policy", text, "--population", "both.csv"][..],
            ]
            .concat(),
        )
    };
    bench.write("noage.csv", "name,zip\np1,13001\n");
    let noage = attack(
        &bench,
        &[
            "ra",
            "rb",
            "--policy",
            "a.toml",
            "--population",
            "noage.csv",
        ],
    );
    noage.refuses(
        2,
        "MG0204",
        &[
            "noage.csv has no column \"age\", which is a quasi-identifier of ra",
            "--without age",
        ],
    );
    attack(
        &bench,
        &[
            "ra",
            "rb",
            "--policy",
            "a.toml",
            "--population",
            "noage.csv",
            "--without",
            "age",
        ],
    )
    .exits(0);
    bench.write(
        "c.toml",
        POLICY.replace(
            "[columns.age]\nrole = \"quasi-identifier\"",
            "[columns.age]\nrole = \"insensitive\"",
        ),
    );
    with("c.toml").refuses(
        2,
        "MG0411",
        &["ra: the policy does not declare its quasi-identifier \"age\""],
    );
    bench.write("t.csv", "age,zip,disease\n20,13000,flu\n");
    bench.write(
        "one.toml",
        POLICY.replace("[columns.job]\nrole = \"sensitive\"\n", ""),
    );
    let job = attack(
        &bench,
        &[
            "ra",
            "t.csv=one.toml",
            "--policy",
            "a.toml",
            "--sensitive",
            "job",
        ],
    );
    job.refuses(
        2,
        "MG0411",
        &["t.csv has no sensitive column \"job\"", "disease"],
    );
    bench.write(
        "other.toml",
        POLICY
            .replace("columns.disease", "columns.illness")
            .replace("columns.job", "columns.work"),
    );
    bench.write("o.csv", "age,zip,illness,work\n20,13000,flu,cook\n");
    let none = attack(&bench, &["ra", "o.csv=other.toml", "--policy", "a.toml"]);
    none.refuses(
        2,
        "MG0411",
        &["no sensitive column in common", "o.csv has illness, work"],
    );
    attack(&bench, &["ra", "t.csv", "--policy", "a.toml"]).refuses(2, "MG0204", &["t.csv", "job"]);
}

#[test]
fn what_is_coded_otherwise_is_named() {
    let bench = clinics();
    let header = "age,zip,disease,job\n";
    // other words for the same: none in common
    bench.write(
        "codes.csv",
        format!("{header}[20-70],*,J10,cook\n[20-70],*,M10,cook\n"),
    );
    let coded = attack(&bench, &[&["ra", "codes.csv"], &OVER_BOTH[..]].concat());
    coded.refuses(
        2,
        "MG0411",
        &["codes.csv and ra have no value of disease in common"],
    );
    // labels that are none, by the first line, and without the label
    let rows = format!(
        "[20-70],*,flu,cook\n[20-70],*,gout,cook\n{CANARY},*,flu,cook\n0{CANARY},*,flu,cook\n"
    );
    bench.write("labels.csv", format!("{header}{rows}"));
    let labels = attack(&bench, &[&["ra", "labels.csv"], &OVER_BOTH[..]].concat());
    labels.refuses(
        2,
        "MG0411",
        &["labels.csv, line 4: the label of column \"age\" cannot be read"],
    );
    // numbers where the population has text: nobody is found, and that is said
    bench.write("text.csv", "name,age,zip\np1,28 years,13001\n");
    let text = attack(
        &bench,
        &["ra", "rb", "--policy", "a.toml", "--population", "text.csv"],
    )
    .exits(0);
    text.says(&[
        "warning[MG0513]",
        "ra: no label of column \"age\" covers anybody",
    ]);
}

#[test]
fn wrong_input() {
    let bench = clinics();
    let with =
        |releases: &[&str], args: &[&str]| attack(&bench, &[releases, &OVER_BOTH, args].concat());
    with(&["ra"], &[]).refuses(2, "MG0601", &["needs at least two releases"]);
    with(&["ra", "nowhere"], &[]).refuses(2, "MG0201", &["cannot read nowhere"]);
    with(&["ra", "rb=b.toml"], &[]).refuses(2, "MG0601", &["rb is a release and says by itself"]);
    with(&["ra", "b.csv=none.toml"], &[]).refuses(2, "MG0101", &["none.toml"]);
    with(&["ra", "."], &[]).refuses(2, "MG0404", &["."]);
    with(&["ra", "rb"], &["--without", "agee"]).refuses(
        2,
        "MG0601",
        &["--without \"agee\"", "did you mean \"age\""],
    );
    with(&["ra", "rb"], &["--without", "age", "--without", "zip"]).refuses(
        2,
        "MG0411",
        &["no quasi-identifier"],
    );
    let population = |file: &str| {
        attack(
            &bench,
            &["ra", "rb", "--policy", "a.toml", "--population", file],
        )
    };
    population("gone.csv").refuses(2, "MG0201", &["cannot read gone.csv"]);
    bench.write("empty.csv", "name,age,zip\n");
    population("empty.csv").refuses(2, "MG0203", &["empty.csv"]);
    bench.write(
        "twice.csv",
        format!("name,age,age,zip\n{CANARY},20,20,13001\n"),
    );
    population("twice.csv").refuses(2, "MG0206", &["twice.csv", "columns 2, 3"]);
    bench.write("broken.csv", format!("name,age,zip\n{CANARY},20\n"));
    population("broken.csv").refuses(2, "MG0207", &["broken.csv", "line 2"]);
    bench.write("noise.parquet", "PAR1 and no more");
    population("noise.parquet").refuses(2, "MG0202", &["noise.parquet"]);
    bench.write("unvalued.csv", "name,age,zip\np1,20,13001\n");
    let unvalued = attack(
        &bench,
        &[
            "ra",
            "rb",
            "--policy",
            "a.toml",
            "--population",
            "unvalued.csv",
            "--choice",
            "true",
        ],
    );
    unvalued.refuses(
        2,
        "MG0601",
        &["--choice true: unvalued.csv has no column \"disease\""],
    );
    bench.write("notable.toml", POLICY.replace("path = \"a.csv\"\n", ""));
    let unsaid = attack(&bench, &["ra", "rb", "--policy", "notable.toml"]);
    unsaid.refuses(
        2,
        "MG0116",
        &["notable.toml names no table", "--population"],
    );
    bench.write(
        "ra/public/data.csv",
        bench.read("ra/public/data.csv").replacen("flu", "cold", 1),
    );
    with(&["ra", "rb"], &[]).refuses(1, "MG0304", &["ra"]);
}

#[test]
fn a_release_beside_itself() {
    let bench = clinics();
    let run = attack(
        &bench,
        &[&["ra", "ra/../ra", "--json"], &OVER_BOTH[..]].concat(),
    );
    let run = run.says(&["warning[MG0512]", "ra and ra/../ra are the same release"]);
    let union = &run.json()["attributes"][0]["readers"][0];
    // it says nothing new
    assert_eq!(
        (&union["vulnerable"], &union["mean_drop"]),
        (&json!(0), &json!(0.0))
    );
}

#[test]
fn suppressed_rows_are_people_who_are_not_found() {
    let bench = clinics();
    let args = [
        "publish",
        "b.toml",
        "--out",
        "less",
        "--set",
        "method.name=datafly",
        "--set",
        "method.max_suppressed=0.2",
    ];
    let published = bench.run(&args);
    // whether or not somebody was left out, everybody is accounted for
    if published.exit == Some(0) {
        let document = attack(
            &bench,
            &[&["ra", "less", "--json"], &OVER_BOTH[..]].concat(),
        )
        .json();
        let union = reader(&document, "union");
        let sum: u64 = union["by_releases"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .sum();
        assert_eq!(sum, 100);
        let parts = ["alone", "apart", "intersected"].map(|key| union[key].as_u64().unwrap());
        assert_eq!(parts.iter().sum::<u64>(), 100);
    }
    let cut: Vec<String> = bench
        .read("rb/public/data.csv")
        .lines()
        .enumerate()
        .filter(|(n, _)| n % 7 != 3)
        .map(|(_, l)| l.to_owned())
        .collect();
    bench.write("cut.csv", cut.join("\n"));
    let document = attack(
        &bench,
        &[&["ra", "cut.csv", "--json"], &OVER_BOTH[..]].concat(),
    )
    .json();
    assert_eq!(reader(&document, "union")["people"], 100);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let bench = clinics();
    let out = |threads: &str, file: &str| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_mingle"));
        let args = [
            "attack",
            "intersection",
            "ra",
            "rb",
            "--json",
            "--probabilistic",
            "--per-person",
            file,
        ];
        command
            .current_dir(bench.path(""))
            .env("RAYON_NUM_THREADS", threads)
            .args(args)
            .args(OVER_BOTH);
        let run = Run::new(command.output().unwrap());
        (run.out, bench.read(file))
    };
    assert_eq!(out("1", "one.csv"), out("16", "many.csv"));
}

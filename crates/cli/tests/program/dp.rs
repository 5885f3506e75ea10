//! Releases with noise: what is checked before the budget is spent, what is said, and that nothing
//! but noise comes out.

use crate::common::{Bench, CANARY, Run};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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
domain = { values = [\"f\", \"m\"], other = \"Other\", missing = true }
[columns.disease]
role = \"sensitive\"
domain = [\"flu\", \"cold\", \"none\"]
";

fn policy(dp: &str) -> String {
    format!("{COLUMNS}[dp]\n{dp}\n")
}

/// A thousand people, some of them outside of the domains, with cells that must not come out.
fn people() -> String {
    let row = |i: usize| {
        let sex = ["f", "m", "", CANARY][if i.is_multiple_of(100) { 3 } else { i % 3 }];
        let age = if i.is_multiple_of(200) { 170 } else { i % 90 };
        format!(
            "{CANARY}{i},{age},{sex},{}\n",
            ["flu", "cold", "none"][i % 3]
        )
    };
    format!(
        "pid,age,sex,disease\n{}",
        (1..=1000).map(row).collect::<String>()
    )
}

/// A table, a policy and a ledger with ε = 2 and δ = 1e-6.
fn bench(dp: &str) -> Bench {
    let bench = Bench::with(&[("people.csv", &people()), ("policy.toml", &policy(dp))]);
    let create = [
        "dp",
        "budget",
        "l",
        "--create",
        "--epsilon",
        "2",
        "--delta",
        "1e-6",
        "--name",
        "people",
    ];
    bench.run(&create).exits(0);
    bench
}

const SYNTHETIC: &str = "release = \"synthetic\"\nepsilon = 1\ndelta = 1e-6\nledger = \"l\"";

fn entries(bench: &Bench) -> usize {
    bench.read("l").lines().count() - 1
}

/// A refusal before anything is spent: the ledger and the folder are as they were.
#[track_caller]
fn refused(bench: &Bench, args: &[&str], exit: i32, code: &str, says: &[&str]) -> Run {
    let before = bench.contents();
    let run = bench.run(args).refuses(exit, code, says);
    let after = bench.contents();
    let changed: Vec<&String> = after
        .keys()
        .filter(|k| before.get(*k) != after.get(*k) && *k != "l.lock")
        .collect();
    assert_eq!(changed, [] as [&String; 0], "{args:?}");
    run
}

#[test]
fn every_kind_of_release_is_paid_for_and_published() {
    let bench = bench("epsilon = 0.3\ndelta = 1e-6\nledger = \"l\"\nperson = \"pid\"");
    for (nth, kind) in ["synthetic", "marginals", "histogram"].iter().enumerate() {
        let run = bench
            .run(&["dp", kind, "policy.toml", "--out", kind])
            .exits(0)
            .shows_no_cell();
        let lines = run.err.lines();
        assert!(
            lines.clone().all(|line| line.chars().count() <= 80),
            "{}",
            run.err
        );
        let run = run.says(&[
            "epsilon = 0.3, delta = 1e-6",
            "all but one",
            &format!("entry {}", nth + 1),
            "1000 read",
        ]);
        run.says(&[
            "age: 5 clamped",
            "sex: 10 counted as other",
            &format!("hand out {kind}/public"),
        ]);
        assert_eq!(entries(&bench), nth + 1);
        assert!(
            bench
                .path(&format!("{kind}/public/manifest.json"))
                .is_file()
        );
        assert!(
            bench
                .path(&format!("{kind}/private/manifest.json"))
                .is_file()
        );
    }
    for (name, bytes) in bench
        .contents()
        .iter()
        .filter(|(name, _)| name.contains("/public/"))
    {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        // a report's sentences may speak of ledgers
        let is_report = name.ends_with("report.html") || name.ends_with("report.json");
        let words: &[&str] = if is_report {
            &[]
        } else {
            &["pid", "ledger", "entry"]
        };
        for secret in [CANARY, "people.csv", "\"l\""].iter().chain(words) {
            assert!(!text.contains(secret), "{secret} in {name}");
        }
    }
}

#[test]
fn publish_does_the_same_as_dp() {
    let bench = bench(SYNTHETIC);
    let run = bench
        .run(&["publish", "policy.toml", "--out", "r", "--json"])
        .exits(0)
        .shows_no_cell();
    let document = run.json();
    assert_eq!(document["schema"], "mingle.dp/1");
    assert_eq!(
        (&document["kind"], &document["release"]),
        (&"synthetic".into(), &"r".into())
    );
    assert_eq!(document["guarantee"]["approximate"]["epsilon"], "1");
    assert_eq!(
        (&document["ledger"]["entry"], &document["rows"]),
        (&1.into(), &1000.into())
    );
    assert_eq!(document["columns"][0]["clamped"], 5);
    assert_eq!(document["columns"][1]["other"], 10);
    assert!(document["made"]["rows"].as_u64().unwrap() > 500);
    let header = bench
        .read("r/public/data.csv")
        .lines()
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(header, "age,sex,disease");
    // once more spends once more, into another folder or with --force
    refused(
        &bench,
        &["publish", "policy.toml", "--out", "r"],
        2,
        "MG0401",
        &["r"],
    );
    bench
        .run(&["publish", "policy.toml", "--out", "r", "--force"])
        .exits(0);
    assert_eq!(entries(&bench), 2);
}

#[test]
fn a_dry_run_spends_and_draws_nothing() {
    let bench = bench(SYNTHETIC);
    let before = bench.contents();
    let run = bench
        .run(&["dp", "synthetic", "policy.toml", "--dry-run", "--json"])
        .exits(0)
        .shows_no_cell();
    assert_eq!(run.json()["ledger"]["entry"], serde_json::Value::Null);
    assert!(run.json()["least_deviation"].as_f64().unwrap() > 1.0);
    let run = run.says(&[
        "dry run: nothing was spent",
        "enough for epsilon = 2",
        "age: 5 clamped",
    ]);
    assert!(
        run.err.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.err
    );
    bench
        .run(&["publish", "policy.toml", "--dry-run"])
        .exits(0)
        .says(&["dry run"]);
    assert!(
        before == bench.contents(),
        "nothing is written, not even a lock"
    );
}

#[test]
fn parameters_that_promise_nothing_are_refused_before_spending() {
    let bench = bench(SYNTHETIC);
    let out = ["dp", "synthetic", "policy.toml", "--out", "r"];
    let with = |more: &[&'static str]| [&out[..], more].concat();
    refused(
        &bench,
        &with(&["--epsilon", "0"]),
        2,
        "MG0107",
        &["--epsilon 0: ", "above 0"],
    );
    refused(
        &bench,
        &with(&["--epsilon", "-1"]),
        2,
        "MG0107",
        &["--epsilon -1: "],
    );
    refused(
        &bench,
        &with(&["--epsilon", "much"]),
        2,
        "MG0107",
        &["--epsilon much: "],
    );
    refused(
        &bench,
        &with(&["--delta", "1"]),
        2,
        "MG0107",
        &["--delta 1: ", "below 1"],
    );
    refused(&bench, &with(&["--rho", "0"]), 2, "MG0107", &["--rho 0: "]);
    refused(
        &bench,
        &with(&["--delta", "0.001"]),
        2,
        "MG0125",
        &["1000 people", "delta = 1e-4"],
    );
    refused(
        &bench,
        &with(&["--epsilon", "5"]),
        1,
        "MG0705",
        &["budget", "left"],
    );
}

#[test]
fn a_large_epsilon_is_said_in_odds() {
    let bench = Bench::with(&[
        ("people.csv", &people()),
        ("policy.toml", &policy("epsilon = 11\nledger = \"l\"")),
    ]);
    bench
        .run(&["dp", "budget", "l", "--create", "--epsilon", "100"])
        .exits(0);
    let run = bench
        .run(&["dp", "histogram", "policy.toml", "--out", "r"])
        .exits(0);
    run.says(&["warning[MG0130]", "59875 times"]);
    let run = bench
        .run(&[
            "dp",
            "histogram",
            "policy.toml",
            "--epsilon",
            "2",
            "--out",
            "s",
        ])
        .exits(0);
    assert!(!run.err.contains("MG0130"), "{}", run.err);
}

#[test]
fn ledgers_that_do_not_pay() {
    let bench = bench(SYNTHETIC);
    let out = ["dp", "synthetic", "policy.toml", "--out", "r"];
    let with = |more: &[&'static str]| [&out[..], more].concat();
    refused(
        &bench,
        &with(&["--ledger", "none"]),
        2,
        "MG0701",
        &["--create"],
    );
    bench.write("broken", bench.read("l").replace("people", "persons"));
    refused(
        &bench,
        &with(&["--ledger", "broken"]),
        2,
        "MG0702",
        &["broken", "line 1"],
    );
    bench
        .run(&["dp", "budget", "pure", "--create", "--epsilon", "1"])
        .exits(0);
    refused(&bench, &with(&["--ledger", "pure"]), 2, "MG0706", &["pure"]);
    bench.write("none.toml", policy("release = \"synthetic\"\nepsilon = 1"));
    let args = ["dp", "synthetic", "none.toml", "--out", "r"];
    refused(
        &bench,
        &args,
        2,
        "MG0124",
        &["none.toml:", "mingle dp budget FILE --create"],
    );
}

#[test]
fn a_ledger_is_not_replaced_together_with_a_release() {
    let bench = bench(SYNTHETIC);
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0);
    bench
        .run(&[
            "dp",
            "budget",
            "r/private/l",
            "--create",
            "--epsilon",
            "1",
            "--delta",
            "1e-6",
        ])
        .exits(0);
    let args = [
        "publish",
        "policy.toml",
        "--out",
        "r",
        "--force",
        "--set",
        "dp.ledger=r/private/l",
    ];
    refused(&bench, &args, 2, "MG0109", &["r/private/l is inside of r"]);
}

#[test]
fn bins_are_found_with_noise_and_paid_for() {
    let bench = bench(SYNTHETIC);
    bench.write(
        "policy.toml",
        policy(SYNTHETIC).replace("width = 20", "private_bins = 4"),
    );
    let plan = bench
        .run(&["dp", "histogram", "policy.toml", "--dry-run", "--json"])
        .exits(0);
    assert_eq!(plan.json()["columns"][0]["cells"], 4);
    plan.says(&["a part of the budget finds the bins of age"]);
    bench
        .run(&["dp", "histogram", "policy.toml", "--out", "r"])
        .exits(0)
        .says(&["finds the bins of age"]);
    let data = bench.read("r/public/data.csv");
    let ages: std::collections::BTreeSet<&str> = data
        .lines()
        .skip(1)
        .filter_map(|l| l.split(',').next())
        .collect();
    assert_eq!(ages.len(), 4, "{ages:?}");
}

#[test]
fn a_ledger_of_the_command_line_is_where_it_was_typed() {
    let bench = Bench::with(&[
        ("sub/people.csv", &people()),
        ("sub/policy.toml", &policy(SYNTHETIC)),
    ]);
    bench
        .run(&[
            "dp",
            "budget",
            "mine",
            "--create",
            "--epsilon",
            "1",
            "--delta",
            "1e-6",
        ])
        .exits(0);
    bench
        .run(&[
            "dp",
            "budget",
            "sub/l",
            "--create",
            "--epsilon",
            "1",
            "--delta",
            "1e-6",
        ])
        .exits(0);
    bench
        .run(&[
            "dp",
            "synthetic",
            "sub/policy.toml",
            "--out",
            "a",
            "--ledger",
            "mine",
        ])
        .exits(0);
    assert_eq!(
        (
            bench.read("mine").lines().count(),
            bench.read("sub/l").lines().count()
        ),
        (2, 1)
    );
    bench
        .run(&["dp", "synthetic", "sub/policy.toml", "--out", "b"])
        .exits(0);
    assert_eq!(bench.read("sub/l").lines().count(), 2);
}

#[test]
fn flags_count_more_than_the_file() {
    let bench =
        bench("release = \"synthetic\"\nrows = 7\nepsilon = 1\ndelta = 1e-6\nledger = \"l\"");
    let guarantee = |args: &[&str]| {
        let run = bench
            .run(
                &[
                    &["dp", "marginals", "policy.toml", "--dry-run", "--json"],
                    args,
                ]
                .concat(),
            )
            .exits(0);
        run.json()["guarantee"].clone()
    };
    assert_eq!(
        guarantee(&["--epsilon", "0.5"])["approximate"]["epsilon"],
        "0.5"
    );
    assert_eq!(
        guarantee(&["--epsilon", "0.2", "--delta", "0"])["pure"]["epsilon"],
        "0.2"
    );
    assert_eq!(guarantee(&["--rho", "0.01"])["concentrated"]["rho"], "0.01");
    assert_eq!(
        guarantee(&["--set", "dp.delta=1e-7"])["approximate"]["delta"],
        "1e-7"
    );
    let synthetic = bench
        .run(&["dp", "synthetic", "policy.toml", "--out", "r"])
        .exits(0);
    assert_eq!(
        bench.read("r/public/data.csv").lines().count(),
        8,
        "{}",
        synthetic.err
    );
}

#[test]
fn domains_are_declared_confirmed_and_readable() {
    let bench = bench(SYNTHETIC);
    let out = |file: &'static str| ["dp", "synthetic", file, "--out", "r"];
    let text = policy(SYNTHETIC);
    bench.write("none.toml", text.replace("domain", "# domain"));
    refused(
        &bench,
        &out("none.toml"),
        2,
        "MG0121",
        &["3 have none: `age`, `sex`, `disease`", "--domains"],
    );
    bench.write(
        "open.toml",
        text.replace("width = 20", "width = 20, confirmed = false"),
    );
    refused(
        &bench,
        &out("open.toml"),
        2,
        "MG0123",
        &["open.toml:7:", "`age`", "confirmed = true"],
    );
    bench.write("question.toml", text.replace("[\"flu\"", "[\"?\", \"flu\""));
    refused(
        &bench,
        &out("question.toml"),
        2,
        "MG0122",
        &["question.toml:13:", "place 1", "missing"],
    );
    bench.write(
        "tree.toml",
        text.replace("[\"flu\", \"cold\", \"none\"]", "\"hierarchy\""),
    );
    refused(
        &bench,
        &out("tree.toml"),
        2,
        "MG0122",
        &["names no hierarchy file"],
    );
    let with_file = |level: usize| {
        let domain = format!("{{ level = {level}, other = \"Other\" }}\nhierarchy = \"d.csv\"");
        text.replace("[\"flu\", \"cold\", \"none\"]", &domain)
    };
    bench.write("d.csv", "flu;ill;*\ncold;ill;*\nnone;well;*\n");
    bench.write("level.toml", with_file(1));
    bench.run(&out("level.toml")).exits(0);
    let data = bench.read("r/public/data.csv");
    assert!(
        data.contains(",ill\n") && data.contains(",well\n") && !data.contains("flu"),
        "{}",
        &data[..200]
    );
    bench.write("level.toml", with_file(3));
    let args = ["dp", "synthetic", "level.toml", "--out", "s"];
    refused(
        &bench,
        &args,
        2,
        "MG0122",
        &["d.csv, line 1", "the highest is 2"],
    );
    bench.write("level.toml", with_file(1));
    bench.write("d.csv", "flu;ill;*\ncold;ill;*\nflu;well;*\n");
    refused(&bench, &args, 2, "MG0122", &["twice, at place 3"]);
}

#[test]
fn tables_that_are_too_large_are_refused_with_their_size() {
    let column = |i: usize| {
        format!(
            "[columns.c{i}]\nrole = \"insensitive\"\ndomain = {{ from = 0, to = 999, bins = 1000 }}\n"
        )
    };
    let columns: String = (0..4).map(column).collect();
    let header = "c0,c1,c2,c3\n";
    let rows: String = (0..20).map(|i| format!("{i},{i},7,7\n")).collect();
    let policy =
        |dp: &str| format!("[data]\npath = \"t.csv\"\n{columns}[dp]\nledger = \"l\"\n{dp}");
    let bench = Bench::with(&[(
        "t.csv",
        &format!("{header}{rows}{}", "1,2,3,4\n".repeat(300)),
    )]);
    bench
        .run(&[
            "dp",
            "budget",
            "l",
            "--create",
            "--epsilon",
            "2",
            "--delta",
            "1e-6",
        ])
        .exits(0);
    bench.write("pure.toml", policy("epsilon = 1"));
    let trillion = ["1000000000000 cells"];
    refused(
        &bench,
        &["dp", "histogram", "pure.toml", "--out", "r"],
        4,
        "MG0127",
        &trillion,
    );
    let ways = [
        "dp",
        "marginals",
        "pure.toml",
        "--set",
        "dp.ways=3",
        "--out",
        "r",
    ];
    refused(&bench, &ways, 4, "MG0127", &["1000000000 cells"]);
    // with a delta only cells that hold someone are looked at
    bench.write("sparse.toml", policy("epsilon = 1\ndelta = 1e-6"));
    let run = bench
        .run(&["dp", "histogram", "sparse.toml", "--out", "r", "--json"])
        .exits(0);
    assert!(run.json()["made"]["threshold"].as_u64().unwrap() > 1);
    assert_eq!(run.json()["ledger"]["charged"]["delta"], "1e-7");
    let data = bench.read("r/public/data.csv");
    assert_eq!(data.lines().count(), 2, "the one large cell:\n{data}");
}

#[test]
fn who_is_one_person() {
    let table = |id: &dyn Fn(usize) -> String| {
        let rows: String = (0..100)
            .map(|i| format!("{},{},f,flu\n", id(i), i % 90))
            .collect();
        format!("pid,age,sex,disease\n{rows}")
    };
    let bench = bench(SYNTHETIC);
    // four rows of each, in different spelling
    bench.write(
        "people.csv",
        table(&|i| format!("{}{}", if i % 2 == 0 { "ANN " } else { "ann " }, i / 4)),
    );
    let run = bench
        .run(&["dp", "synthetic", "policy.toml", "--dry-run"])
        .exits(0);
    run.says(&[
        "warning[MG0131]",
        "person = \"pid\"",
        "each row is one person",
    ]);
    let bounded = [
        "dp",
        "synthetic",
        "policy.toml",
        "--dry-run",
        "--json",
        "--set",
        "dp.person=pid",
    ];
    let run = bench
        .run(&bounded)
        .exits(0)
        .says(&["75 left out: more than 1 of a person"]);
    assert_eq!(
        (
            &run.json()["rows_beyond_bound"],
            &run.json()["person_known"]
        ),
        (&75.into(), &true.into())
    );
    assert!(!run.err.contains("MG0131"));
    let three = [&bounded[..], &["--set", "dp.records_per_person=3"]].concat();
    assert_eq!(bench.run(&three).exits(0).json()["rows_beyond_bound"], 25);
    let word = [
        "dp",
        "synthetic",
        "policy.toml",
        "--dry-run",
        "--set",
        "dp.records_per_person=3",
    ];
    bench
        .run(&word)
        .exits(0)
        .says(&["nobody has more than 3 rows: your word"]);
    // 25 people, not 100 rows, are what delta is compared with
    let delta = [&bounded[..], &["--delta", "0.02", "--epsilon", "0.3"]].concat();
    bench.run(&delta).exits(0);
    let rows = [
        "dp",
        "synthetic",
        "policy.toml",
        "--dry-run",
        "--delta",
        "0.02",
        "--epsilon",
        "0.3",
    ];
    refused(&bench, &rows, 2, "MG0125", &["100 people", "delta = 1e-3"]);
    bench.write(
        "people.csv",
        table(&|i| if i == 7 { String::new() } else { i.to_string() }),
    );
    let run = bench.run(&bounded).exits(0).says(&[
        "warning[MG0133]",
        "1 row",
        "1 left out: without the identifier",
    ]);
    assert_eq!(run.json()["rows_of_unknown"], 1);
    bench.write("people.csv", table(&|_| String::new()));
    refused(
        &bench,
        &bounded,
        2,
        "MG0128",
        &["\"pid\"", "nothing was spent"],
    );
}

#[test]
fn many_values_outside_are_worth_a_warning() {
    let bench = bench(SYNTHETIC);
    let run = bench
        .run(&["dp", "synthetic", "policy.toml", "--dry-run"])
        .exits(0);
    assert!(!run.err.contains("MG0132"), "one in a hundred is none");
    bench.write(
        "people.csv",
        people().replace(",cold\n", &format!(",{CANARY}\n")),
    );
    let run = bench
        .run(&["dp", "synthetic", "policy.toml", "--dry-run"])
        .exits(0)
        .shows_no_cell();
    run.says(&["warning[MG0132]", "\"disease\": 33 %", "334 left out"]);
}

#[test]
fn nothing_that_a_cell_holds_is_an_error() {
    let bench = bench(SYNTHETIC);
    bench.write(
        "people.csv",
        "pid,age,sex,disease\n1,many,f,flu\n2,1e400,m,flu\n3,,\"a\nb\",flu\n4,=1+1,f,none\n",
    );
    let run = bench
        .run(&[
            "dp",
            "synthetic",
            "policy.toml",
            "--out",
            "r",
            "--set",
            "dp.delta=1e-7",
        ])
        .exits(0);
    run.says(&["4 read, 4 left out"]);
}

#[test]
fn tables_that_are_no_tables() {
    let bench = bench(SYNTHETIC);
    let args = ["dp", "synthetic", "policy.toml", "--out", "r"];
    bench.write("people.csv", "pid,age,sex,disease\n");
    refused(&bench, &args, 2, "MG0203", &["people.csv"]);
    bench.write("people.csv", "pid,age,sex\n1,2,f\n");
    refused(&bench, &args, 2, "MG0204", &["disease"]);
    bench.write("people.csv", "pid,age,sex,disease,more\n1,2,f,flu,x\n");
    refused(&bench, &args, 2, "MG0205", &["more"]);
    refused(
        &bench,
        &["dp", "synthetic", "policy.toml", "--out", "no/such/r"],
        2,
        "MG0402",
        &[],
    );
}

#[test]
fn groups_and_noise_are_not_mixed_up() {
    let bench = bench(SYNTHETIC);
    bench.write(
        "both.toml",
        format!("{}[privacy]\nk = 2\n", policy(SYNTHETIC)),
    );
    refused(
        &bench,
        &["publish", "both.toml", "--out", "r"],
        2,
        "MG0120",
        &["both.toml:19:", "both.toml:14:"],
    );
    bench.write("groups.toml", format!("{COLUMNS}[privacy]\nk = 2\n"));
    let args = [
        "dp",
        "synthetic",
        "groups.toml",
        "--out",
        "r",
        "--epsilon",
        "1",
        "--ledger",
        "l",
    ];
    refused(&bench, &args, 2, "MG0126", &["groups.toml:14:"]);
    bench
        .run(&["publish", "groups.toml", "--out", "g"])
        .exits(0);
    let table = ["verify", "--table", "people.csv", "--policy", "policy.toml"];
    refused(&bench, &table, 2, "MG0126", &["policy.toml:14:"]);
    bench.write(
        "method.toml",
        format!("{}[method]\nname = \"mondrian\"\n", policy(SYNTHETIC)),
    );
    refused(
        &bench,
        &["publish", "method.toml", "--out", "r"],
        2,
        "MG0108",
        &["method.toml:19:"],
    );
}

#[test]
fn two_runs_on_one_ledger_never_spend_more_than_there_is() {
    let bench = bench("release = \"histogram\"\nepsilon = 1.9\ndelta = 1e-6\nledger = \"l\"");
    let start = |out: &str| {
        let mut run = Command::new(env!("CARGO_BIN_EXE_mingle"));
        run.current_dir(bench.path(""))
            .args(["publish", "policy.toml", "--out", out]);
        run.stderr(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let runs = ["a", "b", "c", "d"].map(|out| (out, start(out)));
    let mut published = 0;
    for (out, run) in runs {
        let run = Run::new(run.wait_with_output().unwrap());
        match run.exit {
            Some(0) => published += 1,
            _ => assert!(run.exits(1).err.contains("MG0705") && !bench.path(out).exists()),
        }
    }
    assert_eq!((published, entries(&bench)), (1, 1));
}

/// Waits until the ledger has an entry; a release that is slow to write is then stopped.
fn stop_after_spending(bench: &Bench, script: &str, args: &[&str]) -> Run {
    let mut run = Command::new("bash");
    run.current_dir(bench.path(""))
        .args(["-c", script, env!("CARGO_BIN_EXE_mingle")])
        .args(args);
    let run = run
        .env("NO_COLOR", "1")
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while entries(bench) == 0 && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let _ = Command::new("kill")
        .args(["-INT", &run.id().to_string()])
        .status();
    Run::new(run.wait_with_output().unwrap())
}

#[test]
fn what_is_spent_before_ctrl_c_or_a_full_disk_stays_spent() {
    let many = "dp.rows=20000000";
    let slow = bench(SYNTHETIC);
    let args = [
        "dp",
        "synthetic",
        "policy.toml",
        "--out",
        "r",
        "--set",
        many,
    ];
    let run = stop_after_spending(&slow, "exec \"$0\" \"$@\"", &args)
        .exits(130)
        .shows_no_cell();
    let run = run.says(&[
        "the budget was spent: entry 1 of l; nothing was published",
        "spends again",
    ]);
    assert!(
        run.err.matches("error[").count() == 1 && !run.err.contains("nothing was written"),
        "{}",
        run.err
    );
    assert_eq!((entries(&slow), slow.path("r").exists()), (1, false));

    let full =
        bench("release = \"synthetic\"\nepsilon = 1\ndelta = 1e-6\nledger = \"l\"\nrows = 300000");
    let script = "trap '' XFSZ; ulimit -f 200; exec \"$0\" dp synthetic policy.toml --out r";
    let mut run = Command::new("bash");
    run.current_dir(full.path(""))
        .args(["-c", script, env!("CARGO_BIN_EXE_mingle")]);
    let run = Run::new(run.output().unwrap())
        .exits(4)
        .says(&["error[MG0403]", "the budget was spent: entry 1 of l"]);
    assert!(
        run.err.contains("spends again") && !full.path("r").exists() && entries(&full) == 1,
        "{}",
        run.err
    );
    // only the table, the policy, the ledger and its lock are left
    assert_eq!(full.contents().len(), 4, "{:?}", full.contents().keys());
}

/// The commands of the example's README.
#[test]
fn the_example_runs_as_it_says() {
    let bench = Bench::new();
    let example =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hospitals-dp");
    for file in std::fs::read_dir(&example)
        .unwrap()
        .map(|file| file.unwrap().path())
    {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        bench.write(&name, std::fs::read(&file).unwrap());
    }
    let readme = bench.read("README.md");
    let commands: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("    mingle "))
        .collect();
    assert!(commands.len() > 5);
    for command in commands {
        let run = bench.run(&command.split(' ').collect::<Vec<_>>()).exits(0);
        assert!(!run.err.contains("warning["), "{command}: {}", run.err);
    }
    let records = bench.read("release/public/data.csv").lines().count();
    assert!((19_000..21_000).contains(&records), "{records}");
}

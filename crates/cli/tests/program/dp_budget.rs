//! `mingle dp budget` and `mingle dp compose`: the ledger on the command line, and many runs that
//! want the last of it.

use crate::common::{Bench, CANARY, forbid, is_root};
use serde_json::Value;
use std::process::{Child, Command, Stdio};

const POLICY: &str = r#"
[data]
path = "people.csv"
[columns.sex]
role = "quasi-identifier"
domain = ["f", "m"]
[columns.ill]
role = "sensitive"
domain = { values = ["yes", "no"], other = "other" }
[dp]
release = "marginals"
epsilon = 0.05
ledger = "people.ledger"
[release]
format = "csv"
"#;

/// Forty people, a policy, and a ledger with a budget.
fn people(budget: &[&str]) -> Bench {
    let rows: String = (0..40)
        .map(|i| format!("{},{}\n", ["f", "m"][i % 2], ["yes", "no", CANARY][i % 3]))
        .collect();
    let bench = Bench::with(&[
        ("people.csv", &format!("sex,ill\n{rows}")),
        ("policy.toml", POLICY),
    ]);
    let create = [
        "dp",
        "budget",
        "people.ledger",
        "--create",
        "--name",
        "people",
    ];
    bench.run(&[&create[..], budget].concat()).exits(0);
    bench
}

fn spend(bench: &Bench, kind: &str, out: &str, flags: &[&str]) {
    bench
        .run(&[&["dp", kind, "policy.toml", "--out", out], flags].concat())
        .exits(0)
        .shows_no_cell();
}

fn narrow(text: &str) {
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn a_ledger_is_made_shown_and_never_overwritten() {
    let bench = people(&["--epsilon", "1"]);
    bench
        .run(&[
            "dp",
            "budget",
            "people.ledger",
            "--create",
            "--epsilon",
            "9",
        ])
        .refuses(2, "MG0707", &["already"]);
    for _ in 0..2 {
        spend(&bench, "marginals", "out", &["--epsilon", "0.3", "--force"]);
    }
    let shown = bench.run(&["dp", "budget", "people.ledger"]).exits(0).out;
    for part in [
        "people\n",
        "budget   ε 1\n",
        "    2 20",
        "spent    ε 0.6\n",
        "left     ε 0.4\n",
        "pure ε 0.4",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    narrow(&shown);
    let json = bench
        .run(&["dp", "budget", "people.ledger", "--json"])
        .exits(0)
        .json();
    assert_eq!(json["schema"], "mingle.dp-budget/1");
    assert_eq!(json["spent"]["amount"], "0.6");
    assert_eq!(json["entries"][1]["entry"], 2);
    assert_eq!(json["entries"][1]["label"], "out");
    assert_eq!(json["possible"]["approximate"], Value::Null);
    bench
        .run(&[
            "dp",
            "marginals",
            "policy.toml",
            "--out",
            "more",
            "--epsilon",
            "0.4001",
        ])
        .refuses(
            1,
            "MG0705",
            &["ε 0.4001 asked for, ε 0.4 left", "nothing was spent"],
        );
    assert!(!bench.path("more").exists());
    spend(&bench, "marginals", "more", &["--epsilon", "0.4"]);
    let empty = bench.run(&["dp", "budget", "people.ledger"]).exits(0).out;
    assert!(
        empty.contains("no further release can be paid for"),
        "{empty}"
    );
}

#[test]
fn budgets_on_the_command_line() {
    let bench = Bench::new();
    let create = |name: &str, flags: &[&str]| {
        bench.run(&[&["dp", "budget", name, "--create"], flags].concat())
    };
    let basic = create(
        "b",
        &[
            "--epsilon",
            "1",
            "--delta",
            "1e-9",
            "--accounting",
            "basic",
            "--json",
        ],
    )
    .exits(0)
    .json();
    assert_eq!(
        (&basic["accounting"], &basic["limit"]["amount"]),
        (&"basic".into(), &"1".into())
    );
    let concentrated = create("c", &["--epsilon", "1", "--delta", "1e-9", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&concentrated["accounting"], &concentrated["limit"]["unit"]),
        (&"concentrated".into(), &"rho".into())
    );
    assert_eq!(concentrated["possible"]["approximate"]["epsilon"], "1");
    let rho = create("r", &["--rho", "0.1", "--json"]).exits(0).json();
    assert_eq!(rho["budget"]["concentrated"]["rho"], "0.1");
    create("x", &[]).refuses(2, "MG0601", &["needs a budget"]);
    create("x", &["--epsilon", "0"]).refuses(2, "MG0601", &["--epsilon must be above 0"]);
    create("x", &["--rho", "0"]).refuses(2, "MG0601", &["--rho must be above 0"]);
    for delta in ["1", "1.5", "0.9999999999999999999999999"] {
        create("x", &["--epsilon", "1", "--delta", delta]).refuses(
            2,
            "MG0601",
            &["--delta must be", "below 1"],
        );
    }
    for (flag, value) in [
        ("--epsilon", "-1"),
        ("--rho", "-0.1"),
        ("--epsilon", "-inf"),
    ] {
        let run = create("x", &[flag, value]).exits(2).says(&[
            flag,
            value,
            "must be a number",
            "from 0 to",
        ]);
        assert!(!run.err.contains("tip:"), "{}", run.err);
    }
    create("x", &["--epsilon", "1", "--delta", "-1"])
        .exits(2)
        .says(&["--delta", "must be a number"]);
    let quiet = create("q", &["--epsilon", "1", "-q"]).exits(0);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    assert!(
        bench
            .run(&["dp", "budget", "q", "-q"])
            .exits(0)
            .out
            .contains("ε 1")
    );
    assert_eq!(
        create("qj", &["--epsilon", "1", "-q", "--json"])
            .exits(0)
            .json()["limit"]["amount"],
        "1"
    );
    for flags in [
        &["--epsilon", "-1"][..],
        &["--epsilon", "nan"],
        &["--epsilon", "1e9"],
        &["--epsilon", "1", "--rho", "1"],
        &["--delta", "1e-9"],
        &["--rho", "1", "--delta", "1e-9"],
    ] {
        assert_eq!(create("x", flags).exit, Some(2), "{flags:?}");
    }
    assert!(!bench.path("x").exists());
    bench.run(&["dp", "budget", "b", "--epsilon", "1"]).exits(2);
    create("no/such/x", &["--epsilon", "1"]).refuses(2, "MG0402", &["cannot find its folder"]);
}

#[test]
fn ledgers_that_cannot_be_used_say_why() {
    let bench = people(&["--epsilon", "1"]);
    spend(&bench, "marginals", "out", &[]);
    let good = bench.read("people.ledger");
    let cases: [(&str, Vec<u8>, &str); 7] = [
        ("empty", Vec::new(), "the file is empty"),
        ("zeros", vec![0; 100], "line 1: this is not a ledger"),
        (
            "changed",
            good.replace("0.05", "0.01").into_bytes(),
            "line 2: the line was changed",
        ),
        (
            "cut",
            good.as_bytes()[..good.len() - 9].to_vec(),
            "line 2: the line is cut short",
        ),
        (
            "latin",
            [good.as_bytes(), b"\xe4\n"].concat(),
            "line 3: not UTF-8",
        ),
        (
            "table",
            format!("a,b\n{CANARY},1\n").into_bytes(),
            "line 1: this is not a ledger",
        ),
        (
            "newer",
            good.replacen("ledger/1", "ledger/9", 1).into_bytes(),
            "another version",
        ),
    ];
    for (name, bytes, says) in cases {
        bench.write(name, &bytes);
        bench
            .run(&["dp", "budget", name])
            .refuses(2, "MG0702", &[name, says]);
        let run = bench.run(&[
            "dp",
            "marginals",
            "policy.toml",
            "--out",
            "never",
            "--ledger",
            name,
        ]);
        run.refuses(2, "MG0702", &[says]);
        assert_eq!(std::fs::read(bench.path(name)).unwrap(), bytes);
    }
    bench.run(&["dp", "budget", "none"]).refuses(
        2,
        "MG0701",
        &["there is no such ledger", "--create"],
    );
    bench
        .run(&["dp", "budget", "."])
        .refuses(2, "MG0702", &["this is not a file"]);
    // an older copy is put back
    spend(&bench, "marginals", "out2", &[]);
    bench.write("people.ledger", &good);
    let run = bench.run(&["dp", "marginals", "policy.toml", "--out", "never"]);
    run.refuses(2, "MG0704", &["it has 1 entries, and had 2"]);
    assert!(!bench.path("never").exists());
}

#[test]
fn a_folder_that_must_not_be_written_to() {
    let bench = people(&["--epsilon", "1"]);
    if is_root() {
        return;
    }
    let home = bench.path("closed");
    std::fs::create_dir(&home).unwrap();
    std::fs::rename(bench.path("people.ledger"), home.join("people.ledger")).unwrap();
    forbid(&home);
    let run = bench.run(&[
        "dp",
        "marginals",
        "policy.toml",
        "--out",
        "never",
        "--ledger",
        "closed/people.ledger",
    ]);
    assert_eq!(run.exit, Some(2));
    assert!(!bench.path("never").exists());
}

/// As many runs succeed as there is room for, whatever else is going on.
#[test]
fn sixty_processes_and_room_for_twenty() {
    let bench = people(&["--epsilon", "1"]);
    let start = |at: usize| -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mingle"));
        command.current_dir(bench.path("")).args([
            "-q",
            "dp",
            "marginals",
            "policy.toml",
            "--threads",
            "1",
            "--out",
        ]);
        command
            .arg(format!("out{at}"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children: Vec<Child> = (0..60).map(start).collect();
    let ended: Vec<std::process::Output> = children
        .into_iter()
        .map(|child| child.wait_with_output().unwrap())
        .collect();
    let paid: Vec<usize> = (0..60).filter(|&at| ended[at].status.success()).collect();
    assert_eq!(paid.len(), 20);
    for (at, run) in ended.iter().enumerate() {
        assert_eq!(bench.path(&format!("out{at}")).exists(), paid.contains(&at));
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(paid.contains(&at) || said.contains("MG0705"), "{said}");
    }
    let json = bench
        .run(&["dp", "budget", "people.ledger", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&json["spent"]["amount"], &json["left"]["amount"]),
        (&"1".into(), &"0".into())
    );
    assert_eq!(json["entries"].as_array().unwrap().len(), 20);
}

#[test]
fn releases_add_up() {
    let bench = people(&["--epsilon", "5", "--delta", "1e-6"]);
    spend(
        &bench,
        "synthetic",
        "first",
        &["--epsilon", "0.5", "--delta", "1e-9"],
    );
    spend(&bench, "marginals", "second", &["--epsilon", "0.2"]);
    let run = bench
        .run(&["dp", "compose", "first", "second/public"])
        .exits(0);
    narrow(&run.out);
    for part in [
        "basic         ε 0.7 at δ 1e-9",
        "concentrated",
        "together",
        "Theorem 15",
        "a suspicion of 50 %",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let json = bench
        .run(&["dp", "compose", "first", "second", "--json"])
        .exits(0)
        .json();
    assert_eq!(json["schema"], "mingle.dp-compose/1");
    assert_eq!(
        (&json["basic"]["epsilon"], &json["basic"]["delta"]),
        (&"0.7".into(), &"1e-9".into())
    );
    assert_eq!(
        (&json["delta"], &json["semantics"]["statement"]),
        (&"1e-9".into(), &"Theorem 15".into())
    );
    let epsilon: f64 = json["epsilon"].as_str().unwrap().parse().unwrap();
    assert!((0.5..=0.7).contains(&epsilon));
    // a ledger stands for its releases, and a release that is in it is counted once
    let ledger = bench
        .run(&["dp", "compose", "people.ledger", "--json"])
        .exits(0)
        .json();
    let all = bench
        .run(&[
            "dp",
            "compose",
            "first",
            "people.ledger",
            "second",
            "second/public",
            "--json",
        ])
        .exits(0);
    assert_eq!(
        (
            &ledger["epsilon"],
            ledger["releases"].as_array().unwrap().len()
        ),
        (&json["epsilon"], 2)
    );
    assert_eq!(all.json()["epsilon"], json["epsilon"]);
    assert_eq!(all.err.matches("MG0710").count(), 3, "{}", all.err);
    // pure releases need no δ
    let pure = bench
        .run(&["dp", "compose", "second", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&pure["epsilon"], &pure["delta"], &pure["rule"]),
        (&"0.2".into(), &"0".into(), &"basic".into())
    );
    assert_eq!(pure["semantics"]["statement"], "Proposition 14");
    assert_eq!(pure["semantics"]["vacuous"], false);
}

#[test]
fn what_cannot_be_added_up() {
    let bench = people(&["--epsilon", "5", "--delta", "1e-6"]);
    spend(
        &bench,
        "synthetic",
        "noisy",
        &["--epsilon", "0.5", "--delta", "1e-9"],
    );
    for delta in ["0", "1", "7"] {
        let run = bench.run(&["dp", "compose", "noisy", "--delta", delta]);
        run.refuses(1, "MG0709", &[&format!("at δ = {delta}")]);
    }
    bench.run(&["dp", "compose"]).exits(2);
    bench
        .run(&["dp", "compose", "nowhere"])
        .refuses(2, "MG0701", &["nowhere"]);
    bench.write("folder/x", "");
    bench.run(&["dp", "compose", "folder"]).exits(2);
    bench.write(
        "people_k.toml",
        POLICY.split("[dp]").next().unwrap().to_owned() + "[privacy]\nk = 2\n",
    );
    bench
        .run(&["publish", "people_k.toml", "--out", "groups"])
        .exits(0);
    let run = bench.run(&["dp", "compose", "noisy", "groups"]);
    let run = run.refuses(1, "MG0709", &["not differentially private: groups"]);
    assert!(!run.out.contains("together"), "{}", run.out);
    let json = bench
        .run(&["dp", "compose", "groups", "noisy", "--json"])
        .exits(1)
        .json();
    assert_eq!(
        (&json["epsilon"], &json["rule"]),
        (&Value::Null, &Value::Null)
    );
    // a manifest that somebody has been at promises nothing
    let manifest = bench.read("noisy/public/manifest.json");
    bench.write(
        "noisy/public/manifest.json",
        manifest.replacen("\"0.5\"", "\"0.1\"", 1),
    );
    assert_eq!(bench.run(&["dp", "compose", "noisy"]).exit, Some(2));
}

#[test]
fn different_units_are_named() {
    let bench = people(&["--epsilon", "5"]);
    spend(&bench, "marginals", "one", &[]);
    spend(
        &bench,
        "marginals",
        "three",
        &["--set", "dp.records_per_person=3"],
    );
    let run = bench
        .run(&["dp", "compose", "one", "three"])
        .exits(0)
        .says(&["MG0711", "who has one record"]);
    assert!(run.out.contains("by the stewards' word"), "{}", run.out);
}

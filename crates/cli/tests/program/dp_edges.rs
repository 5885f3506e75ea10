//! The edges of releases with noise: limits, rows of nobody, spellings, and how amounts are said.

use crate::common::{Bench, CANARY, Run, is_root};
use std::os::unix::fs::PermissionsExt;

/// Two hundred people and a ledger of ε = 20 and δ = 1e-6.
fn bench() -> Bench {
    let rows: String = (0..200)
        .map(|i| format!("{CANARY}{i},{},{}\n", i % 90, ["f", "m"][i % 2]))
        .collect();
    let bench = Bench::with(&[("people.csv", &format!("pid,age,sex\n{rows}"))]);
    bench
        .run(&[
            "dp",
            "budget",
            "l",
            "--create",
            "--epsilon",
            "20",
            "--delta",
            "1e-6",
        ])
        .exits(0);
    bench
}

const AGE: &str = "{ from = 0, to = 100, width = 20 }";

/// A policy whose `[dp]` starts in line 11.
fn policy(age: &str, dp: &str) -> String {
    format!(
        "[data]\npath = \"people.csv\"\n[columns.pid]\nrole = \"identifier\"\n[columns.age]\nrole = \"insensitive\"\n\
         domain = {age}\n[columns.sex]\nrole = \"sensitive\"\ndomain = [\"f\", \"m\"]\n[dp]\nledger = \"l\"\n{dp}\n"
    )
}

#[track_caller]
fn run(bench: &Bench, kind: &str, age: &str, dp: &str, more: &[&str]) -> Run {
    bench.write("p.toml", policy(age, dp));
    let run = bench
        .run(&[&["dp", kind, "p.toml"], more].concat())
        .shows_no_cell();
    assert!(!run.err.contains(" \n"), "trailing blanks:\n{}", run.err);
    run
}

#[track_caller]
#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
fn refused(
    bench: &Bench,
    kind: &str,
    age: &str,
    dp: &str,
    exit: i32,
    code: &str,
    says: &[&str],
) -> Run {
    let ledger = bench.read("l");
    let run = run(bench, kind, age, dp, &["--out", "r"]).refuses(exit, code, says);
    assert!(bench.read("l") == ledger && !bench.path("r").exists());
    run
}

#[test]
fn what_is_too_large_is_said_with_what_would_fit() {
    let bench = bench();
    let fine = "{ from = 0, to = 9999, bins = 10000 }";
    let pure = "epsilon = 1";
    let low = refused(
        &bench,
        "histogram",
        fine,
        "epsilon = 1\nmax_cells = 9",
        4,
        "MG0127",
        &["p.toml:11:", "limit of 9"],
    );
    low.says(&[
        "add a `delta`",
        "leave small cells out",
        "or set `max_cells` to 20000",
    ]);
    let run = refused(
        &bench,
        "histogram",
        fine,
        "rho = 0.1\nmax_cells = 9",
        4,
        "MG0127",
        &["instead of rho"],
    );
    assert!(!run.err.contains("add a `delta`"), "{}", run.err);
    run.says(&["epsilon with a `delta`"]);
    let columns = "epsilon = 1\nmax_cells = 9\ncolumns = [\"age\"]";
    refused(
        &bench,
        "histogram",
        fine,
        columns,
        4,
        "MG0127",
        &["p.toml:15:", "10000 cells"],
    );
    // three columns of ten thousand are beyond what any setting allows
    let huge = format!(
        "{}[columns.a]\nrole = \"insensitive\"\ndomain = {fine}\n[columns.b]\nrole = \"insensitive\"\ndomain = {fine}\n",
        policy(fine, "epsilon = 1\nmax_cells = 999999999")
    );
    bench.write("huge.toml", huge);
    let beyond = |args: &[&str], hint: &str| {
        let run = bench
            .run(args)
            .refuses(4, "MG0127", &["nothing was spent", hint]);
        assert!(!run.err.contains("max_cells` to"), "{}", run.err);
    };
    beyond(
        &["dp", "histogram", "huge.toml", "--out", "r"],
        "add a `delta`",
    );
    beyond(
        &[
            "dp",
            "marginals",
            "huge.toml",
            "--set",
            "dp.ways=2",
            "--out",
            "r",
        ],
        "a lower `ways`",
    );
    let model = refused(
        &bench,
        "synthetic",
        AGE,
        "epsilon = 1\nmodel_cells = 999999999",
        4,
        "MG0127",
        &["p.toml:14:"],
    );
    model.says(&["set `model_cells` to 268435456 at most"]);
    refused(
        &bench,
        "synthetic",
        AGE,
        "epsilon = 1\nrows = 2000000000",
        4,
        "MG0127",
        &["p.toml:14:", "lower `rows`"],
    );
    run_fits(&bench, fine, pure);
}

/// What the hints say is true.
fn run_fits(bench: &Bench, fine: &str, pure: &str) {
    let run_it = |dp: &str| run(bench, "histogram", fine, dp, &["--dry-run"]).exits(0);
    run_it(&format!("{pure}\nmax_cells = 20000"));
    run_it(&format!("{pure}\nmax_cells = 9\ndelta = 1e-6"));
}

#[test]
fn rows_of_nobody_are_left_out_and_counted() {
    let bench = bench();
    let rows = bench
        .read("people.csv")
        .replacen(&format!("{CANARY}7,"), ",", 1)
        .replacen(&format!("{CANARY}9,"), "?,", 1);
    bench.write("people.csv", rows);
    let dp = "epsilon = 1\nperson = \"pid\"";
    let plan = run(&bench, "histogram", AGE, dp, &["--out", "r", "--json"]).exits(0);
    let plan = plan.says(&[
        "warning[MG0133]",
        "\"pid\" has no value in 2 rows",
        "2 left out: without the identifier",
    ]);
    assert_eq!(
        (&plan.json()["rows"], &plan.json()["rows_of_unknown"]),
        (&200.into(), &2.into())
    );
    let private: serde_json::Value =
        serde_json::from_str(&bench.read("r/private/manifest.json")).unwrap();
    assert_eq!(private["encoded"]["of_unknown"], 2);
    let public = bench.read("r/public/manifest.json");
    assert!(
        public.contains("kept by an identifier in canonical form") && !public.contains("unknown"),
        "{public}"
    );
    // one person's row decides nothing, but a column without any identifier is the wrong one
    bench.write("people.csv", "pid,age,sex\n,3,f\n?,4,m\n");
    let ledger = bench.read("l");
    let nobody = run(&bench, "histogram", AGE, dp, &["--out", "s"]);
    nobody.refuses(
        2,
        "MG0128",
        &["\"pid\" has no value in any row", "nothing was spent"],
    );
    assert!(bench.read("l") == ledger && !bench.path("s").exists());
}

#[test]
fn spellings_of_one_person_are_worth_a_warning() {
    let bench = bench();
    let dp = "epsilon = 1\nperson = \"pid\"";
    let plan = run(&bench, "histogram", AGE, dp, &["--dry-run"]).exits(0);
    let plan = plan.says(&["a person is a value of column \"pid\" in canonical form, limited to"]);
    assert!(
        !plan.err.contains("MG0134") && !plan.err.contains("MG0133"),
        "{}",
        plan.err
    );
    let more = format!(
        "{}{},5,f\n {CANARY}4,5,f\n{CANARY}5,5,f\n",
        bench.read("people.csv"),
        format!("{CANARY}3").to_uppercase()
    );
    bench.write("people.csv", more);
    let plan = run(&bench, "histogram", AGE, dp, &["--dry-run"]).exits(0);
    plan.says(&[
        "warning[MG0134]",
        "2 identifiers are spelled in several ways",
        "3 left out: more than 1 of a person",
    ]);
    let plan = run(&bench, "histogram", AGE, "epsilon = 1", &["--dry-run"]).exits(0);
    assert!(
        !plan.err.contains("MG0134"),
        "nobody compares identifiers:\n{}",
        plan.err
    );
}

#[test]
fn a_code_for_missing_values_is_no_number_of_the_domain() {
    let bench = bench();
    let with = |texts: &str, age: &str| {
        bench.write(
            "p.toml",
            policy(age, "epsilon = 1").replacen(
                "[columns.pid]",
                &format!("missing = {texts}\n[columns.pid]"),
                1,
            ),
        );
        bench.run(&["dp", "histogram", "p.toml", "--dry-run"])
    };
    let age = "{ from = 0, to = 120, width = 10, missing = true }";
    for texts in [
        "[\"99\"]",
        "[\"\", \"99\"]",
        "[\"0\"]",
        "[\"120\"]",
        "[\"099\"]",
    ] {
        let run =
            with(texts, age).refuses(2, "MG0122", &["p.toml:8:", "`age`", "inside of the bounds"]);
        assert!(!run.err.contains("99 "), "{}", run.err);
    }
    for texts in [
        "[\"-1\"]",
        "[\"121\"]",
        "[\"\", \"?\"]",
        "[\"999\", \"none\"]",
    ] {
        with(texts, age).exits(0);
    }
    let day = "{ from = \"2001-01-01\", to = \"2001-12-31\", bins = 4, missing = true }";
    with("[\"2001-05-01\"]", day).refuses(2, "MG0122", &["inside of the bounds"]);
    with("[\"1900-01-01\"]", day).exits(0);
    let other = "{ from = 0, to = 98, width = 10, other = \"none\" }";
    with("[\"none\"]", other).refuses(2, "MG0122", &["`other` stands for a missing value"]);
}

#[test]
fn bounds_and_widths_are_refused_where_they_stand() {
    let bench = bench();
    let wrong = |age: &str, code: &str, says: &[&str]| {
        refused(&bench, "histogram", age, "epsilon = 1", 2, code, says)
    };
    let reversed = wrong(
        "{ from = 10, to = 0, width = 5 }",
        "MG0122",
        &["p.toml:7:19", "`columns.age.domain.from`"],
    );
    reversed.says(&["must be below `columns.age.domain.to`"]);
    wrong(
        "{ from = 7, to = 7, bins = 2 }",
        "MG0122",
        &["from` must be below"],
    );
    wrong(
        "{ from = \"2001-02-01\", to = \"2001-01-01\", private_bins = 2 }",
        "MG0122",
        &["from` must be below"],
    );
    for width in ["0", "-5"] {
        let run = wrong(
            &format!("{{ from = 0, to = 10, width = {width} }}"),
            "MG0122",
            &["width` must be above zero"],
        );
        assert!(!run.err.contains("step"), "{}", run.err);
    }
    wrong(
        "{ from = 0, to = 10, width = 5, step = 0 }",
        "MG0122",
        &["step` must be above zero"],
    );
    wrong(
        "{ from = 0, to = 10, width = 5, step = 3 }",
        "MG0122",
        &["whole number of steps"],
    );
    for number in ["nan", "inf", "-inf", "+nan"] {
        let run = wrong(
            &format!("{{ from = 0, to = {number}, width = 5 }}"),
            "MG0107",
            &["to` must be a plain number"],
        );
        assert!(!run.err.contains("too long"), "{}", run.err);
    }
}

#[test]
fn amounts_are_said_to_the_safe_side_and_in_grammar() {
    let bench = bench();
    bench
        .run(&[
            "dp",
            "budget",
            "large",
            "--create",
            "--epsilon",
            "100000000",
        ])
        .exits(0);
    let large = |epsilon: &str| {
        let dp = format!("epsilon = {epsilon}");
        run(
            &bench,
            "marginals",
            AGE,
            &dp,
            &[
                "--dry-run",
                "--ledger",
                "large",
                "--set",
                "dp.marginals=[[\"sex\"]]",
            ],
        )
        .exits(0)
    };
    let run_it = large("1000").says(&[
        "at most 1e435 times as likely",
        "of nearly 0",
        "1 table\n",
        "ε 100000000 left",
    ]);
    assert!(
        !run_it.err.contains("most inf") && !run_it.err.contains("of 0.00"),
        "{}",
        run_it.err
    );
    large("30").says(&["standard deviation of 4.3e-7"]);
    let rho = run(
        &bench,
        "synthetic",
        AGE,
        "rho = 0.123456789\nrows = 1",
        &["--out", "r"],
    )
    .exits(0);
    rho.says(&["ρ 0.1235 spent", "1 record, from", "that is epsilon = 3.0"]);
    // rounded down: 20 at 1e-6 pays for a little more than what is shown
    let left = bench.run(&["dp", "budget", "l", "--json"]).exits(0).json();
    let exact: f64 = left["left"]["amount"].as_str().unwrap().parse().unwrap();
    let shown = bench.run(&["dp", "budget", "l"]).exits(0).out;
    let shown: f64 = shown
        .split("left     ρ ")
        .nth(1)
        .unwrap()
        .split([',', '\n'])
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!(shown <= exact && exact - shown < 0.001, "{shown} {exact}");
}

#[test]
fn hints_fit_the_parameter() {
    let bench = bench();
    let rho = refused(
        &bench,
        "synthetic",
        AGE,
        "rho = 0",
        2,
        "MG0107",
        &["0.015 is about epsilon = 1 at delta = 1e-9"],
    );
    assert!(!rho.err.contains("1 is a common choice"), "{}", rho.err);
    refused(
        &bench,
        "synthetic",
        AGE,
        "epsilon = 0",
        2,
        "MG0107",
        &["1 is a common choice"],
    );
    refused(
        &bench,
        "synthetic",
        AGE,
        "epsilon = 1\ndelta = 1",
        2,
        "MG0107",
        &["a probability about which nothing is promised"],
    );
    // what the hint says is so
    let plan = run(
        &bench,
        "synthetic",
        AGE,
        "rho = 0.015",
        &["--dry-run", "--json"],
    )
    .exits(0);
    let epsilon: f64 = plan.json()["said_as"]["epsilon"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((0.99..1.01).contains(&epsilon), "{epsilon}");
}

/// A folder that may be written to but not opened cannot be flushed: that is seen when the release
/// is in its place.
#[test]
fn what_failed_after_publishing_is_not_called_unpublished() {
    if is_root() {
        return;
    }
    let bench = bench();
    bench.write("out/x", "");
    let mode = |mode: u32| {
        std::fs::set_permissions(bench.path("out"), std::fs::Permissions::from_mode(mode)).unwrap()
    };
    mode(0o300);
    let run = run(&bench, "histogram", AGE, "epsilon = 1", &["--out", "out/r"]);
    mode(0o700);
    let run = run.refuses(
        2,
        "MG0417",
        &[
            "in place",
            "entry 1 of l",
            "the release may have been published",
        ],
    );
    assert!(!run.err.contains("nothing was published"), "{}", run.err);
    assert!(bench.path("out/r/public/manifest.json").is_file());
}

//! Help, manual pages, completions, explanations, and how the program speaks.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking and writes scratch files"
)]

mod common;

use common::Bench;
use std::process::{Command, Stdio};

const COMMANDS: [&str; 14] = [
    "init",
    "publish",
    "verify",
    "show",
    "report",
    "measure",
    "attack",
    "dp",
    "site",
    "synth",
    "lab",
    "explain",
    "completions",
    "man",
];

#[test]
fn help_fits_eighty_columns() {
    let bench = Bench::new();
    let narrow = |text: &str| text.lines().all(|line| line.chars().count() <= 80);
    for command in [""].iter().chain(&COMMANDS) {
        for flag in ["-h", "--help"] {
            let args: Vec<&str> = [*command, flag]
                .into_iter()
                .filter(|a| !a.is_empty())
                .collect();
            let help = bench.run(&args).exits(0);
            assert!(
                narrow(&help.out) && !help.out.is_empty() && help.err.is_empty(),
                "{command}:\n{}",
                help.out
            );
        }
    }
}

#[test]
fn every_code_is_explained() {
    let bench = Bench::new();
    let list = bench.run(&["explain"]).exits(0).out;
    assert!(list.lines().count() > 40);
    for line in list.lines() {
        let code = line.split(' ').next().unwrap();
        let text = bench.run(&["explain", code]).exits(0).out;
        assert!(
            text.starts_with(code) && text.lines().all(|l| l.chars().count() <= 80),
            "{text}"
        );
    }
}

#[test]
fn pages_and_scripts() {
    let bench = Bench::new();
    assert!(bench.run(&["man"]).exits(0).out.starts_with(".ie"));
    bench.run(&["man", "--out", "pages"]).exits(0);
    for command in COMMANDS {
        assert!(
            bench.path(&format!("pages/mingle-{command}.1")).is_file(),
            "{command}"
        );
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            bench
                .run(&["completions", shell])
                .exits(0)
                .out
                .contains("mingle"),
            "{shell}"
        );
    }
    assert!(
        bench
            .run(&["--version"])
            .exits(0)
            .out
            .starts_with("mingle 0.")
    );
    assert_eq!(bench.run(&[]).exits(2).out, "");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let bench = Bench::hospitals();
    for args in [
        "explain",
        "completions bash",
        "man",
        "--help",
        "init p1.csv",
        "verify --table t_b.csv --policy table.toml",
    ] {
        let script = format!("(\"$0\" {args}; echo \"exit $?\" >&2) | true");
        let run = Command::new("bash")
            .current_dir(bench.path(""))
            .args(["-c", &script, env!("CARGO_BIN_EXE_mingle")])
            .output();
        let err = String::from_utf8(run.unwrap().stderr).unwrap();
        assert_eq!(err, "exit 0\n", "{args}");
    }
}

#[test]
fn quiet_and_plain() {
    let bench = Bench::hospitals();
    assert_eq!(
        bench
            .run(&["-q", "publish", "policy.toml", "--out", "q"])
            .exits(0)
            .err,
        ""
    );
    let verbose = bench
        .run(&["-v", "publish", "policy.toml", "--out", "v"])
        .exits(0);
    verbose.says(&["10 rows read"]);
    // not a terminal: no colours, no progress
    let run = Command::new(env!("CARGO_BIN_EXE_mingle"))
        .current_dir(bench.path(""))
        .args(["publish", "policy.toml", "--out", "q"])
        .env_remove("NO_COLOR")
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert!(!run.stderr.contains(&0x1b) && !run.stderr.contains(&b'\r'));
}

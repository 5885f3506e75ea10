//! `mingle publish --on`: what the program makes of the Python process that speaks to a cluster. A script stands for it
//! here; the package's own tests run the program against a cluster.

use crate::common::{Bench, Run};
use assert_cmd::Command;
use std::os::unix::fs::PermissionsExt;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs the program with a shell script as its Python.
fn answered_by(script: &str, more: &[&str]) -> (Bench, Run) {
    let bench = Bench::with(&[("python", &format!("#!/bin/sh\n{script}\n"))]);
    let python = bench.path("python");
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = with_python(&bench, python.to_str().unwrap(), more);
    (bench, run)
}

fn with_python(bench: &Bench, python: &str, more: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mingle"));
    command
        .current_dir(bench.path("."))
        .env("NO_COLOR", "1")
        .env("MINGLE_PYTHON", python)
        .args(["publish", "policy.toml", "--out", "release"])
        .args(["--on", "sc://127.0.0.1:1"])
        .args(more);
    Run::new(command.output().unwrap())
}

fn greeting(version: &str) -> String {
    format!("echo '{{\"version\": \"{version}\"}}'\n")
}

#[test]
fn without_the_package_it_says_what_to_install() {
    let bench = Bench::new();
    with_python(&bench, "/nowhere/python3", &[])
        .refuses(2, "MG0840", &["has no package mingle", "pip install"])
        .shows_no_cell();
    let (_, run) = answered_by("echo 'No module named mingle' >&2; exit 1", &[]);
    run.refuses(2, "MG0840", &["pip install"]);
    let (_, run) = answered_by(&greeting("0.0.1"), &[]);
    run.refuses(2, "MG0840", &["has version 0.0.1", VERSION]);
}

#[test]
fn the_answer_is_shown_as_the_programs_own() {
    let script = greeting(VERSION)
        + r#"read request; echo "$request" > request; echo "$@" > arguments
echo '{"text": "12 rows published", "warnings": [{"code": "MG0502", "text": "many values", "hint": "look"}]}'"#;
    let (bench, run) = answered_by(&script, &["--set", "privacy.k=7", "--strict", "-q"]);
    // no note where it is asked to be quiet, and warnings all the same
    let run = run.exits(0).says(&["warning[MG0502]: many values"]);
    assert!(!run.err.contains("12 rows published"));
    assert_eq!(bench.read("arguments").trim(), "-P -m mingle.spark");
    let request: serde_json::Value = serde_json::from_str(&bench.read("request")).unwrap();
    assert_eq!(request["on"], "sc://127.0.0.1:1");
    assert_eq!(
        request["settings"],
        serde_json::json!(["privacy.k=7", "release.strict=true"])
    );
    assert_eq!(
        (&request["out"], &request["progress"]),
        (&"release".into(), &false.into())
    );
    let (_, run) = answered_by(&script, &[]);
    run.exits(0).says(&["12 rows published"]);
}

#[test]
fn a_problem_is_shown_with_its_code_and_exit() {
    let script = greeting(VERSION)
        + r#"read request; echo '{"problem": {"code": "MG0302", "text": "k fails", "hint": "raise it"}, "warnings": []}'"#;
    let (_, run) = answered_by(&script, &[]);
    run.refuses(1, "MG0302", &["k fails", "raise it"]);
}

#[test]
fn a_process_that_ends_early_published_nothing() {
    let (bench, run) = answered_by(&(greeting(VERSION) + "read request; kill -9 $$"), &[]);
    run.refuses(3, "MG0450", &["ended without an answer"]);
    assert!(!bench.path("release").exists());
    // what is no answer is none
    let (_, run) = answered_by(&(greeting(VERSION) + "read request; echo hello"), &[]);
    run.refuses(3, "MG0450", &[]);
}

#[test]
fn addresses_and_flags_that_do_not_fit() {
    let bench = Bench::new();
    for more in [
        &["--on", "http://127.0.0.1"][..],
        &["--on", "sc://127.0.0.1:1", "--dry-run"],
        &["--on", "sc://127.0.0.1:1", "--json"],
        &["--on", "sc://127.0.0.1:1", "--force"],
        &["--private", "elsewhere"],
        &["--staging", "elsewhere"],
    ] {
        let mut arguments = vec!["publish", "policy.toml", "--out", "release"];
        arguments.extend(more);
        bench.run(&arguments).exits(2);
    }
    assert!(bench.contents().is_empty());
}

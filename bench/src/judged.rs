//! What tools/judge.py says about releases: the figures of a program that shares no code with ours.

use crate::program;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The judge's figures about one release.
#[derive(Clone)]
pub struct JudgedRelease {
    /// The normalized certainty penalty.
    pub ncp: f64,
    /// The discernibility.
    pub discernibility: f64,
    /// The mean error of COUNT queries.
    pub query_error: f64,
    /// How many groups were published.
    pub groups: u64,
    /// The promises that do not hold; none is good.
    pub broken: Vec<String>,
}

/// The judge of this repository.
pub fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/judge.py")
}

/// Judges releases of one original together, so that it is read once.
pub fn judge(policy: &Path, releases: &[PathBuf]) -> Vec<JudgedRelease> {
    if releases.is_empty() {
        return Vec::new();
    }
    let mut command = Command::new("python3");
    command.arg(script()).arg(policy).args(releases);
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("python3 is needed to judge releases: {e}"));
    // 1 says that a promise does not hold: a finding, which the table shows
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "the judge refused: {said}"
    );
    let document: Value =
        serde_json::from_slice(&output.stdout).expect("the judge prints a document");
    let mut judgements = Vec::new();
    for answer in document.as_array().expect("one answer for each release") {
        judgements.push(read(answer));
    }
    judgements
}

fn read(answer: &Value) -> JudgedRelease {
    let mut broken = Vec::new();
    for check in answer["checks"].as_array().expect("a list of checks") {
        if check["holds"] != Value::Bool(true) {
            broken.push(check["name"].as_str().unwrap_or("?").to_owned());
        }
    }
    let figure = |value: &Value| value.as_f64().expect("a figure");
    JudgedRelease {
        ncp: figure(&answer["ncp"]["overall"]),
        discernibility: figure(&answer["discernibility"]),
        query_error: figure(&answer["query_error"]["mean"]),
        groups: answer["groups"].as_u64().expect("a count"),
        broken,
    }
}

/// Writes a policy and says where it is.
pub fn write_policy(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(format!("{name}.toml"));
    program::write(&path, text);
    path
}

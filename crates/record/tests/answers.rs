//! Answers that version 0.1.0 printed are read by the types of today, and written again as they
//! were. What is not exactly such a document is refused.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use mingle_record::answer::{
    DpAnswer, DpBudgetAnswer, DpComposeAnswer, HistoryCheckAnswer, HistoryListAnswer, LabAnswer,
    MeasureAnswer, ShowAnswer, SiteAnswer,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// All files of a folder whose name is that of the document and a number: `dp-budget-2.json`.
fn printed(kind: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if name.rsplit_once('-').is_some_and(|(of, _)| of == kind) {
            found.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(!found.is_empty(), "no document of {kind}");
    found
}

fn reads_back<Answer: DeserializeOwned + Serialize>(kind: &str) {
    for (name, text) in printed(kind) {
        let answer: Answer = match serde_json::from_str(&text) {
            Ok(answer) => answer,
            Err(error) => panic!("{name}: {error}"),
        };
        let written = serde_json::to_string_pretty(&answer).unwrap();
        assert_eq!(written, as_read(&text), "{name}");
        refuses_others::<Answer>(&name, &text);
    }
}

/// The same text, but for the last digit of a float, which this reader does not keep.
fn as_read(text: &str) -> String {
    let document: serde_json::Value = serde_json::from_str(text).unwrap();
    serde_json::to_string_pretty(&document).unwrap()
}

/// Another version, a key that nobody knows, and a key that is missing.
fn refuses_others<Answer: DeserializeOwned>(name: &str, text: &str) {
    let other_version = text.replacen("/1\"", "/2\"", 1);
    let more = text.replacen('{', "{\n  \"unheard_of\": 1,", 1);
    let lines: Vec<&str> = text.lines().collect();
    // the keys behind the schema of a document that holds only lists may have no line of their own
    let mut less: Vec<String> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let is_whole = line.starts_with("  \"") && line.ends_with(',');
        if is_whole {
            let mut others = lines.clone();
            others.remove(at);
            less.push(others.join("\n"));
        }
    }
    assert!(!less.is_empty(), "{name}");
    for wrong in less.iter().chain([&other_version, &more]) {
        assert!(
            serde_json::from_str::<Answer>(wrong).is_err(),
            "{name}: {wrong}"
        );
    }
}

#[test]
fn noise() {
    reads_back::<DpAnswer>("dp");
    reads_back::<DpBudgetAnswer>("dp-budget");
    reads_back::<DpComposeAnswer>("dp-compose");
}

#[test]
fn histories() {
    reads_back::<HistoryListAnswer>("history-list");
    reads_back::<HistoryCheckAnswer>("history-check");
}

#[test]
fn measures() {
    reads_back::<MeasureAnswer>("measure");
}

#[test]
fn reports() {
    reads_back::<ShowAnswer>("show");
}

#[test]
fn sites() {
    reads_back::<SiteAnswer>("site");
}

#[test]
fn experiments() {
    reads_back::<LabAnswer>("lab");
}

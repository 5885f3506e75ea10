//! People with several rows: what counting them costs in time, and what keeping rows together costs in
//! utility.
//!
//! Made-up patients (`synth hospital --visits`) with 1, 2, 5 and 20 visits on average, once at an equal
//! number of rows and once at an equal number of people. `publish --dry-run` plans, verifies and
//! measures, and writes nothing. With one visit each, counting people is counting rows: that line is what the
//! others are compared with.

use crate::program::{CommandEnd, mingle, watch, watch_within, write};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Visits of a patient on average.
const VISITS: [u64; 4] = [1, 2, 5, 20];

/// What is promised: a name, and the lines of the policy.
const PROMISES: [(&str, &str); 4] = [
    ("k", "k = 5\nm = 0"),
    ("k, distinct l", "k = 5\nl = { distinct = 3 }\nm = 0"),
    ("k, distinct l, m = 1", "k = 5\nl = { distinct = 3 }\nm = 1"),
    (
        "k, t",
        "k = 5\nt = { max = 0.5, distance = \"equal\" }\nm = 0",
    ),
];

/// What is asked for.
pub struct PeopleOptions {
    /// Rows of the table with one visit each, and of all tables of equal rows.
    pub rows: u64,
    /// Seconds by the clock after which a command is stopped.
    pub limit: f64,
}

/// Measures everything and prints tables.
pub fn run(options: &PeopleOptions, scratch: &Path) {
    println!("| visits | rows | {} |", names().join(" | "));
    println!("|--:|--:|{}", "--:|".repeat(PROMISES.len()));
    for visits in VISITS {
        times(options.rows, visits, options, scratch);
    }
    // as many patients as before
    for &visits in &VISITS[1..] {
        times(options.rows * visits, visits, options, scratch);
    }
    println!("\n| counted | NCP | query error | groups |\n|---|--:|--:|--:|");
    let table = made(options.rows, 2, scratch);
    let ways = [
        ("rows, each a person", "row", ""),
        ("people, rows apart", "patient_id", "\nrows = \"apart\""),
        ("people, rows together", "patient_id", ""),
    ];
    for (words, person, rows) in ways {
        let promise = format!("{}{rows}", PROMISES[1].1);
        utility(words, &policy(&table, person, &promise), scratch);
    }
}

fn names() -> Vec<&'static str> {
    PROMISES.iter().map(|promise| promise.0).collect()
}

/// Makes a table and gives its name.
fn made(rows: u64, visits: u64, scratch: &Path) -> String {
    let name = format!("visits-{visits}-{rows}.csv");
    let (rows, visits) = (rows.to_string(), visits.to_string());
    let mut command = Command::new(mingle());
    command.args(["synth", "hospital", "-q", "--force", "--seed", "18"]);
    command.args(["--rows", &rows, "--visits", &visits, "--providers", "5"]);
    watch(command.arg("--out").arg(scratch.join(&name)));
    name
}

fn policy(table: &str, person: &str, privacy: &str) -> String {
    format!(
        "[data]\npath = \"{table}\"\nprovider_column = \"provider\"\nperson = \"{person}\"\n\
         [columns]\n\
         patient_id = {{ role = \"identifier\" }}\n\
         date_of_birth = {{ role = \"quasi-identifier\", kind = \"date\", \
         hierarchy = {{ dates = [\"month\", \"quarter\", \"year\", \"decade\"] }} }}\n\
         sex = {{ role = \"quasi-identifier\", kind = \"category\" }}\n\
         zip = {{ role = \"quasi-identifier\", kind = \"category\", hierarchy = {{ mask = 5 }} }}\n\
         diagnosis = {{ role = \"sensitive\", kind = \"category\" }}\n\
         admission_date = {{ role = \"insensitive\", kind = \"date\" }}\n\
         length_of_stay = {{ role = \"insensitive\", kind = \"integer\" }}\n\
         [privacy]\n{privacy}\n"
    )
}

fn dry_run(policy: &str, scratch: &Path) -> Command {
    let path = scratch.join("people.toml");
    write(&path, policy);
    let mut command = Command::new(mingle());
    command.arg("publish").arg(path);
    command.args(["--dry-run", "-q", "--json"]);
    command
}

/// One line: CPU-seconds for each promise.
fn times(rows: u64, visits: u64, options: &PeopleOptions, scratch: &Path) {
    let table = made(rows, visits, scratch);
    let mut cells = Vec::new();
    for (_, promise) in PROMISES {
        let mut command = dry_run(&policy(&table, "patient_id", promise), scratch);
        cells.push(match watch_within(&mut command, options.limit) {
            CommandEnd::Done(cost) => format!("{:.2}", cost.cpu_seconds),
            CommandEnd::Failed(code, _) => format!("failed ({code:?})"),
            CommandEnd::Stopped => format!("over {}", options.limit),
        });
    }
    println!("| {visits} | {rows} | {} |", cells.join(" | "));
}

fn utility(words: &str, policy: &str, scratch: &Path) {
    let (_, _, output) = watch(&mut dry_run(policy, scratch));
    let document: Value = serde_json::from_slice(&output).expect("--json prints a document");
    let utility = &document["utility"];
    let figure = |value: &Value| value.as_f64().map_or("–".to_owned(), |f| format!("{f:.4}"));
    println!(
        "| {words} | {} | {} | {} |",
        figure(&utility["ncp"]["overall"]),
        figure(&utility["query_error"]["mean"]),
        utility["groups"]
    );
}

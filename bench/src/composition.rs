//! Releases against releases: the intersection attack and MDAV beside anonypyx in the same run, and
//! how both grow.
//!
//! Two releases of overlapping parts of Adult are made by our Mondrian; the peer intersects them
//! for some targets, we for everybody, and the candidates of the peer's targets must be the same.
//! CPU time is that of whole commands on our side, reading and writing included, and that of the
//! attack alone on the peer's.

use crate::program::{cpu_of_children, mingle, synth, watch, write};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const COLUMNS: [(&str, &str); 7] = [
    ("age", "number"),
    ("workclass", "category"),
    ("education", "category"),
    ("marital_status", "category"),
    ("race", "category"),
    ("sex", "category"),
    ("native_country", "category"),
];

/// Prints all tables.
pub fn run(data: &Path, rows: u64, targets: usize, python: Option<&Path>, scratch: &Path) {
    attack(data, targets, python, scratch);
    microaggregation(data, rows, python, scratch);
    growth(rows, scratch);
}

fn attack(data: &Path, targets: usize, python: Option<&Path>, scratch: &Path) {
    let adult = data.join("adult/adult_train_clean.csv");
    let text = read(&adult);
    let (header, rows) = text.split_once('\n').expect("a header");
    let rows: Vec<&str> = rows.lines().collect();
    // every third row is in both
    let part = |left: usize| {
        let mine = rows
            .iter()
            .enumerate()
            .filter(|(at, _)| at % 3 == 0 || at % 3 == left)
            .map(|(_, row)| *row);
        std::iter::once(header)
            .chain(mine)
            .collect::<Vec<_>>()
            .join("\n")
    };
    for (name, left) in [("first", 1), ("second", 2)] {
        write(&scratch.join(format!("{name}.csv")), &part(left));
        publish(
            &scratch.join(format!("{name}.csv")),
            "mondrian",
            "k = 5",
            &scratch.join(name),
        );
    }
    let policy = scratch.join("people.toml");
    write(&policy, &self::policy(&adult, "mondrian", "k = 5"));
    let found = scratch.join("found.csv");
    let mut command = Command::new(mingle());
    command
        .args(["attack", "intersection"])
        .args([scratch.join("first"), scratch.join("second")]);
    command.arg("--policy").arg(&policy).args([
        "--choice",
        "union",
        "--max-perfect-breach",
        "1",
        "--json",
        "-q",
    ]);
    let quick = cpu(&mut command);
    command
        .arg("--per-person")
        .arg(&found)
        .args(["--show-values", "--force"]);
    cpu(&mut command);
    println!("## The intersection attack: Adult, two releases, one in three people in both\n");
    println!("| | targets | CPU-seconds | targets a CPU-second |\n|---|---|---|---|");
    let rate = rows.len() as f64 / quick;
    println!(
        "| mingle, the whole command | {} | {quick:.3} | {rate:.0} |",
        rows.len()
    );
    let Some(python) = python else { return };
    let out = scratch.join("peer.txt");
    let mut command = Command::new(python);
    command
        .arg(script(scratch))
        .arg("attack")
        .args(["first", "second"].map(|n| scratch.join(n).join("public/data.csv")));
    command
        .arg(&adult)
        .arg(columns())
        .args(["occupation", &targets.to_string()])
        .arg(&out);
    let seconds: f64 = text_of(watch(&mut command).2)
        .trim()
        .parse()
        .expect("CPU-seconds");
    println!(
        "| anonypyx, the attack alone | {targets} | {seconds:.3} | {:.1} |",
        targets as f64 / seconds
    );
    println!(
        "\nTargets a CPU-second, ours over the peer's: {:.0}",
        rate / (targets as f64 / seconds)
    );
    let ours = candidates(&read(&found));
    let theirs: Vec<String> = read(&out).lines().map(str::to_owned).collect();
    let same = ours.iter().zip(&theirs).filter(|(a, b)| a == b).count();
    assert_eq!(theirs.len(), targets, "the peer answered for every target");
    println!("\nTargets with the same candidates: {same} of {targets}\n");
    assert_eq!(same, targets, "both must find the same");
}

/// The last column of the per-person file.
fn candidates(csv: &str) -> Vec<String> {
    let sorted = |line: &str| {
        let cell = line.rsplit(',').next().unwrap_or_default();
        let mut values: Vec<&str> = cell.split('|').filter(|v| !v.is_empty()).collect();
        values.sort_unstable();
        values.join("|")
    };
    csv.lines().skip(1).map(sorted).collect()
}

fn microaggregation(data: &Path, rows: u64, python: Option<&Path>, scratch: &Path) {
    println!("## MDAV: groups of 5, ranges published\n");
    println!("| table | rows | CPU-seconds | NCP |\n|---|---|---|---|");
    let adult = data.join("adult/adult_train_clean.csv");
    let small = scratch.join("small.csv");
    write(
        &small,
        &read(&adult)
            .lines()
            .take(2001)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    let mut ours = 0.0;
    for (name, table, count) in [
        ("Adult, first rows", &small, 2000),
        ("Adult", &adult, 30_162),
    ] {
        let (seconds, ncp) = publish(table, "microaggregation", "k = 5", &scratch.join("micro"));
        println!("| {name}, whole command | {count} | {seconds:.2} | {ncp:.4} |");
        ours = if count == 2000 { seconds } else { ours };
    }
    let mut before = None;
    for rows in [rows / 100, rows / 10, rows] {
        let table = scratch.join("census.csv");
        synth("census", rows, 1, &table);
        let (seconds, ncp) = publish(&table, "microaggregation", "k = 5", &scratch.join("micro"));
        let grown = before.map_or(String::new(), |b: f64| {
            format!(", {:.1} times the tenth", seconds / b)
        });
        println!("| synth census, whole command | {rows} | {seconds:.2}{grown} | {ncp:.4} |");
        before = Some(seconds);
    }
    if let Some(python) = python {
        let mut command = Command::new(python);
        command
            .arg(script(scratch))
            .arg("mdav")
            .arg(&adult)
            .arg(columns())
            .args(["5", "2000"]);
        let figures = text_of(watch(&mut command).2);
        let figures: Vec<f64> = figures
            .split_whitespace()
            .map(|f| f.parse().expect("a figure"))
            .collect();
        println!(
            "| Adult, first rows, anonypyx, grouping alone | 2000 | {:.2} | {:.4} |",
            figures[0], figures[1]
        );
        println!(
            "\nCPU-seconds for 2,000 rows, the peer's over ours: {:.0}",
            figures[0] / ours
        );
    }
    println!();
}

/// As many targets as rows against four releases of as many rows, all of overlapping parts of one
/// census.
fn growth(rows: u64, scratch: &Path) {
    println!("## Targets against four releases of as many rows\n");
    println!(
        "| targets and rows of each release | seconds | CPU-seconds | peak MiB |\n|---|---|---|---|"
    );
    for rows in [rows / 10, rows] {
        let table = scratch.join("census.csv");
        synth("census", rows, 7, &table);
        let releases: Vec<PathBuf> = (0..4)
            .map(|n| scratch.join(format!("release{n}")))
            .collect();
        for (k, release) in [3, 5, 8, 10].into_iter().zip(&releases) {
            publish(&table, "mondrian", &format!("k = {k}"), release);
        }
        let policy = scratch.join("people.toml");
        write(&policy, &self::policy(&table, "mondrian", "k = 5"));
        let mut command = Command::new(mingle());
        command
            .args(["attack", "intersection"])
            .args(&releases)
            .arg("--policy")
            .arg(&policy);
        command.args([
            "--choice",
            "union",
            "--max-perfect-breach",
            "1",
            "--json",
            "-q",
        ]);
        let before = cpu_of_children();
        let (seconds, memory, _) = watch(&mut command);
        println!(
            "| {rows} | {seconds:.1} | {:.1} | {memory:.0} |",
            cpu_of_children() - before
        );
    }
}

/// Publishes and returns CPU-seconds and NCP.
fn publish(table: &Path, method: &str, promises: &str, out: &Path) -> (f64, f64) {
    let policy = out.with_extension("toml");
    write(&policy, &self::policy(table, method, promises));
    let mut command = Command::new(mingle());
    command
        .arg("publish")
        .arg(&policy)
        .arg("--out")
        .arg(out)
        .args(["--force", "--json", "-q"]);
    let before = cpu_of_children();
    let (_, _, output) = watch(&mut command);
    let document: serde_json::Value =
        serde_json::from_slice(&output).expect("--json prints a document");
    (
        cpu_of_children() - before,
        document["utility"]["ncp"]["overall"]
            .as_f64()
            .expect("a figure"),
    )
}

fn policy(table: &Path, method: &str, promises: &str) -> String {
    let mut text = format!("[data]\npath = {table:?}\nundeclared = \"drop\"\n");
    for (name, _) in COLUMNS {
        write!(text, "[columns.{name}]\nrole = \"quasi-identifier\"\n").expect("a string grows");
    }
    text + &format!(
        "[columns.occupation]\nrole = \"sensitive\"\n[privacy]\n{promises}\n[method]\nname = {method:?}\n"
    )
}

fn columns() -> String {
    COLUMNS
        .map(|(name, kind)| format!("{name}:{kind}"))
        .join(",")
}

fn script(scratch: &Path) -> PathBuf {
    let script = scratch.join("composition_peer.py");
    write(&script, include_str!("composition_peer.py"));
    script
}

fn cpu(command: &mut Command) -> f64 {
    let before = cpu_of_children();
    watch(command);
    cpu_of_children() - before
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn text_of(output: Vec<u8>) -> String {
    String::from_utf8(output).expect("figures are text")
}

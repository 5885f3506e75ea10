//! Made-up records with noise: how far they are from the data, what they cost, and a peer beside
//! them in the same run.
//!
//! Ten columns of Adult through the domains of its codebook. Every run is the whole program with a
//! ledger of its own: CSV in, release folder out. Distances are half the sum of absolute
//! differences of shares, over all tables of one and of two columns, and are taken here from what
//! was published, ours and the peer's by the same code. The peer's seconds are those of fitting and
//! drawing alone, so that its imports do not count; ours are of everything.

use crate::distance::{TableDistance, Truth};
use crate::program::{cpu_of_children, mingle, watch, write};
use mingle_lab::codebook::{ADULT, Declared, Public};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pythons with a peer each; their pinned packages do not go together.
pub struct Peers<'a> {
    /// With smartnoise-synth.
    pub smartnoise: Option<&'a Path>,
    /// With dpmm.
    pub dpmm: Option<&'a Path>,
    /// How often each of them runs.
    pub runs: usize,
}

/// δ of every release here.
const DELTA: &str = "1e-9";

/// Prints all tables.
pub fn run(data: &Path, runs: usize, peers: &Peers, scratch: &Path) {
    let table = data.join("adult/adult_all_clean.csv");
    let truth = Truth::read(&table, &ADULT);
    println!(
        "## Made-up records: Adult, ten columns, {} rows, δ = {DELTA}\n",
        truth.rows()
    );
    println!(
        "| | ε | runs | mean 1-way distance | mean 2-way distance | CPU-seconds | seconds | peak MiB |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut ours = None;
    for epsilon in ["1", "0.1", "10"] {
        let some: Vec<Run> = (0..runs)
            .map(|_| synthetic(&table, &truth, epsilon, scratch))
            .collect();
        print_runs("mingle, the whole command", epsilon, &some);
        ours = ours.or(Some(some));
    }
    let ours = ours.expect("ε = 1 was measured");
    let mut theirs = Vec::new();
    for (name, python) in [("smartnoise", peers.smartnoise), ("dpmm", peers.dpmm)] {
        let Some(python) = python else { continue };
        let some: Vec<Run> = (0..peers.runs)
            .map(|_| peer(name, python, &table, &truth, scratch))
            .collect();
        print_runs(
            &format!("{name}'s MST, fitting and drawing alone"),
            "1",
            &some,
        );
        theirs.push((name, some));
    }
    println!(
        "\n| at ε = 1, the peer's over ours | 1-way distance | 2-way distance | CPU-seconds |\n|---|---|---|---|"
    );
    for (name, some) in &theirs {
        let ratio = |of: fn(&Run) -> f64| mean(some, of).0 / mean(&ours, of).0;
        let (one, two) = (ratio(|r| r.distance.one_way), ratio(|r| r.distance.two_way));
        println!("| {name} | {one:.2} | {two:.2} | {:.0} |", ratio(|r| r.cpu));
    }
    tables(&table, runs, scratch);
}

/// One release, ours or a peer's.
struct Run {
    distance: TableDistance,
    cpu: f64,
    seconds: f64,
    memory: f64,
}

fn synthetic(table: &Path, truth: &Truth, epsilon: &str, scratch: &Path) -> Run {
    let (cpu, seconds, memory) = release(table, "release = \"synthetic\"", epsilon, scratch);
    let distance = truth.distance(&scratch.join("noisy/public/data.csv"));
    Run {
        distance,
        cpu,
        seconds,
        memory,
    }
}

fn peer(name: &str, python: &Path, table: &Path, truth: &Truth, scratch: &Path) -> Run {
    let (script, out) = (scratch.join("dp_peer.py"), scratch.join("peer.csv"));
    write(&script, include_str!("dp_peer.py"));
    let mut command = Command::new(python);
    command
        .arg(&script)
        .arg(name)
        .arg(table)
        .arg(domains().to_string())
        .args(["1", DELTA])
        .arg(&out);
    let (seconds, memory, output) = watch(command.stderr(std::process::Stdio::null()));
    let cpu = String::from_utf8_lossy(&output)
        .trim()
        .parse()
        .expect("CPU-seconds");
    Run {
        distance: truth.distance(&out),
        cpu,
        seconds,
        memory,
    }
}

/// The other kinds of releases, by the program's own measure.
fn tables(table: &Path, runs: usize, scratch: &Path) {
    println!("\n## Tables of counts: the same columns, δ = {DELTA}\n");
    println!(
        "| release | ε | mean 1-way distance | mean 2-way distance | mean query error | CPU-seconds |"
    );
    println!("|---|---|---|---|---|---|");
    let kinds = [
        ("marginals, all pairs", "release = \"marginals\"\nways = 2"),
        (
            "marginals, selected pairs",
            "release = \"marginals\"\nselect = 2",
        ),
        ("histogram", "release = \"histogram\""),
        ("synthetic", "release = \"synthetic\""),
    ];
    for (name, lines) in kinds {
        for epsilon in ["0.1", "1", "10"] {
            let all: Vec<[f64; 4]> = (0..runs.min(3))
                .map(|_| one_table(table, lines, epsilon, scratch))
                .collect();
            let mean = |at: usize| all.iter().map(|one| one[at]).sum::<f64>() / all.len() as f64;
            let [one, two, query, cpu] = [0, 1, 2, 3].map(mean);
            println!("| {name} | {epsilon} | {one:.4} | {two:.4} | {query:.3} | {cpu:.2} |");
        }
    }
}

fn one_table(table: &Path, lines: &str, epsilon: &str, scratch: &Path) -> [f64; 4] {
    let (cpu, _, _) = release(table, lines, epsilon, scratch);
    let data = std::fs::read_to_string(scratch.join("noisy/public/data.csv"));
    if data.is_ok_and(|data| data.lines().count() == 1) {
        // every cell was too small to be published
        return [1.0, 1.0, 1.0, cpu];
    }
    let mut command = Command::new(mingle());
    command
        .arg("measure")
        .arg(scratch.join("noisy"))
        .arg("--policy")
        .arg(scratch.join("noisy.toml"));
    let (_, _, output) = watch(command.args(["--json", "-q"]));
    let document: Value = serde_json::from_slice(&output).expect("--json prints a document");
    let figure = |path: &str| {
        document
            .pointer(path)
            .and_then(Value::as_f64)
            .unwrap_or_else(|| panic!("no {path}"))
    };
    [
        figure("/marginals/one_way/mean"),
        figure("/marginals/two_way/mean"),
        figure("/query_error/mean"),
        cpu,
    ]
}

/// A release with a fresh ledger: CPU-seconds, seconds and peak memory.
fn release(table: &Path, lines: &str, epsilon: &str, scratch: &Path) -> (f64, f64, f64) {
    let file = scratch.join("noisy.toml");
    write(
        &file,
        &policy(table, &ADULT, lines, epsilon, &ledger(epsilon, scratch)),
    );
    let mut command = Command::new(mingle());
    command
        .arg("publish")
        .arg(&file)
        .arg("--out")
        .arg(scratch.join("noisy"))
        .args(["--force", "--json", "-q"]);
    let before = cpu_of_children();
    let (seconds, memory, _) = watch(&mut command);
    (cpu_of_children() - before, seconds, memory)
}

/// A new ledger with room for one release. Each has a folder of its own: the program finds out when
/// a ledger is taken away.
pub fn ledger(epsilon: &str, scratch: &Path) -> PathBuf {
    let folder = tempfile::tempdir_in(scratch)
        .expect("a folder can be made")
        .keep();
    let ledger = folder.join("ledger.jsonl");
    let mut command = Command::new(mingle());
    command.args(["dp", "budget"]).arg(&ledger);
    watch(command.args(["--create", "--epsilon", epsilon, "--delta", DELTA, "-q"]));
    ledger
}

/// A policy with the codebook's domains.
pub fn policy(
    table: &Path,
    columns: &[Declared],
    lines: &str,
    epsilon: &str,
    ledger: &Path,
) -> String {
    let mut text = format!("[data]\npath = {table:?}\nundeclared = \"drop\"\n");
    for declared in columns {
        let role = if declared.column == "occupation" {
            "sensitive"
        } else {
            "quasi-identifier"
        };
        let domain = match declared.domain {
            Public::Words(words) => format!("{words:?}"),
            Public::Numbers { from, to, width } => {
                format!("{{ from = {from}, to = {to}, width = {width} }}")
            }
        };
        let _ = writeln!(
            text,
            "[columns.{}]\nrole = \"{role}\"\ndomain = {domain}",
            declared.column
        );
    }
    let _ = writeln!(
        text,
        "[dp]\n{lines}\nepsilon = {epsilon}\ndelta = {DELTA}\nledger = {ledger:?}"
    );
    text
}

/// The codebook's domains for the peer.
fn domains() -> Value {
    let domain = |declared: &Declared| match declared.domain {
        Public::Words(words) => json!({ "labels": words }),
        Public::Numbers { from, to, width } => {
            json!({ "from": from, "width": width, "bins": (to - from) / width })
        }
    };
    Value::Object(
        ADULT
            .iter()
            .map(|d| (d.column.to_owned(), domain(d)))
            .collect::<Map<String, Value>>(),
    )
}

fn print_runs(name: &str, epsilon: &str, runs: &[Run]) {
    let with_spread = |of: fn(&Run) -> f64| {
        let (mean, spread) = mean(runs, of);
        format!("{mean:.4} ± {spread:.4}")
    };
    let (one, two) = (
        with_spread(|r| r.distance.one_way),
        with_spread(|r| r.distance.two_way),
    );
    let [cpu, seconds, memory] =
        [|r: &Run| r.cpu, |r: &Run| r.seconds, |r: &Run| r.memory].map(|of| mean(runs, of).0);
    println!(
        "| {name} | {epsilon} | {} | {one} | {two} | {cpu:.2} | {seconds:.2} | {memory:.0} |",
        runs.len()
    );
}

/// Mean and standard deviation.
fn mean(runs: &[Run], of: fn(&Run) -> f64) -> (f64, f64) {
    let values: Vec<f64> = runs.iter().map(of).collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (values.len().max(2) - 1) as f64).sqrt())
}

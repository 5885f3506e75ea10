//! Releases with noise of many rows: seconds against one plain scan of the same file, and where
//! they go.
//!
//! A scan is what every release needs before anything is counted: the CSV file read into codes and
//! the codes brought to declared cells. Stages are timed inside one process, by calling the library
//! as the program does.

use crate::distance::read;
use crate::dp::{ledger, policy};
use crate::program::{cpu_of_children, cpu_seconds, mingle, synth, watch, write};
use mingle_dp::ledger::Receipt;
use mingle_dp::{
    Amount, DeclaredAttribute, Epsilon, Guarantee, PerPerson, Records, Request, histogram,
    marginals, release, synthetic,
};
use mingle_lab::codebook::{ADULT, Declared};
use mingle_model::Role;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The columns of the made-up census.
fn columns() -> Vec<Declared> {
    ADULT
        .into_iter()
        .filter(|d| !["relationship", "income"].contains(&d.column))
        .collect()
}

fn attributes() -> Vec<DeclaredAttribute> {
    let role = |d: &Declared| {
        if d.column == "occupation" {
            Role::Sensitive
        } else {
            Role::QuasiIdentifier
        }
    };
    columns().iter().map(|d| d.attribute(role(d))).collect()
}

const KINDS: [(&str, &str); 4] = [
    ("marginals, all pairs", "release = \"marginals\"\nways = 2"),
    (
        "marginals, selected pairs",
        "release = \"marginals\"\nselect = 2",
    ),
    ("histogram", "release = \"histogram\""),
    ("synthetic", "release = \"synthetic\""),
];

fn requests() -> [(&'static str, Request); 4] {
    let marginals = |choice| {
        Request::Marginals(marginals::MarginalsOptions {
            choice,
            ..marginals::MarginalsOptions::default()
        })
    };
    [
        (KINDS[0].0, marginals(marginals::MarginalsChoice::All(2))),
        (
            KINDS[1].0,
            marginals(marginals::MarginalsChoice::Selected(2)),
        ),
        (
            KINDS[2].0,
            Request::Histogram(histogram::HistogramOptions::default()),
        ),
        (
            KINDS[3].0,
            Request::Synthetic(synthetic::SyntheticOptions::default()),
        ),
    ]
}

/// Prints whole commands against a scan, then stages.
pub fn run(rows: u64, scratch: &Path) {
    let table = scratch.join("census.csv");
    synth("census", rows, 1, &table);
    println!("## Releases with noise: synth census, {rows} rows, eight columns, ε = 1, δ = 1e-9\n");
    println!(
        "| whole command, CSV in, folder out | seconds | CPU-seconds | peak MiB | seconds over a scan's |"
    );
    println!("|---|---|---|---|---|");
    let own = std::env::current_exe().expect("a running program has a path");
    let before = cpu_of_children();
    let (scan, memory, _) = watch(Command::new(own).arg("scan").arg(&table));
    println!(
        "| one plain scan: read and encode | {scan:.2} | {:.2} | {memory:.0} | 1 |",
        cpu_of_children() - before
    );
    for (name, lines) in KINDS {
        let file = scratch.join("noisy.toml");
        write(
            &file,
            &policy(&table, &columns(), lines, "1", &ledger("1", scratch)),
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
        let cpu = cpu_of_children() - before;
        println!(
            "| {name} | {seconds:.2} | {cpu:.2} | {memory:.0} | {:.2} |",
            seconds / scan
        );
    }
    stages(&table);
}

/// Reads and encodes, and nothing else.
pub fn scan(table: &Path) -> Records {
    let attributes = attributes();
    Records::encode(&attributes, &read(table, &attributes), PerPerson::ONE)
        .expect("declared columns")
        .0
}

/// Seconds of each stage in this process.
pub fn stages(table: &Path) {
    println!("\n| stage, in one process | seconds | CPU-seconds |\n|---|---|---|");
    let attributes = attributes();
    let now = || (Instant::now(), cpu_seconds());
    let timed = |name: &str, (start, cpu): (Instant, f64)| {
        println!(
            "| {name} | {:.2} | {:.2} |",
            start.elapsed().as_secs_f64(),
            cpu_seconds() - cpu
        );
    };
    let start = now();
    let read = read(table, &attributes);
    timed("read the file", start);
    let start = now();
    let (records, _) =
        Records::encode(&attributes, &read, PerPerson::ONE).expect("declared columns");
    timed("bring to declared cells", start);
    let amount = |text: &str| Amount::parse(text).expect("an amount");
    let guarantee = Guarantee::Approximate {
        epsilon: Epsilon(amount("1")),
        delta: amount("1e-9"),
    };
    for (name, request) in requests() {
        let receipt = Receipt::for_experiment(guarantee);
        let (mine, start) = (records.clone(), now());
        match release(
            &attributes,
            mine,
            &request,
            receipt,
            &AtomicBool::new(false),
        ) {
            Ok(_) => timed(&format!("{name}: count, measure, make"), start),
            Err(e) => println!("| {name}: {e} | – | – |"),
        }
    }
}

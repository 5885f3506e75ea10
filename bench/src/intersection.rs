//! Private intersection of identifiers: CPU time of both sites beside a peer, growth, memory,
//! cores.
//!
//! A whole session between two sites in one process is measured, not the intersection alone: two
//! lists of identifiers, half of them in common, one column without much to say and the cheapest
//! synchronizer. What comes after the intersection is in our figures too. A size runs in a process
//! of its own, so that its memory is its own.

use crate::program::{cpu_seconds, watch, write};
use mingle_model::{Column, ColumnSpec, Kind, Missing, Providers, Role, Table};
use mingle_privacy::{Promise, Rule};
use mingle_protocol::{
    JointOutput, Leak, Nobody, OutputRecord, Party, Seat, Setup, Standing, Status, Synchronizer,
    Terms, Vault,
};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// A size's figures.
struct Run {
    cpu: f64,
    wall: f64,
    bytes: f64,
    memory: f64,
}

/// Prints all tables.
pub fn run(largest: u32, python: Option<&Path>, scratch: &Path) {
    println!(
        "## Private intersection: both sites, whole sessions, half of the identifiers in common\n"
    );
    println!(
        "| identifiers at each site | CPU-seconds, both sites | µs per identifier and site | MB moved | peak MiB |"
    );
    println!("|---|---|---|---|---|");
    let sizes = [largest / 100, largest / 10, largest];
    let runs = sizes.map(|size| (size, session(size, None)));
    for (size, run) in &runs {
        let each = run.cpu / f64::from(*size) / 2.0 * 1e6;
        println!(
            "| {size} | {:.2} | {each:.1} | {:.1} | {:.0} |",
            run.cpu,
            run.bytes / 1e6,
            run.memory
        );
    }
    println!("\n| ratio within this run | |\n|---|---|");
    let growth = runs[2].1.cpu / runs[1].1.cpu;
    println!(
        "| CPU-seconds for {} identifiers over those for a tenth | {growth:.1} |",
        sizes[2]
    );
    let [one, two] = [1, 2].map(|threads| session(sizes[1], Some(threads)).wall);
    println!(
        "| {} identifiers: seconds with one thread over seconds with two | {:.2} |",
        sizes[1],
        one / two
    );
    if let Some(python) = python {
        let (cpu, bytes) = peer(python, sizes[1], scratch);
        let ours = session(sizes[1], None);
        println!(
            "| openmined-psi, {} identifiers: CPU-seconds, both parties | {cpu:.1} |",
            sizes[1]
        );
        println!(
            "| openmined-psi: MB moved (one party learns the result) | {:.1} |",
            bytes / 1e6
        );
        println!(
            "| our CPU-seconds over openmined-psi's (both sites learn the result) | {:.2} |",
            ours.cpu / cpu
        );
    }
}

fn session(size: u32, threads: Option<u32>) -> Run {
    let mut command = Command::new(std::env::current_exe().expect("a running program has a path"));
    command.args(["session", &size.to_string()]);
    if let Some(threads) = threads {
        command.env("RAYON_NUM_THREADS", threads.to_string());
    }
    let (_, memory, output) = watch(&mut command);
    let figures = String::from_utf8(output).expect("figures are text");
    let mut figures = figures
        .split_whitespace()
        .map(|f| f.parse::<f64>().expect("a figure"));
    let mut next = || figures.next().expect("three figures");
    Run {
        cpu: next(),
        wall: next(),
        bytes: next(),
        memory,
    }
}

fn peer(python: &Path, size: u32, scratch: &Path) -> (f64, f64) {
    let script = scratch.join("psi_peer.py");
    write(&script, include_str!("psi_peer.py"));
    let (_, _, output) = watch(Command::new(python).arg(&script).arg(size.to_string()));
    let figures = String::from_utf8(output).expect("figures are text");
    let figures: Vec<f64> = figures
        .split_whitespace()
        .map(|f| f.parse().expect("a figure"))
        .collect();
    assert_eq!(
        figures[2] as u32,
        size / 2,
        "the peer found another intersection"
    );
    (figures[0], figures[1])
}

/// One session of two sites in this process: prints CPU-seconds, seconds and bytes.
pub fn one_session(size: u32) {
    let disks = [(); 2].map(|()| Arc::new(Mutex::new(Disk::default())));
    let mut sites = [(Seat::Zero, 0), (Seat::One, size / 2)].map(|(seat, first)| {
        let vault = MemoryVault(disks[seat.number()].clone());
        Party::new(setup(seat, first, size), Box::new(vault), Arc::new(Nobody))
            .expect("a sound setup")
    });
    let (cpu, start) = (cpu_seconds(), std::time::Instant::now());
    let mut inbox = [sites[1].connect(), sites[0].connect()];
    let mut moved = inbox.iter().map(Vec::len).sum::<usize>();
    while inbox.iter().any(|bytes| !bytes.is_empty()) {
        for at in 0..2 {
            let bytes = std::mem::take(&mut inbox[at]);
            let answer = sites[at].receive(&bytes);
            moved += answer.len();
            inbox[1 - at].extend(answer);
        }
    }
    let figures = (cpu_seconds() - cpu, start.elapsed().as_secs_f64(), moved);
    assert!(
        sites.iter().all(|site| site.status() == Status::Published),
        "a release"
    );
    assert_eq!(
        disks[0].lock().expect("a disk").people,
        u64::from(size - size / 2),
        "another intersection"
    );
    println!("{} {} {}", figures.0, figures.1, figures.2);
}

fn setup(seat: Seat, first: u32, size: u32) -> Setup {
    let k = Rule::k_anonymity(mingle_privacy::K(2));
    let column = |name: &str, role| {
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(name, role)
        };
        Column::from_texts(spec, (0..size).map(|_| "same"), &Missing::default())
            .expect("a plain column")
    };
    let names = [["sex", "disease"], ["region", "treatment"]][seat.number()];
    Setup {
        seat,
        site: names[0].to_owned(),
        terms: Terms {
            synchronizer: Synchronizer::Identity,
            accept_leak: Leak::L0,
            padded_size: size,
            promises: vec![k],
        },
        identifiers: (first..first + size)
            .map(|n| format!("person {n}"))
            .collect(),
        table: Table {
            columns: vec![
                column(names[0], Role::QuasiIdentifier),
                column(names[1], Role::Sensitive),
            ],
            providers: Providers::new(vec![String::new()]),
            provider_of: (0..size).map(|_| 0).collect(),
            person_of: None,
        },
        promises: vec![Promise {
            rule: k,
            attribute: None,
        }],
        missing: Missing::default(),
        keys: [[0; 32]; 2],
    }
}

/// A vault that keeps nothing but what is asked of it.
#[derive(Default)]
struct Disk {
    standing: Standing,
    people: u64,
}

struct MemoryVault(Arc<Mutex<Disk>>);

impl Vault for MemoryVault {
    fn standing(&self) -> Standing {
        self.0.lock().expect("a disk").standing
    }

    fn prepare(&mut self, output: &JointOutput) -> Result<OutputRecord, String> {
        let mut disk = self.0.lock().expect("a disk");
        let record = OutputRecord {
            session: output.session,
            digest: [0; 32],
            signature: [0; 64],
        };
        disk.people = output.verified.fragments().rows();
        disk.standing = Standing::Ready(record);
        Ok(record)
    }

    fn genuine(&self, _digest: &[u8; 32], _signature: &[u8; 64]) -> bool {
        true
    }

    fn publish(&mut self, record: &OutputRecord, _other: &[u8; 64]) -> Result<(), String> {
        self.0.lock().expect("a disk").standing = Standing::Published(*record);
        Ok(())
    }

    fn discard(&mut self, _record: &OutputRecord) -> Result<(), String> {
        self.0.lock().expect("a disk").standing = Standing::Nothing;
        Ok(())
    }
}

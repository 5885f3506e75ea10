//! One command that measures what the README claims: whole commands against a peer in the same run,
//! growth with the table, and loss beside a quadratic reference. Prints Markdown; ratios within one
//! run are what counts, since machines differ and are noisy.
//!
//! Releases, attacks and measures are those of the program, run as a command: nothing here makes
//! groups and verifies them by itself. A room is called without the engine only where that room
//! alone is what is measured, and for the yardsticks that must not share code with the program:
//!
//! * [`coalitions`]: `privacy`, how a strategy decides one group;
//! * [`intersection`]: `protocol`, a session between two sites without sockets and disks;
//! * [`dp_scale`]: `io` and `dp`, the stages of a release with noise one by one;
//! * [`distance`]: `io` and `dp`, how far a written table is from the data, whoever wrote it;
//! * [`greedy`]: `io` and `model`, the quadratic reference;
//! * [`optimum`]: `io` and `model`, small tables for the proven optimum.
//!
//! `anonymize` is asked for the names of its methods and for nothing else.

mod arx;
mod cases;
mod chart;
mod coalitions;
mod composition;
mod distance;
mod dp;
mod dp_scale;
mod exact;
mod greedy;
mod growth;
mod insiders;
mod intersection;
mod judged;
mod kit;
mod loss_floor;
mod made;
mod methods;
mod optimum;
mod people;
mod program;
mod row_prices;
mod settings;
mod sites;

use clap::{Parser, Subcommand};
use program::{best_of, publish, synth, watch};
use settings::{TableSetting, adult_nine, census, losses};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Measure mingle: speed against a peer, growth, and loss.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    /// The folder with adult/, ipums/ and hierarchies/.
    #[arg(required = true)]
    data: Option<PathBuf>,
    /// The largest census in rows; smaller ones are a tenth and a hundredth of it.
    #[arg(long, default_value_t = 10_000_000)]
    rows: u64,
    /// Python with anonypy and pandas, to run the peer on the same file.
    #[arg(long)]
    peer: Option<PathBuf>,
    /// Rows per sample for the quadratic reference.
    #[arg(long, default_value_t = 2_000)]
    sample: usize,
    /// Write the chart of losses to this SVG file.
    #[arg(long)]
    chart: Option<PathBuf>,
    /// Leave the speed of large tables out.
    #[arg(long)]
    only_loss: bool,
}

/// What is measured by itself.
#[derive(Subcommand)]
enum Part {
    /// How long it takes to decide whether a group withstands insiders; needs no data.
    Coalitions,
    /// What protection against insiders costs: time and loss of whole commands, beside m = 0 and
    /// the paper's methods.
    Insiders {
        /// The folder with adult/ and hierarchies/.
        data: PathBuf,
        /// Rows of the census.
        #[arg(long, default_value_t = 10_000_000)]
        rows: u64,
    },
    /// Private intersection of identifiers between two sites: growth, cores, and a peer.
    Intersection {
        /// The longest lists; shorter ones are a tenth and a hundredth of it.
        #[arg(long, default_value_t = 1_000_000)]
        identifiers: u32,
        /// Python with openmined-psi, to run the peer on lists a tenth as long.
        #[arg(long)]
        peer: Option<PathBuf>,
    },
    /// Two sites end to end on Adult: seconds and bytes of every synchronizer that keeps
    /// t-closeness.
    Sites {
        /// The folder with adult/ and hierarchies/.
        data: PathBuf,
    },
    /// Releases against releases: the intersection attack and MDAV beside anonypyx, and how both
    /// grow.
    Composition {
        /// The folder with adult/.
        data: PathBuf,
        /// The largest census in rows.
        #[arg(long, default_value_t = 1_000_000)]
        rows: u64,
        /// Targets of the peer's attack.
        #[arg(long, default_value_t = 200)]
        targets: usize,
        /// Python with anonypyx and pandas, to run the peer on the same releases.
        #[arg(long)]
        peer: Option<PathBuf>,
    },
    /// Releases with noise: how far made-up records of Adult are from it, beside peers in the same
    /// run.
    Dp {
        /// The folder with adult/.
        data: PathBuf,
        /// How often each release is made.
        #[arg(long, default_value_t = 10)]
        runs: usize,
        /// Python with smartnoise-synth and pandas, to run its MST on the same file.
        #[arg(long)]
        peer: Option<PathBuf>,
        /// Python with dpmm and pandas, to run its MST on the same file.
        #[arg(long)]
        dpmm: Option<PathBuf>,
        /// How often each peer runs.
        #[arg(long, default_value_t = 1)]
        peer_runs: usize,
    },
    /// Releases with noise of many rows, against one plain scan of the file.
    DpScale {
        /// Rows of the census.
        #[arg(long, default_value_t = 10_000_000)]
        rows: u64,
    },
    /// All methods in some twenty-five settings: loss as tools/judge.py sees it, time, memory.
    Methods {
        /// The folder with adult/, ipums/, diabetes/ and hierarchies/.
        data: PathBuf,
        /// A Java archive of ARX 3.9, to run it on the settings with hierarchies.
        #[arg(long)]
        arx: Option<PathBuf>,
        /// Write methods.csv and methods.svg to this folder.
        #[arg(long)]
        out: Option<PathBuf>,
        /// Only settings whose name contains this.
        #[arg(long)]
        only: Option<String>,
        /// A tenth of every table.
        #[arg(long)]
        quick: bool,
        /// Seconds after which a command is stopped.
        #[arg(long, default_value_t = 600.0)]
        limit: f64,
    },
    /// How time and memory grow with tuples, columns, cardinality and providers; needs no data.
    Growth {
        /// Write growth.csv and growth.svg to this folder.
        #[arg(long)]
        out: Option<PathBuf>,
        /// The most distinct tuples.
        #[arg(long, default_value_t = 1_000_000)]
        tuples: usize,
        /// Seconds after which a command is stopped, and larger tables are left out.
        #[arg(long, default_value_t = 600.0)]
        limit: f64,
        /// A tenth of all rows.
        #[arg(long)]
        quick: bool,
    },
    /// The gap to the proven optimum on small samples.
    Optimum {
        /// The folder with adult/, ipums/, diabetes/ and hierarchies/.
        data: PathBuf,
        /// Samples for each table and size.
        #[arg(long, default_value_t = 25)]
        tables: usize,
    },
    /// What counting people with several rows costs in time and utility; needs no data.
    People {
        /// Rows of the tables of equal rows; the largest has twenty times as many.
        #[arg(long, default_value_t = 20_000)]
        rows: u64,
        /// Seconds after which a command is stopped.
        #[arg(long, default_value_t = 600.0)]
        limit: f64,
    },
    /// One plain scan of a census, for `dp-scale`.
    #[command(hide = true)]
    Scan {
        /// The file.
        table: PathBuf,
    },
    /// Seconds by stage in this process, for a census that is there already.
    #[command(hide = true)]
    Stages {
        /// The file.
        table: PathBuf,
    },
    /// One session of two sites in this process, for `intersection`.
    #[command(hide = true)]
    Session {
        /// Identifiers at each site.
        identifiers: u32,
    },
}

fn main() {
    let arguments = Arguments::parse();
    let folder = |data: &Path| {
        data.canonicalize()
            .unwrap_or_else(|e| panic!("{}: {e}", data.display()))
    };
    let scratch = tempfile::tempdir().expect("a scratch folder can be made");
    match &arguments.part {
        Some(Part::Coalitions) => return coalitions::run(),
        Some(Part::Insiders { data, rows }) => {
            return insiders::run(&folder(data), *rows, scratch.path());
        }
        Some(Part::Intersection { identifiers, peer }) => {
            return intersection::run(*identifiers, peer.as_deref(), scratch.path());
        }
        Some(Part::Composition {
            data,
            rows,
            targets,
            peer,
        }) => {
            return composition::run(
                &folder(data),
                *rows,
                *targets,
                peer.as_deref(),
                scratch.path(),
            );
        }
        Some(Part::Dp {
            data,
            runs,
            peer,
            dpmm,
            peer_runs,
        }) => {
            let peers = dp::Peers {
                smartnoise: peer.as_deref(),
                dpmm: dpmm.as_deref(),
                runs: *peer_runs,
            };
            return dp::run(&folder(data), *runs, &peers, scratch.path());
        }
        Some(Part::DpScale { rows }) => return dp_scale::run(*rows, scratch.path()),
        Some(Part::Scan { table }) => return drop(dp_scale::scan(table)),
        Some(Part::Stages { table }) => return dp_scale::stages(table),
        Some(Part::Methods {
            data,
            arx,
            out,
            only,
            quick,
            limit,
        }) => {
            let scale = if *quick {
                cases::TableShare::Quick
            } else {
                cases::TableShare::Full
            };
            let options = methods::MethodsOptions {
                data: &folder(data),
                arx: arx.as_deref(),
                out: out.as_deref(),
                only: only.as_deref(),
                scale,
                limit: *limit,
            };
            return methods::run(&options, scratch.path());
        }
        Some(Part::Growth {
            out,
            tuples,
            limit,
            quick,
        }) => {
            let options = growth::GrowthOptions {
                out: out.as_deref(),
                tuples: *tuples,
                limit: *limit,
                quick: *quick,
            };
            return growth::run(&options, scratch.path());
        }
        Some(Part::Optimum { data, tables }) => {
            return optimum::run(&folder(data), *tables, scratch.path());
        }
        Some(Part::People { rows, limit }) => {
            let options = people::PeopleOptions {
                rows: *rows,
                limit: *limit,
            };
            return people::run(&options, scratch.path());
        }
        Some(Part::Sites { data }) => return sites::run(&folder(data), scratch.path()),
        Some(Part::Session { identifiers }) => return intersection::one_session(*identifiers),
        None => {}
    }
    let data = folder(arguments.data.as_deref().expect("required without a part"));
    if !arguments.only_loss {
        speed(&data, &arguments, scratch.path());
    }
    let bars = loss(&data, scratch.path(), arguments.sample);
    if let Some(chart) = &arguments.chart {
        program::write(chart, &chart::loss(&bars));
    }
}

fn speed(data: &Path, arguments: &Arguments, scratch: &Path) {
    println!("## Speed: whole commands, CSV in, verified release out\n");
    println!("| table | method | seconds | peak MiB | rows a second |\n|---|---|---|---|---|");
    let adult = adult_nine(data);
    let row = |name: &str, rows: u64, method: &str, run: &program::ProgramRun| {
        let rate = rows as f64 / run.seconds;
        println!(
            "| {name} | {method} | {:.3} | {:.0} | {rate:.0} |",
            run.seconds, run.memory
        );
    };
    let mut quickest = Vec::new();
    for method in ["agglomerative", "mondrian"] {
        let run = best_of(7, &adult, method, scratch);
        row(adult.name, 30_162, method, &run);
        quickest.push((method, run.seconds));
    }
    let mut grown = Vec::new();
    for rows in [arguments.rows / 100, arguments.rows / 10, arguments.rows] {
        let table = scratch.join("census.csv");
        synth("census", rows, 1, &table);
        for method in ["agglomerative", "mondrian"] {
            let setting = census(data, table.clone());
            let run = if rows > 1_000_000 {
                publish(&setting, method, scratch)
            } else {
                best_of(3, &setting, method, scratch)
            };
            row(&format!("synth census, {rows} rows"), rows, method, &run);
            grown.push((method, rows, run.seconds));
        }
    }
    let table = scratch.join("census.parquet");
    let seconds = synth("census", arguments.rows, 1, &table);
    println!(
        "\n`synth census` to Parquet: {:.2} million rows a second",
        arguments.rows as f64 / seconds / 1e6
    );
    println!("\n| ratio within this run | |\n|---|---|");
    for method in ["agglomerative", "mondrian"] {
        let at = |rows| {
            grown
                .iter()
                .find(|g| g.0 == method && g.1 == rows)
                .expect("measured above")
                .2
        };
        let growth = at(arguments.rows) / at(arguments.rows / 10);
        println!(
            "| {method}: time for {} rows over time for a tenth of them | {growth:.1} |",
            arguments.rows
        );
    }
    if let Some(python) = &arguments.peer {
        let seconds = peer(python, &adult, scratch);
        println!("| anonypy on the same Adult file, seconds | {seconds:.1} |");
        for (method, own) in quickest {
            println!("| anonypy's time over {method}'s | {:.0} |", seconds / own);
        }
    }
}

/// The whole peer command: read the CSV, anonymize, write a CSV.
fn peer(python: &Path, setting: &TableSetting, scratch: &Path) -> f64 {
    let script = scratch.join("peer.py");
    program::write(&script, include_str!("peer.py"));
    let columns: Vec<&str> = setting.quasi_identifiers.iter().map(|(c, _)| *c).collect();
    let mut command = Command::new(python);
    command
        .arg(&script)
        .arg(&setting.table)
        .arg(columns.join(","))
        .args(["fnlwgt", "5"])
        .arg(scratch.join("peer.csv"));
    watch(&mut command).0
}

fn loss(data: &Path, scratch: &Path, sample: usize) -> Vec<chart::LossBars> {
    for kind in ["census", "hospital"] {
        synth(kind, 30_000, 7, &scratch.join(format!("{kind}.csv")));
    }
    println!("\n## Loss: tight ranges, nothing suppressed\n");
    println!(
        "| setting | agglomerative NCP | discernibility | mondrian NCP | discernibility | sample: ours | greedy |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut settings = losses(data, scratch);
    settings.reverse();
    let mut bars = Vec::new();
    for setting in settings {
        let [ours, mondrian] = ["agglomerative", "mondrian"].map(|m| publish(&setting, m, scratch));
        let (on_sample, greedy) = match setting.promises.as_str() {
            "k = 5" => {
                let part = TableSetting {
                    table: thinned(&setting.table, sample, scratch),
                    ..setting.clone()
                };
                let ours = publish(&part, "agglomerative", scratch).ncp;
                (
                    format!("{ours:.4}"),
                    format!("{:.4}", greedy::ncp(&part, 5)),
                )
            }
            _ => ("–".to_owned(), "–".to_owned()),
        };
        println!(
            "| {} | {:.4} | {:.0} | {:.4} | {:.0} | {on_sample} | {greedy} |",
            setting.name, ours.ncp, ours.discernibility, mondrian.ncp, mondrian.discernibility
        );
        bars.push((setting.name, ours.ncp, mondrian.ncp));
    }
    bars
}

/// Every n-th line of a table, so that about `rows` are left.
fn thinned(table: &Path, rows: usize, scratch: &Path) -> PathBuf {
    let text =
        std::fs::read_to_string(table).unwrap_or_else(|e| panic!("{}: {e}", table.display()));
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let every = (text.lines().count() / rows).max(1);
    let kept: Vec<&str> = std::iter::once(header)
        .chain(lines.step_by(every))
        .collect();
    let path = scratch.join("sample.csv");
    program::write(&path, &(kept.join("\n") + "\n"));
    path
}

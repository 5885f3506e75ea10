//! How long the page's sliders wait for their first look, on Adult: prints a table, asserts nothing.
//!
//! `cargo run --release -p mingle-workbench --example sliders -- FOLDER`, FOLDER being the one with
//! `adult/` and `hierarchies/`. Rows are dealt out to ten providers in turn. Every repetition is a
//! workbench of its own, which has read the tables for another position before the clock starts: a
//! move of a slider finds them at hand, and nothing else.

use mingle_page::protocol::{PlanEvent, PlanRequest};
use mingle_page::{Sink, Stopped, Workbench};
use mingle_workbench::Bench;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

const REPETITIONS: usize = 5;
const PROVIDERS: usize = 10;
const QUASI_IDENTIFIERS: [&str; 7] = [
    "age",
    "workclass",
    "education",
    "marital_status",
    "race",
    "sex",
    "native_country",
];
/// Clock ticks of `/proc` in a second, on every Linux that we know.
const TICKS: f64 = 100.0;

fn main() -> Result<(), Box<dyn Error>> {
    let data = std::env::args()
        .nth(1)
        .ok_or("the folder with adult/ and hierarchies/ is missing")?;
    let folder = tempfile::tempdir()?;
    deal(Path::new(&data), folder.path())?;
    println!("| k | m | CPU-ms | wall-ms | NCP |\n|--:|--:|--:|--:|--:|");
    for m in [0, 1, 3] {
        for k in [3, 5, 10, 20] {
            let mut moves = Vec::new();
            for _ in 0..REPETITIONS {
                let bench = Bench::new(None, folder.path().to_owned(), 1 << 30)
                    .map_err(|problem| problem.text().to_owned())?;
                first_look(&bench, &policy(Path::new(&data), folder.path(), 4, 0))?;
                let text = policy(Path::new(&data), folder.path(), k, m);
                moves.push(first_look(&bench, &text)?);
            }
            let cpu = median(moves.iter().map(|look| look.cpu).collect());
            let wall = median(moves.iter().map(|look| look.wall).collect());
            println!(
                "| {k} | {m} | {cpu:.0} | {wall:.0} | {:.4} |",
                moves[0].loss
            );
        }
    }
    Ok(())
}

/// Deals the rows of Adult out to providers.
#[allow(clippy::disallowed_methods, reason = "files that need not last")]
fn deal(data: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let table = std::fs::read_to_string(data.join("adult").join("adult_train_clean.csv"))?;
    let (header, rows) = table.split_once('\n').ok_or("a table without a header")?;
    let mut parts = vec![format!("{header}\n"); PROVIDERS];
    for (number, row) in rows.lines().enumerate() {
        parts[number % PROVIDERS] += row;
        parts[number % PROVIDERS] += "\n";
    }
    for (number, part) in parts.iter().enumerate() {
        std::fs::write(folder.join(format!("{number}.csv")), part)?;
    }
    Ok(())
}

fn policy(data: &Path, folder: &Path, k: u64, m: u64) -> String {
    let mut text = "[data]\nproviders = [\n".to_owned();
    for number in 0..PROVIDERS {
        let path = folder.join(format!("{number}.csv"));
        let _ = writeln!(text, "  {{ name = \"p{number}\", path = {path:?} }},");
    }
    text += "]\n";
    for column in QUASI_IDENTIFIERS {
        let file = format!("{column}.csv");
        let hierarchy = data.join("hierarchies").join("adult_arx").join(file);
        let _ = writeln!(text, "[columns.{column}]\nrole = \"quasi-identifier\"");
        let _ = writeln!(text, "hierarchy = {hierarchy:?}");
    }
    text += "[columns.occupation]\nrole = \"sensitive\"\n";
    for column in [
        "fnlwgt",
        "education_num",
        "relationship",
        "capital_gain",
        "capital_loss",
        "hours_per_week",
        "income",
    ] {
        let _ = writeln!(text, "[columns.{column}]\nrole = \"identifier\"");
    }
    let _ = writeln!(text, "[privacy]\nk = {k}\nm = {m}");
    text
}

/// What a look took and shows.
struct Look {
    cpu: f64,
    wall: f64,
    loss: f64,
}

/// Asks for a policy's candidate and hangs up after the first look.
fn first_look(bench: &Bench, text: &str) -> Result<Look, Box<dyn Error>> {
    let listener = Listener::default();
    let request = PlanRequest {
        tab: "sliders".to_owned(),
        text: text.to_owned(),
        quick: true,
        confirmed: false,
    };
    let (cpu, started) = (cpu_milliseconds()?, Instant::now());
    // hanging up is no failure
    let _ = bench.plan(&request, &listener);
    let wall = started.elapsed().as_secs_f64() * 1000.0;
    let cpu = cpu_milliseconds()? - cpu;
    let heard = listener.loss.into_inner().map_err(|_| "a panic")?;
    let loss = heard.ok_or("no candidate was made")?;
    Ok(Look { cpu, wall, loss })
}

/// Takes the first candidate and stops listening.
#[derive(Default)]
struct Listener {
    loss: Mutex<Option<f64>>,
    cancelled: Arc<AtomicBool>,
}

impl Sink<PlanEvent> for Listener {
    fn send(&self, event: PlanEvent) -> Result<(), Stopped> {
        match event {
            PlanEvent::Answer { candidate } => {
                if let Ok(mut loss) = self.loss.lock() {
                    *loss = Some(candidate.loss);
                }
                self.cancelled.store(true, Ordering::Relaxed);
                Err(Stopped)
            }
            PlanEvent::Problem { problem } => {
                eprintln!("{}: {}", problem.code, problem.text);
                Err(Stopped)
            }
            PlanEvent::Progress { .. } => Ok(()),
        }
    }

    fn cancelled(&self) -> &Arc<AtomicBool> {
        &self.cancelled
    }
}

/// What all threads of this process have used so far, to a tick.
fn cpu_milliseconds() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // the name of the program stands in parentheses, and may itself contain anything
    let (_, behind) = stat.rsplit_once(')').ok_or("no such line in /proc")?;
    let fields: Vec<&str> = behind.split_whitespace().collect();
    let (user, system): (f64, f64) = (fields[11].parse()?, fields[12].parse()?);
    Ok((user + system) * 1000.0 / TICKS)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

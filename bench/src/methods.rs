//! All methods in all settings, in one run: what they lose and what they take.
//!
//! Loss is judged by `tools/judge.py`, which shares no code with the program and checks every
//! release's promises on the way; time and memory are those of the whole command, CSV in, verified
//! release out. A method that refuses a setting or takes longer than the limit has its reason in
//! place of figures.

use crate::arx::Arx;
use crate::cases::{CASES, CaseSource, MethodCase, TableShare};
use crate::judged::{self, JudgedRelease};
use crate::program::{self, CommandCost, CommandEnd, mingle, watch_within};
use crate::{kit, loss_floor};
use mingle_anonymize::METHODS;
use mingle_chart::{Axis, Chart, Series};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is asked for.
pub struct MethodsOptions<'a> {
    /// The folder with the public tables.
    pub data: &'a Path,
    /// The user's archive of ARX.
    pub arx: Option<&'a Path>,
    /// Where CSV and SVG go.
    pub out: Option<&'a Path>,
    /// Only settings whose name contains this.
    pub only: Option<&'a str>,
    /// How much of every table.
    pub scale: TableShare,
    /// Seconds by the clock after which a command is stopped.
    pub limit: f64,
}

/// One method in one setting.
struct MethodRun {
    case: &'static str,
    method: String,
    result: RunResult,
}

impl MethodRun {
    /// Loss, time and verdict as texts, `nothing` where there is none.
    fn figures(&self, nothing: &str) -> Vec<String> {
        match &self.result {
            RunResult::None(reason) => {
                let mut texts = vec![nothing.to_owned(); 7];
                texts.push(reason.clone());
                texts
            }
            RunResult::Published(cost, judged) => vec![
                format!("{:.5}", judged.ncp),
                format!("{:.0}", judged.discernibility),
                format!("{:.5}", judged.query_error),
                judged.groups.to_string(),
                format!("{:.2}", cost.cpu_seconds),
                format!("{:.2}", cost.seconds),
                format!("{:.0}", cost.memory),
                verdict(judged),
            ],
        }
    }
}

enum RunResult {
    Published(CommandCost, JudgedRelease),
    None(String),
}

/// Runs everything and prints one table.
pub fn run(options: &MethodsOptions<'_>, scratch: &Path) {
    kit::check(options.data);
    let arx = options.arx.map(|archive| Arx::new(archive, scratch));
    println!(
        "| setting | promises | rows | bound | method | NCP | discernibility | query error | groups | CPU-s | seconds | peak MiB | judged |"
    );
    println!("|---|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|---|");
    let source = CaseSource {
        data: options.data,
        scratch,
        scale: options.scale,
    };
    let mut all = Vec::new();
    for (name, make) in CASES {
        if options.only.is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let case = make(&source, name);
        all.extend(run_case(&case, arx.as_ref(), options.limit, scratch));
    }
    if let Some(out) = options.out {
        std::fs::create_dir_all(out).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
        program::write(&out.join("methods.csv"), &as_csv(&all));
        program::write(&out.join("methods.svg"), &chart(&all));
    }
}

fn run_case(case: &MethodCase, arx: Option<&Arx>, limit: f64, scratch: &Path) -> Vec<MethodRun> {
    let mut ends: Vec<(String, CommandEnd, PathBuf)> = Vec::new();
    for entry in METHODS {
        // it looks at providers, and has nothing to look at where there are none
        if entry.name == "provider-aware" && case.provider.is_none() {
            continue;
        }
        let (end, release) = publish(case, entry.name, limit, scratch);
        ends.push((entry.name.to_owned(), end, release));
    }
    if let Some(arx) = arx.filter(|_| Arx::knows(case)) {
        let (end, release) = arx.run(case, &scratch.join("arx.csv"), limit);
        ends.push(("ARX local recoding".to_owned(), end, release));
    }
    let mut done = Vec::new();
    for (_, end, release) in &ends {
        if let CommandEnd::Done(_) = end {
            done.push(release.clone());
        }
    }
    let policy = judged::write_policy(scratch, "judged", &case.policy(METHODS[0].name));
    let mut judgements = judged::judge(&policy, &done).into_iter();
    let floor = loss_floor::of_case(case);
    let mut runs = Vec::new();
    for (method, end, _) in ends {
        let result = match end {
            CommandEnd::Done(cost) => {
                let judgement = judgements.next().expect("one for each release");
                RunResult::Published(cost, judgement)
            }
            CommandEnd::Failed(code, said) => RunResult::None(reason(code, &said)),
            CommandEnd::Stopped => RunResult::None(format!("stopped after {limit:.0} s")),
        };
        let run = MethodRun {
            case: case.name,
            method,
            result,
        };
        print_run(case, floor, &run);
        runs.push(run);
    }
    runs
}

/// Why a command ended without a release: the program's own code, where it says one.
fn reason(exit: Option<i32>, said: &str) -> String {
    let document: Value = serde_json::from_str(said).unwrap_or_default();
    match document["code"].as_str() {
        Some(code) => format!("none ({code})"),
        None => format!("none (exit {})", exit.unwrap_or(-1)),
    }
}

fn publish(case: &MethodCase, method: &str, limit: f64, scratch: &Path) -> (CommandEnd, PathBuf) {
    let policy = judged::write_policy(scratch, method, &case.policy(method));
    let release = scratch.join(format!("release-{method}"));
    let mut command = Command::new(mingle());
    command
        .arg("publish")
        .arg(&policy)
        .arg("--out")
        .arg(&release);
    command.args(["--force", "--json", "-q"]);
    (watch_within(&mut command, limit), release)
}

fn print_run(case: &MethodCase, floor: Option<loss_floor::LossFloor>, run: &MethodRun) {
    let (rows, bound) = match floor {
        Some(floor) => (floor.rows.to_string(), format!("{:.4}", floor.ncp)),
        None => (
            loss_floor::count_rows(&case.table).to_string(),
            "–".to_owned(),
        ),
    };
    let figures = run.figures("–").join(" | ");
    println!(
        "| {} | {} | {rows} | {bound} | {} | {figures} |",
        case.name,
        case.promise_words(),
        run.method
    );
}

fn verdict(judged: &JudgedRelease) -> String {
    if judged.broken.is_empty() {
        "holds".to_owned()
    } else {
        format!("**fails**: {}", judged.broken.join("; "))
    }
}

fn as_csv(runs: &[MethodRun]) -> String {
    let mut text = String::from(
        "setting,method,ncp,discernibility,query_error,groups,cpu_seconds,seconds,peak_mib,judged\n",
    );
    for run in runs {
        let figures = run.figures("").join(",");
        let _ = writeln!(text, "{},{},{figures}", run.case, run.method);
    }
    text
}

/// Loss against time, each over the default method's in the same setting, so that settings can
/// stand in one plot: up is more lost, right is slower.
fn chart(runs: &[MethodRun]) -> String {
    let mut series: Vec<Series> = Vec::new();
    let default = METHODS[0].name;
    for run in runs {
        let own = runs
            .iter()
            .find(|other| other.case == run.case && other.method == default);
        let (Some(own), RunResult::Published(cost, judged)) = (own, &run.result) else {
            continue;
        };
        let RunResult::Published(own_cost, own_judged) = &own.result else {
            continue;
        };
        let point = (
            cost.cpu_seconds / own_cost.cpu_seconds.max(0.01),
            judged.ncp / own_judged.ncp,
        );
        let known = series.iter().position(|s| s.name == run.method);
        let place = known.unwrap_or_else(|| {
            series.push(Series::new(run.method.clone(), []));
            series.len() - 1
        });
        // a break after each point: settings are not joined by a line
        series[place].points.push(point);
        series[place].points.push((f64::NAN, f64::NAN));
    }
    let chart = Chart {
        title: "Loss against time, as multiples of the default method's in the same setting".into(),
        x: Axis::log("CPU-seconds, multiple of the default method's"),
        y: Axis::log("NCP, multiple of the default method's"),
        series,
    };
    chart.to_svg()
}

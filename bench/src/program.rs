//! Running the program as a user would, and watching it.

use crate::settings::TableSetting;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a run took and gave.
pub struct ProgramRun {
    /// Seconds from start to end.
    pub seconds: f64,
    /// The largest resident size in MiB.
    pub memory: f64,
    /// The normalized certainty penalty.
    pub ncp: f64,
    /// The discernibility.
    pub discernibility: f64,
    /// The mean error of random queries.
    pub query_error: f64,
}

/// The `mingle` beside this program.
pub fn mingle() -> PathBuf {
    let own = std::env::current_exe().expect("a running program has a path");
    own.with_file_name("mingle")
}

/// Publishes with a setting and a method: CSV in, verified release out.
pub fn publish(setting: &TableSetting, method: &str, scratch: &Path) -> ProgramRun {
    let policy = scratch.join("policy.toml");
    write(&policy, &setting.policy(method));
    let mut command = Command::new(mingle());
    command
        .arg("publish")
        .arg(&policy)
        .arg("--out")
        .arg(scratch.join("release"))
        .args(["--force", "--json", "-q"]);
    let (seconds, memory, output) = watch(&mut command);
    let document: Value = serde_json::from_slice(&output).expect("--json prints a document");
    let number = |value: &Value| {
        value
            .as_f64()
            .or_else(|| value.as_str()?.parse().ok())
            .expect("a figure")
    };
    let utility = &document["utility"];
    ProgramRun {
        seconds,
        memory,
        ncp: number(&utility["ncp"]["overall"]),
        discernibility: number(&utility["discernibility"]),
        query_error: number(&utility["query_error"]["mean"]),
    }
}

/// The quickest of several runs.
pub fn best_of(runs: usize, setting: &TableSetting, method: &str, scratch: &Path) -> ProgramRun {
    let runs = (0..runs).map(|_| publish(setting, method, scratch));
    runs.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
        .expect("at least one run")
}

/// Makes a table.
pub fn synth(kind: &str, rows: u64, seed: u64, out: &Path) -> f64 {
    synth_of(kind, rows, seed, None, out)
}

/// Makes a table of several providers.
pub fn synth_of(kind: &str, rows: u64, seed: u64, providers: Option<u32>, out: &Path) -> f64 {
    let mut command = Command::new(mingle());
    command.args([
        "synth",
        kind,
        "-q",
        "--force",
        "--rows",
        &rows.to_string(),
        "--seed",
        &seed.to_string(),
        "--out",
    ]);
    command.arg(out);
    if let Some(providers) = providers {
        command.args(["--providers", &providers.to_string()]);
    }
    watch(&mut command).0
}

/// Writes a small file of this program's own.
#[allow(
    clippy::disallowed_methods,
    reason = "scratch files of a benchmark are neither private nor precious"
)]
pub fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// Runs a command to its end: seconds, peak memory in MiB, standard output.
pub fn watch(command: &mut Command) -> (f64, f64, Vec<u8>) {
    let child = run_child(command, f64::INFINITY).expect("nobody stops it");
    assert!(child.status.success(), "{command:?} failed");
    (child.seconds, child.memory, child.output)
}

/// What a command took.
#[derive(Clone, Copy)]
pub struct CommandCost {
    /// Seconds by the clock.
    pub seconds: f64,
    /// Seconds of all cores.
    pub cpu_seconds: f64,
    /// The largest resident size in MiB.
    pub memory: f64,
}

/// How a command ended that may fail, or be stopped because it takes too long.
pub enum CommandEnd {
    /// It did its work.
    Done(CommandCost),
    /// It ended with this code, and with this on standard output.
    Failed(Option<i32>, String),
    /// It was stopped.
    Stopped,
}

/// Runs a command for at most so many seconds by the clock; what it says about a failure is not
/// shown.
pub fn watch_within(command: &mut Command, limit: f64) -> CommandEnd {
    let before = cpu_of_children();
    let Some(child) = run_child(command.stderr(Stdio::null()), limit) else {
        return CommandEnd::Stopped;
    };
    if !child.status.success() {
        let said = String::from_utf8_lossy(&child.output).into_owned();
        return CommandEnd::Failed(child.status.code(), said);
    }
    CommandEnd::Done(CommandCost {
        seconds: child.seconds,
        cpu_seconds: cpu_of_children() - before,
        memory: child.memory,
    })
}

/// A command that has ended by itself.
struct EndedChild {
    status: ExitStatus,
    seconds: f64,
    memory: f64,
    output: Vec<u8>,
}

/// `None` if it had to be stopped.
fn run_child(command: &mut Command, limit: f64) -> Option<EndedChild> {
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let mut pipe = child.stdout.take().expect("standard output is a pipe");
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        std::io::Read::read_to_end(&mut pipe, &mut output).expect("a pipe can be read");
        output
    });
    let mut memory = 0.0f64;
    let status = loop {
        memory = memory.max(resident(child.id()));
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            break status;
        }
        if start.elapsed().as_secs_f64() > limit {
            child.kill().expect("a child of ours can be stopped");
            child.wait().expect("a child can be waited for");
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    Some(EndedChild {
        status,
        seconds: start.elapsed().as_secs_f64(),
        memory,
        output: reader.join().expect("the reader does not panic"),
    })
}

/// The peak so far, as the kernel counts it; 0 where it does not say.
fn resident(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().strip_suffix(" kB")?.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1024.0
}

/// CPU-seconds of this process so far.
pub fn cpu_seconds() -> f64 {
    // user and system time are the 14th and 15th field
    cpu_fields(11)
}

/// CPU-seconds of all its children that have ended.
pub fn cpu_of_children() -> f64 {
    // the 16th and 17th field
    cpu_fields(13)
}

/// Two neighbouring times behind the process's name, which ends the second field; the clock ticks a
/// hundred times a second.
fn cpu_fields(first: usize) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the kernel counts CPU time here");
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let ticks = |at: usize| fields[at].parse::<f64>().expect("ticks");
    (ticks(first) + ticks(first + 1)) / 100.0
}

//! `mingle publish --on`: the tables are on a cluster, and the Python package speaks to it.
//!
//! The program has no client of a cluster. It starts `python3 -m mingle.spark`, hands it one request, and shows the
//! answer as its own. Standard input of that process stays open until it has ended: if this program is gone, or is asked
//! to stop, it ends, and puts nothing in its place.

use crate::args::Publish;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen};
use mingle_record::ProblemCode;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Which Python has the package, if not the one on the path.
const PYTHON_VARIABLE: &str = "MINGLE_PYTHON";

const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Addresses that Spark or its Connect client takes.
const ADDRESSES: [&str; 5] = ["sc://", "spark://", "k8s://", "yarn", "local"];

/// Looks at the address after `--on`.
pub fn cluster_address(text: &str) -> Result<String, String> {
    for known in ADDRESSES {
        if text.starts_with(known) {
            return Ok(text.to_owned());
        }
    }
    Err("a cluster is sc://HOST:PORT (Spark Connect, Sail) or spark://HOST:PORT".to_owned())
}

#[derive(Serialize)]
struct Request<'a> {
    policy: &'a PathBuf,
    settings: Vec<String>,
    on: &'a str,
    out: &'a Option<PathBuf>,
    private: &'a Option<PathBuf>,
    staging: &'a Option<PathBuf>,
    threads: Option<u16>,
    progress: bool,
}

/// Who answers.
#[derive(Deserialize)]
struct Greeting {
    version: String,
}

/// What became of the request.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    problem: Option<SaidProblem>,
    warnings: Vec<SaidProblem>,
}

#[derive(Deserialize)]
struct SaidProblem {
    code: ProblemCode,
    text: String,
    hint: String,
    #[serde(default)]
    excerpt: Option<String>,
}

impl SaidProblem {
    fn problem(self) -> Problem {
        let problem = Problem::new(self.code, self.text, self.hint);
        match self.excerpt {
            Some(excerpt) => problem.with_excerpt(excerpt),
            None => problem,
        }
    }
}

pub fn run(args: &Publish, address: &str, screen: Screen) -> Result<Exit, Problem> {
    interrupt::listen();
    let mut settings = args.overrides.set.clone();
    if args.strict {
        settings.push("release.strict=true".to_owned());
    }
    let request = Request {
        policy: &args.policy,
        settings,
        on: address,
        out: &args.out,
        private: &args.private,
        staging: &args.staging,
        threads: args.threads,
        progress: !screen.is_quiet(),
    };
    let request = serde_json::to_string(&request).map_err(|_| {
        Problem::new(
            ProblemCode::Usage,
            "a path is not UTF-8 text, and cannot be handed to Python",
            "rename it",
        )
    })?;
    let python =
        std::env::var_os(PYTHON_VARIABLE).unwrap_or_else(|| OsString::from(DEFAULT_PYTHON));
    let mut process = Process::start(&python)?;
    let greeting: Greeting = process.line()?.ok_or_else(|| missing(&python))?;
    let own = env!("CARGO_PKG_VERSION");
    if greeting.version != own {
        let text = format!(
            "the Python package mingle has version {}, and this program {own}",
            greeting.version
        );
        let hint = "install the package of the same version: pip install ./crates/python";
        return Err(Problem::new(ProblemCode::ClusterPackage, text, hint));
    }
    process.ask(&request);
    let answer: Answer = process.line()?.ok_or_else(no_answer)?;
    process.end();
    for warning in answer.warnings {
        screen.warning(&warning.problem());
    }
    if let Some(problem) = answer.problem {
        return Err(problem.problem());
    }
    screen.note(&answer.text.ok_or_else(no_answer)?);
    Ok(Exit::Fine)
}

const DEFAULT_PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

fn missing(python: &OsString) -> Problem {
    let text = format!(
        "{} has no package mingle, and a cluster is spoken to through it",
        python.display()
    );
    let hint = format!(
        "pip install ./crates/python 'pyspark[connect]', for Python 3.11 or later; {PYTHON_VARIABLE} names another Python"
    );
    Problem::new(ProblemCode::ClusterPackage, text, hint)
}

fn no_answer() -> Problem {
    Problem::new(
        ProblemCode::ClusterFailed,
        "the Python process that speaks to the cluster has ended without an answer",
        "what it has printed is above; nothing was published unless the output folder is there, which is then whole",
    )
}

/// The Python process, and the lines that it says.
struct Process {
    child: Child,
    /// Closed to have it stop.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    fn start(python: &OsString) -> Result<Process, Problem> {
        // -P: a folder `mingle` beside the caller is not the package
        let started = Command::new(python)
            .args(["-P", "-m", "mingle.spark"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = started.map_err(|_| missing(python))?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or_else(no_answer)?;
        Ok(Process {
            child,
            input,
            lines: lines_of(output),
        })
    }

    /// Sends the request. If nobody reads it, no answer comes either.
    fn ask(&mut self, request: &str) {
        if let Some(input) = &mut self.input {
            let _ = writeln!(input, "{request}");
        }
    }

    /// The next thing it says; nothing when it has ended. Asked to stop, it is waited for.
    fn line<T: for<'de> Deserialize<'de>>(&mut self) -> Result<Option<T>, Problem> {
        loop {
            if interrupt::check().is_err() {
                self.input = None;
            }
            match self.lines.recv_timeout(BETWEEN_LOOKS) {
                Ok(line) => return Ok(serde_json::from_str(&line).ok()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.end();
                    interrupt::check()?;
                    return Ok(None);
                }
            }
        }
    }

    fn end(&mut self) {
        // what it said is known, and how it ends adds nothing
        let _ = self.child.wait();
    }
}

fn lines_of(output: ChildStdout) -> Receiver<String> {
    let (said, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if said.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

//! A report as PDF, printed by a browser of this machine.
//!
//! The page has no script and asks for nothing, so the browser only lays it out. It gets a folder
//! of its own for the page and for everything it remembers, which only the user can read and which
//! is removed afterwards. Whatever it says is not repeated: it may quote the page.

use crate::message::Problem;
use mingle::Run;
use mingle::results;
use mingle_record::ProblemCode;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

/// Where somebody says which browser.
const CHOICE: &str = "MINGLE_BROWSER";

/// Browsers that print without a window, by the names of their programs.
const BROWSERS: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
];

/// How long a browser may take.
const PATIENCE: Duration = Duration::from_secs(180);

/// The page as PDF.
pub fn print(html: &str, run: &Run) -> Result<Vec<u8>, Problem> {
    let browser = find().ok_or_else(none_found)?;
    run.step("printing");
    let folder = tempfile::tempdir().map_err(|e| failed(&browser, &e.kind().to_string()))?;
    let (page, printed) = (
        folder.path().join("report.html"),
        folder.path().join("report.pdf"),
    );
    results::write(&page, html.as_bytes(), false)?;
    let child = start(&browser, folder.path(), &page, &printed)
        .map_err(|e| failed(&browser, &e.kind().to_string()))?;
    wait(child, &browser, run)?;
    let bytes = fs::read(&printed).unwrap_or_default();
    if bytes.starts_with(b"%PDF-") {
        Ok(bytes)
    } else {
        Err(failed(&browser, "it wrote no PDF"))
    }
}

/// The browser that was chosen, or the first that is there.
fn find() -> Option<PathBuf> {
    if let Some(chosen) = env::var_os(CHOICE).filter(|chosen| !chosen.is_empty()) {
        return Some(chosen.into());
    }
    let folders = env::var_os("PATH")?;
    for name in BROWSERS {
        for folder in env::split_paths(&folders) {
            let browser = folder.join(name);
            if browser.is_file() {
                return Some(browser);
            }
        }
    }
    None
}

fn start(browser: &Path, folder: &Path, page: &Path, printed: &Path) -> io::Result<Child> {
    let mut profile = OsString::from("--user-data-dir=");
    profile.push(folder.join("profile"));
    let mut target = OsString::from("--print-to-pdf=");
    target.push(printed);
    let mut command = Command::new(browser);
    command
        .args([
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--no-pdf-header-footer",
        ])
        .args([profile, target])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if is_root(folder) {
        // a browser refuses to be sandboxed by root; the page is ours and has no script
        command.arg("--no-sandbox");
    }
    command.arg(page).spawn()
}

/// Whether what this user makes is root's.
#[cfg(unix)]
fn is_root(made: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    made.metadata().is_ok_and(|made| made.uid() == 0)
}

#[cfg(not(unix))]
fn is_root(_: &Path) -> bool {
    false
}

/// Until the browser ends, the user has had enough, or it takes too long.
fn wait(mut child: Child, browser: &Path, run: &Run) -> Result<(), Problem> {
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(_)) => return Err(failed(browser, "it ended with an error")),
            Ok(None) => {}
            Err(error) => return Err(failed(browser, &error.kind().to_string())),
        }
        let stopped = run.check();
        let is_late = started.elapsed() > PATIENCE;
        if stopped.is_err() || is_late {
            // it may have ended by itself just now
            let _ = child.kill();
            let _ = child.wait();
            stopped?;
            return Err(failed(browser, "it took more than three minutes"));
        }
        thread::sleep(Duration::from_millis(50));
    }
}

fn none_found() -> Problem {
    let text = "--pdf needs a browser that prints, and none was found";
    let hint = format!(
        "install Chromium, name one in {CHOICE}, or leave --pdf out and print the page from your browser"
    );
    Problem::new(ProblemCode::Usage, text, hint)
}

fn failed(browser: &Path, reason: &str) -> Problem {
    let text = format!("{} did not print the report: {reason}", browser.display());
    let hint = format!(
        "name another browser in {CHOICE}, or leave --pdf out and print the page from yours"
    );
    Problem::new(ProblemCode::OutputUnwritable, text, hint)
}

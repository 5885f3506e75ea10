//! Standard output as a program reads it: with `--json` exactly one document, the result or, where
//! there is none, the error.
//!
//! Whether a document was printed is remembered here, so that a command that prints its findings and
//! then fails prints no second one, and Ctrl-C does not cut one in two. Warnings are remembered as
//! they are said, because what was odd before a failure may be its reason.

use crate::message::print;
use mingle_record::answer::ErrorAnswer;
use mingle_record::{Problem, WarningNotice};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What standard output was asked for, and what it got.
struct Output {
    asked_for_json: bool,
    printed: bool,
    warnings: Vec<WarningNotice>,
}

static OUTPUT: Mutex<Output> = Mutex::new(Output {
    asked_for_json: false,
    printed: false,
    warnings: Vec::new(),
});

fn output() -> MutexGuard<'static, Output> {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on a failure is a document as well.
pub fn ask_for_json() {
    output().asked_for_json = true;
}

/// Whether `--json` was given.
pub fn is_asked_for() -> bool {
    output().asked_for_json
}

/// Remembers what was odd.
pub fn remember(warning: &Problem) {
    output().warnings.push(warning.into());
}

/// Prints the result of a command.
pub fn print_json(document: &impl serde::Serialize) -> Result<(), Problem> {
    let text = serde_json::to_string_pretty(document)
        .map_err(|_| mingle::failure::defect("an answer that is no JSON document"))?;
    // held until all of it is written: who interrupts waits
    let mut output = output();
    output.printed = true;
    print(&format!("{text}\n"))
}

/// Prints why there is no result, where JSON was asked for and nothing was printed.
pub fn print_error(problem: &Problem) {
    let mut output = output();
    if !output.asked_for_json || output.printed {
        return;
    }
    output.printed = true;
    let answer = ErrorAnswer::new(problem, std::mem::take(&mut output.warnings));
    if let Ok(text) = serde_json::to_string_pretty(&answer) {
        // there is nobody left to tell that standard output is closed
        let _ = print(&format!("{text}\n"));
    }
}

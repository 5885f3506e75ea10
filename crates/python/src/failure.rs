//! Problems as Python exceptions: code, text, hint and place, and never a cell.

use mingle::publish::Failed;
use mingle::{Problem, ProblemCode};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// A problem as the package's exception.
pub fn raised(problem: &Problem) -> PyErr {
    raised_with(problem, &[])
}

/// The same with what is odd about the tables, which may be the reason.
pub fn failed(failed: &Failed) -> PyErr {
    raised_with(&failed.problem, &failed.warnings)
}

fn raised_with(problem: &Problem, warnings: &[Problem]) -> PyErr {
    let warnings: Vec<Value> = warnings.iter().map(document).collect();
    let text = json!({ "problem": document(problem), "warnings": warnings }).to_string();
    Python::attach(|py| {
        let made = py
            .import("mingle.errors")
            .and_then(|module| module.getattr("raised"))
            .and_then(|raised| raised.call1((text,)));
        match made {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        }
    })
}

/// A problem as JSON.
pub fn document(problem: &Problem) -> Value {
    json!({
        "code": problem.code().to_string(),
        "text": problem.text(),
        "hint": problem.hint(),
        "excerpt": problem.excerpt(),
        "place": problem.place(),
    })
}

/// Several of them.
pub fn documents(problems: &[Problem]) -> Value {
    problems.iter().map(document).collect()
}

/// Something that was asked for in a way that makes no sense.
pub fn usage(text: impl Into<String>, hint: &str) -> PyErr {
    raised(&Problem::new(ProblemCode::Usage, text, hint))
}

/// Our own mistake.
pub fn defect(text: &str) -> PyErr {
    raised(&mingle::failure::defect(text))
}

/// What a panic says may quote a cell, so nobody prints it: it becomes an exception that says only
/// that there is a defect. The standard library is linked into this module, so the hook is its own.
pub fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|_| {}));
}

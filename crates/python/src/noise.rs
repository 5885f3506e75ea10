//! Releases with noise, and the ledgers that they spend from.

use crate::failure::{documents, failed, raised};
use crate::policy::NativePolicy;
use crate::tables::{GivenTable, ScannedTables, count, json as to_json};
use crate::work::{Job, Listener, wait_for};
use mingle::noise;
use mingle::publish::Failed;
use mingle::{Problem, ProblemCode, ReleaseFolder};
use mingle_dp::{Amount, Epsilon};
use mingle_record::answer::DpBudgetRule;
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;

/// Makes a release with noise in a new folder, or says what it would be where there is none.
/// `rows` is how many rows of frames an earlier look has seen: where they are others now, nothing
/// is spent.
#[pyfunction]
#[pyo3(signature = (policy, tables, target, rows, listener))]
pub fn release_with_noise(
    py: Python<'_>,
    policy: &NativePolicy,
    tables: Vec<GivenTable<'_>>,
    target: Option<(PathBuf, bool)>,
    rows: Option<u64>,
    listener: Listener,
) -> PyResult<String> {
    let policy = policy.policy.clone();
    let tables = ScannedTables::take(tables, Some(&policy))?;
    let read = tables.rows();
    let inputs = tables.into_inputs(&policy)?;
    let target = target.map(|(folder, replace)| ReleaseFolder::at(folder).replacing(replace));
    let made = Job::new(None)?.wait(py, &listener, |run| {
        let plan = noise::plan(&policy, &inputs, target.as_ref(), run)?;
        if rows.is_some_and(|rows| rows != count(&read)) {
            return Err(changed().into());
        }
        let outcome = plan.carry_out(run)?;
        let warnings = documents(&outcome.warnings);
        let answer = outcome.answer();
        let rows = count(&read);
        Ok::<_, Failed>(json!({ "answer": answer, "warnings": warnings, "rows": rows }).to_string())
    })?;
    made.map_err(|error| failed(&error))
}

fn changed() -> Problem {
    let text = "a frame has another number of rows than when the release was planned";
    let hint = "nothing was spent or written; plan again";
    Problem::new(ProblemCode::InputChanged, text, hint)
}

/// What a ledger says.
#[pyfunction]
pub fn budget(py: Python<'_>, ledger: PathBuf) -> PyResult<String> {
    wait_for(py, &None, |_| {
        to_json(&noise::budget::answer(&noise::budget::read(&ledger)?))
    })
}

/// Makes a ledger; amounts are decimal texts, which are taken exactly.
#[pyfunction]
pub fn new_budget(
    py: Python<'_>,
    ledger: PathBuf,
    name: String,
    amounts: (Option<String>, Option<String>, Option<String>),
    rule: Option<String>,
) -> PyResult<String> {
    let (epsilon, delta, rho) = amounts;
    let budget = noise::budget::NewBudget {
        name: &name,
        epsilon: amount("epsilon", epsilon)?.map(Epsilon),
        delta: amount("delta", delta)?,
        rho: amount("rho", rho)?,
        rule: match rule.as_deref() {
            None => None,
            Some("basic") => Some(DpBudgetRule::Basic),
            Some("concentrated") => Some(DpBudgetRule::Concentrated),
            Some(_) => {
                let hint = "write accounting=\"basic\" or accounting=\"concentrated\"";
                return Err(crate::failure::usage("no such accounting", hint));
            }
        },
    };
    wait_for(py, &None, |run| {
        to_json(&noise::budget::answer(&noise::budget::create(
            &ledger, &budget, run,
        )?))
    })
}

/// What several releases about the same people amount to.
#[pyfunction]
pub fn compose(py: Python<'_>, parts: Vec<PathBuf>, delta: Option<String>) -> PyResult<String> {
    let delta = amount("delta", delta)?;
    let found = Job::new(None)?.wait(py, &None, |_| noise::compose::compose(&parts, delta))?;
    let (together, warnings) = found.map_err(|error| failed(&error))?;
    if let Some(problem) = together.no_bound() {
        return Err(raised(&problem));
    }
    to_json(&together.answer(&warnings)).map_err(|e| raised(&e))
}

fn amount(name: &str, text: Option<String>) -> PyResult<Option<Amount>> {
    let Some(text) = text else {
        return Ok(None);
    };
    match Amount::parse(&text) {
        Some(amount) => Ok(Some(amount)),
        None => {
            let hint = "give a positive number, or its decimal text";
            Err(crate::failure::usage(format!("{name} is no amount"), hint))
        }
    }
}

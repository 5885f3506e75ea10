//! What would be published, and publishing it.

use crate::failure::{documents, failed, raised};
use crate::policy::NativePolicy;
use crate::tables::{GivenTable, ScannedTables};
use crate::work::{Job, Listener};
use mingle::apply::{AppliedRelease, ApplyRequest};
use mingle::publish::Failed;
use mingle::{Inputs, NewRelease, Plan, Policy, Problem, ReleaseFolder};
use pyo3::prelude::*;
use self_cell::self_cell;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// How far a plan has come. A release that could not be written can be written elsewhere.
enum Stage<'a> {
    Planned(Box<Plan<'a>>),
    Made(Box<NewRelease<'a>>),
    /// New rows in the groups of a release that is there already.
    Applied(Box<AppliedRelease<'a>>),
    /// It was written, or given up on the way.
    Over,
}

self_cell!(
    struct OwnedStage {
        owner: Arc<Policy>,
        #[not_covariant]
        dependent: Stage,
    }
);

/// A verified plan.
#[pyclass(frozen, module = "mingle._native")]
pub struct NativePlan {
    stage: Mutex<OwnedStage>,
    job: Job,
    /// What it would be, as JSON.
    #[pyo3(get)]
    about: String,
}

/// Finds what would be published, and verifies it.
#[pyfunction]
pub fn plan(
    py: Python<'_>,
    policy: &NativePolicy,
    tables: Vec<GivenTable<'_>>,
    threads: Option<usize>,
    listener: Listener,
) -> PyResult<NativePlan> {
    let inputs = ScannedTables::take(tables, Some(&policy.policy))?.into_inputs(&policy.policy)?;
    planned(py, policy, inputs, threads, &listener)
}

/// The same of whatever the engine can read.
pub fn planned(
    py: Python<'_>,
    policy: &NativePolicy,
    inputs: Inputs,
    threads: Option<usize>,
    listener: &Listener,
) -> PyResult<NativePlan> {
    let policy = policy.policy.clone();
    let job = Job::new(threads)?;
    let made = job.wait(py, listener, |run| {
        let mut about = Value::Null;
        let stage = OwnedStage::try_new(policy, |policy| {
            let plan = mingle::plan(policy, inputs, run)?;
            let summary = plan.summary();
            about = described(&summary, plan.warnings());
            Ok::<_, Failed>(Stage::Planned(Box::new(plan)))
        })?;
        Ok::<_, Failed>((stage, about.to_string()))
    })?;
    let (stage, about) = made.map_err(|error| failed(&error))?;
    Ok(NativePlan {
        stage: Mutex::new(stage),
        job,
        about,
    })
}

/// Puts new rows into the groups of a release, and verifies the union.
#[pyfunction]
pub fn apply(
    py: Python<'_>,
    policy: &NativePolicy,
    release: PathBuf,
    tables: Vec<GivenTable<'_>>,
    never_handed_out: bool,
    threads: Option<usize>,
    listener: Listener,
) -> PyResult<NativePlan> {
    let policy = policy.policy.clone();
    let new_rows = ScannedTables::take(tables, Some(&policy))?.into_new_rows();
    let job = Job::new(threads)?;
    let made = job.wait(py, &listener, |run| {
        let mut about = Value::Null;
        let stage = OwnedStage::try_new(policy, |policy| {
            let request = ApplyRequest {
                release: &release,
                policy,
                new_rows: &new_rows,
                never_handed_out,
                only_look: false,
            };
            let applied = mingle::apply::apply(&request, run)?;
            about = described_applied(&applied);
            Ok::<_, Failed>(Stage::Applied(Box::new(applied)))
        })?;
        Ok::<_, Failed>((stage, about.to_string()))
    })?;
    let (stage, about) = made.map_err(|error| failed(&error))?;
    Ok(NativePlan {
        stage: Mutex::new(stage),
        job,
        about,
    })
}

#[pymethods]
impl NativePlan {
    /// Writes the release to a new folder; returns what was published as JSON.
    fn publish(
        &self,
        py: Python<'_>,
        out: PathBuf,
        replace: bool,
        listener: Listener,
    ) -> PyResult<String> {
        let target = ReleaseFolder::at(out).replacing(replace);
        let written = self.job.wait(py, &listener, |run| {
            target.check(run)?;
            let mut owned = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
            owned.with_dependent_mut(|_, stage| write(stage, target))
        })?;
        written.map_err(|problem| raised(&problem))
    }
}

fn write(stage: &mut Stage<'_>, target: ReleaseFolder) -> Result<String, Problem> {
    let mut release = match std::mem::replace(stage, Stage::Over) {
        Stage::Planned(plan) => Box::new(plan.publish()?),
        Stage::Made(release) => release,
        Stage::Applied(mut applied) => {
            if let Err(problem) = applied.write(target) {
                *stage = Stage::Applied(applied);
                return Err(problem);
            }
            return Ok(described_applied(&applied).to_string());
        }
        Stage::Over => {
            let text = "this plan was carried out or given up already";
            let hint = "plan again: a plan is published once";
            return Err(Problem::new(mingle::ProblemCode::Usage, text, hint));
        }
    };
    if let Err(problem) = release.write(target) {
        *stage = Stage::Made(release);
        return Err(problem);
    }
    // dropping it gives a history free that it may have locked
    Ok(described(&release.summary(), release.warnings()).to_string())
}

fn described_applied(applied: &AppliedRelease<'_>) -> Value {
    let summary = applied.summary();
    json!({
        "text": summary.to_text(),
        "answer": summary.answer(applied.warnings()),
        "warnings": documents(applied.warnings()),
    })
}

fn described(summary: &mingle::publish::PublishSummary<'_>, warnings: &[Problem]) -> Value {
    json!({
        "text": summary.to_text(),
        "answer": summary.answer(warnings),
        "warnings": documents(warnings),
    })
}

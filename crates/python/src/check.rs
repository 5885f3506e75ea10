//! Looking at what was made: verifying, measuring, reports, and the published table as a frame.

use crate::failure::{document, failed};
use crate::frame::ArrowFrame;
use crate::policy::NativePolicy;
use crate::tables::{AnonymizedTable, GivenTable, Looked, ScannedTables, json as to_json};
use crate::work::{Job, Listener, wait_for};
use arrow_array::Array;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{Field, Schema};
use mingle::failure;
use mingle::report::ReportPart;
use mingle::verify::{self, VerifyOutcome};
use mingle_io::{FormulaGuard, ReadOptions, Source};
use mingle_model::Missing;
use pyo3::prelude::*;
use serde_json::json;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Checks a release against its own promises.
#[pyfunction]
pub fn verify_release(
    py: Python<'_>,
    folder: PathBuf,
    strict: bool,
    listener: Listener,
) -> PyResult<String> {
    wait_for(py, &listener, |run| {
        let outcome = verify::release(&folder, run)?;
        Ok(verdict(outcome, strict))
    })
}

/// Checks a table that any tool has anonymized against a policy.
#[pyfunction]
pub fn verify_table(
    py: Python<'_>,
    policy: &NativePolicy,
    table: GivenTable<'_>,
    strict: bool,
    listener: Listener,
) -> PyResult<String> {
    let policy = policy.policy.clone();
    let table = AnonymizedTable::take(table)?;
    let strict = strict || policy.release.strict;
    let checked = Job::new(None)?.wait(py, &listener, |run| {
        verify::table(&policy, table.as_foreign(), run)
    })?;
    let outcome = checked.map_err(|error| failed(&error))?;
    Ok(verdict(outcome, strict))
}

fn verdict(mut outcome: VerifyOutcome, strict: bool) -> String {
    if strict {
        outcome.be_strict();
    }
    let remarks = outcome.remarks();
    json!({
        "answer": outcome.answer(),
        "problem": outcome.problem().as_ref().map(document),
        "note": remarks.note,
    })
    .to_string()
}

/// What a release or a table has lost against its original.
#[pyfunction]
pub fn measure(
    py: Python<'_>,
    policy: &NativePolicy,
    subject: (Option<PathBuf>, Option<GivenTable<'_>>),
    original: Vec<GivenTable<'_>>,
    listener: Listener,
) -> PyResult<String> {
    let policy = policy.policy.clone();
    let looked = Looked::of(subject.0, subject.1)?;
    let original = ScannedTables::take(original, Some(&policy))?.into_inputs(&policy)?;
    wait_for(py, &listener, |run| {
        let subject = match &looked {
            Looked::Release(folder) => mingle::measure::Subject::Release(folder),
            Looked::Table(table) => mingle::measure::Subject::Table(table.as_foreign()),
        };
        to_json(&mingle::measure::measure(
            &policy, &subject, &original, run,
        )?)
    })
}

/// A report as HTML, and whether the release keeps what it promises.
#[pyfunction]
pub fn report(
    py: Python<'_>,
    folder: PathBuf,
    private: bool,
    listener: Listener,
) -> PyResult<(String, bool)> {
    let part = if private {
        ReportPart::Private
    } else {
        ReportPart::Public
    };
    wait_for(py, &listener, |run| {
        let made = mingle::report::make(&folder, part, run)?;
        Ok((made.html, made.verdict.holds()))
    })
}

/// Writes the reports of a release anew; returns their paths.
#[pyfunction]
pub fn replace_reports(
    py: Python<'_>,
    folder: PathBuf,
    listener: Listener,
) -> PyResult<Vec<PathBuf>> {
    wait_for(py, &listener, |run| {
        Ok(mingle::report::replace(&folder, run)?.files)
    })
}

/// Reads a published file as a frame. `kinds` says which columns are whole numbers or decimals, by
/// the release's manifest; one of them that has other texts, such as ranges, is a column of texts.
#[pyfunction]
pub fn read_published(
    py: Python<'_>,
    file: PathBuf,
    kinds: HashMap<String, String>,
    unguard: bool,
) -> PyResult<ArrowFrame> {
    let batch = wait_for(py, &None, |run| {
        let name = file.display().to_string();
        let source = Source::of_release(file, name);
        let guard = if unguard {
            FormulaGuard::Parts
        } else {
            FormulaGuard::None
        };
        let options = ReadOptions {
            missing: Missing::new(Vec::new()),
            unguard: guard,
            cancel: Some(run.cancel().flag()),
            ..ReadOptions::default()
        };
        let raw = mingle_io::read_raw(&[source], &options).map_err(|e| failure::io(&e))?;
        let mut fields = Vec::new();
        let mut arrays = Vec::new();
        for (name, column) in &raw.columns {
            let texts: Vec<&str> = column.values.iter().map(|v| &*v.text).collect();
            let codes: Vec<usize> = column.ids.iter().map(|id| id as usize).collect();
            let array = typed(&texts, &codes, kinds.get(name).map(String::as_str));
            fields.push(Field::new(name, array.data_type().clone(), true));
            arrays.push(array);
        }
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
            .map_err(|_| failure::defect("columns of different lengths"))
    })?;
    Ok(ArrowFrame::new(batch))
}

/// An empty text is a missing number; as a text it stays what it is.
fn typed(texts: &[&str], codes: &[usize], kind: Option<&str>) -> ArrayRef {
    if kind == Some("integer")
        && let Some(numbers) = parsed::<i64>(texts)
    {
        let array: Int64Array = codes.iter().map(|&code| numbers[code]).collect();
        return Arc::new(array);
    }
    if kind == Some("decimal")
        && let Some(numbers) = parsed::<f64>(texts)
    {
        let array: Float64Array = codes.iter().map(|&code| numbers[code]).collect();
        return Arc::new(array);
    }
    let array: StringArray = codes.iter().map(|&code| Some(texts[code])).collect();
    Arc::new(array)
}

fn parsed<T: std::str::FromStr>(texts: &[&str]) -> Option<Vec<Option<T>>> {
    let mut numbers = Vec::with_capacity(texts.len());
    for text in texts {
        if text.is_empty() {
            numbers.push(None);
        } else {
            numbers.push(Some(text.parse().ok()?));
        }
    }
    Some(numbers)
}

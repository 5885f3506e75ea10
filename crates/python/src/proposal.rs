//! A policy proposed for tables.

use crate::failure::documents;
use crate::tables::{GivenTable, ScannedTables};
use crate::work::{Listener, wait_for};
use pyo3::prelude::*;
use serde_json::json;

/// Looks at tables that are in no file; returns the policy's text and everything that was seen.
#[pyfunction]
pub fn propose(
    py: Python<'_>,
    tables: Vec<GivenTable<'_>>,
    domains: bool,
    listener: Listener,
) -> PyResult<String> {
    let tables = ScannedTables::take(tables, None)?.into_scans();
    wait_for(py, &listener, |run| {
        let proposed = mingle::propose::policy_of_tables(tables, domains, run)?;
        let warnings = documents(&proposed.warnings);
        Ok(json!({ "answer": proposed.answer, "warnings": warnings }).to_string())
    })
}

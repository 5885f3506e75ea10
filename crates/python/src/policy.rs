//! Policies: read from a file or a text, or built from a dictionary.

use crate::failure::raised;
use mingle::{Policy, PolicyBuilder};
use mingle_policy::{BuiltValue, Folders};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

/// A policy that makes sense by itself.
#[pyclass(frozen, module = "mingle._native")]
pub struct NativePolicy {
    /// The policy, shared with plans made by it.
    pub policy: Arc<Policy>,
}

#[pymethods]
impl NativePolicy {
    /// Reads a file; `settings` are applied as `--set` flags are.
    #[staticmethod]
    fn from_file(path: PathBuf, settings: Vec<String>) -> PyResult<NativePolicy> {
        NativePolicy::of(Policy::load(&path, &settings))
    }

    /// Reads a text that would stand in the file `path`.
    #[staticmethod]
    fn from_text(text: String, path: PathBuf, settings: Vec<String>) -> PyResult<NativePolicy> {
        let folders = Folders::of(&path);
        NativePolicy::of(Policy::parse_at(&path, text, &settings, &folders))
    }

    /// Builds it from sections; names of files are relative to `folder`.
    #[staticmethod]
    fn from_dict(sections: &Bound<'_, PyDict>, folder: PathBuf) -> PyResult<NativePolicy> {
        let builder = put_all(Policy::builder(), &mut Vec::new(), sections)?;
        NativePolicy::of(builder.build_in(&folder))
    }

    /// All of it as JSON.
    fn document(&self) -> PyResult<String> {
        crate::tables::json(&self.policy.document).map_err(|e| raised(&e))
    }

    /// Whether it asks for noise instead of groups.
    fn is_noise(&self) -> bool {
        self.policy.noise().is_some()
    }

    /// Whether it names files.
    fn names_tables(&self) -> bool {
        self.policy.data.tables.is_some()
    }

    /// The column that says who contributed a row.
    fn provider_column(&self) -> Option<String> {
        self.policy.data.provider_column.clone()
    }
}

impl NativePolicy {
    fn of(read: Result<Policy, mingle::Problem>) -> PyResult<NativePolicy> {
        let policy = Arc::new(read.map_err(|problem| raised(&problem))?);
        Ok(NativePolicy { policy })
    }
}

/// Puts every value under the keys that lead to it, so that a refusal names all of them.
fn put_all(
    mut builder: PolicyBuilder,
    above: &mut Vec<String>,
    table: &Bound<'_, PyDict>,
) -> PyResult<PolicyBuilder> {
    for (key, value) in table {
        above.push(
            key.extract()
                .map_err(|_| PyTypeError::new_err("keys of a policy are texts"))?,
        );
        if let Ok(below) = value.cast::<PyDict>()
            && !below.is_empty()
        {
            builder = put_all(builder, above, below)?;
        } else {
            let keys: Vec<&str> = above.iter().map(String::as_str).collect();
            builder = builder.put(&keys, built(&value, &keys)?);
        }
        above.pop();
    }
    Ok(builder)
}

fn built(value: &Bound<'_, PyAny>, keys: &[&str]) -> PyResult<BuiltValue> {
    if let Ok(table) = value.cast::<PyDict>() {
        let mut entries = Vec::new();
        for (key, value) in table {
            entries.push((key.extract()?, built(&value, keys)?));
        }
        return Ok(BuiltValue::Table(entries));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let mut items = Vec::new();
        for item in value.try_iter()? {
            items.push(built(&item?, keys)?);
        }
        return Ok(BuiltValue::List(items));
    }
    // a bool is an int in Python, so it is asked for first
    if value.is_instance_of::<PyBool>() {
        return Ok(BuiltValue::Flag(value.extract()?));
    }
    if let Ok(number) = value.extract::<i64>() {
        return Ok(BuiltValue::Whole(number));
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(BuiltValue::Decimal(number));
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(BuiltValue::Text(text));
    }
    // paths
    if let Ok(path) = value.extract::<PathBuf>() {
        return Ok(BuiltValue::Text(path.display().to_string()));
    }
    Err(PyTypeError::new_err(format!(
        "{}: a policy holds texts, numbers, flags, lists and tables",
        keys.join(".")
    )))
}

//! Tables as Python hands them over: paths and Arrow streams, each perhaps with its provider.

use crate::failure::{raised, usage};
use crate::frame::FrameReader;
use mingle::tables::{self, ForeignTable};
use mingle::{ArrowStream, ArrowTable, Inputs, Policy, Problem, ProblemCode, Scan};
use mingle_io::{Source, TableFormat};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const NO_COLUMNS: &str = "its Arrow stream has no columns that can be read";

/// One table: its provider, what messages call it, and either a path or a stream.
#[derive(FromPyObject)]
pub struct GivenTable<'py>(
    Option<String>,
    String,
    Option<PathBuf>,
    Option<Bound<'py, PyCapsule>>,
);

/// Tables that are ready to be scanned once.
pub struct ScannedTables {
    scans: Vec<(Option<String>, Box<dyn Scan>)>,
    /// How many rows of frames were read so far.
    rows: Arc<AtomicU64>,
}

impl ScannedTables {
    /// Takes the streams out of their capsules.
    pub fn take(given: Vec<GivenTable<'_>>, policy: Option<&Policy>) -> PyResult<ScannedTables> {
        let rows = Arc::new(AtomicU64::new(0));
        let mut scans: Vec<(Option<String>, Box<dyn Scan>)> = Vec::new();
        for GivenTable(provider, name, path, capsule) in given {
            let scan: Box<dyn Scan> = match (path, capsule) {
                (Some(path), _) => {
                    let mut source = Source::new(&path, name);
                    if let Some(policy) = policy {
                        let format = tables::new_format(policy, provider.as_deref());
                        source = source.written_as(format);
                    }
                    tables::table(source)
                }
                (None, Some(capsule)) => {
                    if let Some(policy) = policy {
                        refuse_written(policy, &name)?;
                    }
                    let reader = FrameReader::take(&capsule, rows.clone())
                        .map_err(|_| refuse_frame(name.clone(), NO_COLUMNS.to_owned()))?;
                    Box::new(ArrowStream::new(name, reader))
                }
                (None, None) => {
                    return Err(usage(
                        "nothing is given",
                        "give a frame or the path of a file",
                    ));
                }
            };
            scans.push((provider, scan));
        }
        Ok(ScannedTables { scans, rows })
    }

    /// What counts the rows of frames.
    pub fn rows(&self) -> Arc<AtomicU64> {
        self.rows.clone()
    }

    /// What the engine works on: these tables, or the ones that the policy names where none is
    /// given. Both would leave it open which are meant.
    pub fn into_inputs(self, policy: &Policy) -> PyResult<Inputs> {
        if !self.scans.is_empty() && policy.data.tables.is_some() {
            let text = "the policy names files in [data], and tables are given as well";
            let hint = "leave the tables out, or take path and providers out of the policy";
            return Err(raised(&Problem::new(
                ProblemCode::Contradiction,
                text,
                hint,
            )));
        }
        if self.scans.is_empty() {
            return Ok(Inputs::of(policy));
        }
        let names_providers = self.scans.iter().any(|(provider, _)| provider.is_some());
        if names_providers && policy.data.provider_column.is_some() {
            let text =
                "a dict of tables names the providers, and so does provider_column in [data]";
            let hint = "take provider_column out of the policy, or give one table of all providers";
            return Err(raised(&Problem::new(
                ProblemCode::Contradiction,
                text,
                hint,
            )));
        }
        Ok(self.into_new_rows())
    }

    /// These tables, whatever files a policy names.
    pub fn into_new_rows(mut self) -> Inputs {
        if self.scans.len() == 1 && self.scans[0].0.is_none() {
            return Inputs::table(self.scans.remove(0).1);
        }
        let mut named = Vec::new();
        for (provider, scan) in self.scans {
            named.push((provider.unwrap_or_else(|| scan.name().to_owned()), scan));
        }
        Inputs::tables(named)
    }

    /// The tables without their providers.
    pub fn into_scans(self) -> Vec<Box<dyn Scan>> {
        self.scans.into_iter().map(|(_, scan)| scan).collect()
    }
}

/// What says how files are written is never ignored: a frame with texts such as `1,5` would mean
/// something else than its policy says.
fn refuse_written(policy: &Policy, name: &str) -> PyResult<()> {
    if policy.data.tables.is_some() || policy.data.format == TableFormat::default() {
        return Ok(());
    }
    let text = format!("[data] says how files are written, and {name} is no file");
    let hint = "take keys such as decimal, date_format, delimiter, encoding or header out: a frame's columns have names and types";
    Err(raised(&Problem::new(
        ProblemCode::Contradiction,
        text,
        hint,
    )))
}

/// Refuses what is no table. Why a library could not make a stream of its frame is not repeated: it
/// may quote cells.
#[pyfunction]
pub fn refuse_frame(name: String, found: String) -> PyErr {
    let text = format!("{name}: {found}");
    let hint = "give a pandas, polars, pyarrow or DuckDB frame whose columns have one type each, or the path of a file";
    raised(&Problem::new(ProblemCode::NotATable, text, hint))
}

/// How many rows were read.
pub fn count(rows: &AtomicU64) -> u64 {
    rows.load(Ordering::Relaxed)
}

/// A table that some tool has anonymized: a file, or batches that are read several times.
pub enum AnonymizedTable {
    /// A file.
    File(PathBuf),
    /// Batches.
    Frame(ArrowTable),
}

impl AnonymizedTable {
    /// Reads a stream into memory, because it is looked at several times.
    pub fn take(given: GivenTable<'_>) -> PyResult<AnonymizedTable> {
        let GivenTable(_, name, path, capsule) = given;
        if let Some(path) = path {
            return Ok(AnonymizedTable::File(path));
        }
        let Some(capsule) = capsule else {
            return Err(usage(
                "nothing is given",
                "give a frame or the path of a file",
            ));
        };
        let reader = FrameReader::take(&capsule, Arc::default())
            .map_err(|_| refuse_frame(name.clone(), NO_COLUMNS.to_owned()))?;
        let schema = arrow_array::RecordBatchReader::schema(&reader);
        let mut batches = Vec::new();
        for batch in reader {
            let failed = mingle_io::Error::SourceFailed {
                file: name.clone(),
                batch: batches.len() as u64 + 1,
            };
            batches.push(batch.map_err(|_| raised(&mingle::failure::io(&failed)))?);
        }
        Ok(AnonymizedTable::Frame(ArrowTable::new(
            name, schema, batches,
        )))
    }

    /// The same for the engine.
    pub fn as_foreign(&self) -> ForeignTable<'_> {
        match self {
            AnonymizedTable::File(path) => ForeignTable::File(path),
            AnonymizedTable::Frame(table) => ForeignTable::Given(table),
        }
    }
}

/// What is looked at: the folder of a release, or a table.
pub enum Looked {
    /// A folder.
    Release(PathBuf),
    /// A table.
    Table(AnonymizedTable),
}

impl Looked {
    /// Exactly one of the two.
    pub fn of(release: Option<PathBuf>, table: Option<GivenTable<'_>>) -> PyResult<Looked> {
        match (release, table) {
            (Some(folder), _) => Ok(Looked::Release(folder)),
            (None, Some(table)) => Ok(Looked::Table(AnonymizedTable::take(table)?)),
            (None, None) => Err(usage("nothing is given", "give a release or a table")),
        }
    }

    /// The folder, where it is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Looked::Release(folder) => Some(folder),
            Looked::Table(_) => None,
        }
    }
}

/// Answers are JSON: the documents that the program prints.
pub fn json(answer: &impl serde::Serialize) -> Result<String, Problem> {
    serde_json::to_string(answer)
        .map_err(|_| mingle::failure::defect("an answer cannot be written down"))
}

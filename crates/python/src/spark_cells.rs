//! What executors and the driver of a cluster do with parts of a table: see `mingle::cells`.
//!
//! Every call takes one Arrow stream: first the rows that stand for the whole table, then the rows
//! of the part, with the count as the last column. What comes back is an Arrow frame.

use crate::failure::{defect, raised};
use crate::frame::{ArrowFrame, FrameReader};
use crate::policy::NativePolicy;
use crate::tables::refuse_frame;
use crate::work::{Job, Listener, wait_for};
use arrow_array::{
    Array, ArrayRef, Int32Array, Int64Array, RecordBatch, RecordBatchReader, StringArray,
    UInt32Array,
};
use arrow_schema::{Field, Schema};
use mingle::cells::{
    AnonymizedLine, AssembledRelease, AssembledSide, CellTree, CodedRows, HistogramLine,
    PartCounts, TablePart, TreeGrowth, check_published, refuse_policy,
};
use mingle::{ArrowTable, Problem, ReleaseFolder, Run, failure};
use mingle_privacy::PartSummary;
use mingle_record::manifest::ProviderRows;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Rows with how often each occurs, in memory.
struct PartRows {
    rows: ArrowTable,
    counts: PartCounts,
}

impl PartRows {
    /// Takes a stream whose last column is the count, and of which `standing` rows at the front
    /// stand for the whole table.
    fn take(stream: &Bound<'_, PyCapsule>, standing: usize) -> PyResult<PartRows> {
        let not_a_part = || refuse_frame(NAME.to_owned(), "it has no counts".to_owned());
        let reader = FrameReader::take(stream, Arc::default()).map_err(|_| not_a_part())?;
        let all = reader.schema();
        let last = all.fields().len().checked_sub(1).ok_or_else(not_a_part)?;
        let kept: Vec<usize> = (0..last).collect();
        let schema = Arc::new(Schema::new(all.fields()[..last].to_vec()));
        let mut batches = Vec::new();
        let mut counts = Vec::new();
        for batch in reader {
            let batch = batch.map_err(|_| not_a_part())?;
            let column = batch.column(last).as_any().downcast_ref::<Int64Array>();
            let column = column.ok_or_else(not_a_part)?;
            for row in 0..column.len() {
                let count = if column.is_null(row) {
                    -1
                } else {
                    column.value(row)
                };
                counts.push(u64::try_from(count).map_err(|_| not_a_part())?);
            }
            batches.push(batch.project(&kept).map_err(|_| not_a_part())?);
        }
        Ok(PartRows {
            rows: ArrowTable::new(NAME, schema, batches),
            counts: PartCounts { standing, counts },
        })
    }
}

const NAME: &str = "a part of the frame";

/// Whether a policy can be published in cells; raises why not.
#[pyfunction]
pub fn refuse_cells(policy: &NativePolicy) -> PyResult<()> {
    refuse_policy(&policy.policy).map_err(|problem| raised(&problem))
}

/// The names and contents of the hierarchy files of a policy, by column: executors do not have them.
#[pyfunction]
pub fn hierarchy_files(policy: &NativePolicy) -> PyResult<Vec<(String, String)>> {
    let policy = &policy.policy;
    let mut files = Vec::new();
    for column in &policy.columns {
        if let Some(mingle_policy::DeclaredHierarchy::File(name, _)) = &column.hierarchy {
            let path = policy.data.folders.find(name);
            let text = std::fs::read_to_string(&path).map_err(|_| {
                let text = format!("cannot read {name}");
                let hint = "check the path; it is relative to the policy";
                raised(&Problem::new(
                    mingle::ProblemCode::InputUnreadable,
                    text,
                    hint,
                ))
            })?;
            files.push((column.spec.name.clone(), text));
        }
    }
    Ok(files)
}

/// The top of the tree, grown on the driver.
#[pyclass(module = "mingle._native")]
pub struct NativeGrowth {
    growth: Mutex<TreeGrowth>,
}

#[pymethods]
impl NativeGrowth {
    /// Starts with one cell. The stream has only rows that stand for the whole table.
    #[new]
    fn new(
        py: Python<'_>,
        policy: &NativePolicy,
        whole: Bound<'_, PyCapsule>,
        standing: usize,
        cell_rows: u64,
    ) -> PyResult<NativeGrowth> {
        let part = PartRows::take(&whole, standing)?;
        let policy = policy.policy.clone();
        let growth = wait_for(py, &None, |run| {
            let whole = TablePart::read(&policy, part.rows, part.counts, run)?;
            TreeGrowth::new(&whole, cell_rows)
        })?;
        Ok(NativeGrowth {
            growth: Mutex::new(growth),
        })
    }

    /// The tree as JSON.
    fn tree(&self) -> PyResult<String> {
        let growth = self.growth.lock().unwrap_or_else(PoisonError::into_inner);
        crate::tables::json(growth.tree()).map_err(|e| raised(&e))
    }

    /// The cells that have to be counted next.
    fn open_cells(&self) -> Vec<u32> {
        let growth = self.growth.lock().unwrap_or_else(PoisonError::into_inner);
        growth.open_cells()
    }

    /// Takes counts: cell, column, code, count.
    fn grow(&self, lines: Vec<(u32, i32, u64, u64)>) -> PyResult<bool> {
        let mut counted = Vec::with_capacity(lines.len());
        for (cell, column, code, count) in lines {
            counted.push(HistogramLine {
                cell,
                column,
                code,
                count,
            });
        }
        let mut growth = self.growth.lock().unwrap_or_else(PoisonError::into_inner);
        growth.grow(&counted).map_err(|problem| raised(&problem))
    }

    /// The cells that are left alone: number, rows, distinct rows.
    fn grown(&self) -> Vec<(u32, u64, u64)> {
        let growth = self.growth.lock().unwrap_or_else(PoisonError::into_inner);
        let cells = growth.grown().into_iter();
        cells
            .map(|cell| (cell.cell, cell.rows, cell.distinct))
            .collect()
    }
}

fn read_tree(text: &str) -> Result<CellTree, Problem> {
    serde_json::from_str(text).map_err(|_| failure::defect("a tree of cells cannot be read"))
}

/// Counts of all cells in some rows: columns cell, column, code and count.
#[pyfunction]
pub fn cell_histogram(
    py: Python<'_>,
    policy: &NativePolicy,
    part: Bound<'_, PyCapsule>,
    standing: usize,
    tree: String,
) -> PyResult<ArrowFrame> {
    let policy = policy.policy.clone();
    let part = PartRows::take(&part, standing)?;
    let lines = in_executor(py, |run| {
        let tree = read_tree(&tree)?;
        TablePart::read(&policy, part.rows, part.counts, run)?.histogram(&tree)
    })?;
    let cell: Int32Array = lines.iter().map(|line| line.cell as i32).collect();
    let column: Int32Array = lines.iter().map(|line| line.column).collect();
    let code: Int64Array = lines.iter().map(|line| line.code as i64).collect();
    let count: Int64Array = lines.iter().map(|line| line.count as i64).collect();
    frame(vec![
        ("cell".to_owned(), Arc::new(cell)),
        ("column".to_owned(), Arc::new(column)),
        ("code".to_owned(), Arc::new(code)),
        ("count".to_owned(), Arc::new(count)),
    ])
}

/// The cell of every row.
#[pyfunction]
pub fn cell_of_rows(
    py: Python<'_>,
    policy: &NativePolicy,
    part: Bound<'_, PyCapsule>,
    standing: usize,
    tree: String,
) -> PyResult<ArrowFrame> {
    let policy = policy.policy.clone();
    let part = PartRows::take(&part, standing)?;
    let cells = in_executor(py, |run| {
        let tree = read_tree(&tree)?;
        TablePart::read(&policy, part.rows, part.counts, run)?.cells(&tree)
    })?;
    let cells: Int32Array = cells.iter().map(|&cell| cell as i32).collect();
    frame(vec![("cell".to_owned(), Arc::new(cells))])
}

/// One cell, anonymized: labels, provider, sensitive values, what is carried along, and the count.
#[pyfunction]
pub fn anonymize_cell(
    py: Python<'_>,
    policy: &NativePolicy,
    part: Bound<'_, PyCapsule>,
    standing: usize,
) -> PyResult<ArrowFrame> {
    let policy = policy.policy.clone();
    let part = PartRows::take(&part, standing)?;
    let columns = in_executor(py, |run| {
        let part = TablePart::read(&policy, part.rows, part.counts, run)?;
        let cell = part.anonymize(run)?;
        Ok(line_columns(&cell.lines()?))
    })?;
    frame(columns)
}

fn line_columns(lines: &[AnonymizedLine<'_>]) -> Vec<(String, ArrayRef)> {
    let Some(first) = lines.first() else {
        return Vec::new();
    };
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    let mut push = |texts: StringArray| {
        columns.push((format!("t{}", columns.len()), Arc::new(texts)));
    };
    for place in 0..first.labels.len() {
        push(lines.iter().map(|line| Some(line.labels[place])).collect());
    }
    push(lines.iter().map(|line| Some(line.provider)).collect());
    for place in 0..first.sensitive.len() {
        push(
            lines
                .iter()
                .map(|line| Some(line.sensitive[place]))
                .collect(),
        );
    }
    for place in 0..first.insensitive.len() {
        push(
            lines
                .iter()
                .map(|line| Some(line.insensitive[place]))
                .collect(),
        );
    }
    let counts: Int64Array = lines.iter().map(|line| line.count as i64).collect();
    columns.push(("count".to_owned(), Arc::new(counts)));
    columns
}

/// Groups and rows of a part, per promise which groups fail and which are undecided, and whether some lack sites.
type CheckedPart = (u64, u64, Vec<u64>, Vec<u64>, bool);

/// Checks groups that are in no other part: groups, rows, and per promise whether it fails here.
#[pyfunction]
pub fn check_part(
    py: Python<'_>,
    policy: &NativePolicy,
    part: Bound<'_, PyCapsule>,
    standing: usize,
    contributors: u64,
) -> PyResult<CheckedPart> {
    let policy = policy.policy.clone();
    let part = PartRows::take(&part, standing)?;
    let check = in_executor(py, |_| {
        let insiders = policy.insiders(contributors)?;
        check_published(&policy, &part.rows, part.counts, insiders)
    })?;
    Ok((
        check.groups,
        check.rows,
        check.fails,
        check.undecided,
        check.lacks_sites,
    ))
}

/// The names of what a policy promises, in its order.
#[pyfunction]
pub fn promise_names(policy: &NativePolicy) -> PyResult<Vec<String>> {
    let privacy = policy.policy.privacy().map_err(|e| raised(&e))?;
    let promises = privacy.promises.iter();
    Ok(promises.map(|promise| promise.name().to_owned()).collect())
}

/// Against how many insiders a policy holds with so many providers.
#[pyfunction]
pub fn insiders_of(policy: &NativePolicy, contributors: u64) -> PyResult<u64> {
    let insiders = policy.policy.insiders(contributors);
    Ok(insiders.map_err(|e| raised(&e))?.m.0)
}

/// One side of a release: names and texts of its columns, and its rows as codes with a last column
/// of counts.
#[derive(FromPyObject)]
pub struct GivenSide<'py>(Vec<(String, Vec<String>)>, Bound<'py, PyCapsule>);

/// Writes a release of parts; says how many groups it has.
#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    reason = "the border to Python, where a type would be a tuple"
)]
pub fn write_assembled(
    py: Python<'_>,
    policies: (PyRef<'_, NativePolicy>, PyRef<'_, NativePolicy>),
    whole: (Bound<'_, PyCapsule>, usize),
    checks: Vec<(u64, u64, bool)>,
    providers: Vec<(String, u64, u64)>,
    sides: (GivenSide<'_>, GivenSide<'_>),
    out: PathBuf,
    listener: Listener,
) -> PyResult<u64> {
    let (written, shipped) = (policies.0.policy.clone(), policies.1.policy.clone());
    let part = PartRows::take(&whole.0, whole.1)?;
    let (data, audit) = (side(sides.0)?, side(sides.1)?);
    let mut summaries = Vec::new();
    for (groups, rows, holds) in checks {
        summaries.push(PartSummary {
            groups,
            rows,
            holds,
        });
    }
    let mut rows_of = Vec::new();
    for (name, rows, published_rows) in providers {
        rows_of.push(ProviderRows {
            name,
            rows,
            published_rows,
        });
    }
    Job::new(None)?
        .wait(py, &listener, |run| {
            let target = ReleaseFolder::at(out);
            target.check(run)?;
            let whole = TablePart::read(&shipped, part.rows, part.counts, run)?;
            let release = AssembledRelease {
                policy: &written,
                whole: &whole,
                checks: &summaries,
                providers: rows_of,
                data,
                audit,
            };
            release.write(&target, run)
        })?
        .map_err(|problem| raised(&problem))
}

fn side(given: GivenSide<'_>) -> PyResult<AssembledSide<'static>> {
    let reader = FrameReader::take(&given.1, Arc::default());
    let reader = reader.map_err(|_| defect("parts of a release cannot be read"))?;
    let rows: CodedRows<'static> = Box::new(reader.flat_map(|batch| match batch {
        Ok(batch) => rows_of_batch(&batch),
        Err(_) => vec![None],
    }));
    Ok(AssembledSide {
        columns: given.0,
        rows,
    })
}

/// The rows of a batch; one `None` where it has another form.
fn rows_of_batch(batch: &RecordBatch) -> Vec<Option<(Vec<u32>, u64)>> {
    let Some(last) = batch.num_columns().checked_sub(1) else {
        return vec![None];
    };
    let counts = batch.column(last).as_any().downcast_ref::<Int64Array>();
    let mut columns = Vec::with_capacity(last);
    for place in 0..last {
        let codes = batch.column(place).as_any().downcast_ref::<UInt32Array>();
        columns.extend(codes.filter(|codes| codes.null_count() == 0));
    }
    let (Some(counts), true) = (counts, columns.len() == last) else {
        return vec![None];
    };
    let mut rows = Vec::with_capacity(batch.num_rows());
    for row in 0..batch.num_rows() {
        let codes = columns.iter().map(|column| column.value(row)).collect();
        let count = u64::try_from(counts.value(row)).ok();
        rows.push(count.map(|count| (codes, count)));
    }
    rows
}

fn frame(columns: Vec<(String, ArrayRef)>) -> PyResult<ArrowFrame> {
    let mut fields = Vec::new();
    let mut arrays = Vec::new();
    for (name, array) in columns {
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(0));
    let schema = Arc::new(Schema::new(fields));
    let batch = if arrays.is_empty() {
        RecordBatch::try_new_with_options(schema, arrays, &options)
    } else {
        RecordBatch::try_new(schema, arrays)
    };
    let batch = batch.map_err(|_| defect("columns of different lengths"))?;
    Ok(ArrowFrame::new(batch))
}

/// Work in an executor has one thread: the cluster runs as many tasks as it has processors.
fn in_executor<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Run) -> Result<T, Problem> + Send,
) -> PyResult<T> {
    Job::new(Some(1))?
        .wait(py, &None, |run| run.install(|| work(run)))?
        .map_err(|problem| raised(&problem))
}

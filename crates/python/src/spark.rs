//! What a cluster has counted: distinct rows with how often each occurs, planned as on one machine.
//!
//! A cluster groups by provider, quasi-identifiers and sensitive values and sends each distinct row
//! once, with a last column of counts. Everything after that is the engine's: it asks a source to
//! count, and this one has the answer already.

use crate::failure::usage;
use crate::frame::FrameReader;
use crate::plan::{NativePlan, planned};
use crate::policy::NativePolicy;
use crate::tables::refuse_frame;
use crate::work::Listener;
use arrow_array::{Array, Int64Array, RecordBatch, RecordBatchReader};
use arrow_schema::{Schema, SchemaRef};
use mingle::{ArrowTable, Inputs, Scan};
use mingle_io::{Counts, Error, Pass, ReadOptions, RepeatedIdentifier};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// One table: its provider, what messages call it, the names and types of all columns of the frame
/// as an empty stream, and its distinct rows with their counts.
#[derive(FromPyObject)]
pub struct GivenCounts<'py>(
    Option<String>,
    String,
    Bound<'py, PyCapsule>,
    Bound<'py, PyCapsule>,
);

/// A column of identifiers in which some repeat: its name, how many rows have one, how many there
/// are, and how many rows the commonest has.
pub type SeenIdentifiers = (String, u64, u64, u64);

/// A table whose distinct rows were counted elsewhere.
pub struct CountedTable {
    name: String,
    /// All columns that the table has, without rows.
    header: ArrowTable,
    schema: SchemaRef,
    rows: Vec<RecordBatch>,
    counts: Vec<u64>,
}

impl CountedTable {
    /// Takes a stream whose last column is the count.
    pub fn take(
        name: String,
        header: &Bound<'_, PyCapsule>,
        counted: &Bound<'_, PyCapsule>,
    ) -> PyResult<CountedTable> {
        let not_a_table = || refuse_frame(name.clone(), NO_COUNTS.to_owned());
        let header = FrameReader::take(header, Arc::default()).map_err(|_| not_a_table())?;
        let header = ArrowTable::new(name.clone(), header.schema(), Vec::new());
        let reader = FrameReader::take(counted, Arc::default()).map_err(|_| not_a_table())?;
        let all = reader.schema();
        let Some(last) = all.fields().len().checked_sub(1) else {
            return Err(not_a_table());
        };
        let kept: Vec<usize> = (0..last).collect();
        let schema = Arc::new(Schema::new(all.fields()[..last].to_vec()));
        let mut rows = Vec::new();
        let mut counts = Vec::new();
        for batch in reader {
            let batch = batch.map_err(|_| not_a_table())?;
            let column = batch.column(last).as_any().downcast_ref::<Int64Array>();
            let column = column.ok_or_else(not_a_table)?;
            for row in 0..column.len() {
                if column.is_null(row) || column.value(row) < 1 {
                    return Err(not_a_table());
                }
                counts.push(column.value(row).unsigned_abs());
            }
            rows.push(batch.project(&kept).map_err(|_| not_a_table())?);
        }
        Ok(CountedTable {
            name,
            header,
            schema,
            rows,
            counts,
        })
    }
}

const NO_COUNTS: &str = "what the cluster has sent is no table of counts";

impl Scan for CountedTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn open<'s>(&'s self, options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        self.header.open(options)
    }

    fn count_distinct(&self, columns: &[&str]) -> Option<Result<Counts, Error>> {
        let mut places = Vec::with_capacity(columns.len());
        for column in columns {
            // a column that was not counted by can be answered by nobody: the engine then finds an
            // empty table, and says so
            places.push(self.schema.index_of(column).ok()?);
        }
        let schema = self.schema.project(&places).ok()?;
        let mut rows = Vec::with_capacity(self.rows.len());
        for batch in &self.rows {
            rows.push(batch.project(&places).ok()?);
        }
        Some(Ok(Counts {
            schema: Arc::new(schema),
            rows,
            counts: self.counts.clone(),
            hash: None,
        }))
    }
}

/// Tables of counts as the engine takes them.
pub fn counted_inputs(
    given: Vec<GivenCounts<'_>>,
    repeated: Vec<SeenIdentifiers>,
) -> PyResult<Inputs> {
    let mut tables = Vec::new();
    for GivenCounts(provider, name, header, counted) in given {
        tables.push((provider, CountedTable::take(name, &header, &counted)?));
    }
    let mut seen = Vec::new();
    for (column, rows, distinct, most_rows) in repeated {
        seen.push(RepeatedIdentifier {
            column,
            rows,
            distinct,
            most_rows,
        });
    }
    let inputs = match tables.len() {
        0 => return Err(usage("nothing is given", "give a frame")),
        1 if tables[0].0.is_none() => Inputs::table(tables.remove(0).1),
        _ => {
            let mut named = Vec::new();
            for (provider, table) in tables {
                named.push((provider.unwrap_or_else(|| table.name.clone()), table));
            }
            Inputs::tables(named)
        }
    };
    Ok(inputs.with_identifiers_seen(seen))
}

/// Finds what would be published of counted rows, and verifies it.
#[pyfunction]
pub fn plan_counted(
    py: Python<'_>,
    policy: &NativePolicy,
    tables: Vec<GivenCounts<'_>>,
    repeated: Vec<SeenIdentifiers>,
    threads: Option<usize>,
    listener: Listener,
) -> PyResult<NativePlan> {
    let inputs = counted_inputs(tables, repeated)?;
    planned(py, policy, inputs, threads, &listener)
}

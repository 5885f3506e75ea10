//! Arrow streams over the C interface: frames of other libraries in, ours out.
//!
//! The only unsafe code of the package is here: two moves of a stream out of and into a capsule, as
//! the Arrow PyCapsule interface defines it.

use crate::failure::defect;
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::CStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const STREAM: &CStr = c"arrow_array_stream";

/// Batches in memory that any library can take over.
#[pyclass(frozen, module = "mingle._native")]
pub struct ArrowFrame {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl ArrowFrame {
    /// One batch.
    pub fn new(batch: RecordBatch) -> ArrowFrame {
        ArrowFrame {
            schema: batch.schema(),
            batches: vec![batch],
        }
    }

    /// What a Parquet file of ours has in it.
    pub fn from_parquet(bytes: Vec<u8>) -> PyResult<ArrowFrame> {
        let opened = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes));
        let reader = opened.and_then(|opened| opened.build());
        let reader = reader.map_err(|_| defect("a made-up table cannot be read"))?;
        let schema = reader.schema();
        let mut batches = Vec::new();
        for batch in reader {
            batches.push(batch.map_err(|_| defect("a made-up table cannot be read"))?);
        }
        Ok(ArrowFrame { schema, batches })
    }
}

#[pymethods]
impl ArrowFrame {
    /// The Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // a producer may ignore what is requested
        let _ = requested_schema;
        let batches: Vec<Result<RecordBatch, ArrowError>> =
            self.batches.iter().cloned().map(Ok).collect();
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, STREAM)
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

/// A frame of another library that is being read. Columns that pandas makes of an index without a
/// name are left out: they are no data.
pub struct FrameReader {
    inner: ArrowArrayStreamReader,
    schema: SchemaRef,
    kept: Vec<usize>,
    rows: Arc<AtomicU64>,
}

impl FrameReader {
    /// Takes a stream out of its capsule. `rows` counts the rows that are read.
    pub fn take(capsule: &Bound<'_, PyCapsule>, rows: Arc<AtomicU64>) -> PyResult<FrameReader> {
        let pointer = capsule.pointer_checked(Some(STREAM))?;
        // SAFETY: the capsule has the name that the interface gives to streams, so it holds one; it
        // is moved out, which leaves a released stream there, as the interface demands.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) };
        // what the error says is the producer's, and may quote anything
        let inner = ArrowArrayStreamReader::try_new(stream)
            .map_err(|_| PyTypeError::new_err("the Arrow stream cannot be opened"))?;
        let all = inner.schema();
        let mut kept = Vec::new();
        let mut fields = Vec::new();
        for (place, field) in all.fields().iter().enumerate() {
            if !is_unnamed_index(field.name()) {
                kept.push(place);
                fields.push(field.clone());
            }
        }
        Ok(FrameReader {
            inner,
            schema: Arc::new(Schema::new(fields)),
            kept,
            rows,
        })
    }
}

fn is_unnamed_index(name: &str) -> bool {
    let number = name
        .strip_prefix("__index_level_")
        .and_then(|rest| rest.strip_suffix("__"));
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

impl Iterator for FrameReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.inner.next()?;
        let batch = batch.and_then(|batch| {
            self.rows
                .fetch_add(batch.num_rows() as u64, Ordering::Relaxed);
            batch.project(&self.kept)
        });
        Some(batch)
    }
}

impl RecordBatchReader for FrameReader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

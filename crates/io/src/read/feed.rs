//! The input as a sequence of units that can be worked on independently.
//!
//! A unit is a block of complete CSV records, a row group of a Parquet file or some rows of an
//! Arrow batch. One worker at a time takes the next one (reading, unpacking and hashing happen
//! then), and all work on theirs in parallel: memory is bounded by a block per worker, and the
//! units' numbers put the results back into the order of the input.

use super::ReadOptions;
use super::arrow_text::type_flaw;
use super::csv::CsvBlock;
use super::first_line::FirstLine;
use super::header::{Layout, Plan, SlotKeep};
use super::parquet::ParquetFile;
use super::scan::{BatchContent, Pass, Scan};
use super::stamp::FileStamp;
use super::translate::Classes;
use crate::error::Error;
use crate::hash::FileHash;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use std::sync::Arc;

/// Rows of an Arrow batch that a worker takes at once: many, because a dictionary is looked through
/// once per unit.
const UNIT_ROWS: usize = 1 << 17;

/// A piece of work, numbered in the order of the input.
pub(super) struct Unit {
    pub(super) number: u64,
    /// The number of the source.
    pub(super) file: usize,
    pub(super) layout: Arc<Layout>,
    pub(super) work: Work,
}

pub(super) enum Work {
    /// Complete CSV records.
    Block(CsvBlock),
    /// A row group of a Parquet file.
    RowGroup(Arc<ParquetFile>, usize),
    /// A Parquet file's bytes are read out of order, so they are hashed on their own.
    Hash(Arc<ParquetFile>),
    /// Some rows of an Arrow batch.
    Rows(BatchRows),
}

/// Rows of a batch that follow one another.
pub(super) struct BatchRows {
    pub(super) rows: RecordBatch,
    /// The batch's number in its source, counted from 1.
    pub(super) batch: u32,
    /// How many rows of the batch stand before these.
    pub(super) before: u64,
}

/// Hands out units.
pub(super) struct Feed<'a> {
    sources: &'a [&'a dyn Scan],
    plan: &'a Plan<'a>,
    classes: &'a Classes,
    options: &'a ReadOptions<'a>,
    units: u64,
    next_source: usize,
    open: Option<Open<'a>>,
    hashes: Vec<Option<FileHash>>,
    /// What is known about the sources that were opened.
    opened: Vec<OpenedSource>,
    /// Bytes of the sources before the open one.
    passed: u64,
}

/// What is known about a source since it was opened.
pub(super) struct OpenedSource {
    pub(super) layout: Arc<Layout>,
    /// As the source calls its columns.
    pub(super) names: Vec<String>,
    pub(super) first_line: FirstLine,
    pub(super) stamp: Option<FileStamp>,
}

/// The source that is being read.
struct Open<'a> {
    pass: Box<dyn Pass + 'a>,
    layout: Arc<Layout>,
    /// The columns that are wanted, as the schema has them.
    promised: Vec<(String, DataType)>,
    /// How many Arrow batches it gave.
    batches: u32,
    /// What is left of the last one.
    rest: Option<BatchRows>,
}

impl<'a> Feed<'a> {
    pub(super) fn new(
        sources: &'a [&'a dyn Scan],
        plan: &'a Plan<'a>,
        classes: &'a Classes,
        options: &'a ReadOptions<'a>,
    ) -> Self {
        Feed {
            sources,
            plan,
            classes,
            options,
            units: 0,
            next_source: 0,
            open: None,
            hashes: vec![None; sources.len()],
            opened: Vec::new(),
            passed: 0,
        }
    }

    /// How many units were handed out.
    pub(super) fn units(&self) -> u64 {
        self.units
    }

    /// The hashes of the sources whose bytes were hashed as they were read to their end, and what
    /// else is known about all sources.
    pub(super) fn finish(self) -> (Vec<Option<FileHash>>, Vec<OpenedSource>) {
        (self.hashes, self.opened)
    }

    /// The next unit; `spare` is a block that is no longer needed.
    pub(super) fn next(&mut self, spare: Vec<u8>) -> Result<Option<Unit>, Error> {
        if let Some(open) = &mut self.open {
            open.pass.recycle(spare);
        }
        loop {
            let Some(mut open) = self.open.take() else {
                if self.next_source == self.sources.len() {
                    return Ok(None);
                }
                self.open = Some(self.open_next()?);
                continue;
            };
            let file = self.next_source - 1;
            let work = open.next(self.sources[file])?;
            let read = open.pass.bytes_read();
            if let Some(progress) = self.options.progress {
                progress(self.passed + read);
            }
            let Some(work) = work else {
                self.passed += read;
                self.hashes[file] = open.pass.hash();
                continue;
            };
            let layout = open.layout.clone();
            self.open = Some(open);
            self.units += 1;
            return Ok(Some(Unit {
                number: self.units - 1,
                file,
                layout,
                work,
            }));
        }
    }

    fn open_next(&mut self) -> Result<Open<'a>, Error> {
        let source = self.sources[self.next_source];
        self.next_source += 1;
        let mut pass = source.open(self.options)?;
        let schema = pass.schema();
        let number = self.next_source - 1;
        let names = names(&schema);
        let ours = our_names(&names, source);
        let mut layout = self
            .plan
            .layout(source.name(), &ours, &self.options.limits)?;
        layout.missing = self.classes.missing(number).clone();
        for (field, slot) in schema.fields().iter().zip(&layout.fields) {
            let Some(slot) = *slot else {
                continue;
            };
            let column = &self.plan.slots[slot];
            if !matches!(column.keep, SlotKeep::Texts) {
                continue;
            }
            let class = self
                .classes
                .class(number, column.meaning, field.data_type());
            if class != 0 {
                layout.classes.push((slot, class));
            }
        }
        let mut promised = Vec::new();
        for (field, slot) in schema.fields().iter().zip(&layout.fields) {
            if slot.is_none() {
                continue;
            }
            if let Some(found) = type_flaw(field.data_type()) {
                return Err(Error::ColumnType {
                    file: source.name().to_owned(),
                    column: field.name().clone(),
                    format: pass.format(),
                    found,
                });
            }
            promised.push((field.name().clone(), field.data_type().clone()));
        }
        let wanted: Vec<bool> = layout.fields.iter().map(Option::is_some).collect();
        pass.project(&wanted)?;
        let layout = Arc::new(layout);
        self.opened.push(OpenedSource {
            layout: layout.clone(),
            names,
            first_line: pass.first_line(),
            stamp: pass.stamp(),
        });
        Ok(Open {
            pass,
            layout,
            promised,
            batches: 0,
            rest: None,
        })
    }
}

/// What everybody calls a source's columns.
pub(super) fn our_names(theirs: &[String], source: &dyn Scan) -> Vec<String> {
    let format = source.format();
    let mut names = Vec::with_capacity(theirs.len());
    for name in theirs {
        names.push(format.our_name(name).to_owned());
    }
    names
}

/// The names of a schema's columns.
pub(super) fn names(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|f| f.name().clone()).collect()
}

impl Open<'_> {
    fn next(&mut self, source: &dyn Scan) -> Result<Option<Work>, Error> {
        if let Some(rows) = self.next_rows() {
            return Ok(Some(Work::Rows(rows)));
        }
        loop {
            let Some(batch) = self.pass.next()? else {
                return Ok(None);
            };
            match batch.0 {
                BatchContent::Csv(block) => return Ok(Some(Work::Block(block))),
                BatchContent::RowGroup(file, group) => {
                    return Ok(Some(Work::RowGroup(file, group)));
                }
                BatchContent::Hash(file) => return Ok(Some(Work::Hash(file))),
                BatchContent::Arrow(rows) => {
                    self.batches = self.batches.saturating_add(1);
                    self.check_shape(&rows, source)?;
                    self.rest = Some(BatchRows {
                        rows,
                        batch: self.batches,
                        before: 0,
                    });
                    // an empty batch is no work, but others may follow it
                    if let Some(rows) = self.next_rows() {
                        return Ok(Some(Work::Rows(rows)));
                    }
                }
            }
        }
    }

    /// Cuts some rows off what is left of the last batch.
    fn next_rows(&mut self) -> Option<BatchRows> {
        let rest = self.rest.take()?;
        let rows = rest.rows.num_rows();
        if rows == 0 {
            return None;
        }
        let taken = rows.min(UNIT_ROWS);
        if taken < rows {
            self.rest = Some(BatchRows {
                rows: rest.rows.slice(taken, rows - taken),
                batch: rest.batch,
                before: rest.before + taken as u64,
            });
        }
        Some(BatchRows {
            rows: rest.rows.slice(0, taken),
            ..rest
        })
    }

    /// A source may say one thing in its schema and send another: the columns of a batch are taken
    /// by their places, so they must be those that were promised.
    fn check_shape(&self, batch: &RecordBatch, source: &dyn Scan) -> Result<(), Error> {
        let schema = batch.schema();
        let mut as_promised = batch.num_columns() == self.promised.len();
        for ((name, data_type), field) in self.promised.iter().zip(schema.fields()) {
            as_promised &= name == field.name() && data_type == field.data_type();
        }
        if as_promised {
            Ok(())
        } else {
            Err(Error::BatchShape {
                file: source.name().to_owned(),
                batch: self.batches.into(),
            })
        }
    }
}

//! A worker: turns units into codes with dictionaries of its own.
//!
//! Workers share nothing but the feed. Each numbers the texts it meets; [`merge`](super::merge)
//! makes one numbering of all, the same for any number of workers.

use super::dictionary::{Dictionary, Place};
use super::feed::{Feed, Unit, Work};
use super::header::{Layout, Plan};
use super::open::hash_file;
use super::record::Records;
use super::{ReadOptions, Source};
use crate::error::Error;
use crate::guard::unguard;
use crate::hash::FileHash;
use ahash::RandomState;
use mingle_model::Codes;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a worker made of its units.
pub(super) struct Worker<'a> {
    sources: &'a [Source],
    plan: &'a Plan,
    options: &'a ReadOptions<'a>,
    hasher: RandomState,
    /// Per slot the texts met.
    pub(super) dictionaries: Vec<Dictionary>,
    /// Per slot the hashes of an identifier's cells.
    pub(super) identifiers: Vec<Vec<u64>>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) hashes: Vec<(usize, FileHash)>,
}

/// The codes of one unit.
pub(super) struct Chunk {
    pub(super) unit: u64,
    pub(super) file: usize,
    pub(super) rows: usize,
    /// Per slot a code per row; none for identifiers.
    pub(super) codes: Vec<Codes>,
}

/// All workers' results and the hashes of the text files.
pub(super) type Results<'a> = (Vec<Worker<'a>>, Vec<Option<FileHash>>);

/// Works through all sources with up to `threads` workers.
pub(super) fn run<'a>(
    sources: &'a [Source],
    plan: &'a Plan,
    options: &'a ReadOptions<'a>,
    threads: usize,
) -> Result<Results<'a>, Error> {
    let shared = Shared {
        feed: Mutex::new(Feed::new(sources, plan, options)),
        first_error: Mutex::new(None),
        stop: AtomicBool::new(false),
        rows: AtomicU64::new(0),
    };
    let hasher = RandomState::new();
    let work = || Worker::new(sources, plan, options, hasher.clone()).work(&shared);
    let workers = match threads {
        0 | 1 => vec![work()],
        _ => std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut all = vec![work()];
            all.extend(others.into_iter().map(|o| {
                o.join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }));
            all
        }),
    };
    match lock(&shared.first_error).take() {
        Some((_, error)) => Err(error),
        None => Ok((
            workers,
            shared
                .feed
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner)
                .into_hashes(),
        )),
    }
}

/// What workers share. Units are handed out in order and a unit that was handed out is always
/// finished, so the error with the smallest number is the first in the input, whoever finds it.
struct Shared<'a> {
    feed: Mutex<Feed<'a>>,
    first_error: Mutex<Option<(u64, Error)>>,
    stop: AtomicBool,
    rows: AtomicU64,
}

impl Shared<'_> {
    fn fail(&self, unit: u64, error: Error) {
        self.stop.store(true, Ordering::Relaxed);
        let mut first = lock(&self.first_error);
        if first.as_ref().is_none_or(|(earlier, _)| unit < *earlier) {
            *first = Some((unit, error));
        }
    }

    fn next(&self, spare: Vec<u8>, cancel: Option<&AtomicBool>) -> Option<Unit> {
        let mut feed = lock(&self.feed);
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        if cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            self.fail(0, Error::Cancelled);
            return None;
        }
        feed.next(spare).unwrap_or_else(|error| {
            self.fail(feed.units(), error);
            None
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Worker<'a> {
    fn new(
        sources: &'a [Source],
        plan: &'a Plan,
        options: &'a ReadOptions<'a>,
        hasher: RandomState,
    ) -> Self {
        let dictionaries = plan
            .slots
            .iter()
            .map(|_| Dictionary::new(hasher.clone()))
            .collect();
        let identifiers = plan.slots.iter().map(|_| Vec::new()).collect();
        Worker {
            sources,
            plan,
            options,
            hasher,
            dictionaries,
            identifiers,
            chunks: Vec::new(),
            hashes: Vec::new(),
        }
    }

    fn work(mut self, shared: &Shared<'_>) -> Self {
        let mut spare = Vec::new();
        while let Some(unit) = shared.next(std::mem::take(&mut spare), self.options.cancel) {
            let number = unit.number;
            match self.take(unit, &mut spare) {
                Ok(rows) => {
                    let limit = self.options.limits.rows;
                    if shared.rows.fetch_add(rows as u64, Ordering::Relaxed) + rows as u64 > limit {
                        shared.fail(number, Error::TooManyRows { limit });
                    }
                }
                Err(error) => shared.fail(number, error),
            }
        }
        self
    }

    /// Works on one unit; returns how many rows it has.
    fn take(&mut self, unit: Unit, spare: &mut Vec<u8>) -> Result<usize, Error> {
        let Unit { number, file, work } = unit;
        let codes = self.plan.slots.iter().map(|_| Codes::default()).collect();
        let mut chunk = Chunk {
            unit: number,
            file,
            rows: 0,
            codes,
        };
        match work {
            Work::Hash => {
                let hash = hash_file(&self.sources[file])?;
                self.hashes.push((file, hash));
                return Ok(0);
            }
            Work::RowGroup { group, parquet } => {
                parquet.read_group(group, &self.sources[file], self, &mut chunk)?
            }
            Work::Block {
                bytes,
                line,
                delimiter,
                layout,
            } => {
                self.read_block(Records::new(&bytes, delimiter, line), &layout, &mut chunk)?;
                *spare = bytes;
            }
        }
        let rows = chunk.rows;
        self.chunks.push(chunk);
        Ok(rows)
    }

    fn read_block(
        &mut self,
        mut records: Records<'_>,
        layout: &Layout,
        chunk: &mut Chunk,
    ) -> Result<(), Error> {
        let sources = self.sources;
        let name = || sources[chunk.file].display.clone();
        let expected = layout.fields.len();
        let file = chunk.file as u32;
        while let Some(line) = records.next_record() {
            let mut found = 0;
            loop {
                let (cell, last) = records.field().map_err(|cr| Error::LoneCarriageReturn {
                    file: name(),
                    line: cr.0,
                })?;
                if let Some(Some(slot)) = layout.fields.get(found) {
                    let cell = if self.options.unguard {
                        unguard_bytes(cell)
                    } else {
                        cell
                    };
                    let id = self.cell(*slot, cell, Place { file, line })?;
                    id.into_iter().for_each(|id| chunk.codes[*slot].push(id));
                } else if cell.len() > self.options.limits.cell {
                    return Err(self.too_long("(not read)".to_owned(), Place { file, line }));
                }
                found += 1;
                if last {
                    break;
                }
            }
            if found != expected {
                return Err(Error::RaggedRow {
                    file: name(),
                    line,
                    expected,
                    found,
                });
            }
            chunk.rows += 1;
        }
        Ok(())
    }

    /// Numbers a cell, or hashes and forgets it if it is an identifier's.
    #[inline]
    pub(super) fn cell(
        &mut self,
        slot: usize,
        cell: &[u8],
        place: Place,
    ) -> Result<Option<u32>, Error> {
        if cell.len() > self.options.limits.cell {
            return Err(self.too_long(self.plan.slots[slot].name.clone(), place));
        }
        if self.plan.slots[slot].hashed {
            self.identifier(slot, cell);
            return Ok(None);
        }
        match self.dictionaries[slot].intern(cell, place) {
            Ok(id) => Ok(Some(id)),
            Err(_) => Err(Error::InvalidUtf8 {
                file: self.sources[place.file as usize].display.clone(),
                line: place.line,
                column: self.plan.slots[slot].name.clone(),
            }),
        }
    }

    /// A missing identifier repeats nobody.
    fn identifier(&mut self, slot: usize, cell: &[u8]) {
        if !self
            .options
            .missing
            .texts()
            .iter()
            .any(|m| m.as_bytes() == cell)
        {
            self.identifiers[slot].push(self.hasher.hash_one(cell));
        }
    }

    #[cold]
    fn too_long(&self, column: String, place: Place) -> Error {
        let file = self.sources[place.file as usize].display.clone();
        Error::CellTooLong {
            file,
            line: place.line,
            column,
            limit: self.options.limits.cell,
        }
    }

    pub(super) fn is_hashed(&self, slot: usize) -> bool {
        self.plan.slots[slot].hashed
    }

    pub(super) fn column_name(&self, slot: usize) -> &str {
        &self.plan.slots[slot].name
    }

    /// The text that stands for a null.
    pub(super) fn missing_text(&self) -> &'a str {
        self.options.missing.canonical()
    }
}

/// Cells that are not valid UTF-8 are left for the dictionary to refuse.
#[inline]
fn unguard_bytes(cell: &[u8]) -> &[u8] {
    match cell.first() {
        Some(b'\'') => std::str::from_utf8(cell).map_or(cell, |text| unguard(text).as_bytes()),
        _ => cell,
    }
}

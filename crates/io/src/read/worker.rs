//! A worker: turns units into codes with dictionaries of its own.
//!
//! Workers share nothing but the feed. Each numbers the texts it meets; [`merge`](super::merge)
//! makes one numbering of all, the same for any number of workers.

use super::arrow_rows::RowsReader;
use super::dictionary::{Dictionary, Place};
use super::feed::{BatchRows, Feed, OpenedSource, Unit, Work};
use super::header::{Layout, Plan, SlotKeep};
use super::merge::batch_name;
use super::open::{check_characters, hash_file};
use super::people::PersonSecret;
use super::record::Records;
use super::scan::Scan;
use super::translate::Classes;
use super::{Link, ReadOptions};
use crate::error::Error;
use crate::guard::FormulaGuard;
use crate::hash::FileHash;
use ahash::RandomState;
use mingle_model::{Codes, Missing, Spelling};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Rows of an Arrow batch that are looked at at once.
const SLICE_ROWS: usize = 1 << 14;

/// What a worker made of its units.
pub(super) struct Worker<'a> {
    sources: &'a [&'a dyn Scan],
    plan: &'a Plan<'a>,
    options: &'a ReadOptions<'a>,
    hasher: RandomState,
    /// Per slot the texts met, as everybody writes them.
    pub(super) dictionaries: Vec<Dictionary>,
    /// The same per class of sources that write otherwise.
    pub(super) untranslated: Vec<Vec<Dictionary>>,
    /// Which texts mean that a value is missing where the worker is.
    missing: Arc<Missing>,
    /// Per slot the hashes of an identifier's cells.
    pub(super) identifiers: Vec<Vec<u64>>,
    /// The digits of the last person's hash.
    digits: Vec<u8>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) hashes: Vec<(usize, FileHash)>,
}

/// The codes of one unit.
pub(super) struct Chunk {
    pub(super) unit: u64,
    pub(super) file: usize,
    pub(super) rows: usize,
    pub(super) layout: Arc<Layout>,
    /// Per slot a code per row; none for identifiers.
    pub(super) codes: Vec<Codes>,
}

/// What all workers have found out.
pub(super) struct Results<'a> {
    pub(super) workers: Vec<Worker<'a>>,
    /// The hashes of the text files.
    pub(super) hashes: Vec<Option<FileHash>>,
    pub(super) opened: Vec<OpenedSource>,
}

/// Works through all sources with up to `threads` workers.
pub(super) fn run<'a>(
    sources: &'a [&'a dyn Scan],
    plan: &'a Plan<'a>,
    classes: &'a Classes,
    options: &'a ReadOptions<'a>,
    threads: usize,
) -> Result<Results<'a>, Error> {
    let shared = Shared {
        feed: Mutex::new(Feed::new(sources, plan, classes, options)),
        first_error: Mutex::new(None),
        stop: AtomicBool::new(false),
        rows: AtomicU64::new(0),
        kept: AtomicU64::new(0),
    };
    let hasher = RandomState::new();
    let work = || {
        let worker = Worker::new(sources, plan, classes, options, hasher.clone());
        worker.work(&shared)
    };
    let workers = if threads <= 1 {
        vec![work()]
    } else {
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut all = vec![work()];
            for other in others {
                let joined = other.join();
                all.push(joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            all
        })
    };
    if let Some((_, error)) = lock(&shared.first_error).take() {
        return Err(error);
    }
    let feed = shared.feed.into_inner();
    let feed = feed.unwrap_or_else(PoisonError::into_inner);
    let (hashes, opened) = feed.finish();
    Ok(Results {
        workers,
        hashes,
        opened,
    })
}

/// Bytes of a cell's number in its column's dictionary.
const CODE: u64 = size_of::<u32>() as u64;

/// What workers share. Units are handed out in order and a unit that was handed out is always
/// finished, so the error with the smallest number is the first in the input, whoever finds it.
struct Shared<'a> {
    feed: Mutex<Feed<'a>>,
    first_error: Mutex<Option<(u64, Error)>>,
    stop: AtomicBool,
    rows: AtomicU64,
    /// Bytes of what is kept of them.
    kept: AtomicU64,
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
        sources: &'a [&'a dyn Scan],
        plan: &'a Plan<'a>,
        classes: &Classes,
        options: &'a ReadOptions<'a>,
        hasher: RandomState,
    ) -> Self {
        let dictionaries = || -> Vec<Dictionary> {
            let slots = plan.slots.iter();
            slots.map(|_| Dictionary::new(hasher.clone())).collect()
        };
        let untranslated = (0..classes.translated()).map(|_| dictionaries()).collect();
        let dictionaries = dictionaries();
        let identifiers = plan.slots.iter().map(|_| Vec::new()).collect();
        Worker {
            sources,
            plan,
            options,
            hasher,
            dictionaries,
            untranslated,
            missing: Arc::new(options.missing.clone()),
            identifiers,
            digits: Vec::new(),
            chunks: Vec::new(),
            hashes: Vec::new(),
        }
    }

    fn work(mut self, shared: &Shared<'_>) -> Self {
        let mut spare = Vec::new();
        let mut known_texts = 0;
        while let Some(unit) = shared.next(std::mem::take(&mut spare), self.options.cancel) {
            let number = unit.number;
            match self.take(unit, &mut spare) {
                Ok(rows) => {
                    let limit = self.options.limits.rows;
                    if shared.rows.fetch_add(rows as u64, Ordering::Relaxed) + rows as u64 > limit {
                        shared.fail(number, Error::TooManyRows { limit });
                    }
                    let limit = self.options.limits.memory;
                    let texts = self.size_of_texts();
                    let codes = rows as u64 * self.plan.slots.len() as u64 * CODE;
                    let added = codes + texts.saturating_sub(known_texts);
                    known_texts = texts;
                    if shared.kept.fetch_add(added, Ordering::Relaxed) + added > limit {
                        shared.fail(number, Error::TooMuchToKeep { limit });
                    }
                }
                Err(error) => shared.fail(number, error),
            }
        }
        self
    }

    /// Bytes of the distinct texts that this worker keeps.
    fn size_of_texts(&self) -> u64 {
        let other = self.untranslated.iter().flatten();
        self.dictionaries
            .iter()
            .chain(other)
            .map(Dictionary::size)
            .sum()
    }

    /// Works on one unit; returns how many rows it has.
    fn take(&mut self, unit: Unit, spare: &mut Vec<u8>) -> Result<usize, Error> {
        let codes = self.plan.slots.iter().map(|_| Codes::default()).collect();
        let mut chunk = Chunk {
            unit: unit.number,
            file: unit.file,
            rows: 0,
            layout: unit.layout.clone(),
            codes,
        };
        self.missing = unit.layout.missing.clone();
        self.change_dictionaries(&unit.layout);
        let taken = self.take_work(unit, &mut chunk, spare);
        self.change_dictionaries(&chunk.layout);
        if !taken? {
            return Ok(0);
        }
        self.fill_absent(&mut chunk);
        let rows = chunk.rows;
        self.chunks.push(chunk);
        Ok(rows)
    }

    /// Texts of a source that writes otherwise are numbered apart: its dictionaries change places
    /// with the others while a unit of it is worked on, which costs a cell nothing.
    fn change_dictionaries(&mut self, layout: &Layout) {
        for &(slot, class) in &layout.classes {
            let other = &mut self.untranslated[class - 1][slot];
            std::mem::swap(&mut self.dictionaries[slot], other);
        }
    }

    /// Cells of optional columns that the source lacks are missing.
    fn fill_absent(&mut self, chunk: &mut Chunk) {
        let place = Place {
            file: chunk.file as u32,
            batch: 0,
            line: 0,
        };
        let text = self.options.missing.canonical();
        for &slot in &chunk.layout.absent {
            let id = self.dictionaries[slot].intern(text.as_bytes(), place);
            let id = id.expect("the text comes from a string");
            for _ in 0..chunk.rows {
                chunk.codes[slot].push(id);
            }
        }
    }

    /// Reads a unit into a chunk; false if it has no rows but something else to be done.
    fn take_work(
        &mut self,
        unit: Unit,
        chunk: &mut Chunk,
        spare: &mut Vec<u8>,
    ) -> Result<bool, Error> {
        match unit.work {
            Work::Hash(parquet) => {
                let hash = hash_file(&parquet.source)?;
                self.hashes.push((unit.file, hash));
                return Ok(false);
            }
            Work::RowGroup(parquet, group) => {
                let before = parquet.rows_before(group);
                let mut reader = RowsReader::new(&unit.layout.slots(), 0, before);
                parquet.read_group(group, &mut |batch| reader.read(batch, self, chunk))?;
            }
            Work::Rows(rows) => self.read_rows(&rows, &unit.layout, chunk)?,
            Work::Block(block) => {
                let name = self.sources[unit.file].name();
                check_characters(&block.bytes, block.line, name, self.options)?;
                let records = Records::new(&block.bytes, block.delimiter, block.line);
                self.read_block(records, &unit.layout, chunk)?;
                *spare = block.bytes;
            }
            Work::Lines(block) => {
                self.read_json(&block, &unit.layout, chunk)?;
                *spare = block.bytes;
            }
        }
        Ok(true)
    }

    /// Rows that another program may have made, through an interface that nobody checks: a panic
    /// inside Arrow is a damaged batch here.
    fn read_rows(
        &mut self,
        given: &BatchRows,
        layout: &Layout,
        chunk: &mut Chunk,
    ) -> Result<(), Error> {
        let place = Place {
            file: chunk.file as u32,
            batch: given.batch,
            line: given.before,
        };
        let read = catch_unwind(AssertUnwindSafe(|| {
            let mut reader = RowsReader::new(&layout.slots(), given.batch, given.before);
            let rows = given.rows.num_rows();
            // numbers are widened while they are looked up, so not too many at once
            for start in (0..rows).step_by(SLICE_ROWS) {
                let slice = given.rows.slice(start, SLICE_ROWS.min(rows - start));
                reader.read(&slice, self, chunk)?;
            }
            Ok(())
        }));
        read.unwrap_or_else(|_| Err(self.corrupt(place)))
    }

    fn read_block(
        &mut self,
        mut records: Records<'_>,
        layout: &Layout,
        chunk: &mut Chunk,
    ) -> Result<(), Error> {
        let sources = self.sources;
        let name = || sources[chunk.file].name().to_owned();
        let expected = layout.fields.len();
        let mut place = Place {
            file: chunk.file as u32,
            batch: 0,
            line: 0,
        };
        while let Some(line) = records.next_record() {
            place.line = line;
            let mut found = 0;
            loop {
                let (cell, last) = records.field().map_err(|cr| Error::LoneCarriageReturn {
                    file: name(),
                    line: cr.0,
                })?;
                if let Some(Some(slot)) = layout.fields.get(found) {
                    let cell = unguarded(cell, self.options.unguard);
                    if let Some(id) = self.cell(*slot, &cell, place)? {
                        chunk.codes[*slot].push(id);
                    }
                } else if cell.len() > self.options.limits.cell {
                    return Err(self.too_long("(not read)".to_owned(), place));
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

    /// Numbers a cell, or hashes and forgets it if only repeats are wanted.
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
        match self.plan.slots[slot].keep {
            SlotKeep::Texts => match self.dictionaries[slot].intern(cell, place) {
                Ok(id) => Ok(Some(id)),
                Err(_) => Err(self.invalid_utf8(slot, place)),
            },
            SlotKeep::Hashed => {
                // a missing identifier repeats nobody
                if self.is_missing(cell) {
                    return Ok(None);
                }
                // in another encoding it would be another identifier
                let Ok(text) = std::str::from_utf8(cell) else {
                    return Err(self.invalid_utf8(slot, place));
                };
                let canonical = Spelling::Trimmed.canonical(text);
                let hash = self.hasher.hash_one(canonical.as_bytes());
                self.identifiers[slot].push(hash);
                Ok(None)
            }
            SlotKeep::Linked(link) => self.linked(slot, link, cell, place).map(Some),
            SlotKeep::Person(secret) => self.person(slot, &secret, cell, place).map(Some),
            SlotKeep::Dropped => Ok(None),
        }
    }

    /// Numbers what a link makes of a cell. The digits of the link go into the dictionary where the
    /// text of another column goes; nothing stands for a cell that links to nobody.
    #[inline(never)]
    fn linked(
        &mut self,
        slot: usize,
        link: Link<'_>,
        cell: &[u8],
        place: Place,
    ) -> Result<u32, Error> {
        let Ok(text) = std::str::from_utf8(cell) else {
            return Err(self.invalid_utf8(slot, place));
        };
        let number = if self.is_missing(cell) {
            None
        } else {
            link(text)
        };
        let digits = number.map_or_else(String::new, |number| format!("{number:x}"));
        let id = self.dictionaries[slot].intern(digits.as_bytes(), place);
        Ok(id.expect("digits are valid UTF-8"))
    }

    /// Numbers the hash of an identifier; nothing stands for a missing one.
    #[inline(never)]
    fn person(
        &mut self,
        slot: usize,
        secret: &PersonSecret,
        cell: &[u8],
        place: Place,
    ) -> Result<u32, Error> {
        let Ok(text) = std::str::from_utf8(cell) else {
            return Err(self.invalid_utf8(slot, place));
        };
        if self.is_missing(cell) {
            self.digits.clear();
        } else {
            secret.digits(text, &self.missing, &mut self.digits);
        }
        let id = self.dictionaries[slot].intern(&self.digits, place);
        Ok(id.expect("digits are valid UTF-8"))
    }

    fn is_missing(&self, cell: &[u8]) -> bool {
        let missing = self.missing.texts();
        missing.iter().any(|text| text.as_bytes() == cell)
    }

    #[cold]
    fn invalid_utf8(&self, slot: usize, place: Place) -> Error {
        Error::InvalidUtf8 {
            file: self.file_name(place),
            line: place.line,
            column: self.plan.slots[slot].name.clone(),
        }
    }

    #[cold]
    fn too_long(&self, column: String, place: Place) -> Error {
        Error::CellTooLong {
            file: self.file_name(place),
            line: place.line,
            column,
            limit: self.options.limits.cell,
        }
    }

    #[cold]
    pub(super) fn date_out_of_range(&self, slot: usize, place: Place) -> Error {
        Error::DateOutOfRange {
            file: self.file_name(place),
            row: place.line,
            column: self.plan.slots[slot].name.clone(),
        }
    }

    /// Arrays that are not what their types say.
    #[cold]
    pub(super) fn corrupt(&self, place: Place) -> Error {
        let file = self.sources[place.file as usize].name().to_owned();
        if place.batch == 0 {
            Error::ParquetCorrupt { file }
        } else {
            Error::BatchCorrupt {
                file,
                batch: place.batch.into(),
            }
        }
    }

    /// What messages call the source of a place, or its batch.
    pub(super) fn file_name(&self, place: Place) -> String {
        let source = self.sources[place.file as usize].name();
        if place.batch == 0 {
            source.to_owned()
        } else {
            batch_name(source, place.batch)
        }
    }

    pub(super) fn is_hashed(&self, slot: usize) -> bool {
        matches!(self.plan.slots[slot].keep, SlotKeep::Hashed)
    }

    /// The text that stands for a null.
    pub(super) fn missing_text(&self) -> &'a str {
        self.options.missing.canonical()
    }
}

/// Cells that are not valid UTF-8 are left for the dictionary to refuse.
#[inline]
fn unguarded(cell: &[u8], guard: FormulaGuard) -> Cow<'_, [u8]> {
    if guard == FormulaGuard::None || !cell.contains(&b'\'') {
        return Cow::Borrowed(cell);
    }
    match std::str::from_utf8(cell).map(|text| guard.undo(text)) {
        Ok(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
        Ok(Cow::Borrowed(text)) => Cow::Borrowed(text.as_bytes()),
        Err(_) => Cow::Borrowed(cell),
    }
}

//! Tables in: whatever can be scanned, into encoded columns.
//!
//! Sources are cut into units that workers turn into codes, each with its own dictionaries, and the
//! dictionaries are merged: the table is the same for any number of threads, and for any kind of
//! source that holds the same cells. Cost: one pass over the bytes; memory for a code per cell, the
//! distinct texts, and a block per thread.

mod agreement;
mod arrow_rows;
mod arrow_text;
mod below;
mod cell_style;
mod counted;
mod csv;
mod detection;
mod dictionary;
mod feed;
mod first_line;
mod header;
mod hierarchy;
mod json_lines;
mod json_object;
mod json_rows;
mod memory;
mod merge;
mod open;
mod parallel;
mod parquet;
mod people;
mod recognize;
mod record;
mod record_ends;
mod scan;
mod select;
mod separated;
mod source;
mod stamp;
mod standard_input;
mod translate;
mod worker;

pub use counted::{CountedInput, read_counted};
pub use detection::detect;
pub use first_line::{FirstLine, check_names};
pub use hierarchy::read_hierarchy;
pub use memory::{ArrowStream, ArrowTable, TextTable};
pub use people::{SeenPeople, WantedPerson};
pub use scan::{Batch, Counts, Pass, Scan};
pub use select::{Keep, Link, LinkedColumn, Selection, Undeclared, WantedColumn};
pub use separated::SeparatedColumn;
pub use source::Source;
pub use stamp::FileStamp;

use crate::error::{AmbiguousDays, DifferingKinds, Error};
use crate::guard::FormulaGuard;
use crate::hash::FileHash;
use crate::limits::Limits;
use agreement::{DisagreementReason, disagreement};
use below::RowsBelow;
use feed::OpenedSource;
use header::{Plan, Slot, SlotKeep};
use merge::{Runs, Translation};

use mingle_model::{
    Code, Codes, Column, ColumnSpec, Missing, ProviderId, Providers, RawColumn, Table,
};
use people::{PersonCells, RowOrigins};
use separated::TakenApart;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use translate::{Classes, Meaning};
use worker::{Results, Worker};

/// Bytes of CSV a worker takes at once.
const BLOCK: usize = 1 << 20;

/// The provider of tables that name none.
pub const SOLE_PROVIDER: &str = "(all)";

/// How to read.
#[derive(Clone)]
pub struct ReadOptions<'a> {
    /// Which texts mean that a value is missing. The first stands for nulls of Parquet and Arrow.
    pub missing: Missing,
    /// How much is taken.
    pub limits: Limits,
    /// How CSV cells are guarded against spreadsheets, as those of the releases of this program are; what
    /// was added is taken away.
    pub unguard: FormulaGuard,
    /// How many threads may work; 0 means one per processor. The result is the same for any number.
    pub threads: usize,
    /// Called now and then with the number of bytes read from disk so far.
    pub progress: Option<&'a (dyn Fn(u64) + Sync)>,
    /// Set to true by someone else to stop soon with [`Error::Cancelled`].
    pub cancel: Option<&'a AtomicBool>,
    #[doc(hidden)]
    pub block: usize,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions {
            missing: Missing::default(),
            limits: Limits::default(),
            unguard: FormulaGuard::None,
            threads: 0,
            progress: None,
            cancel: None,
            block: BLOCK,
        }
    }
}

/// A table and what was noticed while reading it.
pub struct Input {
    /// The table: the columns whose values are kept, in the order in which they were asked for.
    pub table: Table,
    /// Columns that are kept beside the table, in the same order.
    pub beside: Vec<Column>,
    /// Columns of which links are kept, in the same order.
    pub linked: Vec<LinkedColumn>,
    /// Each source's hash, in the order of the sources; `None` for one that has no bytes.
    pub hashes: Vec<Option<FileHash>>,
    /// Hashed columns in which values occur more than once.
    pub repeated_identifiers: Vec<RepeatedIdentifier>,
    /// What was seen of people, where the selection says whose each row is, or where cells hold
    /// several values.
    pub people: Option<SeenPeople>,
    /// Optional columns that a source lacks: the source's number and the column.
    pub absent: Vec<(usize, String)>,
}

/// A hashed column in which values occur more than once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepeatedIdentifier {
    /// The column.
    pub column: String,
    /// In how many rows it has a value.
    pub rows: u64,
    /// How many different ones.
    pub distinct: u64,
    /// In how many rows the commonest one is.
    pub most_rows: u64,
}

impl RepeatedIdentifier {
    /// How many rows repeat an earlier value.
    pub fn repeats(&self) -> u64 {
        self.rows - self.distinct
    }
}

/// All columns of some sources as they stand, for looking at data before there is a policy.
pub struct RawTable {
    /// Name and texts of each column, in the order of the first source.
    pub columns: Vec<(String, RawColumn)>,
    /// How many rows there are.
    pub rows: u64,
    /// How many of them each source has.
    pub rows_of: Vec<u64>,
    /// Each source's hash, in the order of the sources; `None` for one that has no bytes.
    pub hashes: Vec<Option<FileHash>>,
}

/// Reads one table from all sources: the declared columns, which every source must have in any
/// order. Identifiers are hashed, other columns are kept.
///
/// Who contributed a row is said by the provider column if there is one, else by the source's
/// provider; sources without a provider are of one and the same.
pub fn read_table<S: Scan>(
    sources: &[S],
    provider_column: Option<&str>,
    columns: &[ColumnSpec],
    undeclared: Undeclared,
    options: &ReadOptions<'_>,
) -> Result<Input, Error> {
    let columns = columns.iter().cloned().map(WantedColumn::from).collect();
    let selection = Selection {
        provider_column,
        columns,
        undeclared,
        person: None,
        separated: None,
    };
    read_selection(sources, &selection, options)
}

/// [`read_table`] where what is kept of each column is said.
pub fn read_selection<S: Scan>(
    sources: &[S],
    selection: &Selection<'_>,
    options: &ReadOptions<'_>,
) -> Result<Input, Error> {
    let sources = as_scans(sources);
    Ok(read_selected(&sources, selection, options)?.0)
}

/// Reads a selection; returns also how many rows each source has.
fn read_selected(
    sources: &[&dyn Scan],
    selection: &Selection<'_>,
    options: &ReadOptions<'_>,
) -> Result<(Input, Vec<u64>), Error> {
    for source in sources {
        if source.provider().is_some_and(|name| name.trim().is_empty()) {
            return Err(Error::EmptyProviderName {
                file: source.name().to_owned(),
            });
        }
    }
    let plan = selection.plan();
    let read = read(sources, &plan, options)?;
    let (providers, provider_of) = match plan.provider {
        Some(slot) => providers_of_column(
            &read.columns[slot],
            &plan.slots[slot].name,
            &options.missing,
        )?,
        None => providers_of_sources(sources, &read.runs, read.rows),
    };
    let rows_of = read.rows_of(sources.len());
    let absent = read.absent(&plan);

    let mut raw = read.columns;
    let mut person_of = None;
    let mut people = None;
    if let Some(person) = &selection.person {
        let slot = plan.slot(person.column);
        let cells = PersonCells {
            column: person.column,
            raw: &raw[slot],
            is_hashed: matches!(plan.slots[slot].keep, SlotKeep::Person(_)),
            missing: &options.missing,
            secret: &person.secret,
        };
        let (codes, seen) = cells.number(&RowOrigins {
            sources,
            runs: &read.runs,
            provider_of: person.per_provider.then_some(&provider_of),
        })?;
        person_of = Some(codes);
        people = Some(seen);
    }
    let mut provider_of = provider_of;
    if let Some(separated) = &selection.separated {
        let slot = plan.slot(separated.column);
        let cells = std::mem::take(&mut raw[slot]);
        let apart = separated.take_apart(cells, &options.missing, &options.limits)?;
        for (other, column) in raw.iter_mut().enumerate() {
            if other != slot && !column.ids.is_empty() {
                column.ids = apart.spread(&column.ids, column.values.len());
            }
        }
        provider_of = apart.spread(&provider_of, providers.len());
        let whose = person_of.take();
        let (codes, seen) = people_of_taken_apart(&apart, whose, people);
        (person_of, people) = (Some(codes), Some(seen));
        raw[slot] = apart.column;
    }
    let mut to_encode = Vec::new();
    let mut linked = Vec::new();
    for column in &selection.columns {
        let slot = plan.slot(&column.spec.name);
        match column.keep {
            Keep::Values | Keep::Beside => {
                to_encode.push((column, std::mem::take(&mut raw[slot])));
            }
            Keep::Linked(link) => {
                let raw = std::mem::take(&mut raw[slot]);
                linked.push(links(&plan.slots[slot], raw, link, &options.missing));
            }
            Keep::Hashed | Keep::Dropped => {}
        }
    }
    let encoded = parallel::map(to_encode, read.threads, |(column, raw)| {
        if column.spec.declared_kind().is_none() {
            check_agreement(&column.spec.name, &raw, &providers, &provider_of, options)?;
        }
        let encoded = Column::encode(column.spec.clone(), raw, &options.missing);
        encoded.map_err(|source| Error::Column {
            column: column.spec.name.clone(),
            source,
        })
    });
    let kept = selection.columns.iter().map(|column| column.keep);
    let kept = kept.filter(|keep| matches!(keep, Keep::Values | Keep::Beside));
    let mut columns = Vec::new();
    let mut beside = Vec::new();
    for (keep, column) in kept.zip(encoded) {
        if matches!(keep, Keep::Beside) {
            beside.push(column?);
        } else {
            columns.push(column?);
        }
    }
    let table = Table {
        columns,
        providers,
        provider_of,
        person_of,
    };
    let input = Input {
        table,
        beside,
        linked,
        hashes: read.hashes,
        repeated_identifiers: read.repeated,
        people,
        absent,
    };
    Ok((input, rows_of))
}

/// Whose the rows are after cells were taken apart: a row that nobody else claims is a person.
fn people_of_taken_apart(
    apart: &TakenApart,
    whose: Option<Codes>,
    seen: Option<SeenPeople>,
) -> (Codes, SeenPeople) {
    let people = seen.map_or(apart.rows_before() as u64, |seen| seen.people);
    let person_of = match whose {
        Some(whose) => apart.spread(&whose, people as usize),
        None => apart.row_of.clone(),
    };
    let mut rows_of: Vec<u64> = vec![0; people as usize];
    for person in person_of.iter() {
        rows_of[person as usize] += 1;
    }
    let now = SeenPeople {
        rows: person_of.len() as u64,
        people,
        most_rows: rows_of.iter().copied().max().unwrap_or(0),
        folded: seen.map_or(people, |seen| seen.folded),
        of_nobody: seen.map_or(0, |seen| seen.of_nobody),
    };
    (person_of, now)
}

/// Refuses a column whose kind nobody has declared and which providers do not write alike.
fn check_agreement(
    column: &str,
    raw: &RawColumn,
    providers: &Providers,
    provider_of: &Codes,
    options: &ReadOptions<'_>,
) -> Result<(), Error> {
    let found = disagreement(raw, provider_of, providers.len(), &options.missing);
    let Some(found) = found else {
        return Ok(());
    };
    let position = &found.value.position;
    let (file, line) = (position.file.to_string(), position.line);
    let column = column.to_owned();
    let provider = providers.name(ProviderId(found.provider)).to_owned();
    Err(match found.reason {
        DisagreementReason::Other { other, values } => {
            Error::KindsDiffer(Box::new(DifferingKinds {
                file,
                line,
                column,
                provider,
                other: providers.name(ProviderId(other)).to_owned(),
                values,
            }))
        }
        DisagreementReason::Ambiguous { patterns } => {
            Error::DaysAmbiguous(Box::new(AmbiguousDays {
                file,
                line,
                column,
                provider,
                patterns,
            }))
        }
    })
}

/// How providers write the values of a column differently, in words without a value or a name.
///
/// For a look at tables before there is a policy: reading by one that declares no kind refuses such
/// a column. `provider_of` has a number below `providers` for each row.
pub fn written_differently(
    column: &RawColumn,
    provider_of: &Codes,
    providers: usize,
    missing: &Missing,
) -> Option<String> {
    let found = disagreement(column, provider_of, providers, missing)?;
    let position = &found.value.position;
    Some(match found.reason {
        DisagreementReason::Other { values, .. } => {
            format!("some providers have {values}, and {position} is written otherwise")
        }
        DisagreementReason::Ambiguous { patterns } => {
            let patterns = patterns.join(" or ");
            format!("days could be {patterns}, and providers may mean different ones")
        }
    })
}

/// The links of a column. A provider column that is to be linked is read as texts, so its links are
/// made here.
fn links(slot: &Slot<'_>, raw: RawColumn, link: Link<'_>, missing: &Missing) -> LinkedColumn {
    let mut links = Vec::with_capacity(raw.values.len());
    for value in raw.values {
        let number = match slot.keep {
            SlotKeep::Linked(_) => u128::from_str_radix(&value.text, 16).ok(),
            _ if missing.contains(&value.text) => None,
            _ => link(&value.text),
        };
        links.push((number, value.position));
    }
    LinkedColumn {
        name: slot.name.clone(),
        links,
        ids: raw.ids,
    }
}

/// Reads all columns of all sources, which must have the same ones.
pub fn read_raw<S: Scan>(sources: &[S], options: &ReadOptions<'_>) -> Result<RawTable, Error> {
    let (names, names_of) = match sources.first() {
        Some(first) => (read_header(first, options)?, Some(first.name().to_owned())),
        None => (Vec::new(), None),
    };
    let mut slots = Vec::with_capacity(names.len());
    for name in &names {
        slots.push(Slot {
            name: name.clone(),
            keep: SlotKeep::Texts,
            meaning: Meaning::Guessed,
            optional: false,
        });
    }
    let plan = Plan {
        slots,
        provider: None,
        undeclared: Undeclared::Error,
        names_of,
    };
    read_plan(&as_scans(sources), plan, options)
}

/// Reads declared columns of all sources as texts in their one form, before they are encoded.
pub fn read_raw_selection<S: Scan>(
    sources: &[S],
    selection: &Selection<'_>,
    options: &ReadOptions<'_>,
) -> Result<RawTable, Error> {
    read_plan(&as_scans(sources), selection.plan(), options)
}

fn read_plan(
    sources: &[&dyn Scan],
    plan: Plan<'_>,
    options: &ReadOptions<'_>,
) -> Result<RawTable, Error> {
    let read = read(sources, &plan, options)?;
    let mut columns = Vec::with_capacity(plan.slots.len());
    let rows_of = read.rows_of(sources.len());
    for (slot, column) in plan.slots.into_iter().zip(read.columns) {
        columns.push((slot.name, column));
    }
    Ok(RawTable {
        columns,
        rows: read.rows as u64,
        rows_of,
        hashes: read.hashes,
    })
}

/// Reads the column names of a source, as everybody calls them.
pub fn read_header<S: Scan>(source: &S, options: &ReadOptions<'_>) -> Result<Vec<String>, Error> {
    let pass = source.open(options)?;
    Ok(feed::our_names(&feed::names(&pass.schema()), source))
}

fn as_scans<S: Scan>(sources: &[S]) -> Vec<&dyn Scan> {
    sources.iter().map(|source| source as &dyn Scan).collect()
}

/// What a plan gives.
struct Read {
    /// Per slot; empty for identifiers.
    columns: Vec<RawColumn>,
    runs: Runs,
    rows: usize,
    hashes: Vec<Option<FileHash>>,
    repeated: Vec<RepeatedIdentifier>,
    opened: Vec<OpenedSource>,
    threads: usize,
}

impl Read {
    /// Optional columns that a source lacks: the source's number and the column.
    fn absent(&self, plan: &Plan<'_>) -> Vec<(usize, String)> {
        let mut absent = Vec::new();
        for (source, opened) in self.opened.iter().enumerate() {
            for &slot in &opened.layout.absent {
                absent.push((source, plan.slots[slot].name.clone()));
            }
        }
        absent
    }

    /// How many rows each source has.
    fn rows_of(&self, sources: usize) -> Vec<u64> {
        let mut rows_of = vec![0; sources];
        for &(source, rows) in &self.runs {
            rows_of[source] += rows as u64;
        }
        rows_of
    }
}

fn read(sources: &[&dyn Scan], plan: &Plan<'_>, options: &ReadOptions<'_>) -> Result<Read, Error> {
    let threads = threads_for(sources, options);
    let classes = Classes::new(sources, &options.missing);
    let Results {
        mut workers,
        hashes,
        opened,
    } = worker::run(sources, plan, &classes, options, threads)?;
    for (source, opened) in sources.iter().zip(&opened) {
        if let Some(stamp) = &opened.stamp {
            stamp.check(source.name())?;
        }
    }
    refuse_absent_everywhere(sources, plan, &opened)?;
    let hashes = all_hashes(hashes, &mut workers);
    let repeated = repeated_identifiers(&mut workers, plan, threads);
    let (parts, runs) = merge::split(&mut workers, plan.slots.len());
    let rows = runs.iter().map(|(_, rows)| rows).sum();
    if rows == 0 {
        let file = sources
            .first()
            .map_or_else(String::new, |s| s.name().to_owned());
        return Err(Error::NoRows {
            file,
            files: sources.len(),
        });
    }
    let files: Vec<Arc<str>> = sources.iter().map(|s| s.name().into()).collect();
    let parts: Vec<_> = parts.into_iter().zip(&plan.slots).collect();
    let merged = parallel::map(parts, threads, |(part, slot)| {
        let translation = Translation {
            classes: &classes,
            meaning: slot.meaning,
            missing: &options.missing,
        };
        part.merge(&files, rows, &translation)
    });
    let mut columns = Vec::with_capacity(merged.len());
    let mut not_as_expected = Vec::with_capacity(merged.len());
    for column in merged {
        columns.push(column.column);
        not_as_expected.push(column.not_as_expected);
    }
    // first, because a header among the records is no value of any kind
    let rows_below = RowsBelow {
        columns: &columns,
        runs: &runs,
        missing: &options.missing,
    };
    rows_below.check(sources, &opened, plan.names_of.is_some())?;
    for (slot, found) in plan.slots.iter().zip(not_as_expected) {
        if let Some((position, expected)) = found {
            return Err(Error::NotAsWritten {
                file: position.file.to_string(),
                line: position.line,
                column: slot.name.clone(),
                expected,
            });
        }
    }
    Ok(Read {
        columns,
        opened,
        runs,
        rows,
        hashes,
        repeated,
        threads,
    })
}

/// An optional column that nobody has is no column.
fn refuse_absent_everywhere(
    sources: &[&dyn Scan],
    plan: &Plan<'_>,
    opened: &[OpenedSource],
) -> Result<(), Error> {
    let mut columns = Vec::new();
    for (slot, column) in plan.slots.iter().enumerate() {
        let is_absent = |source: &OpenedSource| source.layout.absent.contains(&slot);
        if !opened.is_empty() && opened.iter().all(is_absent) {
            columns.push(column.name.clone());
        }
    }
    if columns.is_empty() {
        return Ok(());
    }
    Err(Error::MissingEverywhere {
        file: sources[0].name().to_owned(),
        columns,
    })
}

/// No more threads than there are blocks: a small table is read by the caller's thread alone.
fn threads_for(sources: &[&dyn Scan], options: &ReadOptions<'_>) -> usize {
    let wanted = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        given => given,
    };
    let mut bytes = 0u64;
    for source in sources {
        bytes = bytes.saturating_add(source.size().unwrap_or(u64::MAX));
    }
    let blocks = usize::try_from(bytes).unwrap_or(usize::MAX) / options.block;
    wanted.min(blocks.saturating_add(1))
}

fn all_hashes(
    mut hashes: Vec<Option<FileHash>>,
    workers: &mut [Worker<'_>],
) -> Vec<Option<FileHash>> {
    for worker in workers {
        for (file, hash) in worker.hashes.drain(..) {
            hashes[file] = Some(hash);
        }
    }
    hashes
}

fn repeated_identifiers(
    workers: &mut [Worker<'_>],
    plan: &Plan<'_>,
    threads: usize,
) -> Vec<RepeatedIdentifier> {
    let hashed =
        (0..plan.slots.len()).filter(|&slot| matches!(plan.slots[slot].keep, SlotKeep::Hashed));
    let gather = |slot: usize| {
        let cells: Vec<Vec<u64>> = workers
            .iter_mut()
            .map(|w| std::mem::take(&mut w.identifiers[slot]))
            .collect();
        (plan.slots[slot].name.clone(), cells.concat())
    };
    let columns: Vec<(String, Vec<u64>)> = hashed.map(gather).collect();
    let mut counted = parallel::map(columns, threads, |(column, mut cells)| {
        cells.sort_unstable();
        let mut distinct = 0;
        let mut most_rows = 0;
        for alike in cells.chunk_by(|one, other| one == other) {
            distinct += 1;
            most_rows = most_rows.max(alike.len() as u64);
        }
        RepeatedIdentifier {
            column,
            rows: cells.len() as u64,
            distinct,
            most_rows,
        }
    });
    counted.retain(|column| column.repeats() > 0);
    counted
}

fn providers_of_column(
    column: &RawColumn,
    name: &str,
    missing: &Missing,
) -> Result<(Providers, Codes), Error> {
    let nobody = column
        .values
        .iter()
        .find(|v| v.text.trim().is_empty() || missing.contains(&v.text));
    if let Some(value) = nobody {
        let (file, line) = (value.position.file.to_string(), value.position.line);
        return Err(Error::EmptyProviderCell {
            file,
            line,
            column: name.to_owned(),
        });
    }
    let providers = Providers::new(column.values.iter().map(|v| v.text.to_string()).collect());
    let id = |name: &str| providers.id(name).expect("every name is in the list").0;
    let map: Vec<Code> = column.values.iter().map(|v| id(&v.text)).collect();
    let mut codes = Codes::with_capacity(map.len(), column.ids.len());
    codes.extend_mapped(&column.ids, &map);
    Ok((providers, codes))
}

fn providers_of_sources(sources: &[&dyn Scan], runs: &Runs, rows: usize) -> (Providers, Codes) {
    let mut names = Vec::with_capacity(sources.len());
    for source in sources {
        names.push(source.provider().unwrap_or(SOLE_PROVIDER).to_owned());
    }
    let providers = Providers::new(names.clone());
    let mut codes = Codes::with_capacity(providers.len(), rows);
    for &(source, rows) in runs {
        let id = providers.id(&names[source]);
        let id = id.expect("every name is in the list").0;
        (0..rows).for_each(|_| codes.push(id));
    }
    (providers, codes)
}

#[cfg(test)]
mod format_tests;
#[cfg(test)]
mod json_tests;
#[cfg(test)]
mod people_tests;
#[cfg(test)]
mod sources_tests;
#[cfg(test)]
mod tests;

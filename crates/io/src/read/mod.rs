//! Tables in: CSV (plain or gzip) and Parquet into encoded columns.
//!
//! Files are told apart by their first bytes. They are cut into units that workers turn into codes,
//! each with its own dictionaries, and the dictionaries are merged: the table is the same for any
//! number of threads. Cost: one pass over the bytes; memory for a code per cell, the distinct
//! texts, and a block per thread.

mod arrow_text;
mod dictionary;
mod feed;
mod header;
mod hierarchy;
mod merge;
mod open;
mod parallel;
mod parquet;
mod record;
mod scan;
mod worker;

pub use hierarchy::read_hierarchy;

use crate::error::Error;
use crate::hash::FileHash;
use crate::limits::Limits;
use header::{Plan, Slot};
use merge::Runs;
use mingle_model::{Code, Codes, Column, ColumnSpec, Missing, Providers, RawColumn, Role, Table};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use worker::Worker;

/// Bytes of CSV a worker takes at once.
const BLOCK: usize = 1 << 20;

/// The provider of tables that name none.
const SOLE_PROVIDER: &str = "(all)";

/// A file of the input.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// What messages call it.
    pub display: String,
    /// Who contributed it, when there is one table per provider.
    pub provider: Option<String>,
}

/// What to do with columns that the policy does not declare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undeclared {
    /// An error that lists them.
    Error,
    /// They are not read.
    Drop,
}

/// How to read.
#[derive(Clone)]
pub struct ReadOptions<'a> {
    /// The delimiter of CSV files; `None` takes the most frequent of comma, semicolon, tab and bar
    /// in the header line.
    pub delimiter: Option<u8>,
    /// Which texts mean that a value is missing. The first stands for Parquet's nulls.
    pub missing: Missing,
    /// How much is taken.
    pub limits: Limits,
    /// Whether CSV cells are guarded against spreadsheets, as the releases of this program are, and
    /// one leading `'` is to be taken away.
    pub unguard: bool,
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
            delimiter: None,
            missing: Missing::default(),
            limits: Limits::default(),
            unguard: false,
            threads: 0,
            progress: None,
            cancel: None,
            block: BLOCK,
        }
    }
}

/// A table and what was noticed while reading it.
pub struct Input {
    /// The table, columns in the order of the policy, identifiers left out.
    pub table: Table,
    /// Each source's hash, in the order of the sources.
    pub hashes: Vec<FileHash>,
    /// Identifier columns in which values occur more than once, with the number of rows that repeat
    /// an earlier value.
    pub repeated_identifiers: Vec<(String, u64)>,
}

/// All columns of some files as they stand, for looking at data before there is a policy.
pub struct RawTable {
    /// Name and texts of each column, in the order of the first file.
    pub columns: Vec<(String, RawColumn)>,
    /// How many rows there are.
    pub rows: u64,
    /// How many of them each source has.
    pub rows_of: Vec<u64>,
    /// Each source's hash, in the order of the sources.
    pub hashes: Vec<FileHash>,
}

/// Reads one table from all sources: the declared columns, which every file must have in any order.
///
/// Who contributed a row is said by the provider column if there is one, else by the source's
/// provider; sources without a provider are of one and the same.
pub fn read_table(
    sources: &[Source],
    provider_column: Option<&str>,
    columns: &[ColumnSpec],
    undeclared: Undeclared,
    options: &ReadOptions<'_>,
) -> Result<Input, Error> {
    let unnamed = |s: &&Source| s.provider.as_ref().is_some_and(|p| p.trim().is_empty());
    if let Some(source) = sources.iter().find(unnamed) {
        return Err(Error::EmptyProviderName {
            file: source.display.clone(),
        });
    }
    let plan = plan(provider_column, columns, undeclared);
    let read = read(sources, &plan, options)?;
    let (providers, provider_of) = match plan.provider {
        Some(slot) => providers_of_column(
            &read.columns[slot],
            &plan.slots[slot].name,
            &options.missing,
        )?,
        None => providers_of_files(sources, &read.runs, read.rows),
    };
    let mut raw: Vec<Option<RawColumn>> = read.columns.into_iter().map(Some).collect();
    let kept = columns.iter().filter(|c| c.role != Role::Identifier);
    let mut take = |spec: &ColumnSpec| {
        let slot = plan
            .slots
            .iter()
            .position(|s| s.name == spec.name)
            .expect("the plan has a slot per column");
        (spec.clone(), raw[slot].take().unwrap_or_default())
    };
    let encode = |(spec, raw): (ColumnSpec, RawColumn)| {
        let column = spec.name.clone();
        Column::encode(spec, raw, &options.missing)
            .map_err(|source| Error::Column { column, source })
    };
    let columns = parallel::map(kept.map(&mut take).collect(), read.threads, encode);
    let columns = columns.into_iter().collect::<Result<_, _>>()?;
    let table = Table {
        columns,
        providers,
        provider_of,
    };
    Ok(Input {
        table,
        hashes: read.hashes,
        repeated_identifiers: read.repeated,
    })
}

/// Reads all columns of all sources, which must have the same ones.
pub fn read_raw(sources: &[Source], options: &ReadOptions<'_>) -> Result<RawTable, Error> {
    let names = sources
        .first()
        .map_or(Ok(Vec::new()), |first| read_header(first, options))?;
    let slots = names
        .iter()
        .map(|name| Slot {
            name: name.clone(),
            hashed: false,
        })
        .collect();
    let plan = Plan {
        slots,
        provider: None,
        undeclared: Undeclared::Error,
    };
    let read = read(sources, &plan, options)?;
    let mut rows_of = vec![0; sources.len()];
    read.runs
        .iter()
        .for_each(|&(file, rows)| rows_of[file] += rows as u64);
    let columns = names.into_iter().zip(read.columns).collect();
    Ok(RawTable {
        columns,
        rows: read.rows as u64,
        rows_of,
        hashes: read.hashes,
    })
}

/// Reads the column names of a file.
pub fn read_header(source: &Source, options: &ReadOptions<'_>) -> Result<Vec<String>, Error> {
    feed::header_of(source, options)
}

fn plan(provider_column: Option<&str>, columns: &[ColumnSpec], undeclared: Undeclared) -> Plan {
    let is_provider = |name: &str| provider_column == Some(name);
    let hashed = |c: &ColumnSpec| c.role == Role::Identifier && !is_provider(&c.name);
    let mut slots: Vec<Slot> = columns
        .iter()
        .map(|c| Slot {
            name: c.name.clone(),
            hashed: hashed(c),
        })
        .collect();
    let provider = provider_column.map(|name| {
        slots
            .iter()
            .position(|s| s.name == name)
            .unwrap_or_else(|| {
                slots.push(Slot {
                    name: name.to_owned(),
                    hashed: false,
                });
                slots.len() - 1
            })
    });
    Plan {
        slots,
        provider,
        undeclared,
    }
}

/// What a plan gives.
struct Read {
    /// Per slot; empty for identifiers.
    columns: Vec<RawColumn>,
    runs: Runs,
    rows: usize,
    hashes: Vec<FileHash>,
    repeated: Vec<(String, u64)>,
    threads: usize,
}

fn read(sources: &[Source], plan: &Plan, options: &ReadOptions<'_>) -> Result<Read, Error> {
    let threads = threads_for(sources, options);
    let (mut workers, hashes) = worker::run(sources, plan, options, threads)?;
    let hashes = all_hashes(hashes, &mut workers);
    let repeated = repeated_identifiers(&mut workers, plan, threads);
    let (parts, runs) = merge::split(&mut workers, plan.slots.len());
    let rows = runs.iter().map(|(_, rows)| rows).sum();
    if rows == 0 {
        let file = sources
            .first()
            .map_or_else(String::new, |s| s.display.clone());
        return Err(Error::NoRows {
            file,
            files: sources.len(),
        });
    }
    let files: Vec<Arc<str>> = sources.iter().map(|s| s.display.as_str().into()).collect();
    let columns = parallel::map(parts, threads, |part| part.merge(&files, rows));
    Ok(Read {
        columns,
        runs,
        rows,
        hashes,
        repeated,
        threads,
    })
}

/// No more threads than there are blocks: a small table is read by the caller's thread alone.
fn threads_for(sources: &[Source], options: &ReadOptions<'_>) -> usize {
    let wanted = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        given => given,
    };
    let bytes: u64 = sources
        .iter()
        .filter_map(|s| s.path.metadata().ok())
        .map(|m| m.len())
        .sum();
    wanted.min(usize::try_from(bytes).unwrap_or(usize::MAX) / options.block + 1)
}

fn all_hashes(mut hashes: Vec<Option<FileHash>>, workers: &mut [Worker<'_>]) -> Vec<FileHash> {
    for (file, hash) in workers.iter_mut().flat_map(|w| w.hashes.drain(..)) {
        hashes[file] = Some(hash);
    }
    hashes
        .into_iter()
        .map(|hash| hash.expect("a file that was read to its end is hashed"))
        .collect()
}

fn repeated_identifiers(
    workers: &mut [Worker<'_>],
    plan: &Plan,
    threads: usize,
) -> Vec<(String, u64)> {
    let hashed = (0..plan.slots.len()).filter(|&slot| plan.slots[slot].hashed);
    let gather = |slot: usize| {
        let cells: Vec<Vec<u64>> = workers
            .iter_mut()
            .map(|w| std::mem::take(&mut w.identifiers[slot]))
            .collect();
        (plan.slots[slot].name.clone(), cells.concat())
    };
    let columns: Vec<(String, Vec<u64>)> = hashed.map(gather).collect();
    let counted = parallel::map(columns, threads, |(name, mut cells)| {
        cells.sort_unstable();
        (
            name,
            cells.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64,
        )
    });
    counted
        .into_iter()
        .filter(|(_, repeats)| *repeats > 0)
        .collect()
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

fn providers_of_files(sources: &[Source], runs: &Runs, rows: usize) -> (Providers, Codes) {
    let name = |s: &Source| {
        s.provider
            .clone()
            .unwrap_or_else(|| SOLE_PROVIDER.to_owned())
    };
    let providers = Providers::new(sources.iter().map(name).collect());
    let mut codes = Codes::with_capacity(providers.len(), rows);
    for &(file, rows) in runs {
        let id = providers
            .id(&name(&sources[file]))
            .expect("every name is in the list")
            .0;
        (0..rows).for_each(|_| codes.push(id));
    }
    (providers, codes)
}

#[cfg(test)]
mod tests;

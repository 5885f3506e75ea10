//! Tables of which some sources have counted the distinct rows by themselves.
//!
//! The algorithms need distinct rows with counts and nothing else, so a database or a cluster that
//! groups sends far less. Its rows are read like any other Arrow batches; the counts stand beside
//! them, and [`Cube::from_counts`](mingle_model::Cube::from_counts) takes both.

use super::memory::ArrowTable;
use super::scan::{Counts, Scan};
use super::select::{Keep, Selection, Undeclared};
use super::{Input, ReadOptions, as_scans, feed, read_selected};
use crate::error::Error;
use crate::hash::FileHash;

/// A table, and how many rows of the sources each of its rows stands for.
pub struct CountedInput {
    /// The rows.
    pub input: Input,
    /// Per row of the table how often it occurs; `None` when no source counted and each row stands
    /// for itself.
    pub counts: Option<Vec<u64>>,
}

/// Reads a selection, leaving the grouping to sources that can group.
///
/// Sources are asked only where nothing is lost by it: a selection with a column that is hashed,
/// linked or kept beside the table needs every row, and so does one that says whose each row is.
pub fn read_counted<S: Scan>(
    sources: &[S],
    selection: &Selection<'_>,
    options: &ReadOptions<'_>,
) -> Result<CountedInput, Error> {
    let sources = as_scans(sources);
    let counted = if needs_every_row(selection) {
        Vec::new()
    } else {
        ask(&sources, selection, options)?
    };
    if counted.iter().all(Option::is_none) {
        let (input, _) = read_selected(&sources, selection, options)?;
        let counts = None;
        return Ok(CountedInput { input, counts });
    }
    // the counted rows lack what is dropped, and names were compared before anybody was asked
    let mut of_counted = selection.clone();
    of_counted
        .columns
        .retain(|column| !matches!(column.keep, Keep::Dropped));
    of_counted.undeclared = Undeclared::Drop;
    let mut scans: Vec<&dyn Scan> = Vec::with_capacity(sources.len());
    for (source, counted) in sources.iter().zip(&counted) {
        match counted {
            Some(counted) => scans.push(&counted.rows),
            None => scans.push(*source),
        }
    }
    let (mut input, rows_of) = read_selected(&scans, &of_counted, options)?;
    let mut counts = Vec::with_capacity(input.table.rows());
    for (place, (counted, rows)) in counted.into_iter().zip(rows_of).enumerate() {
        let Some(counted) = counted else {
            counts.extend((0..rows).map(|_| 1));
            continue;
        };
        // a row that never occurs is none of the table, and its values would widen the domains
        if counted.counts.len() as u64 != rows || counted.counts.contains(&0) {
            return Err(Error::CountsShape {
                file: sources[place].name().to_owned(),
            });
        }
        input.hashes[place] = counted.hash;
        counts.extend(counted.counts);
    }
    let counts = Some(counts);
    Ok(CountedInput { input, counts })
}

fn needs_every_row(selection: &Selection<'_>) -> bool {
    // what is counted where it is says how many rows there are, not whose they are
    if selection.is_about_people() {
        return true;
    }
    selection.columns.iter().any(|column| match column.keep {
        // a provider column that is an identifier is read for its names, which grouping keeps
        Keep::Hashed => selection.provider_column != Some(&column.spec.name),
        Keep::Beside | Keep::Linked(_) => true,
        Keep::Values | Keep::Dropped => false,
    })
}

/// The distinct rows of a source, as a table.
struct CountedRows {
    rows: ArrowTable,
    counts: Vec<u64>,
    hash: Option<FileHash>,
}

/// Asks every source to count its distinct rows, after the names of its columns were found right.
fn ask(
    sources: &[&dyn Scan],
    selection: &Selection<'_>,
    options: &ReadOptions<'_>,
) -> Result<Vec<Option<CountedRows>>, Error> {
    let plan = selection.plan();
    let mut all = Vec::with_capacity(sources.len());
    for source in sources {
        let names = feed::names(&source.open(options)?.schema());
        let names = feed::our_names(&names, *source);
        let layout = plan.layout(source.name(), &names, &options.limits)?;
        let slots = layout.slots();
        let columns: Vec<&str> = slots
            .iter()
            .map(|&slot| plan.slots[slot].name.as_str())
            .collect();
        let answer = source.count_distinct(&columns).transpose()?;
        all.push(answer.map(|counts| as_table(*source, counts)));
    }
    Ok(all)
}

fn as_table(source: &dyn Scan, counted: Counts) -> CountedRows {
    let mut rows = ArrowTable::new(source.name(), counted.schema, counted.rows);
    if let Some(provider) = source.provider() {
        rows = rows.of_provider(provider);
    }
    CountedRows {
        rows,
        counts: counted.counts,
        hash: counted.hash,
    }
}

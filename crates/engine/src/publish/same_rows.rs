//! The same rows at two providers: a table that is listed under two names, or one that was passed
//! on.
//!
//! Rows count as the same if they agree in every column that is read, and identifiers do not rule
//! it out: two equal rows repeat an identifier in every identifier column. Said of two providers
//! whose whole tables coincide, or of whom one shares at least half of its rows with the other, a
//! row counting only if there are no more than these two of it: in a coarse table equal rows are
//! nothing remarkable. From five rows on, because a few may coincide by chance, and from two rows
//! on where whole files are equal byte by byte.
//!
//! Cost: one pass over the records of the cube, and over the rows where there are insensitive
//! columns.

use crate::tables::Original;
use mingle_io::RepeatedIdentifier;
use mingle_model::counted;
use mingle_model::{Column, Cube, ProviderId, Role};
use mingle_policy::{Policy, Tables};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::collections::{BTreeMap, HashMap};

const FEWEST: u64 = 5;

/// Two providers, by their places, and how many rows they share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shared {
    providers: (usize, usize),
    rows: u64,
}

/// A warning about the two providers who share most, and how many more pairs there are.
pub fn warning(policy: &Policy, original: &Original, cube: &Cube) -> Option<Problem> {
    // who is at two providers is one person there, however alike her rows are
    if policy.data.people.column().is_some() {
        return None;
    }
    let sizes = cube.rows_of_providers();
    if sizes.len() < 2 {
        return None;
    }
    let cells = cells(cube);
    let mut found = same_files(policy, original, &sizes);
    found.extend(same_tables(original, cube, &cells, &sizes));
    found.extend(half_shared(original, cube, &cells, &sizes));
    let most = repeated_at_most(policy, original);
    let enough = |shared: &Shared| {
        2 * shared.rows >= sizes[shared.providers.0].min(sizes[shared.providers.1])
    };
    let bounded = found.into_iter().map(|shared| Shared {
        rows: shared.rows.min(most),
        ..shared
    });
    let mut pairs: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for shared in bounded.filter(enough) {
        let rows = pairs.entry(shared.providers).or_default();
        *rows = shared.rows.max(*rows);
    }
    let (&(one, other), &rows) = pairs
        .iter()
        .max_by_key(|&(pair, &rows)| (rows, std::cmp::Reverse(pair)))?;
    let name = |place: usize| original.table.providers.name(ProviderId(place as u32));
    let more = if pairs.len() > 1 {
        format!(" (and {})", counted(pairs.len() - 1, "more pair"))
    } else {
        String::new()
    };
    let text = format!(
        "providers {:?} and {:?} share {}{more}: each counts as two people, and either provider knows the \
         other's",
        name(one),
        name(other),
        counted(rows, "row")
    );
    Some(Problem::new(
        ProblemCode::SameRows,
        text,
        "list every table once, and merge the rows of a person; see MG0509",
    ))
}

/// Equal rows repeat an identifier in every identifier column.
fn repeated_at_most(policy: &Policy, original: &Original) -> u64 {
    let repeats = |name: &str| {
        original
            .repeated_identifiers
            .iter()
            .find(|column| column.column == name)
            .map_or(0, RepeatedIdentifier::repeats)
    };
    policy
        .with_role(Role::Identifier)
        .map(|c| repeats(&c.spec.name))
        .min()
        .unwrap_or(u64::MAX)
}

fn same_files(policy: &Policy, original: &Original, sizes: &[u64]) -> Vec<Shared> {
    let Some(Tables::PerProvider(providers)) = &policy.data.tables else {
        return Vec::new();
    };
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::new();
    for ((name, _), file) in providers.iter().zip(&original.files) {
        let Some(id) = original.table.providers.id(name).map(|id| id.0 as usize) else {
            continue;
        };
        match first.get(file.hash.sha256.as_str()) {
            Some(&other) => found.push(Shared {
                providers: ordered(other, id),
                rows: sizes[id],
            }),
            None if sizes[id] > 1 => drop(first.insert(&file.hash.sha256, id)),
            None => {}
        }
    }
    found
}

/// Providers with equal multisets of rows, found by a sum of the rows' hashes.
fn same_tables(original: &Original, cube: &Cube, cells: &[u32], sizes: &[u64]) -> Vec<Shared> {
    let mut sums = vec![0u64; sizes.len()];
    match cube.record_of_row() {
        None => {
            for (record, &cell) in cube.records().iter().zip(cells) {
                let sum = &mut sums[record.provider.0 as usize];
                *sum = sum.wrapping_add(mixed(cell.into()).wrapping_mul(record.count));
            }
        }
        Some(records) => {
            let carried: Vec<&Column> = original.table.with_role(Role::Insensitive).collect();
            for (row, &record) in records.iter().enumerate() {
                let cell = u64::from(cells[record as usize]);
                let hash = carried.iter().fold(mixed(cell), |hash, c| {
                    mixed(hash ^ u64::from(c.codes.get(row)))
                });
                let sum = &mut sums[original.table.provider_of.get(row) as usize];
                *sum = sum.wrapping_add(hash);
            }
        }
    }
    let mut first: HashMap<(u64, u64), usize> = HashMap::new();
    let mut found = Vec::new();
    for (id, (&sum, &rows)) in sums
        .iter()
        .zip(sizes)
        .enumerate()
        .filter(|(_, (_, rows))| **rows >= FEWEST)
    {
        match first.get(&(sum, rows)) {
            Some(&other) => found.push(Shared {
                providers: (other, id),
                rows,
            }),
            None => drop(first.insert((sum, rows), id)),
        }
    }
    found
}

/// Pairs of rows that are alike, at two providers, and the only ones of their kind.
fn half_shared(original: &Original, cube: &Cube, cells: &[u32], sizes: &[u64]) -> Vec<Shared> {
    let records = cube.records();
    let row_of = rows_of_records(cube);
    let carried: Vec<&Column> = original.table.with_role(Role::Insensitive).collect();
    let alike = |one: usize, other: usize| match &row_of {
        None => true,
        Some(rows) => carried
            .iter()
            .all(|c| c.codes.get(rows[one] as usize) == c.codes.get(rows[other] as usize)),
    };
    let mut pairs: HashMap<(usize, usize), u64> = HashMap::new();
    let mut start = 0;
    for cell in cells.chunk_by(|a, b| a == b) {
        let here = &records[start..start + cell.len()];
        if let [one, other] = here
            && (one.count, other.count) == (1, 1)
            && alike(start, start + 1)
        {
            *pairs
                .entry(ordered(one.provider.0 as usize, other.provider.0 as usize))
                .or_default() += 1;
        }
        start += cell.len();
    }
    let enough = |shared: &Shared| {
        let smaller = sizes[shared.providers.0].min(sizes[shared.providers.1]);
        shared.rows >= FEWEST && 2 * shared.rows >= smaller
    };
    pairs
        .into_iter()
        .map(|(providers, rows)| Shared { providers, rows })
        .filter(enough)
        .collect()
}

/// Per record a number of its quasi-identifiers and sensitive values: records of different
/// providers may share one.
fn cells(cube: &Cube) -> Vec<u32> {
    let mut cells = Vec::with_capacity(cube.records().len());
    let mut cell = 0;
    for tuple in 0..cube.tuples() {
        for same in
            cube.records()[cube.records_of(tuple)].chunk_by(|a, b| a.sensitive == b.sensitive)
        {
            cells.extend(same.iter().map(|_| cell));
            cell += 1;
        }
    }
    cells
}

/// One row of each record, where the cube knows.
fn rows_of_records(cube: &Cube) -> Option<Vec<u32>> {
    let records = cube.record_of_row()?;
    let mut rows = vec![0; cube.records().len()];
    records
        .iter()
        .zip(0..)
        .for_each(|(&record, row)| rows[record as usize] = row);
    Some(rows)
}

fn ordered(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

/// Spreads a number over all bits (the finalizer of SplitMix64). Not against forgers: this is a
/// warning.
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

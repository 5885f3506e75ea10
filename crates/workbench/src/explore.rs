//! Questions about a candidate: its rows, and what a coalition makes of them.

use super::candidate::Made;
use mingle::failure;
use mingle::promises;
use mingle_assess::attack::insider::chosen::{self, Attacked};
use mingle_model::{Code, Column, Cube, Partition, ProviderId, Role, Table};
use mingle_page::protocol::{
    CoalitionAnswer, CoalitionGroup, PreviewAnswer, PreviewColumn, PreviewRequest, PreviewRow,
    RemainingValue,
};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_release::manifest::column_role;
use std::collections::HashMap;

/// The most rows, groups and values that one answer shows.
const ROWS: usize = 200;
const GROUPS: usize = 50;
const VALUES: usize = 5;

/// Some rows before and after.
pub fn preview(made: &Made, request: &PreviewRequest) -> PreviewAnswer {
    let table = &made.loaded.original.table;
    let offset = (request.offset.max(0.0) as usize).min(table.rows());
    let rows = offset..(offset + (request.count.max(0.0) as usize).min(ROWS)).min(table.rows());
    let records = records_of(table, &made.cube, rows.clone());
    let column = |c: &Column| PreviewColumn {
        name: c.spec.name.clone(),
        role: column_role(c.spec.role),
    };
    PreviewAnswer {
        columns: table.columns.iter().map(column).collect(),
        rows: rows
            .zip(records)
            .map(|(row, record)| preview_row(made, row, record))
            .collect(),
        total: table.rows() as f64,
    }
}

fn preview_row(made: &Made, row: usize, record: Option<usize>) -> PreviewRow {
    let table = &made.loaded.original.table;
    let published = made.verified.published();
    let group = record
        .map(|record| published.group_of()[record])
        .filter(|&group| group != Partition::SUPPRESSED);
    let original: Vec<String> = table
        .columns
        .iter()
        .map(|c| c.domain.text(c.codes.get(row)).to_owned())
        .collect();
    let after = |group: u32| {
        let mut labels = published
            .describe(group as usize)
            .map(|(_, label)| label.to_owned());
        let cell = |(column, text): (&Column, &String)| match column.spec.role {
            Role::QuasiIdentifier => labels.next().unwrap_or_default(),
            _ => text.clone(),
        };
        table.columns.iter().zip(&original).map(cell).collect()
    };
    PreviewRow {
        provider: table
            .providers
            .name(ProviderId(table.provider_of.get(row)))
            .to_owned(),
        published: group.map(after),
        group_size: group.map_or(0.0, |group| published.size(group as usize) as f64),
        original,
    }
}

/// What tells rows apart: quasi-identifiers, sensitive values and provider.
type Key = Vec<Code>;

/// The record of each row. Rows that agree in everything are dealt to the records that fit them, in
/// order.
fn records_of(table: &Table, cube: &Cube, rows: std::ops::Range<usize>) -> Vec<Option<usize>> {
    if let Some(known) = cube.record_of_row() {
        return rows
            .map(|row| known.get(row).map(|&record| record as usize))
            .collect();
    }
    let columns: Vec<&Column> = table
        .with_role(Role::QuasiIdentifier)
        .chain(table.with_role(Role::Sensitive))
        .collect();
    let key = |row: usize| -> Key {
        columns
            .iter()
            .map(|c| c.codes.get(row))
            .chain([table.provider_of.get(row)])
            .collect()
    };
    let wanted: HashMap<Key, Vec<usize>> = rows
        .clone()
        .map(|row| (key(row), fitting(cube, &key(row))))
        .collect();
    let mut met: HashMap<Key, usize> = HashMap::new();
    if wanted.values().any(|records| records.len() > 1) {
        (0..rows.start)
            .map(key)
            .filter(|key| wanted.contains_key(key))
            .for_each(|key| *met.entry(key).or_default() += 1);
    }
    let record = |row: usize| {
        let key = key(row);
        let fitting = &wanted[&key];
        let turn = met.entry(key).or_default();
        *turn += 1;
        // a record of several equal rows serves them all
        fitting
            .get((*turn - 1).min(fitting.len().saturating_sub(1)))
            .copied()
    };
    rows.map(record).collect()
}

/// The records of a row's tuple with its sensitive values and provider.
fn fitting(cube: &Cube, key: &Key) -> Vec<usize> {
    let q = cube.quasi_identifiers().len();
    let tuple_codes = |tuple: usize| {
        cube.quasi_identifiers()
            .iter()
            .map(move |qi| qi.codes.get(tuple))
    };
    let (mut low, mut high) = (0, cube.tuples());
    while low < high {
        let middle = low + (high - low) / 2;
        if tuple_codes(middle).lt(key[..q].iter().copied()) {
            low = middle + 1
        } else {
            high = middle
        }
    }
    if low == cube.tuples() {
        return Vec::new();
    }
    let same = |&record: &usize| {
        let found = &cube.records()[record];
        let values = cube
            .sensitive()
            .iter()
            .map(|column| column.codes.get(found.sensitive as usize));
        values
            .chain([found.provider.0])
            .eq(key[q..].iter().copied())
    };
    cube.records_of(low).filter(same).collect()
}

/// What some providers together learn.
pub fn coalition(made: &Made, providers: &[String]) -> Result<CoalitionAnswer, Problem> {
    let published = made.verified.published();
    let id = |name: &String| {
        published.providers().id(name).ok_or_else(|| {
            let text = "the coalition names a provider that the tables do not have";
            Problem::new(
                ProblemCode::CandidateGone,
                text,
                "choose among the candidate's providers",
            )
        })
    };
    let members: Vec<ProviderId> = providers.iter().map(id).collect::<Result<_, _>>()?;
    let knows = made.knows;
    let promises = made.verified.promises();
    let played = chosen::play(published, promises, &made.groups, &members, knows);
    let mut played = played.map_err(|e| failure::privacy(&e))?;
    let mut answer = CoalitionAnswer {
        own: played.own as f64,
        touched: played.touched as f64,
        fallen: played.fallen() as f64,
        exact: played.exact,
        people: played.people() as f64,
        identity: played.identity() as f64,
        exposed: played.exposed() as f64,
        others: played.others as f64,
        examples: Vec::new(),
    };
    played
        .groups
        .sort_by_key(|g| (g.exposed == 0, g.broken.is_none(), g.left, g.group));
    answer.examples = played
        .groups
        .iter()
        .take(GROUPS)
        .map(|group| example(made, group, &members))
        .collect();
    Ok(answer)
}

fn example(made: &Made, attacked: &Attacked, members: &[ProviderId]) -> CoalitionGroup {
    let published = made.verified.published();
    let promise = |at: usize| promises::promise_text(&made.verified.promises()[at], published);
    let columns = 0..published.sensitive().len();
    CoalitionGroup {
        labels: published
            .describe(attacked.group)
            .map(|(_, label)| label.to_owned())
            .collect(),
        rows: published.people_of(attacked.group) as f64,
        left: attacked.left as f64,
        fallen: attacked.broken.is_some(),
        broken: attacked.broken.map(promise),
        remaining: columns
            .map(|column| remaining(made, attacked.group, column, members))
            .collect(),
    }
}

/// The values of the rows or people left, the most frequent first.
fn remaining(
    made: &Made,
    group: usize,
    column: usize,
    members: &[ProviderId],
) -> Vec<RemainingValue> {
    let published = made.verified.published();
    let sensitive = &published.sensitive()[column];
    let knows = made.knows;
    let counts = chosen::values_left(published, group, column, members, knows);
    let mut counts: Vec<(Code, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|&(code, count)| (std::cmp::Reverse(count), code));
    let value = |&(code, count): &(Code, u64)| RemainingValue {
        value: sensitive.domain.text(code).to_owned(),
        count: count as f64,
    };
    counts.iter().take(VALUES).map(value).collect()
}

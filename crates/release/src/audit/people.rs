//! The audit of a release whose people may have several rows.
//!
//! One row per (published quasi-identifier tuple, kind, provider, tuple of sensitive values), sorted
//! in that order. A kind is a number within its group and stands for people who have the same rows:
//! `people` says how many they are, `rows_each` how many such rows each of them has, and `count` is
//! their product, so that the counts add up to the public rows as those of any audit do. A row with
//! no rows each says that a provider knows people of the kind by their rows in other groups. There
//! is no identifier, and no two kinds of a group are the same: what is written another way is not
//! what was published.

use super::{Names, Sorted, column, texts};
use crate::bundle::Rendering;
use crate::data::stop_if;
use crate::error::Error;
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_model::{Code, Column, CountedPerson, PersonRows, Published, PublishedPeople, Table};
use std::io::Write;

/// Writes the audit.
pub(super) fn write<W: Write + Send>(
    published: &Published,
    people: &PublishedPeople,
    names: &Names,
    out: W,
    rendering: &Rendering<'_>,
) -> Result<W, Error> {
    let failed = Error::encode(rendering.path);
    let numbers = Numbers::new(published, people);
    let sensitive = Sorted::new(published);
    let columns = columns(published, names, &sensitive, &numbers);
    let mut writer = RowWriter::new(Format::Parquet, out, columns).map_err(&failed)?;
    let mut codes = Vec::new();
    for group in 0..published.groups() {
        stop_if(rendering.cancelled)?;
        let mut rows = people.counted(group);
        rows.sort_unstable_by_key(|(counted, values, provider)| {
            (counted.kind, *provider, sensitive.place[*values as usize])
        });
        for (counted, values, provider) in rows {
            codes.clear();
            codes.extend_from_slice(published.labels(group));
            codes.push(code_of(&numbers.kinds, counted.kind.into()));
            codes.push(provider.0);
            codes.extend_from_slice(sensitive.codes(values));
            codes.push(code_of(&numbers.people, counted.people));
            codes.push(code_of(&numbers.rows_each, counted.rows_each));
            codes.push(code_of(&numbers.counts, counted.people * counted.rows_each));
            writer.row(&codes, 1).map_err(&failed)?;
        }
    }
    writer.finish().map_err(&failed)
}

/// The numbers that occur in each column, ascending.
#[derive(Default)]
struct Numbers {
    kinds: Vec<u64>,
    people: Vec<u64>,
    rows_each: Vec<u64>,
    counts: Vec<u64>,
}

impl Numbers {
    fn new(published: &Published, people: &PublishedPeople) -> Numbers {
        let mut numbers = Numbers::default();
        for group in 0..published.groups() {
            for (counted, _, _) in people.counted(group) {
                numbers.kinds.push(counted.kind.into());
                numbers.people.push(counted.people);
                numbers.rows_each.push(counted.rows_each);
                numbers.counts.push(counted.people * counted.rows_each);
            }
        }
        for column in [
            &mut numbers.kinds,
            &mut numbers.people,
            &mut numbers.rows_each,
            &mut numbers.counts,
        ] {
            column.sort_unstable();
            column.dedup();
        }
        numbers
    }
}

fn code_of(numbers: &[u64], number: u64) -> Code {
    numbers.partition_point(|&other| other < number) as Code
}

fn columns(
    published: &Published,
    names: &Names,
    sensitive: &Sorted,
    numbers: &Numbers,
) -> Vec<OutColumn> {
    let integers = |name: &str, numbers: &[u64]| {
        let texts = numbers.iter().map(u64::to_string).collect();
        column(name, OutKind::Integer, texts)
    };
    let mut columns = Vec::new();
    for label in published.columns() {
        columns.push(column(&label.name, OutKind::Text, label.labels.clone()));
    }
    columns.push(integers(&names.kind, &numbers.kinds));
    let providers = published.providers().names().map(str::to_owned).collect();
    columns.push(column(&names.provider, OutKind::Text, providers));
    for (values, texts) in published.sensitive().iter().zip(&sensitive.texts) {
        columns.push(column(&values.name, OutKind::Text, texts.clone()));
    }
    columns.push(integers(&names.people, &numbers.people));
    columns.push(integers(&names.rows_each, &numbers.rows_each));
    columns.push(integers(&names.count, &numbers.counts));
    columns
}

/// The groups of an audit with their people. Its last four columns are kind, people, rows of each
/// and count.
///
/// `None` when one of them is no number, when they contradict each other, or when the same people
/// are written as several kinds.
pub(super) fn published(audit: &Table, rows: PersonRows) -> Option<Published> {
    let own = audit.columns.len().checked_sub(4)?;
    let [kinds, people, rows_each, counts] = &audit.columns[own..] else {
        return None;
    };
    let (kinds, people) = (numbers(kinds)?, numbers(people)?);
    let (rows_each, counts) = (numbers(rows_each)?, numbers(counts)?);
    let mut counted = Vec::with_capacity(audit.rows());
    let of_people = people.into_iter().zip(rows_each);
    for ((kind, (people, rows_each)), count) in kinds.into_iter().zip(of_people).zip(counts) {
        if people.checked_mul(rows_each) != Some(count) {
            return None;
        }
        counted.push(CountedPerson {
            kind: u32::try_from(kind).ok()?,
            people,
            rows_each,
        });
    }
    let published = Published::from_people_counts(audit, &counted, rows)?;
    let people = published.people()?;
    // kinds that are the same become one when they are read, and so do rows of a kind
    let mut written_anew = 0;
    for group in 0..published.groups() {
        written_anew += people.counted(group).len();
    }
    (written_anew == audit.rows()).then_some(published)
}

/// A column of numbers, row by row; `None` when one of them is none.
fn numbers(column: &Column) -> Option<Vec<u64>> {
    let mut of_code: Vec<u64> = Vec::with_capacity(column.domain.len());
    for text in texts(&column.domain) {
        of_code.push(text.parse().ok()?);
    }
    let of_rows = column.codes.iter().map(|code| of_code[code as usize]);
    Some(of_rows.collect())
}

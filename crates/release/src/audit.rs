//! The audit: who contributed what to each published group. Private; it makes a release checkable for m > 0.
//!
//! One row per (published quasi-identifier tuple, provider, tuple of sensitive values) with its count, all as text but
//! the count, sorted in that order. Summed over providers it must equal the public rows, which [`differences`] checks.

use crate::data::stop_if;
use crate::error::Error;
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_model::{Code, Codes, Domain, Folded, ProviderId, Published, Table};
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The file's name in `private/`.
pub(crate) const FILE: &str = "audit.parquet";

/// How the audit's own columns are called, beside the data's.
pub(crate) struct Names {
    pub(crate) provider: String,
    pub(crate) count: String,
}

impl Names {
    /// `provider` and `count`, with `mingle.` in front as often as a data column has that name.
    pub(crate) fn new(published: &Published) -> Names {
        let quasi = published.columns().iter().map(|c| c.name.as_str());
        let taken: Vec<&str> = quasi.chain(published.sensitive().iter().map(|c| c.name.as_str())).collect();
        let free = |name: &str| {
            let mut name = name.to_owned();
            while taken.contains(&name.as_str()) {
                name.insert_str(0, "mingle.");
            }
            name
        };
        Names { provider: free("provider"), count: free("count") }
    }
}

/// Writes the audit; `path` is for messages.
pub(crate) fn write<W: Write + Send>(
    published: &Published,
    names: &Names,
    out: W,
    path: &Path,
    cancelled: &AtomicBool,
) -> Result<W, Error> {
    let failed = Error::encode(path);
    let counts = distinct_counts(published);
    let (columns, ranks) = columns(published, names, &counts);
    let mut writer = RowWriter::new(Format::Parquet, out, columns).map_err(&failed)?;
    let mut rows: Vec<Vec<Code>> = Vec::new();
    for group in 0..published.groups() {
        stop_if(cancelled)?;
        rows.clear();
        for entry in published.entries(group) {
            let sensitive = published.sensitive().iter().zip(&ranks);
            let sensitive = sensitive.map(|(c, ranks)| ranks[c.codes.get(entry.sensitive as usize) as usize]);
            let count = counts.partition_point(|&c| c < entry.count) as Code;
            rows.push([entry.provider.0].into_iter().chain(sensitive).chain([count]).collect());
        }
        rows.sort_unstable();
        for row in &rows {
            let codes: Vec<Code> = published.labels(group).iter().chain(row).copied().collect();
            writer.row(&codes, 1).map_err(&failed)?;
        }
    }
    writer.finish().map_err(&failed)
}

fn distinct_counts(published: &Published) -> Vec<u64> {
    let entries = (0..published.groups()).flat_map(|group| published.entries(group));
    let mut counts: Vec<u64> = entries.map(|e| e.count).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// The columns, and per sensitive column the place of each code's text among the sorted texts.
fn columns(published: &Published, names: &Names, counts: &[u64]) -> (Vec<OutColumn>, Vec<Vec<Code>>) {
    let text =
        |name: &str, texts: Vec<String>| OutColumn { name: name.to_owned(), kind: OutKind::Text, texts, missing: None };
    let mut columns: Vec<OutColumn> = published.columns().iter().map(|c| text(&c.name, c.labels.clone())).collect();
    columns.push(text(&names.provider, published.providers().names().map(str::to_owned).collect()));
    let mut ranks = Vec::new();
    for column in published.sensitive() {
        let mut order: Vec<Code> = (0..column.domain.len() as Code).collect();
        order.sort_unstable_by_key(|&code| column.domain.text(code));
        let mut rank = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&code, place)| rank[code as usize] = place);
        columns.push(text(&column.name, order.iter().map(|&c| column.domain.text(c).to_owned()).collect()));
        ranks.push(rank);
    }
    let counts = counts.iter().map(u64::to_string).collect();
    columns.push(OutColumn { name: names.count.clone(), kind: OutKind::Integer, texts: counts, missing: None });
    (columns, ranks)
}

/// How many (quasi-identifier, sensitive) tuples occur another number of times in the audit than in public.
///
/// `audit` holds the quasi-identifiers and sensitive columns of `published`, in that order, and the counts last, all
/// read as text. `None` when a count is no number.
pub(crate) fn differences(published: &Published, audit: &Table) -> Option<u64> {
    let audited = counts(audit)?;
    let lines: Vec<(usize, u32, u64)> = (0..published.groups())
        .flat_map(|g| published.entries(g).iter().map(move |e| (g, e.sensitive, e.count)))
        .collect();
    let mut columns: Vec<(Codes, usize)> = Vec::new();
    for (place, column) in published.columns().iter().enumerate() {
        let mut joined = Joined::new(&audit.columns[columns.len()], column.labels.iter().map(String::as_str));
        lines.iter().for_each(|&(group, ..)| joined.codes.push(published.labels(group)[place]));
        columns.push((joined.codes, joined.width));
    }
    for column in published.sensitive() {
        let mut joined = Joined::new(&audit.columns[columns.len()], texts(&column.domain));
        lines.iter().for_each(|&(_, combination, _)| joined.codes.push(column.codes.get(combination as usize)));
        columns.push((joined.codes, joined.width));
    }
    let rows = audit.rows();
    let folded = Folded::new(rows + lines.len(), columns.iter().map(|(codes, width)| (codes, *width)));
    let audited = audited.map(i128::from);
    let public = lines.iter().map(|&(.., count)| -i128::from(count));
    let mut balance: Vec<(u64, i128)> = folded.keys.into_iter().zip(audited.chain(public)).collect();
    balance.sort_unstable();
    let differs = |same: &&[(u64, i128)]| same.iter().map(|(_, count)| count).sum::<i128>() != 0;
    Some(balance.chunk_by(|a, b| a.0 == b.0).filter(differs).count() as u64)
}

/// How many providers have other numbers of rows in the audit than were declared. Counts are known to be numbers.
pub(crate) fn provider_differences(audit: &Table, mut declared: BTreeMap<String, u128>) -> u64 {
    let mut found: BTreeMap<&str, u128> = BTreeMap::new();
    for (provider, count) in audit.provider_of.iter().zip(counts(audit).into_iter().flatten()) {
        *found.entry(audit.providers.name(ProviderId(provider))).or_default() += u128::from(count);
    }
    let wrong = found.into_iter().filter(|(name, rows)| declared.remove(*name) != Some(*rows)).count();
    (wrong + declared.len()) as u64
}

/// The counts in the last column of the audit, row by row; `None` when one of them is no number.
fn counts(audit: &Table) -> Option<impl Iterator<Item = u64>> {
    let count = audit.columns.last()?;
    let of_code: Option<Vec<u64>> = texts(&count.domain).map(|text| text.parse().ok()).collect();
    let of_code = of_code?;
    Some(count.codes.iter().map(move |code| of_code[code as usize]))
}

fn texts(domain: &Domain) -> impl Iterator<Item = &str> {
    (0..domain.len() as Code).map(|code| domain.text(code))
}

/// A column of the audit in the codes of the public one; texts that the public one does not have come after those.
struct Joined {
    codes: Codes,
    width: usize,
}

impl Joined {
    fn new<'a>(audit: &mingle_model::Column, public: impl Iterator<Item = &'a str>) -> Joined {
        let public: HashMap<&str, Code> = public.zip(0..).collect();
        let mut width = public.len();
        let mut translate = |text: &str| {
            public.get(text).copied().unwrap_or_else(|| {
                width += 1;
                width as Code - 1
            })
        };
        let map: Vec<Code> = texts(&audit.domain).map(&mut translate).collect();
        let mut codes = Codes::default();
        codes.extend_mapped(&audit.codes, &map);
        Joined { codes, width }
    }
}

//! The audit: who contributed what to each published group. Private; it makes a release checkable
//! for m > 0.
//!
//! One row per (published quasi-identifier tuple or gid, provider, tuple of sensitive values) with
//! its count, all as text but the count and the gid, sorted in that order. Summed over providers it
//! must equal the public rows, which [`differences`] checks. Where people have several rows it also
//! keeps whose they are, see [`people`].

mod people;

use crate::bundle::Rendering;
use crate::data::stop_if;
use crate::error::Error;
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_model::{Code, Codes, Domain, Folded, GID, PersonRows, ProviderId, Published, Table};
use std::collections::{BTreeMap, HashMap};
use std::io::Write;

/// The file's name in `private/`.
pub(crate) const FILE: &str = "audit.parquet";

/// How the audit's own columns are called, beside the data's.
pub(crate) struct Names {
    pub(crate) provider: String,
    pub(crate) count: String,
    pub(crate) kind: String,
    pub(crate) people: String,
    pub(crate) rows_each: String,
}

impl Names {
    /// `provider`, `count` and so on, with `mingle.` in front as often as a data column has that name.
    pub(crate) fn new(published: &Published) -> Names {
        let quasi = published.columns().iter().map(|c| c.name.as_str());
        let taken: Vec<&str> = quasi
            .chain(published.sensitive().iter().map(|c| c.name.as_str()))
            .collect();
        let free = |name: &str| {
            let mut name = name.to_owned();
            while taken.contains(&name.as_str()) {
                name.insert_str(0, "mingle.");
            }
            name
        };
        Names {
            provider: free("provider"),
            count: free("count"),
            kind: free("kind"),
            people: free("people"),
            rows_each: free("rows_each"),
        }
    }
}

/// What tells groups apart in the audit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// Their labels.
    Labels,
    /// Their number, one more than their place among the published groups.
    Gid,
}

/// Writes the audit.
pub(crate) fn write<W: Write + Send>(
    published: &Published,
    names: &Names,
    key: Key,
    out: W,
    rendering: &Rendering<'_>,
) -> Result<W, Error> {
    if let Some(people) = published.people() {
        // fragments with people are never made
        return people::write(published, people, names, out, rendering);
    }
    let failed = Error::encode(rendering.path);
    let counts = distinct_counts(published);
    let sensitive = Sorted::new(published);
    let columns = columns(published, names, key, &sensitive, &counts);
    let mut writer = RowWriter::new(Format::Parquet, out, columns).map_err(&failed)?;
    let mut entries = Vec::new();
    let mut codes = Vec::new();
    for group in 0..published.groups() {
        stop_if(rendering.cancelled)?;
        entries.clear();
        entries.extend_from_slice(published.entries(group));
        entries.sort_unstable_by_key(|e| (e.provider, sensitive.place[e.sensitive as usize]));
        for entry in &entries {
            codes.clear();
            match key {
                Key::Labels => codes.extend_from_slice(published.labels(group)),
                Key::Gid => codes.push(group as Code),
            }
            codes.push(entry.provider.0);
            codes.extend_from_slice(sensitive.codes(entry.sensitive));
            codes.push(counts.partition_point(|&c| c < entry.count) as Code);
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

fn columns(
    published: &Published,
    names: &Names,
    key: Key,
    sensitive: &Sorted,
    counts: &[u64],
) -> Vec<OutColumn> {
    let labels = || {
        published
            .columns()
            .iter()
            .map(|c| column(&c.name, OutKind::Text, c.labels.clone()))
            .collect()
    };
    let gids = || {
        (1..=published.groups())
            .map(|gid| gid.to_string())
            .collect()
    };
    let keys: Vec<OutColumn> = match key {
        Key::Labels => labels(),
        Key::Gid => vec![column(GID, OutKind::Integer, gids())],
    };
    let providers = published.providers().names().map(str::to_owned).collect();
    let values = published.sensitive().iter().zip(&sensitive.texts);
    let values = values.map(|(c, texts)| column(&c.name, OutKind::Text, texts.clone()));
    let counts = counts.iter().map(u64::to_string).collect();
    keys.into_iter()
        .chain([column(&names.provider, OutKind::Text, providers)])
        .chain(values)
        .chain([column(&names.count, OutKind::Integer, counts)])
        .collect()
}

fn column(name: &str, kind: OutKind, texts: Vec<String>) -> OutColumn {
    OutColumn {
        name: name.to_owned(),
        kind,
        texts,
        missing: None,
    }
}

/// The combinations of sensitive values in the order of their texts.
struct Sorted {
    /// Per sensitive column its texts in order.
    texts: Vec<Vec<String>>,
    /// Per combination and column the text's place among them, combination by combination.
    codes: Vec<Code>,
    /// Per combination its place among all.
    place: Vec<u32>,
}

impl Sorted {
    fn new(published: &Published) -> Sorted {
        let columns = published.sensitive();
        let combinations = columns.first().map_or(1, |c| c.codes.len());
        let mut sorted = Sorted {
            texts: Vec::new(),
            codes: vec![0; combinations * columns.len()],
            place: Vec::new(),
        };
        for (c, column) in columns.iter().enumerate() {
            let mut order: Vec<Code> = (0..column.domain.len() as Code).collect();
            order.sort_unstable_by_key(|&code| column.domain.text(code));
            let mut rank = vec![0; order.len()];
            order
                .iter()
                .zip(0..)
                .for_each(|(&code, place)| rank[code as usize] = place);
            let slots = sorted.codes.iter_mut().skip(c).step_by(columns.len());
            slots
                .zip(column.codes.iter())
                .for_each(|(slot, code)| *slot = rank[code as usize]);
            sorted.texts.push(
                order
                    .iter()
                    .map(|&code| column.domain.text(code).to_owned())
                    .collect(),
            );
        }
        let mut order: Vec<u32> = (0..combinations as u32).collect();
        order.sort_unstable_by_key(|&combination| sorted.codes(combination));
        sorted.place = vec![0; combinations];
        order
            .iter()
            .zip(0..)
            .for_each(|(&combination, place)| sorted.place[combination as usize] = place);
        sorted
    }

    fn codes(&self, combination: u32) -> &[Code] {
        let width = self.texts.len();
        &self.codes[combination as usize * width..(combination as usize + 1) * width]
    }
}

/// How many (quasi-identifier, sensitive) tuples occur another number of times in the audit than in
/// public.
///
/// `audit` holds the quasi-identifiers and sensitive columns of `published`, in that order and read
/// as those were, and the counts last. `None` when a count is no number.
pub(crate) fn differences(published: &Published, audit: &Table) -> Option<u64> {
    let audited = counts(audit)?;
    let lines: Vec<(usize, u32, u64)> = (0..published.groups())
        .flat_map(|g| {
            published
                .entries(g)
                .iter()
                .map(move |e| (g, e.sensitive, e.count))
        })
        .collect();
    let mut columns: Vec<(Codes, usize)> = Vec::new();
    for (place, column) in published.columns().iter().enumerate() {
        let mut joined = Joined::new(
            &audit.columns[columns.len()],
            column.labels.iter().map(String::as_str),
        );
        lines
            .iter()
            .for_each(|&(group, ..)| joined.codes.push(published.labels(group)[place]));
        columns.push((joined.codes, joined.width));
    }
    for column in published.sensitive() {
        let mut joined = Joined::new(&audit.columns[columns.len()], texts(&column.domain));
        lines.iter().for_each(|&(_, combination, _)| {
            joined.codes.push(column.codes.get(combination as usize))
        });
        columns.push((joined.codes, joined.width));
    }
    let rows = audit.rows();
    let folded = Folded::new(
        rows + lines.len(),
        columns.iter().map(|(codes, width)| (codes, *width)),
    );
    let audited = audited.map(i128::from);
    let public = lines.iter().map(|&(.., count)| -i128::from(count));
    let mut balance: Vec<(u64, i128)> =
        folded.keys.into_iter().zip(audited.chain(public)).collect();
    balance.sort_unstable();
    let differs = |same: &&[(u64, i128)]| same.iter().map(|(_, count)| count).sum::<i128>() != 0;
    Some(balance.chunk_by(|a, b| a.0 == b.0).filter(differs).count() as u64)
}

/// An audit as it was read.
pub(crate) struct AuditTable {
    /// Quasi-identifiers or the gid, sensitive columns, what is said about people, and the counts
    /// last.
    pub(crate) table: Table,
    /// Where people have several rows: whether those of one person are in one group.
    pub(crate) people: Option<PersonRows>,
}

impl AuditTable {
    /// The groups, with their providers and people. `None` when a count is no number, all are too
    /// many together, or people do not add up.
    pub(crate) fn published(&self) -> Option<Published> {
        match self.people {
            None => published(&self.table),
            Some(rows) => people::published(&self.table, rows),
        }
    }
}

/// The groups of an audit without people, with their providers. `None` when a count is no number, or
/// all are too many together.
pub(crate) fn published(audit: &Table) -> Option<Published> {
    Published::from_counts(audit, &counts(audit)?.collect::<Vec<u64>>())
}

/// How many providers have other numbers of rows in the audit than were declared. Counts are known
/// to be numbers.
pub(crate) fn provider_differences(audit: &Table, mut declared: BTreeMap<String, u128>) -> u64 {
    let mut found: BTreeMap<&str, u128> = BTreeMap::new();
    for (provider, count) in audit
        .provider_of
        .iter()
        .zip(counts(audit).into_iter().flatten())
    {
        // somebody's rows are elsewhere, and this provider knows her by them
        if count == 0 {
            continue;
        }
        *found
            .entry(audit.providers.name(ProviderId(provider)))
            .or_default() += u128::from(count);
    }
    let wrong = found
        .into_iter()
        .filter(|(name, rows)| declared.remove(*name) != Some(*rows))
        .count();
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

/// A column of the audit in the codes of the public one; texts that the public one does not have
/// come after those.
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

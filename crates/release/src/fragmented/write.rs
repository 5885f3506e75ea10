//! Fragments out to files: the bytes follow from labels, counts and texts, never from codes or from
//! who wrote them.

use crate::data::stop_if;
use crate::error::Error;
use crate::manifest::{FileEntry, ManifestColumn, TableEntry};
use crate::staging::Staging;
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_model::{Code, FragmentColumn, FragmentGroup, Fragments, GID, Kind};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// How tables are written, beside what is in them.
pub(crate) struct Layout<'a> {
    /// The columns of the manifest; their kinds decide on Parquet's types.
    pub(crate) columns: &'a [ManifestColumn],
    /// The text of a missing value, null in Parquet.
    pub(crate) missing: Option<&'a str>,
    pub(crate) format: Format,
}

/// Writes all tables into `public/`, one after the other.
pub(crate) fn write(
    staging: &Staging,
    fragments: &Fragments,
    layout: &Layout<'_>,
    tables: &[TableEntry],
    cancelled: &AtomicBool,
) -> Result<Vec<FileEntry>, Error> {
    let qi = QuasiIdentifiers::new(fragments, layout);
    let (first, others) = tables.split_first().ok_or(Error::Columns)?;
    let mut files = vec![write_table(
        staging,
        layout.format,
        &first.file,
        qi.columns,
        cancelled,
        |g| vec![(qi.codes[g].clone(), fragments.groups()[g].size)],
    )?];
    for (place, (table, column)) in others.iter().zip(fragments.sensitive()).enumerate() {
        let sensitive = Sensitive::new(fragments.groups(), place, column, layout);
        let columns = vec![gid(fragments), sensitive.column];
        files.push(write_table(
            staging,
            layout.format,
            &table.file,
            columns,
            cancelled,
            |g| {
                let values = &fragments.groups()[g].values[place];
                let mut rows: Vec<(Code, u64)> = values
                    .iter()
                    .map(|&(code, count)| (sensitive.rank[code as usize], count))
                    .collect();
                rows.sort_unstable();
                rows.into_iter()
                    .map(|(rank, count)| (vec![g as Code, rank], count))
                    .collect()
            },
        )?);
    }
    Ok(files)
}

/// Writes the rows of each group, in the order of the groups.
fn write_table(
    staging: &Staging,
    format: Format,
    name: &str,
    columns: Vec<OutColumn>,
    cancelled: &AtomicBool,
    rows: impl Fn(usize) -> Vec<(Vec<Code>, u64)>,
) -> Result<FileEntry, Error> {
    let file = format!("public/{name}");
    let path = staging.path(&file);
    let failed = Error::encode(&path);
    let groups = columns.first().map_or(0, |gid| gid.texts.len());
    let mut writer = RowWriter::new(format, staging.create(&file)?, columns).map_err(&failed)?;
    for group in 0..groups {
        stop_if(cancelled)?;
        for (codes, count) in rows(group) {
            writer.row(&codes, count).map_err(&failed)?;
        }
    }
    let written = writer.finish().map_err(&failed)?;
    Ok(FileEntry::new(name, staging.close(&file, written)?))
}

fn gid(fragments: &Fragments) -> OutColumn {
    let texts = (1..=fragments.groups().len())
        .map(|gid| gid.to_string())
        .collect();
    OutColumn {
        name: GID.to_owned(),
        kind: OutKind::Integer,
        texts,
        missing: None,
    }
}

/// The gid and the labels, and per group the code of each.
struct QuasiIdentifiers {
    columns: Vec<OutColumn>,
    codes: Vec<Vec<Code>>,
}

impl QuasiIdentifiers {
    fn new(fragments: &Fragments, layout: &Layout<'_>) -> QuasiIdentifiers {
        let groups = fragments.groups();
        let mut columns = vec![gid(fragments)];
        let mut codes: Vec<Vec<Code>> = (0..groups.len() as Code).map(|g| vec![g]).collect();
        for (c, name) in fragments.quasi_identifiers().iter().enumerate() {
            let mut rank: BTreeMap<&str, Code> =
                groups.iter().map(|g| (g.labels[c].as_str(), 0)).collect();
            rank.values_mut().zip(0..).for_each(|(place, r)| *place = r);
            groups
                .iter()
                .zip(&mut codes)
                .for_each(|(group, codes)| codes.push(rank[group.labels[c].as_str()]));
            columns.push(layout.column(name, rank.into_keys().map(str::to_owned).collect()));
        }
        QuasiIdentifiers { columns, codes }
    }
}

/// The values that some group has, in the order of their texts, and the place of each code among
/// them.
struct Sensitive {
    column: OutColumn,
    rank: Vec<Code>,
}

impl Sensitive {
    fn new(
        groups: &[FragmentGroup],
        place: usize,
        column: &FragmentColumn,
        layout: &Layout<'_>,
    ) -> Sensitive {
        let domain = &column.domain;
        let mut used: Vec<Code> = groups
            .iter()
            .flat_map(|g| g.values[place].iter().map(|&(code, _)| code))
            .collect();
        used.sort_unstable();
        used.dedup();
        used.sort_unstable_by_key(|&code| domain.text(code));
        let mut rank = vec![0; domain.len()];
        used.iter()
            .zip(0..)
            .for_each(|(&code, r)| rank[code as usize] = r);
        let texts = used
            .iter()
            .map(|&code| domain.text(code).to_owned())
            .collect();
        Sensitive {
            column: layout.column(&column.name, texts),
            rank,
        }
    }
}

impl Layout<'_> {
    /// A column of these sorted texts, in the narrowest type that gives all of them back.
    fn column(&self, name: &str, texts: Vec<String>) -> OutColumn {
        let kind = self
            .columns
            .iter()
            .find(|c| c.name == name)
            .map_or(Kind::Category, |c| c.kind);
        let is_missing = |text: &str| self.missing == Some(text);
        let kind = OutKind::of(
            kind,
            texts
                .iter()
                .map(String::as_str)
                .filter(|text| !is_missing(text)),
        );
        let missing = texts
            .iter()
            .position(|text| is_missing(text))
            .map(|place| place as Code);
        OutColumn {
            name: name.to_owned(),
            kind,
            texts,
            missing,
        }
    }
}

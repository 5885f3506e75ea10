//! Fragments out to files: the bytes follow from labels, counts and texts, never from codes or from
//! who wrote them.

use crate::bundle::{Part, Rendering};
use crate::data::stop_if;
use crate::error::Error;
use crate::manifest::{ManifestColumn, TableEntry, kind_of};
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_model::{Code, FragmentColumn, FragmentGroup, Fragments, GID, Kind};
use std::collections::BTreeMap;
use std::io::Write;

/// How tables are written, beside what is in them.
#[derive(Clone)]
pub(crate) struct Layout {
    /// The columns of the manifest; their kinds decide on Parquet's types.
    pub(crate) columns: Vec<ManifestColumn>,
    /// The text of a missing value, null in Parquet.
    pub(crate) missing: Option<String>,
    pub(crate) format: Format,
}

/// A part for each of the tables.
pub(crate) fn parts<'a>(
    fragments: &'a Fragments,
    layout: &Layout,
    tables: &[TableEntry],
) -> Result<Vec<Part<'a>>, Error> {
    let (first, others) = tables.split_first().ok_or(Error::Columns)?;
    let own_layout = layout.clone();
    let mut parts = vec![Part::new(&first.file, move |out, rendering| {
        let qi = QuasiIdentifiers::new(fragments, &own_layout);
        let lines = |group: usize| vec![(qi.codes[group].clone(), fragments.groups()[group].size)];
        let writer = RowWriter::new(own_layout.format, out, qi.columns);
        write_groups(writer, fragments.groups().len(), lines, rendering)
    })];
    for (place, (table, column)) in others.iter().zip(fragments.sensitive()).enumerate() {
        let own_layout = layout.clone();
        parts.push(Part::new(&table.file, move |out, rendering| {
            let sensitive = Sensitive::new(fragments.groups(), place, column, &own_layout);
            let lines = |group: usize| {
                let mut rows: Vec<(Code, u64)> = Vec::new();
                for &(code, count) in &fragments.groups()[group].values[place] {
                    rows.push((sensitive.rank[code as usize], count));
                }
                rows.sort_unstable();
                let line = |(rank, count)| (vec![group as Code, rank], count);
                rows.into_iter().map(line).collect()
            };
            let columns = vec![gid(fragments), sensitive.column];
            let writer = RowWriter::new(own_layout.format, out, columns);
            write_groups(writer, fragments.groups().len(), lines, rendering)
        }));
    }
    Ok(parts)
}

/// Writes the rows of each group, in the order of the groups.
fn write_groups<W: Write + Send>(
    writer: Result<RowWriter<W>, mingle_io::Error>,
    groups: usize,
    lines: impl Fn(usize) -> Vec<(Vec<Code>, u64)>,
    rendering: &Rendering<'_>,
) -> Result<W, Error> {
    let failed = Error::encode(rendering.path);
    let mut writer = writer.map_err(&failed)?;
    for group in 0..groups {
        stop_if(rendering.cancelled)?;
        for (codes, count) in lines(group) {
            writer.row(&codes, count).map_err(&failed)?;
        }
    }
    writer.finish().map_err(&failed)
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
    fn new(fragments: &Fragments, layout: &Layout) -> QuasiIdentifiers {
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
        layout: &Layout,
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

impl Layout {
    /// A column of these sorted texts, in the narrowest type that gives all of them back.
    fn column(&self, name: &str, texts: Vec<String>) -> OutColumn {
        let kind = self
            .columns
            .iter()
            .find(|c| c.name == name)
            .map_or(Kind::Category, |c| kind_of(c.kind));
        let is_missing = |text: &str| self.missing.as_deref() == Some(text);
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

//! The tables of a release of noisy counts, as files.
//!
//! Made-up records are sorted by the whole row, cells of tables of counts stand in the order of the
//! declared domains, so no order tells anything. Column types follow from the declarations alone.

use super::manifest::NoisyTable;
use crate::data::{Data, stop_if};
use crate::error::Error;
use crate::manifest::FileEntry;
use crate::staging::Staging;
use mingle_dp::count::cell_at;
use mingle_dp::histogram::Histogram;
use mingle_dp::marginals::{Marginal, PLACES, TOLERANCE};
use mingle_dp::synthetic::Synthetic;
use mingle_dp::universe::CellId;
use mingle_dp::{Attribute, Content, Output, Values};
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_model::{Code, Codes};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// Rows written between two looks at the flag.
const ROWS_PER_LOOK: usize = 1 << 12;

/// Writes every table of an output, and says which files hold what.
pub(super) fn write(
    staging: &Staging,
    output: &Output,
    format: Format,
    cancelled: &AtomicBool,
) -> Result<(Vec<NoisyTable>, Vec<FileEntry>), Error> {
    let to = Writing {
        staging,
        attributes: &output.attributes,
        format,
        cancelled,
    };
    match &output.content {
        Content::Synthetic(made) => to
            .synthetic(made)
            .map(|(table, file)| (vec![table], vec![file])),
        Content::Histogram(histogram) => to
            .histogram(histogram)
            .map(|(table, file)| (vec![table], vec![file])),
        Content::Marginals(marginals) => {
            let digits = marginals.len().to_string().len().max(2);
            let one = |(i, m): (usize, &Marginal)| {
                to.marginal(m, &format!("marginal_{:0digits$}", i + 1))
            };
            Ok(marginals
                .iter()
                .enumerate()
                .map(one)
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .unzip())
        }
    }
}

struct Writing<'a> {
    staging: &'a Staging,
    attributes: &'a [Attribute],
    format: Format,
    cancelled: &'a AtomicBool,
}

type Written = Result<(NoisyTable, FileEntry), Error>;

impl Writing<'_> {
    fn synthetic(&self, made: &Synthetic) -> Written {
        let name = format!("data.{}", self.format.name());
        let file = format!("public/{name}");
        let of = |(a, attribute): (usize, &Attribute)| {
            made_up(attribute, &made.columns[a], made.numbers[a].as_deref())
        };
        let (columns, codes): (Vec<OutColumn>, Vec<Codes>) =
            self.attributes.iter().enumerate().map(of).unzip();
        let data = Data::sorted(columns, &codes, std::iter::repeat_n(1, made.rows()));
        drop(codes);
        let out = self.staging.create(&file)?;
        let writer = data.write(self.format, out, &self.staging.path(&file), self.cancelled)?;
        let all: Vec<usize> = (0..self.attributes.len()).collect();
        let table = self.table(&name, &all, made.rows());
        Ok((
            table,
            FileEntry::new(name, self.staging.close(&file, writer)?),
        ))
    }

    fn histogram(&self, histogram: &Histogram) -> Written {
        let mut distinct: Vec<u64> = histogram.cells.iter().map(|(_, count)| *count).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let texts = distinct.iter().map(u64::to_string).collect();
        let place = |count: &u64| distinct.partition_point(|other| other < count) as Code;
        let rows = histogram
            .cells
            .iter()
            .map(|(cells, count)| (cells.clone(), place(count)));
        let table = NoisyTable {
            deviation: Some(histogram.deviation),
            threshold: histogram.threshold,
            ..self.table("data", &histogram.attributes, histogram.cells.len())
        };
        self.counts(table, &histogram.attributes, OutKind::Integer, texts, rows)
    }

    fn marginal(&self, marginal: &Marginal, name: &str) -> Written {
        let (mut texts, mut known) = (Vec::new(), HashMap::new());
        let places: Vec<Code> = marginal
            .counts
            .iter()
            .map(|&count| place(count, &mut texts, &mut known))
            .collect();
        let sizes: Vec<usize> = marginal
            .attributes
            .iter()
            .map(|&a| self.attributes[a].len())
            .collect();
        let rows = places
            .iter()
            .enumerate()
            .map(|(at, &place)| (cell_at(&sizes, at), place));
        let table = NoisyTable {
            deviation: Some(marginal.deviation),
            tolerance: Some(TOLERANCE),
            ..self.table(name, &marginal.attributes, marginal.counts.len())
        };
        self.counts(table, &marginal.attributes, OutKind::Number, texts, rows)
    }

    fn table(&self, name: &str, attributes: &[usize], rows: usize) -> NoisyTable {
        NoisyTable {
            file: name.to_owned(),
            columns: attributes
                .iter()
                .map(|&a| self.attributes[a].name.clone())
                .collect(),
            rows: rows as u64,
            count_column: None,
            deviation: None,
            threshold: None,
            tolerance: None,
        }
    }

    /// Cells by their labels, and a count each.
    fn counts(
        &self,
        mut table: NoisyTable,
        attributes: &[usize],
        kind: OutKind,
        counts: Vec<String>,
        rows: impl Iterator<Item = (Vec<CellId>, Code)>,
    ) -> Written {
        table.file = format!("{}.{}", table.file, self.format.name());
        let count = self.free("count");
        let mut columns: Vec<OutColumn> = attributes
            .iter()
            .map(|&a| labelled(&self.attributes[a]))
            .collect();
        columns.push(OutColumn {
            name: count.clone(),
            kind,
            texts: counts,
            missing: None,
        });
        let file = format!("public/{}", table.file);
        let path = self.staging.path(&file);
        let failed = Error::encode(&path);
        let mut writer =
            RowWriter::new(self.format, self.staging.create(&file)?, columns).map_err(&failed)?;
        let mut codes: Vec<Code> = Vec::new();
        for (row, (cells, count)) in rows.enumerate() {
            if row % ROWS_PER_LOOK == 0 {
                stop_if(self.cancelled)?;
            }
            codes.clear();
            codes.extend(cells.iter().map(|&cell| Code::from(cell)).chain([count]));
            writer.row(&codes, 1).map_err(&failed)?;
        }
        let out = writer.finish().map_err(&failed)?;
        let entry = FileEntry::new(&table.file, self.staging.close(&file, out)?);
        Ok((
            NoisyTable {
                count_column: Some(count),
                ..table
            },
            entry,
        ))
    }

    /// A name that no column has.
    fn free(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.attributes.iter().any(|a| a.name == name) {
            name.insert_str(0, "mingle.");
        }
        name
    }
}

/// The place of a count's text among those seen so far. Never `-0`.
fn place(count: f64, texts: &mut Vec<String>, known: &mut HashMap<String, Code>) -> Code {
    let text = format!("{:.PLACES$}", count.max(0.0) + 0.0);
    *known.entry(text).or_insert_with_key(|text| {
        texts.push(text.clone());
        (texts.len() - 1) as Code
    })
}

/// A column of labels; its codes are cells.
fn labelled(attribute: &Attribute) -> OutColumn {
    let texts = (0..attribute.len())
        .map(|cell| attribute.label(cell as CellId))
        .collect();
    let missing = attribute.missing_cell().map(Code::from);
    OutColumn {
        name: attribute.name.clone(),
        kind: OutKind::Text,
        texts,
        missing,
    }
}

/// A column of made-up values, with texts in order.
fn made_up(attribute: &Attribute, cells: &[CellId], numbers: Option<&[i64]>) -> (OutColumn, Codes) {
    let labels: Vec<String> = (0..attribute.len())
        .map(|cell| attribute.label(cell as CellId))
        .collect();
    let special = attribute.domain.len();
    let (values, at) = match numbers {
        Some(numbers) => distinct(numbers, cells, special),
        None => (Vec::new(), Vec::new()),
    };
    // what codes stand for before they are put in order: labels first, then numbers; bins have no
    // label of their own
    let texts: Vec<String> = labels
        .into_iter()
        .chain(
            values
                .iter()
                .map(|&value| attribute.text(i128::from(value))),
        )
        .collect();
    let start = attribute.len();
    let code = |row: usize| match usize::from(cells[row]) {
        cell if numbers.is_some() && cell < special => start + at[row] as usize,
        cell => cell,
    };
    let shown = |place: usize| numbers.is_none() || place >= special;
    let mut order: Vec<usize> = (0..texts.len()).filter(|&place| shown(place)).collect();
    order.sort_by(|&a, &b| texts[a].cmp(&texts[b]));
    order.dedup_by(|a, b| texts[*a] == texts[*b]);
    let rank = |text: &String| order.partition_point(|&other| texts[other] < *text) as Code;
    let ranks: Vec<Code> = texts.iter().map(rank).collect();
    let mut codes = Codes::with_capacity(order.len(), cells.len());
    (0..cells.len()).for_each(|row| codes.push(ranks[code(row)]));
    let missing = attribute
        .missing_cell()
        .map(|cell| ranks[usize::from(cell)]);
    let kind = kind(attribute, numbers.is_some());
    let texts = order
        .into_iter()
        .map(|place| texts[place].clone())
        .collect();
    (
        OutColumn {
            name: attribute.name.clone(),
            kind,
            texts,
            missing,
        },
        codes,
    )
}

/// How Parquet stores made-up values: as declared, unless `other` is a word among numbers.
fn kind(attribute: &Attribute, numbers: bool) -> OutKind {
    let declared: Vec<&str> = match &attribute.domain {
        Values::Categories { labels, .. } => labels.iter().map(String::as_str).collect(),
        Values::Bins(_) if numbers => Vec::new(),
        Values::Bins(_) => return OutKind::Text,
    };
    OutKind::of(
        attribute.kind,
        declared.into_iter().chain(attribute.other.as_deref()),
    )
}

/// The distinct numbers, ascending, and for each row the place of its own. Rows of `special` cells
/// have none.
fn distinct(numbers: &[i64], cells: &[CellId], special: usize) -> (Vec<i64>, Vec<u32>) {
    let plain = || {
        numbers
            .iter()
            .zip(cells)
            .filter(|(_, cell)| usize::from(**cell) < special)
            .map(|(n, _)| *n)
    };
    let (Some(least), Some(most)) = (plain().min(), plain().max()) else {
        return (Vec::new(), vec![0; cells.len()]);
    };
    let span = i128::from(most) - i128::from(least) + 1;
    if span <= DIRECT {
        let mut seen = vec![false; span as usize];
        plain().for_each(|n| seen[(n - least) as usize] = true);
        let values: Vec<i64> = (0..)
            .zip(&seen)
            .filter(|(_, seen)| **seen)
            .map(|(at, _)| least + at)
            .collect();
        let mut place = vec![0u32; span as usize];
        (0..)
            .zip(&values)
            .for_each(|(at, &value)| place[(value - least) as usize] = at);
        let clamp = |n: i64| place[(n.clamp(least, most) - least) as usize];
        return (values, numbers.iter().map(|&n| clamp(n)).collect());
    }
    let mut values: Vec<i64> = plain().collect();
    values.sort_unstable();
    values.dedup();
    let at = numbers
        .iter()
        .map(|n| values.partition_point(|other| other < n) as u32)
        .collect();
    (values, at)
}

/// The widest range of numbers that is looked up in an array.
const DIRECT: i128 = 1 << 22;

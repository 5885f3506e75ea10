//! The tables of a release of noisy counts, as files.
//!
//! Made-up records are sorted by the whole row, cells of tables of counts stand in the order of the
//! declared domains, so no order tells anything. Column types follow from the declarations alone.

use crate::bundle::{Part, Rendering};
use crate::data::{Data, stop_if};
use crate::error::Error;
use mingle_dp::count::cell_at;
use mingle_dp::histogram::Histogram;
use mingle_dp::marginals::{Marginal, PLACES, TOLERANCE};
use mingle_dp::synthetic::Synthetic;
use mingle_dp::universe::CellId;
use mingle_dp::{Content, DeclaredAttribute, DeclaredValues, Output};
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_model::{Code, Codes};
use mingle_record::manifest::NoisyTable;
use std::collections::HashMap;
use std::io::Write;

/// Rows written between two looks at the flag.
const ROWS_PER_LOOK: usize = 1 << 12;

/// What the manifest says of the tables of an output, and a part for each of them.
pub(super) fn parts(output: &Output, format: Format) -> (Vec<NoisyTable>, Vec<Part<'_>>) {
    let tables = OutputTables {
        attributes: &output.attributes,
        format,
    };
    match &output.content {
        Content::Synthetic(made) => {
            let (table, part) = tables.synthetic(made);
            (vec![table], vec![part])
        }
        Content::Histogram(histogram) => {
            let (table, part) = tables.histogram(histogram);
            (vec![table], vec![part])
        }
        Content::Marginals(marginals) => {
            let digits = marginals.len().to_string().len().max(2);
            let (mut listed, mut parts) = (Vec::new(), Vec::new());
            for (place, marginal) in marginals.iter().enumerate() {
                let name = format!("marginal_{:0digits$}", place + 1);
                let (table, part) = tables.marginal(marginal, &name);
                listed.push(table);
                parts.push(part);
            }
            (listed, parts)
        }
    }
}

/// What the tables of an output have in common.
#[derive(Clone, Copy)]
struct OutputTables<'a> {
    attributes: &'a [DeclaredAttribute],
    format: Format,
}

impl<'a> OutputTables<'a> {
    fn synthetic(self, made: &'a Synthetic) -> (NoisyTable, Part<'a>) {
        let all: Vec<usize> = (0..self.attributes.len()).collect();
        let table = self.table("data", &all, made.rows());
        let part = Part::new(&table.file, move |out, rendering| {
            let (mut columns, mut codes) = (Vec::new(), Vec::new());
            for (place, attribute) in self.attributes.iter().enumerate() {
                let numbers = made.numbers[place].as_deref();
                let (column, of_rows) = made_up(attribute, &made.columns[place], numbers);
                columns.push(column);
                codes.push(of_rows);
            }
            let data = Data::sorted(columns, &codes, std::iter::repeat_n(1, made.rows()));
            drop(codes);
            data.write(self.format, out, rendering.path, rendering.cancelled)
        });
        (table, part)
    }

    fn histogram(self, histogram: &'a Histogram) -> (NoisyTable, Part<'a>) {
        let table = NoisyTable {
            count_column: Some(self.free("count")),
            deviation: Some(histogram.deviation),
            threshold: histogram.threshold,
            ..self.table("data", &histogram.attributes, histogram.cells.len())
        };
        let part = Part::new(&table.file, move |out, rendering| {
            let mut distinct: Vec<u64> = histogram.cells.iter().map(|(_, count)| *count).collect();
            distinct.sort_unstable();
            distinct.dedup();
            let counts = CountTexts {
                kind: OutKind::Integer,
                texts: distinct.iter().map(u64::to_string).collect(),
            };
            let rows = histogram.cells.iter().map(|(cells, count)| {
                let place = distinct.partition_point(|other| other < count);
                (cells.clone(), place as Code)
            });
            let columns = self.columns(&histogram.attributes, counts);
            let writer = RowWriter::new(self.format, out, columns);
            write_cells(writer, rows, rendering)
        });
        (table, part)
    }

    fn marginal(self, marginal: &'a Marginal, name: &str) -> (NoisyTable, Part<'a>) {
        let table = NoisyTable {
            count_column: Some(self.free("count")),
            deviation: Some(marginal.deviation),
            tolerance: Some(TOLERANCE),
            ..self.table(name, &marginal.attributes, marginal.counts.len())
        };
        let part = Part::new(&table.file, move |out, rendering| {
            let (mut texts, mut known) = (Vec::new(), HashMap::new());
            let mut places: Vec<Code> = Vec::with_capacity(marginal.counts.len());
            for &count in &marginal.counts {
                places.push(place(count, &mut texts, &mut known));
            }
            let counts = CountTexts {
                kind: OutKind::Number,
                texts,
            };
            let mut sizes = Vec::with_capacity(marginal.attributes.len());
            for &attribute in &marginal.attributes {
                sizes.push(self.attributes[attribute].len());
            }
            let cells = places.iter().enumerate();
            let rows = cells.map(|(at, &place)| (cell_at(&sizes, at), place));
            let columns = self.columns(&marginal.attributes, counts);
            let writer = RowWriter::new(self.format, out, columns);
            write_cells(writer, rows, rendering)
        });
        (table, part)
    }

    /// A table without counts.
    fn table(self, name: &str, attributes: &[usize], rows: usize) -> NoisyTable {
        let mut columns = Vec::with_capacity(attributes.len());
        for &attribute in attributes {
            columns.push(self.attributes[attribute].name.clone());
        }
        NoisyTable {
            file: format!("{name}.{}", self.format.name()),
            columns,
            rows: rows as u64,
            count_column: None,
            deviation: None,
            threshold: None,
            tolerance: None,
        }
    }

    /// Cells by their labels, and a count each.
    fn columns(self, attributes: &[usize], counts: CountTexts) -> Vec<OutColumn> {
        let mut columns = Vec::with_capacity(attributes.len() + 1);
        for &attribute in attributes {
            columns.push(labelled(&self.attributes[attribute]));
        }
        columns.push(OutColumn {
            name: self.free("count"),
            kind: counts.kind,
            texts: counts.texts,
            missing: None,
        });
        columns
    }

    /// A name that no column has.
    fn free(self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.attributes.iter().any(|a| a.name == name) {
            name.insert_str(0, "mingle.");
        }
        name
    }
}

/// The texts of a column of counts.
struct CountTexts {
    kind: OutKind,
    texts: Vec<String>,
}

/// Writes cells with the places of their counts.
fn write_cells<W: Write + Send>(
    writer: Result<RowWriter<W>, mingle_io::Error>,
    rows: impl Iterator<Item = (Vec<CellId>, Code)>,
    rendering: &Rendering<'_>,
) -> Result<W, Error> {
    let failed = Error::encode(rendering.path);
    let mut writer = writer.map_err(&failed)?;
    let mut codes: Vec<Code> = Vec::new();
    for (row, (cells, count)) in rows.enumerate() {
        if row % ROWS_PER_LOOK == 0 {
            stop_if(rendering.cancelled)?;
        }
        codes.clear();
        codes.extend(cells.iter().map(|&cell| Code::from(cell)));
        codes.push(count);
        writer.row(&codes, 1).map_err(&failed)?;
    }
    writer.finish().map_err(&failed)
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
fn labelled(attribute: &DeclaredAttribute) -> OutColumn {
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
fn made_up(
    attribute: &DeclaredAttribute,
    cells: &[CellId],
    numbers: Option<&[i64]>,
) -> (OutColumn, Codes) {
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
fn kind(attribute: &DeclaredAttribute, numbers: bool) -> OutKind {
    let declared: Vec<&str> = match &attribute.domain {
        DeclaredValues::Categories { labels, .. } => labels.iter().map(String::as_str).collect(),
        DeclaredValues::Bins(_) if numbers => Vec::new(),
        DeclaredValues::Bins(_) => return OutKind::Text,
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

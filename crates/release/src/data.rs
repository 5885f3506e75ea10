//! The public rows: every published column in the policy's order, sorted by the whole row.
//!
//! Without insensitive columns the work is done on distinct rows with counts, so its cost follows
//! the groups and their sensitive values; with them it goes row by row. Cells are compared as
//! texts, column by column, which makes the order of the rows a function of the rows themselves.
//! Dictionaries hold only texts that some published row has: a value of suppressed rows leaves no
//! trace, not even in a column's type.

use crate::error::Error;
use crate::manifest::column::shown_kind;
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_model::{Code, Codes, Column, Folded, Partition, Published, Rendered, Role};
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rows written between two looks at the flag.
const ROWS_PER_LOOK: usize = 1 << 12;

/// Sorted public rows, ready to be written.
pub(crate) struct Data {
    columns: Vec<OutColumn>,
    folded: Folded,
    /// Ascending keys with how many rows have each.
    rows: Vec<(u64, u64)>,
}

/// `count` rows that look alike, or a single one.
struct Line {
    group: u32,
    combination: u32,
    row: u32,
    count: u64,
}

/// The cells of a column: a code by group, combination or row, in the narrowest width, and what the
/// codes mean.
struct Cells<'a> {
    codes: Cow<'a, Codes>,
    by: By,
    texts: Vec<&'a str>,
}

/// What a column's codes are looked up by.
enum By {
    Group,
    Combination,
    Row,
}

impl Data {
    /// Gathers and sorts the rows of a publication, which was rendered from these.
    pub(crate) fn new(published: &Published, rendered: &Rendered) -> Result<Data, Error> {
        let lines = lines(published, rendered)?;
        let mut columns = Vec::new();
        let mut codes: Vec<Codes> = Vec::new();
        for column in rendered
            .table()
            .columns
            .iter()
            .filter(|c| c.spec.role.is_published())
        {
            let (out, ranks) = sorted_column(&Cells::of(column, published)?, column, &lines);
            columns.push(out);
            codes.push(ranks);
        }
        Ok(Data::sorted(columns, &codes, lines.iter().map(|l| l.count)))
    }

    /// Sorts rows given as codes into dictionaries of sorted texts, each with how often it occurs.
    pub(crate) fn sorted(
        columns: Vec<OutColumn>,
        codes: &[Codes],
        counts: impl ExactSizeIterator<Item = u64>,
    ) -> Data {
        let widths = columns.iter().map(|c| c.texts.len());
        let mut folded = Folded::new(counts.len(), codes.iter().zip(widths));
        let mut rows: Vec<(u64, u64)> = std::mem::take(&mut folded.keys)
            .into_iter()
            .zip(counts)
            .collect();
        rows.sort_unstable();
        rows.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { 0 };
            same
        });
        Data {
            columns,
            folded,
            rows,
        }
    }

    /// Writes all rows; `path` is for messages.
    pub(crate) fn write<W: Write + Send>(
        self,
        format: Format,
        out: W,
        path: &Path,
        cancelled: &AtomicBool,
    ) -> Result<W, Error> {
        let failed = Error::encode(path);
        let mut writer = RowWriter::new(format, out, self.columns).map_err(&failed)?;
        let mut codes = Vec::new();
        for some in self.rows.chunks(ROWS_PER_LOOK) {
            stop_if(cancelled)?;
            for &(key, count) in some {
                self.folded.unfold(key, &mut codes);
                writer.row(&codes, count).map_err(&failed)?;
            }
        }
        writer.finish().map_err(&failed)
    }
}

/// An error once the flag is up.
pub(crate) fn stop_if(cancelled: &AtomicBool) -> Result<(), Error> {
    if cancelled.load(Ordering::Relaxed) {
        Err(Error::Cancelled)
    } else {
        Ok(())
    }
}

fn lines(published: &Published, rendered: &Rendered) -> Result<Vec<Line>, Error> {
    let (table, cube) = (rendered.table(), rendered.cube());
    if table.with_role(Role::Insensitive).next().is_none() {
        return Ok(distinct_lines(published));
    }
    let record_of_row = cube
        .record_of_row()
        .filter(|rows| rows.len() == table.rows())
        .ok_or(Error::OtherTable)?;
    let line = |(row, &record): (u32, &u32)| {
        let group = rendered.group_of()[record as usize];
        let combination = cube.records()[record as usize].sensitive;
        (group != Partition::SUPPRESSED).then_some(Line {
            group,
            combination,
            row,
            count: 1,
        })
    };
    Ok((0..).zip(record_of_row).filter_map(line).collect())
}

/// One line per group and combination of sensitive values, whoever contributed them.
fn distinct_lines(published: &Published) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for group in 0..published.groups() {
        // entries come ordered by combination
        for alike in published
            .entries(group)
            .chunk_by(|a, b| a.sensitive == b.sensitive)
        {
            let count = alike.iter().map(|e| e.count).sum();
            lines.push(Line {
                group: group as u32,
                combination: alike[0].sensitive,
                row: 0,
                count,
            });
        }
    }
    lines
}

impl<'a> Cells<'a> {
    fn of(column: &'a Column, published: &'a Published) -> Result<Self, Error> {
        let name = &column.spec.name;
        let values = || {
            (0..column.domain.len() as Code)
                .map(|code| column.domain.text(code))
                .collect()
        };
        Ok(match column.spec.role {
            Role::QuasiIdentifier => {
                let place = published
                    .columns()
                    .iter()
                    .position(|c| c.name == *name)
                    .ok_or(Error::OtherTable)?;
                let texts: Vec<&str> = published.columns()[place]
                    .labels
                    .iter()
                    .map(String::as_str)
                    .collect();
                let mut codes = Codes::with_capacity(texts.len(), published.groups());
                (0..published.groups())
                    .for_each(|group| codes.push(published.labels(group)[place]));
                Cells {
                    codes: Cow::Owned(codes),
                    by: By::Group,
                    texts,
                }
            }
            Role::Sensitive => {
                let found = published
                    .sensitive()
                    .iter()
                    .find(|c| c.name == *name)
                    .ok_or(Error::OtherTable)?;
                Cells {
                    codes: Cow::Borrowed(&found.codes),
                    by: By::Combination,
                    texts: values(),
                }
            }
            _ => Cells {
                codes: Cow::Borrowed(&column.codes),
                by: By::Row,
                texts: values(),
            },
        })
    }

    fn code(&self, line: &Line) -> Code {
        let place = match self.by {
            By::Group => line.group,
            By::Combination => line.combination,
            By::Row => line.row,
        };
        self.codes.get(place as usize)
    }
}

/// The texts in use, sorted, and the rank of each line's text.
fn sorted_column(cells: &Cells<'_>, column: &Column, lines: &[Line]) -> (OutColumn, Codes) {
    let texts = &cells.texts;
    let mut used = vec![false; texts.len()];
    lines
        .iter()
        .for_each(|line| used[cells.code(line) as usize] = true);
    let mut sorted: Vec<&str> = texts
        .iter()
        .zip(&used)
        .filter(|(_, used)| **used)
        .map(|(text, _)| *text)
        .collect();
    sorted.sort_unstable();
    sorted.dedup();
    let rank_of = |text: &&str| sorted.partition_point(|other| other < text) as Code;
    let ranks: Vec<Code> = texts.iter().map(rank_of).collect();
    let mut codes = Codes::with_capacity(sorted.len(), lines.len());
    lines
        .iter()
        .for_each(|line| codes.push(ranks[cells.code(line) as usize]));

    let missing = column.domain.missing().map(|code| column.domain.text(code));
    let kind = OutKind::of(
        shown_kind(column),
        sorted.iter().copied().filter(|text| Some(*text) != missing),
    );
    let missing = missing
        .and_then(|text| sorted.binary_search(&text).ok())
        .map(|place| place as Code);
    let texts = sorted.into_iter().map(str::to_owned).collect();
    (
        OutColumn {
            name: column.spec.name.clone(),
            kind,
            texts,
            missing,
        },
        codes,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{Cell, ColumnSpec, Cube, Missing, Providers, Table};
    use std::sync::Arc;

    #[test]
    fn a_full_disk_is_recognised() {
        let spec = ColumnSpec::new("c", Role::QuasiIdentifier);
        let column = Column::from_texts(spec, ["a", "b"], &Missing::default())
            .ok()
            .unwrap();
        let provider_of = [0, 0].into_iter().collect();
        let table = Table {
            columns: vec![column],
            providers: Providers::new(vec!["p".into()]),
            provider_of,
            person_of: None,
        };
        let cube = Arc::new(Cube::new(table));
        let partition = Partition {
            group_of: vec![0, 0],
            cells: vec![Cell::All],
        };
        let published = Published::from_partition(&cube, &partition, &Missing::default()).unwrap();
        for format in [Format::Csv, Format::Parquet] {
            let data = Data::new(&published, published.rendered().unwrap()).unwrap();
            let full = std::fs::OpenOptions::new()
                .write(true)
                .open("/dev/full")
                .unwrap();
            let error = data
                .write(format, full, Path::new("out/data"), &AtomicBool::new(false))
                .err()
                .unwrap();
            assert!(
                error.is_disk_full() && error.to_string().starts_with("out/data: "),
                "{error}"
            );
        }
        assert!(!Error::Cancelled.is_disk_full());
    }
}

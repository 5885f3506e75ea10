//! A table as lines with counts, each with a label per column that is spread over cells.

use super::binning::Binning;
use super::{Counted, United};
use mingle_model::{Code, Codes, Column, Fragments, LabelReader, Missing, Reading, Role, Table};
use rayon::prelude::*;
use std::collections::HashMap;
use thiserror::Error;

/// Lines and what their labels stand for. No `Debug`: it has cells.
pub struct MarginalLines {
    counts: Vec<u64>,
    columns: Vec<Spread>,
    cells: Vec<usize>,
}

/// A label for each line, and each label's shares of cells.
pub struct Spread {
    /// Per line the label.
    pub labels: Codes,
    /// Per label the cells that it is spread over, with shares that add up to one.
    pub shares: Vec<Vec<(u32, f64)>>,
    /// How many cells the column has.
    pub cells: usize,
}

/// A label that stands for nothing among the original's values. The column, never the label.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("column {column}: a label cannot be read, or covers no value of the original")]
pub struct LabelProblem {
    /// The column.
    pub column: String,
}

impl MarginalLines {
    /// Lines with their labels; every column has a label for each line.
    pub fn new(counts: Vec<u64>, columns: Vec<Spread>) -> MarginalLines {
        let cells = columns.iter().map(|c| c.cells).collect();
        MarginalLines {
            counts,
            columns,
            cells,
        }
    }

    /// The rows of the original.
    pub fn original(columns: &[&Column], binnings: &[Binning]) -> MarginalLines {
        let spread = |(column, binning): (&&Column, &Binning)| Spread {
            labels: column.codes.clone(),
            shares: (0..binning.values_len() as Code)
                .map(|code| vec![(binning.cell(code), 1.0)])
                .collect(),
            cells: binning.cells(),
        };
        let rows = columns.first().map_or(0, |c| c.codes.len());
        MarginalLines::new(
            vec![1; rows],
            columns.iter().zip(binnings).map(spread).collect(),
        )
    }

    /// Lines that each lie in one cell of every column.
    pub fn of_cells(
        counts: Vec<u64>,
        cells: impl IntoIterator<Item = (Codes, usize)>,
    ) -> MarginalLines {
        let spread = |(labels, cells): (Codes, usize)| Spread {
            labels,
            shares: (0..cells as u32).map(|cell| vec![(cell, 1.0)]).collect(),
            cells,
        };
        MarginalLines::new(counts, cells.into_iter().map(spread).collect())
    }

    /// A generalized table: quasi-identifiers by what their labels cover, other columns by their
    /// values. `release` has a column of the same name for each of `columns`. With `centroids`,
    /// numbers need not occur in the original.
    pub fn generalized(
        columns: &[&Column],
        binnings: &[Binning],
        release: &Table,
        missing: &Missing,
        centroids: bool,
    ) -> Result<MarginalLines, LabelProblem> {
        let spread = |(original, binning): (&&Column, &Binning)| {
            let problem = || LabelProblem {
                column: original.spec.name.clone(),
            };
            let published = release
                .columns
                .iter()
                .find(|c| c.spec.name == original.spec.name)
                .ok_or_else(problem)?;
            let texts = (0..published.domain.len() as Code).map(|code| published.domain.text(code));
            let read = Labels {
                original,
                binning,
                missing,
                centroids,
            };
            let shares = read
                .shares(&texts.collect::<Vec<_>>())
                .ok_or_else(problem)?;
            Ok(Spread {
                labels: published.codes.clone(),
                shares,
                cells: binning.cells(),
            })
        };
        let columns = columns
            .iter()
            .zip(binnings)
            .map(spread)
            .collect::<Result<_, _>>()?;
        Ok(MarginalLines::new(vec![1; release.rows()], columns))
    }

    /// A fragmented release: a line per group, sensitive columns spread as the group's values are.
    pub fn fragmented(
        columns: &[&Column],
        binnings: &[Binning],
        fragments: &Fragments,
        missing: &Missing,
    ) -> Result<MarginalLines, LabelProblem> {
        let groups = fragments.groups();
        let own: Codes = (0..groups.len() as Code).collect();
        let spread = |(original, binning): (&&Column, &Binning)| {
            let name = &original.spec.name;
            let problem = || LabelProblem {
                column: name.clone(),
            };
            let read = Labels {
                original,
                binning,
                missing,
                centroids: false,
            };
            let cells = binning.cells();
            if let Some(place) = fragments.quasi_identifiers().iter().position(|n| n == name) {
                // most groups share their labels: what a label stands for is kept once
                let mut texts: Vec<&str> = Vec::new();
                let mut number_of: HashMap<&str, Code> = HashMap::new();
                let mut labels = Vec::with_capacity(groups.len());
                for group in groups {
                    let text = group.labels[place].as_str();
                    let number = number_of.entry(text).or_insert_with(|| {
                        texts.push(text);
                        texts.len() as Code - 1
                    });
                    labels.push(*number);
                }
                return Ok(Spread {
                    labels: labels.into_iter().collect(),
                    shares: read.shares(&texts).ok_or_else(problem)?,
                    cells,
                });
            }
            let place = fragments
                .sensitive()
                .iter()
                .position(|s| s.name == *name)
                .ok_or_else(problem)?;
            let domain = &fragments.sensitive()[place].domain;
            let texts: Vec<&str> = (0..domain.len() as Code)
                .map(|code| domain.text(code))
                .collect();
            let cell: Vec<u32> = read.values(&texts).collect();
            let of_group = |values: &Vec<(Code, u64)>| {
                let all: u64 = values.iter().map(|v| v.1).sum();
                let share = |&(code, count): &(Code, u64)| {
                    (cell[code as usize], count as f64 / all.max(1) as f64)
                };
                values.iter().map(share).collect()
            };
            Ok(Spread {
                labels: own.clone(),
                shares: groups.iter().map(|g| of_group(&g.values[place])).collect(),
                cells,
            })
        };
        let columns = columns
            .iter()
            .zip(binnings)
            .map(spread)
            .collect::<Result<_, _>>()?;
        Ok(MarginalLines::new(
            groups.iter().map(|g| g.size).collect(),
            columns,
        ))
    }

    /// The cells that a label is spread over, united.
    fn shares<'s>(
        &'s self,
        column: usize,
        label: u32,
        united: &'s United,
    ) -> impl Iterator<Item = (usize, f64)> + 's {
        let shares = &self.columns[column].shares[label as usize];
        shares
            .iter()
            .map(|&(cell, share)| (united.cell(cell as usize), share))
    }

    /// Counts of pairs of labels, ascending. Cost: lines, labels of the first column, and sorting
    /// the few labels that go with each of them.
    fn joint(&self, first: usize, second: usize) -> Vec<(u32, u32, u64)> {
        let (a, b) = (&self.columns[first], &self.columns[second]);
        // lines by their label of the first column: where each label's begin
        let mut starts = vec![0usize; a.shares.len() + 1];
        for label in a.labels.iter() {
            starts[label as usize + 1] += 1;
        }
        for label in 1..starts.len() {
            starts[label] += starts[label - 1];
        }
        let mut next = starts.clone();
        let mut lines = vec![0u32; self.counts.len()];
        for (line, label) in a.labels.iter().enumerate() {
            lines[next[label as usize]] = line as u32;
            next[label as usize] += 1;
        }
        let mut joint = Vec::new();
        let mut sums = vec![0u64; b.shares.len()];
        let mut met: Vec<u32> = Vec::new();
        for label in 0..a.shares.len() {
            for &line in &lines[starts[label]..starts[label + 1]] {
                let count = self.counts[line as usize];
                let other = b.labels.get(line as usize);
                if count > 0 && sums[other as usize] == 0 {
                    met.push(other);
                }
                sums[other as usize] += count;
            }
            met.sort_unstable();
            for other in met.drain(..) {
                joint.push((
                    label as u32,
                    other,
                    std::mem::take(&mut sums[other as usize]),
                ));
            }
        }
        joint
    }
}

impl Counted for MarginalLines {
    fn cells(&self) -> &[usize] {
        &self.cells
    }

    fn one(&self, column: usize) -> Vec<f64> {
        let column = &self.columns[column];
        let mut lines = vec![0u64; column.shares.len()];
        column
            .labels
            .iter()
            .zip(&self.counts)
            .for_each(|(label, count)| lines[label as usize] += count);
        let mut counts = vec![0.0; column.cells];
        for (shares, lines) in column
            .shares
            .iter()
            .zip(lines)
            .filter(|(_, lines)| *lines > 0)
        {
            shares
                .iter()
                .for_each(|&(cell, share)| counts[cell as usize] += share * lines as f64);
        }
        counts
    }

    /// Labels of the first column one after the other: what goes with each is spread over the
    /// second column's cells, and the sum over the first's.
    fn pair(
        &self,
        (first, a): (usize, &United),
        (second, b): (usize, &United),
    ) -> (Vec<f64>, bool) {
        let width = b.cells();
        let mut counts = vec![0.0; a.cells() * width];
        let mut row = vec![0.0; width];
        for same in self.joint(first, second).chunk_by(|x, y| x.0 == y.0) {
            row.fill(0.0);
            for &(_, label, count) in same {
                self.shares(second, label, b)
                    .for_each(|(cell, share)| row[cell] += share * count as f64);
            }
            for (cell, share) in self.shares(first, same[0].0, a) {
                let counts = &mut counts[cell * width..][..width];
                counts
                    .iter_mut()
                    .zip(&row)
                    .for_each(|(count, row)| *count += share * row);
            }
        }
        (counts, true)
    }
}

/// What the labels of a column stand for.
pub(super) struct Labels<'a> {
    pub(super) original: &'a Column,
    pub(super) binning: &'a Binning,
    pub(super) missing: &'a Missing,
    pub(super) centroids: bool,
}

impl Labels<'_> {
    /// Shares of cells for each text; `None` if one of them cannot be read.
    pub(super) fn shares(&self, texts: &[&str]) -> Option<Vec<Vec<(u32, f64)>>> {
        if self.original.spec.role != Role::QuasiIdentifier {
            return Some(self.values(texts).map(|cell| vec![(cell, 1.0)]).collect());
        }
        let reader = LabelReader::new(&self.original.domain, self.missing);
        let read = |text: &&str| {
            if self.centroids {
                reader.read_centroid(text)
            } else {
                reader.read(text)
            }
        };
        let shares = |text: &&str| {
            read(text)
                .filter(|r| r.count() > 0)
                .map(|reading| self.spread(&reading))
        };
        texts.par_iter().map(shares).collect()
    }

    /// The cell of each text that is a value; what does not occur in the original is outside.
    fn values<'t>(&self, texts: &'t [&str]) -> impl Iterator<Item = u32> + use<'_, 't> {
        let domain = &self.original.domain;
        let codes: HashMap<&str, Code> = (0..domain.len() as Code)
            .map(|code| (domain.text(code), code))
            .collect();
        texts.iter().map(move |text| {
            codes
                .get(text)
                .map_or(self.binning.outside(), |&code| self.binning.cell(code))
        })
    }

    /// Uniform over the original's values that a label covers.
    fn spread(&self, reading: &Reading) -> Vec<(u32, f64)> {
        let all = reading.count() as f64;
        let mut cells: Vec<u32> = reading
            .ranges
            .iter()
            .flat_map(|&(lo, hi)| lo..=hi)
            .map(|code| self.binning.cell(code))
            .collect();
        cells.sort_unstable();
        cells
            .chunk_by(|a, b| a == b)
            .map(|same| (same[0], same.len() as f64 / all))
            .collect()
    }
}

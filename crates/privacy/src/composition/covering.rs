//! Which groups of a release have a place for somebody: the groups whose labels cover all that is
//! known about them, whatever the groups hold.
//!
//! Where labels overlap there are several. The narrowest is the one whose labels together cover the
//! smallest share of what the columns' labels cover at all; it depends on quasi-identifiers alone,
//! so that where somebody is put says nothing about sensitive values. Cost of a look-up as in
//! [`boxes`](super::boxes).

use super::boxes::{BoxColumn, Boxes};
use super::error::Error;
use super::known::{People, Reader, Shared, shared};
use mingle_model::{Code, Cube, Published, Reading};

/// The groups of a release, laid over people.
pub struct CoveringGroups<'a> {
    cube: &'a Cube,
    columns: Vec<usize>,
    boxes: Boxes,
    /// Per group the sum over columns of the share that its label covers.
    width: Vec<f64>,
    /// Per column of the release, per value of the people, whether some label covers it.
    covered: Vec<Vec<bool>>,
}

impl<'a> CoveringGroups<'a> {
    /// Reads all labels of a release. One that cannot be a label of its column is an error; one that
    /// covers nobody here is not.
    pub fn new(
        people: &People<'a>,
        reader: &Reader<'_>,
        published: &Published,
    ) -> Result<CoveringGroups<'a>, Error> {
        let (columns, shared) = shared(people, reader, published)?;
        let mut sides = Vec::with_capacity(shared.len());
        let mut covered = Vec::with_capacity(shared.len());
        let mut width = vec![0.0; published.groups()];
        for column in &shared {
            sides.push(BoxColumn {
                values: column.qi.domain.len(),
                readings: &column.readings,
                labels: &column.labels,
            });
            covered.push(covered_values(column));
            let shares = shares(column);
            for (width, &label) in width.iter_mut().zip(&column.labels) {
                *width += shares[label as usize];
            }
        }
        Ok(CoveringGroups {
            cube: people.cube,
            columns,
            boxes: Boxes::new(published.groups(), &sides),
            width,
            covered,
        })
    }

    /// The group with the narrowest labels that cover a tuple of the people, the first of several;
    /// `None` where no group has a place for it.
    pub fn narrowest(&self, tuple: usize) -> Option<u32> {
        let mut best: Option<u32> = None;
        for group in self.covering(tuple) {
            let is_narrower = match best {
                None => true,
                Some(other) => self.width[group as usize] < self.width[other as usize],
            };
            if is_narrower {
                best = Some(group);
            }
        }
        best
    }

    /// All groups whose labels cover a tuple of the people, ascending.
    pub fn covering(&self, tuple: usize) -> Vec<u32> {
        let mut point: Vec<Code> = Vec::with_capacity(self.columns.len());
        for &column in &self.columns {
            point.push(self.cube.quasi_identifiers()[column].codes.get(tuple));
        }
        let mut found = Vec::new();
        self.boxes.containing(&point, &mut Vec::new(), &mut found);
        found.sort_unstable();
        found
    }

    /// The quasi-identifiers of which no label at all covers a tuple's value.
    pub fn uncovered_columns(&self, tuple: usize) -> Vec<&'a str> {
        let mut names = Vec::new();
        for (&column, covered) in self.columns.iter().zip(&self.covered) {
            let qi = &self.cube.quasi_identifiers()[column];
            if !covered[qi.codes.get(tuple) as usize] {
                names.push(qi.name.as_str());
            }
        }
        names
    }
}

fn covered_values(column: &Shared<'_>) -> Vec<bool> {
    let mut covered = vec![false; column.qi.domain.len()];
    for reading in &column.readings {
        for &(lo, hi) in &reading.ranges {
            for code in lo..=hi {
                covered[code as usize] = true;
            }
        }
    }
    covered
}

/// Per label the share that it covers: of the numbers between the smallest and the largest of any
/// label where all labels are numbers, else of the people's values.
fn shares(column: &Shared<'_>) -> Vec<f64> {
    let bounds: Option<Vec<(i128, i128)>> = column.readings.iter().map(|r| r.bounds).collect();
    let values = column.qi.domain.len().max(1) as f64;
    let of_values = |reading: &Reading| reading.count() as f64 / values;
    let Some(bounds) = bounds else {
        return column.readings.iter().map(of_values).collect();
    };
    let smallest = bounds.iter().map(|&(low, _)| low).min().unwrap_or(0);
    let largest = bounds.iter().map(|&(_, high)| high).max().unwrap_or(0);
    let whole = largest.saturating_sub(smallest).max(1) as f64;
    let mut shares = Vec::with_capacity(bounds.len());
    for (low, high) in bounds {
        shares.push(high.saturating_sub(low) as f64 / whole);
    }
    shares
}

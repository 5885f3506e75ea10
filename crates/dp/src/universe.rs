//! Public domains: which values a column can have, said before anybody looked at the data.
//!
//! What an adversary may see must not depend on who is in the table, and neither may the list of
//! values. So every column is read through its declaration: a list of categories, or bins of a grid
//! between two bounds. A value that the declaration does not have is clamped to the nearest bin,
//! counted as the declared `other`, or leaves its record out; which of them depends on that value
//! alone.

use mingle_model::{Kind, Number, Role, date};
use std::collections::HashMap;
use thiserror::Error;

/// A cell of an attribute's domain.
pub type CellId = u16;

/// The most cells that one attribute can have.
pub const MOST_CELLS: usize = 1 << 16;

/// A column as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredAttribute {
    /// The column's name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// How its values are written.
    pub kind: Kind,
    /// The values.
    pub domain: DeclaredValues,
    /// What stands for every value that is not declared, where there is such a word.
    pub other: Option<String>,
    /// How a missing value is published, where missing values are part of the domain.
    pub missing: Option<String>,
}

/// The declared values of a column, without `other` and missing.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclaredValues {
    /// Words, in the order of the policy or of the hierarchy.
    Categories {
        /// What is published.
        labels: Vec<String>,
        /// What is read, and which label it stands for; a label stands for itself, unless it is
        /// also the leaf of another.
        leaves: HashMap<String, CellId>,
    },
    /// Numbers or days on a grid, in bins.
    Bins(Bins),
}

/// Bins of a grid: whole numbers of steps, each bin from its start to before the next one's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bins {
    /// Decimal places of every number here.
    pub scale: u8,
    /// The distance between two values.
    pub step: i128,
    /// Where each bin starts, ascending.
    pub starts: Vec<i128>,
    /// The largest value of the last bin.
    pub last: i128,
    /// Whether the starts are only a fine grid, to be united into this many bins by a noisy look at
    /// the data.
    pub private: Option<usize>,
    /// Whether the starts were found by a noisy look at the data.
    pub found: bool,
}

/// What a cell of the input is in the declared domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A declared value.
    Cell(CellId),
    /// Outside the bounds, counted in the nearest bin.
    Clamped(CellId),
    /// Not declared, counted as `other`.
    Other(CellId),
    /// Not declared, and nothing stands for it: the record is left out.
    Nowhere,
}

/// What is wrong with a declaration.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DomainProblem {
    /// Nothing is declared.
    #[error("no value is declared")]
    Empty,
    /// Too many values.
    #[error("{cells} values are more than {MOST_CELLS}")]
    TooLarge {
        /// How many there are.
        cells: u128,
    },
    /// A value stands there twice.
    #[error("a value is declared twice, at place {place}")]
    Twice {
        /// Counted from 1.
        place: usize,
    },
    /// Bounds or edges that do not rise.
    #[error("bounds and edges must rise")]
    NotAscending,
    /// A step that is not positive, or so small that numbers overflow.
    #[error("the step must be above zero and no finer than the numbers can be written")]
    Step,
}

impl DeclaredAttribute {
    /// The number of cells, `other` and missing included.
    pub fn len(&self) -> usize {
        self.domain.len() + usize::from(self.other.is_some()) + usize::from(self.missing.is_some())
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell of `other`.
    pub fn other_cell(&self) -> Option<CellId> {
        self.other.as_ref().map(|_| self.domain.len() as CellId)
    }

    /// The cell of missing values.
    pub fn missing_cell(&self) -> Option<CellId> {
        self.missing.as_ref().map(|_| (self.len() - 1) as CellId)
    }

    /// What a text of the input is. `is_missing` says whether it stands for a missing value.
    pub fn place(&self, text: &str, is_missing: bool) -> Place {
        if is_missing {
            return self
                .missing_cell()
                .map_or_else(|| self.outside(), Place::Cell);
        }
        match &self.domain {
            DeclaredValues::Categories { leaves, .. } => leaves
                .get(text)
                .map_or_else(|| self.outside(), |&at| Place::Cell(at)),
            DeclaredValues::Bins(bins) => self
                .number(text, bins.scale)
                .map_or_else(|| self.outside(), |value| bins.place(value)),
        }
    }

    fn outside(&self) -> Place {
        self.other_cell().map_or(Place::Nowhere, Place::Other)
    }

    /// A number or day in units of 10^−scale; digits beyond are cut, towards the lower bin.
    fn number(&self, text: &str, scale: u8) -> Option<i128> {
        if self.kind == Kind::Date {
            return date::parse(text).map(i128::from);
        }
        let number = Number::parse(text)?;
        number.at_scale(scale).or_else(|| {
            let cut = 10i128.checked_pow(u32::from(number.scale.checked_sub(scale)?))?;
            Some(number.mantissa.div_euclid(cut))
        })
    }

    /// How a cell is written in tables of counts: a category, a range `[10-19]`, `other`, or
    /// missing.
    pub fn label(&self, cell: CellId) -> String {
        let cell_at = usize::from(cell);
        if Some(cell) == self.missing_cell() {
            return self.missing.clone().unwrap_or_default();
        }
        if Some(cell) == self.other_cell() {
            return self.other.clone().unwrap_or_default();
        }
        match &self.domain {
            DeclaredValues::Categories { labels, .. } => labels[cell_at].clone(),
            DeclaredValues::Bins(bins) => {
                let (lo, hi) = bins.range(cell_at);
                match (lo == hi, self.kind) {
                    (true, _) => self.text(lo),
                    (false, Kind::Date) => format!("[{}/{}]", self.text(lo), self.text(hi)),
                    (false, _) => format!("[{}-{}]", self.text(lo), self.text(hi)),
                }
            }
        }
    }

    /// How a number or day of a bin is written.
    pub fn text(&self, value: i128) -> String {
        match (&self.domain, self.kind) {
            (_, Kind::Date) => date::text(value.try_into().unwrap_or_default()),
            (DeclaredValues::Bins(bins), _) => Number::text(value, bins.scale),
            (DeclaredValues::Categories { .. }, _) => value.to_string(),
        }
    }
}

impl DeclaredValues {
    /// Declared words.
    pub fn categories(labels: Vec<String>) -> Result<DeclaredValues, DomainProblem> {
        if labels.is_empty() {
            return Err(DomainProblem::Empty);
        }
        if labels.len() > MOST_CELLS - 2 {
            return Err(DomainProblem::TooLarge {
                cells: labels.len() as u128,
            });
        }
        let mut leaves = HashMap::with_capacity(labels.len());
        for (place, label) in labels.iter().enumerate() {
            if leaves.insert(label.clone(), place as CellId).is_some() {
                return Err(DomainProblem::Twice { place: place + 1 });
            }
        }
        Ok(DeclaredValues::Categories { labels, leaves })
    }

    /// The words of a level of a hierarchy: pairs of a leaf and its word, in the hierarchy's order.
    pub fn of_level(
        pairs: impl IntoIterator<Item = (String, String)>,
    ) -> Result<DeclaredValues, DomainProblem> {
        let (mut labels, mut leaves, mut known) = (Vec::new(), HashMap::new(), HashMap::new());
        for (place, (leaf, label)) in pairs.into_iter().enumerate() {
            let cell = *known.entry(label.clone()).or_insert_with(|| {
                labels.push(label);
                labels.len() - 1
            });
            if labels.len() > MOST_CELLS - 2 {
                return Err(DomainProblem::TooLarge {
                    cells: labels.len() as u128,
                });
            }
            if leaves.insert(leaf, cell as CellId).is_some() {
                return Err(DomainProblem::Twice { place: place + 1 });
            }
        }
        for (cell, label) in labels.iter().enumerate() {
            leaves.entry(label.clone()).or_insert(cell as CellId);
        }
        if labels.is_empty() {
            Err(DomainProblem::Empty)
        } else {
            Ok(DeclaredValues::Categories { labels, leaves })
        }
    }

    /// The number of declared cells.
    pub fn len(&self) -> usize {
        match self {
            DeclaredValues::Categories { labels, .. } => labels.len(),
            DeclaredValues::Bins(bins) => bins.starts.len(),
        }
    }

    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The finest grid that is looked at to find bins privately.
pub const FINE: usize = 1024;

impl Bins {
    /// Bins with given starts, the last one up to and including `last`.
    pub fn new(
        scale: u8,
        step: i128,
        starts: Vec<i128>,
        last: i128,
    ) -> Result<Bins, DomainProblem> {
        if step <= 0 {
            return Err(DomainProblem::Step);
        }
        let Some(&end) = starts.last() else {
            return Err(DomainProblem::Empty);
        };
        if !starts.is_sorted_by(|a, b| a < b) || last < end {
            return Err(DomainProblem::NotAscending);
        }
        if starts.len() > MOST_CELLS - 2 {
            return Err(DomainProblem::TooLarge {
                cells: starts.len() as u128,
            });
        }
        Ok(Bins {
            scale,
            step,
            starts,
            last,
            private: None,
            found: false,
        })
    }

    /// Bins of equal width from `from` up to and including `to`; the last one may be narrower or
    /// take the end in.
    pub fn of_width(
        scale: u8,
        step: i128,
        from: i128,
        to: i128,
        width: i128,
    ) -> Result<Bins, DomainProblem> {
        if width < step || step <= 0 {
            return Err(DomainProblem::Step);
        }
        let span = to
            .checked_sub(from)
            .filter(|&s| s > 0)
            .ok_or(DomainProblem::NotAscending)?;
        // 10 to 100 by 10: the value 100 belongs to the bin that starts at 90
        let count = (span / width + i128::from(span % width != 0)).max(1);
        if count > MOST_CELLS as i128 - 2 {
            return Err(DomainProblem::TooLarge {
                cells: count as u128,
            });
        }
        Bins::new(
            scale,
            step,
            (0..count).map(|i| from + i * width).collect(),
            to,
        )
    }

    /// A number of bins of equal width, as far as the step allows.
    pub fn of_count(
        scale: u8,
        step: i128,
        from: i128,
        to: i128,
        count: usize,
    ) -> Result<Bins, DomainProblem> {
        let span = to
            .checked_sub(from)
            .filter(|&s| s > 0)
            .ok_or(DomainProblem::NotAscending)?;
        if step <= 0 {
            return Err(DomainProblem::Step);
        }
        let (steps, count) = (span / step, (count as i128).max(1));
        if count > MOST_CELLS as i128 - 2 {
            return Err(DomainProblem::TooLarge {
                cells: count as u128,
            });
        }
        // cut points at equal distances, brought down to the grid; values are steps + 1
        let count = count.min(steps + 1);
        let start = |i: i128| Some(from + i.checked_mul(steps + 1)?.div_euclid(count) * step);
        let starts = (0..count)
            .map(start)
            .collect::<Option<Vec<i128>>>()
            .ok_or(DomainProblem::Step)?;
        Bins::new(scale, step, starts, to)
    }

    /// A fine grid between public bounds, of which `count` bins are made by a noisy look at the
    /// data.
    pub fn to_be_found(
        scale: u8,
        step: i128,
        from: i128,
        to: i128,
        count: usize,
    ) -> Result<Bins, DomainProblem> {
        let fine = Bins::of_count(scale, step, from, to, FINE.max(count))?;
        Ok(Bins {
            private: Some(count.max(1)),
            ..fine
        })
    }

    /// The smallest and the largest value of a bin.
    pub fn range(&self, bin: usize) -> (i128, i128) {
        let end = self
            .starts
            .get(bin + 1)
            .map_or(self.last, |next| next - self.step);
        (self.starts[bin], end.max(self.starts[bin]))
    }

    fn place(&self, value: i128) -> Place {
        let after = self.starts.partition_point(|&start| start <= value);
        match after.checked_sub(1) {
            None => Place::Clamped(0),
            Some(bin) if value > self.last => Place::Clamped(bin as CellId),
            Some(bin) => Place::Cell(bin as CellId),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ages() -> DeclaredAttribute {
        let domain =
            DeclaredValues::Bins(Bins::of_width(0, 1, 10, 100, 10).expect("ten to a hundred"));
        DeclaredAttribute {
            name: "age".into(),
            role: Role::QuasiIdentifier,
            kind: Kind::Integer,
            domain,
            other: None,
            missing: None,
        }
    }

    #[test]
    fn ages_by_decade() {
        let ages = ages();
        assert_eq!(ages.len(), 9);
        for (text, place) in [
            ("10", Place::Cell(0)),
            ("19", Place::Cell(0)),
            ("20", Place::Cell(1)),
            ("100", Place::Cell(8)),
            ("9", Place::Clamped(0)),
            ("-5", Place::Clamped(0)),
            ("101", Place::Clamped(8)),
            ("19.9", Place::Cell(0)),
            ("x", Place::Nowhere),
        ] {
            assert_eq!(ages.place(text, false), place, "{text}");
        }
        assert_eq!(ages.place("", true), Place::Nowhere);
        assert_eq!(
            (ages.label(0), ages.label(8)),
            ("[10-19]".to_owned(), "[90-100]".to_owned())
        );
    }

    #[test]
    fn categories_other_and_missing() {
        let domain = DeclaredValues::categories(vec!["f".into(), "m".into()]).expect("two");
        let sex = DeclaredAttribute {
            domain,
            kind: Kind::Category,
            other: Some("other".into()),
            missing: Some("?".into()),
            ..ages()
        };
        assert_eq!(sex.len(), 4);
        assert_eq!(sex.place("m", false), Place::Cell(1));
        assert_eq!(sex.place("x", false), Place::Other(2));
        assert_eq!(sex.place("", true), Place::Cell(3));
        assert_eq!(
            (sex.label(2), sex.label(3)),
            ("other".to_owned(), "?".to_owned())
        );
        assert_eq!(
            DeclaredValues::categories(vec!["a".into(), "b".into(), "a".into()]),
            Err(DomainProblem::Twice { place: 3 })
        );
        assert_eq!(
            DeclaredValues::categories(vec![]),
            Err(DomainProblem::Empty)
        );
    }

    #[test]
    fn counts_of_bins_cover_every_value_once() {
        for (from, to, count) in [(0, 9, 3), (0, 10, 3), (-7, 90, 10), (0, 1, 5), (17, 90, 74)] {
            let bins = Bins::of_count(0, 1, from, to, count).expect("bounds");
            let mut next = from;
            for bin in 0..bins.starts.len() {
                let (lo, hi) = bins.range(bin);
                assert_eq!(lo, next, "{from} {to} {count}");
                next = hi + 1;
            }
            assert_eq!(next, to + 1);
        }
        assert_eq!(
            Bins::of_count(0, 1, 5, 5, 3),
            Err(DomainProblem::NotAscending)
        );
        assert_eq!(Bins::of_width(0, 1, 0, 10, 0), Err(DomainProblem::Step));
    }

    #[test]
    fn levels_of_a_hierarchy() {
        let pairs = [("a1", "a"), ("a2", "a"), ("b1", "b")]
            .map(|(leaf, label)| (leaf.to_owned(), label.to_owned()));
        let level = DeclaredAttribute {
            domain: DeclaredValues::of_level(pairs).expect("two"),
            kind: Kind::Category,
            ..ages()
        };
        assert_eq!(level.len(), 2);
        assert_eq!(level.place("a2", false), Place::Cell(0));
        assert_eq!(level.place("b1", false), Place::Cell(1));
        assert_eq!(level.place("b", false), Place::Cell(1));
        assert_eq!(level.label(1), "b");
    }
}

//! Hierarchies from rows: one row per leaf, the leaf first, the root last (the ARX format).
//!
//! A leaf is a value, a range of values, or `*` for all values that no other row has. In columns of
//! numbers and dates a range is any [`Band`]; in columns of text it is two codes of equal length,
//! `A00-B99`, and holds every code that begins with one of theirs or one between them: `B20.1`
//! lies in it, although it is longer. Where some value of a text column is written exactly like a
//! range of the file, the column holds ranges, and all leaves are values.

use super::{HierarchyError, HierarchyRows, ROOT};
use crate::band::{Band, BandOf};
use crate::number::Number;
use crate::schema::Kind;
use std::collections::{HashMap, HashSet};

/// Two codes of equal length and all between them.
#[derive(Clone, Copy)]
struct CodeRange<'a> {
    first: &'a str,
    last: &'a str,
}

impl<'a> CodeRange<'a> {
    fn parse(leaf: &'a str) -> Option<CodeRange<'a>> {
        let (first, last) = leaf.split_once('-')?;
        let is_code = |text: &str| !text.is_empty() && text.chars().all(char::is_alphanumeric);
        let alike =
            is_code(first) && is_code(last) && first.chars().count() == last.chars().count();
        (alike && first <= last).then_some(CodeRange { first, last })
    }

    /// A code that is shorter than the ends has no place among them.
    fn contains(self, code: &str) -> bool {
        let length = self.first.chars().count();
        let begin = start(code, length);
        begin.chars().count() == length && self.first <= begin && begin <= self.last
    }

    /// Whether some code begins with one of each range. The shorter ends decide: every code that
    /// begins like one of theirs is in that range.
    fn overlaps(self, other: CodeRange<'_>) -> bool {
        let length = self.first.chars().count().min(other.first.chars().count());
        start(self.first, length) <= start(other.last, length)
            && start(other.first, length) <= start(self.last, length)
    }
}

fn start(text: &str, length: usize) -> &str {
    text.char_indices()
        .nth(length)
        .map_or(text, |(end, _)| &text[..end])
}

/// Ranges with their rows, in order; no two overlap.
enum Ranges<'a> {
    Bands(Vec<(Band, usize)>),
    Codes(Vec<(CodeRange<'a>, usize)>),
}

/// The rows of a file, by the values that they are for.
pub(crate) struct RowIndex<'a> {
    source: &'a HierarchyRows,
    /// The first row of each leaf that is a value.
    values: HashMap<&'a str, usize>,
    numbers: HashMap<Number, usize>,
    ranges: Ranges<'a>,
    default: Option<usize>,
}

/// Where a value belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RowPlace {
    /// At this row.
    Row(usize),
    /// At the row for all that no other row has.
    Default(usize),
}

impl RowPlace {
    pub fn row(self) -> usize {
        match self {
            RowPlace::Row(row) | RowPlace::Default(row) => row,
        }
    }
}

impl<'a> RowIndex<'a> {
    /// Checks the rows and orders them; `values` are the texts of the column's values.
    pub fn new<'v>(
        source: &'a HierarchyRows,
        kind: Kind,
        values: impl Iterator<Item = &'v str>,
    ) -> Result<RowIndex<'a>, HierarchyError> {
        let leaves = super::check_rows(source)?;
        let mut index = RowIndex {
            source,
            default: leaves.get(ROOT).copied(),
            values: leaves,
            numbers: HashMap::new(),
            ranges: Ranges::Codes(Vec::new()),
        };
        index.values.remove(ROOT);
        match kind {
            Kind::Category => index.take_code_ranges(values),
            Kind::Date => index.take_bands(BandOf::Days)?,
            Kind::Integer | Kind::Decimal => index.take_bands(BandOf::Numbers)?,
        }
        index.check_overlaps()?;
        Ok(index)
    }

    fn line(&self, row: usize) -> u64 {
        self.source.rows[row].0
    }

    fn take_code_ranges<'v>(&mut self, values: impl Iterator<Item = &'v str>) {
        let mut ranges: Vec<(CodeRange<'a>, usize)> = Vec::new();
        let mut written: HashSet<&str> = HashSet::new();
        for (&leaf, &row) in &self.values {
            if let Some(range) = CodeRange::parse(leaf) {
                ranges.push((range, row));
                written.insert(leaf);
            }
        }
        let mut values = values;
        if values.any(|value| written.contains(value)) {
            return;
        }
        self.values.retain(|leaf, _| !written.contains(leaf));
        ranges.sort_by(|a, b| (a.0.first, a.1).cmp(&(b.0.first, b.1)));
        self.ranges = Ranges::Codes(ranges);
    }

    fn take_bands(&mut self, of: BandOf) -> Result<(), HierarchyError> {
        let mut bands: Vec<(Band, usize)> = Vec::new();
        let mut reversed: Option<usize> = None;
        for (&leaf, &row) in &self.values {
            if let Some(number) = of.value(leaf) {
                let first = self.numbers.entry(number).or_insert(row);
                // one number in two spellings is one leaf: the first row counts
                *first = row.min(*first);
                continue;
            }
            match Band::parse(leaf, of) {
                Some(band) => bands.push((band, row)),
                None if Band::is_reversed(leaf, of) => {
                    reversed = Some(reversed.map_or(row, |other| other.min(row)));
                }
                None => {}
            }
        }
        if let Some(row) = reversed {
            return Err(HierarchyError::RangeReversed {
                file: self.source.file.clone(),
                line: self.line(row),
            });
        }
        bands.sort_by(|a, b| a.0.by_low_end(&b.0).then(a.1.cmp(&b.1)));
        self.ranges = Ranges::Bands(bands);
        Ok(())
    }

    /// No value may have two places: ranges lie apart, and no value of another row lies in one.
    fn check_overlaps(&self) -> Result<(), HierarchyError> {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        match &self.ranges {
            Ranges::Bands(bands) => {
                for pair in bands.windows(2) {
                    if pair[0].0.overlaps(&pair[1].0) {
                        pairs.push((pair[0].1, pair[1].1));
                    }
                }
                for (&number, &row) in &self.numbers {
                    pairs.extend(self.range_of_number(number).map(|range| (range, row)));
                }
            }
            Ranges::Codes(ranges) => {
                for pair in ranges.windows(2) {
                    if pair[0].0.overlaps(pair[1].0) {
                        pairs.push((pair[0].1, pair[1].1));
                    }
                }
                for (value, &row) in &self.values {
                    pairs.extend(self.range_of_code(value).map(|range| (range, row)));
                }
            }
        }
        let ordered = pairs.into_iter().map(|(a, b)| (a.max(b), a.min(b)));
        match ordered.min() {
            None => Ok(()),
            Some((later, earlier)) => Err(HierarchyError::RangesOverlap {
                file: self.source.file.clone(),
                line: self.line(later),
                first: self.line(earlier),
            }),
        }
    }

    /// Ranges lie apart, so only the last one that begins before a value can hold it.
    fn range_of_number(&self, number: Number) -> Option<usize> {
        let Ranges::Bands(bands) = &self.ranges else {
            return None;
        };
        let begins = |(band, _): &(Band, usize)| band.low.is_none_or(|low| low.number <= number);
        let after = bands.partition_point(begins);
        // a band that excludes its lower end may begin where the one before it ends
        let near = &bands[after.saturating_sub(2)..after];
        near.iter()
            .find(|(band, _)| band.contains(number))
            .map(|b| b.1)
    }

    fn range_of_code(&self, code: &str) -> Option<usize> {
        let Ranges::Codes(ranges) = &self.ranges else {
            return None;
        };
        let after = ranges.partition_point(|(range, _)| range.first <= code);
        let &(range, row) = ranges.get(after.checked_sub(1)?)?;
        range.contains(code).then_some(row)
    }

    /// Where a value belongs; `number` where the column holds numbers or days.
    pub fn place(&self, text: &str, number: Option<Number>) -> Option<RowPlace> {
        let by_number = || {
            let number = number?;
            let exact = self.numbers.get(&number).copied();
            exact.or_else(|| self.range_of_number(number))
        };
        let listed = self
            .values
            .get(text)
            .copied()
            .or_else(by_number)
            .or_else(|| self.range_of_code(text));
        match listed {
            Some(row) => Some(RowPlace::Row(row)),
            // only stars are read as everything, so no value may be called that
            None if is_only_stars(text) => None,
            None => self.default.map(RowPlace::Default),
        }
    }

    /// The row of a leaf that is written exactly like this.
    pub fn exactly(&self, text: &str) -> Option<usize> {
        self.values.get(text).copied()
    }

    /// The labels above the values of a row, the root last.
    pub fn above(&self, row: usize) -> &'a [String] {
        &self.source.rows[row].1[1..]
    }
}

pub(super) fn is_only_stars(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b == b'*')
}

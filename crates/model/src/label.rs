//! Labels: how a generalized value is written, and how a written one is read back.
//!
//! Writing and reading are inverse: whatever [`Domain::label`] writes, a [`LabelReader`] reads as
//! at least the values that were meant, and the verifier insists on it. Reading also understands
//! what other tools write; the order in which forms are tried is part of the format: a label of the
//! column's hierarchy, only stars, `[a-b]` and `[a-b)`, `<a ≤a >a ≥a a+`, bands of a column of
//! bands, sets, masked digits, beginnings (`250…`), a single value.

use crate::band::{Band, BandOf};
use crate::codes::Code;
use crate::date;
use crate::domain::Domain;
use crate::hierarchy::{ELLIPSIS, ROOT};
use crate::number::Number;
use crate::schema::{Kind, Missing};
use std::collections::HashMap;

/// A generalized value as an anonymizer means it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// All codes from `lo` to `hi`: a range of numbers, the lowest common ancestor in a hierarchy,
    /// or a set.
    Span {
        /// The smallest code.
        lo: Code,
        /// The largest code.
        hi: Code,
    },
    /// A node of the hierarchy at a level of the caller's choice.
    Node {
        /// 0 is the leaf.
        level: u8,
        /// The node's number at that level.
        node: u32,
    },
    /// All numbers or days from `lo` to `hi`, whether they occur or not; for columns without a
    /// hierarchy.
    Between {
        /// The smallest, at the column's scale.
        lo: i128,
        /// The largest.
        hi: i128,
    },
    /// Exactly these codes, ascending; for categories.
    Set(Box<[Code]>),
    /// The mean of a group's numbers or days, at the column's scale; for columns without a
    /// hierarchy. It stands for values that it does not cover: see [`Cell::is_point`].
    Centroid(i128),
    /// A group's most frequent category, likewise; for columns without a hierarchy.
    Mode(Code),
    /// Anything.
    All,
}

impl Cell {
    /// Whether it stands in the middle of its group and does not say what values the group has.
    /// Such a cell is not asked to cover them, and a reader finds people by the nearest one.
    pub fn is_point(&self) -> bool {
        matches!(self, Cell::Centroid(_) | Cell::Mode(_))
    }
}

/// What a label says about the value behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The codes it may stand for, as ascending, disjoint, inclusive ranges.
    pub ranges: Vec<(Code, Code)>,
    /// For numbers and dates: the smallest and largest number it may stand for.
    pub bounds: Option<(i128, i128)>,
}

impl Reading {
    /// Whether the label may stand for this value.
    pub fn covers(&self, code: Code) -> bool {
        self.ranges.iter().any(|&(lo, hi)| lo <= code && code <= hi)
    }

    /// How many of the occurring values it may stand for.
    pub fn count(&self) -> u64 {
        self.ranges
            .iter()
            .map(|&(lo, hi)| u64::from(hi - lo) + 1)
            .sum()
    }

    pub(crate) fn of_codes(mut codes: Vec<Code>) -> Vec<(Code, Code)> {
        codes.sort_unstable();
        codes.dedup();
        let mut ranges: Vec<(Code, Code)> = Vec::new();
        for code in codes {
            match ranges.last_mut() {
                Some((_, hi)) if *hi + 1 == code => *hi = code,
                _ => ranges.push((code, code)),
            }
        }
        ranges
    }
}

/// `[low-high]`, or the number itself when both are the same.
pub(crate) fn number_range(low: i128, high: i128, scale: u8) -> String {
    if low == high {
        Number::text(low, scale)
    } else {
        format!(
            "[{}-{}]",
            Number::text(low, scale),
            Number::text(high, scale)
        )
    }
}

impl Domain {
    /// The published text of a cell.
    pub fn label(&self, cell: &Cell) -> String {
        match cell {
            Cell::All => ROOT.to_owned(),
            Cell::Span { lo, hi } => self.span_label(*lo, *hi),
            Cell::Node { level: 0, node } => self.value_label(*node),
            Cell::Node { level, node } => {
                let tree = self.hierarchy().expect("a node belongs to a hierarchy");
                tree.label(usize::from(*level), *node)
                    .unwrap_or(ROOT)
                    .to_owned()
            }
            Cell::Between { lo, hi } => self.range_label(*lo, *hi),
            Cell::Set(codes) => self.set_label(codes),
            Cell::Centroid(number) => self.range_label(*number, *number),
            Cell::Mode(code) => self.value_label(*code),
        }
    }

    fn range_label(&self, lo: i128, hi: i128) -> String {
        match self.kind() {
            Kind::Date if lo == hi => date::text(lo as i32),
            Kind::Date => format!("[{}/{}]", date::text(lo as i32), date::text(hi as i32)),
            _ => number_range(lo, hi, self.scale()),
        }
    }

    fn span_label(&self, lo: Code, hi: Code) -> String {
        if lo == hi {
            return self.value_label(lo);
        }
        if let Some(tree) = self.hierarchy() {
            let (level, node) = tree.lowest_common_ancestor(lo, hi);
            return tree.label(level, node).unwrap_or(ROOT).to_owned();
        }
        match (self.number(lo), self.number(hi)) {
            (Some(a), Some(b)) => self.range_label(a, b),
            // a missing value among numbers
            _ if self.kind().is_numeric() => ROOT.to_owned(),
            _ => self.set_label(&(lo..=hi).collect::<Vec<_>>()),
        }
    }

    fn set_label(&self, codes: &[Code]) -> String {
        match codes {
            [code] => self.value_label(*code),
            _ if codes.len() == self.len() => ROOT.to_owned(),
            _ => {
                if let Some(label) = self.merged_bands(codes) {
                    return label;
                }
                let values: Vec<String> = codes.iter().map(|&c| escape(self.text(c))).collect();
                format!("{{{}}}", values.join("|"))
            }
        }
    }

    /// Whether the label of a set lists its values one by one: that of a single value, of all values
    /// and of bands that merge into one does not.
    pub fn lists_values(&self, codes: &[Code]) -> bool {
        codes.len() > 1 && codes.len() < self.len() && self.merged_bands(codes).is_none()
    }

    /// Bands that follow one another without a gap, as one. Bands of a column lie apart, so that
    /// exactly these overlap with it.
    fn merged_bands(&self, codes: &[Code]) -> Option<String> {
        let (first, last) = (self.band(*codes.first()?)?, self.band(*codes.last()?)?);
        for pair in codes.windows(2) {
            if !self.band(pair[0])?.adjoins(self.band(pair[1])?) {
                return None;
            }
        }
        Band::merged_label(first, last)
    }

    /// A single value as itself, unless it would be read as something else: then as a set of one.
    fn value_label(&self, code: Code) -> String {
        let text = self.text(code);
        let ambiguous = self.kind() == Kind::Category
            && self.hierarchy().is_none()
            && (text.contains('*') || (text.starts_with('{') && text.ends_with('}')));
        if ambiguous {
            format!("{{{}}}", escape(text))
        } else {
            text.to_owned()
        }
    }
}

fn escape(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            ['\\']
                .into_iter()
                .filter(move |_| "\\{}|*".contains(c))
                .chain([c])
        })
        .collect()
}

/// The elements of `{a|b}`, with `\` undone.
pub(crate) fn set_elements(text: &str) -> Option<Vec<String>> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let mut elements = vec![String::new()];
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '|' => elements.push(String::new()),
            '\\' => elements.last_mut()?.push(chars.next()?),
            _ => elements.last_mut()?.push(c),
        }
    }
    Some(elements)
}

/// What stands between brackets, and whether the upper end belongs to it.
fn bracketed(text: &str) -> Option<(&str, bool)> {
    let inner = text.strip_prefix('[')?;
    let closed = inner.strip_suffix(']').map(|inner| (inner, true));
    closed.or_else(|| inner.strip_suffix(')').map(|inner| (inner, false)))
}

/// Reads labels of one column.
pub struct LabelReader<'a> {
    domain: &'a Domain,
    missing: &'a Missing,
    by_text: HashMap<&'a str, Code>,
    /// The numbers that occur, ascending.
    numbers: Vec<(i128, Code)>,
    /// Whether their codes ascend with them, one by one: then numbers between two are a range of
    /// codes.
    in_order: bool,
}

impl<'a> LabelReader<'a> {
    /// A reader for labels of this column.
    pub fn new(domain: &'a Domain, missing: &'a Missing) -> Self {
        let codes = 0..domain.len() as Code;
        let by_text = codes.clone().map(|c| (domain.text(c), c)).collect();
        let mut numbers: Vec<(i128, Code)> =
            codes.filter_map(|c| Some((domain.number(c)?, c))).collect();
        numbers.sort_unstable();
        let in_order = numbers.windows(2).all(|pair| pair[0].1 + 1 == pair[1].1);
        LabelReader {
            domain,
            missing,
            by_text,
            numbers,
            in_order,
        }
    }

    /// What a label stands for; `None` when it is no label of this column.
    pub fn read(&self, text: &str) -> Option<Reading> {
        self.hierarchy_label(text)
            .or_else(|| self.stars(text))
            .or_else(|| self.numeric(text))
            .or_else(|| self.bands(text))
            .or_else(|| self.set(text))
            .or_else(|| self.masked(text))
            .or_else(|| self.beginning(text))
            .or_else(|| self.single(text).map(|c| self.reading(vec![(c, c)])))
    }

    /// What a label of a release by centroids stands for: a number that need not occur stands for
    /// the nearest one that does, the smaller of two. Other labels are read as ever.
    pub fn read_centroid(&self, text: &str) -> Option<Reading> {
        let ranges = self.domain.hierarchy().is_none() && !self.missing.contains(text);
        match self.domain.read_number(text).filter(|_| ranges) {
            None => self.read(text),
            Some(number) => {
                let code = self.nearest(number)?;
                Some(Reading {
                    ranges: vec![(code, code)],
                    bounds: Some((number, number)),
                })
            }
        }
    }

    /// Codes of numbers ascend with them, but for the missing value, which comes first.
    fn nearest(&self, number: i128) -> Option<Code> {
        let first = Code::from(self.domain.missing().is_some());
        let (mut lo, mut hi) = (first, (self.domain.len() as Code).checked_sub(1)?);
        while lo < hi {
            let middle = lo + (hi - lo) / 2;
            if self.domain.number(middle)? < number {
                lo = middle + 1
            } else {
                hi = middle
            }
        }
        let away = |&code: &Code| {
            self.domain
                .number(code)
                .map_or(u128::MAX, |n| n.abs_diff(number))
        };
        (lo.saturating_sub(1).max(first)..=lo)
            .min_by_key(away)
            .filter(|&code| self.domain.number(code).is_some())
    }

    fn reading(&self, ranges: Vec<(Code, Code)>) -> Reading {
        let numbers = || {
            ranges
                .iter()
                .flat_map(|&(lo, hi)| lo..=hi)
                .filter_map(|c| self.domain.number(c))
        };
        let bounds = numbers().min().zip(numbers().max());
        Reading { ranges, bounds }
    }

    fn all(&self) -> Reading {
        Reading {
            ranges: vec![(0, (self.domain.len() as Code).saturating_sub(1))],
            bounds: self.extent(),
        }
    }

    fn hierarchy_label(&self, text: &str) -> Option<Reading> {
        let (lo, hi) = self.domain.hierarchy()?.find(text)?;
        Some(self.reading(vec![(lo, hi)]))
    }

    fn stars(&self, text: &str) -> Option<Reading> {
        (!text.is_empty() && text.bytes().all(|b| b == b'*')).then(|| self.all())
    }

    fn numeric(&self, text: &str) -> Option<Reading> {
        let kind = self.domain.kind();
        if !kind.is_numeric() {
            return None;
        }
        let (low, high) = self.extent().unwrap_or((0, 0));
        let read = |t: &str| self.bound(t.trim());
        let (lo, hi) = if let Some((inner, with_end)) = bracketed(text) {
            let last = |t: &str| Some(if with_end { read(t)?.1 } else { read(t)?.0 - 1 });
            match kind {
                Kind::Date => inner
                    .split_once('/')
                    .and_then(|(a, b)| Some((read(a)?.0, last(b)?)))?,
                _ => inner
                    .match_indices('-')
                    .skip_while(|&(at, _)| at == 0)
                    .find_map(|(at, _)| Some((read(&inner[..at])?.0, last(&inner[at + 1..])?)))?,
            }
        } else if let Some(rest) = text.strip_prefix("<=").or_else(|| text.strip_prefix('≤')) {
            (low, read(rest)?.1)
        } else if let Some(rest) = text.strip_prefix(">=").or_else(|| text.strip_prefix('≥')) {
            (read(rest)?.0, high)
        } else if let Some(rest) = text.strip_prefix('<') {
            (low, read(rest)?.0 - 1)
        } else if let Some(rest) = text.strip_prefix('>') {
            (read(rest)?.1 + 1, high)
        } else if let Some(rest) = text.strip_suffix('+') {
            (read(rest)?.0, high)
        } else if kind == Kind::Date {
            let (a, b) = date::parse_label(text)?;
            (a.into(), b.into())
        } else {
            return None;
        };
        Some(Reading {
            ranges: self.codes_between(lo, hi),
            bounds: Some((lo, hi)),
        })
    }

    /// A number at the column's scale, rounded down and up where the label has more places than the
    /// column.
    fn bound(&self, text: &str) -> Option<(i128, i128)> {
        if let Some(n) = self.domain.read_number(text) {
            return Some((n, n));
        }
        let n = Number::parse(text).filter(|_| self.domain.kind() != Kind::Date)?;
        let factor = 10i128.checked_pow(u32::from(n.scale.checked_sub(self.domain.scale())?))?;
        Some((
            n.mantissa.div_euclid(factor) + i128::from(n.mantissa.rem_euclid(factor) != 0),
            n.mantissa.div_euclid(factor),
        ))
    }

    /// The smallest and largest number that occur.
    fn extent(&self) -> Option<(i128, i128)> {
        self.numbers
            .first()
            .zip(self.numbers.last())
            .map(|(first, last)| (first.0, last.0))
    }

    pub(crate) fn codes_between(&self, lo: i128, hi: i128) -> Vec<(Code, Code)> {
        let from = self.numbers.partition_point(|&(n, _)| n < lo);
        let to = self.numbers.partition_point(|&(n, _)| n <= hi);
        match self.numbers.get(from..to) {
            None | Some([]) => Vec::new(),
            Some([first, .., last]) if self.in_order => vec![(first.1, last.1)],
            Some(some) => Reading::of_codes(some.iter().map(|&(_, code)| code).collect()),
        }
    }

    /// A band over some of a column of bands: those that overlap with it. A band that is itself a
    /// value overlaps with no other.
    fn bands(&self, text: &str) -> Option<Reading> {
        if !self.domain.has_bands() || self.domain.hierarchy().is_some() {
            return None;
        }
        let label = Band::parse(text, BandOf::Numbers)?;
        let mut codes = Vec::new();
        for code in 0..self.domain.len() as Code {
            if self
                .domain
                .band(code)
                .is_some_and(|band| band.overlaps(&label))
            {
                codes.push(code);
            }
        }
        let ranges = Reading::of_codes(codes);
        (!ranges.is_empty()).then(|| self.reading(ranges))
    }

    /// `250…` for all codes that begin with 250, of any length.
    fn beginning(&self, text: &str) -> Option<Reading> {
        let start = text.strip_suffix(ELLIPSIS)?;
        if start.is_empty() || self.by_text.contains_key(text) {
            return None;
        }
        let mut codes = Vec::new();
        for code in 0..self.domain.len() as Code {
            let is_missing = self.domain.missing() == Some(code);
            if !is_missing && self.domain.text(code).starts_with(start) {
                codes.push(code);
            }
        }
        let ranges = Reading::of_codes(codes);
        (!ranges.is_empty()).then(|| self.reading(ranges))
    }

    fn set(&self, text: &str) -> Option<Reading> {
        let codes: Option<Vec<Code>> = set_elements(text)?.iter().map(|e| self.single(e)).collect();
        Some(self.reading(Reading::of_codes(codes?)))
    }

    fn masked(&self, text: &str) -> Option<Reading> {
        if !text.contains('*') {
            return None;
        }
        let fits = |value: &str| {
            let mut pattern = text.chars();
            value
                .chars()
                .all(|c| pattern.next().is_some_and(|p| p == '*' || p == c))
                && pattern.next().is_none()
        };
        let codes = (0..self.domain.len() as Code)
            .filter(|&c| self.domain.missing() != Some(c) && fits(self.domain.text(c)))
            .collect();
        let ranges = Reading::of_codes(codes);
        (!ranges.is_empty()).then(|| self.reading(ranges))
    }

    pub(crate) fn single(&self, text: &str) -> Option<Code> {
        if self.missing.contains(text) {
            return self.domain.missing();
        }
        let by_number = || {
            let number = self.domain.read_number(text)?;
            let place = self
                .numbers
                .binary_search_by_key(&number, |&(n, _)| n)
                .ok()?;
            Some(self.numbers[place].1)
        };
        self.by_text.get(text).copied().or_else(by_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use crate::hierarchy::HierarchySource;
    use crate::schema::{ColumnSpec, Role};

    fn domain(texts: &[&str], hierarchy: Option<HierarchySource>) -> Domain {
        let spec = ColumnSpec {
            hierarchy,
            ..ColumnSpec::new("c", Role::QuasiIdentifier)
        };
        Column::from_texts(spec, texts.iter().copied(), &Missing::default())
            .ok()
            .unwrap()
            .domain
    }

    fn codes(d: &Domain, label: &str) -> Option<Vec<Code>> {
        let missing = Missing::default();
        let reading = LabelReader::new(d, &missing).read(label)?;
        Some(
            reading
                .ranges
                .iter()
                .flat_map(|&(lo, hi)| lo..=hi)
                .collect(),
        )
    }

    #[test]
    fn every_span_reads_back_as_itself_or_wider() {
        let mask = Some(HierarchySource::Mask(2));
        for d in [
            domain(&["-5", "-1", "0", "3", "20"], None),
            domain(&["-1.5", "0.25", "7"], None),
            domain(&["?", "4", "9"], None),
            domain(&["2001-03-02", "2001-05-30", "1999-01-01"], None),
            domain(&["a", "b|c", "{x}", "*", "d\\", "?"], None),
            domain(&["130", "131", "240", "?"], mask),
            domain(
                &["2001-03-02", "2001-03-04", "1999-01-01"],
                Some(HierarchySource::Dates(date::Level::ALL.into())),
            ),
        ] {
            for lo in 0..d.len() as Code {
                for hi in lo..d.len() as Code {
                    let label = d.label(&Cell::Span { lo, hi });
                    let read = codes(&d, &label).unwrap_or_else(|| panic!("{label}"));
                    assert!((lo..=hi).all(|c| read.contains(&c)), "{label}");
                    if lo == hi {
                        assert_eq!(read, [lo], "{label}");
                    }
                }
            }
        }
    }

    #[test]
    fn labels_as_the_format_says() {
        let d = domain(&["-5", "3", "20"], None);
        assert_eq!(d.label(&Cell::Span { lo: 0, hi: 1 }), "[-5-3]");
        assert_eq!(d.label(&Cell::Span { lo: 1, hi: 1 }), "3");
        let d = domain(&["2001-03-02", "2001-05-30"], None);
        assert_eq!(
            d.label(&Cell::Span { lo: 0, hi: 1 }),
            "[2001-03-02/2001-05-30]"
        );
        let d = domain(&["a", "b|", "c"], None);
        assert_eq!(d.label(&Cell::Set([0, 1].into())), "{a|b\\|}");
        assert_eq!(d.label(&Cell::Span { lo: 0, hi: 2 }), "*");
        let d = domain(&["4", "?"], None);
        assert_eq!(d.label(&Cell::Span { lo: 0, hi: 1 }), "*");
    }

    #[test]
    fn centroids_need_not_occur() {
        let nearest = |d: &Domain, label: &str| {
            let missing = Missing::default();
            let reading = LabelReader::new(d, &missing).read_centroid(label)?;
            Some((reading.ranges, reading.bounds))
        };
        let d = domain(&["20", "25", "31", "?"], None);
        assert_eq!(d.label(&Cell::Centroid(27)), "27");
        let at = |code: Code, number: i128| Some((vec![(code, code)], Some((number, number))));
        for (label, code, number) in [
            ("20", 1, 20),
            ("27", 2, 27),
            ("28", 2, 28),
            ("29", 3, 29),
            ("99", 3, 99),
        ] {
            assert_eq!(nearest(&d, label), at(code, number), "{label}");
        }
        assert_eq!(nearest(&d, "-7"), at(1, -7));
        assert_eq!(nearest(&d, "?"), Some((vec![(0, 0)], None)));
        assert_eq!(nearest(&d, "*"), Some((vec![(0, 3)], Some((20, 31)))));
        for label in ["27.5", "abc", "", "[20-"] {
            assert!(
                nearest(&d, label).is_none_or(|(ranges, _)| ranges == [(0, 0)]),
                "{label}"
            );
        }
        let d = domain(&["1.5", "0.25"], None);
        assert_eq!(
            (d.label(&Cell::Centroid(100)), d.label(&Cell::Centroid(75))),
            ("1".into(), "0.75".into())
        );
        assert_eq!(nearest(&d, "0.75"), at(0, 75));
        let d = domain(&["2001-03-02", "2001-05-30"], None);
        let day = i128::from(date::parse("2001-03-09").unwrap());
        assert_eq!(d.label(&Cell::Centroid(day)), "2001-03-09");
        assert_eq!(nearest(&d, "2001-03-09"), at(0, day));
        let d = domain(&["a", "*", "c"], None);
        let star = d.label(&Cell::Mode(0));
        assert_eq!(
            (star.as_str(), nearest(&d, &star)),
            ("{\\*}", Some((vec![(0, 0)], None)))
        );
        assert_eq!(nearest(&d, "b"), None);
        // with a hierarchy there are no centroids
        let d = domain(&["130", "131", "240"], Some(HierarchySource::Mask(2)));
        assert_eq!(nearest(&d, "135"), None);
    }

    #[test]
    fn labels_of_other_tools() {
        let d = domain(&["20", "25", "31", "?"], None);
        for (label, expected) in [
            ("[20-30]", vec![1, 2]),
            ("<25", vec![1]),
            ("≤25", vec![1, 2]),
            ("<=25", vec![1, 2]),
            (">25", vec![3]),
            (">=25", vec![2, 3]),
            ("2*", vec![1, 2]),
            ("*", vec![0, 1, 2, 3]),
            ("**", vec![0, 1, 2, 3]),
            ("?", vec![0]),
            ("{20|31}", vec![1, 3]),
            ("25.0", vec![2]),
            ("[19.5-25.5]", vec![1, 2]),
            ("<24.5", vec![1]),
        ] {
            assert_eq!(codes(&d, label), Some(expected), "{label}");
        }
        for label in ["abc", "[20-", "[a-b]", "77", "{20|77}", ""] {
            assert_eq!(
                codes(&d, label).filter(|c| label.is_empty() != (c == &[0])),
                None,
                "{label}"
            );
        }
        let d = domain(&["13012", "13099", "14000"], Some(HierarchySource::Mask(5)));
        assert_eq!(codes(&d, "130**"), Some(vec![0, 1]));
        assert_eq!(codes(&d, "*****"), Some(vec![0, 1, 2]));
        let d = domain(&["<=50K", ">50K"], None);
        assert_eq!(codes(&d, ">50K"), Some(vec![1]));
    }
}

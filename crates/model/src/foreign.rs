//! Labels of releases that were not made from the table at hand.
//!
//! A release about other people, or by another tool, has labels for values that nobody here has. Such a label is not
//! wrong: it just covers nobody. Only what cannot be a label of the column at all is unreadable. Besides the forms that
//! a [`LabelReader`] knows, intervals are read as other tools write them: `[20, 30)`, `]20;30]`, `20-29`.

use crate::date;
use crate::domain::Domain;
use crate::hierarchy::HierarchySource;
use crate::label::{LabelReader, Reading, set_elements};
use crate::number::Number;
use crate::schema::{Kind, Missing};
use std::collections::HashSet;

/// Reads labels of one column, whoever wrote them.
pub struct ForeignReader<'a> {
    reader: LabelReader<'a>,
    domain: &'a Domain,
    missing: &'a Missing,
    /// All labels of a hierarchy that is a file; whatever else is written is no value of the column.
    vocabulary: Option<HashSet<&'a str>>,
}

impl<'a> ForeignReader<'a> {
    /// A reader for a column with these values and this hierarchy, as declared.
    pub fn new(domain: &'a Domain, hierarchy: Option<&'a HierarchySource>, missing: &'a Missing) -> Self {
        let vocabulary = match hierarchy {
            Some(HierarchySource::Rows(source)) => {
                Some(source.rows.iter().flat_map(|(_, row)| row).map(String::as_str).collect())
            }
            _ => None,
        };
        ForeignReader { reader: LabelReader::new(domain, missing), domain, missing, vocabulary }
    }

    /// The values that a label stands for, possibly none; `None` when it is no label of this column.
    pub fn read(&self, text: &str) -> Option<Reading> {
        let text = text.trim();
        self.reader
            .read(text)
            .or_else(|| self.interval(text))
            .or_else(|| self.set(text))
            .or_else(|| self.is_plausible(text).then(nobody))
    }

    /// The number or day that a label is, where it is a single one; it need not be one that occurs, or as precise.
    pub fn point(&self, text: &str) -> Option<f64> {
        match self.domain.kind() {
            Kind::Category => None,
            Kind::Date => date::parse(text.trim()).map(f64::from),
            _ => Number::parse(text.trim()).map(|n| n.mantissa as f64 / 10f64.powi(n.scale.into())),
        }
    }

    /// Intervals with a comma or semicolon and open or closed ends, or without brackets.
    fn interval(&self, text: &str) -> Option<Reading> {
        if !self.domain.kind().is_numeric() {
            return None;
        }
        let bracketed = || {
            let (first, last) = (text.chars().next()?, text.chars().next_back()?);
            let inner = text.strip_prefix(first)?.strip_suffix(last)?;
            let closed = match (first, last) {
                ('[', ']') => (true, true),
                ('[', ')' | '[') => (true, false),
                ('(' | ']', ']') => (false, true),
                ('(' | ']', ')' | '[') => (false, false),
                _ => return None,
            };
            let (low, high) = inner.split_once([',', ';'])?;
            Some((low, high, closed))
        };
        let bare = || {
            let at = text.char_indices().skip(1).find(|&(_, c)| c == '-')?.0;
            Some((&text[..at], &text[at + 1..], (true, true)))
        };
        let (low, high, (with_low, with_high)) = bracketed().or_else(bare)?;
        let (low, high) = (self.point(low)?, self.point(high)?);
        let unit = 10f64.powi(self.domain.scale().into());
        let inside = |n: f64| (low < n || (with_low && low == n)) && (n < high || (with_high && n == high));
        let codes = (0..self.domain.len() as u32).filter(|&c| {
            self.domain.number(c).is_some_and(|n| match self.domain.kind() {
                Kind::Date => inside(n as f64),
                _ => inside(n as f64 / unit),
            })
        });
        Some(Reading { ranges: Reading::of_codes(codes.collect()), bounds: None })
    }

    /// A set some of whose values nobody has.
    fn set(&self, text: &str) -> Option<Reading> {
        let mut codes = Vec::new();
        for element in set_elements(text)? {
            match self.reader.single(&element) {
                Some(code) => codes.push(code),
                None if self.is_value(&element) => {}
                None => return None,
            }
        }
        Some(Reading { ranges: Reading::of_codes(codes), bounds: None })
    }

    /// Whether this might be a label for values that nobody has.
    fn is_plausible(&self, text: &str) -> bool {
        match text.contains('*') {
            true => !self.domain.kind().is_numeric() || text.chars().all(|c| "*-.".contains(c) || c.is_ascii_digit()),
            false => self.is_value(text),
        }
    }

    fn is_value(&self, text: &str) -> bool {
        self.missing.contains(text)
            || match &self.vocabulary {
                Some(labels) => labels.contains(text),
                None => self.domain.kind() == Kind::Category || self.point(text).is_some(),
            }
    }
}

fn nobody() -> Reading {
    Reading { ranges: Vec::new(), bounds: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use crate::hierarchy::HierarchyRows;
    use crate::schema::{ColumnSpec, Role};

    fn read(texts: &[&str], hierarchy: Option<HierarchySource>, label: &str) -> Option<Vec<String>> {
        let spec = ColumnSpec { hierarchy: hierarchy.clone(), ..ColumnSpec::new("c", Role::QuasiIdentifier) };
        let missing = Missing::default();
        let domain = Column::from_texts(spec, texts.iter().copied(), &missing).ok().unwrap().domain;
        let reading = ForeignReader::new(&domain, hierarchy.as_ref(), &missing).read(label)?;
        let codes = reading.ranges.iter().flat_map(|&(lo, hi)| lo..=hi);
        Some(codes.map(|c| domain.text(c).to_owned()).collect())
    }

    fn some(texts: &[&str]) -> Option<Vec<String>> {
        Some(texts.iter().map(|t| (*t).to_owned()).collect())
    }

    #[test]
    fn numbers_in_other_tools_words() {
        let ages = ["20", "25", "30", "41"];
        for (label, expected) in [
            ("[20-30]", &["20", "25", "30"][..]),
            ("[20, 30)", &["20", "25"]),
            ("[20;30[", &["20", "25"]),
            ("(20,30]", &["25", "30"]),
            ("]20,30[", &["25"]),
            ("20-30", &["20", "25", "30"]),
            ("[19.5, 25.5)", &["20", "25"]),
            ("2*", &["20", "25"]),
            ("7*", &[]),
            ("33", &[]),
            ("24.5", &[]),
            ("<10", &[]),
            ("?", &[]),
            ("{20|22}", &["20"]),
            ("*", &ages),
        ] {
            assert_eq!(read(&ages, None, label), some(expected), "{label}");
        }
        for wrong in ["old", "[a, b)", "{20|old}", "2x*", "[20, 30", "-"] {
            assert_eq!(read(&ages, None, wrong), None, "{wrong}");
        }
        assert_eq!(read(&["-5", "3"], None, "-5-3"), some(&["-5", "3"]));
    }

    #[test]
    fn categories_that_nobody_has() {
        let jobs = ["clerk", "nurse"];
        assert_eq!(read(&jobs, None, "pilot"), some(&[]));
        assert_eq!(read(&jobs, None, "{nurse|pilot}"), some(&["nurse"]));
        assert_eq!(read(&["13012", "13068"], Some(HierarchySource::Mask(2)), "148**"), some(&[]));
        assert_eq!(read(&["13012", "13068"], Some(HierarchySource::Mask(2)), "1301*"), some(&["13012"]));
    }

    #[test]
    fn a_hierarchy_file_is_the_whole_vocabulary() {
        let row = |fields: [&str; 3]| (1, fields.map(str::to_owned).to_vec());
        let rows = vec![row(["clerk", "office", "*"]), row(["pilot", "travel", "*"])];
        let tree = || Some(HierarchySource::Rows(HierarchyRows { file: "h".to_owned(), rows: rows.clone() }));
        assert_eq!(read(&["clerk"], tree(), "office"), some(&["clerk"]));
        assert_eq!(read(&["clerk"], tree(), "travel"), some(&[]));
        assert_eq!(read(&["clerk"], tree(), "pilot"), some(&[]));
        assert_eq!(read(&["clerk"], tree(), "Office"), None);
    }
}

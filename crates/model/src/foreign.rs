//! Labels of releases that were not made from the table at hand.
//!
//! A release about other people, or by another tool, has labels for values that nobody here has.
//! Such a label is not wrong: it just covers nobody. Only what cannot be a label of the column at
//! all is unreadable. Besides the forms that a [`LabelReader`] knows, intervals are read as other
//! tools write them: `[20, 30)`, `]20;30]`, `20-29`.

use crate::band::day_number;
use crate::codes::Code;
use crate::date;
use crate::domain::Domain;
use crate::hierarchy::{
    Ages, ELLIPSIS, HierarchyRows, HierarchySource, PathRule, ROOT, RowIndex, RowPlace, Rung,
};
use crate::label::{LabelReader, Reading, set_elements};
use crate::number::Number;
use crate::schema::{Kind, Missing};
use std::collections::{HashMap, HashSet};

/// Reads labels of one column, whoever wrote them.
pub struct ForeignReader<'a> {
    reader: LabelReader<'a>,
    domain: &'a Domain,
    missing: &'a Missing,
    /// The values below each label of the hierarchy, by the release's own if that is known.
    below: HashMap<String, Vec<Code>>,
    /// Where there is a hierarchy file, whatever else is written is no value of the column.
    file: Option<Vocabulary<'a>>,
    /// Whether labels may be ages.
    has_ages: bool,
    /// Whether that hierarchy is the release's own, and not the one the people's values are ordered
    /// by.
    is_theirs: bool,
}

impl<'a> ForeignReader<'a> {
    /// A reader for a column with these values. `ours` is the people's hierarchy, as declared, and
    /// `theirs` the one that the release was made with, where that is known.
    pub fn new(
        domain: &'a Domain,
        ours: Option<&'a HierarchySource>,
        theirs: Option<&'a HierarchySource>,
        missing: &'a Missing,
    ) -> Self {
        let source = theirs.or(ours);
        let mut reader = ForeignReader {
            reader: LabelReader::new(domain, missing),
            domain,
            missing,
            below: HashMap::new(),
            file: None,
            has_ages: matches!(source, Some(HierarchySource::Age(_))),
            is_theirs: theirs.is_some(),
        };
        match source {
            Some(HierarchySource::Rows(rows)) => reader.take_rows(rows),
            // the labels of other rules say by themselves what they stand for
            Some(
                rule @ (HierarchySource::Prefix(_)
                | HierarchySource::Age(_)
                | HierarchySource::Template(_)),
            ) if reader.is_theirs => reader.take_rule(rule),
            _ => {}
        }
        reader
    }

    /// The values below the labels of a file, and what else the file knows.
    fn take_rows(&mut self, source: &'a HierarchyRows) {
        let mut words: HashSet<&'a str> = HashSet::new();
        for (_, row) in &source.rows {
            let leaf = row.first().and_then(|leaf| self.reader.single(leaf));
            for label in row {
                words.insert(label);
                let below = self.below.entry(label.clone()).or_default();
                below.extend(leaf);
            }
        }
        let codes = 0..self.domain.len() as Code;
        let texts = codes.clone().map(|code| self.domain.text(code));
        // what is wrong with a file is said where it is the table's own
        let index = RowIndex::new(source, self.domain.kind(), texts).ok();
        if let Some(index) = &index {
            for code in codes {
                let text = self.domain.text(code);
                if self.domain.missing() == Some(code) || index.exactly(text).is_some() {
                    continue;
                }
                let Some(place) = index.place(text, self.number(code)) else {
                    continue;
                };
                for label in index.above(place.row()) {
                    self.below.entry(label.clone()).or_default().push(code);
                }
            }
        }
        self.file = Some(Vocabulary { words, index });
    }

    /// The values below the labels of a rule. A rule for another kind of values says nothing about
    /// ours, and its labels are read by their form alone.
    fn take_rule(&mut self, source: &HierarchySource) {
        let domain = self.domain;
        let mut longest = 0;
        for code in 0..domain.len() as Code {
            longest = longest.max(domain.text(code).chars().count());
        }
        let Ok(Some(rule)) = PathRule::new(source, (domain.kind(), domain.scale()), longest) else {
            return;
        };
        for code in 0..domain.len() as Code {
            if domain.missing() == Some(code) {
                continue;
            }
            let number = domain.number(code).unwrap_or(0);
            let (Rung::Above(path) | Rung::Unlisted(path)) = rule.rung(domain.text(code), number)
            else {
                continue;
            };
            for label in path {
                if label != ROOT {
                    self.below.entry(label).or_default().push(code);
                }
            }
        }
    }

    fn number(&self, code: Code) -> Option<Number> {
        Number::normalized(self.domain.number(code)?, self.domain.scale().into())
    }

    /// The values that a label stands for, possibly none; `None` when it is no label of this
    /// column.
    pub fn read(&self, text: &str) -> Option<Reading> {
        // blanks may be part of a value
        [text, text.trim()]
            .into_iter()
            .find_map(|text| self.understood(text))
            .or_else(|| {
                let text = text.trim();
                self.set(text)
                    .or_else(|| self.is_plausible(text).then(nobody))
            })
    }

    /// A label that stands for somebody, or whose form says for whom.
    fn understood(&self, text: &str) -> Option<Reading> {
        let all = text.bytes().all(|b| b == b'*');
        let theirs = self.node(text).filter(|_| self.is_theirs && !all);
        let read = theirs
            .or_else(|| self.reader.read(text))
            .or_else(|| self.interval(text));
        read.or_else(|| self.prefix(text))
            .or_else(|| self.padded(text))
    }

    /// A label of the hierarchy.
    fn node(&self, text: &str) -> Option<Reading> {
        let codes = self.below.get(text)?;
        (!codes.is_empty()).then(|| Reading {
            ranges: Reading::of_codes(codes.clone()),
            bounds: None,
        })
    }

    /// `13*` for all longer codes that begin with 13, where no value is of that length. A number's
    /// digits count: `3*` are the thirties.
    fn prefix(&self, text: &str) -> Option<Reading> {
        let start = text.trim_end_matches('*');
        if start.len() == text.len() || start.contains('*') || self.domain.kind().is_numeric() {
            return None;
        }
        self.those(|value| value.starts_with(start) && value.len() > text.len())
    }

    /// Codes with leading zeros for values that are kept as numbers: `0130*`, `01301`.
    fn padded(&self, text: &str) -> Option<Reading> {
        if self.domain.kind() != Kind::Integer || !text.starts_with('0') {
            return None;
        }
        let width = text.chars().count();
        let fits = |value: &str| {
            let value = format!("{value:0>width$}");
            value.chars().count() == width
                && value
                    .chars()
                    .zip(text.chars())
                    .all(|(v, p)| p == '*' || p == v)
        };
        self.those(fits)
    }

    fn those(&self, fits: impl Fn(&str) -> bool) -> Option<Reading> {
        let fits =
            |&code: &Code| self.domain.missing() != Some(code) && fits(self.domain.text(code));
        let codes: Vec<Code> = (0..self.domain.len() as Code).filter(fits).collect();
        (!codes.is_empty()).then(|| Reading {
            ranges: Reading::of_codes(codes),
            bounds: None,
        })
    }

    /// The number or day that a label is, where it is a single one; it need not be one that occurs,
    /// or as precise.
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
        let inside =
            |n: f64| (low < n || (with_low && low == n)) && (n < high || (with_high && n == high));
        let codes = (0..self.domain.len() as u32).filter(|&c| {
            self.domain
                .number(c)
                .is_some_and(|n| match self.domain.kind() {
                    Kind::Date => inside(n as f64),
                    _ => inside(n as f64 / unit),
                })
        });
        Some(Reading {
            ranges: Reading::of_codes(codes.collect()),
            bounds: None,
        })
    }

    /// A set some of whose values nobody has; other tools write commas.
    fn set(&self, text: &str) -> Option<Reading> {
        let elements = set_elements(text)?;
        let inner = text.strip_prefix('{')?.strip_suffix('}')?;
        let with_commas = || {
            inner
                .split(',')
                .map(|e| e.trim().trim_matches(['"', '\'']).to_owned())
                .collect()
        };
        self.set_of(&elements)
            .filter(|reading| !reading.ranges.is_empty())
            .or_else(|| {
                let elements: Vec<String> = if inner.contains(',') {
                    with_commas()
                } else {
                    elements
                };
                self.set_of(&elements)
            })
    }

    fn set_of(&self, elements: &[String]) -> Option<Reading> {
        let mut codes = Vec::new();
        for element in elements {
            match self.reader.single(element) {
                Some(code) => codes.push(code),
                None if self.is_value(element) => {}
                None => return None,
            }
        }
        Some(Reading {
            ranges: Reading::of_codes(codes),
            bounds: None,
        })
    }

    /// Whether this might be a label for values that nobody has.
    fn is_plausible(&self, text: &str) -> bool {
        if self.has_ages && Ages::is_label(text) {
            return true;
        }
        if text.contains('*') || text.ends_with(ELLIPSIS) {
            !self.domain.kind().is_numeric()
                || text
                    .chars()
                    .all(|c| "*-.…".contains(c) || c.is_ascii_digit())
        } else {
            self.is_value(text)
        }
    }

    fn is_value(&self, text: &str) -> bool {
        self.missing.contains(text)
            || match &self.file {
                Some(file) => file.knows(text, self.domain.kind()),
                None => self.domain.kind() == Kind::Category || self.point(text).is_some(),
            }
    }
}

/// The words of a hierarchy file.
struct Vocabulary<'a> {
    words: HashSet<&'a str>,
    index: Option<RowIndex<'a>>,
}

impl Vocabulary<'_> {
    /// Whether this is a label, or a value that lies in a range or in the branch for unlisted ones.
    fn knows(&self, text: &str, kind: Kind) -> bool {
        let number = match kind {
            Kind::Category => None,
            Kind::Date => date::parse(text).map(day_number),
            Kind::Integer | Kind::Decimal => Number::parse(text),
        };
        if self.words.contains(text) {
            return true;
        }
        let place = self
            .index
            .as_ref()
            .and_then(|index| index.place(text, number));
        match place {
            None => false,
            Some(RowPlace::Row(_)) => true,
            // any text may be an unlisted value, but a label with a slip is more likely a label;
            // and what is no number is no value of a column of numbers
            Some(RowPlace::Default(_)) => {
                let is_slip = self.words.iter().any(|word| is_one_slip_from(text, word));
                !is_slip && (kind == Kind::Category || number.is_some())
            }
        }
    }
}

/// Words of fewer letters are like many others.
const FEWEST_LETTERS: usize = 5;

/// Whether a text is a word in which one letter is wrong, too many or missing, or two are swapped.
fn is_one_slip_from(text: &str, word: &str) -> bool {
    let (text, word): (Vec<char>, Vec<char>) = (text.chars().collect(), word.chars().collect());
    // codes of one form differ in a digit and mean other things
    let has_digit = text.iter().chain(&word).any(char::is_ascii_digit);
    if has_digit || word.len() < FEWEST_LETTERS || text.len().abs_diff(word.len()) > 1 {
        return false;
    }
    let same = text.iter().zip(&word).take_while(|(a, b)| a == b).count();
    let (text, word) = (&text[same..], &word[same..]);
    match (text, word) {
        ([], []) => false,
        ([], [_]) | ([_], []) => true,
        ([a, b, text @ ..], [c, d, word @ ..]) if (a, b) == (d, c) && text == word => true,
        ([_, text @ ..], _) if text.len() == word.len() => text == word,
        (_, [_, word @ ..]) if text.len() == word.len() => text == word,
        ([_, text @ ..], [_, word @ ..]) => text == word,
        _ => false,
    }
}

fn nobody() -> Reading {
    Reading {
        ranges: Vec::new(),
        bounds: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use crate::hierarchy::HierarchyRows;
    use crate::schema::{ColumnSpec, Role};

    fn read(
        texts: &[&str],
        hierarchy: Option<HierarchySource>,
        label: &str,
    ) -> Option<Vec<String>> {
        let spec = ColumnSpec {
            hierarchy: hierarchy.clone(),
            ..ColumnSpec::new("c", Role::QuasiIdentifier)
        };
        let missing = Missing::default();
        let domain = Column::from_texts(spec, texts.iter().copied(), &missing)
            .ok()
            .unwrap()
            .domain;
        let reading =
            ForeignReader::new(&domain, hierarchy.as_ref(), None, &missing).read(label)?;
        let codes = reading.ranges.iter().flat_map(|&(lo, hi)| lo..=hi);
        Some(codes.map(|c| domain.text(c).to_owned()).collect())
    }

    fn some(texts: &[&str]) -> Option<Vec<String>> {
        Some(texts.iter().map(|t| (*t).to_owned()).collect())
    }

    #[test]
    fn slips() {
        for (text, word) in [
            ("circulatry", "circulatory"),
            ("circulatoory", "circulatory"),
            ("cirvulatory", "circulatory"),
            ("circualtory", "circulatory"),
            ("irculatory", "circulatory"),
            ("circulator", "circulatory"),
        ] {
            assert!(is_one_slip_from(text, word), "{text}");
        }
        for (text, word) in [
            ("circulatory", "circulatory"),
            ("respiratory", "circulatory"),
            ("crclatory", "circulatory"),
            ("flu", "flew"),
            ("E11.90", "E11.91"),
        ] {
            assert!(!is_one_slip_from(text, word), "{text}");
        }
    }

    #[test]
    fn a_mistyped_label_is_no_unlisted_value() {
        let hierarchy = || {
            let rows = ["flu;infectious;*", "angina;circulatory;*", "*;others;*"];
            let rows = rows.iter().zip(1..);
            Some(HierarchySource::Rows(HierarchyRows {
                file: "h.csv".to_owned(),
                rows: rows
                    .map(|(row, line)| (line, row.split(';').map(str::to_owned).collect()))
                    .collect(),
            }))
        };
        let texts = ["flu", "angina", "gout"];
        assert_eq!(
            read(&texts, hierarchy(), "circulatory"),
            Some(vec!["angina".to_owned()])
        );
        assert_eq!(read(&texts, hierarchy(), "circulatry"), None);
        assert_eq!(read(&texts, hierarchy(), "measles"), Some(Vec::new()));
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
        assert_eq!(
            read(&["13012", "13068"], Some(HierarchySource::Mask(2)), "148**"),
            some(&[])
        );
        assert_eq!(
            read(&["13012", "13068"], Some(HierarchySource::Mask(2)), "1301*"),
            some(&["13012"])
        );
    }

    #[test]
    fn what_means_the_same_is_read_although_it_is_written_otherwise() {
        // blanks that are part of the value
        assert_eq!(read(&[" M", "F"], None, " M"), some(&[" M"]));
        assert_eq!(read(&["M", "F"], None, " M "), some(&["M"]));
        // stars for any number of characters, where no value has that many
        let code = || Some(HierarchySource::Mask(2));
        assert_eq!(read(&["E1012", "F4850"], code(), "E1*"), some(&["E1012"]));
        assert_eq!(read(&["300", "41"], None, "3*"), some(&[]));
        assert_eq!(read(&["13", "130", "14"], None, "1*"), some(&["13", "14"]));
        // leading zeros
        assert_eq!(read(&["1300", "1450"], None, "0130*"), some(&["1300"]));
        assert_eq!(read(&["1300", "1450"], None, "01300"), some(&["1300"]));
        // commas in sets
        assert_eq!(read(&["F", "M", "X"], None, "{F, M}"), some(&["F", "M"]));
        assert_eq!(read(&["F, M", "M"], None, "{F, M}"), some(&["F, M"]));
    }

    #[test]
    fn labels_of_the_releases_own_hierarchy() {
        let row = |fields: [&str; 3]| (1, fields.map(str::to_owned).to_vec());
        let rows = vec![
            row(["clerk", "office", "*"]),
            row(["nurse", "ward", "*"]),
            row(["typist", "office", "*"]),
        ];
        let theirs = HierarchySource::Rows(HierarchyRows {
            file: "h".to_owned(),
            rows,
        });
        let missing = Missing::default();
        let texts = ["clerk", "nurse", "typist"];
        let spec = ColumnSpec::new("c", Role::QuasiIdentifier);
        let domain = Column::from_texts(spec, texts, &missing)
            .ok()
            .unwrap()
            .domain;
        let reader = ForeignReader::new(&domain, None, Some(&theirs), &missing);
        assert_eq!(reader.read("office").unwrap().count(), 2);
        assert!(reader.read("Office").is_none());
    }

    #[test]
    fn a_hierarchy_file_is_the_whole_vocabulary() {
        let row = |fields: [&str; 3]| (1, fields.map(str::to_owned).to_vec());
        let rows = vec![row(["clerk", "office", "*"]), row(["pilot", "travel", "*"])];
        let tree = || {
            Some(HierarchySource::Rows(HierarchyRows {
                file: "h".to_owned(),
                rows: rows.clone(),
            }))
        };
        assert_eq!(read(&["clerk"], tree(), "office"), some(&["clerk"]));
        assert_eq!(read(&["clerk"], tree(), "travel"), some(&[]));
        assert_eq!(read(&["clerk"], tree(), "pilot"), some(&[]));
        assert_eq!(read(&["clerk"], tree(), "Office"), None);
    }
}

//! What a column looks like: counts, kinds and what it was recognised as; values only where domains
//! are to be proposed.

use super::domain::{self, Seen};
use super::hierarchy::{self, FoundHierarchy};
use super::recognise::{Meaning, Recognition, SeenFacts, recognise, split_into_words};
use mingle_model::{Codes, Column, ColumnSpec, Kind, Missing, Number, RawColumn, Role, infer_kind};
use std::path::PathBuf;

/// A value that fewer rows hold nearly singles them out.
pub const RARE: u64 = 5;
/// So many values of a column are enough to recognise it by.
const ENOUGH_VALUES: usize = 4_000;
/// Numbers with more values than this are published in intervals: the ends of a range that follows
/// the data would be cells.
const MANY_NUMBERS: usize = 150;

/// A column from outside.
pub struct Profile {
    /// Its name.
    pub name: String,
    /// How many rows the tables have.
    pub rows: usize,
    /// How many different values occur, the missing one not counted.
    pub distinct: usize,
    /// How many rows have no value.
    pub missing: usize,
    /// How many rows are alone with their value.
    pub unique: usize,
    /// How many rows share their value with fewer than five, themselves counted.
    pub rare: usize,
    /// How many rows have the commonest value.
    pub commonest: usize,
    /// The kind that fits all values.
    pub kind: Kind,
    /// What it was recognised as.
    pub recognition: Recognition,
    /// Whether all values are bands that do not overlap.
    pub bands: bool,
    /// The length that all values have, if they are codes of letters and digits of one length.
    pub code_length: Option<usize>,
    /// Of numbers with many values: a round width that cuts them into few parts.
    pub interval: Option<Number>,
    /// A hierarchy file that goes with the column.
    pub hierarchy: Option<FoundHierarchy>,
    /// Its values, where domains are to be proposed.
    pub seen: Option<Seen>,
}

impl Profile {
    /// Looks at a column; the files it came from say where a hierarchy might be.
    pub fn new(
        name: String,
        raw: &RawColumn,
        missing: &Missing,
        data: &[PathBuf],
        domains: bool,
    ) -> Profile {
        let mut rows_of = vec![0u64; raw.values.len()];
        for id in raw.ids.iter() {
            rows_of[id as usize] += 1;
        }
        let texts = raw.values.iter().map(|value| &*value.text);
        let mut present = Vec::with_capacity(raw.values.len());
        for value in &raw.values {
            if !missing.contains(&value.text) {
                present.push(value);
            }
        }
        let kind = infer_kind(&present);
        drop(present);
        let hierarchy = hierarchy::find(&name, raw, missing, data);
        let mut profile = Profile::counted(name, kind, texts.zip(rows_of.iter().copied()), missing);
        profile.hierarchy = hierarchy;
        profile.bands = are_bands(&profile, raw, missing);
        if domains {
            let absent: Vec<bool> = raw
                .values
                .iter()
                .map(|value| missing.contains(&value.text))
                .collect();
            profile.seen = Some(Seen::of(raw, &absent));
        }
        profile
    }

    /// The same from different values with the number of rows that have each.
    pub fn counted<'v>(
        name: String,
        kind: Kind,
        values: impl Iterator<Item = (&'v str, u64)> + Clone,
        missing: &Missing,
    ) -> Profile {
        let mut counts = ValueCounts::default();
        for (text, rows) in values.clone() {
            counts.add(rows as usize, missing.contains(text));
        }
        let texts = fixed_choice(values, counts.distinct, missing);
        let words = split_into_words(&name);
        let facts = SeenFacts {
            words: &words,
            kind,
            rows: counts.rows,
            present: counts.rows - counts.missing,
            distinct: counts.distinct,
            texts: &texts,
        };
        Profile {
            recognition: recognise(&facts),
            name,
            rows: counts.rows,
            distinct: counts.distinct,
            missing: counts.missing,
            unique: counts.unique,
            rare: counts.rare,
            commonest: counts.commonest,
            kind,
            bands: false,
            code_length: code_length(&texts),
            interval: interval(kind, counts.distinct, &texts),
            hierarchy: None,
            seen: None,
        }
    }

    /// How many rows have a value.
    pub fn present(&self) -> usize {
        self.rows - self.missing
    }

    /// Whether every row, or nearly every one, has a value of its own.
    pub fn is_unique(&self) -> bool {
        self.present() > 1 && self.distinct * 20 >= self.present() * 19
    }

    /// The words of its name, in lower case.
    pub fn words(&self) -> Vec<String> {
        split_into_words(&self.name)
    }
}

/// Whether a policy that says so would be followed: tried, because bands may overlap.
fn are_bands(profile: &Profile, raw: &RawColumn, missing: &Missing) -> bool {
    let meaning = profile.recognition.meaning;
    if profile.kind != Kind::Category || !matches!(meaning, Meaning::Age | Meaning::Band) {
        return false;
    }
    let spec = ColumnSpec {
        kind: Some(Kind::Category),
        bands: true,
        ..ColumnSpec::new(profile.name.clone(), Role::QuasiIdentifier)
    };
    let values = RawColumn {
        values: raw.values.clone(),
        ids: Codes::default(),
    };
    Column::encode(spec, values, missing).is_ok()
}

/// Counts over the values of a column.
#[derive(Default)]
struct ValueCounts {
    rows: usize,
    distinct: usize,
    missing: usize,
    unique: usize,
    rare: usize,
    commonest: usize,
}

impl ValueCounts {
    fn add(&mut self, rows: usize, is_missing: bool) {
        self.rows += rows;
        if is_missing {
            self.missing += rows;
            return;
        }
        self.distinct += 1;
        self.commonest = self.commonest.max(rows);
        if rows == 1 {
            self.unique += 1;
        }
        if rows < RARE as usize {
            self.rare += rows;
        }
    }
}

/// All values, or where there are many those whose hash says so: the order in which values were
/// read depends on the number of threads, a hash does not. In order.
fn fixed_choice<'v>(
    values: impl Iterator<Item = (&'v str, u64)>,
    distinct: usize,
    missing: &Missing,
) -> Vec<&'v str> {
    let one_of = (distinct / ENOUGH_VALUES).max(1) as u64;
    let mut chosen = Vec::new();
    for (text, _) in values {
        if !missing.contains(text) && (one_of == 1 || hash(text).is_multiple_of(one_of)) {
            chosen.push(text);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// FNV-1a, with its bits mixed once more so that a remainder uses all of them.
fn hash(text: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^ (hash >> 29)
}

fn code_length(texts: &[&str]) -> Option<usize> {
    let length = texts.first()?.chars().count();
    let alike = |text: &&str| {
        text.chars().count() == length
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || c == ' ' || c == '-')
    };
    texts.iter().all(alike).then_some(length)
}

fn interval(kind: Kind, distinct: usize, texts: &[&str]) -> Option<Number> {
    let is_number = matches!(kind, Kind::Integer | Kind::Decimal);
    if !is_number || distinct <= MANY_NUMBERS {
        return None;
    }
    let numbers: Option<Vec<Number>> = texts.iter().map(|text| Number::parse(text)).collect();
    domain::round_width(&numbers?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{Position, RawValue};

    fn profile(name: &str, texts: &[&str]) -> Profile {
        let mut raw = RawColumn::default();
        for (line, text) in texts.iter().enumerate() {
            let known = raw.values.iter().position(|v| *v.text == **text);
            let position = Position {
                file: "f".into(),
                line: line as u64,
            };
            let id = known.unwrap_or_else(|| {
                raw.values.push(RawValue {
                    text: (*text).into(),
                    position,
                });
                raw.values.len() - 1
            });
            raw.ids.push(id as u32);
        }
        Profile::new(name.into(), &raw, &Missing::default(), &[], false)
    }

    #[test]
    fn counts_leave_missing_values_out() {
        let p = profile("x", &["1", "2", "2", "?", ""]);
        assert_eq!(
            (p.rows, p.distinct, p.missing, p.kind),
            (5, 2, 2, Kind::Integer)
        );
        assert_eq!((p.unique, p.rare, p.commonest), (1, 3, 2));
        assert!(!p.is_unique());
        assert!(profile("x", &["a", "b", "?"]).is_unique());
        assert!(!profile("x", &["a"]).is_unique());
    }

    #[test]
    fn codes_have_one_length() {
        assert_eq!(profile("zip", &["01234", "98765", ""]).code_length, Some(5));
        assert_eq!(profile("zip", &["1234", "98765"]).code_length, None);
        assert_eq!(profile("zip", &["a.b", "c.d"]).code_length, None);
    }

    #[test]
    fn the_choice_of_values_does_not_depend_on_their_order() {
        let texts: Vec<String> = (0..50_000).map(|n| format!("{n:07}")).collect();
        let forwards = texts.iter().map(|text| (text.as_str(), 1));
        let one_way = fixed_choice(forwards.clone(), texts.len(), &Missing::default());
        let other_way = fixed_choice(forwards.rev(), texts.len(), &Missing::default());
        assert_eq!(one_way, other_way);
        assert!((2_000..8_000).contains(&one_way.len()), "{}", one_way.len());
    }
}

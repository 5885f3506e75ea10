//! From what a source writes to the one canonical form of a value.
//!
//! Sources that write values the same way are a class, and workers number the texts of each class
//! for themselves; so a text is translated once, when the classes are merged, however many cells
//! hold it. Class 0 is the canonical form and is not translated: cost is nothing where all sources
//! write alike.

use super::scan::Scan;
use crate::format::{DateFormat, DecimalMark, TableFormat};
use arrow_schema::DataType;
use mingle_model::{Kind, Missing};
use std::sync::Arc;

/// What the texts of a column mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A declared kind, which every value must have.
    Declared(Kind),
    /// Nothing is known: texts stay as they are.
    Unknown,
    /// A look before there is a policy: what can be read as a day or a number is.
    Guessed,
}

/// How a class of sources writes values.
#[derive(Clone, PartialEq, Eq)]
struct ValueFormat {
    decimal: DecimalMark,
    date_format: Option<DateFormat>,
    /// Texts that mean that a value is missing, besides those that mean it everywhere.
    missing: Vec<String>,
}

/// The classes of some sources.
pub(super) struct Classes {
    /// Without class 0.
    formats: Vec<ValueFormat>,
    /// Per source its class, if its texts are translated at all.
    of_source: Vec<usize>,
    /// Per source all texts that mean that a value is missing.
    missing: Vec<Arc<Missing>>,
    /// What is written for them.
    canonical_missing: String,
}

/// A text that is not written as its source says: what was expected.
pub(super) struct NotAsExpected(pub(super) String);

impl Classes {
    pub(super) fn new(sources: &[&dyn Scan], everywhere: &Missing) -> Self {
        let mut formats: Vec<ValueFormat> = Vec::new();
        let mut of_source = Vec::with_capacity(sources.len());
        let mut missing = Vec::with_capacity(sources.len());
        for source in sources {
            let format = source.format();
            missing.push(Arc::new(format.all_missing(everywhere)));
            if !format.translates() && format.missing.is_empty() {
                of_source.push(0);
                continue;
            }
            let written = ValueFormat::of(format);
            let known = formats.iter().position(|other| *other == written);
            let class = known.unwrap_or(formats.len());
            if known.is_none() {
                formats.push(written);
            }
            of_source.push(class + 1);
        }
        Classes {
            formats,
            of_source,
            missing,
            canonical_missing: everywhere.canonical().to_owned(),
        }
    }

    /// How many there are besides class 0.
    pub(super) fn translated(&self) -> usize {
        self.formats.len()
    }

    /// All texts that mean in a source that a value is missing.
    pub(super) fn missing(&self, source: usize) -> &Arc<Missing> {
        &self.missing[source]
    }

    /// The class of a column of a source. Numbers and days that have a type need no translation,
    /// whatever the source says about texts.
    pub(super) fn class(&self, source: usize, meaning: Meaning, data_type: &DataType) -> usize {
        let class = self.of_source[source];
        if class == 0 || !is_text(data_type) {
            return 0;
        }
        let format = &self.formats[class - 1];
        let is_translated = match meaning {
            Meaning::Declared(Kind::Integer | Kind::Decimal) => {
                format.decimal != DecimalMark::Point
            }
            Meaning::Declared(Kind::Date) => format.date_format.is_some(),
            Meaning::Guessed => true,
            Meaning::Declared(Kind::Category) | Meaning::Unknown => false,
        };
        if is_translated || !format.missing.is_empty() {
            class
        } else {
            0
        }
    }

    /// The canonical form of a text of a class; `None` if that is the text itself.
    pub(super) fn translate(
        &self,
        class: usize,
        meaning: Meaning,
        text: &str,
        everywhere: &Missing,
    ) -> Result<Option<String>, NotAsExpected> {
        if class == 0 {
            return Ok(None);
        }
        let format = &self.formats[class - 1];
        if everywhere.contains(text) || format.missing.iter().any(|missing| missing == text) {
            return Ok(Some(self.canonical_missing.clone()));
        }
        match meaning {
            Meaning::Declared(Kind::Integer | Kind::Decimal) => {
                let translated = format.decimal.with_point(text);
                translated.map(Some).ok_or_else(|| format.expected_number())
            }
            Meaning::Declared(Kind::Date) => match &format.date_format {
                None => Ok(None),
                Some(days) => {
                    let translated = days.iso(text).map(Some);
                    translated.ok_or_else(|| NotAsExpected(format!("a date as {days}")))
                }
            },
            Meaning::Guessed => Ok(format.guess(text)),
            Meaning::Declared(Kind::Category) | Meaning::Unknown => Ok(None),
        }
    }
}

impl ValueFormat {
    fn of(format: &TableFormat) -> Self {
        let mut missing = format.missing.clone();
        missing.sort_unstable();
        missing.dedup();
        ValueFormat {
            decimal: format.decimal,
            date_format: format.date_format.clone(),
            missing,
        }
    }

    fn expected_number(&self) -> NotAsExpected {
        NotAsExpected(match self.decimal {
            DecimalMark::Point => "a number with a decimal point, such as 1.5".to_owned(),
            DecimalMark::Comma => {
                "a number with a decimal comma and nothing between thousands, such as 1,5"
                    .to_owned()
            }
        })
    }

    fn guess(&self, text: &str) -> Option<String> {
        if let Some(days) = &self.date_format
            && let Some(day) = days.iso(text)
        {
            return Some(day);
        }
        if self.decimal == DecimalMark::Comma && text.contains(',') {
            return self.decimal.with_point(text);
        }
        None
    }
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

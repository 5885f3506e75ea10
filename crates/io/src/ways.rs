//! In which ways a text may be written: as a number, as a day, and how.
//!
//! Where providers do not write a column in the same way, the way tells who contributed a row.
//! Cost: a word is told by its first character; a number or a day by reading it in each way.

use crate::format::{DateFormat, DecimalMark};
use mingle_model::{Kind, kind_of_text};

/// Ways of writing as bits, one for each of [`WaysOfWriting`].
pub type Ways = u16;

/// A number with a decimal point, or without decimals.
pub const NUMBER: Ways = 1;
/// A day as year-month-day.
pub const ISO_DAY: Ways = 2;
/// A number with a decimal comma.
pub const DECIMAL_COMMA: Ways = 4;
const FIRST_NATIONAL_DAY: usize = 3;

/// The ways that are looked for: numbers, year-month-day, decimal commas and national days.
pub struct WaysOfWriting {
    days: Vec<(&'static str, DateFormat)>,
}

impl Default for WaysOfWriting {
    fn default() -> Self {
        WaysOfWriting::new()
    }
}

impl WaysOfWriting {
    /// All of them.
    pub fn new() -> Self {
        let mut days = Vec::new();
        for pattern in DateFormat::COMMON {
            // eight digits are as often a number
            if pattern == "yyyy-mm-dd" || pattern == "yyyymmdd" {
                continue;
            }
            if let Some(format) = DateFormat::new(pattern) {
                days.push((pattern, format));
            }
        }
        WaysOfWriting { days }
    }

    /// The ways in which a text may be written; none for words and codes.
    pub fn of(&self, text: &str) -> Ways {
        // a cheap look first: most values of a category are words
        if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == ',') {
            return 0;
        }
        match kind_of_text(text) {
            Kind::Integer | Kind::Decimal => return NUMBER,
            Kind::Date => return ISO_DAY,
            Kind::Category => {}
        }
        let mut ways = 0;
        if text.contains(',') && DecimalMark::Comma.reads(text) {
            ways |= DECIMAL_COMMA;
        }
        for (at, (_, format)) in self.days.iter().enumerate() {
            if format.day(text).is_some() {
                ways |= 1 << (FIRST_NATIONAL_DAY + at);
            }
        }
        ways
    }

    /// All ways, one bit each.
    pub fn each(&self) -> impl Iterator<Item = Ways> {
        (0..FIRST_NATIONAL_DAY + self.days.len()).map(|bit| 1 << bit)
    }

    /// The patterns of national days among these ways.
    pub fn patterns(&self, ways: Ways) -> Vec<&'static str> {
        let mut patterns = Vec::new();
        for (at, (pattern, _)) in self.days.iter().enumerate() {
            if ways & (1 << (FIRST_NATIONAL_DAY + at)) != 0 {
                patterns.push(*pattern);
            }
        }
        patterns
    }

    /// What is written in these ways, for a message.
    pub fn in_words(&self, ways: Ways) -> String {
        if let Some(pattern) = self.patterns(ways).first() {
            return format!("dates written {pattern}");
        }
        let words = match ways {
            NUMBER => "numbers",
            ISO_DAY => "dates written yyyy-mm-dd",
            _ => "numbers with a decimal comma",
        };
        words.to_owned()
    }
}

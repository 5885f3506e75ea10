//! Dates: ISO, and as nations write them. A day of birth is known to many; other days are known to
//! those who were there.

use super::{Meaning, Recognition, SeenFacts};
use mingle_model::Kind;

/// Words of births; years of birth are no dates but numbers, and known as well.
pub const BIRTH: &[&str] = &[
    "birth",
    "birthday",
    "birthdate",
    "birthyear",
    "dob",
    "yob",
    "born",
    "geburt*",
    "gebdatum",
];
/// Words beside those that say where somebody was born.
pub const NOT_WHEN_BORN: &[&str] = &["place", "country", "state", "city"];
/// Words beside those that make it something else.
pub const NOT_BORN: &[&str] = &["weight", "order", "control"];
const DATE: &[&str] = &[
    "date", "day", "datum", "*datum", "tag", "year", "month", "jahr", "monat", "on",
];

/// Days, by kind, by shape or as a year.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    let days = facts.kind == Kind::Date || facts.mostly(is_day);
    if let Some((_, word)) = facts.word(BIRTH) {
        let place = facts.word(NOT_WHEN_BORN).is_some();
        let weight = facts.word(NOT_BORN).is_some();
        if !place && !weight && (days || facts.kind == Kind::Integer) {
            let why = format!("many know when somebody was born (\"{word}\" in its name)");
            return Some(Recognition::new(Meaning::BirthDate, why).ranked(1));
        }
    }
    if days {
        let why = "those who were there know the day";
        return Some(Recognition::new(Meaning::Date, why).ranked(1));
    }
    let (_, word) = facts.word(DATE)?;
    if facts.kind == Kind::Integer && facts.distinct <= 200 && facts.words.len() <= 2 {
        let why = format!("those who were there know when (\"{word}\" in its name)");
        return Some(Recognition::new(Meaning::Date, why).ranked(1));
    }
    None
}

/// `2001-03-02`, `02.03.2001`, `3/2/2001`, with or without a time of day.
fn is_day(text: &str) -> bool {
    let day = text.split([' ', 'T']).next().unwrap_or_default();
    for separator in ['-', '.', '/'] {
        let parts: Vec<&str> = day.split(separator).collect();
        let [first, second, third] = parts[..] else {
            continue;
        };
        let lengths = (first.len(), second.len(), third.len());
        let year_first = matches!(lengths, (4, 1..=2, 1..=2));
        let year_last = matches!(lengths, (1..=2, 1..=2, 2 | 4));
        let figures = parts
            .iter()
            .all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        if figures && (year_first || year_last) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_told_from_codes() {
        for day in [
            "2001-03-02",
            "02.03.2001",
            "3/2/2001",
            "2001-03-02T10:11:12",
            "02.03.01",
        ] {
            assert!(is_day(day), "{day}");
        }
        for other in [
            "250.83",
            "5-470.1",
            "1234-5",
            "020-7946-0018",
            "10-20",
            "1.2.3.4",
            "",
        ] {
            assert!(!is_day(other), "{other}");
        }
    }
}

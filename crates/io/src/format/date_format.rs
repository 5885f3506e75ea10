//! How days are written.
//!
//! A pattern has `yyyy`, `mm` and `dd` once each, in any order, with single characters between them
//! that are neither letters nor digits, or with nothing between them. A time of day may follow,
//! `hh:mm` or `hh:mm:ss` after a space or a `T`: it must be there, and it is dropped. Years have
//! four digits, because the century of two is a guess.

use mingle_model::date::{self, Day};
use std::fmt;

/// How days are written, such as `dd.mm.yyyy`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DateFormat {
    pattern: String,
    parts: Vec<DatePart>,
    time: Option<TimeOfDay>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum DatePart {
    Year,
    Month,
    Day,
    Separator(char),
}

/// A time of day behind the day, which is read and dropped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct TimeOfDay {
    /// What stands between the day and the time.
    separator: char,
    seconds: bool,
}

impl DateFormat {
    /// Patterns that are looked for where none is declared.
    pub const COMMON: [&str; 12] = [
        "yyyy-mm-dd",
        "dd.mm.yyyy",
        "dd/mm/yyyy",
        "mm/dd/yyyy",
        "dd-mm-yyyy",
        "mm-dd-yyyy",
        "yyyy/mm/dd",
        "yyyy.mm.dd",
        "yyyymmdd",
        "yyyy-mm-ddThh:mm:ss",
        "yyyy-mm-dd hh:mm:ss",
        "dd.mm.yyyy hh:mm",
    ];

    /// Reads a pattern; `None` if it is none.
    pub fn new(pattern: &str) -> Option<DateFormat> {
        let (days, time) = split_time(pattern)?;
        let mut parts = Vec::new();
        let mut rest = days;
        while !rest.is_empty() {
            let (part, length) = if rest.starts_with("yyyy") {
                (DatePart::Year, 4)
            } else if rest.starts_with("mm") {
                (DatePart::Month, 2)
            } else if rest.starts_with("dd") {
                (DatePart::Day, 2)
            } else {
                let separator = rest.chars().next()?;
                if separator.is_alphanumeric() || separator.is_control() {
                    return None;
                }
                (DatePart::Separator(separator), separator.len_utf8())
            };
            parts.push(part);
            rest = &rest[length..];
        }
        let once = |wanted: DatePart| parts.iter().filter(|&&part| part == wanted).count() == 1;
        let complete = once(DatePart::Year) && once(DatePart::Month) && once(DatePart::Day);
        let starts_with_number = !matches!(parts.first(), Some(DatePart::Separator(_)));
        let ends_with_number = !matches!(parts.last(), Some(DatePart::Separator(_)));
        if !(complete && starts_with_number && ends_with_number) {
            return None;
        }
        Some(DateFormat {
            pattern: pattern.to_owned(),
            parts,
            time,
        })
    }

    /// As it was written.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The day that a text names; `None` if it is not a day written this way.
    ///
    /// Days and months may lack their leading zero where a separator shows where they end.
    pub fn day(&self, text: &str) -> Option<Day> {
        let text = match self.time {
            None => text,
            Some(time) => time.without(text)?,
        };
        let (mut year, mut month, mut day) = (0, 0, 0);
        let mut rest = text;
        for (at, part) in self.parts.iter().enumerate() {
            if let DatePart::Separator(separator) = part {
                rest = rest.strip_prefix(*separator)?;
                continue;
            }
            let is_separated =
                matches!(self.parts.get(at + 1), None | Some(DatePart::Separator(_)))
                    && (at == 0 || matches!(self.parts[at - 1], DatePart::Separator(_)));
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let length = match part {
                DatePart::Year => 4,
                _ if is_separated => digits,
                _ => 2,
            };
            if digits < length || length == 0 || (*part != DatePart::Year && length > 2) {
                return None;
            }
            let number: i32 = rest[..length].parse().ok()?;
            match part {
                DatePart::Year => year = number,
                DatePart::Month => month = number,
                _ => day = number,
            }
            rest = &rest[length..];
        }
        if !rest.is_empty() {
            return None;
        }
        date::of(year, month, day)
    }

    /// The canonical text of the day that a text names.
    pub(crate) fn iso(&self, text: &str) -> Option<String> {
        self.day(text).map(date::text)
    }
}

fn split_time(pattern: &str) -> Option<(&str, Option<TimeOfDay>)> {
    let Some(at) = pattern.find("hh") else {
        return Some((pattern, None));
    };
    let separator = pattern[..at].chars().next_back()?;
    let seconds = match &pattern[at..] {
        "hh:mm" => false,
        "hh:mm:ss" => true,
        _ => return None,
    };
    if separator != ' ' && separator != 'T' {
        return None;
    }
    let time = TimeOfDay { separator, seconds };
    Some((&pattern[..at - 1], Some(time)))
}

impl TimeOfDay {
    /// The text before a time of day; `None` where there is no such time.
    fn without(self, text: &str) -> Option<&str> {
        let (day, time) = text.split_once(self.separator)?;
        // an instant in UTC, and parts of a second, name the same day
        let time = time.strip_suffix('Z').unwrap_or(time);
        let time = match time.split_once('.') {
            Some((whole, fraction))
                if self.seconds && fraction.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                whole
            }
            Some(_) => return None,
            None => time,
        };
        let mut limits = vec![24, 60];
        if self.seconds {
            limits.push(61);
        }
        let numbers: Vec<&str> = time.split(':').collect();
        if numbers.len() != limits.len() {
            return None;
        }
        for (number, limit) in numbers.iter().zip(limits) {
            let is_number =
                (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
            if !is_number || number.parse::<u32>().ok()? >= limit {
                return None;
            }
        }
        Some(day)
    }
}

impl fmt::Debug for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DateFormat({:?})", self.pattern)
    }
}

impl fmt::Display for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iso(pattern: &str, text: &str) -> Option<String> {
        DateFormat::new(pattern).unwrap().iso(text)
    }

    #[test]
    fn days_are_read_as_the_pattern_says() {
        for (pattern, text) in [
            ("dd.mm.yyyy", "02.03.2001"),
            ("dd.mm.yyyy", "2.3.2001"),
            ("mm/dd/yyyy", "03/02/2001"),
            ("yyyymmdd", "20010302"),
            ("ddmmyyyy", "02032001"),
            ("yyyy-mm-dd", "2001-03-02"),
            ("dd.mm.yyyy hh:mm", "02.03.2001 23:59"),
            ("yyyy-mm-ddThh:mm:ss", "2001-03-02T10:20:30"),
            ("yyyy-mm-ddThh:mm:ss", "2001-03-02T10:20:30.125Z"),
        ] {
            assert_eq!(iso(pattern, text).as_deref(), Some("2001-03-02"), "{text}");
        }
    }

    #[test]
    fn what_is_written_otherwise_is_no_day() {
        for (pattern, text) in [
            ("dd.mm.yyyy", "2001-03-02"),
            ("dd.mm.yyyy", "31.02.2001"),
            ("dd.mm.yyyy", "02.03.01"),
            ("dd.mm.yyyy", "02.03.2001 "),
            ("dd.mm.yyyy", "002.03.2001"),
            ("dd.mm.yyyy", "02.03.2001 10:00"),
            ("mm/dd/yyyy", "13/01/2001"),
            ("yyyymmdd", "2001032"),
            ("yyyymmdd", "200103021"),
            ("dd.mm.yyyy hh:mm", "02.03.2001"),
            ("dd.mm.yyyy hh:mm", "02.03.2001 24:00"),
            ("dd.mm.yyyy hh:mm", "02.03.2001 10:00:00"),
            ("dd.mm.yyyy", ""),
            ("dd.mm.yyyy", "٠٢.٠٣.٢٠٠١"),
        ] {
            assert_eq!(iso(pattern, text), None, "{pattern} {text:?}");
        }
    }

    #[test]
    fn patterns_name_year_month_and_day_once() {
        for pattern in [
            "",
            "yyyy",
            "dd.mm.yy",
            "dd.mm",
            "dd.dd.yyyy",
            "dd mmm yyyy",
            "DD.MM.YYYY",
            "dd.mm.yyyy.",
            ".dd.mm.yyyy",
            "dd.mm.yyyyhh:mm",
            "dd.mm.yyyy hh",
            "yyyy-mm-dd-mm",
        ] {
            assert!(DateFormat::new(pattern).is_none(), "{pattern:?}");
        }
        for pattern in DateFormat::COMMON {
            assert_eq!(DateFormat::new(pattern).unwrap().pattern(), pattern);
        }
    }
}

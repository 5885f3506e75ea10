//! The values of cells as the texts that a CSV file of the same table has.
//!
//! Whole numbers in decimal, fractions in the shortest form that reads back, days as `2001-03-02`,
//! instants at midnight as days and others as `2001-03-02T10:20:30`, times of day as `10:20:30`,
//! lengths of time as hours, minutes and seconds with as many hours as it takes, `true` and
//! `false`. Parts of a second are kept to the millisecond.
//!
//! Sheets keep numbers as 64-bit floats and days as such numbers, so some texts cannot be known: a
//! whole number of more than 15 digits may have lost its last ones, and the days up to 1 March 1900
//! are counted in two ways. Such cells are refused.

use mingle_io::CellFlaw;
use mingle_model::date;

/// A cell that holds something: its text, or why it has none.
pub(super) type CellText = Result<String, CellFlaw>;

/// Numbers from here on have more digits than a sheet keeps.
const INEXACT_FROM: f64 = 1e15;
const DAY_MILLISECONDS: i64 = 86_400_000;
/// Serial day 0 of the two systems, in days since 1970.
const DAY_ZERO_1900: i64 = -25_569;
const DAY_ZERO_1904: i64 = -24_107;
/// The first day that all programs count alike in the system of 1900: 1 March 1900.
const FIRST_SURE_DAY: i64 = 61;
/// 31 December 9999.
const LAST_DAY: i64 = 2_932_896;

/// From which day a workbook counts days.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DaySystem {
    From1900,
    From1904,
}

/// A number that stands for itself.
pub(super) fn number(value: f64) -> CellText {
    if !value.is_finite() {
        return Err(CellFlaw::Unknown);
    }
    if value.abs() >= INEXACT_FROM && value.fract() == 0.0 {
        return Err(CellFlaw::LongNumber);
    }
    // adding zero turns the negative zero into the positive one
    Ok((value + 0.0).to_string())
}

/// A number that stands for a day, an instant or, below 1, for a time of day.
pub(super) fn serial_date(serial: f64, system: DaySystem) -> CellText {
    let milliseconds = milliseconds(serial)?;
    let (day, of_day) = (
        milliseconds / DAY_MILLISECONDS,
        milliseconds % DAY_MILLISECONDS,
    );
    let since_1970 = match system {
        DaySystem::From1900 if day == 0 => return Ok(time_text(of_day)),
        DaySystem::From1900 if day < FIRST_SURE_DAY => return Err(CellFlaw::AmbiguousDate),
        // 1 January 1904, or a time of day
        DaySystem::From1904 if day == 0 => return Err(CellFlaw::AmbiguousDate),
        DaySystem::From1900 => day + DAY_ZERO_1900,
        DaySystem::From1904 => day + DAY_ZERO_1904,
    };
    if since_1970 > LAST_DAY {
        return Err(CellFlaw::NoDate);
    }
    Ok(instant_text(&date::text(since_1970 as i32), of_day))
}

/// A number of days that stands for a length of time.
pub(super) fn serial_duration(serial: f64) -> CellText {
    milliseconds(serial).map(time_text)
}

fn milliseconds(serial: f64) -> Result<i64, CellFlaw> {
    let milliseconds = (serial * DAY_MILLISECONDS as f64).round();
    // far beyond the year 9999, and still exact
    if !(0.0..4e14).contains(&milliseconds) {
        return Err(CellFlaw::NoDate);
    }
    Ok(milliseconds as i64)
}

/// `2001-03-02`, `2001-03-02T10:20:30` or the same with parts of a second.
pub(super) fn iso_date(text: &str) -> CellText {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (day, time) = match text.split_once('T') {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    let parsed = date::parse(day).ok_or(CellFlaw::NoDate)?;
    let of_day = match time {
        Some(time) => clock(time).ok_or(CellFlaw::NoDate)?,
        None => 0,
    };
    Ok(instant_text(&date::text(parsed), of_day))
}

/// `10:20:30.5` in milliseconds.
fn clock(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let hours = whole(parts.next()?, 2)?;
    let minutes = whole(parts.next()?, 2)?;
    let milliseconds = seconds(parts.next().unwrap_or("0"))?;
    let in_range = hours < 24 && minutes < 60 && milliseconds < 60_000;
    (in_range && parts.next().is_none()).then_some((hours * 60 + minutes) * 60_000 + milliseconds)
}

/// `PT10H20M30.5S`, and `P1DT2H` as 26 hours. Months and years have no length.
pub(super) fn iso_duration(text: &str) -> CellText {
    duration(text).map(time_text).ok_or(CellFlaw::NoDate)
}

fn duration(text: &str) -> Option<i64> {
    let (days, time) = text.strip_prefix('P')?.split_once('T')?;
    let mut total = match days.strip_suffix('D') {
        Some(days) => whole(days, 7)?.checked_mul(DAY_MILLISECONDS)?,
        None if days.is_empty() => 0,
        None => return None,
    };
    let mut rest = time;
    if let Some((hours, after)) = rest.split_once('H') {
        total += whole(hours, 9)?.checked_mul(3_600_000)?;
        rest = after;
    }
    if let Some((minutes, after)) = rest.split_once('M') {
        total += whole(minutes, 9)?.checked_mul(60_000)?;
        rest = after;
    }
    if let Some((part, after)) = rest.split_once('S') {
        total += seconds(part)?;
        rest = after;
    }
    let is_whole = rest.is_empty() && !time.is_empty();
    is_whole.then_some(total)
}

/// `30` or `30.5` in milliseconds; finer parts are rounded.
fn seconds(text: &str) -> Option<i64> {
    let (whole_seconds, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut digits = fraction.bytes().chain(std::iter::repeat(b'0'));
    let mut milliseconds = 0;
    for _ in 0..3 {
        milliseconds = milliseconds * 10 + i64::from(digits.next()? - b'0');
    }
    if digits.next()? >= b'5' {
        milliseconds += 1;
    }
    Some(whole(whole_seconds, 9)? * 1_000 + milliseconds)
}

fn whole(digits: &str, at_most: usize) -> Option<i64> {
    let is_number =
        (1..=at_most).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

fn instant_text(day: &str, of_day: i64) -> String {
    if of_day == 0 {
        day.to_owned()
    } else {
        format!("{day}T{}", time_text(of_day))
    }
}

fn time_text(milliseconds: i64) -> String {
    let seconds = milliseconds / 1_000;
    let mut text = format!(
        "{:02}:{:02}:{:02}",
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60
    );
    let fraction = milliseconds % 1_000;
    if fraction > 0 {
        let digits = format!(".{fraction:03}");
        text.push_str(digits.trim_end_matches('0'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use DaySystem::{From1900, From1904};

    #[test]
    fn numbers_as_csv_has_them() {
        for (value, text) in [
            (5.0, "5"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (1e-7, "0.0000001"),
            (123_456_789_012_345.0, "123456789012345"),
        ] {
            assert_eq!(number(value).as_deref(), Ok(text));
        }
        assert_eq!(number(1e15), Err(CellFlaw::LongNumber));
        assert_eq!(number(-1e300), Err(CellFlaw::LongNumber));
        assert_eq!(number(f64::NAN), Err(CellFlaw::Unknown));
    }

    #[test]
    fn days_of_both_systems() {
        assert_eq!(serial_date(61.0, From1900).as_deref(), Ok("1900-03-01"));
        assert_eq!(serial_date(36_952.0, From1900).as_deref(), Ok("2001-03-02"));
        assert_eq!(serial_date(35_490.0, From1904).as_deref(), Ok("2001-03-02"));
        assert_eq!(serial_date(1.0, From1904).as_deref(), Ok("1904-01-02"));
        assert_eq!(
            serial_date(2_958_465.0, From1900).as_deref(),
            Ok("9999-12-31")
        );
        assert_eq!(serial_date(2_958_466.0, From1900), Err(CellFlaw::NoDate));
        for serial in [1.0, 59.0, 60.0, 60.9] {
            assert_eq!(serial_date(serial, From1900), Err(CellFlaw::AmbiguousDate));
        }
        assert_eq!(serial_date(0.5, From1904), Err(CellFlaw::AmbiguousDate));
        for serial in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(serial_date(serial, From1900), Err(CellFlaw::NoDate));
        }
    }

    #[test]
    fn times() {
        assert_eq!(serial_date(0.5, From1900).as_deref(), Ok("12:00:00"));
        assert_eq!(serial_date(0.0, From1900).as_deref(), Ok("00:00:00"));
        // 10:20:30 is not a fraction that a float has
        assert_eq!(
            serial_date(36_952.0 + 37_230.0 / 86_400.0, From1900).as_deref(),
            Ok("2001-03-02T10:20:30")
        );
        // one tick before midnight is midnight
        assert_eq!(
            serial_date(36_952.999_999_999_99, From1900).as_deref(),
            Ok("2001-03-03")
        );
        assert_eq!(serial_duration(1.5).as_deref(), Ok("36:00:00"));
    }

    #[test]
    fn iso_texts() {
        assert_eq!(iso_date("2001-03-02").as_deref(), Ok("2001-03-02"));
        assert_eq!(iso_date("2001-03-02T00:00:00").as_deref(), Ok("2001-03-02"));
        assert_eq!(
            iso_date("2001-03-02T10:20:30.5").as_deref(),
            Ok("2001-03-02T10:20:30.5")
        );
        for text in [
            "",
            "2001-02-30",
            "2001-03-02T25:00:00",
            "2001-03-02T1",
            "zz",
        ] {
            assert_eq!(iso_date(text), Err(CellFlaw::NoDate), "{text}");
        }
        assert_eq!(iso_duration("PT10H20M30S").as_deref(), Ok("10:20:30"));
        assert_eq!(
            iso_duration("PT10H20M30.250S").as_deref(),
            Ok("10:20:30.25")
        );
        assert_eq!(iso_duration("P1DT2H").as_deref(), Ok("26:00:00"));
        for text in [
            "",
            "P1Y",
            "PT",
            "PT1X",
            "P-1DT1H",
            "PT99999999999999999999H",
        ] {
            assert_eq!(iso_duration(text), Err(CellFlaw::NoDate), "{text}");
        }
    }
}

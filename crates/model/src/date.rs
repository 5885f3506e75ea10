//! Calendar days of the proleptic Gregorian calendar, and the levels they generalize by.

/// Days since 1970-01-01.
pub type Day = i32;

/// Reads `2001-03-02`; years 0000 to 9999. Only real days: `2001-02-30` is `None`.
pub fn parse(text: &str) -> Option<Day> {
    let b = text.as_bytes();
    if b.len() != 10 || b[4] != b'-' || b[7] != b'-' {
        return None;
    }
    let number = |range: std::ops::Range<usize>| {
        b[range].iter().try_fold(0i32, |n, d| {
            d.is_ascii_digit().then(|| n * 10 + i32::from(d - b'0'))
        })
    };
    of(number(0..4)?, number(5..7)?, number(8..10)?)
}

/// The day of a year from 0 to 9999, a month and a day of the month; `None` if there is no such day.
pub fn of(year: i32, month: i32, day: i32) -> Option<Day> {
    if !(0..=9_999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    if !(1..=days_in_month(year, month)).contains(&day) {
        return None;
    }
    Some(to_day(year, month, day))
}

/// The canonical text of a day.
pub fn text(day: Day) -> String {
    let (year, month, day) = civil(day);
    format!("{year:04}-{month:02}-{day:02}")
}

/// How coarse a date is published.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// `2001-03`
    Month,
    /// `2001-Q1`
    Quarter,
    /// `2001`
    Year,
    /// `2000s`
    Decade,
}

impl Level {
    /// From the finest to the coarsest.
    pub const ALL: [Level; 4] = [Level::Month, Level::Quarter, Level::Year, Level::Decade];

    /// The word used in the policy file.
    pub fn name(self) -> &'static str {
        match self {
            Level::Month => "month",
            Level::Quarter => "quarter",
            Level::Year => "year",
            Level::Decade => "decade",
        }
    }

    /// The label of the month, quarter, year or decade that holds `day`.
    pub fn label(self, day: Day) -> String {
        let (year, month, _) = civil(day);
        match self {
            Level::Month => format!("{year:04}-{month:02}"),
            Level::Quarter => format!("{year:04}-Q{}", (month + 2) / 3),
            Level::Year => format!("{year:04}"),
            Level::Decade => format!("{:04}s", year - year % 10),
        }
    }
}

/// The first and last day that one of [`Level::label`]'s labels covers.
pub fn parse_label(text: &str) -> Option<(Day, Day)> {
    let year = |t: &str| {
        (t.len() == 4 && t.bytes().all(|b| b.is_ascii_digit()))
            .then(|| t.parse::<i32>().ok())
            .flatten()
    };
    let months = |year: i32, from: i32, to: i32| {
        (
            to_day(year, from, 1),
            to_day(year, to, days_in_month(year, to)),
        )
    };
    if let Some(decade) = text.strip_suffix('s').and_then(year) {
        return (decade % 10 == 0).then(|| (months(decade, 1, 1).0, months(decade + 9, 1, 12).1));
    }
    let Some((y, rest)) = text.split_once('-') else {
        return year(text).map(|y| months(y, 1, 12));
    };
    let y = year(y)?;
    match rest.strip_prefix('Q') {
        Some(q) => {
            let q = q.parse::<i32>().ok().filter(|q| (1..=4).contains(q))?;
            Some(months(y, 3 * q - 2, 3 * q))
        }
        None => {
            let m = rest
                .parse::<i32>()
                .ok()
                .filter(|m| rest.len() == 2 && (1..=12).contains(m))?;
            Some(months(y, m, m))
        }
    }
}

/// How many birthdays somebody born on a day has had on another; `None` if that is before the birth.
/// Who is born on a leap day is a year older on 1 March of other years.
pub fn whole_years(born: Day, on: Day) -> Option<i32> {
    if on < born {
        return None;
    }
    let (birth_year, birth_month, birth_day) = civil(born);
    let (year, month, day) = civil(on);
    let before_birthday = (month, day) < (birth_month, birth_day);
    Some(year - birth_year - i32::from(before_birthday))
}

fn days_in_month(year: i32, month: i32) -> i32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

// Years are counted from March so that the leap day is the last day of a year; 146,097 days make
// 400 years.
fn to_day(year: i32, month: i32, day: i32) -> Day {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil(day: Day) -> (i32, i32, i32) {
    let z = day + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i32::from(month <= 2);
    (
        year,
        month,
        day_of_year - (153 * month_from_march + 2) / 5 + 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_a_few_centuries_reads_back() {
        let (first, last) = (parse("1599-12-31").unwrap(), parse("2101-01-01").unwrap());
        assert_eq!(parse("1970-01-01"), Some(0));
        for day in first..=last {
            assert_eq!(parse(&text(day)), Some(day));
            for level in Level::ALL {
                let (lo, hi) = parse_label(&level.label(day)).unwrap();
                assert!(lo <= day && day <= hi);
                assert!(
                    level.label(lo) == level.label(hi) && level.label(hi) != level.label(hi + 1)
                );
            }
        }
    }

    #[test]
    fn days_that_do_not_exist() {
        for given in [
            "2001-02-29",
            "1900-02-29",
            "2001-13-01",
            "2001-00-01",
            "2001-01-00",
            "2001-1-1",
            "01-01-2001",
            "2001/01/01",
            "-001-01-01",
        ] {
            assert_eq!(parse(given), None, "{given}");
        }
        for given in [
            "2001-Q5", "2001-13", "2001-1", "2005s", "20s", "abcd", "2001-Q",
        ] {
            assert_eq!(parse_label(given), None, "{given}");
        }
    }
}

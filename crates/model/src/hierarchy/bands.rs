//! Bands between bounds that the policy names, and ages in whole years.
//!
//! A bound belongs to the band above it. The first and the last band are open: `<0`, `[0-17]`,
//! `[18-64]`, `≥65` for the bounds 0, 18, 65, whatever values occur. Whole numbers and days have a
//! last value before the next bound, so their bands are closed; decimals have none, and theirs are
//! half-open, `[18-65)`, so that a label does not depend on how precise the table is.

use super::HierarchyError;
use crate::band::{Band, BandOf};
use crate::date::{self, Day};
use crate::label::number_range;
use crate::number::Number;
use crate::schema::Kind;

/// What bounds are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoundsOf {
    /// Numbers.
    Numbers,
    /// Days, as numbers since 1970-01-01.
    Days,
}

/// Bounds of bands for one or more levels, each level's bounds among those of the level below.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bands {
    of: BoundsOf,
    levels: Vec<Vec<Number>>,
}

impl Bands {
    /// Bands of numbers, from the finest level to the coarsest.
    pub fn of_numbers(levels: Vec<Vec<Number>>) -> Result<Bands, HierarchyError> {
        check_bounds(&levels)?;
        let of = BoundsOf::Numbers;
        Ok(Bands { of, levels })
    }

    /// Bands of days, likewise.
    pub fn of_days(levels: Vec<Vec<Day>>) -> Result<Bands, HierarchyError> {
        let mut numbers = Vec::new();
        for level in levels {
            numbers.push(level.into_iter().map(crate::band::day_number).collect());
        }
        check_bounds(&numbers)?;
        Ok(Bands {
            of: BoundsOf::Days,
            levels: numbers,
        })
    }

    /// How many levels of bands there are.
    pub fn height(&self) -> usize {
        self.levels.len()
    }

    /// The bounds in words: levels are separated by ` / `.
    pub fn describe(&self) -> String {
        let mut levels = Vec::new();
        for level in &self.levels {
            let texts: Vec<String> = level.iter().map(|&bound| self.text(bound)).collect();
            levels.push(texts.join(", "));
        }
        levels.join(" / ")
    }

    pub(super) fn check_kind(&self, kind: Kind) -> Result<(), HierarchyError> {
        let (needs, expected, fits) = match self.of {
            BoundsOf::Numbers => (
                "`bands` with numbers",
                "numbers",
                matches!(kind, Kind::Integer | Kind::Decimal),
            ),
            BoundsOf::Days => ("`bands` with days", "dates", kind == Kind::Date),
        };
        if !fits {
            return Err(HierarchyError::WrongKind { needs, expected });
        }
        let fraction = |level: &Vec<Number>| level.iter().any(|bound| bound.scale > 0);
        if kind == Kind::Integer && self.levels.iter().any(fraction) {
            return Err(HierarchyError::FractionalBound);
        }
        Ok(())
    }

    /// The bands above a number, from the finest; without the root.
    pub(super) fn labels(&self, number: Number, kind: Kind) -> Vec<String> {
        let mut labels = Vec::new();
        for bounds in &self.levels {
            let above = bounds.partition_point(|&bound| bound <= number);
            let label = match (above.checked_sub(1).map(|at| bounds[at]), bounds.get(above)) {
                (None, Some(&first)) => format!("<{}", self.text(first)),
                (Some(low), Some(&next)) => self.between(low, next, kind),
                (Some(last), None) => format!("≥{}", self.text(last)),
                (None, None) => super::ROOT.to_owned(),
            };
            labels.push(label);
        }
        labels
    }

    fn between(&self, low: Number, next: Number, kind: Kind) -> String {
        match (self.of, kind) {
            (BoundsOf::Days, _) => {
                let (first, last) = (low.mantissa, next.mantissa - 1);
                if first == last {
                    self.text(low)
                } else {
                    format!("[{}/{}]", self.text(low), date::text(last as Day))
                }
            }
            (BoundsOf::Numbers, Kind::Decimal) => {
                format!("[{}-{})", self.text(low), self.text(next))
            }
            (BoundsOf::Numbers, _) => number_range(low.mantissa, next.mantissa - 1, 0),
        }
    }

    fn text(&self, bound: Number) -> String {
        match self.of {
            BoundsOf::Numbers => Number::text(bound.mantissa, bound.scale),
            BoundsOf::Days => date::text(bound.mantissa as Day),
        }
    }
}

/// Whole years between a date of birth and a day that the policy names, then bands of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ages {
    /// The day on which people are as old as it is published.
    pub at: Day,
    /// Bands of years above the years of age.
    pub bands: Option<Bands>,
}

/// What stands before every age, so that 34 years are no year 34.
const AGE: &str = "age ";

impl Ages {
    /// How many levels there are below the root.
    pub fn height(&self) -> usize {
        1 + self.bands.as_ref().map_or(0, Bands::height)
    }

    /// The rule in words.
    pub fn describe(&self) -> String {
        let at = date::text(self.at);
        match &self.bands {
            None => at,
            Some(bands) => format!("{at} / {}", bands.describe()),
        }
    }

    /// Whether a text is written like an age, whoever has it.
    pub(crate) fn is_label(text: &str) -> bool {
        let Some(rest) = text.strip_prefix(AGE) else {
            return false;
        };
        Band::parse(rest, BandOf::Numbers).is_some()
    }

    /// The years of age, then the bands, for a day of birth; `None` where it is after the day of
    /// reference.
    pub(super) fn labels(&self, born: Day) -> Option<Vec<String>> {
        let years = date::whole_years(born, self.at)?;
        let mut labels = vec![format!("{AGE}{years}")];
        let years = Number {
            mantissa: years.into(),
            scale: 0,
        };
        if let Some(bands) = &self.bands {
            for label in bands.labels(years, Kind::Integer) {
                labels.push(format!("{AGE}{label}"));
            }
        }
        Some(labels)
    }
}

fn check_bounds(levels: &[Vec<Number>]) -> Result<(), HierarchyError> {
    if levels.is_empty() {
        return Err(HierarchyError::NoLevel);
    }
    for (index, bounds) in levels.iter().enumerate() {
        let level = index + 1;
        if bounds.is_empty() {
            return Err(HierarchyError::NoBound { level });
        }
        for place in 1..bounds.len() {
            if bounds[place] <= bounds[place - 1] {
                let place = place + 1;
                return Err(HierarchyError::BoundsUnsorted { level, place });
            }
        }
        if index == 0 {
            continue;
        }
        let finer = &levels[index - 1];
        if let Some(place) = bounds.iter().position(|bound| !finer.contains(bound)) {
            let place = place + 1;
            return Err(HierarchyError::BoundsNotNested { level, place });
        }
        if bounds.len() == finer.len() {
            return Err(HierarchyError::SameBounds { level });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    fn bands(levels: &[&str]) -> Result<Bands, HierarchyError> {
        let level = |text: &&str| match *text {
            "" => Vec::new(),
            text => text.split(' ').map(number).collect(),
        };
        Bands::of_numbers(levels.iter().map(level).collect())
    }

    #[test]
    fn bounds_belong_to_the_band_above() {
        let ages = bands(&["0 18 65", "18"]).unwrap();
        for (value, expected) in [
            ("-1", ["<0", "<18"]),
            ("0", ["[0-17]", "<18"]),
            ("17", ["[0-17]", "<18"]),
            ("18", ["[18-64]", "≥18"]),
            ("65", ["≥65", "≥18"]),
        ] {
            assert_eq!(ages.labels(number(value), Kind::Integer), expected);
        }
        let weights = bands(&["-2.5 1 1.25"]).unwrap();
        for (value, expected) in [
            ("-2.6", "<-2.5"),
            ("-2.5", "[-2.5-1)"),
            ("0.999999", "[-2.5-1)"),
            ("1.2", "[1-1.25)"),
            ("1.25", "≥1.25"),
        ] {
            assert_eq!(weights.labels(number(value), Kind::Decimal), [expected]);
        }
        assert_eq!(
            weights.check_kind(Kind::Integer),
            Err(HierarchyError::FractionalBound)
        );
        assert!(weights.check_kind(Kind::Date).is_err());
        assert_eq!(ages.describe(), "0, 18, 65 / 18");
    }

    #[test]
    fn days_have_a_last_one_before_the_next_bound() {
        let day = |text: &str| date::parse(text).unwrap();
        let days = vec![day("2000-01-01"), day("2010-01-01"), day("2010-01-02")];
        let bands = Bands::of_days(vec![days]).unwrap();
        let label = |text: &str| {
            let number = crate::band::day_number(day(text));
            bands.labels(number, Kind::Date).remove(0)
        };
        assert_eq!(label("1999-12-31"), "<2000-01-01");
        assert_eq!(label("2009-12-31"), "[2000-01-01/2009-12-31]");
        assert_eq!(label("2010-01-01"), "2010-01-01");
        assert_eq!(label("2011-01-01"), "≥2010-01-02");
    }

    #[test]
    fn people_have_birthdays() {
        let day = |text: &str| date::parse(text).unwrap();
        let ages = Ages {
            at: day("2023-02-28"),
            bands: Some(bands(&["18 65"]).unwrap()),
        };
        for (born, expected) in [
            ("2005-02-28", Some(["age 18", "age [18-64]"])),
            ("2005-03-01", Some(["age 17", "age <18"])),
            ("2004-02-29", Some(["age 18", "age [18-64]"])),
            ("2000-02-29", Some(["age 22", "age [18-64]"])),
            ("1900-01-01", Some(["age 123", "age ≥65"])),
            ("2023-02-28", Some(["age 0", "age <18"])),
            ("2023-03-01", None),
        ] {
            let labels = ages.labels(day(born));
            let labels = labels.as_ref().map(|l| [l[0].as_str(), l[1].as_str()]);
            assert_eq!(labels, expected, "{born}");
        }
        assert_eq!(ages.describe(), "2023-02-28 / 18, 65");
    }

    #[test]
    fn bounds_that_say_nothing_sensible() {
        use HierarchyError as E;
        for (levels, expected) in [
            (&[][..], E::NoLevel),
            (&["0 18", ""], E::NoBound { level: 2 }),
            (&["0 18 18"], E::BoundsUnsorted { level: 1, place: 3 }),
            (&["18 0"], E::BoundsUnsorted { level: 1, place: 2 }),
            (&["0 18", "0 17"], E::BoundsNotNested { level: 2, place: 2 }),
            (&["0 18", "0 18"], E::SameBounds { level: 2 }),
        ] {
            assert_eq!(bands(levels), Err(expected), "{levels:?}");
        }
    }
}

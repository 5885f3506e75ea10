//! The grid on which the ends of ranges are widened.
//!
//! A tight range tells that somebody has exactly its smallest and its largest value. Where few
//! providers contribute that value, the range is published with the next boundary of a grid
//! instead, which tells nothing of the kind. The grid is the coarsest of steps 2, 5, 10, 20, 50 …
//! (for dates also months, quarters, years, decades) that divides what occurs in the column into at
//! least ten parts; a step of 1 would tell as much as no grid, so narrow columns have fewer parts.
//! It follows from the column's smallest and largest value alone.

use crate::date::{self, Day, Level};
use crate::domain::Domain;
use crate::schema::Kind;

/// Boundaries of a column of numbers or dates that is published in ranges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid(Step);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Multiples of this number, at the column's scale.
    Multiples(i128),
    /// Calendar periods.
    Periods(Level),
}

/// The grid has at least so many parts.
const PARTS: i128 = 10;

impl Domain {
    /// The grid of this column; `None` unless it holds numbers or dates and has no hierarchy.
    pub fn grid(&self) -> Option<Grid> {
        let (low, high) = self.extent().filter(|_| self.hierarchy().is_none())?;
        let part = (high - low) / PARTS;
        Some(Grid(match self.kind() {
            Kind::Date => period(part),
            _ => Step::Multiples(round(part)),
        }))
    }
}

impl Grid {
    /// The largest boundary that is not above `number`: what a lower end is widened to.
    pub fn floor(self, number: i128) -> i128 {
        match self.0 {
            Step::Multiples(step) => number.div_euclid(step) * step,
            Step::Periods(level) => {
                period_of(level, number).map_or(number, |(first, _)| first.into())
            }
        }
    }

    /// The last number before the next boundary: what an upper end is widened to.
    pub fn ceil(self, number: i128) -> i128 {
        match self.0 {
            Step::Multiples(step) => number.div_euclid(step) * step + (step - 1),
            Step::Periods(level) => {
                period_of(level, number).map_or(number, |(_, last)| last.into())
            }
        }
    }
}

fn period(days: i128) -> Step {
    match days {
        ..30 => Step::Multiples(round(days)),
        30..91 => Step::Periods(Level::Month),
        91..365 => Step::Periods(Level::Quarter),
        365..3650 => Step::Periods(Level::Year),
        _ => Step::Periods(Level::Decade),
    }
}

fn period_of(level: Level, day: i128) -> Option<(Day, Day)> {
    date::parse_label(&level.label(Day::try_from(day).ok()?))
}

/// The largest of 2, 5, 10, 20, 50 … that is not above `part`, at least 2.
fn round(part: i128) -> i128 {
    let mut power = 1;
    while part / power >= 10 {
        power *= 10;
    }
    [5, 2]
        .into_iter()
        .map(|digit| digit * power)
        .find(|&step| step <= part)
        .unwrap_or(power)
        .max(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use crate::schema::{ColumnSpec, Missing, Role};

    fn grid(texts: &[&str]) -> Grid {
        let spec = ColumnSpec::new("q", Role::QuasiIdentifier);
        let column = Column::from_texts(spec, texts.iter().copied(), &Missing::default())
            .ok()
            .unwrap();
        column.domain.grid().unwrap()
    }

    #[test]
    fn steps_people_would_choose() {
        assert_eq!(
            [0, 1, 3, 7, 10, 49, 50, 99_999].map(round),
            [2, 2, 2, 5, 10, 20, 50, 50_000]
        );
        let ages = grid(&["17", "90"]);
        assert_eq!(
            (ages.floor(17), ages.ceil(17), ages.floor(20), ages.ceil(24)),
            (15, 19, 20, 24)
        );
        assert_eq!((ages.floor(-1), ages.ceil(-1)), (-5, -1));
        assert_eq!(grid(&["3", "3"]), Grid(Step::Multiples(2)));
        // 0.5 to 3.0: steps of 0.2, in tenths
        let decimals = grid(&["0.5", "3.0"]);
        assert_eq!((decimals.floor(5), decimals.ceil(5)), (4, 5));
    }

    #[test]
    fn dates_have_periods() {
        let day = |text: &str| i128::from(date::parse(text).unwrap());
        let years = grid(&["1990-01-01", "2010-01-01"]);
        assert_eq!(
            (
                years.floor(day("2001-03-02")),
                years.ceil(day("2001-03-02"))
            ),
            (day("2001-01-01"), day("2001-12-31"))
        );
        let days = grid(&["2001-01-01", "2001-01-20"]);
        assert_eq!(
            days.ceil(day("2001-01-07")) - days.floor(day("2001-01-07")),
            1
        );
    }

    #[test]
    fn widening_covers_and_stays_put() {
        for grid in [
            grid(&["17", "90"]),
            grid(&["-3.25", "1000"]),
            grid(&["1990-01-01", "2010-01-01"]),
        ] {
            for number in -2000..2000 {
                let (floor, ceil) = (grid.floor(number), grid.ceil(number));
                assert!(floor <= number && number <= ceil);
                assert_eq!(
                    (grid.floor(floor), grid.ceil(ceil), grid.ceil(floor)),
                    (floor, ceil, ceil)
                );
            }
        }
    }
}

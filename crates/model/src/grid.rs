//! The grid on which the ends of ranges are widened.
//!
//! A tight range tells that somebody has exactly its smallest and its largest value. Where few
//! providers contribute that value, the range is published with the next boundary of a grid
//! instead. The policy may declare a column's grid. Where it does not, the grid follows from the
//! distinct values of the *published* rows: whoever is left out leaves no trace in the labels of the
//! others.
//!
//! **The step** is the largest of 2, 5, 10, 20, 50 … (for dates also months, quarters, years,
//! decades) of which eight fit between the values that a tenth of all distinct values are below and
//! above: a few extreme values, which any single provider may bring, change nothing for everybody
//! else. A step of 1 would tell as much as no grid. **Beyond** a hundred steps from those values the step
//! is ten times as large, beyond a thousand a hundred times, and so on: an end out there belongs
//! to few, and is told as roughly as it is rare.
//!
//! What it gives away: the step tells the order of magnitude of how far most published values are
//! apart, and the decimal places of ends how precise published values are.

use crate::codes::Code;
use crate::date::{self, Day, Level};
use crate::domain::Domain;
use crate::number::Number;
use crate::schema::Kind;

/// Boundaries of a column of numbers or dates that is published in ranges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid(Step);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Multiples of a number.
    Multiples(Multiples),
    /// Calendar periods.
    Periods(Level),
}

/// All at the column's scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Multiples {
    step: i128,
    /// The difference between neighbouring numbers: an upper end is this much below a boundary.
    unit: i128,
    /// Where steps begin to grow: below the first and above the second; nowhere for a declared grid.
    even_within: Option<(i128, i128)>,
}

/// A step that the policy declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeclaredGrid {
    /// Multiples of a number, or of days.
    Multiples(Number),
    /// Calendar periods.
    Periods(Level),
}

/// So many steps fit into the middle eight tenths of the distinct values.
const PARTS: i128 = 8;

/// Steps grow beyond so many of them.
const EVEN_STEPS: i128 = 100;

impl Domain {
    /// The grid of this column if all of its values are published; `None` unless it holds numbers or
    /// dates and has no hierarchy.
    pub fn grid(&self) -> Option<Grid> {
        self.grid_among(|_| true)
    }

    /// The grid of this column if only some of its values are published. A column that publishes
    /// none has the grid of a column of zeros.
    pub fn grid_among(&self, is_published: impl Fn(Code) -> bool) -> Option<Grid> {
        if self.hierarchy().is_some() || !self.kind().is_numeric() || self.is_empty() {
            return None;
        }
        if let Some(declared) = self.declared_grid() {
            return Some(declared);
        }
        // codes without a hierarchy are in numeric order
        let mut numbers = Vec::new();
        for code in 0..self.len() as Code {
            if is_published(code) {
                numbers.extend(self.number(code));
            }
        }
        let (low, high) = middle(&numbers);
        let part = (high - low) / PARTS;
        if self.kind() == Kind::Date {
            return Some(Grid(period(part)));
        }
        // in units of the published values: places that only somebody left out has must not show
        let unit = coarsest_unit(&numbers, self.scale());
        let step = round(part / unit) * unit;
        let even_within = (low - EVEN_STEPS * step, high + EVEN_STEPS * step);
        Some(Grid(Step::Multiples(Multiples {
            step,
            unit,
            even_within: Some(even_within),
        })))
    }
}

impl DeclaredGrid {
    /// The grid of a column at this scale; `None` where the values are more precise than its steps, so
    /// that an upper end just below a boundary would not be fixed by the grid.
    pub(crate) fn at_scale(&self, scale: u8) -> Option<Grid> {
        let step = match self {
            DeclaredGrid::Periods(level) => return Some(Grid(Step::Periods(*level))),
            DeclaredGrid::Multiples(step) => step,
        };
        // with values in quarters a grid of halves would have upper ends that no half is
        if scale > step.scale {
            return None;
        }
        let steps = step.at_scale(step.scale)?;
        let coarser = 10i128.checked_pow(u32::from(step.scale - scale))?;
        if steps < 1 || steps % coarser != 0 {
            return None;
        }
        Some(Grid(Step::Multiples(Multiples {
            step: steps / coarser,
            unit: 1,
            even_within: None,
        })))
    }
}

impl Grid {
    /// The largest boundary that is not above `number`: what a lower end is widened to.
    pub fn floor(self, number: i128) -> i128 {
        self.part_of(number).0
    }

    /// The last number before the next boundary: what an upper end is widened to.
    pub fn ceil(self, number: i128) -> i128 {
        self.part_of(number).1
    }

    /// Whether a range begins and ends at boundaries.
    pub fn has(self, low: i128, high: i128) -> bool {
        self.floor(low) == low && self.ceil(high) == high
    }

    /// The first and the last number between the boundaries around `number`.
    fn part_of(self, number: i128) -> (i128, i128) {
        match self.0 {
            Step::Multiples(multiples) => multiples.part_of(number),
            Step::Periods(level) => match period_of(level, number) {
                Some((first, last)) => (first.into(), last.into()),
                None => (number, number),
            },
        }
    }
}

impl Multiples {
    fn part_of(&self, number: i128) -> (i128, i128) {
        let mut step = self.step;
        let Some((mut lowest, mut highest)) = self.even_within else {
            return between(number, step, self.unit);
        };
        // parts are cut where the zones of two steps meet, which is a boundary of the larger step
        loop {
            let larger = step * 10;
            let (begin, end) = (
                lowest.div_euclid(larger) * larger,
                highest.div_euclid(larger) * larger + larger,
            );
            if begin <= number && number < end {
                return between(number, step, self.unit);
            }
            (lowest, highest) = (begin - EVEN_STEPS * larger, end + EVEN_STEPS * larger);
            step = larger;
        }
    }
}

/// The multiples of `step` around a number: the lower one, and the last unit before the upper one.
fn between(number: i128, step: i128, unit: i128) -> (i128, i128) {
    let first = number.div_euclid(step) * step;
    (first, first + step - unit)
}

/// The numbers that a tenth of them are below and above.
fn middle(numbers: &[i128]) -> (i128, i128) {
    let Some(last) = numbers.len().checked_sub(1) else {
        return (0, 0);
    };
    let tenth = last / 10;
    (numbers[tenth], numbers[last - tenth])
}

/// The largest power of ten up to 10^scale that divides all numbers.
fn coarsest_unit(numbers: &[i128], scale: u8) -> i128 {
    let mut unit = 1;
    for _ in 0..scale {
        let coarser = unit * 10;
        if numbers.iter().any(|number| number % coarser != 0) {
            break;
        }
        unit = coarser;
    }
    unit
}

fn period(days: i128) -> Step {
    match days {
        ..30 => Step::Multiples(Multiples {
            step: round(days),
            unit: 1,
            even_within: None,
        }),
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
        let single = grid(&["3", "3"]);
        assert_eq!((single.floor(3), single.ceil(3)), (2, 3));
        // 0.5 to 3.0: steps of 0.2, in tenths
        let decimals = grid(&["0.5", "3.0"]);
        assert_eq!((decimals.floor(5), decimals.ceil(5)), (4, 5));
    }

    #[test]
    fn a_few_extreme_values_change_nothing_for_the_others() {
        let mut incomes: Vec<String> = (0..50).map(|n| (20_000 + n * 1_000).to_string()).collect();
        let without: Vec<&str> = incomes.iter().map(String::as_str).collect();
        let plain = grid(&without);
        assert_eq!((plain.floor(31_234), plain.ceil(31_234)), (30_000, 34_999));
        incomes.push("98765432".to_owned());
        incomes.push("-98765432".to_owned());
        let with: Vec<&str> = incomes.iter().map(String::as_str).collect();
        let wide = grid(&with);
        for number in 20_000..70_000 {
            assert_eq!(plain.floor(number), wide.floor(number));
            assert_eq!(plain.ceil(number), wide.ceil(number));
        }
        // and they are told as roughly as they are rare
        let part = wide.part_of(98_765_432);
        assert!(part.1 - part.0 > 1_000_000, "{part:?}");
    }

    #[test]
    fn only_published_values_count() {
        let spec = ColumnSpec::new("q", Role::QuasiIdentifier);
        let texts = ["20", "30", "40.125", "1000000"];
        let column = Column::from_texts(spec, texts, &Missing::default());
        let domain = column.ok().unwrap().domain;
        let published = domain.grid_among(|code| code < 2).unwrap();
        // 20.000 to 30.000 in steps of 2, ends without decimal places
        assert_eq!(published.part_of(21_125), (20_000, 21_000));
        assert_ne!(Some(published), domain.grid());
    }

    #[test]
    fn a_declared_grid_is_the_same_for_all_values() {
        let declared = |step: &str, texts: &[&str]| {
            let spec = ColumnSpec {
                grid: Number::parse(step).map(DeclaredGrid::Multiples),
                ..ColumnSpec::new("q", Role::QuasiIdentifier)
            };
            let column = Column::from_texts(spec, texts.iter().copied(), &Missing::default());
            column.ok().map(|column| column.domain.grid().unwrap())
        };
        let few = declared("5", &["1", "3"]).unwrap();
        assert_eq!(Some(few), declared("5", &["1", "98765432"]));
        assert_eq!(few.part_of(98_765_432), (98_765_430, 98_765_434));
        assert_eq!(
            declared("0.5", &["0.1"]).unwrap().part_of(7),
            (5, 9),
            "in tenths"
        );
        // upper ends just below a boundary would follow the values
        assert_eq!(declared("5", &["1.5", "2"]), None);
        assert_eq!(declared("0.5", &["1", "2"]), None);
        assert_eq!(declared("5", &["a", "b"]), None);
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
            grid(&[
                "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "100000",
            ]),
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

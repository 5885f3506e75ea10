//! The bars of a column: which values are shown together, and what they are called.
//!
//! Numbers and days lie on a line: where there are too many values, they are shown in intervals of
//! one width (1, 2 or 5 times a power of ten; weeks, months, quarters, years and so on), those
//! without a row included, so that a gap looks like one. Other values with an order are united with
//! their neighbours. Values without an order come by frequency, the rest together. What has no
//! place in the order, such as a missing value, has a bar of its own.

use crate::utility::marginals::United;
use mingle_model::{Code, Column, Domain, Kind, Number, Role, date};
use std::collections::BTreeMap;

/// The longest label in characters.
const LABEL: usize = 100;

/// A column of a comparison: its cells and how they are shown.
#[derive(Clone, Debug)]
pub struct ComparisonAxis {
    /// The column's name.
    pub name: String,
    /// What it is.
    pub role: Role,
    order: Order,
    /// Per cell its name; one more cell is for what is outside.
    labels: Vec<String>,
    /// Per cell whether it is apart from the others.
    apart: Vec<bool>,
}

/// How the cells of a column lie.
#[derive(Clone, Debug)]
enum Order {
    /// At numbers with so many decimal places; cells that are apart have none.
    Numbers(Vec<Option<i128>>, u8),
    /// At days; cells that are apart have none.
    Days(Vec<Option<i128>>),
    /// One after the other.
    Listed,
    /// Anywhere.
    Unordered,
}

/// The bars of a column: their labels, and where each cell is shown. What no bar shows is counted
/// behind the last.
#[derive(Clone, Debug)]
pub(super) struct Bars {
    pub(super) labels: Vec<String>,
    pub(super) united: United,
}

impl ComparisonAxis {
    /// Each value of a column is a cell.
    pub fn values(column: &Column) -> ComparisonAxis {
        let domain = &column.domain;
        let codes = || 0..domain.len() as Code;
        let numbers = || codes().map(|code| domain.number(code)).collect();
        let order = match domain.kind() {
            Kind::Date => Order::Days(numbers()),
            kind if kind.is_numeric() => Order::Numbers(numbers(), domain.scale()),
            _ if domain.is_ordered() => Order::Listed,
            _ => Order::Unordered,
        };
        ComparisonAxis {
            name: column.spec.name.clone(),
            role: column.spec.role,
            order,
            labels: codes().map(|code| label(domain, code)).collect(),
            apart: codes().map(|code| domain.missing() == Some(code)).collect(),
        }
    }

    /// Declared cells with their labels; the last `apart` of them are outside of the order, if
    /// there is one.
    pub fn declared(
        name: impl Into<String>,
        role: Role,
        ordered: bool,
        labels: Vec<String>,
        apart: usize,
    ) -> ComparisonAxis {
        let first_apart = labels.len().saturating_sub(apart);
        ComparisonAxis {
            name: name.into(),
            role,
            order: if ordered {
                Order::Listed
            } else {
                Order::Unordered
            },
            apart: (0..labels.len()).map(|cell| cell >= first_apart).collect(),
            labels: labels.into_iter().map(|label| cut(&label)).collect(),
        }
    }

    /// Whether bars are in the order of the values.
    pub(super) fn is_ordered(&self) -> bool {
        !matches!(self.order, Order::Unordered)
    }

    /// At most so many bars. `weight` is how much there is of each cell; cells without any get no
    /// bar of their own unless the order shows that nothing is there.
    pub(super) fn bars(&self, most: usize, weight: &[f64]) -> Bars {
        let apart: Vec<usize> = (0..self.labels.len())
            .filter(|&c| self.apart[c] && weight[c] > 0.0)
            .collect();
        match &self.order {
            Order::Unordered => self.by_weight(most, weight),
            order => {
                let room = most.saturating_sub(apart.len()).max(1);
                let mut bars = match order {
                    Order::Numbers(at, scale) => {
                        self.on_a_line(at, room, || intervals(at, *scale, room))
                    }
                    Order::Days(at) => self.on_a_line(at, room, || periods(at, room)),
                    _ => self.listed(room),
                };
                bars.extend(
                    apart
                        .into_iter()
                        .map(|cell| (self.labels[cell].clone(), vec![cell])),
                );
                self.united(bars)
            }
        }
    }

    /// The weightiest, each by itself.
    fn by_weight(&self, most: usize, weight: &[f64]) -> Bars {
        let mut cells: Vec<usize> = (0..self.labels.len())
            .filter(|&cell| weight[cell] > 0.0)
            .collect();
        cells.sort_by(|&a, &b| weight[b].total_cmp(&weight[a]).then(a.cmp(&b)));
        cells.truncate(most);
        self.united(
            cells
                .into_iter()
                .map(|cell| (self.labels[cell].clone(), vec![cell]))
                .collect(),
        )
    }

    /// Values by themselves where they are few.
    fn on_a_line(
        &self,
        at: &[Option<i128>],
        most: usize,
        divided: impl FnOnce() -> Divided,
    ) -> Divided {
        let mut cells: Vec<(i128, usize)> = at
            .iter()
            .enumerate()
            .filter_map(|(c, n)| Some(((*n)?, c)))
            .collect();
        if cells.len() > most {
            return divided();
        }
        cells.sort_unstable();
        cells
            .into_iter()
            .map(|(_, cell)| (self.labels[cell].clone(), vec![cell]))
            .collect()
    }

    /// Neighbours together.
    fn listed(&self, most: usize) -> Divided {
        let cells: Vec<usize> = (0..self.labels.len())
            .filter(|&cell| !self.apart[cell])
            .collect();
        let together = cells.len().div_ceil(most).max(1);
        let bar = |cells: &[usize]| {
            let label = match cells {
                [only] => self.labels[*only].clone(),
                [first, .., last] => {
                    cut(&format!("{} … {}", self.labels[*first], self.labels[*last]))
                }
                [] => String::new(),
            };
            (label, cells.to_vec())
        };
        cells.chunks(together).map(bar).collect()
    }

    fn united(&self, bars: Divided) -> Bars {
        // the cell for what is outside is none of the bars'
        let mut into = vec![bars.len() as u32; self.labels.len() + 1];
        for (bar, (_, cells)) in (0..).zip(&bars) {
            cells.iter().for_each(|&cell| into[cell] = bar);
        }
        let united = United::new(into, bars.len() + 1);
        Bars {
            labels: bars.into_iter().map(|(label, _)| label).collect(),
            united,
        }
    }
}

/// Bars with the cells that each shows.
type Divided = Vec<(String, Vec<usize>)>;

fn label(domain: &Domain, code: Code) -> String {
    if domain.missing() == Some(code) {
        "missing".to_owned()
    } else {
        cut(domain.text(code))
    }
}

/// The beginning of a label that is too long.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LABEL) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Intervals of the smallest round width that are not too many.
fn intervals(at: &[Option<i128>], scale: u8, most: usize) -> Divided {
    let widths = (0..38u32)
        .flat_map(|power| [1, 2, 5].map(|n| 10i128.saturating_pow(power).saturating_mul(n)));
    let name = |place: i128, width: i128| {
        let (lo, hi) = (
            place.saturating_mul(width),
            place
                .saturating_add(1)
                .saturating_mul(width)
                .saturating_sub(1),
        );
        if lo == hi {
            Number::text(lo, scale)
        } else {
            format!("[{}-{}]", Number::text(lo, scale), Number::text(hi, scale))
        }
    };
    let mut fitting =
        widths.map(|width| (width, divided(at, most, |number| number.div_euclid(width))));
    let (width, found) = fitting
        .find_map(|(width, found)| Some((width, found?)))
        .unwrap_or_default();
    found
        .into_iter()
        .map(|(place, cells)| (name(place, width), cells))
        .collect()
}

/// Weeks, or months, quarters, years and so on that are not too many.
fn periods(at: &[Option<i128>], most: usize) -> Divided {
    let week = |day: i128| (day + 3).div_euclid(7);
    if let Some(found) = divided(at, most, week) {
        let name = |week: i128| format!("[{}/{}]", day_text(week * 7 - 3), day_text(week * 7 + 3));
        return found
            .into_iter()
            .map(|(place, cells)| (name(place), cells))
            .collect();
    }
    let months = [
        1, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 6_000, 12_000, 120_000,
    ];
    let mut fitting = months
        .iter()
        .map(|&n| (n, divided(at, most, |day| month(day).div_euclid(n))));
    let (n, found) = fitting
        .find_map(|(n, found)| Some((n, found?)))
        .unwrap_or_default();
    found
        .into_iter()
        .map(|(place, cells)| (period(place * n, n), cells))
        .collect()
}

/// Cells by place, empty places between the first and the last included; `None` if these are too
/// many.
fn divided(
    at: &[Option<i128>],
    most: usize,
    place: impl Fn(i128) -> i128,
) -> Option<Vec<(i128, Vec<usize>)>> {
    let mut places: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
    for (cell, number) in at
        .iter()
        .enumerate()
        .filter_map(|(cell, number)| Some((cell, (*number)?)))
    {
        places.entry(place(number)).or_default().push(cell);
    }
    let (Some((&first, _)), Some((&last, _))) = (places.first_key_value(), places.last_key_value())
    else {
        return Some(Vec::new());
    };
    if last.checked_sub(first)? >= most as i128 {
        return None;
    }
    Some(
        (first..=last)
            .map(|place| (place, places.remove(&place).unwrap_or_default()))
            .collect(),
    )
}

fn day_text(day: i128) -> String {
    date::text(day as date::Day)
}

/// Months since the year 0.
fn month(day: i128) -> i128 {
    let text = day_text(day);
    let number = |range: std::ops::Range<usize>| {
        text.get(range)
            .and_then(|t| t.parse::<i128>().ok())
            .unwrap_or(0)
    };
    number(0..4) * 12 + number(5..7) - 1
}

/// The name of so many months.
fn period(first: i128, months: i128) -> String {
    let (year, last) = (first / 12, (first + months - 1) / 12);
    match months {
        1 => format!("{year:04}-{:02}", first % 12 + 1),
        3 => format!("{year:04}-Q{}", first % 12 / 3 + 1),
        6 => format!(
            "{year:04}, {} half",
            if first % 12 == 0 { "first" } else { "second" }
        ),
        12 => format!("{year:04}"),
        _ => format!("{year:04} to {last:04}"),
    }
}

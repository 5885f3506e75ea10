//! Steps over whole numbers: what is reached at 0, 1, 2 … and kept until the next.

use super::{Drawing, Frame, amounts, drawable, tick};
use crate::Axis;
use crate::axis::AxisRange;
use crate::svg::n;

const LEFT: f64 = 0.13;
const RIGHT: f64 = 0.04;
const TOP: f64 = 14.0;
const HEIGHT: f64 = 230.0;

/// A chart of steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// What names it.
    pub frame: Frame,
    /// What is counted across.
    pub across: String,
    /// At most four look different.
    pub lines: Vec<StepLine>,
    /// Whether amounts are shares of a whole, so that the axis reaches from 0 to 100 %.
    pub shares: bool,
    /// A place across with a line of its own, and what it says.
    pub mark: Option<(f64, String)>,
}

/// One series: the amount at 0, 1, 2 …
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepLine {
    /// Its name, for notes; the page writes the legend.
    pub name: String,
    /// By place.
    pub amounts: Vec<f64>,
}

impl Steps {
    /// The chart as an SVG element for an HTML page.
    pub fn to_svg(&self) -> String {
        let domain = amounts(
            self.lines.iter().flat_map(|l| &l.amounts).copied(),
            self.shares,
        );
        let last = self
            .lines
            .iter()
            .map(|l| l.amounts.len())
            .max()
            .unwrap_or(0)
            .saturating_sub(1);
        let stage = Stage {
            domain,
            last,
            shares: self.shares,
        };
        let mut drawing = Drawing::open(&self.frame, TOP + HEIGHT + 44.0);
        stage.axes(&mut drawing, &self.across);
        if let Some((place, words)) = &self.mark {
            drawing.note(
                stage.across(place.clamp(0.0, last as f64)),
                (TOP - 6.0, TOP + HEIGHT),
                words,
            );
        }
        for (series, line) in self.lines.iter().enumerate() {
            stage.line(&mut drawing, series, line);
        }
        drawing.close()
    }
}

struct Stage {
    domain: AxisRange,
    last: usize,
    shares: bool,
}

impl Stage {
    fn across(&self, place: f64) -> f64 {
        LEFT + 0.02 + place / self.last.max(1) as f64 * (1.0 - LEFT - RIGHT - 0.02)
    }

    fn down(&self, value: f64) -> f64 {
        TOP + (1.0 - self.domain.place(value).unwrap_or(0.0).clamp(0.0, 1.0)) * HEIGHT
    }

    fn axes(&self, drawing: &mut Drawing, words: &str) {
        for (value, label) in self.domain.ticks(5) {
            drawing.line("grid", (LEFT, self.down(value)), (1.0, self.down(value)));
            drawing.text(
                "",
                "end",
                (LEFT - 0.015, self.down(value) + 4.0),
                &tick(value, label, self.shares),
            );
        }
        let axis = Axis::linear("").range(0.0, self.last.max(1) as f64);
        let places = AxisRange::of(&axis, std::iter::empty(), false).ticks(8);
        for (place, _) in places
            .into_iter()
            .filter(|(place, _)| place.fract() == 0.0 && *place <= self.last as f64)
        {
            drawing.text(
                "",
                "middle",
                (self.across(place), TOP + HEIGHT + 17.0),
                &n(place),
            );
        }
        drawing.line("base", (LEFT, TOP + HEIGHT), (1.0, TOP + HEIGHT));
        drawing.text(
            "",
            "middle",
            ((1.0 + LEFT) / 2.0, TOP + HEIGHT + 38.0),
            words,
        );
    }

    fn line(&self, drawing: &mut Drawing, series: usize, line: &StepLine) {
        let class = format!("s{}", series % 4);
        let shown: Vec<(usize, f64)> = line
            .amounts
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, a)| drawable(*a))
            .collect();
        for pair in shown.windows(2).filter(|pair| pair[0].0 + 1 == pair[1].0) {
            let [(from, before), (to, after)] = [pair[0], pair[1]];
            let (x, y) = (self.across(to as f64), self.down(before));
            drawing.line(&class, (self.across(from as f64), y), (x, y));
            if before != after {
                drawing.line(&class, (x, y), (x, self.down(after)));
            }
        }
        for (place, amount) in shown {
            let note = format!(
                "{} at {place}: {}",
                line.name,
                tick(amount, n(amount), self.shares)
            );
            drawing.marker(
                series,
                (self.across(place as f64), self.down(amount)),
                &note,
            );
        }
    }
}

//! Upright columns over ranges in their order: how many there are of each.

use super::{Drawing, Frame, amounts, drawable, tick, ticks};

const LEFT: f64 = 0.13;
const RIGHT: f64 = 0.01;
const TOP: f64 = 10.0;
const HEIGHT: f64 = 150.0;
/// About how wide a character is on a phone, as a share of the chart's width.
const CHARACTER: f64 = 0.019;

/// A chart of columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// What names it.
    pub frame: Frame,
    /// What the columns are ranges of, below the axis.
    pub across: String,
    /// In order.
    pub columns: Vec<UprightColumn>,
    /// Where a line stands, counted in columns from the left edge, and what it says.
    pub mark: Option<(f64, String)>,
}

/// One column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UprightColumn {
    /// Its range.
    pub label: String,
    /// How high it is.
    pub amount: f64,
    /// What is shown to those who point at it.
    pub note: String,
}

impl Columns {
    /// The chart as an SVG element for an HTML page.
    pub fn to_svg(&self) -> String {
        let domain = amounts(self.columns.iter().map(|c| c.amount), false);
        let down =
            |value: f64| TOP + (1.0 - domain.place(value).unwrap_or(0.0).clamp(0.0, 1.0)) * HEIGHT;
        let mut drawing = Drawing::open(&self.frame, TOP + HEIGHT + 42.0);
        let whole = self.columns.iter().all(|c| c.amount.fract() == 0.0);
        for (value, words) in ticks(&domain, 4, whole) {
            drawing.line("grid", (LEFT, down(value)), (1.0 - RIGHT, down(value)));
            drawing.text(
                "",
                "end",
                (LEFT - 0.015, down(value) + 4.0),
                &tick(value, words, false),
            );
        }
        let wide = (1.0 - LEFT - RIGHT) / self.columns.len().max(1) as f64;
        let every = self.label_every(wide);
        for (at, column) in self.columns.iter().enumerate() {
            let x = LEFT + at as f64 * wide;
            if drawable(column.amount) && column.amount > 0.0 {
                // what is there shows, however little it is
                let top = down(column.amount).min(TOP + HEIGHT - 1.0);
                let bar = (wide * 0.84).min(0.16);
                drawing.rectangle(
                    "s0",
                    (x + (wide - bar) / 2.0, top),
                    (bar, TOP + HEIGHT - top),
                    &column.note,
                );
            }
            if at % every == 0 {
                drawing.text(
                    "",
                    "middle",
                    (x + wide / 2.0, TOP + HEIGHT + 16.0),
                    &column.label,
                );
            }
        }
        drawing.line("base", (LEFT, TOP + HEIGHT), (1.0 - RIGHT, TOP + HEIGHT));
        if let Some((place, words)) = &self.mark {
            drawing.note(
                LEFT + place.clamp(0.0, self.columns.len() as f64) * wide,
                (TOP - 4.0, TOP + HEIGHT),
                words,
            );
        }
        drawing.text(
            "",
            "middle",
            ((1.0 + LEFT - RIGHT) / 2.0, TOP + HEIGHT + 36.0),
            &self.across,
        );
        drawing.close()
    }

    /// As many labels as have room on a phone.
    fn label_every(&self, wide: f64) -> usize {
        let longest = self
            .columns
            .iter()
            .map(|c| c.label.chars().count())
            .max()
            .unwrap_or(1);
        ((longest as f64 + 1.5) * CHARACTER / wide).ceil().max(1.0) as usize
    }
}

//! Charts that live inside an HTML page: they take its colours and its width.
//!
//! Unlike a [`Chart`](crate::Chart), which is a picture of its own, these have no colours but
//! classes, so that the page's style sheet can be light, dark or for print, and no fixed width:
//! places across are shares of the width, so that text keeps its size on a phone. The page must
//! include [`CSS`] and set the custom properties that it uses (`--ink`, `--muted`, `--grid`,
//! `--series-0` … `--series-3`).
//!
//! Amounts start at zero, always; shares can be told to reach to one. What cannot be drawn (not
//! finite, or negative) is left out. Series differ in marker and dash as well as in colour. Each
//! chart is one `<svg role="img">` that its `<title>` and `<desc>` name; the ids start with the
//! frame's, which must be unique within the page. Equal charts give equal text. Cost: linear in
//! what is drawn.

mod bars;
mod columns;
mod steps;

pub use bars::{BarRow, Bars};
pub use columns::{Columns, UprightColumn};
pub use steps::{StepLine, Steps};

use crate::axis::AxisRange;
use crate::svg::{escape, n};
use crate::{Axis, AxisScale};

/// What every inline chart looks like, in terms of the page's custom properties.
pub const CSS: &str = "\
.chart{display:block;width:100%;overflow:visible;font-size:12px}\
.chart text{fill:var(--muted);stroke:none}\
.chart .value{fill:var(--ink)}.chart .small{font-size:10px}\
.chart .grid{stroke:var(--grid);stroke-width:1;shape-rendering:crispEdges}\
.chart .base{stroke:var(--muted);stroke-width:1;shape-rendering:crispEdges}\
.chart .note{stroke:var(--muted);stroke-width:1.5;stroke-dasharray:2 3}\
.chart .s0{--c:var(--series-0)}.chart .s1{--c:var(--series-1)}\
.chart .s2{--c:var(--series-2)}.chart .s3{--c:var(--series-3)}\
.chart rect.s0,.chart rect.s1,.chart rect.s2,.chart rect.s3{fill:var(--c)}\
.chart rect.hollow{fill:none;stroke:var(--c);stroke-width:1.5}\
.chart line.s0,.chart line.s1,.chart line.s2,.chart line.s3{stroke:var(--c);stroke-width:2;stroke-linecap:square}\
.chart line.s1{stroke-dasharray:7 4}.chart line.s2{stroke-dasharray:2 4}.chart line.s3{stroke-dasharray:9 3 2 3}\
.chart path{fill:var(--c);stroke:none}";

/// The shapes that go with the four series, as legends write them.
pub const MARKS: [&str; 4] = ["●", "■", "▲", "◆"];

/// What names a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The start of its ids: letters, digits and hyphens. Unique within the page.
    pub id: String,
    /// What it shows, in a few words.
    pub title: String,
    /// What there is to see, in a sentence or two.
    pub description: String,
}

/// An SVG element being written.
struct Drawing(String);

impl Drawing {
    fn open(frame: &Frame, height: f64) -> Drawing {
        let (id, title, description) = (
            escape(&frame.id),
            escape(&frame.title),
            escape(&frame.description),
        );
        Drawing(format!(
            "<svg class=\"chart\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\" width=\"100%\" height=\"{}\">\
             <title id=\"{id}-t\">{title}</title><desc id=\"{id}-d\">{description}</desc>",
            n(height)
        ))
    }

    fn close(self) -> String {
        self.0 + "</svg>"
    }

    /// A line between two places; across in shares of the width, down in pixels.
    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ([x1, x2], [y1, y2]) = ([across(from.0), across(to.0)], [n(from.1), n(to.1)]);
        self.0 +=
            &format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    /// A rectangle with a note for those who point at it.
    fn rectangle(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), note: &str) {
        self.0 += &format!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>",
            across(corner.0),
            n(corner.1),
            across(size.0),
            n(size.1),
            escape(note)
        );
    }

    /// Text at a place, `start`, `middle` or `end` there.
    fn text(&mut self, class: &str, anchor: &str, at: (f64, f64), words: &str) {
        let (x, y) = (across(at.0), n(at.1));
        let class = if class.is_empty() {
            String::new()
        } else {
            format!(" class=\"{class}\"")
        };
        let anchor = if anchor == "start" {
            String::new()
        } else {
            format!(" text-anchor=\"{anchor}\"")
        };
        self.0 += &format!(
            "<text{class}{anchor} x=\"{x}\" y=\"{y}\">{}</text>",
            escape(words)
        );
    }

    /// An upright line at a place that means something, and what it says, where there is more room.
    fn note(&mut self, x: f64, (top, bottom): (f64, f64), words: &str) {
        self.line("note", (x, top), (x, bottom));
        let (anchor, beside) = if x > 0.5 {
            ("end", -0.01)
        } else {
            ("start", 0.01)
        };
        self.text("value", anchor, (x + beside, top + 9.0), words);
    }

    /// The marker of a series, with a note.
    fn marker(&mut self, series: usize, at: (f64, f64), note: &str) {
        let shape = match series % 4 {
            0 => "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
            1 => "M-3.5 -3.5h7v7h-7z",
            2 => "M0 -5L4.5 3.5L-4.5 3.5z",
            _ => "M0 -5L5 0L0 5L-5 0z",
        };
        let (x, y) = (across(at.0), n(at.1));
        // a nested element stands at a share of the width, which a path cannot
        self.0 += &format!(
            "<svg class=\"s{}\" x=\"{x}\" y=\"{y}\" overflow=\"visible\"><path d=\"{shape}\"><title>{}</title></path></svg>",
            series % 4,
            escape(note)
        );
    }
}

/// A share of the width.
fn across(share: f64) -> String {
    format!("{}%", n(share * 100.0))
}

/// What has no place is left out.
fn drawable(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

/// An axis from zero: to one where values are shares of a whole, else to a round number at or above
/// the largest.
fn amounts(values: impl Iterator<Item = f64>, whole: bool) -> AxisRange {
    let axis = Axis {
        scale: AxisScale::Linear,
        range: whole.then_some((0.0, 1.0)),
        ..Axis::default()
    };
    AxisRange::of(&axis, values.filter(|&value| drawable(value)), true)
}

/// Ticks of an axis; between whole amounts none in halves.
fn ticks(domain: &AxisRange, most: usize, whole: bool) -> Vec<(f64, String)> {
    let ticks = domain.ticks(most).into_iter();
    let shown = ticks.filter(|(value, _)| !whole || value.fract() == 0.0);
    shown
        .map(|(value, words)| {
            (
                value,
                if whole {
                    words.split('.').next().unwrap_or_default().to_owned()
                } else {
                    words
                },
            )
        })
        .collect()
}

/// A tick's words: shares are written in percent.
fn tick(value: f64, words: String, shares: bool) -> String {
    if shares {
        format!("{} %", n(value * 100.0))
    } else {
        words
    }
}

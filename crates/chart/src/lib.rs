//! Figures as SVG: lines or bars over linear or logarithmic axes, alone or as panels side by side.
//!
//! A figure is for print and for screens: white background, text as text, colours that colour-blind
//! readers can tell apart and, because colour alone is never enough, a marker and a dash of its own
//! for every series. The legend stands above the plot, so it covers no data. A `<title>` and a
//! `<desc>` name the figure for those who do not see it, and every marker carries its values.
//!
//! What cannot be drawn (not a number, infinite, zero or less on a logarithmic axis) is left out,
//! and the line is broken there: a gap means "no value", never a guess. Equal figures give equal
//! bytes. Widths of text are estimated, since no font is at hand.
//!
//! ```
//! use mingle_chart::{Axis, Chart, Series};
//! let chart = Chart {
//!     title: "Exposure by coalition size".into(),
//!     x: Axis::linear("providers in the coalition"),
//!     y: Axis::linear("people exposed"),
//!     series: vec![Series::new("identity", [(0.0, 0.0), (1.0, 3.0), (2.0, 12.0)])],
//! };
//! assert!(chart.to_svg().starts_with("<svg"));
//! ```
#![forbid(unsafe_code)]

mod axis;
mod figure;
pub mod inline;
mod look;
mod svg;

/// One plot: a title, two axes and what is drawn over them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Stands above the plot; long ones are broken into lines.
    pub title: String,
    /// The horizontal axis; it reaches from the smallest to the largest value unless told
    /// otherwise.
    pub x: Axis,
    /// The vertical axis; a linear one includes zero unless told otherwise.
    pub y: Axis,
    /// What is drawn, in the order of the legend.
    pub series: Vec<Series>,
}

impl Chart {
    /// The figure as one SVG document.
    pub fn to_svg(&self) -> String {
        figure::draw(&[self])
    }
}

/// Several plots as one figure with one legend: series of the same name look the same in all of
/// them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panels(pub Vec<Chart>);

impl Panels {
    /// The figure as one SVG document: up to three panels side by side, four as two by two.
    pub fn to_svg(&self) -> String {
        figure::draw(&self.0.iter().collect::<Vec<_>>())
    }
}

/// An axis: what it measures, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured, with its unit.
    pub label: String,
    /// How values are laid out.
    pub scale: AxisScale,
    /// The first and the last value shown; `None` fits the data. What lies outside is cut off. A
    /// range that cannot be (backwards, not finite, not positive on a logarithmic axis) is passed
    /// over.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// A linear axis that fits the data.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis {
            label: label.into(),
            scale: AxisScale::Linear,
            range: None,
        }
    }

    /// A logarithmic axis that fits the data.
    pub fn log(label: impl Into<String>) -> Axis {
        Axis {
            label: label.into(),
            scale: AxisScale::Log,
            range: None,
        }
    }

    /// The same axis from `first` to `last`.
    pub fn range(mut self, first: f64, last: f64) -> Axis {
        self.range = Some((first, last));
        self
    }
}

/// How an axis lays out values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisScale {
    /// Equal steps are equal differences.
    #[default]
    Linear,
    /// Equal steps are equal factors; only positive values have a place.
    Log,
}

/// Points that belong together, under one name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend; an empty one is not listed.
    pub name: String,
    /// Horizontal and vertical value of each point, joined in this order.
    pub points: Vec<(f64, f64)>,
    /// How the points are drawn.
    pub mark: Mark,
}

impl Series {
    /// A line with a marker at each point.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series {
            name: name.into(),
            points: points.into_iter().collect(),
            mark: Mark::Line,
        }
    }

    /// A bar at each point; bars of several series stand side by side.
    pub fn bars(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series {
            mark: Mark::Bar,
            ..Series::new(name, points)
        }
    }
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// A line with a marker at each point.
    #[default]
    Line,
    /// A bar from the axis (zero, where it is shown) to each point.
    Bar,
}

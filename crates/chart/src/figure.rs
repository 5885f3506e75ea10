//! Laying out a figure: legend on top, panels in rows below, each with its title, axes and marks.

use crate::axis::AxisRange;
use crate::look::SeriesLook;
use crate::svg::{Anchor, Svg, n};
use crate::{Chart, Mark, Series};

const TITLE: f64 = 14.0;
const TEXT: f64 = 12.0;
const LINE: f64 = 18.0;
const MARGIN: f64 = 14.0;
/// Space between the vertical axis and the first and last point, so that no marker stands on the
/// frame.
const INSET: f64 = 10.0;
const KEY: f64 = 34.0;
const GRID: &str = "stroke=\"#e3e3e3\" fill=\"none\"";
const FRAME: &str = "stroke=\"#4d4d4d\" fill=\"none\"";

/// The panels as one document.
pub fn draw(charts: &[&Chart]) -> String {
    let names = names(charts);
    let columns = columns(charts.len());
    let (plot_width, plot_height) = match columns {
        1 => (560.0, 340.0),
        2 => (390.0, 280.0),
        _ => (300.0, 230.0),
    };
    let panels: Vec<Panel> = charts
        .iter()
        .map(|chart| Panel::new(chart, &names, plot_width, plot_height))
        .collect();
    let left = panels.iter().map(|p| p.left).fold(0.0, f64::max);
    let head = panels.iter().map(|p| p.title.len()).max().unwrap_or(0) as f64 * LINE;
    let cell = (
        left + plot_width + 2.0 * MARGIN,
        head + plot_height + 4.0 * LINE,
    );
    let width = cell.0 * columns as f64;
    let legend = legend(&names, width - 2.0 * MARGIN);
    let top = MARGIN + legend.len() as f64 * LINE + if legend.is_empty() { 0.0 } else { 6.0 };
    let rows = panels.len().div_ceil(columns).max(1);

    let mut svg = Svg::open(
        width,
        top + cell.1 * rows as f64,
        &title(charts),
        &description(charts),
    );
    draw_legend(&mut svg, &legend, width);
    for (at, panel) in panels.iter().enumerate() {
        let corner = (
            cell.0 * (at % columns) as f64 + left + MARGIN,
            top + cell.1 * (at / columns) as f64 + head + 6.0,
        );
        panel.draw(&mut svg, corner.0, corner.1);
    }
    svg.close()
}

fn columns(panels: usize) -> usize {
    match panels {
        0 | 1 => 1,
        2 | 4 => 2,
        _ => 3,
    }
}

fn title(charts: &[&Chart]) -> String {
    charts
        .iter()
        .map(|c| c.title.as_str())
        .collect::<Vec<_>>()
        .join("; ")
}

fn description(charts: &[&Chart]) -> String {
    let parts = charts.iter().map(|chart| {
        let names: Vec<&str> = chart
            .series
            .iter()
            .map(|s| s.name.as_str())
            .filter(|n| !n.is_empty())
            .collect();
        let of = if names.is_empty() {
            String::new()
        } else {
            format!(": {}", names.join(", "))
        };
        format!("{} against {}{of}.", chart.y.label, chart.x.label)
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// Every name once, in the order of appearance; a series looks as its name's place says.
fn names<'a>(charts: &[&'a Chart]) -> Vec<(&'a str, Mark)> {
    let mut names: Vec<(&str, Mark)> = Vec::new();
    for series in charts.iter().flat_map(|c| &c.series) {
        if !names.iter().any(|n| n.0 == series.name) {
            names.push((&series.name, series.mark));
        }
    }
    names
}

/// An entry of the legend: look, mark, name, width.
type Entry<'a> = (SeriesLook, Mark, &'a str, f64);

fn legend<'a>(names: &[(&'a str, Mark)], width: f64) -> Vec<Vec<Entry<'a>>> {
    let mut rows: Vec<Vec<Entry>> = Vec::new();
    let mut used = f64::INFINITY;
    for (at, &(name, mark)) in names.iter().enumerate().filter(|(_, n)| !n.0.is_empty()) {
        let wide = KEY + text_width(name, TEXT) + 16.0;
        if used + wide > width {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += wide;
        rows.last_mut().expect("the first name opens a row").push((
            SeriesLook(at),
            mark,
            name,
            wide,
        ));
    }
    rows
}

fn draw_legend(svg: &mut Svg, rows: &[Vec<Entry>], width: f64) {
    for (row, entries) in rows.iter().enumerate() {
        let y = MARGIN + 6.0 + row as f64 * LINE;
        let mut x = ((width - entries.iter().map(|e| e.3).sum::<f64>()) / 2.0).max(MARGIN);
        for &(look, mark, name, wide) in entries {
            match mark {
                Mark::Line => {
                    svg.path(&format!("M{} {} h28", n(x), n(y)), &look.stroke(), "");
                    svg.path(&look.marker(x + 14.0, y), &look.filling(), "");
                }
                Mark::Bar => svg.path(
                    &rectangle(x + 12.0, y - 6.0, 16.0, 12.0),
                    &bar_look(look),
                    "",
                ),
            }
            svg.text(x + KEY, y + 4.0, Anchor::Start, "", name);
            x += wide;
        }
    }
}

/// A chart with its domains, ready to be drawn.
struct Panel<'a> {
    chart: &'a Chart,
    looks: Vec<SeriesLook>,
    title: Vec<String>,
    x: AxisRange,
    y: AxisRange,
    y_ticks: Vec<(f64, String)>,
    /// Room for the vertical axis' label and tick labels.
    left: f64,
    /// Width of one bar, in pixels, and how many stand side by side.
    bars: (f64, usize),
    width: f64,
    height: f64,
}

impl<'a> Panel<'a> {
    fn new(chart: &'a Chart, names: &[(&str, Mark)], width: f64, height: f64) -> Panel<'a> {
        let points = || chart.series.iter().flat_map(|s| &s.points);
        let look = |s: &Series| SeriesLook(names.iter().position(|n| n.0 == s.name).unwrap_or(0));
        let y = AxisRange::of(&chart.y, points().map(|p| p.1), true);
        let x = AxisRange::of(&chart.x, points().map(|p| p.0), false);
        let side_by_side = chart.series.iter().filter(|s| s.mark == Mark::Bar).count();
        let gap = smallest_gap(&chart.series);
        let x = if side_by_side > 0 && x.is_linear() && chart.x.range.is_none() {
            room_for_bars(x, gap)
        } else {
            x
        };
        let share = if x.is_linear() {
            gap / (x.high - x.low)
        } else {
            0.05
        };
        let bar = (width - 2.0 * INSET) * share * 0.8 / side_by_side.max(1) as f64;
        let y_ticks = y.ticks(8);
        let widest = y_ticks
            .iter()
            .map(|t| text_width(&t.1, TEXT))
            .fold(0.0, f64::max);
        Panel {
            chart,
            looks: chart.series.iter().map(look).collect(),
            title: wrapped(&chart.title, width, TITLE),
            x,
            y,
            y_ticks,
            left: widest + 12.0 + LINE,
            bars: (bar.min(60.0), side_by_side),
            width,
            height,
        }
    }

    fn draw(&self, svg: &mut Svg, x: f64, y: f64) {
        let title_top = y - 10.0 - (self.title.len() as f64 - 1.0) * LINE;
        for (row, words) in self.title.iter().enumerate() {
            let look = "font-size=\"14\" font-weight=\"bold\"";
            svg.text(
                x + self.width / 2.0,
                title_top + row as f64 * LINE,
                Anchor::Middle,
                look,
                words,
            );
        }
        self.draw_axes(svg, x, y);
        svg.window(x, y - 5.0, self.width, self.height + 10.0);
        let mut bar = 0;
        for (series, &look) in self.chart.series.iter().zip(&self.looks) {
            match series.mark {
                Mark::Line => self.draw_line(svg, x, y, series, look),
                Mark::Bar => {
                    self.draw_bars(svg, x, y, series, look, bar);
                    bar += 1;
                }
            }
        }
        svg.end_window();
    }

    fn draw_axes(&self, svg: &mut Svg, x: f64, y: f64) {
        let bottom = y + self.height;
        for (value, label) in &self.y_ticks {
            let at = self.down(y, *value).expect("a tick has a place");
            svg.path(&format!("M{} {} h{}", n(x), n(at), n(self.width)), GRID, "");
            svg.text(x - 7.0, at + 4.0, Anchor::End, "", label);
        }
        for (value, label) in self.x_ticks() {
            let at = self.across(x, value).expect("a tick has a place");
            svg.path(&format!("M{} {} v5", n(at), n(bottom)), FRAME, "");
            svg.text(at, bottom + 18.0, Anchor::Middle, "", &label);
        }
        svg.path(
            &format!("M{} {} V{} H{}", n(x), n(y), n(bottom), n(x + self.width)),
            FRAME,
            "",
        );
        svg.text(
            x + self.width / 2.0,
            bottom + 38.0,
            Anchor::Middle,
            "",
            &self.chart.x.label,
        );
        let (side, middle) = (x - self.left + 10.0, y + self.height / 2.0);
        let turn = format!("transform=\"rotate(-90 {} {})\"", n(side), n(middle));
        svg.text(side, middle, Anchor::Middle, &turn, &self.chart.y.label);
    }

    /// As many ticks as have room for their labels; between whole values none in halves.
    fn x_ticks(&self) -> Vec<(f64, String)> {
        let whole = self
            .chart
            .series
            .iter()
            .flat_map(|s| &s.points)
            .all(|p| p.0.fract() == 0.0);
        let fitting = (2..=10).rev().map(|most| self.x.ticks(most)).find(|ticks| {
            let needed: f64 = ticks.iter().map(|t| text_width(&t.1, TEXT) + 14.0).sum();
            needed <= self.width && (!whole || ticks.iter().all(|t| t.0.fract() == 0.0))
        });
        fitting.unwrap_or_else(|| self.x.ticks(2))
    }

    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    fn draw_line(&self, svg: &mut Svg, x: f64, y: f64, series: &Series, look: SeriesLook) {
        let places: Vec<Option<(f64, f64)>> =
            series.points.iter().map(|p| self.at(x, y, *p)).collect();
        for run in places.split(Option::is_none).filter(|run| run.len() > 1) {
            let corners: Vec<String> = run
                .iter()
                .flatten()
                .map(|p| format!("{} {}", n(p.0), n(p.1)))
                .collect();
            svg.path(&format!("M{}", corners.join(" L")), &look.stroke(), "");
        }
        for (point, place) in series.points.iter().zip(&places) {
            if let Some((px, py)) = place {
                svg.path(
                    &look.marker(*px, *py),
                    &look.filling(),
                    &note(series, *point),
                );
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    fn draw_bars(
        &self,
        svg: &mut Svg,
        x: f64,
        y: f64,
        series: &Series,
        look: SeriesLook,
        nth: usize,
    ) {
        let (wide, side_by_side) = self.bars;
        let shift = (nth as f64 - side_by_side as f64 / 2.0) * wide;
        let base = self
            .down(y, 0.0)
            .unwrap_or(y + self.height)
            .min(y + self.height);
        for &point in &series.points {
            if let Some((px, py)) = self.at(x, y, point) {
                let shape = rectangle(px + shift, py.min(base), wide, (py - base).abs());
                svg.path(&shape, &bar_look(look), &note(series, point));
            }
        }
    }

    fn at(&self, x: f64, y: f64, point: (f64, f64)) -> Option<(f64, f64)> {
        Some((self.across(x, point.0)?, self.down(y, point.1)?))
    }

    fn across(&self, x: f64, value: f64) -> Option<f64> {
        // far outside is outside: no coordinate that a viewer cannot hold
        self.x
            .place(value)
            .map(|share| x + INSET + share.clamp(-50.0, 50.0) * (self.width - 2.0 * INSET))
    }

    fn down(&self, y: f64, value: f64) -> Option<f64> {
        self.y
            .place(value)
            .map(|share| y + (1.0 - share.clamp(-50.0, 50.0)) * self.height)
    }
}

fn note(series: &Series, (x, y): (f64, f64)) -> String {
    let name = if series.name.is_empty() {
        String::new()
    } else {
        format!("{}: ", series.name)
    };
    format!("{name}{x}, {y}")
}

fn bar_look(look: SeriesLook) -> String {
    format!(
        "fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.5\"",
        look.colour()
    )
}

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> String {
    format!(
        "M{} {} h{} v{} h-{} z",
        n(x),
        n(y),
        n(width),
        n(height),
        n(width)
    )
}

/// The smallest distance between two bars' places.
fn smallest_gap(series: &[Series]) -> f64 {
    let bars = series
        .iter()
        .filter(|s| s.mark == Mark::Bar)
        .flat_map(|s| &s.points);
    let mut places: Vec<f64> = bars.map(|p| p.0).filter(|x| x.is_finite()).collect();
    places.sort_by(f64::total_cmp);
    let gaps = places
        .windows(2)
        .map(|w| w[1] - w[0])
        .filter(|&gap| gap > 0.0);
    let smallest = gaps.fold(f64::INFINITY, f64::min);
    if smallest.is_finite() { smallest } else { 1.0 }
}

fn room_for_bars(x: AxisRange, gap: f64) -> AxisRange {
    x.widened(gap / 2.0)
}

/// About how wide `words` are at this size: no font is at hand, so a common average.
fn text_width(words: &str, size: f64) -> f64 {
    words.chars().count() as f64 * size * 0.56
}

fn wrapped(words: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(word, size) + size <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

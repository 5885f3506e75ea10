//! Lying bars for named amounts, with the amount written at the end; one or two series side by
//! side.

use super::{Drawing, Frame, amounts, drawable, tick};
use crate::svg::escape;

const NAMES: f64 = 0.38;
const END: f64 = 0.84;
/// Longer names are cut; the whole one is shown to those who point at it.
const LONGEST: usize = 22;

/// A chart of lying bars.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// What names it.
    pub frame: Frame,
    /// From top to bottom.
    pub rows: Vec<BarRow>,
    /// Whether amounts are shares, written in percent.
    pub shares: bool,
    /// Whether the axis reaches to one, so that shares can be compared with the whole.
    pub to_whole: bool,
}

/// A name and one amount per series; the first series is hollow where there are two.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarRow {
    /// The name.
    pub name: String,
    /// Amounts, each with how it is written.
    pub amounts: Vec<(f64, String)>,
}

impl Bars {
    /// The chart as an SVG element for an HTML page.
    pub fn to_svg(&self) -> String {
        let series = self
            .rows
            .iter()
            .map(|row| row.amounts.len())
            .max()
            .unwrap_or(1)
            .max(1);
        let (thick, gap) = if series == 1 {
            (14.0, 10.0)
        } else {
            (10.0, 8.0)
        };
        let step = series as f64 * thick + gap;
        let bottom = step * self.rows.len() as f64 + 4.0;
        let domain = amounts(
            self.rows.iter().flat_map(|r| &r.amounts).map(|a| a.0),
            self.to_whole,
        );
        let wide = |value: f64| domain.place(value).unwrap_or(0.0).clamp(0.0, 1.0) * (END - NAMES);
        let mut drawing = Drawing::open(&self.frame, bottom + 20.0);
        for (value, words) in domain.ticks(3) {
            drawing.line(
                "grid",
                (NAMES + wide(value), 0.0),
                (NAMES + wide(value), bottom),
            );
            drawing.text(
                "",
                "middle",
                (NAMES + wide(value), bottom + 16.0),
                &tick(value, words, self.shares),
            );
        }
        for (at, row) in self.rows.iter().enumerate() {
            let top = at as f64 * step + gap / 2.0;
            name(&mut drawing, row, top + (step - gap) / 2.0 + 4.0);
            for (nth, (amount, words)) in row
                .amounts
                .iter()
                .enumerate()
                .filter(|(_, a)| drawable(a.0))
            {
                let y = top + nth as f64 * thick;
                let class = format!(
                    "s{}{}",
                    nth % 4,
                    if series > 1 && nth == 0 {
                        " hollow"
                    } else {
                        ""
                    }
                );
                let note = format!("{}: {words}", row.name);
                if *amount > 0.0 {
                    // what is there shows, however little it is
                    drawing.rectangle(
                        &class,
                        (NAMES, y + 1.0),
                        (wide(*amount).max(0.002), thick - 2.0),
                        &note,
                    );
                }
                let size = if series == 1 { "value" } else { "value small" };
                drawing.text(
                    size,
                    "start",
                    (NAMES + wide(*amount) + 0.012, y + thick / 2.0 + 4.0),
                    words,
                );
            }
        }
        drawing.line("base", (NAMES, 0.0), (NAMES, bottom));
        drawing.close()
    }
}

fn name(drawing: &mut Drawing, row: &BarRow, y: f64) {
    let place = (NAMES - 0.015, y);
    if row.name.chars().nth(LONGEST).is_none() {
        return drawing.text("", "end", place, &row.name);
    }
    let shown: String = row.name.chars().take(LONGEST - 1).chain(['…']).collect();
    drawing.0 += &format!("<g><title>{}</title>", escape(&row.name));
    drawing.text("", "end", place, &shown);
    drawing.0 += "</g>";
}

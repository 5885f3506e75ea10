//! The README's bar chart of information loss.

use std::fmt::Write;

/// One setting: its name, the default method's loss, Mondrian's.
pub type LossBars = (&'static str, f64, f64);

const LEFT: f64 = 330.0;
const TOP: f64 = 64.0;
const STEP: f64 = 46.0;
const WIDTH: f64 = 440.0;
// two colours that colour-blind readers can tell apart
const OURS: &str = "#0072b2";
const MONDRIAN: &str = "#e69f00";

/// The chart as SVG; the axis begins at 0 and ends at the next fifth.
pub fn loss(rows: &[LossBars]) -> String {
    let fifths = rows.iter().map(|r| r.1.max(r.2)).fold(0.2, f64::max) * 5.0;
    let fifths = fifths.ceil();
    let scale = WIDTH / (fifths / 5.0);
    let bottom = TOP + STEP * rows.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 {h}\" width=\"860\" height=\"{h}\" role=\"img\" \
         aria-label=\"Bars of information loss for the default method and strict Mondrian in {n} settings\" \
         font-family=\"system-ui,Segoe UI,Helvetica,Arial,sans-serif\" fill=\"#1b2733\">\n\
         <rect width=\"860\" height=\"{h}\" fill=\"#ffffff\"/>\n",
        h = bottom + 40.0,
        n = rows.len()
    );
    text(
        &mut svg,
        20.0,
        26.0,
        14,
        "start",
        "Information loss (NCP, 0 = nothing lost, 1 = everything), same promises, nothing suppressed",
    );
    for (x, colour, name) in [
        (330.0, OURS, "agglomerative (default)"),
        (500.0, MONDRIAN, "strict Mondrian"),
    ] {
        bar(&mut svg, x, 38.0, 12.0, 12.0, colour);
        text(&mut svg, x + 18.0, 48.0, 12, "start", name);
    }
    for fifth in 0..=fifths as u32 {
        let share = f64::from(fifth) / 5.0;
        let x = LEFT + share * scale;
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" x2=\"{x}\" y1=\"{TOP}\" y2=\"{bottom}\" stroke=\"#d5dbe1\"/>"
        );
        text(
            &mut svg,
            x,
            bottom + 18.0,
            11,
            "middle",
            &format!("{share:.1}"),
        );
    }
    for (row, (name, ours, mondrian)) in rows.iter().enumerate() {
        let y = TOP + row as f64 * STEP + 6.0;
        text(&mut svg, LEFT - 10.0, y + 20.0, 12, "end", name);
        for (at, value, colour) in [(y, ours, OURS), (y + 17.0, mondrian, MONDRIAN)] {
            bar(&mut svg, LEFT, at, value * scale, 14.0, colour);
            text(
                &mut svg,
                LEFT + value * scale + 6.0,
                at + 11.0,
                11,
                "start",
                &format!("{value:.4}"),
            );
        }
    }
    svg + "</svg>\n"
}

#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
fn text(svg: &mut String, x: f64, y: f64, size: u32, anchor: &str, words: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{words}</text>"
    );
}

#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
fn bar(svg: &mut String, x: f64, y: f64, width: f64, height: f64, colour: &str) {
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height}\" fill=\"{colour}\"/>"
    );
}

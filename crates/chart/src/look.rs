//! What tells series apart: colour, marker and dash.
//!
//! The colours are those of Okabe and Ito that show on white; markers and dashes repeat at other
//! intervals than colours, so that series of one colour still differ.

use crate::svg::n;

const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
];
const DASHES: [&str; 5] = ["", "7 3", "2 2", "9 3 2 3", "4 2"];
const MARKERS: usize = 6;

/// The look of one series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesLook(pub usize);

impl SeriesLook {
    pub fn colour(self) -> &'static str {
        COLOURS[self.0 % COLOURS.len()]
    }

    /// Attributes of the line.
    pub fn stroke(self) -> String {
        let dash = DASHES[self.0 % DASHES.len()];
        let dash = if dash.is_empty() {
            String::new()
        } else {
            format!(" stroke-dasharray=\"{dash}\"")
        };
        format!(
            "fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{dash}",
            self.colour()
        )
    }

    /// The marker around a place, as path data; every second round of markers is hollow.
    pub fn marker(self, x: f64, y: f64) -> String {
        let at = |dx: f64, dy: f64| format!("{} {}", n(x + dx), n(y + dy));
        match self.0 % MARKERS {
            0 => format!(
                "M{} a3.6 3.6 0 1 0 7.2 0 a3.6 3.6 0 1 0 -7.2 0 z",
                at(-3.6, 0.0)
            ),
            1 => format!("M{} h6.4 v6.4 h-6.4 z", at(-3.2, -3.2)),
            2 => format!("M{} L{} L{} z", at(0.0, -4.4), at(4.1, 3.1), at(-4.1, 3.1)),
            3 => format!(
                "M{} L{} L{} L{} z",
                at(0.0, -4.6),
                at(4.6, 0.0),
                at(0.0, 4.6),
                at(-4.6, 0.0)
            ),
            4 => format!("M{} L{} L{} z", at(0.0, 4.4), at(4.1, -3.1), at(-4.1, -3.1)),
            _ => format!(
                "M{} L{} M{} L{}",
                at(-3.4, -3.4),
                at(3.4, 3.4),
                at(-3.4, 3.4),
                at(3.4, -3.4)
            ),
        }
    }

    /// Attributes of the marker.
    pub fn filling(self) -> String {
        let hollow = (self.0 / MARKERS) % 2 == 1;
        let fill = if hollow { "#ffffff" } else { self.colour() };
        format!(
            "fill=\"{fill}\" stroke=\"{}\" stroke-width=\"1.4\"",
            self.colour()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_of_thirty_series_look_the_same() {
        let looks = (0..30).map(|i| {
            (
                SeriesLook(i).stroke(),
                SeriesLook(i).marker(0.0, 0.0),
                SeriesLook(i).filling(),
            )
        });
        assert_eq!(looks.collect::<BTreeSet<_>>().len(), 30);
    }

    #[test]
    fn without_colour_the_first_twelve_differ() {
        let shapes = (0..12).map(|i| {
            (
                SeriesLook(i).marker(0.0, 0.0),
                SeriesLook(i).filling().contains("#ffffff"),
            )
        });
        assert_eq!(shapes.collect::<BTreeSet<_>>().len(), 12);
    }
}

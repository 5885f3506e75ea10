//! The main numbers in tables for the screen.

use super::plan::Family;
use super::results::measures::*;
use super::results::{PrivacyUtilityMeasure, PrivacyUtilityResults};
use crate::mean_over_draws::MeanOverDraws;
use crate::outcome::View;

/// A column: what it is called, what it shows, and with how many decimals.
type Shown = (&'static str, PrivacyUtilityMeasure, usize);

const LOSS: [Shown; 4] = [
    ("query %", QUERY, 1),
    ("median %", MEDIAN, 1),
    ("1-way", ONE_WAY, 4),
    ("2-way", TWO_WAY, 4),
];

const CLAIMS: [Shown; 6] = [
    ("told %", TOLD, 1),
    ("claimed %", CLAIMED, 1),
    ("right", RIGHT, 1),
    ("control", RIGHT_CONTROL, 1),
    ("at 25%", QUARTER, 1),
    ("right", QUARTER_RIGHT, 1),
];

const GUESSES: [Shown; 3] = [
    ("both %", GUESSED, 1),
    ("neither %", GUESSED_CONTROL, 1),
    ("difference", ADVANTAGE, 1),
];

/// All tables.
pub fn views(results: &PrivacyUtilityResults) -> Vec<View> {
    vec![
        view(
            "What is lost: error of random queries, distance of tables",
            results,
            &LOSS,
            true,
        ),
        view(
            "What two releases claim about people in both",
            results,
            &CLAIMS,
            false,
        ),
        view(
            "Occupations guessed right, of people in both tables and in neither",
            results,
            &GUESSES,
            true,
        ),
    ]
}

fn view(title: &str, results: &PrivacyUtilityResults, shown: &[Shown], with_spread: bool) -> View {
    let head = ["release", "setting"]
        .into_iter()
        .chain(shown.iter().map(|(name, _, _)| *name));
    let mut lines = vec![head.map(str::to_owned).collect::<Vec<String>>()];
    for (family, scheme) in results.all() {
        let cell =
            |&(_, of, decimals): &Shown| text(results.mean(scheme, of), decimals, with_spread);
        lines.push(
            [short(family), scheme.setting()]
                .into_iter()
                .chain(shown.iter().map(cell))
                .collect(),
        );
    }
    View {
        title: title.to_owned(),
        lines,
    }
}

fn text(mean: Option<MeanOverDraws>, decimals: usize, with_spread: bool) -> String {
    match mean {
        None => "-".to_owned(),
        Some(MeanOverDraws { mean, spread }) if with_spread => {
            format!("{mean:.decimals$}±{spread:.decimals$}")
        }
        Some(MeanOverDraws { mean, .. }) => format!("{mean:.decimals$}"),
    }
}

/// Names that leave room on a screen of 80 columns.
fn short(family: Family) -> String {
    let name = family
        .name()
        .replace("-anonymity", "")
        .replace("-closeness", "");
    name.replace("agglomerative", "agglom.")
        .replace("selected pairs", "selected")
}

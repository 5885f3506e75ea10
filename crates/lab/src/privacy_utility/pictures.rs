//! The figures.

use super::plan::{Family, METHODS, NoisyReleaseKind};
use super::results::measures::*;
use super::results::{PrivacyUtilityMeasure, PrivacyUtilityResults};
use crate::outcome::Figure;
use mingle_chart::{Axis, Chart, Panels, Series};

/// The kinds of noise that are drawn: pure promises are in the tables.
const KINDS: [NoisyReleaseKind; 4] = [
    NoisyReleaseKind::Pairs,
    NoisyReleaseKind::Selected,
    NoisyReleaseKind::Histogram,
    NoisyReleaseKind::Synthetic,
];

/// What a reader claims, and how much of it is right about people in both tables and in neither.
const CLAIMS: [(&str, PrivacyUtilityMeasure); 3] = [
    ("claimed", CLAIMED),
    ("right", RIGHT),
    ("right, control", RIGHT_CONTROL),
];

/// All figures.
pub fn figures(people: &str, results: &PrivacyUtilityResults) -> Vec<Figure> {
    let drawn = Drawn { people, results };
    let of = |name: &str, charts: Vec<Chart>| Figure {
        name: name.to_owned(),
        svg: Panels(charts).to_svg(),
    };
    vec![
        of(
            "trade",
            vec![
                drawn.trade("2-way distance", TWO_WAY),
                drawn.trade("query error in %", QUERY),
            ],
        ),
        of(
            "loss",
            vec![
                drawn.loss("query error in %", QUERY),
                drawn.loss("2-way distance", TWO_WAY),
            ],
        ),
        of(
            "breach",
            of_one_height([drawn.claims_of_groups(), drawn.claims_of_noise()]),
        ),
        of(
            "guesses",
            of_one_height([drawn.guesses_of_groups(), drawn.guesses_of_noise()]),
        ),
    ]
}

/// Charts whose vertical axes can be compared.
fn of_one_height(charts: [Chart; 2]) -> Vec<Chart> {
    let points = charts
        .iter()
        .flat_map(|chart| &chart.series)
        .flat_map(|series| &series.points);
    let most = points.map(|point| point.1).fold(1.0, f64::max);
    let to_same = |chart: Chart| Chart {
        y: chart.y.range(0.0, most * 1.05),
        ..chart
    };
    charts.map(to_same).into()
}

struct Drawn<'a> {
    people: &'a str,
    results: &'a PrivacyUtilityResults<'a>,
}

impl Drawn<'_> {
    fn chart(&self, title: &str, x: Axis, y: Axis, series: Vec<Series>) -> Chart {
        Chart {
            title: format!("{title}{}", self.people),
            x,
            y,
            series,
        }
    }

    /// What being in both tables adds to a guess, against what is lost.
    fn trade(&self, label: &str, x: PrivacyUtilityMeasure) -> Chart {
        let mut families: Vec<Family> = METHODS.map(Family::KAnonymity).to_vec();
        families.extend([Family::MPrivacy(METHODS[1]), Family::TCloseness(METHODS[1])]);
        families.extend(KINDS.map(|kind| Family::Noise(kind, false)));
        let curve =
            |&family: &Family| Series::new(family.name(), self.results.trade(family, x, ADVANTAGE));
        let series = families.iter().map(curve).collect();
        let y = Axis::linear("guesses: gain from being in both, % points");
        self.chart("Given away against lost: ", Axis::log(label), y, series)
    }

    /// What noise loses by ε, beside levels of k.
    fn loss(&self, label: &str, of: PrivacyUtilityMeasure) -> Chart {
        let curve = |kind: NoisyReleaseKind| {
            let family = Family::Noise(kind, false);
            Series::new(family.name(), self.results.curve(family, of))
        };
        let mut series: Vec<Series> = KINDS.map(curve).to_vec();
        let ends: Vec<f64> = series
            .iter()
            .flat_map(|s| s.points.iter().map(|p| p.0))
            .collect();
        let (least, most) = (
            ends.iter().copied().fold(f64::MAX, f64::min),
            ends.iter().copied().fold(0.0, f64::max),
        );
        let levels = self.results.curve(Family::KAnonymity(METHODS[1]), of);
        let shown = levels.iter().filter(|(k, _)| [2.0, 10.0, 50.0].contains(k));
        series.extend(shown.map(|&(k, y)| {
            Series::new(format!("k = {k}, {}", METHODS[1]), [(least, y), (most, y)])
        }));
        self.chart("Lost by noise: ", Axis::log("ε"), Axis::log(label), series)
    }

    fn curves(&self, family: Family, shown: &[(&str, PrivacyUtilityMeasure)]) -> Vec<Series> {
        shown
            .iter()
            .map(|&(name, of)| Series::new(name, self.results.curve(family, of)))
            .collect()
    }

    fn claims_of_groups(&self) -> Chart {
        let series = self.curves(Family::KAnonymity(METHODS[1]), &CLAIMS);
        let y = Axis::linear("one value left, % of people");
        self.chart(
            &format!("k-anonymity, {}: ", METHODS[1]),
            Axis::log("k"),
            y,
            series,
        )
    }

    fn claims_of_noise(&self) -> Chart {
        let series = self.curves(Family::Noise(NoisyReleaseKind::Synthetic, false), &CLAIMS);
        self.chart(
            "made-up records: ",
            Axis::log("ε"),
            Axis::linear("one value left, % of people"),
            series,
        )
    }

    fn guesses_of_groups(&self) -> Chart {
        let mut series = Vec::new();
        for method in METHODS {
            let family = Family::KAnonymity(method);
            series.push(Series::new(
                format!("{method}, in both"),
                self.results.curve(family, GUESSED),
            ));
            series.push(Series::new(
                format!("{method}, control"),
                self.results.curve(family, GUESSED_CONTROL),
            ));
        }
        self.chart(
            "k-anonymity: ",
            Axis::log("k"),
            Axis::linear("guessed right, % of people"),
            series,
        )
    }

    fn guesses_of_noise(&self) -> Chart {
        let mut series = Vec::new();
        for kind in [
            NoisyReleaseKind::Pairs,
            NoisyReleaseKind::Histogram,
            NoisyReleaseKind::Synthetic,
        ] {
            let family = Family::Noise(kind, false);
            series.push(Series::new(
                format!("{}, in both", kind.name()),
                self.results.curve(family, GUESSED),
            ));
            series.push(Series::new(
                format!("{}, control", kind.name()),
                self.results.curve(family, GUESSED_CONTROL),
            ));
        }
        self.chart(
            "noise: ",
            Axis::log("ε"),
            Axis::linear("guessed right, % of people"),
            series,
        )
    }
}

//! The figures.

use super::plan::{Family, Kind, METHODS};
use super::results::measures::*;
use super::results::{Measure, Results};
use crate::outcome::Figure;
use mingle_chart::{Axis, Chart, Panels, Series};

/// The kinds of noise that are drawn: pure promises are in the tables.
const KINDS: [Kind; 4] = [Kind::Pairs, Kind::Selected, Kind::Histogram, Kind::Synthetic];

/// All figures.
pub fn figures(people: &str, results: &Results) -> Vec<Figure> {
    let drawn = Drawn { people, results };
    let of = |name: &str, charts: Vec<Chart>| Figure { name: name.to_owned(), svg: Panels(charts).to_svg() };
    vec![
        of("trade", vec![drawn.trade("2-way distance", TWO_WAY), drawn.trade("query error in %", QUERY)]),
        of("loss", vec![drawn.loss("query error in %", QUERY), drawn.loss("2-way distance", TWO_WAY)]),
        of("breach", vec![drawn.claims_of_groups(), drawn.claims_of_noise()]),
        of("guesses", vec![drawn.guesses_of_groups(), drawn.guesses_of_noise()]),
    ]
}

struct Drawn<'a> {
    people: &'a str,
    results: &'a Results<'a>,
}

impl Drawn<'_> {
    fn chart(&self, title: &str, x: Axis, y: Axis, series: Vec<Series>) -> Chart {
        Chart { title: format!("{title}{}", self.people), x, y, series }
    }

    /// What being in both tables adds to a guess, against what is lost.
    fn trade(&self, label: &str, x: Measure) -> Chart {
        let mut families: Vec<Family> = METHODS.map(Family::KAnonymity).to_vec();
        families.extend([Family::MPrivacy(METHODS[1]), Family::TCloseness(METHODS[1])]);
        families.extend(KINDS.map(|kind| Family::Noise(kind, false)));
        let curve = |&family: &Family| Series::new(family.name(), self.results.trade(family, x, ADVANTAGE));
        let series = families.iter().map(curve).collect();
        self.chart("", Axis::log(label), Axis::linear("gain from being in both tables, % points"), series)
    }

    /// What noise loses by ε, beside levels of k.
    fn loss(&self, label: &str, of: Measure) -> Chart {
        let curve = |kind: Kind| {
            let family = Family::Noise(kind, false);
            Series::new(family.name(), self.results.curve(family, of))
        };
        let mut series: Vec<Series> = KINDS.map(curve).to_vec();
        let ends: Vec<f64> = series.iter().flat_map(|s| s.points.iter().map(|p| p.0)).collect();
        let (least, most) = (ends.iter().copied().fold(f64::MAX, f64::min), ends.iter().copied().fold(0.0, f64::max));
        let levels = self.results.curve(Family::KAnonymity(METHODS[1]), of);
        let shown = levels.iter().filter(|(k, _)| [2.0, 10.0, 50.0].contains(k));
        series.extend(shown.map(|&(k, y)| Series::new(format!("k = {k}, {}", METHODS[1]), [(least, y), (most, y)])));
        self.chart("", Axis::log("ε"), Axis::log(label), series)
    }

    fn curves(&self, family: Family, shown: &[(&str, Measure)]) -> Vec<Series> {
        shown.iter().map(|&(name, of)| Series::new(name, self.results.curve(family, of))).collect()
    }

    fn claims_of_groups(&self) -> Chart {
        let shown = [("told the groups", TOLD), ("claimed", CLAIMED), ("right", RIGHT), ("control", RIGHT_CONTROL)];
        let series = self.curves(Family::KAnonymity(METHODS[0]), &shown);
        let y = Axis::linear("% of people");
        self.chart(&format!("k-anonymity, {}: ", METHODS[0]), Axis::log("k"), y, series)
    }

    fn claims_of_noise(&self) -> Chart {
        let shown = [("claimed", CLAIMED), ("right", RIGHT), ("control", RIGHT_CONTROL)];
        let series = self.curves(Family::Noise(Kind::Synthetic, false), &shown);
        self.chart("made-up records: ", Axis::log("ε"), Axis::linear("% of people"), series)
    }

    fn guesses_of_groups(&self) -> Chart {
        let mut series = Vec::new();
        for method in METHODS {
            let family = Family::KAnonymity(method);
            series.push(Series::new(format!("{method}, in both"), self.results.curve(family, GUESSED)));
            series.push(Series::new(format!("{method}, control"), self.results.curve(family, GUESSED_CONTROL)));
        }
        self.chart("k-anonymity: ", Axis::log("k"), Axis::linear("guessed right, % of people"), series)
    }

    fn guesses_of_noise(&self) -> Chart {
        let mut series = Vec::new();
        for kind in [Kind::Pairs, Kind::Histogram, Kind::Synthetic] {
            let family = Family::Noise(kind, false);
            series.push(Series::new(format!("{}, in both", kind.name()), self.results.curve(family, GUESSED)));
            series.push(Series::new(format!("{}, control", kind.name()), self.results.curve(family, GUESSED_CONTROL)));
        }
        self.chart("noise: ", Axis::log("ε"), Axis::linear("guessed right, % of people"), series)
    }
}

//! The main numbers in tables for the screen.

use super::attack::{CompositionReader, LEFT};
use super::overlap::Rest;
use super::paper;
use super::people::{Census, CensusPeople};
use super::plan::{AnonymizationScheme, K_OF_TEXT, K_WITH_OTHERS, ReleasePromises};
use super::report::{
    ALONE, CompositionReport, ExposureMeasure, NCP, PERFECT, QUARTER, VARIED, pair_name, promises,
};
use super::results::MeasuredAttack;
use crate::mean_over_draws::MeanOverDraws;
use crate::outcome::View;

impl CompositionReport<'_> {
    /// All tables.
    pub fn tables(&self) -> Vec<View> {
        let mut views = vec![self.headline()];
        for people in self.papers() {
            let name = self.all[people].name;
            let told = self.told(people, 0);
            let by_pair = |title: &str, of: ExposureMeasure| {
                let curves: Vec<Curve> = self
                    .schemes(people)
                    .into_iter()
                    .map(|pair| {
                        (
                            short(pair_name(pair)),
                            told.by(pair).plain().curve(|r| Some(r.cell.promised.k), of),
                        )
                    })
                    .collect();
                view(format!("{title}, {name}"), "k", &curves)
            };
            views.push(by_pair("Figure 1: perfect breach in %", PERFECT));
            views.push(self.figure_2(people));
            views.push(self.figures_3_and_4(people, AnonymizationScheme::Mondrian));
            if told
                .iter()
                .any(|r| r.cell.schemes[0] == AnonymizationScheme::Trees)
            {
                views.push(self.figures_3_and_4(people, AnonymizationScheme::Trees));
            }
            views.extend(self.figures_5_and_6(people));
            views.push(self.figure_8(people));
            views.push(self.sizes(people));
            views.push(self.readers(people));
        }
        views.extend(self.figure_7());
        views.extend(self.cost());
        views
    }

    fn headline(&self) -> View {
        let head = [
            "k = 5",
            "",
            "perfect %",
            "alone %",
            "at 25%",
            "partition",
            "paper",
        ];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        for (people, of) in self.all.iter().enumerate() {
            for pair in self.schemes(people) {
                let some = self
                    .told(people, 0)
                    .by(pair)
                    .promising(ReleasePromises::k(K_OF_TEXT));
                let text = paper::text(of.census)
                    .filter(|_| pair[1] != AnonymizationScheme::Microaggregation);
                let mut line = vec![shorter(of).to_owned(), short(pair_name(pair))];
                let measures: [ExposureMeasure; 4] = [PERFECT, ALONE, QUARTER, |e| e.partition];
                line.extend(measures.map(|measure| spread(some.mean(measure))));
                line.push(text.map_or_else(String::new, |text| text.to_string()));
                lines.push(line);
            }
        }
        View {
            title: "Beside the paper's text: mean and spread of the draws".into(),
            lines,
        }
    }

    fn figure_2(&self, people: usize) -> View {
        let told = self
            .told(people, 0)
            .by([AnonymizationScheme::Mondrian; 2])
            .plain();
        let curve = |at: usize| {
            let name = if at == 0 {
                "100%".to_owned()
            } else {
                format!("{}%", 100 / LEFT[at])
            };
            (
                name,
                told.curve(|r| Some(r.cell.promised.k), |e| 100.0 * e.exposed[at]),
            )
        };
        let curves: Vec<Curve> = (0..LEFT.len()).map(curve).collect();
        view(
            format!(
                "Figure 2: % of targets at a confidence, mondrian, {}",
                self.all[people].name
            ),
            "k",
            &curves,
        )
    }

    fn figures_3_and_4(&self, people: usize, scheme: AnonymizationScheme) -> View {
        let told = self.told(people, 0).by([scheme; 2]).plain();
        let measures: [(&str, ExposureMeasure); 5] = [
            ("partition", |e| e.partition),
            ("prior", |e| e.prior),
            ("posterior", |e| e.posterior),
            ("drop", |e| e.drop),
            ("vulnerable %", |e| 100.0 * e.vulnerable),
        ];
        let curves = measures
            .map(|(name, of)| (name.to_owned(), told.curve(|r| Some(r.cell.promised.k), of)));
        view(
            format!(
                "Figures 3 and 4: {}, {}",
                scheme.name(),
                self.all[people].name
            ),
            "k",
            &curves,
        )
    }

    fn figures_5_and_6(&self, people: usize) -> Vec<View> {
        let name = self.all[people].name;
        let mut views = Vec::new();
        for pair in [
            [AnonymizationScheme::Mondrian; 2],
            [AnonymizationScheme::Trees; 2],
        ] {
            let some = self.told(people, 0).by(pair);
            if some.is_empty() {
                continue;
            }
            for (what, x) in VARIED {
                let measures: [(&str, ExposureMeasure); 5] = [
                    ("perfect %", PERFECT),
                    ("alone %", ALONE),
                    ("at 25%", QUARTER),
                    ("posterior", |e| e.posterior),
                    ("partition", |e| e.partition),
                ];
                let curves = measures.map(|(of, measure)| (of.to_owned(), some.curve(x, measure)));
                let title = format!(
                    "Figures 5 and 6: k = {K_WITH_OTHERS}, {}, {name}",
                    pair_name(pair)
                );
                views.push(view(title, what, &curves));
            }
        }
        views
    }

    /// Sensitive columns: of the made-up table, and of the samples.
    fn figure_7(&self) -> Vec<View> {
        let with_several = (0..self.all.len()).filter(|&at| self.all[at].sensitive().len() > 1);
        let of = |people: usize| {
            let all = &self.all[people];
            let curve = |at: usize| {
                let column = &all.sensitive()[at];
                let name = format!(
                    "{} {} {:.2}",
                    column.spec.name,
                    column.domain.len(),
                    all.entropy(at)
                );
                let told = self
                    .told(people, at)
                    .by([AnonymizationScheme::Mondrian; 2])
                    .plain();
                (name, told.curve(|r| Some(r.cell.promised.k), |e| e.drop))
            };
            let curves: Vec<Curve> = (0..all.sensitive().len()).map(curve).collect();
            view(
                format!("Figure 7: drop by column, values and bits, {}", all.name),
                "k",
                &curves,
            )
        };
        with_several.map(of).collect()
    }

    fn figure_8(&self, people: usize) -> View {
        let mut curves: Vec<Curve> = Vec::new();
        for (what, of) in [
            ("perfect %", PERFECT),
            ("drop", (|e| e.drop) as ExposureMeasure),
        ] {
            for n in 2..=4 {
                let some = self.several(people, Rest::Apart, n);
                curves.push((
                    format!("{what} n={n}"),
                    some.curve(|r| Some(r.cell.promised.k), of),
                ));
            }
        }
        let name = self.all[people].name;
        view(
            format!("Figure 8: n releases, nobody else in two, mondrian, {name}"),
            "k",
            &curves,
        )
    }

    fn sizes(&self, people: usize) -> View {
        let some = self.subsets_of_any_size(people);
        let mut curves: Vec<Curve> = Vec::new();
        for k in [K_OF_TEXT, K_WITH_OTHERS] {
            let some = some.promising(ReleasePromises::k(k));
            let x = |r: &MeasuredAttack| Some(r.job.overlap.size as u64);
            curves.push((format!("k={k}: perfect %"), some.curve(x, PERFECT)));
            curves.push(("at 25%".to_owned(), some.curve(x, QUARTER)));
            curves.push(("drop".to_owned(), some.curve(x, |e| e.drop)));
        }
        view(
            format!(
                "By size of the subsets, mondrian, {}",
                self.all[people].name
            ),
            "people",
            &curves,
        )
    }

    fn readers(&self, people: usize) -> View {
        let head = [
            "k = 5",
            "reader",
            "perfect %",
            "right %",
            "none %",
            "posterior",
            "located %",
        ];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        for pair in self
            .schemes(people)
            .into_iter()
            .chain([[AnonymizationScheme::Centroids; 2]])
        {
            for reader in [
                CompositionReader::Told,
                CompositionReader::Union,
                CompositionReader::MostSpecific,
                CompositionReader::Nearest,
            ] {
                let some = self
                    .pairs(people, 0)
                    .by(pair)
                    .promising(ReleasePromises::k(K_OF_TEXT))
                    .read_by(reader);
                if some.is_empty() {
                    continue;
                }
                let measures: [ExposureMeasure; 5] = [
                    PERFECT,
                    |e| 100.0 * e.right,
                    |e| 100.0 * e.apart,
                    |e| e.posterior,
                    |e| 100.0 * e.located,
                ];
                let mut line = vec![short(pair_name(pair)), reader.name().to_owned()];
                line.extend(measures.map(|of| number(some.mean(of))));
                lines.push(line);
            }
        }
        View {
            title: format!(
                "Readers who know groups, or labels only, {}",
                self.all[people].name
            ),
            lines,
        }
    }

    /// Mondrian with stricter promises, and beside the first release.
    fn cost(&self) -> Vec<View> {
        let head = [
            "second",
            "promise",
            "perfect %",
            "alone %",
            "at 25%",
            "partition",
            "its NCP",
        ];
        let of = |people: usize| {
            let mut lines = vec![head.map(str::to_owned).to_vec()];
            let told = self
                .told(people, 0)
                .only(|r| r.cell.scheme(0) == AnonymizationScheme::Mondrian);
            let others = [2, 3, 5].map(AnonymizationScheme::Withstanding);
            for second in [AnonymizationScheme::Mondrian].into_iter().chain(others) {
                let some = told.by([AnonymizationScheme::Mondrian, second]);
                for promised in promises(&some) {
                    let some = some.promising(promised);
                    let mut line = vec![second.name().to_owned(), promised.to_string()];
                    let measures: [ExposureMeasure; 4] = [PERFECT, ALONE, QUARTER, |e| e.partition];
                    line.extend(measures.map(|measure| number(some.mean(measure))));
                    line.push(
                        some.mean(NCP)
                            .map_or_else(dash, |m| format!("{:.3}", m.mean)),
                    );
                    lines.push(line);
                }
            }
            View {
                title: format!("What withstanding costs, {}", self.all[people].name),
                lines,
            }
        };
        self.papers().map(of).collect()
    }
}

type Curve = (String, Vec<(u64, MeanOverDraws)>);

/// Means against what is varied.
fn view(title: String, x: &str, curves: &[Curve]) -> View {
    let mut places: Vec<u64> = curves
        .iter()
        .flat_map(|(_, points)| points.iter().map(|p| p.0))
        .collect();
    places.sort_unstable();
    places.dedup();
    let head = std::iter::once(x.to_owned())
        .chain(curves.iter().map(|(name, _)| name.clone()))
        .collect();
    let line = |&place: &u64| {
        let cell = |(_, points): &Curve| number(points.iter().find(|p| p.0 == place).map(|p| p.1));
        std::iter::once(place.to_string())
            .chain(curves.iter().map(cell))
            .collect()
    };
    View {
        title,
        lines: std::iter::once(head)
            .chain(places.iter().map(line))
            .collect(),
    }
}

fn number(mean: Option<MeanOverDraws>) -> String {
    mean.map_or_else(dash, |m| {
        if m.mean < 100.0 {
            format!("{:.1}", m.mean)
        } else {
            format!("{:.0}", m.mean)
        }
    })
}

fn spread(mean: Option<MeanOverDraws>) -> String {
    mean.map_or_else(dash, |m| format!("{:.1}±{:.1}", m.mean, m.spread))
}

fn dash() -> String {
    "-".to_owned()
}

/// Names that leave room on a screen of 80 columns.
fn short(name: &str) -> String {
    name.replace("microaggregation", "microagg.")
}

fn shorter(people: &CensusPeople) -> &'static str {
    match people.census {
        Census::Adult if people.name == "Adult" => "Adult",
        Census::Adult => "made up",
        Census::IpumsLike => "IPUMS-like",
        Census::Ipums97 => "IPUMS 97",
        Census::Ipums979899 => "IPUMS 97-99",
    }
}

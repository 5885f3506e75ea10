//! What is told about the results: every number, and the main ones in tables.

use super::attack::{Exposure, LEFT, Reader};
use super::overlap::Rest;
use super::paper;
use super::people::{Census, People};
use super::pictures;
use super::plan::{K_OF_TEXT, K_WITH_OTHERS, Promised, Scheme, common};
use super::results::{Mean, Measured, Results};
use crate::outcome::{Outcome, Sheet, Value, View};

/// The schemes of two releases, in the order of tables and figures.
pub const PAIRS: [[Scheme; 2]; 5] = [
    [Scheme::Mondrian, Scheme::Mondrian],
    [Scheme::Microaggregation, Scheme::Microaggregation],
    [Scheme::Mondrian, Scheme::Microaggregation],
    [Scheme::Hierarchies, Scheme::Hierarchies],
    [Scheme::Trees, Scheme::Trees],
];

/// How tables and figures call them.
pub fn pair_name(schemes: [Scheme; 2]) -> &'static str {
    match schemes {
        [Scheme::Mondrian, Scheme::Microaggregation] => "one of each",
        [scheme, _] => scheme.name(),
    }
}

/// The results of all draws.
pub fn outcome(all: &[People], measured: &[Measured]) -> Outcome {
    let report = Report { all, results: Results::new(measured) };
    let names: Vec<String> = all.iter().map(|people| format!("{} ({} people)", people.name, people.count())).collect();
    Outcome {
        title: format!("Releases side by side: {}", names.join(", ")),
        notes: report.notes(),
        sheet: sheet(all, measured),
        views: report.views(),
        figures: pictures::figures(&report),
    }
}

/// Everything.
pub struct Report<'a> {
    /// The tables.
    pub all: &'a [People],
    /// All attacks on them.
    pub results: Results<'a>,
}

/// What is looked at.
pub type Measure = fn(&Exposure) -> f64;

/// In per cent of the targets.
pub const PERFECT: Measure = |e| 100.0 * e.exposed[0];
/// Those of whom one release leaves a single value by itself.
pub const ALONE: Measure = |e| 100.0 * e.already;
/// The same as [`PERFECT`] at a confidence of 25 %.
pub const QUARTER: Measure = |e| 100.0 * e.exposed[3];

/// What is promised besides k, by the name of the axis.
pub const VARIED: [(&str, fn(&Measured) -> Option<u64>); 2] =
    [("entropy l", |r| r.cell.promised.l), ("t in %", |r| r.cell.promised.t)];

impl<'a> Report<'a> {
    /// Those of the two tables of the paper.
    pub fn papers(&self) -> impl Iterator<Item = usize> {
        let of_paper = |&at: &usize| matches!(self.all[at].census, Census::Adult | Census::IpumsLike);
        (0..self.all.len()).filter(of_paper)
    }

    /// Two subsets that are everybody, read by somebody who knows the groups.
    pub fn told(&self, people: usize, sensitive: usize) -> Results<'a> {
        self.pairs(people, sensitive).read_by(Reader::Told)
    }

    /// The same for all readers.
    pub fn pairs(&self, people: usize, sensitive: usize) -> Results<'a> {
        let count = self.all[people].count();
        let size = super::overlap::Overlap::of_all(count, common(count), 2).size;
        self.results.about(people, sensitive).main(size)
    }

    /// Schemes that were measured on a table.
    pub fn schemes(&self, people: usize) -> Vec<[Scheme; 2]> {
        let told = self.told(people, 0);
        PAIRS.into_iter().filter(|&pair| !told.by(pair).is_empty()).collect()
    }

    fn views(&self) -> Vec<View> {
        let mut views = vec![self.headline()];
        for people in self.papers() {
            let name = self.all[people].name;
            let told = self.told(people, 0);
            let by_pair = |title: &str, of: Measure| {
                let curves: Vec<Curve> = self
                    .schemes(people)
                    .into_iter()
                    .map(|pair| (short(pair_name(pair)), told.by(pair).plain().curve(|r| Some(r.cell.promised.k), of)))
                    .collect();
                view(format!("{title}, {name}"), "k", &curves)
            };
            views.push(by_pair("Figure 1: perfect breach in %", PERFECT));
            views.push(self.figure_2(people));
            views.push(self.figures_3_and_4(people, Scheme::Mondrian));
            if told.iter().any(|r| r.cell.schemes[0] == Scheme::Trees) {
                views.push(self.figures_3_and_4(people, Scheme::Trees));
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
        let head = ["k = 5", "", "perfect %", "alone %", "at 25%", "partition", "paper"];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        for (people, of) in self.all.iter().enumerate() {
            for pair in self.schemes(people) {
                let some = self.told(people, 0).by(pair).promising(Promised::k(K_OF_TEXT));
                let text = paper::text(of.census).filter(|_| pair[1] != Scheme::Microaggregation);
                let mut line = vec![shorter(of).to_owned(), short(pair_name(pair))];
                let measures: [Measure; 4] = [PERFECT, ALONE, QUARTER, |e| e.partition];
                line.extend(measures.map(|measure| spread(some.mean(measure))));
                line.push(text.map_or_else(String::new, |text| text.to_string()));
                lines.push(line);
            }
        }
        View { title: "Beside the paper's text: mean and spread of the draws".into(), lines }
    }

    fn figure_2(&self, people: usize) -> View {
        let told = self.told(people, 0).by([Scheme::Mondrian; 2]).plain();
        let curve = |at: usize| {
            let name = if at == 0 { "100%".to_owned() } else { format!("{}%", 100 / LEFT[at]) };
            (name, told.curve(|r| Some(r.cell.promised.k), |e| 100.0 * e.exposed[at]))
        };
        let curves: Vec<Curve> = (0..LEFT.len()).map(curve).collect();
        view(format!("Figure 2: % of targets at a confidence, mondrian, {}", self.all[people].name), "k", &curves)
    }

    fn figures_3_and_4(&self, people: usize, scheme: Scheme) -> View {
        let told = self.told(people, 0).by([scheme; 2]).plain();
        let measures: [(&str, Measure); 5] = [
            ("partition", |e| e.partition),
            ("prior", |e| e.prior),
            ("posterior", |e| e.posterior),
            ("drop", |e| e.drop),
            ("vulnerable %", |e| 100.0 * e.vulnerable),
        ];
        let curves = measures.map(|(name, of)| (name.to_owned(), told.curve(|r| Some(r.cell.promised.k), of)));
        view(format!("Figures 3 and 4: {}, {}", scheme.name(), self.all[people].name), "k", &curves)
    }

    fn figures_5_and_6(&self, people: usize) -> Vec<View> {
        let name = self.all[people].name;
        let mut views = Vec::new();
        for pair in [[Scheme::Mondrian; 2], [Scheme::Trees; 2]] {
            let some = self.told(people, 0).by(pair);
            if some.is_empty() {
                continue;
            }
            for (what, x) in VARIED {
                let measures: [(&str, Measure); 5] = [
                    ("perfect %", PERFECT),
                    ("alone %", ALONE),
                    ("at 25%", QUARTER),
                    ("posterior", |e| e.posterior),
                    ("partition", |e| e.partition),
                ];
                let curves = measures.map(|(of, measure)| (of.to_owned(), some.curve(x, measure)));
                let title = format!("Figures 5 and 6: k = {K_WITH_OTHERS}, {}, {name}", pair_name(pair));
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
                let name = format!("{} {} {:.2}", column.spec.name, column.domain.len(), all.entropy(at));
                let told = self.told(people, at).by([Scheme::Mondrian; 2]).plain();
                (name, told.curve(|r| Some(r.cell.promised.k), |e| e.drop))
            };
            let curves: Vec<Curve> = (0..all.sensitive().len()).map(curve).collect();
            view(format!("Figure 7: drop by column, values and bits, {}", all.name), "k", &curves)
        };
        with_several.map(of).collect()
    }

    /// Several releases, by who else is in the subsets.
    pub fn several(&self, people: usize, rest: Rest, releases: usize) -> Results<'a> {
        let some = self.results.about(people, 0).read_by(Reader::Told);
        some.only(|r| r.job.overlap.subsets == 4 && r.job.overlap.rest == rest && r.cell.releases == releases)
    }

    fn figure_8(&self, people: usize) -> View {
        let mut curves: Vec<Curve> = Vec::new();
        for (what, of) in [("perfect %", PERFECT), ("drop", (|e| e.drop) as Measure)] {
            for n in 2..=4 {
                let some = self.several(people, Rest::Apart, n);
                curves.push((format!("{what} n={n}"), some.curve(|r| Some(r.cell.promised.k), of)));
            }
        }
        let name = self.all[people].name;
        view(format!("Figure 8: n releases, nobody else in two, mondrian, {name}"), "k", &curves)
    }

    /// Two subsets of whatever size.
    pub fn subsets_of_any_size(&self, people: usize) -> Results<'a> {
        let some = self.results.about(people, 0).read_by(Reader::Told).by([Scheme::Mondrian; 2]);
        some.only(|r| r.job.overlap.subsets == 2)
    }

    fn sizes(&self, people: usize) -> View {
        let some = self.subsets_of_any_size(people);
        let mut curves: Vec<Curve> = Vec::new();
        for k in [K_OF_TEXT, K_WITH_OTHERS] {
            let some = some.promising(Promised::k(k));
            let x = |r: &Measured| Some(r.job.overlap.size as u64);
            curves.push((format!("k={k}: perfect %"), some.curve(x, PERFECT)));
            curves.push(("at 25%".to_owned(), some.curve(x, QUARTER)));
            curves.push(("drop".to_owned(), some.curve(x, |e| e.drop)));
        }
        view(format!("By size of the subsets, mondrian, {}", self.all[people].name), "people", &curves)
    }

    fn readers(&self, people: usize) -> View {
        let head = ["k = 5", "reader", "perfect %", "right %", "none %", "posterior", "located %"];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        for pair in self.schemes(people) {
            for reader in [Reader::Told, Reader::Union, Reader::MostSpecific, Reader::Nearest] {
                let some = self.pairs(people, 0).by(pair).promising(Promised::k(K_OF_TEXT)).read_by(reader);
                if some.is_empty() {
                    continue;
                }
                let measures: [Measure; 5] =
                    [PERFECT, |e| 100.0 * e.right, |e| 100.0 * e.apart, |e| e.posterior, |e| 100.0 * e.located];
                let mut line = vec![short(pair_name(pair)), reader.name().to_owned()];
                line.extend(measures.map(|of| number(some.mean(of))));
                lines.push(line);
            }
        }
        View { title: format!("Readers who know groups, or labels only, {}", self.all[people].name), lines }
    }

    /// Mondrian with stricter promises, and beside the first release.
    fn cost(&self) -> Vec<View> {
        let head = ["second", "promise", "perfect %", "alone %", "at 25%", "partition", "its NCP"];
        let of = |people: usize| {
            let mut lines = vec![head.map(str::to_owned).to_vec()];
            let told = self.told(people, 0).only(|r| r.cell.scheme(0) == Scheme::Mondrian);
            let others = [2, 3, 5].map(Scheme::Withstanding);
            for second in [Scheme::Mondrian].into_iter().chain(others) {
                let some = told.by([Scheme::Mondrian, second]);
                for promised in promises(&some) {
                    let some = some.promising(promised);
                    let mut line = vec![second.name().to_owned(), promised.to_string()];
                    let measures: [Measure; 4] = [PERFECT, ALONE, QUARTER, |e| e.partition];
                    line.extend(measures.map(|measure| number(some.mean(measure))));
                    line.push(some.mean(|e| e.last_ncp).map_or_else(dash, |m| format!("{:.3}", m.mean)));
                    lines.push(line);
                }
            }
            View { title: format!("What withstanding costs, {}", self.all[people].name), lines }
        };
        self.papers().map(of).collect()
    }

    fn notes(&self) -> Vec<String> {
        let overlaps: Vec<String> = self
            .all
            .iter()
            .map(|people| {
                let common = common(people.count());
                let size = super::overlap::Overlap::of_all(people.count(), common, 2).size;
                format!("{common} in two subsets of {size} ({})", people.name)
            })
            .collect();
        vec![
            format!("people in common: {}; nobody else is in both", overlaps.join(", ")),
            "figures in the paper's text: Adult and IPUMS, both subsets by Mondrian along hierarchies, k = 5"
                .to_owned(),
            "at 25%: share of targets at a confidence of at least 25 %, that is with at most 4 values left".to_owned(),
            "partition, prior, posterior: means over the people in common, as in the paper".to_owned(),
            "alone: a single value is left by one of the releases without the other".to_owned(),
            "withstands-n: with the first release at least n values are left, unless that one leaves fewer".to_owned(),
            "hierarchies: cuts at medians, labels from hierarchies; trees: a node is divided into all its children"
                .to_owned(),
            "told: the reader knows the right groups, as in the paper; the others have the labels".to_owned(),
            "every release was verified from its published values".to_owned(),
        ]
    }
}

/// What was promised, in order of k, l and t.
pub fn promises(some: &Results) -> Vec<Promised> {
    let mut promises: Vec<Promised> = some.iter().map(|r| r.cell.promised).collect();
    promises.sort_by_key(|p| (p.l.is_some(), p.t.is_some(), p.l, std::cmp::Reverse(p.t), p.k));
    promises.dedup();
    promises
}

type Curve = (String, Vec<(u64, Mean)>);

/// Means against what is varied.
fn view(title: String, x: &str, curves: &[Curve]) -> View {
    let mut places: Vec<u64> = curves.iter().flat_map(|(_, points)| points.iter().map(|p| p.0)).collect();
    places.sort_unstable();
    places.dedup();
    let head = std::iter::once(x.to_owned()).chain(curves.iter().map(|(name, _)| name.clone())).collect();
    let line = |&place: &u64| {
        let cell = |(_, points): &Curve| number(points.iter().find(|p| p.0 == place).map(|p| p.1));
        std::iter::once(place.to_string()).chain(curves.iter().map(cell)).collect()
    };
    View { title, lines: std::iter::once(head).chain(places.iter().map(line)).collect() }
}

fn number(mean: Option<Mean>) -> String {
    mean.map_or_else(dash, |m| if m.mean < 100.0 { format!("{:.1}", m.mean) } else { format!("{:.0}", m.mean) })
}

fn spread(mean: Option<Mean>) -> String {
    mean.map_or_else(dash, |m| format!("{:.1}±{:.1}", m.mean, m.spread))
}

fn dash() -> String {
    "-".to_owned()
}

/// Names that leave room on a screen of 80 columns.
fn short(name: &str) -> String {
    name.replace("microaggregation", "microagg.")
}

fn shorter(people: &People) -> &'static str {
    match people.census {
        Census::Adult if people.name == "Adult" => "Adult",
        Census::Adult => "made up",
        Census::IpumsLike => "IPUMS-like",
        Census::Ipums97 => "IPUMS 97",
        Census::Ipums979899 => "IPUMS 97-99",
    }
}

fn sheet(all: &[People], measured: &[Measured]) -> Sheet {
    let columns = vec![
        "people",
        "sensitive",
        "rest",
        "subsets",
        "size",
        "common",
        "draw",
        "releases",
        "first",
        "others",
        "k",
        "l",
        "t",
        "reader",
        "perfect",
        "already",
        "within_2",
        "within_3",
        "within_4",
        "within_5",
        "within_10",
        "right",
        "none_left",
        "vulnerable",
        "located",
        "partition",
        "prior",
        "posterior",
        "drop",
        "ncp",
        "last_ncp",
    ];
    let row = |r: &Measured| -> Vec<Value> {
        let people = &all[r.job.people];
        let or_dash = |value: Option<u64>, scale: f64| value.map_or("-".into(), |v| Value::from(v as f64 / scale));
        let of = |measure: Measure| Value::from(r.exposure.as_ref().map(measure));
        vec![
            people.name.into(),
            people.sensitive()[r.job.sensitive].spec.name.as_str().into(),
            r.job.overlap.rest.name().into(),
            r.job.overlap.subsets.into(),
            r.job.overlap.size.into(),
            r.job.overlap.common.into(),
            r.job.draw.into(),
            r.cell.releases.into(),
            r.cell.scheme(0).name().into(),
            r.cell.scheme(1).name().into(),
            r.cell.promised.k.into(),
            or_dash(r.cell.promised.l, 1.0),
            or_dash(r.cell.promised.t, 100.0),
            r.reader.name().into(),
            of(|e| e.exposed[0]),
            of(|e| e.already),
            of(|e| e.exposed[1]),
            of(|e| e.exposed[2]),
            of(|e| e.exposed[3]),
            of(|e| e.exposed[4]),
            of(|e| e.exposed[5]),
            of(|e| e.right),
            of(|e| e.apart),
            of(|e| e.vulnerable),
            of(|e| e.located),
            of(|e| e.partition),
            of(|e| e.prior),
            of(|e| e.posterior),
            of(|e| e.drop),
            of(|e| e.ncp),
            of(|e| e.last_ncp),
        ]
    };
    Sheet { columns, rows: measured.iter().map(row).collect() }
}

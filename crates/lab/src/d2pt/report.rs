//! What is told about the results: every number, and the main ones in tables.

use super::paper;
use super::pictures;
use super::plan::ONE_LEFT_OUT;
use super::results::{SplitResults, written};
use super::study::{Case, MeasuredSplit, Study};
use crate::outcome::{Outcome, Sheet, SheetValue, View};
use mingle_privacy::Distance;
use mingle_protocol::Synchronizer;

/// The order of tables and figures; nobody is central.
pub const METHODS: [Option<Synchronizer>; 6] = [
    Some(Synchronizer::Identity),
    Some(Synchronizer::Fork),
    Some(Synchronizer::Merge),
    Some(Synchronizer::Repair),
    Some(Synchronizer::Dpp2ga),
    None,
];

/// A synchronizer's name, or that there is none.
pub fn name(method: Option<Synchronizer>) -> &'static str {
    method.map_or("central", Synchronizer::name)
}

/// The results of all studies, that of all columns first.
pub fn outcome(studies: &[Study], all: &[Vec<MeasuredSplit>]) -> Outcome {
    let report = D2ptReport::new(&studies[0], &all[0]);
    let mut views = report.views();
    views.push(left_out(studies, all));
    Outcome {
        title: format!("Two sites agree on groups: {}", report.ran_on),
        notes: notes(&report),
        sheet: sheet(studies, all),
        views,
        figures: pictures::figures(&report),
    }
}

/// The study of all columns.
pub struct D2ptReport<'a> {
    /// People and splits, for titles.
    pub ran_on: String,
    /// The plan's k.
    pub ks: &'a [u64],
    /// The plan's t, as written.
    pub ts: Vec<String>,
    /// Everything.
    pub results: SplitResults<'a>,
    study: &'a Study<'a>,
}

impl<'a> D2ptReport<'a> {
    /// The results of a study.
    pub fn new(study: &'a Study<'a>, results: &'a [MeasuredSplit]) -> D2ptReport<'a> {
        let people = &study.people;
        let all = 2 * people.columns().halves().len();
        let splits = match 2 * study.plan.halves.len() {
            measured if measured == all => format!("all {all} splits"),
            measured => format!("{measured} of {all} splits"),
        };
        let mut ts: Vec<String> = study
            .plan
            .bounds
            .iter()
            .map(|&bound| written(bound))
            .collect();
        ts.dedup();
        D2ptReport {
            ran_on: format!("{} people, {splits} ({})", people.count(), people.name),
            ks: &study.plan.ks,
            ts,
            results: SplitResults::new(results),
            study,
        }
    }

    fn views(&self) -> Vec<View> {
        vec![
            self.same(),
            self.discernibility(Distance::Hierarchical),
            self.discernibility(Distance::Equal),
            self.by_k(),
            self.rounds(),
            self.loss("NCP", 3, |r| r.ncp),
            self.loss("Mean query error", 2, |r| r.query_error),
            self.bytes(),
        ]
    }

    /// Figure 4a.
    fn same(&self) -> View {
        let k = |k: &u64| format!("k = {k}");
        let mut lines = vec![words(["t", ""]).chain(self.ks.iter().map(k)).collect()];
        for t in &self.ts {
            for distance in [Distance::Hierarchical, Distance::Equal] {
                let ours = self.results.distance(distance).t(t);
                let share = |&k: &u64| number(ours.k(k).same(), 1);
                lines.push(
                    words([t, distance.name()])
                        .chain(self.ks.iter().map(share))
                        .collect(),
                );
            }
            let share = |&k: &u64| number(paper::same(t, k), 1);
            lines.push(
                words([t, "paper"])
                    .chain(self.ks.iter().map(share))
                    .collect(),
            );
        }
        View {
            title: "Figure 4a: SAME, partitions equal from the start, in % of the splits".into(),
            lines,
        }
    }

    /// Figure 4c.
    fn discernibility(&self, distance: Distance) -> View {
        let head = self
            .ts
            .iter()
            .flat_map(|t| [format!("t = {t}"), "paper".to_owned()]);
        let mut lines: Vec<Vec<String>> = vec![words(["", ""]).chain(head).collect()];
        for case in [Some(Case::Different), Some(Case::Same), None] {
            for method in METHODS.into_iter().flatten() {
                let ours = self
                    .results
                    .of_two_sites()
                    .distance(distance)
                    .by(Some(method))
                    .case(case);
                let both = self.ts.iter().flat_map(|t| {
                    let ours = ours.t(t).mean(|r| r.discernibility);
                    [
                        number(ours, 2),
                        number(paper::discernibility(case, method, t), 2),
                    ]
                });
                lines.push(
                    words([case.map_or("ALL", Case::name), method.name()])
                        .chain(both)
                        .collect(),
                );
            }
        }
        let central = self.results.distance(distance).by(None);
        let central = self.ts.iter().flat_map(|t| {
            [
                number(central.t(t).mean(|r| r.discernibility), 2),
                "-".to_owned(),
            ]
        });
        lines.push(words(["", name(None)]).chain(central).collect());
        View {
            title: format!(
                "Figure 4c: normalized discernibility, {} distance",
                distance.name()
            ),
            lines,
        }
    }

    fn by_k(&self) -> View {
        let mut lines: Vec<Vec<String>> = vec![
            words(["t", ""])
                .chain(self.ks.iter().map(|k| format!("k = {k}")))
                .collect(),
        ];
        for t in &self.ts {
            for method in [Some(Synchronizer::Repair), Some(Synchronizer::Dpp2ga), None] {
                let ours = self
                    .results
                    .distance(Distance::Hierarchical)
                    .t(t)
                    .by(method);
                if ours.iter().next().is_some() {
                    let cell = |&k: &u64| number(ours.k(k).mean(|r| r.discernibility), 3);
                    lines.push(
                        words([t, name(method)])
                            .chain(self.ks.iter().map(cell))
                            .collect(),
                    );
                }
            }
        }
        View {
            title: "Normalized discernibility by k, all splits, hierarchical distance".into(),
            lines,
        }
    }

    /// Figure 4b, which has no numbers, and the text beside it.
    fn rounds(&self) -> View {
        let head = ["", "t", "1", "2", "3", "> 3", "paper > 3", "mean", "most"];
        let mut lines: Vec<Vec<String>> = vec![words(head).collect()];
        for method in [
            Synchronizer::Identity,
            Synchronizer::Fork,
            Synchronizer::Dpp2ga,
        ] {
            let different = self
                .results
                .distance(Distance::Hierarchical)
                .case(Some(Case::Different))
                .by(Some(method));
            let paper = if method == Synchronizer::Dpp2ga {
                "< 2.1"
            } else {
                "> 40"
            };
            let of = |t: &str, some: SplitResults| -> Vec<String> {
                let exactly = [1, 2, 3].map(|n| number(some.percent(|r| r.rounds == n), 1));
                let more = number(some.percent(|r| r.rounds > 3), 1);
                let mean = number(some.mean(|r| r.rounds as f64), 2);
                let most = some.iter().map(|r| r.rounds).max().unwrap_or(0).to_string();
                let paper = if t == "all" { paper } else { "" };
                words([method.name(), t])
                    .chain(exactly)
                    .chain([more, paper.to_owned(), mean, most])
                    .collect()
            };
            let some = self
                .ts
                .iter()
                .map(|t| (t.as_str(), different.t(t)))
                .chain([("all", different.clone())]);
            lines.extend(
                some.filter(|(_, some)| some.iter().next().is_some())
                    .map(|(t, some)| of(t, some)),
            );
        }
        View {
            title: "Rounds of synchronization, in % of the DIFF cases, hierarchical distance"
                .into(),
            lines,
        }
    }

    fn loss(&self, title: &str, decimals: usize, of: fn(&MeasuredSplit) -> f64) -> View {
        let mut lines: Vec<Vec<String>> = vec![
            words([""])
                .chain(self.ts.iter().map(|t| format!("t = {t}")))
                .collect(),
        ];
        for method in METHODS {
            let ours = self.results.distance(Distance::Hierarchical).by(method);
            let cells = self.ts.iter().map(|t| number(ours.t(t).mean(of), decimals));
            lines.push(words([name(method)]).chain(cells).collect());
        }
        View {
            title: format!("{title}, all splits, hierarchical distance"),
            lines,
        }
    }

    fn bytes(&self) -> View {
        let head = self.ks.iter().map(|k| format!("k = {k}"));
        let mut lines: Vec<Vec<String>> = vec![words(["", "intersection"]).chain(head).collect()];
        for method in METHODS.into_iter().flatten() {
            let ours = self
                .results
                .distance(Distance::Hierarchical)
                .by(Some(method));
            let intersection = megabytes(ours.mean(|r| r.traffic.intersection as f64));
            let cell = |&k: &u64| megabytes(ours.k(k).mean(|r| r.traffic.synchronization as f64));
            lines.push(
                words([method.name(), &intersection])
                    .chain(self.ks.iter().map(cell))
                    .collect(),
            );
        }
        View {
            title: "MB sent, both ways: to find the common people, then to synchronize".into(),
            lines,
        }
    }
}

/// Every way to leave one column out.
fn left_out(studies: &[Study], all: &[Vec<MeasuredSplit>]) -> View {
    let methods = [Some(Synchronizer::Merge), Some(Synchronizer::Repair), None];
    let ks = studies.get(1).map_or(&[][..], |study| &study.plan.ks);
    let head = methods
        .iter()
        .flat_map(|&method| ks.iter().map(move |k| format!("{} {k}", name(method))));
    let mut lines: Vec<Vec<String>> = vec![words(["left out"]).chain(head).collect()];
    for (column, results) in studies[0].people.quasi_identifiers().zip(&all[1..]) {
        let results = SplitResults::new(results);
        let cells = methods
            .iter()
            .flat_map(|&method| ks.iter().map(move |&k| (method, k)));
        let cell = |(method, k)| number(results.by(method).k(k).mean(|r| r.discernibility), 3);
        lines.push(
            words([column.spec.name.as_str()])
                .chain(cells.map(cell))
                .collect(),
        );
    }
    View {
        title: format!(
            "Normalized discernibility with one column less, t = {}, by k",
            ONE_LEFT_OUT.0
        ),
        lines,
    }
}

fn notes(report: &D2ptReport) -> Vec<String> {
    let people = &report.study.people;
    let columns = people.names(people.columns()).replace('+', ", ");
    let [first, second] = [0, 1].map(|site| people.sensitive(site).spec.name.clone());
    vec![
        format!("quasi-identifiers: {columns}; sensitive: {first} at site 0, {second} at site 1"),
        people.hierarchies().to_owned(),
        "a split and its mirror image are both measured, so either site has either sensitive column".to_owned(),
        "paper: Nielsen et al., Figure 4; DIFF are the splits that are not SAME, ALL is both".to_owned(),
        "central: Datafly by somebody who has all columns; t-closeness for both sensitive ones".to_owned(),
        "dpp2ga keeps k alone, so it is measured at t = 1 only; \"-\": there is no such case".to_owned(),
        format!("query error: mean over {} queries for every release", report.study.plan.queries),
        "k and t were checked for every group at both sites".to_owned(),
    ]
}

fn sheet(studies: &[Study], all: &[Vec<MeasuredSplit>]) -> Sheet {
    let columns = vec![
        "left_out",
        "site_0",
        "case",
        "k",
        "t",
        "distance",
        "synchronizer",
        "rounds",
        "groups",
        "discernibility",
        "ncp",
        "query_error",
        "intersection_bytes",
        "synchronization_bytes",
    ];
    let left_out = std::iter::once("-").chain(
        studies[0]
            .people
            .quasi_identifiers()
            .map(|c| c.spec.name.as_str()),
    );
    let rows = left_out
        .zip(studies.iter().zip(all))
        .flat_map(|(left_out, (study, results))| {
            results.iter().map(move |r| -> Vec<SheetValue> {
                vec![
                    left_out.into(),
                    study.people.names(r.columns).as_str().into(),
                    r.case.name().into(),
                    r.k.into(),
                    r.bound.t.to_f64().into(),
                    r.bound.distance.name().into(),
                    name(r.synchronizer).into(),
                    r.rounds.into(),
                    r.groups.into(),
                    r.discernibility.into(),
                    r.ncp.into(),
                    r.query_error.into(),
                    r.traffic.intersection.into(),
                    r.traffic.synchronization.into(),
                ]
            })
        });
    Sheet {
        columns,
        rows: rows.collect(),
    }
}

fn words<const N: usize>(words: [&str; N]) -> impl Iterator<Item = String> {
    words.map(str::to_owned).into_iter()
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
}

fn megabytes(bytes: Option<f64>) -> String {
    number(bytes.map(|bytes| bytes / 1e6), 3)
}

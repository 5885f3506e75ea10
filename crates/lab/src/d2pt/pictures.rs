//! The results as pictures.

use super::paper;
use super::report::{D2ptReport, METHODS, name};
use super::results::SplitResults;
use super::study::{Case, MeasuredSplit};
use crate::outcome::Figure;
use mingle_chart::{Axis, Chart, Panels, Series};
use mingle_privacy::Distance;
use mingle_protocol::Synchronizer;

/// All pictures.
pub fn figures(report: &D2ptReport) -> Vec<Figure> {
    let figure = |name: &str, panels: Vec<Chart>| Figure {
        name: name.to_owned(),
        svg: Panels(panels).to_svg(),
    };
    vec![
        figure("figure_4a", report.same_panels()),
        figure("figure_4b", report.rounds_panels()),
        figure("figure_4c", report.discernibility_panels()),
        figure("loss", report.loss_panels()),
        figure("bytes", report.bytes_panels()),
    ]
}

impl D2ptReport<'_> {
    fn hierarchical(&self) -> SplitResults<'_> {
        self.results.distance(Distance::Hierarchical)
    }

    fn over_k(&self, value: impl Fn(u64) -> Option<f64>) -> Vec<(f64, f64)> {
        self.ks
            .iter()
            .filter_map(|&k| Some((k as f64, value(k)?)))
            .collect()
    }

    fn over_t(&self, value: impl Fn(&str) -> Option<f64>) -> Vec<(f64, f64)> {
        let place = |t: &str| t.parse().expect("t is written as a number");
        self.ts
            .iter()
            .filter_map(|t| Some((place(t), value(t)?)))
            .collect()
    }

    fn same_panels(&self) -> Vec<Chart> {
        let panel = |t: &String| {
            let ours = |distance: Distance| {
                let some = self.results.distance(distance).t(t);
                Series::new(
                    format!("{} distance", distance.name()),
                    self.over_k(|k| some.k(k).same()),
                )
            };
            let paper = Series::new("paper", self.over_k(|k| paper::same(t, k)));
            Chart {
                title: format!("SAME at t = {t}: {}", self.ran_on),
                x: Axis::log("k"),
                y: Axis::linear("equal from the start (% of splits)").range(0.0, 40.0),
                series: vec![ours(Distance::Hierarchical), ours(Distance::Equal), paper],
            }
        };
        self.ts.iter().map(panel).collect()
    }

    fn rounds_panels(&self) -> Vec<Chart> {
        let panel = |method: Synchronizer| {
            let different = self
                .hierarchical()
                .case(Some(Case::Different))
                .by(Some(method));
            let bars = |t: &String| {
                let some = different.t(t);
                let share = |rounds: usize| {
                    some.percent(|r| r.rounds == rounds)
                        .map(|share| (rounds as f64, share))
                };
                let most = some.iter().map(|r| r.rounds).max().unwrap_or(0);
                Series::bars(format!("t = {t}"), (1..=most).filter_map(share))
            };
            Chart {
                title: format!("{}, DIFF: {}", method.name(), self.ran_on),
                x: Axis::linear("rounds"),
                y: Axis::linear("% of the cases").range(0.0, 100.0),
                series: self
                    .ts
                    .iter()
                    .map(bars)
                    .filter(|bars| !bars.points.is_empty())
                    .collect(),
            }
        };
        [
            Synchronizer::Identity,
            Synchronizer::Fork,
            Synchronizer::Dpp2ga,
        ]
        .map(panel)
        .into()
    }

    fn discernibility_panels(&self) -> Vec<Chart> {
        let axis = || Axis::linear("normalized discernibility").range(0.0, 1.0);
        let chart = |title: String, series| Chart {
            title,
            x: Axis::linear("t"),
            y: axis(),
            series,
        };
        let ours = |case: Option<Case>| {
            let line = |method: Option<Synchronizer>| {
                let some = self
                    .hierarchical()
                    .by(method)
                    .case(case.filter(|_| method.is_some()));
                Series::new(
                    name(method),
                    self.over_t(|t| some.t(t).mean(|r| r.discernibility)),
                )
            };
            let case = case.map_or("ALL", Case::name);
            chart(format!("{case}: {}", self.ran_on), METHODS.map(line).into())
        };
        let paper = |case: Option<Case>| {
            let line = |method: Synchronizer| {
                Series::new(
                    method.name(),
                    self.over_t(|t| paper::discernibility(case, method, t)),
                )
            };
            let lines = METHODS
                .into_iter()
                .flatten()
                .filter(|&method| method != Synchronizer::Repair)
                .map(line);
            chart(
                format!("{}: the paper's Figure 4c", case.map_or("ALL", Case::name)),
                lines.collect(),
            )
        };
        vec![
            ours(Some(Case::Different)),
            paper(Some(Case::Different)),
            ours(None),
            paper(None),
        ]
    }

    fn loss_panels(&self) -> Vec<Chart> {
        let panel = |label: &str, of: fn(&MeasuredSplit) -> f64, t: &String| {
            let line = |method: Option<Synchronizer>| {
                let some = self.hierarchical().t(t).by(method);
                Series::new(name(method), self.over_k(|k| some.k(k).mean(of)))
            };
            let lines = METHODS
                .map(line)
                .into_iter()
                .filter(|line| !line.points.is_empty())
                .collect();
            Chart {
                title: format!("t = {t}: {}", self.ran_on),
                x: Axis::log("k"),
                y: Axis::linear(label).range(0.0, if label == "NCP" { 1.0 } else { 16.0 }),
                series: lines,
            }
        };
        let [loose, strict] =
            [self.ts.last(), self.ts.first()].map(|t| t.expect("a plan has some t"));
        let error: fn(&MeasuredSplit) -> f64 = |r| r.query_error;
        vec![
            panel("NCP", |r| r.ncp, loose),
            panel("mean query error", error, loose),
            panel("NCP", |r| r.ncp, strict),
            panel("mean query error", error, strict),
        ]
    }

    fn bytes_panels(&self) -> Vec<Chart> {
        let line = |method: Synchronizer| {
            let some = self.hierarchical().by(Some(method));
            let mean = |k: u64| some.k(k).mean(|r| r.traffic.synchronization as f64 / 1e6);
            Series::new(method.name(), self.over_k(mean))
        };
        let two = self.hierarchical().of_two_sites();
        let intersection = self.over_k(|k| two.k(k).mean(|r| r.traffic.intersection as f64 / 1e6));
        let mut series: Vec<Series> = METHODS.into_iter().flatten().map(line).collect();
        series.push(Series::new("finding the common people", intersection));
        vec![Chart {
            title: format!("Sent both ways: {}", self.ran_on),
            x: Axis::log("k"),
            y: Axis::log("MB, mean over splits and t"),
            series,
        }]
    }
}

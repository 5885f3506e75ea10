//! The figures: the paper's, and what is measured beside them.

use super::attack::LEFT;
use super::overlap::Rest;
use super::plan::{AnonymizationScheme, K_OF_TEXT, K_WITH_OTHERS, ReleasePromises};
use super::report::{
    ALONE, CompositionReport, ExposureMeasure, NCP, PERFECT, QUARTER, VARIED, VariedPromise,
    pair_name, promises,
};
use super::results::{AttackResults, MeasuredAttack};
use crate::mean_over_draws::MeanOverDraws;
use crate::outcome::Figure;
use mingle_chart::{Axis, Chart, Panels, Series};

/// Figures 1 to 8, and what is beside them.
pub fn figures(report: &CompositionReport) -> Vec<Figure> {
    let of = |name: &str, charts: Vec<Chart>| Figure {
        name: name.to_owned(),
        svg: Panels(charts).to_svg(),
    };
    let each = |chart: &dyn Fn(usize) -> Vec<Chart>| {
        report.papers().flat_map(chart).collect::<Vec<Chart>>()
    };
    vec![
        of("figure_1", each(&|people| vec![report.panel_1(people)])),
        of("figure_2", each(&|people| vec![report.panel_2(people)])),
        of("figure_3", each(&|people| vec![report.panel_3(people)])),
        of("figure_4", each(&|people| vec![report.panel_4(people)])),
        of("figure_5", each(&|people| report.panels_5(people))),
        of("figure_6", each(&|people| report.panels_6(people))),
        of("figure_7", report.panels_7()),
        of("figure_8", each(&|people| report.panels_8(people))),
        of("sizes", each(&|people| vec![report.by_size(people)])),
        of("cost", each(&|people| vec![report.by_cost(people)])),
    ]
}

const K: VariedPromise = |r| Some(r.cell.promised.k);

fn line(name: impl Into<String>, points: Vec<(u64, MeanOverDraws)>) -> Series {
    Series::new(name, points.into_iter().map(|(x, y)| (x as f64, y.mean)))
}

fn percent(label: &str) -> Axis {
    Axis::linear(label).range(0.0, 100.0)
}

fn confidence(at: usize) -> String {
    format!("{} %", 100 / LEFT[at])
}

impl CompositionReport<'_> {
    fn mondrian(&self, people: usize) -> AttackResults<'_> {
        self.told(people, 0).by([AnonymizationScheme::Mondrian; 2])
    }

    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    fn chart(&self, people: usize, what: &str, x: Axis, y: Axis, series: Vec<Series>) -> Chart {
        Chart {
            title: format!("{what}{}", self.all[people].name),
            x,
            y,
            series,
        }
    }

    fn panel_1(&self, people: usize) -> Chart {
        let told = self
            .told(people, 0)
            .plain()
            .only(|r| r.cell.promised.k <= 50);
        let mut series: Vec<Series> = self
            .schemes(people)
            .into_iter()
            .map(|pair| line(pair_name(pair), told.by(pair).curve(K, PERFECT)))
            .collect();
        series.push(line(
            "mondrian, one release alone",
            told.by([AnonymizationScheme::Mondrian; 2]).curve(K, ALONE),
        ));
        self.chart(
            people,
            "",
            Axis::log("k"),
            percent("perfect breach, % of targets"),
            series,
        )
    }

    fn panel_2(&self, people: usize) -> Chart {
        let told = self.mondrian(people).plain();
        let curve = |at: usize| line(confidence(at), told.curve(K, |e| 100.0 * e.exposed[at]));
        let series = (0..LEFT.len()).map(curve).collect();
        self.chart(
            people,
            "Confidence of at least: ",
            Axis::log("k"),
            percent("% of targets, mondrian"),
            series,
        )
    }

    fn panel_3(&self, people: usize) -> Chart {
        let mut series = Vec::new();
        for scheme in [AnonymizationScheme::Mondrian, AnonymizationScheme::Trees] {
            let told = self.told(people, 0).by([scheme; 2]).plain();
            if !told.is_empty() {
                series.push(line(
                    format!("partition, {}", scheme.name()),
                    told.curve(K, |e| e.partition),
                ));
                series.push(line(
                    format!("effective, {}", scheme.name()),
                    told.curve(K, |e| e.prior),
                ));
            }
        }
        let told = self.mondrian(people).plain();
        let presumed = told
            .curve(K, |_| 0.0)
            .into_iter()
            .map(|(k, _)| (k as f64, k as f64));
        series.push(Series::new("presumed: k", presumed));
        self.chart(
            people,
            "",
            Axis::log("k"),
            Axis::log("people, or values"),
            series,
        )
    }

    fn panel_4(&self, people: usize) -> Chart {
        let mut series = Vec::new();
        for scheme in [AnonymizationScheme::Mondrian, AnonymizationScheme::Trees] {
            let told = self.told(people, 0).by([scheme; 2]).plain();
            if !told.is_empty() {
                series.push(line(
                    format!("before, {}", scheme.name()),
                    told.curve(K, |e| e.prior),
                ));
                series.push(line(
                    format!("after, {}", scheme.name()),
                    told.curve(K, |e| e.posterior),
                ));
            }
        }
        self.chart(
            people,
            "",
            Axis::log("k"),
            Axis::linear("values, mean over targets"),
            series,
        )
    }

    fn panels_5(&self, people: usize) -> Vec<Chart> {
        let told = self.mondrian(people);
        let of = |(what, x): (&str, VariedPromise)| {
            let curve = |at: usize| line(confidence(at), told.curve(x, |e| 100.0 * e.exposed[at]));
            let series = (0..LEFT.len()).map(curve).collect();
            let title = format!("k = {K_WITH_OTHERS}: ");
            self.chart(
                people,
                &title,
                Axis::linear(what),
                percent("% of targets, mondrian"),
                series,
            )
        };
        VARIED.map(of).into()
    }

    fn panels_6(&self, people: usize) -> Vec<Chart> {
        let of = |(what, x): (&str, VariedPromise)| {
            let mut series = Vec::new();
            for scheme in [AnonymizationScheme::Mondrian, AnonymizationScheme::Trees] {
                let told = self.told(people, 0).by([scheme; 2]);
                if !told.is_empty() {
                    series.push(line(scheme.name(), told.curve(x, |e| e.partition)));
                }
            }
            let title = format!("k = {K_WITH_OTHERS}: ");
            self.chart(
                people,
                &title,
                Axis::linear(what),
                Axis::log("people in a target's group"),
                series,
            )
        };
        VARIED.map(of).into()
    }

    fn panels_7(&self) -> Vec<Chart> {
        let with_several = (0..self.all.len()).filter(|&at| self.all[at].sensitive().len() > 1);
        let of = |people: usize| {
            let all = &self.all[people];
            // the samples name their columns otherwise
            let names = ["occupation", "industry", "income"];
            let curve = |at: usize| {
                let told = self
                    .told(people, at)
                    .by([AnonymizationScheme::Mondrian; 2])
                    .plain();
                line(
                    names[at],
                    told.only(|r| r.cell.promised.k <= 50).curve(K, |e| e.drop),
                )
            };
            let bits: Vec<String> = (0..all.sensitive().len())
                .map(|at| format!("{:.2}", all.entropy(at)))
                .collect();
            let series = (0..all.sensitive().len()).map(curve).collect();
            let title = format!("{} bits: ", bits.join(", "));
            self.chart(
                people,
                &title,
                Axis::log("k").range(2.0, 50.0),
                Axis::linear("drop in values, mondrian"),
                series,
            )
        };
        with_several.map(of).collect()
    }

    fn panels_8(&self, people: usize) -> Vec<Chart> {
        let of = |label: &str, measure: ExposureMeasure| {
            let mut series: Vec<Series> = (2..=4)
                .map(|n| {
                    line(
                        format!("{n} releases"),
                        self.several(people, Rest::Apart, n).curve(K, measure),
                    )
                })
                .collect();
            let free = self.several(people, Rest::Free, 4);
            series.push(line("4, of larger subsets", free.curve(K, measure)));
            self.chart(people, "", Axis::log("k"), Axis::linear(label), series)
        };
        vec![
            of("perfect breach, % of targets", PERFECT),
            of("drop in values", |e| e.drop),
        ]
    }

    fn by_size(&self, people: usize) -> Chart {
        let some = self.subsets_of_any_size(people);
        let mut series = Vec::new();
        for k in [K_OF_TEXT, K_WITH_OTHERS] {
            let some = some.promising(ReleasePromises::k(k));
            let size = |r: &MeasuredAttack| Some(r.job.overlap.size as u64);
            series.push(line(format!("perfect, k = {k}"), some.curve(size, PERFECT)));
            series.push(line(format!("25 %, k = {k}"), some.curve(size, QUARTER)));
        }
        self.chart(
            people,
            "",
            Axis::linear("people in each subset"),
            percent("% of targets, mondrian"),
            series,
        )
    }

    /// Exposure against what the second release loses.
    fn by_cost(&self, people: usize) -> Chart {
        let told = self.told(people, 0);
        let of = |name: &str, some: AttackResults| {
            let all = promises(&some);
            let point = |promised: ReleasePromises| {
                let some = some.promising(promised);
                Some((some.mean(NCP)?.mean, some.mean(PERFECT)?.mean))
            };
            let mut points: Vec<(f64, f64)> = all.into_iter().filter_map(point).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series::new(name, points)
        };
        let mondrian = told.by([AnonymizationScheme::Mondrian; 2]);
        let withstanding = told.by([
            AnonymizationScheme::Mondrian,
            AnonymizationScheme::Withstanding(2),
        ]);
        let series = vec![
            of("k alone", mondrian.plain()),
            of(
                "k = 10 and entropy l",
                mondrian.only(|r| r.cell.promised.l.is_some()),
            ),
            of(
                "k = 10 and t",
                mondrian.only(|r| r.cell.promised.t.is_some()),
            ),
            of("withstands, k alone", withstanding.plain()),
            of(
                "withstands, k = 10 and l",
                withstanding.only(|r| r.cell.promised.l.is_some()),
            ),
        ];
        let y = percent("perfect breach, % of targets");
        self.chart(
            people,
            "",
            Axis::linear("NCP of the second release").range(0.0, 0.4),
            y,
            series,
        )
    }
}

//! Tables and figures of the results.

use super::plan::{PublishingCell, STRATEGIES, TIMED};
use super::runner::{MeasuredRelease, ReleaseFigures};
use super::{K, L, M, METHODS, PROVIDERS};
use crate::data::{PeopleRows, QUASI_IDENTIFIERS, SENSITIVE};
use crate::outcome::{Figure, Outcome, Sheet, SheetValue, View, significant};
use mingle_chart::{Axis, Chart, Panels, Series};
use mingle_privacy::Strategy;
use mingle_synth::Distribution;

pub fn outcome(data: &PeopleRows, rows: usize, results: &[MeasuredRelease]) -> Outcome {
    let all = All {
        results,
        data: data.name.to_owned(),
        table: format!("{rows} rows, {}", data.name),
    };
    Outcome {
        title: format!(
            "Publishing with m-privacy: {PROVIDERS} providers, {rows} rows ({})",
            data.name
        ),
        notes: notes(),
        sheet: sheet(results),
        views: all.views(),
        figures: all.figures(),
    }
}

fn notes() -> Vec<String> {
    let columns = QUASI_IDENTIFIERS.join(", ");
    vec![
        format!("quasi-identifiers: {columns}; sensitive: {SENSITIVE}"),
        format!("unless it is varied, m = {M}, k = {K} and l = {L} distinct values"),
        "time is that of partitioning; every release was verified from its published values"
            .to_owned(),
        "strict semantics: a group has at least m + 1 contributing providers".to_owned(),
        "\"-\": no release can exist; uniform shares are in results.csv and in the figures"
            .to_owned(),
    ]
}

fn sheet(results: &[MeasuredRelease]) -> Sheet {
    let row = |r: &MeasuredRelease| -> Vec<SheetValue> {
        let of = |measure: fn(&ReleaseFigures) -> f64| r.release.as_ref().map(measure).into();
        vec![
            u64::from(r.cell.figure).into(),
            r.cell.distribution.name().into(),
            r.cell.rows.into(),
            u64::from(PROVIDERS).into(),
            r.cell.insiders.m.0.into(),
            r.cell.insiders.semantics.name().into(),
            r.cell.k.into(),
            r.cell.l.into(),
            r.cell.method.into(),
            r.cell.strategy.name().into(),
            r.seconds.into(),
            r.release.as_ref().map(|f| f.groups).into(),
            of(|f| f.ncp),
            of(|f| f.query_error),
            of(|f| f.median_query_error),
            of(|f| f.providers),
            of(|f| f.single),
        ]
    };
    Sheet {
        columns: vec![
            "figure",
            "shares",
            "rows",
            "providers",
            "m",
            "semantics",
            "k",
            "l",
            "method",
            "strategy",
            "seconds",
            "groups",
            "ncp",
            "query_error",
            "median_query_error",
            "providers_per_group",
            "single_provider_groups",
        ],
        rows: results.iter().map(row).collect(),
    }
}

/// What is looked at in a result.
type Measure = fn(&MeasuredRelease) -> f64;

const TIME: Measure = |r| r.seconds;
const QUERY_ERROR: Measure = |r| r.release.as_ref().map_or(f64::NAN, |f| f.query_error);
const NCP: Measure = |r| r.release.as_ref().map_or(f64::NAN, |f| f.ncp);
const CONTRIBUTORS: Measure = |r| r.release.as_ref().map_or(f64::NAN, |f| f.providers);

/// What is varied.
type Place = fn(&PublishingCell) -> f64;

const M_OF: Place = |c| c.insiders.m.0 as f64;
const ROWS_OF: Place = |c| c.rows as f64;
const K_OF: Place = |c| c.k as f64;
const L_OF: Place = |c| c.l as f64;

/// Everything that was measured.
struct All<'a> {
    results: &'a [MeasuredRelease],
    /// How titles call the data, and the whole table.
    data: String,
    table: String,
}

/// A curve: its name and which results are on it.
struct Curve<'a> {
    name: String,
    on: Box<dyn Fn(&PublishingCell) -> bool + 'a>,
}

fn curve<'a>(name: impl Into<String>, on: impl Fn(&PublishingCell) -> bool + 'a) -> Curve<'a> {
    Curve {
        name: name.into(),
        on: Box::new(on),
    }
}

/// The methods with exact verification.
fn by_method<'a>(on: impl Fn(&PublishingCell) -> bool + Copy + 'a) -> Vec<Curve<'a>> {
    let exact = |c: &PublishingCell| c.strategy == Strategy::Exact;
    let of = |method: &'static str| {
        curve(method, move |c: &PublishingCell| {
            on(c) && exact(c) && c.method == method
        })
    };
    METHODS.map(of).into()
}

/// The methods with exact verification, and the paper's with its own search.
fn by_method_and_strategy<'a>(on: impl Fn(&PublishingCell) -> bool + Copy + 'a) -> Vec<Curve<'a>> {
    let of = |(method, strategy): (&'static str, Strategy)| {
        let name = match strategy {
            Strategy::Exact => method.to_owned(),
            _ => format!("{method}, {} search", strategy.name()),
        };
        curve(name, move |c: &PublishingCell| {
            on(c) && c.strategy == strategy && c.method == method
        })
    };
    TIMED.map(of).into()
}

impl All<'_> {
    fn points(&self, curve: &Curve, x: Place, y: Measure) -> Vec<(f64, f64)> {
        let on = self.results.iter().filter(|r| (curve.on)(&r.cell));
        let mut points: Vec<(f64, f64)> = on.map(|r| (x(&r.cell), y(r))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    }

    fn views(&self) -> Vec<View> {
        let shares = Distribution::Exponential;
        let nine = |strict: bool| move |c: &PublishingCell| figure_9(c, shares, strict);
        let both = |y: Measure, title: &str| {
            let mut curves = by_method(nine(false));
            let strict = by_method(nine(true)).into_iter();
            curves.extend(strict.map(|c| Curve {
                name: format!("strict {}", c.name),
                ..c
            }));
            curves.iter_mut().for_each(|c| c.name = short(&c.name));
            let title = format!("Figure 9: {title}, exponential shares, victim and strict");
            self.view(title, "m", M_OF, y, curves)
        };
        let timed = |y: Measure, title: String, x: &str, x_of, on: fn(&PublishingCell) -> bool| {
            let mut curves = by_method_and_strategy(on);
            curves.iter_mut().for_each(|c| c.name = short(&c.name));
            self.view(title, x, x_of, y, curves)
        };
        let exponential: fn(&PublishingCell) -> bool =
            |c| figure_9(c, Distribution::Exponential, false);
        vec![
            both(QUERY_ERROR, "mean query error"),
            both(NCP, "NCP"),
            both(CONTRIBUTORS, "providers per group"),
            timed(
                TIME,
                "Figure 9: seconds, exponential shares, victim semantics".into(),
                "m",
                M_OF,
                exponential,
            ),
            timed(
                TIME,
                format!("Figure 10: seconds, m = {M}"),
                "rows",
                ROWS_OF,
                |c| c.figure == 10,
            ),
            self.view(
                format!("Figure 10: mean query error, m = {M}"),
                "rows",
                ROWS_OF,
                QUERY_ERROR,
                by_method(|c| c.figure == 10),
            ),
            self.view(
                format!("Figure 11: seconds, provider-aware by verification strategy, m = {M}"),
                "rows",
                ROWS_OF,
                TIME,
                by_strategy(),
            ),
            self.view(
                "Figure 12: mean query error".into(),
                "k",
                K_OF,
                QUERY_ERROR,
                by_method(varies_k),
            ),
            self.view(
                "Figure 12: mean query error".into(),
                "l",
                L_OF,
                QUERY_ERROR,
                by_method(varies_l),
            ),
        ]
    }

    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    fn view(&self, title: String, x: &str, x_of: Place, y: Measure, curves: Vec<Curve>) -> View {
        let columns: Vec<Vec<(f64, f64)>> =
            curves.iter().map(|c| self.points(c, x_of, y)).collect();
        let mut places: Vec<f64> = columns.iter().flatten().map(|p| p.0).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        let cell = |points: &Vec<(f64, f64)>, at: f64| {
            let value = points.iter().find(|p| p.0 == at).map_or(f64::NAN, |p| p.1);
            if value.is_nan() {
                "-".to_owned()
            } else {
                significant(value, 3)
            }
        };
        let header = std::iter::once(x.to_owned())
            .chain(curves.into_iter().map(|c| c.name))
            .collect();
        let line = |&at: &f64| {
            std::iter::once(at.to_string())
                .chain(columns.iter().map(|c| cell(c, at)))
                .collect()
        };
        View {
            title,
            lines: std::iter::once(header)
                .chain(places.iter().map(line))
                .collect(),
        }
    }

    fn figures(&self) -> Vec<Figure> {
        let figure = |name: &str, panels: Vec<Chart>| Figure {
            name: name.to_owned(),
            svg: Panels(panels).to_svg(),
        };
        vec![
            figure(
                "figure_9_exponential",
                self.figure_9(Distribution::Exponential),
            ),
            figure("figure_9_uniform", self.figure_9(Distribution::Uniform)),
            figure("figure_10", self.figure_10()),
            figure("figure_11", self.figure_11()),
            figure("figure_12", self.figure_12()),
        ]
    }

    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    fn chart(
        &self,
        title: &str,
        x: Axis,
        x_of: Place,
        y: (Axis, Measure),
        curves: Vec<Curve>,
    ) -> Chart {
        let series = curves
            .iter()
            .map(|c| Series::new(c.name.clone(), self.points(c, x_of, y.1)));
        Chart {
            title: title.to_owned(),
            x,
            y: y.0,
            series: series.collect(),
        }
    }

    fn figure_9(&self, shares: Distribution) -> Vec<Chart> {
        let on = |strict: bool| move |c: &PublishingCell| figure_9(c, shares, strict);
        let title = |semantics: &str| {
            format!(
                "{} shares, {semantics} semantics ({})",
                shares.name(),
                self.table
            )
        };
        let (victim, strict) = (title("victim"), title("strict"));
        let m = || Axis::linear("m");
        vec![
            self.chart(
                &victim,
                m(),
                M_OF,
                seconds(),
                by_method_and_strategy(on(false)),
            ),
            self.chart(&victim, m(), M_OF, query_error(), by_method(on(false))),
            self.chart(&victim, m(), M_OF, ncp(), by_method(on(false))),
            self.chart(&victim, m(), M_OF, contributors(), by_method(on(false))),
            self.chart(&strict, m(), M_OF, query_error(), by_method(on(true))),
            self.chart(&strict, m(), M_OF, ncp(), by_method(on(true))),
        ]
    }

    fn figure_10(&self) -> Vec<Chart> {
        let on = |c: &PublishingCell| c.figure == 10;
        let title = format!("m = {M}, exponential shares ({})", self.data);
        let rows = || Axis::linear("rows");
        vec![
            self.chart(
                &title,
                rows(),
                ROWS_OF,
                seconds(),
                by_method_and_strategy(on),
            ),
            self.chart(&title, rows(), ROWS_OF, query_error(), by_method(on)),
            self.chart(&title, rows(), ROWS_OF, ncp(), by_method(on)),
        ]
    }

    fn figure_11(&self) -> Vec<Chart> {
        let title = format!(
            "Provider-aware, by verification strategy, m = {M} ({})",
            self.data
        );
        vec![self.chart(&title, Axis::log("rows"), ROWS_OF, seconds(), by_strategy())]
    }

    fn figure_12(&self) -> Vec<Chart> {
        let (by_k, by_l) = (
            format!("l = {L}, m = {M} ({})", self.table),
            format!("k = {K}, m = {M} ({})", self.table),
        );
        vec![
            self.chart(
                &by_k,
                Axis::linear("k"),
                K_OF,
                seconds(),
                by_method(varies_k),
            ),
            self.chart(
                &by_k,
                Axis::linear("k"),
                K_OF,
                query_error(),
                by_method(varies_k),
            ),
            self.chart(
                &by_l,
                Axis::linear("l"),
                L_OF,
                seconds(),
                by_method(varies_l),
            ),
            self.chart(
                &by_l,
                Axis::linear("l"),
                L_OF,
                query_error(),
                by_method(varies_l),
            ),
        ]
    }
}

fn seconds() -> (Axis, Measure) {
    (Axis::log("time (s)"), TIME)
}

fn query_error() -> (Axis, Measure) {
    // the baseline's errors are many times the others', which must still be told apart
    (Axis::log("mean query error"), QUERY_ERROR)
}

fn ncp() -> (Axis, Measure) {
    (Axis::linear("NCP"), NCP)
}

fn contributors() -> (Axis, Measure) {
    (
        Axis::linear("contributing providers per group"),
        CONTRIBUTORS,
    )
}

fn figure_9(cell: &PublishingCell, shares: Distribution, strict: bool) -> bool {
    cell.figure == 9 && cell.distribution == shares && cell.is_strict() == strict
}

fn varies_k(cell: &PublishingCell) -> bool {
    cell.figure == 12 && cell.l == L
}

fn varies_l(cell: &PublishingCell) -> bool {
    cell.figure == 12 && cell.k == K
}

fn by_strategy() -> Vec<Curve<'static>> {
    let of = |strategy: Strategy| {
        curve(strategy.name(), move |c: &PublishingCell| {
            c.figure == 11 && c.strategy == strategy
        })
    };
    STRATEGIES.map(of).into()
}

/// Names that leave room on a screen of 80 columns.
fn short(name: &str) -> String {
    let words = [
        ("provider-aware", "aware"),
        ("agglomerative", "aggl."),
        (" search", ""),
    ];
    words.iter().fold(name.to_owned(), |name, (long, short)| {
        name.replace(long, short)
    })
}

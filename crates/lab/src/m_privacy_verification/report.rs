//! Tables and figures of the results.

use super::runner::{Cost, MeasuredVerification, Rules};
use super::{GROUPS, K, L, M, PROVIDERS, STRATEGIES};
use crate::data::{PeopleRows, SENSITIVE};
use crate::outcome::{Figure, Outcome, Sheet, SheetValue, View, significant};
use mingle_chart::{Axis, Chart, Panels, Series};
use mingle_synth::Distribution;

pub fn outcome(data: &PeopleRows, results: &[MeasuredVerification], rules: Rules) -> Outcome {
    Outcome {
        title: format!(
            "Verifying m-privacy: k = {K} and {L} distinct values of {SENSITIVE}, groups drawn from {} rows ({})",
            data.rows(),
            data.name
        ),
        notes: notes(results, rules),
        sheet: sheet(results, rules),
        views: views(results),
        figures: figures(data, results),
    }
}

fn notes(results: &[MeasuredVerification], rules: Rules) -> Vec<String> {
    let mut notes = vec![
        format!(
            "medians over {} random groups per setting; all strategies gave the same verdicts",
            rules.draws
        ),
        format!(
            "\">cap\": the search stopped at its own limit, or took more than {} s for fewer providers",
            rules.cap
        ),
        "exact counts a check per constraint, searches a check per coalition".to_owned(),
        "uniform shares are in results.csv and in the figures".to_owned(),
    ];
    let gains: Vec<f64> = results.iter().filter_map(gain).collect();
    let usual = results
        .iter()
        .find(|r| r.cell.figure == 6 && r.cell.m.0 == M && r.cell.records == GROUPS[0]);
    if let Some(usual) = usual.and_then(gain) {
        let factor = significant(usual, 2);
        notes.push(format!(
            "m = {M}, {} records: exact is {factor} times as fast as the best search",
            GROUPS[0]
        ));
    }
    if !gains.is_empty() {
        let (least, most) = gains
            .iter()
            .fold((f64::MAX, 0.0f64), |(a, b), &g| (a.min(g), b.max(g)));
        let (least, most) = (significant(least, 2), significant(most, 2));
        notes.push(format!(
            "over all settings it is {least} to {most} times as fast as the best search of each"
        ));
    }
    notes
}

/// How many times the time of the last strategy, ours, the best of the others took.
fn gain(result: &MeasuredVerification) -> Option<f64> {
    let (ours, searches) = result.costs.split_last()?;
    let best = searches
        .iter()
        .flatten()
        .map(|cost| cost.microseconds)
        .min_by(f64::total_cmp)?;
    Some(best / ours.as_ref()?.microseconds)
}

fn sheet(results: &[MeasuredVerification], rules: Rules) -> Sheet {
    let rows = results.iter().flat_map(|r| {
        STRATEGIES
            .iter()
            .zip(&r.costs)
            .map(move |(s, cost)| (r, s.name(), *cost))
    });
    let row = |(r, strategy, cost): (&MeasuredVerification, &str, Option<Cost>)| {
        vec![
            u64::from(r.cell.figure).into(),
            r.cell.distribution.name().into(),
            r.cell.records.into(),
            u64::from(r.cell.providers).into(),
            r.cell.m.0.into(),
            r.fitness.into(),
            rules.draws.into(),
            r.private.into(),
            strategy.into(),
            cost.map(|c| c.microseconds).into(),
            cost.map(|c| c.checks).into(),
        ]
    };
    Sheet {
        columns: vec![
            "figure",
            "shares",
            "records",
            "providers",
            "m",
            "provider_fitness",
            "groups",
            "private_groups",
            "strategy",
            "microseconds",
            "checks",
        ],
        rows: rows.map(row).collect::<Vec<Vec<SheetValue>>>(),
    }
}

/// A curve's settings: figure, shares and, where it is not what varies, the number of records.
fn curve(
    results: &[MeasuredVerification],
    figure: u32,
    distribution: Distribution,
    records: Option<usize>,
) -> Vec<&MeasuredVerification> {
    let same = |r: &&MeasuredVerification| {
        let cell = r.cell;
        cell.figure == figure
            && cell.distribution == distribution
            && records.is_none_or(|n| n == cell.records)
    };
    results.iter().filter(same).collect()
}

fn views(results: &[MeasuredVerification]) -> Vec<View> {
    let shown = Distribution::Exponential;
    let mut views = Vec::new();
    for records in GROUPS {
        let at = curve(results, 6, shown, Some(records));
        let what = format!("{records} records of {PROVIDERS} providers, exponential shares");
        views.push(view(
            format!("Figure 6: microseconds, {what}"),
            "m",
            &at,
            |c| c.microseconds,
        ));
        views.push(view(format!("Figure 6: checks, {what}"), "m", &at, |c| {
            c.checks
        }));
    }
    for records in GROUPS {
        let title =
            format!("Figure 7: microseconds, {records} records, m = {M}, exponential shares");
        let at = curve(results, 7, shown, Some(records));
        views.push(view(title, "providers", &at, |c| c.microseconds));
    }
    let title =
        format!("Figure 8: microseconds, {PROVIDERS} providers, m = {M}, exponential shares");
    let at = curve(results, 8, shown, None);
    views.push(view(title, "records each", &at, |c| c.microseconds));
    views
}

fn view(
    title: String,
    x: &str,
    results: &[&MeasuredVerification],
    measure: impl Fn(Cost) -> f64,
) -> View {
    let header = std::iter::once(x.to_owned())
        .chain(STRATEGIES.iter().map(|s| s.name().to_owned()))
        .collect();
    let cell = |cost: &Option<Cost>| cost.map_or(">cap".to_owned(), |c| significant(measure(c), 3));
    let line = |r: &&MeasuredVerification| {
        std::iter::once(r.cell.x().to_string())
            .chain(r.costs.iter().map(cell))
            .collect()
    };
    View {
        title,
        lines: std::iter::once(header)
            .chain(results.iter().map(line))
            .collect(),
    }
}

fn figures(data: &PeopleRows, results: &[MeasuredVerification]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for distribution in [Distribution::Exponential, Distribution::Uniform] {
        let shares = distribution.name();
        for figure in [6, 7] {
            let panels = [TIME, CHECKS]
                .iter()
                .flat_map(|&what| GROUPS.map(|records| (what, records)));
            let chart = |(what, records): (Measure, usize)| {
                let fixed = if figure == 6 {
                    format!("{PROVIDERS} providers")
                } else {
                    format!("m = {M}")
                };
                let x = if figure == 6 {
                    "m"
                } else {
                    "contributing providers"
                };
                let title = format!(
                    "{records} records, {fixed}, {shares} shares ({})",
                    data.name
                );
                chart(
                    title,
                    x,
                    what,
                    &curve(results, figure, distribution, Some(records)),
                    |r| r.cell.x(),
                )
            };
            let svg = Panels(panels.map(chart).collect()).to_svg();
            figures.push(Figure {
                name: format!("figure_{figure}_{shares}"),
                svg,
            });
        }
        figures.push(Figure {
            name: format!("figure_8_{shares}"),
            svg: figure_8(data, results, distribution),
        });
    }
    figures
}

fn figure_8(
    data: &PeopleRows,
    results: &[MeasuredVerification],
    distribution: Distribution,
) -> String {
    let at = curve(results, 8, distribution, None);
    let title = format!(
        "{PROVIDERS} providers, m = {M}, {} shares ({})",
        distribution.name(),
        data.name
    );
    let panels = [TIME, CHECKS].iter().flat_map(|&what| {
        [
            chart(title.clone(), "records per provider", what, &at, |r| {
                r.cell.x()
            }),
            chart(
                title.clone(),
                "average fitness of the providers' records",
                what,
                &at,
                |r| r.fitness,
            ),
        ]
    });
    Panels(panels.collect()).to_svg()
}

/// What is drawn, and how its axis is called.
type Measure = (&'static str, fn(Cost) -> f64);
const TIME: Measure = ("time per group (µs)", |c| c.microseconds);
const CHECKS: Measure = ("checks per group", |c| c.checks);

fn chart(
    title: String,
    x: &str,
    y: Measure,
    results: &[&MeasuredVerification],
    place: impl Fn(&MeasuredVerification) -> f64,
) -> Chart {
    let series = STRATEGIES.iter().enumerate().map(|(at, strategy)| {
        let point = |r: &&MeasuredVerification| (place(r), r.costs[at].map_or(f64::NAN, y.1));
        Series::new(strategy.name(), results.iter().map(point))
    });
    Chart {
        title,
        x: Axis::linear(x),
        y: Axis::log(y.0),
        series: series.collect(),
    }
}

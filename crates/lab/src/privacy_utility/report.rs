//! What is told about the results.

use super::plan::{DELTA, K_OF_T, PublicationScheme};
use super::results::{MeasuredScheme, PrivacyUtilityResults};
use super::{draw, pictures, tables};
use crate::data::{PeopleRows, SENSITIVE};
use crate::outcome::{Outcome, Sheet, SheetValue};

/// The results of all draws.
pub fn outcome(data: &PeopleRows, rows: usize, measured: &[MeasuredScheme]) -> Outcome {
    let results = PrivacyUtilityResults(measured);
    Outcome {
        title: format!("Groups against noise: {}, {rows} people", data.name),
        notes: notes(rows),
        sheet: sheet(data, measured),
        views: tables::views(&results),
        figures: pictures::figures(data.name, &results),
    }
}

fn notes(rows: usize) -> Vec<String> {
    let quarter = rows / 4;
    let providers = draw::PROVIDERS;
    vec![
        format!(
            "each table has {} people, {quarter} of them in both; another {quarter} are in neither: the control",
            2 * quarter
        ),
        format!("groups: ranges and sets, no hierarchies; t with k = {K_OF_T}, all {SENSITIVE}s equally far apart"),
        format!("m = 1: {providers} providers of unequal size, victim semantics; every release in groups was verified"),
        format!("noise: domains of the codebook, age in decades; δ = {DELTA} unless ε is pure; drawn anew in each run"),
        "query: relative error of 2,500 counts over quasi-identifiers; 1-way, 2-way: mean total variation over all \
         columns and pairs, age in decades"
            .to_owned(),
        "claimed: one value is left when both releases are intersected; right: and it is the person's; control: right \
         about people in neither table"
            .to_owned(),
        "told: the same for a reader who knows which group of each release is the right one, as the paper assumes; \
         nobody is in a group of made-up records"
            .to_owned(),
        "at 25%: at most four values are left; guessed: the likeliest of those left or, where nothing is, the most \
         common one"
            .to_owned(),
        "± is the standard deviation of the draws".to_owned(),
    ]
}

/// Every number: one row per setting and draw. Shares are from 0 to 1; what is not promised or
/// means nothing is a dash.
fn sheet(data: &PeopleRows, measured: &[MeasuredScheme]) -> Sheet {
    let columns = vec![
        "people",
        "draw",
        "promise",
        "release",
        "k",
        "m",
        "t",
        "epsilon",
        "delta",
        "query_error",
        "median_query_error",
        "one_way",
        "two_way",
        "told",
        "claimed",
        "claimed_right",
        "quarter",
        "quarter_right",
        "guessed",
        "control_claimed",
        "control_claimed_right",
        "control_quarter",
        "control_quarter_right",
        "control_guessed",
    ];
    let row = |r: &MeasuredScheme| -> Vec<SheetValue> {
        let mut row = vec![
            data.name.into(),
            r.job.draw.into(),
            r.job.scheme.family().promise().into(),
        ];
        row.extend(setting(r.job.scheme));
        let loss = r
            .loss
            .map(|l| [l.query_error, l.median_query_error, l.one_way, l.two_way]);
        row.extend(four(loss));
        row.push(match &r.exposure {
            None => SheetValue::Missing,
            Some(exposure) => exposure.told.map_or("-".into(), SheetValue::from),
        });
        for learnt in [r.exposure.map(|e| e.both), r.exposure.map(|e| e.neither)] {
            let of = |l: super::reader::LearntShares| {
                [l.claimed, l.claimed_right, l.quarter, l.quarter_right]
            };
            row.extend(four(learnt.map(of)));
            row.push(learnt.map(|l| l.guessed).into());
        }
        row
    };
    Sheet {
        columns,
        rows: measured.iter().map(row).collect(),
    }
}

fn four(values: Option<[f64; 4]>) -> [SheetValue; 4] {
    [0, 1, 2, 3].map(|at| values.map(|values| values[at]).into())
}

/// Release, k, m, t, ε and δ.
fn setting(scheme: PublicationScheme) -> [SheetValue; 6] {
    let dash = || SheetValue::from("-");
    match scheme {
        PublicationScheme::Grouped(how) => {
            let t = how.t.map_or_else(dash, |t| (t as f64 / 100.0).into());
            [
                how.method.into(),
                how.k.into(),
                how.insiders.m.0.into(),
                t,
                dash(),
                dash(),
            ]
        }
        PublicationScheme::Noisy(how) => {
            let delta = if how.pure { "0" } else { DELTA };
            [
                how.kind.name().into(),
                dash(),
                dash(),
                dash(),
                how.epsilon.into(),
                delta.into(),
            ]
        }
    }
}

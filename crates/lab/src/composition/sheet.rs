//! Every number: one row per attack.

use super::people::CensusPeople;
use super::report::ExposureMeasure;
use super::results::MeasuredAttack;
use crate::outcome::{Sheet, SheetValue};

/// All attacks. Shares are of the targets, from 0 to 1; what is not promised is a dash.
pub fn sheet(all: &[CensusPeople], measured: &[MeasuredAttack]) -> Sheet {
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
        "last_ncp",
    ];
    let row = |r: &MeasuredAttack| -> Vec<SheetValue> {
        let people = &all[r.job.people];
        let or_dash = |value: Option<u64>, scale: f64| {
            value.map_or("-".into(), |v| SheetValue::from(v as f64 / scale))
        };
        let of = |measure: ExposureMeasure| SheetValue::from(r.exposure.as_ref().map(measure));
        vec![
            people.name.into(),
            people.sensitive()[r.job.sensitive]
                .spec
                .name
                .as_str()
                .into(),
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
            ncp(r),
        ]
    };
    Sheet {
        columns,
        rows: measured.iter().map(row).collect(),
    }
}

/// The loss of the last release; a dash where centroids have none to speak of.
fn ncp(r: &MeasuredAttack) -> SheetValue {
    let Some(exposure) = &r.exposure else {
        return SheetValue::Missing;
    };
    exposure.ncp.map_or("-".into(), SheetValue::from)
}

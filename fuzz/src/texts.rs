//! Texts: policies, hierarchies, labels, requests to the page, settings of a site.

use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{
    Column, ColumnSpec, ForeignReader, HierarchySource, Kind, LabelReader, Missing, Role,
};
use mingle_page::PlainName;
use mingle_page::protocol::{
    AttackRequest, CoalitionRequest, ExplainRequest, FrontierRequest, HierarchyRequest,
    PlanRequest, PolicyRequest, PreviewRequest, ProfileRequest, ProposeRequest, PublishRequest,
    ReportRequest, SaveRequest, SessionRequest,
};
use mingle_policy::{Folders, Policy, PolicyOutline};
use serde::de::DeserializeOwned;
use std::path::Path;

#[allow(dead_code, reason = "the program uses more of it")]
#[path = "../../crates/cli/src/commands/site/settings.rs"]
mod settings;

/// A policy that is understood says so again: its outline can be made, and its document printed.
pub fn policy(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // in a folder that does not exist: files that it names are not found, and not looked for elsewhere
    let path = Path::new("/nonexistent/policy.toml");
    let _ = PolicyOutline::of_text(text);
    let read = Policy::parse_at(path, text.to_owned(), &[], &Folders::of(path));
    if let Ok(policy) = read {
        let _ = serde_json::to_string(&policy.document).expect("keys are texts");
        let _ = policy.insiders(3);
        let _ = policy.k();
    }
}

/// Values before a blank line, a hierarchy file after it: the values are placed in it.
pub fn hierarchy(bytes: &[u8]) {
    let divided = bytes.windows(2).position(|pair| pair == b"\n\n");
    let (values, file) = match divided {
        Some(at) => (&bytes[..at], &bytes[at + 2..]),
        None => (&b""[..], bytes),
    };
    let read = super::files::with_file("h.csv", file, |path| {
        mingle_io::read_hierarchy(path, "hierarchy")
    });
    let Ok(rows) = read else {
        return;
    };
    let values = String::from_utf8_lossy(values);
    let mut texts: Vec<&str> = values.lines().collect();
    // where nothing is said the leaves themselves are the values
    if texts.is_empty() {
        texts = rows
            .rows
            .iter()
            .filter_map(|(_, row)| Some(row.first()?.as_str()))
            .collect();
    }
    for kind in [None].into_iter().chain(Kind::ALL.map(Some)) {
        if let Some(column) = column(&texts, kind, Some(&rows)) {
            for code in 0..column.domain.len() as u32 {
                assert!(column.domain.path(code).is_some(), "a value without a path");
            }
        }
    }
}

fn column(texts: &[&str], kind: Option<Kind>, rows: Option<&HierarchyRows>) -> Option<Column> {
    let spec = ColumnSpec {
        kind,
        hierarchy: rows.map(|rows| HierarchySource::Rows(rows.clone())),
        ..ColumnSpec::new("column", Role::QuasiIdentifier)
    };
    Column::from_texts(spec, texts.iter().copied(), &Missing::default()).ok()
}

/// Values before a blank line, a label on each line after it. A value's own text is a label of it.
pub fn labels(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (values, labels) = text.split_once("\n\n").unwrap_or(("10\n20\n35", &text));
    let values: Vec<&str> = values.lines().collect();
    let missing = Missing::default();
    let masks = HierarchySource::Mask(2);
    for kind in [None].into_iter().chain(Kind::ALL.map(Some)) {
        let Some(column) = column(&values, kind, None) else {
            continue;
        };
        let own = LabelReader::new(&column.domain, &missing);
        let foreign = ForeignReader::new(&column.domain, None, Some(&masks), &missing);
        for label in labels.lines() {
            for reading in [
                own.read(label),
                own.read_centroid(label),
                foreign.read(label),
            ] {
                for (lo, hi) in reading.into_iter().flat_map(|reading| reading.ranges) {
                    let within = lo <= hi && (hi as usize) < column.domain.len();
                    assert!(within, "a label for values that do not occur");
                }
            }
            let _ = foreign.point(label);
        }
    }
}

fn request<Q: DeserializeOwned>(bytes: &[u8]) -> Option<Q> {
    serde_json::from_slice(bytes).ok()
}

/// A body as each of the page's requests, and as the name of a file.
pub fn http_bodies(bytes: &[u8]) {
    if let Some(asked) = request::<PolicyRequest>(bytes) {
        policy(asked.text.as_bytes());
    }
    let _ = request::<ProposeRequest>(bytes);
    let _ = request::<ProfileRequest>(bytes);
    let _ = request::<HierarchyRequest>(bytes);
    let _ = request::<PlanRequest>(bytes);
    let _ = request::<PreviewRequest>(bytes);
    let _ = request::<CoalitionRequest>(bytes);
    let _ = request::<FrontierRequest>(bytes);
    let _ = request::<AttackRequest>(bytes);
    let _ = request::<PublishRequest>(bytes);
    let _ = request::<SaveRequest>(bytes);
    let _ = request::<ReportRequest>(bytes);
    let _ = request::<ExplainRequest>(bytes);
    let _ = request::<SessionRequest>(bytes);
    let text = String::from_utf8_lossy(bytes);
    for name in [PlainName::parse(&text), PlainName::from_address(&text)]
        .into_iter()
        .flatten()
    {
        let path = Path::new(name.as_str());
        let stays = path
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        assert!(stays, "a plain name leads out of its folder");
    }
}

/// Settings of a site.
pub fn site_toml(bytes: &[u8]) {
    super::files::with_file("site.toml", bytes, |path| {
        drop(settings::Settings::load(path))
    });
}

//! Results as files: exposure as CSV and as a figure, and every group's smallest coalition.
//!
//! They name providers and belong to whoever may know them.

use super::{InsiderOutcome, document::share};
use crate::results;
use mingle_assess::attack::insider::{ExposureToCoalitions, GroupAttack};
use mingle_chart::{Axis, Chart, Series};
use mingle_model::Published;
use mingle_record::Problem;

/// By size of the coalition.
pub fn exposure(outcome: &InsiderOutcome) -> Result<Vec<u8>, Problem> {
    let published = &outcome.published;
    let attributes = published
        .sensitive()
        .iter()
        .map(|column| format!("attribute.{}", column.name));
    let first = [
        "size",
        "groups",
        "share",
        "undecided",
        "records",
        "identity",
    ]
    .map(str::to_owned);
    let names = first
        .into_iter()
        .chain(attributes)
        .chain(["exposed".to_owned()])
        .chain(people_name(published))
        .collect();
    let row = |e: &ExposureToCoalitions| -> Vec<String> {
        let first = [
            e.size.to_string(),
            e.groups.to_string(),
            share(e.groups, published.groups()).to_string(),
        ];
        let rest = [e.undecided, e.rows, e.identity]
            .into_iter()
            .chain(e.attribute.iter().copied());
        first
            .into_iter()
            .chain(rest.chain([e.exposed]).map(|n| n.to_string()))
            .chain(published.people().map(|_| e.records.to_string()))
            .collect()
    };
    results::csv(names, outcome.insider.exposure.iter().map(row).collect())
}

/// The smallest coalition of every group.
pub fn groups(outcome: &InsiderOutcome) -> Result<Vec<u8>, Problem> {
    let published = &outcome.published;
    let own = [
        "records",
        "providers",
        "falls_at",
        "constraint",
        "coalition",
        "undecided_from",
        "identity_at",
        "attribute_at",
    ];
    let labels = published.columns().iter().map(|column| column.name.clone());
    let names = labels
        .chain(own.iter().map(|name| free(name, published)))
        .chain(people_name(published).map(|name| free(&name, published)))
        .collect();
    let row = |(at, group): (usize, &GroupAttack)| -> Vec<String> {
        let size = |size: Option<u64>| size.map_or(String::new(), |size| size.to_string());
        let breached = group.fall.breached.as_ref();
        let members = |b: &mingle_assess::attack::insider::Breached| -> String {
            let names: Vec<&str> = b
                .coalition
                .iter()
                .map(|&id| published.providers().name(id))
                .collect();
            names.join("|")
        };
        let labels = published.describe(at).map(|(_, label)| label.to_owned());
        let own = [
            group.records.to_string(),
            group.providers.to_string(),
            size(group.fall.size()),
            breached.map_or(String::new(), |b| {
                outcome.promises[b.constraint].name().to_owned()
            }),
            breached.map_or(String::new(), members),
            size(group.fall.open_from),
            size(group.disclosure.identity_size()),
            size(group.disclosure.attribute_size()),
        ];
        let people = published.people().map(|_| group.people.to_string());
        labels.chain(own).chain(people).collect()
    };
    results::csv(
        names,
        outcome.insider.groups.iter().enumerate().map(row).collect(),
    )
}

/// The last column, where people may have several rows.
fn people_name(published: &Published) -> Option<String> {
    published.people().map(|_| "people".to_owned())
}

/// A name that no quasi-identifier has.
fn free(name: &str, published: &Published) -> String {
    let mut name = name.to_owned();
    while published.columns().iter().any(|column| column.name == name) {
        name.insert_str(0, "mingle.");
    }
    name
}

/// Records against the size of the coalition.
pub fn chart(outcome: &InsiderOutcome) -> Chart {
    let exposure = &outcome.insider.exposure;
    let series = |name: &str, of: &dyn Fn(&ExposureToCoalitions) -> u64| {
        Series::new(name, exposure.iter().map(|e| (e.size as f64, of(e) as f64)))
    };
    let mut all = vec![
        series("in groups for which a promise breaks", &|e| e.records),
        series("exposed to identity disclosure", &|e| e.identity),
    ];
    for (at, column) in outcome.published.sensitive().iter().enumerate() {
        all.push(series(
            &format!("{} known for certain", column.name),
            &|e| e.attribute[at],
        ));
    }
    let counted = if outcome.people().is_some() {
        "people"
    } else {
        "records"
    };
    let largest = exposure.len().saturating_sub(1).max(1) as f64;
    Chart {
        title: format!(
            "What insiders learn: {} {counted}, m = {}",
            outcome.people().unwrap_or_else(|| outcome.published.rows()),
            outcome.insiders.m.0
        ),
        x: Axis::linear("providers in the coalition").range(0.0, largest),
        y: Axis::linear(counted),
        series: all,
    }
}

//! Results as files: exposure as CSV and as a figure, and every group's smallest coalition.
//!
//! They name providers and belong to whoever may know them.

use super::{Played, document::share};
use crate::args::AttackInsider;
use crate::message::{Problem, Screen};
use mingle::results;
use mingle_assess::attack::insider::{Exposure, Group};
use mingle_chart::{Axis, Chart, Series};
use mingle_model::Published;
use std::path::Path;

/// Which files to write.
pub struct Outputs<'a> {
    csv: Option<&'a Path>,
    groups: Option<&'a Path>,
    svg: Option<&'a Path>,
    force: bool,
}

impl<'a> Outputs<'a> {
    /// Refuses, before any work, to overwrite unasked, or to overwrite what is read.
    pub fn new(args: &'a AttackInsider) -> Result<Outputs<'a>, Problem> {
        let (csv, groups, svg) = (
            args.csv.as_deref(),
            args.groups.as_deref(),
            args.svg.as_deref(),
        );
        let files: Vec<&Path> = [csv, groups, svg].into_iter().flatten().collect();
        let read: Vec<&Path> = args
            .subject
            .table
            .iter()
            .chain(&args.subject.release)
            .map(AsRef::as_ref)
            .collect();
        results::check(&files, &read, args.policy.as_deref(), args.force)?;
        Ok(Outputs {
            csv,
            groups,
            svg,
            force: args.force,
        })
    }

    /// Writes what was asked for.
    pub fn write(&self, played: &Played<'_>, screen: Screen) -> Result<(), Problem> {
        let write = |file: Option<&Path>, bytes: &dyn Fn() -> Result<Vec<u8>, Problem>| {
            let Some(file) = file else { return Ok(()) };
            results::write(file, &bytes()?, self.force)?;
            screen.note(&format!("written to {}", file.display()));
            Ok(())
        };
        write(self.csv, &|| exposure(played))?;
        write(self.groups, &|| groups(played))?;
        write(self.svg, &|| Ok(chart(played).to_svg().into_bytes()))
    }
}

fn exposure(played: &Played<'_>) -> Result<Vec<u8>, Problem> {
    let published = &played.target.published;
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
        .collect();
    let row = |e: &Exposure| -> Vec<String> {
        let first = [
            e.size.to_string(),
            e.groups.to_string(),
            share(e.groups, published.groups()).to_string(),
        ];
        let rest = [e.undecided, e.records, e.identity]
            .into_iter()
            .chain(e.attribute.iter().copied());
        first
            .into_iter()
            .chain(rest.chain([e.exposed]).map(|n| n.to_string()))
            .collect()
    };
    results::csv(names, played.insider.exposure.iter().map(row).collect())
}

fn groups(played: &Played<'_>) -> Result<Vec<u8>, Problem> {
    let published = &played.target.published;
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
        .collect();
    let row = |(at, group): (usize, &Group)| -> Vec<String> {
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
                played.target.promises[b.constraint].name().to_owned()
            }),
            breached.map_or(String::new(), members),
            size(group.fall.open_from),
            size(group.disclosure.identity_size()),
            size(group.disclosure.attribute_size()),
        ];
        labels.chain(own).collect()
    };
    results::csv(
        names,
        played.insider.groups.iter().enumerate().map(row).collect(),
    )
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
fn chart(played: &Played<'_>) -> Chart {
    let exposure = &played.insider.exposure;
    let series = |name: &str, of: &dyn Fn(&Exposure) -> u64| {
        Series::new(name, exposure.iter().map(|e| (e.size as f64, of(e) as f64)))
    };
    let mut all = vec![
        series("in groups for which a promise breaks", &|e| e.records),
        series("exposed to identity disclosure", &|e| e.identity),
    ];
    for (at, column) in played.target.published.sensitive().iter().enumerate() {
        all.push(series(
            &format!("{} known for certain", column.name),
            &|e| e.attribute[at],
        ));
    }
    let largest = exposure.len().saturating_sub(1).max(1) as f64;
    Chart {
        title: format!(
            "What insiders learn: {} records, m = {}",
            played.target.published.rows(),
            played.target.insiders.m
        ),
        x: Axis::linear("providers in the coalition").range(0.0, largest),
        y: Axis::linear("records"),
        series: all,
    }
}

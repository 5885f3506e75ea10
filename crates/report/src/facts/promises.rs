//! Promises in words that need no textbook.

use mingle_release::manifest::{Parameter, PromiseEntry, PublicManifest};
use serde::Serialize;

/// One promise and whether it holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PromiseFacts {
    /// Its name and parameters, such as `k-anonymity, k = 3`.
    pub name: String,
    /// The sensitive column it is about; `None` for all of them or none.
    pub column: Option<String>,
    /// What it means.
    pub words: String,
    /// What was found for the outsider: `holds`, `fails`, `undecided`, or `stated` where the tables
    /// alone cannot say.
    pub verdict: String,
}

/// All promises of a manifest with what was found.
pub(super) fn of(
    manifest: &PublicManifest,
    verdicts: &[Option<&'static str>],
) -> Vec<PromiseFacts> {
    let fact = |(entry, verdict): (&PromiseEntry, &Option<&'static str>)| PromiseFacts {
        name: name(entry),
        column: entry.column.clone(),
        words: words(entry, manifest),
        verdict: verdict.unwrap_or("stated").to_owned(),
    };
    manifest.promises.iter().zip(verdicts).map(fact).collect()
}

fn name(entry: &PromiseEntry) -> String {
    let k = entry.k.map(|k| format!(", k = {k}"));
    let parameter =
        |name: &str, value: Option<Parameter>| value.map(|p| format!(", {name} = {}", p.0));
    let distance = entry
        .distance
        .as_ref()
        .map(|distance| format!(", {distance} distance"));
    let max = if entry.name == "t-closeness" {
        "t"
    } else {
        "max"
    };
    let parts = [
        k,
        parameter("c", entry.c),
        parameter("l", entry.l),
        parameter(max, entry.max),
        distance,
    ];
    parts
        .into_iter()
        .flatten()
        .fold(entry.name.clone(), |text, part| text + &part)
}

/// What a promise means for the rows that look alike.
fn words(entry: &PromiseEntry, manifest: &PublicManifest) -> String {
    if !super::coverage::says_something(entry) {
        return "nothing: every table keeps it".to_owned();
    }
    let about = about(entry, manifest);
    let l = entry.l.map_or(String::new(), |l| l.0.to_string());
    match entry.name.as_str() {
        "k-anonymity" => format!("at least {} rows look alike", entry.k.unwrap_or(1)),
        "distinct-l-diversity" => format!("they have at least {l} different values of {about}"),
        "entropy-l-diversity" => {
            format!(
                "their values of {about} are at least as uncertain as {l} equally frequent ones"
            )
        }
        "recursive-l-diversity" => recursive(entry, &about, &l),
        "max-frequency" => format!(
            "no value of {about} is that of more than {} of them",
            percent(entry.max)
        ),
        "t-closeness" => {
            let (t, distance) = (
                entry.max.map_or(String::new(), |t| t.0.to_string()),
                distance(entry),
            );
            format!(
                "how their {about} is distributed is at most {t} away from the whole table (0 is the same, 1 the farthest; {distance})"
            )
        }
        _ => "a promise that this program does not know".to_owned(),
    }
}

/// The column a promise is about.
pub(super) fn about(entry: &PromiseEntry, manifest: &PublicManifest) -> String {
    match &entry.column {
        Some(column) => column.clone(),
        None => format!(
            "{} together",
            super::words::listed(manifest.sensitive().into_iter(), "and")
        ),
    }
}

fn recursive(entry: &PromiseEntry, about: &str, l: &str) -> String {
    let c = entry.c.map_or(String::new(), |c| c.0.to_string());
    format!(
        "the commonest value of {about} is less than {c} times as frequent as all from the {l}-th commonest on together"
    )
}

fn distance(entry: &PromiseEntry) -> &'static str {
    match entry.distance.as_deref() {
        Some("ordered") => "values far apart in their order count more",
        Some("hierarchical") => "values far apart in their hierarchy count more",
        _ => "all different values are equally far apart",
    }
}

fn percent(max: Option<Parameter>) -> String {
    let share = max.map_or(1.0, |max| max.0.to_f64());
    crate::number::at_most(share)
}

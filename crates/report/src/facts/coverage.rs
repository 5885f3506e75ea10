//! What promises amount to: which of them say anything, and which keep a row or a value from being
//! known for certain.
//!
//! A policy may promise what every table keeps: groups of at least one row, at least one value, a
//! share or a distance of at most 1. Such a promise holds and protects nobody, so it is left out
//! here, and so is one that the rows do not keep. A group with a single value of a column gives
//! that value away. What rules such groups out are: at least two different values, an entropy above
//! that of one value, a largest share below 1, and r₁ < c (r_l + … + r_d) with l of two or more, or
//! with l = 1 and c of at most 1. t-closeness does not: the whole table may lean to one value as
//! much as the group. Promises about several columns together say nothing about one of them. Cost:
//! promises times sensitive columns.

use super::PromiseFacts;
use mingle_privacy::Ratio;
use mingle_release::manifest::{Parameter, PromiseEntry, PublicManifest};
use serde::Serialize;

/// How far promises go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// Neither a person's row nor a person's value in any sensitive column can be certain to a
    /// reader; of a noisy release: its noise bounds everything.
    Whole,
    /// Something is promised, but some row or value may be certain all the same.
    Part,
    /// Every promise is one that all tables keep, or none that is more holds.
    Nothing,
}

/// The promises that hold and say something.
pub(super) struct Coverage<'a> {
    sensitive: Vec<&'a str>,
    kept: Vec<&'a PromiseEntry>,
    /// Whether groups have several contributors.
    mixed: bool,
}

impl<'a> Coverage<'a> {
    /// From the promises of a manifest and what was found of them.
    pub(super) fn new(manifest: &'a PublicManifest, found: &[PromiseFacts]) -> Coverage<'a> {
        let holds = |found: &PromiseFacts| matches!(found.verdict.as_str(), "holds" | "stated");
        let kept = manifest
            .promises
            .iter()
            .zip(found)
            .filter(|(entry, found)| holds(found) && says_something(entry));
        let fewest = manifest
            .site_diversity
            .map_or(0, |beyond| manifest.m.saturating_add(beyond));
        Coverage {
            sensitive: manifest.sensitive(),
            kept: kept.map(|(entry, _)| entry).collect(),
            mixed: fewest > 1,
        }
    }

    /// The promises, in the policy's order.
    pub(super) fn kept(&self) -> &[&'a PromiseEntry] {
        &self.kept
    }

    /// How far they go.
    pub(super) fn extent(&self) -> Extent {
        let all_values = self.sensitive.iter().all(|column| self.uncertain(column));
        match self.hides_rows() && all_values {
            true => Extent::Whole,
            false if self.kept.is_empty() && !self.mixed => Extent::Nothing,
            false => Extent::Part,
        }
    }

    /// Whether at least two rows look alike wherever one looks.
    pub(super) fn hides_rows(&self) -> bool {
        self.mixed || self.bounds_rows() || self.kept.iter().any(|entry| rules_out_certainty(entry))
    }

    /// Whether a promise says how many rows look alike.
    pub(super) fn bounds_rows(&self) -> bool {
        self.kept.iter().any(|entry| entry.name == "k-anonymity")
    }

    /// Whether something is promised about a column, alone or together with others.
    pub(super) fn mentions(&self, column: &str) -> bool {
        self.kept
            .iter()
            .any(|entry| entry.joint || entry.column.as_deref() == Some(column))
    }

    /// Whether no value of a column can be certain.
    pub(super) fn uncertain(&self, column: &str) -> bool {
        self.about(column).any(rules_out_certainty)
    }

    /// Whether the share of each value of a column is bounded.
    pub(super) fn bounds_shares(&self, column: &str) -> bool {
        self.about(column)
            .any(|entry| entry.name == "max-frequency")
    }

    fn about(&self, column: &str) -> impl Iterator<Item = &PromiseEntry> {
        self.kept
            .iter()
            .copied()
            .filter(move |entry| entry.column.as_deref() == Some(column))
    }
}

/// Whether some table breaks it.
pub(super) fn says_something(entry: &PromiseEntry) -> bool {
    match entry.name.as_str() {
        "k-anonymity" => entry.k.is_some_and(|k| k > 1),
        "t-closeness" => below_one(entry.max),
        _ => rules_out_certainty(entry),
    }
}

/// Whether no group can have a single value of what it is about.
fn rules_out_certainty(entry: &PromiseEntry) -> bool {
    match entry.name.as_str() {
        "distinct-l-diversity" | "entropy-l-diversity" => above_one(entry.l),
        "recursive-l-diversity" => above_one(entry.l) || !above_one(entry.c),
        "max-frequency" => below_one(entry.max),
        _ => false,
    }
}

fn above_one(parameter: Option<Parameter>) -> bool {
    parameter.is_some_and(|p| p.0 > Ratio::from(1))
}

fn below_one(parameter: Option<Parameter>) -> bool {
    parameter.is_some_and(|p| p.0 < Ratio::from(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn entry(value: Value) -> PromiseEntry {
        serde_json::from_value(value).unwrap()
    }

    /// What a group with one row keeps, every table may keep; computed from the definitions.
    #[test]
    fn what_one_row_alone_keeps_says_nothing() {
        for vacuous in [
            json!({ "name": "k-anonymity", "k": 1 }),
            json!({ "name": "k-anonymity", "k": 0 }),
            json!({ "name": "k-anonymity" }),
            json!({ "name": "distinct-l-diversity", "column": "d", "l": 1 }),
            json!({ "name": "entropy-l-diversity", "column": "d", "l": 1 }),
            json!({ "name": "entropy-l-diversity", "column": "d", "l": 0.5 }),
            json!({ "name": "recursive-l-diversity", "column": "d", "c": 1.5, "l": 1 }),
            json!({ "name": "max-frequency", "column": "d", "max": 1 }),
            json!({ "name": "t-closeness", "column": "d", "max": 1, "distance": "equal" }),
            json!({ "name": "another", "column": "d", "max": 0.1 }),
        ] {
            assert!(!says_something(&entry(vacuous.clone())), "{vacuous}");
        }
    }

    #[test]
    fn one_value_is_ruled_out_by_these_alone() {
        for (promise, expected) in [
            (
                json!({ "name": "distinct-l-diversity", "column": "d", "l": 2 }),
                true,
            ),
            (
                json!({ "name": "entropy-l-diversity", "column": "d", "l": 1.01 }),
                true,
            ),
            (
                json!({ "name": "recursive-l-diversity", "column": "d", "c": 100, "l": 2 }),
                true,
            ),
            (
                json!({ "name": "recursive-l-diversity", "column": "d", "c": 1, "l": 1 }),
                true,
            ),
            (
                json!({ "name": "max-frequency", "column": "d", "max": 0.99 }),
                true,
            ),
            (
                json!({ "name": "t-closeness", "column": "d", "max": 0.01, "distance": "equal" }),
                false,
            ),
            (json!({ "name": "k-anonymity", "k": 100 }), false),
        ] {
            let entry = entry(promise.clone());
            assert!(says_something(&entry), "{promise}");
            assert_eq!(rules_out_certainty(&entry), expected, "{promise}");
        }
    }
}

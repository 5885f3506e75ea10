//! What promises amount to: which of them say anything, and which keep a row or a value from being
//! known for certain.
//!
//! A policy may promise what every table keeps: groups of at least one row, at least one value, a
//! share or a distance of at most 1. Such a promise holds and protects nobody, so it is left out
//! here, and so is one that the rows do not keep. What a promise amounts to is in the constraint's
//! own file, see [`Protection`]. Promises about several columns together say nothing about one of
//! them. Cost: promises times sensitive columns.

use mingle_privacy::Rule;
use mingle_privacy::catalogue::Protection;
use mingle_record::answer::{ShownExtent, ShownPromise};
use mingle_record::manifest::{PromiseEntry, PublicManifest};
use mingle_release::promise_entry::rule_of;

/// A promise that holds and says something.
pub(super) struct Kept<'a> {
    /// As the manifest has it.
    pub entry: &'a PromiseEntry,
    /// What it asks for.
    pub rule: Rule,
    protection: Protection,
}

/// The promises that hold and say something.
pub(super) struct Coverage<'a> {
    sensitive: Vec<&'a str>,
    kept: Vec<Kept<'a>>,
    /// Whether groups have several contributors.
    mixed: bool,
    /// Whether several contributors mean several rows of different people.
    mixed_people: bool,
}

impl<'a> Coverage<'a> {
    /// From the promises of a manifest and what was found of them.
    pub(super) fn new(manifest: &'a PublicManifest, found: &[ShownPromise]) -> Coverage<'a> {
        let mut kept = Vec::new();
        for (entry, found) in manifest.promises.iter().zip(found) {
            if !found.verdict.is_fine() {
                continue;
            }
            // a promise that this program does not know is none to it
            let Some(rule) = rule_of(entry) else {
                continue;
            };
            let protection = rule.kind().protection(&rule);
            if protection.says_something {
                kept.push(Kept {
                    entry,
                    rule,
                    protection,
                });
            }
        }
        let fewest = manifest
            .site_diversity
            .map_or(0, |beyond| manifest.m.saturating_add(beyond));
        Coverage {
            sensitive: manifest.sensitive(),
            kept,
            mixed: fewest > 1,
            // one person may have rows at all of a group's contributors
            mixed_people: fewest > 1 && manifest.people.is_none(),
        }
    }

    /// The promises, in the policy's order.
    pub(super) fn kept(&self) -> &[Kept<'a>] {
        &self.kept
    }

    /// How far they go.
    pub(super) fn extent(&self) -> ShownExtent {
        let all_values = self.sensitive.iter().all(|column| self.uncertain(column));
        if self.hides_rows() && all_values {
            ShownExtent::Whole
        } else if self.kept.is_empty() && !self.mixed {
            ShownExtent::Nothing
        } else {
            ShownExtent::Part
        }
    }

    /// Whether at least two rows, of different people, look alike wherever one looks.
    pub(super) fn hides_rows(&self) -> bool {
        self.mixed_people
            || self.bounds_rows()
            || self
                .kept
                .iter()
                .any(|kept| kept.protection.rules_out_certainty)
    }

    /// Whether a promise says how many rows look alike.
    pub(super) fn bounds_rows(&self) -> bool {
        self.kept.iter().any(|kept| kept.protection.bounds_rows)
    }

    /// Whether something is promised about a column, alone or together with others.
    pub(super) fn mentions(&self, column: &str) -> bool {
        self.kept
            .iter()
            .any(|kept| kept.entry.joint || kept.entry.column.as_deref() == Some(column))
    }

    /// Whether no value of a column can be certain.
    pub(super) fn uncertain(&self, column: &str) -> bool {
        self.about(column)
            .any(|protection| protection.rules_out_certainty)
    }

    /// Whether the share of each value of a column is bounded.
    pub(super) fn bounds_shares(&self, column: &str) -> bool {
        self.about(column)
            .any(|protection| protection.bounds_shares)
    }

    /// What the promises about one column alone amount to.
    fn about(&self, column: &str) -> impl Iterator<Item = Protection> {
        self.kept
            .iter()
            .filter(move |kept| kept.entry.column.as_deref() == Some(column))
            .map(|kept| kept.protection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn entry(value: Value) -> PromiseEntry {
        serde_json::from_value(value).unwrap()
    }

    fn says_something(entry: &PromiseEntry) -> bool {
        rule_of(entry).is_some_and(|rule| rule.kind().protection(&rule).says_something)
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
            let rule = rule_of(&entry).unwrap();
            let protection = rule.kind().protection(&rule);
            assert_eq!(protection.rules_out_certainty, expected, "{promise}");
        }
    }
}

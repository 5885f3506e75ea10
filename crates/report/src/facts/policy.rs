//! A policy in the words of its file: TOML from the tree that manifests keep, and what has to be
//! added to repeat a release.
//!
//! Keys keep their order. What TOML cannot say (null) is left out. The policy of a public manifest
//! has no hierarchies and orders; those that the manifest says elsewhere are put back where a
//! policy has them. A hierarchy from a file, and everything else that is not published, is named in
//! a sentence.

use super::words::listed;
use mingle_record::manifest::{ManifestColumn, PublicManifest};
use mingle_record::policy_document::{PolicyDocument, PolicyTable, PolicyValue};

/// What the private policy needs to be run again.
pub(super) const WHOLE: &str = "The whole policy. To repeat the release, put the tables and files that it names where it says.";

/// What is not in the public policy of a noisy release.
pub(super) const NOISY: &str = "The public part of the policy. To make such a release again, add what is not published: where \
    the tables are, the ledger that is charged, the column that tells people apart, texts that mean a missing value, and the \
    declared domain of each column. Noise is drawn anew each time, so other counts come out.";

/// The public policy with what else the manifest says of columns.
pub(super) fn public(manifest: &PublicManifest) -> String {
    let mut policy = manifest.policy.clone();
    let columns = policy.sections.get_mut("columns");
    if let Some(columns) = columns.and_then(PolicyValue::as_table_mut) {
        for column in &manifest.columns {
            let entry = columns.get_mut(&column.name);
            let Some(entry) = entry.and_then(PolicyValue::as_table_mut) else {
                continue;
            };
            if let Some(rule) = column.hierarchy.as_deref().and_then(rule) {
                entry.set("hierarchy", rule);
            }
            if let Some(order) = &column.order {
                entry.set("order", texts(order.iter().map(String::as_str)));
            }
        }
    }
    toml(&policy)
}

fn texts<'a>(texts: impl Iterator<Item = &'a str>) -> PolicyValue {
    PolicyValue::List(texts.map(PolicyValue::from).collect())
}

/// What is not in it.
pub(super) fn left_out(manifest: &PublicManifest) -> String {
    let of_file = |c: &&ManifestColumn| {
        c.hierarchy
            .as_deref()
            .is_some_and(|described| rule(described).is_none())
    };
    let files = listed(
        manifest
            .columns
            .iter()
            .filter(of_file)
            .map(|c| c.name.as_str()),
        "and",
    );
    let orders = manifest.columns.iter().any(|c| c.order.is_some());
    let mut text = "The public part of the policy. To repeat the release, add what is not published: where the tables are and \
                    whose, columns that are dropped, texts that mean a missing value, the seed, and other releases that this \
                    one was laid beside."
        .to_owned();
    if !files.is_empty() {
        text += &format!(" The hierarchy of {files} is in a file, which is not published either.");
    }
    if orders {
        text += " Orders list only the values that are published.";
    }
    text
}

/// `mask 5`, `intervals 5, 10`, `bands 0, 18, 65 / 18` and the like as a policy has it.
fn rule(described: &str) -> Option<PolicyValue> {
    let (name, said) = described.split_once(' ')?;
    let mut amounts = said.split(", ");
    let value = match name {
        "bands" => bounds(said)?,
        "age" => return Some(age(said)?.into()),
        "template" => said.into(),
        "prefix" => {
            let lengths: Option<Vec<PolicyValue>> = amounts.map(width).collect();
            PolicyValue::List(lengths?)
        }
        "mask" => amounts.next()?.parse::<u64>().ok()?.into(),
        "intervals" => {
            let widths: Option<Vec<PolicyValue>> = amounts.map(width).collect();
            PolicyValue::List(widths?)
        }
        "dates" => texts(amounts),
        _ => return None,
    };
    let table: PolicyTable = [(name, value)].into_iter().collect();
    Some(table.into())
}

/// `2024-12-31`, or with bands behind it.
fn age(said: &str) -> Option<PolicyTable> {
    let Some((at, bands)) = said.split_once(" / ") else {
        return Some([("age", said.into())].into_iter().collect());
    };
    let entries = [("age", at.into()), ("bands", bounds(bands)?)];
    Some(entries.into_iter().collect())
}

/// Bounds of bands, numbers or days, of one level or of several.
fn bounds(said: &str) -> Option<PolicyValue> {
    let mut levels = Vec::new();
    for level in said.split(" / ") {
        let mut bounds = Vec::new();
        for bound in level.split(", ") {
            let is_day = bound.len() == 10 && bound.matches('-').count() == 2;
            bounds.push(if is_day { bound.into() } else { width(bound)? });
        }
        levels.push(PolicyValue::List(bounds));
    }
    match levels.len() {
        1 => levels.pop(),
        _ => Some(PolicyValue::List(levels)),
    }
}

/// A number as it was written.
fn width(text: &str) -> Option<PolicyValue> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some(PolicyValue::Integer(whole.into()));
    }
    let float: f64 = text.parse().ok()?;
    float.is_finite().then_some(PolicyValue::Float(float))
}

/// The policy as TOML.
pub(crate) fn toml(policy: &PolicyDocument) -> String {
    toml::to_string(&table(&policy.sections)).unwrap_or_default()
}

fn table(entries: &PolicyTable) -> toml::Table {
    let mut table = toml::Table::new();
    for (key, value) in entries.iter() {
        if let Some(value) = converted(value) {
            table.insert(key.to_owned(), value);
        }
    }
    table
}

/// A value as TOML has it; nothing where it has none.
fn converted(value: &PolicyValue) -> Option<toml::Value> {
    Some(match value {
        PolicyValue::Nothing => return None,
        PolicyValue::Boolean(value) => toml::Value::Boolean(*value),
        PolicyValue::Integer(number) => match i64::try_from(*number) {
            Ok(whole) => toml::Value::Integer(whole),
            Err(_) => toml::Value::Float(*number as f64),
        },
        PolicyValue::Float(number) => toml::Value::Float(*number),
        PolicyValue::Text(text) => toml::Value::String(text.clone()),
        PolicyValue::List(items) => {
            toml::Value::Array(items.iter().filter_map(converted).collect())
        }
        PolicyValue::Table(entries) => toml::Value::Table(table(entries)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(document: Value) -> PolicyDocument {
        serde_json::from_value(document).unwrap()
    }

    fn said(rule: Option<PolicyValue>) -> Value {
        serde_json::to_value(rule).unwrap()
    }

    #[test]
    fn what_was_written_comes_back() {
        let policy = json!({
            "columns": { "zip \"code\"": { "role": "quasi-identifier" }, "a": { "role": "sensitive", "order": ["x", "y"] } },
            "privacy": { "m": 1, "k": 3, "l": { "distinct": 2 }, "t": { "max": 0.2, "distance": "ordered" }, "none": null },
        });
        let text = toml(&read(policy.clone()));
        let back: Value = toml::from_str::<toml::Table>(&text)
            .unwrap()
            .try_into()
            .unwrap();
        let mut expected = policy;
        expected["privacy"]
            .as_object_mut()
            .unwrap()
            .shift_remove("none");
        assert_eq!(back, expected);
        assert!(
            text.find("zip").unwrap() < text.find("[columns.a]").unwrap(),
            "{text}"
        );
    }

    #[test]
    fn rules_are_put_back_and_files_are_not() {
        assert_eq!(said(rule("mask 5")), json!({ "mask": 5 }));
        assert_eq!(
            said(rule("intervals 0.5, 10")),
            json!({ "intervals": [0.5, 10] })
        );
        assert_eq!(
            said(rule("dates month, year")),
            json!({ "dates": ["month", "year"] })
        );
        assert_eq!(said(rule("prefix 3, 1")), json!({ "prefix": [3, 1] }));
        assert_eq!(said(rule("bands 0, 1.5")), json!({ "bands": [0, 1.5] }));
        assert_eq!(
            said(rule("bands 0, 18, 65 / 18")),
            json!({ "bands": [[0, 18, 65], [18]] })
        );
        assert_eq!(
            said(rule("bands 2000-01-01, 2010-01-01")),
            json!({ "bands": ["2000-01-01", "2010-01-01"] })
        );
        assert_eq!(
            said(rule("age 2024-12-31 / 18, 65")),
            json!({ "age": "2024-12-31", "bands": [18, 65] })
        );
        assert_eq!(said(rule("age 2024-12-31")), json!({ "age": "2024-12-31" }));
        assert_eq!(
            said(rule("template icd-10")),
            json!({ "template": "icd-10" })
        );
        for other in [
            "file",
            "bands x",
            "prefix x",
            "age 2024-12-31 / x",
            "mask",
            "mask x",
            "intervals 5, x",
            "another 5",
            "",
        ] {
            assert_eq!(rule(other), None, "{other}");
        }
    }

    #[test]
    fn no_policy_is_no_text() {
        assert_eq!(toml(&PolicyDocument::default()), "");
    }
}

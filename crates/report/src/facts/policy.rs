//! A policy in the words of its file: TOML from the JSON that manifests keep, and what has to be
//! added to repeat a release.
//!
//! Keys keep their order. What TOML cannot say (null) is left out. The policy of a public manifest
//! has no hierarchies and orders; those that the manifest says elsewhere are put back where a
//! policy has them. A hierarchy from a file, and everything else that is not published, is named in
//! a sentence.

use super::words::listed;
use mingle_release::manifest::{ManifestColumn, PublicManifest};
use serde_json::{Value, json};

/// What the private policy needs to be run again.
pub(super) const WHOLE: &str = "The whole policy. To repeat the release, put the tables and files that it names where it says.";

/// What is not in the public policy of a noisy release.
pub(super) const NOISY: &str = "The public part of the policy. To make such a release again, add what is not published: where \
    the tables are, the ledger that is charged, the column that tells people apart, texts that mean a missing value, and the \
    declared domain of each column. Noise is drawn anew each time, so other counts come out.";

/// The public policy with what else the manifest says of columns.
pub(super) fn public(manifest: &PublicManifest) -> String {
    let mut policy = manifest.policy.clone();
    for column in &manifest.columns {
        let Some(entry) = policy
            .get_mut("columns")
            .and_then(|all| all.get_mut(&column.name))
        else {
            continue;
        };
        let Some(entry) = entry.as_object_mut() else {
            continue;
        };
        if let Some(rule) = column.hierarchy.as_deref().and_then(rule) {
            entry.insert("hierarchy".to_owned(), rule);
        }
        if let Some(order) = &column.order {
            entry.insert("order".to_owned(), json!(order));
        }
    }
    toml(&policy)
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

/// `mask 5`, `intervals 5, 10` or `dates month, year` as a policy has it.
fn rule(described: &str) -> Option<Value> {
    let (name, amounts) = described.split_once(' ')?;
    let amounts = || amounts.split(", ");
    match name {
        "mask" => Some(json!({ "mask": amounts().next()?.parse::<u64>().ok()? })),
        "intervals" => {
            let widths: Result<Vec<serde_json::Number>, _> =
                amounts().map(serde_json::from_str).collect();
            Some(json!({ "intervals": widths.ok()? }))
        }
        "dates" => Some(json!({ "dates": amounts().collect::<Vec<_>>() })),
        _ => None,
    }
}

/// The policy as TOML; empty where it is not one.
pub(crate) fn toml(policy: &Value) -> String {
    let toml::Value::Table(table) = converted(policy).unwrap_or(toml::Value::Boolean(false)) else {
        return String::new();
    };
    toml::to_string(&table).unwrap_or_default()
}

fn converted(value: &Value) -> Option<toml::Value> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(bool) => toml::Value::Boolean(*bool),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => toml::Value::Integer(whole),
            None => toml::Value::Float(number.as_f64()?),
        },
        Value::String(text) => toml::Value::String(text.clone()),
        Value::Array(items) => toml::Value::Array(items.iter().filter_map(converted).collect()),
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| Some((key.clone(), converted(value)?));
            toml::Value::Table(entries.iter().filter_map(entry).collect())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_written_comes_back() {
        let policy = json!({
            "columns": { "zip \"code\"": { "role": "quasi-identifier" }, "a": { "role": "sensitive", "order": ["x", "y"] } },
            "privacy": { "m": 1, "k": 3, "l": { "distinct": 2 }, "t": { "max": 0.2, "distance": "ordered" }, "none": null },
        });
        let text = toml(&policy);
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
        assert_eq!(rule("mask 5"), Some(json!({ "mask": 5 })));
        assert_eq!(
            rule("intervals 0.5, 10"),
            Some(json!({ "intervals": [0.5, 10] }))
        );
        assert_eq!(
            rule("dates month, year"),
            Some(json!({ "dates": ["month", "year"] }))
        );
        for other in ["file", "mask", "mask x", "intervals 5, x", "another 5", ""] {
            assert_eq!(rule(other), None, "{other}");
        }
    }

    #[test]
    fn no_policy_is_no_text() {
        assert_eq!(
            (toml(&json!(null)), toml(&json!([1])), toml(&json!({}))),
            (String::new(), String::new(), String::new())
        );
    }
}

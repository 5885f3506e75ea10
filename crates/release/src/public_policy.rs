//! What of a policy is fit for the public.
//!
//! A list of what may stay, not of what must go: a key that a later version adds stays private
//! until someone decides otherwise. Kept are roles and kinds of the published columns, `[privacy]`,
//! the method without its seed, `[dp]` without its ledger and the column of people, and
//! `[release]`. Providers, paths, hierarchy files and identifier columns are gone.

use serde_json::{Map, Value};

const COLUMN_KEYS: [&str; 2] = ["role", "kind"];
const PRIVACY_KEYS: [&str; 9] = [
    "m",
    "k",
    "l",
    "t",
    "max_frequency",
    "semantics",
    "site_diversity",
    "joint",
    "sensitive",
];
const METHOD_KEYS: [&str; 5] = ["name", "verification", "ranges", "output", "max_suppressed"];
const DP_KEYS: [&str; 12] = [
    "release",
    "epsilon",
    "delta",
    "rho",
    "records_per_person",
    "marginals",
    "ways",
    "select",
    "columns",
    "max_cells",
    "rows",
    "model_cells",
];
const RELEASE_KEYS: [&str; 3] = ["format", "fragmented", "publish_utility"];

/// The part of a policy that may stand in a public manifest.
pub fn public_policy(policy: &Value) -> Value {
    let mut public = Map::new();
    if let Some(columns) = policy.get("columns").and_then(Value::as_object) {
        let published = columns
            .iter()
            .filter(|(_, c)| c.get("role").and_then(Value::as_str) != Some("identifier"));
        let columns = published
            .map(|(name, column)| (name.clone(), kept(column, &COLUMN_KEYS)))
            .collect();
        public.insert("columns".to_owned(), Value::Object(columns));
    }
    for (section, keys) in [
        ("privacy", &PRIVACY_KEYS[..]),
        ("dp", &DP_KEYS[..]),
        ("method", &METHOD_KEYS[..]),
        ("release", &RELEASE_KEYS[..]),
    ] {
        if let Some(found) = policy.get(section) {
            public.insert(section.to_owned(), kept(found, keys));
        }
    }
    Value::Object(public)
}

fn kept(section: &Value, keys: &[&str]) -> Value {
    let entry = |key: &&str| {
        section
            .get(*key)
            .map(|value| ((*key).to_owned(), value.clone()))
    };
    Value::Object(keys.iter().filter_map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_is_listed_stays() {
        let policy = json!({
            "data": { "providers": [{ "name": "secret-clinic", "path": "secret-clinic.csv" }], "missing": ["secret"] },
            "columns": {
                "secret-name": { "role": "identifier" },
                "zip": { "role": "quasi-identifier", "hierarchy": "secret/zip.csv", "kind": "category" },
            },
            "privacy": { "m": 1, "k": 3, "secret-new-key": 1 },
            "dp": { "release": "synthetic", "epsilon": "1", "ledger": "secret.json", "person": "secret-name" },
            "method": { "name": "mondrian", "seed": 4711, "output": "range" },
            "release": { "format": "csv" },
            "composition": { "against": ["secret/"] },
        });
        let expected = json!({
            "columns": { "zip": { "role": "quasi-identifier", "kind": "category" } },
            "privacy": { "m": 1, "k": 3 },
            "dp": { "release": "synthetic", "epsilon": "1" },
            "method": { "name": "mondrian", "output": "range" },
            "release": { "format": "csv" },
        });
        assert_eq!(public_policy(&policy), expected);
        assert_eq!(public_policy(&json!(["secret"])), json!({}));
    }
}

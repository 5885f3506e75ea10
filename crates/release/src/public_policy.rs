//! What of a policy is fit for the public.
//!
//! A list of what may stay, not of what must go: a key that a later version adds stays private
//! until someone decides otherwise. Kept are roles and kinds of the published columns, `[privacy]`,
//! the method without its seed, `[dp]` without its ledger and the column of people, and
//! `[release]`, the accepted risks, and of `[about]` what the policy itself lists as public. Providers, paths, hierarchy files, identifier and dropped columns are gone.

use mingle_record::about::AboutRelease;
use mingle_record::policy_document::{PolicyDocument, PolicyTable, PolicyValue};

const COLUMN_KEYS: [&str; 3] = ["role", "kind", "grid"];
const PRIVACY_KEYS: [&str; 12] = [
    "m",
    "k",
    "max_share_of_rows",
    "l",
    "t",
    "max_frequency",
    "semantics",
    "site_diversity",
    "joint",
    "rows",
    "knows",
    "sensitive",
];
const METHOD_KEYS: [&str; 9] = [
    "name",
    "verification",
    "ranges",
    "output",
    "max_suppressed",
    "effort",
    "optimize",
    "labels",
    "max_label_values",
];
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
const RISK_KEYS: [&str; 4] = ["maximum", "average", "journalist", "marketer"];
const RELEASE_KEYS: [&str; 3] = ["format", "fragmented", "publish_utility"];

/// The part of a policy that may stand in a public manifest.
pub fn public_policy(policy: &PolicyDocument) -> PolicyDocument {
    let mut public = PolicyTable::default();
    if let Some(columns) = policy.section("columns").and_then(PolicyValue::as_table) {
        let mut published = PolicyTable::default();
        for (name, column) in columns.iter() {
            if !is_left_out(column) {
                published.set(name, kept(column, &COLUMN_KEYS));
            }
        }
        public.set("columns", published.into());
    }
    for (name, keys) in [
        ("privacy", &PRIVACY_KEYS[..]),
        ("dp", &DP_KEYS[..]),
        ("method", &METHOD_KEYS[..]),
        ("release", &RELEASE_KEYS[..]),
        ("risk", &RISK_KEYS[..]),
    ] {
        if let Some(section) = policy.section(name) {
            public.set(name, kept(section, keys));
        }
    }
    if let Some(about) = policy.section(AboutRelease::SECTION) {
        let said = about.as_table().map(AboutRelease::public_keys);
        let said = said.unwrap_or_default();
        let keys: Vec<&str> = said.iter().map(String::as_str).collect();
        let about = kept(about, &keys);
        if about.as_table().is_some_and(|about| !about.is_empty()) {
            public.set(AboutRelease::SECTION, about);
        }
    }
    PolicyDocument { sections: public }
}

/// Columns of which a release has nothing, not even the name.
fn is_left_out(column: &PolicyValue) -> bool {
    let role = column.as_table().and_then(|column| column.get("role"));
    matches!(
        role.and_then(PolicyValue::as_text),
        Some("identifier" | "drop")
    )
}

/// The keys of a section that are listed, in the order of the list.
fn kept(section: &PolicyValue, keys: &[&str]) -> PolicyValue {
    let mut kept = PolicyTable::default();
    for key in keys {
        if let Some(value) = section.as_table().and_then(|section| section.get(key)) {
            kept.set(*key, value.clone());
        }
    }
    kept.into()
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
                "secret-note": { "role": "drop" },
                "zip": { "role": "quasi-identifier", "hierarchy": "secret/zip.csv", "kind": "category" },
            },
            "privacy": { "m": 1, "k": 3, "secret-new-key": 1 },
            "dp": { "release": "synthetic", "epsilon": "1", "ledger": "secret.json", "person": "secret-name" },
            "method": { "name": "mondrian", "seed": 4711, "output": "range" },
            "release": { "format": "csv" },
            "composition": { "against": ["secret/"] },
            "risk": { "maximum": 0.09, "secret-new-key": 1 },
            "about": { "title": "Stays", "controller": "secret-clinic", "why": { "k": "secret" }, "date": "2026-11-18" },
        });
        let expected = json!({
            "columns": { "zip": { "role": "quasi-identifier", "kind": "category" } },
            "privacy": { "m": 1, "k": 3 },
            "dp": { "release": "synthetic", "epsilon": "1" },
            "method": { "name": "mondrian", "output": "range" },
            "release": { "format": "csv" },
            "risk": { "maximum": 0.09 },
            "about": { "title": "Stays", "date": "2026-11-18" },
        });
        let policy: PolicyDocument = serde_json::from_value(policy).unwrap();
        let public = serde_json::to_string(&public_policy(&policy)).unwrap();
        assert_eq!(public, expected.to_string());
    }

    #[test]
    fn a_steward_says_what_else_is_handed_out() {
        let public = |about: serde_json::Value| {
            let policy: PolicyDocument = serde_json::from_value(json!({ "about": about })).unwrap();
            serde_json::to_value(public_policy(&policy)).unwrap()
        };
        let said = json!({ "title": "Stays", "purpose": "p", "public": ["purpose"] });
        assert_eq!(public(said), json!({ "about": { "purpose": "p" } }));
        let nothing = json!({ "title": "Stays", "contact": "c", "public": [] });
        assert_eq!(public(nothing), json!({}));
    }
}

//! A policy in the words of its file: TOML from the JSON that manifests keep.
//!
//! Keys keep their order. What TOML cannot say (null) is left out.

use serde_json::Value;

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
        let back: Value = toml::from_str::<toml::Table>(&text).unwrap().try_into().unwrap();
        let mut expected = policy;
        expected["privacy"].as_object_mut().unwrap().shift_remove("none");
        assert_eq!(back, expected);
        assert!(text.find("zip").unwrap() < text.find("[columns.a]").unwrap(), "{text}");
    }

    #[test]
    fn no_policy_is_no_text() {
        assert_eq!(
            (toml(&json!(null)), toml(&json!([1])), toml(&json!({}))),
            (String::new(), String::new(), String::new())
        );
    }
}

//! The spelling of JSON, in which manifests and the page keep what a policy says.
//!
//! The only place where it counts how JSON spells a number; elsewhere a policy's values are
//! [`PolicyValue`].

use mingle_record::policy_document::PolicyValue;

/// A number as JSON has it; what JSON cannot say stays a text.
pub(crate) fn number(digits: &str) -> PolicyValue {
    // JSON's reader rounds some decimals otherwise than `str::parse`, and manifests have its words
    let Ok(number) = serde_json::from_str::<serde_json::Number>(digits) else {
        return PolicyValue::Text(digits.to_owned());
    };
    let whole = number
        .as_u64()
        .map(i128::from)
        .or(number.as_i64().map(i128::from));
    match (whole, number.as_f64()) {
        (Some(whole), _) => PolicyValue::Integer(whole),
        (None, Some(float)) => PolicyValue::Float(float),
        (None, None) => PolicyValue::Text(digits.to_owned()),
    }
}

/// A value as manifests write it: 0.2 stays 0.2, and what JSON has no word for is `null`.
pub fn written(value: &PolicyValue) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

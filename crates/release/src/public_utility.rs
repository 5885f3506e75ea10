//! Which utility figures may be public, when the policy asks for it: overall losses, average group
//! size and query error, rounded to two significant digits.
//!
//! Figures per column, discernibility and the number of suppressed rows stay private, because
//! together with the published rows they would tell more about the original than their reader
//! needs.

use serde_json::{Map, Value, json};

const CHOSEN: [(&str, &str); 6] = [
    ("ncp", "/ncp/overall"),
    ("information_loss", "/information_loss/overall"),
    ("average_group_size", "/average_group_size"),
    ("non_uniform_entropy", "/non_uniform_entropy/overall"),
    ("query_error_mean", "/query_error/mean"),
    ("query_error_median", "/query_error/median"),
];

/// The chosen figures of a utility report, rounded.
pub fn public_utility(utility: &Value) -> Value {
    let figure = |&(name, place): &(&str, &str)| {
        let value = utility.pointer(place)?.as_f64()?;
        Some((name.to_owned(), json!(rounded(value))))
    };
    Value::Object(CHOSEN.iter().filter_map(figure).collect::<Map<_, _>>())
}

fn rounded(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_and_nothing_else() {
        let utility = json!({
            "rows": 4711, "suppressed_rows": 12, "discernibility": 99_999,
            "ncp": { "overall": 0.123_456, "columns": [{ "column": "age", "loss": 0.5 }] },
            "average_group_size": 1234.5,
            "query_error": { "mean": 0.0, "median": 9.96e-7, "seed": 17 },
        });
        let expected = json!({
            "ncp": 0.12, "average_group_size": 1200.0, "query_error_mean": 0.0, "query_error_median": 1e-6,
        });
        assert_eq!(public_utility(&utility), expected);
    }
}

//! Which utility figures may be public, when the policy asks for it: overall losses, average group
//! size and query error, rounded to two significant digits.
//!
//! Figures per column, discernibility and the number of suppressed rows stay private, because
//! together with the published rows they would tell more about the original than their reader
//! needs.

use mingle_record::utility::{Loss, PublicUtility, UtilityRecord};

/// The chosen figures of a utility report, rounded.
pub fn public_utility(utility: &UtilityRecord) -> PublicUtility {
    let overall = |loss: Option<&Loss>| Some(rounded(loss?.overall));
    PublicUtility {
        ncp: overall(utility.ncp()),
        information_loss: overall(utility.information_loss()),
        average_group_size: Some(rounded(utility.average_group_size())),
        non_uniform_entropy: overall(utility.non_uniform_entropy()),
        query_error_mean: Some(rounded(utility.query_error().mean)),
        query_error_median: Some(rounded(utility.query_error().median)),
    }
}

fn rounded(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_record::utility::{ColumnLoss, QueryError, Utility};
    use serde_json::json;

    #[test]
    fn two_digits_and_nothing_else() {
        let loss = |overall| Loss {
            overall,
            columns: vec![ColumnLoss {
                column: "age".into(),
                loss: 0.5,
            }],
        };
        let utility = UtilityRecord::Ranges(Utility {
            rows: 4711,
            published_rows: 4699,
            suppressed_rows: 12,
            groups: 17,
            ncp: loss(0.123_456),
            ncp_of_people: None,
            discernibility: 99_999,
            average_group_size: 1234.5,
            non_uniform_entropy: loss(0.999),
            query_error: QueryError {
                mean: 0.0,
                median: 9.96e-7,
                queries: 2500,
                seed: 17,
            },
        });
        let expected = json!({
            "ncp": 0.12, "average_group_size": 1200.0, "non_uniform_entropy": 1.0,
            "query_error_mean": 0.0, "query_error_median": 1e-6,
        });
        let public = serde_json::to_string(&public_utility(&utility)).unwrap();
        assert_eq!(public, expected.to_string());
    }
}

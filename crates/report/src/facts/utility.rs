//! What a release costs, as its private manifest keeps it.
//!
//! Read leniently: a figure that is not there is not shown.

use serde::Serialize;
use serde_json::Value;

/// Figures against the original.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct UtilityFacts {
    /// Rows of the original.
    pub rows: Option<u64>,
    /// Rows that were left out.
    pub suppressed_rows: Option<u64>,
    /// What `loss` is: `NCP`, or `information loss` of a release by centroids.
    pub loss_name: &'static str,
    /// The share of detail that is lost, between 0 and 1.
    pub loss: Option<f64>,
    /// The non-uniform entropy, between 0 and 1.
    pub non_uniform_entropy: Option<f64>,
    /// The sum of squared group sizes, and n for each row left out.
    pub discernibility: Option<f64>,
    /// The average group size over k.
    pub average_group_size: Option<f64>,
    /// By quasi-identifier.
    pub columns: Vec<ColumnLossFacts>,
    /// The error of random COUNT queries.
    pub query_error: Option<QueryErrorFacts>,
}

/// What a quasi-identifier lost.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ColumnLossFacts {
    /// The column.
    pub column: String,
    /// Between 0 and 1, as [`UtilityFacts::loss_name`] says.
    pub loss: f64,
    /// Non-uniform entropy, between 0 and 1.
    pub non_uniform_entropy: Option<f64>,
}

/// The relative error of random COUNT queries.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct QueryErrorFacts {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// How many queries were asked.
    pub queries: u64,
}

/// The figures of a private manifest.
pub(super) fn of(utility: &Value) -> UtilityFacts {
    let number = |place: &str| utility.pointer(place).and_then(Value::as_f64);
    let count = |place: &str| utility.pointer(place).and_then(Value::as_u64);
    let (loss_name, key) = match utility.pointer("/ncp/overall") {
        Some(_) => ("NCP", "ncp"),
        None => ("information loss", "information_loss"),
    };
    let query_error = || {
        Some(QueryErrorFacts {
            mean: number("/query_error/mean")?,
            median: number("/query_error/median")?,
            queries: count("/query_error/queries").unwrap_or(0),
        })
    };
    UtilityFacts {
        rows: count("/rows"),
        suppressed_rows: count("/suppressed_rows"),
        loss_name,
        loss: number(&format!("/{key}/overall")),
        non_uniform_entropy: number("/non_uniform_entropy/overall"),
        discernibility: number("/discernibility"),
        average_group_size: number("/average_group_size"),
        columns: columns(utility, key),
        query_error: query_error(),
    }
}

fn columns(utility: &Value, key: &str) -> Vec<ColumnLossFacts> {
    let losses = |key: &str| {
        let entries = utility
            .pointer(&format!("/{key}/columns"))
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let entry = |e: &Value| {
            Some((
                e.get("column")?.as_str()?.to_owned(),
                e.get("loss")?.as_f64()?,
            ))
        };
        entries.iter().filter_map(entry).collect::<Vec<_>>()
    };
    let entropy = losses("non_uniform_entropy");
    let of = |name: &str| {
        entropy
            .iter()
            .find(|(column, _)| column == name)
            .map(|(_, loss)| *loss)
    };
    let fact = |(column, loss): (String, f64)| ColumnLossFacts {
        non_uniform_entropy: of(&column),
        column,
        loss,
    };
    losses(key).into_iter().map(fact).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn groups_centroids_and_nothing() {
        let groups = of(&json!({
            "rows": 10, "ncp": { "overall": 0.5, "columns": [{ "column": "a", "loss": 0.5 }] },
            "non_uniform_entropy": { "overall": 0.25, "columns": [{ "column": "a", "loss": 0.25 }] },
            "query_error": { "mean": 1.5, "median": 0.5, "queries": 2500 },
        }));
        assert_eq!(
            (groups.loss_name, groups.loss, groups.rows),
            ("NCP", Some(0.5), Some(10))
        );
        assert_eq!(groups.columns[0].non_uniform_entropy, Some(0.25));
        assert_eq!(groups.query_error.unwrap().queries, 2500);
        let centroids =
            of(&json!({ "ncp": null, "information_loss": { "overall": 0.1, "columns": [] } }));
        assert_eq!(
            (centroids.loss_name, centroids.loss),
            ("information loss", Some(0.1))
        );
        assert_eq!(of(&json!(["odd"])).loss, None);
    }
}

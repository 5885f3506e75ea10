//! What a release costs, as its private manifest keeps it.
//!
//! A figure that a kind of release does not have is not shown.

use mingle_record::utility::UtilityRecord;
use serde::Serialize;

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

impl From<&UtilityRecord> for UtilityFacts {
    fn from(record: &UtilityRecord) -> UtilityFacts {
        let loss_name = match record {
            UtilityRecord::Ranges(_) => "NCP",
            UtilityRecord::Centroids(_) => "information loss",
        };
        let error = record.query_error();
        UtilityFacts {
            rows: Some(record.rows()),
            suppressed_rows: Some(record.suppressed_rows()),
            loss_name,
            loss: Some(record.loss().overall),
            non_uniform_entropy: record.non_uniform_entropy().map(|loss| loss.overall),
            discernibility: Some(record.discernibility() as f64),
            average_group_size: Some(record.average_group_size()),
            columns: columns(record),
            query_error: Some(QueryErrorFacts {
                mean: error.mean,
                median: error.median,
                queries: error.queries as u64,
            }),
        }
    }
}

fn columns(record: &UtilityRecord) -> Vec<ColumnLossFacts> {
    let mut facts = Vec::new();
    for lost in &record.loss().columns {
        facts.push(ColumnLossFacts {
            column: lost.column.clone(),
            loss: lost.loss,
            non_uniform_entropy: entropy_of(record, &lost.column),
        });
    }
    facts
}

fn entropy_of(record: &UtilityRecord, column: &str) -> Option<f64> {
    let columns = &record.non_uniform_entropy()?.columns;
    Some(columns.iter().find(|lost| lost.column == column)?.loss)
}

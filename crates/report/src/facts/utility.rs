//! What a release costs, as its private manifest keeps it.
//!
//! A figure that a kind of release does not have is not shown.

use mingle_record::answer::{ShownColumnLoss, ShownLossName, ShownQueryError, ShownUtility};
use mingle_record::utility::UtilityRecord;

/// Figures against the original.
pub(super) fn utility_shown(record: &UtilityRecord) -> ShownUtility {
    let loss_name = match record {
        UtilityRecord::Ranges(_) => ShownLossName::Ncp,
        UtilityRecord::Centroids(_) => ShownLossName::InformationLoss,
    };
    let error = record.query_error();
    ShownUtility {
        rows: Some(record.rows()),
        suppressed_rows: Some(record.suppressed_rows()),
        loss_name,
        loss: Some(record.loss().overall),
        loss_of_people: record.ncp_of_people(),
        non_uniform_entropy: record.non_uniform_entropy().map(|loss| loss.overall),
        discernibility: Some(record.discernibility() as f64),
        average_group_size: Some(record.average_group_size()),
        columns: columns(record),
        query_error: Some(ShownQueryError {
            mean: error.mean,
            median: error.median,
            queries: error.queries as u64,
        }),
    }
}

fn columns(record: &UtilityRecord) -> Vec<ShownColumnLoss> {
    let mut facts = Vec::new();
    for lost in &record.loss().columns {
        facts.push(ShownColumnLoss {
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

//! Questions about a candidate: its rows, and what a coalition makes of them.

use mingle_record::manifest::ColumnRole;
use serde::{Deserialize, Serialize};

/// Asks for rows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PreviewRequest {
    /// The candidate.
    pub candidate: String,
    /// The first row of the original, counted from 0.
    pub offset: f64,
    /// How many; at most 200.
    pub count: f64,
}

/// Rows before and after.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PreviewAnswer {
    /// The columns, identifiers left out.
    pub columns: Vec<PreviewColumn>,
    /// The rows, in the order of the tables.
    pub rows: Vec<PreviewRow>,
    /// How many there are.
    pub total: f64,
}

/// A column of the preview.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PreviewColumn {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: ColumnRole,
}

/// A row before and after.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PreviewRow {
    /// Its provider.
    pub provider: String,
    /// Its cells as read.
    pub original: Vec<String>,
    /// Its cells as published; null if it is left out.
    pub published: Option<Vec<String>>,
    /// Rows of its group.
    pub group_size: f64,
}

/// Asks what some providers together learn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoalitionRequest {
    /// The candidate.
    pub candidate: String,
    /// The members.
    pub providers: Vec<String>,
}

/// What they learn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoalitionAnswer {
    /// Published rows that are the coalition's own.
    pub own: f64,
    /// Groups they have rows in.
    pub touched: f64,
    /// Groups in which a promise fails once their rows are taken out.
    pub fallen: f64,
    /// Whether that is all: with promises such as t, leaving some rows in may break more groups.
    pub exact: bool,
    /// People of others in those groups.
    pub people: f64,
    /// People of others whose row they know for sure.
    pub identity: f64,
    /// People of others of whom they know the row or a sensitive value for sure.
    pub exposed: f64,
    /// Rows of others in all.
    pub others: f64,
    /// The groups they learn most about, at most 50: certainty first, then the fewest rows left.
    pub examples: Vec<CoalitionGroup>,
}

/// A group after a coalition took out its rows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoalitionGroup {
    /// Published labels, in the order of the quasi-identifiers.
    pub labels: Vec<String>,
    /// Rows of the group.
    pub rows: f64,
    /// Rows left.
    pub left: f64,
    /// Whether a promise fails.
    pub fallen: bool,
    /// Which promise fails, in words.
    pub broken: Option<String>,
    /// What is left of each sensitive column, the most frequent value first; at most 5 each.
    pub remaining: Vec<Vec<RemainingValue>>,
}

/// A sensitive value that is left.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RemainingValue {
    /// The value.
    pub value: String,
    /// How many rows have it.
    pub count: f64,
}

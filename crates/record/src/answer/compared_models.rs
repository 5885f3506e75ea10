//! Two models of one column, trained on the original and on the release.

use serde::{Deserialize, Serialize};

/// A logistic regression trained on either side, both asked about the same rows of the original.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparedModels {
    /// The column that is foretold.
    pub target: String,
    /// Its classes, rare values counted as one.
    pub classes: usize,
    /// Rows of the original that one was trained on.
    pub original_rows: usize,
    /// Rows of the release that the other was trained on.
    pub released_rows: usize,
    /// Held-out rows of the original that both were asked about.
    pub asked: usize,
    /// The share that is right for whoever always says the most frequent class.
    pub baseline: f64,
    /// The share that the original's model gets right.
    pub original: f64,
    /// The share that the release's model gets right.
    pub released: f64,
}

//! What a code means.

use serde::{Deserialize, Serialize};

/// Asks what `mingle explain` says about a code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainRequest {
    /// Such as `MG0103`.
    pub code: String,
}

//! What several answers have in common: where reports are.

use serde::{Deserialize, Serialize};

/// Where the two reports of a release are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportFiles {
    /// To hand out.
    pub public: String,
    /// To keep.
    pub private: String,
}

//! `mingle sign --json`: which key, and what was written.

use crate::schema::SignSchema;
use crate::signature::ShownSignature;
use serde::{Deserialize, Serialize};

/// The document `mingle.sign/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignAnswer {
    /// Which document this is.
    pub schema: SignSchema,
    /// The folder that was signed; `None` where a key was made.
    #[serde(deserialize_with = "crate::required")]
    pub release: Option<String>,
    /// The public key, 64 hexadecimal digits.
    pub key: String,
    /// The files that were written.
    pub written: Vec<String>,
    /// All signatures of what is handed out.
    pub signatures: Vec<ShownSignature>,
}

//! The first words.

use super::{DroppedFile, PolicyAnswer};
use serde::{Deserialize, Serialize};

/// The token of the link that the program printed; it works once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionRequest {
    /// From the link.
    pub token: String,
}

/// What every later request carries.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Session {
    /// Valid until the server stops.
    pub key: String,
}

/// What the page shows first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Start {
    /// The program's version.
    pub version: String,
    /// The policy that the server was started with, if any.
    pub policy: Option<PolicyAnswer>,
    /// The name of its file.
    pub policy_file: Option<String>,
    /// The folder that releases and policies are written to.
    pub folder: String,
    /// The methods, the default first.
    pub methods: Vec<String>,
    /// The most quasi-identifiers with which a release is looked for before anybody confirms roles.
    pub most_unconfirmed: f64,
    /// The largest file that may be dropped, in bytes.
    pub largest_upload: f64,
    /// The files that were dropped so far.
    pub files: Vec<DroppedFile>,
}

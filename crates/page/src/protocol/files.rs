//! Files that were dropped on the page. They are kept in a folder of their own until the server
//! stops.

use serde::{Deserialize, Serialize};

/// All of them, by name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileList {
    /// In order of names.
    pub files: Vec<DroppedFile>,
}

/// A file. A name may have folders in it (`release/public/data.csv`), never `..`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DroppedFile {
    /// How a policy refers to it.
    pub name: String,
    /// Its size.
    pub bytes: f64,
}

//! `mingle synth --json`: which table was made up.

use crate::manifest::FileFormat;
use crate::schema::SynthSchema;
use serde::{Deserialize, Serialize};

/// The document `mingle.synth/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SynthAnswer {
    /// Which document this is.
    pub schema: SynthSchema,
    /// The file.
    pub file: String,
    /// How it is written.
    pub format: FileFormat,
    /// How many rows it has.
    pub rows: u64,
    /// How many providers; with one there is no provider column.
    pub providers: u32,
    /// Where the random numbers started.
    pub seed: u64,
}

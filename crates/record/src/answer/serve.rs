//! `mingle serve --json`: where the local page is. Printed when it is ready, before anybody visits.

use crate::schema::ServeSchema;
use serde::{Deserialize, Serialize};

/// The document `mingle.serve/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServeAnswer {
    /// Which document this is.
    pub schema: ServeSchema,
    /// The link, which works once.
    pub link: String,
    /// Where releases and policies are written.
    pub folder: String,
}

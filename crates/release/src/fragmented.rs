//! Fragmented releases: quasi-identifiers and sensitive attributes in tables of their own, joined
//! by the group number.
//!
//! ```text
//! public/qi.csv             gid, quasi-identifiers…     one row per person, sorted by gid
//! public/sa_<column>.csv    gid, value                  one row per person, sorted by gid, then by the value's text
//! ```
//!
//! (Nielsen et al., D2Pt, Table 5c.) What belongs together beyond the group is published nowhere,
//! so order must not say it either: rows of the same person stand at no corresponding places, and
//! groups are numbered by what is published about them. [`read`] insists on all of that, so that a
//! release cannot carry a message in its order.
//!
//! Assumes that no quasi-identifier or sensitive column is called `gid`. Cost: O(groups + their
//! distinct values) beside the rows themselves.

pub(crate) mod audit;
mod bundle;
mod file_names;
pub(crate) mod read;
pub(crate) mod write;

pub use read::FragmentsProblem;

use crate::manifest::{ColumnRole, ManifestColumn, TableEntry};
use mingle_model::GID;

/// Which file holds which columns: the quasi-identifiers first, then the sensitive columns in their
/// order.
pub(crate) fn tables(columns: &[ManifestColumn], format: &str) -> Vec<TableEntry> {
    let names = |role| {
        columns
            .iter()
            .filter(move |c| c.role == role)
            .map(|c| c.name.clone())
    };
    let gid = || [GID.to_owned()].into_iter();
    let qi = TableEntry {
        file: format!("qi.{format}"),
        columns: gid().chain(names(ColumnRole::QuasiIdentifier)).collect(),
    };
    let sensitive: Vec<String> = names(ColumnRole::Sensitive).collect();
    let files = file_names::sensitive(&sensitive, format);
    let sa = files
        .into_iter()
        .zip(sensitive)
        .map(|(file, name)| TableEntry {
            file,
            columns: gid().chain([name]).collect(),
        });
    [qi].into_iter().chain(sa).collect()
}

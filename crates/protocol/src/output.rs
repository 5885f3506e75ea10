//! What a session comes to, before it is written.

use crate::conversation::Traffic;
use crate::terms::{Seat, Terms};
use mingle_privacy::VerifiedFragments;
use serde::{Deserialize, Serialize};

/// The joint release as both sites have it, and what this site may say about how it came about.
pub struct JointOutput {
    /// The session's id.
    pub session: [u8; 32],
    /// Which of the two sites this is.
    pub seat: Seat,
    /// The sites' names.
    pub sites: [String; 2],
    /// What they agreed on.
    pub terms: Terms,
    /// Both sites' columns, site 0's before site 1's.
    pub columns: Vec<JointColumn>,
    /// The published tables, verified.
    pub verified: VerifiedFragments,
    /// How many comparisons the synchronizer made.
    pub rounds: u32,
    /// How many bytes this took. The same at both sites, but not for the public.
    pub traffic: Traffic,
}

/// A published column, with what a reader needs to check t-closeness.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointColumn {
    /// Its name.
    pub name: String,
    /// `quasi-identifier` or `sensitive`.
    pub role: String,
    /// `integer`, `decimal`, `date` or `category`.
    pub kind: String,
    /// In words: how its values generalize.
    pub hierarchy: Option<String>,
    /// The published values in their order, where a distance needs one that they do not have
    /// themselves.
    pub order: Option<Vec<String>>,
    /// The published values with their ancestors up to the root, where a distance needs the
    /// hierarchy.
    pub hierarchy_rows: Option<Vec<Vec<String>>>,
}

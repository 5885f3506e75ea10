//! Why the background join cannot be played. Columns, groups and counts, never values.

use crate::utility;
use mingle_model::counted;
use thiserror::Error;

/// Why the background join cannot be played. Columns, groups and counts, never values.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// The release and the original do not fit each other.
    #[error(transparent)]
    Comparison(#[from] utility::Error),
    /// A sensitive column of only one of release and original.
    #[error("column {column} is sensitive in only one of release and original")]
    SensitiveColumn {
        /// The column that has no partner.
        column: String,
    },
    /// A value, or a combination of values, that no row of the original has.
    #[error("group {group} has sensitive values that no row of the original has")]
    ForeignValue {
        /// The first such group in published order, counted from 1.
        group: usize,
    },
    /// More rows of a kind than the original has for the group's labels.
    #[error("group {group} has rows that the original does not have")]
    ForeignRow {
        /// The first such group in published order, counted from 1.
        group: usize,
    },
    /// Rows of the original are neither published nor left out.
    #[error("{missing} rows of the original are not in the release, which leaves out {left_out}")]
    NotPublished {
        /// How many rows no group can hold.
        missing: u64,
        /// How many rows fewer than the original the release has.
        left_out: u64,
    },
    /// A fragmented release whose groups cannot be told from the quasi-identifiers alone.
    #[error(
        "{people} people fit several groups, so the fragmented tables do not say who is in which"
    )]
    Ambiguous {
        /// How many people.
        people: u64,
    },
    /// Only one of release and original says whose each row is.
    #[error("the {of} does not say whose each row is, and people have several rows")]
    WhoseRows {
        /// `release` or `original`.
        of: &'static str,
    },
    /// Somebody has rows in several groups.
    #[error("people have rows in several groups, and nothing says which of them is known")]
    RowsApart,
    /// A column that is said to be known and is not sensitive.
    #[error("column {column} is no sensitive column")]
    NotSensitive {
        /// The column.
        column: String,
    },
    /// A column that is said to be a quasi-identifier and is none.
    #[error("column {column} is no quasi-identifier")]
    NotQuasiIdentifier {
        /// The column.
        column: String,
    },
    /// With fewer than two sensitive columns there is nothing to join.
    #[error(
        "there is nothing to join: the release has {}, and it takes two",
        counted(.columns, "sensitive column")
    )]
    NothingToJoin {
        /// How many there are.
        columns: usize,
    },
    /// Every sensitive column is known.
    #[error("there is nothing to learn: every sensitive column is known")]
    NothingToLearn,
}

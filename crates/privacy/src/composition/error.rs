//! Why releases cannot be laid over people.

use thiserror::Error;

/// A release that does not fit the people it is laid over. Positions and names, never values.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A quasi-identifier that is not known about the people.
    #[error("{release}: the quasi-identifier {column} is not among the people's columns")]
    Column {
        /// The release.
        release: String,
        /// Its column.
        column: String,
    },
    /// No quasi-identifier in common.
    #[error("{release}: no quasi-identifier is known about the people")]
    NothingShared {
        /// The release.
        release: String,
    },
    /// The sensitive column is not in the release.
    #[error("{release} has no sensitive column {column}")]
    NoSensitive {
        /// The release.
        release: String,
        /// The column that was asked for.
        column: String,
    },
    /// A cell that is no label of its column.
    #[error(
        "{release}: a label of column {column} cannot be read, first in group {group} of the release"
    )]
    Unreadable {
        /// The release.
        release: String,
        /// The quasi-identifier.
        column: String,
        /// The group's place in the order of labels, from 1.
        group: usize,
        /// The label's place among the column's labels.
        label: usize,
    },
    /// No value of the sensitive column occurs in both releases.
    #[error("{release} and {other} have no value of {column} in common: are they coded alike?")]
    Coding {
        /// A release.
        release: String,
        /// One before it.
        other: String,
        /// The sensitive column.
        column: String,
    },
    /// An audit of a table that was not made from the people.
    #[error("the table that is to be audited was not made from these people")]
    NotOurs,
    /// A version of a table in which somebody is twice, or in a group that is not there.
    #[error("somebody is in a version twice, or in a group that it does not have")]
    NotAVersion,
}

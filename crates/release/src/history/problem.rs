//! What is wrong with a history. Labels of versions, file names and counts, never a cell or an
//! identifier.

use crate::manifest::ManifestProblem;
use mingle_model::counted;
use std::path::PathBuf;
use thiserror::Error;

/// What is wrong with a history.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryProblem {
    /// No `history.json`.
    #[error("not a history of mingle")]
    NotAHistory,
    /// Others may look into the folder.
    #[error("the folder may be read by others than its owner")]
    OpenToOthers,
    /// The key is missing, or another one.
    #[error("the key is missing or is not that of this history")]
    Key,
    /// Another run writes to it.
    #[error("another run is writing to this history")]
    Busy,
    /// A file that is not as it was written.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: ManifestProblem,
    },
    /// A version's people are gone.
    #[error("{file} is missing")]
    PeopleMissing {
        /// The file.
        file: String,
    },
    /// A version's people are not those that were written.
    #[error("{file} is not what was written")]
    PeopleDamaged {
        /// The file.
        file: String,
    },
    /// More people than a history can take.
    #[error("a version of so many people is too large for a history")]
    TooLarge,
    /// A version's release is not where it was.
    #[error("the release of version {label} is not at {}", path.display())]
    ReleaseMissing {
        /// The version.
        label: String,
        /// Where it was.
        path: PathBuf,
    },
    /// Another release is where a version's release was.
    #[error("{} is not the release of version {label} any more", path.display())]
    ReleaseChanged {
        /// The version.
        label: String,
        /// Where it was.
        path: PathBuf,
    },
    /// No version of this label.
    #[error("there is no version {label}")]
    NoSuchVersion {
        /// The label.
        label: String,
    },
    /// A label that is in use, or that cannot be one.
    #[error(
        "a version cannot be called {label:?}: the name is taken, empty, or has control characters"
    )]
    Label {
        /// The label.
        label: String,
    },
    /// The release is a version of this history.
    #[error("the release is version {label} of this history already")]
    AlreadyThere {
        /// The version.
        label: String,
    },
    /// The people are not those of the release.
    #[error(
        "the people are not those of the release: group {group} of the release holds other values"
    )]
    OtherPeople {
        /// The group's place in the release, from 1.
        group: usize,
    },
    /// A release has groups that the people do not have, or the other way round.
    #[error(
        "the people are not those of the release: it has {} and they have {people}, or others",
        counted(.release, "group")
    )]
    OtherGroups {
        /// Groups of the release.
        release: usize,
        /// Groups of the people.
        people: usize,
    },
    /// Another release of the same groups.
    #[error("the people are not those of the release: its public manifest is another one")]
    OtherManifest,
    /// Another sensitive column.
    #[error("the release has no sensitive column {column}, or more columns than the people")]
    OtherColumns {
        /// The column.
        column: String,
    },
    /// Labels overlap, and nothing says who is in which group.
    #[error(
        "{} that may be in several groups of the release, and nothing says in which",
        counted(.rows, "row")
    )]
    Ambiguous {
        /// How many rows.
        rows: u64,
    },
    /// Another column than before tells people apart.
    #[error("people are told apart by column {known} here, not by {asked}")]
    OtherPerson {
        /// The column of the versions that are there.
        known: String,
        /// The column that was asked for.
        asked: String,
    },
    /// A new version of other people.
    #[error("nobody of the last version is in the new one")]
    NobodyStayed,
    /// A new version of other columns.
    #[error("no sensitive column of the earlier versions is in the new one")]
    NoColumnStayed,
    /// A new version of other values.
    #[error("column {column}: no value of the last version is in the new one")]
    NoValueStayed {
        /// The column.
        column: String,
    },
    /// A release was announced, and it is not known what became of it.
    #[error("the release that was to be written to {release} is not recorded")]
    Unsettled {
        /// Where it was to be written.
        release: String,
    },
    /// There is nothing to be withdrawn.
    #[error("no release is pending")]
    NothingPending,
    /// A person has several rows.
    #[error("a person has several rows")]
    SeveralRows,
}

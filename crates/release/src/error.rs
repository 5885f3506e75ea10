//! Why nothing was published, or why a release cannot be read. Paths and column names, never cells.

use crate::fragmented::FragmentsProblem;
use crate::history::HistoryProblem;
use crate::manifest::ManifestProblem;
use crate::noisy::CountsProblem;
use mingle_disk::folder_of;
use mingle_model::FragmentsError;
use mingle_model::counted;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why nothing was published, or why a release cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The release is in its place, but the system did not confirm that it will last.
    #[error("{}: the release is in place, but may not outlast a power cut: {source}", path.display())]
    Unflushed {
        /// The folder around the release.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something is there already.
    #[error("{} exists", path.display())]
    Exists {
        /// Where the release should go.
        path: PathBuf,
    },
    /// What is there is not a release, so it is neither replaced nor read.
    #[error("{} is not a release of mingle", path.display())]
    NotARelease {
        /// The folder.
        path: PathBuf,
    },
    /// The folder that should hold the release does not exist.
    #[error("the folder {} does not exist", path.display())]
    NoParent {
        /// The missing folder.
        path: PathBuf,
    },
    /// A path without a name of its own, such as `/` or `..`.
    #[error("{} cannot be the name of a release", path.display())]
    BadName {
        /// The path.
        path: PathBuf,
    },
    /// The release could be written, but not a report of it.
    #[error("the report cannot be made: {reason}")]
    Report {
        /// Why, without cells.
        reason: String,
    },
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// A file could not be encoded.
    #[error("{}: {source}", path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// Why.
        source: mingle_io::Error,
    },
    /// A file of the release could not be read as a table.
    #[error("{file}: {source}")]
    Unreadable {
        /// The file, relative to the release.
        file: String,
        /// Why.
        source: mingle_io::Error,
    },
    /// A manifest that cannot be used.
    #[error("{file}: {problem}")]
    Manifest {
        /// The file, relative to the release.
        file: String,
        /// What is wrong with it.
        problem: ManifestProblem,
    },
    /// The manifest names a file that is not there.
    #[error("{file} is missing")]
    MissingFile {
        /// The file, relative to the release.
        file: String,
    },
    /// A table of a fragmented release that does not fit the others, or says something by its
    /// order.
    #[error("{file}: {problem}")]
    Fragmented {
        /// The file, relative to the release.
        file: String,
        /// What is wrong with it.
        problem: FragmentsProblem,
    },
    /// Groups that cannot be published in fragments.
    #[error(transparent)]
    Fragments(#[from] FragmentsError),
    /// A column that belongs to neither the quasi-identifiers nor the sensitive attributes.
    #[error("column {column} is insensitive: carried along by row, it would join the tables again")]
    Insensitive {
        /// The column.
        column: String,
    },
    /// The columns are not those of what was verified.
    #[error("the columns are not those of what was verified")]
    Columns,
    /// What is staged, or asked for, belongs to another session.
    #[error("{} belongs to another session", path.display())]
    OtherSession {
        /// The folder.
        path: PathBuf,
    },
    /// The same session has staged something else before.
    #[error("{} holds another result of the same session", path.display())]
    StagedDiffers {
        /// The staging folder.
        path: PathBuf,
    },
    /// A staged release is not as it was written.
    #[error("{} was changed after it was staged", path.display())]
    StagedDamaged {
        /// The staging folder.
        path: PathBuf,
    },
    /// A signature that does not fit the release or is not of this site.
    #[error("the signature of site {site} does not fit the release")]
    Signature {
        /// The site's name.
        site: String,
    },
    /// The audit's counts cannot be added up.
    #[error("the counts of the audit are no numbers, or too large")]
    AuditCounts,
    /// The audit says of people what cannot be.
    #[error("the people of the audit do not add up, or are others than the private manifest says")]
    AuditPeople,
    /// Somebody has several rows, and what is to be written does not say so.
    #[error("people have several rows, and nothing says whose rows belong together")]
    PeopleUnsaid,
    /// Fragments count rows.
    #[error("people have several rows, which fragments cannot show")]
    PeopleInFragments,
    /// The audit is one of other rows, or of other providers.
    #[error(
        "the audit does not belong to these rows: it differs in {} of values and in {}",
        counted(.tuples, "combination"), counted(.providers, "provider")
    )]
    AuditDiffers {
        /// Combinations of published values that occur another number of times.
        tuples: u64,
        /// Providers with another number of rows than the private manifest says.
        providers: u64,
    },
    /// A published column holds the name of the row's provider in every row.
    #[error("column {column} names the provider in every row, and the provider is never published")]
    ProviderInData {
        /// The column.
        column: String,
    },
    /// Rows that were verified in parts are not those that were to be written.
    #[error(
        "the parts that were to be written are not those that were verified: rows are missing, or there twice"
    )]
    PartsDiffer,
    /// The verified publication was not made from this table.
    #[error("what was verified was not made from this table")]
    OtherTable,
    /// A history that cannot be read or written.
    #[error("{}: {problem}", path.display())]
    History {
        /// The history's folder.
        path: PathBuf,
        /// What is wrong.
        problem: HistoryProblem,
    },
    /// A release that does not fit the people it is laid over.
    #[error(transparent)]
    Composition(#[from] mingle_privacy::composition::Error),
    /// A release of noisy counts where one of groups is needed.
    #[error("{} is a differentially private release: it has noisy counts, not groups of people", path.display())]
    Noisy {
        /// The release.
        path: PathBuf,
    },
    /// Noisy counts that no ledger was charged for, or for which another promise was paid.
    #[error("no ledger was charged for this output, so it cannot be published")]
    NothingSpent,
    /// Two cells of a declared domain that are written alike.
    #[error("column {column}: two cells of its declared domain are written alike")]
    TwoLabels {
        /// The column.
        column: String,
    },
    /// A table of noisy counts that is not what its manifest says.
    #[error("{file}: {problem}")]
    Counts {
        /// The file, relative to the release.
        file: String,
        /// What is wrong with it.
        problem: CountsProblem,
    },
    /// Two published columns of the same name.
    #[error("two columns are called {column}")]
    TwoColumns {
        /// The name.
        column: String,
    },
}

impl Error {
    /// Whether there was no room left for the release.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Error::Io { source, .. } if mingle_disk::is_disk_full(source))
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }

    /// Of putting a release in its place, when it may be there in spite of the error.
    pub(crate) fn placing(error: mingle_disk::Error) -> Error {
        match error {
            mingle_disk::Error::Unflushed { path, source } => Error::Unflushed {
                path: folder_of(&path).to_owned(),
                source,
            },
            other => other.into(),
        }
    }

    /// An error of the encoder, or of the file below it.
    pub(crate) fn encode(path: &Path) -> impl Fn(mingle_io::Error) -> Error {
        let path = path.to_owned();
        move |source| match source {
            mingle_io::Error::Write(source) => Error::Io {
                path: path.clone(),
                source,
            },
            source => Error::Encode {
                path: path.clone(),
                source,
            },
        }
    }
}

impl From<mingle_disk::Error> for Error {
    fn from(error: mingle_disk::Error) -> Error {
        use mingle_disk::Error as Disk;
        match error {
            Disk::Exists { path, .. } => Error::Exists { path },
            Disk::NoParent { path } => Error::NoParent { path },
            Disk::BadName { path } => Error::BadName { path },
            Disk::Unflushed { path, source } => Error::Io {
                path: folder_of(&path).to_owned(),
                source,
            },
            other => Error::Io {
                path: other.path().to_owned(),
                source: other.into_source(),
            },
        }
    }
}

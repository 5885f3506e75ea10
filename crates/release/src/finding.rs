//! What can be wrong with a release.

use crate::fragmented::FragmentsProblem;
use crate::manifest::ManifestProblem;
use crate::noisy::CountsProblem;
use mingle_model::{counted, plural};

/// Something about a release that is not as it should be. Files and columns, never cells.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Finding {
    /// A file that the manifest lists is not there.
    #[error("{file} is missing")]
    MissingFile {
        /// Relative to the release.
        file: String,
    },
    /// A file does not hold what was written.
    #[error("{file} was changed")]
    ChangedFile {
        /// Relative to the release.
        file: String,
    },
    /// A link in the place of a file: what it leads to may change, and is not handed out with the folder.
    #[error("{file} is a link and not a file")]
    Link {
        /// Relative to the release.
        file: String,
    },
    /// A file that does not belong to what is handed out.
    #[error("{file} does not belong to the release")]
    UnexpectedFile {
        /// Relative to the release.
        file: String,
    },
    /// A manifest is damaged.
    #[error("{file}: {problem}")]
    Manifest {
        /// Relative to the release.
        file: String,
        /// What is wrong.
        problem: ManifestProblem,
    },
    /// `private/` belongs to another `public/`.
    #[error("the private part belongs to another release")]
    OtherRelease,
    /// A table cannot be read.
    #[error("{reason}")]
    Unreadable {
        /// Relative to the release.
        file: String,
        /// Why, with the place and without cells.
        reason: String,
    },
    /// Labels are said to be public, and one is none that the policy fixes.
    #[error(
        "column {column:?} has a label that the policy does not fix, although labels = \"public\""
    )]
    ForeignLabel {
        /// The quasi-identifier.
        column: String,
    },
    /// The data has other columns than the manifest says.
    #[error("{file} has other columns than the manifest says")]
    Header {
        /// Relative to the release.
        file: String,
    },
    /// The data has another number of rows or groups than the manifest says.
    #[error("the manifest says {declared} {what}, the data has {found}")]
    Count {
        /// `rows` or `groups`.
        what: &'static str,
        /// What the manifest says.
        declared: u64,
        /// What is there.
        found: u64,
    },
    /// A table of a fragmented release does not fit the others, or says something by its order.
    #[error("{file}: {problem}")]
    Fragmented {
        /// Relative to the release.
        file: String,
        /// What is wrong with it.
        problem: FragmentsProblem,
    },
    /// `signatures.json` is not a list of the two sites' signatures in their order.
    #[error("signatures.json does not hold the signatures of the sites")]
    Signatures,
    /// A joint release lacks a site's signature.
    #[error("the signature of site {site} is missing")]
    Unsigned {
        /// The site's name.
        site: String,
    },
    /// A signature by another key than the manifest names for the site.
    #[error("the signature of site {site} is by another key than the manifest's")]
    OtherKey {
        /// The site's name.
        site: String,
    },
    /// A signature that does not hold for this release.
    #[error("the signature of site {site} does not fit the release")]
    WrongSignature {
        /// The site's name.
        site: String,
    },
    /// A table of noisy counts has values or counts that cannot be.
    #[error("{file}: {problem}")]
    Noisy {
        /// Relative to the release.
        file: String,
        /// What is wrong with it.
        problem: CountsProblem,
    },
    /// A table of counts lacks cells, or has them twice or in another order than that of the
    /// declared domains.
    #[error("{file} does not list the cells of its domains in their order")]
    Cells {
        /// Relative to the release.
        file: String,
    },
    /// A histogram has counts that would have been left out.
    #[error(
        "{file} has {} {} whole or below its threshold",
        counted(.rows, "count"), plural(.rows, "that is not", "that are not")
    )]
    BelowThreshold {
        /// Relative to the release.
        file: String,
        /// How many.
        rows: u64,
    },
    /// Two tables add up to different counts.
    #[error("{file} and {other} do not add up to the same counts")]
    Disagree {
        /// Relative to the release.
        file: String,
        /// The other one.
        other: String,
    },
    /// The ledger does not say what the release says.
    #[error("the ledger differs: {reason}")]
    Ledger {
        /// How.
        reason: String,
    },
    /// A report that is not what the program makes of the release.
    #[error("{file} is not what this release says; `mingle report` regenerates it")]
    OtherReport {
        /// Relative to the release.
        file: String,
    },
    /// The promises cannot be decided for this data at all.
    #[error("the promises cannot be verified: {reason}")]
    Unverifiable {
        /// Why.
        reason: String,
    },
    /// The audit does not add up to the public rows.
    #[error("the audit differs from the public rows in {}", counted(.tuples, "tuple"))]
    AuditDiffers {
        /// How many tuples of quasi-identifiers and sensitive values occur another number of times.
        tuples: u64,
    },
    /// The audit says of people what cannot be, or not what the private manifest says.
    #[error("the people of the audit do not add up, or are others than the private manifest says")]
    PeopleDiffer,
    /// The audit has other rows of some providers than the private manifest says.
    #[error("the audit differs from the private manifest for {}", counted(.providers, "provider"))]
    ProvidersDiffer {
        /// How many providers.
        providers: u64,
    },
}

//! What leaves the house: a release folder, written at once or not at all, and read back without
//! trust.
//!
//! ```text
//! DIR/public/    data.csv or data.parquet, manifest.json, report.html    fragmented: qi.csv and sa_<column>.csv
//! DIR/private/   audit.parquet, manifest.json, report.html               never handed out
//! ```
//!
//! A release is a [`Bundle`] of parts before it has a folder: [`Bundle::grouped`] makes one from a
//! [`Verified`](mingle_privacy::Verified) table and from nothing else, [`Bundle::fragmented`] the
//! same in tables that only a group number joins, and [`Bundle::write`] puts it into a folder. What
//! goes into `public/` follows from the published rows and the policy alone; providers, hashes
//! of the input, the seed and every figure taken against the original go to `private/`. Two sites
//! that publish together [`stage`] first and commit once both have signed. [`Release`] reads a
//! folder back and checks it.
//!
//! A differentially private release has noisy counts instead of groups, see [`noisy`]; [`open_any`]
//! tells the two apart.
//!
//! Hashes and checksums detect damage and mix-ups. They do not stop a forger, who can compute them
//! anew; the signatures of a joint release do, for a reader who knows the sites' keys.
#![forbid(unsafe_code)]

mod assembled;
mod audit;
mod bundle;
mod check;
mod data;
mod error;
mod facts;
mod finding;
mod fragmented;
mod grouped;
pub mod history;
mod joint;
pub mod manifest;
pub mod noisy;
mod open;
mod people;
pub mod promise_entry;
mod provider_in_data;
mod public_policy;
mod public_utility;
mod reports;
mod staging;
mod vocabulary;
pub mod warnings;
mod writer;

pub use assembled::{AssembledParts, AssembledTable, CodedRows, RowRepeats};
pub use bundle::{
    Bundle, GroupedBundle, GroupedManifests, MemoryRelease, NoisyBundle, NoisyManifests,
    ReleaseManifests,
};
pub use check::Findings;
pub use error::Error;
pub use facts::{Facts, InputFile};
pub use finding::Finding;
pub use fragmented::FragmentsProblem;
pub use joint::{
    Joint, PrivateFacts, SiteSignature, Staged, committed, is_signed, provider_signed_bytes,
    signed_bytes, stage, stage_noisy,
};
pub use noisy::{NoisyFacts, NoisyRelease, Opened, open_any};
pub use open::{Release, formula_guard};
pub use people::people_counts;
pub use public_policy::public_policy;
pub use public_utility::public_utility;
pub use reports::{REPORT_FILE, Render, ReportPlaces, Reports};
pub use writer::{Announce, Target, WrittenRelease};

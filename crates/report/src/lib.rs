//! One self-contained HTML report for every release: one to hand out, a fuller one to keep.
//!
//! [`public`] receives the folder that is handed out and nothing else, so that the report cannot
//! say more than the published rows and the policy do; [`private`] adds what only the steward may
//! see. Both read the release back from its files: what they show is what is published, not what
//! was planned. What they show is collected in [`facts`] first, which a terminal can render as
//! well.
//!
//! A report is a function of the release: no clock, no machine name and no path gets into it, so
//! the same release gives the same bytes. It has no script and asks no network for anything. Cost:
//! one reading of the release's files; the private report also plays every coalition, see
//! [`mingle_assess::attack::insider`].
#![forbid(unsafe_code)]

mod error;
pub mod facts;
mod html;
pub mod number;
pub mod text;

pub use error::Error;

use facts::{PublicFacts, StewardFacts};
use std::path::Path;

/// The name of a report within `public/` and within `private/`.
pub const FILE: &str = "report.html";

/// The report that is handed out with a release, from the `public/` folder alone.
pub fn public(public_folder: &Path) -> Result<String, Error> {
    Ok(PublicFacts::open(public_folder)?.to_html())
}

/// The fuller report that stays with the steward, from the release folder.
pub fn private(release_folder: &Path) -> Result<String, Error> {
    Ok(StewardFacts::open(release_folder)?.to_html())
}

/// Both, handed out first, from one reading of the release: the bytes are those of [`public`] and
/// [`private`].
pub fn both(release_folder: &Path) -> Result<(String, String), Error> {
    let (handed_out, kept) = StewardFacts::open_both(release_folder)?;
    Ok((handed_out.to_html(), kept.to_html()))
}

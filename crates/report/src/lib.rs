//! One self-contained HTML report for every release: one to hand out, a fuller one to keep; and
//! beside each a document that says the same to programs.
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

mod document;
mod error;
pub mod facts;
mod html;
pub mod number;
pub mod text;

pub use error::Error;

use facts::{PublicFacts, StewardFacts};
use mingle_release::{RenderedReport, Reports};
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

/// Both in both forms, from one reading of the release: the pages are those of [`public`] and
/// [`private`].
pub fn both(release_folder: &Path) -> Result<Reports, Error> {
    let (handed_out, kept) = StewardFacts::open_both(release_folder)?;
    Ok(Reports {
        public: handed_out.rendered(),
        private: kept.rendered(),
    })
}

impl PublicFacts {
    /// The report that is handed out, in both forms.
    pub fn rendered(&self) -> RenderedReport {
        RenderedReport {
            html: self.to_html(),
            json: self.to_json(),
        }
    }
}

impl StewardFacts {
    /// The report that is kept, in both forms.
    pub fn rendered(&self) -> RenderedReport {
        RenderedReport {
            html: self.to_html(),
            json: self.to_json(),
        }
    }
}

//! Reports: `report.html` in `public/` and in `private/`, which say in pictures what a release says
//! in tables, and beside each `report.json`, which says the same to programs.
//!
//! This room does not know how a report looks: whoever publishes hands in a [`Render`], which reads
//! the staged release as any reader would, after its manifests were written and before it is
//! flushed and put in its place. So a release and its reports appear together or not at all. No
//! manifest lists them, because they are made from the manifests; what they hold follows from the
//! other files and is checked by making them again.

use crate::error::Error;
use crate::open::parts;
use crate::staging::Staging;
use std::path::{Path, PathBuf};

/// A report's name, in `public/` and in `private/`.
pub const REPORT_FILE: &str = "report.html";

/// The name of what says the same to programs, beside each report.
pub const REPORT_DOCUMENT: &str = "report.json";

/// A report in both its forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenderedReport {
    /// The page.
    pub html: String,
    /// The document for programs.
    pub json: String,
}

/// Both reports of a release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reports {
    /// For `public/`.
    pub public: RenderedReport,
    /// For `private/`.
    pub private: RenderedReport,
}

/// Makes the reports of the release in a folder; else says why it cannot, without cells.
pub type Render = fn(&Path) -> Result<Reports, String>;

/// The folders of a release, where its reports are or would be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportPlaces {
    public: PathBuf,
    private: Option<PathBuf>,
}

impl ReportPlaces {
    /// Of a release folder, or of the `public/` folder of one.
    pub fn of(release: &Path) -> ReportPlaces {
        let (public, private) = parts(release);
        ReportPlaces {
            public,
            private: private.filter(|folder| folder.is_dir()),
        }
    }

    /// The report that is handed out.
    pub fn public(&self) -> PathBuf {
        self.public.join(REPORT_FILE)
    }

    /// The report that is kept; `None` where there is no private part.
    pub fn private(&self) -> Option<PathBuf> {
        Some(self.private.as_ref()?.join(REPORT_FILE))
    }

    /// The document that is handed out beside the report.
    pub fn public_document(&self) -> PathBuf {
        self.public.join(REPORT_DOCUMENT)
    }

    /// The document that is kept; `None` where there is no private part.
    pub fn private_document(&self) -> Option<PathBuf> {
        Some(self.private.as_ref()?.join(REPORT_DOCUMENT))
    }

    /// Writes one of these reports, or replaces what is there, at once: on an error, and after a
    /// crash, the old one is there. Only the owner may read it.
    pub fn replace(&self, report: &Path, text: &str) -> Result<(), Error> {
        // a crash leaves no scrap among what is handed out, if it can be helped
        let scratch = self.private.as_ref().unwrap_or(&self.public);
        Ok(mingle_disk::replace_via(scratch, report, text.as_bytes())?)
    }
}

/// Adds the reports to what is staged.
pub(crate) fn stage(staging: &Staging, render: Option<Render>) -> Result<(), Error> {
    let Some(render) = render else { return Ok(()) };
    let reports = render(&staging.path("")).map_err(|reason| Error::Report { reason })?;
    for (part, report) in [("public", reports.public), ("private", reports.private)] {
        staging.write(&format!("{part}/{REPORT_FILE}"), report.html.as_bytes())?;
        staging.write(&format!("{part}/{REPORT_DOCUMENT}"), report.json.as_bytes())?;
    }
    Ok(())
}

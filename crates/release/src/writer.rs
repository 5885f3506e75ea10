//! The one writer of releases: stage, report, commit.
//!
//! A release is written into a folder beside its place, its reports are made from what stands
//! there, and the folder is renamed. So a release and its reports appear together or not at all,
//! and what is reported is what is published.

use crate::bundle::{Bundle, Filled, Part, PartSink, PartStore, ReleaseManifests, Rendering, Side};
use crate::data::stop_if;
use crate::error::Error;
use crate::reports;
use crate::staging::Staging;
use mingle_io::FileHash;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Where a release goes.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The release folder; its parent must exist.
    pub folder: &'a Path,
    /// Whether a release that is there already is replaced.
    pub force: bool,
    /// Raised by someone else to give up: nothing is left behind.
    pub cancelled: &'a AtomicBool,
}

/// The flag of whoever does not want to give up.
static NEVER_CANCELLED: AtomicBool = AtomicBool::new(false);

impl<'a> Target<'a> {
    /// A folder where nothing is yet.
    pub fn folder(folder: &'a Path) -> Target<'a> {
        Target {
            folder,
            force: false,
            cancelled: &NEVER_CANCELLED,
        }
    }

    /// The same, where a release that is there already may be replaced.
    pub fn replacing(self, force: bool) -> Target<'a> {
        Target { force, ..self }
    }

    /// The same, given up once the flag is raised.
    pub fn cancelled_by(self, cancelled: &'a AtomicBool) -> Target<'a> {
        Target { cancelled, ..self }
    }

    /// Whether a release could be written there now, found out by trying. Nothing is left behind.
    pub fn check(&self) -> Result<(), Error> {
        Staging::new(self.folder, self.force).map(drop)
    }
}

/// Told the SHA-256 of `public/manifest.json` once the whole release is on disk and before it is
/// put in its place; on an error it is not.
pub type Announce<'a> = &'a mut dyn FnMut(&str) -> Result<(), Error>;

/// What was written.
#[derive(Clone, PartialEq, Debug)]
pub struct WrittenRelease<M> {
    /// Both manifests.
    pub manifests: M,
    /// Why there are no reports, where they could not be made and the release does without.
    pub no_report: Option<String>,
}

impl<M: ReleaseManifests> Bundle<'_, M> {
    /// Writes the release.
    ///
    /// On an error the target is as it was before, unless the system failed in the very last step:
    /// then the release may be there, but need not survive a power cut.
    pub fn write(&self, target: Target<'_>) -> Result<WrittenRelease<M>, Error> {
        self.write_announced(target, &mut |_| Ok(()))
    }

    /// [`write`](Bundle::write) for a caller who must have written down that the release is there
    /// before it is.
    pub fn write_announced(
        &self,
        target: Target<'_>,
        announce: Announce<'_>,
    ) -> Result<WrittenRelease<M>, Error> {
        let mut staging = Staging::new(target.folder, target.force)?;
        stop_if(target.cancelled)?;
        let filled = self.stage(&mut staging, target.cancelled)?;
        let no_report = self.report(&staging)?;
        staging.flush()?;
        stop_if(target.cancelled)?;
        announce(&filled.sha256)?;
        staging.commit()?;
        Ok(WrittenRelease {
            manifests: filled.manifests,
            no_report,
        })
    }

    /// Writes everything but the reports into a staging folder.
    pub(crate) fn stage(
        &self,
        staging: &mut Staging,
        cancelled: &AtomicBool,
    ) -> Result<Filled<M>, Error> {
        let filled = self.fill(staging, cancelled)?;
        stop_if(cancelled)?;
        Ok(filled)
    }

    /// Makes the reports from what is staged; says why not where the release does without them.
    pub(crate) fn report(&self, staging: &Staging) -> Result<Option<String>, Error> {
        match reports::stage(staging, self.reports) {
            Err(Error::Report { reason }) if !self.needs_reports => Ok(Some(reason)),
            Err(error) => Err(error),
            Ok(()) => Ok(None),
        }
    }
}

impl PartStore for Staging {
    fn render(
        &mut self,
        side: Side,
        part: &Part<'_>,
        cancelled: &AtomicBool,
    ) -> Result<FileHash, Error> {
        let file = side.place(&part.name);
        let path = self.path(&file);
        let rendering = Rendering {
            path: &path,
            cancelled,
        };
        let (sink, hash) = part.render(PartSink::File(self.create(&file)?), &rendering)?;
        if let PartSink::File(written) = sink {
            written.sync_all().map_err(Error::io(&path))?;
        }
        Ok(hash)
    }

    fn put(&mut self, side: Side, name: &str, bytes: Vec<u8>) -> Result<(), Error> {
        self.write(&side.place(name), &bytes)
    }
}

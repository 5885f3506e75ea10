//! What became of a release that was announced and not recorded.
//!
//! A run writes down the people of a release, puts the release in its place, and records it.
//! Wherever it ended, the release may have been handed out. So what was announced is recorded as
//! soon as the release is found, and dropped only where the history has it already or somebody says
//! that it was never handed out.

use super::people::{PENDING, PeopleTable};
use super::{History, check_people};
use crate::error::Error;
use crate::open::Release;
use std::path::{Path, PathBuf};

/// What became of a release that was announced.
pub enum Pending {
    /// None was.
    Nothing,
    /// The history has it; only the announcement is left over.
    Recorded,
    /// It is in its place, and the history does not have it.
    Written(PeopleTable),
    /// It is not in its place: it was never written, or has been moved, or its folder cannot be
    /// read.
    Lost {
        /// Where it was to be written.
        release: PathBuf,
        /// Whether something else is there.
        occupied: bool,
    },
}

impl History {
    /// The people of a release whose writing was announced and never brought to an end.
    pub fn pending(&self) -> Result<Option<PeopleTable>, Error> {
        if self.has_pending()? {
            self.read_people(PENDING).map(|(people, _)| Some(people))
        } else {
            Ok(None)
        }
    }

    /// What became of it.
    pub fn unsettled(&self) -> Result<Pending, Error> {
        let Some(pending) = self.pending()? else {
            return Ok(Pending::Nothing);
        };
        for version in self
            .versions()
            .iter()
            .rev()
            .filter(|v| pending.may_be_of(&v.manifest_sha256))
        {
            if self.people(version)?.has_same_people(&pending) {
                return Ok(Pending::Recorded);
            }
        }
        let folder = Path::new(pending.release());
        if Release::open(folder).is_ok_and(|release| is_of(&pending, &release)) {
            return Ok(Pending::Written(pending));
        }
        Ok(Pending::Lost {
            release: folder.to_owned(),
            occupied: folder.symlink_metadata().is_ok(),
        })
    }

    /// Whether there is an announcement; one that cannot be looked for may be there.
    pub(super) fn has_pending(&self) -> Result<bool, Error> {
        let path = self.folder.join(PENDING);
        path.try_exists().map_err(Error::io(&path))
    }
}

/// Whether a release is the one that was announced with these people.
pub fn is_of(people: &PeopleTable, release: &Release) -> bool {
    people.may_be_of(&release.public.sha256) && check_people(people, release).is_ok()
}

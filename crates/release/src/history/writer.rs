//! Changes to a history, one writer at a time, each there completely or not at all.

use super::History;
use super::contents::check_people;
use super::file;
use super::people::{PENDING, PeopleTable};
use super::problem::HistoryProblem;
use crate::error::Error;
use crate::manifest::{self, checksum, file_entry};
use crate::open::Release;
use mingle_disk::LockFile;
use mingle_io::FileHash;
use mingle_record::manifest::{HistoryFile, VersionEntry};
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A history that nobody else writes to.
pub struct HistoryWriter {
    history: History,
    _lock: LockFile,
}

impl Deref for HistoryWriter {
    type Target = History;

    fn deref(&self) -> &History {
        &self.history
    }
}

impl HistoryWriter {
    /// Opens a history to write to it.
    pub fn open(folder: &Path) -> Result<HistoryWriter, Error> {
        // something else than a history gets no lock file
        History::open(folder)?;
        let lock = match LockFile::take(&folder.join("lock")) {
            Err(mingle_disk::Error::Busy { .. }) => {
                return Err(Error::History {
                    path: folder.to_owned(),
                    problem: HistoryProblem::Busy,
                });
            }
            other => other?,
        };
        Ok(HistoryWriter {
            history: History::open(folder)?,
            _lock: lock,
        })
    }

    /// Says by which column people are told apart, which must be that of the versions that are
    /// there. It is written down with the next announcement or version.
    pub fn identify_by(&mut self, column: &str) -> Result<(), Error> {
        self.check_person(column)?;
        self.history.file.person = Some(column.to_owned());
        Ok(())
    }

    /// Writes down the people of a release that is about to be written, in case this program does
    /// not live to [`append`](HistoryWriter::append) it. What was announced before must be settled
    /// first.
    pub fn announce(&mut self, people: &PeopleTable) -> Result<(), Error> {
        if self.has_pending()? {
            let release = self
                .pending()?
                .map_or(String::new(), |pending| pending.release().to_owned());
            return Err(self.wrong(HistoryProblem::Unsettled { release }));
        }
        let bytes = self.bytes(people)?;
        // whoever appends it later need not know by which column they are told apart
        self.write(self.file.clone())?;
        Ok(mingle_disk::replace(&self.folder.join(PENDING), &bytes)?)
    }

    /// Forgets what was announced: somebody knows that the release was never handed out, or that
    /// the history has it.
    pub fn withdraw(&mut self) -> Result<(), Error> {
        if !self.has_pending()? {
            return Err(self.wrong(HistoryProblem::NothingPending));
        }
        Ok(mingle_disk::remove(&self.folder.join(PENDING))?)
    }

    /// Forgets what was announced if that is the release of these people, which the history has.
    pub fn withdraw_recorded(
        &mut self,
        people: &PeopleTable,
        release: &Release,
    ) -> Result<(), Error> {
        let same = |pending: &PeopleTable| {
            pending.may_be_of(&release.public.sha256) && pending.has_same_people(people)
        };
        if self.pending()?.is_some_and(|pending| same(&pending)) {
            self.withdraw()
        } else {
            Ok(())
        }
    }

    /// The label that the next version gets if none is given.
    pub fn next_label(&self) -> String {
        let taken = |label: &String| self.versions().iter().any(|v| v.label == *label);
        (self.file.next..)
            .map(|n| format!("v{n}"))
            .find(|label| !taken(label))
            .expect("there are more numbers than labels")
    }

    /// Adds a version, and forgets it if it was announced. The people must be those of the release
    /// that is there.
    pub fn append(
        &mut self,
        people: &PeopleTable,
        release: &Path,
        label: Option<&str>,
        added: &str,
    ) -> Result<VersionEntry, Error> {
        let opened = Release::open(release)?;
        let (sha256, summary) = (opened.public.sha256.clone(), opened.manifest()?);
        if !people.may_be_of(&sha256) {
            return Err(self.wrong(HistoryProblem::OtherManifest));
        }
        // the same bytes may be about other people: somebody was replaced by somebody alike
        for there in self
            .versions()
            .iter()
            .filter(|v| v.manifest_sha256 == sha256)
        {
            if self.people(there)?.has_same_people(people) {
                return Err(self.wrong(HistoryProblem::AlreadyThere {
                    label: there.label.clone(),
                }));
            }
        }
        let label = label.map_or_else(|| self.next_label(), str::to_owned);
        if !file::is_label(&label) || self.versions().iter().any(|v| v.label == label) {
            return Err(self.wrong(HistoryProblem::Label { label }));
        }
        check_people(people, &opened)?;
        let name = format!("people-{}.json", self.file.next);
        let bytes = self.bytes(people)?;
        mingle_disk::replace(&self.folder.join(&name), &bytes)?;
        let hash = FileHash {
            sha256: checksum::sha256(&bytes),
            bytes: bytes.len() as u64,
        };
        let path = self.path_of(release)?;
        let version = VersionEntry {
            label,
            added: added.to_owned(),
            release: Some(path.clone()),
            manifest_sha256: sha256,
            rows: summary.rows,
            groups: summary.groups,
            people: file_entry(name, hash),
        };
        let mut next = self.file.clone();
        next.next += 1;
        next.versions
            .iter_mut()
            .filter(|v| v.release.as_ref() == Some(&path))
            .for_each(|v| v.release = None);
        next.versions.push(version.clone());
        self.write(next)?;
        self.withdraw_recorded(people, &opened)?;
        Ok(version)
    }

    /// Says where the release of a version is now: of one whose release is not where it was, or of
    /// the last one with these bytes. `None` where no version has this release.
    pub fn found_again(&mut self, release: &Path) -> Result<Option<VersionEntry>, Error> {
        let sha256 = Release::open(release)?.public.sha256;
        let path = self.path_of(release)?;
        let in_place = |v: &VersionEntry| {
            let there = self
                .release_of(v)
                .and_then(|folder| Release::open(&folder).ok());
            there.is_some_and(|there| there.public.sha256 == v.manifest_sha256)
        };
        let same: Vec<usize> = (0..self.versions().len())
            .filter(|&v| self.versions()[v].manifest_sha256 == sha256)
            .collect();
        let lost = same
            .iter()
            .copied()
            .find(|&v| !in_place(&self.versions()[v]));
        let Some(at) = lost.or(same.last().copied()) else {
            return Ok(None);
        };
        let mut next = self.file.clone();
        next.versions[at].release = Some(path);
        let version = next.versions[at].clone();
        self.write(next)?;
        Ok(Some(version))
    }

    /// Takes a version out, with its people. The release itself stays where it is, and with whoever
    /// has it.
    pub fn forget(&mut self, label: &str) -> Result<VersionEntry, Error> {
        let mut next = self.file.clone();
        let at = next.versions.iter().position(|v| v.label == label);
        let at = at.ok_or_else(|| {
            self.wrong(HistoryProblem::NoSuchVersion {
                label: label.to_owned(),
            })
        })?;
        let version = next.versions.remove(at);
        self.write(next)?;
        mingle_disk::remove(&self.folder.join(&version.people.name))?;
        Ok(version)
    }

    fn bytes(&self, people: &PeopleTable) -> Result<Vec<u8>, Error> {
        let bytes = manifest::seal(&mut people.to_file());
        if bytes.len() as u64 > manifest::MAX_BYTES {
            Err(self.wrong(HistoryProblem::TooLarge))
        } else {
            Ok(bytes)
        }
    }

    fn write(&mut self, mut next: HistoryFile) -> Result<(), Error> {
        mingle_disk::replace(&self.folder.join(file::FILE), &manifest::seal(&mut next))?;
        self.history.file = next;
        Ok(())
    }

    /// Relative to the history where the release is beside it or below its parent, so that both can
    /// move together.
    fn path_of(&self, release: &Path) -> Result<String, Error> {
        let absolute = |path: &Path| fs::canonicalize(path).map_err(Error::io(path));
        let (history, release) = (absolute(&self.folder)?, absolute(release)?);
        let beside = history
            .parent()
            .and_then(|parent| release.strip_prefix(parent).ok());
        let path = beside.map_or(release.clone(), |rest| PathBuf::from("..").join(rest));
        path.to_str()
            .map(str::to_owned)
            .ok_or(Error::BadName { path: release })
    }
}

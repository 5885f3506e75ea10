//! The history of a table that is published again and again: who was in which version, in which
//! group, with which value.
//!
//! ```text
//! DIR/history.json     the versions: label, time, release, hash of its public manifest
//! DIR/people-N.json    a version's people: keyed hash of the identifier, group, sensitive values
//! DIR/pending.json     the people of a release that is being written
//! DIR/key              what the hashes are keyed with
//! DIR/lock
//! ```
//!
//! All of it is private: sensitive values stand in it in plain text, and whoever has the key can
//! find out whether a guessed identifier is there. Folders are 0700 and files 0600; a folder that
//! others may read is refused.
//!
//! A version is there completely or not at all. Its people are written down as
//! [pending](HistoryWriter::announce) before the release is, so that a crash between the release
//! and [`HistoryWriter::append`] loses nothing; what became of it is [found
//! out](History::unsettled) afterwards. Only one [`HistoryWriter`] is at work at a time; readers
//! need no lock, because files are replaced at once.

mod contents;
mod continuity;
mod file;
mod key;
mod members;
mod pending;
mod people;
mod placing;
mod problem;
mod timeline;
mod writer;

pub use contents::check_people;
pub use continuity::{Recoded, continuity};
pub use key::PersonKey;
pub use members::{groups_of_rows, people_of, people_of_table};
pub use mingle_record::manifest::VersionEntry;
pub use pending::{Pending, is_of};
pub use people::{PeopleColumn, PeopleTable, PersonRow};
pub use placing::place_by_labels;
pub use problem::HistoryProblem;
pub use timeline::{attributes, timeline};
pub use writer::HistoryWriter;

use crate::error::Error;
use crate::manifest;
use mingle_record::manifest::HistoryFile;
use std::fs;
use std::path::{Path, PathBuf};

/// The versions of a table, to be read.
pub struct History {
    folder: PathBuf,
    file: HistoryFile,
    key: PersonKey,
}

impl History {
    /// Makes an empty history in a folder that does not exist yet.
    pub fn create(folder: &Path) -> Result<History, Error> {
        mingle_disk::create_private_folder(folder).map_err(|e| match e.kind() {
            std::io::ErrorKind::AlreadyExists => Error::Exists {
                path: folder.to_owned(),
            },
            _ => Error::io(folder)(e),
        })?;
        let key = PersonKey::random();
        mingle_disk::replace(&folder.join(key::FILE), key.to_text().as_bytes())?;
        let mut file = file::empty_history(key.check());
        mingle_disk::replace(&folder.join(file::FILE), &manifest::seal(&mut file))?;
        Ok(History {
            folder: folder.to_owned(),
            file,
            key,
        })
    }

    /// Reads a history.
    pub fn open(folder: &Path) -> Result<History, Error> {
        let wrong = |problem| Error::History {
            path: folder.to_owned(),
            problem,
        };
        let path = folder.join(file::FILE);
        let read = match manifest::read::<HistoryFile>(&path) {
            Err(e)
                if matches!(
                    e.kind(),
                    std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
                ) =>
            {
                return Err(wrong(HistoryProblem::NotAHistory));
            }
            other => other.map_err(Error::io(&path))?,
        };
        let file = intact(read, folder, file::FILE)?;
        if mingle_disk::is_open_to_others(folder).map_err(Error::io(folder))? {
            return Err(wrong(HistoryProblem::OpenToOthers));
        }
        let key = fs::read_to_string(folder.join(key::FILE))
            .ok()
            .and_then(|text| PersonKey::parse(&text));
        let key = key
            .filter(|key| key.check() == file.key_check)
            .ok_or_else(|| wrong(HistoryProblem::Key))?;
        Ok(History {
            folder: folder.to_owned(),
            file,
            key,
        })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The versions, the oldest first.
    pub fn versions(&self) -> &[VersionEntry] {
        &self.file.versions
    }

    /// What turns an identifier into a person of this history.
    pub fn key(&self) -> &PersonKey {
        &self.key
    }

    /// A version's people.
    pub fn people(&self, version: &VersionEntry) -> Result<PeopleTable, Error> {
        let (people, sha256) = self.read_people(&version.people.name)?;
        let fits = sha256 == version.people.sha256
            && people.members().len() as u64 == version.rows
            && people.groups().len() as u64 == version.groups;
        let damaged = || HistoryProblem::PeopleDamaged {
            file: version.people.name.clone(),
        };
        if fits {
            Ok(people)
        } else {
            Err(self.wrong(damaged()))
        }
    }

    /// Whether people are told apart by this column; in a history without versions it may be any.
    pub fn check_person(&self, column: &str) -> Result<(), Error> {
        let bound = !self.versions().is_empty() || self.has_pending()?;
        match &self.file.person {
            Some(known) if bound && known != column => {
                let problem = HistoryProblem::OtherPerson {
                    known: known.clone(),
                    asked: column.to_owned(),
                };
                Err(self.wrong(problem))
            }
            _ => Ok(()),
        }
    }

    /// [`continuity`] of a new version with the `earlier` ones of this history.
    pub fn check_continuity(
        &self,
        earlier: &[PeopleTable],
        new: &PeopleTable,
    ) -> Result<Vec<Recoded>, Error> {
        continuity(earlier, new).map_err(|problem| self.wrong(problem))
    }

    /// Where a version's release is; `None` once another version has taken its place.
    pub fn release_of(&self, version: &VersionEntry) -> Option<PathBuf> {
        version.release.as_ref().map(|path| self.folder.join(path))
    }

    /// Whether every version's release is where it was written, and as it was.
    pub fn check_releases(&self) -> Result<(), Error> {
        for version in self.versions() {
            let Some(folder) = self.release_of(version) else {
                continue;
            };
            let (label, path) = (version.label.clone(), folder.clone());
            match crate::open::Release::open(&folder) {
                Err(Error::NotARelease { .. }) => {
                    return Err(self.wrong(HistoryProblem::ReleaseMissing { label, path }));
                }
                Err(other) => return Err(other),
                Ok(release) if release.public.sha256 != version.manifest_sha256 => {
                    return Err(self.wrong(HistoryProblem::ReleaseChanged { label, path }));
                }
                Ok(_) => {}
            }
        }
        Ok(())
    }

    fn read_people(&self, name: &str) -> Result<(PeopleTable, String), Error> {
        let path = self.folder.join(name);
        let read = match manifest::read::<people::PeopleFile>(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Err(self.wrong(HistoryProblem::PeopleMissing {
                    file: name.to_owned(),
                }));
            }
            other => other.map_err(Error::io(&path))?,
        };
        let sha256 = read.sha256.clone();
        let people = PeopleTable::from_file(intact(read, &self.folder, name)?);
        let people = people.ok_or_else(|| {
            self.wrong(HistoryProblem::PeopleDamaged {
                file: name.to_owned(),
            })
        })?;
        Ok((people, sha256))
    }

    fn wrong(&self, problem: HistoryProblem) -> Error {
        Error::History {
            path: self.folder.clone(),
            problem,
        }
    }
}

/// A file of which every byte is as it was written.
fn intact<M: manifest::Manifest>(
    found: manifest::Found<M>,
    folder: &Path,
    file: &str,
) -> Result<M, Error> {
    let damaged = |problem| HistoryProblem::File {
        file: file.to_owned(),
        problem,
    };
    let wrong = |problem| Error::History {
        path: folder.to_owned(),
        problem: damaged(problem),
    };
    let manifest = found.manifest.map_err(wrong)?;
    if found.intact {
        Ok(manifest)
    } else {
        Err(wrong(manifest::ManifestProblem::Checksum))
    }
}

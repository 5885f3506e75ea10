//! Releases in databases: two schemas of their own, written and read whole.

use crate::database::{DatabasePlace, Databases};
use mingle_io::{DatabaseFlaw, Error};
use std::path::Path;

/// Where a release is in a database.
#[derive(Clone, Debug)]
pub struct ReleaseSchemas {
    /// The service, if one is named.
    pub service: Option<String>,
    /// The schema of what is public.
    pub public: String,
    /// The schema of what is private: the same name with `_private` behind it.
    pub private: String,
    /// Roles that may read what is public.
    pub readers: Vec<String>,
    /// What messages call it.
    name: String,
}

impl ReleaseSchemas {
    /// `postgresql:SERVICE/SCHEMA`, with the roles that may read it.
    pub fn at(place: &str, readers: &[String]) -> Result<ReleaseSchemas, Error> {
        let place = DatabasePlace::read(place)?;
        let name = place.display();
        let public = schema(&place.name).ok_or_else(|| Error::Database {
            file: name.clone(),
            flaw: DatabaseFlaw::Name(place.name.clone()),
        })?;
        Ok(ReleaseSchemas {
            service: place.service,
            private: format!("{public}_private"),
            public,
            readers: readers.to_vec(),
            name,
        })
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn error(&self, flaw: Option<DatabaseFlaw>) -> Error {
        match flaw {
            None => Error::Cancelled,
            Some(flaw) => Error::Database {
                file: self.name.clone(),
                flaw,
            },
        }
    }
}

impl Databases {
    /// Whether a release could be written now: hours of work should not end at a schema that is in
    /// the way.
    pub fn check_release(&self, schemas: &ReleaseSchemas, replaces: bool) -> Result<(), Error> {
        let checked = self.on_release(|cancel| written::check(schemas, replaces, cancel));
        checked.map_err(|flaw| schemas.error(flaw))
    }

    /// Writes the release that is in a folder, in one transaction: on an error the schemas are as
    /// they were before, unless the error says that it is not known.
    pub fn write_release(
        &self,
        schemas: &ReleaseSchemas,
        replaces: bool,
        folder: &Path,
    ) -> Result<(), Error> {
        let stored = written::StoredRelease::of_folder(folder)?;
        let done = self.on_release(|cancel| written::write(schemas, replaces, &stored, cancel));
        done.map_err(|flaw| schemas.error(flaw))
    }

    /// Reads a release into a new folder, and compares its tables with its files. What may not be
    /// read of the private schema is left out.
    pub fn read_release(&self, schemas: &ReleaseSchemas, folder: &Path) -> Result<(), Error> {
        let unwritable = |_| {
            schemas.error(Some(DatabaseFlaw::SettingsFile(
                folder.display().to_string(),
            )))
        };
        for side in StoredSide::ALL {
            std::fs::create_dir_all(folder.join(side.folder())).map_err(unwritable)?;
        }
        let read = self.on_release(|cancel| written::read(schemas, folder, cancel));
        let digests = read.map_err(|flaw| schemas.error(flaw))?;
        let private = folder.join(StoredSide::Private.folder());
        // the private part is whole or not there
        _ = std::fs::remove_dir(private);
        let differing = written::differing(folder, &digests)?;
        match differing {
            Some(table) => Err(schemas.error(Some(DatabaseFlaw::OtherRows(table)))),
            None => Ok(()),
        }
    }
}

/// Which of the two schemas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum StoredSide {
    Public,
    Private,
}

impl StoredSide {
    pub(crate) const ALL: [StoredSide; 2] = [StoredSide::Public, StoredSide::Private];

    /// The folder of a release that it stands for.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            StoredSide::Public => "public",
            StoredSide::Private => "private",
        }
    }
}

/// A single name, as SQL has it.
#[cfg(feature = "postgresql")]
fn schema(name: &str) -> Option<String> {
    crate::postgresql::schema_name(name)
}

#[cfg(not(feature = "postgresql"))]
fn schema(name: &str) -> Option<String> {
    Some(name.to_owned())
}

#[cfg(feature = "postgresql")]
use crate::postgresql::sink as written;

/// What a program without databases does with releases in them.
#[cfg(not(feature = "postgresql"))]
mod written {
    use super::{DatabaseFlaw, Error, ReleaseSchemas};
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    type Refused<T> = Result<T, Option<DatabaseFlaw>>;

    pub(super) struct StoredRelease;

    /// What would be compared with the files that were read.
    pub(super) struct StoredDigests;

    impl StoredRelease {
        pub(super) fn of_folder(_folder: &Path) -> Result<StoredRelease, Error> {
            Ok(StoredRelease)
        }
    }

    pub(super) fn check(_: &ReleaseSchemas, _: bool, _: &AtomicBool) -> Refused<()> {
        Err(Some(DatabaseFlaw::NotBuilt))
    }

    pub(super) fn write(
        _: &ReleaseSchemas,
        _: bool,
        _: &StoredRelease,
        _: &AtomicBool,
    ) -> Refused<()> {
        Err(Some(DatabaseFlaw::NotBuilt))
    }

    pub(super) fn read(_: &ReleaseSchemas, _: &Path, _: &AtomicBool) -> Refused<StoredDigests> {
        Err(Some(DatabaseFlaw::NotBuilt))
    }

    pub(super) fn differing(_: &Path, _: &StoredDigests) -> Result<Option<String>, Error> {
        Ok(None)
    }
}

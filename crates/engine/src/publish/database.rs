//! A release in a database: made in a folder that nobody else sees, and written from there in one
//! transaction.

use super::NewRelease;
use crate::failure;
use crate::run::Run;
use crate::verify::{self, VerifyOutcome};
use mingle_policy::Policy;
use mingle_record::{Problem, ProblemCode};
use mingle_sources::ReleaseSchemas;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Two schemas of a database that a release is written to.
#[derive(Clone, Debug)]
pub struct DatabaseTarget {
    schemas: ReleaseSchemas,
    replaces: bool,
}

impl DatabaseTarget {
    /// `postgresql:SERVICE/SCHEMA`; the policy says who may read it.
    pub fn at(place: &str, policy: &Policy) -> Result<DatabaseTarget, Problem> {
        // first, because an address may have a password in it and is shown nowhere
        let schemas = ReleaseSchemas::at(place, &policy.release.readers);
        let schemas = schemas.map_err(|e| failure::io(&e))?;
        let keeps_history = policy
            .composition
            .as_ref()
            .is_some_and(|c| c.history.is_some());
        if policy.noise().is_some() || keeps_history {
            let text = format!(
                "{}: releases with noise, and versions of a history, are not written into a database",
                schemas.name()
            );
            let hint = "publish into a folder: what is spent, and who was in it, must be known before the release is";
            return Err(Problem::new(
                ProblemCode::DatabaseTarget,
                failure::printable(&text),
                hint,
            ));
        }
        Ok(DatabaseTarget {
            schemas,
            replaces: false,
        })
    }

    /// Whether a release that is there already is replaced, at once.
    pub fn replacing(mut self, replaces: bool) -> DatabaseTarget {
        self.replaces = replaces;
        self
    }

    /// Whether a release could be written there now.
    pub fn check(&self, run: &Run) -> Result<(), Problem> {
        let checked = run.databases().check_release(&self.schemas, self.replaces);
        checked.map_err(|e| failure::io(&e))
    }
}

impl NewRelease<'_> {
    /// Writes the release into a database. On an error the schemas are as they were before.
    pub fn write_to_database(&mut self, target: &DatabaseTarget) -> Result<(), Problem> {
        let own = own_folder()?;
        let folder = own.path().join("release");
        self.write(folder.as_path())?;
        let run = self.plan.run.clone();
        run.step("writing");
        let written = run
            .databases()
            .write_release(&target.schemas, target.replaces, &folder);
        written.map_err(|e| failure::io(&e))?;
        if let Some(written) = &mut self.written {
            written.folder = PathBuf::from(target.schemas.name());
        }
        Ok(())
    }
}

/// Checks a release that is in a database as one that is in a folder, and that its tables there hold
/// what was published.
pub fn verify_in_database(place: &str, run: &Run) -> Result<VerifyOutcome, Problem> {
    let schemas = ReleaseSchemas::at(place, &[]).map_err(|e| failure::io(&e))?;
    let own = own_folder()?;
    let folder: &Path = &own.path().join("release");
    let read = run.databases().read_release(&schemas, folder);
    read.map_err(|e| failure::io(&e))?;
    verify::release(folder, run)
}

/// A folder for its owner alone, which is gone afterwards.
fn own_folder() -> Result<TempDir, Problem> {
    let folder = tempfile::Builder::new().prefix("mingle-").tempdir();
    folder.map_err(|e| failure::write("a temporary folder", &e))
}

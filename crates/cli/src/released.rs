//! Releases of others, as they are laid beside our own or attacked: a release folder, or the table of any tool.

use crate::explain::Code;
use crate::failure;
use crate::message::Problem;
use crate::policy::Policy;
use crate::tables::read_anonymized;
use mingle_model::{Fragments, GID, Published, Role};
use mingle_privacy::composition::{Error, Location};
use mingle_release::Release;
use std::path::Path;

/// What is published. No `Debug`: it has cells.
pub struct Released {
    /// What messages call it.
    pub name: String,
    /// How people are found in it.
    pub location: Location,
    groups: Groups,
}

enum Groups {
    Linked(Published),
    Fragmented(Fragments),
}

impl Released {
    /// Reads a release folder, or a table by the policy that says what its columns are.
    pub fn open(name: &str, path: &Path, policy: &Policy) -> Result<Released, Problem> {
        match path.is_dir() {
            true => Released::of_folder(name, path),
            false => Released::of_table(name, path, policy),
        }
    }

    fn of_folder(name: &str, path: &Path) -> Result<Released, Problem> {
        let release = Release::open(path).map_err(|e| failure::release(&e))?;
        if let Some(first) = release.check().problems.first() {
            let text = format!("{name}: {first}");
            return Err(Problem::new(
                Code::ReleaseDamaged,
                text,
                "get the release again; this is not what was published",
            ));
        }
        let manifest = release.manifest().map_err(|e| failure::release(&e))?;
        let location = location(&manifest.policy);
        let groups = match release.fragments().map_err(|e| failure::release(&e))? {
            Some(fragments) => Groups::Fragmented(fragments),
            None => Groups::Linked(release.published().map_err(|e| failure::release(&e))?),
        };
        Ok(Released { name: name.to_owned(), location, groups })
    }

    fn of_table(name: &str, path: &Path, policy: &Policy) -> Result<Released, Problem> {
        let table = read_anonymized(policy, path, &[Role::Sensitive])?.table;
        let groups = Groups::Linked(Published::from_table(&table));
        Ok(Released { name: name.to_owned(), location: location(&policy.document), groups })
    }

    /// The quasi-identifiers.
    pub fn quasi_identifiers(&self) -> Vec<&str> {
        match &self.groups {
            Groups::Linked(published) => published.columns().iter().map(|c| c.name.as_str()).collect(),
            Groups::Fragmented(fragments) => fragments.quasi_identifiers().iter().map(String::as_str).collect(),
        }
    }

    /// How many groups and rows there are.
    pub fn size(&self) -> (u64, u64) {
        match &self.groups {
            Groups::Linked(published) => (published.groups() as u64, published.rows()),
            Groups::Fragmented(fragments) => (fragments.groups().len() as u64, fragments.rows()),
        }
    }

    /// Whether sensitive columns are in tables of their own.
    pub fn is_fragmented(&self) -> bool {
        matches!(self.groups, Groups::Fragmented(_))
    }

    /// The columns that tell groups apart and say nothing about people.
    pub fn group_numbers(&self) -> Vec<String> {
        if self.is_fragmented() { vec![GID.to_owned()] } else { Vec::new() }
    }

    /// The sensitive columns.
    pub fn sensitive(&self) -> Vec<&str> {
        match &self.groups {
            Groups::Linked(published) => published.sensitive().iter().map(|s| s.name.as_str()).collect(),
            Groups::Fragmented(fragments) => fragments.sensitive().iter().map(|s| s.name.as_str()).collect(),
        }
    }

    /// Does something with the groups and the values of one sensitive column.
    pub fn with<R>(&self, attribute: &str, then: impl FnOnce(&Published) -> R) -> R {
        match &self.groups {
            Groups::Linked(published) => then(published),
            Groups::Fragmented(fragments) => {
                let place = fragments.sensitive().iter().position(|s| s.name == attribute);
                then(&fragments.published(place))
            }
        }
    }
}

/// Where groups are published by their centroids, people are found by the nearest.
fn location(policy: &serde_json::Value) -> Location {
    match policy.pointer("/method/output").and_then(serde_json::Value::as_str) {
        Some("centroid") => Location::Nearest,
        _ => Location::Containment,
    }
}

/// Releases that do not fit.
pub fn not_aligned(error: &Error) -> Problem {
    let hint = match error {
        Error::Column { .. } => "give the people's table that column, or take it out of the reader's knowledge",
        Error::NothingShared { .. } => "name columns alike in the release and in the people's table",
        Error::NoSensitive { .. } => "only releases with the same sensitive column can be intersected",
        Error::Unreadable { .. } => {
            "declare the column's kind and the hierarchy that the release was made with in the policy"
        }
        Error::Coding { .. } => "translate one of them into the other's words",
        _ => "see `mingle explain MG0411`",
    };
    Problem::new(Code::NotAligned, error.to_string(), hint)
}

//! Releases of others, as they are laid beside our own or attacked: a release folder, or the table of any tool.

use crate::explain::Code;
use crate::failure;
use crate::message::Problem;
use crate::policy::Policy;
use crate::tables::{read_anonymized, with_hierarchy};
use mingle_model::{Column, Fragments, GID, HierarchySource, Published, Role};
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
    hierarchies: Vec<(String, HierarchySource)>,
}

enum Groups {
    Linked(Published),
    Fragmented(Fragments),
}

impl Released {
    /// Reads a release folder or a table. `ours` says which columns are known about people; `theirs`, where given, how
    /// the release was made: its columns and hierarchies.
    pub fn open(name: &str, path: &Path, ours: &Policy, theirs: Option<&Policy>) -> Result<Released, Problem> {
        let mut released = match path.is_dir() {
            true => Released::of_folder(name, path, ours)?,
            false => Released::of_table(name, path, theirs.unwrap_or(ours))?,
        };
        for column in theirs.into_iter().flat_map(|policy| policy.with_role(Role::QuasiIdentifier)) {
            let spec = with_hierarchy(theirs.unwrap_or(ours), column)?;
            released.hierarchies.extend(spec.hierarchy.map(|source| (spec.name, source)));
        }
        Ok(released)
    }

    fn of_folder(name: &str, path: &Path, ours: &Policy) -> Result<Released, Problem> {
        let release = Release::open(path).map_err(|e| failure::release(&e))?;
        if let Some(first) = release.check().problems.first() {
            let text = format!("{name}: {first}");
            let hint = "get the release again; this is not what was published";
            return Err(Problem::new(Code::ReleaseDamaged, text, hint));
        }
        let manifest = release.manifest().map_err(|e| failure::release(&e))?;
        let location = location(&manifest.policy);
        let groups = match release.fragments().map_err(|e| failure::release(&e))? {
            Some(fragments) => Groups::Fragmented(fragments),
            None => {
                let mut table = release.table().map_err(|e| failure::release(&e))?;
                // what is published unchanged and known about people is read like any quasi-identifier
                let known = |c: &Column| ours.with_role(Role::QuasiIdentifier).any(|q| q.spec.name == c.spec.name);
                let carried = table.columns.iter_mut().filter(|c| c.spec.role == Role::Insensitive && known(c));
                carried.for_each(|c| c.spec.role = Role::QuasiIdentifier);
                Groups::Linked(Published::from_table(&table))
            }
        };
        Ok(Released { name: name.to_owned(), location, groups, hierarchies: Vec::new() })
    }

    fn of_table(name: &str, path: &Path, policy: &Policy) -> Result<Released, Problem> {
        let table = read_anonymized(policy, path, &[Role::Sensitive])?.table;
        let groups = Groups::Linked(Published::from_table(&table));
        let location = location(&policy.document);
        Ok(Released { name: name.to_owned(), location, groups, hierarchies: Vec::new() })
    }

    /// The hierarchies that it was made with, by column, where a policy of its own says so.
    pub fn hierarchies(&self) -> Vec<(&str, &HierarchySource)> {
        self.hierarchies.iter().map(|(name, source)| (name.as_str(), source)).collect()
    }

    /// The hierarchy that a column was made with, as far as is known.
    pub fn hierarchy(&self, column: &str) -> Option<&HierarchySource> {
        self.hierarchies.iter().find(|(name, _)| name == column).map(|(_, source)| source)
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
pub fn location(policy: &serde_json::Value) -> Location {
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

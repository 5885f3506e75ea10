//! Releases of others, as they are laid beside our own or attacked: a release folder, or the table
//! of any tool.

mod noisy;

use crate::failure;
use crate::tables::{ForeignTable, read_known, table, with_hierarchy};
use crate::whole::{GET_AGAIN, refuse_damaged};
use mingle_dp::{DeclaredAttribute, Guarantee};
use mingle_io::{ReadOptions, Scan, Source, TableFormat};
use mingle_model::{
    Column, ForeignReader, Fragments, GID, HierarchySource, Missing, Published, Role,
};
use mingle_policy::Policy;
use mingle_privacy::composition::{Error, Location};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::policy_document::{PolicyDocument, PublishedOutput};
use mingle_release::{Opened, Release, open_any};
use std::path::{Path, PathBuf};

/// What is published. No `Debug`: it has cells.
pub struct Released {
    /// What messages call it.
    pub name: String,
    /// How people are found in it.
    pub location: Location,
    path: PathBuf,
    format: TableFormat,
    groups: Groups,
    hierarchies: Vec<(String, HierarchySource)>,
    noise: Option<NoiseDeclaration>,
}

/// What is said of a differentially private release.
pub struct NoiseDeclaration {
    /// `synthetic` or `histogram`.
    pub kind: String,
    /// What it promises.
    pub guarantee: Guarantee,
    /// The declared columns.
    pub attributes: Vec<DeclaredAttribute>,
}

enum Groups {
    Linked(Box<Published>),
    Fragmented(Fragments),
}

impl Released {
    /// Reads a release folder or a table. `ours` says which columns are known about people;
    /// `theirs`, where given, how the release was made: its columns and hierarchies.
    pub fn open(
        name: &str,
        path: &Path,
        ours: &Policy,
        theirs: Option<&Policy>,
    ) -> Result<Released, Problem> {
        let mut released = if path.is_dir() {
            Released::of_folder(name, path, ours)?
        } else {
            Released::of_table(name, path, ours, theirs.unwrap_or(ours))?
        };
        for column in theirs
            .into_iter()
            .flat_map(|policy| policy.with_role(Role::QuasiIdentifier))
        {
            let spec = with_hierarchy(theirs.unwrap_or(ours), column)?;
            released
                .hierarchies
                .extend(spec.hierarchy.map(|source| (spec.name, source)));
        }
        Ok(released)
    }

    fn of_folder(name: &str, path: &Path, ours: &Policy) -> Result<Released, Problem> {
        let release = match open_any(path).map_err(|e| failure::release(&e))? {
            Opened::Grouped(release) => release,
            Opened::Noisy(release) => return noisy::released(name, path, &release, ours),
        };
        refuse_damaged(Some(name), &release.check().problems, GET_AGAIN)?;
        let manifest = release.manifest().map_err(|e| failure::release(&e))?;
        let location = location(&manifest.policy);
        let format = TableFormat::released();
        let groups = match release.fragments().map_err(|e| failure::release(&e))? {
            Some(fragments) => Groups::Fragmented(fragments),
            None => {
                let mut table = release.table().map_err(|e| failure::release(&e))?;
                // what is published unchanged and known about people is read like any
                // quasi-identifier
                let known = |c: &Column| {
                    ours.with_role(Role::QuasiIdentifier)
                        .any(|q| q.spec.name == c.spec.name)
                };
                let carried = table
                    .columns
                    .iter_mut()
                    .filter(|c| c.spec.role == Role::Insensitive && known(c));
                carried.for_each(|c| c.spec.role = Role::QuasiIdentifier);
                Groups::Linked(Box::new(Published::from_table(&table)))
            }
        };
        Ok(Released {
            name: name.to_owned(),
            location,
            path: path.to_owned(),
            format,
            groups,
            hierarchies: Vec::new(),
            noise: None,
        })
    }

    fn of_table(
        name: &str,
        path: &Path,
        ours: &Policy,
        policy: &Policy,
    ) -> Result<Released, Problem> {
        let is_known = |column: &str| {
            ours.with_role(Role::QuasiIdentifier)
                .any(|q| q.spec.name == column)
        };
        let table = read_known(
            policy,
            ForeignTable::File(path),
            &[Role::Sensitive],
            is_known,
        )?
        .table;
        let groups = Groups::Linked(Box::new(Published::from_table(&table)));
        let location = location(&policy.document);
        let format = policy.data.foreign_format();
        Ok(Released {
            name: name.to_owned(),
            location,
            path: path.to_owned(),
            format,
            groups,
            hierarchies: Vec::new(),
            noise: None,
        })
    }

    /// The file that has the labels, and how it is read.
    fn labels(&self) -> Option<(Box<dyn Scan>, ReadOptions<'static>)> {
        let missing = Missing::new(Vec::new());
        if !self.path.is_dir() {
            let source = Source::new(&self.path, &self.name).written_as(self.format.clone());
            return Some((
                table(source),
                ReadOptions {
                    missing,
                    ..ReadOptions::default()
                },
            ));
        }
        let release = Release::open(&self.path).ok()?;
        let manifest = release.manifest().ok()?;
        let nested = self.path.join("public");
        let folder = if nested.join("manifest.json").exists() {
            nested
        } else {
            self.path.clone()
        };
        let path = folder.join(manifest.data_file());
        let display = path.display().to_string();
        let source = Source::of_release(path, display);
        let unguard = mingle_release::formula_guard(manifest.formula_guard.as_deref());
        Some((
            Box::new(source),
            ReadOptions {
                missing,
                unguard,
                ..ReadOptions::default()
            },
        ))
    }

    /// A release that does not fit. Of labels that cannot be read, file and line of the first are
    /// named, never the label; where the file cannot be read a second time, what the engine says.
    pub fn does_not_fit<'r>(
        &self,
        error: &Error,
        reader: impl Fn(&str) -> Option<ForeignReader<'r>>,
    ) -> Problem {
        let unreadable = |column: &str| self.first_unreadable(column, &reader(column)?);
        let Error::Unreadable { column, .. } = error else {
            return not_aligned(error);
        };
        let Some(line) = unreadable(column) else {
            return not_aligned(error);
        };
        let text = format!("{line}: the label of column {column:?} cannot be read");
        Problem::new(ProblemCode::NotAligned, text, UNREADABLE)
    }

    fn first_unreadable(&self, column: &str, reader: &ForeignReader<'_>) -> Option<String> {
        let (source, options) = self.labels()?;
        let mut raw = mingle_io::read_raw(&[source], &options).ok()?;
        let place = raw.columns.iter().position(|(name, _)| name == column)?;
        let values = raw.columns.swap_remove(place).1.values;
        let unreadable = values
            .iter()
            .filter(|value| reader.read(&value.text).is_none());
        unreadable
            .map(|value| &value.position)
            .min_by_key(|position| position.line)
            .map(ToString::to_string)
    }

    /// What is said of it, where it is differentially private.
    pub fn noise(&self) -> Option<&NoiseDeclaration> {
        self.noise.as_ref()
    }

    /// The hierarchies that it was made with, by column, where a policy of its own says so.
    pub fn hierarchies(&self) -> Vec<(&str, &HierarchySource)> {
        self.hierarchies
            .iter()
            .map(|(name, source)| (name.as_str(), source))
            .collect()
    }

    /// The hierarchy that a column was made with, as far as is known.
    pub fn hierarchy(&self, column: &str) -> Option<&HierarchySource> {
        self.hierarchies
            .iter()
            .find(|(name, _)| name == column)
            .map(|(_, source)| source)
    }

    /// The quasi-identifiers.
    pub fn quasi_identifiers(&self) -> Vec<&str> {
        match &self.groups {
            Groups::Linked(published) => published
                .columns()
                .iter()
                .map(|c| c.name.as_str())
                .collect(),
            Groups::Fragmented(fragments) => fragments
                .quasi_identifiers()
                .iter()
                .map(String::as_str)
                .collect(),
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
        if self.is_fragmented() {
            vec![GID.to_owned()]
        } else {
            Vec::new()
        }
    }

    /// The sensitive columns.
    pub fn sensitive(&self) -> Vec<&str> {
        match &self.groups {
            Groups::Linked(published) => published
                .sensitive()
                .iter()
                .map(|s| s.name.as_str())
                .collect(),
            Groups::Fragmented(fragments) => fragments
                .sensitive()
                .iter()
                .map(|s| s.name.as_str())
                .collect(),
        }
    }

    /// Does something with the groups and the values of one sensitive column.
    pub fn with<R>(&self, attribute: &str, then: impl FnOnce(&Published) -> R) -> R {
        match &self.groups {
            Groups::Linked(published) => then(published),
            Groups::Fragmented(fragments) => {
                let place = fragments
                    .sensitive()
                    .iter()
                    .position(|s| s.name == attribute);
                then(&fragments.published(place))
            }
        }
    }
}

/// Where groups are published by their centroids, people are found by the nearest.
pub fn location(policy: &PolicyDocument) -> Location {
    match policy.output() {
        PublishedOutput::Centroid => Location::Nearest,
        PublishedOutput::Range => Location::Containment,
    }
}

const UNREADABLE: &str =
    "declare the column's kind and the hierarchy that the release was made with in the policy";

/// Releases that do not fit.
pub fn not_aligned(error: &Error) -> Problem {
    let hint = match error {
        Error::Column { .. } => {
            "give the people's table that column, or take it out of the reader's knowledge"
        }
        Error::NothingShared { .. } => {
            "name columns alike in the release and in the people's table"
        }
        Error::NoSensitive { .. } => {
            "only releases with the same sensitive column can be intersected"
        }
        Error::Unreadable { .. } => UNREADABLE,
        Error::Coding { .. } => "translate one of them into the other's words",
        _ => "see `mingle explain MG0411`",
    };
    Problem::new(ProblemCode::NotAligned, error.to_string(), hint)
}

//! The policy file: everything that is asked of a publication, in one TOML file without data.
//!
//! It is read once into the types of the rooms that use it; there is no half-valid policy. What it
//! says wrongly is answered with the line it stands on. What belongs to a later version is refused,
//! never ignored. Paths are relative to the file.
#![forbid(unsafe_code)]

mod about;
mod builder;
mod closest;
mod columns;
mod composition;
mod data;
pub mod decide;
mod domain;
mod dp;
pub mod edit;
mod folders;
mod format;
mod hierarchy;
mod json;
mod keys;
mod method;
mod method_settings;
mod outline;
mod person;
mod privacy;
mod protocol;
mod risk;
mod source;
mod stated_people;
mod tree;
mod value;

#[cfg(test)]
mod tests;

pub use builder::{BuiltValue, PolicyBuilder};
pub use closest::closest;
pub use columns::DeclaredColumn;
pub use composition::{Composition, OwnHistory};
pub use data::{Data, NamedFile, Tables};
pub use domain::{DeclaredDomain, Form};
pub use dp::{Dp, ReleaseKind};
pub use edit::PolicyEdit;
pub use folders::Folders;
pub use hierarchy::{DeclaredHierarchy, rule_text};
pub use json::written;
pub use method::{ChosenMethod, NOT_MONOTONE_HINT, ReleaseSettings, means_tell_insiders};
pub use method_settings::MethodSettings;
pub use outline::{
    OutlinedColumn, OutlinedHierarchy, OutlinedLimits, OutlinedSensitive, OutlinedTable,
    PolicyOutline,
};
pub use person::{DeclaredPeople, PersonColumn, PersonScope};
pub use privacy::Privacy;
pub use protocol::{NoisyProviders, Protocol, SummingProviders, SynchronizedSites};
pub use source::PolicyText;
pub use tree::{Fields, Node, Value};

use keys::SECTIONS;
use mingle_anonymize::GroupRepresentative;
use mingle_model::Role;
use mingle_privacy::{Insiders, M, RiskLimits};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::foreign_text::system_words;
use mingle_record::policy_document::PolicyDocument;
use std::path::{Path, PathBuf};

/// The policy file cannot be read.
pub fn unreadable(path: &Path, error: &std::io::Error) -> Problem {
    let text = format!("{}: {}", path.display(), system_words(error));
    let hint =
        "check the path; `mingle init TABLE --out policy.toml` writes a policy to start from";
    Problem::new(ProblemCode::PolicyUnreadable, text, hint)
}

/// What a release promises, and hence how it is made: one of the two.
#[derive(Debug)]
pub enum Promised {
    /// Constraints on groups.
    Groups(Privacy),
    /// Noise.
    Noise(Dp),
}

/// A policy that makes sense by itself; whether it fits the tables is another question.
#[derive(Debug)]
pub struct Policy {
    /// Where it was read from.
    pub path: PathBuf,
    /// Which tables.
    pub data: Data,
    /// Their columns, in the order written.
    pub columns: Vec<DeclaredColumn>,
    /// What is promised.
    pub promised: Promised,
    /// How to get there.
    pub method: ChosenMethod,
    /// What is written.
    pub release: ReleaseSettings,
    /// How two sites publish together, where the policy is for that.
    pub protocol: Option<Protocol>,
    /// Which releases it is laid beside, where there are any.
    pub composition: Option<Composition>,
    /// The largest risks that are accepted, where the policy says that.
    pub risk: Option<RiskLimits>,
    /// All of it, flags applied.
    pub document: PolicyDocument,
}

impl Policy {
    /// Builds a policy in code.
    pub fn builder() -> PolicyBuilder {
        PolicyBuilder::default()
    }

    /// Reads a policy file.
    pub fn read(path: impl AsRef<Path>) -> Result<Policy, Problem> {
        Policy::load(path.as_ref(), &[])
    }

    /// Reads a policy file and applies `--set` flags to it.
    pub fn load(path: &Path, flags: &[String]) -> Result<Policy, Problem> {
        let text = mingle_io::read_small_file(path).map_err(|e| unreadable(path, &e))?;
        Policy::parse(path, text, flags)
    }

    /// The same for a command that releases with noise, whose own flags count more than the file.
    pub fn load_noisy(
        path: &Path,
        flags: &[String],
        own: impl FnOnce(&mut Node) -> Result<(), Problem>,
    ) -> Result<Policy, Problem> {
        let text = mingle_io::read_small_file(path).map_err(|e| unreadable(path, &e))?;
        Policy::parse_with(path, text, flags, &Folders::of(path), |root| {
            let sections = root.fields(SECTIONS)?;
            if let (Some(groups), None) = (sections.entry(keys::PRIVACY), sections.entry(keys::DP))
            {
                let text = "this policy promises constraints on groups, not noise";
                let hint =
                    "replace [privacy] by a [dp] section; `mingle init DATA --domains` writes one";
                return Err(groups.place.problem(ProblemCode::OtherPromise, text, hint));
            }
            own(root)
        })
    }

    /// Reads a text that would stand in the file `path`, with files of its own to look for first.
    pub fn parse_at(
        path: &Path,
        text: String,
        flags: &[String],
        folders: &Folders,
    ) -> Result<Policy, Problem> {
        Policy::parse_with(path, text, flags, folders, |_| Ok(()))
    }

    fn parse(path: &Path, text: String, flags: &[String]) -> Result<Policy, Problem> {
        Policy::parse_at(path, text, flags, &Folders::of(path))
    }

    fn parse_with(
        path: &Path,
        text: String,
        flags: &[String],
        folders: &Folders,
        own: impl FnOnce(&mut Node) -> Result<(), Problem>,
    ) -> Result<Policy, Problem> {
        let source = PolicyText::file(path.display().to_string(), text);
        let mut root = Node::parse(&source)?;
        flags.iter().try_for_each(|flag| root.set(flag))?;
        own(&mut root)?;
        Policy::from_tree(path, root, folders)
    }

    /// The one reader: whoever made the tree, a file or code, its keys mean the same.
    pub(crate) fn from_tree(path: &Path, root: Node, folders: &Folders) -> Result<Policy, Problem> {
        let sections = root.fields(SECTIONS)?;
        let columns = columns::read(
            sections.require(keys::COLUMNS, "a [columns.NAME] section for every column")?,
        )?;
        let data = Data::read(sections.get(keys::DATA), folders, &columns)?;
        let protocol = sections
            .get(keys::PROTOCOL)
            .map(Protocol::read)
            .transpose()?;
        let mut promised = promised(
            &sections,
            folders,
            &columns,
            matches!(protocol, Some(Protocol::Columns(_))),
        )?;
        let has_sets = columns.iter().any(|column| column.separator.is_some());
        if let Promised::Groups(privacy) = &mut promised
            && (data.people.column().is_some() || has_sets)
        {
            privacy.bound_share_of_rows();
        }
        let promises = match &promised {
            Promised::Groups(privacy) => &privacy.promises[..],
            Promised::Noise(_) => &[],
        };
        let method = ChosenMethod::read(sections.get(keys::METHOD), promises)?;
        if let (
            GroupRepresentative::Centroid,
            Promised::Groups(Privacy {
                m: Some(M(1..)), ..
            }),
        ) = (method.output, &promised)
        {
            return Err(method::means_tell_insiders(sections.get(keys::METHOD)));
        }
        let composition = sections.get(keys::COMPOSITION);
        method::check_centroids_alone(sections.get(keys::METHOD), &method, composition.is_some())?;
        let composition = composition
            .map(|node| Composition::read(node, folders, &columns, &method))
            .transpose()?;
        if let Some(section) = sections.get(keys::ABOUT) {
            about::check(section)?;
        }
        let risk = sections.get(keys::RISK).map(risk::read).transpose()?;
        if let (Some(entry), Some(_)) = (sections.entry(keys::RISK), &protocol) {
            let text =
                "[risk] is judged before a release is written, and two sites write theirs together";
            let hint = "remove [risk], and read the risks in the report";
            return Err(entry.place.problem(ProblemCode::UselessKey, text, hint));
        }
        let policy = Policy {
            path: path.to_owned(),
            method,
            composition,
            promised,
            data,
            release: ReleaseSettings::read(sections.get(keys::RELEASE), &columns)?,
            protocol,
            columns,
            risk,
            document: root.to_document(),
        };
        person::check(&policy, &root)?;
        Ok(policy)
    }

    /// What is promised about groups; a policy for releases with noise promises nothing about them.
    pub fn privacy(&self) -> Result<&Privacy, Problem> {
        match &self.promised {
            Promised::Groups(privacy) => Ok(privacy),
            Promised::Noise(dp) => {
                let text = "[dp] promises nothing about groups, and this command is about groups";
                Err(dp.place.problem(
                    ProblemCode::OtherPromise,
                    text,
                    "give a policy with [privacy]",
                ))
            }
        }
    }

    /// What is released with noise, where that is what the policy is for.
    pub fn noise(&self) -> Option<&Dp> {
        match &self.promised {
            Promised::Groups(_) => None,
            Promised::Noise(dp) => Some(dp),
        }
    }

    /// The promised group size; 1 where none is promised.
    pub fn k(&self) -> u64 {
        match &self.promised {
            Promised::Groups(privacy) => privacy.k(),
            Promised::Noise(_) => 1,
        }
    }

    /// Against whom the promises are to hold, given how many providers have rows: m is 1 where
    /// there are several and the policy does not say otherwise.
    pub fn insiders(&self, contributors: u64) -> Result<Insiders, Problem> {
        let privacy = self.privacy()?;
        let m = privacy.m.unwrap_or(M(u64::from(contributors > 1)));
        Ok(Insiders {
            m,
            semantics: privacy.semantics,
            knows: privacy.knows,
            labels: self.method.label_promise(),
        })
    }

    /// The column whose cells hold several values, where there is one.
    pub fn separated(&self) -> Option<&DeclaredColumn> {
        self.columns.iter().find(|c| c.separator.is_some())
    }

    /// The columns of a role, in the policy's order.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &DeclaredColumn> {
        self.columns
            .iter()
            .filter(move |column| column.spec.role == role)
    }
}

/// Exactly one of `[privacy]` and `[dp]`.
fn promised(
    sections: &Fields<'_>,
    folders: &Folders,
    columns: &[DeclaredColumn],
    with_partner: bool,
) -> Result<Promised, Problem> {
    match (sections.entry(keys::PRIVACY), sections.entry(keys::DP)) {
        (Some(groups), Some(noise)) => {
            let text = format!(
                "[privacy] and, at {}, [dp]: a release is one or the other",
                noise.place.name()
            );
            let hint = "keep the section of what you want to promise, and make a copy of the file for the other";
            Err(groups.place.problem(ProblemCode::TwoPromises, text, hint))
        }
        (None, Some(noise)) => {
            refuse_beside_noise(sections)?;
            let dp = Dp::read(&noise.node, folders, columns)?;
            require_domains(&dp, columns)?;
            Ok(Promised::Noise(dp))
        }
        (_, None) => {
            let section = sections.require(
                keys::PRIVACY,
                "a [privacy] section, such as k = 5, or a [dp] section",
            )?;
            Privacy::read(section, columns, with_partner).map(Promised::Groups)
        }
    }
}

/// What is about groups has no effect on a release without any.
fn refuse_beside_noise(sections: &Fields<'_>) -> Result<(), Problem> {
    // n providers who release with noise agree on the coalition that it must withstand
    let of_noise = sections
        .get(keys::PROTOCOL)
        .map(Node::entries)
        .transpose()?;
    let of_noise = of_noise.is_some_and(|keys| keys.iter().any(|entry| entry.key == "m"));
    let whole = [keys::METHOD, keys::COMPOSITION, keys::PROTOCOL, keys::RISK]
        .iter()
        .filter(|section| **section != keys::PROTOCOL || !of_noise)
        .find_map(|section| sections.entry(section));
    let release = sections
        .get(keys::RELEASE)
        .map(Node::entries)
        .transpose()?
        .unwrap_or_default();
    let of_groups = release.iter().find(|entry| {
        [keys::release::FRAGMENTED, keys::release::PUBLISH_UTILITY].contains(&entry.key.as_str())
    });
    match whole.or(of_groups) {
        None => Ok(()),
        Some(entry) => {
            let text = format!(
                "`{}` is about groups, and a release with [dp] has none",
                entry.node.path
            );
            Err(entry
                .place
                .problem(ProblemCode::UselessKey, text, "take it out"))
        }
    }
}

/// Every column that is released is looked at through its domain.
fn require_domains(dp: &Dp, columns: &[DeclaredColumn]) -> Result<(), Problem> {
    let lacking = columns
        .iter()
        .filter(|c| c.spec.role.is_published() && c.domain.is_none());
    let names: Vec<String> = lacking
        .map(|column| format!("`{}`", column.spec.name))
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let text = format!(
        "[dp] needs the public domain of every column, and {} have none: {}",
        names.len(),
        names.join(", ")
    );
    let hint = "add domain = [\"a\", \"b\"] or { from = 0, to = 120, width = 10 } from what is publicly known, never from \
                the data (`mingle init DATA --domains` writes a proposal); role = \"identifier\", or undeclared = \"drop\" in \
                [data], leaves a column out";
    Err(dp.place.problem(ProblemCode::NoDomain, text, hint))
}

//! The policy file: everything that is asked of a publication, in one TOML file without data.
//!
//! It is read once into the types of the rooms that use it; there is no half-valid policy. What it says wrongly is
//! answered with the line it stands on. What belongs to a later version is refused, never ignored. Paths are relative
//! to the file.

mod columns;
mod composition;
mod data;
mod method;
mod privacy;
mod protocol;
mod source;
mod tree;
mod value;

#[cfg(test)]
mod tests;

pub use columns::{DeclaredColumn, DeclaredHierarchy};
pub use composition::{Composition, OwnHistory};
pub use data::{Data, Input, Tables};
pub use method::{Method, NOT_MONOTONE_HINT, Release, means_tell_insiders};
pub use privacy::Privacy;
pub use protocol::Protocol;
pub use source::Source;
pub use tree::{Fields, Node};

use crate::explain::Code;
use crate::failure;
use crate::message::Problem;
use mingle_anonymize::Output;
use mingle_model::Role;
use mingle_privacy::Insiders;
use std::path::{Path, PathBuf};

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
    pub privacy: Privacy,
    /// How to get there.
    pub method: Method,
    /// What is written.
    pub release: Release,
    /// How two sites publish together, where the policy is for that.
    pub protocol: Option<Protocol>,
    /// Which releases it is laid beside, where there are any.
    pub composition: Option<Composition>,
    /// All of it as JSON, flags applied.
    pub document: serde_json::Value,
}

const SECTIONS: &[&str] = &["data", "columns", "privacy", "method", "release", "protocol", "composition", "dp"];

impl Policy {
    /// Reads a policy file and applies `--set` flags to it.
    pub fn load(path: &Path, flags: &[String]) -> Result<Policy, Problem> {
        let text = std::fs::read_to_string(path).map_err(|e| failure::read_policy(path, &e))?;
        Policy::parse(path, text, flags)
    }

    fn parse(path: &Path, text: String, flags: &[String]) -> Result<Policy, Problem> {
        let source = Source::file(path.display().to_string(), text);
        let mut root = Node::parse(&source)?;
        flags.iter().try_for_each(|flag| root.set(flag))?;
        let sections = root.fields(SECTIONS)?;
        if let Some(entry) = sections.entry("dp") {
            return Err(entry.place.problem(Code::NotYet, "[dp] is not in this version", "take the section out"));
        }
        let columns = columns::read(sections.require("columns", "a [columns.NAME] section for every column")?)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let data = Data::read(sections.get("data"), folder, &columns)?;
        let privacy = sections.require("privacy", "a [privacy] section, such as k = 5")?;
        let protocol = sections.get("protocol").map(Protocol::read).transpose()?;
        let privacy = Privacy::read(privacy, &columns, protocol.is_some())?;
        let method = Method::read(sections.get("method"), &privacy.promises)?;
        if method.output == Output::Centroid && privacy.m.is_some_and(|m| m > 0) {
            return Err(method::means_tell_insiders(sections.get("method")));
        }
        let composition = sections.get("composition");
        method::check_centroids_alone(sections.get("method"), &method, composition.is_some())?;
        let composition = composition.map(|node| Composition::read(node, folder, &columns, &method)).transpose()?;
        Ok(Policy {
            path: path.to_owned(),
            method,
            composition,
            privacy,
            data,
            release: Release::read(sections.get("release"), &columns)?,
            protocol,
            columns,
            document: root.to_json(),
        })
    }

    /// Against whom the promises are to hold, given how many providers have rows: m is 1 where there are several and
    /// the policy does not say otherwise.
    pub fn insiders(&self, contributors: u64) -> Insiders {
        let m = self.privacy.m.unwrap_or(u64::from(contributors > 1));
        Insiders { m, semantics: self.privacy.semantics, strategy: self.method.verification }
    }

    /// The columns of a role, in the policy's order.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &DeclaredColumn> {
        self.columns.iter().filter(move |column| column.spec.role == role)
    }
}

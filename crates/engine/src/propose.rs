//! Looks at tables and proposes a policy, with a reason on every line.
//!
//! What is written holds names of columns and counts, never a cell: a policy is passed around, the
//! tables are not. The proposal can be published as it is, but it is a proposal: names of columns
//! are hints, not knowledge.
//!
//! With domains it is a policy for releases with noise, which need the values that each column
//! can have. Those are proposed from the tables, hold cells, and are refused until the steward
//! vouches for them.

mod domain;
mod hierarchy;
mod profile;
mod proposal;
mod relative;
mod render;

use crate::failure;
use crate::run::Run;
use hierarchy::FoundHierarchy;
use mingle_io::{ReadOptions, Source};
use mingle_model::{Missing, Role};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use proposal::Proposal;

pub use profile::Profile;
use std::path::{Path, PathBuf};

/// The text of a policy for tables, as it would stand in a file of `folder`. With `domains` it is a
/// policy for releases with noise.
pub fn policy(
    data: &[PathBuf],
    folder: &Path,
    domains: bool,
    run: &Run,
) -> Result<String, Problem> {
    refuse_repeated(data)?;
    let profiles = look_at(data, domains, run)?;
    run.check()?;
    let proposal = Proposal::new(&profiles, data.len());
    Ok(render::policy(&proposal, &profiles, data, folder, domains))
}

/// The text of a policy for tables below `folder`, which it names from there: where the folder is
/// on this machine is nobody's business.
pub fn proposed(data: &[PathBuf], folder: &Path) -> Result<String, Problem> {
    let named = |path: &PathBuf| path.strip_prefix(folder).unwrap_or(path).to_owned();
    let mut profiles = look_at(data, false, &Run::default())?;
    for found in profiles
        .iter_mut()
        .filter_map(|profile| profile.hierarchy.as_mut())
    {
        let (FoundHierarchy::Fits(path) | FoundHierarchy::Misfit(path, _)) = found;
        *path = named(path);
    }
    let proposal = Proposal::new(&profiles, data.len());
    let data: Vec<PathBuf> = data.iter().map(named).collect();
    Ok(render::policy(
        &proposal,
        &profiles,
        &data,
        Path::new(""),
        false,
    ))
}

/// The role that is proposed for each column, and why.
pub fn roles(profiles: &[Profile]) -> Vec<(Role, String)> {
    // as if there were several files: a column that names the provider gets a role as well
    Proposal::new(profiles, 2)
        .columns
        .into_iter()
        .map(|column| (column.role, column.reason))
        .collect()
}

/// A table given twice would count everybody in it twice.
pub fn refuse_repeated(data: &[PathBuf]) -> Result<(), Problem> {
    let resolved: Vec<PathBuf> = data
        .iter()
        .map(|d| d.canonicalize().unwrap_or_else(|_| d.clone()))
        .collect();
    match (1..data.len()).find(|&i| resolved[..i].contains(&resolved[i])) {
        Some(i) => {
            let text = format!("{} is given twice", data[i].display());
            Err(Problem::new(
                ProblemCode::ListedTwice,
                text,
                "give every table once",
            ))
        }
        None => Ok(()),
    }
}

/// All columns of all tables.
fn look_at(data: &[PathBuf], domains: bool, run: &Run) -> Result<Vec<Profile>, Problem> {
    let source = |path: &PathBuf| Source {
        path: path.clone(),
        display: path.display().to_string(),
        provider: None,
    };
    let sources: Vec<Source> = data.iter().map(source).collect();
    run.begin_reading(&sources);
    let bytes = run.counter();
    let options = ReadOptions {
        progress: Some(&bytes),
        cancel: Some(run.cancel().flag()),
        ..ReadOptions::default()
    };
    let raw = mingle_io::read_raw(&sources, &options).map_err(|e| failure::io(&e))?;
    run.step("looking at columns");
    let missing = Missing::default();
    raw.columns
        .into_iter()
        .map(|(name, column)| Profile::new(name, column, &missing, data, domains))
        .collect()
}

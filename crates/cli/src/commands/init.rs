//! `mingle init`: looks at tables and proposes a policy, with a reason on every line.
//!
//! What is written holds names of columns and counts, never a cell: a policy is passed around, the
//! tables are not. The proposal can be published as it is, but it is a proposal: names of columns
//! are hints, not knowledge.
//!
//! With `--domains` it is a policy for releases with noise, which need the values that each column
//! can have. Those are proposed from the tables, hold cells, and are refused until the steward
//! vouches for them.

mod domain;
mod hierarchy;
mod profile;
mod proposal;
mod relative;
mod render;

use crate::args::Init;
use crate::commands::attack::results;
use crate::explain::Code;
use crate::failure;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print};
use crate::progress::Progress;
use hierarchy::Found;
use mingle_io::{ReadOptions, Source};
use mingle_model::{Missing, Role};
use proposal::Proposal;

pub use profile::Profile;
use std::path::{Path, PathBuf};

pub fn run(args: &Init, screen: Screen) -> Result<Exit, Problem> {
    if let Some(out) = args
        .out
        .as_deref()
        .filter(|out| !args.force && out.symlink_metadata().is_ok())
    {
        let text = format!("{} exists", out.display());
        return Err(Problem::new(
            Code::OutputExists,
            text,
            "choose another name, or overwrite it with --force",
        ));
    }
    refuse_repeated(&args.data)?;
    refuse_overwriting(args)?;
    let progress = Progress::new(screen);
    let profiles = look_at(&args.data, args.domains, &progress)?;
    drop(progress);
    interrupt::check()?;
    let proposal = Proposal::new(&profiles, args.data.len());
    let folder = args
        .out
        .as_deref()
        .and_then(Path::parent)
        .unwrap_or(Path::new(""));
    let text = render::policy(&proposal, &profiles, &args.data, folder, args.domains);
    match &args.out {
        None => print(&text)?,
        Some(out) => {
            results::write(out, text.as_bytes(), args.force)?;
            let out = out.display();
            let step = if args.domains {
                "read it and vouch for its domains"
            } else {
                "read it"
            };
            screen.note(&format!(
                "policy written to {out}; {step}, then: mingle publish {out} --out release"
            ));
        }
    }
    Ok(Exit::Fine)
}

/// The text of a policy for tables below `folder`, which it names from there: where the folder is
/// on this machine is nobody's business.
pub fn proposed(data: &[PathBuf], folder: &Path) -> Result<String, Problem> {
    let named = |path: &PathBuf| path.strip_prefix(folder).unwrap_or(path).to_owned();
    let mut profiles = look_at(data, false, &Progress::hidden())?;
    for found in profiles
        .iter_mut()
        .filter_map(|profile| profile.hierarchy.as_mut())
    {
        let (Found::Fits(path) | Found::Misfit(path, _)) = found;
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

/// `--force` is for an old policy, not for a table.
fn refuse_overwriting(args: &Init) -> Result<(), Problem> {
    let Some(out) = args.out.as_deref().and_then(|out| out.canonicalize().ok()) else {
        return Ok(());
    };
    match args
        .data
        .iter()
        .any(|table| table.canonicalize().is_ok_and(|table| table == out))
    {
        true => {
            let text = format!("{} is one of the tables", out.display());
            Err(Problem::new(
                Code::OutputExists,
                text,
                "choose another name for the policy",
            ))
        }
        false => Ok(()),
    }
}

/// A table given twice would count everybody in it twice.
fn refuse_repeated(data: &[PathBuf]) -> Result<(), Problem> {
    let resolved: Vec<PathBuf> = data
        .iter()
        .map(|d| d.canonicalize().unwrap_or_else(|_| d.clone()))
        .collect();
    match (1..data.len()).find(|&i| resolved[..i].contains(&resolved[i])) {
        Some(i) => {
            let text = format!("{} is given twice", data[i].display());
            Err(Problem::new(
                Code::ListedTwice,
                text,
                "give every table once",
            ))
        }
        None => Ok(()),
    }
}

/// All columns of all tables.
fn look_at(data: &[PathBuf], domains: bool, progress: &Progress) -> Result<Vec<Profile>, Problem> {
    let source = |path: &PathBuf| Source {
        path: path.clone(),
        display: path.display().to_string(),
        provider: None,
    };
    let sources: Vec<Source> = data.iter().map(source).collect();
    progress.reading(
        sources
            .iter()
            .filter_map(|s| s.path.metadata().ok())
            .map(|m| m.len())
            .sum(),
    );
    let bytes = progress.counter();
    let cancel = interrupt::listen();
    let options = ReadOptions {
        progress: Some(&bytes),
        cancel: Some(cancel),
        ..ReadOptions::default()
    };
    let raw = mingle_io::read_raw(&sources, &options).map_err(|e| failure::io(&e))?;
    progress.step("looking at columns");
    let missing = Missing::default();
    raw.columns
        .into_iter()
        .map(|(name, column)| Profile::new(name, column, &missing, data, domains))
        .collect()
}

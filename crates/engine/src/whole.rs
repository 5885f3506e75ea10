//! Releases that are what was published: one that was damaged or changed is refused before anything
//! is concluded from it.

use crate::failure;
use mingle_record::{Problem, ProblemCode};
use mingle_release::{Finding, Findings, Release};
use std::path::Path;

/// Whoever has the tables can make the release again.
pub const PUBLISH_AGAIN: &str = "publish again; this is not what was published";
/// Whoever was handed the release cannot.
pub const GET_AGAIN: &str = "get the release again; this is not what was published";

/// Opens a release of groups and reads all of it; one that is not what was published is refused.
pub fn whole_release(folder: &Path, hint: &str) -> Result<(Release, Findings), Problem> {
    let release = Release::open(folder).map_err(|e| failure::release(&e))?;
    let findings = release.check();
    refuse_damaged(
        Some(&folder.display().to_string()),
        &findings.problems,
        hint,
    )?;
    Ok((release, findings))
}

/// Refuses a release about which something was found; the first finding is named.
pub fn refuse_damaged(name: Option<&str>, findings: &[Finding], hint: &str) -> Result<(), Problem> {
    let Some(first) = findings.first() else {
        return Ok(());
    };
    let text = match name {
        Some(name) => format!("{name}: {first}"),
        None => first.to_string(),
    };
    Err(Problem::new(ProblemCode::ReleaseDamaged, text, hint))
}

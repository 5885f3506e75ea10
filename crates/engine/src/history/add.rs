//! Adds a release that was published without the history, or that a crash kept from it.

use super::{many_changed, people, versions};
use crate::failure;
use crate::publish::Failed;
use crate::rows_only;
use crate::run::Run;
use crate::tables::read_people;
use crate::whole::whole_release;
use mingle_model::{Cube, Role};
use mingle_policy::Policy;
use mingle_privacy::composition::People;
use mingle_record::{Problem, ProblemCode};
use mingle_release::history::{HistoryProblem, HistoryWriter, PeopleTable, is_of, place_by_labels};
use mingle_release::{Error as ReleaseError, Release};
use std::path::Path;

/// Which release becomes a version of which history.
#[derive(Clone, Copy, Debug)]
pub struct NewVersion<'a> {
    /// The history.
    pub history: &'a Path,
    /// The folder of the release.
    pub release: &'a Path,
    /// What the version is to be called; counted on where nobody says it.
    pub label: Option<&'a str>,
    /// The identifier that tells people apart, where the policy does not say it.
    pub person: Option<&'a str>,
}

/// What became of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddedVersion {
    /// It is a new version.
    Added {
        /// What the version is called.
        label: String,
        /// Its rows.
        rows: u64,
    },
    /// The history had it already.
    AlreadyThere {
        /// What the version is called.
        label: String,
    },
    /// The history had it at another place.
    FoundAgain {
        /// What the version is called.
        label: String,
    },
}

/// Adds a release to a history. Returns also what deserves attention.
pub fn add(
    policy: &Policy,
    new: NewVersion<'_>,
    run: &Run,
) -> Result<(AddedVersion, Vec<Problem>), Failed> {
    let mut warnings = Vec::new();
    match add_warning(policy, new, run, &mut warnings) {
        Ok(added) => Ok((added, warnings)),
        Err(problem) => Err(Failed {
            problem: Box::new(problem),
            warnings,
        }),
    }
}

fn add_warning(
    policy: &Policy,
    new: NewVersion<'_>,
    run: &Run,
    warnings: &mut Vec<Problem>,
) -> Result<AddedVersion, Problem> {
    let mut writer = HistoryWriter::open(new.history).map_err(|e| failure::release(&e))?;
    let hint = "add what was published; this is something else";
    let (release, _) = whole_release(new.release, hint)?;
    let pending = pending(&writer, &release)?;
    if pending.is_none() && new.label.is_none() {
        let found = writer.found_again(new.release);
        if let Some(version) = found.map_err(|e| failure::release(&e))? {
            let label = version.label;
            return Ok(AddedVersion::FoundAgain { label });
        }
    }
    let people = match pending {
        Some(people) => people,
        None => {
            let name = new.release.display().to_string();
            rows_only::refuse_release("finding people by labels again", &name, &release)?;
            let (people, changed) = by_labels(policy, new, &mut writer, &release, run)?;
            warnings.extend(changed);
            people
        }
    };
    match writer.append(&people, new.release, new.label, &run.timestamp()) {
        Ok(version) => Ok(AddedVersion::Added {
            label: version.label,
            rows: version.rows,
        }),
        Err(ReleaseError::History {
            problem: HistoryProblem::AlreadyThere { label },
            ..
        }) => {
            // an earlier run may have ended between the two: where it is and what it announced are
            // settled now
            writer
                .found_again(new.release)
                .map_err(|e| failure::release(&e))?;
            writer
                .withdraw_recorded(&people, &release)
                .map_err(|e| failure::release(&e))?;
            Ok(AddedVersion::AlreadyThere { label })
        }
        Err(error) => Err(failure::release(&error)),
    }
}

/// What publish wrote down before it wrote this release.
fn pending(writer: &HistoryWriter, release: &Release) -> Result<Option<PeopleTable>, Problem> {
    let pending = writer.pending().map_err(|e| failure::release(&e))?;
    Ok(pending.filter(|people| is_of(people, release)))
}

/// Everybody in the group whose labels cover them, and what deserves attention.
fn by_labels(
    policy: &Policy,
    new: NewVersion<'_>,
    writer: &mut HistoryWriter,
    release: &Release,
    run: &Run,
) -> Result<(PeopleTable, Vec<Problem>), Problem> {
    let column = person(policy, new)?;
    writer
        .identify_by(column)
        .map_err(|e| failure::release(&e))?;
    let (original, identifiers) = read_people(policy, column, run)?;
    let people = people(policy, column, &original.table, &identifiers, writer.key())?;
    let cube = Cube::new(original.table.clone());
    let columns = original.table.columns.iter();
    let hierarchies = columns
        .filter_map(|c| Some((c.spec.name.as_str(), c.spec.hierarchy.as_ref()?)))
        .collect();
    let population = People {
        cube: &cube,
        missing: &policy.data.missing,
        hierarchies,
    };
    let placed = place_by_labels(release, new.release, population, &people)
        .map_err(|e| failure::release(&e))?;
    let recoded = writer
        .check_continuity(&versions(writer)?, &placed)
        .map_err(|e| failure::release(&e))?;
    Ok((placed, many_changed(recoded)))
}

/// The identifier that tells people apart.
fn person<'a>(policy: &'a Policy, new: NewVersion<'a>) -> Result<&'a str, Problem> {
    let history = policy.composition.as_ref().and_then(|c| c.history.as_ref());
    let of_policy = history.map(|history| history.person.as_str());
    let Some(column) = new.person.or(of_policy) else {
        let text = "nothing says which column tells people apart";
        let hint = "add --person COLUMN, or `person` beside `history` in [composition]";
        return Err(Problem::new(ProblemCode::Usage, text, hint));
    };
    let mut identifiers = policy.with_role(Role::Identifier);
    if !identifiers.any(|c| c.spec.name == column) {
        let text = format!("{column:?} is not a column with role = \"identifier\"");
        return Err(Problem::new(
            ProblemCode::Usage,
            text,
            "name an identifier of the policy",
        ));
    }
    Ok(column)
}

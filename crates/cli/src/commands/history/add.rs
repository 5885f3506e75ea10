//! `mingle history add`: a release that was published without the history, or that a crash kept
//! from it.

use crate::args::HistoryAdd;
use crate::message::{Exit, Problem, Screen};
use crate::progress::terminal_run;
use mingle::failure;
use mingle::history::{many_changed, now, people, versions};
use mingle::tables::read_people;
use mingle_model::{Cube, Role};
use mingle_policy::{Composition, Policy};
use mingle_privacy::composition::People;
use mingle_record::Code;
use mingle_release::history::{HistoryProblem, HistoryWriter, PeopleTable, is_of, place_by_labels};
use mingle_release::{Error as ReleaseError, Release};

pub fn run(args: &HistoryAdd, screen: Screen) -> Result<Exit, Problem> {
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let mut writer = HistoryWriter::open(&args.folder).map_err(|e| failure::release(&e))?;
    let release = Release::open(&args.release).map_err(|e| failure::release(&e))?;
    if let Some(first) = release.check().problems.first() {
        let text = format!("{}: {first}", args.release.display());
        return Err(Problem::new(
            Code::ReleaseDamaged,
            text,
            "add what was published; this is something else",
        ));
    }
    let pending = pending(&writer, &release)?;
    if pending.is_none()
        && args.label.is_none()
        && let Some(version) = writer
            .found_again(&args.release)
            .map_err(|e| failure::release(&e))?
    {
        screen.note(&format!(
            "version {}: its release is at {} now",
            version.label,
            args.release.display()
        ));
        return Ok(Exit::Fine);
    }
    let people = match pending {
        Some(people) => people,
        None => by_labels(args, &policy, &mut writer, &release, screen)?,
    };
    let added = writer.append(&people, &args.release, args.label.as_deref(), &now());
    let version = match added {
        Err(ReleaseError::History {
            problem: HistoryProblem::AlreadyThere { label },
            ..
        }) => {
            writer
                .found_again(&args.release)
                .map_err(|e| failure::release(&e))?;
            writer
                .withdraw_recorded(&people, &release)
                .map_err(|e| failure::release(&e))?;
            screen.note(&format!(
                "{} is version {label} already",
                args.release.display()
            ));
            return Ok(Exit::Fine);
        }
        added => added.map_err(|e| failure::release(&e))?,
    };
    screen.note(&format!(
        "{} is version {}, of {} rows",
        args.release.display(),
        version.label,
        version.rows
    ));
    Ok(Exit::Fine)
}

/// What publish wrote down before it wrote this release.
fn pending(writer: &HistoryWriter, release: &Release) -> Result<Option<PeopleTable>, Problem> {
    let pending = writer.pending().map_err(|e| failure::release(&e))?;
    Ok(pending.filter(|people| is_of(people, release)))
}

/// Everybody in the group whose labels cover them.
fn by_labels(
    args: &HistoryAdd,
    policy: &Policy,
    writer: &mut HistoryWriter,
    release: &Release,
    screen: Screen,
) -> Result<PeopleTable, Problem> {
    let column = person(args, policy)?;
    writer
        .identify_by(column)
        .map_err(|e| failure::release(&e))?;
    let run = terminal_run(screen);
    let (original, identifiers) = read_people(policy, column, &run)?;
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
    let placed = place_by_labels(release, &args.release, population, &people);
    let placed = placed.map_err(|e| failure::release(&e))?;
    drop(run);
    let recoded = writer
        .check_continuity(&versions(writer)?, &placed)
        .map_err(|e| failure::release(&e))?;
    many_changed(recoded).for_each(|warning| screen.warning(&warning));
    Ok(placed)
}

/// The identifier that tells people apart.
fn person<'a>(args: &'a HistoryAdd, policy: &'a Policy) -> Result<&'a str, Problem> {
    let of_policy = |c: &'a Composition| c.history.as_ref().map(|history| history.person.as_str());
    let column = args
        .person
        .as_deref()
        .or_else(|| policy.composition.as_ref().and_then(of_policy));
    let column = column.ok_or_else(|| {
        let text = "nothing says which column tells people apart";
        Problem::new(
            Code::Usage,
            text,
            "add --person COLUMN, or `person` beside `history` in [composition]",
        )
    })?;
    if !policy
        .with_role(Role::Identifier)
        .any(|c| c.spec.name == column)
    {
        let text = format!("{column:?} is not a column with role = \"identifier\"");
        return Err(Problem::new(
            Code::Usage,
            text,
            "name an identifier of the policy",
        ));
    }
    Ok(column)
}

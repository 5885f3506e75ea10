//! Whether a release, or a table that any tool has anonymized, keeps what is promised.

mod dp;
mod groups;
mod people;

pub use dp::DpOutcome;
pub use groups::{GroupsOutcome, constraint_verdicts};
pub use people::KnownPeople;

use crate::failure;
use crate::insiders;
use crate::people as declared_people;
use crate::publish::{Failed, telling};
use crate::report::{self, Compared};
use crate::run::Run;
use crate::strict;
use crate::tables::taken_apart::refuse_without_sets;
use crate::tables::{Anonymized, ForeignTable, read_anonymized};
use groups::Checked;
use mingle_model::plural;
use mingle_model::{PersonRows, Published, Role};
use mingle_policy::Policy;
use mingle_privacy::{Insiders, Reach};
use mingle_record::answer::VerifyAnswer;
use mingle_record::manifest::{PeopleEntry, StatedScope};
use mingle_record::{
    Problem, ProblemCode, RecordedWarning, WarningNotice, WarningsRecorded, found_and_recorded,
};
use mingle_release::manifest::ManifestMeaning;
use mingle_release::warnings::{background_join, no_quasi_identifiers, revealing};
use mingle_release::{Finding, Opened, Release, open_any};
use std::path::Path;

/// What was found.
pub enum VerifyOutcome {
    /// It has groups.
    Groups(Box<GroupsOutcome>),
    /// It is differentially private.
    Dp(Box<DpOutcome>),
}

impl VerifyOutcome {
    /// The document `mingle.verify/1`.
    pub fn answer(&self) -> VerifyAnswer {
        match self {
            VerifyOutcome::Groups(outcome) => VerifyAnswer::Groups(outcome.answer.clone()),
            VerifyOutcome::Dp(outcome) => VerifyAnswer::Dp(outcome.answer.clone()),
        }
    }

    /// What is said about how it was looked at.
    pub fn remarks(&self) -> &VerifyRemarks {
        match self {
            VerifyOutcome::Groups(outcome) => &outcome.remarks,
            VerifyOutcome::Dp(outcome) => &outcome.remarks,
        }
    }

    /// Takes every warning for a finding: what has one does not hold.
    pub fn be_strict(&mut self) {
        let Some(finding) = strict::finding(&self.remarks().warnings) else {
            return;
        };
        match self {
            VerifyOutcome::Groups(outcome) => outcome.be_strict(finding),
            VerifyOutcome::Dp(outcome) => outcome.be_strict(finding),
        }
    }

    /// Why it should not be handed out, or is not known to be fine; `None` where it holds.
    pub fn problem(&self) -> Option<Problem> {
        match self {
            VerifyOutcome::Groups(outcome) => outcome.problem(),
            VerifyOutcome::Dp(outcome) => outcome.problem(),
        }
    }
}

/// What is said about how something was looked at.
#[derive(Default)]
pub struct VerifyRemarks {
    /// What deserves attention: found in what is here, or recorded when it was made.
    pub warnings: Vec<WarningNotice>,
    /// How much of what the steward was warned of is at hand.
    pub recorded: WarningsRecorded,
    /// What could not be looked at.
    pub note: Option<String>,
    /// What only a closer look needs.
    pub detail: Option<&'static str>,
}

impl VerifyRemarks {
    /// What was found in what is public, and what was recorded. Where nothing could be found because
    /// the rows cannot be read, what the public part records takes its place.
    fn warn(
        &mut self,
        found: Option<&[WarningNotice]>,
        public: Option<&[WarningNotice]>,
        private: Option<&[RecordedWarning]>,
    ) {
        let found = found.or(public).unwrap_or_default();
        self.warnings = found_and_recorded(found, private.unwrap_or_default());
        self.recorded = WarningsRecorded::of(private, public.is_some());
    }
}

/// Checks a table that any tool has anonymized against the promises of a policy.
pub fn table(
    policy: &Policy,
    foreign: ForeignTable<'_>,
    run: &Run,
) -> Result<VerifyOutcome, Failed> {
    let subject = foreign.name();
    let Anonymized {
        mut table,
        knows_providers,
        unchecked,
        insensitive,
        repeated_identifiers,
        people,
        has_sets,
    } = read_anonymized(
        policy,
        foreign,
        &[Role::Sensitive, Role::Insensitive, Role::Identifier],
    )?;
    if let Some(problem) = declared_people::finding(policy, &repeated_identifiers) {
        return Err(problem.into());
    }
    if has_sets == Some(false) && table.person_of.is_none() {
        return Err(refuse_without_sets(policy, &subject).into());
    }
    let mut warnings = Vec::new();
    if let (Some(person), Some(people)) = (policy.data.people.column(), &people) {
        warnings.extend(declared_people::odd_identifiers(&person.name, people));
    }
    let local = |entry: &PeopleEntry| entry.scope == Some(StatedScope::Provider);
    let whose = match (policy.people_entry(), people) {
        (None, _) => KnownPeople::EachRow,
        // each row was one person before its cells were taken apart
        (Some(entry), None) if has_sets == Some(true) => KnownPeople::Identified(entry),
        (Some(entry), Some(_)) if knows_providers || !local(&entry) => {
            KnownPeople::Identified(entry)
        }
        (Some(entry), _) => {
            // two providers' people with the same identifier would become one
            table.person_of = None;
            KnownPeople::Unknown(entry)
        }
    };
    if !unchecked.is_empty() {
        let text = format!(
            "{subject}: nothing is checked about {} {}",
            plural(unchecked.len(), "column", "columns"),
            unchecked.join(", ")
        );
        let hint =
            "remove what is not needed before handing the table out, or declare another role";
        warnings.push(Problem::new(ProblemCode::UncheckedColumns, text, hint));
    }
    for column in &insensitive {
        let distinct = column.domain.len() as u64;
        warnings.extend(revealing(&column.spec.name, distinct, table.rows() as u64));
    }
    let sensitive = policy.with_role(Role::Sensitive).count();
    warnings.extend(background_join(sensitive, false));
    let quasi_identifiers = policy.with_role(Role::QuasiIdentifier).count();
    warnings.extend(no_quasi_identifiers(quasi_identifiers));
    if knows_providers {
        warnings.extend(telling::of_table(&table));
    }
    let mut published = Published::from_table(&table);
    if policy.person_rows() == PersonRows::Apart {
        published = published.with_rows_apart();
    }
    let providers = knows_providers.then(|| insiders::contributors(&table));
    match run.install(|| of_published(policy, published, providers)) {
        Ok((verification, stated)) => {
            let checked = Checked {
                verification: Some(&verification),
                fragments: None,
                unlinked: &[],
                problems: Vec::new(),
                providers,
                stated,
                knows_providers,
                people: whose,
            };
            if let Some(providers) = providers {
                warnings.extend(insiders::warning(stated, providers));
            }
            let remarks = VerifyRemarks {
                warnings: warnings.iter().map(WarningNotice::from).collect(),
                recorded: WarningsRecorded::Nothing,
                note: checked.lacks_providers().then(|| lacking(policy, &subject)),
                detail: None,
            };
            let outcome = checked.into_outcome(subject, remarks, DAMAGED);
            Ok(VerifyOutcome::Groups(Box::new(outcome)))
        }
        Err(problem) => Err(Failed {
            problem: Box::new(problem),
            warnings,
        }),
    }
}

/// Without providers only the outsider is checked.
fn of_published(
    policy: &Policy,
    published: Published,
    providers: Option<u64>,
) -> Result<(mingle_privacy::Verification, Insiders), Problem> {
    // a policy that names providers means several of them, unless the table shows otherwise
    let stated = policy.insiders(providers.unwrap_or(2))?;
    let (against, reach) = if providers.is_some() {
        (stated, Reach::Everyone)
    } else {
        (Insiders::NONE, Reach::Stated)
    };
    let promises = &policy.privacy()?.promises;
    let verification = mingle_privacy::verify(published, promises, against, reach)
        .map_err(|e| failure::privacy(&e))?;
    Ok((verification, stated))
}

/// Which column is missing.
fn lacking(policy: &Policy, file: &str) -> String {
    match &policy.data.provider_column {
        Some(column) => format!(
            "{file} has no column {column:?}, which should say who contributed a row: only outsiders were checked"
        ),
        None => format!(
            "the policy names no `provider_column` of {file}, which should say who contributed a row: only outsiders \
             were checked"
        ),
    }
}

const DAMAGED: &str = "do not hand it out; publish again";

/// Checks a release against its own promises.
pub fn release(folder: &Path, run: &Run) -> Result<VerifyOutcome, Problem> {
    match open_any(folder).map_err(|e| failure::release(&e))? {
        Opened::Grouped(release) => {
            let outcome = run.install(|| of_groups(&release, folder));
            Ok(VerifyOutcome::Groups(Box::new(outcome)))
        }
        Opened::Noisy(release) => {
            let outcome = run.install(|| dp::verified(&release, folder));
            Ok(VerifyOutcome::Dp(Box::new(outcome)))
        }
    }
}

fn of_groups(release: &Release, folder: &Path) -> GroupsOutcome {
    let manifest = release.manifest().ok();
    // what records no warnings is of an earlier program, whose reports do not show any
    let recording = manifest.filter(|manifest| manifest.warnings.is_some());
    let tool = recording.map_or("", |manifest| &manifest.tool);
    // reading the rows is most of the work, and both do
    let (mut findings, compared) =
        rayon::join(|| release.check(), || report::compare(folder, tool));
    let mut remarks = VerifyRemarks::default();
    let hint = report_hint(compared, &mut findings.problems, &mut remarks).unwrap_or(DAMAGED);
    let private = release
        .private_manifest()
        .map(|private| &private.warnings[..]);
    let public = manifest.and_then(|manifest| manifest.warnings.as_deref());
    remarks.warn(findings.warnings.as_deref(), public, private);
    let stated = manifest.and_then(ManifestMeaning::insiders);
    let checked = Checked {
        verification: findings.verification.as_ref(),
        fragments: findings.fragments.as_ref(),
        unlinked: &findings.unlinked,
        problems: findings.problems.iter().map(ToString::to_string).collect(),
        providers: contributors(release),
        stated: stated.unwrap_or(Insiders::NONE),
        knows_providers: findings.knows_providers,
        people: KnownPeople::of_release(manifest, findings.lacks_people),
    };
    if !findings.audited && release.private_manifest().is_none() {
        let note = "there is no audit here: only what is public was checked";
        remarks.note = Some(note.to_owned());
    }
    let mut outcome = checked.into_outcome(folder.display().to_string(), remarks, hint);
    let protocol = manifest.and_then(|manifest| manifest.protocol.clone());
    outcome.made_by = protocol.filter(|protocol| protocol.providers.is_some());
    outcome
}

/// Adds reports that do not say what the release says, where all else is in order; returns what to
/// do about them.
fn report_hint(
    compared: Compared,
    problems: &mut Vec<Finding>,
    remarks: &mut VerifyRemarks,
) -> Option<&'static str> {
    if !problems.is_empty() {
        // of a release that is not what was published, no report is right
        return None;
    }
    match compared {
        Compared::Found(found) => problems.extend(found),
        Compared::OtherVersion => {
            let detail = "another version wrote the release: its reports were not compared";
            remarks.detail = Some(detail);
        }
    }
    Some("do not hand it out; `mingle report` regenerates the report")
}

/// How many providers took part; a joint release has sites instead, and nothing says who
/// contributed what.
fn contributors(release: &Release) -> Option<u64> {
    let manifest = release.private_manifest()?;
    let has_audit = manifest.audit.is_some();
    has_audit.then_some(manifest.providers.len() as u64)
}

/// The only thing that is wrong is that there are warnings.
fn strict_problem(subject: &str, finding: &str) -> Problem {
    let text = format!("{subject}: {finding}");
    let hint = "read the warnings above; without --strict they are only said";
    Problem::new(ProblemCode::StrictWarning, text, hint)
}

/// Something was found: the first is named and the others are counted.
fn damaged(subject: &str, problems: &[String], hint: &str) -> Option<Problem> {
    let first = problems.first()?;
    let more = match problems.len() - 1 {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    let text = format!("{subject}: {first}{more}");
    Some(Problem::new(ProblemCode::ReleaseDamaged, text, hint))
}

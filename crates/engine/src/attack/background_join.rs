//! A site is played that recognizes its own sensitive values in a joined release, linked or
//! fragmented, or in the table of any tool.
//!
//! Needs the original, joined tables: what the site knows, and whether what it infers is true.
//! Whoever has them may see figures about people; a sensitive value is shown only when asked for,
//! and never in a message.

mod document;
mod files;
mod sentence;

use super::{AttackSubject, list};
use crate::failure;
use crate::inputs::Inputs;
use crate::measure::not_comparable;
use crate::run::Run;
use crate::tables::{ForeignTable, read_anonymized};
use crate::whole::{PUBLISH_AGAIN, whole_release};
use mingle_assess::attack::background_join::{
    self, BackgroundJoin, BackgroundJoinOptions, Error, Joined, ReleaseForm,
};
use mingle_model::{Cube, Fragments, Missing, PersonRows, Published, Role};
use mingle_policy::{PersonColumn, PersonScope, Policy, closest};
use mingle_privacy::{Promise, Verification};
use mingle_record::answer::BackgroundJoinAnswer;
use mingle_record::{Judgement, Problem, ProblemCode};
use mingle_release::manifest::ManifestMeaning;
use std::path::Path;

/// What is to be played.
#[derive(Clone, Copy)]
pub struct BackgroundJoinRequest<'a> {
    /// What is attacked.
    pub subject: AttackSubject<'a>,
    /// What it was made by.
    pub policy: &'a Policy,
    /// The original, joined tables.
    pub original: &'a Inputs,
    /// The sensitive columns that the site knows; each in turn where none is given.
    pub knows: &'a [String],
    /// The quasi-identifiers that the site knows; all where none is given.
    pub quasi_identifiers: &'a [String],
    /// Whether sensitive values may be shown.
    pub show_values: bool,
}

/// What came of it.
pub struct BackgroundJoinOutcome {
    /// The document `mingle.attack-background-join/1`.
    pub answer: BackgroundJoinAnswer,
    /// What every reader learns, in full.
    pub found: BackgroundJoin,
    /// How the release is published.
    pub form: ReleaseForm,
    /// What the site knows.
    pub options: BackgroundJoinOptions,
    subject: String,
    /// The sensitive columns by name.
    sensitive: Vec<String>,
}

/// Plays the site.
pub fn background_join(
    request: &BackgroundJoinRequest<'_>,
    run: &Run,
) -> Result<BackgroundJoinOutcome, Problem> {
    let policy = request.policy;
    check_names(request.knows, "--knows", Role::Sensitive, policy)?;
    check_names(
        request.quasi_identifiers,
        "--quasi-identifier",
        Role::QuasiIdentifier,
        policy,
    )?;
    let target = match request.subject {
        AttackSubject::Table(file) => of_table(policy, file)?,
        AttackSubject::Release(folder) => of_release(folder)?,
    };
    let original = request.original.read(policy, run)?;
    run.step("joining");
    let cube = Cube::new(original.table.clone());
    let joined = target.joined(&cube, &policy.data.missing)?;
    let knows_all = request.quasi_identifiers.is_empty();
    let options = BackgroundJoinOptions {
        knows: request.knows.to_vec(),
        quasi_identifiers: (!knows_all).then(|| request.quasi_identifiers.to_vec()),
        k: target.k,
        seed: policy.method.seed,
    };
    let found = background_join::play(&joined, &options).map_err(|e| not_played(&e))?;
    run.check()?;
    let played = Played {
        joined: &joined,
        form: target.form,
        options: &options,
        found: &found,
        show_values: request.show_values,
    };
    let answer = played.answer();
    let sensitive = joined.sensitive().iter().map(|column| column.name.clone());
    Ok(BackgroundJoinOutcome {
        answer,
        form: target.form,
        subject: request.subject.name(),
        sensitive: sensitive.collect(),
        options,
        found,
    })
}

/// What is attacked.
struct Target {
    published: Groups,
    form: ReleaseForm,
    k: u64,
}

/// What is known about its groups.
enum Groups {
    /// Which sensitive values belong together, as the release says.
    Linked(Box<Published>),
    /// The same, as its private part says.
    Audited(Box<Verification>),
    /// Only each column by itself.
    Fragmented(Fragments),
}

/// What came of it, while the original is at hand.
struct Played<'a> {
    joined: &'a Joined<'a>,
    form: ReleaseForm,
    options: &'a BackgroundJoinOptions,
    found: &'a BackgroundJoin,
    show_values: bool,
}

/// Refuses, before anything is read, columns that the policy does not have in this role.
fn check_names(names: &[String], flag: &str, role: Role, policy: &Policy) -> Result<(), Problem> {
    let of_role = || {
        policy
            .with_role(role)
            .map(|column| column.spec.name.as_str())
    };
    let Some(wrong) = names
        .iter()
        .find(|name| !of_role().any(|known| known == *name))
    else {
        return Ok(());
    };
    let declared = policy
        .columns
        .iter()
        .find(|column| column.spec.name == *wrong);
    let text = match declared {
        Some(column) => format!(
            "{flag} {wrong:?}: the column's role is {}",
            column.spec.role.name()
        ),
        None => format!("{flag} {wrong:?}: the policy has no such column"),
    };
    let close =
        closest(wrong, of_role()).map_or(String::new(), |name| format!("did you mean {name:?}? "));
    let hint = match of_role().collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => format!("the policy has no {} column", role.name()),
        all => format!("{close}{} columns: {all}", role.name()),
    };
    Err(Problem::new(ProblemCode::Usage, text, hint))
}

fn of_table(policy: &Policy, foreign: ForeignTable<'_>) -> Result<Target, Problem> {
    Ok(Target {
        published: Groups::Linked(Box::new(table_of_people(policy, foreign)?)),
        form: ReleaseForm::Linked,
        k: policy.k(),
    })
}

/// The table of any tool, with whose rows are whose as far as it says so.
pub(super) fn table_of_people(
    policy: &Policy,
    foreign: ForeignTable<'_>,
) -> Result<Published, Problem> {
    let read = read_anonymized(policy, foreign, &[Role::Sensitive, Role::Identifier])?;
    let mut table = read.table;
    let is_local = |person: &PersonColumn| person.scope == PersonScope::Provider;
    if policy.data.people.column().is_some_and(is_local) && !read.knows_providers {
        // two providers' people with the same identifier would become one
        table.person_of = None;
    }
    let published = Published::from_table(&table);
    Ok(match policy.person_rows() {
        PersonRows::Apart => published.with_rows_apart(),
        PersonRows::Together => published,
    })
}

/// A release is attacked by its own promise. Where it is fragmented and its private part is here,
/// that says what belongs together.
fn of_release(folder: &Path) -> Result<Target, Problem> {
    let (release, findings) = whole_release(folder, PUBLISH_AGAIN)?;
    let manifest = release.manifest().map_err(|e| failure::release(&e))?;
    let k = promised_k(&manifest.promises().unwrap_or_default());
    let fragments = release.fragments().map_err(|e| failure::release(&e))?;
    let (published, form) = match (fragments, findings.verification) {
        (Some(_), Some(audited)) => (Groups::Audited(Box::new(audited)), ReleaseForm::Fragmented),
        (Some(fragments), None) => (Groups::Fragmented(fragments), ReleaseForm::Fragmented),
        // whose rows are whose is in the private part alone
        (None, Some(audited)) if audited.published().people().is_some() => {
            (Groups::Audited(Box::new(audited)), ReleaseForm::Linked)
        }
        (None, _) => (
            Groups::Linked(Box::new(
                release.published().map_err(|e| failure::release(&e))?,
            )),
            ReleaseForm::Linked,
        ),
    };
    Ok(Target { published, form, k })
}

/// The promised group size; 1 where none is promised.
fn promised_k(promises: &[Promise]) -> u64 {
    let k = promises
        .iter()
        .find_map(|promise| promise.rule.as_k_anonymity());
    k.map_or(1, |k| k.0)
}

impl Target {
    fn joined<'a>(&self, original: &'a Cube, missing: &Missing) -> Result<Joined<'a>, Problem> {
        let joined = match &self.published {
            Groups::Linked(published) => Joined::linked(original, missing, published),
            Groups::Audited(audited) => Joined::linked(original, missing, audited.published()),
            Groups::Fragmented(fragments) => Joined::relinked(original, missing, fragments),
        };
        joined.map_err(|e| not_played(&e))
    }
}

pub(super) fn not_played(error: &Error) -> Problem {
    let (code, hint) = match error {
        Error::Comparison(error) => return not_comparable(error),
        Error::SensitiveColumn { .. }
        | Error::ForeignValue { .. }
        | Error::ForeignRow { .. }
        | Error::NotPublished { .. } => (
            ProblemCode::NotComparable,
            "give the policy and the tables that the release was made from",
        ),
        Error::Ambiguous { .. } => (
            ProblemCode::GroupsUnknown,
            "run the attack where the private part of the release is",
        ),
        Error::WhoseRows { of: "release" } => (
            ProblemCode::GroupsUnknown,
            "run the attack where the private part of the release is, or with a table that keeps the column of `person`",
        ),
        Error::WhoseRows { .. } => (
            ProblemCode::NotComparable,
            "name the column that tells people apart: `person` in [data]",
        ),
        Error::RowsApart => (
            ProblemCode::PersonRefused,
            "`mingle attack insider` and `mingle verify` count people with rows apart",
        ),
        Error::NothingToJoin { .. } => (
            ProblemCode::NothingToJoin,
            "`mingle verify` checks what a release with one sensitive column says",
        ),
        Error::NothingToLearn => (
            ProblemCode::NothingToJoin,
            "leave a sensitive column out of --knows",
        ),
        Error::NotSensitive { .. } | Error::NotQuasiIdentifier { .. } => (
            ProblemCode::Usage,
            "use the names of the columns in the policy",
        ),
    };
    Problem::new(code, error.to_string(), hint)
}

impl Played<'_> {
    /// Whether nobody is newly exposed by the release at hand.
    fn verdict(&self) -> Judgement {
        Judgement::holds_if(self.found.worst(self.form).is_none())
    }

    fn name(&self, column: usize) -> &str {
        &self.joined.sensitive()[column].name
    }

    /// `disease and job`.
    fn names(&self, columns: &[usize]) -> String {
        let names: Vec<&str> = columns.iter().map(|&column| self.name(column)).collect();
        list(&names)
    }
}

impl BackgroundJoinOutcome {
    /// A sensitive column's name.
    pub fn name(&self, column: usize) -> &str {
        &self.sensitive[column]
    }

    /// `disease and job`.
    pub fn names(&self, columns: &[usize]) -> String {
        let names: Vec<&str> = columns.iter().map(|&column| self.name(column)).collect();
        list(&names)
    }

    /// What every reader learns as CSV.
    pub fn table(&self) -> Result<Vec<u8>, Problem> {
        files::table(self)
    }

    /// How many people's values are how likely, as SVG.
    pub fn figure(&self) -> String {
        files::figure(self).to_svg()
    }

    /// Why the release should not be handed out; `None` where nobody is newly exposed.
    pub fn problem(&self) -> Option<Problem> {
        let worst = self.found.worst(self.form)?;
        let text = format!(
            "{}: who knows {} learns the {} of {} people for certain, and could not otherwise",
            self.subject,
            self.names(&worst.known),
            self.name(worst.target),
            worst.newly(self.form)
        );
        let hint = match self.form {
            ReleaseForm::Linked if worst.fragmented.is_none() => {
                "do not hand the table out; publish fewer sensitive columns side by side, or larger groups"
            }
            ReleaseForm::Linked => {
                "do not hand the table out; publish its sensitive columns fragmented"
            }
            ReleaseForm::Fragmented => {
                "do not hand the tables out; groups that overlap give people away"
            }
        };
        Some(Problem::new(ProblemCode::AttackSucceeds, text, hint))
    }
}

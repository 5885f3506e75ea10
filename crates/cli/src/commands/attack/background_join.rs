//! `mingle attack background-join`: plays a site that recognizes its own sensitive values in a
//! joined release, linked or fragmented, or in the table of any tool.
//!
//! Needs the original, joined tables: what the site knows, and whether what it infers is true.
//! Whoever has them may see figures about people; a sensitive value is shown only when asked for,
//! and never in a message.

mod document;
mod files;
mod sentence;
mod text;

use crate::args::AttackBackgroundJoin;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
pub(super) use document::rounded;
use files::Outputs;
use mingle::failure;
use mingle::measure::not_comparable;
use mingle::tables::{read_anonymized, read_original};
use mingle_assess::attack::background_join::{self, BackgroundJoin, Error, Form, Joined, Options};
use mingle_model::{Cube, Fragments, Missing, Published, Role};
use mingle_policy::{Policy, closest};
use mingle_privacy::{Promise, Verification};
use mingle_record::Code;
use mingle_release::Release;
use std::path::Path;

/// What is attacked.
struct Target {
    published: Groups,
    form: Form,
    k: u64,
}

/// What is known about its groups.
enum Groups {
    /// Which sensitive values belong together, as the release says.
    Linked(Published),
    /// The same, as its private part says.
    Audited(Box<Verification>),
    /// Only each column by itself.
    Fragmented(Fragments),
}

/// What came of it.
struct Played<'a> {
    subject: String,
    joined: &'a Joined<'a>,
    form: Form,
    options: Options,
    found: BackgroundJoin,
    show_values: bool,
}

pub fn run(args: &AttackBackgroundJoin, screen: Screen) -> Result<Exit, Problem> {
    let outputs = Outputs::new(args)?;
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    check_names(&args.knows, "--knows", Role::Sensitive, &policy)?;
    check_names(
        &args.quasi_identifier,
        "--quasi-identifier",
        Role::QuasiIdentifier,
        &policy,
    )?;
    let run = terminal_run(screen);
    let (subject, target) = match (&args.subject.table, &args.subject.release) {
        (Some(table), _) => (table, of_table(&policy, table)?),
        (None, Some(folder)) => (folder, of_release(folder)?),
        (None, None) => {
            return Err(Problem::new(
                Code::Usage,
                "nothing to attack",
                "give a release, or --table",
            ));
        }
    };
    let original = read_original(&policy, &run)?;
    run.step("joining");
    let cube = Cube::new(original.table.clone());
    let joined = target.joined(&cube, &policy.data.missing)?;
    let all = args.quasi_identifier.is_empty();
    let options = Options {
        knows: args.knows.clone(),
        quasi_identifiers: (!all).then(|| args.quasi_identifier.clone()),
        k: target.k,
        seed: policy.method.seed,
    };
    let found = background_join::play(&joined, &options).map_err(|e| not_played(&e))?;
    drop(run);
    interrupt::check()?;
    let subject = subject.display().to_string();
    let played = Played {
        subject,
        joined: &joined,
        form: target.form,
        options,
        found,
        show_values: args.show_values,
    };
    outputs.write(&played, screen)?;
    match args.json {
        true => print_json(&played.to_json())?,
        false => print(&visible(&played.to_text()))?,
    }
    Ok(played.conclude(screen))
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
    Err(Problem::new(Code::Usage, text, hint))
}

fn of_table(policy: &Policy, file: &Path) -> Result<Target, Problem> {
    let table = read_anonymized(policy, file, &[Role::Sensitive])?.table;
    let published = Groups::Linked(Published::from_table(&table));
    Ok(Target {
        published,
        form: Form::Linked,
        k: policy.k(),
    })
}

/// A release is attacked by its own promise. Where it is fragmented and its private part is here,
/// that says what belongs together.
fn of_release(folder: &Path) -> Result<Target, Problem> {
    let release = Release::open(folder).map_err(|e| failure::release(&e))?;
    let findings = release.check();
    if let Some(first) = findings.problems.first() {
        let text = format!("{}: {first}", folder.display());
        return Err(Problem::new(
            Code::ReleaseDamaged,
            text,
            "publish again; this is not what was published",
        ));
    }
    let manifest = release.manifest().map_err(|e| failure::release(&e))?;
    let k = promised_k(&manifest.promises().unwrap_or_default());
    let fragments = release.fragments().map_err(|e| failure::release(&e))?;
    let (published, form) = match (fragments, findings.verification) {
        (Some(_), Some(audited)) => (Groups::Audited(Box::new(audited)), Form::Fragmented),
        (Some(fragments), None) => (Groups::Fragmented(fragments), Form::Fragmented),
        (None, _) => (
            Groups::Linked(release.published().map_err(|e| failure::release(&e))?),
            Form::Linked,
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
            Code::NotComparable,
            "give the policy and the tables that the release was made from",
        ),
        Error::Ambiguous { .. } => (
            Code::GroupsUnknown,
            "play the attack where the private part of the release is",
        ),
        Error::NothingToJoin { .. } => (
            Code::NothingToJoin,
            "`mingle verify` checks what a release with one sensitive column says",
        ),
        Error::NothingToLearn => (
            Code::NothingToJoin,
            "leave a sensitive column out of --knows",
        ),
        Error::NotSensitive { .. } | Error::NotQuasiIdentifier { .. } => {
            (Code::Usage, "name columns as the policy does")
        }
    };
    Problem::new(code, error.to_string(), hint)
}

impl Played<'_> {
    /// Whether nobody is newly exposed by the release at hand.
    fn verdict(&self) -> &'static str {
        if self.found.worst(self.form).is_some() {
            "fails"
        } else {
            "holds"
        }
    }

    fn name(&self, column: usize) -> &str {
        &self.joined.sensitive()[column].name
    }

    /// `disease and job`.
    fn names(&self, columns: &[usize]) -> String {
        sentence::list(
            &columns
                .iter()
                .map(|&column| self.name(column))
                .collect::<Vec<_>>(),
        )
    }

    fn conclude(&self, screen: Screen) -> Exit {
        let Some(worst) = self.found.worst(self.form) else {
            return Exit::Fine;
        };
        let text = format!(
            "{}: who knows {} learns the {} of {} people for certain, and would not without",
            self.subject,
            self.names(&worst.known),
            self.name(worst.target),
            worst.view(self.form).newly
        );
        let hint = match self.form {
            Form::Linked => "do not hand the table out; publish its sensitive columns fragmented",
            Form::Fragmented => "do not hand the tables out; groups that overlap give people away",
        };
        let problem = Problem::new(Code::AttackSucceeds, text, hint);
        screen.problem(&problem);
        problem.code().exit()
    }
}

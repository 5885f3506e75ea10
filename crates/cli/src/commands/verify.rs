//! `mingle verify`: checks a release, or a table that any tool has anonymized.

mod noisy;

use crate::args::Verify;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use mingle::document::Checked;
use mingle::failure;
use mingle::insiders;
use mingle::reports::{self, Compared};
use mingle::tables::{Anonymized, read_anonymized};
use mingle_model::{Published, Role};
use mingle_policy::Policy;
use mingle_privacy::{Insiders, Reach};
use mingle_record::Code;
use mingle_release::manifest::ManifestMeaning;
use mingle_release::manifest::PublicManifest;
use mingle_release::{Finding, Opened, Release, open_any};
use std::path::Path;

pub fn run(args: &Verify, screen: Screen) -> Result<Exit, Problem> {
    match (&args.subject.table, &args.policy, &args.subject.release) {
        (Some(table), Some(policy), _) => of_table(args, table, policy, screen),
        (_, _, Some(release)) => of_release(args, release, screen),
        _ => Err(Problem::new(
            Code::Usage,
            "nothing to verify",
            "give a release, or --table and --policy",
        )),
    }
}

fn of_table(args: &Verify, file: &Path, policy: &Path, screen: Screen) -> Result<Exit, Problem> {
    let policy = Policy::load(policy, &args.overrides.set)?;
    let Anonymized {
        table,
        knows_providers,
        unchecked,
    } = read_anonymized(&policy, file, &[Role::Sensitive])?;
    if !unchecked.is_empty() {
        let text = format!(
            "{}: nothing is checked about column(s) {}",
            file.display(),
            unchecked.join(", ")
        );
        let hint = "take them out before handing the table out, or declare another role";
        screen.warning(&Problem::new(Code::UncheckedColumns, text, hint));
    }
    let published = Published::from_table(&table);
    let providers = knows_providers.then(|| insiders::contributors(&table));
    // a policy that names providers means several of them, unless the table shows otherwise
    let stated = policy.insiders(providers.unwrap_or(2))?;
    let (against, reach) = if knows_providers {
        (stated, Reach::Everyone)
    } else {
        (Insiders::NONE, Reach::Stated)
    };
    let verification =
        mingle_privacy::verify(published, &policy.privacy()?.promises, against, reach)
            .map_err(|e| failure::privacy(&e))?;
    let checked = Checked {
        verification: Some(&verification),
        fragments: None,
        unlinked: &[],
        problems: Vec::new(),
        providers,
        stated,
        knows_providers,
    };
    if let Some(warning) = providers.and_then(|providers| insiders::warning(stated, providers)) {
        screen.warning(&warning);
    }
    if checked.lacks_providers() {
        screen.note(&lacking(&policy, file));
    }
    finish(
        &checked,
        &file.display().to_string(),
        DAMAGED,
        args.json,
        screen,
    )
}

/// Which column is missing.
fn lacking(policy: &Policy, file: &Path) -> String {
    let file = file.display();
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

fn of_release(args: &Verify, folder: &Path, screen: Screen) -> Result<Exit, Problem> {
    if let Some(flag) = args.overrides.set.first() {
        let text = format!("--set {flag}: a release is verified against its own promises");
        return Err(Problem::new(
            Code::Usage,
            text,
            "use --set with --table and --policy",
        ));
    }
    if args.policy.is_some() {
        let text = "--policy: a release is verified against its own promises";
        return Err(Problem::new(
            Code::Usage,
            text,
            "leave it out, or check the table with --table and --policy",
        ));
    }
    let release = match open_any(folder).map_err(|e| failure::release(&e))? {
        Opened::Grouped(release) => release,
        Opened::Noisy(release) => return noisy::run(&release, folder, args.json, screen),
    };
    let tool = release
        .manifest()
        .map_or(String::new(), |manifest| manifest.tool.clone());
    // reading the rows is most of the work, and both do
    let (mut findings, compared) =
        rayon::join(|| release.check(), || reports::compare(folder, &tool));
    let hint = report_hint(compared, &mut findings.problems, screen).unwrap_or(DAMAGED);
    let checked = Checked {
        verification: findings.verification.as_ref(),
        fragments: findings.fragments.as_ref(),
        unlinked: &findings.unlinked,
        problems: findings.problems.iter().map(ToString::to_string).collect(),
        providers: contributors(&release),
        stated: release
            .manifest()
            .ok()
            .and_then(PublicManifest::insiders)
            .unwrap_or(Insiders::NONE),
        knows_providers: findings.knows_providers,
    };
    if !findings.audited && release.private_manifest().is_none() {
        screen.note("there is no audit here: only what is public was checked");
    }
    finish(
        &checked,
        &folder.display().to_string(),
        hint,
        args.json,
        screen,
    )
}

const DAMAGED: &str = "do not hand it out; publish again";

/// Adds reports that do not say what the release says, where all else is in order; returns what to
/// do about them.
fn report_hint(
    compared: Compared,
    problems: &mut Vec<Finding>,
    screen: Screen,
) -> Option<&'static str> {
    if !problems.is_empty() {
        // of a release that is not what was published, no report is right
        return None;
    }
    match compared {
        Compared::Found(found) => problems.extend(found),
        Compared::OtherVersion => {
            screen.detail("another version wrote the release: its reports were not compared")
        }
    }
    Some("do not hand it out; `mingle report` writes the report anew")
}

/// How many providers took part; a joint release has sites instead, and nothing says who
/// contributed what.
fn contributors(release: &Release) -> Option<u64> {
    let manifest = release
        .private_manifest()
        .filter(|manifest| manifest.audit.is_some());
    manifest.map(|manifest| manifest.providers.len() as u64)
}

fn finish(
    checked: &Checked<'_>,
    subject: &str,
    hint: &str,
    json: bool,
    screen: Screen,
) -> Result<Exit, Problem> {
    match json {
        true => print_json(&checked.to_json())?,
        false => print(&visible(&checked.to_text()))?,
    }
    let problem = match (
        checked.verdict(),
        checked.problems.first(),
        checked.witness(),
    ) {
        ("holds", ..) => return Ok(Exit::Fine),
        (_, Some(first), _) => {
            let more = match checked.problems.len() - 1 {
                0 => String::new(),
                n => format!(" (and {n} more)"),
            };
            Problem::new(
                Code::ReleaseDamaged,
                format!("{subject}: {first}{more}"),
                hint,
            )
        }
        (_, _, Some(witness)) => {
            let who = match witness.coalition.len() {
                0 => String::new(),
                n => format!(" for a coalition of {n}"),
            };
            let hint = "do not hand the table out; the witness above names a group";
            Problem::new(
                Code::ConstraintFails,
                format!("{subject}: {} fails{who}", witness.name),
                hint,
            )
        }
        _ if checked.lacks_providers() => {
            let text = format!(
                "{subject}: undecided for insiders: nothing here says who contributed which row"
            );
            let hint = "verify the whole release folder with its private part, or a table with its provider column";
            Problem::new(Code::Undecided, text, hint)
        }
        _ if checked.lacks_links() => {
            let text = format!(
                "{subject}: undecided for sensitive columns together: fragments do not say which values belong together"
            );
            Problem::new(
                Code::Undecided,
                text,
                "verify the whole release folder with its private part",
            )
        }
        _ => Problem::new(
            Code::Undecided,
            format!("{subject}: undecided"),
            "undecided counts as not satisfied",
        ),
    };
    screen.problem(&problem);
    Ok(problem.code().exit())
}

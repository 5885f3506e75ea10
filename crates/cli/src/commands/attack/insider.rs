//! `mingle attack insider`: plays coalitions of providers against a release, or against the table
//! of any tool.
//!
//! Needs to know who contributed which row: the private part of a release, or the provider column
//! of a table. Whoever has that may see names of providers; a sensitive value is shown only when
//! asked for, and never in a message.

mod document;
mod files;
mod sentence;
mod text;

use crate::args::AttackInsider;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
use files::Outputs;
use mingle::Run;
use mingle::failure;
use mingle::insiders;
use mingle::measure::not_comparable;
use mingle::tables::{Anonymized, read_anonymized, read_original};
use mingle_assess::attack::insider::{self, Insider, Options, ends, ends::Ends};
use mingle_model::{Cube, Published, Role};
use mingle_policy::Policy;
use mingle_privacy::{Insiders, Promise};
use mingle_record::Code;
use mingle_release::Release;
use std::path::Path;

/// Coalitions beyond this size are played only when asked for, or promised to be withstood.
const UP_TO: u64 = 10;

/// The worst coalitions are named up to this size, and so many of each.
const NAMED_UP_TO: u64 = 2;
const NAMED: usize = 5;

/// What is attacked: groups with who contributed what, and what is promised about them.
struct Target {
    published: Published,
    promises: Vec<Promise>,
    insiders: Insiders,
}

/// What came of it.
struct Played<'a> {
    subject: String,
    target: &'a Target,
    insider: Insider,
    ends: Option<Ends>,
    show_values: bool,
}

pub fn run(args: &AttackInsider, screen: Screen) -> Result<Exit, Problem> {
    let outputs = Outputs::new(args)?;
    interrupt::listen();
    let run = terminal_run(screen);
    let (subject, target) = match (&args.subject.table, &args.policy, &args.subject.release) {
        (Some(table), Some(policy), _) => (table, of_table(args, table, policy)?),
        (_, _, Some(folder)) => (folder, of_release(args, folder)?),
        _ => {
            return Err(Problem::new(
                Code::Usage,
                "nothing to attack",
                "give a release, or --table and --policy",
            ));
        }
    };
    let providers = target.published.providers().len() as u64;
    let up_to = up_to(args.up_to, providers, target.insiders.m)?;
    run.step("playing coalitions");
    let options = Options {
        up_to,
        name_up_to: NAMED_UP_TO,
        named: NAMED,
    };
    let insider = insider::play(&target.published, &target.promises, options)
        .map_err(|e| failure::privacy(&e))?;
    let ends = label_ends(args, &target, &run)?;
    drop(run);
    interrupt::check()?;
    insiders::warning(target.insiders, providers)
        .iter()
        .for_each(|warning| screen.warning(warning));
    let subject = subject.display().to_string();
    let played = Played {
        subject,
        target: &target,
        insider,
        ends,
        show_values: args.show_values,
    };
    outputs.write(&played, screen)?;
    match args.json {
        true => print_json(&played.to_json())?,
        false => print(&visible(&played.to_text()))?,
    }
    Ok(played.conclude(screen))
}

fn of_table(args: &AttackInsider, file: &Path, policy: &Path) -> Result<Target, Problem> {
    let policy = Policy::load(policy, &args.overrides.set)?;
    let Anonymized {
        table,
        knows_providers,
        ..
    } = read_anonymized(&policy, file, &[Role::Sensitive])?;
    if !knows_providers {
        let text = match &policy.data.provider_column {
            Some(column) => format!(
                "{} has no column {column:?}, which says who contributed a row",
                file.display()
            ),
            None => format!(
                "the policy names no column of {} that says who contributed a row",
                file.display()
            ),
        };
        let hint =
            "name it as `provider_column` in [data]; `mingle verify` checks outsiders without it";
        return Err(Problem::new(Code::ContributorsUnknown, text, hint));
    }
    let insiders = policy.insiders(insiders::contributors(&table))?;
    Ok(Target {
        published: Published::from_table(&table),
        promises: policy.privacy()?.promises.clone(),
        insiders,
    })
}

fn of_release(args: &AttackInsider, folder: &Path) -> Result<Target, Problem> {
    if let (Some(flag), None) = (args.overrides.set.first(), &args.policy) {
        let text = format!("--set {flag}: a release is attacked by its own promises");
        return Err(Problem::new(Code::Usage, text, "use --set with --policy"));
    }
    let release = Release::open(folder).map_err(|e| failure::release(&e))?;
    if release.private_manifest().is_none() {
        let text = format!(
            "{}: there is no private part, so nothing says who contributed which row",
            folder.display()
        );
        let hint = "play insiders where the whole release is; `mingle verify` checks outsiders with public/ alone";
        return Err(Problem::new(Code::ContributorsUnknown, text, hint));
    }
    if let Some(first) = release.check().problems.first() {
        let text = format!("{}: {first}", folder.display());
        return Err(Problem::new(
            Code::ReleaseDamaged,
            text,
            "publish again; this is not what was published",
        ));
    }
    let manifest = release.manifest().map_err(|e| failure::release(&e))?;
    let published = release.audited().map_err(|e| failure::release(&e))?;
    match (published, manifest.promises(), manifest.insiders()) {
        (Some(published), Some(promises), Some(insiders)) => Ok(Target {
            published,
            promises,
            insiders,
        }),
        _ => Err(failure::defect("a release that was checked cannot be read")),
    }
}

/// How far to play: a coalition leaves somebody out.
fn up_to(asked: Option<u64>, providers: u64, m: u64) -> Result<u64, Problem> {
    let most = providers.saturating_sub(1);
    match asked {
        None => Ok(most.min(UP_TO.max(m))),
        Some(asked) if asked <= most => Ok(asked),
        Some(asked) => {
            let text = format!(
                "--up-to {asked}: there are {providers} provider(s), and a coalition leaves out at least one, so it has \
                 at most {most} member(s)"
            );
            Err(Problem::new(
                Code::Usage,
                text,
                format!("use --up-to {most} or less, or leave it out"),
            ))
        }
    }
}

/// With a release and the policy that names its original tables.
fn label_ends(args: &AttackInsider, target: &Target, run: &Run) -> Result<Option<Ends>, Problem> {
    let (Some(policy), None) = (&args.policy, &args.subject.table) else {
        return Ok(None);
    };
    let policy = Policy::load(policy, &args.overrides.set)?;
    let original = read_original(&policy, run)?;
    run.step("looking at ends of ranges");
    let cube = Cube::new(original.table.clone());
    let found = ends::given_away(
        &cube,
        &policy.data.missing,
        &target.published,
        explaining(target),
    );
    found.map(Some).map_err(|e| not_comparable(&e))
}

/// Ends of ranges that at most so many contributors explain are reported: m, or what one insider
/// learns from them where nobody was thought of.
fn explaining(target: &Target) -> u64 {
    target.insiders.m.max(1)
}

impl Played<'_> {
    /// The largest coalition that is promised to be withstood, as far as it was played.
    fn promised_size(&self) -> u64 {
        self.target
            .insiders
            .m
            .min(self.insider.exposure.len() as u64 - 1)
    }

    /// Whether the promises withstand up to m insiders.
    fn verdict(&self) -> &'static str {
        let exposure = &self.insider.exposure[self.promised_size() as usize];
        let most = (self.target.published.providers().len() as u64).saturating_sub(1);
        match () {
            () if exposure.groups > 0 || self.short_of_providers() > 0 => "fails",
            () if exposure.undecided > 0 || exposure.size < self.target.insiders.m.min(most) => {
                "undecided"
            }
            () => "holds",
        }
    }

    /// How many groups have fewer contributors than strict semantics asks for.
    fn short_of_providers(&self) -> usize {
        let fewest = self.target.insiders.fewest_providers();
        self.insider
            .groups
            .iter()
            .filter(|group| (group.providers as u64) < fewest)
            .count()
    }

    fn conclude(&self, screen: Screen) -> Exit {
        let subject = &self.subject;
        let m = self.target.insiders.m;
        let problem = match self.verdict() {
            "holds" => return Exit::Fine,
            "fails" if self.insider.exposure[self.promised_size() as usize].groups == 0 => {
                let text = format!(
                    "{subject}: {} group(s) have too few contributors",
                    self.short_of_providers()
                );
                Problem::new(
                    Code::AttackSucceeds,
                    text,
                    "do not hand the table out; their origin is known",
                )
            }
            "fails" => {
                let text = format!(
                    "{subject}: coalitions of at most {m} provider(s) break what is promised"
                );
                Problem::new(
                    Code::AttackSucceeds,
                    text,
                    "do not hand the table out; the inference above is one case",
                )
            }
            _ => {
                let text = format!(
                    "{subject}: not all coalitions of at most {m} provider(s) could be decided"
                );
                Problem::new(
                    Code::Undecided,
                    text,
                    "undecided counts as not satisfied; play up to m, or use other constraints",
                )
            }
        };
        screen.problem(&problem);
        problem.code().exit()
    }
}

//! Coalitions of providers are played against a release, or against the table of any tool.
//!
//! Needs to know who contributed which row: the private part of a release, or the provider column
//! of a table. Whoever has that may see names of providers; a sensitive value is shown only when
//! asked for, and never in a message.

mod document;
mod files;
mod sentence;

pub use sentence::names;

use super::AttackSubject;
use crate::failure;
use crate::inputs::Inputs;
use crate::insiders;
use crate::measure::not_comparable;
use crate::run::Run;
use crate::tables::{Anonymized, ForeignTable, read_anonymized};
use crate::whole::{PUBLISH_AGAIN, refuse_damaged};
use mingle_assess::attack::insider::{Insider, InsiderOptions, SharedPeople, ends, ends::Ends};
use mingle_assess::attack::insider::{play, shared_people};
use mingle_model::counted;
use mingle_model::{Cube, PersonRows, Published, Role};
use mingle_policy::Policy;
use mingle_privacy::{Insiders, Knows, M, Promise};
use mingle_record::answer::InsiderAnswer;
use mingle_record::{Judgement, Problem, ProblemCode};
use mingle_release::Release;
use mingle_release::manifest::ManifestMeaning;
use std::path::Path;

/// Coalitions beyond this size are played only when asked for, or promised to be withstood.
const UP_TO: u64 = 10;

/// The worst coalitions are named up to this size, and so many of each.
const NAMED_UP_TO: u64 = 2;
const NAMED: usize = 5;

/// What is to be played.
#[derive(Clone, Copy)]
pub struct InsiderRequest<'a> {
    /// What is attacked.
    pub subject: AttackSubject<'a>,
    /// The policy of a table; a release is attacked by its own promises.
    pub policy: Option<&'a Policy>,
    /// The largest coalition; otherwise all providers but one, at most 10 or m.
    pub up_to: Option<u64>,
    /// Whether sensitive values may be shown.
    pub show_values: bool,
}

/// What came of it. No `Debug`: it has cells.
pub struct InsiderOutcome {
    /// What messages call what was attacked.
    pub subject: String,
    /// The groups, with who contributed what.
    pub published: Published,
    /// What is promised about them.
    pub promises: Vec<Promise>,
    /// Against whom.
    pub insiders: Insiders,
    /// What coalitions can do.
    pub insider: Insider,
    /// The same for insiders who know of people what the policy does not say, where people may have
    /// several rows.
    pub beside: Option<Insider>,
    /// What coalitions learn about people they share with others, where people may have several
    /// rows.
    pub shared: Option<SharedPeople>,
    /// What ends of ranges give away, where the original tables were given.
    pub ends: Option<Ends>,
    /// What is odd about m.
    pub warning: Option<Problem>,
    show_values: bool,
}

/// Plays coalitions.
pub fn insider(request: &InsiderRequest<'_>, run: &Run) -> Result<InsiderOutcome, Problem> {
    let target = match (request.subject, request.policy) {
        (AttackSubject::Table(file), Some(policy)) => Target::of_table(policy, file)?,
        (AttackSubject::Release(folder), _) => Target::of_release(folder)?,
        (AttackSubject::Table(_), None) => {
            let hint = "name a release folder, or use --table and --policy";
            return Err(Problem::new(ProblemCode::Usage, "nothing to attack", hint));
        }
    };
    let providers = target.published.providers().len() as u64;
    let up_to = up_to(request.up_to, providers, target.insiders.m)?;
    run.step("playing coalitions");
    let options = InsiderOptions {
        up_to,
        name_up_to: NAMED_UP_TO,
        named: NAMED,
        knows: target.insiders.knows,
    };
    let insider =
        play(&target.published, &target.promises, options).map_err(|e| failure::privacy(&e))?;
    run.check()?;
    let beside = if target.published.people().is_some() {
        run.step("trying coalitions that know differently");
        let options = InsiderOptions {
            knows: other_than(target.insiders.knows),
            name_up_to: 0,
            ..options
        };
        let played = play(&target.published, &target.promises, options);
        Some(played.map_err(|e| failure::privacy(&e))?)
    } else {
        None
    };
    let shared = shared_people(&target.published, up_to.min(NAMED_UP_TO), NAMED);
    run.check()?;
    Ok(InsiderOutcome {
        subject: request.subject.name(),
        warning: insiders::warning(target.insiders, providers),
        published: target.published,
        promises: target.promises,
        insiders: target.insiders,
        insider,
        beside,
        shared,
        ends: None,
        show_values: request.show_values,
    })
}

/// What is attacked: groups with who contributed what, and what is promised about them.
struct Target {
    published: Published,
    promises: Vec<Promise>,
    insiders: Insiders,
}

impl Target {
    fn of_table(policy: &Policy, foreign: ForeignTable<'_>) -> Result<Target, Problem> {
        let Anonymized {
            table,
            knows_providers,
            ..
        } = read_anonymized(policy, foreign, &[Role::Sensitive, Role::Identifier])?;
        if !knows_providers {
            let text = match &policy.data.provider_column {
                Some(column) => format!(
                    "{} has no column {column:?}, which says who contributed a row",
                    foreign.name()
                ),
                None => format!(
                    "the policy names no column of {} that says who contributed a row",
                    foreign.name()
                ),
            };
            let hint = "name it as `provider_column` in [data]; `mingle verify` checks outsiders without it";
            return Err(Problem::new(ProblemCode::ContributorsUnknown, text, hint));
        }
        let insiders = policy.insiders(insiders::contributors(&table))?;
        let mut published = Published::from_table(&table);
        if policy.person_rows() == PersonRows::Apart {
            published = published.with_rows_apart();
        }
        Ok(Target {
            published,
            promises: policy.privacy()?.promises.clone(),
            insiders,
        })
    }

    fn of_release(folder: &Path) -> Result<Target, Problem> {
        let release = Release::open(folder).map_err(|e| failure::release(&e))?;
        let name = folder.display().to_string();
        if release.private_manifest().is_none() {
            let text = format!(
                "{name}: there is no private part, so nothing says who contributed which row"
            );
            let hint = "run this where the whole release is; with public/ alone, `mingle verify` checks outsiders";
            return Err(Problem::new(ProblemCode::ContributorsUnknown, text, hint));
        }
        refuse_damaged(Some(&name), &release.check().problems, PUBLISH_AGAIN)?;
        if release
            .private_manifest()
            .is_some_and(|private| private.audit.is_none())
        {
            let protocol = release
                .manifest()
                .ok()
                .and_then(|manifest| manifest.protocol.as_ref());
            let together = match protocol.map(|protocol| protocol.sites.len()) {
                Some(sites) if sites > 2 => {
                    format!("{sites} providers made this release together, and none of them knows")
                }
                _ => "two sites made this release together, and neither knows".to_owned(),
            };
            let text = format!("{name}: {together} who contributed which row");
            let hint = "what a site could learn from its own rows was decided when the release was made; \
                        `mingle verify` checks outsiders";
            return Err(Problem::new(ProblemCode::ContributorsUnknown, text, hint));
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
}

/// What insiders know otherwise.
fn other_than(knows: Knows) -> Knows {
    match knows {
        Knows::People => Knows::Rows,
        Knows::Rows => Knows::People,
    }
}

/// How far to play: a coalition leaves somebody out.
fn up_to(asked: Option<u64>, providers: u64, m: M) -> Result<u64, Problem> {
    let most = providers.saturating_sub(1);
    match asked {
        None => Ok(most.min(UP_TO.max(m.0))),
        Some(asked) if asked <= most => Ok(asked),
        Some(asked) => {
            let text = format!(
                "--up-to {asked}: a coalition leaves out at least one of {}, so it has at most {}",
                counted(providers, "provider"),
                counted(most, "member")
            );
            let hint = format!("use --up-to {most} or less, or leave it out");
            Err(Problem::new(ProblemCode::Usage, text, hint))
        }
    }
}

impl InsiderOutcome {
    /// How many people, where they may have several rows. With rows apart somebody is counted in each
    /// of her groups.
    pub fn people(&self) -> Option<u64> {
        self.published.people()?;
        let groups = self.insider.groups.iter();
        Some(groups.map(|group| group.people).sum())
    }

    /// What insiders know in [`beside`](InsiderOutcome::beside).
    pub fn known_beside(&self) -> Knows {
        other_than(self.insiders.knows)
    }

    /// Looks at what the ends of ranges give away, with the policy and the original tables of a
    /// release.
    pub fn look_at_label_ends(
        &mut self,
        policy: &Policy,
        original: &Inputs,
        run: &Run,
    ) -> Result<(), Problem> {
        let original = original.read(policy, run)?;
        run.step("looking at ends of ranges");
        let cube = Cube::new(original.table.clone());
        let (most, missing) = (self.explained_by_at_most(), &policy.data.missing);
        let readers = (most, self.insiders.knows);
        let found = ends::given_away(&cube, missing, &self.published, readers);
        self.ends = Some(found.map_err(|e| not_comparable(&e))?);
        run.check()
    }

    /// The document `mingle.attack-insider/1`.
    pub fn answer(&self) -> InsiderAnswer {
        document::answer(self)
    }

    /// The exposure by size of the coalition as CSV.
    pub fn exposure_table(&self) -> Result<Vec<u8>, Problem> {
        files::exposure(self)
    }

    /// The smallest coalition of every group as CSV.
    pub fn groups_table(&self) -> Result<Vec<u8>, Problem> {
        files::groups(self)
    }

    /// The exposure by size of the coalition as SVG.
    pub fn figure(&self) -> String {
        files::chart(self).to_svg()
    }

    /// The largest coalition that is promised to be withstood, as far as it was played.
    pub fn promised_size(&self) -> u64 {
        self.insiders
            .m
            .0
            .min(self.insider.exposure.len() as u64 - 1)
    }

    /// Ends of ranges that at most so many contributors explain are reported: m, or what one
    /// insider learns from them where nobody was thought of.
    pub fn explained_by_at_most(&self) -> u64 {
        self.insiders.m.0.max(1)
    }

    /// Whether the promises withstand up to m insiders.
    pub fn verdict(&self) -> Judgement {
        let exposure = &self.insider.exposure[self.promised_size() as usize];
        let most = (self.published.providers().len() as u64).saturating_sub(1);
        if exposure.groups > 0 || self.short_of_providers() > 0 {
            Judgement::Fails
        } else if exposure.undecided > 0 || exposure.size < self.insiders.m.0.min(most) {
            Judgement::Undecided
        } else {
            Judgement::Holds
        }
    }

    /// How many groups have fewer contributors than strict semantics asks for.
    pub fn short_of_providers(&self) -> usize {
        let fewest = self.insiders.fewest_providers();
        let is_short = |providers: usize| (providers as u64) < fewest;
        self.insider
            .groups
            .iter()
            .filter(|group| is_short(group.providers))
            .count()
    }

    /// Why the table should not be handed out; `None` where it withstands.
    pub fn problem(&self) -> Option<Problem> {
        let subject = &self.subject;
        let m = self.insiders.m.0;
        let broken = self.insider.exposure[self.promised_size() as usize].groups;
        let (code, text, hint) = match self.verdict() {
            Judgement::Holds => return None,
            Judgement::Fails if broken == 0 => (
                ProblemCode::AttackSucceeds,
                format!(
                    "{subject}: {} with too few contributors",
                    counted(self.short_of_providers(), "group")
                ),
                "do not hand the table out; their origin is known",
            ),
            Judgement::Fails => (
                ProblemCode::AttackSucceeds,
                format!(
                    "{subject}: coalitions of at most {} break what is promised",
                    counted(m, "provider")
                ),
                "do not hand the table out; the inference above is one case",
            ),
            Judgement::Undecided => (
                ProblemCode::Undecided,
                format!(
                    "{subject}: not all coalitions of at most {} could be decided",
                    counted(m, "provider")
                ),
                "undecided counts as not satisfied; use --up-to m, or other constraints",
            ),
        };
        Some(Problem::new(code, text, hint))
    }
}

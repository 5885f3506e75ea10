//! `mingle site run` for providers with rows of one table: from this provider's rows to a folder
//! that all providers have alike.

use super::run::{Ended, conclude, tell};
use super::settings::Settings;
use super::watch::Watch;
use super::{problem, report};
use crate::args::SiteRun;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print_json, wrap};
use crate::progress::terminal_run;
use mingle::joint::JointNoise;
use mingle::{Run, failure, noise, providers};
use mingle_policy::Policy;
use mingle_protocol::horizontal::{statements, verification_statements};
use mingle_release::InputFile;
use mingle_site::{
    Deposit, Error, Identity, Invitation, NoisyWork, ProviderDeposit, ProviderSite, ProviderWork,
};
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

pub fn run(
    args: &SiteRun,
    settings: Settings,
    started: Instant,
    screen: Screen,
) -> Result<Exit, Problem> {
    let Some(invitation) = settings.invitation.clone() else {
        return Err(failure::defect("a run without an invitation"));
    };
    let identity = invited(&settings, &invitation)?;
    let policy = Policy::load(&settings.policy, &args.overrides.set)?;
    let cancel = interrupt::listen();
    let out = args.out.clone().unwrap_or_else(|| settings.out.clone());
    let run = terminal_run(screen);
    let read = part(&policy, &out, &run);
    run.end();
    let part = read?;
    screen.warnings(&part.warnings);
    screen.note(&announcement(&settings.name, &invitation, &part));
    let watch = Arc::new(Watch::new(screen, &settings.peer_name));
    let deposit = ProviderDeposit {
        release: Deposit {
            out: out.clone(),
            force: args.force,
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            policy: Some(policy.document.clone()),
            inputs: part.files,
            reports: Some(mingle::report::render),
        },
        opened_runs: settings.key.with_extension("runs.json"),
        accept_repeated_totals: part.accept_repeated_totals,
    };
    let site = ProviderSite {
        identity,
        invitation,
        limits: settings.limits,
        deposit,
    };
    let is_noise = matches!(part.work, ProviderWork::Noise(_));
    let outcome = mingle_site::run_provider(site, part.work, watch.clone(), cancel.flag());
    watch.finish();
    let outcome = outcome.map_err(|e| match e {
        Error::Protocol(error) => providers::problem(&error),
        other => problem(&other),
    })?;
    let ended = Ended {
        outcome,
        partner: "another provider".to_owned(),
        explain: providers::problem,
    };
    conclude(screen, &ended, &|before, warning| {
        if !is_noise {
            return tell(args, (&out, started), (screen, &ended), (before, warning));
        }
        let release = JointNoise::open(&out, before, started.elapsed(), ended.outcome.moved)?;
        screen.note(&report::noise_text(&release));
        if args.json {
            print_json(&release.answer(warning))?;
        }
        Ok(Exit::Fine)
    })
}

/// This site's key, if the invitation names it.
pub fn invited(settings: &Settings, invitation: &Invitation) -> Result<Identity, Problem> {
    let identity = Identity::load(&settings.key, &settings.certificate).map_err(|e| problem(&e))?;
    identity
        .check_valid(SystemTime::now())
        .map_err(|e| problem(&e))?;
    if invitation.seat_of(&identity.public_key()).is_none() {
        return Err(problem(&Error::NotInvited));
    }
    Ok(identity)
}

/// What this provider brings, whatever the policy is for.
struct Part {
    work: ProviderWork,
    rows: u64,
    files: Vec<InputFile>,
    warnings: Vec<Problem>,
    accept_repeated_totals: bool,
}

fn part(policy: &Policy, out: &Path, run: &Run) -> Result<Part, Problem> {
    if policy.noise().is_some() {
        let noise = noise::shared(policy, out, run)?;
        return Ok(Part {
            rows: noise.rows,
            files: noise.facts.inputs.clone(),
            warnings: noise.warnings,
            // noise hides what another run with other rows would tell, and is paid for
            accept_repeated_totals: true,
            work: ProviderWork::Noise(Box::new(NoisyWork {
                policy: noise.policy,
                m: noise.m,
                task: noise.task,
                facts: noise.facts,
                spending: noise.spending,
            })),
        });
    }
    let part = providers::setup(policy, run)?;
    Ok(Part {
        rows: part.rows.len() as u64,
        files: part.files,
        warnings: Vec::new(),
        accept_repeated_totals: part.accept_repeated_totals,
        work: ProviderWork::Table {
            terms: part.terms,
            schema: part.schema,
            rows: part.rows,
        },
    })
}

/// What will be promised and revealed, said before the first byte is sent.
fn announcement(name: &str, invitation: &Invitation, part: &Part) -> String {
    let mut names = Vec::new();
    for provider in invitation.providers() {
        names.push(provider.name.as_str());
    }
    let mut text = format!(
        "{name} publishes with {} providers: {}\nbrings: {} rows, which stay here\n",
        names.len(),
        names.join(", "),
        part.rows
    );
    let said = match &part.work {
        ProviderWork::Noise(noise) => noise.task.statements(noise.m, names.len()),
        ProviderWork::Verification(work) => verification_statements(&work.terms, names.len()),
        ProviderWork::Table { terms, .. } => statements(terms, names.len()),
    };
    for said in said {
        text += &format!("{said}\n");
    }
    wrap(&text).trim_end().to_owned()
}

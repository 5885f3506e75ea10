//! `mingle site run` for providers with rows of one table: from this provider's rows to a folder
//! that all providers have alike.

use super::problem;
use super::run::{Ended, conclude};
use super::settings::Settings;
use super::watch::Watch;
use crate::args::SiteRun;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, wrap};
use crate::progress::terminal_run;
use mingle::failure;
use mingle::providers::{self, ProviderPart};
use mingle_policy::Policy;
use mingle_protocol::horizontal::statements;
use mingle_site::{Deposit, Error, Identity, Invitation, ProviderDeposit, ProviderSite};
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
    let identity = Identity::load(&settings.key, &settings.certificate).map_err(|e| problem(&e))?;
    identity
        .check_valid(SystemTime::now())
        .map_err(|e| problem(&e))?;
    if invitation.seat_of(&identity.public_key()).is_none() {
        return Err(problem(&Error::NotInvited));
    }
    let policy = Policy::load(&settings.policy, &args.overrides.set)?;
    let cancel = interrupt::listen();
    let run = terminal_run(screen);
    let read = providers::setup(&policy, &run);
    run.end();
    let part = read?;
    screen.note(&announcement(&settings.name, &invitation, &part));
    let out = args.out.clone().unwrap_or_else(|| settings.out.clone());
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
    let data = (part.schema, part.rows);
    let outcome = mingle_site::run_provider(site, part.terms, data, watch.clone(), cancel.flag());
    watch.finish();
    let outcome = outcome.map_err(|e| match e {
        Error::Protocol(error) => providers::problem(&error),
        other => problem(&other),
    })?;
    let ended = Ended {
        outcome,
        out,
        partner: "another provider".to_owned(),
        started,
        explain: providers::problem,
    };
    conclude(args, screen, &ended)
}

/// What will be promised and revealed, said before the first byte is sent.
fn announcement(name: &str, invitation: &Invitation, part: &ProviderPart) -> String {
    let mut names = Vec::new();
    for provider in invitation.providers() {
        names.push(provider.name.as_str());
    }
    let mut text = format!(
        "{name} publishes with {} providers: {}\nbrings: {} rows, which stay here\n",
        names.len(),
        names.join(", "),
        part.rows.len()
    );
    for said in statements(&part.terms, names.len()) {
        text += &format!("{said}\n");
    }
    wrap(&text).trim_end().to_owned()
}

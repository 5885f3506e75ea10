//! `mingle site run`: one site's part of a joint release, from its table to a folder that both
//! sites have alike.

use super::settings::Settings;
use super::watch::Watch;
use super::{problem, report};
use crate::args::SiteRun;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print_json, wrap};
use crate::progress::terminal_run;
use mingle::joint::{JointRelease, JointSeat};
use mingle::promises;
use mingle_model::Role;
use mingle_model::{counted, plural};
use mingle_policy::Policy;
use mingle_protocol::{Seat, Setup};
use mingle_record::ProblemCode;
use mingle_release::promise_entry::entry_of;
use mingle_site::{Deposit, Fingerprint, Identity, LinkError, RunEnd, RunOutcome, Site};
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

pub fn run(args: &SiteRun, screen: Screen) -> Result<Exit, Problem> {
    let started = Instant::now();
    let settings = Settings::load(&args.settings)?;
    if settings.invitation.is_some() {
        return super::provider_run::run(args, settings, started, screen);
    }
    let peer = pinned(args, &settings)?;
    let identity = Identity::load(&settings.key, &settings.certificate).map_err(|e| problem(&e))?;
    identity
        .check_valid(SystemTime::now())
        .map_err(|e| problem(&e))?;
    let policy = Policy::load(&settings.policy, &args.overrides.set)?;
    let cancel = interrupt::listen();
    let run = terminal_run(screen);
    let seat = JointSeat {
        seat: settings.seat,
        site: settings.name.clone(),
    };
    let read = mingle::joint::setup(&policy, seat, &run);
    run.end();
    let (setup, inputs) = read?;

    screen.note(&announcement(&policy, &settings, &setup));
    let out = args.out.clone().unwrap_or_else(|| settings.out.clone());
    let watch = Arc::new(Watch::new(screen, &settings.peer_name));
    let deposit = Deposit {
        out: out.clone(),
        force: args.force,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        policy: Some(policy.document.clone()),
        inputs,
        reports: Some(mingle::report::render),
    };
    let partner = settings.peer_name;
    let site = Site {
        identity,
        peer,
        address: settings.address,
        limits: settings.limits,
        deposit,
    };
    let outcome = mingle_site::run(site, setup, watch.clone(), cancel.flag());
    watch.finish();
    let outcome = outcome.map_err(|e| problem(&e))?;
    let ended = Ended {
        outcome,
        partner,
        explain: mingle::joint::problem,
    };
    conclude(screen, &ended, &|before, warning| {
        tell(args, (&out, started), (screen, &ended), (before, warning))
    })
}

/// What was published, for people and programs.
pub fn tell(
    args: &SiteRun,
    (out, started): (&Path, Instant),
    (screen, ended): (Screen, &Ended),
    (before, warning): (bool, &[Problem]),
) -> Result<Exit, Problem> {
    let release = JointRelease::open(out, before, started.elapsed(), ended.outcome.moved)?;
    screen.note(&report::text(&release));
    if args.json {
        print_json(&release.answer(warning))?;
    }
    Ok(Exit::Fine)
}

/// Names and values beside each other.
pub fn lines(lines: &[(&str, String)], indent: usize) -> String {
    report::listed(lines, indent)
}

/// What is said of a result that is there: whether it was there before, and with which warning.
pub type Tell<'a> = &'a dyn Fn(bool, &[Problem]) -> Result<Exit, Problem>;

pub struct Ended {
    pub outcome: RunOutcome,
    pub partner: String,
    /// The words for an error, of two sites or of n providers.
    pub explain: fn(&mingle_protocol::Error) -> Problem,
}

pub fn conclude(screen: Screen, ended: &Ended, tell: Tell<'_>) -> Result<Exit, Problem> {
    let RunOutcome { end, trouble, .. } = &ended.outcome;
    match end {
        RunEnd::Published { before } => {
            let warning = trouble.as_ref().map(ended.explain);
            screen.warnings(&warning);
            let exit = tell(*before, warning.as_slice())?;
            if !ended.outcome.confirmed && trouble.is_none() {
                let partner = &ended.partner;
                screen.note(&format!(
                    "{partner} may not know yet; if it is in doubt, run the same command again"
                ));
            }
            Ok(exit)
        }
        RunEnd::InDoubt => {
            let why = match (trouble, &ended.outcome.last) {
                (Some(trouble), _) => trouble.to_string(),
                (None, Some(link)) => link.to_string(),
                (None, None) => "the partner's last word is missing".to_owned(),
            };
            let text = format!(
                "in doubt: this site is ready, and {} may have published ({why})",
                ended.partner
            );
            Err(Problem::new(
                ProblemCode::InDoubt,
                text,
                "nothing is in public/; run the same command again, on both sides",
            ))
        }
        RunEnd::Aborted(_) if ended.outcome.over_before => {
            let text = "this run has ended before, and nothing was published anywhere";
            let hint = "another run needs a new invitation: `mingle site invite`";
            Err(Problem::new(ProblemCode::RunEnded, text, hint))
        }
        RunEnd::Aborted(error) => Err(aborted(error, ended)),
    }
}

/// Why there is no release; where there was no partner either, that is why.
fn aborted(error: &mingle_protocol::Error, ended: &Ended) -> Problem {
    use mingle_protocol::{Error as E, Reason as R};
    let RunOutcome {
        last,
        connections,
        strangers,
        ..
    } = &ended.outcome;
    let partner = &ended.partner;
    match (error, last) {
        (E::GaveUp(R::Stopped), Some(link)) if link.is_final() => refused(link, partner),
        (E::GaveUp(R::Stopped), _) => (ended.explain)(error),
        (E::GaveUp(_), _) => {
            let met = match connections {
                0 => format!("{partner} was not reached before the deadline"),
                _ => format!("the deadline passed before the work with {partner} was done"),
            };
            let last = last
                .as_ref()
                .map_or(String::new(), |link| format!(" ({link})"));
            let others = match strangers {
                0 => String::new(),
                n => format!(
                    "; {} turned away that {} not the partner",
                    counted(n, "caller"),
                    plural(n, "was", "were")
                ),
            };
            let hint = "nothing was written; check that the other site runs, or raise `deadline` in [limits]";
            Problem::new(
                ProblemCode::PartnerAbsent,
                format!("{met}{last}{others}"),
                hint,
            )
        }
        _ => (ended.explain)(error),
    }
}

/// Trying again cannot help before somebody has changed a file.
fn refused(link: &LinkError, partner: &str) -> Problem {
    let (code, hint) = match link {
        LinkError::Refused | LinkError::RefusedExpired => (
            ProblemCode::PartnerRefuses,
            "read your fingerprint to the partner, who pins it with `mingle site trust`",
        ),
        _ => (
            ProblemCode::WrongPartner,
            "compare fingerprints by telephone, then pin the partner's with `mingle site trust`",
        ),
    };
    Problem::new(code, format!("{partner}: {link}"), hint)
}

fn pinned(args: &SiteRun, settings: &Settings) -> Result<Fingerprint, Problem> {
    settings.fingerprint.ok_or_else(|| {
        let text = format!(
            "{}: the partner's certificate is not pinned yet",
            args.settings.display()
        );
        let hint = format!(
            "pin what the partner reads to you: mingle site trust {} sha256:…",
            args.settings.display()
        );
        Problem::new(ProblemCode::Fingerprint, text, hint)
    })
}

/// What will be promised and revealed, said before the first byte is sent.
fn announcement(policy: &Policy, settings: &Settings, setup: &Setup) -> String {
    let sensitive: Vec<&str> = policy
        .with_role(Role::Sensitive)
        .map(|c| c.spec.name.as_str())
        .collect();
    let promises = setup
        .promises
        .iter()
        .map(|p| promises::promise_entry_text(&entry_of(p, &sensitive)));
    let names = |role| {
        policy
            .with_role(role)
            .map(|c| c.spec.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let synchronizer = setup.terms.synchronizer;
    let seat = match setup.seat {
        Seat::Zero => "site 0",
        Seat::One => "site 1, which evaluates where a synchronizer needs that",
    };
    let rows = setup.table.rows();
    let text = format!(
        "{} publishes with {}, as {seat}\n\
         brings: {rows} people; quasi-identifiers {}; sensitive {}\n\
         promises: {}\n\
         synchronizer: {}, leak level {}\n\
         it reveals: {}\n\
         whatever the synchronizer, both learn which of their own people the other has too; lists are padded to {}, \
         which hides how many others there are\n\
         assumed: both sites follow the protocol; what they see, they may use",
        settings.name,
        settings.peer_name,
        or_none(names(Role::QuasiIdentifier)),
        or_none(names(Role::Sensitive)),
        promises.collect::<Vec<_>>().join("; "),
        synchronizer.name(),
        synchronizer.leak().name(),
        synchronizer.reveals(),
        setup.terms.padded_size,
    );
    wrap(&text).trim_end().to_owned()
}

fn or_none(names: String) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names
    }
}

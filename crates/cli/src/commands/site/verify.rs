//! `mingle site verify`: n providers find out whether a table that exists withstands a coalition, and
//! nobody shows who contributed what.

use super::provider_run::invited;
use super::report::VERDICT_INDENT;
use super::run::{Ended, conclude, lines};
use super::settings::Settings;
use super::watch::Watch;
use crate::args::SiteVerify;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print_json, wrap};
use crate::progress::terminal_run;
use mingle::failure;
use mingle::providers;
use mingle_model::counted;
use mingle_policy::Policy;
use mingle_protocol::horizontal::verification_statements;
use mingle_record::ProblemCode;
use mingle_record::answer::SiteVerifyAnswer;
use mingle_record::foreign_text::system_words;
use mingle_site::{
    Deposit, Error, ProviderDeposit, ProviderSite, ProviderWork, VerificationWork, run_provider,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

pub fn run(args: &SiteVerify, screen: Screen) -> Result<Exit, Problem> {
    let started = Instant::now();
    let settings = Settings::load(&args.settings)?;
    let Some(invitation) = settings.invitation.clone() else {
        let text = format!("{} names no invitation", args.settings.display());
        let hint = "a joint verification takes three or more providers: accept their invitation with `mingle site join`";
        return Err(Problem::new(ProblemCode::Invitation, text, hint));
    };
    let identity = invited(&settings, &invitation)?;
    let policy = Policy::load(&settings.policy, &args.overrides.set)?;
    let cancel = interrupt::listen();
    let run = terminal_run(screen);
    let read = providers::verification(&policy, &args.table, &args.own, &run);
    run.end();
    let part = read?;
    let n = invitation.providers().len();
    let mut text = format!(
        "{} verifies a table of {} and {} with {n} providers\nof these are its own: {}\n",
        settings.name,
        counted(part.published_rows as u64, "row"),
        counted(part.table.published.len() as u64, "group"),
        counted(part.rows.len() as u64, "row"),
    );
    for said in verification_statements(&part.terms, n) {
        text += &format!("{said}\n");
    }
    screen.note(wrap(&text).trim_end());
    let default = settings.out.with_file_name("verification.json");
    let out = args.out.clone().unwrap_or(default);
    let watch = Arc::new(Watch::new(screen, &settings.peer_name));
    let site = ProviderSite {
        identity,
        invitation,
        limits: settings.limits,
        deposit: ProviderDeposit {
            release: Deposit {
                out: out.clone(),
                force: args.force,
                tool_version: env!("CARGO_PKG_VERSION").to_owned(),
                policy: None,
                inputs: Vec::new(),
                reports: None,
            },
            opened_runs: settings.key.with_extension("runs.json"),
            accept_repeated_totals: true,
        },
    };
    let work = ProviderWork::Verification(Box::new(VerificationWork {
        terms: part.terms,
        schema: part.schema,
        rows: part.rows,
        table: part.table,
        digest: part.digest,
    }));
    let outcome = run_provider(site, work, watch.clone(), cancel.flag());
    watch.finish();
    let outcome = outcome.map_err(|e| match e {
        Error::Protocol(error) => providers::problem(&error),
        other => super::problem(&other),
    })?;
    let ended = Ended {
        outcome,
        partner: "another provider".to_owned(),
        explain: providers::problem,
    };
    conclude(screen, &ended, &|_, _| {
        tell(args, &out, (screen, started), &ended)
    })
}

fn tell(
    args: &SiteVerify,
    out: &Path,
    (screen, started): (Screen, Instant),
    ended: &Ended,
) -> Result<Exit, Problem> {
    let bytes = std::fs::read(out).map_err(|e| {
        let text = format!("{}: {}", out.display(), system_words(&e));
        Problem::new(
            ProblemCode::OutputUnwritable,
            text,
            "run the same command again",
        )
    })?;
    let found: SiteVerifyAnswer = serde_json::from_slice(&bytes)
        .map_err(|_| failure::defect("a verification that cannot be read back"))?;
    if args.json {
        print_json(&found)?;
    }
    let shown = |not: u64| {
        format!(
            "shown for {} of {}",
            found.groups - not,
            counted(found.groups, "group")
        )
    };
    let mut promises = vec![format!("k = {}: {}", found.k, shown(found.k_not_shown))];
    for asked in &found.diversity {
        let column = asked.column.as_deref().unwrap_or("all sensitive columns");
        promises.push(format!(
            "{} distinct values of {column}: {}",
            asked.l,
            shown(asked.not_shown)
        ));
    }
    let names: Vec<&str> = found.sites.iter().map(|site| site.name.as_str()).collect();
    let said = [
        (
            "verdict",
            if found.proved { "proved" } else { "not shown" }.to_owned(),
        ),
        (
            "against",
            format!("any {} of the {} providers", found.m, found.sites.len()),
        ),
        ("asked", promises.join("\n")),
        ("signed by", names.join(", ")),
        ("moved", format!("{} bytes, both ways", ended.outcome.moved)),
        ("time", format!("{:.2} s", started.elapsed().as_secs_f64())),
        ("written to", out.display().to_string()),
    ];
    screen.note(&lines(&said, VERDICT_INDENT));
    if found.proved {
        return Ok(Exit::Fine);
    }
    let text = "not shown: the test is sound and not complete, so that the table may hold what was asked all the same";
    let hint = "caps = \"exact\" in [protocol] shows more of k, and tells more; or verify where all rows are in one place";
    Err(Problem::new(ProblemCode::Undecided, text, hint))
}

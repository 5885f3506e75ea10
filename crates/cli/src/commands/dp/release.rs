//! `mingle dp marginals|histogram|synthetic`, and `mingle publish` with a `[dp]` policy: tables in,
//! a release with noise out.
//!
//! The order is what keeps the promise: whatever can fail without noise is checked first; then the
//! budget is spent, on disk; then noise is drawn; then the release is written. Whatever happens
//! after spending, it stays spent, and is said so. What is shown here depends on the data: the
//! steward's terminal is trusted, `public/` is all that a reader gets.

mod limits;
mod people;
mod plan;
mod summary;
mod warnings;

use crate::args::DpRelease;
use crate::commands::publish::run_on;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print_json};
use crate::progress::terminal_run;
use mingle::Run;
use mingle::failure;
use mingle::measure::distributions;
use mingle::reports;
use mingle::tables::{Original, read_texts};
use mingle_dp::{Encoded, Records};
use mingle_model::Table;
use mingle_policy::{Node, Policy, ReleaseKind, Value};
use mingle_record::Code;
use mingle_release::{Bundle, Input, NoisyFacts, Target};
use plan::Plan;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use summary::{Fate, Summary};

/// What is to be done besides what the policy says.
pub struct Job<'a> {
    /// The folder of the release; `None` for a dry run.
    pub out: Option<&'a Path>,
    /// Whether a release that is there is replaced.
    pub force: bool,
    /// Whether a document is printed.
    pub json: bool,
    /// How many threads to use.
    pub threads: Option<u16>,
}

/// One of the three commands.
pub fn run(kind: ReleaseKind, args: &DpRelease, screen: Screen) -> Result<Exit, Problem> {
    let policy = Policy::load_noisy(&args.policy, &args.overrides.set, |root| {
        own_flags(root, kind, args)
    })?;
    let out = args.out.as_deref().filter(|_| !args.dry_run);
    make(
        &policy,
        &Job {
            out,
            force: args.force,
            json: args.json,
            threads: args.threads,
        },
        screen,
    )
}

/// What the command itself says counts more than the file.
fn own_flags(root: &mut Node, kind: ReleaseKind, args: &DpRelease) -> Result<(), Problem> {
    let said = root.at(["dp", "release"]).and_then(|node| node.text().ok());
    if said != Some(kind.name()) {
        root.put(
            ["dp", "release"],
            "mingle dp",
            Value::Text(kind.name().to_owned()),
        )?;
    }
    let amounts = [
        ("epsilon", &args.epsilon),
        ("delta", &args.delta),
        ("rho", &args.rho),
    ];
    for (key, amount) in amounts {
        let Some(amount) = amount else { continue };
        let replaced: &[&str] = if key == "rho" {
            &["epsilon", "delta"]
        } else {
            &["rho"]
        };
        replaced.iter().for_each(|key| root.take_out(["dp", key]));
        root.put(
            ["dp", key],
            &format!("--{key}"),
            Value::Float(amount.clone()),
        )?;
    }
    if let Some(ledger) = &args.ledger {
        root.put(
            ["dp", "ledger"],
            "--ledger",
            Value::Text(ledger.display().to_string()),
        )?;
    }
    Ok(())
}

/// Makes the release that a policy asks for.
pub fn make(policy: &Policy, job: &Job<'_>, screen: Screen) -> Result<Exit, Problem> {
    let started = Instant::now();
    let cancel = interrupt::listen();
    let target = job.out.map(|folder| Target {
        folder,
        force: job.force,
        cancelled: cancel.flag(),
    });
    if let Some(target) = target {
        target.check().map_err(|e| failure::release(&e))?;
    }
    let plan = Plan::new(policy, job.out)?;
    let run = run_on(job.threads, screen)?;
    let looked = run.install(|| look(policy, &plan, &run))?;
    drop(run);
    let warnings = warnings::of(&plan, &looked);
    warnings.iter().for_each(|warning| screen.warning(warning));
    interrupt::check()?;
    let Looked {
        table,
        records,
        encoded,
        files,
        ..
    } = looked;
    let fate = match target {
        None => Fate::Planned,
        Some(target) => {
            let facts = facts(policy, &plan, files, &encoded, &warnings);
            publish(&plan, (&table, records), facts, target, screen)?
        }
    };
    let summary = Summary {
        plan: &plan,
        encoded: &encoded,
        fate,
        out: job.out,
        elapsed: started.elapsed(),
    };
    screen.note(&summary.to_text());
    if job.json {
        print_json(&summary.to_json(&warnings))?;
    }
    Ok(Exit::Fine)
}

/// The tables as they are looked at through the declared domains, and what the steward should know
/// of them.
struct Looked {
    /// What was read, to compare the release with.
    table: Arc<Table>,
    records: Records,
    encoded: Encoded,
    files: Vec<Input>,
    /// Whose rows they are, where an identifier says it.
    people: Option<people::Tally>,
    /// Identifier columns with repeated values, and how many rows repeat one.
    repeated_identifiers: Vec<(String, u64)>,
}

fn look(policy: &Policy, plan: &Plan<'_>, run: &Run) -> Result<Looked, Problem> {
    let (original, person) = read_texts(policy, plan.dp.person.as_deref(), run)?;
    run.step("looking up cells");
    let people = person
        .map(|column| people::People::of(&column))
        .transpose()?;
    let (records, encoded) = Records::encode(
        &plan.attributes,
        &original.table,
        plan.bound(people.as_ref()),
    )
    .map_err(|e| failure::dp(&e))?;
    // where nothing tells people apart they are taken to be as many as rows, and never are more
    let people = people.map(|people| people.tally);
    plan.check_delta(people.map_or(encoded.rows, |tally| tally.people))?;
    interrupt::check()?;
    let Original {
        table,
        files,
        repeated_identifiers,
    } = original;
    Ok(Looked {
        table,
        records,
        encoded,
        files,
        people,
        repeated_identifiers,
    })
}

fn facts(
    policy: &Policy,
    plan: &Plan<'_>,
    inputs: Vec<Input>,
    encoded: &Encoded,
    warnings: &[Problem],
) -> NoisyFacts {
    NoisyFacts {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        format: plan.format,
        person_known: plan.spending.identified,
        policy: policy.document.clone(),
        ledger: plan.ledger.path().to_owned(),
        inputs,
        encoded: encoded.clone(),
        utility: None,
        distributions: None,
        warnings: warnings
            .iter()
            .map(|warning| format!("{}: {}", warning.code(), warning.text()))
            .collect(),
        time: plan.spending.at.clone(),
        reports: Some(reports::render),
    }
}

/// Spends, draws and writes, in this order.
fn publish(
    plan: &Plan<'_>,
    (table, records): (&Table, Records),
    facts: NoisyFacts,
    target: Target<'_>,
    screen: Screen,
) -> Result<Fate, Problem> {
    let receipt = plan.spend()?;
    let entry = receipt.entry().unwrap_or_default();
    let run = terminal_run(screen);
    let draw = || {
        run.step("drawing noise");
        let output = mingle_dp::release(
            &plan.attributes,
            records,
            &plan.request,
            receipt,
            target.cancelled,
        )
        .map_err(|e| failure::dp(&e))?;
        run.step("measuring");
        let distributions = distributions::of_noise(table, &output);
        run.step("writing");
        let facts = NoisyFacts {
            distributions,
            ..facts
        };
        let written = Bundle::noisy(&output, &facts).and_then(|bundle| bundle.write(target));
        Ok((output, written.map_err(|e| failure::release(&e))?.no_report))
    };
    let (output, no_report) = draw().map_err(|problem| plan.lost(entry, problem))?;
    drop(run);
    if let Some(reason) = no_report {
        let text = format!("published without reports, which could not be made: {reason}");
        screen.warning(&Problem::new(
            Code::NoReport,
            text,
            "`mingle report` can make them later",
        ));
    }
    Ok(Fate::Published {
        entry,
        output: Box::new(output),
    })
}

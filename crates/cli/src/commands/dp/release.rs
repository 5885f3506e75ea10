//! `mingle dp marginals|histogram|synthetic`, and `mingle publish` with a `[dp]` policy.

use super::summary;
use crate::args::DpRelease;
use crate::commands::publish::{run_on, say_failed};
use crate::message::{Exit, Problem, Screen, print_json};
use mingle::{Inputs, ReleaseFolder, noise};
use mingle_policy::{Node, Policy, ReleaseKind, Value};
use std::path::Path;

/// What is to be done besides what the policy says.
pub struct NoiseJob<'a> {
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
    let mut policy = Policy::load_noisy(&args.policy, &args.overrides.set, |root| {
        own_flags(root, kind, args)
    })?;
    policy.release.strict |= args.strict;
    let job = NoiseJob {
        out: args.out.as_deref().filter(|_| !args.dry_run),
        force: args.force,
        json: args.json,
        threads: args.threads,
    };
    make(&policy, &job, screen)
}

/// What the command itself says counts more than the file.
fn own_flags(root: &mut Node, kind: ReleaseKind, args: &DpRelease) -> Result<(), Problem> {
    let said = root.at(["dp", "release"]).and_then(|node| node.text().ok());
    if said != Some(kind.name()) {
        let name = Value::Text(kind.name().to_owned());
        root.put(["dp", "release"], "mingle dp", name)?;
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
        for key in replaced {
            root.take_out(["dp", key]);
        }
        let amount = Value::Float(amount.clone());
        root.put(["dp", key], &format!("--{key}"), amount)?;
    }
    if let Some(ledger) = &args.ledger {
        let path = Value::Text(ledger.display().to_string());
        root.put(["dp", "ledger"], "--ledger", path)?;
    }
    Ok(())
}

/// Makes the release that a policy asks for.
pub fn make(policy: &Policy, job: &NoiseJob<'_>, screen: Screen) -> Result<Exit, Problem> {
    let target = job
        .out
        .map(|out| ReleaseFolder::at(out).replacing(job.force));
    let run = run_on(job.threads, screen)?;
    let plan = noise::plan(policy, &Inputs::of(policy), target.as_ref(), &run);
    // the bar is off the screen before anything is said, and above all before anything is spent
    run.end();
    let plan = plan.map_err(|failed| say_failed(failed, screen))?;
    screen.warnings(plan.warnings());
    let outcome = plan.carry_out(&run);
    run.end();
    let outcome = outcome?;
    if let Some(warning) = &outcome.without_reports {
        screen.warning(warning);
    }
    screen.note(&summary::text(&outcome));
    if job.json {
        print_json(&outcome.answer())?;
    }
    Ok(Exit::Fine)
}

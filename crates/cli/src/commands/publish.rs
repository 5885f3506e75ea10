//! `mingle publish`: the main job. Tables and a policy in, a verified release out.

pub mod on_cluster;

use crate::args::Publish;
use crate::commands::dp::{NoiseJob, make};
use crate::message::{Exit, Problem, Screen, print_json};
use crate::progress::terminal_run;
use mingle::publish::{Failed, PublishSummary};
use mingle::{Inputs, ReleaseFolder, Run};
use mingle_policy::Policy;

pub fn run(args: &Publish, screen: Screen) -> Result<Exit, Problem> {
    if let Some(address) = &args.on {
        return on_cluster::run(args, address, screen);
    }
    let mut policy = Policy::load(&args.policy, &args.overrides.set)?;
    policy.release.strict |= args.strict;
    let out = args.out.as_deref().filter(|_| !args.dry_run);
    if policy.noise().is_some() {
        let job = NoiseJob {
            out,
            force: args.force,
            json: args.json,
            threads: args.threads,
        };
        return make(&policy, &job, screen);
    }
    let run = run_on(args.threads, screen)?;
    let Some(out) = out else {
        let previewed = mingle::preview(&policy, Inputs::of(&policy), &run);
        run.end();
        let preview = previewed.map_err(|failed| say_failed(failed, screen))?;
        return finish(&preview.summary(), preview.warnings(), args.json, screen);
    };
    let target = ReleaseFolder::at(out).replacing(args.force);
    target.check(&run)?;
    let plan = mingle::plan(&policy, Inputs::of(&policy), &run);
    let published = plan.and_then(|plan| {
        let mut release = plan.publish()?;
        release.write(target)?;
        Ok(release)
    });
    run.end();
    let release = published.map_err(|failed| say_failed(failed, screen))?;
    finish(&release.summary(), release.warnings(), args.json, screen)
}

/// Shows what is odd about the table, which may be the reason of the failure.
pub fn say_failed(failed: Failed, screen: Screen) -> Problem {
    screen.warnings(&failed.warnings);
    *failed.problem
}

fn finish(
    summary: &PublishSummary<'_>,
    warnings: &[Problem],
    json: bool,
    screen: Screen,
) -> Result<Exit, Problem> {
    screen.warnings(warnings);
    screen.note(&summary.to_text());
    if json {
        print_json(&summary.answer(warnings))?;
    }
    Ok(Exit::Fine)
}

/// A run on this many threads, or on all processors.
pub fn run_on(threads: Option<u16>, screen: Screen) -> Result<Run, Problem> {
    let run = terminal_run(screen);
    match threads {
        Some(threads) => run.with_threads(threads.into()),
        None => Ok(run),
    }
}

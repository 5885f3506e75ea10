//! `mingle publish`: the main job. Tables and a policy in, a verified release out.

use crate::args::Publish;
use crate::commands::dp::{NoiseJob, make};
use crate::message::{Exit, Problem, Screen, print_json};
use crate::progress::terminal_run;
use mingle::Run;
use mingle::publish::{Failed, Work, release};
use mingle_policy::Policy;

pub fn run(args: &Publish, screen: Screen) -> Result<Exit, Problem> {
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
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
    let work = Work {
        out,
        force: args.force,
    };
    let done = run.install(|| release(&policy, &work, &run));
    drop(run);
    let done = match done {
        Ok(done) => done,
        Err(Failed { problem, warnings }) => {
            show(&warnings, screen);
            return Err(*problem);
        }
    };
    show(&done.warnings, screen);
    screen.note(&done.summary().to_text());
    if args.json {
        print_json(&done.summary().to_json(&done.warnings))?;
    }
    Ok(Exit::Fine)
}

fn show(warnings: &[Problem], screen: Screen) {
    for warning in warnings {
        screen.warning(warning);
    }
}

/// A run on this many threads, or on all processors.
pub fn run_on(threads: Option<u16>, screen: Screen) -> Result<Run, Problem> {
    let run = terminal_run(screen);
    match threads {
        Some(threads) => run.with_threads(threads.into()),
        None => Ok(run),
    }
}

//! `mingle apply`: next month's rows in the groups of a release that is there already.

use crate::args::Apply;
use crate::commands::publish::{run_on, say_failed};
use crate::message::{Exit, Problem, Screen, print_json};
use mingle::apply::{ApplyRequest, apply};
use mingle::tables::{DatabasePlace, new_tables};
use mingle::{Policy, ReleaseFolder};
use mingle_record::ProblemCode;

pub fn run(args: &Apply, screen: Screen) -> Result<Exit, Problem> {
    let mut policy = Policy::load(&args.policy, &args.overrides.set)?;
    policy.release.strict |= args.strict;
    let run = run_on(args.threads, screen)?;
    if args
        .out
        .as_deref()
        .is_some_and(|out| DatabasePlace::is_one(&out.to_string_lossy()))
    {
        let text = "what is added to a release is written into a folder, not into a database";
        let hint = "write it into a folder, or publish all rows again into the database";
        return Err(Problem::new(ProblemCode::DatabaseTarget, text, hint));
    }
    let target = args
        .out
        .as_deref()
        .filter(|_| !args.dry_run)
        .map(|out| ReleaseFolder::at(out).replacing(args.force));
    if let Some(target) = &target {
        target.check(&run)?;
    }
    let new_rows = new_tables(&policy, &args.tables, &run)?;
    let request = ApplyRequest {
        release: &args.release,
        policy: &policy,
        new_rows: &new_rows,
        never_handed_out: args.never_handed_out,
        only_look: target.is_none(),
    };
    let applied = apply(&request, &run).and_then(|mut release| {
        if let Some(target) = target {
            release.write(target)?;
        }
        Ok(release)
    });
    run.end();
    let release = applied.map_err(|failed| say_failed(failed, screen))?;
    screen.warnings(release.warnings());
    let summary = release.summary();
    screen.note(&summary.to_text());
    if args.json {
        print_json(&summary.answer(release.warnings()))?;
    }
    Ok(Exit::Fine)
}

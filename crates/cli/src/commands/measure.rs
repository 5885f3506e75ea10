//! `mingle measure`: what a release has lost, against the original that the policy names.

use crate::args::Measure;
use crate::message::{Exit, Problem, Screen, print, print_json};
use crate::progress::terminal_run;
use mingle::measure::{Subject, measure};
use mingle_policy::Policy;
use mingle_record::Code;

pub fn run(args: &Measure, screen: Screen) -> Result<Exit, Problem> {
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let subject = match (&args.subject.table, &args.subject.release) {
        (Some(file), _) => Subject::Table(file),
        (None, Some(folder)) => Subject::Release(folder),
        (None, None) => {
            let hint = "give a release, or --table";
            return Err(Problem::new(Code::Usage, "nothing to measure", hint));
        }
    };
    let measured = measure(&policy, &subject, &terminal_run(screen))?;
    if args.json {
        print_json(&measured.to_json())?;
    } else {
        print(&measured.to_text())?;
    }
    Ok(Exit::Fine)
}

//! `mingle attack`: plays the adversary. One file per adversary.

mod background_join;
mod files;
mod insider;
mod intersection;
mod minimality;

use crate::args::{Adversary, AttackCommand, ReleaseOrTable};
use crate::message::{Exit, Problem, Screen};
use mingle::attack::AttackSubject;
use mingle::tables::ForeignTable;
use mingle_record::ProblemCode;

pub fn run(args: &AttackCommand, screen: Screen) -> Result<Exit, Problem> {
    match &args.adversary {
        Adversary::Insider(args) => insider::run(args, screen),
        Adversary::Intersection(args) => intersection::run(args, screen),
        Adversary::BackgroundJoin(args) => background_join::run(args, screen),
        Adversary::Minimality(args) => minimality::run(args, screen),
    }
}

/// Says what the attack found, if it found anything.
fn conclude(problem: Option<Problem>, screen: Screen) -> Exit {
    let Some(problem) = problem else {
        return Exit::Fine;
    };
    screen.problem(&problem);
    problem.code().exit()
}

/// What is attacked with a policy that is given anyway.
fn subject(subject: &ReleaseOrTable) -> Result<AttackSubject<'_>, Problem> {
    match (&subject.table, &subject.release) {
        (Some(table), _) => Ok(AttackSubject::Table(ForeignTable::File(table))),
        (None, Some(folder)) => Ok(AttackSubject::Release(folder)),
        (None, None) => {
            let hint = "name a release folder, or use --table";
            Err(Problem::new(ProblemCode::Usage, "nothing to attack", hint))
        }
    }
}

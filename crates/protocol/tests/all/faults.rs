//! Faults at every message: never two outputs, never a hang, doubt always resolved.
//!
//! What fails, what does not, and what must hold is described in [`crate::simulation`]. Nothing is printed
//! on success; on failure the seed and the smallest schedule that fails, in a form that can be kept
//! in `REGRESSIONS`.
//!
//! More schedules than in an ordinary run: `MINGLE_SCHEDULES=1000000 cargo test -p mingle-protocol
//! --test all faults::random`, and other ones with `MINGLE_SEED=…`, the first seed (default 0).

use crate::simulation::{
    Bug, CASES, Call, Case, Fault, Moment, Operation, Schedule, Violation, find, simulate,
};
use mingle_protocol::{Error, Status};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Seeds of an ordinary run.
const SCHEDULES: u64 = 10_000;

#[test]
fn random_schedules() {
    let first = number("MINGLE_SEED", 0);
    let seeds = first..first + number("MINGLE_SCHEDULES", SCHEDULES);
    // in portions, since a long run must not hold all schedules at once
    let portions = seeds.clone().step_by(SCHEDULES as usize);
    portions.for_each(|start| {
        hold(
            (start..seeds.end.min(start + SCHEDULES))
                .map(Schedule::draw)
                .collect(),
        )
    });
}

/// Every fault at every message of every synchronizer, alone.
#[test]
fn single_faults() {
    let cases = CASES.iter().filter(|case| case.expected.is_some());
    let all = cases.flat_map(|case| places(0..case.messages).map(move |place| (case.name, place)));
    let single = |(case, place): (&'static str, (usize, u32))| {
        Fault::EACH.map(|fault| Schedule {
            seed: 0,
            case,
            operations: vec![operation(place, fault)],
        })
    };
    hold(all.flat_map(single).collect());
}

/// Every two faults where it matters: from the last message before *ready* to the recovery after a
/// first fault.
#[test]
fn pairs_of_faults_at_the_finish() {
    let case = &CASES[0];
    let finish = case.messages - 3..case.messages + 2;
    let one: Vec<Operation> = places(finish)
        .flat_map(|place| AT_THE_FINISH.map(|fault| operation(place, fault)))
        .collect();
    let with = |first: &Operation| {
        let second = one
            .iter()
            .filter(|o| (o.message, o.site) >= (first.message, first.site));
        second
            .map(|second| vec![*first, *second])
            .collect::<Vec<_>>()
    };
    let pairs = one.iter().flat_map(with);
    hold(
        pairs
            .map(|operations| Schedule {
                seed: 0,
                case: case.name,
                operations,
            })
            .collect(),
    );
}

/// A single fault leaves a site in doubt only where somebody stops it when it is ready: it then has
/// just sent its *ready*, or the message before, when the other's had arrived already.
#[test]
fn a_single_fault_leaves_a_doubt_only_where_it_must() {
    let case = &CASES[0];
    let ready = case.messages - 2;
    let mut doubts = 0;
    for (site, message) in places(0..case.messages) {
        for fault in Fault::EACH {
            let schedule = Schedule {
                seed: 0,
                case: case.name,
                operations: vec![operation((site, message), fault)],
            };
            let report = simulate(&schedule, case, Bug::None).expect("single faults hold");
            if report.first.contains(&Status::InDoubt) {
                doubts += 1;
                assert!(
                    fault == Fault::GiveUp && (ready - 1..=ready).contains(&message),
                    "{schedule}"
                );
            }
        }
    }
    assert!(doubts > 0);
}

#[test]
fn a_schedule_is_a_complete_account() {
    for seed in 0..40 {
        let schedule = Schedule::draw(seed);
        let run = || simulate(&schedule, Case::named(schedule.case), Bug::None).expect("it holds");
        assert_eq!(run(), run(), "{schedule}");
    }
}

/// A simulator that never gets anywhere would find nothing wrong.
#[test]
fn schedules_reach_every_ending() {
    let mut seen = BTreeSet::new();
    for seed in 0..400 {
        let schedule = Schedule::draw(seed);
        let report = simulate(&schedule, Case::named(schedule.case), Bug::None).expect("it holds");
        let doubt = report.first.contains(&Status::InDoubt);
        seen.extend(report.first.iter().map(|status| match status {
            Status::Published => "published",
            Status::Aborted(Error::Violation(_)) => "aborted for what arrived",
            Status::Aborted(Error::PeerAborted(_)) => "aborted by the other",
            Status::Aborted(Error::Storage(_)) => "aborted for its disk",
            Status::Aborted(_) => "aborted",
            Status::InDoubt => "in doubt",
            Status::Waiting | Status::Working => "left running",
        }));
        seen.extend(
            (doubt && report.last == [Status::Published, Status::Published])
                .then_some("doubt resolved"),
        );
        seen.extend((report.faults >= 5).then_some("many faults"));
    }
    assert_eq!(seen.len(), 9, "{seen:?}");
}

/// Each bug is found, with an account that is as short as it can be and says what is wrong.
#[test]
fn planted_bugs_are_found() {
    for bug in Bug::ALL {
        let schedules = (0..SCHEDULES).into_par_iter().map(Schedule::draw);
        let failure = find(schedules, bug).unwrap_or_else(|| panic!("{bug:?} was not found"));
        assert!(fits(bug, &failure.violation), "{bug:?}: {failure}");
        assert!(failure.smallest.operations.len() <= 3, "{bug:?}: {failure}");
        assert!(
            failure
                .to_string()
                .contains(&format!("seed {}", failure.found.seed)),
            "{failure}"
        );
        let case = Case::named(failure.smallest.case);
        assert_eq!(
            simulate(&failure.smallest, case, bug).err(),
            Some(failure.violation),
            "{bug:?}"
        );
        assert!(
            simulate(&failure.found, case, Bug::None).is_ok(),
            "{bug:?}: it is not the bug"
        );
    }
}

fn fits(bug: Bug, violation: &Violation) -> bool {
    use Violation::{GaveInTooEasily, Hang, TooEarly, Unresolved};
    match bug {
        Bug::None => false,
        Bug::PublishesAtPrepare | Bug::PublishesInDoubt => matches!(violation, TooEarly { .. }),
        Bug::WaitsForEver => matches!(violation, Hang),
        Bug::ForgetsReady | Bug::JournalsLater | Bug::KeepsDiscarded | Bug::DiscardsInDoubt => {
            matches!(
                violation,
                TooEarly { .. } | Unresolved { .. } | GaveInTooEasily { .. }
            )
        }
    }
}

#[test]
fn kept_schedules_hold() {
    let schedule = |&(seed, case, operations): &Kept| {
        let operation = |&(site, message, fault): &(usize, u32, Fault)| Operation {
            site,
            message,
            fault,
        };
        Schedule {
            seed,
            case,
            operations: operations.iter().map(operation).collect(),
        }
    };
    hold(REGRESSIONS.iter().map(schedule).collect());
}

type Kept = (u64, &'static str, &'static [(usize, u32, Fault)]);

/// What once failed, with or without a planted bug.
const REGRESSIONS: [Kept; 11] = {
    use Call::{Prepare, Publish};
    use Fault::{
        Crash, CrashIn, Delay, Disconnect, DiskFull, Drop, GiveUp, Reflect, Replay, ReplayGreeting,
        Stall,
    };
    use Moment::{After, Before, Between};
    [
        // a greeting from before the session made a ready site discard what the other had published
        (
            268,
            "dpp2ga",
            &[(0, 14, DiskFull(Publish)), (1, 16, ReplayGreeting)],
        ),
        // the same, by way of a crash while publishing
        (
            2221,
            "pair",
            &[
                (0, 10, CrashIn(Publish, Before)),
                (1, 12, Reflect(45)),
                (1, 14, Replay(41)),
            ],
        ),
        // an abort of no session must not discard what is ready: the other has published and was
        // greeted with an old one
        (
            0,
            "pair",
            &[(0, 10, Drop), (1, 11, ReplayGreeting), (0, 12, Drop)],
        ),
        // the other lacks two messages: to keep one would not do
        (0, "pair", &[(0, 9, Delay(20)), (0, 10, Disconnect(0))]),
        // a vault that forgets *ready* in a crash while publishing
        (1, "pair", &[(0, 8, CrashIn(Publish, Before))]),
        // the same, when the other has its signature already
        (
            23,
            "pair",
            &[
                (1, 9, CrashIn(Publish, Between)),
                (0, 14, CrashIn(Publish, Between)),
            ],
        ),
        // a vault whose *ready* was said before it was written
        (0, "pair", &[(0, 10, Crash(After))]),
        // a vault that keeps what it should discard, and then publishes it
        (
            172,
            "pair",
            &[(0, 12, DiskFull(Prepare)), (1, 5, CrashIn(Prepare, Before))],
        ),
        // an owner who takes doubt for an abort when the other has *ready* in its hands
        (
            356,
            "pair",
            &[(0, 9, CrashIn(Publish, Before)), (0, 10, GiveUp)],
        ),
        // an owner who takes doubt for a success when the other has lost its session
        (56, "pair", &[(0, 11, GiveUp), (1, 9, Crash(After))]),
        // an owner who never hangs up on silence
        (0, "pair", &[(0, 9, Stall)]),
    ]
};

fn hold(schedules: Vec<Schedule>) {
    if let Some(failure) = find(schedules.into_par_iter(), Bug::None) {
        panic!("{failure}");
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

fn places(messages: std::ops::Range<u32>) -> impl Iterator<Item = (usize, u32)> {
    messages.flat_map(|message| [(0, message), (1, message)])
}

fn operation((site, message): (usize, u32), fault: Fault) -> Operation {
    Operation {
        site,
        message,
        fault,
    }
}

/// One of each kind, and all that concerns disks.
const AT_THE_FINISH: [Fault; 20] = [
    Fault::Drop,
    Fault::Delay(20),
    Fault::Duplicate,
    Fault::Reorder,
    Fault::Truncate(1),
    Fault::Corrupt(33),
    Fault::Replay(0),
    Fault::ReplayGreeting,
    Fault::Disconnect(0),
    Fault::Disconnect(15),
    Fault::Stall,
    Fault::Crash(Moment::Before),
    Fault::Crash(Moment::After),
    Fault::CrashIn(Call::Prepare, Moment::After),
    Fault::CrashIn(Call::Publish, Moment::Before),
    Fault::CrashIn(Call::Publish, Moment::After),
    Fault::CrashIn(Call::Discard, Moment::After),
    Fault::DiskFull(Call::Publish),
    Fault::DiskFull(Call::Discard),
    Fault::GiveUp,
];

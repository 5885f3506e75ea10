//! Searching for a schedule that fails, and making it small.

use super::case::{CASES, Case};
use super::planted::Bug;
use super::property::Violation;
use super::run::simulate;
use super::schedule::Schedule;
use rayon::prelude::*;
use std::fmt;
use std::sync::LazyLock;

/// A schedule that fails.
#[derive(Clone, Debug)]
pub struct Failure {
    /// As it was found.
    pub found: Schedule,
    /// With nothing in it that can be left out.
    pub smallest: Schedule,
    /// What the smallest one violates.
    pub violation: Violation,
}

/// The first of the schedules that fails, if any does, made small.
pub fn find(schedules: impl ParallelIterator<Item = Schedule>, bug: Bug) -> Option<Failure> {
    // within a simulation, a thread that waits may begin another one, which must not come here
    // again
    LazyLock::force(&CASES);
    schedules
        .find_map_first(|schedule| fails(&schedule, bug).map(|_| schedule))
        .map(|found| shrink(found, bug))
}

fn fails(schedule: &Schedule, bug: Bug) -> Option<Violation> {
    simulate(schedule, Case::named(schedule.case), bug).err()
}

/// Leaves out operations one by one while it still fails.
fn shrink(found: Schedule, bug: Bug) -> Failure {
    let mut smallest = found.clone();
    let fails_still = |smaller: &Schedule| fails(smaller, bug).is_some();
    while let Some(smaller) = without_one(smallest.clone()).find(fails_still) {
        smallest = smaller;
    }
    let violation = fails(&smallest, bug).expect("it failed a moment ago");
    Failure {
        found,
        smallest,
        violation,
    }
}

/// Without one of the operations. Others may have to come earlier then: a recovery that does not
/// happen sends nothing.
fn without_one(schedule: Schedule) -> impl Iterator<Item = Schedule> {
    let ways = (0..schedule.operations.len())
        .flat_map(|place| [0, 1, 2, 4, 8].map(|earlier| (place, earlier)));
    ways.map(move |(place, earlier)| {
        let mut smaller = schedule.clone();
        let removed = smaller.operations.remove(place);
        let later = smaller
            .operations
            .iter_mut()
            .filter(|o| o.message >= removed.message);
        later.for_each(|o| o.message = removed.message.max(o.message.saturating_sub(earlier)));
        smaller
    })
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}\n{}found as {}",
            self.violation, self.smallest, self.found
        )
    }
}

//! Simulations from their first run to the last, and what is asked at the end of each.

use super::case::Case;
use super::disk::Storage;
use super::planted::Bug;
use super::property::Violation;
use super::schedule::Schedule;
use super::site::Site;
use super::world::World;
use mingle_protocol::{Party, Reason, Status};
use sha2::Digest;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What came of a simulation in which nothing was violated.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// How the sites stood at the end of the first run.
    pub first: [Status; 2],
    /// How they stand at the end.
    pub last: [Status; 2],
    /// How many messages each sent.
    pub messages: [u32; 2],
    /// How many operations took effect.
    pub faults: usize,
    /// Over all messages sent.
    pub trace: [u8; 32],
}

/// How long a process goes on when the other has ended.
const LONELY: u64 = 40;
/// Steps after the last fault within which two running processes must have come to an end: some
/// forty turns of a session, and several silences and new connections.
const PATIENCE: u64 = 400;
/// Runs with faults; one without comes after them.
const RUNS: u32 = 2;

/// Runs a schedule to its end.
pub fn simulate(schedule: &Schedule, case: &Case, bug: Bug) -> Result<Report, Violation> {
    let run = AssertUnwindSafe(|| World::new(schedule, case, bug).run());
    catch_unwind(run).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(Violation::Panic(text.unwrap_or_default()))
    })
}

impl World<'_> {
    fn run(mut self) -> Result<Report, Violation> {
        self.run_once()?;
        let first = self.statuses();
        if self.only_ordinary {
            self.storage().witness.got_over_it([&first[0], &first[1]]);
        }
        for run in 1..=RUNS {
            if self.is_settled() {
                break;
            }
            self.clean = run == RUNS || !self.has_faults_left();
            self.run_once()?;
            if self.clean {
                let last = self.statuses();
                let Storage {
                    disks: [zero, one],
                    witness,
                } = &mut *self.storage();
                witness.resolved([&last[0], &last[1]], [zero, one]);
                break;
            }
        }
        self.verdict()?;
        let messages = [0, 1].map(|site| self.sent[site].len() as u32);
        let last = self.statuses();
        Ok(Report {
            first,
            last,
            messages,
            faults: self.faults,
            trace: self.trace.finalize().into(),
        })
    }

    /// One run: until both processes have ended, or one has and the other is left running for the
    /// next run.
    fn run_once(&mut self) -> Result<(), Violation> {
        if self.clean {
            self.storage().disarm();
        }
        for site in 0..2 {
            if self.sites[site].party.is_none() {
                self.start(site);
            }
        }
        self.calm = self.now;
        let leaves = !self.clean && self.dice.once_in(2);
        while self.sites.iter().any(|site| site.ended.is_none()) {
            self.step();
            self.verdict()?;
            let lonely = self.sites.iter().any(|site| site.ended.is_some());
            match self.now - self.calm {
                LONELY.. if lonely && leaves => break,
                LONELY.. if lonely => self.end_lonely(),
                PATIENCE.. => return Err(Violation::Hang),
                _ => {}
            }
        }
        self.check_ends();
        self.verdict()
    }

    fn verdict(&self) -> Result<(), Violation> {
        self.storage().witness.violation().map_or(Ok(()), Err)
    }

    fn end_lonely(&mut self) {
        (0..2).for_each(|site| self.give_up(site, Reason::Silence));
    }

    /// How processes may end.
    fn check_ends(&self) {
        for (site, Site { ended, .. }) in self.sites.iter().enumerate() {
            let witness = &mut self.storage().witness;
            match ended {
                Some(Status::InDoubt) if self.faults == 0 => {
                    witness.object(Violation::DoubtWithoutFault { site })
                }
                Some(status @ (Status::Waiting | Status::Working)) => {
                    witness.object(Violation::Undecided {
                        site,
                        status: format!("{status:?}"),
                    });
                }
                _ => {}
            }
        }
    }

    fn statuses(&self) -> [Status; 2] {
        let now = |site: &Site| site.party.as_ref().map_or(Status::Waiting, Party::status);
        [0, 1].map(|site| {
            self.sites[site]
                .ended
                .clone()
                .unwrap_or_else(|| now(&self.sites[site]))
        })
    }

    /// Nothing is left to find out.
    fn is_settled(&mut self) -> bool {
        let all = |good: fn(&Status) -> bool| {
            self.sites
                .iter()
                .all(|site| site.ended.as_ref().is_some_and(good))
        };
        let aborted = all(|status| matches!(status, Status::Aborted(_)));
        // that an aborted session leaves nothing behind is checked now and then only, since it
        // costs another session
        all(|status| *status == Status::Published)
            || aborted && !self.has_faults_left() && !self.dice.once_in(8)
    }

    fn has_faults_left(&self) -> bool {
        self.schedule
            .operations
            .iter()
            .any(|o| o.message as usize >= self.sent[o.site].len())
    }
}

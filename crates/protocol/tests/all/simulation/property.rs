//! What must never be seen, and who has seen it.

use super::case::Case;
use super::disk::Disk;
use crate::common::Shown;
use mingle_protocol::{OutputRecord, Standing, Status};
use std::collections::BTreeSet;
use std::fmt;

/// A property that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// Something else became public than was public before, there or at the other site.
    TwoOutputs { site: usize },
    /// A site published when the other was not ready with the same.
    TooEarly { site: usize },
    /// A session was aborted by one site and published by one.
    AbortedAndPublished,
    /// Something else than the reference became public.
    NotTheReference { site: usize },
    /// The status of a site does not fit its disk.
    StatusAgainstDisk { site: usize, status: String },
    /// More bytes in memory than honest sites need.
    Memory { bytes: usize },
    /// Both processes run and nothing comes of it.
    Hang,
    /// A process ended without knowing how.
    Undecided { site: usize, status: String },
    /// A site is in doubt though nothing went wrong.
    DoubtWithoutFault { site: usize },
    /// Nothing happened but what the sites must get over by themselves, and they did not.
    GaveInTooEasily { statuses: [String; 2] },
    /// After a run without faults, this is how the sites stand.
    Unresolved { statuses: [String; 2] },
    /// The program panicked.
    Panic(String),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// What a reader of public folders would see, and what was said on the wire: the witness of all
/// properties.
#[derive(Default)]
pub struct Witness {
    expected: Option<Vec<Shown>>,
    /// The one output: its session and digest.
    output: Option<([u8; 32], [u8; 32])>,
    aborted: BTreeSet<[u8; 16]>,
    violation: Option<Violation>,
}

/// Bytes under way and in both parties together; the largest honest message has about two thousand.
const MOST_BYTES: usize = 1 << 16;

impl Witness {
    pub fn new(case: &Case) -> Witness {
        Witness {
            expected: case.expected.clone(),
            ..Witness::default()
        }
    }

    /// The first violation counts; what follows from it does not.
    pub fn object(&mut self, violation: Violation) {
        self.violation.get_or_insert(violation);
    }

    pub fn violation(&self) -> Option<Violation> {
        self.violation.clone()
    }

    /// A site makes something public.
    pub fn published(&mut self, site: usize, record: &OutputRecord, shown: &[Shown], other: &Disk) {
        let output = (record.session, record.digest);
        if *self.output.get_or_insert(output) != output {
            self.object(Violation::TwoOutputs { site });
        }
        let ready = match other.standing {
            Standing::Nothing => None,
            Standing::Ready(other) | Standing::Published(other) => {
                Some((other.session, other.digest))
            }
        };
        if ready != Some(output) {
            self.object(Violation::TooEarly { site });
        }
        if self.expected.as_deref() != Some(shown) {
            self.object(Violation::NotTheReference { site });
        }
        self.check_aborted();
    }

    /// A site says that it has aborted a session.
    pub fn aborted(&mut self, session: [u8; 16]) {
        self.aborted.insert(session);
        self.check_aborted();
    }

    fn check_aborted(&mut self) {
        if self
            .output
            .is_some_and(|(session, _)| self.aborted.contains(&session[..16]))
        {
            self.object(Violation::AbortedAndPublished);
        }
    }

    pub fn status(&mut self, site: usize, status: &Status, disk: &Disk) {
        let fits = match (status, disk.standing()) {
            (Status::Published, Standing::Published(_)) => disk.public.is_some(),
            (Status::InDoubt, Standing::Ready(_)) => disk.public.is_none(),
            (Status::Aborted(_) | Status::Waiting | Status::Working, Standing::Nothing) => {
                disk.public.is_none()
            }
            _ => false,
        };
        if !fits {
            self.object(Violation::StatusAgainstDisk {
                site,
                status: format!("{status:?}"),
            });
        }
    }

    pub fn memory(&mut self, bytes: usize) {
        if bytes > MOST_BYTES {
            self.object(Violation::Memory { bytes });
        }
    }

    /// After the first run, in which only ordinary faults happened.
    pub fn got_over_it(&mut self, statuses: [&Status; 2]) {
        if self.expected.is_some() && statuses.iter().any(|status| **status != Status::Published) {
            self.object(Violation::GaveInTooEasily {
                statuses: statuses.map(|status| format!("{status:?}")),
            });
        }
    }

    /// After a run without faults.
    pub fn resolved(&mut self, statuses: [&Status; 2], disks: [&Disk; 2]) {
        let all = |good: fn(&Status) -> bool| statuses.iter().all(|status| good(status));
        let resolved = match self.expected {
            Some(_) => all(|status| *status == Status::Published),
            None => {
                all(|status| matches!(status, Status::Aborted(_)))
                    && disks.iter().all(|d| d.public.is_none())
            }
        };
        if !resolved {
            self.object(Violation::Unresolved {
                statuses: statuses.map(|status| format!("{status:?}")),
            });
        }
    }
}

//! The simulation step by step, and the owners' rules.

use super::case::Case;
use super::dice::Dice;
use super::disk::Storage;
use super::network::{Link, frames};
use super::planted::Bug;
use super::property::Witness;
use super::schedule::Schedule;
use super::site::Site;
use mingle_protocol::{Party, Reason, Standing, Status};
use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex, MutexGuard};

/// Silence after which an owner hangs up.
const SILENCE: u64 = 12;
pub struct World<'a> {
    pub(super) schedule: &'a Schedule,
    pub(super) case: &'a Case,
    pub(super) bug: Bug,
    pub(super) dice: Dice,
    pub(super) now: u64,
    /// When the last fault happened, or the run began.
    pub(super) calm: u64,
    pub(super) sites: [Site; 2],
    /// To each site.
    pub(super) links: [Link; 2],
    pub(super) storage: Arc<Mutex<Storage>>,
    /// All frames each site ever sent.
    pub(super) sent: [Vec<Vec<u8>>; 2],
    /// No more faults.
    pub(super) clean: bool,
    pub(super) faults: usize,
    pub(super) only_ordinary: bool,
    pub(super) trace: Sha256,
}

impl<'a> World<'a> {
    pub(super) fn new(schedule: &'a Schedule, case: &'a Case, bug: Bug) -> World<'a> {
        let storage = Storage {
            disks: Default::default(),
            witness: Witness::new(case),
        };
        World {
            schedule,
            case,
            bug,
            dice: Dice::new(!schedule.seed),
            now: 0,
            calm: 0,
            sites: Default::default(),
            links: Default::default(),
            storage: Arc::new(Mutex::new(storage)),
            sent: Default::default(),
            clean: false,
            faults: 0,
            only_ordinary: true,
            trace: Sha256::new(),
        }
    }

    pub(super) fn step(&mut self) {
        self.now += 1;
        let first = self.dice.below(2) as usize;
        for site in [first, 1 - first] {
            self.wake(site);
            self.deliver(site);
            self.tend(site);
        }
        self.connect();
        self.watch();
        self.storage().flush();
    }

    fn wake(&mut self, site: usize) {
        if self.sites[site].restarts.is_some_and(|at| at <= self.now) {
            self.start(site);
        }
        if self.sites[site].accepts.is_some_and(|at| at <= self.now) {
            self.open(site);
        }
    }

    /// Hands over what has arrived, in pieces cut anywhere.
    fn deliver(&mut self, site: usize) {
        if !self.sites[site].connected {
            return;
        }
        let bytes = self.links[site].arrived(self.now);
        let mut rest = &bytes[..];
        while !rest.is_empty() && self.is_listening(site) {
            self.sites[site].heard = self.now;
            let piece = if self.dice.once_in(3) {
                1 + self.dice.below(60) as usize
            } else {
                rest.len()
            };
            let (piece, later) = rest.split_at(piece.min(rest.len()));
            rest = later;
            self.tell(site, |party| party.receive(piece));
        }
        if self.sites[site].connected && self.links[site].has_closed(self.now) {
            self.lose(site);
        }
    }

    fn is_listening(&self, site: usize) -> bool {
        self.sites[site].connected
            && self.sites[site]
                .party
                .as_ref()
                .is_some_and(|party| !party.is_broken())
    }

    /// The owner's rules.
    fn tend(&mut self, site: usize) {
        let Some(party) = &self.sites[site].party else {
            return;
        };
        let silent = self.now - self.sites[site].heard > SILENCE && self.bug != Bug::WaitsForEver;
        if party.finished() {
            self.end(site);
        } else if self.sites[site].connected && (party.is_broken() || silent) {
            self.hang_up(site, 0);
        }
    }

    /// Connects the two when one has no connection; the other may still believe in an old one.
    fn connect(&mut self) {
        if self.sites.iter().any(|site| site.party.is_none()) {
            return;
        }
        if let Some(caller) = (0..2).find(|&site| self.sites[site].wants_connection(self.now)) {
            self.links = Default::default();
            self.sites[1 - caller].leave();
            self.sites[1 - caller].accepts = Some(self.now + 1 + self.dice.below(3));
            self.open(caller);
        }
    }

    pub(super) fn open(&mut self, site: usize) {
        self.sites[site].connected = true;
        self.sites[site].accepts = None;
        self.sites[site].heard = self.now;
        self.tell(site, Party::connect);
    }

    /// Gives a party something to do and sends what it says.
    pub(super) fn tell(&mut self, site: usize, order: impl FnOnce(&mut Party) -> Vec<u8>) {
        let Some(party) = &mut self.sites[site].party else {
            return;
        };
        let bytes = order(party);
        if self.storage().disks[site].dead {
            return self.crash(site);
        }
        self.note_memory();
        for frame in frames(&bytes) {
            if self.sites[site].connected {
                self.post(site, frame);
            }
        }
    }

    pub(super) fn start(&mut self, site: usize) {
        self.sites[site].start(site, self.case, self.schedule.seed, &self.storage, self.bug);
    }

    pub(super) fn give_up(&mut self, site: usize, reason: Reason) {
        self.tell(site, |party| party.give_up(reason));
        self.end(site);
    }

    /// The process ends by itself.
    pub(super) fn end(&mut self, site: usize) {
        let Some(party) = &self.sites[site].party else {
            return;
        };
        let status = party.status();
        self.hang_up(site, 0);
        self.sites[site].party = None;
        if status == Status::InDoubt {
            self.mistake_doubt(site);
        }
        self.sites[site].ended = Some(status);
        // the other has a while of its own from here
        self.calm = self.now;
    }

    /// The planted bugs of owners.
    fn mistake_doubt(&mut self, site: usize) {
        let mut storage = self.storage();
        match (self.bug, storage.disks[site].standing) {
            (Bug::DiscardsInDoubt, _) => storage.remove(site),
            (Bug::PublishesInDoubt, Standing::Ready(record)) => storage.make_public(site, &record),
            _ => {}
        }
    }

    pub(super) fn storage(&self) -> MutexGuard<'_, Storage> {
        self.storage.lock().expect("no vault panics")
    }

    fn watch(&self) {
        for (site, Site { party, .. }) in self.sites.iter().enumerate() {
            // asked first: the party looks at its disk
            if let Some(status) = party.as_ref().map(Party::status) {
                let Storage { disks, witness } = &mut *self.storage();
                witness.status(site, &status, &disks[site]);
            }
        }
    }

    fn note_memory(&self) {
        let held: usize = self.sites.iter().map(Site::held).sum();
        let under_way: usize = self.links.iter().map(Link::bytes).sum();
        self.storage().witness.memory(held + under_way);
    }
}

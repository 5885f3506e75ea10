//! What goes wrong on the way and in a process: the faults take effect.

use super::disk::Trouble;
use super::fault::{Fault, Moment};
use super::network::{Header, Letter, Link, counted_back};
use super::schedule::Operation;
use super::world::World;
use mingle_protocol::Reason;
use sha2::Digest;

impl World<'_> {
    /// Sends one frame, with all that goes wrong at it.
    pub(super) fn post(&mut self, from: usize, frame: Vec<u8>) {
        let header = Header::of(&frame);
        if header.is_abort && header.session != [0; 16] {
            self.storage().witness.aborted(header.session);
        }
        self.trace.update(&frame);
        let message = self.sent[from].len() as u32;
        let mut letter = Letter::new(frame.clone(), self.now + 1 + self.dice.below(4) / 3);
        let here = |o: &&Operation| o.site == from && o.message == message && !self.clean;
        let faults: Vec<Fault> = self
            .schedule
            .operations
            .iter()
            .filter(here)
            .map(|o| o.fault)
            .collect();
        for fault in faults {
            self.calm = self.now;
            self.faults += 1;
            self.only_ordinary &= fault.is_ordinary();
            self.apply(fault, from, &mut letter);
        }
        self.sent[from].push(frame);
        let then = letter.then;
        if self.sites[1 - from].is_reachable() && self.sites[from].connected {
            letter.put(&mut self.links[1 - from]);
        }
        match then {
            Some(Fault::GiveUp) => self.give_up(from, Reason::Stopped),
            Some(_) => self.crash(from),
            None => {}
        }
    }

    fn apply(&mut self, fault: Fault, from: usize, letter: &mut Letter) {
        match fault {
            Fault::Drop => letter.copies.clear(),
            Fault::Delay(steps) => letter.due += u64::from(steps),
            Fault::Duplicate => letter.copies.extend_from_within(..),
            Fault::Reorder => letter.overtaken = true,
            Fault::Truncate(bytes) => letter
                .change(|copy| copy.truncate(copy.len() - 1 - bytes as usize % (copy.len() - 1))),
            Fault::Corrupt(byte) => letter.change(|copy| {
                let place = byte as usize % copy.len();
                copy[place] ^= 1 << (byte % 8);
            }),
            Fault::Replay(back) => letter.before.extend(counted_back(&self.sent[from], back)),
            Fault::ReplayGreeting => {
                letter.before.extend(
                    self.sent[from]
                        .iter()
                        .find(|frame| Header::of(frame).is_greeting)
                        .cloned(),
                );
            }
            Fault::Reflect(back) => letter
                .before
                .extend(counted_back(&self.sent[1 - from], back)),
            Fault::Disconnect(0) => {
                self.hang_up(from, 0);
                self.lose(1 - from);
            }
            Fault::Disconnect(late) => self.hang_up(from, u64::from(late)),
            Fault::Stall => self.links.iter_mut().for_each(|link| link.swallows = true),
            Fault::Crash(Moment::Before) => self.crash(from),
            Fault::Crash(_) | Fault::GiveUp => letter.then = Some(fault),
            Fault::CrashIn(call, moment) => self.storage().arm(from, call, Trouble::Crash(moment)),
            Fault::DiskFull(call) => self.storage().arm(from, call, Trouble::Full),
        }
    }

    /// A site closes its end; the other sees it after what is under way, or later still.
    pub(super) fn hang_up(&mut self, site: usize, late: u64) {
        self.lose(site);
        if self.sites[1 - site].is_reachable() {
            self.links[1 - site].closes = Some(self.now + 2 + late);
        }
    }

    /// A site sees that the connection is gone.
    pub(super) fn lose(&mut self, site: usize) {
        self.links[site] = Link::default();
        self.sites[site].leave();
        self.sites[site].retries = self.now + 1 + self.dice.below(3);
        if let Some(party) = &mut self.sites[site].party {
            party.disconnect();
        }
    }

    /// The process is gone, and its disk is as it is.
    pub(super) fn crash(&mut self, site: usize) {
        if self.sites[site].party.is_some() {
            self.hang_up(site, 0);
            self.sites[site].party = None;
            self.storage().disks[site].cut_power();
            self.sites[site].restarts = Some(self.now + 1 + self.dice.below(6));
            self.calm = self.now;
        }
    }
}

//! Disks that survive a crash, and vaults over them that fail when told to.

use super::fault::{Call, Moment};
use super::planted::Bug;
use super::property::Witness;
use crate::common::{Shown, digest, show, sign};
use mingle_protocol::{JointOutput, OutputRecord, Seat, Standing, Vault};
use std::sync::{Arc, Mutex, MutexGuard};

/// What a site has written down.
#[derive(Default)]
pub struct Disk {
    pub standing: Standing,
    staged: Option<Vec<Shown>>,
    /// The journal says that the staged output is to be made public.
    publishing: bool,
    pub public: Option<Vec<Shown>>,
    /// With a planted bug: acknowledged, and not written before the next step.
    cache: Option<(OutputRecord, Vec<Shown>)>,
    /// What goes wrong in the next calls, in no particular order.
    armed: Vec<(Call, Trouble)>,
    /// The process died in a call: nothing more happens until it starts again.
    pub dead: bool,
}

impl Disk {
    /// What the vault would say now.
    pub fn standing(&self) -> Standing {
        self.cache
            .as_ref()
            .map_or(self.standing, |(record, _)| Standing::Ready(*record))
    }

    /// What was not written is lost.
    pub fn cut_power(&mut self) {
        self.cache = None;
    }
}

/// What goes wrong in a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    Full,
    Crash(Moment),
}

/// Both disks, and who watches them.
pub struct Storage {
    pub disks: [Disk; 2],
    pub witness: Witness,
}

impl Storage {
    pub fn arm(&mut self, site: usize, call: Call, trouble: Trouble) {
        self.disks[site].armed.push((call, trouble));
    }

    /// From now on, disks are good.
    pub fn disarm(&mut self) {
        self.disks.iter_mut().for_each(|disk| disk.armed.clear());
    }

    /// A process starts and reads its journal; a publication that was begun is completed.
    pub fn open(&mut self, site: usize, bug: Bug) {
        let disk = &mut self.disks[site];
        disk.dead = false;
        match disk.standing {
            Standing::Ready(_) if bug == Bug::ForgetsReady => disk.standing = Standing::Nothing,
            Standing::Ready(record) if disk.publishing => self.make_public(site, &record),
            _ => {}
        }
    }

    /// Time passes.
    pub fn flush(&mut self) {
        for disk in &mut self.disks {
            if let Some((record, shown)) = disk.cache.take() {
                disk.staged = Some(shown);
                disk.standing = Standing::Ready(record);
            }
        }
    }

    pub fn make_public(&mut self, site: usize, record: &OutputRecord) {
        let disk = &mut self.disks[site];
        let Some(staged) = disk.staged.take() else {
            return;
        };
        disk.publishing = false;
        disk.standing = Standing::Published(*record);
        disk.public = Some(staged.clone());
        self.witness
            .published(site, record, &staged, &self.disks[1 - site]);
    }

    pub fn remove(&mut self, site: usize) {
        let disk = &mut self.disks[site];
        disk.staged = None;
        disk.publishing = false;
        disk.standing = Standing::Nothing;
    }

    /// What goes wrong in this call, if anything.
    fn trouble(&mut self, site: usize, call: Call) -> Option<Trouble> {
        let armed = &mut self.disks[site].armed;
        let place = armed.iter().position(|&(armed, _)| armed == call)?;
        Some(armed.remove(place).1)
    }

    /// Does a call's work, as far as it gets.
    fn work(
        &mut self,
        site: usize,
        call: Call,
        work: impl Fn(&mut Storage, bool),
    ) -> Result<(), String> {
        if self.disks[site].dead {
            return Err("the process is dead".to_owned());
        }
        let trouble = self.trouble(site, call);
        match trouble {
            Some(Trouble::Full | Trouble::Crash(Moment::Before)) => {}
            Some(Trouble::Crash(Moment::Between)) => work(self, true),
            Some(Trouble::Crash(Moment::After)) | None => work(self, false),
        }
        self.disks[site].dead = matches!(trouble, Some(Trouble::Crash(_)));
        match trouble {
            None => Ok(()),
            Some(Trouble::Full) => Err("no space left on device".to_owned()),
            // nobody is left to see the answer
            Some(Trouble::Crash(_)) => Err("crash".to_owned()),
        }
    }
}

/// A vault over one of the disks.
pub struct FaultyVault {
    pub site: usize,
    pub storage: Arc<Mutex<Storage>>,
    pub bug: Bug,
}

impl FaultyVault {
    fn storage(&self) -> MutexGuard<'_, Storage> {
        self.storage.lock().expect("no vault panics")
    }

    fn seat(&self) -> Seat {
        [Seat::Zero, Seat::One][self.site]
    }
}

impl Vault for FaultyVault {
    fn standing(&self) -> Standing {
        self.storage().disks[self.site].standing()
    }

    fn prepare(&mut self, output: &JointOutput) -> Result<OutputRecord, String> {
        let shown = show(output.verified.fragments());
        let digest = digest(&shown);
        let record = OutputRecord {
            session: output.session,
            digest,
            signature: sign(self.seat(), &digest),
        };
        if self.bug == Bug::JournalsLater {
            self.storage().disks[self.site].cache = Some((record, shown));
            return Ok(record);
        }
        let (site, bug) = (self.site, self.bug);
        self.storage().work(site, Call::Prepare, |storage, half| {
            let disk = &mut storage.disks[site];
            disk.staged = Some(shown.clone());
            disk.publishing = false;
            if !half {
                disk.standing = Standing::Ready(record);
            }
            if bug == Bug::PublishesAtPrepare {
                storage.make_public(site, &record);
            }
        })?;
        Ok(record)
    }

    fn genuine(&self, digest: &[u8; 32], signature: &[u8; 64]) -> bool {
        *signature == sign(self.seat().other(), digest)
    }

    fn publish(&mut self, record: &OutputRecord, _other: &[u8; 64]) -> Result<(), String> {
        let site = self.site;
        self.storage().work(site, Call::Publish, |storage, half| {
            storage.flush();
            storage.disks[site].publishing = true;
            if !half {
                storage.make_public(site, record);
            }
        })
    }

    fn discard(&mut self, _record: &OutputRecord) -> Result<(), String> {
        if self.bug == Bug::KeepsDiscarded {
            return Ok(());
        }
        let site = self.site;
        self.storage().work(site, Call::Discard, |storage, half| {
            // the journal first: a record without its output could never be published
            storage.disks[site].standing = Standing::Nothing;
            if !half {
                storage.remove(site);
            }
        })
    }
}

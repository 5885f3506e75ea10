//! One site's process, as its owner sees it.

use super::case::Case;
use super::disk::{FaultyVault, Storage};
use super::planted::Bug;
use crate::common::Seeded;
use mingle_protocol::{Nobody, Party, Status, hazmat};
use std::sync::{Arc, Mutex};

/// A process and its end of the connection.
#[derive(Default)]
pub struct Site {
    /// None while the process does not run.
    pub party: Option<Party>,
    /// It crashed and starts again at this step.
    pub restarts: Option<u64>,
    /// It has ended by itself, like this.
    pub ended: Option<Status>,
    pub connected: bool,
    /// It will notice a new connection at this step.
    pub accepts: Option<u64>,
    /// When something last arrived.
    pub heard: u64,
    /// Not before this step does it connect again.
    pub retries: u64,
    /// How often the process was started.
    starts: u64,
}

impl Site {
    /// Starts the process from what its disk has.
    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    pub fn start(
        &mut self,
        site: usize,
        case: &Case,
        seed: u64,
        storage: &Arc<Mutex<Storage>>,
        bug: Bug,
    ) {
        storage.lock().expect("no vault panics").open(site, bug);
        let vault = FaultyVault {
            site,
            storage: storage.clone(),
            bug,
        };
        // every process draws its own nonces and keys
        let entropy = Seeded::boxed(
            seed ^ (2 * self.starts + site as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15),
        );
        let party = hazmat::party(case.setup(site), Box::new(vault), Arc::new(Nobody), entropy);
        self.party = Some(party.expect("a sound setup"));
        self.starts += 1;
        self.restarts = None;
        self.ended = None;
        self.leave();
    }

    /// Its end of the connection is gone.
    pub fn leave(&mut self) {
        self.connected = false;
        self.accepts = None;
    }

    /// Whether bytes sent to it have somewhere to go.
    pub fn is_reachable(&self) -> bool {
        self.party.is_some() && (self.connected || self.accepts.is_some())
    }

    pub fn wants_connection(&self, now: u64) -> bool {
        !self.connected && self.accepts.is_none() && self.retries <= now
    }

    pub fn held(&self) -> usize {
        self.party.as_ref().map_or(0, hazmat::held)
    }
}

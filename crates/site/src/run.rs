//! One run of a site: from the first connection to a release, an abort, or doubt.
//!
//! Connections come and go; the party stays. The run ends when the party has nothing left to say,
//! when somebody asks to stop, or at the deadline. Once the outcome is decided the site stays a few
//! seconds for the partner to learn of it; a site that finds its release published already stays
//! until the deadline, because the only reason to run it is a partner in doubt, or briefly where
//! the partner has confirmed it.

use crate::address::{Address, WaitingTimes};
use crate::clock::{Clock, LINGER};
use crate::door::Door;
use crate::engine::Engine;
use crate::error::{Error, LinkError};
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;
use crate::link::{Pause, hang_up, listen, say_farewell, speak};
use crate::machine::Machine;
use crate::tls::{Secured, Tls};
use crate::vault::{Deposit, SiteVault};
use crate::watcher::{Event, Watcher};
use mingle_protocol::{Error as ProtocolError, Party, Reason, Seat, Setup, Status};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, sleep};

/// A site and its partner.
pub struct Site {
    /// Who this site is.
    pub identity: Identity,
    /// Whom it trusts.
    pub peer: Fingerprint,
    /// Who calls whom.
    pub address: Address,
    /// How long to wait.
    pub limits: WaitingTimes,
    /// Where the release goes.
    pub deposit: Deposit,
}

/// How a run ended.
#[derive(Debug)]
pub struct RunOutcome {
    /// What came of it.
    pub end: RunEnd,
    /// How many connections there were.
    pub connections: u32,
    /// How many callers were turned away.
    pub strangers: u32,
    /// Bytes of the protocol that went either way, before encryption.
    pub moved: u64,
    /// Whether the partner is known to have come to the same end.
    pub confirmed: bool,
    /// Why there is no connection, or no other.
    pub last: Option<LinkError>,
    /// Whether it had ended before: others were told so once more.
    pub over_before: bool,
    /// What stood in the way of the last step: the disk, or a partner who knows nothing of what is
    /// published here.
    pub trouble: Option<ProtocolError>,
}

/// What came of a run.
#[derive(Debug)]
pub enum RunEnd {
    /// Both sites have the same release, here it is in place.
    Published {
        /// It was there before this run.
        before: bool,
    },
    /// The partner may or may not have published: nothing is in `public/`, and the next run
    /// resolves it.
    InDoubt,
    /// Neither site has published.
    Aborted(ProtocolError),
}

/// Runs a site to its end. `cancel` is raised by somebody else to stop: the partner is told, and
/// nothing is written unless the release was in doubt already.
///
/// The certificates of both sites are put into `setup.keys` here.
pub fn run(
    site: Site,
    mut setup: Setup,
    watcher: Arc<dyn Watcher>,
    cancel: &AtomicBool,
) -> Result<RunOutcome, Error> {
    site.identity.check_valid(SystemTime::now())?;
    if site.identity.fingerprint() == site.peer {
        return Err(Error::OwnFingerprint);
    }
    let (own, peer) = (site.identity.fingerprint().bytes(), site.peer.bytes());
    setup.keys = match setup.seat {
        Seat::Zero => [own, peer],
        Seat::One => [peer, own],
    };
    let tls = Tls::new(&site.identity, Some(site.peer))?;
    let vault = SiteVault::open(site.deposit, site.identity, setup.seat, site.peer)?;
    let (before, peer_key) = (vault.has_published(), vault.peer_key());
    // nobody is in doubt then; a partner that wants to start anew alone is told so if it calls soon
    let patience = if vault.is_confirmed() {
        COURTESY
    } else {
        site.limits.deadline
    };
    let party = Party::new(setup, Box::new(vault), watcher.clone())?;
    let conversation = Conversation {
        party: Box::new(party),
        address: site.address,
        tls,
        limits: WaitingTimes {
            silence: site.limits.silence,
            deadline: patience.min(site.limits.deadline),
        },
        before,
        peer_key: Some(peer_key),
    };
    conversation.hold(watcher, cancel)
}

/// A party, and how it reaches the other end: a partner, or a board.
pub(crate) struct Conversation {
    pub(crate) party: Box<dyn Machine>,
    pub(crate) address: Address,
    pub(crate) tls: Tls,
    pub(crate) limits: WaitingTimes,
    /// The outcome was decided before this run.
    pub(crate) before: bool,
    /// Where the partner's key is left once it is known.
    pub(crate) peer_key: Option<crate::vault::PeerKey>,
}

impl Conversation {
    /// Talks until there is an outcome.
    pub(crate) fn hold(
        self,
        watcher: Arc<dyn Watcher>,
        cancel: &AtomicBool,
    ) -> Result<RunOutcome, Error> {
        let engine = Engine::start(self.party)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::System)?;
        let limits = self.limits;
        runtime.block_on(async {
            let door = Door::new(self.address, self.tls, limits.silence, watcher.clone()).await?;
            let clock = Clock {
                cancel,
                deadline: Cell::new(Instant::now() + limits.deadline),
                before: self.before,
            };
            let over_before = matches!(engine.standing().status, Status::Aborted(_));
            let session = Session {
                over_before,
                engine,
                door,
                clock,
                silence: limits.silence,
                watcher,
                peer_key: self.peer_key,
                connections: 0,
                last: None,
            };
            session.run().await
        })
    }
}

/// How long a site whose release both have confirmed waits for its partner.
pub(crate) const COURTESY: Duration = Duration::from_secs(10);

struct Session<'a> {
    /// The party knows from an earlier run of the program that there will be no release; whoever is in
    /// doubt can learn it from here only.
    over_before: bool,
    engine: Engine,
    door: Door,
    clock: Clock<'a>,
    silence: Duration,
    watcher: Arc<dyn Watcher>,
    peer_key: Option<crate::vault::PeerKey>,
    connections: u32,
    last: Option<LinkError>,
}

impl Session<'_> {
    async fn run(mut self) -> Result<RunOutcome, Error> {
        let mut waiting: Option<Box<Secured>> = None;
        while self.goes_on() {
            let secured = match waiting.take() {
                Some(secured) => *secured,
                None => match self.next().await {
                    Some(secured) => secured,
                    None => break,
                },
            };
            match self.talk(secured).await {
                Pause::Finished | Pause::Stopped(_) => break,
                Pause::Replaced(secured) => waiting = Some(secured),
                // a partner that makes this happen again and again is not worth a processor
                Pause::Broken => sleep(Duration::from_millis(500)).await,
                Pause::Lost(error) => {
                    if self.lost(error).await {
                        break;
                    }
                }
            }
        }
        let (connections, strangers, last) = (self.connections, self.door.strangers, self.last);
        let standing = self.engine.stop()?;
        let end = match standing.status {
            Status::Published => RunEnd::Published {
                before: self.clock.before,
            },
            Status::InDoubt => RunEnd::InDoubt,
            Status::Aborted(error) => RunEnd::Aborted(error),
            Status::Waiting | Status::Working => return Err(Error::Defect),
        };
        let trouble = standing
            .trouble
            .filter(|trouble| !matches!(trouble, ProtocolError::GaveUp(_)));
        Ok(RunOutcome {
            end,
            connections,
            strangers,
            moved: standing.moved,
            confirmed: standing.finished,
            last,
            over_before: self.over_before,
            trouble,
        })
    }

    fn goes_on(&self) -> bool {
        let standing = self.engine.standing();
        if standing.is_decided() {
            self.clock.decided();
        }
        let is_untold = self.over_before && self.connections == 0;
        (is_untold || !standing.finished) && !standing.is_stuck() && self.engine.is_alive()
    }

    /// Takes note of a lost connection; true if no other can be better.
    async fn lost(&mut self, error: LinkError) -> bool {
        let hopeless = self.door.calls() && error.is_final();
        if !self.engine.standing().finished {
            self.watcher.event(Event::Lost(&error));
        }
        self.last = Some(error);
        if hopeless {
            self.engine.give_up(Reason::Stopped).await;
        }
        hopeless
    }

    /// The next connection, or none because the run is over.
    async fn next(&mut self) -> Option<Secured> {
        let stopped = tokio::select! {
            secured = self.door.next() => match secured {
                Ok(secured) => return Some(secured),
                Err(error) => {
                    self.last = Some(error);
                    Reason::Stopped
                }
            },
            reason = self.clock.stop() => reason,
        };
        if !self.engine.standing().is_decided() {
            self.engine.give_up(stopped).await;
        }
        None
    }

    /// Talks over one connection until it ends.
    async fn talk(&mut self, secured: Secured) -> Pause {
        self.connections += 1;
        self.last = None;
        if let Some(peer_key) = &self.peer_key {
            peer_key.learn(&secured.certificate);
        }
        self.watcher.event(Event::Connected);
        let (reader, mut writer) = tokio::io::split(secured.stream);
        let orders = self.engine.orders();
        self.engine.connected().await;
        let listen = listen(reader, self.silence, async |bytes| orders.data(bytes).await);
        tokio::pin!(listen);
        let pause = tokio::select! {
            error = &mut listen => Pause::Lost(error),
            pause = speak(&mut writer, &mut self.engine, &self.clock) => pause,
            secured = self.door.another() => Pause::Replaced(Box::new(secured)),
            // a write that never ends must not keep the run from ending
            reason = self.clock.stop_after(LINGER) => Pause::Stopped(reason),
        };
        match pause {
            Pause::Stopped(reason) if !self.engine.standing().is_decided() => {
                say_farewell(&mut writer, &mut self.engine, reason).await;
                hang_up(writer, listen).await;
            }
            Pause::Finished | Pause::Stopped(_) => hang_up(writer, listen).await,
            _ => self.engine.disconnected().await,
        }
        pause
    }
}

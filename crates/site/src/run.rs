//! One run of a site: from the first connection to a release, an abort, or doubt.
//!
//! Connections come and go; the party stays. The run ends when the party has nothing left to say, when somebody asks to
//! stop, or at the deadline. Once the outcome is decided the site stays a few seconds for the partner to learn of it; a
//! site that finds its release published already stays until the deadline, because the only reason to run it is a
//! partner in doubt.

use crate::address::{Address, Limits};
use crate::door::Door;
use crate::engine::{Answer, Engine};
use crate::error::{Error, LinkError};
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;
use crate::record;
use crate::tls::{Secured, Tls};
use crate::vault::{Deposit, SiteVault};
use crate::watcher::{Event, Watcher};
use mingle_protocol::{Error as ProtocolError, Party, Reason, Seat, Setup, Status};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};
use tokio::io::{AsyncRead, AsyncWriteExt, WriteHalf};
use tokio::net::TcpStream;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};
use tokio_rustls::TlsStream;

/// How often a side says that it is alive.
const PING: Duration = Duration::from_secs(5);

/// How long a side that knows the outcome waits for the other to learn of it.
const LINGER: Duration = Duration::from_secs(5);

/// A site and its partner.
pub struct Site {
    /// Who this site is.
    pub identity: Identity,
    /// Whom it trusts.
    pub peer: Fingerprint,
    /// Who calls whom.
    pub address: Address,
    /// How long to wait.
    pub limits: Limits,
    /// Where the release goes.
    pub deposit: Deposit,
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// What came of it.
    pub end: End,
    /// How many connections there were.
    pub connections: u32,
    /// How many callers were turned away.
    pub strangers: u32,
    /// Whether the partner is known to have come to the same end.
    pub confirmed: bool,
    /// Why there is no connection, or no other.
    pub last: Option<LinkError>,
    /// What stood in the way of the last step: the disk, or a partner who knows nothing of what is published here.
    pub trouble: Option<ProtocolError>,
}

/// What came of a run.
#[derive(Debug)]
pub enum End {
    /// Both sites have the same release, here it is in place.
    Published {
        /// It was there before this run.
        before: bool,
    },
    /// The partner may or may not have published: nothing is in `public/`, and the next run resolves it.
    InDoubt,
    /// Neither site has published.
    Aborted(ProtocolError),
}

/// Runs a site to its end. `cancel` is raised by somebody else to stop: the partner is told, and nothing is written
/// unless the release was in doubt already.
///
/// The certificates of both sites are put into `setup.keys` here.
pub fn run(site: Site, mut setup: Setup, watcher: Arc<dyn Watcher>, cancel: &AtomicBool) -> Result<Outcome, Error> {
    site.identity.check_valid(SystemTime::now())?;
    if site.identity.fingerprint() == site.peer {
        return Err(Error::OwnFingerprint);
    }
    let (own, peer) = (site.identity.fingerprint().bytes(), site.peer.bytes());
    setup.keys = match setup.seat {
        Seat::Zero => [own, peer],
        Seat::One => [peer, own],
    };
    let tls = Tls::new(&site.identity, site.peer)?;
    let vault = SiteVault::open(site.deposit, site.identity, setup.seat, site.peer)?;
    let (before, peer_key) = (vault.has_published(), vault.peer_key());
    let party = Party::new(setup, Box::new(vault), watcher.clone())?;
    let engine = Engine::start(party)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::System)?;
    runtime.block_on(async {
        let door = Door::new(site.address, tls, site.limits.silence, watcher.clone()).await?;
        let clock = Clock { cancel, deadline: Cell::new(Instant::now() + site.limits.deadline), before };
        let session = Session {
            engine,
            door,
            clock,
            silence: site.limits.silence,
            watcher,
            peer_key,
            connections: 0,
            last: None,
        };
        session.run().await
    })
}

/// When to stop.
struct Clock<'a> {
    cancel: &'a AtomicBool,
    deadline: Cell<Instant>,
    /// The outcome was decided before this run.
    before: bool,
}

impl Clock<'_> {
    /// Returns when somebody has asked to stop, or at the deadline.
    async fn stop(&self) -> Reason {
        const LOOK: Duration = Duration::from_millis(50);
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return Reason::Stopped;
            }
            if Instant::now() >= self.deadline.get() {
                return Reason::Silence;
            }
            sleep(LOOK).await;
        }
    }

    /// The same, and this much later.
    async fn stop_after(&self, pause: Duration) -> Reason {
        let reason = self.stop().await;
        sleep(pause).await;
        reason
    }

    /// The outcome is decided: only a little longer.
    fn decided(&self) {
        if !self.before {
            self.deadline.set(self.deadline.get().min(Instant::now() + LINGER));
        }
    }
}

struct Session<'a> {
    engine: Engine,
    door: Door,
    clock: Clock<'a>,
    silence: Duration,
    watcher: Arc<dyn Watcher>,
    peer_key: crate::vault::PeerKey,
    connections: u32,
    last: Option<LinkError>,
}

/// Why a conversation ended.
enum Pause {
    Finished,
    Lost(LinkError),
    /// The party found the connection useless.
    Broken,
    /// The partner called again.
    Replaced(Box<Secured>),
    Stopped(Reason),
}

impl Session<'_> {
    async fn run(mut self) -> Result<Outcome, Error> {
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
            Status::Published => End::Published { before: self.clock.before },
            Status::InDoubt => End::InDoubt,
            Status::Aborted(error) => End::Aborted(error),
            Status::Waiting | Status::Working => return Err(Error::Defect),
        };
        let trouble = standing.trouble.filter(|trouble| !matches!(trouble, ProtocolError::GaveUp(_)));
        Ok(Outcome { end, connections, strangers, confirmed: standing.finished, last, trouble })
    }

    fn goes_on(&self) -> bool {
        let standing = self.engine.standing();
        if standing.is_decided() {
            self.clock.decided();
        }
        !standing.finished && !standing.is_stuck() && self.engine.is_alive()
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
        self.peer_key.learn(&secured.certificate);
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

/// Hands everything that arrives to the party, until the connection fails or is silent for too long.
async fn listen(mut reader: impl AsyncRead + Unpin, silence: Duration, take: impl AsyncFn(Vec<u8>)) -> LinkError {
    loop {
        match timeout(silence, record::read(&mut reader)).await {
            Err(_) => return LinkError::Silent(silence.as_secs()),
            Ok(Err(error)) => return error,
            Ok(Ok(None)) => {}
            Ok(Ok(Some(bytes))) => take(bytes).await,
        }
    }
}

/// Sends what the party says, and a sign of life when it says nothing.
async fn speak(writer: &mut WriteHalf<TlsStream<TcpStream>>, engine: &mut Engine, clock: &Clock<'_>) -> Pause {
    let mut ping = interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let sent = tokio::select! {
            answer = engine.answers.recv() => {
                let Some(answer) = answer else { return Pause::Broken };
                engine.note(&answer);
                say(writer, &answer, clock).await
            }
            _ = ping.tick() => record::write_ping(writer).await.map(|()| None),
            // here, and not around the whole loop: no record is cut short
            reason = clock.stop() => return Pause::Stopped(reason),
        };
        match sent {
            Ok(None) => {}
            Ok(Some(pause)) => return pause,
            Err(error) => return Pause::Lost(error),
        }
    }
}

async fn say(
    writer: &mut WriteHalf<TlsStream<TcpStream>>,
    answer: &Answer,
    clock: &Clock<'_>,
) -> Result<Option<Pause>, LinkError> {
    record::write_data(writer, &answer.bytes).await?;
    if answer.standing.is_decided() {
        clock.decided();
    }
    Ok(match answer {
        Answer { standing, .. } if standing.finished => Some(Pause::Finished),
        Answer { broken: true, .. } => Some(Pause::Broken),
        _ => None,
    })
}

/// Tells the party to stop and the partner what it says to that. The party may be in the middle of a long computation:
/// until it hears, the partner is told that this side is alive.
async fn say_farewell(writer: &mut WriteHalf<TlsStream<TcpStream>>, engine: &mut Engine, reason: Reason) {
    let farewell = {
        let given_up = engine.give_up(reason);
        tokio::pin!(given_up);
        loop {
            tokio::select! {
                bytes = &mut given_up => break bytes,
                () = sleep(PING) => drop(timeout(PING, record::write_ping(writer)).await),
            }
        }
    };
    let _ = timeout(LINGER, record::write_data(writer, &farewell)).await;
}

/// Closes a connection so that the last bytes arrive: a socket closed with bytes unread is reset, and the reset may
/// overtake what was sent.
async fn hang_up(mut writer: WriteHalf<TlsStream<TcpStream>>, listen: impl Future<Output = LinkError>) {
    const PATIENCE: Duration = Duration::from_secs(2);
    let _ = timeout(PATIENCE, writer.shutdown()).await;
    let _ = timeout(PATIENCE, listen).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    const SILENCE: Duration = Duration::from_millis(200);

    fn wait<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async { timeout(Duration::from_secs(20), work).await.expect("in time") })
    }

    #[test]
    fn a_silent_side_is_given_up_and_one_that_pings_is_not() {
        wait(async {
            let (mut here, there) = tokio::io::duplex(1024);
            let pings = async {
                for _ in 0..6 {
                    record::write_ping(&mut here).await.expect("sent");
                    sleep(SILENCE / 2).await;
                }
            };
            let started = Instant::now();
            let (error, ()) = tokio::join!(listen(there, SILENCE, async |_| ()), pings);
            assert!(matches!(error, LinkError::Silent(_)), "{error}");
            assert!(started.elapsed() > 3 * SILENCE);
        });
    }

    #[test]
    fn computing_is_not_silence() {
        let heard = RefCell::new(Vec::new());
        wait(async {
            let (mut here, there) = tokio::io::duplex(1024);
            record::write_data(&mut here, b"first").await.expect("sent");
            record::write_data(&mut here, b"second").await.expect("sent");
            drop(here);
            // the party takes longer over the first than silence may last
            let take = async |bytes: Vec<u8>| {
                sleep(2 * SILENCE).await;
                heard.borrow_mut().push(bytes);
            };
            assert!(matches!(listen(there, SILENCE, take).await, LinkError::Closed));
        });
        assert_eq!(heard.into_inner(), [&b"first"[..], b"second"]);
    }

    #[test]
    fn a_decided_run_ends_soon_unless_it_was_decided_before() {
        let cancel = AtomicBool::new(false);
        let far = Duration::from_secs(3600);
        wait(async {
            let clock = |before| Clock { cancel: &cancel, deadline: Cell::new(Instant::now() + far), before };
            let (new, old) = (clock(false), clock(true));
            new.decided();
            old.decided();
            let soon = new.deadline.get();
            new.decided();
            assert!(soon <= Instant::now() + LINGER && new.deadline.get() == soon);
            assert!(old.deadline.get() > Instant::now() + LINGER);
            cancel.store(true, Ordering::Relaxed);
            assert_eq!(old.stop().await, Reason::Stopped);
        });
    }
}

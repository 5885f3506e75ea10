//! The board as a server: TLS, many connections, bounded everything.
//!
//! It shows a certificate that providers know by its fingerprint, lets anybody call who has a key,
//! and asks nobody who they are: what matters is signed inside. A caller must take a seat within ten
//! seconds; one that is silent for too long, breaks the rules, or does not read what is waiting for
//! it, is hung up on. An honest provider calls again and is sent by the others what it lacks, so a
//! board that is killed and started again has lost nothing.

use crate::address::Address;
use crate::clock::Clock;
use crate::door::Door;
use crate::error::{Error, LinkError};
use crate::identity::Identity;
use crate::record;
use crate::tls::{Secured, Tls};
use crate::watcher::{Blind, Event, Watcher};
use mingle_protocol::Observer;
use mingle_protocol::horizontal::{BoardLimits, RelayBoard};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::LocalSet;
use tokio::time::{Instant, interval, timeout};

/// A board.
pub struct BoardSite {
    /// Who it is.
    pub identity: Identity,
    /// Where it is called.
    pub address: Address,
    /// Without a byte before a connection is given up.
    pub silence: Duration,
    /// What it takes at most.
    pub limits: BoardLimits,
}

/// Something that happened at a board. It knows connections and lengths, and no contents.
#[derive(Clone, Debug)]
pub enum BoardEvent {
    /// Waiting to be called.
    Listening(SocketAddr),
    /// A caller whose handshake failed.
    Stranger(SocketAddr, String),
    /// A connection was made; so many are there.
    Connected(usize),
    /// A connection ended, and why; so many are left.
    Ended(String, usize),
    /// Seats that are taken, by run.
    Seats(Vec<usize>),
    /// Bytes came from one connection, and so many went to others.
    Relayed {
        /// From whom.
        received: usize,
        /// To all others together.
        sent: usize,
    },
}

/// Sees what happens at a board.
pub trait BoardWatcher: Send + Sync {
    /// Something happened.
    fn event(&self, event: BoardEvent);
}

/// For a caller to take a seat.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a board says that it is alive.
const PING: Duration = Duration::from_secs(5);
/// Bytes that wait for one reader; a provider that reads so slowly calls again.
const MOST_WAITING: usize = 256 << 20;

/// What all connections share. One thread, so no lock.
struct Shared {
    board: RefCell<RelayBoard>,
    outgoing: RefCell<HashMap<u64, Outgoing>>,
    seats: RefCell<Vec<usize>>,
    watcher: Arc<dyn BoardWatcher>,
}

struct Outgoing {
    queue: UnboundedSender<Vec<u8>>,
    waiting: Rc<Cell<usize>>,
}

/// Why a connection was ended.
enum Ended {
    Link(LinkError),
    Refused(String),
    NoSeat,
    Slow,
}

impl Ended {
    fn words(&self) -> String {
        match self {
            Ended::Link(error) => error.to_string(),
            Ended::Refused(violation) => format!("it sent {violation}"),
            Ended::NoSeat => format!("it took no seat within {} s", PATIENCE.as_secs()),
            Ended::Slow => "it does not read what is waiting for it".to_owned(),
        }
    }
}

/// The door's strangers, as a board tells of them.
struct AtTheDoor(Arc<dyn BoardWatcher>);

impl Observer for AtTheDoor {}

impl Watcher for AtTheDoor {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Listening(address) => self.0.event(BoardEvent::Listening(address)),
            Event::Stranger(address, error) => {
                self.0
                    .event(BoardEvent::Stranger(address, error.to_string()));
            }
            other => Blind.event(other),
        }
    }
}

/// Relays until `cancel` is raised.
pub fn run_board(
    site: BoardSite,
    watcher: Arc<dyn BoardWatcher>,
    cancel: &AtomicBool,
) -> Result<(), Error> {
    site.identity.check_valid(std::time::SystemTime::now())?;
    let tls = Tls::new(&site.identity, None)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Error::System)?;
    LocalSet::new().block_on(&runtime, async {
        let at_the_door = Arc::new(AtTheDoor(watcher.clone()));
        let mut door = Door::new(site.address, tls, site.silence, at_the_door).await?;
        let clock = Clock {
            cancel,
            // a board has no deadline of its own
            deadline: Cell::new(Instant::now() + Duration::from_secs(100 * 365 * 24 * 3600)),
            before: true,
        };
        let shared = Rc::new(Shared {
            board: RefCell::new(RelayBoard::new(site.limits)),
            outgoing: RefCell::default(),
            seats: RefCell::default(),
            watcher,
        });
        let mut next = 0;
        loop {
            let secured = tokio::select! {
                secured = door.another() => secured,
                _ = clock.stop() => return Ok(()),
            };
            next += 1;
            if shared.board.borrow_mut().connect(next) {
                tokio::task::spawn_local(serve(shared.clone(), next, secured, site.silence));
            }
        }
    })
}

/// One connection, from its first byte to its last.
async fn serve(shared: Rc<Shared>, connection: u64, secured: Secured, silence: Duration) {
    let (queue, waiting_bytes) = unbounded_channel();
    let waiting = Rc::new(Cell::new(0));
    let outgoing = Outgoing {
        queue,
        waiting: waiting.clone(),
    };
    let connections = {
        let mut all = shared.outgoing.borrow_mut();
        all.insert(connection, outgoing);
        all.len()
    };
    shared.watcher.event(BoardEvent::Connected(connections));
    let (mut reader, mut writer) = tokio::io::split(secured.stream);
    let ended = tokio::select! {
        ended = hear(&shared, connection, &mut reader, silence) => ended,
        ended = say(&shared, connection, &mut writer, waiting_bytes, &waiting) => ended,
    };
    shared.board.borrow_mut().disconnect(connection);
    let left = {
        let mut all = shared.outgoing.borrow_mut();
        all.remove(&connection);
        all.len()
    };
    shared.watcher.event(BoardEvent::Ended(ended.words(), left));
    tell_seats(&shared);
    let _ = timeout(
        Duration::from_secs(1),
        tokio::io::AsyncWriteExt::shutdown(&mut writer),
    )
    .await;
}

async fn hear(
    shared: &Shared,
    connection: u64,
    reader: &mut (impl tokio::io::AsyncRead + Unpin),
    silence: Duration,
) -> Ended {
    let opened = Instant::now();
    let mut has_spoken = false;
    loop {
        let patience = if has_spoken {
            silence
        } else {
            match PATIENCE.checked_sub(opened.elapsed()) {
                Some(left) => left,
                None => return Ended::NoSeat,
            }
        };
        let bytes = match timeout(patience, record::read(reader)).await {
            Err(_) if !has_spoken => return Ended::NoSeat,
            Err(_) => return Ended::Link(LinkError::Silent(silence.as_secs())),
            Ok(Err(error)) => return Ended::Link(error),
            Ok(Ok(None)) => continue,
            Ok(Ok(Some(bytes))) => bytes,
        };
        has_spoken = true;
        let relayed = shared.board.borrow_mut().receive(connection, &bytes);
        let mut sent = 0;
        for (to, bytes) in relayed {
            if let Some(outgoing) = shared.outgoing.borrow().get(&to) {
                sent += bytes.len();
                outgoing.waiting.set(outgoing.waiting.get() + bytes.len());
                let _ = outgoing.queue.send(bytes);
            }
        }
        shared.watcher.event(BoardEvent::Relayed {
            received: bytes.len(),
            sent,
        });
        if let Some(refused) = refused(shared, connection) {
            return refused;
        }
        tell_seats(shared);
    }
}

async fn say(
    shared: &Shared,
    connection: u64,
    writer: &mut (impl tokio::io::AsyncWrite + Unpin),
    mut queue: UnboundedReceiver<Vec<u8>>,
    waiting: &Cell<usize>,
) -> Ended {
    let mut ping = interval(PING);
    loop {
        let written = tokio::select! {
            bytes = queue.recv() => {
                let Some(bytes) = bytes else { return Ended::Slow };
                if waiting.get() > MOST_WAITING {
                    return Ended::Slow;
                }
                let written = timeout(4 * PING, record::write_data(writer, &bytes)).await;
                waiting.set(waiting.get().saturating_sub(bytes.len()));
                written
            }
            // also the moment to notice that another connection has taken the seat
            _ = ping.tick() => {
                if let Some(refused) = refused(shared, connection) {
                    return refused;
                }
                timeout(4 * PING, record::write_ping(writer)).await
            }
        };
        match written {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Ended::Link(error),
            Err(_) => return Ended::Slow,
        }
    }
}

fn refused(shared: &Shared, connection: u64) -> Option<Ended> {
    let board = shared.board.borrow();
    let violation = board.is_refused(connection)?;
    Some(Ended::Refused(violation.to_string()))
}

fn tell_seats(shared: &Shared) {
    let seats = shared.board.borrow().seats_taken();
    if *shared.seats.borrow() != seats {
        shared.seats.replace(seats.clone());
        shared.watcher.event(BoardEvent::Seats(seats));
    }
}

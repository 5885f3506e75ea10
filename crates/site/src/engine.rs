//! The protocol's party on a thread of its own.
//!
//! The party computes for seconds or minutes between two messages; meanwhile the connection must go
//! on saying that this side is alive. So the party gets orders over a short queue, in order, and
//! answers with bytes to send and with where it stands. The queue is short to hold back a partner
//! that sends faster than this side computes.

use crate::error::Error;
use crate::machine::Machine;
use mingle_protocol::{Error as ProtocolError, Reason, Status};
use std::thread::JoinHandle;
use tokio::sync::{mpsc, oneshot};

/// Records waiting to be worked on, of at most 64 KiB each.
const WAITING: usize = 32;

enum Order {
    Connected,
    Data(Vec<u8>),
    Disconnected(oneshot::Sender<()>),
    GiveUp(Reason, oneshot::Sender<()>),
}

/// What the party says after an order.
pub(crate) struct Answer {
    /// To be sent.
    pub(crate) bytes: Vec<u8>,
    /// Whether the connection is of no use any more.
    pub(crate) broken: bool,
    /// Where it stands.
    pub(crate) standing: Standing,
}

/// Where the party stands.
#[derive(Clone)]
pub(crate) struct Standing {
    pub(crate) status: Status,
    /// Nothing is left to say.
    pub(crate) finished: bool,
    /// What stands in the way of the last step.
    pub(crate) trouble: Option<ProtocolError>,
    /// Bytes of the protocol in both directions, so far.
    pub(crate) moved: u64,
}

impl Standing {
    fn of(party: &dyn Machine, moved: u64) -> Standing {
        Standing {
            status: party.status(),
            finished: party.is_finished(),
            trouble: party.trouble(),
            moved,
        }
    }

    /// Whether what happens is decided, though the partner may not know yet.
    pub(crate) fn is_decided(&self) -> bool {
        matches!(self.status, Status::Published | Status::Aborted(_))
    }

    /// Whether another connection could not change anything: the disk refuses the last step, or the
    /// partner wants another release than the one that is published.
    pub(crate) fn is_stuck(&self) -> bool {
        matches!(
            self.trouble,
            Some(ProtocolError::Storage(_) | ProtocolError::AlreadyPublished)
        )
    }
}

/// The party's thread, seen from outside.
pub(crate) struct Engine {
    orders: Orders,
    pub(crate) answers: mpsc::UnboundedReceiver<Answer>,
    standing: Standing,
    thread: JoinHandle<()>,
}

/// Gives the party what arrives.
#[derive(Clone)]
pub(crate) struct Orders(mpsc::Sender<Order>);

impl Orders {
    /// Bytes have arrived; waits while the party has enough to do.
    pub(crate) async fn data(&self, bytes: Vec<u8>) {
        // an engine that is gone is noticed by whoever waits for its answers
        let _ = self.0.send(Order::Data(bytes)).await;
    }
}

impl Engine {
    /// Starts the thread.
    pub(crate) fn start(party: Box<dyn Machine>) -> Result<Engine, Error> {
        let (orders, inbox) = mpsc::channel(WAITING);
        let (outbox, answers) = mpsc::unbounded_channel();
        let standing = Standing::of(party.as_ref(), 0);
        let thread = std::thread::Builder::new()
            .name("protocol".into())
            .spawn(move || work(party, inbox, &outbox));
        Ok(Engine {
            orders: Orders(orders),
            answers,
            standing,
            thread: thread.map_err(Error::System)?,
        })
    }

    /// A handle for whoever reads from the connection.
    pub(crate) fn orders(&self) -> Orders {
        self.orders.clone()
    }

    /// Where the party stood when it last spoke.
    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Whether the thread still takes orders.
    pub(crate) fn is_alive(&self) -> bool {
        !self.orders.0.is_closed()
    }

    /// Takes note of an answer.
    pub(crate) fn note(&mut self, answer: &Answer) {
        self.standing = answer.standing.clone();
    }

    /// A connection is up.
    pub(crate) async fn connected(&self) {
        let _ = self.orders.0.send(Order::Connected).await;
    }

    /// The connection is gone. Returns when the party knows, and forgets what it wanted to send.
    pub(crate) async fn disconnected(&mut self) {
        self.settle(Order::Disconnected).await;
    }

    /// Tells the party to stop; what it still has to say is returned.
    pub(crate) async fn give_up(&mut self, reason: Reason) -> Vec<u8> {
        self.settle(|done| Order::GiveUp(reason, done)).await
    }

    async fn settle(&mut self, order: impl FnOnce(oneshot::Sender<()>) -> Order) -> Vec<u8> {
        let (done, settled) = oneshot::channel();
        let _ = self.orders.0.send(order(done)).await;
        let _ = settled.await;
        let mut bytes = Vec::new();
        while let Ok(answer) = self.answers.try_recv() {
            self.note(&answer);
            bytes.extend(answer.bytes);
        }
        bytes
    }

    /// Ends the thread and returns where the party stands.
    pub(crate) fn stop(self) -> Result<Standing, Error> {
        drop(self.orders);
        let mut answers = self.answers;
        self.thread.join().map_err(|_| Error::Defect)?;
        let mut standing = self.standing;
        while let Ok(answer) = answers.try_recv() {
            standing = answer.standing;
        }
        Ok(standing)
    }
}

fn work(
    mut party: Box<dyn Machine>,
    mut inbox: mpsc::Receiver<Order>,
    outbox: &mpsc::UnboundedSender<Answer>,
) {
    let mut moved = 0;
    while let Some(order) = inbox.blocking_recv() {
        if let Order::Data(bytes) = &order {
            moved += bytes.len() as u64;
        }
        let (bytes, done) = match order {
            Order::Connected => (party.connect(), None),
            Order::Data(bytes) => (party.receive(&bytes), None),
            Order::Disconnected(done) => {
                party.disconnect();
                (Vec::new(), Some(done))
            }
            Order::GiveUp(reason, done) => (party.give_up(reason), Some(done)),
        };
        moved += bytes.len() as u64;
        let answer = Answer {
            bytes,
            broken: party.is_broken(),
            standing: Standing::of(party.as_ref(), moved),
        };
        let _ = outbox.send(answer);
        // whoever waits for this finds the answer
        done.map(|done| done.send(()));
    }
}

//! The conversation of a session, as the protocol's steps see it.
//!
//! Both sites speak in turns: each turn, both send one message of the same kind, then both wait for
//! the other's. The steps are written as `async` functions whose only waiting point is a turn; no
//! runtime is involved. Whoever drives the session polls the future once per received message, so a
//! step is a state machine that takes a message and returns one.
//!
//! All messages enter a running transcript hash, site 0's before site 1's;
//! [`checkpoint`](Conversation::checkpoint) compares it.

use crate::entropy::Entropy;
use crate::error::{Error, Violation};
use crate::frame::{Kind, OVERHEAD};
use crate::observer::Observer;
use crate::session_id::{SessionId, by_seat};
use crate::terms::Seat;
use sha2::{Digest, Sha256};
use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Poll;
use subtle::ConstantTimeEq;

/// Where the driver of a session and its steps meet.
#[derive(Clone, Default)]
pub(crate) struct Mail(Arc<Mutex<Letters>>);

#[derive(Default)]
struct Letters {
    outgoing: Vec<(Kind, Vec<u8>)>,
    incoming: Option<(Kind, Vec<u8>)>,
}

impl Mail {
    fn letters(&self) -> MutexGuard<'_, Letters> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Everything that is to be sent now.
    pub(crate) fn outgoing(&self) -> Vec<(Kind, Vec<u8>)> {
        std::mem::take(&mut self.letters().outgoing)
    }

    /// Hands in a message; there can only be one at a time.
    pub(crate) fn deliver(&self, kind: Kind, payload: Vec<u8>) -> Result<(), Violation> {
        match self.letters().incoming.replace((kind, payload)) {
            None => Ok(()),
            Some(_) => Err(Violation::Unexpected {
                expected: "our turn",
            }),
        }
    }
}

/// How many bytes a session moved, both directions, frames included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// For finding the common people.
    pub intersection: u64,
    /// For agreeing on groups.
    pub synchronization: u64,
    /// For the published tables.
    pub fragments: u64,
}

/// The parts of a session whose bytes are counted apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Intersection,
    Synchronization,
    Fragments,
}

/// One site's end of a session.
pub(crate) struct Conversation {
    pub(crate) session: SessionId,
    pub(crate) seat: Seat,
    pub(crate) entropy: Box<dyn Entropy>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) traffic: Traffic,
    phase: Phase,
    mail: Mail,
    transcript: Sha256,
}

impl Conversation {
    pub(crate) fn new(
        session: SessionId,
        seat: Seat,
        entropy: Box<dyn Entropy>,
        observer: Arc<dyn Observer>,
        mail: Mail,
    ) -> Conversation {
        let transcript = Sha256::new_with_prefix(session.bytes());
        let (traffic, phase) = (Traffic::default(), Phase::Intersection);
        Conversation {
            session,
            seat,
            entropy,
            observer,
            traffic,
            phase,
            mail,
            transcript,
        }
    }

    /// What the next messages are for.
    pub(crate) fn enter(&mut self, phase: Phase) {
        self.phase = phase;
    }

    /// One turn: sends a message and returns the other's of the same kind.
    pub(crate) async fn exchange(
        &mut self,
        kind: Kind,
        payload: Vec<u8>,
    ) -> Result<Vec<u8>, Error> {
        self.record(&payload);
        let mine = Sha256::digest(&payload);
        self.mail.letters().outgoing.push((kind, payload));
        let mail = self.mail.clone();
        let (found, theirs) = poll_fn(move |_| match mail.letters().incoming.take() {
            Some(message) => Poll::Ready(message),
            None => Poll::Pending,
        })
        .await;
        if found != kind {
            return Err(Violation::Unexpected {
                expected: kind.name(),
            }
            .into());
        }
        self.record(&theirs);
        for digest in by_seat(self.seat, mine, Sha256::digest(&theirs)) {
            self.transcript.update(digest);
        }
        Ok(theirs)
    }

    /// Like [`exchange`](Conversation::exchange), but neither site sees the other's message before
    /// its own is fixed.
    pub(crate) async fn exchange_committed(
        &mut self,
        kind: Kind,
        payload: Vec<u8>,
    ) -> Result<Vec<u8>, Error> {
        let mut opening = vec![0; NONCE];
        self.entropy.fill(&mut opening);
        opening.extend_from_slice(&payload);
        let commitment = self.commitment(kind, self.seat, &opening);
        let theirs = self.exchange(Kind::Commitment, commitment.to_vec()).await?;
        let mut opened = self.exchange(kind, opening).await?;
        let expected = self.commitment(kind, self.seat.other(), &opened);
        if opened.len() < NONCE || !bool::from(expected[..].ct_eq(&theirs)) {
            return Err(Violation::BrokenCommitment.into());
        }
        Ok(opened.split_off(NONCE))
    }

    /// Binds the sender, so that a commitment cannot be sent back as one's own.
    fn commitment(&self, kind: Kind, sender: Seat, opening: &[u8]) -> [u8; 32] {
        let hash =
            Sha256::new_with_prefix(b"mingle commitment\0").chain_update(self.session.bytes());
        let hash = hash
            .chain_update([sender.number() as u8])
            .chain_update(kind.name())
            .chain_update(opening);
        hash.finalize().into()
    }

    /// Something that both sites must have come to, to be compared at the next checkpoint.
    pub(crate) fn conclude(&mut self, what: &[u8]) {
        self.transcript.update((what.len() as u64).to_le_bytes());
        self.transcript.update(what);
    }

    /// Ends a phase: both sites must have seen the same conversation and come to the same
    /// conclusions. Each hashes its seat along, so that ours cannot be sent back as theirs.
    pub(crate) async fn checkpoint(&mut self) -> Result<(), Error> {
        let of = |seat: Seat| {
            self.transcript
                .clone()
                .chain_update([seat.number() as u8])
                .finalize()
        };
        let (mine, expected) = (of(self.seat), of(self.seat.other()));
        let theirs = self.exchange(Kind::Checkpoint, mine.to_vec()).await?;
        if bool::from(expected[..].ct_eq(&theirs)) {
            Ok(())
        } else {
            Err(Violation::TranscriptDiffers.into())
        }
    }

    /// Reports how far a long computation is; give the result to whoever does it.
    pub(crate) fn ticker(&self, phase: &'static str, total: usize) -> impl Fn(u64) + Sync + use<> {
        let (observer, done) = (self.observer.clone(), AtomicU64::new(0));
        move |step| {
            let before = done.fetch_add(step, Ordering::Relaxed);
            observer.progress(phase, before + step, total as u64);
        }
    }

    fn record(&mut self, payload: &[u8]) {
        let bytes = (payload.len() + OVERHEAD) as u64;
        match self.phase {
            Phase::Intersection => self.traffic.intersection += bytes,
            Phase::Synchronization => self.traffic.synchronization += bytes,
            Phase::Fragments => self.traffic.fragments += bytes,
        }
    }
}

/// Bytes that hide what a commitment commits to.
pub(crate) const NONCE: usize = 32;

//! The conversation of n providers, as the steps of a run see it.
//!
//! In a **round** everybody says one thing of the same kind and then waits for all others; in a
//! **hop** one provider speaks and everybody waits for it. All messages enter a running transcript
//! hash, in seat order. A [`checkpoint`](Assembly::checkpoint) compares it: n signed hashes, before
//! each masked vector and each partial decryption. After the first round bodies are covered by a
//! stream from a key that only those who take part have: the board could add up vectors and count
//! zeros as well as they can. Steps are `async` functions whose only waiting
//! points are rounds and hops; no runtime is involved.

use super::envelope::{EVERYBODY, Envelope};
use super::hkdf::DerivedKey;
use super::output::RunTraffic;
use super::setup::Members;
use crate::entropy::Entropy;
use crate::error::{Error, Violation};
use crate::frame::Kind;
use crate::observer::Observer;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Poll;
use subtle::ConstantTimeEq;

/// Where the driver of a run and its steps meet.
#[derive(Clone)]
pub(crate) struct Post(Arc<Mutex<Boxes>>);

struct Boxes {
    outgoing: Vec<(Kind, u16, Vec<u8>)>,
    /// What arrived and was not read yet, by seat.
    incoming: Vec<VecDeque<Envelope>>,
    /// Whose message the steps wait for.
    awaited: Vec<usize>,
}

impl Post {
    pub(crate) fn new(seats: usize) -> Post {
        Post(Arc::new(Mutex::new(Boxes {
            outgoing: Vec::new(),
            incoming: (0..seats).map(|_| VecDeque::new()).collect(),
            awaited: Vec::new(),
        })))
    }

    fn boxes(&self) -> MutexGuard<'_, Boxes> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(crate) fn outgoing(&self) -> Vec<(Kind, u16, Vec<u8>)> {
        std::mem::take(&mut self.boxes().outgoing)
    }

    pub(crate) fn deliver(&self, envelope: Envelope) {
        let mut boxes = self.boxes();
        boxes.incoming[usize::from(envelope.seat)].push_back(envelope);
    }

    pub(crate) fn awaited(&self) -> Vec<usize> {
        self.boxes().awaited.clone()
    }

    /// The next message of a seat, if it is there.
    pub(crate) fn take(&self, seat: usize) -> Option<Envelope> {
        self.boxes().incoming[seat].pop_front()
    }
}

/// One provider's end of a run.
pub(crate) struct Assembly {
    pub(crate) members: Arc<Members>,
    pub(crate) seat: usize,
    pub(crate) entropy: Box<dyn Entropy>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) traffic: RunTraffic,
    post: Post,
    transcript: Sha256,
    /// Hides bodies from the board, once there is a key.
    cover: Option<DerivedKey>,
    said: u64,
}

impl Assembly {
    pub(crate) fn new(
        members: Arc<Members>,
        seat: usize,
        entropy: Box<dyn Entropy>,
        observer: Arc<dyn Observer>,
        post: Post,
    ) -> Assembly {
        let mut transcript = Sha256::new_with_prefix(b"mingle transcript of providers\0");
        transcript.update(members.run);
        for member in &members.all {
            transcript.update(member.key);
        }
        Assembly {
            members,
            seat,
            entropy,
            observer,
            traffic: RunTraffic::default(),
            post,
            transcript,
            cover: None,
            said: 0,
        }
    }

    /// From here on bodies are covered.
    pub(crate) fn cover_with(&mut self, key: &[u8; 32]) {
        self.cover = Some(DerivedKey::extract(&self.transcript(), key));
    }

    /// Covers and uncovers. No two messages have the same seat and number, and one that is said
    /// again after a restart is the same message.
    fn cover(&self, seat: usize, number: u64, body: &mut [u8]) {
        let Some(key) = &self.cover else {
            return;
        };
        let label = [(seat as u64).to_be_bytes(), number.to_be_bytes()].concat();
        body.par_chunks_mut(64)
            .with_min_len(256)
            .enumerate()
            .for_each(|(block, chunk)| {
                for (byte, other) in chunk.iter_mut().zip(key.block(&label, block as u64)) {
                    *byte ^= other;
                }
            });
    }

    pub(crate) fn seats(&self) -> usize {
        self.members.all.len()
    }

    /// An error about a provider, by its name.
    pub(crate) fn blame(&self, seat: usize, violation: Violation) -> Error {
        Error::Provider {
            provider: self.members.name(seat),
            violation,
        }
    }

    /// The transcript so far.
    pub(crate) fn transcript(&self) -> [u8; 32] {
        self.transcript.clone().finalize().into()
    }

    /// Something that everybody must have come to, to be compared at the next checkpoint.
    pub(crate) fn conclude(&mut self, what: &[u8]) {
        self.transcript.update((what.len() as u64).to_le_bytes());
        self.transcript.update(what);
    }

    fn say(&mut self, kind: Kind, reader: u16, mut body: Vec<u8>) -> [u8; 32] {
        self.cover(self.seat, self.said, &mut body);
        self.said += 1;
        let digest = Sha256::digest(&body).into();
        self.post.boxes().outgoing.push((kind, reader, body));
        digest
    }

    fn record(&mut self, seat: usize, kind: Kind, digest: &[u8; 32]) {
        self.transcript.update((seat as u64).to_le_bytes());
        self.transcript.update([kind.number()]);
        self.transcript.update(digest);
    }

    async fn hear(&mut self, seat: usize, kind: Kind) -> Result<Envelope, Error> {
        let post = self.post.clone();
        let mut envelope = poll_fn(move |_| match post.take(seat) {
            Some(envelope) => Poll::Ready(envelope),
            None => {
                post.boxes().awaited = vec![seat];
                Poll::Pending
            }
        })
        .await;
        self.post.boxes().awaited.clear();
        if envelope.kind != kind {
            let expected = kind.name();
            return Err(self.blame(seat, Violation::Unexpected { expected }));
        }
        if let Some(body) = &mut envelope.body {
            self.cover(seat, envelope.sequence, body);
        }
        Ok(envelope)
    }

    /// Everybody says something; returns what was said, in seat order.
    pub(crate) async fn round(&mut self, kind: Kind, body: Vec<u8>) -> Result<Vec<Vec<u8>>, Error> {
        self.traffic.rounds += 1;
        let digest = self.say(kind, EVERYBODY, body.clone());
        let mut own = Some(body);
        let mut bodies = Vec::with_capacity(self.seats());
        for seat in 0..self.seats() {
            if seat == self.seat {
                self.record(seat, kind, &digest);
                bodies.push(own.take().unwrap_or_default());
                continue;
            }
            let envelope = self.hear(seat, kind).await?;
            self.record(seat, kind, &envelope.digest);
            match envelope.body {
                Some(body) if envelope.reader == EVERYBODY => bodies.push(body),
                _ => return Err(self.blame(seat, Violation::Malformed { kind: kind.name() })),
            }
        }
        Ok(bodies)
    }

    /// Like [`round`](Assembly::round), but nobody sees anybody's body before its own is fixed.
    pub(crate) async fn committed_round(
        &mut self,
        kind: Kind,
        body: Vec<u8>,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let mut opening = vec![0; NONCE];
        self.entropy.fill(&mut opening);
        opening.extend_from_slice(&body);
        let transcript = self.transcript();
        let commitment = commitment(&transcript, self.seat, kind, &opening);
        let commitments = self.round(Kind::Commitment, commitment.to_vec()).await?;
        let mut opened = self.round(kind, opening).await?;
        for (seat, body) in opened.iter_mut().enumerate() {
            let expected = self::commitment(&transcript, seat, kind, body);
            if body.len() < NONCE || !bool::from(expected[..].ct_eq(&commitments[seat])) {
                return Err(self.blame(seat, Violation::BrokenCommitment));
            }
            body.drain(..NONCE);
        }
        Ok(opened)
    }

    /// One provider speaks, to one other or to everybody. Returns what was said to those who may
    /// read it.
    pub(crate) async fn hop(
        &mut self,
        speaker: usize,
        reader: Option<usize>,
        kind: Kind,
        body: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, Error> {
        self.traffic.rounds += 1;
        let reader = reader.map_or(EVERYBODY, |seat| seat as u16);
        if speaker == self.seat {
            let digest = self.say(kind, reader, body.clone());
            self.record(speaker, kind, &digest);
            return Ok(Some(body));
        }
        let envelope = self.hear(speaker, kind).await?;
        self.record(speaker, kind, &envelope.digest);
        if envelope.reader != reader {
            return Err(self.blame(speaker, Violation::Malformed { kind: kind.name() }));
        }
        let for_us = reader == EVERYBODY || usize::from(reader) == self.seat;
        if for_us && envelope.body.is_none() {
            return Err(Error::Board(Violation::Malformed { kind: kind.name() }));
        }
        Ok(envelope.body.filter(|_| for_us))
    }

    /// Everybody must have seen the same conversation and come to the same conclusions.
    pub(crate) async fn checkpoint(&mut self) -> Result<[u8; 32], Error> {
        let mine = self.transcript();
        let all = self.round(Kind::Checkpoint, mine.to_vec()).await?;
        for (seat, theirs) in all.iter().enumerate() {
            if !bool::from(mine[..].ct_eq(theirs)) {
                return Err(self.blame(seat, Violation::TranscriptDiffers));
            }
        }
        Ok(mine)
    }
}

/// Binds the sender, so that a commitment cannot be sent as somebody else's own.
fn commitment(transcript: &[u8; 32], seat: usize, kind: Kind, opening: &[u8]) -> [u8; 32] {
    Sha256::new_with_prefix(b"mingle commitment of a provider\0")
        .chain_update(transcript)
        .chain_update((seat as u64).to_le_bytes())
        .chain_update(kind.name())
        .chain_update(opening)
        .finalize()
        .into()
}

/// Bytes that hide what a commitment commits to.
const NONCE: usize = 32;

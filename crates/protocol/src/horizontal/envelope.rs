//! Envelopes: a message with its sender, its reader and a signature, as it stands in a frame.
//!
//! ```text
//! route      u16   where the board takes it: a seat, or 65535 for everybody; not signed
//! seat       u16   who wrote it
//! reader     u16   whose body it is: a seat, or 65535 for everybody
//! stripped   u8    1 where the body is left out
//! length     u64   of the body
//! digest     32    SHA-256 of the body
//! signature  64    Ed25519 over run, kind, sequence, seat, reader, length and digest
//! body
//! ```
//! A message for one reader goes to the others without its body: they cannot read a bag of
//! ciphertexts that is not at their place in the ring, but their transcript has it.

use crate::error::Violation;
use crate::frame::{self, Frame, Kind};
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest, Sha256};

/// Everybody.
pub(crate) const EVERYBODY: u16 = u16::MAX;

const HEAD: usize = 2 + 2 + 2 + 1 + 8 + 32 + 64;

/// A message between providers.
#[derive(Clone)]
pub(crate) struct Envelope {
    pub(crate) kind: Kind,
    pub(crate) sequence: u64,
    pub(crate) route: u16,
    pub(crate) seat: u16,
    pub(crate) reader: u16,
    pub(crate) length: u64,
    pub(crate) digest: [u8; 32],
    pub(crate) signature: [u8; 64],
    /// `None` where it was left out.
    pub(crate) body: Option<Vec<u8>>,
}

impl Envelope {
    /// A message that is yet to be signed.
    pub(crate) fn new(
        kind: Kind,
        sequence: u64,
        seat: u16,
        reader: u16,
        body: Vec<u8>,
    ) -> Envelope {
        Envelope {
            kind,
            sequence,
            route: EVERYBODY,
            seat,
            reader,
            length: body.len() as u64,
            digest: Sha256::digest(&body).into(),
            signature: [0; 64],
            body: Some(body),
        }
    }

    /// What is signed. The run's name is used once, so that nothing of another run fits.
    pub(crate) fn signed(&self, run: &[u8; 32]) -> Vec<u8> {
        let mut bytes = b"mingle message between providers\0".to_vec();
        bytes.extend_from_slice(run);
        bytes.push(self.kind.number());
        bytes.extend_from_slice(&self.sequence.to_le_bytes());
        bytes.extend_from_slice(&self.seat.to_le_bytes());
        bytes.extend_from_slice(&self.reader.to_le_bytes());
        bytes.extend_from_slice(&self.length.to_le_bytes());
        bytes.extend_from_slice(&self.digest);
        bytes
    }

    /// What the transcript has of it: everything but the body, whose digest is there.
    pub(crate) fn fingerprint(&self, run: &[u8; 32]) -> [u8; 32] {
        Sha256::digest(self.signed(run)).into()
    }

    pub(crate) fn is_genuine(&self, run: &[u8; 32], key: &[u8; 32]) -> bool {
        let Ok(key) = VerifyingKey::from_bytes(key) else {
            return false;
        };
        let signature = Signature::from_bytes(&self.signature);
        key.verify_strict(&self.signed(run), &signature).is_ok()
    }

    /// As a frame, for everybody whom the route names.
    pub(crate) fn to_frame(&self, run: &[u8; 32]) -> Vec<u8> {
        let body = self.body.as_deref();
        let mut payload = Vec::with_capacity(HEAD + body.map_or(0, <[u8]>::len));
        payload.extend_from_slice(&self.route.to_le_bytes());
        payload.extend_from_slice(&self.seat.to_le_bytes());
        payload.extend_from_slice(&self.reader.to_le_bytes());
        payload.push(u8::from(body.is_none()));
        payload.extend_from_slice(&self.length.to_le_bytes());
        payload.extend_from_slice(&self.digest);
        payload.extend_from_slice(&self.signature);
        payload.extend_from_slice(body.unwrap_or_default());
        frame::encode(self.kind, short_run(run), self.sequence, &payload)
    }

    /// The same for one seat: without the body where that is not for it.
    pub(crate) fn routed_to(&self, seat: u16) -> Envelope {
        let for_it = self.reader == EVERYBODY || self.reader == seat;
        Envelope {
            route: seat,
            body: self.body.clone().filter(|_| for_it),
            ..*self
        }
    }

    pub(crate) fn from_frame(frame: Frame) -> Result<Envelope, Violation> {
        let malformed = Violation::Malformed {
            kind: frame.kind.name(),
        };
        let Some((head, body)) = frame.payload.split_first_chunk::<HEAD>() else {
            return Err(malformed);
        };
        let pair = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let mut length = [0; 8];
        length.copy_from_slice(&head[7..15]);
        let mut digest = [0; 32];
        digest.copy_from_slice(&head[15..47]);
        let mut signature = [0; 64];
        signature.copy_from_slice(&head[47..111]);
        let body = match head[6] {
            0 => Some(body.to_vec()),
            1 if body.is_empty() => None,
            _ => return Err(malformed),
        };
        if let Some(body) = &body {
            let is_its_own = Sha256::digest(body)[..] == digest[..];
            if !is_its_own || body.len() as u64 != u64::from_le_bytes(length) {
                return Err(Violation::Damaged);
            }
        }
        Ok(Envelope {
            kind: frame.kind,
            sequence: frame.sequence,
            route: pair(0),
            seat: pair(2),
            reader: pair(4),
            length: u64::from_le_bytes(length),
            digest,
            signature,
            body,
        })
    }
}

/// The part of a run's name that frames carry.
pub(crate) fn short_run(run: &[u8; 32]) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&run[..16]);
    short
}

/// Says who is there, and of each seat how many messages have arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Resume {
    pub(crate) route: u16,
    pub(crate) seat: u16,
    /// Whether the others should say the same.
    pub(crate) reply: bool,
    pub(crate) received: Vec<u64>,
}

impl Resume {
    pub(crate) fn to_frame(&self, run: &[u8; 32]) -> Vec<u8> {
        let mut payload = Vec::with_capacity(5 + 8 * self.received.len());
        payload.extend_from_slice(&self.route.to_le_bytes());
        payload.extend_from_slice(&self.seat.to_le_bytes());
        payload.push(u8::from(self.reply));
        for count in &self.received {
            payload.extend_from_slice(&count.to_le_bytes());
        }
        frame::encode(Kind::Resume, short_run(run), 0, &payload)
    }

    pub(crate) fn from_payload(payload: &[u8]) -> Option<Resume> {
        let (head, rest) = payload.split_first_chunk::<5>()?;
        let (counts, left) = rest.as_chunks::<8>();
        if !left.is_empty() || head[4] > 1 {
            return None;
        }
        Some(Resume {
            route: u16::from_le_bytes([head[0], head[1]]),
            seat: u16::from_le_bytes([head[2], head[3]]),
            reply: head[4] == 1,
            received: counts.iter().map(|c| u64::from_le_bytes(*c)).collect(),
        })
    }
}

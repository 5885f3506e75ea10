//! Frames: how a message travels within a connection.
//!
//! ```text
//! length of the rest  u32   at most what the agreed sizes allow for the kind
//! kind                u8
//! session             16    first bytes of the session id; zero before there is one
//! sequence            u64   per direction, within the session
//! payload
//! check               8     first bytes of SHA-256 over all before it
//! ```
//! Numbers are little-endian. The check finds damage, not forgery: that is the encrypted
//! transport's work.

use crate::error::Violation;
use crate::session_id::SessionId;
use sha2::{Digest, Sha256};

/// Bytes that a frame has besides its payload.
pub(crate) const OVERHEAD: usize = 4 + HEADER + CHECK;

/// The longest list in a message between n providers.
pub(crate) const MOST_BODY: usize = 1 << 23;

/// Room for what stands before the list.
const ENVELOPE: usize = 256;

const HEADER: usize = 1 + SESSION + 8;
const SESSION: usize = 16;
const CHECK: usize = 8;

/// What a frame is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Kind {
    Hello,
    Abort,
    Points,
    Commitment,
    Answers,
    Tagged,
    Returned,
    Components,
    Blocks,
    Opening,
    Partition,
    Verdicts,
    Fragments,
    Checkpoint,
    Ready,
    Done,
    Join,
    Resume,
    Keys,
    Sums,
    Ciphertexts,
    Bag,
    Partials,
    Certificate,
}

impl Kind {
    const ALL: [Kind; 24] = [
        Kind::Hello,
        Kind::Abort,
        Kind::Points,
        Kind::Commitment,
        Kind::Answers,
        Kind::Tagged,
        Kind::Returned,
        Kind::Components,
        Kind::Blocks,
        Kind::Opening,
        Kind::Partition,
        Kind::Verdicts,
        Kind::Fragments,
        Kind::Checkpoint,
        Kind::Ready,
        Kind::Done,
        Kind::Join,
        Kind::Resume,
        Kind::Keys,
        Kind::Sums,
        Kind::Ciphertexts,
        Kind::Bag,
        Kind::Partials,
        Kind::Certificate,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Hello => "hello",
            Kind::Abort => "abort",
            Kind::Points => "points",
            Kind::Commitment => "commitment",
            Kind::Answers => "answers",
            Kind::Tagged => "tagged-points",
            Kind::Returned => "returned-points",
            Kind::Components => "components",
            Kind::Blocks => "blocks",
            Kind::Opening => "opening",
            Kind::Partition => "partition",
            Kind::Verdicts => "verdicts",
            Kind::Fragments => "fragments",
            Kind::Checkpoint => "checkpoint",
            Kind::Ready => "ready",
            Kind::Done => "done",
            Kind::Join => "join",
            Kind::Resume => "resume",
            Kind::Keys => "keys",
            Kind::Sums => "sums",
            Kind::Ciphertexts => "ciphertexts",
            Kind::Bag => "bag",
            Kind::Partials => "partial-decryptions",
            Kind::Certificate => "certificate",
        }
    }

    /// The longest payload for lists of this many people. Texts of published labels and values have
    /// no length that follows from the number of people, so theirs is generous.
    pub(crate) fn most(self, padded_size: u32) -> usize {
        let people = padded_size as usize;
        match self {
            Kind::Hello => 1 << 20,
            Kind::Fragments => (1 << 20) + 1024 * people,
            Kind::Points | Kind::Answers => 64 + 32 * people,
            Kind::Tagged | Kind::Returned => 64 + 36 * people,
            Kind::Components | Kind::Blocks | Kind::Opening | Kind::Partition => 64 + 4 * people,
            Kind::Verdicts => 64 + people,
            Kind::Abort | Kind::Commitment | Kind::Checkpoint | Kind::Ready | Kind::Done => 128,
            // refused whatever its length
            _ => 0,
        }
    }

    /// Whether two sites never say it.
    fn is_for_providers_only(self) -> bool {
        self.number() >= Kind::Join.number()
    }

    /// The longest payload between n providers; `None` for what only two sites say.
    pub(crate) fn most_between_providers(self) -> Option<usize> {
        match self {
            Kind::Hello => Some(1 << 20),
            Kind::Commitment | Kind::Checkpoint | Kind::Ready | Kind::Abort => Some(512),
            // a wrapped key for each of the providers
            Kind::Keys => Some(1 << 16),
            Kind::Join => Some(64),
            Kind::Resume => Some(1 << 14),
            Kind::Certificate => Some(1 << 17),
            Kind::Sums | Kind::Ciphertexts | Kind::Bag | Kind::Partials => {
                Some(MOST_BODY + ENVELOPE)
            }
            _ => None,
        }
    }

    /// Its number on the wire.
    pub(crate) fn number(self) -> u8 {
        let place = Kind::ALL.iter().position(|&kind| kind == self);
        place.map_or(u8::MAX, |place| place as u8)
    }
}

/// A frame as received.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) kind: Kind,
    pub(crate) session: [u8; SESSION],
    pub(crate) sequence: u64,
    pub(crate) payload: Vec<u8>,
}

/// The part of a session's name that frames carry; zero where there is no session.
pub(crate) fn short(session: Option<&SessionId>) -> [u8; SESSION] {
    let mut short = [0; SESSION];
    if let Some(id) = session {
        short.copy_from_slice(&id.bytes()[..SESSION]);
    }
    short
}

/// The bytes of a frame.
pub(crate) fn encode(kind: Kind, session: [u8; SESSION], sequence: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(OVERHEAD + payload.len());
    bytes.extend_from_slice(&((HEADER + payload.len() + CHECK) as u32).to_le_bytes());
    bytes.push(kind.number());
    bytes.extend_from_slice(&session);
    bytes.extend_from_slice(&sequence.to_le_bytes());
    bytes.extend_from_slice(payload);
    let check = Sha256::digest(&bytes);
    bytes.extend_from_slice(&check[..CHECK]);
    bytes
}

/// Collects bytes and cuts them into frames.
#[derive(Default)]
pub(crate) struct Reader {
    bytes: Vec<u8>,
}

impl Reader {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next frame if it is complete. A length that no kind can have, and before the greeting
    /// any other kind, is refused before its bytes are waited for.
    pub(crate) fn next(
        &mut self,
        padded_size: u32,
        greeting: bool,
    ) -> Result<Option<Frame>, Violation> {
        self.next_within(|kind| {
            // to two sites, what n providers say is as unknown as any other number
            if kind.is_for_providers_only() {
                return Err(Violation::Damaged);
            }
            if greeting && !matches!(kind, Kind::Hello | Kind::Abort) {
                return Err(Violation::Unexpected {
                    expected: Kind::Hello.name(),
                });
            }
            Ok(kind.most(padded_size))
        })
    }

    /// The next frame if it is complete, where a kind may have a payload of so many bytes.
    pub(crate) fn next_within(
        &mut self,
        most: impl Fn(Kind) -> Result<usize, Violation>,
    ) -> Result<Option<Frame>, Violation> {
        let Some((length, rest)) = self.bytes.split_first_chunk::<4>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*length) as usize;
        let Some(&kind) = rest.first() else {
            return Ok(None);
        };
        let kind = *Kind::ALL.get(usize::from(kind)).ok_or(Violation::Damaged)?;
        let most = HEADER + most(kind)? + CHECK;
        if length > most {
            return Err(Violation::Oversized {
                length: length as u64,
                most: most as u64,
            });
        }
        if length < HEADER + CHECK {
            return Err(Violation::Damaged);
        }
        if rest.len() < length {
            return Ok(None);
        }
        let frame: Vec<u8> = self.bytes.drain(..4 + length).collect();
        parse(kind, &frame).map(Some)
    }

    /// How many bytes wait for the rest of their frame.
    pub(crate) fn held(&self) -> usize {
        self.bytes.len()
    }

    /// What is left of a connection that is gone.
    pub(crate) fn clear(&mut self) {
        self.bytes = Vec::new();
    }
}

fn parse(kind: Kind, frame: &[u8]) -> Result<Frame, Violation> {
    let (body, check) = frame
        .split_last_chunk::<CHECK>()
        .ok_or(Violation::Damaged)?;
    if Sha256::digest(body)[..CHECK] != check[..] {
        return Err(Violation::Damaged);
    }
    let (session, rest) = body[5..]
        .split_first_chunk::<SESSION>()
        .ok_or(Violation::Damaged)?;
    let (sequence, payload) = rest.split_first_chunk::<8>().ok_or(Violation::Damaged)?;
    Ok(Frame {
        kind,
        session: *session,
        sequence: u64::from_le_bytes(*sequence),
        payload: payload.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Vec<u8> {
        encode(Kind::Points, [3; 16], 9, b"payload")
    }

    #[test]
    fn frames_survive_being_cut_anywhere() {
        let bytes = [frame(), frame()].concat();
        for cut in 0..bytes.len() {
            let mut reader = Reader::default();
            let mut found = Vec::new();
            for part in [&bytes[..cut], &bytes[cut..]] {
                reader.push(part);
                while let Some(frame) = reader.next(10, false).expect("sound") {
                    found.push((frame.kind, frame.session, frame.sequence, frame.payload));
                }
            }
            assert_eq!(
                found,
                vec![(Kind::Points, [3; 16], 9, b"payload".to_vec()); 2]
            );
        }
    }

    #[test]
    fn every_damaged_byte_is_noticed() {
        for at in 0..frame().len() {
            let mut bytes = frame();
            bytes[at] ^= 0x41;
            let mut reader = Reader::default();
            reader.push(&bytes);
            // a length that became larger waits for bytes that never come, or is refused
            assert!(!matches!(reader.next(10, false), Ok(Some(_))), "byte {at}");
        }
    }

    #[test]
    fn oversized_frames_are_refused_by_their_length_alone() {
        let mut reader = Reader::default();
        reader.push(&(u32::MAX).to_le_bytes());
        reader.push(&[2]);
        let most = (HEADER + 64 + 320 + CHECK) as u64;
        assert_eq!(
            reader.next(10, false).err(),
            Some(Violation::Oversized {
                length: u64::from(u32::MAX),
                most
            })
        );
    }
}

//! One direction of a connection: frames under way to a site.

use super::fault::Fault;
use std::collections::VecDeque;

/// Bytes under way.
#[derive(Default)]
pub struct Link {
    in_order: VecDeque<Parcel>,
    /// Overtaken by whatever else is under way.
    overtaken: Vec<Parcel>,
    /// Loses everything without a word.
    pub swallows: bool,
    /// When the receiver gets to know that the sender has closed its end.
    pub closes: Option<u64>,
}

struct Parcel {
    due: u64,
    bytes: Vec<u8>,
}

impl Link {
    /// Sends bytes that arrive at the given step, but never before what was sent earlier.
    pub fn put(&mut self, due: u64, bytes: Vec<u8>) {
        self.in_order.push_back(Parcel { due, bytes });
    }

    pub fn put_overtaken(&mut self, due: u64, bytes: Vec<u8>) {
        self.overtaken.push(Parcel { due, bytes });
    }

    /// Takes out what has arrived by now.
    pub fn arrived(&mut self, now: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while self
            .in_order
            .front()
            .is_some_and(|parcel| parcel.due <= now)
        {
            bytes.extend(
                self.in_order
                    .pop_front()
                    .into_iter()
                    .flat_map(|parcel| parcel.bytes),
            );
        }
        for parcel in self.overtaken.extract_if(.., |parcel| parcel.due <= now) {
            bytes.extend(parcel.bytes);
        }
        if self.swallows { Vec::new() } else { bytes }
    }

    /// Whether the receiver sees the end of the connection now.
    pub fn has_closed(&self, now: u64) -> bool {
        self.in_order.is_empty() && !self.swallows && self.closes.is_some_and(|at| at <= now)
    }

    pub fn bytes(&self) -> usize {
        self.in_order
            .iter()
            .chain(&self.overtaken)
            .map(|parcel| parcel.bytes.len())
            .sum()
    }
}

/// A frame about to be sent, and what becomes of it.
pub struct Letter {
    pub due: u64,
    /// What arrives before it.
    pub before: Vec<Vec<u8>>,
    /// What arrives of it.
    pub copies: Vec<Vec<u8>>,
    pub overtaken: bool,
    /// What happens to the sender once it has left.
    pub then: Option<Fault>,
}

/// How long an overtaken frame is under way.
const OVERTAKEN: u64 = 5;

impl Letter {
    pub fn new(frame: Vec<u8>, due: u64) -> Letter {
        Letter {
            due,
            before: Vec::new(),
            copies: vec![frame],
            overtaken: false,
            then: None,
        }
    }

    pub fn change(&mut self, change: impl Fn(&mut Vec<u8>)) {
        self.copies.iter_mut().for_each(change);
    }

    pub fn put(self, link: &mut Link) {
        self.before
            .into_iter()
            .for_each(|bytes| link.put(self.due, bytes));
        for bytes in self.copies {
            if self.overtaken {
                link.put_overtaken(self.due + OVERTAKEN, bytes)
            } else {
                link.put(self.due, bytes)
            }
        }
    }
}

/// The frame that many before the last, counted round and round.
pub fn counted_back(sent: &[Vec<u8>], back: u16) -> Option<Vec<u8>> {
    let place = usize::from(back) % sent.len().max(1);
    sent.iter().rev().nth(place).cloned()
}

/// Cuts what a party says into frames: a little-endian length of four bytes and as many bytes.
pub fn frames(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    while let Some((length, _)) = bytes.split_first_chunk::<4>() {
        let (frame, rest) = bytes.split_at(4 + u32::from_le_bytes(*length) as usize);
        frames.push(frame.to_vec());
        bytes = rest;
    }
    assert!(bytes.is_empty(), "a party says whole frames");
    frames
}

/// What a frame is, as far as the simulator must know.
pub struct Header {
    pub is_greeting: bool,
    pub is_abort: bool,
    /// The first bytes of the session id.
    pub session: [u8; 16],
}

impl Header {
    pub fn of(frame: &[u8]) -> Header {
        let session = frame[5..21].try_into().expect("frames have a header");
        Header {
            is_greeting: frame[4] == 0,
            is_abort: frame[4] == 1,
            session,
        }
    }
}

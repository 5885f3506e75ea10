//! The wire, written once more from its description: frames, session ids, commitments and the hash
//! into the group.
//!
//! A second implementation, so that tests do not ask the code under test what is right.

use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use mingle_protocol::Seat;
use serde_json::Value;
use sha2::{Digest, Sha256, Sha512};

/// Kinds by their number on the wire.
pub const KINDS: [&str; 16] = [
    "hello",
    "abort",
    "points",
    "commitment",
    "answers",
    "tagged-points",
    "returned-points",
    "components",
    "blocks",
    "opening",
    "partition",
    "verdicts",
    "fragments",
    "checkpoint",
    "ready",
    "done",
];

/// Bytes of a frame besides its payload.
pub const OVERHEAD: usize = 4 + 1 + 16 + 8 + 8;

/// A frame, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    pub kind: u8,
    pub session: [u8; 16],
    pub sequence: u64,
    pub payload: Vec<u8>,
}

impl Frame {
    pub fn new(kind: &str, session: &[u8; 32], sequence: u64, payload: Vec<u8>) -> Frame {
        let mut short = [0; 16];
        short.copy_from_slice(&session[..16]);
        Frame {
            kind: number(kind),
            session: short,
            sequence,
            payload,
        }
    }

    pub fn kind(&self) -> &'static str {
        KINDS[usize::from(self.kind)]
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = ((1 + 16 + 8 + self.payload.len() + 8) as u32)
            .to_le_bytes()
            .to_vec();
        bytes.push(self.kind);
        bytes.extend(self.session);
        bytes.extend(self.sequence.to_le_bytes());
        bytes.extend(&self.payload);
        let check = Sha256::digest(&bytes);
        bytes.extend(&check[..8]);
        bytes
    }

    /// Cuts whole frames; bytes that are left over are a mistake of the test.
    pub fn cut(mut bytes: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        while !bytes.is_empty() {
            let length = u32::from_le_bytes(bytes[..4].try_into().expect("a length")) as usize;
            let (frame, rest) = bytes.split_at(4 + length);
            frames.push(Frame {
                kind: frame[4],
                session: frame[5..21].try_into().expect("a session"),
                sequence: u64::from_le_bytes(frame[21..29].try_into().expect("a sequence")),
                payload: frame[29..frame.len() - 8].to_vec(),
            });
            bytes = rest;
        }
        frames
    }
}

pub fn number(kind: &str) -> u8 {
    KINDS.iter().position(|&k| k == kind).expect("a kind") as u8
}

/// The longest payload of a kind for lists of this many people.
pub fn most(kind: &str, people: usize) -> usize {
    match kind {
        "hello" => 1 << 20,
        "fragments" => (1 << 20) + 1024 * people,
        "points" | "answers" => 64 + 32 * people,
        "tagged-points" | "returned-points" => 64 + 36 * people,
        "components" | "blocks" | "opening" | "partition" => 64 + 4 * people,
        "verdicts" => 64 + people,
        _ => 128,
    }
}

/// The session of two greetings, site 0's first.
pub fn session_id(greetings: [&[u8]; 2], keys: [[u8; 32]; 2]) -> [u8; 32] {
    let [first, second] =
        greetings.map(|g| serde_json::from_slice::<Value>(g).expect("a greeting"));
    let bound =
        serde_json::to_vec(&(&first["terms"], &first["offer"], &second["offer"])).expect("JSON");
    let mut hash = Sha256::new_with_prefix(b"mingle session\0");
    hash.update(1u16.to_be_bytes());
    hash.update((bound.len() as u64).to_be_bytes());
    hash.update(bound);
    for (key, greeting) in keys.iter().zip([&first, &second]) {
        hash.update(key);
        hash.update(unhex(greeting["nonce"].as_str().expect("a nonce")));
    }
    hash.finalize().into()
}

/// What a site sends before it opens `opening` in a message of this kind.
pub fn commitment(session: &[u8; 32], sender: Seat, kind: &str, opening: &[u8]) -> Vec<u8> {
    let sender = [sender.number() as u8];
    let parts: [&[u8]; 5] = [
        b"mingle commitment\0",
        session,
        &sender,
        kind.as_bytes(),
        opening,
    ];
    Sha256::digest(parts.concat()).to_vec()
}

/// The domain of a use and round.
pub fn domain(purpose: &str, round: u32) -> String {
    format!("mingle-1-{purpose}-{round}-with-ristretto255_XMD:SHA-512_R255MAP_RO_")
}

/// An item in the group, not yet raised: what must never be sent.
pub fn hash_to_group(session: &[u8; 32], purpose: &str, round: u32, item: &[u8]) -> RistrettoPoint {
    let message = [&session[..], &(item.len() as u64).to_be_bytes(), item].concat();
    let uniform = expand_message_xmd(&message, domain(purpose, round).as_bytes(), 64);
    RistrettoPoint::from_uniform_bytes(&uniform.try_into().expect("64 bytes"))
}

/// RFC 9380, section 5.3.1, with SHA-512.
pub fn expand_message_xmd(message: &[u8], domain: &[u8], length: usize) -> Vec<u8> {
    let domain_prime = [
        domain,
        &[u8::try_from(domain.len()).expect("a short domain")],
    ]
    .concat();
    let length_text = u16::try_from(length).expect("a short output").to_be_bytes();
    let b0 = Sha512::digest([&[0; 128][..], message, &length_text, &[0], &domain_prime].concat());
    let mut block = Sha512::digest([&b0[..], &[1], &domain_prime].concat());
    let mut uniform = block.to_vec();
    for i in 2..=length.div_ceil(64) {
        let mixed: Vec<u8> = b0.iter().zip(&block).map(|(a, b)| a ^ b).collect();
        block = Sha512::digest([&mixed[..], &[i as u8], &domain_prime].concat());
        uniform.extend(&block[..]);
    }
    uniform.truncate(length);
    uniform
}

/// The scalar that 64 random bytes make.
pub fn scalar(wide: &[u8]) -> Scalar {
    Scalar::from_bytes_mod_order_wide(wide.try_into().expect("64 bytes"))
}

pub fn encode(point: &RistrettoPoint) -> [u8; 32] {
    point.compress().to_bytes()
}

pub fn decode(bytes: &[u8]) -> RistrettoPoint {
    CompressedRistretto::from_slice(bytes)
        .expect("32 bytes")
        .decompress()
        .expect("a point")
}

/// A point that belongs to nobody.
pub fn stray(seed: u8) -> [u8; 32] {
    encode(&RistrettoPoint::from_uniform_bytes(&[seed; 64]))
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal"))
        .collect()
}

//! Frames as somebody on the wire sees and changes them.

use super::world::KnownSigner;
use mingle_protocol::horizontal::Signer;
use sha2::{Digest, Sha256};

pub const HELLO: u8 = 0;
pub const COMMITMENT: u8 = 3;
pub const CHECKPOINT: u8 = 13;
pub const READY: u8 = 14;
pub const JOIN: u8 = 16;
pub const RESUME: u8 = 17;
pub const KEYS: u8 = 18;
pub const SUMS: u8 = 19;
pub const CIPHERTEXTS: u8 = 20;
pub const BAG: u8 = 21;
pub const PARTIALS: u8 = 22;
pub const CERTIFICATE: u8 = 23;

const HEAD: usize = 111;

/// A frame taken apart.
#[derive(Clone)]
pub struct WireFrame {
    pub kind: u8,
    pub session: [u8; 16],
    pub sequence: u64,
    pub payload: Vec<u8>,
}

impl WireFrame {
    /// All frames of some bytes.
    pub fn all(mut bytes: &[u8]) -> Vec<WireFrame> {
        let mut frames = Vec::new();
        while let Some((length, rest)) = bytes.split_first_chunk::<4>() {
            let (frame, others) = rest.split_at(u32::from_le_bytes(*length) as usize);
            bytes = others;
            frames.push(WireFrame {
                kind: frame[0],
                session: frame[1..17].try_into().expect("16 bytes"),
                sequence: u64::from_le_bytes(frame[17..25].try_into().expect("8 bytes")),
                payload: frame[25..frame.len() - 8].to_vec(),
            });
        }
        frames
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = ((25 + self.payload.len() + 8) as u32)
            .to_le_bytes()
            .to_vec();
        bytes.push(self.kind);
        bytes.extend_from_slice(&self.session);
        bytes.extend_from_slice(&self.sequence.to_le_bytes());
        bytes.extend_from_slice(&self.payload);
        let check = Sha256::digest(&bytes);
        bytes.extend_from_slice(&check[..8]);
        bytes
    }

    /// Whether it is a signed message, and not about the connection.
    pub fn is_message(&self) -> bool {
        !matches!(self.kind, JOIN | RESUME | CERTIFICATE)
    }

    pub fn seat(&self) -> usize {
        usize::from(u16::from_le_bytes([self.payload[2], self.payload[3]]))
    }

    pub fn body(&self) -> &[u8] {
        &self.payload[HEAD..]
    }

    /// What is signed of it, but for the run's name.
    pub fn fingerprint(&self) -> Vec<u8> {
        [&[self.kind], &self.payload[2..6], &self.payload[7..47]].concat()
    }

    /// The same message with another body, signed by the same provider.
    pub fn with_body(&self, run: &[u8; 32], body: &[u8]) -> WireFrame {
        let mut frame = self.clone();
        frame.payload.truncate(HEAD);
        frame.payload[7..15].copy_from_slice(&(body.len() as u64).to_le_bytes());
        let digest = Sha256::digest(body);
        frame.payload[15..47].copy_from_slice(&digest);
        let mut signed = b"mingle message between providers\0".to_vec();
        signed.extend_from_slice(run);
        signed.push(self.kind);
        signed.extend_from_slice(&self.sequence.to_le_bytes());
        signed.extend_from_slice(&frame.payload[2..6]);
        signed.extend_from_slice(&frame.payload[7..47]);
        let signature = KnownSigner::of_seat(self.seat()).sign(&signed);
        frame.payload[47..111].copy_from_slice(&signature);
        frame.payload.extend_from_slice(body);
        frame
    }
}

//! The name of a session: what everything that is said in it is bound to.

use crate::terms::Seat;
use sha2::{Digest, Sha256};
use std::fmt;

/// Binds the version, the parameters, both certificates and both nonces. Not secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionId([u8; 32]);

impl SessionId {
    /// What the two sites put into it, site 0's parts before site 1's.
    pub(crate) fn new(version: u16, terms: &[u8], parties: [([u8; 32], [u8; 32]); 2]) -> SessionId {
        let mut hash = Sha256::new();
        hash.update(b"mingle session\0");
        hash.update(version.to_be_bytes());
        hash.update((terms.len() as u64).to_be_bytes());
        hash.update(terms);
        for (certificate, nonce) in parties {
            hash.update(certificate);
            hash.update(nonce);
        }
        SessionId(hash.finalize().into())
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for SessionId {
    fn from(bytes: [u8; 32]) -> SessionId {
        SessionId(bytes)
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A pair of things, one of this site and one of the other, as site 0's and site 1's.
pub(crate) fn by_seat<T>(seat: Seat, mine: T, theirs: T) -> [T; 2] {
    match seat {
        Seat::Zero => [mine, theirs],
        Seat::One => [theirs, mine],
    }
}

//! What survives a crash of a provider: enough to say the same again, or to know that it cannot.
//!
//! A run's randomness is a stream from one seed, and noise is kept beside it: a provider that is
//! restarted with the same rows says byte for byte what it said before. Redrawn noise would average
//! out, and another set of rows would tell by the difference; so the digest of every message is kept
//! before the message is sent, and one that would differ ends the run.

use super::output::RunResult;
use crate::vault::{OutputRecord, Standing};
use serde::{Deserialize, Serialize};

/// Something that must survive a power cut before the run goes on. The seed and the noise are
/// secrets of this provider.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeptRecord {
    /// Where the run's randomness comes from.
    Seed([u8; 32]),
    /// What was drawn for a look, counted from 0.
    Noise {
        /// Which look.
        look: u64,
        /// The draws.
        draws: Vec<i64>,
    },
    /// A message that may have been sent.
    Sent {
        /// Its number.
        sequence: u64,
        /// SHA-256 of its bytes.
        digest: [u8; 32],
    },
    /// Exact totals are about to be opened: from here on another run with other rows or
    /// participants would difference them.
    TotalsOpened,
    /// This provider has ended the run, or knows who did: the signed last word.
    Aborted {
        /// Its number among the [reasons](crate::Reason::ALL).
        reason: u8,
        /// The frame that says so.
        word: Vec<u8>,
    },
    /// Noise is about to leave the house for the first time: what it costs must be charged.
    NoiseSpent,
}

/// The durable side of a provider in one run. Implementations must not return before what they did
/// would survive a power cut.
pub trait RunVault: Send {
    /// What was kept in this run, in order.
    fn kept(&self) -> Vec<KeptRecord>;

    /// Keeps a record.
    fn keep(&mut self, record: &KeptRecord) -> Result<(), String>;

    /// Whether an output is finished or public.
    fn standing(&self) -> Standing;

    /// Makes an output safe and journals ready, with this provider's signature of its digest. An
    /// error means: not ready.
    fn prepare(&mut self, result: &RunResult) -> Result<OutputRecord, String>;

    /// Makes a finished output public, with all signatures in seat order. Called again after an
    /// error or a crash in between; an error means: still ready.
    fn publish(&mut self, record: &OutputRecord, signatures: &[[u8; 64]]) -> Result<(), String>;

    /// All signatures of what is public, in seat order.
    fn signatures(&self) -> Vec<[u8; 64]>;

    /// Removes a finished output that will never be public, and its record.
    fn discard(&mut self, record: &OutputRecord) -> Result<(), String>;

    /// The run is over, one way or the other: its secrets may go.
    fn forget_secrets(&mut self) {}
}

/// Signs in the provider's name: Ed25519 with the key that the others have pinned.
pub trait Signer: Send {
    /// A signature of a message. The same message must give the same signature.
    fn sign(&self, message: &[u8]) -> [u8; 64];
}

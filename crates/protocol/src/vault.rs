//! What survives a crash: the finished output and a journal of how far its publishing has come.
//!
//! The finish has two phases. A site first makes its output safe on disk and journals *ready* with
//! the output's digest, and only then says so; it publishes when the other has said the same. A
//! site that is ready and does not know about the other is in doubt: nothing is public, and the
//! next connection settles it, to the same output or to nothing.

use crate::output::JointOutput;

/// A finished output: which session, what it is, and this site's signature of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputRecord {
    /// The session's id.
    pub session: [u8; 32],
    /// What both sites must have come to.
    pub digest: [u8; 32],
    /// This site's signature of the digest.
    pub signature: [u8; 64],
}

/// What the journal says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Standing {
    /// No output is finished.
    #[default]
    Nothing,
    /// An output is finished and not public.
    Ready(OutputRecord),
    /// It is public.
    Published(OutputRecord),
}

/// The durable side of a site. Implementations must not return before what they did would survive a
/// power cut.
pub trait Vault: Send {
    /// What the journal says.
    fn standing(&self) -> Standing;

    /// Makes an output safe and journals ready. An error means: not ready.
    fn prepare(&mut self, output: &JointOutput) -> Result<OutputRecord, String>;

    /// Whether this is the other site's signature of the digest.
    fn genuine(&self, digest: &[u8; 32], signature: &[u8; 64]) -> bool;

    /// Makes a finished output public, with both signatures, and journals it. Called again after an
    /// error or a crash in between; an error means: still ready.
    fn publish(&mut self, record: &OutputRecord, other_signature: &[u8; 64]) -> Result<(), String>;

    /// The other site is known to have published it as well. Only a note: nothing depends on its
    /// survival.
    fn confirmed(&mut self, _record: &OutputRecord) {}

    /// Removes a finished output that will never be public, and its record.
    fn discard(&mut self, record: &OutputRecord) -> Result<(), String>;
}

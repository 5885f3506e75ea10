//! Who watches a session: for progress, for demonstrations and for tests that look at every frame.

/// Told what happens. Every method may be left out.
pub trait Observer: Send + Sync {
    /// How far a phase is.
    fn progress(&self, _phase: &'static str, _done: u64, _total: u64) {}

    /// A frame, before it is encrypted for the way or after it was decrypted.
    fn frame(&self, _sent: bool, _kind: &'static str, _bytes: &[u8]) {}

    /// What this site has learnt, in words without data.
    fn learned(&self, _what: &str) {}
}

/// Nobody.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Observer for Nobody {}

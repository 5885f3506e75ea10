//! Danger: sessions whose randomness is not the operating system's.
//!
//! For golden transcripts and fault simulations. A site run like this protects nobody: whoever
//! knows the seed can undo the encryption.

pub use crate::entropy::Entropy;
use crate::error::Error;
use crate::observer::Observer;
use crate::party::Party;
use crate::setup::Setup;
use crate::vault::Vault;
use std::sync::Arc;

/// Like [`Party::new`], with a generator that others may know.
pub fn party(
    setup: Setup,
    vault: Box<dyn Vault>,
    observer: Arc<dyn Observer>,
    entropy: Box<dyn Entropy>,
) -> Result<Party, Error> {
    Party::with_entropy(setup, vault, observer, entropy)
}

/// How many bytes a party keeps: what arrived of an unfinished frame, and frames that the other may
/// lack.
pub fn held(party: &Party) -> usize {
    party.held()
}

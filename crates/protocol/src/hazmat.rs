//! Danger: sessions whose randomness is not the operating system's.
//!
//! For golden transcripts and fault simulations. A site run like this protects nobody: whoever
//! knows the seed can undo the encryption.

pub use crate::entropy::Entropy;
use crate::error::Error;
use crate::horizontal::{
    HorizontalSetup, NoiseSource, PartySources, ProviderParty, RunVault, Signer,
};
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

/// Where a provider's randomness comes from.
pub struct KnownSources {
    /// Draws the seed of the run.
    pub entropy: Box<dyn Entropy>,
    /// Draws the noise.
    pub noise: Box<dyn NoiseSource>,
}

/// Like [`ProviderParty::new`], with a seed and noise that others may know.
pub fn provider(
    setup: HorizontalSetup,
    vault: Box<dyn RunVault>,
    signer: Box<dyn Signer>,
    observer: Arc<dyn Observer>,
    sources: KnownSources,
) -> Result<ProviderParty, Error> {
    let sources = PartySources {
        entropy: sources.entropy,
        noise: sources.noise,
    };
    ProviderParty::with_sources(setup, vault, signer, observer, sources)
}

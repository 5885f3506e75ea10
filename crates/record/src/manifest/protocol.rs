//! How two sites came to a release without a third party, as the public manifest says it.

use serde::{Deserialize, Serialize};

/// The protocol that made a joint release, what it showed to whom, and who took part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtocolEntry {
    /// How the sites' groups were brought together: `dpp2ga`, `identity`, `fork`, `merge` or
    /// `repair`.
    pub synchronizer: String,
    /// What a site learns beyond the release: `L0`, `L1` or `L2`.
    pub leak_level: String,
    /// The same in words.
    pub reveals: String,
    /// How many rounds it took.
    pub rounds: u64,
    /// The session's number, in hexadecimal.
    pub session: String,
    /// The sites in the order of their roles. Both sign the release.
    pub sites: [SiteEntry; 2],
}

/// One of the two sites.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteEntry {
    /// Its name.
    pub name: String,
    /// Its Ed25519 public key: 64 lower-case hexadecimal digits.
    pub key: String,
    /// The fingerprint by which the other site knows it.
    pub fingerprint: String,
}

//! How two sites, or n providers, came to a release without a third party, as the public manifest
//! says it.

use serde::{Deserialize, Serialize};

/// The protocol that made a joint release, what it showed to whom, and who took part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtocolEntry {
    /// How the sites' groups were brought together: `dpp2ga`, `identity`, `fork`, `merge` or
    /// `repair`; of n providers `sums-of-counts`, or with noise `sums-with-noise`.
    pub synchronizer: String,
    /// What a site learns beyond the release: `L0`, `L1` or `L2`; of n providers `bits` or `sums`,
    /// or with noise `noise`.
    pub leak_level: String,
    /// The same in words.
    pub reveals: String,
    /// How many rounds it took; of n providers, how many cuts were made.
    pub rounds: u64,
    /// The session's number, in hexadecimal.
    pub session: String,
    /// The sites in the order of their roles or seats. All sign the release.
    pub sites: Vec<SiteEntry>,
    /// What n providers agreed on; `None` of two sites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub providers: Option<ProvidersEntry>,
}

impl ProtocolEntry {
    /// The sites' names, as a sentence has them.
    pub fn names(&self) -> String {
        let mut names: Vec<&str> = Vec::with_capacity(self.sites.len());
        for site in &self.sites {
            names.push(&site.name);
        }
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// What n providers, each with rows of the same table, agreed on before they published it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvidersEntry {
    /// The largest coalition that k and distinct l were shown to withstand, in the run, or that the
    /// promise of noise holds against. Nobody can check that again alone.
    pub m: u64,
    /// Which caps were tried for k; `none` with noise, as in the next two.
    pub caps: String,
    /// Where cells were cut, and with how much noise.
    pub cuts: String,
    /// No cell was cut more often; 0 with noise.
    pub depth: u64,
    /// What was revealed on the way, what is assumed, and what nobody can check alone.
    pub statements: Vec<String>,
}

/// One of the sites.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteEntry {
    /// Its name.
    pub name: String,
    /// Its Ed25519 public key: 64 lower-case hexadecimal digits.
    pub key: String,
    /// The fingerprint by which the others know it.
    pub fingerprint: String,
}

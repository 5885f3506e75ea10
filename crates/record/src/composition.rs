//! What a release says together with others that are out already, and with its own earlier
//! versions.
//!
//! How readers are played is `privacy`'s to say. People are counted, never named.

use serde::{Deserialize, Serialize};

/// The audit beside other releases, and beside own earlier versions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompositionRecord {
    /// Whether groups were merged until the limits held.
    pub mitigated: bool,
    /// By sensitive column.
    pub audits: Vec<CompositionAudit>,
    /// Own earlier versions, where a history is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<EarlierVersions>,
}

/// What readers of all releases find about one sensitive column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompositionAudit {
    /// The column.
    pub column: String,
    /// The other releases, by the names the policy gives them.
    pub against: Vec<String>,
    /// Whether the policy's limits hold.
    pub holds: bool,
    /// By reader.
    pub readers: CompositionReaders,
}

/// The readers of several releases.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompositionReaders {
    /// Looks for a person in every group that covers them.
    pub union: ReaderExposure,
    /// Looks in the narrowest of these groups.
    #[serde(rename = "most-specific")]
    pub most_specific: ReaderExposure,
    /// Was told which group is the person's.
    pub told: ReaderExposure,
}

/// What one reader of several releases finds out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReaderExposure {
    /// People looked for.
    pub targets: u64,
    /// Those who fit no group of the others.
    pub alone: u64,
    /// Those who fit the others with no value in common.
    pub apart: u64,
    /// Those of whom a single value is left.
    pub perfect: u64,
    /// Of these, those of whom the other releases leave a single value by themselves.
    pub perfect_already: u64,
    /// Those with fewer values left than the policy wants.
    pub below: u64,
    /// Of these, those of whom the other releases leave as few by themselves.
    pub below_already: u64,
    /// Those with fewer values left than in any of the releases.
    pub vulnerable: u64,
    /// The fewest values left of anybody.
    pub least: Option<u64>,
    /// Values left on average by the release alone; nothing where nobody was met.
    pub mean_prior: Option<f64>,
    /// Values left on average by all of them; nothing where nobody was met.
    pub mean_posterior: Option<f64>,
}

/// Own earlier versions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlierVersions {
    /// The history, as the policy names it.
    pub folder: String,
    /// How many there are.
    pub earlier: u64,
    /// By sensitive column.
    pub columns: Vec<VersionReplay>,
    /// What this version is called, once it is written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// What a reader of all versions finds about one sensitive column.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionReplay {
    /// The column.
    pub column: String,
    /// Whether the limits hold.
    pub holds: bool,
    /// People of any version.
    pub people: u64,
    /// By what a person's groups have in common.
    pub intersection: ReplayExposure,
    /// By what changed from version to version.
    pub difference: ReplayExposure,
    /// By both.
    pub together: ReplayExposure,
    /// People whose value changed.
    pub changed: u64,
    /// Of these, those of whom a single value is left.
    pub changed_perfect: u64,
}

/// What one inference over versions leaves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayExposure {
    /// People it says something about.
    pub targets: u64,
    /// Those of whom a single value is left.
    pub perfect: u64,
    /// Of these, those of whom one version leaves a single value by itself.
    pub perfect_already: u64,
    /// Those with fewer values left than the limit.
    pub below: u64,
    /// Of these, those of whom one version leaves as few by itself.
    pub below_already: u64,
    /// Those with fewer values left than in any one version.
    pub vulnerable: u64,
    /// The fewest values left of anybody.
    pub least: Option<u64>,
}

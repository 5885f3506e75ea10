//! What is said about the signatures of a release.

use serde::{Deserialize, Serialize};

/// How a signature fits the release that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignatureState {
    /// The key has signed what is there, its report with it.
    Holds,
    /// The key has signed what is there when no `report.json` was there.
    HoldsWithoutReport,
    /// The key has signed something else: the release or its report was changed afterwards.
    Stale,
    /// The key has not signed what the entry says it has.
    Wrong,
}

impl SignatureState {
    /// Whether the key has signed the release that is there.
    pub fn holds(self) -> bool {
        matches!(
            self,
            SignatureState::Holds | SignatureState::HoldsWithoutReport
        )
    }

    /// The same in a few words.
    pub fn words(self) -> &'static str {
        match self {
            SignatureState::Holds => "holds",
            SignatureState::HoldsWithoutReport => "holds, and does not cover report.json",
            SignatureState::Stale => "is for another state of the release",
            SignatureState::Wrong => "is wrong",
        }
    }
}

/// A signature of a release, as it was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownSignature {
    /// What the signer calls itself; nobody checks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its public key, 64 hexadecimal digits.
    pub key: String,
    /// How it fits what is there.
    pub state: SignatureState,
}

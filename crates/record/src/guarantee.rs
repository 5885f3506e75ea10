//! What a differentially private release promises, as documents state it. Amounts are decimal
//! numbers as texts, because no float holds them exactly.

use serde::{Deserialize, Serialize};

/// The promise: ε, ε with δ, or ρ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuaranteeAmounts {
    /// ε
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<String>,
    /// δ
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<String>,
    /// ρ
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<String>,
}

/// Whose records two neighbouring tables differ by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeighbouringStatement {
    /// `person`, or `record` where every record is taken for a person of its own.
    pub unit: String,
    /// The most records of one person.
    pub records_per_person: u64,
    /// Whether an identifier made the program keep that bound; otherwise it is the steward's word.
    pub enforced: bool,
    /// The same in words.
    pub words: String,
}

/// How far beliefs about one person can move: Ganta, Kasiviswanathan and Smith 2008.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemanticsStatement {
    /// `Proposition 14` or `Theorem 15`.
    pub statement: String,
    /// The largest statistical difference; `None` where it is beyond all numbers.
    #[serde(deserialize_with = "crate::required")]
    pub difference: Option<f64>,
    /// Whether that says nothing, because no difference is above 1.
    pub vacuous: bool,
    /// The probability that the difference is larger for one given person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta_per_person: Option<f64>,
    /// The same for all people, as the paper says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta_all: Option<String>,
}

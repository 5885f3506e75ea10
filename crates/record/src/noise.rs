//! What is said about noise: promises and charges to a budget.
//!
//! Amounts of ε, δ and ρ are exact decimal numbers. They are written as texts, so that no reader
//! rounds them to a binary number.

use serde::{Deserialize, Serialize};

/// An exact amount of ε, δ or ρ, such as `0.1` or `1e-9`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExactAmount(pub String);

/// What a release promises about one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum NoiseGuarantee {
    /// Pure ε-differential privacy.
    Pure {
        /// ε
        epsilon: ExactAmount,
    },
    /// (ε, δ)-differential privacy.
    Approximate {
        /// ε
        epsilon: ExactAmount,
        /// δ
        delta: ExactAmount,
    },
    /// ρ-zero-concentrated differential privacy.
    Concentrated {
        /// ρ
        rho: ExactAmount,
    },
}

/// In what a ledger counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetUnit {
    /// ε
    Epsilon,
    /// ρ
    Rho,
}

/// What was taken from a budget, what is left of it, or what may be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetCharge {
    /// What `amount` is.
    pub unit: BudgetUnit,
    /// ε or ρ.
    pub amount: ExactAmount,
    /// δ; in a ledger that counts ρ only what cells that were left out cost.
    pub delta: ExactAmount,
}

/// ε at a δ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpsilonAtDelta {
    /// ε
    pub epsilon: ExactAmount,
    /// δ
    pub delta: ExactAmount,
}

/// ρ, and the δ that is not part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RhoBesideDelta {
    /// ρ
    pub rho: ExactAmount,
    /// δ
    pub delta: ExactAmount,
}

/// How several releases are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompositionRule {
    /// Σε and Σδ.
    Basic,
    /// Σρ, then ε at δ.
    Concentrated,
    /// Some this way, some that way.
    Mixed,
}

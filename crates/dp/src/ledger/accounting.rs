//! What may be spent together, and what a release is charged.

use super::LedgerProblem;
use crate::amount::Amount;
use crate::guarantee::{Epsilon, Guarantee, converted, direct, rho_within};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The budget of a data set, and how releases are added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Accounting {
    /// Basic composition: Σε and Σδ. With δ = 0 every release must be pure.
    Epsilon {
        /// The largest Σε.
        epsilon: Epsilon,
        /// The largest Σδ.
        delta: Amount,
    },
    /// (ε, δ) in total, added up as ρ: Σρ and Σδ₀ stay within what keeps (ε, δ).
    Concentrated {
        /// ε of everything together.
        epsilon: Epsilon,
        /// δ of everything together.
        delta: Amount,
    },
    /// ρ in total.
    Rho {
        /// The largest Σρ.
        rho: Amount,
    },
}

impl Accounting {
    /// The rule that is taken where nobody says which: concentrated where there is a δ, since it
    /// allows more releases.
    pub fn of(epsilon: Epsilon, delta: Amount) -> Accounting {
        if delta.is_zero() {
            Accounting::Epsilon { epsilon, delta }
        } else {
            Accounting::Concentrated { epsilon, delta }
        }
    }

    /// The word used on the command line and in documents.
    pub fn name(self) -> &'static str {
        match self {
            Accounting::Epsilon { .. } => "basic",
            Accounting::Concentrated { .. } | Accounting::Rho { .. } => "concentrated",
        }
    }

    /// What everything together is promised to keep.
    pub fn promise(self) -> Guarantee {
        match self {
            Accounting::Epsilon { epsilon, delta } if delta.is_zero() => {
                Guarantee::Pure { epsilon }
            }
            Accounting::Epsilon { epsilon, delta }
            | Accounting::Concentrated { epsilon, delta } => {
                Guarantee::Approximate { epsilon, delta }
            }
            Accounting::Rho { rho } => Guarantee::Concentrated { rho },
        }
    }

    /// In what it counts.
    pub fn unit(self) -> Unit {
        match self {
            Accounting::Epsilon { .. } => Unit::Epsilon,
            Accounting::Concentrated { .. } | Accounting::Rho { .. } => Unit::Rho,
        }
    }

    /// The most that may be charged in total.
    pub fn limit(self) -> Charge {
        let (amount, delta) = match self {
            Accounting::Epsilon { epsilon, delta } => (epsilon.0, delta),
            Accounting::Concentrated { epsilon, delta } => {
                (rho_within(epsilon, converted(delta)), direct(delta))
            }
            Accounting::Rho { rho } => (rho, Amount::ZERO),
        };
        Charge {
            unit: self.unit(),
            amount,
            delta,
        }
    }

    /// What a release is charged, or why this budget cannot pay for such a release at all.
    pub fn charge(
        self,
        guarantee: Guarantee,
        leaves_cells_out: bool,
    ) -> Result<Charge, LedgerProblem> {
        use LedgerProblem as P;
        check(guarantee)?;
        if leaves_cells_out && !matches!(guarantee, Guarantee::Approximate { .. }) {
            return Err(P::CellsNeedDelta);
        }
        let (amount, delta) = match (self, guarantee) {
            (Accounting::Epsilon { .. }, Guarantee::Concentrated { .. }) => {
                return Err(P::RhoFromEpsilon);
            }
            (Accounting::Epsilon { delta, .. }, Guarantee::Approximate { .. })
                if delta.is_zero() =>
            {
                return Err(P::DeltaFromPure);
            }
            (Accounting::Epsilon { .. }, Guarantee::Pure { epsilon }) => (epsilon.0, Amount::ZERO),
            (Accounting::Epsilon { .. }, Guarantee::Approximate { epsilon, delta }) => {
                (epsilon.0, delta)
            }
            (Accounting::Rho { .. }, _) if leaves_cells_out => return Err(P::CellsFromRho),
            (_, guarantee) if leaves_cells_out => (guarantee.rho(), guarantee.direct_delta()),
            (_, guarantee) => (guarantee.rho(), Amount::ZERO),
        };
        if leaves_cells_out && guarantee.direct_delta().is_zero() {
            return Err(P::OutOfRange { what: "δ" });
        }
        // at the end of the scale an amount stands for more than it says; at the other end noise
        // cannot be that large
        if amount.is_zero() || amount >= Amount::MAX {
            Err(P::OutOfRange { what: "ε or ρ" })
        } else {
            Ok(Charge {
                unit: self.unit(),
                amount,
                delta,
            })
        }
    }

    /// Whether such a budget makes sense.
    pub(super) fn check(self) -> Result<(), LedgerProblem> {
        check(self.promise())?;
        if self.limit().amount.is_zero() {
            Err(LedgerProblem::OutOfRange { what: "ε" })
        } else {
            Ok(())
        }
    }
}

/// ε and ρ are above nothing, δ is a probability.
fn check(guarantee: Guarantee) -> Result<(), LedgerProblem> {
    let positive = |amount: Amount| !amount.is_zero() && amount <= Amount::MAX;
    let probability = |delta: Amount| positive(delta) && delta.to_f64() < 1.0;
    let wrong = match guarantee {
        Guarantee::Pure { epsilon } | Guarantee::Approximate { epsilon, .. }
            if !positive(epsilon.0) =>
        {
            "ε"
        }
        Guarantee::Approximate { delta, .. } if !probability(delta) => "δ",
        Guarantee::Concentrated { rho } if !positive(rho) => "ρ",
        _ => return Ok(()),
    };
    Err(LedgerProblem::OutOfRange { what: wrong })
}

/// In what a ledger counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// ε
    Epsilon,
    /// ρ
    Rho,
}

impl Unit {
    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            Unit::Epsilon => 'ε',
            Unit::Rho => 'ρ',
        }
    }
}

/// An amount of ε or ρ, and one of δ: what was charged, what is left, what may be charged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charge {
    /// What `amount` is.
    pub unit: Unit,
    /// ε or ρ.
    pub amount: Amount,
    /// δ; in a ledger that counts ρ only what cells that were left out cost.
    pub delta: Amount,
}

impl Charge {
    /// None of either.
    pub fn nothing(unit: Unit) -> Charge {
        Charge {
            unit,
            amount: Amount::ZERO,
            delta: Amount::ZERO,
        }
    }

    /// With so many significant digits, rounded up: to show what is spent.
    pub fn ceil_to(self, digits: u32) -> Charge {
        Charge {
            unit: self.unit,
            amount: self.amount.ceil_to(digits),
            delta: self.delta.ceil_to(digits),
        }
    }

    /// With so many significant digits, rounded down: to show what is left.
    pub fn floor_to(self, digits: u32) -> Charge {
        Charge {
            unit: self.unit,
            amount: self.amount.floor_to(digits),
            delta: self.delta.floor_to(digits),
        }
    }

    /// Both together. The unit is the ledger's, and entries of another are refused when it is read.
    pub(super) fn plus(self, other: Charge) -> Charge {
        Charge {
            unit: self.unit,
            amount: self.amount + other.amount,
            delta: self.delta + other.delta,
        }
    }

    /// What is left of it; nothing where more was taken.
    pub(super) fn less(self, other: Charge) -> Charge {
        let left = |from: Amount, taken| from.minus(taken).unwrap_or(Amount::ZERO);
        Charge {
            unit: self.unit,
            amount: left(self.amount, other.amount),
            delta: left(self.delta, other.delta),
        }
    }

    /// Whether neither part is above a limit.
    pub(super) fn within(self, limit: Charge) -> bool {
        self.unit == limit.unit && self.amount <= limit.amount && self.delta <= limit.delta
    }
}

/// `ε 0.5` or `ρ 0.0125, δ 1e-10`, exactly.
impl fmt::Display for Charge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.unit.letter(), self.amount)?;
        if self.delta.is_zero() {
            Ok(())
        } else {
            write!(f, ", δ {}", self.delta)
        }
    }
}

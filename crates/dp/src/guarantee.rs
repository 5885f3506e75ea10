//! What a release promises, and what it spends: pure ε, (ε, δ) and ρ (zero-concentrated), one
//! converted into another.
//!
//! | promise | mechanism | charged to a ledger in ε | charged to a ledger in ρ |
//! |---|---|---|---|
//! | ε | discrete Laplace | ε | ρ = ε²/2 |
//! | (ε, δ) | discrete Gaussian | ε and δ | the ρ that it was made with, and δ/10 where cells were left out |
//! | ρ | discrete Gaussian | – | ρ |
//!
//! An (ε, δ) promise is kept by a mechanism that is δ₀-approximately ρ-zCDP: nine tenths of δ go
//! into the conversion of ρ (Canonne, Kamath and Steinke 2020, Proposition 12), one tenth is kept
//! for mechanisms that leave cells out. The same rule turns a budget (ε, δ) into what a ledger may
//! spend, so that a budget pays for exactly one release of the same parameters. Both sums are
//! filters: they hold even if later releases are chosen after earlier ones were seen.

use crate::amount::Amount;
use dashu::base::DivRem;
use dashu::integer::UBig;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The privacy loss of pure and of approximate differential privacy, ε.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Epsilon(pub Amount);

impl fmt::Display for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// What a release promises about one person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Guarantee {
    /// Pure ε-differential privacy.
    Pure {
        /// ε
        epsilon: Epsilon,
    },
    /// (ε, δ)-differential privacy.
    Approximate {
        /// ε
        epsilon: Epsilon,
        /// δ
        delta: Amount,
    },
    /// ρ-zero-concentrated differential privacy.
    Concentrated {
        /// ρ
        rho: Amount,
    },
}

impl Guarantee {
    /// ε, where the promise names one.
    pub fn epsilon(self) -> Option<Epsilon> {
        match self {
            Guarantee::Pure { epsilon } | Guarantee::Approximate { epsilon, .. } => Some(epsilon),
            Guarantee::Concentrated { .. } => None,
        }
    }

    /// δ; zero where the promise has none.
    pub fn delta(self) -> Amount {
        match self {
            Guarantee::Approximate { delta, .. } => delta,
            _ => Amount::ZERO,
        }
    }

    /// ε and δ, for those who want to read them: where only ρ is promised, what it amounts to at a
    /// δ of a billionth.
    pub fn said(self) -> (Epsilon, Amount) {
        match self {
            Guarantee::Pure { epsilon } => (epsilon, Amount::ZERO),
            Guarantee::Approximate { epsilon, delta } => (epsilon, delta),
            Guarantee::Concentrated { rho } => {
                (epsilon_of(rho, Amount::BILLIONTH), Amount::BILLIONTH)
            }
        }
    }

    /// The ρ that a mechanism may spend to keep it; for a pure promise, the ρ that it amounts to.
    pub fn rho(self) -> Amount {
        match self {
            Guarantee::Pure { epsilon } => pure_as_rho(epsilon),
            Guarantee::Approximate { epsilon, delta } => rho_within(epsilon, converted(delta)),
            Guarantee::Concentrated { rho } => rho,
        }
    }

    /// The δ₀ that a mechanism may spend on leaving cells out.
    pub fn direct_delta(self) -> Amount {
        match self {
            Guarantee::Approximate { delta, .. } => direct(delta),
            _ => Amount::ZERO,
        }
    }
}

/// The part of δ that is kept for mechanisms that leave cells out.
pub fn direct(delta: Amount) -> Amount {
    delta.divided_by(10)
}

/// The part of δ that goes into the conversion of ρ.
pub fn converted(delta: Amount) -> Amount {
    delta.minus(direct(delta)).unwrap_or(Amount::ZERO)
}

/// A pure promise as ρ = ε²/2 (Bun and Steinke 2016, Proposition 1.4), rounded up.
pub fn pure_as_rho(Epsilon(epsilon): Epsilon) -> Amount {
    // exact: a hundred releases at ε = 0.1 spend ρ = 0.5 and no digit more
    let square = UBig::from(epsilon.units()) * UBig::from(epsilon.units());
    let (whole, rest) = square.div_rem(UBig::from(2u8) * UBig::from(10u8).pow(30));
    let units = if rest == UBig::ZERO {
        whole
    } else {
        whole + UBig::ONE
    };
    Amount::from_units(u128::try_from(units).unwrap_or(u128::MAX))
}

/// The largest ρ that is known to keep (ε, δ), rounded down.
pub fn rho_within(epsilon: Epsilon, delta: Amount) -> Amount {
    let (epsilon, delta) = (epsilon.0.to_f64(), delta.to_f64());
    if epsilon <= 0.0 || delta <= 0.0 {
        return Amount::ZERO;
    }
    // ρ ≥ ε keeps no δ below one half; ρ = 0 keeps every δ
    let (mut low, mut high) = (0.0, epsilon);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if delta_of(middle, epsilon) <= delta {
            low = middle
        } else {
            high = middle
        }
    }
    Amount::floor(low * (1.0 - ROUNDING))
}

/// The smallest ε that ρ is known to keep at a δ, rounded up.
pub fn epsilon_of(rho: Amount, delta: Amount) -> Epsilon {
    let (rho, delta) = (rho.to_f64(), delta.to_f64());
    if delta <= 0.0 {
        return Epsilon(Amount::MAX);
    }
    // the textbook bound ρ + 2√(ρ ln 1/δ) is never smaller
    let (mut low, mut high) = (
        0.0,
        rho + 2.0 * (rho * (1.0 / delta).ln().max(0.0)).sqrt() + 1e-12,
    );
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if delta_of(rho, middle) <= delta {
            high = middle
        } else {
            low = middle
        }
    }
    Epsilon(Amount::ceil(high * (1.0 + ROUNDING)).min(Amount::MAX))
}

/// More than what binary arithmetic may be off by in [`delta_of`], as a share of ρ or ε.
const ROUNDING: f64 = 1e-9;

/// A δ that ρ keeps at ε: the least of exp((α−1)(αρ−ε)) / (α−1) · (1−1/α)^α over α > 1. Every α
/// gives a true bound, so that a search that misses the best only costs utility.
pub fn delta_of(rho: f64, epsilon: f64) -> f64 {
    let log = |alpha: f64| {
        (alpha - 1.0) * (alpha * rho - epsilon) - (alpha - 1.0).ln()
            + alpha * (-1.0 / alpha).ln_1p()
    };
    if rho <= 0.0 {
        return 0.0;
    }
    // the derivative (2α−1)ρ − ε + ln(1−1/α) rises with α
    let slope = |alpha: f64| (2.0 * alpha - 1.0) * rho - epsilon + (-1.0 / alpha).ln_1p();
    let (mut low, mut high) = (1.0 + 1e-12, (epsilon + 1.0) / rho + 2.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if slope(middle) < 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    log(high).exp().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).expect("an amount")
    }

    #[test]
    fn conversions_are_inverse_and_lean_to_the_safe_side() {
        for epsilon in ["0.01", "0.1", "1", "3", "10", "50"] {
            for delta in ["1e-12", "1e-9", "1e-6", "0.01"] {
                let (epsilon, delta) = (Epsilon(amount(epsilon)), amount(delta));
                let rho = rho_within(epsilon, delta);
                let back = epsilon_of(rho, delta);
                assert!(
                    back.0 <= epsilon.0 + Amount::ceil(epsilon.0.to_f64() * 3e-9),
                    "{epsilon} {delta}: {back}"
                );
                assert!(
                    back.0.to_f64() >= epsilon.0.to_f64() * (1.0 - 1e-6),
                    "{epsilon} {delta}: {back} is too pessimistic"
                );
            }
        }
    }

    #[test]
    fn the_bound_beats_the_textbook() {
        let (rho, delta) = (0.0125_f64, 1e-9_f64);
        let textbook = rho + 2.0 * (rho * (1.0 / delta).ln()).sqrt();
        let tight = epsilon_of(Amount::floor(rho), Amount::floor(delta))
            .0
            .to_f64();
        assert!(
            tight < textbook && tight > 0.8 * textbook,
            "{tight} {textbook}"
        );
    }

    /// Every α on a fine grid gives a true bound; the search must find the least of them.
    #[test]
    fn the_search_finds_the_best_order() {
        for (rho, epsilon) in [
            (0.001, 0.2),
            (0.0125, 1.0),
            (0.5, 4.0),
            (5.0, 30.0),
            (0.1, 0.05),
        ] {
            let log = |alpha: f64| {
                (alpha - 1.0) * (alpha * rho - epsilon) - (alpha - 1.0).ln()
                    + alpha * (1.0 - 1.0 / alpha).ln()
            };
            let grid = (1..2_000_000)
                .map(|i| log(1.0 + f64::from(i) * 5e-4))
                .fold(f64::INFINITY, f64::min)
                .exp()
                .min(1.0);
            let found = delta_of(rho, epsilon);
            assert!(
                found <= grid * (1.0 + 1e-9) && found >= grid * 0.999,
                "{rho} {epsilon}: {found} {grid}"
            );
        }
    }

    /// The privacy profile of the Gaussian mechanism is known exactly; what we say must not be
    /// below it.
    #[test]
    fn never_below_the_exact_profile_of_the_gaussian() {
        // Φ by its continued fraction in the tail and a series near zero
        fn phi(x: f64) -> f64 {
            let mut total = 0.0;
            let steps = 200_000;
            let (from, to) = (-40.0_f64, x);
            let width = (to - from) / f64::from(steps);
            for i in 0..steps {
                let at = from + (f64::from(i) + 0.5) * width;
                total += (-at * at / 2.0).exp() * width;
            }
            total / (2.0 * std::f64::consts::PI).sqrt()
        }
        for (rho, epsilon) in [(0.0125_f64, 1.0_f64), (0.1, 1.5), (0.5, 3.0), (0.02, 0.3)] {
            let sigma = 1.0 / (2.0 * rho).sqrt();
            let exact = phi(0.5 / sigma - epsilon * sigma)
                - epsilon.exp() * phi(-0.5 / sigma - epsilon * sigma);
            assert!(delta_of(rho, epsilon) >= exact * 0.999, "{rho} {epsilon}");
        }
    }

    #[test]
    fn pure_promises_are_squared_exactly() {
        for (epsilon, rho) in [
            ("0.1", "0.005"),
            ("1", "0.5"),
            ("3", "4.5"),
            ("1e-15", "1e-30"),
            ("1e-20", "1e-30"),
        ] {
            assert_eq!(
                pure_as_rho(Epsilon(amount(epsilon))),
                amount(rho),
                "{epsilon}"
            );
        }
        assert_eq!(pure_as_rho(Epsilon(Amount::MAX)), Amount::MAX);
    }

    #[test]
    fn a_budget_pays_for_exactly_one_release_of_its_own_parameters() {
        let guarantee = Guarantee::Approximate {
            epsilon: Epsilon(amount("1")),
            delta: amount("1e-9"),
        };
        assert_eq!(
            guarantee.rho(),
            rho_within(Epsilon(amount("1")), converted(amount("1e-9")))
        );
        assert_eq!(
            converted(amount("1e-9")) + direct(amount("1e-9")),
            amount("1e-9")
        );
        // δ is never above what was promised
        assert!(epsilon_of(guarantee.rho(), amount("1e-9")) < Epsilon(amount("1")));
    }
}

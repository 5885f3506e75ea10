//! Shares of noise: a sum of counts that is private although nobody trusted adds the noise.
//!
//! Each of n parties adds discrete Gaussian noise of its own to its counts before they are summed.
//! A coalition that takes out what it added itself is left with the shares of the h others, so that
//! h shares must suffice. Kairouz, Liu and Steinke (2021, Theorem 1): h shares of variance s² each
//! are ½ε²-concentrated differentially private for
//!
//! ```text
//! ε = Δ / (√h s) + τ √d,    τ = 10 Σ_{i=1}^{h-1} exp(-2π² s² i/(i+1))
//! ```
//!
//! since a sum of discrete Gaussians is not quite one. d counts the coordinates that one row can
//! move. τ falls with s², so that a floor of s² = 2 keeps it below 3·10⁻⁸; with many parties the
//! floor gives less ε than was asked for, and [`SharePlan::reached`] says which.
//!
//! Several looks add up in ρ = ½ε². Assumed is a neighbouring table with one row more or less, at
//! one party that does not collude.

use crate::Error;
use crate::amount::Amount;
use crate::guarantee::{Epsilon, epsilon_of, rho_within};
use crate::noise::{Noise, Shape, scale_above};
use dashu::integer::IBig;
use dashu::rational::RBig;

/// The least variance of a share.
pub(crate) const FLOOR: f64 = 2.0;

/// Who adds noise, and how many of them may take theirs out again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShareHolders {
    /// All parties.
    pub parties: usize,
    /// The largest coalition; a single party that looks at the sum is one.
    pub colluding: usize,
}

impl ShareHolders {
    /// How many shares are left against the largest coalition.
    pub fn left(self) -> usize {
        self.parties.saturating_sub(self.colluding.max(1))
    }
}

/// What is to be kept: ε and δ over all looks, and how much of it each look may take.
#[derive(Clone, PartialEq, Debug)]
pub struct ShareBudget {
    /// ε against the coalition.
    pub epsilon: Epsilon,
    /// δ
    pub delta: Amount,
    /// In proportion to these, one per look.
    pub weights: Vec<u64>,
    /// How many counts one row can move in a look.
    pub coordinates: usize,
}

/// The noise that each party adds, look by look.
#[derive(Clone, PartialEq, Debug)]
pub struct SharePlan {
    shares: Vec<NoiseShare>,
    reached: Epsilon,
    delta: Amount,
}

/// One party's noise for one look.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoiseShare {
    noise: Noise,
}

impl SharePlan {
    /// Plans the shares; an error where so small an ε cannot be kept by any.
    pub fn new(budget: &ShareBudget, holders: ShareHolders) -> Result<SharePlan, Error> {
        let left = holders.left();
        let all: f64 = budget.weights.iter().map(|&w| w as f64).sum();
        let rho = rho_within(budget.epsilon, budget.delta).to_f64();
        if left == 0 || all <= 0.0 || rho <= 0.0 {
            return Err(Error::Overdrawn);
        }
        let mut shares = Vec::with_capacity(budget.weights.len());
        let mut spent = 0.0;
        let inexact = inexactness(left, FLOOR) * (budget.coordinates as f64).sqrt();
        for &weight in &budget.weights {
            let epsilon = (2.0 * rho * weight as f64 / all).sqrt() - inexact;
            if epsilon.is_nan() || epsilon <= 0.0 {
                return Err(Error::Overdrawn);
            }
            let variance = (1.0 / (left as f64 * epsilon * epsilon)).max(FLOOR);
            let scale = scale_above(variance.sqrt());
            let deviation = scale.to_f64().value() * (left as f64).sqrt();
            let reached = 1.0 / deviation + inexact;
            spent += reached * reached / 2.0;
            let noise = Noise::new(Shape::Gaussian, scale);
            shares.push(NoiseShare { noise });
        }
        let reached = epsilon_of(Amount::ceil(spent * (1.0 + 1e-12)), budget.delta);
        Ok(SharePlan {
            shares,
            reached,
            delta: budget.delta,
        })
    }

    /// The share of each look.
    pub fn shares(&self) -> &[NoiseShare] {
        &self.shares
    }

    /// The ε that the shares of those who do not collude keep, at most what was asked for but for
    /// rounding.
    pub fn reached(&self) -> Epsilon {
        self.reached
    }

    /// δ, as asked for.
    pub fn delta(&self) -> Amount {
        self.delta
    }
}

impl NoiseShare {
    pub(crate) fn new(noise: Noise) -> NoiseShare {
        NoiseShare { noise }
    }

    /// A draw for each of so many counts.
    pub fn draw(&self, counts: usize) -> Result<Vec<i64>, Error> {
        self.noise.add_to(&vec![0; counts])
    }

    /// The square of the scale, rounded up. The variance of a draw is not above it.
    pub fn variance(&self) -> u64 {
        let square = self.noise.scale().clone() * self.noise.scale();
        u64::try_from(square.ceil()).unwrap_or(u64::MAX)
    }

    /// Whether so many shares together have at least this variance.
    pub fn suffices(&self, shares: usize, variance: f64) -> bool {
        let square = self.noise.scale().clone() * self.noise.scale();
        let needed = RBig::try_from(variance).unwrap_or(RBig::ZERO);
        square * RBig::from(IBig::from(shares)) >= needed
    }
}

/// τ: how far a sum of so many discrete Gaussians of this variance is from one.
pub(crate) fn inexactness(shares: usize, variance: f64) -> f64 {
    let mut sum = 0.0;
    for i in 1..shares {
        let i = i as f64;
        sum += (-2.0 * std::f64::consts::PI.powi(2) * variance * i / (i + 1.0)).exp();
    }
    10.0 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(epsilon: &str, parties: usize, colluding: usize, looks: usize) -> SharePlan {
        let budget = ShareBudget {
            epsilon: Epsilon(Amount::parse(epsilon).expect("an amount")),
            delta: Amount::BILLIONTH,
            weights: vec![1; looks],
            coordinates: 16,
        };
        SharePlan::new(&budget, ShareHolders { parties, colluding }).expect("a plan")
    }

    #[test]
    fn inexactness_is_what_the_paper_has() {
        assert!(inexactness(8, 2.0) < 3e-8 && inexactness(8, 2.0) > 2e-8);
        assert_eq!(inexactness(1, 2.0), 0.0);
    }

    /// ε 1, δ 1e-9, twelve equal levels, ten providers of whom three collude: deviation about 20 for
    /// the coalition and 24 for everybody else. (By the textbook's ρ + 2√(ρ ln 1/δ) it would be 22
    /// and 27; less noise keeps the same ε when ρ is turned into ε and δ without that slack.)
    #[test]
    fn deviations_are_those_of_the_design() {
        let plan = plan("1", 10, 3, 12);
        let share = &plan.shares()[0];
        let each = share.variance() as f64;
        assert!(((7.0 * each).sqrt() - 20.0).abs() < 0.5, "{each}");
        assert!(((10.0 * each).sqrt() - 24.0).abs() < 0.5, "{each}");
        assert!(plan.reached().0 <= Amount::parse("1.000001").expect("an amount"));
    }

    /// What is left against the coalition has the variance that the promise needs, and with one
    /// share fewer it has not: forgetting a share would be seen.
    #[test]
    fn the_shares_that_are_left_suffice_and_no_fewer() {
        for (parties, colluding) in [(3, 0), (3, 1), (5, 2), (10, 3), (30, 3)] {
            let plan = plan("1", parties, colluding, 12);
            let left = ShareHolders { parties, colluding }.left();
            let rho = rho_within(
                Epsilon(Amount::parse("1").expect("an amount")),
                Amount::BILLIONTH,
            );
            let needed = 1.0 / (2.0 * rho.to_f64() / 12.0);
            for share in plan.shares() {
                assert!(share.suffices(left, needed));
                assert!(!share.suffices(left - 1, needed), "{parties} {colluding}");
            }
        }
    }

    #[test]
    fn with_many_parties_the_floor_reaches_less() {
        let plan = plan("8", 100, 3, 12);
        assert!(plan.reached().0 < Amount::parse("6").expect("an amount"));
        let share = &plan.shares()[0];
        assert!(share.suffices(1, FLOOR) && !share.suffices(1, FLOOR * 1.001));
    }

    /// The sum of the shares that are left has their variance, and without one of them a test with
    /// this many draws tells.
    #[test]
    fn drawn_shares_have_their_variance() {
        let plan = plan("1", 5, 1, 12);
        let share = &plan.shares()[0];
        let draws = 20_000;
        let sums = |shares: usize| {
            let mut sums = vec![0i64; draws];
            for _ in 0..shares {
                for (sum, draw) in sums.iter_mut().zip(share.draw(draws).expect("randomness")) {
                    *sum += draw;
                }
            }
            let squares: f64 = sums.iter().map(|&x| (x * x) as f64).sum();
            squares / draws as f64
        };
        let expected = 4.0 * share.variance() as f64;
        // a variance estimate of so many draws deviates by a hundredth
        assert!((sums(4) / expected - 1.0).abs() < 0.06);
        assert!((sums(3) / expected - 1.0).abs() > 0.15);
    }
}

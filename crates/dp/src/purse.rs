//! The budget of one release: every look at the data is paid for, exactly, before it is taken.

use crate::Error;
use crate::amount::Amount;
use crate::guarantee::Guarantee;
use crate::noise::{Noise, Shape, scale_above};
use crate::share::{FLOOR, ShareHolders, inexactness};
use dashu::base::Approximation;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

/// How far the answers to all questions of one look can move when one person comes or goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sensitivity {
    /// The largest sum of absolute changes.
    pub l1: u64,
    /// The largest sum of squared changes.
    pub l2_squared: u128,
}

impl Sensitivity {
    /// Of a table of counts of records, where a person has at most `records`: all of them may be in
    /// one cell.
    pub fn of_counts(records: u64) -> Sensitivity {
        Sensitivity {
            l1: records,
            l2_squared: u128::from(records) * u128::from(records),
        }
    }

    /// Of several such tables that are looked at together.
    pub fn times(self, tables: u64) -> Sensitivity {
        Sensitivity {
            l1: self.l1.saturating_mul(tables),
            l2_squared: self.l2_squared.saturating_mul(tables.into()),
        }
    }
}

/// What is left of a release's budget.
#[derive(Clone, Debug)]
pub struct Purse {
    shape: Shape,
    total: RBig,
    left: RBig,
    /// Who adds the noise, where it is not one alone.
    holders: Option<ShareHolders>,
}

impl Purse {
    /// The budget of a promise: ε for Laplace noise where the promise is pure, otherwise ρ for
    /// Gaussian noise.
    pub fn new(guarantee: Guarantee) -> Purse {
        let (shape, amount) = match guarantee {
            Guarantee::Pure { epsilon } => (Shape::Laplace, epsilon.0),
            other => (Shape::Gaussian, other.rho()),
        };
        let total = RBig::from_parts(IBig::from(amount.units()), UBig::from(10u8).pow(30));
        Purse {
            shape,
            left: total.clone(),
            total,
            holders: None,
        }
    }

    /// The same budget where several add shares of noise, some of whom may take theirs out again:
    /// what is bought is one party's share, and it is paid for by those shares that are left.
    pub fn of_shares(guarantee: Guarantee, holders: ShareHolders) -> Result<Purse, Error> {
        let purse = Purse::new(guarantee);
        match purse.shape {
            Shape::Laplace => Err(Error::PureOverShares),
            Shape::Gaussian if holders.left() == 0 => Err(Error::Overdrawn),
            Shape::Gaussian => Ok(Purse {
                holders: Some(holders),
                ..purse
            }),
        }
    }

    /// What was spent so far, in ρ or ε, rounded up.
    pub fn spent(&self) -> Amount {
        Amount::ceil(value(&(self.total.clone() - &self.left)) * (1.0 + ROUNDING))
    }

    /// Which noise it buys.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The share of the budget that is left, about.
    pub fn left(&self) -> f64 {
        if self.total == RBig::ZERO {
            0.0
        } else {
            value(&(self.left.clone() / &self.total))
        }
    }

    /// The standard deviation of noise that a share of the whole budget would buy, about; where
    /// several add shares, of all of them together.
    pub fn deviation(&self, share: f64, sensitivity: Sensitivity) -> f64 {
        self.deviation_of(&Noise::new(self.shape, self.scale(share, sensitivity)))
    }

    /// The standard deviation of everybody's noise, where each adds this.
    pub fn deviation_of(&self, noise: &Noise) -> f64 {
        let parties = self.holders.map_or(1, |holders| holders.parties);
        noise.deviation() * (parties as f64).sqrt()
    }

    /// Takes a share of the whole budget and gives noise for one look. Shares that rounding took a
    /// little above what is left are cut to it; more is a defect of the caller, and nothing is
    /// spent.
    pub fn buy(&mut self, share: f64, sensitivity: Sensitivity) -> Result<Noise, Error> {
        let left = self.left();
        // a sensitivity at the end of its range may be more than it says
        if sensitivity.l1 == u64::MAX || sensitivity.l2_squared == u128::MAX {
            return Err(Error::Overdrawn);
        }
        if !(share > 0.0 && share <= left * (1.0 + 1e-6)) {
            return Err(Error::Overdrawn);
        }
        let scale = self.scale(share.min(left), sensitivity);
        let mut cost = self.cost(&scale, sensitivity);
        let mut scale = scale;
        if cost > self.left {
            scale *= RBig::from_parts(IBig::from(1_000_004), UBig::from(1_000_000u32));
            cost = self.cost(&scale, sensitivity);
        }
        if cost > self.left {
            return Err(Error::Overdrawn);
        }
        self.left -= cost;
        Ok(Noise::new(self.shape, scale))
    }

    fn scale(&self, share: f64, sensitivity: Sensitivity) -> RBig {
        let budget = value(&self.total) * share;
        if let Some(holders) = self.holders {
            let left = holders.left() as f64;
            // what is left for the noise itself, after its sum is not quite a discrete Gaussian
            let epsilon = (2.0 * budget).sqrt() - inexact(holders, sensitivity);
            let scale = (sensitivity.l2_squared as f64 / left).sqrt() / epsilon.max(1e-9);
            return scale_above(scale.max(FLOOR.sqrt()));
        }
        scale_above(match self.shape {
            Shape::Laplace => sensitivity.l1 as f64 / budget,
            Shape::Gaussian => (sensitivity.l2_squared as f64 / (2.0 * budget)).sqrt(),
        })
    }

    /// What noise of a scale costs, exactly: Δ₁/b in ε, Δ₂²/2σ² in ρ. Of h shares it is ½ε² with
    /// the ε of [`share`](crate::share), rounded up.
    fn cost(&self, scale: &RBig, sensitivity: Sensitivity) -> RBig {
        if let Some(holders) = self.holders {
            let deviation = value(scale) * (holders.left() as f64).sqrt();
            let epsilon =
                (sensitivity.l2_squared as f64).sqrt() / deviation + inexact(holders, sensitivity);
            let cost = epsilon * epsilon / 2.0 * (1.0 + ROUNDING);
            return RBig::try_from(cost).unwrap_or_else(|_| self.total.clone() * RBig::from(2));
        }
        match self.shape {
            Shape::Laplace => RBig::from(sensitivity.l1) / scale,
            Shape::Gaussian => {
                RBig::from(sensitivity.l2_squared) / (scale.clone() * scale * RBig::from(2))
            }
        }
    }
}

/// More than what binary arithmetic is off by, as a share.
const ROUNDING: f64 = 1e-12;

/// τ√d: d counts that move are at most as many as the sum of their moves.
fn inexact(holders: ShareHolders, sensitivity: Sensitivity) -> f64 {
    inexactness(holders.left(), FLOOR) * (sensitivity.l1 as f64).sqrt()
}

fn value(exact: &RBig) -> f64 {
    match exact.to_f64() {
        Approximation::Exact(value) | Approximation::Inexact(value, _) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amount::Amount;
    use crate::guarantee::Epsilon;
    use proptest::prelude::*;

    fn purse(guarantee: &str) -> Purse {
        let amount = |text| Amount::parse(text).expect("an amount");
        Purse::new(match guarantee {
            "pure" => Guarantee::Pure {
                epsilon: Epsilon(amount("1")),
            },
            _ => Guarantee::Approximate {
                epsilon: Epsilon(amount("1")),
                delta: amount("1e-9"),
            },
        })
    }

    proptest! {
        #[test]
        fn no_split_overdraws(shares in prop::collection::vec(1e-4..1.0f64, 1..60), pure: bool, records in 1..20u64) {
            let mut purse = purse(if pure { "pure" } else { "approximate" });
            let all: f64 = shares.iter().sum();
            let sensitivity = Sensitivity::of_counts(records);
            let mut spent = RBig::ZERO;
            for share in &shares {
                let noise = purse.buy(share / all, sensitivity).expect("the shares add up to one");
                spent += purse.cost(noise.scale(), sensitivity);
            }
            prop_assert!(spent <= purse.total, "exactly, not about");
            prop_assert!(value(&spent) >= value(&purse.total) * 0.999, "and hardly anything is wasted");
        }
    }

    #[test]
    fn what_is_gone_is_gone() {
        let mut purse = purse("pure");
        let one = Sensitivity::of_counts(1);
        assert!(purse.buy(0.7, one).is_ok());
        assert!(purse.buy(0.4, one).is_err());
        assert!(
            purse.buy(f64::NAN, one).is_err()
                && purse.buy(0.0, one).is_err()
                && purse.buy(-1.0, one).is_err()
        );
        assert!(purse.buy(0.3, one).is_ok());
        assert!(purse.buy(1e-4, one).is_err());
    }

    #[test]
    fn what_cannot_be_written_is_not_sold() {
        for pure in ["pure", "approximate"] {
            let mut purse = purse(pure);
            assert!(
                purse
                    .buy(0.5, Sensitivity::of_counts(1 << 40).times(1 << 40))
                    .is_err()
            );
            assert!(purse.buy(0.5, Sensitivity::of_counts(u64::MAX)).is_err());
            assert_eq!(purse.left(), 1.0);
            assert!(purse.buy(0.5, Sensitivity::of_counts(1 << 40)).is_ok());
        }
    }

    #[test]
    fn a_promise_buys_the_noise_of_the_textbook() {
        let laplace = purse("pure")
            .buy(1.0, Sensitivity::of_counts(3))
            .expect("all of it");
        assert!((laplace.scale().to_f64().value() - 3.0).abs() < 1e-4);
        let gaussian = purse("approximate")
            .buy(1.0, Sensitivity::of_counts(1))
            .expect("all of it");
        assert!(
            (4.0..8.0).contains(&gaussian.deviation()),
            "{}",
            gaussian.deviation()
        );
    }
}

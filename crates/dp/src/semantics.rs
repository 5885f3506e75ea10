//! What a promise means for a reader who may know anything: the semantic guarantee of Ganta,
//! Kasiviswanathan and Smith 2008, section 4, and odds that a steward can repeat.
//!
//! The paper compares what a reader with any prior belief concludes from a release with what the
//! same reader would have concluded had one person's data not been used, for every person. The
//! distance is the statistical difference: the largest difference of the probabilities that the two
//! conclusions give to anything. It lies between 0 and 1, so that a bound of 1 or more says
//! nothing.
//!
//! * Pure ε (Proposition 14): the difference is at most ε̂ = e^ε − 1, always.
//! * (ε, δ) (Theorem 15): the difference is at most ε′ = e^{3ε} − 1 + 2√δ with probability at least
//!   1 − δ′. The paper gives δ′ as an order, O(n√δ) for n people. Its Lemma 18, printed without
//!   proof, has for each person δ″ = √δ + 2δ / (ε e^ε), and a union bound gives n·δ″: that is the
//!   explicit value here, and it rests on that lemma as printed. n is not public; without it, only
//!   δ″ is given.
//!
//! # Odds
//!
//! Pure ε bounds the ratio of what a release says with and without one person by e^ε. By Bayes'
//! rule a suspicion p that somebody **is in the data** becomes at most e^ε p / (1 − p + e^ε p).
//! That somebody who is known to be in the data **has one value rather than another** is a
//! comparison of two tables that differ by taking one record out and putting another in: two steps,
//! hence e^{2ε}. With δ, the release may be thought of as keeping these bounds but for an event of
//! probability δ, or δ(1 + e^ε) for two steps, of which nothing is promised.
//!
//! Values are binary numbers rounded up in the last digits.

use crate::amount::Amount;
use crate::guarantee::Epsilon;

/// What a promise means, for one person and for all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum BayesianSemantics {
    /// Proposition 14.
    Pure {
        /// ε̂, the largest statistical difference.
        difference: f64,
    },
    /// Theorem 15.
    Approximate {
        /// ε′, the largest statistical difference.
        difference: f64,
        /// δ″, the probability that it is larger for one given person, by Lemma 18 as printed.
        for_each: f64,
        /// n·δ″, the probability that it is larger for anybody; `None` where n is not known, or not
        /// to be told.
        for_all: Option<f64>,
    },
}

impl BayesianSemantics {
    /// Of ε and δ; `people` is n, and is data.
    pub fn of(epsilon: Epsilon, delta: Amount, people: Option<u64>) -> BayesianSemantics {
        let (epsilon, delta) = (epsilon.0.to_f64(), delta.to_f64());
        if delta <= 0.0 {
            return BayesianSemantics::Pure {
                difference: up(epsilon.exp_m1()),
            };
        }
        let difference = up((3.0 * epsilon).exp_m1() + 2.0 * delta.sqrt());
        let for_each = up(delta.sqrt() + 2.0 * delta / (epsilon * epsilon.exp())).min(1.0);
        let for_all = people.map(|n| up(n as f64 * for_each).min(1.0));
        BayesianSemantics::Approximate {
            difference,
            for_each,
            for_all,
        }
    }

    /// The largest statistical difference: ε̂ or ε′.
    pub fn difference(self) -> f64 {
        match self {
            BayesianSemantics::Pure { difference }
            | BayesianSemantics::Approximate { difference, .. } => difference,
        }
    }

    /// Whether the paper's statement says nothing at this ε: no difference is above 1. The odds
    /// still say something.
    pub fn is_vacuous(self) -> bool {
        self.difference() >= 1.0
    }

    /// Which statement of the paper it is.
    pub fn source(self) -> &'static str {
        match self {
            BayesianSemantics::Pure { .. } => "Proposition 14",
            BayesianSemantics::Approximate { .. } => "Theorem 15",
        }
    }
}

/// The most that a suspicion can become when a release bounds the odds by e^ε: of `prior`, between
/// 0 and 1. For whether somebody is in the data, ε is the release's; for which of two values
/// somebody has, it is twice that.
pub fn posterior_bound(prior: f64, epsilon: f64) -> f64 {
    if !(prior > 0.0 && prior < 1.0) {
        // whoever is certain stays certain
        return prior.clamp(0.0, 1.0);
    }
    // p / (p + (1-p) e^-ε): nothing overflows
    (prior / (prior + (1.0 - prior) * (-epsilon.max(0.0)).exp())).min(1.0)
}

/// More than binary arithmetic may be off by.
fn up(value: f64) -> f64 {
    value * (1.0 + 1e-12)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).expect("an amount")
    }

    fn close(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() <= expected * 1e-9 && found >= expected,
            "{found} is not {expected}"
        );
    }

    #[test]
    fn the_papers_statements() {
        let pure = BayesianSemantics::of(Epsilon(amount("0.5")), Amount::ZERO, None);
        close(pure.difference(), 0.5f64.exp() - 1.0);
        assert!(!pure.is_vacuous() && pure.source() == "Proposition 14");
        let BayesianSemantics::Approximate {
            difference,
            for_each,
            for_all,
        } = BayesianSemantics::of(Epsilon(amount("0.1")), amount("1e-10"), Some(1000))
        else {
            panic!("there is a δ")
        };
        close(difference, 0.3f64.exp() - 1.0 + 2e-5);
        close(for_each, 1e-5 + 2e-10 / (0.1 * 0.1f64.exp()));
        close(for_all.expect("n is given"), 1000.0 * for_each);
    }

    #[test]
    fn what_says_nothing_is_called_so() {
        assert!(
            BayesianSemantics::of(Epsilon(amount("0.69")), Amount::ZERO, None).difference() < 1.0
        );
        assert!(BayesianSemantics::of(Epsilon(amount("0.7")), Amount::ZERO, None).is_vacuous());
        assert!(BayesianSemantics::of(Epsilon(amount("1")), amount("1e-9"), None).is_vacuous());
        assert!(
            BayesianSemantics::of(Epsilon(amount("100000")), amount("1e-9"), None).is_vacuous(),
            "infinity is no difference"
        );
        let BayesianSemantics::Approximate { for_all, .. } =
            BayesianSemantics::of(Epsilon(amount("0.01")), amount("1e-3"), Some(1 << 40))
        else {
            panic!("there is a δ")
        };
        assert_eq!(for_all, Some(1.0), "a probability");
    }

    #[test]
    fn without_n_nothing_depends_on_it() {
        let BayesianSemantics::Approximate { for_all, .. } =
            BayesianSemantics::of(Epsilon(amount("0.1")), amount("1e-9"), None)
        else {
            panic!("there is a δ")
        };
        assert_eq!(for_all, None);
    }

    /// Randomized response is the worst case: a suspicion becomes exactly the bound.
    #[test]
    fn odds_are_those_of_randomized_response() {
        for (prior, epsilon) in [(0.5, 1.0), (0.01, 2.0), (0.9, 0.1), (0.3, 5.0)] {
            let truthful = f64::exp(epsilon) / (1.0 + f64::exp(epsilon));
            let yes = prior * truthful / (prior * truthful + (1.0 - prior) * (1.0 - truthful));
            assert!((posterior_bound(prior, epsilon) - yes).abs() < 1e-12);
        }
    }

    #[test]
    fn odds_stay_probabilities() {
        assert_eq!(posterior_bound(0.5, 0.0), 0.5);
        assert_eq!(posterior_bound(0.5, 1e6), 1.0);
        assert_eq!(posterior_bound(0.5, f64::INFINITY), 1.0);
        assert_eq!(
            (posterior_bound(0.0, 3.0), posterior_bound(1.0, 3.0)),
            (0.0, 1.0)
        );
        assert!(posterior_bound(f64::NAN, 1.0).is_nan());
    }
}

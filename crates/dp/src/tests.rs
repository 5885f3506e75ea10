//! Statistical tests of every mechanism and every kind of release.
//!
//! Each test states what it rejects and with which false alarm. All bounds are exact ones
//! (Chernoff's, with the relative entropy) and hold for any number of runs; [`ALARM`] is the
//! probability that one comparison of a correct program is called wrong, and there are fewer than
//! 1,000 such comparisons in all, so that the whole suite is wrong with a probability below 1e-6.

mod differential;
mod distribution;
mod sensitivity;

use crate::amount::Amount;
use crate::guarantee::{Epsilon, Guarantee};

/// The false alarm of one comparison.
const ALARM: f64 = 1e-9;

fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

fn pure(epsilon: &str) -> Guarantee {
    Guarantee::Pure {
        epsilon: Epsilon(amount(epsilon)),
    }
}

fn concentrated(rho: &str) -> Guarantee {
    Guarantee::Concentrated { rho: amount(rho) }
}

fn approximate(epsilon: &str, delta: &str) -> Guarantee {
    Guarantee::Approximate {
        epsilon: Epsilon(amount(epsilon)),
        delta: amount(delta),
    }
}

/// Relative entropy of two coins.
fn entropy(q: f64, p: f64) -> f64 {
    let part = |q: f64, p: f64| if q <= 0.0 { 0.0 } else { q * (q / p).ln() };
    part(q, p) + part(1.0 - q, 1.0 - p)
}

/// Whether `hits` of `runs` are too far from what a probability allows: by Chernoff's bound P(share
/// ≥ q) ≤ exp(−runs · entropy(q, p)) for q > p, and likewise below, this happens with at most
/// `alarm`.
fn unlikely(hits: u64, runs: u64, p: f64, alarm: f64) -> bool {
    runs as f64 * entropy(hits as f64 / runs as f64, p) > (2.0 / alarm).ln()
}

/// The smallest and the largest probability for which so many hits are not unlikely.
fn interval(hits: u64, runs: u64, alarm: f64) -> (f64, f64) {
    let share = hits as f64 / runs as f64;
    let edge = |mut inside: f64, mut outside: f64| {
        for _ in 0..60 {
            let middle = (inside + outside) / 2.0;
            if unlikely(hits, runs, middle, alarm) {
                outside = middle
            } else {
                inside = middle
            }
        }
        outside
    };
    (edge(share, 0.0), edge(share, 1.0))
}

#[test]
fn the_bound_is_a_bound() {
    // exact tails of 200 throws of a coin of 0.3, against exp(−200 entropy)
    let (runs, p) = (200u64, 0.3f64);
    let mut log_weight = runs as f64 * (1.0 - p).ln();
    let mut weights = vec![log_weight.exp()];
    for k in 1..=runs {
        log_weight += ((runs - k + 1) as f64 / k as f64 * p / (1.0 - p)).ln();
        weights.push(log_weight.exp());
    }
    for alarm in [0.1, 1e-3, 1e-9] {
        let wrong: f64 = (0..=runs)
            .filter(|&k| unlikely(k, runs, p, alarm))
            .map(|k| weights[k as usize])
            .sum();
        assert!(wrong <= alarm, "{wrong} {alarm}");
        assert!(
            unlikely(0, runs, p, alarm)
                && unlikely(runs, runs, p, alarm)
                && !unlikely(60, runs, p, alarm)
        );
    }
    let (low, high) = interval(60, 200, 1e-9);
    assert!(
        low < 0.3 && high > 0.3 && low > 0.1 && high < 0.55,
        "{low} {high}"
    );
    assert_eq!(interval(0, 100, 0.5).0, 0.0);
}

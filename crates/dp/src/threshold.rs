//! How large a noisy count must be before its cell is published, where only cells that hold someone
//! are looked at.
//!
//! The cells that somebody is in are themselves a secret. A cell that only one person is in must
//! hardly ever be published: with at most c records, one person is alone in at most c cells, each
//! with a count of at most c, so that one of them is published with a probability of at most c ·
//! P(noise ≥ t − c). The threshold t is the smallest above c for which a bound on this is at most
//! δ₀.
//!
//! Tails are computed from above: the numerator is summed from the far end of what matters, the
//! rest is bounded by an integral, the denominator is bounded from below, and the result is raised
//! by more than binary arithmetic can be off.

use crate::noise::{Noise, Shape};
use std::f64::consts::PI;

/// The smallest threshold above `per_person` that keeps a person's own cells out except with
/// probability `delta`. `None` where `delta` is zero or no threshold can be written.
pub(crate) fn threshold(noise: &Noise, per_person: u64, delta: f64) -> Option<u64> {
    let keeps = |beyond: u64| per_person as f64 * tail(noise, beyond) <= delta;
    if delta <= 0.0 {
        return None;
    }
    let mut high = 1u64;
    while !keeps(high) {
        high = high.checked_mul(2).filter(|&high| high < 1 << 60)?;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if keeps(middle) {
            high = middle
        } else {
            low = middle
        }
    }
    per_person.checked_add(high)
}

/// Not below P(noise ≥ t), for t ≥ 1.
pub(crate) fn tail(noise: &Noise, t: u64) -> f64 {
    let (scale, t) = (noise.scale().to_f64().value(), t as f64);
    let above = match noise.shape() {
        // Σ_{x ≥ t} q^x (1−q)/(1+q) with q = exp(−1/scale)
        Shape::Laplace => (-t / scale).exp() / (1.0 + (-1.0 / scale).exp()),
        Shape::Gaussian => gaussian_tail(scale, t),
    };
    (above * (1.0 + ROUNDING)).min(1.0)
}

/// More than what the sums below are off by, as a share.
const ROUNDING: f64 = 1e-9;

/// So many terms are summed one by one: all that matter up to a scale of ten thousand.
const TERMS: u32 = 1 << 16;

fn gaussian_tail(scale: f64, t: f64) -> f64 {
    let variance = scale * scale;
    // relative to the first term, so that nothing vanishes however far out t is
    let term = |k: f64| (-(2.0 * t + k) * k / (2.0 * variance)).exp();
    let matter = (9.0 * scale).min(f64::from(TERMS)).ceil();
    let near: f64 = (0..matter as u32).rev().map(|k| term(f64::from(k))).sum();
    // a falling function's sum is at most its first term and its integral; ∫_s^∞ exp(−x²/2σ²) ≤
    // σ²/s exp(−s²/2σ²)
    let far = term(matter) * (1.0 + variance / (t + matter));
    // the sum over all integers is at least its three middle terms, and at least its integral
    // (Poisson summation)
    let all = (1.0 + 2.0 * (-1.0 / (2.0 * variance)).exp()).max(scale * (2.0 * PI).sqrt());
    (-t * t / (2.0 * variance)).exp() * (near + far) / all
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu::rational::RBig;

    fn noise(shape: Shape, scale: (i64, u64)) -> Noise {
        Noise::new(shape, RBig::from_parts(scale.0.into(), scale.1.into()))
    }

    /// All of the probability, summed to where nothing is left.
    fn exact_tail(shape: Shape, scale: f64, t: i64) -> f64 {
        let weight = |x: i64| {
            let x = x as f64;
            match shape {
                Shape::Laplace => (-x.abs() / scale).exp(),
                Shape::Gaussian => (-x * x / (2.0 * scale * scale)).exp(),
            }
        };
        let end = (60.0 * scale) as i64 + 60;
        let all: f64 = (-end..=end).map(weight).sum();
        (t..=end.max(t)).rev().map(weight).sum::<f64>() / all
    }

    #[test]
    fn tails_are_bounds_and_hardly_more() {
        for shape in [Shape::Laplace, Shape::Gaussian] {
            for scale in [(1, 4), (1, 2), (1, 1), (7, 3), (40, 1), (1000, 1)] {
                let noise = noise(shape, scale);
                let value = scale.0 as f64 / scale.1 as f64;
                for factor in [0.0, 0.3, 1.0, 3.0, 6.0, 9.0] {
                    let t = (factor * value).ceil().max(1.0);
                    let (bound, exact) =
                        (tail(&noise, t as u64), exact_tail(shape, value, t as i64));
                    assert!(bound >= exact, "{shape:?} {scale:?} {t}: {bound} {exact}");
                    assert!(
                        bound <= exact * (1.0 + 1e-3),
                        "{shape:?} {scale:?} {t}: {bound} {exact}"
                    );
                }
            }
        }
    }

    #[test]
    fn very_wide_noise_has_the_tail_of_the_normal_distribution() {
        let noise = noise(Shape::Gaussian, (1_000_000_000_000, 1));
        // P(N ≥ 6) = 9.8659e-10
        let bound = tail(&noise, 6_000_000_000_000);
        assert!((9.8658e-10..1.02e-9).contains(&bound), "{bound}");
    }

    #[test]
    fn the_threshold_is_the_smallest() {
        for shape in [Shape::Laplace, Shape::Gaussian] {
            for per_person in [1, 2, 30] {
                for delta in [1e-3, 1e-10, 1e-25] {
                    let noise = noise(shape, (25, 2));
                    let found = threshold(&noise, per_person, delta).expect("one");
                    let published = |t: u64| {
                        per_person as f64 * exact_tail(shape, 12.5, (t - per_person) as i64)
                    };
                    assert!(published(found) <= delta, "{shape:?} {per_person} {delta}");
                    assert!(
                        published(found - 1) > delta * 0.999,
                        "{shape:?} {per_person} {delta}"
                    );
                }
            }
        }
    }

    #[test]
    fn without_delta_there_is_none() {
        assert_eq!(threshold(&noise(Shape::Gaussian, (3, 1)), 1, 0.0), None);
        assert_eq!(threshold(&noise(Shape::Gaussian, (3, 1)), 1, -1.0), None);
        assert_eq!(
            threshold(&noise(Shape::Gaussian, (3, 1)), 1, f64::NAN),
            None
        );
    }
}

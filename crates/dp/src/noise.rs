//! Noise: exact draws from the discrete Laplace and Gaussian distributions, by OpenDP.
//!
//! OpenDP samples by the rejection of Canonne, Kamath and Steinke (2020) in rational arithmetic: no
//! floating-point number is near a draw. Its random bits come from a ChaCha20 generator per thread
//! that the operating system seeds, and seeds anew after every 64 KiB and every fork.
//! `docs/design/dp.md` says why not OpenSSL's.

use crate::Error;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use opendp::traits::samplers::{sample_discrete_gaussian, sample_discrete_laplace};
use rayon::prelude::*;

/// Which distribution a draw comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Discrete Laplace: P(x) ∝ exp(−|x|/scale).
    Laplace,
    /// Discrete Gaussian: P(x) ∝ exp(−x²/2 scale²).
    Gaussian,
}

impl Shape {
    /// Budgets in proportion to cells to this power leave the least expected absolute error in all
    /// cells together: with σ ∝ 1/√ρ the sum of cells/√ρᵢ is least at ρᵢ ∝ cells^⅔, with scale ∝
    /// 1/ε at εᵢ ∝ cells^½.
    pub(crate) fn power(self) -> f64 {
        match self {
            Shape::Gaussian => 2.0 / 3.0,
            Shape::Laplace => 0.5,
        }
    }

    /// The word used in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Laplace => "discrete Laplace",
            Shape::Gaussian => "discrete Gaussian",
        }
    }
}

/// A distribution of integers around zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Noise {
    shape: Shape,
    scale: RBig,
    #[cfg(test)]
    pub(crate) tampered: Tampered,
    #[cfg(test)]
    transcript: Option<tests_only::Transcript>,
}

/// What tests do to noise, and nothing else can.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Tampered {
    /// As it is.
    #[default]
    No,
    /// Switched off, to see how far a neighbour's exact answers are.
    Off,
    /// Half of the scale: the bug that statistical tests must catch.
    Half,
    /// One less than the scale.
    OneLess,
    /// The other distribution, of about the same deviation.
    OtherShape,
}

impl Noise {
    /// Noise of a scale, a positive rational number.
    pub fn new(shape: Shape, scale: RBig) -> Noise {
        Noise {
            shape,
            scale,
            #[cfg(test)]
            tampered: tests_only::tampering(),
            #[cfg(test)]
            transcript: tests_only::transcript(),
        }
    }

    /// The distribution.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Its scale, exactly.
    pub fn scale(&self) -> &RBig {
        &self.scale
    }

    /// Its standard deviation, about.
    pub fn deviation(&self) -> f64 {
        let scale = self.scale.to_f64().value();
        match self.shape {
            Shape::Gaussian => scale,
            // 2q/(1−q)² with q = exp(−1/scale)
            Shape::Laplace => (2.0 * (-1.0 / scale).exp()).sqrt() / -(-1.0 / scale).exp_m1(),
        }
    }

    fn drawn(&self) -> Result<IBig, Error> {
        #[cfg(test)]
        let Some((shape, scale)) = self.tampered.with(self.shape, self.scale.clone()) else {
            return Ok(IBig::ZERO);
        };
        #[cfg(not(test))]
        let (shape, scale) = (self.shape, self.scale.clone());
        match shape {
            Shape::Laplace => sample_discrete_laplace(scale),
            Shape::Gaussian => sample_discrete_gaussian(scale),
        }
        .map_err(|_| Error::NoRandomness)
    }

    /// Counts with a draw added to each, cut to [`LARGEST`]. Every look at the data passes through
    /// here.
    pub fn add_to(&self, counts: &[u64]) -> Result<Vec<i64>, Error> {
        // the sum is cut, never the draw: a draw at the end of its range would show the count that
        // is added to it
        let noisy = |&count: &u64| Ok(cut(self.drawn()? + IBig::from(count)));
        #[cfg(test)]
        if let Some(transcript) = &self.transcript {
            return transcript.look(self, counts, || counts.iter().map(noisy).collect());
        }
        counts.par_iter().with_min_len(256).map(noisy).collect()
    }
}

/// No noisy count is further from zero.
pub const LARGEST: i64 = 1 << 60;

fn cut(noisy: IBig) -> i64 {
    let end = if noisy < IBig::ZERO {
        -LARGEST
    } else {
        LARGEST
    };
    i64::try_from(noisy).map_or(end, |noisy| noisy.clamp(-LARGEST, LARGEST))
}

/// A scale that is not below a number, with a denominator that keeps exact arithmetic quick.
pub(crate) fn scale_above(value: f64) -> RBig {
    // at least 2⁻²⁰ relative steps: utility lost by rounding up is nothing, and numbers stay within
    // a machine word
    let places = (20 - value.log2().ceil() as i32).clamp(0, 40);
    let steps = (value * (1.0 + 1e-12) * 2f64.powi(places)).ceil();
    RBig::from_parts(IBig::from(steps as u128), UBig::ONE << places as usize)
}

#[cfg(test)]
pub(crate) mod tests_only;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_rounded_up_and_hardly() {
        for value in [1e-3, 0.37, 1.0, 44.123456789, 1e5, 3.3e9] {
            let scale = scale_above(value).to_f64().value();
            assert!(
                scale >= value && scale <= value * (1.0 + 3e-6),
                "{value} {scale}"
            );
        }
    }

    /// Noise far beyond what a count can be must not give the count away where it is cut.
    #[test]
    fn enormous_noise_shows_nothing() {
        for shape in [Shape::Laplace, Shape::Gaussian] {
            let noise = Noise::new(shape, RBig::from(10u128.pow(20)));
            assert!(noise.deviation() > 9e19 && noise.deviation().is_finite());
            for _ in 0..200 {
                let [one, other] =
                    [3, 400_000].map(|count| noise.add_to(&[count]).expect("randomness")[0]);
                assert!(one.abs() <= LARGEST && other.abs() <= LARGEST);
                // 10²⁰ is about 90 times the end: a draw within it is rare, one near it rarer
                assert!(
                    one.abs() == LARGEST || one.abs() < LARGEST - 500_000,
                    "{one}"
                );
            }
        }
    }

    #[test]
    fn tampering_is_for_the_thread_that_asked() {
        let noise = tests_only::with(Tampered::Off, || {
            Noise::new(Shape::Gaussian, RBig::from(1000))
        });
        assert_eq!(noise.add_to(&[5, 6, 7]).expect("randomness"), [5, 6, 7]);
        assert_eq!(
            Noise::new(Shape::Gaussian, RBig::from(1000)).tampered,
            Tampered::No
        );
    }
}

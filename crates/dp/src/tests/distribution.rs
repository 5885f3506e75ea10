//! Draws against their exact distribution: for every x, the share of draws up to x against P(draw ≤
//! x).

use super::{ALARM, unlikely};
use crate::noise::{Noise, Shape, Tampered, tests_only};
use dashu::rational::RBig;

const DRAWS: u64 = 30_000;

/// P(draw ≤ x) for x from −end to end, by sums to where nothing is left.
fn cumulative(shape: Shape, scale: f64, end: i64) -> Vec<f64> {
    let weight = |x: i64| match shape {
        Shape::Laplace => (-x.abs() as f64 / scale).exp(),
        Shape::Gaussian => (-(x as f64 / scale).powi(2) / 2.0).exp(),
    };
    let far = end + (60.0 * scale) as i64 + 60;
    let all: f64 = (-far..=far).map(weight).sum();
    let mut sum: f64 = (-far..-end).map(weight).sum();
    let up_to = |x: i64| {
        sum += weight(x);
        sum / all
    };
    (-end..=end).map(up_to).collect()
}

/// Whether some share of draws is too far from its probability; the alarm is spread over all x.
fn differs(shape: Shape, scale: f64, draws: &[i64]) -> bool {
    let end = (8.0 * scale).ceil() as i64 + 2;
    let mut sorted = draws.to_vec();
    sorted.sort_unstable();
    let exact = cumulative(shape, scale, end);
    let alarm = ALARM / exact.len() as f64;
    (-end..=end).zip(&exact).any(|(x, &p)| {
        let hits = sorted.partition_point(|&draw| draw <= x) as u64;
        // a probability that binary numbers cannot tell from 0 or 1 is not tested
        p > 1e-12 && p < 1.0 - 1e-12 && unlikely(hits, draws.len() as u64, p, alarm)
    })
}

fn draws(shape: Shape, scale: (i64, u64), how: Tampered) -> Vec<i64> {
    let scale = RBig::from_parts(scale.0.into(), scale.1.into());
    let noise = tests_only::with(how, || Noise::new(shape, scale));
    // counts of 1000 come out around 1000, on every thread
    noise
        .add_to(&vec![1000; DRAWS as usize])
        .expect("randomness")
        .into_iter()
        .map(|noisy| noisy - 1000)
        .collect()
}

#[test]
fn draws_have_their_distribution() {
    for shape in [Shape::Laplace, Shape::Gaussian] {
        for scale in [(1, 3), (1, 1), (22, 7), (12, 1), (181, 2)] {
            let value = scale.0 as f64 / scale.1 as f64;
            assert!(
                !differs(shape, value, &draws(shape, scale, Tampered::No)),
                "{shape:?} {scale:?}"
            );
        }
    }
}

#[test]
fn planted_bugs_are_caught() {
    for shape in [Shape::Laplace, Shape::Gaussian] {
        for (how, scale) in [
            (Tampered::Half, (181, 2)),
            (Tampered::OneLess, (6, 1)),
            (Tampered::OtherShape, (12, 1)),
            (Tampered::Off, (1, 1)),
        ] {
            let value = scale.0 as f64 / scale.1 as f64;
            assert!(
                differs(shape, value, &draws(shape, scale, how)),
                "{shape:?} {how:?} {scale:?}"
            );
        }
    }
}

/// Draws that follow each other have nothing to do with each other: signs of neighbours agree as
/// often as not.
#[test]
fn neighbouring_draws_are_independent() {
    let draws = draws(Shape::Gaussian, (12, 1), Tampered::No);
    let pairs: Vec<&[i64]> = draws
        .chunks_exact(2)
        .filter(|pair| pair.iter().all(|&x| x != 0))
        .collect();
    let agree = pairs
        .iter()
        .filter(|pair| (pair[0] > 0) == (pair[1] > 0))
        .count();
    assert!(!unlikely(agree as u64, pairs.len() as u64, 0.5, ALARM));
}

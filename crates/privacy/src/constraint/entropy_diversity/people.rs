//! Entropy over the weights of people, or over their rows where people are left out as a whole.
//!
//! Phi(x) = N log N - sum x log x - N log l is concave in the amounts x, which are linear in who is left:
//! see [`convex`]. Between two vectors of amounts Phi is smallest where fewer than l values have their
//! larger amount and all others their smaller one, if it is below 0 anywhere: so those are tried, in
//! floating-point numbers with a margin. They only rule out.

use super::EntropyDiversity;
use crate::breach::Attack;
use crate::people::{Crowd, Reachable, Weights, convex};

/// More choices of values than this are not tried; the node is then looked into.
const CHOICES: usize = 4096;

pub(super) fn breach(
    constraint: &EntropyDiversity,
    crowd: &Crowd,
    weights: &Weights,
    most: usize,
) -> Attack {
    let may_fail = |reachable: &Reachable<'_>| may_fail(constraint, reachable);
    convex(constraint, crowd, weights, most, &may_fail)
}

fn may_fail(constraint: &EntropyDiversity, reachable: &Reachable<'_>) -> bool {
    let pairs: Vec<(f64, f64)> = reachable
        .fewest
        .iter()
        .zip(reachable.most)
        .map(|(&few, &most)| (few as f64, most as f64))
        .collect();
    let raisable: Vec<usize> = (0..pairs.len())
        .filter(|&at| pairs[at].0 < pairs[at].1)
        .collect();
    let l = constraint.l.to_f64();
    let mut tried = 0;
    let mut raised = Vec::new();
    some_choice(&raisable, l, &mut raised, &mut |raised: &[usize]| {
        tried += 1;
        if tried > CHOICES {
            return true;
        }
        let (mut size, mut sum, mut scale) = (0.0, 0.0, 0.0);
        for (at, &(few, most)) in pairs.iter().enumerate() {
            let amount: f64 = if raised.contains(&at) { most } else { few };
            if amount > 0.0 {
                size += amount;
                sum += amount * amount.ln();
                scale += amount * (amount.ln().abs() + 1.0);
            }
        }
        if size <= 0.0 {
            return true;
        }
        let phi = size * size.ln() - sum - size * l.ln();
        let margin = 1e-10 * (scale + size * (size.ln().abs() + l.ln() + 1.0));
        phi < margin
    })
}

/// Whether one of the sets of fewer than `l` of these passes; the empty one is tried as well.
fn some_choice(
    from: &[usize],
    l: f64,
    raised: &mut Vec<usize>,
    passes: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    if passes(raised) {
        return true;
    }
    if raised.len() as f64 + 1.0 >= l {
        return false;
    }
    for at in 0..from.len() {
        raised.push(from[at]);
        if some_choice(&from[at + 1..], l, raised, passes) {
            return true;
        }
        raised.pop();
    }
    false
}

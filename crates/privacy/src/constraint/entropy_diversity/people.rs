//! Entropy over the weights of people, or over their rows where people are left out as a whole.
//!
//! Phi(x) = N log N - sum x log x - N log l is concave in the amounts x, which are linear in who is left:
//! see [`convex`]. Between two vectors of amounts Phi is smallest where fewer than l values have their
//! larger amount and all others their smaller one, if it is below 0 anywhere: so those are tried, in
//! floating-point numbers with a margin. They only rule out.

use super::EntropyDiversity;
use crate::breach::Attack;
use crate::people::{Crowd, Reachable, Weights, convex};

/// More choices of values than this are not tried at a node; it is then looked into.
const CHOICES: usize = 1024;

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
    let mut raisable: Vec<usize> = (0..pairs.len())
        .filter(|&at| pairs[at].0 < pairs[at].1)
        .collect();
    raisable.sort_by(|&a, &b| pairs[b].1.total_cmp(&pairs[a].1));
    let mut choices = Choices {
        size: pairs.iter().map(|pair| pair.0).sum(),
        pairs,
        l: constraint.l.to_f64(),
        raised: Vec::new(),
        tried: 0,
    };
    choices.some_fails(&raisable)
}

struct Choices {
    /// The smaller and the larger amount of each value.
    pairs: Vec<(f64, f64)>,
    l: f64,
    /// Which values have their larger amount.
    raised: Vec<usize>,
    /// The sum of amounts.
    size: f64,
    tried: usize,
}

impl Choices {
    /// Whether Phi may be below 0 with these values raised, or with more of those that come after them.
    ///
    /// A value is raised in the worst vector only if it then has at least the l-th part of everything.
    /// Values come with the largest amounts first, so that whoever lacks that lacks it with more raised.
    fn some_fails(&mut self, after: &[usize]) -> bool {
        self.tried += 1;
        if self.tried > CHOICES || self.fails() {
            return true;
        }
        if self.raised.len() as f64 + 1.0 >= self.l {
            return false;
        }
        for (at, &value) in after.iter().enumerate() {
            let (few, most) = self.pairs[value];
            let before = self.size;
            self.size += most - few;
            self.raised.push(value);
            let possible = self.l * most >= self.size * (1.0 - 1e-9);
            if possible && self.some_fails(&after[at + 1..]) {
                return true;
            }
            self.raised.pop();
            self.size = before;
        }
        false
    }

    fn fails(&self) -> bool {
        let (mut size, mut sum, mut scale) = (0.0, 0.0, 0.0);
        for (at, &(few, most)) in self.pairs.iter().enumerate() {
            let amount: f64 = if self.raised.contains(&at) { most } else { few };
            if amount > 0.0 {
                size += amount;
                sum += amount * amount.ln();
                scale += amount * (amount.ln().abs() + 1.0);
            }
        }
        if size <= 0.0 {
            return true;
        }
        let log_l = self.l.ln();
        let phi = size * size.ln() - sum - size * log_l;
        let margin = 1e-10 * (scale + size * (size.ln().abs() + log_l + 1.0));
        phi < margin
    }
}

//! t-closeness over the weights of people, or over their rows where people are left out as a whole.
//!
//! The distance times the size is convex in the amounts, which are linear in who is left: see [`convex`].
//! Between two vectors of amounts each part of the cost (see [`ladder`](super::ladder)) is at most what it
//! is with the larger amounts of its values and the smaller size, which bounds the whole. In
//! floating-point numbers with a margin: they only rule out.

use super::TCloseness;
use crate::breach::Attack;
use crate::people::{Crowd, Reachable, Weights, convex, present};

pub(super) fn breach(
    constraint: &TCloseness,
    crowd: &Crowd,
    weights: &Weights,
    most: usize,
) -> Attack {
    let sums = weights.sums(crowd);
    let values = present(crowd, &sums);
    if most == 0 || values.is_empty() {
        return convex(constraint, crowd, weights, most, &|_| true);
    }
    let places: Vec<usize> = (0..sums.len()).filter(|&place| sums[place] > 0).collect();
    let pieces = constraint.ground.pieces(&values);
    let max = constraint.max.to_f64() * pieces.constant as f64;
    let table = pieces.rows as f64;
    let may_fail = |reachable: &Reachable<'_>| {
        let ordered = |amounts: &[u64]| -> Vec<f64> {
            let places = pieces.order.iter().map(|&value| places[value]);
            places.map(|place| amounts[place] as f64).collect()
        };
        let (few, many) = (ordered(reachable.fewest), ordered(reachable.most));
        let (least, largest): (f64, f64) = (few.iter().sum(), many.iter().sum());
        if least <= 0.0 {
            return true;
        }
        let (mut cost, mut scale) = (0.0, 0.0);
        for ladder in &pieces.ladders {
            let amount: f64 = many[ladder.set.clone()].iter().sum();
            for &step in &ladder.steps {
                let difference = amount - step as f64 / table * least;
                cost += ladder.weight as f64 * difference.max(0.0);
                scale += ladder.weight as f64 * (amount + least);
            }
        }
        for line in &pieces.lines {
            let amounts = if line.times >= 0 { &many } else { &few };
            let amount: f64 = amounts[line.set.clone()].iter().sum();
            let size = if line.table >= 0 { least } else { largest };
            cost += line.times as f64 * amount - line.table as f64 / table * size;
            scale += line.times.unsigned_abs() as f64 * largest;
            scale += line.table.abs() as f64 / table * largest;
        }
        cost - max * least > -1e-10 * (scale + max * least + 1.0)
    };
    convex(constraint, crowd, weights, most, &may_fail)
}

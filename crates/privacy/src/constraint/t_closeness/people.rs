//! t-closeness over the weights of people, or over their rows where people are left out as a whole.
//!
//! The distance times the size is convex in the amounts, which are linear in who is left: see [`convex`].
//! Where some people are undecided, each step of the cost (see [`ladder`](super::ladder)) is max(0, x) for
//! an x that they can move between two numbers, and between these it is at most its chord. So the whole is
//! at most a linear form over people, of whom those who raise it stay and the others go. In floating-point
//! numbers with a margin: they only rule out. Cost O(steps + people × values) for each node.

use super::TCloseness;
use super::ladder::Pieces;
use crate::breach::Attack;
use crate::people::{Crowd, Reachable, Weights, convex, present};
use std::ops::Range;

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
    let bound = Bound::new(constraint, crowd, weights, &sums);
    let may_fail = |reachable: &Reachable<'_>| bound.may_fail(reachable);
    convex(constraint, crowd, weights, most, &may_fail)
}

struct Bound {
    pieces: Pieces,
    /// t times the constant of the ground distance.
    max: f64,
    /// Per place of the order the value's place in the crowd.
    places: Vec<usize>,
    /// Per member the amounts of all its people, along the order; sums of those before.
    sums_of: Vec<Vec<f64>>,
}

impl Bound {
    fn new(constraint: &TCloseness, crowd: &Crowd, weights: &Weights, sums: &[u64]) -> Bound {
        let values = present(crowd, sums);
        let pieces = constraint.ground.pieces(&values);
        let there: Vec<usize> = (0..sums.len()).filter(|&place| sums[place] > 0).collect();
        let places: Vec<usize> = pieces.order.iter().map(|&value| there[value]).collect();
        let mut sums_of = Vec::with_capacity(crowd.members.len());
        for (at, member) in crowd.members.iter().enumerate() {
            let amount = |&place: &usize| weights.amount(at, place as u32) as f64;
            let people = member.people as f64;
            sums_of.push(running(places.iter().map(|place| amount(place) * people)));
        }
        Bound {
            max: constraint.max.to_f64() * pieces.constant as f64,
            pieces,
            places,
            sums_of,
        }
    }

    fn may_fail(&self, reachable: &Reachable<'_>) -> bool {
        let few = running(
            self.places
                .iter()
                .map(|&place| reachable.fewest[place] as f64),
        );
        if total(&few) <= 0.0 {
            return true;
        }
        let table = self.pieces.rows as f64;
        // coefficients along the order as differences, and of the size
        let mut rise = vec![0.0; self.places.len() + 1];
        let (mut of_size, mut constant, mut scale) = (-self.max, 0.0, self.max);
        for line in &self.pieces.lines {
            rise[line.set.start] += line.times as f64;
            rise[line.set.end] -= line.times as f64;
            of_size -= line.table as f64 / table;
            scale += line.times.unsigned_abs() as f64 + line.table.abs() as f64 / table;
        }
        for ladder in &self.pieces.ladders {
            let weight = ladder.weight as f64;
            for &step in &ladder.steps {
                let share = step as f64 / table;
                let (low, high) = self.range(reachable, &few, &ladder.set, share);
                scale += weight;
                if high <= 0.0 {
                    continue;
                }
                let slope = if low >= 0.0 { 1.0 } else { high / (high - low) };
                rise[ladder.set.start] += weight * slope;
                rise[ladder.set.end] -= weight * slope;
                of_size -= weight * slope * share;
                constant -= weight * slope * low.min(0.0);
            }
        }
        let alpha = &running(rise.iter().copied())[1..];
        let value = |sums: &[f64]| {
            let mut value = of_size * total(sums);
            for (at, &coefficient) in alpha.iter().take(self.places.len()).enumerate() {
                value += coefficient * (sums[at + 1] - sums[at]);
            }
            value
        };
        let mut bound = constant + value(&few);
        let mut size = total(&few);
        for &member in reachable.free {
            bound += value(&self.sums_of[member]).max(0.0);
            size += total(&self.sums_of[member]);
        }
        bound > -1e-9 * scale * size
    }

    /// Between what the amount of a set less a share of everything can be.
    fn range(
        &self,
        reachable: &Reachable<'_>,
        few: &[f64],
        set: &Range<usize>,
        share: f64,
    ) -> (f64, f64) {
        let excess = |sums: &[f64]| sums[set.end] - sums[set.start] - share * total(sums);
        let (mut low, mut high) = (excess(few), excess(few));
        for &member in reachable.free {
            let own = excess(&self.sums_of[member]);
            low += own.min(0.0);
            high += own.max(0.0);
        }
        (low, high)
    }
}

/// Sums of all before, one more than there are amounts.
fn running(amounts: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sums = vec![0.0];
    let mut sum = 0.0;
    for amount in amounts {
        sum += amount;
        sums.push(sum);
    }
    sums
}

fn total(sums: &[f64]) -> f64 {
    sums[sums.len() - 1]
}

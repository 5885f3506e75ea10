//! Recursive diversity over the weights of people, or over their rows where people are left out as a
//! whole.
//!
//! It fails iff for some set L of l - 1 values and some v in it, x_v >= c (amounts outside of L): a form
//! over people, so that whoever lowers it is left out. Here v must be tried as every value of L: a person
//! with v may have other values as well, and the commonest is not always worst. For l = 1 it is x_v >= c
//! times all.

use super::RecursiveDiversity;
use crate::breach::Attack;
use crate::constraint::Constraint;
use crate::constraint::{Check, Limit};
use crate::people::{Crowd, Form, SetSearch, Weights, in_range, outside_at_least, worst};
use crate::people::{counts, present};

pub(super) fn breach(
    constraint: &RecursiveDiversity,
    crowd: &Crowd,
    weights: &Weights,
    most: usize,
) -> Attack {
    let sums = weights.sums(crowd);
    let check = constraint.check(counts(&present(crowd, &sums)));
    if check == Check::Fails {
        return Attack::Breach(crowd.breach(Vec::new(), |_| false));
    }
    if most == 0 {
        return Attack::Withstood;
    }
    match search(constraint, crowd, weights, most) {
        Err(limit) => Attack::Undecided(limit),
        Ok(found) => found.unwrap_or(Attack::Withstood),
    }
}

fn search(
    constraint: &RecursiveDiversity,
    crowd: &Crowd,
    weights: &Weights,
    most: usize,
) -> Result<Option<Attack>, Limit> {
    let sums = weights.sums(crowd);
    in_range(constraint.c, sums.iter().sum())?;
    let least = outside_at_least(crowd, weights, most);
    let (c, unit) = (
        i128::from(constraint.c.numerator()),
        i128::from(constraint.c.denominator()),
    );
    for value in (0..crowd.values() as u32).filter(|&value| sums[value as usize] > 0) {
        let try_set = |inside: &[u32]| {
            let amount = |member: usize| {
                let outside = weights.of[member]
                    .iter()
                    .filter(|(other, _)| !inside.contains(other))
                    .map(|&(_, amount)| i128::from(amount))
                    .sum::<i128>();
                unit * i128::from(weights.amount(member, value)) - c * outside
            };
            let form = Form {
                kappa: 0,
                amounts: (0..crowd.members.len()).map(amount).collect(),
                at_zero: true,
            };
            worst(crowd, &form, most)
        };
        if constraint.l == 1 {
            if let Some(breach) = try_set(&[])? {
                return Ok(Some(Attack::Breach(breach)));
            }
            continue;
        }
        let mut others = least.clone();
        others[value as usize] = 0;
        let allowed = unit * i128::from(sums[value as usize]) / c;
        let room = usize::try_from(constraint.l - 2).unwrap_or(usize::MAX);
        let mut sets = SetSearch::new(&others, |other| other != value);
        let found = sets.visit(room, allowed, &mut |rest| {
            let mut inside = rest.to_vec();
            inside.push(value);
            try_set(&inside)
        })?;
        if let Some(breach) = found {
            return Ok(Some(Attack::Breach(breach)));
        }
    }
    Ok(None)
}

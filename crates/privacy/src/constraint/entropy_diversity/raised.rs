//! Which values a coalition may want to keep in full.
//!
//! Phi(c) = N log N - sum c_s log c_s - N log l is concave, so within a coalition's reach it is
//! smallest where each count is either t_s, kept in full, or what the others have. If it is below 0
//! there and s is kept although the coalition could take some out, then Phi falls with c_s at the
//! end, which means t_s >= N / l. So the values that are kept are fewer than l, and N is at least
//! what nobody can take out beside them. With more values kept N only grows, so a set that is ruled
//! out rules out all sets that contain it.

use crate::breach::{Holders, rest};
use crate::ratio::Ratio;
use crate::shares::Shares;
use std::cmp::Reverse;

/// The sets of values, by place, that may be kept in full in a breach by at most `most` providers,
/// the empty set first; `None` if more than `limit` sets are in question.
pub(super) fn raised_sets(
    group: &Shares,
    most: usize,
    l: Ratio,
    limit: usize,
) -> Option<Vec<Vec<usize>>> {
    let holders = Holders::new(group);
    let mut order: Vec<usize> = (0..group.values().len()).collect();
    order.sort_by_key(|&value| Reverse(group.values()[value].1));
    let mut sets = vec![Vec::new()];
    let mut at = 0;
    while at < sets.len() {
        let after = sets[at].last().map_or(0, |last| {
            1 + order.iter().position(|v| v == last).expect("of the order")
        });
        for &value in &order[after..] {
            let mut set = sets[at].clone();
            set.push(value);
            // later values have fewer rows, and no larger set without this one is lost: it starts
            // elsewhere
            if possible(group, &holders, most, l, &set) {
                sets.push(set);
            }
        }
        if sets.len() > limit {
            return None;
        }
        at += 1;
    }
    Some(sets)
}

/// Whether l t_s >= N can be for the value with the fewest rows, the last one, and the set is
/// smaller than l.
fn possible(group: &Shares, holders: &Holders, most: usize, l: Ratio, set: &[usize]) -> bool {
    let times = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let rows = |value: usize| group.values()[value].1;
    let mut others = group.sizes().to_vec();
    for &(provider, n) in set.iter().flat_map(|&value| holders.of(value)) {
        others[provider as usize] -= n;
    }
    let size = set.iter().map(|&value| rows(value)).sum::<u64>() + rest(&mut others, most);
    let last = set.last().map_or(0, |&value| rows(value));
    times(set.len() as u64, l.denominator()) < l.numerator().into()
        && times(last, l.numerator()) >= times(size, l.denominator())
}

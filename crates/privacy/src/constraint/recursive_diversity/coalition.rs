//! Coalitions against recursive (c,l)-diversity: one value kept in full, the tail made as small as
//! possible.
//!
//! For l >= 2 the constraint fails iff for some set L of l - 1 values and some v in it, c_v >= c
//! (rows outside of L). A coalition hurts most when it takes out exactly its rows outside of L, so
//! it breaches iff t_v >= c rest_m(u), u_p being the rows of p outside of L, and v is best the
//! value of L with the largest t_v. For l = 1 it is c_v >= c N, as with maximum frequency.
//!
//! For each v, from the most frequent on, L is searched among the values after v: where L is not
//! complete yet, rest_m(Y + Z) >= rest_m(Y) + sum over s in Z of rest_m({s}) says how small the
//! tail can become. Integers throughout. Cost O(sets L that are not ruled out × providers); more
//! than [`STEPS`] visits of providers are not made.

use crate::breach::{Attack, Holders, leaving, rest, standing_out};
use crate::constraint::Limit;
use crate::ratio::Ratio;
use crate::shares::Shares;
use std::cmp::Reverse;

/// How many providers are looked at, all nodes of a search together.
const STEPS: u64 = 1 << 26;

/// Looks for a coalition of at most `most` providers in a group that satisfies the constraint when
/// nobody takes out anything.
pub(super) fn breach(group: &Shares, most: usize, c: Ratio, l: u64) -> Attack {
    let fitting = |count: u64, part: u64| {
        u64::try_from(u128::from(count) * u128::from(part) / u128::from(c.numerator()))
            .unwrap_or(u64::MAX)
    };
    if l == 1 {
        // r_1 >= c N: the others are at most (1 - c) / c times r_1, and never few enough if c > 1
        let allowed = |count| {
            c.denominator()
                .checked_sub(c.numerator())
                .map(|part| fitting(count, part))
        };
        return standing_out(group, most, allowed).map_or(Attack::Withstood, Attack::Breach);
    }
    // the group satisfies the constraint, so it has at least l values
    let room = usize::try_from(l - 2).expect("no more than there are values");
    let mut search = Search::new(group, most);
    let mut order: Vec<usize> = (0..group.values().len()).collect();
    order.sort_by_key(|&value| Reverse(group.values()[value].1));
    for at in 0..order.len() - room {
        let allowed = fitting(group.values()[order[at]].1, c.denominator());
        // later values allow less and have more before them
        if search.rest() > allowed {
            break;
        }
        let mut after = order[at + 1..].to_vec();
        after.sort_by_key(|&value| Reverse(search.least[value]));
        let must: u64 = after[room..].iter().map(|&value| search.least[value]).sum();
        match search.choose(&after, room, must, allowed) {
            Some(false) => {}
            Some(true) => {
                let kept = group.size() - search.tail.iter().sum::<u64>();
                let breach = leaving(&search.tail, allowed, most, kept);
                return Attack::Breach(breach.expect("removing the most is enough"));
            }
            None => return Attack::Undecided(Limit::SearchSteps(STEPS)),
        }
        search.add(order[at]);
    }
    Attack::Withstood
}

struct Search {
    holders: Holders,
    /// By value what is left of it at least, rest_m({s}).
    least: Vec<u64>,
    most: usize,
    /// By provider its rows outside of L, as far as that is decided.
    tail: Vec<u64>,
    scratch: Vec<u64>,
    steps: u64,
}

impl Search {
    fn new(group: &Shares, most: usize) -> Search {
        let holders = Holders::new(group);
        let least = (0..group.values().len())
            .map(|value| holders.least(value, most))
            .collect();
        Search {
            holders,
            least,
            most,
            tail: vec![0; group.providers()],
            scratch: Vec::new(),
            steps: 0,
        }
    }

    /// Whether `room` of these values, which come with the largest `least` first, can be put into L
    /// so that at most `allowed` rows outside are left; `must` is the sum of `least` of those that
    /// stay outside at the very best. When it can, `tail` is what it then is; otherwise as before.
    /// `None` when the search was cut short.
    fn choose(&mut self, values: &[usize], room: usize, must: u64, allowed: u64) -> Option<bool> {
        if self.steps > STEPS {
            return None;
        }
        if self.rest() + must > allowed {
            return Some(false);
        }
        if room == values.len() {
            return Some(true);
        }
        if room == 0 {
            values.iter().for_each(|&value| self.add(value));
            let found = self.rest() <= allowed;
            if !found {
                values.iter().for_each(|&value| self.take(value));
            }
            return Some(found);
        }
        if self.choose(&values[1..], room - 1, must, allowed)? {
            return Some(true);
        }
        self.add(values[0]);
        // the first is now part of the rest itself, and the one that would have stayed outside in
        // its place may go in
        if self.choose(&values[1..], room, must - self.least[values[room]], allowed)? {
            return Some(true);
        }
        self.take(values[0]);
        Some(false)
    }

    fn rest(&mut self) -> u64 {
        self.steps += self.tail.len() as u64;
        self.scratch.clone_from(&self.tail);
        rest(&mut self.scratch, self.most)
    }

    fn add(&mut self, value: usize) {
        self.holders
            .of(value)
            .iter()
            .for_each(|&(provider, rows)| self.tail[provider as usize] += rows);
    }

    fn take(&mut self, value: usize) {
        self.holders
            .of(value)
            .iter()
            .for_each(|&(provider, rows)| self.tail[provider as usize] -= rows);
    }
}

//! Sets L of so many values, as far as they can matter.
//!
//! What is outside of L counts against a breach. `least` says of each value how much of it no coalition
//! can take out; a set is worth looking at only if the least amounts outside of it add up to what the
//! caller allows. Values with the largest least amounts are put into L first. More than [`SETS`] sets are
//! not looked at.

use super::coalition::Covers;
use super::crowd::Crowd;
use super::weights::Weights;
use crate::constraint::Limit;

/// How many sets, or parts of sets, are looked at in one search.
const SETS: u64 = 1 << 18;

/// Of each value what no coalition of at most `most` providers can take out.
pub(crate) fn outside_at_least(crowd: &Crowd, weights: &Weights, most: usize) -> Vec<i128> {
    let mut by_provider = vec![vec![0i128; crowd.providers()]; crowd.values()];
    let mut least = vec![0i128; crowd.values()];
    for (member, own) in crowd.members.iter().zip(&weights.of) {
        for &(value, amount) in own {
            let amount = i128::from(amount) * i128::from(member.people);
            least[value as usize] += amount;
            for &provider in &member.known_to {
                by_provider[value as usize][provider as usize] += amount;
            }
        }
    }
    take_largest(&mut least, by_provider, most);
    least
}

/// The same of rows where insiders take out their own.
pub(crate) fn own_rows_at_least(crowd: &Crowd, most: usize) -> Vec<i128> {
    let mut by_provider = vec![vec![0i128; crowd.providers()]; crowd.values()];
    let mut least = vec![0i128; crowd.values()];
    for member in &crowd.members {
        for &(provider, value, rows) in &member.holdings {
            let rows = i128::from(rows) * i128::from(member.people);
            least[value as usize] += rows;
            by_provider[value as usize][provider as usize] += rows;
        }
    }
    take_largest(&mut least, by_provider, most);
    least
}

fn take_largest(least: &mut [i128], by_provider: Vec<Vec<i128>>, most: usize) {
    for (least, mut amounts) in least.iter_mut().zip(by_provider) {
        amounts.sort_unstable_by(|a, b| b.cmp(a));
        let taken: i128 = amounts.iter().take(most).sum();
        // shared people were counted at each of their providers
        *least = (*least - taken).max(0);
    }
}

/// Looks at sets of values.
pub(crate) struct SetSearch {
    /// Values that may be in L with their least amounts, the largest first.
    order: Vec<(u32, i128)>,
    /// `rest[i]` is the sum of the least amounts from the i-th value on.
    rest: Vec<i128>,
    /// What is outside of every L.
    base: i128,
    steps: u64,
}

/// What to do with a set that may matter: go on, or be done.
pub(crate) type Visit<'a, T> = dyn FnMut(&[u32]) -> Result<Option<T>, Limit> + 'a;

impl SetSearch {
    /// Only values that are named can be in L.
    pub(crate) fn new(least: &[i128], may_be_in: impl Fn(u32) -> bool) -> SetSearch {
        let mut order = Vec::new();
        let mut base = 0;
        for (value, &least) in (0..).zip(least) {
            if may_be_in(value) {
                order.push((value, least));
            } else {
                base += least;
            }
        }
        order.sort_by_key(|&(value, least)| (std::cmp::Reverse(least), value));
        let mut rest = vec![0; order.len() + 1];
        for at in (0..order.len()).rev() {
            rest[at] = rest[at + 1] + order[at].1;
        }
        SetSearch {
            order,
            rest,
            base,
            steps: 0,
        }
    }

    /// Visits every set of `room` values, or all of them if there are fewer, that leaves at least
    /// amounts of no more than `allowed` outside, until a visit has an answer.
    pub(crate) fn visit<T>(
        &mut self,
        room: usize,
        allowed: i128,
        visit: &mut Visit<'_, T>,
    ) -> Result<Option<T>, Limit> {
        let mut chosen = Vec::new();
        let room = room.min(self.order.len());
        self.choose(0, room, allowed - self.base, &mut chosen, visit)
    }

    #[allow(clippy::too_many_arguments, reason = "the state of a recursion")]
    fn choose<T>(
        &mut self,
        at: usize,
        room: usize,
        allowed: i128,
        chosen: &mut Vec<u32>,
        visit: &mut Visit<'_, T>,
    ) -> Result<Option<T>, Limit> {
        self.steps += 1;
        if self.steps > SETS {
            return Err(Limit::SearchSteps(SETS));
        }
        // at best the next ones, which are the largest, are all inside
        if self.rest[at + room] > allowed {
            return Ok(None);
        }
        if room == 0 {
            return visit(chosen);
        }
        chosen.push(self.order[at].0);
        let found = self.choose(at + 1, room - 1, allowed, chosen, visit)?;
        chosen.pop();
        if found.is_some() || at + room == self.order.len() {
            return Ok(found);
        }
        let outside = self.order[at].1;
        self.choose(at + 1, room, allowed - outside, chosen, visit)
    }
}

/// How rows are covered where insiders take out their own: each by its provider.
pub(crate) const OWN_ROWS: Covers = Covers::Any;

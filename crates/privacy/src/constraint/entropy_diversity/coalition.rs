//! Coalitions against entropy l-diversity.
//!
//! The constraint fails where G(c) = sum f(c_s) - f(N) + N log l is positive, f(x) = x log x. In
//! this order:
//!
//! 1. If no coalition can give a value more than 1/l of the rows, the entropy stays at least log l.
//! 2. For every set of values that may be kept in full ([`raised_sets`]), a bound on G over all
//!    coalitions ([`Kept`]). If all are negative, nobody breaches.
//! 3. The attack: G is the largest of the linear forms sum c_s log(l pi_s) over distributions pi,
//!    so take pi from counts, let the worst coalition answer that form (see [`Response`]), take pi
//!    from what it leaves, and so on.
//! 4. Branch and bound over providers, in the coalition or not, for each set that step 2 left. This
//!    settles few providers, or small coalitions, soon.
//! 5. Where it does not, branch and bound over [`Ranges`] of the counts, whoever leaves them.
//!    Within a range f(c_s) is at most its chord, and -f(N) is everywhere at most its tangent, so G
//!    is at most a linear form, and coalitions have an exact answer to those. The range about which
//!    the bound is most wrong is divided where the answer lies. G is convex: as ranges shrink, the
//!    form becomes a tangent of G, and is positive for no coalition if G is not.
//!
//! Floating-point numbers only rule out, and only with a margin for rounding; what fails is decided
//! by the constraint itself. A search of more than [`STEPS`] visits of entries is cut short.

use super::EntropyDiversity;
use super::kept::{Kept, Node};
use super::raised::raised_sets;
use super::ranges::{Majorant, Ranges};
use crate::breach::{Attack, Breach, Holders, Response, standing_out};
use crate::constraint::{Check, Constraint, GroupCounts, Limit};
use crate::shares::Shares;
use mingle_model::Code;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How many entries n_ps are looked at, all nodes of a search together.
const STEPS: u64 = 1 << 25;

/// How many of these for the search over providers.
const STEPS_OVER_PROVIDERS: u64 = 1 << 22;

/// How many sets of values are looked at.
const SETS: usize = 1 << 10;

/// How often the attack may improve on what it has.
const CLIMBS: usize = 16;

/// How many of the most frequent values the attack tries to keep alone.
const ALONE: usize = 4;

/// How often the tangent's place is improved.
const TANGENTS: usize = 6;

/// Looks for a coalition of at most `most` providers in a group that does not fail when nobody
/// takes out anything.
pub(super) fn breach(constraint: &EntropyDiversity, group: &Shares, most: usize) -> Attack {
    let (p, q) = (constraint.l.numerator(), constraint.l.denominator());
    let too_few_others = |count: u64| {
        let spare = u128::from(count) * u128::from(p - q);
        spare
            .checked_sub(1)
            .map(|below| u64::try_from(below / u128::from(q)).unwrap_or(u64::MAX))
    };
    if standing_out(group, most, too_few_others).is_none() {
        return Attack::Withstood;
    }
    Search::new(constraint, group, most).run(most)
}

struct Search<'a> {
    constraint: &'a EntropyDiversity,
    group: &'a Shares,
    response: Response<'a>,
    /// More than all rounding errors of a bound together.
    margin: f64,
    steps: u64,
    /// Counts close to the boundary that do not fail: an exact decision may be costly.
    checked: BTreeSet<Vec<u64>>,
    /// Why an exact decision could not be made.
    unsure: Option<Limit>,
}

impl<'a> Search<'a> {
    fn new(constraint: &'a EntropyDiversity, group: &'a Shares, most: usize) -> Search<'a> {
        let size = group.size() as f64;
        let operations = (group.providers() + group.values().len() + 64) as f64;
        let margin =
            16.0 * f64::EPSILON * operations * size * (size.ln() + constraint.log_l() + 2.0);
        let response = Response::new(group, most);
        Search {
            constraint,
            group,
            response,
            margin,
            steps: 0,
            checked: BTreeSet::new(),
            unsure: None,
        }
    }

    fn run(mut self, most: usize) -> Attack {
        let Some(sets) = raised_sets(self.group, most, self.constraint.l, SETS) else {
            return self
                .attack()
                .map_or_else(|| self.over_counts(most), Attack::Breach);
        };
        let mut open = Vec::new();
        for set in sets {
            let mut kept = Kept::new(self.group, self.constraint.log_l(), &set);
            let root = kept.root(most);
            if kept.bound(&root, -self.margin) >= -self.margin {
                open.push((kept, root));
            }
        }
        if open.is_empty() {
            return Attack::Withstood;
        }
        if let Some(breach) = self.attack() {
            return Attack::Breach(breach);
        }
        for (mut kept, root) in open {
            match self.over_providers(&mut kept, root) {
                Some(None) => {}
                Some(Some(breach)) => return Attack::Breach(breach),
                None => return self.over_counts(most),
            }
        }
        self.unsure.map_or(Attack::Withstood, Attack::Undecided)
    }

    /// All coalitions with these values kept; `None` when that takes too long.
    fn over_providers(&mut self, kept: &mut Kept, root: Node) -> Option<Option<Breach>> {
        let mut open = vec![root];
        let mut best = f64::NEG_INFINITY;
        while let Some(node) = open.pop() {
            self.steps += self.response.cost();
            if self.steps > STEPS_OVER_PROVIDERS {
                return None;
            }
            if kept.bound(&node, -self.margin) < -self.margin {
                continue;
            }
            let coalition = kept.coalition(&node);
            let counts = kept.counts(&coalition);
            if self.may_fail(&counts) {
                return Some(Some(Breach {
                    coalition,
                    left: counts.iter().sum(),
                    people_left: None,
                }));
            }
            let excess = self.excess(&counts);
            if excess > best {
                best = excess;
                if let Some(breach) = self.climb(counts) {
                    return Some(Some(breach));
                }
            }
            open.extend(kept.divide(node).into_iter().flatten());
        }
        Some(None)
    }

    /// All counts that coalitions can leave, whoever they are.
    fn over_counts(&mut self, most: usize) -> Attack {
        let holders = Holders::new(self.group);
        let values = self.group.values().iter().enumerate();
        let mut open = vec![Ranges::new(
            values
                .map(|(value, &(_, t))| (holders.least(value, most), t))
                .collect(),
        )];
        let mut best = f64::NEG_INFINITY;
        while let Some(ranges) = open.pop() {
            if self.steps > STEPS {
                return Attack::Undecided(Limit::SearchSteps(STEPS));
            }
            let Some((majorant, counts)) = self.bound(&ranges) else {
                continue;
            };
            if self.may_fail(&counts) {
                return Attack::Breach(self.fewest());
            }
            let excess = self.excess(&counts);
            if excess > best {
                best = excess;
                if let Some(breach) = self.climb(counts.clone()) {
                    return Attack::Breach(breach);
                }
            }
            match ranges.divide(&majorant, &counts) {
                Some(parts) => open.extend(parts),
                None => self.single(&ranges),
            }
        }
        self.unsure.map_or(Attack::Withstood, Attack::Undecided)
    }

    /// A linear form above G within the ranges, and the counts of a coalition that makes it
    /// positive; `None` if there is none. Its slope in the tangent's place N_0 has the sign of N_0
    /// - N.
    fn bound(&mut self, ranges: &Ranges) -> Option<(Majorant, Vec<u64>)> {
        let mut majorant = ranges.majorant(self.constraint.log_l());
        let (mut low, mut high) = ranges.sizes();
        for _ in 0..TANGENTS {
            self.steps += self.response.cost();
            let bound = self.response.maximum(majorant.form()) + majorant.constant();
            if bound < -self.margin {
                return None;
            }
            let counts = self.response.counts(&self.response.coalition());
            let (place, size) = (majorant.place(), counts.iter().sum::<u64>() as f64);
            if (place - size).abs() < 0.5 {
                return Some((majorant, counts));
            }
            if size > place {
                low = place
            } else {
                high = place
            }
            // the answer's own size if it is a better place, else the middle
            majorant.put(if low < size && size < high {
                size
            } else {
                (low + high) / 2.0
            });
        }
        self.response.maximum(majorant.form());
        let counts = self.response.counts(&self.response.coalition());
        Some((majorant, counts))
    }

    /// Ranges of one number each whose bound is not negative: it is the number that decides,
    /// whoever could reach it.
    fn single(&mut self, ranges: &Ranges) {
        if self.may_fail(&ranges.lowest()) {
            self.unsure = Some(Limit::SearchSteps(STEPS));
        }
    }

    /// From a few starts, each as far as it goes.
    fn attack(&mut self) -> Option<Breach> {
        let all: Vec<u64> = self.group.values().iter().map(|&(_, t)| t).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&value| Reverse(all[value]));
        let alone = |&value: &usize| {
            (0..all.len())
                .map(|v| all[v] * u64::from(v == value))
                .collect()
        };
        let starts: Vec<Vec<u64>> = [all.clone()]
            .into_iter()
            .chain(order.iter().take(ALONE).map(alone))
            .collect();
        starts.into_iter().find_map(|start| self.climb(start))
    }

    fn climb(&mut self, start: Vec<u64>) -> Option<Breach> {
        let mut counts = start;
        let mut before = f64::NEG_INFINITY;
        for _ in 0..CLIMBS {
            let size = counts.iter().sum::<u64>() as f64;
            // a value that is gone should stay away, at a finite cost
            let alpha = |&c: &u64| self.constraint.log_l() + ((c as f64).max(0.01) / size).ln();
            let alpha: Vec<f64> = counts.iter().map(alpha).collect();
            self.response.maximum(&alpha);
            counts = self.response.counts(&self.response.coalition());
            if self.may_fail(&counts) {
                return Some(self.fewest());
            }
            let excess = self.excess(&counts);
            if excess <= before {
                return None;
            }
            before = excess;
        }
        None
    }

    /// Of the coalition that answered the last form and thereby breaches, as few members as are
    /// needed.
    fn fewest(&mut self) -> Breach {
        let mut coalition = self.response.coalition();
        let enough = (0..coalition.len())
            .find(|&size| self.may_fail(&self.response.counts(&coalition[..size])));
        coalition.truncate(enough.unwrap_or(coalition.len()));
        let left = self.response.counts(&coalition).iter().sum();
        coalition.sort_unstable();
        Breach {
            coalition,
            left,
            people_left: None,
        }
    }

    /// Whether the constraint fails for these counts, which is asked only where it may.
    fn may_fail(&mut self, counts: &[u64]) -> bool {
        if self.excess(counts) < -self.margin || self.checked.contains(counts) {
            return false;
        }
        let codes = self.group.values().iter().map(|&(code, _)| code);
        let values: Vec<(Code, u64)> = codes
            .zip(counts.iter().copied())
            .filter(|&(_, count)| count > 0)
            .collect();
        let check = self.constraint.check(GroupCounts {
            size: counts.iter().sum(),
            values: &values,
        });
        if let Check::Undecided(limit) = check {
            self.unsure = Some(limit);
        }
        check == Check::Fails || {
            self.checked.insert(counts.to_vec());
            false
        }
    }

    /// G.
    fn excess(&self, counts: &[u64]) -> f64 {
        let size = counts.iter().sum::<u64>() as f64;
        let sum: f64 = counts
            .iter()
            .filter(|&&c| c > 0)
            .map(|&c| c as f64 * (c as f64).ln())
            .sum();
        sum - size * (size.ln() - self.constraint.log_l())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Attribute;
    use crate::ratio::Ratio;
    use mingle_model::ProviderId;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random(rng: &mut impl Rng) -> Shares {
        let (providers, values) = (rng.random_range(3..8), rng.random_range(3..7));
        let all: Vec<(u32, u32)> = (0..providers)
            .flat_map(|p| (0..values).map(move |s| (p, s)))
            .collect();
        Shares::new(
            all.into_iter()
                .map(|(p, s)| (ProviderId(p), Some(s), rng.random_range(0..9))),
        )
    }

    /// Whoever is asked first: providers settle nearly all groups, so that counts would seldom be
    /// asked.
    #[test]
    fn both_searches_agree() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut breached, mut withstood) = (0, 0);
        for _ in 0..1_000 {
            let group = random(&mut rng);
            let most = rng.random_range(1..group.providers());
            let l = Ratio::new(rng.random_range(100..350), 100).unwrap();
            let constraint = EntropyDiversity::new(Attribute::Joint, l).unwrap();
            if constraint.check(group.counts()) != Check::Holds {
                continue;
            }
            let over_counts = Search::new(&constraint, &group, most).over_counts(most);
            match (breach(&constraint, &group, most), over_counts) {
                (Attack::Withstood, Attack::Withstood) => withstood += 1,
                (Attack::Breach(_), Attack::Breach(_)) => breached += 1,
                (one, other) => panic!("{one:?}, {other:?}"),
            }
        }
        assert!(breached > 200 && withstood > 200, "{breached} {withstood}");
    }
}

//! Which providers share groups.
//!
//! A group with several contributors must satisfy the requirement without its m largest, so it
//! needs about k / (1 - F) rows, where F is the m largest providers' share. A group of a single
//! contributor needs k rows, whatever m, but finds them only among that provider's. So the table is
//! divided into blocks before groups form: the heaviest providers each alone, the others together.
//! How wide groups become grows with the rows they need over the rows there are, to a power of
//! about a third (three columns tell rows apart); the number of providers that stand alone is
//! chosen so that this estimate, averaged over rows, is least. Where the estimates for "together"
//! and "all alone" are close, both are tried.
//!
//! Whoever cannot satisfy the requirement alone is not left alone, and strict semantics leaves
//! nobody alone. Cost O(providers²) on counts.
//!
//! Where people are counted, those whom several providers know cannot be divided between them: they
//! stay with the providers that share groups, whoever stands alone with the others.

use crate::plan;
use crate::profiles::{counted, tally_kinds};
use mingle_model::{Cube, ProviderId};
use mingle_privacy::{Requirement, Tally};
use std::cmp::Reverse;

/// How a group's width grows with the rows it needs.
const POWER: f64 = 1.0 / 3.0;
/// An estimate that is not below this share of the other's is not trusted: it ignores that
/// providers are never evenly mixed.
const CLEAR: f64 = 2.0 / 3.0;

/// Per provider the number of its block.
pub(super) type Blocks = Vec<u32>;

/// Divisions to be tried, the most promising first; empty when the requirement cannot be satisfied
/// by any of them.
pub(super) fn choose(cube: &Cube, requirement: &Requirement) -> Vec<Blocks> {
    if requirement.insiders().m.0 == 0 || requirement.insiders().fewest_providers() > 1 {
        let together = vec![0; cube.providers().len()];
        return if requirement.holds(&plan::whole(cube, requirement)) {
            vec![together]
        } else {
            Vec::new()
        };
    }
    let pool = Pool::new(cube, requirement);
    let possible: Vec<(f64, usize)> = (0..=pool.order.len())
        .filter(|&alone| pool.holds(alone))
        .map(|alone| (pool.estimate(alone), alone))
        .collect();
    let Some(&(least, best)) = possible
        .iter()
        .min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
    else {
        return Vec::new();
    };
    let mut chosen = vec![pool.blocks(best)];
    let (most_alone, alone) = possible[possible.len() - 1];
    if alone != best && least > CLEAR * most_alone {
        chosen.push(pool.blocks(alone));
    }
    chosen
}

/// The providers that could stand alone, heaviest first, and those that cannot.
struct Pool<'a> {
    requirement: &'a Requirement,
    m: usize,
    rows: Vec<u64>,
    tallies: Vec<Tally>,
    /// The people whom several know.
    shared: Tally,
    order: Vec<usize>,
    others: Vec<usize>,
}

impl<'a> Pool<'a> {
    fn new(cube: &Cube, requirement: &'a Requirement) -> Self {
        let (tallies, shared) = tallies_of_providers(cube, requirement);
        let rows: Vec<u64> = tallies.iter().map(Tally::size).collect();
        let present = (0..rows.len()).filter(|&p| rows[p] > 0);
        let (mut order, others): (Vec<usize>, Vec<usize>) =
            present.partition(|&p| requirement.holds(&tallies[p]));
        order.sort_by_key(|&p| Reverse(rows[p]));
        let m = usize::try_from(requirement.insiders().m.0).unwrap_or(usize::MAX);
        Pool {
            requirement,
            m,
            rows,
            tallies,
            shared,
            order,
            others,
        }
    }

    /// Those who share groups when so many stand alone.
    fn rest(&self, alone: usize) -> impl Iterator<Item = usize> {
        self.order[alone..].iter().chain(&self.others).copied()
    }

    /// Whether those who share groups satisfy the requirement at least as one group. Exact where
    /// the requirement is closed under union.
    fn holds(&self, alone: usize) -> bool {
        let rest = self.rest(alone).map(|p| &self.tallies[p]);
        let all = Tally::sum(rest.chain([&self.shared]));
        all.size() == 0 || self.requirement.holds(&all)
    }

    /// The mean width of groups when so many stand alone.
    fn estimate(&self, alone: usize) -> f64 {
        let width = |rows: f64, left: f64| rows * left.max(1.0).recip().powf(POWER);
        let single: f64 = self.order[..alone]
            .iter()
            .map(|&p| width(self.rows[p] as f64, self.rows[p] as f64))
            .sum();
        let mut shared: Vec<u64> = self.rest(alone).map(|p| self.rows[p]).collect();
        shared.sort_unstable_by(|a, b| b.cmp(a));
        let coalition = self.m.min(shared.len().saturating_sub(1));
        let left: u64 = shared[coalition..].iter().sum::<u64>() + self.shared.size();
        let all = shared.iter().sum::<u64>() + self.shared.size();
        single + width(all as f64, left as f64)
    }

    fn blocks(&self, alone: usize) -> Blocks {
        let mut blocks = vec![0; self.rows.len()];
        self.order[..alone]
            .iter()
            .zip(1..)
            .for_each(|(&p, block)| blocks[p] = block);
        blocks
    }
}

/// What each provider has, and the people whom several know.
fn tallies_of_providers(cube: &Cube, requirement: &Requirement) -> (Vec<Tally>, Tally) {
    let providers = cube.providers().len();
    if let Some(people) = counted(cube, requirement) {
        let mut kinds = vec![Vec::new(); providers];
        let mut shared = Vec::new();
        for (kind, alike) in people.kinds().iter().enumerate() {
            match alike.providers {
                [provider] => kinds[provider.0 as usize].push(kind),
                _ => shared.push(kind),
            }
        }
        let mut tallies = Vec::with_capacity(providers);
        for own in kinds {
            tallies.push(tally_kinds(people, requirement, own.into_iter()));
        }
        let shared = tally_kinds(people, requirement, shared.into_iter());
        return (tallies, shared);
    }
    let mut entries = vec![Vec::new(); providers];
    for record in cube.records() {
        entries[record.provider.0 as usize].push(record.entry());
    }
    let mut tallies = Vec::with_capacity(providers);
    for mut own in entries {
        own.sort_unstable_by_key(|entry| entry.sensitive);
        tallies.push(requirement.tally(own.into_iter()));
    }
    (tallies, Tally::default())
}

/// The block of people whom these providers know: where several do, that of those who share groups.
pub(super) fn block_of_people(blocks: &Blocks, providers: &[ProviderId]) -> usize {
    match providers {
        &[provider] => block_of(blocks, provider),
        _ => 0,
    }
}

/// Whose rows are in a block.
pub(super) fn block_of(blocks: &Blocks, provider: ProviderId) -> usize {
    blocks[provider.0 as usize] as usize
}

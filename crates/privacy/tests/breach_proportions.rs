//! Coalitions against the constraints on proportions: every coalition and every subset of its rows on thousands of
//! small groups, with parameters at the boundary; wrong answers, to show that the comparison finds them; and larger
//! groups against enumerations that prune nothing.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{Sort, domain, ratio, rng};
use mingle_model::{Code, Domain, ProviderId, SensitiveColumn};
use mingle_privacy::{
    Attack, Attribute, Breach, Check, Constraint, Counts, Distance, Promise, Ratio, Requirement, Rule, Shares, oracle,
};
use num_bigint::BigUint;
use rand::{Rng, RngExt};
use std::cmp::Ordering;

/// A group of a table, by provider.
struct Group {
    column: Vec<SensitiveColumn>,
    /// Per provider how often it has each code.
    held: Vec<Vec<u64>>,
    table: Vec<u64>,
}

/// What a constraint measures of counts by code, as a fraction, for choosing parameters.
type Measure = (u64, u64);

impl Group {
    fn small(rng: &mut impl Rng, fits: impl Fn(&Domain) -> bool) -> Group {
        let domain = std::iter::repeat_with(|| domain(rng)).find(|d| fits(d)).unwrap();
        let values = domain.len();
        let providers = rng.random_range(2..=5);
        // few rows of many values or many rows of few: the boxes stay small
        let dense = if values <= 2 || providers <= 2 { 0.8 } else { 0.35 };
        let mut count = || if rng.random_bool(dense) { rng.random_range(0..=4) } else { 0 };
        let mut held: Vec<Vec<u64>> = (0..providers).map(|_| (0..values).map(|_| count()).collect()).collect();
        held.iter_mut().filter(|p| p.iter().all(|&n| n == 0)).for_each(|p| p[0] = 1);
        let mut group = Group { column: Vec::new(), held, table: Vec::new() };
        let mut table: Vec<u64> = group.total().iter().map(|n| n + rng.random_range(0..4)).collect();
        if rng.random_bool(0.03) {
            table[rng.random_range(0..values)] = 0;
        }
        table[rng.random_range(0..values)] += 1;
        let codes = (0..values as Code).collect();
        group.column = vec![SensitiveColumn { name: "s".into(), domain, codes }];
        Group { table, ..group }
    }

    fn total(&self) -> Vec<u64> {
        self.left(&[])
    }

    /// What is left without a coalition.
    fn left(&self, coalition: &[usize]) -> Vec<u64> {
        let mut left = vec![0; self.held[0].len()];
        let others = self.held.iter().enumerate().filter(|(p, _)| !coalition.contains(p));
        others.for_each(|(_, held)| left.iter_mut().zip(held).for_each(|(l, n)| *l += n));
        left
    }

    fn shares(&self) -> Shares {
        let rows = (0u32..).zip(&self.held).flat_map(|(p, held)| {
            (0..).zip(held).map(move |(code, &count)| (ProviderId(p), Some(code as Code), count))
        });
        Shares::new(rows)
    }

    fn bind(&self, rule: Rule) -> Requirement {
        let promise = Promise { rule, attribute: Some(Attribute::Column(0)) };
        Requirement::bind(&[promise], &self.column, &self.table).unwrap()
    }

    /// Coalitions of this size.
    fn coalitions(&self, size: usize) -> impl Iterator<Item = Vec<usize>> {
        let n = self.held.len();
        let members = move |set: u32| (0..n).filter(move |p| set >> p & 1 == 1).collect();
        (0u32..1 << n).filter(move |set| set.count_ones() as usize == size).map(members)
    }

    /// Calls back with every vector that a coalition can reach, until one is found.
    fn reachable(&self, coalition: &[usize], found: &mut impl FnMut(&[u64]) -> bool) -> bool {
        let (least, most) = (self.left(coalition), self.total());
        let mut counts = least.clone();
        loop {
            if found(&counts) {
                return true;
            }
            let Some(place) = (0..counts.len()).find(|&s| counts[s] < most[s]) else { return false };
            counts[place] += 1;
            counts[..place].copy_from_slice(&least[..place]);
        }
    }

    fn box_size(&self) -> u64 {
        let largest = |s: usize| self.held.iter().map(|h| h[s]).sum::<u64>() + 1;
        (0..self.held[0].len()).map(largest).product()
    }

    /// The size of the smallest coalition, of at most `most` members, that can make the constraint fail.
    fn smallest(&self, most: usize, fails: impl Fn(&[u64]) -> bool) -> Option<usize> {
        (0..=most).find(|&size| self.coalitions(size).any(|i| self.reachable(&i, &mut |counts| fails(counts))))
    }

    fn rows(counts: &[u64]) -> Vec<oracle::Row> {
        counts.iter().zip(0..).flat_map(|(&n, code)| (0..n).map(move |_| vec![code])).collect()
    }

    /// The worst vector within reach of `most` providers, by what a sort measures.
    fn worst(&self, most: usize, measure: impl Fn(&[u64]) -> Measure) -> (Vec<u64>, Measure) {
        let mut worst: Option<(Vec<u64>, Measure)> = None;
        for coalition in self.coalitions(most) {
            self.reachable(&coalition, &mut |counts| {
                let here = measure(counts);
                if worst.as_ref().is_none_or(|(_, w)| compare(here, *w).is_gt()) {
                    worst = Some((counts.to_vec(), here));
                }
                false
            });
        }
        worst.unwrap()
    }

    fn any_reachable(&self, most: usize, rng: &mut impl Rng) -> Vec<u64> {
        let mut coalition: Vec<usize> = (0..self.held.len()).collect();
        (0..self.held.len() - most).for_each(|_| {
            coalition.swap_remove(rng.random_range(0..coalition.len()));
        });
        let total = self.total();
        self.left(&coalition).iter().zip(total).map(|(&least, most)| rng.random_range(least..=most)).collect()
    }

    /// The earth mover's distance in closed form.
    fn distance(&self, ground: Distance, counts: &[u64]) -> Measure {
        let (size, rows): (u64, u64) = (counts.iter().sum(), self.table.iter().sum());
        let domain = &self.column[0].domain;
        let apart = |places: &[usize]| {
            let sum = |of: &[u64]| places.iter().map(|&s| of[s]).sum::<u64>();
            (sum(counts) * rows).abs_diff(sum(&self.table) * size)
        };
        match ground {
            Distance::Equal => ((0..counts.len()).map(|s| apart(&[s])).sum::<u64>(), 2 * size * rows),
            Distance::Ordered => {
                let mut order: Vec<usize> = (0..counts.len()).filter(|&s| self.table[s] > 0).collect();
                order.sort_by_key(|&s| (domain.missing() != Some(s as Code), domain.number(s as Code), s));
                let steps = order.len() - 1;
                ((1..=steps).map(|i| apart(&order[..i])).sum(), size * rows * steps.max(1) as u64)
            }
            Distance::Hierarchical => {
                let tree = domain.hierarchy().unwrap();
                let level = |level: usize| -> u64 {
                    let nodes = 0..tree.nodes(level) as u32;
                    let below = |&s: &usize, node| tree.ancestor(s as Code, level) == node;
                    nodes.map(|n| apart(&(0..counts.len()).filter(|s| below(s, n)).collect::<Vec<_>>())).sum()
                };
                ((0..tree.height()).map(level).sum(), 2 * size * rows * tree.height() as u64)
            }
        }
    }
}

fn compare(a: Measure, b: Measure) -> Ordering {
    (u128::from(a.0) * u128::from(b.1)).cmp(&(u128::from(b.0) * u128::from(a.1)))
}

/// A rule with its parameter at, just above or just below what is measured of the worst vector or of any reachable one,
/// and whether it is the worst exactly.
fn rule(group: &Group, sort: Sort, most: usize, rng: &mut impl Rng) -> (Rule, bool) {
    let l = rng.random_range(1..5usize);
    let measure = |counts: &[u64]| -> Measure {
        let mut sorted = counts.to_vec();
        sorted.sort_unstable_by_key(|&n| std::cmp::Reverse(n));
        let size: u64 = counts.iter().sum();
        match sort {
            Sort::MaxFrequency => (sorted[0], size),
            Sort::Recursive => (sorted[0], sorted.iter().skip(l - 1).sum()),
            Sort::T(ground) => group.distance(ground, counts),
            Sort::Entropy => ((u32::MAX as f64 / effective(counts)) as u64, u32::MAX.into()),
            _ => unreachable!(),
        }
    };
    let worst = rng.random_bool(0.7);
    let (counts, (above, below)) = match worst {
        true => group.worst(most, measure),
        false => Some(group.any_reachable(most, rng)).map(|c| (c.clone(), measure(&c))).unwrap(),
    };
    let nudge: i64 = rng.random_range(-1..=1);
    let scale = if rng.random_bool(0.5) { 1 } else { 1_000_000 };
    let near = |above: u64| (scale * above).saturating_add_signed(nudge);
    let below = below.max(1) * scale;
    let rule = match sort {
        Sort::MaxFrequency => Rule::MaxFrequency { max: ratio(near(above).clamp(1, below), below) },
        Sort::Recursive => Rule::RecursiveDiversity { c: ratio(near(above).max(1), below), l: l as u64 },
        Sort::T(distance) => Rule::TCloseness { max: ratio(near(above).min(below), below), distance },
        Sort::Entropy => {
            let denominator = rng.random_range(1..6);
            let around = (effective(&counts) * denominator as f64).round() as u64;
            let l = ratio(around.saturating_add_signed(nudge).max(denominator), denominator);
            return (Rule::EntropyDiversity { l }, worst && is_tie(&counts, l));
        }
        _ => unreachable!(),
    };
    (rule, worst && nudge == 0)
}

fn effective(counts: &[u64]) -> f64 {
    let size = counts.iter().sum::<u64>() as f64;
    let share = |&c: &u64| c as f64 / size;
    counts.iter().filter(|&&c| c > 0).map(|c| -share(c) * share(c).ln()).sum::<f64>().exp()
}

/// Whether the entropy is log l exactly and above zero.
fn is_tie(counts: &[u64], l: Ratio) -> bool {
    let power = |base: u64, exponent: u64| BigUint::from(base).pow(exponent as u32);
    let n: u64 = counts.iter().sum();
    let product: BigUint = counts.iter().map(|&c| power(c, c)).product();
    l > Ratio::from(1) && power(n * l.denominator(), n) == power(l.numerator(), n) * product
}

fn fails(constraint: &dyn Constraint, counts: &[u64]) -> bool {
    let values: Vec<(Code, u64)> = (0..).zip(counts.iter().copied()).filter(|&(_, n)| n > 0).collect();
    constraint.check(Counts { size: counts.iter().sum(), values: &values }) == Check::Fails
}

/// Asks for ever smaller coalitions, as the exact strategy does.
fn smallest(breach: impl Fn(usize) -> Attack, most: usize) -> Result<Option<Breach>, Attack> {
    let mut best: Option<Breach> = None;
    let mut limit = most;
    loop {
        match breach(limit) {
            Attack::Withstood => return Ok(best),
            Attack::Breach(found) if found.coalition.is_empty() => return Ok(Some(found)),
            Attack::Breach(found) => {
                assert!(found.coalition.len() <= limit && found.coalition.is_sorted());
                limit = found.coalition.len() - 1;
                best = Some(found);
            }
            undecided => return Err(undecided),
        }
    }
}

#[derive(Default, Debug)]
struct Outcome {
    mismatches: usize,
    withstood: usize,
    breached: usize,
    /// Breached, but not by the outsider.
    insiders: usize,
    exact: usize,
}

type Answer<'a> = &'a dyn Fn(&dyn Constraint, &Shares, usize) -> Attack;

/// Compares answers with the definition on `n` small groups.
fn outcome(sort: Sort, seed: u64, n: usize, by_oracle: bool, answer: Answer) -> Outcome {
    let mut rng = rng(seed);
    let mut outcome = Outcome::default();
    while outcome.withstood + outcome.breached < n {
        let group = Group::small(&mut rng, |domain| match sort {
            Sort::T(Distance::Ordered) => domain.is_ordered(),
            Sort::T(Distance::Hierarchical) => domain.hierarchy().is_some(),
            _ => true,
        });
        if group.box_size() > if by_oracle { 200 } else { 1_500 } {
            continue;
        }
        let most = rng.random_range(1..group.held.len());
        let (rule, exact) = rule(&group, sort, most, &mut rng);
        let requirement = group.bind(rule);
        let constraint = requirement.constraint(0);
        let promise = requirement.promises()[0];
        let table = Group::rows(&group.table);
        let truth = group.smallest(most, |counts| match by_oracle {
            true => !oracle::holds(&promise, &group.column, &Group::rows(counts), &table),
            false => fails(constraint, counts),
        });
        let shares = group.shares();
        let found = smallest(|limit| answer(constraint, &shares, limit), most);
        let agrees = match (&found, truth) {
            (Ok(None), None) => true,
            (Ok(Some(breach)), Some(size)) => {
                let left = |counts: &[u64]| counts.iter().sum::<u64>() == breach.left;
                let real = |counts: &[u64]| left(counts) && fails(constraint, counts);
                breach.coalition.len() == size && group.reachable(&breach.coalition, &mut |counts| real(counts))
            }
            _ => false,
        };
        outcome.mismatches += usize::from(!agrees);
        outcome.exact += usize::from(exact);
        outcome.insiders += usize::from(truth.is_some_and(|size| size > 0));
        *(if truth.is_some() { &mut outcome.breached } else { &mut outcome.withstood }) += 1;
    }
    outcome
}

const CASES: usize = 20_000;

fn agrees(sort: Sort, seed: u64) {
    let outcome = outcome(sort, seed, CASES, false, &|c, shares, most| c.breach(shares, most));
    let enough = CASES / 20;
    // whole or small fractional effective numbers of values are rare
    let ties = if sort == Sort::Entropy { CASES / 100 } else { enough };
    println!("{sort:?}: {outcome:?}");
    assert_eq!(outcome.mismatches, 0, "{sort:?}: {outcome:?}");
    assert!(outcome.withstood > enough && outcome.insiders > enough && outcome.exact > ties, "{sort:?}: {outcome:?}");
    let by_oracle = self::outcome(sort, seed + 1, 300, true, &|c, shares, most| c.breach(shares, most));
    assert_eq!(by_oracle.mismatches, 0, "{sort:?}: {by_oracle:?}");
}

#[test]
fn max_frequency() {
    agrees(Sort::MaxFrequency, 100);
}

#[test]
fn recursive_diversity() {
    agrees(Sort::Recursive, 200);
}

#[test]
fn entropy_diversity() {
    agrees(Sort::Entropy, 300);
}

#[test]
fn t_closeness_equal() {
    agrees(Sort::T(Distance::Equal), 400);
}

#[test]
fn t_closeness_ordered() {
    agrees(Sort::T(Distance::Ordered), 500);
}

#[test]
fn t_closeness_hierarchical() {
    agrees(Sort::T(Distance::Hierarchical), 600);
}

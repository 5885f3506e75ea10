//! Coalitions against the constraints on proportions: every coalition and every subset of its rows
//! on thousands of small groups, with parameters at the boundary; wrong answers, to show that the
//! comparison finds them; and larger groups against enumerations that prune nothing.

use crate::common::{Sort, domain, ratio, rng};
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{
    Code, Column, ColumnSpec, Domain, HierarchySource, Kind, Missing, ProviderId, Role,
    SensitiveColumn,
};
use mingle_privacy::{
    Attack, Attribute, Breach, Check, Constraint, Distance, GroupCounts, L, Promise, Ratio,
    Requirement, Rule, Shares, oracle,
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
        let domain = std::iter::repeat_with(|| domain(rng))
            .find(|d| fits(d))
            .unwrap();
        let values = domain.len();
        let providers = rng.random_range(2..=5);
        // few rows of many values or many rows of few: the boxes stay small
        let dense = if values <= 2 || providers <= 2 {
            0.8
        } else {
            0.35
        };
        let mut count = || {
            if rng.random_bool(dense) {
                rng.random_range(0..=4)
            } else {
                0
            }
        };
        let mut held: Vec<Vec<u64>> = (0..providers)
            .map(|_| (0..values).map(|_| count()).collect())
            .collect();
        held.iter_mut()
            .filter(|p| p.iter().all(|&n| n == 0))
            .for_each(|p| p[0] = 1);
        // everyone has a value of its own: the worst is fewer values with equal counts, a whole
        // effective number
        if rng.random_bool(0.15) {
            let alike = rng.random_range(1..=3);
            held = (0..providers)
                .map(|p| {
                    (0..values)
                        .map(|s| alike * u64::from(p % values == s))
                        .collect()
                })
                .collect();
        }
        let mut group = Group {
            column: Vec::new(),
            held,
            table: Vec::new(),
        };
        let mut table: Vec<u64> = group
            .total()
            .iter()
            .map(|n| n + rng.random_range(0..4))
            .collect();
        if rng.random_bool(0.03) {
            table[rng.random_range(0..values)] = 0;
        }
        table[rng.random_range(0..values)] += 1;
        let codes = (0..values as Code).collect();
        group.column = vec![SensitiveColumn {
            name: "s".into(),
            domain,
            codes,
        }];
        Group { table, ..group }
    }

    fn total(&self) -> Vec<u64> {
        self.left(&[])
    }

    /// What is left without a coalition.
    fn left(&self, coalition: &[usize]) -> Vec<u64> {
        let mut left = vec![0; self.held[0].len()];
        let others = self
            .held
            .iter()
            .enumerate()
            .filter(|(p, _)| !coalition.contains(p));
        others.for_each(|(_, held)| left.iter_mut().zip(held).for_each(|(l, n)| *l += n));
        left
    }

    fn shares(&self) -> Shares {
        let rows = (0u32..).zip(&self.held).flat_map(|(p, held)| {
            (0..)
                .zip(held)
                .map(move |(code, &count)| (ProviderId(p), Some(code as Code), count))
        });
        Shares::new(rows)
    }

    fn bind(&self, rule: Rule) -> Requirement {
        let promise = Promise {
            rule,
            attribute: Some(Attribute::Column(0)),
        };
        Requirement::bind(&[promise], &self.column, &self.table).unwrap()
    }

    /// Coalitions of this size.
    fn coalitions(&self, size: usize) -> impl Iterator<Item = Vec<usize>> {
        let n = self.held.len();
        let members = move |set: u32| (0..n).filter(move |p| set >> p & 1 == 1).collect();
        (0u32..1 << n)
            .filter(move |set| set.count_ones() as usize == size)
            .map(members)
    }

    /// Calls back with every vector that a coalition can reach, until one is found.
    fn reachable(&self, coalition: &[usize], found: &mut impl FnMut(&[u64]) -> bool) -> bool {
        let (least, most) = (self.left(coalition), self.total());
        let mut counts = least.clone();
        loop {
            if found(&counts) {
                return true;
            }
            let Some(place) = (0..counts.len()).find(|&s| counts[s] < most[s]) else {
                return false;
            };
            counts[place] += 1;
            counts[..place].copy_from_slice(&least[..place]);
        }
    }

    fn box_size(&self) -> u64 {
        let largest = |s: usize| self.held.iter().map(|h| h[s]).sum::<u64>() + 1;
        (0..self.held[0].len()).map(largest).product()
    }

    /// The size of the smallest coalition, of at most `most` members, that can make the constraint
    /// fail.
    fn smallest(&self, most: usize, fails: impl Fn(&[u64]) -> bool) -> Option<usize> {
        (0..=most).find(|&size| {
            self.coalitions(size)
                .any(|i| self.reachable(&i, &mut |counts| fails(counts)))
        })
    }

    fn rows(counts: &[u64]) -> Vec<oracle::Row> {
        counts
            .iter()
            .zip(0..)
            .flat_map(|(&n, code)| (0..n).map(move |_| vec![code]))
            .collect()
    }

    /// The worst vector within reach of `most` providers, by what a sort measures.
    fn worst(&self, most: usize, measure: impl Fn(&[u64]) -> Measure) -> (Vec<u64>, Measure) {
        let mut worst: Option<(Vec<u64>, Measure)> = None;
        for coalition in self.coalitions(most) {
            self.reachable(&coalition, &mut |counts| {
                let here = measure(counts);
                if worst
                    .as_ref()
                    .is_none_or(|(_, w)| compare(here, *w).is_gt())
                {
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
        self.left(&coalition)
            .iter()
            .zip(total)
            .map(|(&least, most)| rng.random_range(least..=most))
            .collect()
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
            Distance::Equal => (
                (0..counts.len()).map(|s| apart(&[s])).sum::<u64>(),
                2 * size * rows,
            ),
            Distance::Ordered => {
                let mut order: Vec<usize> =
                    (0..counts.len()).filter(|&s| self.table[s] > 0).collect();
                order.sort_by_key(|&s| {
                    (
                        domain.missing() != Some(s as Code),
                        domain.number(s as Code),
                        s,
                    )
                });
                let steps = order.len() - 1;
                (
                    (1..=steps).map(|i| apart(&order[..i])).sum(),
                    size * rows * steps.max(1) as u64,
                )
            }
            Distance::Hierarchical => {
                let tree = domain.hierarchy().unwrap();
                let level = |level: usize| -> u64 {
                    let nodes = 0..tree.nodes(level) as u32;
                    let below = |&s: &usize, node| tree.ancestor(s as Code, level) == node;
                    nodes
                        .map(|n| {
                            apart(
                                &(0..counts.len())
                                    .filter(|s| below(s, n))
                                    .collect::<Vec<_>>(),
                            )
                        })
                        .sum()
                };
                (
                    (0..tree.height()).map(level).sum(),
                    2 * size * rows * tree.height() as u64,
                )
            }
        }
    }
}

fn compare(a: Measure, b: Measure) -> Ordering {
    (u128::from(a.0) * u128::from(b.1)).cmp(&(u128::from(b.0) * u128::from(a.1)))
}

/// A rule with its parameter at, just above or just below what is measured of the worst vector or
/// of any reachable one, and whether it is the worst exactly.
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
            Sort::Entropy => (
                (u32::MAX as f64 / effective(counts)) as u64,
                u32::MAX.into(),
            ),
            _ => unreachable!(),
        }
    };
    let worst = rng.random_bool(0.7);
    let (counts, (above, below)) = if worst {
        group.worst(most, measure)
    } else {
        Some(group.any_reachable(most, rng))
            .map(|c| (c.clone(), measure(&c)))
            .unwrap()
    };
    let nudge: i64 = rng.random_range(-1..=1);
    let scale = if rng.random_bool(0.5) { 1 } else { 1_000_000 };
    let near = |above: u64| (scale * above).saturating_add_signed(nudge);
    let below = below.max(1) * scale;
    let rule = match sort {
        Sort::MaxFrequency => Rule::max_frequency(ratio(near(above).clamp(1, below), below)),
        Sort::Recursive => Rule::recursive_diversity(ratio(near(above).max(1), below), L(l as u64)),
        Sort::T(distance) => Rule::t_closeness(ratio(near(above).min(below), below), distance),
        Sort::Entropy => {
            let denominator = rng.random_range(1..6u64);
            let around = (effective(&counts) * denominator as f64).round() as u64;
            let l = ratio(
                around.saturating_add_signed(nudge).max(denominator),
                denominator,
            );
            return (Rule::entropy_diversity(l), worst && is_tie(&counts, l));
        }
        _ => unreachable!(),
    };
    (rule, worst && nudge == 0)
}

fn effective(counts: &[u64]) -> f64 {
    let size = counts.iter().sum::<u64>() as f64;
    let share = |&c: &u64| c as f64 / size;
    counts
        .iter()
        .filter(|&&c| c > 0)
        .map(|c| -share(c) * share(c).ln())
        .sum::<f64>()
        .exp()
}

/// Whether the entropy is log l exactly and above zero.
fn is_tie(counts: &[u64], l: Ratio) -> bool {
    let power = |base: u64, exponent: u64| BigUint::from(base).pow(exponent as u32);
    let n: u64 = counts.iter().sum();
    let product: BigUint = counts.iter().map(|&c| power(c, c)).product();
    l > Ratio::from(1) && power(n * l.denominator(), n) == power(l.numerator(), n) * product
}

fn fails(constraint: &dyn Constraint, counts: &[u64]) -> bool {
    let values: Vec<(Code, u64)> = (0..)
        .zip(counts.iter().copied())
        .filter(|&(_, n)| n > 0)
        .collect();
    constraint.check(GroupCounts {
        size: counts.iter().sum(),
        values: &values,
    }) == Check::Fails
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
        let truth = group.smallest(most, |counts| {
            if by_oracle {
                !oracle::holds(&promise, &group.column, &Group::rows(counts), &table)
            } else {
                fails(constraint, counts)
            }
        });
        let shares = group.shares();
        let found = smallest(|limit| answer(constraint, &shares, limit), most);
        let agrees = match (&found, truth) {
            (Ok(None), None) => true,
            (Ok(Some(breach)), Some(size)) => {
                let left = |counts: &[u64]| counts.iter().sum::<u64>() == breach.left;
                let real = |counts: &[u64]| left(counts) && fails(constraint, counts);
                breach.coalition.len() == size
                    && group.reachable(&breach.coalition, &mut |counts| real(counts))
            }
            _ => false,
        };
        outcome.mismatches += usize::from(!agrees);
        outcome.exact += usize::from(exact);
        outcome.insiders += usize::from(truth.is_some_and(|size| size > 0));
        *(if truth.is_some() {
            &mut outcome.breached
        } else {
            &mut outcome.withstood
        }) += 1;
    }
    outcome
}

const CASES: usize = 20_000;

fn agrees(sort: Sort, seed: u64) {
    let outcome = outcome(sort, seed, CASES, false, &|c, shares, most| {
        c.breach(shares, most)
    });
    let enough = CASES / 20;
    // whole or small fractional effective numbers of values are rare
    let ties = if sort == Sort::Entropy {
        CASES / 200
    } else {
        enough
    };
    assert_eq!(outcome.mismatches, 0, "{sort:?}: {outcome:?}");
    assert!(
        outcome.withstood > enough && outcome.insiders > enough && outcome.exact > ties,
        "{sort:?}: {outcome:?}"
    );
    let by_oracle = self::outcome(sort, seed + 1, 300, true, &|c, shares, most| {
        c.breach(shares, most)
    });
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

/// Wrong answers and how many of 2,000 groups give them away.
fn caught(sort: Sort, answer: Answer) -> usize {
    outcome(sort, 7, 2_000, false, answer).mismatches
}

const ALL: [Sort; 6] = [
    Sort::MaxFrequency,
    Sort::Recursive,
    Sort::Entropy,
    Sort::T(Distance::Equal),
    Sort::T(Distance::Ordered),
    Sort::T(Distance::Hierarchical),
];

#[test]
fn planted_one_member_too_few() {
    for sort in ALL {
        assert!(
            caught(sort, &|c, shares, most| c
                .breach(shares, most.saturating_sub(1)))
                > 50,
            "{sort:?}"
        );
    }
}

#[test]
fn planted_one_member_too_many() {
    for sort in ALL {
        let more = |shares: &Shares, most: usize| {
            (most + usize::from(most > 0)).min(shares.providers() - 1)
        };
        let too_large = |c: &dyn Constraint, shares: &Shares, most: usize| match c
            .breach(shares, more(shares, most))
        {
            Attack::Breach(mut breach) if breach.coalition.len() > most => {
                breach.coalition.truncate(most);
                Attack::Breach(breach)
            }
            attack => attack,
        };
        assert!(caught(sort, &too_large) > 50, "{sort:?}");
    }
}

/// A coalition that may only take out all of its rows.
#[test]
fn planted_all_rows_or_none() {
    for sort in ALL {
        let all_rows = |c: &dyn Constraint, shares: &Shares, most: usize| {
            let n = shares.providers();
            let places = |set: u32| {
                (0..n)
                    .filter(move |p| set >> p & 1 == 1)
                    .collect::<Vec<_>>()
            };
            let sets = (0u32..1 << n).filter(|set| set.count_ones() as usize <= most);
            let breach = sets.map(places).find_map(|coalition| {
                let stays = |p: &usize| !coalition.contains(p);
                let rows = |p: usize| {
                    shares
                        .of(p)
                        .iter()
                        .map(move |&(v, n)| (ProviderId(p as u32), Some(v), n))
                };
                let left = Shares::new((0..n).filter(stays).flat_map(rows));
                let codes = |&(v, n): &(Code, u64)| (shares.values()[v as usize].0, n);
                let values: Vec<_> = left.values().iter().map(codes).collect();
                let fails = c.check(GroupCounts {
                    size: left.size(),
                    values: &values,
                }) == Check::Fails;
                fails.then(|| Breach {
                    coalition: coalition.clone(),
                    left: left.size(),
                    people_left: None,
                })
            });
            breach.map_or(Attack::Withstood, Attack::Breach)
        };
        assert!(caught(sort, &all_rows) > 50, "{sort:?}");
    }
}

/// A coalition that reports what is left without one row too few.
#[test]
fn planted_wrong_number_of_rows_left() {
    for sort in ALL {
        let wrong = |c: &dyn Constraint, shares: &Shares, most: usize| match c.breach(shares, most)
        {
            Attack::Breach(breach) => Attack::Breach(Breach {
                left: breach.left - 1,
                ..breach
            }),
            attack => attack,
        };
        assert!(caught(sort, &wrong) > 50, "{sort:?}");
    }
}

/// A larger group: about `rows` rows for each provider, values with falling frequency, and the
/// table as it is drawn from. With `own` each provider prefers some values.
#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
fn large(
    providers: usize,
    values: usize,
    rows: u64,
    own: bool,
    height: usize,
    rng: &mut impl Rng,
) -> Group {
    let mut held = vec![vec![0; values]; providers];
    for (provider, held) in held.iter_mut().enumerate() {
        for _ in 0..rng.random_range(1..2 * rows) {
            let a = rng.random_range(0..values);
            let b = rng.random_range(0..values);
            let prefers = own && rng.random_bool(0.3);
            held[if prefers {
                (provider * 5 + a % 3) % values
            } else {
                a.min(b.max(2))
            }] += 1;
        }
    }
    let mut group = Group {
        column: vec![SensitiveColumn {
            name: "s".into(),
            domain: numbers(values, height),
            codes: (0..values as Code).collect(),
        }],
        held,
        table: Vec::new(),
    };
    group.table = group
        .total()
        .iter()
        .map(|&n| 30 * n + rng.random_range(0..10 * rows * providers as u64 / 8))
        .collect();
    group
}

/// Most that is left without the `most` largest amounts.
fn rest(mut amounts: Vec<i128>, most: usize) -> i128 {
    amounts.sort_unstable();
    amounts[..amounts.len() - most].iter().sum()
}

/// Whether some coalition makes a linear form positive: no bounds, no floating-point numbers.
fn positive(group: &Group, alpha: &[i128], most: usize) -> bool {
    let sum = |counts: &[u64], keep: &dyn Fn(i128) -> i128| -> i128 {
        counts
            .iter()
            .zip(alpha)
            .map(|(&n, &a)| keep(a) * i128::from(n))
            .sum()
    };
    let unwanted = group
        .held
        .iter()
        .map(|held| sum(held, &|a| (-a).max(0)))
        .collect();
    sum(&group.total(), &|a| a.max(0)) - rest(unwanted, most) > 0
}

/// Whether t-closeness is breached, by every choice of which differences are positive.
fn any_choice(group: &Group, distance: Distance, max: Ratio, most: usize) -> bool {
    let (values, rows) = (group.held[0].len(), group.table.iter().sum::<u64>());
    let tree = group.column[0].domain.hierarchy().unwrap();
    let sets: Vec<Vec<usize>> = match distance {
        Distance::Equal => (0..values).map(|s| vec![s]).collect(),
        Distance::Ordered => (1..values).map(|i| (0..i).collect()).collect(),
        Distance::Hierarchical => (0..tree.height())
            .flat_map(|level| (0..tree.nodes(level) as u32).map(move |node| (level, node)))
            .map(|(level, node)| {
                (0..values)
                    .filter(|&s| tree.ancestor(s as Code, level) == node)
                    .collect()
            })
            .collect(),
    };
    // half of the sum of absolute differences, or all of it
    let (halves, constant) = match distance {
        Distance::Equal => (1, 1),
        Distance::Ordered => (2, values as i128 - 1),
        Distance::Hierarchical => (1, tree.height() as i128),
    };
    let share = |set: &[usize]| {
        set.iter()
            .map(|&s| i128::from(group.table[s]))
            .sum::<i128>()
    };
    let (rows, num, den) = (
        i128::from(rows),
        i128::from(max.numerator()),
        i128::from(max.denominator()),
    );
    let forms: Vec<Vec<i128>> = sets
        .iter()
        .map(|set| {
            (0..values)
                .map(|s| den * (rows * i128::from(set.contains(&s)) - share(set)))
                .collect()
        })
        .collect();
    let fixed = -2 * num * rows * constant;
    (0u64..1 << sets.len()).any(|signs| {
        let mut alpha = vec![fixed; values];
        for (place, form) in forms.iter().enumerate() {
            let sign = if signs >> place & 1 == 1 {
                halves
            } else {
                -halves
            };
            alpha.iter_mut().zip(form).for_each(|(a, f)| *a += sign * f);
        }
        positive(group, &alpha, most)
    })
}

/// Fifteen providers and up to fourteen values, where the answer turns.
#[test]
fn large_groups_agree_with_every_choice_of_signs() {
    let cases = [
        (Distance::Equal, 12, 1),
        (Distance::Ordered, 12, 1),
        (Distance::Hierarchical, 7, 2),
    ];
    for (distance, values, height) in cases {
        let mut rng = rng(values as u64);
        for case in 0..6 {
            let group = large(15, values, 10, case % 2 == 0, height, &mut rng);
            let most = rng.random_range(1..14);
            let (fails, holds) = turn(&group, Sort::T(distance), most, 12);
            for (rule, breached) in [(fails, true), (holds, false)] {
                let (max, _) = rule.as_t_closeness().unwrap();
                assert_eq!(
                    any_choice(&group, distance, max, most),
                    breached,
                    "{distance:?}"
                );
            }
        }
    }
}

/// Every coalition, and every set of values that it keeps in full: G is convex, so nothing in
/// between is worse.
fn any_coalition(group: &Group, constraint: &dyn Constraint, most: usize) -> bool {
    let total = group.total();
    group.coalitions(most).any(|coalition| {
        let left = group.left(&coalition);
        let differ: Vec<usize> = (0..total.len()).filter(|&s| left[s] < total[s]).collect();
        (0u32..1 << differ.len()).any(|kept| {
            let mut counts = left.clone();
            differ
                .iter()
                .enumerate()
                .filter(|(at, _)| kept >> at & 1 == 1)
                .for_each(|(_, &s)| counts[s] = total[s]);
            fails(constraint, &counts)
        })
    })
}

#[test]
fn large_groups_agree_with_every_coalition() {
    for sort in [Sort::Entropy, Sort::Recursive, Sort::MaxFrequency] {
        let mut rng = rng(3);
        for case in 0..4 {
            let group = large(9, 9, 8, case % 2 == 0, 1, &mut rng);
            let most = rng.random_range(1..4);
            let (fails, holds) = turn(&group, sort, most, 12);
            for (rule, breached) in [(fails, true), (holds, false)] {
                let requirement = group.bind(rule);
                assert_eq!(
                    any_coalition(&group, requirement.constraint(0), most),
                    breached,
                    "{sort:?}"
                );
            }
        }
    }
}

/// At least 1 exactly where the constraint holds, also at the boundary, and finite.
#[test]
fn fitness_says_whether_it_holds() {
    for sort in ALL {
        let mut rng = rng(9);
        let (mut fit, mut unfit) = (0, 0);
        for _ in 0..3_000 {
            let group = Group::small(&mut rng, |d| d.is_ordered() && d.hierarchy().is_some());
            if group.box_size() > 200 {
                continue;
            }
            let requirement = group.bind(rule(&group, sort, 1, &mut rng).0);
            let constraint = requirement.constraint(0);
            let counts = group.any_reachable(1, &mut rng);
            let values: Vec<(Code, u64)> = (0..)
                .zip(counts.iter().copied())
                .filter(|&(_, n)| n > 0)
                .collect();
            let rows = GroupCounts {
                size: counts.iter().sum(),
                values: &values,
            };
            let fitness = constraint.fitness(rows);
            assert!(fitness.is_finite() && fitness >= 0.0);
            assert_eq!(
                fitness >= 1.0,
                constraint.check(rows) == Check::Holds,
                "{sort:?}"
            );
            *(if fitness >= 1.0 { &mut fit } else { &mut unfit }) += 1;
            assert_eq!(
                constraint.fitness(GroupCounts {
                    size: 0,
                    values: &[]
                }),
                0.0
            );
        }
        assert!(fit > 100 && unfit > 100, "{sort:?}: {fit} {unfit}");
    }
}

/// Numbers with a hierarchy of this height: pairs, pairs of pairs and so on.
fn numbers(values: usize, height: usize) -> Domain {
    let texts: Vec<String> = (0..values).map(|v| (v + 10).to_string()).collect();
    let mut spec = ColumnSpec::new("s", Role::Sensitive);
    spec.kind = Some(Kind::Integer);
    let row = |v: usize| {
        let inner = (1..height).map(|level| format!("n{level}-{}", v >> level));
        [texts[v].clone()]
            .into_iter()
            .chain(inner)
            .chain(["*".to_owned()])
            .collect()
    };
    let rows = (1..).zip((0..values).map(row)).collect();
    spec.hierarchy = Some(HierarchySource::Rows(HierarchyRows {
        file: "h.csv".into(),
        rows,
    }));
    Column::from_texts(spec, texts.iter().map(String::as_str), &Missing::default())
        .ok()
        .unwrap()
        .domain
}

/// The parameter for which the group's answer turns, to one part in 2^`bits` of its range: breached
/// at the first, withstood at the second.
fn turn(group: &Group, sort: Sort, most: usize, bits: u32) -> (Rule, Rule) {
    let unit = 1u64 << bits;
    let shares = group.shares();
    let rule = |n: u64| match sort {
        Sort::MaxFrequency => Rule::max_frequency(ratio(n, unit)),
        Sort::T(distance) => Rule::t_closeness(ratio(n, unit), distance),
        // the smaller l the easier
        Sort::Entropy => Rule::entropy_diversity(ratio(unit + 16 * (unit - n), unit)),
        Sort::Recursive => Rule::recursive_diversity(ratio(64 * n, unit), L(4)),
        _ => unreachable!(),
    };
    let (mut breached, mut withstood) = (1, unit);
    while withstood - breached > 1 {
        let middle = (breached + withstood) / 2;
        match group.bind(rule(middle)).constraint(0).breach(&shares, most) {
            Attack::Withstood => withstood = middle,
            _ => breached = middle,
        }
    }
    (rule(breached), rule(withstood))
}

/// An answer and the shortest of a few times, in milliseconds: others may be at work on the
/// machine.
fn quickest(answer: impl Fn() -> Attack) -> (Attack, f64) {
    let timed = || {
        let start = std::time::Instant::now();
        (answer(), start.elapsed().as_secs_f64() * 1e3)
    };
    let (attack, first) = timed();
    let repeat = if first > 50.0 { 0 } else { 5 };
    (attack, (0..repeat).map(|_| timed().1).fold(first, f64::min))
}

/// Milliseconds per group where answers are close: run with `--release --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn how_long_it_takes() {
    let only = std::env::var("ONLY").unwrap_or_default();
    for sort in ALL
        .into_iter()
        .filter(|sort| format!("{sort:?}").contains(&only))
    {
        for (providers, most) in [(15, 5), (100, 5), (100, 50), (1_000, 5), (1_000, 50)] {
            for own in [false, true] {
                let mut rng = rng(1);
                let mut line = String::new();
                for bits in [6, 10, 14] {
                    let mut times = [0.0f64; 4];
                    let mut undecided = 0;
                    for _ in 0..5 {
                        let group = large(providers, 14, 10, own, 3, &mut rng);
                        let (fails, holds) = turn(&group, sort, most, bits);
                        let shares = group.shares();
                        for (at, rule) in [fails, holds].into_iter().enumerate() {
                            let requirement = group.bind(rule);
                            let (attack, time) =
                                quickest(|| requirement.constraint(0).breach(&shares, most));
                            undecided += usize::from(matches!(attack, Attack::Undecided(_)));
                            times[at] += time / 5.0;
                            times[at + 2] = times[at + 2].max(time);
                        }
                    }
                    line += &format!(
                        " | {bits}: fails {:.3} ({:.3}) holds {:.3} ({:.3}) undecided {undecided}",
                        times[0], times[2], times[1], times[3]
                    );
                }
                println!("{sort:?} n {providers} m {most} own {own}{line}");
            }
        }
    }
}

/// How far apart the parameters are for which a breach is found and for which it is ruled out,
/// where searches are cut short: run with `--release --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn how_much_stays_open() {
    for (providers, most) in [(100, 10), (100, 50), (1_000, 50)] {
        let mut rng = rng(1);
        for own in [false, true] {
            let group = large(providers, 14, 10, own, 3, &mut rng);
            let shares = group.shares();
            let answer = |l: u64| {
                group
                    .bind(Rule::entropy_diversity(ratio(l, 1 << 10)))
                    .constraint(0)
                    .breach(&shares, most)
            };
            let last = |is: &dyn Fn(Attack) -> bool| {
                let (mut low, mut high) = (1u64 << 10, 16 << 10);
                while high - low > 1 {
                    let middle = (low + high) / 2;
                    *(if is(answer(middle)) {
                        &mut low
                    } else {
                        &mut high
                    }) = middle;
                }
                low as f64 / 1024.0
            };
            let ruled_out = last(&|attack| attack == Attack::Withstood);
            let not_found = last(&|attack| !matches!(attack, Attack::Breach(_)));
            println!(
                "entropy n {providers} m {most} own {own}: holds up to l = {ruled_out:.3}, breached above {not_found:.3}"
            );
        }
    }
}

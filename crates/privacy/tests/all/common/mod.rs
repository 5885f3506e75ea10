//! Small random tables, and promises whose parameters lie at the boundary of what holds for a
//! group.

use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{
    Code, Codes, Column, ColumnSpec, Domain, Entry, HierarchySource, Kind, Missing, ProviderId,
    Role, SensitiveColumn,
};
use mingle_privacy::oracle::{self, Row};
use mingle_privacy::{Attribute, Check, Distance, K, L, Promise, Ratio, Requirement, Rule, Tally};
use num_bigint::BigUint;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// The constraints, t-closeness by ground distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    KAnonymity,
    Distinct,
    Entropy,
    Recursive,
    MaxFrequency,
    T(Distance),
}

pub const SORTS: [Sort; 8] = [
    Sort::KAnonymity,
    Sort::Distinct,
    Sort::Entropy,
    Sort::Recursive,
    Sort::MaxFrequency,
    Sort::T(Distance::Equal),
    Sort::T(Distance::Ordered),
    Sort::T(Distance::Hierarchical),
];

/// Sensitive columns, and how often each combination of their values occurs in a group and in the
/// whole table.
pub struct Instance {
    pub sensitive: Vec<SensitiveColumn>,
    pub group: Vec<u64>,
    pub table: Vec<u64>,
}

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub fn ratio(numerator: u64, denominator: u64) -> Ratio {
    Ratio::new(numerator, denominator).unwrap()
}

impl Instance {
    pub fn random(rng: &mut impl Rng) -> Instance {
        let sensitive = columns(rng);
        let combinations = sensitive[0].codes.len();
        let mut group: Vec<u64> = (0..combinations).map(|_| rng.random_range(0..5)).collect();
        if rng.random_bool(0.25) {
            shape(&mut group, rng);
        }
        let mut table: Vec<u64> = group.iter().map(|n| n + rng.random_range(0..4)).collect();
        // a group that is no part of the table, as a caller may ask about
        if rng.random_bool(0.1) {
            table[rng.random_range(0..combinations)] = 0;
        }
        table[rng.random_range(0..combinations)] += 1;
        Instance {
            sensitive,
            group,
            table,
        }
    }

    pub fn rows(&self, counts: &[u64]) -> Vec<Row> {
        let row = |id: usize| -> Row { self.sensitive.iter().map(|c| c.codes.get(id)).collect() };
        counts
            .iter()
            .enumerate()
            .flat_map(|(id, &n)| (0..n).map(move |_| row(id)))
            .collect()
    }

    pub fn bind(&self, promise: &Promise) -> Requirement {
        Requirement::bind(&[*promise], &self.sensitive, &self.table).unwrap()
    }

    pub fn fast(&self, promise: &Promise) -> Check {
        let requirement = self.bind(promise);
        requirement.check(0, &tally(&requirement, &self.group))
    }

    pub fn slow(&self, promise: &Promise) -> bool {
        oracle::holds(
            promise,
            &self.sensitive,
            &self.rows(&self.group),
            &self.rows(&self.table),
        )
    }

    /// A promise for this group, and whether its parameter is exactly the boundary value.
    pub fn promise(&self, sort: Sort, rng: &mut impl Rng) -> Option<(Promise, bool)> {
        let attribute = self.attribute(sort, rng)?;
        let counts = self.counts(attribute);
        let n: u64 = counts.iter().sum();
        let most = counts.first().copied().unwrap_or(0);
        let nudge: i64 = rng.random_range(-1..=1);
        let near = |boundary: u64| boundary.saturating_add_signed(nudge);
        let rule = match sort {
            Sort::KAnonymity => Rule::k_anonymity(K(near(n).max(1))),
            Sort::Distinct => Rule::distinct_diversity(L(near(counts.len() as u64).max(1))),
            Sort::Entropy => Rule::entropy_diversity(near_entropy(&counts, rng)),
            Sort::Recursive => {
                let l = rng.random_range(1..5);
                let tail = counts.iter().skip(l - 1).sum::<u64>().max(1);
                Rule::recursive_diversity(ratio(near(most).max(1), tail), L(l as u64))
            }
            Sort::MaxFrequency => {
                let n = n.max(1);
                Rule::max_frequency(ratio(near(most).clamp(1, n), n))
            }
            Sort::T(distance) => {
                let (group, table) = (self.rows(&self.group), self.rows(&self.table));
                let tenth = ratio(rng.random_range(0..=10), 10);
                let exact = (!group.is_empty())
                    .then(|| oracle::distance(attribute, distance, &self.sensitive, &group, &table))
                    .flatten()
                    .map(|(cost, unit)| {
                        (u64::try_from(cost).unwrap(), u64::try_from(unit).unwrap())
                    });
                let max = exact.map_or(tenth, |(cost, unit)| ratio(near(cost).min(unit), unit));
                Rule::t_closeness(max, distance)
            }
        };
        let exact = if let Some(l) = rule.as_entropy_diversity() {
            is_tie(&counts, l)
        } else {
            nudge == 0
        };
        Some((
            Promise {
                rule,
                attribute: Some(attribute),
            },
            exact,
        ))
    }

    /// An attribute for which such a constraint can be promised.
    fn attribute(&self, sort: Sort, rng: &mut impl Rng) -> Option<Attribute> {
        let single = !matches!(sort, Sort::T(Distance::Ordered | Distance::Hierarchical));
        if single && rng.random_bool(0.3) {
            return Some(Attribute::Joint);
        }
        let column = rng.random_range(0..self.sensitive.len());
        let domain = &self.sensitive[column].domain;
        let fits = match sort {
            Sort::T(Distance::Ordered) => domain.is_ordered(),
            Sort::T(Distance::Hierarchical) => domain.hierarchy().is_some(),
            _ => true,
        };
        fits.then_some(Attribute::Column(column))
    }

    /// The group's counts of an attribute's values, descending.
    pub fn counts(&self, attribute: Attribute) -> Vec<u64> {
        let code = |id: usize| match attribute {
            Attribute::Column(column) => self.sensitive[column].codes.get(id) as usize,
            Attribute::Joint => id,
        };
        let mut counts = vec![0; 64];
        self.group
            .iter()
            .enumerate()
            .for_each(|(id, n)| counts[code(id)] += n);
        counts.retain(|&n| n > 0);
        counts.sort_unstable();
        counts.reverse();
        counts
    }
}

pub fn entry(sensitive: u32, provider: u32, count: u64) -> Entry {
    Entry {
        sensitive,
        provider: ProviderId(provider),
        count,
    }
}

pub fn tally(requirement: &Requirement, counts: &[u64]) -> Tally {
    let rows = counts
        .iter()
        .enumerate()
        .map(|(id, &n)| entry(id as u32, 0, n));
    requirement.tally(rows.filter(|row| row.count > 0))
}

/// Counts whose entropy is the logarithm of a whole number.
fn shape(group: &mut [u64], rng: &mut impl Rng) {
    let scale = rng.random_range(1..3);
    let equal = rng.random_bool(0.2);
    group.iter_mut().for_each(|n| *n = scale);
    if !equal && group.len() >= 5 {
        group[5..].iter_mut().for_each(|n| *n = 0);
        group[0] = 4 * scale;
    }
}

/// A fraction with a small denominator at, just below or just above the group's effective number of
/// values.
fn near_entropy(counts: &[u64], rng: &mut impl Rng) -> Ratio {
    let n: u64 = counts.iter().sum();
    let share = |c: u64| c as f64 / n as f64;
    let effective = counts
        .iter()
        .map(|&c| -share(c) * share(c).ln())
        .sum::<f64>()
        .exp();
    let denominator = rng.random_range(1..8);
    let around = (effective * denominator as f64).round() as u64;
    let numerator = around.saturating_add_signed(rng.random_range(-1..=1));
    ratio(numerator.max(denominator), denominator)
}

/// Whether the entropy of these counts is log l exactly, and they are not all equal.
fn is_tie(counts: &[u64], l: Ratio) -> bool {
    let power = |base: u64, exponent: u64| BigUint::from(base).pow(exponent as u32);
    let n: u64 = counts.iter().sum();
    let product: BigUint = counts.iter().map(|&c| power(c, c)).product();
    counts.first() != counts.last()
        && power(n * l.denominator(), n) == power(l.numerator(), n) * product
}

fn columns(rng: &mut impl Rng) -> Vec<SensitiveColumn> {
    let domains: Vec<Domain> = (0..rng.random_range(1..=2)).map(|_| domain(rng)).collect();
    let all: Vec<Vec<Code>> = match &domains[..] {
        [one] => (0..one.len() as Code).map(|a| vec![a]).collect(),
        [one, two, ..] => (0..one.len() as Code)
            .flat_map(|a| (0..two.len() as Code).map(move |b| vec![a, b]))
            .collect(),
        [] => unreachable!(),
    };
    let mut chosen: BTreeSet<&Vec<Code>> = all
        .iter()
        .filter(|_| rng.random_bool(0.8))
        .take(7)
        .collect();
    chosen.insert(&all[rng.random_range(0..all.len())]);
    let codes = |column: usize| -> Codes { chosen.iter().map(|c| c[column]).collect() };
    let column = |(place, domain)| SensitiveColumn {
        name: format!("s{place}"),
        domain,
        codes: codes(place),
    };
    domains.into_iter().enumerate().map(column).collect()
}

/// Up to five values and perhaps a missing one, as numbers, as categories with or without an order,
/// with or without a hierarchy, in which the missing value may or may not have a place.
pub fn domain(rng: &mut impl Rng) -> Domain {
    let values = rng.random_range(1..=5);
    let numbers = rng.random_bool(0.4);
    let text = |v: usize| {
        if numbers {
            (v * v).to_string()
        } else {
            format!("v{v}")
        }
    };
    let mut texts: Vec<String> = (0..values).map(text).collect();
    let mut spec = ColumnSpec::new("s", Role::Sensitive);
    spec.kind = Some(if numbers {
        Kind::Integer
    } else {
        Kind::Category
    });
    if !numbers && rng.random_bool(0.6) {
        let turn = rng.random_range(0..values);
        spec.order = Some((0..values).map(|v| text((v + turn) % values)).collect());
    }
    let missing = rng.random_bool(0.4);
    let placed = missing && rng.random_bool(0.5);
    if rng.random_bool(0.6) {
        let mut leaves = texts.clone();
        leaves.extend(placed.then(|| "?".to_owned()));
        spec.hierarchy = Some(HierarchySource::Rows(HierarchyRows {
            file: "h.csv".into(),
            rows: tree(leaves, rng),
        }));
    }
    texts.extend(missing.then(|| "?".to_owned()));
    Column::from_texts(spec, texts.iter().map(String::as_str), &Missing::default())
        .ok()
        .unwrap()
        .domain
}

/// A random hierarchy of height one to three.
fn tree(leaves: Vec<String>, rng: &mut impl Rng) -> Vec<(u64, Vec<String>)> {
    let height = rng.random_range(1..=3);
    let parents: Vec<usize> = (0..3).map(|_| rng.random_range(0..2)).collect();
    let row = |leaf: String| {
        let node = rng.random_range(0..3);
        let path = [format!("x{node}"), format!("y{}", parents[node])];
        let inner = path.into_iter().take(height - 1);
        [leaf]
            .into_iter()
            .chain(inner)
            .chain(["*".to_owned()])
            .collect()
    };
    (1..)
        .zip(leaves.into_iter().map(row).collect::<Vec<_>>())
        .collect()
}

/// What a comparison with the oracle found.
#[derive(Default, Debug)]
pub struct Outcome {
    pub mismatches: usize,
    pub holds: usize,
    pub fails: usize,
    /// Parameters exactly at the boundary.
    pub exact: usize,
}

/// Compares a way to decide with the oracle on `n` random instances.
pub fn compare(
    sort: Sort,
    seed: u64,
    n: usize,
    decide: impl Fn(&Instance, &Promise) -> Check,
) -> Outcome {
    let mut rng = rng(seed);
    let mut outcome = Outcome::default();
    while outcome.holds + outcome.fails < n {
        let instance = Instance::random(&mut rng);
        let Some((promise, exact)) = instance.promise(sort, &mut rng) else {
            continue;
        };
        let truth = instance.slow(&promise);
        outcome.mismatches += usize::from(decide(&instance, &promise) != Check::of(truth));
        outcome.exact += usize::from(exact);
        *(if truth {
            &mut outcome.holds
        } else {
            &mut outcome.fails
        }) += 1;
    }
    outcome
}

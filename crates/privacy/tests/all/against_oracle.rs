//! Every constraint against its definition, on thousands of small tables with parameters at the
//! boundary; and wrong constraints, to show that the comparison finds them.

use crate::common::{Instance, SORTS, Sort, compare, rng, tally};
use mingle_privacy::{Attribute, Check, Distance, L, Promise, Rule, oracle};
use num_bigint::BigUint;
use rand::RngExt;

/// Tables of each sort; `MINGLE_CASES` asks for more.
const CASES: usize = 10_000;

fn cases() -> usize {
    let asked = std::env::var("MINGLE_CASES").ok();
    asked.map_or(CASES, |text| text.parse().expect("a number of tables"))
}

fn agrees(sort: Sort) {
    let cases = cases();
    let outcome = compare(
        sort,
        0x6d31 + sort_seed(sort),
        cases,
        |instance, promise| instance.fast(promise),
    );
    assert_eq!(outcome.mismatches, 0, "{sort:?}: {outcome:?}");
    let enough = cases / 10;
    // unequal counts with the entropy of a fraction are rare
    let ties = if sort == Sort::Entropy {
        cases / 100
    } else {
        enough
    };
    assert!(
        outcome.holds > enough && outcome.fails > enough && outcome.exact > ties,
        "{sort:?}: {outcome:?}"
    );
}

fn sort_seed(sort: Sort) -> u64 {
    SORTS.iter().position(|&s| s == sort).unwrap() as u64
}

#[test]
fn k_anonymity() {
    agrees(Sort::KAnonymity);
}

#[test]
fn distinct_diversity() {
    agrees(Sort::Distinct);
}

#[test]
fn entropy_diversity() {
    agrees(Sort::Entropy);
}

#[test]
fn recursive_diversity() {
    agrees(Sort::Recursive);
}

#[test]
fn max_frequency() {
    agrees(Sort::MaxFrequency);
}

#[test]
fn t_closeness_equal() {
    agrees(Sort::T(Distance::Equal));
}

#[test]
fn t_closeness_ordered() {
    agrees(Sort::T(Distance::Ordered));
}

#[test]
fn t_closeness_hierarchical() {
    agrees(Sort::T(Distance::Hierarchical));
}

/// The group's counts of the promise's attribute, descending, with their sum.
fn counts(instance: &Instance, promise: &Promise) -> (Vec<u64>, u64) {
    (
        instance.counts(promise.attribute.unwrap()),
        instance.group.iter().sum(),
    )
}

fn caught(sort: Sort, wrong: impl Fn(&Instance, &Promise) -> bool) -> usize {
    compare(sort, 7, 2_000, |instance, promise| {
        Check::of(wrong(instance, promise))
    })
    .mismatches
}

#[test]
fn planted_off_by_one_in_sizes_and_values() {
    let more_than_k =
        |i: &Instance, p: &Promise| counts(i, p).1 > p.rule.as_k_anonymity().unwrap().0;
    assert!(caught(Sort::KAnonymity, more_than_k) > 0);
    let missing_counts = |i: &Instance, p: &Promise| {
        counts(i, p).0.len() as u64 >= p.rule.as_distinct_diversity().unwrap().0
    };
    assert!(caught(Sort::Distinct, missing_counts) > 0);
}

#[test]
fn planted_strict_and_loose_comparisons() {
    let strict_share = |i: &Instance, p: &Promise| {
        let max = p.rule.as_max_frequency().unwrap();
        let (counts, n) = counts(i, p);
        !counts.is_empty() && counts[0] * max.denominator() < n * max.numerator()
    };
    assert!(caught(Sort::MaxFrequency, strict_share) > 0);
    let loose_tail = |i: &Instance, p: &Promise| {
        let (c, L(l)) = p.rule.as_recursive_diversity().unwrap();
        let counts = counts(i, p).0;
        let tail: u64 = counts.iter().skip(l as usize - 1).sum();
        counts.len() as u64 >= l && counts[0] * c.denominator() <= tail * c.numerator()
    };
    assert!(caught(Sort::Recursive, loose_tail) > 0);
    let float_entropy = |i: &Instance, p: &Promise| {
        let l = p.rule.as_entropy_diversity().unwrap();
        let (counts, n) = counts(i, p);
        let share = |c: u64| c as f64 / n as f64;
        let entropy: f64 = counts.iter().map(|&c| -share(c) * share(c).ln()).sum();
        !counts.is_empty() && entropy > l.to_f64().ln()
    };
    assert!(caught(Sort::Entropy, float_entropy) > 0);
}

fn distance(
    instance: &Instance,
    promise: &Promise,
    ground: Distance,
) -> Option<(BigUint, BigUint)> {
    let (group, table) = (
        instance.rows(&instance.group),
        instance.rows(&instance.table),
    );
    let attribute = promise.attribute.unwrap();
    (!group.is_empty())
        .then(|| oracle::distance(attribute, ground, &instance.sensitive, &group, &table))
        .flatten()
}

#[test]
fn planted_mistakes_in_t_closeness() {
    for ground in Distance::ALL {
        let strict = |i: &Instance, p: &Promise| {
            let (max, _) = p.rule.as_t_closeness().unwrap();
            distance(i, p, ground)
                .is_some_and(|(cost, unit)| cost * max.denominator() < unit * max.numerator())
        };
        assert!(caught(Sort::T(ground), strict) > 0, "{ground:?}");
    }
    let other_ground = |i: &Instance, p: &Promise| {
        let (max, _) = p.rule.as_t_closeness().unwrap();
        distance(i, p, Distance::Equal)
            .is_some_and(|(cost, unit)| cost * max.denominator() <= unit * max.numerator())
    };
    assert!(caught(Sort::T(Distance::Ordered), other_ground) > 0);
    assert!(caught(Sort::T(Distance::Hierarchical), other_ground) > 0);
}

/// The order of promises and attributes does not matter, and one tally serves them all.
#[test]
fn conjunctions_agree_with_their_parts() {
    let mut rng = rng(11);
    for _ in 0..2_000 {
        let instance = Instance::random(&mut rng);
        let sorts: Vec<Sort> = (0..4)
            .map(|_| SORTS[rng.random_range(0..SORTS.len())])
            .collect();
        let promises: Vec<Promise> = sorts
            .iter()
            .filter_map(|&sort| instance.promise(sort, &mut rng))
            .map(|(promise, _)| promise)
            .collect();
        let requirement =
            mingle_privacy::Requirement::bind(&promises, &instance.sensitive, &instance.table)
                .unwrap();
        let tally = tally(&requirement, &instance.group);
        let truth: Vec<bool> = promises.iter().map(|p| instance.slow(p)).collect();
        for (c, &holds) in truth.iter().enumerate() {
            assert_eq!(requirement.check(c, &tally), Check::of(holds));
        }
        assert_eq!(requirement.holds(&tally), truth.iter().all(|&holds| holds));
        assert!(tally.size() >= requirement.smallest_group() || !requirement.holds(&tally));
        let names: Vec<&str> = requirement.constraints().map(|c| c.name()).collect();
        assert!(
            names
                .iter()
                .zip(&promises)
                .all(|(name, promise)| *name == promise.name())
        );
    }
}

/// Joint counts are those of combinations, not of any column.
#[test]
fn joint_is_not_a_column() {
    let found = (0..1_000).any(|seed| {
        let instance = Instance::random(&mut rng(seed));
        let of = |attribute| {
            instance.fast(&Promise {
                rule: Rule::distinct_diversity(L(3)),
                attribute: Some(attribute),
            })
        };
        of(Attribute::Joint) == Check::Holds
            && (0..instance.sensitive.len()).all(|c| of(Attribute::Column(c)) == Check::Fails)
    });
    assert!(found);
}

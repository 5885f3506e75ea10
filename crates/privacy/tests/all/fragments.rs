//! Fragments are verified table by table, and against definitions written out by hand.

use mingle_model::{
    Code, Column, ColumnSpec, FragmentColumn, FragmentGroup, Fragments, Missing, Role,
};
use mingle_privacy::{
    Attribute, Distance, Error, K, L, Promise, Ratio, Rule, Verdict, verify_fragments,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn column(name: &str, values: usize) -> FragmentColumn {
    let texts: Vec<String> = (0..values).map(|v| format!("v{v}")).collect();
    let spec = ColumnSpec::new(name, Role::Sensitive);
    let column = Column::from_texts(spec, texts.iter().map(String::as_str), &Missing::default())
        .ok()
        .unwrap();
    FragmentColumn {
        name: name.to_owned(),
        domain: column.domain,
    }
}

/// Counts per group, attribute and value; every group is labelled by one of two texts, so that
/// labels repeat.
fn fragments(groups: &[[Vec<u64>; 2]]) -> Fragments {
    let group = |(g, values): (usize, &[Vec<u64>; 2])| FragmentGroup {
        labels: vec![["a", "b"][g % 2].to_owned()],
        size: values[0].iter().sum(),
        values: values
            .iter()
            .map(|counts| (0..).zip(counts.iter().copied()).collect())
            .collect(),
    };
    let columns = groups[0]
        .iter()
        .zip(["s", "t"])
        .map(|(counts, name)| column(name, counts.len()))
        .collect();
    Fragments::new(
        vec!["q".into()],
        columns,
        groups.iter().enumerate().map(group).collect(),
    )
    .unwrap()
}

fn about(column: usize, rule: Rule) -> Promise {
    Promise {
        rule,
        attribute: Some(Attribute::Column(column)),
    }
}

fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

/// A group's counts of one attribute, and those of the whole table.
type Definition = dyn Fn(&[u64], &[u64]) -> bool;

fn t_holds(group: &[u64], table: &[u64], numerator: u64, denominator: u64) -> bool {
    // half the sum of |p - q| at most a/b, multiplied out
    let (n, all): (u64, u64) = (group.iter().sum(), table.iter().sum());
    let distance: u64 = group
        .iter()
        .zip(table)
        .map(|(g, t)| (g * all).abs_diff(t * n))
        .sum();
    distance * denominator <= 2 * n * all * numerator
}

fn spread(total: u64, values: usize, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let mut counts = vec![0; values];
    (0..total).for_each(|_| counts[rng.random_range(0..values)] += 1);
    counts
}

#[test]
fn every_attribute_is_decided_by_its_own_table() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut held, mut failed) = (0, 0);
    for _ in 0..600 {
        let made: Vec<[Vec<u64>; 2]> = (0..rng.random_range(1..5))
            .map(|_| {
                let size = rng.random_range(1..9);
                [spread(size, 3, &mut rng), spread(size, 4, &mut rng)]
            })
            .collect();
        let fragments = fragments(&made);
        let (least, l, a) = (
            rng.random_range(1..6),
            rng.random_range(1..4),
            rng.random_range(1..8),
        );
        let share = Ratio::new(a, 8).unwrap();
        let t = Rule::t_closeness(share, Distance::Equal);
        let cases: Vec<(Promise, usize, Box<Definition>)> = vec![
            (
                about(1, Rule::distinct_diversity(L(l))),
                1,
                Box::new(move |g, _| g.iter().filter(|&&n| n > 0).count() as u64 >= l),
            ),
            (
                k(least),
                0,
                Box::new(move |g, _| g.iter().sum::<u64>() >= least),
            ),
            (
                about(0, Rule::max_frequency(share)),
                0,
                Box::new(move |g, _| g.iter().all(|n| n * 8 <= a * g.iter().sum::<u64>())),
            ),
            (
                about(1, t),
                1,
                Box::new(move |g, all| t_holds(g, all, a, 8)),
            ),
            (
                about(0, Rule::distinct_diversity(L(l))),
                0,
                Box::new(move |g, _| g.iter().filter(|&&n| n > 0).count() as u64 >= l),
            ),
        ];
        let promises: Vec<Promise> = cases.iter().map(|c| c.0).collect();
        let numbered: Vec<[Vec<u64>; 2]> = fragments
            .groups()
            .iter()
            .map(|g| [dense(&g.values[0], 3), dense(&g.values[1], 4)])
            .collect();
        let verification = verify_fragments(fragments, &promises).unwrap();
        for (place, (promise, attribute, holds)) in cases.iter().enumerate() {
            let table: Vec<u64> = (0..numbered[0][*attribute].len())
                .map(|v| numbered.iter().map(|g| g[*attribute][v]).sum())
                .collect();
            let first = numbered.iter().position(|g| !holds(&g[*attribute], &table));
            match (first, &verification.verdicts()[place]) {
                (None, Verdict::Holds) => held += 1,
                (Some(group), Verdict::Fails(w)) => {
                    assert_eq!(
                        (w.group, w.constraint, w.name, w.coalition.len()),
                        (group, place, promise.name(), 0)
                    );
                    failed += 1;
                }
                (expected, found) => panic!("{promise:?}: expected {expected:?}, found {found:?}"),
            }
        }
        assert_eq!(
            verification.into_verified().is_ok(),
            cases.iter().all(|(_, a, holds)| {
                let table: Vec<u64> = (0..numbered[0][*a].len())
                    .map(|v| numbered.iter().map(|g| g[*a][v]).sum())
                    .collect();
                numbered.iter().all(|g| holds(&g[*a], &table))
            })
        );
    }
    assert!(held > 300 && failed > 300, "{held} held, {failed} failed");
}

fn dense(values: &[(Code, u64)], width: usize) -> Vec<u64> {
    let mut counts = vec![0; width];
    values
        .iter()
        .for_each(|&(code, n)| counts[code as usize] = n);
    counts
}

#[test]
fn groups_of_equal_labels_are_checked_one_by_one() {
    // both are labelled `a`; together they would be four people with two values each
    let both = fragments(&[
        [vec![2, 0], vec![1, 1]],
        [vec![9, 9], vec![9, 9]],
        [vec![0, 2], vec![1, 1]],
    ]);
    let verification =
        verify_fragments(both, &[k(2), about(0, Rule::distinct_diversity(L(2)))]).unwrap();
    let witness = verification.witness().unwrap();
    assert_eq!(
        (witness.constraint, witness.group, witness.records_left),
        (1, 0, 2)
    );
    let described: Vec<(String, String)> = verification
        .describe(witness.group)
        .map(|(name, text)| (name.to_owned(), text))
        .collect();
    assert_eq!(
        described,
        [
            ("gid".to_owned(), "1".to_owned()),
            ("q".to_owned(), "a".to_owned())
        ]
    );
    assert!(verification.into_verified().is_err());
}

#[test]
fn the_paper_publishes_two_groups() {
    // seven patients: {1, 2} and {3..7}, diseases and treatments, k = 2 and t = 3/4 by equal
    // distances
    let diseases = [vec![1, 1, 0, 0, 0, 0], vec![0, 0, 2, 1, 1, 1]];
    let treatments = [vec![1, 1, 0, 0, 0], vec![0, 0, 2, 1, 2]];
    let [first, second] = [0, 1].map(|g| [diseases[g].clone(), treatments[g].clone()]);
    let t = |a, b| Rule::t_closeness(Ratio::new(a, b).unwrap(), Distance::Equal);
    let promised = |a, b| [k(2), about(0, t(a, b)), about(1, t(a, b))];
    let verdict = |a, b| {
        let fragments = fragments(&[first.clone(), second.clone()]);
        verify_fragments(fragments, &promised(a, b))
            .unwrap()
            .verdict()
            .name()
    };
    assert_eq!(
        (verdict(3, 4), verdict(5, 7), verdict(7, 10)),
        ("holds", "holds", "fails")
    );
}

#[test]
fn what_fragments_cannot_decide_is_an_error() {
    let one = || fragments(&[[vec![2, 2], vec![2, 2]]]);
    let joint = Promise {
        rule: Rule::distinct_diversity(L(1)),
        attribute: Some(Attribute::Joint),
    };
    let unlinked = Error::Unlinked {
        constraint: "distinct-l-diversity",
    };
    assert_eq!(
        verify_fragments(one(), &[k(2), joint]).err(),
        Some(unlinked)
    );
    assert_eq!(
        verify_fragments(one(), &[]).err(),
        Some(Error::NothingPromised)
    );
    let beyond = about(2, Rule::distinct_diversity(L(1)));
    let unknown = Error::UnknownAttribute {
        constraint: "distinct-l-diversity",
        attributes: 2,
    };
    assert_eq!(verify_fragments(one(), &[beyond]).err(), Some(unknown));
    let nothing = Promise {
        rule: Rule::distinct_diversity(L(1)),
        attribute: None,
    };
    assert_eq!(
        verify_fragments(one(), &[nothing]).err(),
        Some(Error::NoAttribute {
            constraint: "distinct-l-diversity"
        })
    );
    let ordered = Rule::t_closeness(Ratio::from(1), Distance::Ordered);
    assert_eq!(
        verify_fragments(one(), &[about(1, ordered)]).err(),
        Some(Error::Unordered { column: "t".into() })
    );
    let nobody = Fragments::new(vec!["q".into()], vec![column("s", 1)], vec![]).unwrap();
    assert_eq!(verify_fragments(nobody, &[k(1)]).err(), Some(Error::Empty));
}

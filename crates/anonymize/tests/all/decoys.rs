//! Dense tuples that pass are merged with a secret probability, so that being merged does not mean
//! having failed.

use crate::common::{EncodeTexts, bind, leaving_out, publish};
use mingle_anonymize::{MethodOptions, method, suppress};
use mingle_model::{Column, ColumnSpec, Cube, Kind, Partition, Providers, Role, Table};
use mingle_privacy::{Attribute, K, L, Promise, Rule, oracle};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A person: age, job, disease, provider.
pub type Person = [u32; 4];

/// 900 dense tuples of 5 to 8 people, one in twenty with a single disease, and as many people with
/// tuples of their own.
pub fn people(seed: u64) -> Vec<Person> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut people = Vec::new();
    for tuple in 0..900 {
        let only = (rng.random_range(0..20) == 0).then(|| rng.random_range(0..6));
        for at in 0..rng.random_range(5..9) {
            let any = if at < 2 { at } else { rng.random_range(0..6) };
            people.push([
                2 * (tuple % 300),
                tuple / 300,
                only.unwrap_or(any),
                rng.random_range(0..3),
            ]);
        }
    }
    for _ in 0..900 {
        people.push([
            2 * rng.random_range(0..300) + 1,
            rng.random_range(0..3),
            rng.random_range(0..6),
            0,
        ]);
    }
    people
}

pub fn table(people: &[Person]) -> Table {
    let column = |name: &str, role, kind, at: usize| {
        let spec = ColumnSpec {
            kind: Some(kind),
            ..ColumnSpec::new(name, role)
        };
        Column::encode_texts(
            spec,
            &people.iter().map(|p| p[at].to_string()).collect::<Vec<_>>(),
        )
    };
    let columns = vec![
        column("age", Role::QuasiIdentifier, Kind::Integer, 0),
        column("job", Role::QuasiIdentifier, Kind::Category, 1),
        column("disease", Role::Sensitive, Kind::Category, 2),
    ];
    let providers = Providers::new(vec!["A".into(), "B".into(), "C".into()]);
    Table {
        columns,
        providers,
        provider_of: people.iter().map(|p| p[3]).collect(),
        person_of: None,
    }
}

fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

fn l(l: u64) -> Promise {
    Promise {
        rule: Rule::distinct_diversity(L(l)),
        attribute: Some(Attribute::Column(0)),
    }
}

fn partition(cube: &Cube, promises: &[Promise]) -> Partition {
    let requirement = bind(cube, promises);
    let agglomerative = method("agglomerative").expect("known");
    agglomerative
        .partition(cube, &requirement, &MethodOptions::default())
        .expect("the whole table satisfies this")
}

/// Per tuple of at least five people whether it passes, and whether it is a group of its own.
fn dense(cube: &Cube, partition: &Partition, diseases: usize) -> Vec<(bool, bool)> {
    let mut tuples_of = std::collections::BTreeMap::<u32, usize>::new();
    let group = |tuple: usize| partition.group_of[cube.records_of(tuple).start];
    (0..cube.tuples()).for_each(|tuple| *tuples_of.entry(group(tuple)).or_default() += 1);
    let values = |tuple: usize| {
        let records = &cube.records()[cube.records_of(tuple)];
        records
            .iter()
            .map(|r| r.sensitive)
            .collect::<std::collections::BTreeSet<_>>()
            .len()
    };
    let large = (0..cube.tuples()).filter(|&tuple| cube.weight(tuple) >= 5);
    large
        .map(|tuple| (values(tuple) >= diseases, tuples_of[&group(tuple)] == 1))
        .collect()
}

fn merged_share(dense: &[(bool, bool)], passing: bool) -> f64 {
    let of = || dense.iter().filter(|(passes, _)| *passes == passing);
    of().filter(|(_, alone)| !alone).count() as f64 / of().count() as f64
}

#[test]
fn an_eighth_of_what_passes_is_merged_and_all_that_fails() {
    for seed in 1..4 {
        let cube = Cube::new(table(&people(seed)));
        let found = partition(&cube, &[k(5), l(2)]);
        let dense = dense(&cube, &found, 2);
        assert!(dense.len() >= 900 && dense.iter().filter(|(passes, _)| !passes).count() > 20);
        assert_eq!(merged_share(&dense, false), 1.0);
        // three standard deviations below an eighth of 850
        assert!(
            merged_share(&dense, true) > 0.09,
            "{}",
            merged_share(&dense, true)
        );
        assert!(
            merged_share(&dense, true) < 0.6,
            "decoys must stay a part: {}",
            merged_share(&dense, true)
        );
        assert_eq!(oracle::failures(&publish(&cube, &found), &[k(5), l(2)]), []);
    }
}

#[test]
fn where_many_fail_as_many_decoys_are_expected() {
    let cube = Cube::new(table(&people(4)));
    let dense = dense(&cube, &partition(&cube, &[k(5), l(4)]), 4);
    let failing = dense.iter().filter(|(passes, _)| !passes).count() as f64;
    let decoys = merged_share(&dense, true) * (dense.len() as f64 - failing);
    assert!(
        failing > 150.0 && decoys > failing * 0.8,
        "{failing} fail, {decoys} decoys"
    );
}

#[test]
fn without_a_promise_about_sensitive_values_these_change_nothing() {
    let people = people(5);
    let mut others = people.clone();
    others.iter_mut().for_each(|p| p[2] = (p[2] * 5 + p[0]) % 6);
    // cells, in order of groups: groups are numbered by their tuples
    let cells = |people: &[Person]| {
        let cube = Cube::new(table(people));
        let found = partition(&cube, &[k(5)]);
        let firsts: Vec<u32> = (0..cube.tuples())
            .map(|t| found.group_of[cube.records_of(t).start])
            .collect();
        (found.cells, firsts)
    };
    assert!(cells(&people) == cells(&others));
}

#[test]
fn the_order_of_rows_and_who_contributed_them_change_nothing() {
    let people = people(6);
    let shown = |people: &[Person]| {
        let cube = Cube::new(table(people));
        let published = publish(&cube, &partition(&cube, &[k(5), l(2)]));
        let label = |g| {
            published
                .describe(g)
                .map(|(_, label)| label.to_owned())
                .collect::<Vec<_>>()
        };
        (0..published.groups())
            .map(|g| (label(g), published.size(g)))
            .collect::<Vec<_>>()
    };
    let mut others = people.clone();
    others.reverse();
    others
        .iter_mut()
        .enumerate()
        .for_each(|(at, p)| p[3] = at as u32 % 3);
    assert!(shown(&people) == shown(&others));
}

#[test]
fn decoys_follow_from_sensitive_values() {
    let people = people(7);
    let mut others = people.clone();
    // two people of the sparse tuples at the end change diseases: nothing else about the dense ones
    // changes
    let last = others.len() - 1;
    let other = (0..last)
        .rev()
        .find(|&at| others[at][2] != others[last][2])
        .expect("diseases differ");
    (others[last][2], others[other][2]) = (others[other][2], others[last][2]);
    let alone = |people: &[Person]| {
        let cube = Cube::new(table(people));
        dense(&cube, &partition(&cube, &[k(5), l(2)]), 2)
            .into_iter()
            .map(|(_, alone)| alone)
            .collect::<Vec<_>>()
    };
    let (first, second) = (alone(&people), alone(&others));
    let changed = first.iter().zip(&second).filter(|(a, b)| a != b).count();
    assert!(changed > 50, "{changed}");
    // another k, with the same draws: who is merged by chance hardly changes
    let cube = Cube::new(table(&people));
    let weaker = dense(&cube, &partition(&cube, &[k(4), l(2)]), 2);
    let changed_by_k = first
        .iter()
        .zip(&weaker)
        .filter(|(a, (_, b))| *a != b)
        .count();
    assert!(changed_by_k < changed, "{changed_by_k} against {changed}");
}

#[test]
fn leaving_rows_out_leaves_no_tuple_alone() {
    let mut people: Vec<Person> = (0..9).map(|at| [30, 1, at % 3, 0]).collect();
    people.push([99, 2, 0, 0]);
    let cube = Cube::new(table(&people));
    let left_out = |promises: &[Promise]| {
        let mut found = partition(&cube, promises);
        suppress(&cube, &bind(&cube, promises), &mut found, &leaving_out(5))
    };
    // the outlier is worth leaving out, but without it the others would stand alone, and be known
    // to pass
    assert_eq!(left_out(&[k(5)]), 1);
    assert_eq!(left_out(&[k(5), l(2)]), 0);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let cube = Cube::new(table(&people(9)));
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads can start");
        let found = pool.install(|| partition(&cube, &[k(5), l(2)]));
        (found.group_of, found.cells)
    };
    assert!(run(1) == run(7));
}

#[test]
fn one_tuple_alone_is_published_all_the_same() {
    let all_alike: Vec<Person> = (0..9).map(|at| [30, 1, at % 3, 0]).collect();
    let cube = Cube::new(table(&all_alike));
    let published = publish(&cube, &partition(&cube, &[k(5), l(2)]));
    assert_eq!((published.groups(), published.rows()), (1, 9));
}

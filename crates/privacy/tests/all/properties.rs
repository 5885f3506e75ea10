//! What algorithms rely on: statements about monotonicity, closure under union, sizes; and verdicts
//! at huge counts.

use crate::common::{Instance, SORTS, Sort, ratio, rng, tally};
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{Codes, Column, ColumnSpec, HierarchySource, Missing, Role, SensitiveColumn};
use mingle_privacy::{Attribute, Check, Distance, K, L, Promise, Requirement, Rule, whole_table};
use rand::{Rng, RngExt};

fn added(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn some_rows(like: &[u64], rng: &mut impl Rng) -> Vec<u64> {
    like.iter()
        .map(|_| {
            if rng.random_bool(0.5) {
                rng.random_range(0..6)
            } else {
                0
            }
        })
        .collect()
}

/// How often adding rows broke a constraint that held, and how often it did not.
fn growth(sort: Sort) -> (bool, usize, usize) {
    let mut rng = rng(21);
    let (mut claim, mut broken, mut kept) = (true, 0, 0);
    while broken + kept < 3_000 {
        let instance = Instance::random(&mut rng);
        let Some((promise, _)) = instance.promise(sort, &mut rng) else {
            continue;
        };
        let requirement = instance.bind(&promise);
        claim = requirement.group_monotone();
        if !requirement.holds(&tally(&requirement, &instance.group)) {
            continue;
        }
        let more = added(&instance.group, &some_rows(&instance.group, &mut rng));
        *(if requirement.holds(&tally(&requirement, &more)) {
            &mut kept
        } else {
            &mut broken
        }) += 1;
    }
    (claim, broken, kept)
}

#[test]
fn statements_about_monotonicity_are_true() {
    for sort in SORTS {
        let (claim, broken, kept) = growth(sort);
        assert_eq!(claim, broken == 0, "{sort:?}: {broken} broken, {kept} kept");
    }
}

#[test]
fn a_conjunction_is_monotone_if_all_parts_are() {
    let mut rng = rng(5);
    let instance = Instance::random(&mut rng);
    let attribute = Some(Attribute::Column(0));
    let k = Promise {
        rule: Rule::k_anonymity(K(2)),
        attribute: None,
    };
    let l = Promise {
        rule: Rule::distinct_diversity(L(4)),
        attribute,
    };
    let max = Promise {
        rule: Rule::max_frequency(ratio(2, 11)),
        attribute,
    };
    let bind = |promises: &[Promise]| {
        Requirement::bind(promises, &instance.sensitive, &instance.table).unwrap()
    };
    assert!(bind(&[k, l]).group_monotone() && bind(&[]).group_monotone());
    assert!(!bind(&[k, max]).group_monotone());
    assert_eq!(
        [bind(&[]), bind(&[k]), bind(&[k, l]), bind(&[k, max, l])].map(|r| r.smallest_group()),
        [1, 2, 4, 6]
    );
    assert_eq!(bind(&[k, max, l]).attributes(), [Attribute::Column(0)]);
}

/// Two groups of a table that satisfy a constraint do so together; hence a table that fails has no
/// partition that holds.
#[test]
fn closed_under_union() {
    for sort in SORTS {
        let mut rng = rng(31);
        let mut both = 0;
        while both < 1_500 {
            let mut instance = Instance::random(&mut rng);
            let other = some_rows(&instance.group, &mut rng);
            instance.table = added(&instance.table, &other);
            let Some((promise, _)) = instance.promise(sort, &mut rng) else {
                continue;
            };
            let requirement = instance.bind(&promise);
            let holds = |counts: &[u64]| requirement.holds(&tally(&requirement, counts));
            if holds(&instance.group) && holds(&other) {
                both += 1;
                assert!(holds(&added(&instance.group, &other)), "{sort:?}");
            }
        }
    }
}

#[test]
fn the_whole_table_as_one_group() {
    let mut rng = rng(41);
    let mut impossible = 0;
    for _ in 0..2_000 {
        let mut instance = Instance::random(&mut rng);
        let sort = SORTS[rng.random_range(0..SORTS.len())];
        let Some((promise, _)) = instance.promise(sort, &mut rng) else {
            continue;
        };
        let checks = whole_table(&instance.bind(&promise), &instance.table);
        instance.group = instance.table.clone();
        assert_eq!(checks, [Check::of(instance.slow(&promise))]);
        impossible += usize::from(checks[0] == Check::Fails);
        assert!(
            !matches!(sort, Sort::T(_)) || checks[0] == Check::Holds,
            "a table is at no distance from itself"
        );
    }
    assert!(impossible > 100);
}

/// Multiplying all counts of a group, or of the table, changes no distribution and so no verdict:
/// exact ties of small groups stay exact ties where products need far more than 128 bits.
#[test]
fn huge_counts_give_the_verdicts_of_small_ones() {
    let scales = [1, u64::from(u32::MAX), (1 << 40) + 15, 1 << 57];
    for sort in SORTS.into_iter().filter(|&sort| sort != Sort::KAnonymity) {
        let mut rng = rng(51);
        for _ in 0..2_000 {
            let mut instance = Instance::random(&mut rng);
            let Some((promise, _)) = instance.promise(sort, &mut rng) else {
                continue;
            };
            let truth = Check::of(instance.slow(&promise));
            let (of_group, of_table) = (
                scales[rng.random_range(0..4)],
                scales[rng.random_range(0..4)],
            );
            instance.group.iter_mut().for_each(|n| *n *= of_group);
            instance.table.iter_mut().for_each(|n| *n *= of_table);
            assert_eq!(
                instance.fast(&promise),
                truth,
                "{sort:?}, {of_group} × group, {of_table} × table"
            );
        }
    }
}

/// Four numbers in a hierarchy of height 3 whose first value meets the others at the root only.
fn four_values() -> SensitiveColumn {
    let rows = ["0;a;x;*", "1;b;y;*", "2;b;y;*", "3;c;y;*"];
    let rows = rows
        .iter()
        .zip(1..)
        .map(|(row, line)| (line, row.split(';').map(str::to_owned).collect()))
        .collect();
    let mut spec = ColumnSpec::new("s", Role::Sensitive);
    spec.hierarchy = Some(HierarchySource::Rows(HierarchyRows {
        file: "h.csv".into(),
        rows,
    }));
    let column = Column::from_texts(spec, ["0", "1", "2", "3"], &Missing::default())
        .ok()
        .unwrap();
    SensitiveColumn {
        name: "s".into(),
        domain: column.domain,
        codes: (0..4).collect::<Codes>(),
    }
}

/// All rows of the group have the value that nearly no row of a table of 2^64 - 1 rows has: the
/// distance is 1 - 1/T, or 1 - 2/T where the values between are on the way.
#[test]
fn distances_at_the_end_of_64_bits() {
    let rows = u64::MAX;
    let column = four_values();
    for (distance, less) in [
        (Distance::Equal, 1),
        (Distance::Ordered, 2),
        (Distance::Hierarchical, 1),
    ] {
        for (missing, check) in [
            (less, Check::Holds),
            (less + 1, Check::Fails),
            (less - 1, Check::Holds),
        ] {
            let rule = Rule::t_closeness(ratio(rows - missing, rows), distance);
            let promise = Promise {
                rule,
                attribute: Some(Attribute::Column(0)),
            };
            let table = [1, 1, 1, rows - 3];
            let requirement =
                Requirement::bind(&[promise], std::slice::from_ref(&column), &table).unwrap();
            assert_eq!(
                requirement.check(
                    0,
                    &requirement.tally([crate::common::entry(0, 0, rows)].into_iter())
                ),
                check,
                "{distance:?}"
            );
        }
    }
}

#[test]
fn other_constraints_at_the_end_of_64_bits() {
    let rows = u64::MAX;
    let half = rows / 2;
    let check = |rule: Rule, group: &[(u32, u64)]| {
        let promise = Promise {
            rule,
            attribute: Some(Attribute::Column(0)),
        };
        let requirement = Requirement::bind(&[promise], &[four_values()], &[1, 1, 1, 1]).unwrap();
        requirement.check(
            0,
            &requirement.tally(
                group
                    .iter()
                    .map(|&(value, n)| crate::common::entry(value, 0, n)),
            ),
        )
    };
    let group = [(0, half), (1, half + 1)];
    let share = |max| check(Rule::max_frequency(max), &group);
    assert_eq!(share(ratio(half + 1, rows)), Check::Holds);
    assert_eq!(share(ratio(half, rows)), Check::Fails);
    let tail = |c| check(Rule::recursive_diversity(c, L(2)), &group);
    assert_eq!(tail(ratio(half + 1, half)), Check::Fails);
    assert_eq!(tail(ratio(half + 2, half)), Check::Holds);
    let entropy = |l| check(Rule::entropy_diversity(l), &group);
    assert_eq!(
        (entropy(ratio(2, 1)), entropy(ratio(199, 100))),
        (Check::Fails, Check::Holds)
    );
    let k = |k| check(Rule::k_anonymity(K(k)), &group);
    assert_eq!(
        (k(rows), check(Rule::k_anonymity(K(rows)), &[(0, half)])),
        (Check::Holds, Check::Fails)
    );
}

/// No group has nothing to hide: without rows everything fails.
#[test]
fn the_empty_group_fails_everything() {
    let mut rng = rng(61);
    for sort in SORTS {
        let (mut instance, promise) = std::iter::repeat_with(|| Instance::random(&mut rng))
            .take(200)
            .collect::<Vec<_>>()
            .into_iter()
            .find_map(|i| {
                i.promise(sort, &mut crate::common::rng(1))
                    .map(|(promise, _)| (i, promise))
            })
            .unwrap();
        instance.group.iter_mut().for_each(|n| *n = 0);
        assert_eq!(
            (instance.fast(&promise), instance.slow(&promise)),
            (Check::Fails, false),
            "{sort:?}"
        );
    }
}

/// A tally made of parts is that of the whole, and taking a part away leaves the other.
#[test]
fn tallies_add_up() {
    let mut rng = rng(71);
    for _ in 0..2_000 {
        let instance = Instance::random(&mut rng);
        let attributes = (0..instance.sensitive.len())
            .map(Attribute::Column)
            .chain([Attribute::Joint]);
        let rule = Rule::distinct_diversity(L(1));
        let promises: Vec<Promise> = attributes
            .map(|a| Promise {
                rule,
                attribute: Some(a),
            })
            .collect();
        let requirement =
            Requirement::bind(&promises, &instance.sensitive, &instance.table).unwrap();
        let other = some_rows(&instance.group, &mut rng);
        let (mine, theirs) = (
            tally(&requirement, &instance.group),
            tally(&requirement, &other),
        );
        let mut all = mine.clone();
        all.merge(&theirs);
        assert_eq!(all, tally(&requirement, &added(&instance.group, &other)));
        for attribute in 0..requirement.attributes().len() {
            let values = all.values(attribute);
            assert!(values.is_sorted_by(|a, b| a.0 < b.0) && values.iter().all(|v| v.1 > 0));
            assert_eq!(values.iter().map(|v| v.1).sum::<u64>(), all.size());
        }
        all.subtract(&theirs);
        assert_eq!(all, mine);
    }
}

#[test]
fn requirements_cross_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Requirement>();
}

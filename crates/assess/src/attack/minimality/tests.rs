use super::*;
use crate::utility::example::{MISSING, table};
use mingle_model::{Cell, Code, ColumnSpec, Cube, Kind, Partition, Role};
use mingle_privacy::{Attribute, Distance, K, L, M, Ratio};
use proptest::prelude::*;
use std::sync::Arc;

type Rules = mingle_privacy::Rule;

/// One person: age, two sensitive values (0 is missing), provider.
type Person = (u32, [u32; 2], u32);

fn cube(people: &[Person]) -> Cube {
    let age = ColumnSpec {
        kind: Some(Kind::Integer),
        ..ColumnSpec::new("age", Role::QuasiIdentifier)
    };
    let sensitive = |name| ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(name, Role::Sensitive)
    };
    let text = |v: u32| {
        if v == 0 {
            "?".to_owned()
        } else {
            format!("v{v}")
        }
    };
    let row = |p: &Person| {
        vec![
            p.0.to_string(),
            text(p.1[0]),
            text(p.1[1]),
            format!("P{}", p.2),
        ]
    };
    Cube::new(table(
        &[age, sensitive("disease"), sensitive("job")],
        &people.iter().map(row).collect::<Vec<_>>(),
    ))
}

/// Groups by age, labelled by their smallest range.
fn published(cube: &Cube, group: impl Fn(u32) -> u32) -> Published {
    let age = &cube.quasi_identifiers()[0];
    let group_of_code = |code: Code| group(age.domain.text(code).parse().unwrap());
    let codes = || 0..age.domain.len() as Code;
    let groups = codes()
        .map(group_of_code)
        .filter(|&g| g != Partition::SUPPRESSED)
        .max()
        .unwrap()
        + 1;
    let cell = |g: u32| {
        let own = || codes().filter(|&code| group_of_code(code) == g);
        Cell::Span {
            lo: own().min().unwrap(),
            hi: own().max().unwrap(),
        }
    };
    let tuple = |t: usize| vec![group_of_code(age.codes.get(t)); cube.records_of(t).len()];
    let group_of = (0..cube.tuples()).flat_map(tuple).collect();
    Published::from_partition(
        &Arc::new(cube.clone()),
        &Partition {
            group_of,
            cells: (0..groups).map(cell).collect(),
        },
        &MISSING,
    )
    .unwrap()
}

fn k(k: u64) -> Promise {
    Promise {
        rule: Rules::k_anonymity(K(k)),
        attribute: None,
    }
}

fn about(rule: Rules) -> Promise {
    Promise {
        rule,
        attribute: Some(Attribute::Column(0)),
    }
}

fn distinct(l: u64) -> Promise {
    about(Rules::distinct_diversity(L(l)))
}

fn options(promises: &[Promise]) -> MinimalityOptions<'_> {
    MinimalityOptions {
        promises,
        insiders: Insiders::NONE,
        sizes_alone: None,
        confidence: 0.9,
    }
}

fn played(people: &[Person], group: impl Fn(u32) -> u32, promises: &[Promise]) -> Minimality {
    let cube = cube(people);
    let published = published(&cube, group);
    play(
        &Joined::linked(&cube, &MISSING, &published).unwrap(),
        options(promises),
    )
    .unwrap()
}

/// People of one age with these diseases.
fn aged(age: u32, diseases: &[u32]) -> Vec<Person> {
    diseases
        .iter()
        .map(|&disease| (age, [disease, 1 + disease % 2], 0))
        .collect()
}

/// Straight from the definitions, for the first sensitive column; 0 is missing.
fn fails(rule: Rules, values: &[u32]) -> bool {
    let mut counts: Vec<(u32, u64)> = Vec::new();
    for &value in values {
        match counts.iter_mut().find(|(v, _)| *v == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    let n = values.len() as u64;
    let most = counts.iter().map(|&(_, count)| count).max().unwrap_or(0);
    if let Some(L(l)) = rule.as_distinct_diversity() {
        return (counts.iter().filter(|(v, _)| *v > 0).count() as u64) < l;
    }
    if let Some(max) = rule.as_max_frequency() {
        return most * max.denominator() > max.numerator() * n;
    }
    let (c, L(l)) = rule.as_recursive_diversity().expect("not asked here");
    let mut sorted: Vec<u64> = counts.iter().map(|&(_, count)| count).collect();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let tail: u64 = sorted.iter().skip(l as usize - 1).sum();
    most * c.denominator() >= c.numerator() * tail
}

/// Every choice of rows for the people, one by one: how many fail, and how often the first of them
/// has each value then.
fn by_brute_force(
    rows: &[[u32; 2]],
    people: usize,
    rules: &[(usize, Rules)],
) -> (f64, Vec<([u32; 2], f64)>) {
    let (mut all, mut failing) = (0u32, 0u32);
    let mut had: Vec<([u32; 2], u32)> = Vec::new();
    let mut assigned = Vec::new();
    each(
        rows.len(),
        people,
        &mut assigned,
        &mut |chosen: &[usize]| {
            all += 1;
            let column = |c: usize| chosen.iter().map(|&row| rows[row][c]).collect::<Vec<_>>();
            if rules.iter().any(|&(c, rule)| fails(rule, &column(c))) {
                failing += 1;
                let first = rows[chosen[0]];
                match had.iter_mut().find(|(value, _)| *value == first) {
                    Some((_, count)) => *count += 1,
                    None => had.push((first, 1)),
                }
            }
        },
    );
    let share = |(value, count)| (value, f64::from(count) / f64::from(failing));
    (
        f64::from(failing) / f64::from(all),
        had.into_iter().map(share).collect(),
    )
}

/// All ordered choices.
fn each(rows: usize, people: usize, assigned: &mut Vec<usize>, visit: &mut impl FnMut(&[usize])) {
    if assigned.len() == people {
        return visit(assigned);
    }
    for row in 0..rows {
        if !assigned.contains(&row) {
            assigned.push(row);
            each(rows, people, assigned, visit);
            assigned.pop();
        }
    }
}

fn any_rule() -> impl Strategy<Value = Rules> {
    prop_oneof![
        (1u64..4).prop_map(|l| Rules::distinct_diversity(L(l))),
        (1u64..5).prop_map(|n| Rules::max_frequency(Ratio::new(n, 4).unwrap())),
        ((1u64..5), (1u64..4))
            .prop_map(|(c, l)| Rules::recursive_diversity(Ratio::new(c, 2).unwrap(), L(l))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn draws_equal_brute_force(
        rows in prop::collection::vec(prop::array::uniform2(0u32..4), 1..7),
        people in 1usize..6,
        first in any_rule(),
        second in prop::option::of((0usize..2, any_rule())),
    ) {
        let people = people.min(rows.len());
        let rules: Vec<(usize, Rules)> = [(0, first)].into_iter().chain(second).collect();
        let cube = cube(&rows.iter().map(|&values| (30, values, 0)).collect::<Vec<_>>());
        let promises: Vec<Promise> =
            rules.iter().map(|&(c, rule)| Promise { rule, attribute: Some(Attribute::Column(c)) }).collect();
        let requirement = Requirement::bind(&promises, cube.sensitive(), &cube.combinations()).unwrap();
        let holdings = Holdings::of_rows(cube.sensitive());
        let question = Question::new(&requirement, &holdings, rows.len() as u64);
        let group: Vec<HoldingCount> = (0..).zip(cube.combinations())
            .map(|(holding, people)| HoldingCount { holding, people }).collect();
        let draw = question.draw(&group, people as u64, 1);
        let (failing, had) = by_brute_force(&rows, people, &rules);
        prop_assert!(!draw.estimated);
        prop_assert!((draw.failing - failing).abs() < 1e-9, "{} for {failing}", draw.failing);
        for (held, &share) in group.iter().zip(&draw.shares) {
            let text = |c: usize| {
                let column = &cube.sensitive()[c];
                let code = column.codes.get(held.holding as usize);
                if column.domain.missing() == Some(code) { 0 } else { column.domain.text(code)[1..].parse().unwrap() }
            };
            let value: [u32; 2] = [text(0), text(1)];
            let expected = had.iter().find(|(v, _)| *v == value).map_or(0.0, |(_, share)| *share);
            prop_assert!((share - expected).abs() < 1e-9, "{value:?}: {share} for {expected}");
        }
    }
}

#[test]
fn large_draws_are_estimated_and_come_close() {
    let diseases: Vec<u32> = (0..400).map(|at| 1 + at % 10 * (at % 3)).collect();
    let cube = cube(&aged(30, &diseases));
    let group: Vec<HoldingCount> = (0..)
        .zip(cube.combinations())
        .map(|(holding, people)| HoldingCount { holding, people })
        .collect();
    let ask = |promises: &[Promise], people| {
        let requirement =
            Requirement::bind(promises, cube.sensitive(), &cube.combinations()).unwrap();
        Question::new(&requirement, &Holdings::of_rows(cube.sensitive()), 400)
            .draw(&group, people, 1)
    };
    // asked twice in different words: as distinct diversity, and mixed with a promise that cannot
    // fail
    let exact = ask(&[distinct(9)], 30);
    let never = about(Rules::max_frequency(Ratio::from(1)));
    let estimate = ask(&[distinct(9), never], 30);
    assert!(!exact.estimated && estimate.estimated);
    assert!(
        (exact.failing - estimate.failing).abs() < 0.02,
        "{} {}",
        exact.failing,
        estimate.failing
    );
    assert!(
        exact
            .shares
            .iter()
            .zip(&estimate.shares)
            .all(|(a, b)| (a - b).abs() < 0.02)
    );
    // thirty of at most one value are too unlikely to be met by chance, and known exactly all the
    // same
    assert!(ask(&[distinct(2), never], 30).failing == 0.0 && ask(&[distinct(2)], 30).failing > 0.0);
}

/// Five people of one disease, merged with five others.
fn planted() -> Vec<Person> {
    [
        aged(30, &[1; 5]),
        aged(31, &[2, 3, 4, 5, 6]),
        aged(50, &[1, 2, 3, 4, 5]),
    ]
    .concat()
}

fn by_thirties(age: u32) -> u32 {
    u32::from(age >= 40)
}

#[test]
fn a_release_that_must_be_broken_is() {
    let found = played(&planted(), by_thirties, &[k(5), distinct(2)]);
    let [play] = &found.plays[..] else {
        panic!("one rule was played")
    };
    // ages 30 and 31 were not published as they are, and one of them failed
    assert_eq!(
        (play.units.units, play.failing.units, play.flagged.units),
        (3, 1, 2)
    );
    assert_eq!(
        (play.precision(), play.base_rate()),
        (Some(0.5), Some(1.0 / 3.0))
    );
    assert_eq!(play.likelihood_ratio(), Some(2.0));
    let disease = &play.targets[0];
    // whoever failed must have the disease that five have: the naive reader says so of both
    assert_eq!(
        disease.levels[6].naive,
        Named {
            people: 10,
            right: 5
        }
    );
    assert_eq!(disease.levels[0].frequency.people, 10);
    assert_eq!(found.worst(), None, "half of what is flagged passed");
    // where only the tuple that failed is flagged, the reader is sure
    let sparse = [
        aged(30, &[1; 5]),
        aged(31, &[2, 3]),
        aged(32, &[4]),
        aged(50, &[1, 2, 3, 4, 5]),
    ]
    .concat();
    let found = played(&sparse, by_thirties, &[k(5), distinct(2)]);
    let (play, target) = found.worst().unwrap();
    assert_eq!(
        (play.precision(), play.likelihood_ratio()),
        (Some(1.0), Some(f64::INFINITY))
    );
    assert_eq!(
        (target.column, target.inferred),
        (
            0,
            Named {
                people: 5,
                right: 5
            }
        )
    );
    let example = target.example.as_ref().unwrap();
    assert_eq!(
        (example.groups.as_slice(), example.people, example.right),
        (&[1][..], 5, 5)
    );
    assert!(
        (example.posterior[0] - 0.625).abs() < 1e-9 && (example.posterior[2] - 1.0).abs() < 1e-9
    );
}

#[test]
fn a_release_that_must_not_be_broken_is_not() {
    let people = [
        aged(30, &[1, 1, 1, 1, 2]),
        aged(31, &[2, 3]),
        aged(50, &[1, 2, 3, 4, 5]),
    ]
    .concat();
    // published as they are
    let found = played(
        &people,
        |age| [30, 31, 50].iter().position(|&one| one == age).unwrap() as u32,
        &[distinct(2)],
    );
    assert_eq!((found.plays[0].flagged.units, found.worst()), (0, None));
    assert_eq!(
        (
            found.plays[0].likelihood_ratio(),
            found.plays[0].precision()
        ),
        (None, None)
    );
    // merged although they pass: nobody who knows the method's habits believes that they failed
    let found = played(&people, by_thirties, &[k(5), distinct(2)]);
    assert_eq!(
        (
            found.plays[0].flagged.units,
            found.plays[0].flagged_failing.units
        ),
        (1, 0)
    );
    assert_eq!(
        (found.worst(), found.plays[0].precision()),
        (None, Some(0.0))
    );
    // nobody can have five times the same
    assert_eq!(
        found.plays[0].cleared,
        UnitTally {
            units: 1,
            people: 5
        }
    );
}

#[test]
fn without_a_promise_about_sensitive_values_nothing_is_told() {
    let found = played(&planted(), by_thirties, &[k(5)]);
    assert!(found.plays.is_empty() && found.worst().is_none());
}

#[test]
fn posteriors_are_those_of_all_worlds() {
    // 30 has three of one disease and one more, merged with one neighbour; l = 3 fails
    let people = [
        aged(30, &[1, 1, 1, 2]),
        aged(31, &[2, 3]),
        aged(50, &[1, 2, 3, 4]),
    ]
    .concat();
    let found = played(&people, by_thirties, &[k(4), distinct(3)]);
    let target = &found.plays[0].targets[0];
    let rows = [[1, 0], [1, 0], [1, 0], [2, 0], [2, 0], [3, 0]];
    let (_, had) = by_brute_force(&rows, 4, &[(0, Rules::distinct_diversity(L(3)))]);
    let share = |value: u32| {
        had.iter()
            .find(|(v, _)| v[0] == value)
            .map_or(0.0, |(_, share)| *share)
    };
    let mean = (3.0 * share(1) + share(2)) / 4.0;
    assert!((target.mean[1] - mean).abs() < 1e-9 && (target.mean[2] - mean).abs() < 1e-9);
    assert!((target.mean[0] - (3.0 * 3.0 / 6.0 + 2.0 / 6.0) / 4.0).abs() < 1e-9);
}

#[test]
fn proportions_are_asked_as_they_are_promised() {
    let people = [
        aged(30, &[1, 1, 1, 1, 2]),
        aged(31, &[2, 3, 4, 5]),
        aged(50, &[1, 2, 3, 4, 5]),
    ]
    .concat();
    let half = Ratio::new(1, 2).unwrap();
    let rules = [
        Rules::max_frequency(half),
        Rules::entropy_diversity(Ratio::from(2)),
        Rules::recursive_diversity(Ratio::from(3), L(2)),
        Rules::t_closeness(Ratio::new(2, 5).unwrap(), Distance::Equal),
    ];
    for rule in rules {
        let found = played(&people, by_thirties, &[k(5), about(rule)]);
        let play = &found.plays[0];
        assert_eq!(
            (play.flagged.units, play.flagged_failing.units),
            (1, 1),
            "{}",
            rule.name()
        );
        let target = &play.targets[0];
        assert!(
            target.mean[1] > target.mean[0] && target.mean[2] == target.mean[1],
            "{}",
            rule.name()
        );
    }
}

#[test]
fn what_a_run_with_sizes_alone_would_publish() {
    // four sparse ages: by sizes alone they would be two groups, and the first has one disease
    let people: Vec<Person> = [
        aged(30, &[1; 3]),
        aged(31, &[1; 3]),
        aged(32, &[2, 3, 4]),
        aged(33, &[2, 5, 1]),
    ]
    .concat();
    let cube = cube(&people);
    let promises = [k(5), distinct(2)];
    let release = published(&cube, |_| 0);
    let alone = published(&cube, |age| u32::from(age > 31));
    let joined = Joined::linked(&cube, &MISSING, &release).unwrap();
    let found = play(
        &joined,
        MinimalityOptions {
            sizes_alone: Some(&alone),
            ..options(&promises)
        },
    )
    .unwrap();
    let [dense, sizes] = &found.plays[..] else {
        panic!("two rules were played")
    };
    assert_eq!(
        (dense.units.units, sizes.rule, sizes.units.units),
        (0, MinimalityRule::SizesAlone, 2)
    );
    assert_eq!(
        (sizes.flagged.people, sizes.flagged_failing.people),
        (12, 6)
    );
    // nothing is flagged where the run is what was published
    let same = play(
        &joined,
        MinimalityOptions {
            sizes_alone: Some(&release),
            ..options(&promises)
        },
    )
    .unwrap();
    assert_eq!(
        (same.plays[1].units.units, same.plays[1].flagged.units),
        (1, 0)
    );
}

#[test]
fn rows_that_were_left_out_and_groups_that_are_too_small() {
    let people = [aged(30, &[1; 5]), aged(50, &[1, 2, 3, 4, 5])].concat();
    let cube = cube(&people);
    let release = published(
        &cube,
        |age| if age == 30 { Partition::SUPPRESSED } else { 0 },
    );
    let joined = Joined::linked(&cube, &MISSING, &release).unwrap();
    let promises = [k(5), distinct(2)];
    let found = play(&joined, options(&promises)).unwrap();
    assert_eq!(
        (found.plays[0].flagged.units, found.plays[0].unplaced.units),
        (1, 1)
    );
    assert_eq!((found.plays[0].targets[0].people, found.worst()), (0, None));
}

#[test]
fn coalitions_are_another_reason_to_merge() {
    // the provider P1 takes out its rows of age 30 and one disease is left
    let mut people = [
        aged(30, &[1, 1, 1, 1, 1, 2]),
        aged(31, &[2, 3, 4]),
        aged(50, &[1, 2, 3, 4, 5]),
    ]
    .concat();
    people[5].2 = 1;
    (people[10].2, people[11].2) = (1, 1);
    let cube = cube(&people);
    let release = published(&cube, by_thirties);
    let joined = Joined::linked(&cube, &MISSING, &release).unwrap();
    let promises = [k(2), distinct(2)];
    let found = play(
        &joined,
        MinimalityOptions {
            insiders: Insiders::victim(M(1)),
            ..options(&promises)
        },
    )
    .unwrap();
    let play = &found.plays[0];
    assert_eq!(
        (
            play.flagged.units,
            play.flagged_failing.units,
            play.for_insiders.units
        ),
        (2, 0, 1)
    );
    assert_eq!(found.worst(), None);
}

#[test]
fn missing_values_are_nothing_to_be_learnt() {
    let people = [
        aged(30, &[0; 5]),
        aged(31, &[2, 3]),
        aged(50, &[1, 2, 3, 4, 5]),
    ]
    .concat();
    let found = played(&people, by_thirties, &[k(5), distinct(1)]);
    assert_eq!(found.plays[0].flagged_failing.units, 1);
    assert_eq!(found.plays[0].targets[0].inferred.people, 0);
}

use super::worst::{CoalitionGain, VISITS, Worst};
use super::*;
use crate::utility::example::{MISSING, table};
use mingle_model::{ColumnSpec, Kind, Role};
use mingle_privacy::oracle::{self, Row};
use mingle_privacy::{Attribute, Distance, K, Knows, L, Ratio, Rule};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

const OPTIONS: InsiderOptions = InsiderOptions {
    up_to: u64::MAX,
    name_up_to: 3,
    named: 5,
    knows: Knows::People,
};

/// Rows of a published table: quasi-identifier, two sensitive values, provider.
fn published(rows: &[[&str; 4]]) -> Published {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.map(str::to_owned).to_vec())
        .collect();
    Published::from_table(&table(&specs(), &rows))
}

fn specs() -> [ColumnSpec; 3] {
    let quasi = ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new("q", Role::QuasiIdentifier)
    };
    let sensitive = |name| ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(name, Role::Sensitive)
    };
    [quasi, sensitive("s"), sensitive("t")]
}

fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

fn distinct(l: u64, attribute: Attribute) -> Promise {
    Promise {
        rule: Rule::distinct_diversity(L(l)),
        attribute: Some(attribute),
    }
}

/// A published row with who contributed it.
#[derive(Clone, Debug)]
struct Person {
    provider: ProviderId,
    values: Row,
}

fn people(published: &Published, group: usize) -> Vec<Person> {
    let one = |entry: &mingle_model::Entry| {
        let values = published
            .sensitive()
            .iter()
            .map(|c| c.codes.get(entry.sensitive as usize))
            .collect();
        vec![
            Person {
                provider: entry.provider,
                values
            };
            entry.count as usize
        ]
    };
    published.entries(group).iter().flat_map(one).collect()
}

fn subsets<T: Clone>(of: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0u32..1 << of.len()).map(|bits| {
        (0..of.len())
            .filter(|i| bits >> i & 1 == 1)
            .map(|i| of[i].clone())
            .collect()
    })
}

/// The definitions, word by word: every coalition, every subset of its rows.
struct Truth<'a> {
    published: &'a Published,
    promises: &'a [Promise],
}

impl Truth<'_> {
    fn coalitions(&self, group: usize) -> impl Iterator<Item = Vec<ProviderId>> {
        let all = contributors(self.published, group);
        let n = all.len();
        subsets(&all)
            .filter(move |coalition| coalition.len() < n)
            .collect::<Vec<_>>()
            .into_iter()
    }

    fn breaches(&self, group: usize, coalition: &[ProviderId]) -> bool {
        let rows = |people: &[Person]| {
            people
                .iter()
                .map(|p| p.values.clone())
                .collect::<Vec<Row>>()
        };
        let table: Vec<Row> = (0..self.published.groups())
            .flat_map(|g| rows(&people(self.published, g)))
            .collect();
        let (own, others): (Vec<_>, Vec<_>) = people(self.published, group)
            .into_iter()
            .partition(|p| coalition.contains(&p.provider));
        let holds = |kept: &[Person]| {
            let group = rows(&[others.clone(), kept.to_vec()].concat());
            self.promises
                .iter()
                .all(|promise| oracle::holds(promise, self.published.sensitive(), &group, &table))
        };
        subsets(&own).any(|kept| !holds(&kept))
    }

    /// Places of records, by kind of disclosure: identity, then each column.
    fn disclosed(&self, group: usize, coalition: &[ProviderId]) -> Vec<BTreeSet<usize>> {
        let all = people(self.published, group);
        let left: Vec<usize> = (0..all.len())
            .filter(|&i| !coalition.contains(&all[i].provider))
            .collect();
        let mut found = vec![if left.len() == 1 {
            left.iter().copied().collect()
        } else {
            BTreeSet::new()
        }];
        for (c, column) in self.published.sensitive().iter().enumerate() {
            let present: Vec<usize> = left
                .iter()
                .copied()
                .filter(|&i| column.domain.missing() != Some(all[i].values[c]))
                .collect();
            let values: BTreeSet<_> = present.iter().map(|&i| all[i].values[c]).collect();
            found.push(if values.len() == 1 {
                present.into_iter().collect()
            } else {
                BTreeSet::new()
            });
        }
        found
    }

    fn exposure(&self, size: u64) -> ExposureToCoalitions {
        let columns = self.published.sensitive().len();
        let mut sum = ExposureToCoalitions {
            size,
            attribute: vec![0; columns],
            ..ExposureToCoalitions::default()
        };
        for group in 0..self.published.groups() {
            let coalitions: Vec<_> = self
                .coalitions(group)
                .filter(|c| c.len() as u64 <= size)
                .collect();
            if coalitions
                .iter()
                .any(|coalition| self.breaches(group, coalition))
            {
                sum.groups += 1;
                sum.rows += self.published.size(group);
                sum.records += self.published.size(group);
            }
            let mut found = vec![BTreeSet::new(); 1 + columns];
            for coalition in &coalitions {
                let disclosed = self.disclosed(group, coalition);
                found
                    .iter_mut()
                    .zip(disclosed)
                    .for_each(|(all, one)| all.extend(one));
            }
            sum.identity += found[0].len() as u64;
            sum.attribute
                .iter_mut()
                .zip(&found[1..])
                .for_each(|(all, one)| *all += one.len() as u64);
            sum.exposed += found.iter().flatten().collect::<BTreeSet<_>>().len() as u64;
        }
        sum
    }

    /// The worst coalitions of a size among all providers, for promises that are group-monotone.
    fn worst(&self, size: usize, named: usize) -> Vec<CoalitionGain> {
        let everybody: Vec<ProviderId> = (0..self.published.providers().len() as u32)
            .map(ProviderId)
            .collect();
        let matters = |coalition: &CoalitionGain| {
            (0..size).all(|member| {
                let mut fewer = coalition.members.clone();
                fewer.remove(member);
                let fewer = self.achieved(&fewer);
                fewer.exposed < coalition.exposed || fewer.groups < coalition.groups
            })
        };
        let all = subsets(&everybody)
            .filter(|members| members.len() == size)
            .map(|members| self.achieved(&members));
        let mut all: Vec<CoalitionGain> = all.filter(matters).collect();
        all.sort_by_key(|c| (u64::MAX - c.exposed, u64::MAX - c.groups, c.members.clone()));
        all.truncate(named);
        all
    }

    fn achieved(&self, members: &[ProviderId]) -> CoalitionGain {
        let mut achieved = CoalitionGain {
            members: members.to_vec(),
            groups: 0,
            exposed: 0,
        };
        for group in 0..self.published.groups() {
            if contributors(self.published, group)
                .iter()
                .all(|p| members.contains(p))
            {
                continue;
            }
            achieved.groups += u64::from(self.breaches(group, members));
            let records: BTreeSet<usize> = self
                .disclosed(group, members)
                .into_iter()
                .flatten()
                .collect();
            achieved.exposed += records.len() as u64;
        }
        achieved
    }
}

fn any_table() -> impl Strategy<Value = Vec<[String; 4]>> {
    let row = (0..3u8, 0..4u8, 0..3u8, 0..5u8).prop_map(|(q, s, t, p)| {
        let value = |v: u8, name| {
            if v == 0 {
                "?".to_owned()
            } else {
                format!("{name}{v}")
            }
        };
        [
            format!("q{q}"),
            value(s, 's'),
            value(t, 't'),
            format!("P{p}"),
        ]
    });
    prop::collection::vec(row, 1..14)
}

fn any_promises() -> impl Strategy<Value = Vec<Promise>> {
    let attribute = prop_oneof![
        Just(Attribute::Column(0)),
        Just(Attribute::Column(1)),
        Just(Attribute::Joint)
    ];
    let ratio = |n: u64, d: u64| Ratio::new(n, d).unwrap();
    let other = (0..4u64, 1..5u64).prop_map(move |(which, n)| match which {
        0 => Rule::entropy_diversity(ratio(n + 1, 2)),
        1 => Rule::recursive_diversity(ratio(n, 1), L(2)),
        2 => Rule::max_frequency(ratio(n, 5)),
        _ => Rule::t_closeness(ratio(n, 5), Distance::Equal),
    });
    let promise = prop_oneof![
        3 => (1..5u64).prop_map(k),
        3 => (1..4u64, attribute.clone()).prop_map(|(l, a)| distinct(l, a)),
        1 => (other, attribute).prop_map(|(rule, a)| Promise { rule, attribute: Some(a) }),
    ];
    prop::collection::vec(promise, 1..3)
}

fn made(rows: &[[String; 4]]) -> Published {
    published(
        &rows
            .iter()
            .map(|row| row.each_ref().map(String::as_str))
            .collect::<Vec<_>>(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn exposure_is_what_every_coalition_and_every_subset_say(rows in any_table(), promises in any_promises()) {
        let published = made(&rows);
        let truth = Truth { published: &published, promises: &promises };
        let insider = play(&published, &promises, OPTIONS).unwrap();
        prop_assert_eq!(insider.exposure.len(), published.providers().len());
        for found in &insider.exposure {
            let truth = truth.exposure(found.size);
            // what is undecided may go either way; the rest is exact
            prop_assert!(found.groups <= truth.groups && truth.groups <= found.groups + found.undecided);
            let records = if found.undecided == 0 { truth.records } else { found.records };
            let expected = ExposureToCoalitions {
                groups: found.groups, undecided: found.undecided, records, rows: records, ..truth
            };
            prop_assert_eq!(found, &expected);
        }
    }

    #[test]
    fn a_fall_names_a_coalition_that_succeeds_and_none_is_smaller(rows in any_table(), promises in any_promises()) {
        let published = made(&rows);
        let truth = Truth { published: &published, promises: &promises };
        let insider = play(&published, &promises, OPTIONS).unwrap();
        for (at, group) in insider.groups.iter().enumerate() {
            if let Some(breached) = &group.fall.breached {
                prop_assert!(truth.breaches(at, &breached.coalition));
            }
            for coalition in truth.coalitions(at).filter(|c| truth.breaches(at, c)) {
                let size = coalition.len() as u64;
                prop_assert!(group.fall.size().is_some_and(|found| found <= size) || group.fall.undecided_at(size));
            }
        }
    }

    #[test]
    fn the_worst_coalitions_are_the_worst(rows in any_table(), size in 1..4u64, l in 1..4u64, least in 1..4u64) {
        let published = made(&rows);
        let promises = [k(least), distinct(l, Attribute::Column(0))];
        let truth = Truth { published: &published, promises: &promises };
        let insider = play(&published, &promises, OPTIONS).unwrap();
        let Some(worst) = insider.worst.get(size as usize - 1) else { return Ok(()) };
        prop_assert_eq!(worst, &Worst { size, exact: true, coalitions: truth.worst(size as usize, 5) });
    }

    #[test]
    fn a_chosen_coalition_achieves_what_the_definitions_say(
        rows in any_table(), chosen in 0..32u32, l in 1..4u64, least in 1..4u64,
    ) {
        let published = made(&rows);
        let promises = [k(least), distinct(l, Attribute::Column(0))];
        let truth = Truth { published: &published, promises: &promises };
        let insider = play(&published, &promises, OPTIONS).unwrap();
        let everybody = (0..published.providers().len() as u32).map(ProviderId);
        let members: Vec<ProviderId> = everybody.filter(|p| chosen >> p.0 & 1 == 1).collect();
        let found = chosen::play(&published, &promises, &insider.groups, &members, Knows::People).unwrap();
        let CoalitionGain { groups, exposed, .. } = truth.achieved(&members);
        prop_assert_eq!((found.fallen(), found.exposed()), (groups, exposed));
        prop_assert_eq!(found.own + found.others, published.rows());
    }

    #[test]
    fn an_inference_is_true(rows in any_table(), promises in any_promises()) {
        let published = made(&rows);
        let truth = Truth { published: &published, promises: &promises };
        let insider = play(&published, &promises, OPTIONS).unwrap();
        let smallest = insider.groups.iter().filter_map(GroupAttack::smallest).min();
        prop_assert_eq!(insider.inference.as_ref().map(|i| i.coalition.len() as u64), smallest);
        let Some(inference) = insider.inference else { return Ok(()) };
        let of = |p: &&Person| inference.coalition.contains(&p.provider);
        let all = people(&published, inference.group);
        let left: Vec<&Person> = all.iter().filter(|p| !of(p)).collect();
        prop_assert_eq!(inference.own, (all.len() - left.len()) as u64);
        match &inference.learnt {
            Learnt::Identity(values) => {
                prop_assert_eq!((left.len(), inference.left), (1, 1));
                let single: Vec<Row> = left[0].values.iter().map(|&code| vec![code]).collect();
                prop_assert_eq!(&single, values);
            }
            Learnt::Attribute(column, code) => {
                let missing = published.sensitive()[*column].domain.missing();
                let (known, none): (Vec<&Person>, Vec<&Person>) = left.iter().partition(|p| Some(p.values[*column]) != missing);
                prop_assert!(!known.is_empty() && known.iter().all(|p| p.values[*column] == *code));
                prop_assert_eq!(inference.left, left.len() as u64);
                prop_assert_eq!(inference.without_value(&published), none.len() as u64);
            }
            Learnt::Breach(_) => prop_assert!(truth.breaches(inference.group, &inference.coalition)),
        }
    }
}

/// The paper's Table I: the group of three that P1 breaks, and the one that withstands anybody
/// alone.
const BROKEN: [[&str; 4]; 3] = [
    ["a", "Cancer", "x", "P1"],
    ["a", "Asthma", "x", "P1"],
    ["a", "Epilepsy", "x", "P3"],
];
const WITHSTANDS: [[&str; 4]; 3] = [
    ["b", "Cancer", "x", "P1"],
    ["b", "Flu", "y", "P2"],
    ["b", "Epilepsy", "y", "P3"],
];

#[test]
fn a_release_it_must_break() {
    let published = published(&BROKEN);
    let insider = play(
        &published,
        &[k(2), distinct(2, Attribute::Column(0))],
        OPTIONS,
    )
    .unwrap();
    let numbers =
        |e: &ExposureToCoalitions| (e.groups, e.records, e.identity, e.attribute[0], e.exposed);
    assert_eq!(
        insider.exposure.iter().map(numbers).collect::<Vec<_>>(),
        [(0, 0, 0, 0, 3), (1, 3, 1, 1, 3)]
    );
    let inference = insider.inference.unwrap();
    // t is the same for all, which an outsider sees
    assert_eq!(
        (inference.coalition.len(), inference.learnt),
        (0, Learnt::Attribute(1, 0))
    );
    let worst = &insider.worst[0].coalitions;
    assert_eq!(worst.len(), 1);
    assert_eq!(
        (
            worst[0].members.as_slice(),
            worst[0].groups,
            worst[0].exposed
        ),
        (&[ProviderId(0)][..], 1, 1)
    );
}

#[test]
fn a_release_it_must_fail_on() {
    let published = published(&WITHSTANDS);
    let promises = [k(2), distinct(2, Attribute::Column(0))];
    let insider = play(
        &published,
        &promises,
        InsiderOptions {
            up_to: 1,
            ..OPTIONS
        },
    )
    .unwrap();
    for exposure in &insider.exposure {
        assert_eq!(
            (
                exposure.groups,
                exposure.undecided,
                exposure.identity,
                exposure.attribute[0]
            ),
            (0, 0, 0, 0)
        );
    }
    // but P1 leaves only y in the second column, and two leave one record
    assert_eq!(insider.exposure[1].attribute[1], 2);
    let further = play(&published, &promises, OPTIONS).unwrap();
    assert_eq!(
        (further.exposure[2].groups, further.exposure[2].identity),
        (1, 3)
    );
    // the paper's k = 3 does not survive anybody
    assert_eq!(
        play(&published, &[k(3)], OPTIONS).unwrap().exposure[1].groups,
        1
    );
}

#[test]
fn groups_are_undecided_only_while_they_are() {
    let group = |open_from, size: Option<usize>| {
        let coalition = |n| (0..n as u32).map(ProviderId).collect();
        let breached = size.map(|n| Breached {
            constraint: 0,
            coalition: coalition(n),
            left: 1,
            people_left: None,
        });
        GroupAttack {
            records: 5,
            people: 5,
            of_people: None,
            providers: 4,
            fall: Fall {
                breached,
                open_from,
            },
            disclosure: Disclosure::default(),
        }
    };
    let groups = [
        group(Some(1), Some(3)),
        group(Some(2), None),
        group(None, Some(1)),
        group(Some(9), None),
    ];
    let numbers: Vec<_> = exposure(&groups, 3, 0)
        .iter()
        .map(|e| (e.groups, e.undecided, e.records))
        .collect();
    assert_eq!(numbers, [(0, 0, 0), (1, 1, 5), (1, 2, 5), (2, 1, 10)]);
}

#[test]
fn among_equal_coalitions_the_first_promise_is_named() {
    let published = published(&BROKEN);
    let named = |promises: &[Promise]| {
        play(&published, promises, OPTIONS).unwrap().groups[0]
            .fall
            .breached
            .clone()
    };
    let promises = [distinct(2, Attribute::Column(0)), k(2)];
    assert_eq!(named(&promises).unwrap().constraint, 0);
    assert_eq!(named(&[k(1), k(2), promises[0]]).unwrap().constraint, 1);
}

#[test]
fn nobody_is_left_to_expose() {
    let alone = published(&[["a", "x", "x", "P1"], ["a", "y", "y", "P1"]]);
    let insider = play(&alone, &[k(3)], OPTIONS).unwrap();
    assert_eq!(insider.exposure.len(), 1);
    assert_eq!(
        (insider.exposure[0].groups, insider.exposure[0].exposed),
        (1, 0)
    );
    assert!(insider.worst.is_empty());
    let single = published(&[["a", "x", "x", "P1"]]);
    assert_eq!(
        play(&single, &[k(1)], OPTIONS).unwrap().exposure[0].identity,
        1
    );
    assert!(matches!(
        play(&single, &[], OPTIONS),
        Err(Error::NothingPromised)
    ));
    // a value that is missing is not disclosed
    let missing = published(&[["a", "?", "x", "P1"], ["a", "?", "y", "P1"]]);
    assert_eq!(
        play(&missing, &[k(1)], OPTIONS).unwrap().exposure[0].attribute,
        [0, 0]
    );
}

#[test]
fn many_providers_are_played_by_likely_coalitions() {
    let rows: Vec<[String; 4]> = (0..3000)
        .map(|i| {
            [
                format!("q{}", i / 3),
                format!("s{}", i % 5),
                "x".to_owned(),
                format!("P{:05}", (i * 7) % 1000),
            ]
        })
        .collect();
    let published = made(&rows);
    let promises = [k(2), distinct(2, Attribute::Column(0))];
    let insider = play(
        &published,
        &promises,
        InsiderOptions {
            up_to: 4,
            ..OPTIONS
        },
    )
    .unwrap();
    assert!(
        insider.worst[0].exact && !insider.worst[2].exact,
        "{VISITS} visits are no longer a limit"
    );
    let truth = Truth {
        published: &published,
        promises: &promises,
    };
    for worst in &insider.worst {
        assert!(!worst.exact || worst.size < 3);
        for coalition in &worst.coalitions {
            let achieved = truth.achieved_in_few(&coalition.members);
            assert_eq!((coalition.groups, coalition.exposed), achieved);
        }
    }
}

impl Truth<'_> {
    /// Like `achieved`, for promises that only ask for what is left, and many groups.
    fn achieved_in_few(&self, members: &[ProviderId]) -> (u64, u64) {
        let mut sum = (0, 0);
        for group in 0..self.published.groups() {
            let left: Vec<Person> = people(self.published, group)
                .into_iter()
                .filter(|p| !members.contains(&p.provider))
                .collect();
            let values: BTreeSet<_> = left.iter().map(|p| p.values[0]).collect();
            sum.0 += u64::from(!left.is_empty() && (left.len() < 2 || values.len() < 2));
            let records: BTreeSet<usize> = self
                .disclosed(group, members)
                .into_iter()
                .flatten()
                .collect();
            sum.1 += records.len() as u64;
        }
        sum
    }
}

mod ends {
    use super::super::ends::{Ends, ExplainedEnd, given_away};
    use super::*;
    use mingle_model::{Cell, Codes, Cube, Partition, Table};

    /// Ages with a disease and a provider, all in one group that is labelled with `cell`.
    fn found(rows: &[(&str, &str, &str)], label: &str, m: u64) -> Ends {
        let specs = [
            ColumnSpec::new("age", Role::QuasiIdentifier),
            ColumnSpec::new("disease", Role::Sensitive),
        ];
        let original = of(&specs, rows.iter().map(|r| [r.0, r.1, r.2]));
        let opaque = ColumnSpec {
            kind: Some(Kind::Category),
            ..specs[0].clone()
        };
        let published = of(
            &[opaque, specs[1].clone()],
            rows.iter().map(|r| [label, r.1, r.2]),
        );
        given_away(
            &Cube::new(original.clone()),
            &MISSING,
            &Published::from_table(&published),
            (m, Knows::People),
        )
        .unwrap()
    }

    fn of<'a>(specs: &[ColumnSpec], rows: impl Iterator<Item = [&'a str; 3]>) -> Table {
        table(
            specs,
            &rows
                .map(|row| row.map(str::to_owned).to_vec())
                .collect::<Vec<_>>(),
        )
    }

    const ROWS: [(&str, &str, &str); 5] = [
        ("22", "flu", "A"),
        ("29", "ill", "B"),
        ("29", "ill", "C"),
        ("25", "flu", "B"),
        ("120", "flu", "A"),
    ];

    #[test]
    fn an_end_that_one_provider_explains_gives_it_away() {
        let ends = found(&ROWS[..4], "[22-29]", 1);
        let example = ExplainedEnd {
            group: 0,
            column: 0,
            upper: false,
            text: "22".into(),
            explained_by: vec![ProviderId(0)],
        };
        // a grid of single years: 22 would be widened to 22
        assert_eq!((ends.checked, ends.given_away), (2, 0));
        let ends = found(&ROWS, "[22-120]", 1);
        assert_eq!((ends.checked, ends.given_away, ends.groups), (2, 2, 1));
        assert_eq!(
            (ends.columns, ends.example),
            (vec![("age".into(), 2)], Some(example))
        );
    }

    #[test]
    fn ends_that_say_nothing() {
        // nobody protects against coalitions of nobody
        assert_eq!(found(&ROWS, "[22-120]", 0).given_away, 0);
        // on the grid of fives: 20, and 124 for 120
        assert_eq!(found(&ROWS, "[20-129]", 1).given_away, 0);
        // nobody is 21 or 121
        assert_eq!(found(&ROWS, "[21-121]", 1).given_away, 0);
        // no ranges at all
        assert_eq!(found(&ROWS, "*", 3).checked, 0);
        // one provider has 22 and two have 120, of which no coalition of one knows whose it is
        let rows = [
            ("22", "flu", "A"),
            ("23", "flu", "B"),
            ("23", "ill", "C"),
            ("120", "flu", "A"),
            ("120", "flu", "B"),
        ];
        assert_eq!(found(&rows, "[22-120]", 1).given_away, 1);
        assert_eq!(found(&rows, "[22-120]", 2).given_away, 2);
    }

    #[test]
    fn only_rows_that_fit_the_group_explain_an_end() {
        // B has a row with 22 as well, but none with its disease in this group
        let specs = [
            ColumnSpec::new("age", Role::QuasiIdentifier),
            ColumnSpec::new("disease", Role::Sensitive),
        ];
        let rows = [
            ["22", "flu", "A"],
            ["120", "ill", "A"],
            ["30", "ill", "B"],
            ["22", "flu", "B"],
        ];
        let original = Cube::new(of(&specs, rows.into_iter()));
        let group_of = |tuple: usize| -> Vec<u32> {
            let age = &original.quasi_identifiers()[0];
            let mine = |record: usize| {
                let record = &original.records()[record];
                let other = age.domain.text(age.codes.get(tuple)) == "22"
                    && record.provider == ProviderId(1);
                u32::from(other)
            };
            original.records_of(tuple).map(mine).collect()
        };
        let partition = Partition {
            group_of: (0..original.tuples()).flat_map(group_of).collect(),
            cells: vec![Cell::Span { lo: 0, hi: 2 }, Cell::Span { lo: 0, hi: 0 }],
        };
        let published =
            Published::from_partition(&Arc::new(original.clone()), &partition, &MISSING).unwrap();
        let ends = given_away(&original, &MISSING, &published, (1, Knows::People)).unwrap();
        assert_eq!((ends.given_away, ends.groups), (2, 1));
        assert_eq!(ends.example.unwrap().explained_by, [ProviderId(0)]);
    }

    #[test]
    fn an_end_that_occurs_elsewhere_only_says_nothing() {
        // 22 and 120 are in the original, but nobody in this group with these diseases has them
        let specs = [
            ColumnSpec::new("age", Role::QuasiIdentifier),
            ColumnSpec::new("disease", Role::Sensitive),
        ];
        let rows = [
            ["22", "rare", "A"],
            ["120", "rare", "A"],
            ["30", "flu", "A"],
            ["40", "flu", "B"],
        ];
        let original = Cube::new(of(&specs, rows.into_iter()));
        let opaque = ColumnSpec {
            kind: Some(Kind::Category),
            ..specs[0].clone()
        };
        let published = of(
            &[opaque, specs[1].clone()],
            [["[22-120]", "flu", "A"], ["[22-120]", "flu", "B"]].into_iter(),
        );
        let ends = given_away(
            &original,
            &MISSING,
            &Published::from_table(&published),
            (1, Knows::People),
        )
        .unwrap();
        assert_eq!((ends.checked, ends.given_away, ends.example), (2, 0, None));
    }

    #[test]
    fn a_release_of_other_data_is_refused() {
        let specs = [
            ColumnSpec::new("age", Role::QuasiIdentifier),
            ColumnSpec::new("disease", Role::Sensitive),
        ];
        let original = of(&specs, [["22", "flu", "A"]].into_iter());
        let opaque = ColumnSpec {
            kind: Some(Kind::Category),
            ..specs[0].clone()
        };
        for label in ["tall", "[30-40]"] {
            let published = of(
                &[opaque.clone(), specs[1].clone()],
                [[label, "flu", "A"]].into_iter(),
            );
            assert!(
                given_away(
                    &Cube::new(original.clone()),
                    &MISSING,
                    &Published::from_table(&published),
                    (1, Knows::People)
                )
                .is_err()
            );
        }
    }

    /// Age, disease, provider and person of rows that are all in one group.
    fn found_of_people(rows: &[(&str, &str, &str, u32)], m: u64, knows: Knows) -> Ends {
        let specs = [
            ColumnSpec::new("age", Role::QuasiIdentifier),
            ColumnSpec::new("disease", Role::Sensitive),
        ];
        let opaque = ColumnSpec {
            kind: Some(Kind::Category),
            ..specs[0].clone()
        };
        let whose: Codes = rows.iter().map(|row| row.3).collect();
        let mut original = of(&specs, rows.iter().map(|r| [r.0, r.1, r.2]));
        original.person_of = Some(whose.clone());
        let opaque_rows = rows.iter().map(|r| ["[22-120]", r.1, r.2]);
        let mut published = of(&[opaque, specs[1].clone()], opaque_rows);
        published.person_of = Some(whose);
        let published = Published::from_table(&published);
        given_away(&Cube::new(original), &MISSING, &published, (m, knows)).unwrap()
    }

    /// One person's rows at A and B attain 22 twice, and either knows her; of 120 there are two
    /// people, of whom nobody knows both.
    #[test]
    fn people_who_attain_an_end_are_counted_and_not_contributors() {
        let rows = [
            ("22", "flu", "A", 0),
            ("22", "ill", "B", 0),
            ("120", "flu", "A", 1),
            ("120", "flu", "B", 2),
            ("31", "flu", "C", 3),
        ];
        let ends = found_of_people(&rows, 1, Knows::People);
        assert_eq!((ends.checked, ends.given_away), (2, 1));
        assert_eq!(ends.example.unwrap().explained_by, [ProviderId(0)]);
        // contributors of 22 are two, which is what counting them would have said
        assert_eq!(found_of_people(&rows, 1, Knows::Rows).given_away, 0);
        assert_eq!(found_of_people(&rows, 2, Knows::People).given_away, 2);
        assert_eq!(found_of_people(&rows, 2, Knows::Rows).given_away, 2);
    }

    /// Against every coalition, on all ways in which three people may have rows at three providers.
    #[test]
    fn no_coalition_is_overlooked() {
        let names = ["A", "B", "C"];
        let mut given = 0;
        for sets in 0u32..512 {
            let mut rows = Vec::new();
            for person in 0..3 {
                for (provider, name) in names.iter().enumerate() {
                    if sets >> (3 * person + provider as u32) & 1 == 1 {
                        rows.push(("22", "flu", *name, person));
                    }
                }
            }
            // somebody with two rows, and nobody who attains 22 besides
            rows.extend([
                ("120", "ill", "A", 9),
                ("40", "ill", "C", 9),
                ("41", "ill", "B", 8),
            ]);
            let people: Vec<u32> = (0..3).map(|person| sets >> (3 * person) & 7).collect();
            let people: Vec<u32> = people
                .into_iter()
                .filter(|&known_to| known_to > 0)
                .collect();
            for m in 1..=2u64 {
                let knows_all = |coalition: u32| people.iter().all(|known| known & coalition > 0);
                let mut coalitions = (1u32..8).filter(|c| u64::from(c.count_ones()) <= m);
                let expected = !people.is_empty() && coalitions.any(knows_all);
                let ends = found_of_people(&rows, m, Knows::People);
                let lower = ends.example.filter(|end| !end.upper);
                assert_eq!(lower.is_some(), expected, "{people:?} {m}");
                given += u32::from(expected);
            }
        }
        assert!(given > 100 && given < 900, "{given}");
    }
}

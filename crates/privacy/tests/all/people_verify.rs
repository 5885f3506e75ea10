//! Whole tables with people: verdicts, witnesses, attack numbers, labels.

use crate::common::ratio;
use mingle_model::{
    Cell, Column, ColumnSpec, Cube, Missing, Partition, Providers, Published, Role, Table,
};
use mingle_privacy::{
    AttackNumber, Attribute, Error, Insiders, K, Knows, L, M, Promise, Reach, Rule, Verdict,
    Verification, verify,
};
use std::sync::Arc;

/// Person, quasi-identifier, sensitive value, provider.
type Line<'a> = (u32, &'a str, &'a str, &'a str);

fn table(lines: &[Line<'_>]) -> Table {
    let column = |name: &str, role, texts: Vec<&str>| {
        let spec = ColumnSpec::new(name, role);
        Column::from_texts(spec, texts, &Missing::default())
            .ok()
            .unwrap()
    };
    let providers = Providers::new(lines.iter().map(|line| line.3.to_owned()).collect());
    Table {
        columns: vec![
            column(
                "age",
                Role::QuasiIdentifier,
                lines.iter().map(|l| l.1).collect(),
            ),
            column(
                "disease",
                Role::Sensitive,
                lines.iter().map(|l| l.2).collect(),
            ),
        ],
        provider_of: lines.iter().map(|l| providers.id(l.3).unwrap().0).collect(),
        person_of: Some(lines.iter().map(|l| l.0).collect()),
        providers,
    }
}

fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

fn about_disease(rule: Rule) -> Promise {
    Promise {
        rule,
        attribute: Some(Attribute::Column(0)),
    }
}

fn verified(lines: &[Line<'_>], promises: &[Promise], insiders: Insiders) -> Verification {
    let published = Published::from_table(&table(lines));
    verify(published, promises, insiders, Reach::Everyone).unwrap()
}

/// Five rows of one patient are no group of five.
const ONE_PATIENT: [Line<'_>; 7] = [
    (0, "30", "flu", "A"),
    (0, "30", "ill", "A"),
    (0, "30", "ill", "B"),
    (0, "30", "ache", "B"),
    (0, "30", "cold", "C"),
    (1, "30", "flu", "A"),
    (2, "30", "cold", "C"),
];

#[test]
fn rows_of_one_person_are_no_crowd() {
    let verification = verified(&ONE_PATIENT, &[k(4)], Insiders::NONE);
    let Verdict::Fails(witness) = verification.verdict() else {
        panic!("three people are fewer than four")
    };
    assert_eq!((witness.people_left, witness.records_left), (Some(3), 7));
    assert!(
        verified(&ONE_PATIENT, &[k(3)], Insiders::NONE)
            .into_verified()
            .is_ok()
    );
    let half = Promise {
        rule: Rule::max_share_of_rows(ratio(1, 2)),
        attribute: None,
    };
    assert!(
        verified(&ONE_PATIENT, &[half], Insiders::NONE)
            .into_verified()
            .is_err()
    );
}

#[test]
fn a_shared_patient_is_known_to_each_of_her_providers() {
    // A knows 0 and 1, C knows 0 and 2, B knows 0
    let verification = verified(&ONE_PATIENT, &[k(2)], Insiders::victim(M(1)));
    let witness = verification.witness().unwrap();
    let names: Vec<&str> = witness
        .coalition
        .iter()
        .map(|&provider| verification.published().providers().name(provider))
        .collect();
    assert_eq!((names, witness.people_left), (vec!["A"], Some(1)));
    assert_eq!(
        verification.attack_number(),
        AttackNumber {
            found: Some(1),
            open: false
        }
    );
    // whoever needs all her rows knows only the other two
    let rows = Insiders::victim(M(1)).knowing(Knows::Rows);
    assert!(
        verified(&ONE_PATIENT, &[k(2)], rows)
            .into_verified()
            .is_ok()
    );
    let two = Insiders::victim(M(2)).knowing(Knows::Rows);
    assert!(
        verified(&ONE_PATIENT, &[k(2)], two)
            .into_verified()
            .is_err()
    );
}

#[test]
fn weights_alone_do_not_rule_out_certainty() {
    // everybody has flu beside another disease of her own
    let others = ["a", "b", "c", "d", "e"];
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (person, other) in (0..).zip(others) {
        lines.push((person, "30", "flu", "A"));
        lines.push((person, "30", other, "A"));
    }
    for rule in [
        Rule::entropy_diversity(ratio(3, 1)),
        Rule::recursive_diversity(ratio(9, 1), L(2)),
        Rule::distinct_diversity(L(2)),
    ] {
        let promise = about_disease(rule);
        assert!(
            verified(&lines, &[promise], Insiders::NONE)
                .into_verified()
                .is_err()
        );
    }
}

#[test]
fn rows_in_two_groups_are_a_finding_unless_apart_is_accepted() {
    let lines = [
        (0, "30", "flu", "A"),
        (0, "40", "ill", "A"),
        (1, "30", "ill", "A"),
        (2, "40", "flu", "A"),
    ];
    let verification = verified(&lines, &[k(2)], Insiders::NONE);
    let Some(Verdict::Fails(witness)) = verification.rows_together() else {
        panic!("person 0 is in both groups")
    };
    assert_eq!((witness.name, witness.group), ("rows-together", 0));
    assert!(verification.into_verified().is_err());
    let apart = Published::from_table(&table(&lines)).with_rows_apart();
    let verification = verify(apart, &[k(2)], Insiders::NONE, Reach::Stated).unwrap();
    assert!(verification.rows_together().is_none());
    assert!(verification.into_verified().is_ok());
}

#[test]
fn promises_that_rows_cannot_break_are_refused() {
    let published = Published::from_table(&table(&ONE_PATIENT));
    let promise = about_disease(Rule::entropy_diversity(ratio(2, 1)));
    let rows = Insiders::victim(M(1)).knowing(Knows::Rows);
    let refused = verify(published, &[promise], rows, Reach::Stated).err();
    let constraint = "entropy-l-diversity";
    assert_eq!(refused, Some(Error::KnowsRows { constraint }));
}

/// The lower end is attained by rows at A and at B: of one person, or of two.
fn end_attained_by(second: u32) -> Option<bool> {
    let lines = [
        (0, "11", "flu", "A"),
        (second, "11", "ill", "B"),
        (0, "20", "flu", "A"),
        (1, "33", "ill", "A"),
        (2, "33", "ill", "B"),
        (3, "20", "flu", "B"),
        (3, "20", "flu", "B"),
    ];
    let cube = Arc::new(Cube::new(table(&lines)));
    let partition = Partition {
        group_of: vec![0; cube.records().len()],
        cells: vec![Cell::Span { lo: 0, hi: 2 }],
    };
    let published = Published::from_partition(&cube, &partition, &Missing::default()).unwrap();
    let verification = verify(published, &[k(1)], Insiders::victim(M(1)), Reach::Stated).unwrap();
    verification.narrow_end().map(|end| end.upper)
}

#[test]
fn ends_are_attained_by_people() {
    // A knows the only one
    assert_eq!(end_attained_by(0), Some(false));
    // nobody knows both
    assert_eq!(end_attained_by(4), None);
}

/// 100,000 rows of 50,000 people, most groups so that promises hold. `cargo test -p mingle-privacy --test all
/// measured -- --ignored --nocapture` shows seconds.
#[test]
#[ignore = "measures"]
fn measured_on_a_hundred_thousand_rows() {
    use rand::RngExt;
    let mut rng = crate::common::rng(1);
    let diseases: Vec<String> = (0..14).map(|d| format!("d{d}")).collect();
    let hospitals: Vec<String> = (0..10).map(|h| format!("h{h}")).collect();
    let ages: Vec<String> = (0..5_000).map(|a| format!("a{a}")).collect();
    let t = Rule::t_closeness(ratio(9, 10), mingle_privacy::Distance::Equal);
    let promises = [
        ("k", k(5)),
        (
            "dominance",
            Promise {
                rule: Rule::max_share_of_rows(ratio(1, 2)),
                attribute: None,
            },
        ),
        ("distinct", about_disease(Rule::distinct_diversity(L(3)))),
        ("frequency", about_disease(Rule::max_frequency(ratio(4, 5)))),
        (
            "entropy",
            about_disease(Rule::entropy_diversity(ratio(2, 1))),
        ),
        (
            "recursive",
            about_disease(Rule::recursive_diversity(ratio(5, 1), L(2))),
        ),
        ("t", about_disease(t)),
    ];
    for (sharing, people) in [(0.0, 20), (0.2, 20), (0.0, 200), (0.2, 200), (0.2, 50_000)] {
        let mut lines: Vec<Line<'_>> = Vec::new();
        let mut person = 0;
        while lines.len() < 100_000 {
            let age = &ages[person / people];
            for visit in 0..rng.random_range(1..=3) {
                let shared = rng.random_bool(sharing);
                let home = person % 10;
                let at = if shared {
                    rng.random_range(0..10)
                } else {
                    home
                };
                let other = rng.random_range(0..14);
                let disease = if visit == 0 { person % 14 } else { other };
                lines.push((person as u32, age, &diseases[disease], &hospitals[at]));
            }
            person += 1;
        }
        // the last group may be small
        lines.retain(|line| line.0 as usize / people < person / people || people > person);
        let table = table(&lines);
        for (name, promise) in promises {
            for m in [0, 1, 2] {
                let before = std::time::Instant::now();
                let published = Published::from_table(&table);
                let made = before.elapsed();
                let groups = published.groups();
                let insiders = Insiders::victim(M(m));
                let verification = verify(published, &[promise], insiders, Reach::Stated).unwrap();
                println!(
                    "sharing {sharing} {name} m {m}: {groups} groups, made {made:?}, all {:?}, {}",
                    before.elapsed(),
                    verification.verdict().name()
                );
            }
        }
    }
}

/// Whole tables, with rows together or apart, against the definition group by group: the verdict, the
/// attack number, and people whom other providers know from other groups.
#[test]
fn whole_tables_are_what_the_definition_says() {
    use mingle_privacy::oracle::people::{OracleQuestion, people};
    use rand::RngExt;
    let mut rng = crate::common::rng(11);
    let (mut failed, mut held) = (0, 0);
    for _ in 0..1_500 {
        let mut lines: Vec<Line<'_>> = Vec::new();
        for person in 0..rng.random_range(1..8) {
            let home = ["A", "B", "C"][rng.random_range(0..3)];
            let age = ["30", "40"][rng.random_range(0..2)];
            for _ in 0..rng.random_range(1..3) {
                let at = if rng.random_bool(0.3) { "C" } else { home };
                let age = if rng.random_bool(0.3) { "40" } else { age };
                let disease = ["", "flu", "ill", "cold"][rng.random_range(0..4)];
                lines.push((person, age, disease, at));
            }
        }
        let apart = rng.random_bool(0.5);
        let mut published = Published::from_table(&table(&lines));
        if apart {
            published = published.with_rows_apart();
        }
        let split = published
            .people()
            .and_then(|people| people.split())
            .unwrap_or(0);
        let rule = match rng.random_range(0..5) {
            0 => Rule::distinct_diversity(L(2)),
            1 => Rule::max_frequency(ratio(2, 3)),
            2 => Rule::entropy_diversity(ratio(3, 2)),
            3 => Rule::recursive_diversity(ratio(2, 1), L(2)),
            _ => Rule::k_anonymity(K(2)),
        };
        let promise = if rule.needs_attribute() {
            about_disease(rule)
        } else {
            k(2)
        };
        let insiders = Insiders::victim(M(rng.random_range(0..3)));
        let groups: Vec<_> = (0..published.groups())
            .map(|g| people(&published, g))
            .collect();
        let everybody = groups.concat();
        if published.people().is_none() {
            continue;
        }
        let question = OracleQuestion {
            promise: &promise,
            sensitive: published.sensitive(),
            table: &everybody,
            knows: Knows::People,
        };
        let smallest = |m: usize| {
            let breaches = groups
                .iter()
                .filter_map(|group| question.smallest_breach(group, m));
            breaches.min()
        };
        let (stated, all) = (smallest(insiders.m.0 as usize), smallest(2));
        let verification = verify(published, &[promise], insiders, Reach::Everyone).unwrap();
        let fails = matches!(verification.verdicts()[0], Verdict::Fails(_));
        assert_eq!(
            fails,
            stated.is_some(),
            "{promise:?} {insiders:?} {lines:?}"
        );
        assert_eq!(
            verification.attack_number().found,
            all.map(|size| size as u64)
        );
        let together = matches!(verification.rows_together(), Some(Verdict::Fails(_)));
        assert_eq!(together, !apart && split > 0);
        failed += u32::from(fails);
        held += u32::from(!fails);
    }
    assert!(failed > 100 && held > 100, "{failed} failed, {held} held");
}

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

//! What insiders can do: who counts as a victim, the examples of the theory, the paper's tables,
//! and what a verification against insiders says.

use crate::common::{entry, ratio, rng};
use mingle_model::{
    Cell, Codes, Column, ColumnSpec, Cube, Missing, Partition, Providers, Published, Role,
    SensitiveColumn, Table,
};
use mingle_privacy::{
    Attribute, Breach, Decision, Effort, Insiders, K, L, Limit, M, Promise, Reach, Requirement,
    Rule, Semantics, Strategy, Verdict, Verification, verify,
};
use rand::RngExt;
use std::sync::Arc;

fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

fn sensitive(rule: Rule) -> Promise {
    Promise {
        rule,
        attribute: Some(Attribute::Column(0)),
    }
}

fn distinct(l: u64) -> Promise {
    sensitive(Rule::distinct_diversity(L(l)))
}

fn entropy(l: u64) -> Promise {
    sensitive(Rule::entropy_diversity(ratio(l, 1)))
}

fn most(numerator: u64, denominator: u64) -> Promise {
    sensitive(Rule::max_frequency(ratio(numerator, denominator)))
}

/// Rows of quasi-identifier, sensitive value and provider.
fn published(rows: &[(&str, &str, &str)]) -> Published {
    let column = |name: &str, role, texts: Vec<&str>| {
        Column::from_texts(ColumnSpec::new(name, role), texts, &Missing::default())
            .ok()
            .unwrap()
    };
    let providers = Providers::new(rows.iter().map(|r| r.2.to_owned()).collect());
    let provider_of: Codes = rows.iter().map(|r| providers.id(r.2).unwrap().0).collect();
    let columns = vec![
        column(
            "age",
            Role::QuasiIdentifier,
            rows.iter().map(|r| r.0).collect(),
        ),
        column(
            "disease",
            Role::Sensitive,
            rows.iter().map(|r| r.1).collect(),
        ),
    ];
    Published::from_table(&Table {
        columns,
        providers,
        provider_of,
        person_of: None,
    })
}

fn checked(
    rows: &[(&str, &str, &str)],
    promises: &[Promise],
    insiders: Insiders,
    reach: Reach,
) -> Verification {
    verify(published(rows), promises, insiders, reach).unwrap()
}

/// One group: how often each provider has x, y and z.
fn decisions(promises: &[Promise], rows: &[[u64; 3]], m: u64) -> Vec<Decision> {
    let spec = ColumnSpec::new("disease", Role::Sensitive);
    let domain = Column::from_texts(spec, ["x", "y", "z"], &Missing::default())
        .ok()
        .unwrap()
        .domain;
    let columns = [SensitiveColumn {
        name: "disease".into(),
        domain,
        codes: (0..3).collect(),
    }];
    let requirement = Requirement::bind(promises, &columns, &[1, 1, 1])
        .unwrap()
        .against(Insiders::victim(M(1)));
    let of = |(provider, rows): (u32, &[u64; 3])| {
        [0, 1, 2].map(|s| entry(s, provider, rows[s as usize]))
    };
    let entries: Vec<_> = (0u32..)
        .zip(rows)
        .flat_map(of)
        .filter(|e| e.count > 0)
        .collect();
    let tally = requirement.tally(entries.iter().copied());
    let takes_part = |s: &Strategy| requirement.group_monotone() || !s.needs_monotone();
    let decide = |s: Strategy| s.decide(&requirement, &tally, M(m), &mut Effort::default());
    Strategy::ALL
        .into_iter()
        .filter(takes_part)
        .map(decide)
        .collect()
}

/// Whether the group is private, in the opinion of all strategies.
fn private(promises: &[Promise], rows: &[[u64; 3]], m: u64) -> bool {
    let decisions = decisions(promises, rows, m);
    let holds = decisions[0] == Decision::Holds;
    for decision in &decisions {
        assert!(!matches!(decision, Decision::Undecided(_)));
        assert_eq!(*decision == Decision::Holds, holds);
    }
    holds
}

#[test]
fn a_single_contributor_has_no_insider() {
    for m in [0, 1, 2, 50, u64::MAX] {
        assert!(private(&[k(4)], &[[4, 0, 0]], m) && !private(&[k(5)], &[[4, 0, 0]], m));
        assert!(
            private(&[k(2), distinct(2)], &[[1, 1, 0]], m)
                && !private(&[distinct(3)], &[[1, 1, 0]], m)
        );
        assert!(
            private(&[entropy(2)], &[[3, 3, 0]], m) && !private(&[entropy(2)], &[[3, 2, 0]], m)
        );
        assert!(
            private(&[most(1, 2)], &[[2, 2, 0]], m) && !private(&[most(1, 2)], &[[2, 1, 0]], m)
        );
    }
    let breach = Decision::Breach(
        0,
        Breach {
            coalition: vec![],
            left: 4,
            people_left: None,
        },
    );
    assert_eq!(decisions(&[k(5)], &[[4, 0, 0]], 3), vec![breach; 7]);
}

/// With at most m + 1 contributors every one of them must satisfy a monotone constraint alone.
#[test]
fn few_contributors_stand_alone() {
    let rows = [[3, 0, 0], [0, 3, 0], [1, 1, 1]];
    for m in [2, 3, 9] {
        assert!(private(&[k(3)], &rows, m) && !private(&[k(4)], &rows, m));
        assert!(!private(&[distinct(2)], &rows, m));
    }
    // with one insider less two are always left
    assert!(
        private(&[k(6), distinct(2)], &rows, 1)
            && !private(&[k(7)], &rows, 1)
            && !private(&[distinct(3)], &rows, 1)
    );
}

/// More rows can break m-privacy even for k: the paper's Theorem 2.1 does not hold where coalitions
/// leave out a victim.
#[test]
fn added_rows_can_expose_somebody() {
    assert!(private(&[k(4)], &[[4, 0, 0]], 1));
    assert!(!private(&[k(4)], &[[4, 0, 0], [1, 0, 0]], 1));
    let breach = Decision::Breach(
        0,
        Breach {
            coalition: vec![0],
            left: 1,
            people_left: None,
        },
    );
    assert_eq!(
        decisions(&[k(4)], &[[4, 0, 0], [1, 0, 0]], 1),
        vec![breach; 7]
    );
}

/// Two private groups together need not be, for constraints on proportions: C keeps only its 30 x.
#[test]
fn unions_can_expose_somebody() {
    let (first, second) = ([[1, 1, 1], [1, 1, 1]], [[30, 30, 0]]);
    assert!(private(&[entropy(2)], &first, 1) && private(&[entropy(2)], &second, 1));
    let together = [[1, 1, 1], [1, 1, 1], [30, 30, 0]];
    assert!(!private(&[entropy(2)], &together, 1) && private(&[entropy(2)], &together, 0));
    let found = decisions(&[entropy(2)], &together, 1);
    assert!(
        found
            .iter()
            .all(|d| matches!(d, Decision::Breach(0, b) if b.coalition == [2] && b.left > 6)),
        "{found:?}"
    );
}

/// A coalition may keep rows that help: taking out everything would leave x and y in equal parts.
#[test]
fn taking_out_less_can_be_more() {
    let rows = [[2, 2, 0], [1, 1, 0]];
    assert!(private(&[most(2, 3)], &[[1, 1, 0]], 1) && private(&[most(2, 3)], &[[2, 2, 0]], 1));
    assert!(!private(&[most(2, 3)], &rows, 1));
    assert!(private(&[most(3, 4)], &rows, 1) && !private(&[most(74, 100)], &rows, 1));
}

/// Each constraint is met by each subset iff all are met together.
#[test]
fn conjunctions_are_decided_part_by_part() {
    let rows = [[2, 1, 0], [1, 1, 1], [0, 1, 2]];
    for m in 0..3 {
        for (first, second) in [
            (k(6), distinct(3)),
            (k(4), distinct(2)),
            (k(7), distinct(1)),
            (k(1), distinct(3)),
        ] {
            let each = private(&[first], &rows, m) && private(&[second], &rows, m);
            assert_eq!(private(&[first, second], &rows, m), each);
        }
    }
}

const T_A: [(&str, &str, &str); 10] = [
    ("[20-30] *****", "Cancer", "P1"),
    ("[20-30] *****", "Asthma", "P1"),
    ("[20-30] *****", "Epilepsy", "P3"),
    ("[31-35] *****", "Asthma", "P1"),
    ("[31-35] *****", "Flu", "P2"),
    ("[31-35] *****", "Cancer", "P4"),
    ("[31-35] *****", "Asthma", "P4"),
    ("[36-40] *****", "Cancer", "P2"),
    ("[36-40] *****", "Flu", "P2"),
    ("[36-40] *****", "Flu", "P3"),
];

const T_B: [(&str, &str, &str); 10] = [
    ("[20-40] *****", "Cancer", "P1"),
    ("[20-40] *****", "Flu", "P2"),
    ("[20-40] *****", "Epilepsy", "P3"),
    ("[20-40] 987**", "Asthma", "P1"),
    ("[20-40] 987**", "Cancer", "P2"),
    ("[20-40] 987**", "Flu", "P3"),
    ("[20-40] 123**", "Asthma", "P1"),
    ("[20-40] 123**", "Cancer", "P4"),
    ("[20-40] 123**", "Asthma", "P4"),
    ("[20-40] 123**", "Flu", "P2"),
];

fn names(verification: &Verification) -> Vec<&str> {
    let witness = verification.witness().unwrap();
    witness
        .coalition
        .iter()
        .map(|&id| verification.published().providers().name(id))
        .collect()
}

/// The story of the paper's Table I: T_a is fine for the outsider, but P1 takes out its two records
/// and knows the third.
#[test]
fn the_tables_of_the_paper() {
    let alone = checked(
        &T_A,
        &[k(3), distinct(2)],
        Insiders::victim(M(0)),
        Reach::Everyone,
    );
    assert_eq!(
        (alone.verdict(), alone.attack_number().found),
        (&Verdict::Holds, Some(1))
    );
    let found = checked(
        &T_A,
        &[k(2), distinct(2)],
        Insiders::victim(M(1)),
        Reach::Stated,
    );
    let witness = found.witness().unwrap();
    assert_eq!(
        (witness.name, witness.group, witness.records_left),
        ("k-anonymity", 0, 1)
    );
    assert_eq!(names(&found), ["P1"]);
    // T_b withstands one insider for k = 2, not for k = 3 as the paper has it
    let good = checked(
        &T_B,
        &[k(2), distinct(2)],
        Insiders::victim(M(1)),
        Reach::Everyone,
    );
    assert_eq!(*good.verdict(), Verdict::Holds);
    assert_eq!(
        (good.attack_number().found, good.attack_number().open),
        (Some(2), false)
    );
    let three = checked(
        &T_B,
        &[k(3), distinct(2)],
        Insiders::victim(M(1)),
        Reach::Stated,
    );
    assert_eq!(three.witness().unwrap().records_left, 2);
    assert!(matches!(three.verdict(), Verdict::Fails(w) if w.coalition.len() == 1));
}

#[test]
fn the_attack_number_goes_beyond_what_is_stated() {
    // six providers with one row each
    let rows: Vec<_> = ["A", "B", "C", "D", "E", "F"]
        .iter()
        .map(|p| ("*", "flu", *p))
        .collect();
    for k_rows in 1..=6 {
        for m in 0..6 {
            let found = checked(&rows, &[k(k_rows)], Insiders::victim(M(m)), Reach::Everyone);
            let number = (k_rows > 1).then_some(7 - k_rows);
            assert_eq!(
                (found.attack_number().found, found.attack_number().open),
                (number, false)
            );
            assert_eq!(
                *found.verdict() == Verdict::Holds,
                number.is_none_or(|size| size > m),
                "k = {k_rows}, m = {m}"
            );
            let stated = checked(&rows, &[k(k_rows)], Insiders::victim(M(m)), Reach::Stated);
            assert_eq!(stated.verdict(), found.verdict());
            let within = number.filter(|&size| size <= m);
            assert_eq!(stated.attack_number().found, within);
            // whoever has not looked so far does not know
            assert_eq!(stated.attack_number().open, within.is_none() && m < 5);
        }
    }
}

#[test]
fn more_insiders_than_providers_change_nothing() {
    let rows = [
        ("*", "flu", "A"),
        ("*", "cold", "A"),
        ("*", "flu", "B"),
        ("*", "cold", "B"),
    ];
    for m in [1, 2, 3, u64::MAX] {
        assert_eq!(
            *checked(
                &rows,
                &[k(2), distinct(2)],
                Insiders::victim(M(m)),
                Reach::Everyone
            )
            .verdict(),
            Verdict::Holds
        );
        let three = checked(&rows, &[k(3)], Insiders::victim(M(m)), Reach::Everyone);
        assert_eq!(three.attack_number().found, Some(1));
    }
}

/// The smallest coalition wins, then the first constraint, then the first group, then the first
/// names.
#[test]
fn ties_between_witnesses() {
    let rows = [
        ("1", "flu", "C"),
        ("1", "cold", "D"),
        ("1", "gout", "E"),
        ("2", "flu", "A"),
        ("2", "flu", "B"),
        ("2", "cold", "C"),
        ("3", "flu", "B"),
        ("3", "cold", "C"),
        ("3", "cold", "D"),
    ];
    let witness = |promises: &[Promise]| {
        let found = checked(&rows, promises, Insiders::victim(M(2)), Reach::Everyone);
        let witness = found.witness().unwrap().clone();
        (
            witness.constraint,
            witness.group,
            names(&found).join(""),
            witness.records_left,
        )
    };
    // one provider makes all groups fail; in the first it is C, the first of equals
    assert_eq!(witness(&[k(3)]), (0, 0, "C".into(), 2));
    // only C, in the second group, and B, in the third, leave a single value
    assert_eq!(witness(&[distinct(2)]), (0, 1, "C".into(), 2));
    assert_eq!(witness(&[distinct(2), k(3)]), (0, 1, "C".into(), 2));
    assert_eq!(witness(&[k(3), distinct(2)]), (0, 0, "C".into(), 2));
    // a smaller coalition beats an earlier constraint
    assert_eq!(witness(&[k(2), distinct(2)]), (1, 1, "C".into(), 2));
    assert_eq!(witness(&[k(2), k(4)]), (1, 0, String::new(), 3));
    assert_eq!(witness(&[k(2)]), (0, 0, "CD".into(), 1));
}

#[test]
fn strict_semantics_asks_for_contributors() {
    let rows = [
        ("1", "flu", "A"),
        ("1", "cold", "B"),
        ("1", "flu", "C"),
        ("2", "flu", "A"),
        ("2", "cold", "B"),
    ];
    let strict = |m, site_diversity| {
        checked(
            &rows,
            &[k(1)],
            Insiders::strict(M(m), site_diversity),
            Reach::Everyone,
        )
    };
    // the second group has two contributors
    for (m, sites, enough) in [
        (0, 1, true),
        (1, 1, true),
        (0, 2, true),
        (1, 2, false),
        (2, 1, false),
        (0, 3, false),
    ] {
        let found = strict(m, sites);
        let asked = m + sites > 1;
        assert_eq!(found.site_diversity().is_some(), asked, "{m} + {sites}");
        assert_eq!(*found.verdict() == Verdict::Holds, enough, "{m} + {sites}");
        // nobody's record is told by it
        assert_eq!(
            (found.attack_number().found, found.attack_number().open),
            (None, false)
        );
        assert_eq!(found.verdicts(), [Verdict::Holds]);
        if !enough {
            let witness = found.witness().unwrap();
            assert_eq!(
                (witness.name, witness.constraint, witness.group),
                ("site-diversity", 1, 1)
            );
            assert!(witness.coalition.is_empty() && witness.records_left == 2);
        }
        assert_eq!(found.into_verified().is_ok(), enough);
    }
    // a breach counts more than too few contributors
    let both = checked(&rows, &[k(2)], Insiders::strict(M(1), 2), Reach::Stated);
    assert_eq!(both.witness().unwrap().name, "k-anonymity");
    assert!(matches!(both.site_diversity(), Some(Verdict::Fails(_))));
}

#[test]
fn strict_and_victim_differ_only_in_contributors() {
    let bind = |insiders: Insiders| {
        let domain = Column::from_texts(
            ColumnSpec::new("s", Role::Sensitive),
            ["x"],
            &Missing::default(),
        );
        let columns = [SensitiveColumn {
            name: "s".into(),
            domain: domain.ok().unwrap().domain,
            codes: (0..1).collect(),
        }];
        Requirement::bind(&[k(2)], &columns, &[1])
            .unwrap()
            .against(insiders)
    };
    let holds = |semantics: Semantics, m: u64, rows: &[u64]| {
        let requirement = bind(Insiders {
            semantics,
            ..Insiders::victim(M(m))
        });
        let entries: Vec<_> = (0u32..).zip(rows).map(|(p, &n)| entry(0, p, n)).collect();
        requirement.holds(&requirement.tally(entries.iter().copied()))
    };
    let strict = |site_diversity| Semantics::Strict { site_diversity };
    assert!(
        holds(Semantics::Victim, 3, &[2])
            && !holds(strict(1), 3, &[2])
            && !holds(strict(1), 3, &[2, 2, 2])
    );
    assert!(holds(strict(1), 3, &[2, 2, 2, 2]) && !holds(strict(2), 3, &[2, 2, 2, 2]));
    assert!(!holds(strict(1), 1, &[2, 1]) && !holds(Semantics::Victim, 1, &[2, 1]));
    assert!(holds(strict(2), 0, &[1, 1]) && !holds(strict(2), 0, &[2]));
}

/// Which of many rare values can be hidden is a hard question; what was not answered is neither yes
/// nor no.
#[test]
fn searches_that_are_cut_short_stay_open() {
    let mut rng = rng(9);
    let values: Vec<String> = (0..90).map(|v| format!("v{v}")).collect();
    let names: Vec<String> = (0..300).map(|p| format!("P{p:03}")).collect();
    let mut rows = Vec::new();
    for name in &names {
        (0..3).for_each(|_| {
            rows.push(("*", values[rng.random_range(0..90)].as_str(), name.as_str()))
        });
    }
    let found = checked(
        &rows,
        &[k(2), distinct(45)],
        Insiders::victim(M(190)),
        Reach::Stated,
    );
    assert_eq!(found.verdicts()[0], Verdict::Holds);
    assert!(matches!(
        found.verdicts()[1],
        Verdict::Undecided(Limit::SearchSteps(_))
    ));
    assert_eq!(*found.verdict(), found.verdicts()[1]);
    assert_eq!(
        (found.attack_number().found, found.attack_number().open),
        (None, true)
    );
    assert!(found.into_verified().is_err());
    // a failure elsewhere is a failure, though the attack number stays open
    let both = checked(
        &rows,
        &[distinct(45), k(400)],
        Insiders::victim(M(190)),
        Reach::Stated,
    );
    assert!(matches!(both.verdicts()[0], Verdict::Undecided(_)));
    assert!(both.attack_number().open && both.witness().is_some_and(|w| w.constraint == 1));
}

/// Ages of two providers' patients in one group with this label; ages from 10 to 100 have a grid of
/// 5.
fn labelled(ages: &[(&str, &str)], lo: i128, hi: i128, insiders: Insiders) -> Verification {
    let all: Vec<(&str, &str)> = [("10", "P1"), ("100", "P1")]
        .into_iter()
        .chain(ages.iter().copied())
        .collect();
    let spec = ColumnSpec::new("age", Role::QuasiIdentifier);
    let texts = all.iter().map(|(age, _)| *age);
    let column = Column::from_texts(spec, texts, &Missing::default())
        .ok()
        .unwrap();
    let providers = Providers::new(vec!["P1".into(), "P2".into()]);
    let table = Table {
        columns: vec![column],
        provider_of: all
            .iter()
            .map(|(_, name)| providers.id(name).unwrap().0)
            .collect(),
        providers,
        person_of: None,
    };
    let cube = Cube::new(table.clone());
    let domain = &cube.quasi_identifiers()[0].domain;
    let mut partition = Partition {
        group_of: Vec::new(),
        cells: vec![Cell::Between { lo, hi }, Cell::All],
    };
    for tuple in 0..cube.tuples() {
        let age = domain.number(cube.quasi_identifiers()[0].codes.get(tuple));
        let group = u32::from(age == Some(10) || age == Some(100));
        let records = cube.records_of(tuple).len();
        partition.group_of.extend(vec![group; records]);
    }
    let published =
        Published::from_partition(&Arc::new(cube.clone()), &partition, &Missing::default())
            .unwrap();
    verify(published, &[k(1)], insiders, Reach::Stated).unwrap()
}

/// The planted mistake of a maker that forgets to widen: counts are fine, the label is not.
#[test]
fn an_end_that_one_provider_attains_must_be_on_the_grid() {
    let one = Insiders::victim(M(1));
    let rows = [
        ("22", "P1"),
        ("24", "P1"),
        ("24", "P2"),
        ("29", "P1"),
        ("29", "P2"),
    ];
    let found = labelled(&rows, 22, 29, one);
    assert_eq!(*found.verdict(), Verdict::Holds);
    let end = found.narrow_end().unwrap();
    assert_eq!((end.column, end.upper, end.attained_by), (0, false, 1));
    assert_eq!(
        found.published().describe(end.group).collect::<Vec<_>>(),
        [("age", "[22-29]")]
    );
    assert!(found.into_verified().is_err());
    // on the grid, for readers without rows, or attained by both
    assert!(labelled(&rows, 20, 29, one).into_verified().is_ok());
    assert!(
        labelled(&rows, 22, 29, Insiders::NONE)
            .into_verified()
            .is_ok()
    );
    let both = [&rows[..], &[("22", "P2")]].concat();
    assert!(labelled(&both, 22, 29, one).into_verified().is_ok());
    // two insiders know more than one
    assert!(
        labelled(&both, 22, 29, Insiders::victim(M(2)))
            .into_verified()
            .is_err()
    );
    // an end that nobody attains tells as much when it is off the grid: widening put it nowhere
    assert!(labelled(&rows, 21, 29, one).into_verified().is_err());
    let upper = [("20", "P1"), ("20", "P2"), ("27", "P2")];
    let end = labelled(&upper, 20, 27, one).narrow_end().unwrap();
    assert_eq!((end.upper, end.attained_by), (true, 1));
    assert!(labelled(&upper, 20, 29, one).into_verified().is_ok());
    // a single value is no end
    let same = [("23", "P2"), ("23", "P2")];
    assert!(labelled(&same, 23, 23, one).into_verified().is_ok());
}

//! The reader of people with several rows, against every choice of a group's people one by one.

use super::*;
use crate::utility::example::{MISSING, table};
use mingle_model::{Codes, ColumnSpec, Cube, Kind, Role};
use mingle_privacy::oracle::people::{OraclePerson, OracleQuestion, OracleRow};
use mingle_privacy::{Attribute, K, Knows, L, M, Ratio, Rule};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Ages of somebody's visits with the diseases found there (0 is missing), the planned group and the
/// provider.
#[derive(Clone, Debug)]
struct Patient {
    visits: Vec<(u32, u32)>,
    group: u32,
    provider: u32,
}

fn patient(group: u32, visits: &[(u32, u32)]) -> Patient {
    Patient {
        visits: visits.to_vec(),
        group,
        provider: 0,
    }
}

fn spec(name: &str, role: Role, kind: Kind) -> ColumnSpec {
    ColumnSpec {
        kind: Some(kind),
        ..ColumnSpec::new(name, role)
    }
}

fn disease(value: u32) -> String {
    match value {
        0 => "?".to_owned(),
        value => format!("v{value}"),
    }
}

fn made(patients: &[Patient]) -> (Cube, Published) {
    let (mut original, mut released) = (Vec::new(), Vec::new());
    let mut whose = Vec::new();
    for (person, patient) in (0..).zip(patients) {
        let mut ages = Vec::new();
        for other in patients.iter().filter(|other| other.group == patient.group) {
            ages.extend(other.visits.iter().map(|visit| visit.0));
        }
        let (low, high) = (ages.iter().min().unwrap(), ages.iter().max().unwrap());
        let label = if low == high {
            low.to_string()
        } else {
            format!("[{low}-{high}]")
        };
        for &(age, value) in &patient.visits {
            let provider = format!("P{}", patient.provider);
            original.push(vec![age.to_string(), disease(value), provider.clone()]);
            released.push(vec![label.clone(), disease(value), provider]);
            whose.push(person);
        }
    }
    let read = |rows: &[Vec<String>], kind| {
        let specs = [
            spec("age", Role::QuasiIdentifier, kind),
            spec("disease", Role::Sensitive, Kind::Category),
        ];
        let mut table = table(&specs, rows);
        table.person_of = Some(whose.iter().copied().collect::<Codes>());
        table
    };
    let cube = Cube::new(read(&original, Kind::Integer));
    let published = Published::from_table(&read(&released, Kind::Category));
    (cube, published)
}

fn of_column(rule: Rule) -> Promise {
    Promise {
        rule,
        attribute: Some(Attribute::Column(0)),
    }
}

fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

fn played(patients: &[Patient], promises: &[Promise]) -> Minimality {
    let (cube, published) = made(patients);
    let joined = Joined::linked(&cube, &MISSING, &published).unwrap();
    let options = MinimalityOptions {
        promises,
        insiders: Insiders::NONE,
        sizes_alone: None,
        confidence: 0.9,
    };
    play(&joined, options).unwrap()
}

/// Her values as codes of the cube's column.
fn oracle_person(cube: &Cube, patient: &Patient) -> OraclePerson {
    let column = &cube.sensitive()[0];
    let code_of = |value: u32| {
        let missing = column.domain.missing();
        let mut codes = 0..column.domain.len() as u32;
        if value == 0 {
            return missing.unwrap();
        }
        let code =
            codes.find(|&code| Some(code) != missing && column.domain.text(code) == disease(value));
        code.unwrap()
    };
    let row = |&(_, value): &(u32, u32)| OracleRow {
        values: vec![code_of(value)],
        provider: 0,
    };
    OraclePerson {
        rows: patient.visits.iter().map(row).collect(),
        elsewhere: Vec::new(),
    }
}

fn any_rule() -> impl proptest::strategy::Strategy<Value = Rule> {
    prop_oneof![
        (1u64..4).prop_map(|l| Rule::distinct_diversity(L(l))),
        (1u64..5).prop_map(|n| Rule::max_frequency(Ratio::new(n, 4).unwrap())),
        ((1u64..5), (1u64..4))
            .prop_map(|(c, l)| Rule::recursive_diversity(Ratio::new(c, 2).unwrap(), L(l))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn draws_equal_every_choice_of_people(
        visits in prop::collection::vec(prop::collection::vec((30u32..32, 0u32..4), 1..4), 2..6),
        number in 1usize..5,
        rule in any_rule(),
    ) {
        let patients: Vec<Patient> = visits.iter().map(|own| patient(0, own)).collect();
        // somebody must have two rows: else each row is one person
        prop_assume!(patients.iter().any(|patient| patient.visits.len() > 1));
        let number = number.min(patients.len());
        let (cube, published) = made(&patients);
        let joined = Joined::linked(&cube, &MISSING, &published).unwrap();
        let holdings = Holdings::new(&joined);
        let promises = [of_column(rule)];
        let requirement = bound(&joined, &holdings, &promises).unwrap();
        let question = Question::new(&requirement, &holdings, holdings.largest());
        let draw = question.draw(&holdings.groups()[0], number as u64, 1);

        // every ordered choice of so many of the people, judged by the definition
        let people: Vec<OraclePerson> =
            patients.iter().map(|patient| oracle_person(&cube, patient)).collect();
        let asked = OracleQuestion {
            promise: &promises[0],
            sensitive: cube.sensitive(),
            table: &people,
            knows: Knows::People,
        };
        let (mut all, mut failing) = (0u32, 0u32);
        let mut first_has = vec![0u32; patients.len()];
        let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..number {
            let mut longer = Vec::new();
            for choice in &choices {
                for next in (0..patients.len()).filter(|next| !choice.contains(next)) {
                    longer.push([&choice[..], &[next]].concat());
                }
            }
            choices = longer;
        }
        for choice in choices {
            all += 1;
            let chosen: Vec<OraclePerson> = choice.iter().map(|&at| people[at].clone()).collect();
            if asked.smallest_breach(&chosen, 0).is_some() {
                failing += 1;
                first_has[choice[0]] += 1;
            }
        }
        prop_assert!(!draw.estimated);
        let expected = f64::from(failing) / f64::from(all);
        prop_assert!((draw.failing - expected).abs() < 1e-9, "{} for {expected}", draw.failing);
        let values: BTreeSet<u32> = visits.iter().flatten().map(|visit| visit.1).collect();
        for value in values {
            let has = |at: usize| patients[at].visits.iter().any(|visit| visit.1 == value);
            let with: u32 = (0..patients.len()).filter(|&at| has(at)).map(|at| first_has[at]).sum();
            let expected = if failing == 0 { 0.0 } else { f64::from(with) / f64::from(failing) };
            let column = &cube.sensitive()[0];
            let named = |code: u32| {
                let is_missing = column.domain.missing() == Some(code);
                if value == 0 { is_missing } else { !is_missing && column.domain.text(code) == disease(value) }
            };
            let mut found = 0.0;
            for (held, share) in holdings.groups()[0].iter().zip(&draw.shares) {
                if holdings.values(held.holding, 0).into_iter().any(named) {
                    found += share;
                }
            }
            prop_assert!((found - expected).abs() < 1e-9, "{value}: {found} for {expected}");
        }
    }
}

/// Five people seen at 30 and at 31, in one group with a few others, and five by themselves.
fn planted(first: [u32; 5]) -> Vec<Patient> {
    let mut patients = Vec::new();
    for (at, value) in (0..).zip(first) {
        // what else they have differs, so rows show many diseases
        patients.push(patient(0, &[(30, value), (31, 10 + at)]));
    }
    patients.push(patient(0, &[(32, 2)]));
    patients.push(patient(0, &[(33, 3)]));
    patients.push(patient(0, &[(34, 4)]));
    for value in 1..6 {
        patients.push(patient(1, &[(50, value), (51, value % 5 + 1)]));
    }
    patients
}

#[test]
fn a_release_that_must_be_broken_is() {
    let promises = [k(5), of_column(Rule::distinct_diversity(L(2)))];
    let found = played(&planted([1; 5]), &promises);
    let (play, target) = found.worst().unwrap();
    assert_eq!(
        (play.units, play.failing, play.flagged),
        (
            UnitTally {
                units: 2,
                people: 10
            },
            UnitTally {
                units: 1,
                people: 5
            },
            UnitTally {
                units: 1,
                people: 5
            }
        )
    );
    // five of the group's eight people have the first disease, and only together do they fail
    assert_eq!(
        target.inferred,
        Named {
            people: 5,
            right: 5
        }
    );
    let example = target.example.as_ref().unwrap();
    assert!((example.posterior[0] - 5.0 / 8.0).abs() < 1e-9);
    assert!((example.posterior[2] - 1.0).abs() < 1e-9);
}

#[test]
fn a_release_that_must_not_be_broken_is_not() {
    let promises = [k(5), of_column(Rule::distinct_diversity(L(2)))];
    // the same profiles with different diseases: merged because of the others
    let found = played(&planted([1, 2, 3, 4, 5]), &promises);
    let [play] = &found.plays[..] else {
        panic!("one rule was played")
    };
    assert_eq!(
        play.flagged,
        UnitTally {
            units: 1,
            people: 5
        }
    );
    assert_eq!((play.failing.units, play.cleared.units), (0, 1));
    assert_eq!(found.worst(), None);
}

#[test]
fn rows_taken_for_people_would_miss_it() {
    // five people share a disease, and each has two rows of another one at the same ages: of ten or
    // fifteen rows no two distinct values are missing
    let mut patients = Vec::new();
    for at in 0..5 {
        patients.push(patient(0, &[(30, 1), (30, 10 + at), (30, 20 + at)]));
    }
    for value in 2..6 {
        patients.push(patient(0, &[(32, value)]));
    }
    for value in 1..6 {
        patients.push(patient(1, &[(50, value), (50, value % 5 + 1)]));
    }
    let promises = [k(5), of_column(Rule::distinct_diversity(L(2)))];
    let found = played(&patients, &promises);
    assert_eq!(
        found.worst().unwrap().1.inferred,
        Named {
            people: 5,
            right: 5
        }
    );
    let mut each_row = Vec::new();
    for own in &patients {
        for &visit in &own.visits {
            each_row.push(patient(own.group, &[visit]));
        }
    }
    let by_rows = played(&each_row, &promises);
    assert_eq!(by_rows.plays[0].failing.units, 0);
    assert_eq!(by_rows.worst(), None);
}

#[test]
fn a_profile_that_stands_alone_is_not_flagged() {
    let promises = [k(2), of_column(Rule::distinct_diversity(L(2)))];
    let alone = [
        patient(0, &[(30, 1), (35, 2)]),
        patient(0, &[(30, 2), (35, 3)]),
        patient(0, &[(30, 4), (35, 4)]),
        patient(1, &[(40, 1)]),
        patient(1, &[(40, 2)]),
    ];
    let found = played(&alone, &promises);
    assert_eq!(found.plays[0].units.units, 2);
    assert_eq!(found.plays[0].flagged.units, 0);
    // somebody else under the same label, and the reader sees that they are no longer alone
    let mut joined = alone.to_vec();
    joined.push(patient(0, &[(31, 5)]));
    assert_eq!(played(&joined, &promises).plays[0].flagged.people, 3);
}

#[test]
fn coalitions_are_another_reason_to_merge() {
    // the fifth hides that the four others share a disease, except from her own provider
    let mut patients = planted([1, 1, 1, 1, 2]);
    patients[4].provider = 1;
    let (cube, published) = made(&patients);
    let joined = Joined::linked(&cube, &MISSING, &published).unwrap();
    let promises = [k(4), of_column(Rule::distinct_diversity(L(2)))];
    let mut found = Vec::new();
    for m in [0, 1] {
        let options = MinimalityOptions {
            promises: &promises,
            insiders: Insiders::victim(M(m)),
            sizes_alone: None,
            confidence: 0.9,
        };
        let play = play(&joined, options).unwrap().plays.remove(0);
        assert_eq!((play.flagged.units, play.flagged_failing.units), (1, 0));
        found.push(play.for_insiders.units);
    }
    assert_eq!(found, [0, 1]);
}

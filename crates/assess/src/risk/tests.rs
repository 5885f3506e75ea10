use super::*;
use mingle_model::{Codes, Column, ColumnSpec, Kind, Missing, Providers, Role, Table};
use mingle_privacy::{Ratio, RiskLimits};
use mingle_record::answer::ShownFinding;
use proptest::prelude::*;

/// One quasi-identifier with these labels, a row each.
fn published(name: &str, labels: &[&str]) -> Published {
    let spec = ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(name, Role::QuasiIdentifier)
    };
    let column = Column::from_texts(spec, labels.iter().copied(), &Missing::default())
        .ok()
        .unwrap();
    let provider_of: Codes = labels.iter().map(|_| 0).collect();
    Published::from_table(&Table {
        columns: vec![column],
        providers: Providers::new(vec!["p".into()]),
        provider_of,
        person_of: None,
    })
}

/// Row by row, as the definitions say it.
fn by_rows(labels: &[&str], population: &[&str]) -> (Vec<f64>, f64, f64, f64) {
    let among = |label: &str| population.iter().filter(|other| **other == label).count() as f64;
    let risks: Vec<f64> = labels.iter().map(|label| 1.0 / among(label)).collect();
    let highest = risks.iter().copied().fold(0.0, f64::max);
    let average = risks.iter().sum::<f64>() / risks.len() as f64;
    let mut groups: Vec<&str> = labels.to_vec();
    groups.sort_unstable();
    groups.dedup();
    let people: f64 = groups.iter().map(|label| among(label)).sum();
    (risks, highest, average, groups.len() as f64 / people)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn three_groups_by_hand() {
    let risk = risk(&published("q", &["a", "a", "a", "b", "b", "c"]));
    assert_eq!((risk.groups, risk.rows), (3, 6));
    assert_eq!(risk.prosecutor.highest, 1.0);
    assert_eq!(risk.prosecutor.average, 0.5);
    // 1/3 is not above 1/3, and 1/2 is not above 1/2
    let rows: Vec<u64> = risk
        .prosecutor
        .above
        .iter()
        .map(|above| above.rows)
        .collect();
    assert_eq!(rows, [6, 6, 6, 3, 1]);
    assert_eq!(risk.journalist, risk.prosecutor);
    assert_eq!(risk.marketer, 0.5);
    assert_eq!(risk.population, ShownPopulation::Release);
}

#[test]
fn thresholds_are_exact() {
    // a group of twenty is not above 1/20, nor one of three above 1/3
    for (size, expected) in [
        (20, [0, 0, 0, 0, 0]),
        (19, [19, 0, 0, 0, 0]),
        (5, [5, 5, 0, 0, 0]),
        (4, [4, 4, 4, 0, 0]),
        (3, [3, 3, 3, 0, 0]),
        (2, [2, 2, 2, 2, 0]),
    ] {
        let risk = risk(&published("q", &vec!["a"; size]));
        assert_eq!(
            risk.prosecutor
                .above
                .iter()
                .map(|a| a.rows)
                .collect::<Vec<_>>(),
            expected,
            "{size}"
        );
    }
}

#[test]
fn nobody_is_at_no_risk() {
    let risk = risk(&published("q", &[]));
    assert_eq!(
        (
            risk.prosecutor.highest,
            risk.prosecutor.average,
            risk.marketer
        ),
        (0.0, 0.0, 0.0)
    );
}

#[test]
fn a_population_hides_people() {
    let table = published("q", &["a", "b", "b"]);
    let people = published("q", &["a", "a", "a", "a", "b", "b", "c"]);
    let risk = risk_within(&table, &people).unwrap();
    assert_eq!(
        (risk.prosecutor.highest, risk.journalist.highest),
        (1.0, 0.5)
    );
    assert!(close(risk.marketer, (0.25 + 1.0) / 3.0));
    assert!(close(risk.journalist.average, (0.25 + 1.0) / 3.0));
    assert_eq!(risk.population, ShownPopulation::Table);
}

#[test]
fn what_is_no_population() {
    let table = published("q", &["a", "a", "b"]);
    for (people, problem) in [
        (published("r", &["a", "a", "b"]), PopulationProblem::Columns),
        (
            published("q", &["a", "a"]),
            PopulationProblem::Missing { groups: 1 },
        ),
        (
            published("q", &["a", "b"]),
            PopulationProblem::Smaller { groups: 1 },
        ),
        (
            published("q", &[]),
            PopulationProblem::Missing { groups: 2 },
        ),
    ] {
        assert_eq!(risk_within(&table, &people).unwrap_err(), problem);
    }
}

/// Limits from whole numbers, against rows counted one by one.
fn is_within(labels: &[&str], limit: (u64, u64), highest: bool) -> bool {
    let among = |label: &str| labels.iter().filter(|other| **other == label).count() as u64;
    // over a common denominator: nothing is rounded
    let common: u64 = (1..=30).fold(1, |n, f| if n % f == 0 { n } else { n * f / gcd(n, f) });
    let chances: Vec<u64> = labels.iter().map(|label| common / among(label)).collect();
    let (part, whole) = if highest {
        (*chances.iter().max().unwrap(), 1)
    } else {
        (chances.iter().sum(), labels.len() as u64)
    };
    u128::from(part) * u128::from(limit.1)
        <= u128::from(limit.0) * u128::from(common) * u128::from(whole)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn limits_are_read_from_a_policy_as_written() {
    let policy = serde_json::json!({
        "risk": { "maximum": 0.1, "average": 1, "journalist": { "maximum": 0.05 }, "marketer": 0.3333333333333333 }
    });
    let limits = limits_of(&serde_json::from_value(policy).unwrap());
    assert_eq!(limits.maximum, Ratio::new(1, 10));
    assert_eq!(limits.average, Ratio::new(1, 1));
    assert_eq!(limits.journalist_maximum, Ratio::new(1, 20));
    assert!(limits.marketer < Ratio::new(1, 3));
    assert_eq!(limits_of(&Default::default()), RiskLimits::default());
}

#[test]
fn what_nobody_can_know_is_stated() {
    let limits = RiskLimits {
        maximum: Ratio::new(1, 10),
        ..RiskLimits::default()
    };
    let judged = judge_limits(&limits, None);
    assert_eq!(judged.len(), 1);
    assert_eq!(
        (judged[0].found, judged[0].finding),
        (None, ShownFinding::Stated)
    );
    assert_eq!(judge_limits(&RiskLimits::default(), None), []);
}

#[test]
fn a_population_is_judged_by_its_own_figures() {
    let within = risk_within(
        &published("q", &["a", "b", "b"]),
        &published("q", &["a", "a", "a", "a", "b", "b", "c"]),
    );
    let half = Ratio::new(1, 2);
    let limits = RiskLimits {
        maximum: half,
        journalist_maximum: half,
        ..RiskLimits::default()
    };
    let findings: Vec<ShownFinding> = judge_limits(&limits, within.ok().as_ref())
        .iter()
        .map(|l| l.finding)
        .collect();
    assert_eq!(findings, [ShownFinding::Fails, ShownFinding::Holds]);
}

proptest! {
    #[test]
    fn limits_are_exact(
        labels in prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "d"]), 1..30),
        numerator in 1u64..=30, denominator in 1u64..=30,
    ) {
        let limit = Ratio::new(numerator, denominator);
        let limits = RiskLimits {
            maximum: limit, average: limit, journalist_maximum: limit, journalist_average: limit, marketer: limit,
        };
        let judged = judge_limits(&limits, Some(&risk(&published("q", &labels))));
        for (limit, highest) in judged.iter().zip([true, false, true, false, false]) {
            let holds = is_within(&labels, (numerator, denominator), highest);
            prop_assert_eq!(limit.finding == ShownFinding::Holds, holds);
        }
    }

    #[test]
    fn as_the_definitions_say(
        labels in prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "d"]), 1..30),
        others in prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "d", "e"]), 0..30),
    ) {
        let population: Vec<&str> = labels.iter().chain(&others).copied().collect();
        let alone = risk(&published("q", &labels));
        let (risks, highest, average, _) = by_rows(&labels, &labels);
        prop_assert!(close(alone.prosecutor.highest, highest) && close(alone.prosecutor.average, average));
        prop_assert!(close(alone.marketer, average));
        for above in &alone.prosecutor.above {
            let rows = risks.iter().filter(|r| **r > above.threshold + 1e-12).count() as u64;
            prop_assert_eq!((above.rows, above.share), (rows, rows as f64 / labels.len() as f64));
        }
        let within = risk_within(&published("q", &labels), &published("q", &population)).unwrap();
        let (_, highest, average, from_register) = by_rows(&labels, &population);
        prop_assert_eq!(&within.prosecutor, &alone.prosecutor);
        prop_assert!(close(within.journalist.highest, highest));
        prop_assert!(close(within.journalist.average, average.max(from_register)));
        prop_assert!(close(within.marketer, average));
        // the table standing for its population is an upper bound
        prop_assert!(within.journalist.highest <= alone.journalist.highest);
        prop_assert!(within.marketer <= alone.marketer + 1e-12);
    }
}

//! Verification of whole tables against the oracle, and what a verification says.

use crate::common::{ratio, rng};
use mingle_model::{Codes, Column, ColumnSpec, Kind, Missing, Providers, Published, Role, Table};
use mingle_privacy::{
    Attribute, Distance, Error, Insiders, K, L, Promise, Reach, Rule, Verdict, Verification,
    Witness, oracle,
};
use rand::{Rng, RngExt};

/// Rows of quasi-identifier, sensitive values and provider.
/// For the outsider.
fn verify(published: Published, promises: &[Promise]) -> Result<Verification, Error> {
    mingle_privacy::verify(published, promises, Insiders::NONE, Reach::Stated)
}

fn published(rows: &[(&str, &str, &str, &str)]) -> Published {
    let column = |name: &str, role, texts: Vec<&str>| {
        // a column of missing values only would be taken for a category
        let kind = Some(if name == "salary" {
            Kind::Integer
        } else {
            Kind::Category
        });
        let spec = ColumnSpec {
            kind,
            ..ColumnSpec::new(name, role)
        };
        Column::from_texts(spec, texts, &Missing::default())
            .ok()
            .unwrap()
    };
    let providers = Providers::new(rows.iter().map(|r| r.3.to_owned()).collect());
    let provider_of: Codes = rows.iter().map(|r| providers.id(r.3).unwrap().0).collect();
    let columns = vec![
        column(
            "zip",
            Role::QuasiIdentifier,
            rows.iter().map(|r| r.0).collect(),
        ),
        column(
            "disease",
            Role::Sensitive,
            rows.iter().map(|r| r.1).collect(),
        ),
        column(
            "salary",
            Role::Sensitive,
            rows.iter().map(|r| r.2).collect(),
        ),
    ];
    Published::from_table(&Table {
        columns,
        providers,
        provider_of,
        person_of: None,
    })
}

const HOSPITALS: [(&str, &str, &str, &str); 6] = [
    ("130**", "flu", "3", "A"),
    ("130**", "flu", "4", "B"),
    ("130**", "?", "5", "A"),
    ("148**", "cold", "3", "B"),
    ("148**", "cold", "4", "A"),
    ("2****", "flu", "5", "C"),
];

fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

fn diverse(l: u64) -> Promise {
    Promise {
        rule: Rule::distinct_diversity(L(l)),
        attribute: Some(Attribute::Column(0)),
    }
}

#[test]
fn what_a_verification_says() {
    let verification = verify(published(&HOSPITALS), &[k(1), diverse(2), k(2)]).unwrap();
    assert_eq!(
        (
            verification.groups(),
            verification.records(),
            verification.providers()
        ),
        (3, 6, 3)
    );
    let witness = |constraint, name, group, records_left| {
        Verdict::Fails(Witness {
            constraint,
            name,
            group,
            coalition: vec![],
            records_left,
            people_left: None,
        })
    };
    // flu and a missing value are one value
    let expected = [
        Verdict::Holds,
        witness(1, "distinct-l-diversity", 0, 3),
        witness(2, "k-anonymity", 2, 1),
    ];
    assert_eq!(verification.verdicts(), expected);
    assert_eq!(*verification.verdict(), expected[1]);
    assert_eq!(verification.witness().map(|w| w.constraint), Some(1));
    assert_eq!(
        expected.each_ref().map(Verdict::name),
        ["holds", "fails", "fails"]
    );
}

#[test]
fn only_what_holds_becomes_verified() {
    let verified = verify(published(&HOSPITALS), &[k(1), diverse(1)])
        .unwrap()
        .into_verified()
        .unwrap();
    assert_eq!(
        (verified.published().groups(), verified.promises()),
        (3, &[k(1), diverse(1)][..])
    );
    let verification = verify(published(&HOSPITALS), &[k(2)])
        .unwrap()
        .into_verified()
        .unwrap_err();
    assert_eq!(
        verification.witness().map(|w| (w.group, w.records_left)),
        Some((2, 1))
    );
    assert_eq!(verification.published().groups(), 3);
}

/// One value in half of very many rows and the others all different: entropy exactly at its
/// boundary, too long to decide.
#[test]
fn undecided_is_no() {
    let texts: Vec<String> = (0..1 << 18).map(|n| n.to_string()).collect();
    let mut rows = vec![("*", "common", "1", "A"); 1 << 18];
    rows.extend(texts.iter().map(|text| ("*", text.as_str(), "1", "A")));
    let entropy = |l| Promise {
        rule: Rule::entropy_diversity(l),
        attribute: Some(Attribute::Column(0)),
    };
    let tie = entropy(ratio(1 << 10, 1));
    let verification = verify(published(&rows), &[tie, k(1)]).unwrap();
    assert!(matches!(
        verification.verdicts(),
        [Verdict::Undecided(_), Verdict::Holds]
    ));
    assert_eq!(
        (verification.verdict().name(), verification.witness()),
        ("undecided", None)
    );
    assert!(verification.into_verified().is_err());
    // a failure says more than a limit, wherever it stands
    let verification = verify(published(&rows), &[tie, k(1 << 30)]).unwrap();
    assert_eq!(verification.witness().map(|w| w.constraint), Some(1));
}

#[test]
fn nothing_to_verify_is_an_error() {
    assert_eq!(verify(published(&[]), &[k(1)]).unwrap_err(), Error::Empty);
    assert_eq!(
        verify(published(&HOSPITALS), &[]).unwrap_err(),
        Error::NothingPromised
    );
    let t = Rule::t_closeness(ratio(1, 2), Distance::Ordered);
    let promise = |column| Promise {
        rule: t,
        attribute: Some(Attribute::Column(column)),
    };
    let unordered = Error::Unordered {
        column: "disease".into(),
    };
    assert_eq!(
        verify(published(&HOSPITALS), &[k(1), promise(0)]).unwrap_err(),
        unordered
    );
    assert!(verify(published(&HOSPITALS), &[k(1), promise(1)]).is_ok());
}

#[test]
fn a_table_without_sensitive_columns_has_sizes() {
    let spec = ColumnSpec::new("zip", Role::QuasiIdentifier);
    let column = Column::from_texts(spec, ["a", "a", "b"], &Missing::default())
        .ok()
        .unwrap();
    let providers = Providers::new(vec!["A".into()]);
    let provider_of = [0, 0, 0].into_iter().collect();
    let table = Published::from_table(&Table {
        columns: vec![column],
        providers,
        provider_of,
        person_of: None,
    });
    let verification = verify(table, &[k(2)]).unwrap();
    assert_eq!(
        verification.witness().map(|w| (w.group, w.records_left)),
        Some((1, 1))
    );
}

fn random_promises(rng: &mut impl Rng) -> Vec<Promise> {
    let attribute = |rng: &mut dyn Rng| match rng.random_range(0..3) {
        0 => Attribute::Joint,
        n => Attribute::Column(n - 1),
    };
    let share = |rng: &mut dyn Rng| ratio(rng.random_range(1..=6), 6);
    let promise = |rng: &mut dyn Rng| {
        let some = attribute(rng);
        let (rule, attribute) = match rng.random_range(0..7) {
            0 => (Rule::k_anonymity(K(rng.random_range(1..4))), None),
            1 => (
                Rule::distinct_diversity(L(rng.random_range(1..3))),
                Some(some),
            ),
            2 => (
                Rule::entropy_diversity(ratio(rng.random_range(2..6), 2)),
                Some(some),
            ),
            3 => (
                Rule::recursive_diversity(ratio(rng.random_range(1..8), 2), L(2)),
                Some(some),
            ),
            4 => (Rule::max_frequency(share(rng)), Some(some)),
            5 => (Rule::t_closeness(share(rng), Distance::Equal), Some(some)),
            _ => {
                let rule = Rule::t_closeness(share(rng), Distance::Ordered);
                (rule, Some(Attribute::Column(1)))
            }
        };
        Promise { rule, attribute }
    };
    (0..rng.random_range(1..4)).map(|_| promise(rng)).collect()
}

#[test]
fn verdicts_and_witnesses_are_those_of_the_oracle() {
    let mut rng = rng(81);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..3_000 {
        let pick =
            |rng: &mut dyn Rng, texts: &[&'static str]| texts[rng.random_range(0..texts.len())];
        let rows: Vec<_> = (0..rng.random_range(1..12))
            .map(|_| {
                let qi = pick(&mut rng, &["[20-29]", "[30-39]", "*"]);
                let disease = pick(&mut rng, &["flu", "cold", "?"]);
                (
                    qi,
                    disease,
                    pick(&mut rng, &["3", "4", "11", "?"]),
                    pick(&mut rng, &["A", "B"]),
                )
            })
            .collect();
        let promises = random_promises(&mut rng);
        let failures = oracle::failures(&published(&rows), &promises);
        let verification = verify(published(&rows), &promises).unwrap();
        let found = verification.witness().map(|w| (w.constraint, w.group));
        assert_eq!(found, failures.first().copied());
        for (constraint, verdict) in verification.verdicts().iter().enumerate() {
            let first = failures.iter().find(|f| f.0 == constraint).map(|f| f.1);
            let group = if let Verdict::Fails(witness) = verdict {
                Some(witness.group)
            } else {
                None
            };
            assert_eq!(group, first);
        }
        let size = verification
            .witness()
            .map(|w| verification.published().size(w.group));
        assert_eq!(verification.witness().map(|w| w.records_left), size);
        assert_eq!(verification.into_verified().is_ok(), failures.is_empty());
        *(if failures.is_empty() {
            &mut good
        } else {
            &mut bad
        }) += 1;
    }
    assert!(good > 300 && bad > 300, "{good} good, {bad} bad");
}

/// Two million groups in a few seconds, even without optimization: `cargo test -- --ignored`.
#[test]
#[ignore = "takes a while to make the table"]
fn two_million_groups() {
    let rows = 6_000_000u32;
    let column = |name: &str, role, texts: Vec<&str>| {
        Column::from_texts(ColumnSpec::new(name, role), texts, &Missing::default())
            .ok()
            .unwrap()
    };
    let groups: Vec<String> = (0..rows / 3).map(|g| g.to_string()).collect();
    let values: Vec<String> = (0..100).map(|v| v.to_string()).collect();
    let of = |row: u32| values[(row.wrapping_mul(2_654_435_761) >> 8) as usize % 100].as_str();
    let columns = vec![
        column(
            "zip",
            Role::QuasiIdentifier,
            (0..rows).map(|r| groups[r as usize / 3].as_str()).collect(),
        ),
        column("salary", Role::Sensitive, (0..rows).map(of).collect()),
    ];
    let providers = Providers::new(vec!["A".into(), "B".into()]);
    let table = Table {
        columns,
        providers,
        provider_of: (0..rows).map(|r| r % 2).collect(),
        person_of: None,
    };
    let published = Published::from_table(&table);
    let rules = [
        Rule::k_anonymity(K(3)),
        Rule::distinct_diversity(L(1)),
        Rule::entropy_diversity(ratio(1, 1)),
        Rule::recursive_diversity(ratio(3, 1), L(1)),
        Rule::max_frequency(ratio(1, 1)),
        Rule::t_closeness(ratio(1, 1), Distance::Equal),
        Rule::t_closeness(ratio(1, 1), Distance::Ordered),
    ];
    let promises = rules.map(|rule| Promise {
        rule,
        attribute: Some(Attribute::Column(0)),
    });
    let start = std::time::Instant::now();
    let verification = verify(published, &promises).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(
        (verification.groups(), verification.verdict()),
        (2_000_000, &Verdict::Holds)
    );
    assert!(seconds < 10.0, "{seconds} s");
}

//! Promises that do not fit are refused, with a reason.

use crate::common::ratio;
use mingle_model::{Codes, Column, ColumnSpec, Missing, Role, SensitiveColumn};
use mingle_privacy::{Attribute, Distance, Error, K, L, Promise, Ratio, Requirement, Rule};

fn column(name: &str, texts: &[&str]) -> SensitiveColumn {
    let spec = ColumnSpec::new(name, Role::Sensitive);
    let column = Column::from_texts(spec, texts.iter().copied(), &Missing::default())
        .ok()
        .unwrap();
    SensitiveColumn {
        name: name.into(),
        codes: column.codes,
        domain: column.domain,
    }
}

fn refused(rule: Rule, attribute: Option<Attribute>) -> Error {
    let sensitive = [column("disease", &["flu", "cold", "flu"])];
    Requirement::bind(&[Promise { rule, attribute }], &sensitive, &[1, 1, 1]).unwrap_err()
}

#[test]
fn parameters_out_of_range() {
    let huge = Ratio::from(2);
    let zero = Ratio::from(0);
    let t = |max| Rule::t_closeness(max, Distance::Equal);
    for (rule, named, message) in [
        (
            Rule::k_anonymity(K(0)),
            "k",
            "k-anonymity: k must be at least 1",
        ),
        (
            Rule::distinct_diversity(L(0)),
            "l",
            "distinct-l-diversity: l must be at least 1",
        ),
        (
            Rule::entropy_diversity(ratio(99, 100)),
            "l",
            "entropy-l-diversity: l must be at least 1",
        ),
        (
            Rule::recursive_diversity(zero, L(2)),
            "c",
            "recursive-l-diversity: c must be above 0",
        ),
        (
            Rule::recursive_diversity(huge, L(0)),
            "l",
            "recursive-l-diversity: l must be at least 1",
        ),
        (
            Rule::max_frequency(zero),
            "max-frequency",
            "max-frequency: max-frequency must be above 0, at most 1",
        ),
        (
            Rule::max_frequency(huge),
            "max-frequency",
            "max-frequency: max-frequency must be above 0, at most 1",
        ),
        (
            t(ratio(101, 100)),
            "t",
            "t-closeness: t must be between 0 and 1",
        ),
    ] {
        let error = refused(rule, Some(Attribute::Column(0)));
        assert!(
            matches!(error, Error::Parameter { parameter, .. } if parameter == named),
            "{error}"
        );
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn the_ends_of_the_ranges_are_fine() {
    let one = Ratio::from(1);
    let sensitive = [column("disease", &["flu", "cold"])];
    for rule in [
        Rule::k_anonymity(K(1)),
        Rule::distinct_diversity(L(u64::MAX)),
        Rule::entropy_diversity(one),
        Rule::recursive_diversity(ratio(1, u64::MAX), L(1)),
        Rule::max_frequency(one),
        Rule::t_closeness(one, Distance::Equal),
        Rule::t_closeness(Ratio::from(0), Distance::Equal),
    ] {
        let promise = Promise {
            rule,
            attribute: Some(Attribute::Joint),
        };
        assert!(
            Requirement::bind(&[promise], &sensitive, &[1, 1]).is_ok(),
            "{rule:?}"
        );
    }
}

#[test]
fn attributes_that_are_not_there() {
    let rule = Rule::distinct_diversity(L(2));
    let constraint = "distinct-l-diversity";
    assert_eq!(refused(rule, None), Error::NoAttribute { constraint });
    assert_eq!(
        refused(rule, Some(Attribute::Column(1))),
        Error::UnknownAttribute {
            constraint,
            attributes: 1
        }
    );
    let joint = Promise {
        rule,
        attribute: Some(Attribute::Joint),
    };
    let error = Requirement::bind(&[joint], &[], &[3]).unwrap_err();
    assert_eq!(
        error,
        Error::UnknownAttribute {
            constraint,
            attributes: 0
        }
    );
    let k = Promise {
        rule: Rule::k_anonymity(K(2)),
        attribute: None,
    };
    assert!(Requirement::bind(&[k], &[], &[3]).is_ok());
}

#[test]
fn distances_that_do_not_fit() {
    let t = |distance| Rule::t_closeness(Ratio::from(0), distance);
    let disease = || "disease".to_owned();
    let first = Some(Attribute::Column(0));
    assert_eq!(
        refused(t(Distance::Ordered), first),
        Error::Unordered { column: disease() }
    );
    assert_eq!(
        refused(t(Distance::Hierarchical), first),
        Error::NoHierarchy { column: disease() }
    );
    for distance in [Distance::Ordered, Distance::Hierarchical] {
        let expected = Error::JointDistance {
            distance: distance.name(),
        };
        assert_eq!(refused(t(distance), Some(Attribute::Joint)), expected);
    }
}

#[test]
fn counts_of_another_table() {
    let sensitive = [column("disease", &["flu", "cold"])];
    let bind = |table: &[u64]| Requirement::bind(&[], &sensitive, table).unwrap_err();
    assert_eq!(
        bind(&[1]),
        Error::Shape {
            expected: 2,
            found: 1
        }
    );
    assert_eq!(bind(&[0, 0]), Error::Empty);
    assert_eq!(bind(&[u64::MAX, 1]), Error::TooManyRows);
    let mut uneven = [
        column("disease", &["flu", "cold"]),
        column("job", &["a", "b"]),
    ];
    uneven[1].codes = [0].into_iter().collect::<Codes>();
    assert!(matches!(
        Requirement::bind(&[], &uneven, &[1, 1]),
        Err(Error::Shape { .. })
    ));
}

#[test]
fn names_are_those_of_the_design() {
    let one = Ratio::from(1);
    let rules = [
        (Rule::k_anonymity(K(1)), "k-anonymity"),
        (Rule::distinct_diversity(L(1)), "distinct-l-diversity"),
        (Rule::entropy_diversity(one), "entropy-l-diversity"),
        (
            Rule::recursive_diversity(one, L(1)),
            "recursive-l-diversity",
        ),
        (Rule::max_frequency(one), "max-frequency"),
        (Rule::t_closeness(one, Distance::Equal), "t-closeness"),
    ];
    for (rule, name) in rules {
        assert_eq!(
            Promise {
                rule,
                attribute: None
            }
            .name(),
            name
        );
    }
}

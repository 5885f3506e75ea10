use super::*;
use mingle_model::{Codes, Column, ColumnSpec, Kind, Missing, Providers, Role, Table};

/// Rows of a label and a sensitive value.
fn published(kind: Kind, rows: &[(&str, &str)]) -> Published {
    let column = |name: &str, role, kind, texts: Vec<&str>| {
        let spec = ColumnSpec {
            kind: Some(kind),
            ..ColumnSpec::new(name, role)
        };
        Column::from_texts(spec, texts, &Missing::new(vec!["?".into()]))
            .ok()
            .unwrap()
    };
    let labels = column(
        "q",
        Role::QuasiIdentifier,
        Kind::Category,
        rows.iter().map(|r| r.0).collect(),
    );
    let values = column(
        "s",
        Role::Sensitive,
        kind,
        rows.iter().map(|r| r.1).collect(),
    );
    let provider_of: Codes = rows.iter().map(|_| 0).collect();
    let providers = Providers::new(vec!["p".into()]);
    Published::from_table(&Table {
        columns: vec![labels, values],
        providers,
        provider_of,
        person_of: None,
    })
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn two_groups_by_hand() {
    let rows = [
        ("a", "x"),
        ("a", "x"),
        ("a", "y"),
        ("a", "z"),
        ("b", "x"),
        ("b", "y"),
    ];
    let found = &balance(&published(Kind::Category, &rows), &[])[0];
    assert_eq!((found.fewest_distinct, found.largest_share), (2, 0.5));
    assert!(close(found.smallest_entropy_l, 2.0));
    // the table is x 1/2, y 1/3, z 1/6: a is (1/2, 1/4, 1/4), b is (1/2, 1/2, 0)
    assert!(
        close(found.largest_distance, 1.0 / 6.0),
        "{}",
        found.largest_distance
    );
    assert_eq!(
        (found.distance.as_str(), found.promised_distance),
        ("equal", None)
    );
    assert_eq!(
        found
            .distinct
            .iter()
            .map(|bin| (bin.from, bin.groups, bin.rows))
            .collect::<Vec<_>>(),
        [(2, 1, 2), (3, 1, 4)]
    );
    assert_eq!(
        found.shares.iter().map(|share| share.groups).sum::<u64>(),
        2
    );
    assert_eq!(found.entropy.iter().map(|share| share.rows).sum::<u64>(), 6);
}

#[test]
fn missing_values_do_not_make_a_group_diverse() {
    let found = &balance(
        &published(Kind::Category, &[("a", "x"), ("a", "?"), ("a", "?")]),
        &[],
    )[0];
    assert_eq!(found.fewest_distinct, 1);
    assert!(close(found.largest_share, 2.0 / 3.0));
    assert!(found.smallest_entropy_l > 1.0);
    let none = &balance(&published(Kind::Category, &[("a", "?")]), &[])[0];
    assert_eq!((none.fewest_distinct, none.largest_distance), (0, 0.0));
}

#[test]
fn numbers_are_compared_in_order_and_promises_as_promised() {
    let rows = [("a", "1"), ("a", "2"), ("b", "3"), ("b", "4")];
    let table = published(Kind::Integer, &rows);
    let ordered = &balance(&table, &[])[0];
    assert_eq!(ordered.distance, "ordered");
    // Σ |P − Q| over the steps, over three: (1/4 + 1/2 + 1/4) / 3
    assert!(
        close(ordered.largest_distance, 1.0 / 3.0),
        "{}",
        ordered.largest_distance
    );
    let rule = mingle_privacy::Rule::t_closeness(Ratio::parse("0.7").unwrap(), Distance::Equal);
    let promise = Promise {
        rule,
        attribute: Some(Attribute::Column(0)),
    };
    let equal = &balance(&table, &[promise])[0];
    assert_eq!(
        (equal.distance.as_str(), equal.promised_distance),
        ("equal", Some(0.7))
    );
    assert!(close(equal.largest_distance, 0.5));
    // a promise about another column is none about this one
    let other = Promise {
        attribute: Some(Attribute::Column(1)),
        ..promise
    };
    assert_eq!(balance(&table, &[other])[0].promised_distance, None);
    assert_eq!(
        of_attribute(&table, 0, &[other], 1).promised_distance,
        Some(0.7)
    );
}

#[test]
fn ends_belong_to_the_last_range() {
    let shares = spread([(0.0, 1), (0.05, 1), (1.0, 1)].into_iter(), 0.0, 1.0, 20);
    assert_eq!(
        (shares[0].groups, shares[1].groups, shares[19].groups),
        (1, 1, 1)
    );
}

#[test]
fn nobody_and_nothing() {
    let empty = balance(&published(Kind::Category, &[]), &[]);
    assert_eq!(
        (
            empty[0].fewest_distinct,
            empty[0].largest_share,
            empty[0].smallest_entropy_l
        ),
        (0, 0.0, 0.0)
    );
}

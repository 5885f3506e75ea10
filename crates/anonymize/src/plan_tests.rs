//! Whoever is left out leaves no trace in the labels of the others.

use super::*;
use crate::LabelForm;
use mingle_model::{
    Column, ColumnSpec, HierarchySource, Kind, Missing, Providers, Published, Role, Table,
};
use mingle_privacy::{Insiders, K, M, Promise, Rule};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Age, size, zip, job and the number of the row, which is its sensitive value.
type Row = [String; 5];

const SIZES: [&str; 6] = ["XS", "S", "M", "L", "XL", "XXL"];

fn random_row(rng: &mut ChaCha8Rng, number: usize) -> Row {
    let age = rng.random_range(20..60);
    let decimals = ["", ".5"][rng.random_range(0..2)];
    [
        format!("{age}{decimals}"),
        SIZES[rng.random_range(1..4)].to_owned(),
        format!("{}", rng.random_range(100..140)),
        ["a", "b", "c"][rng.random_range(0..3)].to_owned(),
        number.to_string(),
    ]
}

/// Somebody whom every label would show, if it showed people who are left out.
fn odd_row(rng: &mut ChaCha8Rng, number: usize) -> Row {
    let ages = ["98765432", "-5000", "33.1234567", "61"];
    [
        ages[rng.random_range(0..ages.len())].to_owned(),
        SIZES[rng.random_range(0..SIZES.len())].to_owned(),
        format!("{}", rng.random_range(100..300)),
        ["a", "x", "b", "y"][rng.random_range(0..4)].to_owned(),
        number.to_string(),
    ]
}

fn cube(rows: &[&Row]) -> Cube {
    let order = Some(SIZES.map(str::to_owned).to_vec());
    let spec = |name: &str, kind| ColumnSpec {
        kind: Some(kind),
        ..ColumnSpec::new(name, Role::QuasiIdentifier)
    };
    let specs = [
        spec("age", Kind::Decimal),
        ColumnSpec {
            order,
            ..spec("size", Kind::Category)
        },
        ColumnSpec {
            hierarchy: Some(HierarchySource::Mask(3)),
            ..spec("zip", Kind::Category)
        },
        spec("job", Kind::Category),
        ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new("number", Role::Sensitive)
        },
    ];
    let mut columns = Vec::new();
    for (at, spec) in specs.into_iter().enumerate() {
        let texts = rows.iter().map(|row| row[at].as_str());
        let column = Column::from_texts(spec, texts, &Missing::default());
        columns.push(column.expect("texts fit their kind"));
    }
    let providers = Providers::new(vec!["A".into(), "B".into(), "C".into()]);
    let number = |row: &&Row| row[4].parse::<u32>().expect("a number");
    Cube::new(Table {
        columns,
        providers,
        provider_of: rows.iter().map(|row| number(row) % 3).collect(),
        person_of: None,
    })
}

/// The published labels by the number of the row, with everybody of `group_of` in a group.
fn labels(
    cube: &Cube,
    group_of: &BTreeMap<String, usize>,
    insiders: Insiders,
    options: &MethodOptions,
) -> BTreeMap<String, Vec<String>> {
    let k = Promise {
        rule: Rule::k_anonymity(K(2)),
        attribute: None,
    };
    let counts = vec![1; cube.sensitive()[0].codes.len()];
    let requirement = Requirement::bind(&[k], cube.sensitive(), &counts).expect("k is in range");
    let requirement = requirement.against(insiders);
    let mut groups = vec![Vec::new(); group_of.values().max().map_or(0, |most| most + 1)];
    let number_of = |record: usize| {
        let sensitive = &cube.sensitive()[0];
        let code = sensitive
            .codes
            .get(cube.records()[record].sensitive as usize);
        sensitive.domain.text(code).to_owned()
    };
    for record in 0..cube.records().len() {
        if let Some(&group) = group_of.get(&number_of(record)) {
            groups[group].push(record as u32);
        }
    }
    let partition = of_records(cube, &requirement, options, &groups, &tuple_of_record(cube));
    let published =
        Published::from_partition(&Arc::new(cube.clone()), &partition, &Missing::default());
    let published = published.expect("labels cover their groups");
    let mut labels = BTreeMap::new();
    for (record, &group) in published.group_of().iter().enumerate() {
        if group != Partition::SUPPRESSED {
            let described = published.describe(group as usize);
            let texts = described.map(|(_, label)| label.to_owned()).collect();
            labels.insert(number_of(record), texts);
        }
    }
    labels
}

#[test]
fn who_is_left_out_shows_in_nobodys_label() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let mut widened = 0;
    for round in 0..200 {
        let mut rows: Vec<Row> = Vec::new();
        for number in 0..rng.random_range(12..60) {
            rows.push(random_row(&mut rng, number));
        }
        let kept = rows.len();
        for number in 0..rng.random_range(1..4) {
            rows.push(odd_row(&mut rng, kept + number));
        }
        let mut group_of = BTreeMap::new();
        for (place, row) in rows[..kept].iter().enumerate() {
            group_of.insert(row[4].clone(), place / 6);
        }
        let all: Vec<&Row> = rows.iter().collect();
        let (everybody, published_only) = (cube(&all), cube(&all[..kept]));
        for form in [LabelForm::Hierarchy, LabelForm::Sets] {
            let options = MethodOptions {
                labels: form,
                ..MethodOptions::default()
            };
            let insiders = Insiders::victim(M(rng.random_range(0..3)));
            let found = labels(&everybody, &group_of, insiders, &options);
            let alone = labels(&published_only, &group_of, insiders, &options);
            assert_eq!(found, alone, "round {round}, {form:?}, {insiders:?}");
            widened += usize::from(insiders.m > M(0));
        }
    }
    assert!(widened > 100, "{widened} rounds against insiders");
}

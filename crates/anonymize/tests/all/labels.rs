//! What is published of categories: sets that can be read, runs where there is an order, nodes
//! where sets are too long. Checked from the texts, with a reader of sets of its own.

use crate::common::{EncodeTexts, bind, publish};
use mingle_anonymize::{LabelForm, METHODS, MethodOptions, Ranges};
use mingle_model::{
    Column, ColumnSpec, Cube, HierarchySource, Kind, Providers, Published, Role, Table,
};
use mingle_privacy::{Insiders, K, M, Promise, Rule};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// Which column the grades are.
const GRADE: usize = 1;

/// Not in the order of their texts.
const GRADES: [&str; 12] = [
    "none", "trace", "faint", "light", "mild", "medium", "firm", "high", "heavy", "great",
    "severe", "deadly",
];

fn spec(name: &str, role: Role) -> ColumnSpec {
    ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(name, role)
    }
}

/// A category, an ordered one and one with a hierarchy, some values of the first two missing.
fn table(rng: &mut ChaCha8Rng, rows: usize) -> Table {
    let mut city = Vec::new();
    let mut grade = Vec::new();
    let mut zip = Vec::new();
    for _ in 0..rows {
        let missing = rng.random_range(0..20) == 0;
        let drawn = rng.random_range(0..15) * rng.random_range(0..15) / 14;
        city.push(if missing {
            String::new()
        } else {
            format!("city {drawn}")
        });
        let missing = rng.random_range(0..20) == 0;
        let drawn = GRADES[rng.random_range(0..12)];
        grade.push(if missing {
            "?".to_owned()
        } else {
            drawn.to_owned()
        });
        zip.push(format!("{}", 100 + rng.random_range(0..40)));
    }
    let ordered = ColumnSpec {
        order: Some(GRADES.map(str::to_owned).to_vec()),
        ..spec("grade", Role::QuasiIdentifier)
    };
    let masked = ColumnSpec {
        hierarchy: Some(HierarchySource::Mask(3)),
        ..spec("zip", Role::QuasiIdentifier)
    };
    let illness: Vec<String> = (0..rows).map(|row| format!("ill {}", row % 3)).collect();
    let columns = vec![
        Column::encode_texts(spec("city", Role::QuasiIdentifier), &city),
        Column::encode_texts(ordered, &grade),
        Column::encode_texts(masked, &zip),
        Column::encode_texts(spec("illness", Role::Sensitive), &illness),
    ];
    Table {
        columns,
        providers: Providers::new(vec!["A".into(), "B".into()]),
        provider_of: (0..rows).map(|_| rng.random_range(0..2)).collect(),
        person_of: None,
    }
}

/// What a label lists; `None` for `*` and for nodes of a hierarchy.
fn listed(label: &str) -> Option<Vec<&str>> {
    if label.contains('*') {
        return None;
    }
    match label
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
    {
        None => Some(vec![label]),
        Some(values) => Some(values.split('|').collect()),
    }
}

/// Per published group the values that its rows have in a column.
fn values_of_groups<'a>(
    cube: &'a Cube,
    published: &Published,
    column: usize,
) -> Vec<BTreeSet<&'a str>> {
    let qi = &cube.quasi_identifiers()[column];
    let mut values = vec![BTreeSet::new(); published.groups()];
    for tuple in 0..cube.tuples() {
        for record in cube.records_of(tuple) {
            let group = published.group_of()[record] as usize;
            values[group].insert(qi.domain.text(qi.codes.get(tuple)));
        }
    }
    values
}

/// The smallest run that has these grades, of those that occur in the table, and the missing value
/// if it is there.
fn run<'a>(cube: &'a Cube, values: &BTreeSet<&str>) -> BTreeSet<&'a str> {
    let domain = &cube.quasi_identifiers()[GRADE].domain;
    let occurring: Vec<&str> = (0..domain.len() as u32).map(|c| domain.text(c)).collect();
    let mut run = BTreeSet::new();
    let mut ahead = Vec::new();
    for grade in GRADES {
        let Some(grade) = occurring.iter().find(|&&text| text == grade) else {
            continue;
        };
        // who comes after the first and before the last is in between
        if values.contains(grade) {
            run.extend(ahead.drain(..));
            run.insert(*grade);
        } else if !run.is_empty() {
            ahead.push(*grade);
        }
    }
    run.extend(
        occurring
            .iter()
            .filter(|text| text.is_empty() && values.contains("")),
    );
    run
}

/// What was seen of the labels that a test is about.
#[derive(Default)]
struct Seen {
    sets: usize,
    too_long: usize,
    sets_of_hierarchy: usize,
    nodes: usize,
}

impl Seen {
    /// The labels are exactly what the rules say of these values.
    fn check(&mut self, cube: &Cube, published: &Published, options: &MethodOptions, at: &str) {
        let most = options.max_label_values;
        for column in 0..2 {
            let all = cube.quasi_identifiers()[column].domain.len();
            for (group, values) in values_of_groups(cube, published, column).iter().enumerate() {
                let expected: BTreeSet<&str> = if column == GRADE {
                    run(cube, values)
                } else {
                    values.clone()
                };
                let (_, label) = published.describe(group).nth(column).expect("a label");
                match listed(label) {
                    Some(list) => {
                        assert!(list.len() <= most, "{at}: {label}");
                        assert_eq!(BTreeSet::from_iter(list.clone()), expected, "{at}: {label}");
                        self.sets += usize::from(list.len() > 1);
                    }
                    None => {
                        let too_long = expected.len() > most || expected.len() == all;
                        assert!(too_long, "{at}: {label} for {expected:?}");
                        self.too_long += usize::from(expected.len() < all);
                    }
                }
            }
        }
        for (group, values) in values_of_groups(cube, published, 2).iter().enumerate() {
            let (_, label) = published.describe(group).nth(2).expect("a label");
            match listed(label) {
                Some(list) if list.len() > 1 => {
                    assert_eq!(options.labels, LabelForm::Sets, "{at}: {label}");
                    assert!(list.len() <= most, "{at}: {label}");
                    assert_eq!(&BTreeSet::from_iter(list), values, "{at}: {label}");
                    self.sets_of_hierarchy += 1;
                }
                Some(_) => assert_eq!(values.len(), 1, "{at}: {label}"),
                None => self.nodes += 1,
            }
        }
    }
}

#[test]
fn labels_list_no_more_values_than_the_policy_says() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let mut seen = Seen::default();
    for round in 0..60 {
        let rows = rng.random_range(4..200);
        let table = table(&mut rng, rows);
        let k = Promise {
            rule: Rule::k_anonymity(K(rng.random_range(2..12))),
            attribute: None,
        };
        let sets = rng.random_range(0..2) == 1;
        let options = MethodOptions {
            max_label_values: rng.random_range(2..10),
            labels: if sets {
                LabelForm::Sets
            } else {
                LabelForm::Hierarchy
            },
            ..MethodOptions::default()
        };
        for entry in METHODS.iter().filter(|entry| entry.capabilities.sets) {
            let at = format!("{}, round {round}", entry.name);
            let method = entry.method(Default::default()).expect("ranges");
            let plain = Cube::new(table.clone());
            let cube = if method.wants_rows(&bind(&plain, &[k])) {
                plain.into_rows()
            } else {
                plain
            };
            let Ok(partition) = method.partition(&cube, &bind(&cube, &[k]), &options) else {
                assert!((rows as u64) < 12, "{at}");
                continue;
            };
            seen.check(&cube, &publish(&cube, &partition), &options, &at);
        }
    }
    let Seen {
        sets,
        too_long,
        sets_of_hierarchy,
        nodes,
    } = seen;
    assert!(
        sets > 500 && too_long > 200,
        "{sets} sets, {too_long} too long"
    );
    assert!(
        sets_of_hierarchy > 100 && nodes > 100,
        "{sets_of_hierarchy} sets, {nodes} nodes"
    );
}

/// Cells, insiders and groups that would look alike make labels coarser than their values, but never
/// longer than the limit, nor with holes where there is an order.
#[test]
fn coarser_labels_keep_to_the_limit_and_have_no_holes() {
    let mut rng = ChaCha8Rng::seed_from_u64(18);
    let mut sets = 0;
    for round in 0..60 {
        let rows = rng.random_range(30..200);
        let table = table(&mut rng, rows);
        let promises = crate::common::promises(&mut rng);
        let insiders = Insiders::victim(M(rng.random_range(0..2)));
        for entry in METHODS.iter().filter(|entry| entry.capabilities.sets) {
            let at = format!("{}, round {round}", entry.name);
            let cells = entry.capabilities.cells && rng.random_range(0..2) == 1;
            let options = MethodOptions {
                ranges: if cells { Ranges::Cell } else { Ranges::Tight },
                labels: LabelForm::Sets,
                max_label_values: rng.random_range(2..10),
                ..MethodOptions::default()
            };
            let method = entry.method(Default::default()).expect("ranges");
            let plain = Cube::new(table.clone());
            let cube = if method.wants_rows(&bind(&plain, &promises).against(insiders)) {
                plain.into_rows()
            } else {
                plain
            };
            let requirement = bind(&cube, &promises).against(insiders);
            let Ok(partition) = method.partition(&cube, &requirement, &options) else {
                continue;
            };
            let published = publish(&cube, &partition);
            for column in published.columns() {
                for label in &column.labels {
                    let Some(list) = listed(label) else { continue };
                    assert!(list.len() <= options.max_label_values, "{at}: {label}");
                    sets += usize::from(list.len() > 1);
                    if column.name == "grade" {
                        let set = BTreeSet::from_iter(list);
                        assert_eq!(run(&cube, &set), set, "{at}: {label}");
                    }
                }
            }
        }
    }
    assert!(sets > 500, "{sets} sets");
}

//! NCP over people against its definition: the mean over people of the mean over their rows.

use super::example::{MISSING, Made, any_release_of_people, table};
use super::tests::{OPTIONS, close, measured, naive_cost};
use super::*;
use mingle_model::{ColumnSpec, Kind, Partition, PersonRows, Published, Role};
use proptest::prelude::*;

/// Each row's group, as the table came.
fn groups(made: &Made) -> Vec<u32> {
    let record_of = made.cube.record_of_row().expect("rows are kept");
    let of_row = |&record: &u32| made.partition.group_of[record as usize];
    record_of.iter().map(of_row).collect()
}

fn naive(persons: &[u32], made: &Made) -> f64 {
    let groups = groups(made);
    let mut means = Vec::new();
    for person in 0..12 {
        let mut costs = Vec::new();
        for (row, &group) in groups.iter().enumerate() {
            if persons[row] != person {
                continue;
            }
            if group == Partition::SUPPRESSED {
                costs.push(1.0);
                continue;
            }
            let covered = made.covered(group);
            let columns = covered.iter().enumerate();
            let sum: f64 = columns.map(|(c, codes)| naive_cost(made, c, codes)).sum();
            costs.push(sum / made.q() as f64);
        }
        if !costs.is_empty() {
            means.push(costs.iter().sum::<f64>() / costs.len() as f64);
        }
    }
    means.iter().sum::<f64>() / means.len() as f64
}

/// The published rows as a table of any tool, in which identifiers stand.
fn as_table_of_people(persons: &[u32], made: &Made) -> Published {
    let mut rows = Vec::new();
    let mut whose = Vec::new();
    let published = made.published.rendered().expect("it was rendered");
    let record_of = made.cube.record_of_row().expect("rows are kept");
    for (row, &record) in record_of.iter().enumerate() {
        let group = published.group_of()[record as usize];
        if group == Partition::SUPPRESSED {
            continue;
        }
        let labels = made.published.describe(group as usize);
        let mut texts: Vec<String> = labels.map(|(_, text)| text.to_owned()).collect();
        texts.push("someone".to_owned());
        rows.push(texts);
        whose.push(persons[row]);
    }
    let mut specs = Vec::new();
    for column in made.published.columns() {
        specs.push(ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(&column.name, Role::QuasiIdentifier)
        });
    }
    let mut table = table(&specs, &rows);
    table.person_of = Some(whose.into_iter().collect());
    Published::from_table(&table)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn ncp_over_people_is_its_definition((persons, made) in any_release_of_people(false)) {
        let measured = measured(&made).ncp_of_people;
        prop_assert_eq!(measured.is_some(), made.cube.people().is_some());
        prop_assume!(made.cube.people().is_some());
        let expected = naive(&persons, &made);
        prop_assert!(close(measured.unwrap(), expected), "{measured:?} {expected}");
        // the same is found in the table of any tool, unless all its rows are of different people
        let published = as_table_of_people(&persons, &made);
        prop_assume!(published.people().is_some());
        let again = measure(&made.cube, &MISSING, &published, 2, OPTIONS).unwrap();
        prop_assert!(close(again.ncp_of_people.unwrap(), expected), "{again:?} {expected}");
    }

    #[test]
    fn ncp_over_people_whose_rows_are_apart((persons, made) in any_release_of_people(true)) {
        prop_assume!(made.cube.people().is_some());
        prop_assert_eq!(made.published.people().unwrap().rows(), PersonRows::Apart);
        let measured = measured(&made).ncp_of_people.unwrap();
        let expected = naive(&persons, &made);
        prop_assert!(close(measured, expected), "{measured} {expected}");
    }
}

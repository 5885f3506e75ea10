use super::example::{self, MISSING, Made, hospitals, partition, table};
use super::*;
use mingle_model::{Cell, Code, ColumnSpec, Partition, Role, Table};
use proptest::prelude::*;
use std::sync::Arc;

pub(super) const OPTIONS: UtilityOptions = UtilityOptions {
    seed: 7,
    queries: 50,
};

pub(super) fn measured(made: &Made) -> Utility {
    measure(&made.cube, &MISSING, &made.published, 2, OPTIONS).unwrap()
}

pub(super) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// The release as its own table of texts, the way `mingle measure` sees it.
pub(super) fn as_table(made: &Made) -> Table {
    let published = &made.published;
    let mut rows = Vec::new();
    for group in 0..published.groups() {
        let labels: Vec<String> = published
            .describe(group)
            .map(|(_, text)| text.to_owned())
            .collect();
        let row = labels
            .into_iter()
            .chain(["someone".to_owned()])
            .collect::<Vec<_>>();
        rows.extend((0..published.size(group)).map(|_| row.clone()));
    }
    let spec = |c: &mingle_model::PublishedColumn| ColumnSpec {
        kind: Some(mingle_model::Kind::Category),
        ..ColumnSpec::new(&c.name, Role::QuasiIdentifier)
    };
    let specs: Vec<ColumnSpec> = published.columns().iter().map(spec).collect();
    table(&specs, &rows)
}

/// What a cell costs that covers these codes.
pub(super) fn naive_cost(made: &Made, column: usize, covered: &[Code]) -> f64 {
    let domain = &made.cube.quasi_identifiers()[column].domain;
    let values: Vec<f64> = (0..domain.len() as Code)
        .filter_map(|c| domain.text(c).parse().ok())
        .collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let numbers: Vec<f64> = covered
        .iter()
        .filter_map(|&c| domain.text(c).parse().ok())
        .collect();
    if covered.len() == 1 {
        0.0
    } else if column == 0 && numbers.len() == covered.len() {
        let hi = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (hi - numbers.iter().copied().fold(f64::INFINITY, f64::min)) / (most - least)
    } else {
        covered.len() as f64 / domain.len() as f64
    }
}

/// Columns `number`, `set`, `masked` row by row, straight from the definition.
fn naive_ncp(made: &Made, column: usize) -> f64 {
    let cost = |covered: &[Code]| naive_cost(made, column, covered);
    let published = made.published_rows();
    let suppressed = made.table.rows() - published.len();
    (published.iter().map(|row| cost(&row[column])).sum::<f64>() + suppressed as f64)
        / made.table.rows() as f64
}

fn naive_entropy(made: &Made, column: usize) -> (f64, f64) {
    let codes = &made.table.columns[column].codes;
    let frequency = |code: Code| codes.iter().filter(|&c| c == code).count() as f64;
    let bits = |covered: &[Code]| -> f64 {
        let all: f64 = covered.iter().map(|&c| frequency(c)).sum();
        covered
            .iter()
            .map(|&c| frequency(c) / all * (all / frequency(c)).log2())
            .sum()
    };
    let everything: Vec<Code> =
        (0..made.cube.quasi_identifiers()[column].domain.len() as Code).collect();
    let published = made.published_rows();
    let suppressed = (made.table.rows() - published.len()) as f64;
    let lost = published.iter().map(|row| bits(&row[column])).sum::<f64>()
        + suppressed * bits(&everything);
    (lost, made.table.rows() as f64 * bits(&everything))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn figures_equal_their_definitions(made in example::any_release()) {
        let utility = measured(&made);
        let mut entropy = (0.0, 0.0);
        for c in 0..made.q() {
            prop_assert!(close(utility.ncp.columns[c].loss, naive_ncp(&made, c)), "ncp of column {c}");
            let (lost, total) = naive_entropy(&made, c);
            let ratio = if total > 0.0 { (lost / total).min(1.0) } else { 0.0 };
            prop_assert!(close(utility.non_uniform_entropy.columns[c].loss, ratio), "entropy of column {c}");
            entropy = (entropy.0 + lost, entropy.1 + total);
        }
        let mean = (0..made.q()).map(|c| naive_ncp(&made, c)).sum::<f64>() / made.q() as f64;
        prop_assert!(close(utility.ncp.overall, mean));
        let overall = if entropy.1 > 0.0 { (entropy.0 / entropy.1).min(1.0) } else { 0.0 };
        prop_assert!(close(utility.non_uniform_entropy.overall, overall));

        // rows that look alike are one group: compare every pair
        let rows = made.published_rows();
        let alike: usize = rows.iter().map(|a| rows.iter().filter(|b| a == *b).count()).sum();
        let suppressed = made.table.rows() - rows.len();
        prop_assert_eq!(utility.discernibility, (alike + suppressed * made.table.rows()) as u128);
        prop_assert_eq!(utility.suppressed_rows, suppressed as u64);
        let mut distinct = rows.clone();
        distinct.sort();
        distinct.dedup();
        let average = if rows.is_empty() { 0.0 } else { rows.len() as f64 / distinct.len() as f64 / 2.0 };
        prop_assert!(close(utility.average_group_size, average));
    }

    #[test]
    fn a_table_read_back_gives_the_same_figures(made in example::any_release()) {
        let table = as_table(&made);
        let published = Published::from_table(&table);
        // an empty release has lost its columns with its rows, but not their names
        let again = measure(&made.cube, &MISSING, &published, 2, OPTIONS).unwrap();
        prop_assert_eq!(again, measured(&made));
    }

    #[test]
    fn the_number_of_threads_does_not_matter(made in example::any_release()) {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| measured(&made))
        };
        prop_assert_eq!(with(1), with(5));
    }
}

fn hospitals_with(assign: impl Fn(&str) -> u32) -> (Cube, Published) {
    let cube = Cube::new(hospitals());
    let partition = partition(&cube, assign);
    let published =
        Published::from_partition(&Arc::new(cube.clone()), &partition, &MISSING).unwrap();
    (cube, published)
}

#[test]
fn four_hospitals_by_hand() {
    // [20-31] × [12300-98745]: 20 22 24 31; [32-35] × [12337-12388]: 32 33 35; [37-39] ×
    // [12389-98708]: 37 38 39
    let (cube, published) = hospitals_with(|age| match age.parse::<u32>().unwrap() {
        0..=31 => 0,
        32..=35 => 1,
        _ => 2,
    });
    let utility = measure(&cube, &MISSING, &published, 3, OPTIONS).unwrap();
    assert_eq!((utility.groups, utility.discernibility), (3, 16 + 9 + 9));
    assert!(close(utility.average_group_size, 10.0 / 9.0));
    let age = (4.0 * 11.0 + 3.0 * 3.0 + 3.0 * 2.0) / 19.0 / 10.0;
    let zip = (4.0 * 86_445.0 + 3.0 * 51.0 + 3.0 * 86_319.0) / 86_445.0 / 10.0;
    assert!(close(utility.ncp.columns[0].loss, age) && close(utility.ncp.columns[1].loss, zip));
    assert!(close(utility.ncp.overall, (age + zip) / 2.0));
    // all ages differ: 4 rows of 2 bits, 6 rows of log2 3; H is log2 10
    let bits = (4.0 * 2.0 + 6.0 * 3f64.log2()) / (10.0 * 10f64.log2());
    assert!(close(utility.non_uniform_entropy.columns[0].loss, bits));
    // ZIP codes: the first covers all ten, the second 12337 12367 12388, the third 12389 12399
    // 98701 98708
    let bits = (4.0 * 10f64.log2() + 3.0 * 3f64.log2() + 3.0 * 2.0) / (10.0 * 10f64.log2());
    assert!(close(utility.non_uniform_entropy.columns[1].loss, bits));
}

#[test]
fn suppressed_rows_cost_everything() {
    let (cube, published) = hospitals_with(|age| {
        if age == "20" {
            Partition::SUPPRESSED
        } else {
            0
        }
    });
    let utility = measure(&cube, &MISSING, &published, 3, OPTIONS).unwrap();
    assert_eq!(
        (utility.suppressed_rows, utility.discernibility),
        (1, 81 + 10)
    );
    assert!(close(
        utility.ncp.columns[0].loss,
        (9.0 * 17.0 / 19.0 + 1.0) / 10.0
    ));
    assert!(close(utility.average_group_size, 3.0));
    let all = Published::from_partition(
        &Arc::new(cube.clone()),
        &partition(&cube, |_| Partition::SUPPRESSED),
        &MISSING,
    )
    .unwrap();
    let utility = measure(&cube, &MISSING, &all, 3, OPTIONS).unwrap();
    assert_eq!(
        (utility.ncp.overall, utility.non_uniform_entropy.overall),
        (1.0, 1.0)
    );
    assert_eq!(
        (
            utility.groups,
            utility.average_group_size,
            utility.discernibility
        ),
        (0, 0.0, 100)
    );
}

#[test]
fn published_as_it_is_nothing_is_lost() {
    let (cube, published) = hospitals_with(|age| age.parse::<u32>().unwrap() - 20);
    let utility = measure(&cube, &MISSING, &published, 1, OPTIONS).unwrap();
    assert_eq!(
        (utility.ncp.overall, utility.non_uniform_entropy.overall),
        (0.0, 0.0)
    );
    assert_eq!(
        (utility.query_error.mean, utility.query_error.median),
        (0.0, 0.0)
    );
    assert_eq!(
        (utility.discernibility, utility.average_group_size),
        (10, 1.0)
    );
}

#[test]
fn published_as_stars_everything_is_lost() {
    let cube = Cube::new(hospitals());
    let everything = Partition {
        group_of: vec![0; cube.records().len()],
        cells: vec![Cell::All; 2],
    };
    let published =
        Published::from_partition(&Arc::new(cube.clone()), &everything, &MISSING).unwrap();
    let utility = measure(&cube, &MISSING, &published, 10, OPTIONS).unwrap();
    assert!(close(utility.ncp.overall, 1.0) && close(utility.non_uniform_entropy.overall, 1.0));
    assert_eq!(
        (utility.discernibility, utility.average_group_size),
        (100, 1.0)
    );
    assert!(utility.query_error.mean > 0.0);
}

/// A release that some tool made of the four hospitals: (age label, zip label) per row.
fn foreign(rows: &[(&str, &str)]) -> Published {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|(a, z)| vec![(*a).into(), (*z).into(), "x".into()])
        .collect();
    let spec = |name: &str| ColumnSpec {
        kind: Some(mingle_model::Kind::Category),
        ..ColumnSpec::new(name, Role::QuasiIdentifier)
    };
    Published::from_table(&table(&[spec("age"), spec("zip")], &rows))
}

fn of_foreign(rows: &[(&str, &str)]) -> Result<Utility, Error> {
    measure(
        &Cube::new(hospitals()),
        &MISSING,
        &foreign(rows),
        2,
        OPTIONS,
    )
}

#[test]
fn other_tools_labels_are_understood() {
    let utility = of_foreign(&[("[20-39]", "123**"), ("<=29", "*"), ("3*", "98701")]).unwrap();
    assert_eq!(utility.suppressed_rows, 7);
    // "<=29" reaches from 20 to 29, "3*" from 31 to 39
    assert!(close(
        utility.ncp.columns[0].loss,
        (1.0 + 9.0 / 19.0 + 8.0 / 19.0 + 7.0) / 10.0
    ));
    assert!(close(
        utility.ncp.columns[1].loss,
        (99.0 / 86_445.0 + 1.0 + 0.0 + 7.0) / 10.0
    ));
}

#[test]
fn a_label_wider_than_the_original_costs_at_most_one() {
    assert!(close(
        of_foreign(&[("[0-100]", "12300")]).unwrap().ncp.columns[0].loss,
        1.0
    ));
}

#[test]
fn a_number_and_a_missing_value_together_are_everything() {
    let rows = ["5", "?"].map(|v| vec![v.to_owned(), "x".to_owned()]);
    let cube = Cube::new(table(&[ColumnSpec::new("v", Role::QuasiIdentifier)], &rows));
    let cost = |group_of: Vec<u32>, cells: Vec<Cell>| {
        let published = Published::from_partition(
            &Arc::new(cube.clone()),
            &Partition { group_of, cells },
            &MISSING,
        )
        .unwrap();
        measure(&cube, &MISSING, &published, 1, OPTIONS)
            .unwrap()
            .ncp
            .overall
    };
    assert_eq!(cost(vec![0, 0], vec![Cell::All]), 1.0);
    assert_eq!(
        cost(
            vec![0, 1],
            vec![Cell::Span { lo: 0, hi: 0 }, Cell::Span { lo: 1, hi: 1 }]
        ),
        0.0
    );
}

#[test]
fn bad_releases_are_refused_by_place() {
    let column = "age".to_owned();
    let unreadable = of_foreign(&[("20", "*"), ("young", "*")]);
    assert_eq!(
        unreadable,
        Err(Error::Unreadable {
            column: column.clone(),
            group: 2
        })
    );
    assert!(!unreadable.unwrap_err().to_string().contains("young"));
    assert_eq!(
        of_foreign(&[("[50-60]", "*")]),
        Err(Error::CoversNothing { column, group: 1 })
    );
    assert_eq!(
        of_foreign(&[("*", "*"); 11]),
        Err(Error::MoreRows {
            published: 11,
            original: 10
        })
    );
    let only_age = table(
        &[ColumnSpec::new("age", Role::QuasiIdentifier)],
        &[vec!["20".into(), "x".into()]],
    );
    let cube = Cube::new(hospitals());
    let lacking = measure(
        &cube,
        &MISSING,
        &Published::from_table(&only_age),
        2,
        OPTIONS,
    );
    assert_eq!(
        lacking,
        Err(Error::Column {
            column: "zip".into()
        })
    );
    let extra = measure(
        &Cube::new(only_age.clone()),
        &MISSING,
        &foreign(&[("20", "*")]),
        2,
        OPTIONS,
    );
    assert_eq!(
        extra,
        Err(Error::Column {
            column: "zip".into()
        })
    );
}

#[test]
fn columns_are_matched_by_name() {
    let rows = [vec![
        "123**".to_owned(),
        "[20-39]".to_owned(),
        "x".to_owned(),
    ]];
    let spec = |name: &str| ColumnSpec::new(name, Role::QuasiIdentifier);
    let swapped = Published::from_table(&table(&[spec("zip"), spec("age")], &rows));
    let again = measure(&Cube::new(hospitals()), &MISSING, &swapped, 2, OPTIONS);
    assert_eq!(again, of_foreign(&[("[20-39]", "123**")]));
}

#[test]
fn few_or_no_quasi_identifiers() {
    let rows: Vec<Vec<String>> = ["1", "2", "3", "3"]
        .map(|v| vec![v.to_owned(), "x".to_owned()])
        .to_vec();
    let sensitive = table(&[ColumnSpec::new("s", Role::Sensitive)], &rows);
    let none = Cube::new(sensitive.clone());
    let half = Partition {
        group_of: vec![0, 0, Partition::SUPPRESSED],
        cells: vec![],
    };
    let published = Published::from_partition(&Arc::new(none.clone()), &half, &MISSING).unwrap();
    let utility = measure(&none, &MISSING, &published, 2, OPTIONS).unwrap();
    assert_eq!(
        (
            utility.ncp.overall,
            utility.query_error.mean,
            utility.query_error.median
        ),
        (0.0, 0.5, 0.5)
    );
    let one = Cube::new(table(&[ColumnSpec::new("v", Role::QuasiIdentifier)], &rows));
    let stars = Partition {
        group_of: vec![0; 3],
        cells: vec![Cell::All],
    };
    let published = Published::from_partition(&Arc::new(one.clone()), &stars, &MISSING).unwrap();
    assert_eq!(
        measure(&one, &MISSING, &published, 2, OPTIONS)
            .unwrap()
            .ncp
            .overall,
        1.0
    );
}

#[test]
fn a_table_without_rows() {
    let empty = table(&[ColumnSpec::new("v", Role::QuasiIdentifier)], &[]);
    let utility = measure(
        &Cube::new(empty.clone()),
        &MISSING,
        &Published::from_table(&empty),
        2,
        OPTIONS,
    )
    .unwrap();
    assert_eq!(
        (
            utility.ncp.overall,
            utility.query_error.mean,
            utility.query_error.queries
        ),
        (0.0, 0.0, 0)
    );
}

#[test]
fn numbers_are_json_numbers() {
    let (cube, published) = hospitals_with(|_| 0);
    let mut utility = measure(&cube, &MISSING, &published, 3, OPTIONS).unwrap();
    assert_eq!(
        serde_json::to_value(&utility).unwrap()["discernibility"],
        100
    );
    utility.discernibility = u128::MAX;
    assert!(serde_json::to_value(&utility).unwrap()["discernibility"].is_f64());
}

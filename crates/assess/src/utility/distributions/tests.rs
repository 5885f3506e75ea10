use super::*;
use crate::utility::example::{self, MISSING};
use crate::utility::marginals::{Binning, CountTables, MarginalLines, PARTNERS, distances};
use crate::utility::tests::as_table;
use mingle_model::{
    Cell, Code, Codes, Column, ColumnSpec, Cube, Missing, Partition, Providers, Published, Table,
};
use proptest::prelude::*;
use std::sync::Arc;

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

fn axes(columns: &[&Column]) -> (Vec<ComparisonAxis>, Vec<Binning>) {
    columns
        .iter()
        .map(|c| (ComparisonAxis::values(c), Binning::values(c)))
        .unzip()
}

fn column(name: &str, role: Role, texts: &[&str]) -> Column {
    Column::from_texts(ColumnSpec::new(name, role), texts.iter().copied(), &MISSING)
        .ok()
        .unwrap()
}

/// Bars of a column on its own, the release being the same.
fn alone(column: &Column) -> ColumnDistribution {
    let (axes, binnings) = axes(&[column]);
    let lines = MarginalLines::original(&[column], &binnings);
    compare(&axes, &lines, &lines).columns.remove(0)
}

fn labels(found: &ColumnDistribution) -> Vec<&str> {
    found.bars.iter().map(|bar| bar.label.as_str()).collect()
}

/// Per published row and column the codes that it may be of: a label's, or the sensitive value
/// itself.
fn published_rows(made: &example::Made) -> Vec<Vec<Vec<Code>>> {
    let cube = &made.cube;
    let sensitive = &cube.sensitive()[0].codes;
    let of_records = cube
        .records()
        .iter()
        .zip(&made.partition.group_of)
        .flat_map(|(record, &group)| {
            let kept = group != Partition::SUPPRESSED;
            let value = sensitive.get(record.sensitive as usize);
            (0..record.count).filter(move |_| kept).map(move |_| value)
        });
    let mut rows = made.published_rows();
    rows.iter_mut()
        .zip(of_records)
        .for_each(|(row, value)| row.push(vec![value]));
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn bars_and_grids_equal_a_loop_over_rows(made in example::any_release()) {
        let published = published_rows(&made);
        prop_assume!(!published.is_empty());
        let columns: Vec<&Column> = made.table.columns.iter().collect();
        let (axes, binnings) = axes(&columns);
        let original = MarginalLines::of_cube(&columns, &binnings, &made.cube);
        let release =
            MarginalLines::of_groups(&columns, &binnings, (&made.cube, &made.published), &MISSING, false).unwrap();
        let found = compare(&axes, &original, &release);

        let rows = made.table.rows();
        let text = |c: usize, code: Code| if columns[c].domain.missing() == Some(code) { "missing".to_owned() } else { columns[c].domain.text(code).to_owned() };
        let released = |test: &dyn Fn(usize, Code) -> bool, c: usize| -> f64 {
            let of = |row: &Vec<Vec<Code>>| {
                row[c].iter().filter(|&&code| test(c, code)).count() as f64 / row[c].len() as f64
            };
            published.iter().map(of).sum::<f64>() / published.len() as f64
        };
        for (c, column) in found.columns.iter().enumerate() {
            for bar in &column.bars {
                let test = |c: usize, code: Code| text(c, code) == bar.label;
                let share = columns[c].codes.iter().filter(|&code| test(c, code)).count() as f64 / rows as f64;
                prop_assert!(close(bar.original, share), "{} {}", column.column, bar.label);
                prop_assert!(close(bar.released, released(&test, c)), "{} {}", column.column, bar.label);
            }
            let sum: f64 = column.bars.iter().map(|bar| bar.released).sum();
            prop_assert!(close(sum + column.rest.released, 1.0));
            prop_assert_eq!(column.bars.len(), columns[c].domain.len(), "few values are all shown");
        }
        let place = |name: &String| columns.iter().position(|c| c.spec.name == *name).unwrap();
        for pair in &found.pairs {
            let Some(grid) = &pair.grid else { continue };
            let (a, b) = (place(&pair.columns[0]), place(&pair.columns[1]));
            prop_assert!(grid.rows.len() <= GRID && grid.columns.len() <= GRID);
            prop_assert!(close(grid.original.iter().flatten().sum(), 1.0));
            prop_assert!(close(grid.released.iter().flatten().sum(), 1.0));
            let shown = |c: usize, labels: &[String], label: &str, code: Code| match label {
                OTHERS => !labels.contains(&text(c, code)),
                label => text(c, code) == label || in_interval(label, &text(c, code)),
            };
            for (r, row) in grid.rows.iter().enumerate() {
                for (s, column) in grid.columns.iter().enumerate() {
                    let both = |row: &Vec<Vec<Code>>| {
                        let share = |c: usize, labels: &[String], label: &str| {
                            let hits = row[c].iter().filter(|&&code| shown(c, labels, label, code)).count();
                            hits as f64 / row[c].len() as f64
                        };
                        share(a, &grid.rows, &grid.rows[r]) * share(b, &grid.columns, column)
                    };
                    let expected = published.iter().map(both).sum::<f64>() / published.len() as f64;
                    prop_assert!(close(grid.released[r][s], expected), "{:?}: {} × {}", pair.columns, row, column);
                }
            }
        }
        prop_assert_eq!(found.pairs.iter().filter(|pair| pair.grid.is_some()).count(), GRIDS);
        let worst = found.pairs.iter().filter(|p| p.grid.is_none()).map(|p| p.total_variation).fold(0.0, f64::max);
        let least = found.pairs.iter().filter(|p| p.grid.is_some()).map(|p| p.total_variation).fold(1.0, f64::min);
        prop_assert!(worst <= least);
    }

    /// What is published says the same read back from its table as it did while it was made.
    #[test]
    fn making_and_reading_back_agree(made in example::any_release()) {
        let columns: Vec<&Column> = made.table.columns.iter().take(made.q()).collect();
        let table = as_table(&made);
        prop_assume!(table.rows() > 0);
        let (axes, binnings) = axes(&columns);
        let making = compare(
            &axes,
            &MarginalLines::of_cube(&columns, &binnings, &made.cube),
            &MarginalLines::of_groups(&columns, &binnings, (&made.cube, &made.published), &MISSING, false).unwrap(),
        );
        let original = MarginalLines::original(&columns, &binnings);
        let lines = MarginalLines::generalized(&columns, &binnings, &table, &MISSING, false).unwrap();
        let names: Vec<String> = columns.iter().map(|c| c.spec.name.clone()).collect();
        let reading = distances(&names, &original, &lines);
        prop_assert!(close(making.one_way.mean, reading.one_way.mean) && close(making.one_way.max, reading.one_way.max));
        prop_assert!(close(making.two_way.mean, reading.two_way.mean) && close(making.two_way.max, reading.two_way.max));
        prop_assert_eq!(making.pairs_left_out, 0);
    }
}

/// Whether a number is in an interval such as `[10-19]`.
fn in_interval(label: &str, text: &str) -> bool {
    let bounds = label
        .strip_prefix('[')
        .and_then(|l| l.strip_suffix(']'))
        .and_then(|l| l.split_once('-'));
    let numbers = bounds.and_then(|(lo, hi)| {
        Some((
            lo.parse::<i64>().ok()?,
            hi.parse().ok()?,
            text.parse().ok()?,
        ))
    });
    numbers.is_some_and(|(lo, hi, number): (i64, i64, i64)| (lo..=hi).contains(&number))
}

#[test]
fn numbers_in_intervals_of_one_width() {
    let ages: Vec<String> = (17..=90)
        .filter(|age| !(50..60).contains(age))
        .map(|age| age.to_string())
        .collect();
    let mut texts: Vec<&str> = ages.iter().map(String::as_str).collect();
    texts.extend(["?", "?"]);
    let found = alone(&column("age", Role::QuasiIdentifier, &texts));
    let shown = labels(&found);
    assert_eq!(shown[..2], ["[15-19]", "[20-24]"]);
    assert_eq!(shown[shown.len() - 2..], ["[90-94]", "missing"]);
    assert!(found.ordered && shown.len() <= BARS, "{shown:?}");
    let empty = found
        .bars
        .iter()
        .find(|bar| bar.label == "[50-54]")
        .unwrap();
    assert_eq!(
        (empty.original, empty.released),
        (0.0, 0.0),
        "a gap is shown as one"
    );
    assert!(close(found.bars.iter().map(|bar| bar.original).sum(), 1.0));
    assert_eq!(found.rest, ComparedShares::default());
}

#[test]
fn signs_places_and_huge_numbers() {
    let texts: Vec<String> = (-40..40)
        .map(|n: i32| format!("{}.{}", n / 10, (n % 10).abs()))
        .collect();
    let found = alone(&column(
        "x",
        Role::QuasiIdentifier,
        &texts.iter().map(String::as_str).collect::<Vec<_>>(),
    ));
    assert!(
        found.bars.len() <= BARS && labels(&found)[0].starts_with("[-4--3.6]"),
        "{:?}",
        labels(&found)
    );
    assert!(labels(&found).contains(&"[0-0.4]"), "{:?}", labels(&found));
    let huge: Vec<String> = (0..30)
        .map(|n| format!("{}", i64::MAX - n * 300_000_000_000_000_000))
        .collect();
    let found = alone(&column(
        "x",
        Role::QuasiIdentifier,
        &huge.iter().map(String::as_str).collect::<Vec<_>>(),
    ));
    assert!(
        found.bars.len() <= BARS && close(found.bars.iter().map(|bar| bar.original).sum(), 1.0)
    );
    let few = alone(&column("x", Role::QuasiIdentifier, &["3", "1", "1000000"]));
    assert_eq!(labels(&few), ["1", "3", "1000000"]);
}

#[test]
fn days_in_weeks_months_and_years() {
    let days = |first: i32, step: usize, n: usize| -> Vec<String> {
        (0..n)
            .map(|i| mingle_model::date::text(first + (i * step) as i32))
            .collect()
    };
    let shown = |days: Vec<String>| {
        let found = alone(&column(
            "d",
            Role::QuasiIdentifier,
            &days.iter().map(String::as_str).collect::<Vec<_>>(),
        ));
        assert!(found.bars.len() <= BARS && found.ordered);
        assert!(close(found.bars.iter().map(|bar| bar.original).sum(), 1.0));
        found
            .bars
            .into_iter()
            .map(|bar| bar.label)
            .collect::<Vec<_>>()
    };
    let start = mingle_model::date::parse("2001-01-01").unwrap();
    assert_eq!(
        shown(days(start, 1, 3)),
        ["2001-01-01", "2001-01-02", "2001-01-03"]
    );
    assert_eq!(
        shown(days(start, 1, 40))[0],
        "[2001-01-01/2001-01-07]",
        "weeks begin on Monday"
    );
    assert_eq!(shown(days(start, 9, 60))[..2], ["2001-01", "2001-02"]);
    assert_eq!(shown(days(start, 30, 60))[..2], ["2001-Q1", "2001-Q2"]);
    assert_eq!(shown(days(start, 150, 50))[0], "2001");
    assert_eq!(shown(days(start, 400, 60))[0], "2000 to 2004");
}

#[test]
fn the_most_frequent_words_and_the_rest() {
    let words: Vec<String> = (0..60)
        .flat_map(|word| vec![format!("w{word:02}"); 60 - word])
        .collect();
    let found = alone(&column(
        "w",
        Role::Sensitive,
        &words.iter().map(String::as_str).collect::<Vec<_>>(),
    ));
    assert_eq!((found.bars.len(), found.ordered), (BARS, false));
    assert_eq!(labels(&found)[..3], ["w00", "w01", "w02"]);
    let rest: usize = (BARS..60).map(|word| 60 - word).sum();
    assert!(close(found.rest.original, rest as f64 / words.len() as f64));
    let long = "x".repeat(5_000);
    let found = alone(&column("w", Role::Sensitive, &["short", &long]));
    assert!(
        found
            .bars
            .iter()
            .all(|bar| bar.label.chars().count() <= 101),
        "a long value is cut"
    );
}

#[test]
fn listed_cells_are_united_with_their_neighbours() {
    let cells: Vec<String> = (0..50)
        .map(|n| format!("[{}-{}]", n * 10, n * 10 + 9))
        .chain(["other".into()])
        .collect();
    let axis = ComparisonAxis::declared("a", Role::QuasiIdentifier, true, cells, 1);
    let codes: Codes = (0..51).collect();
    let lines = MarginalLines::of_cells(vec![1; 51], [(codes, 52)]);
    let found = compare(&[axis], &lines, &lines).columns.remove(0);
    assert_eq!(labels(&found)[0], "[0-9] … [20-29]");
    assert_eq!(labels(&found).last(), Some(&"other"));
    assert!(found.bars.len() <= BARS && close(found.bars[0].original, 3.0 / 51.0));
}

#[test]
fn columns_that_are_carried_along_lose_only_suppressed_rows() {
    let quasi = column("q", Role::QuasiIdentifier, &["1", "2", "3", "4"]);
    let carried = column("c", Role::Insensitive, &["x", "x", "y", "z"]);
    let providers = Providers::new(vec!["p".into()]);
    let table = Table {
        columns: vec![quasi, carried],
        providers,
        provider_of: [0; 4].into_iter().collect(),
        person_of: None,
    };
    let cube = Cube::new(table.clone());
    let group_of = vec![0, 0, 0, Partition::SUPPRESSED];
    let partition = Partition {
        group_of,
        cells: vec![Cell::Span { lo: 0, hi: 2 }],
    };
    let published =
        Published::from_partition(&Arc::new(cube.clone()), &partition, &MISSING).unwrap();
    let columns: Vec<&Column> = table.columns.iter().collect();
    let (axes, binnings) = axes(&columns);
    let release =
        MarginalLines::of_groups(&columns, &binnings, (&cube, &published), &MISSING, false)
            .unwrap();
    let found = compare(
        &axes,
        &MarginalLines::of_cube(&columns, &binnings, &cube),
        &release,
    );
    let bars = |c: usize| -> Vec<(&str, f64, f64)> {
        found.columns[c]
            .bars
            .iter()
            .map(|bar| (bar.label.as_str(), bar.original, bar.released))
            .collect()
    };
    let third = 1.0 / 3.0;
    assert_eq!(
        bars(0),
        [
            ("1", 0.25, third),
            ("2", 0.25, third),
            ("3", 0.25, third),
            ("4", 0.25, 0.0)
        ]
    );
    assert_eq!(
        bars(1),
        [("x", 0.5, 2.0 / 3.0), ("y", 0.25, third), ("z", 0.25, 0.0)]
    );
    let bare = Cube::new(Table {
        columns: vec![table.columns[0].clone()],
        ..table
    });
    let columns = [&bare_column(&bare), columns[1]];
    let unknown =
        MarginalLines::of_groups(&columns, &binnings, (&bare, &published), &MISSING, false)
            .err()
            .unwrap();
    assert_eq!(unknown.column, "c", "a cube that does not know its rows");
}

fn bare_column(cube: &Cube) -> Column {
    let quasi = &cube.quasi_identifiers()[0];
    Column {
        spec: ColumnSpec::new("q", Role::QuasiIdentifier),
        domain: quasi.domain.clone(),
        codes: quasi.codes.clone(),
    }
}

#[test]
fn a_centroid_stands_for_the_nearest_value() {
    let quasi = column("q", Role::QuasiIdentifier, &["0", "2", "10", "12"]);
    let providers = Providers::new(vec!["p".into()]);
    let table = Table {
        columns: vec![quasi],
        providers,
        provider_of: [0; 4].into_iter().collect(),
        person_of: None,
    };
    let cube = Cube::new(table.clone());
    let partition = Partition {
        group_of: vec![0, 0, 1, 1],
        cells: [1, 11].map(Cell::Centroid).into(),
    };
    let published =
        Published::from_partition(&Arc::new(cube.clone()), &partition, &Missing::default())
            .unwrap();
    let columns: Vec<&Column> = table.columns.iter().collect();
    let (axes, binnings) = axes(&columns);
    let release =
        MarginalLines::of_groups(&columns, &binnings, (&cube, &published), &MISSING, true).unwrap();
    let found = compare(
        &axes,
        &MarginalLines::of_cube(&columns, &binnings, &cube),
        &release,
    );
    let released: Vec<f64> = found.columns[0]
        .bars
        .iter()
        .map(|bar| bar.released)
        .collect();
    assert_eq!(released, [0.5, 0.0, 0.5, 0.0]);
    assert_eq!(found.one_way.max, 0.5);
}

#[test]
fn too_many_columns_leave_pairs_out() {
    const MANY: usize = 40;
    let names: Vec<String> = (0..MANY + 5).map(|c| format!("c{c}")).collect();
    let role = |c: usize| {
        if c < 5 {
            Role::Insensitive
        } else {
            Role::QuasiIdentifier
        }
    };
    let axes: Vec<ComparisonAxis> = names
        .iter()
        .enumerate()
        .map(|(c, name)| {
            ComparisonAxis::declared(name, role(c), false, vec!["a".into(), "b".into()], 0)
        })
        .collect();
    let columns = || {
        names
            .iter()
            .map(|_| ([0, 1].into_iter().collect::<Codes>(), 3))
    };
    let (original, release) = (
        MarginalLines::of_cells(vec![1, 1], columns()),
        MarginalLines::of_cells(vec![3, 1], columns()),
    );
    let found = compare(&axes, &original, &release);
    assert_eq!(found.columns.len(), MANY + 5);
    assert_eq!(found.pairs.len(), MANY * PARTNERS);
    assert_eq!(
        found.pairs.len() as u64 + found.pairs_left_out,
        pairs_of(MANY + 5)
    );
    assert_eq!(
        found.pairs[0].columns,
        ["c5", "c6"],
        "what protects people comes first"
    );
    assert!(
        found
            .pairs
            .iter()
            .all(|pair| close(pair.total_variation, 0.25))
    );
}

#[test]
fn tables_say_which_pairs_they_cover() {
    let axes: Vec<ComparisonAxis> = ["a", "b", "c"]
        .map(|name| {
            ComparisonAxis::declared(
                name,
                Role::Sensitive,
                false,
                vec!["x".into(), "y".into()],
                0,
            )
        })
        .into();
    let codes = || [0, 1].into_iter().collect::<Codes>();
    let original = MarginalLines::of_cells(vec![1, 1], [(codes(), 3), (codes(), 3), (codes(), 3)]);
    let together = (vec![0, 1], vec![2.0, 0.0, 0.0, 2.0]);
    let release =
        CountTables::new(vec![2, 2, 2], vec![together, (vec![2], vec![2.0, 2.0])]).unwrap();
    let found = compare(&axes, &original, &release);
    let covered: Vec<(bool, f64)> = found
        .pairs
        .iter()
        .map(|pair| (pair.covered, pair.total_variation))
        .collect();
    assert_eq!(covered, [(true, 0.0), (false, 0.5), (false, 0.5)]);
    let grid = found.pairs[1].grid.as_ref().unwrap();
    assert_eq!(
        (&grid.original[..], &grid.released[..]),
        (
            &[vec![0.5, 0.0], vec![0.0, 0.5]][..],
            &[vec![0.25; 2], vec![0.25; 2]][..]
        )
    );
}

#[test]
fn nothing_to_compare_is_no_distance() {
    let none = MarginalLines::new(Vec::new(), Vec::new());
    let found = compare(&[], &none, &none);
    assert_eq!(
        (found.one_way.max, found.two_way.max, found.pairs_left_out),
        (0.0, 0.0, 0)
    );
    let axis = ComparisonAxis::declared("a", Role::Sensitive, false, vec!["x".into()], 0);
    let empty = MarginalLines::of_cells(Vec::new(), [(Codes::default(), 2)]);
    let found = compare(&[axis], &empty, &empty);
    assert!(found.columns[0].bars.is_empty());
}

#[test]
fn the_document_has_the_agreed_shape() {
    let table = example::hospitals();
    let columns: Vec<&Column> = table.columns.iter().collect();
    let (axes, binnings) = axes(&columns);
    let lines = MarginalLines::original(&columns, &binnings);
    let found = compare(&axes, &lines, &lines);
    let document = serde_json::to_value(&found).unwrap();
    let keys = |value: &serde_json::Value| {
        let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    assert_eq!(
        keys(&document),
        ["columns", "one_way", "pairs", "pairs_left_out", "two_way"]
    );
    assert_eq!(keys(&document["one_way"]), ["max", "mean"]);
    assert_eq!(
        keys(&document["columns"][0]),
        ["bars", "column", "ordered", "rest", "total_variation"]
    );
    assert_eq!(
        keys(&document["columns"][0]["bars"][0]),
        ["label", "original", "released"]
    );
    assert_eq!(
        keys(&document["columns"][0]["rest"]),
        ["original", "released"]
    );
    assert_eq!(
        keys(&document["pairs"][0]),
        ["columns", "covered", "grid", "total_variation"]
    );
    assert_eq!(
        keys(&document["pairs"][0]["grid"]),
        ["columns", "original", "released", "rows"]
    );
    assert_eq!(
        serde_json::from_value::<Distributions>(document).unwrap(),
        found
    );
}

use super::*;
use crate::utility::example::{self, MISSING};
use crate::utility::tests::as_table;
use mingle_model::{Codes, Column, FragmentColumn, FragmentGroup, Fragments};
use proptest::prelude::*;
use std::collections::HashMap;

/// Fractions of rows by key, added up one by one.
fn shares<K: std::hash::Hash + Eq>(
    weighted: impl IntoIterator<Item = (K, f64)>,
) -> HashMap<K, f64> {
    let mut sums: HashMap<K, f64> = HashMap::new();
    weighted
        .into_iter()
        .for_each(|(key, weight)| *sums.entry(key).or_default() += weight);
    let all: f64 = sums.values().sum();
    sums.values_mut().for_each(|weight| *weight /= all);
    sums
}

fn apart<K: std::hash::Hash + Eq + Clone>(p: &HashMap<K, f64>, q: &HashMap<K, f64>) -> f64 {
    let keys: std::collections::HashSet<K> = p.keys().chain(q.keys()).cloned().collect();
    let value = |table: &HashMap<K, f64>, key: &K| table.get(key).copied().unwrap_or(0.0);
    keys.iter()
        .map(|key| (value(p, key) - value(q, key)).abs())
        .sum::<f64>()
        / 2.0
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Bins of a few neighbouring codes, with some outside.
fn binning(column: &Column, width: u32) -> Binning {
    let values = column.domain.len() as u32;
    let cell = |code: u32| (width < 3 || code != 0).then_some(code / width);
    Binning::declared((0..values).map(cell), (values / width + 1) as usize)
}

fn cell(binning: &Binning, code: u32) -> u32 {
    binning.cell(code)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn groups_equal_a_loop_over_rows(made in example::any_release(), width in 1..4u32) {
        let columns: Vec<&Column> = made.table.columns.iter().take(made.q()).collect();
        let binnings: Vec<Binning> = columns.iter().map(|c| binning(c, width)).collect();
        let release = as_table(&made);
        prop_assume!(release.rows() > 0);
        let original = MarginalLines::original(&columns, &binnings);
        let lines = MarginalLines::generalized(&columns, &binnings, &release, &MISSING, false).unwrap();
        let names: Vec<String> = columns.iter().map(|c| c.spec.name.clone()).collect();
        let found = distances(&names, &original, &lines);

        let published = made.published_rows();
        let spread = |row: &Vec<Vec<u32>>, c: usize| -> Vec<(u32, f64)> {
            row[c].iter().map(|&code| (cell(&binnings[c], code), 1.0 / row[c].len() as f64)).collect()
        };
        for (c, column) in columns.iter().enumerate() {
            let p = shares(column.codes.iter().map(|code| (cell(&binnings[c], code), 1.0)));
            let q = shares(published.iter().flat_map(|row| spread(row, c)));
            prop_assert!(close(found.columns[c].total_variation, apart(&p, &q)));
        }
        let mut sum = 0.0;
        for pair in &found.pairs {
            let place = |name: &String| names.iter().position(|n| n == name).unwrap();
            let (a, b) = (place(&pair.columns[0]), place(&pair.columns[1]));
            let rows = (0..made.table.rows()).map(|row| (columns[a].codes.get(row), columns[b].codes.get(row)));
            let p = shares(rows.map(|(x, y)| ((cell(&binnings[a], x), cell(&binnings[b], y)), 1.0)));
            let q = shares(published.iter().flat_map(|row| {
                let (of_a, of_b) = (spread(row, a), spread(row, b));
                of_a.into_iter().flat_map(move |(x, s)| of_b.clone().into_iter().map(move |(y, t)| ((x, y), s * t)))
            }));
            prop_assert!(close(pair.total_variation, apart(&p, &q)) && pair.covered);
            sum += pair.total_variation;
        }
        prop_assert!(close(found.two_way.mean, sum / found.pairs.len() as f64));
        prop_assert!(found.one_way.max <= found.two_way.max + 1e-9, "a pair is at least as far as its columns");
    }

    #[test]
    fn records_and_marginals_equal_a_loop(
        original in prop::collection::vec((0..3u32, 0..4u32, 0..2u32), 1..40),
        release in prop::collection::vec(((0..3u32, 0..4u32, 0..2u32), 0..5u64), 1..40),
    ) {
        prop_assume!(release.iter().any(|(_, count)| *count > 0));
        let cells = [3usize, 4, 2];
        let at = |row: &(u32, u32, u32), c: usize| [row.0, row.1, row.2][c];
        let lines = |rows: Vec<((u32, u32, u32), u64)>| {
            let column = |c: usize| (rows.iter().map(|(row, _)| at(row, c)).collect::<Codes>(), cells[c] + 1);
            MarginalLines::of_cells(rows.iter().map(|r| r.1).collect(), (0..3).map(column))
        };
        let names = ["a", "b", "c"].map(str::to_owned);
        let one = lines(original.iter().map(|row| (*row, 1)).collect());
        let other = lines(release.clone());
        let found = distances(&names, &one, &other);
        // tables of (a, b) and c: (a, c) and (b, c) are not counted together
        let count = |test: &dyn Fn(&(u32, u32, u32)) -> bool| -> f64 {
            release.iter().filter(|(row, _)| test(row)).map(|(_, n)| *n as f64).sum()
        };
        let ab: Vec<f64> = (0..12).map(|i| count(&|row| (row.0, row.1) == (i / 4, i % 4))).collect();
        let c: Vec<f64> = (0..2).map(|i| count(&|row| row.2 == i)).collect();
        let tables = CountTables::new(cells.to_vec(), vec![(vec![0, 1], ab), (vec![2], c)]).unwrap();
        let by_tables = distances(&names, &one, &tables);
        prop_assert_eq!(by_tables.not_covered, 2);
        for column in 0..3 {
            let p = shares(original.iter().map(|row| (at(row, column), 1.0)));
            let q = shares(release.iter().map(|(row, n)| (at(row, column), *n as f64)));
            prop_assert!(close(found.columns[column].total_variation, apart(&p, &q)));
            prop_assert!(close(by_tables.columns[column].total_variation, apart(&p, &q)));
        }
        for (i, (a, b)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
            let p = shares(original.iter().map(|row| ((at(row, a), at(row, b)), 1.0)));
            let q = shares(release.iter().map(|(row, n)| ((at(row, a), at(row, b)), *n as f64)));
            prop_assert!(close(found.pairs[i].total_variation, apart(&p, &q)));
            let product = shares(release.iter().flat_map(|(x, n)| {
                release.iter().map(move |(y, m)| ((at(x, a), at(y, b)), *n as f64 * *m as f64))
            }));
            let expected = if (a, b) == (0, 1) { apart(&p, &q) } else { apart(&p, &product) };
            prop_assert!(close(by_tables.pairs[i].total_variation, expected));
            prop_assert_eq!(by_tables.pairs[i].covered, (a, b) == (0, 1));
        }
    }
}

#[test]
fn by_hand() {
    assert_eq!(total_variation(&[1.0, 1.0], &[1.0, 1.0]), 0.0);
    assert_eq!(total_variation(&[1.0, 1.0], &[30.0, 10.0]), 0.25);
    assert_eq!(total_variation(&[1.0, 0.0], &[0.0, 2.0]), 1.0);
    assert_eq!(total_variation(&[0.0, 0.0], &[0.0, 2.0]), 1.0);
    assert_eq!(total_variation(&[], &[]), 0.0);
}

#[test]
fn fragments_are_independent_within_a_group() {
    let table = example::hospitals();
    let columns: Vec<&Column> = table.columns.iter().collect();
    let binnings: Vec<Binning> = columns.iter().map(|c| Binning::values(c)).collect();
    let domain = columns[2].domain.clone();
    let code = |text: &str| {
        (0..domain.len() as u32)
            .find(|&c| domain.text(c) == text)
            .unwrap()
    };
    let group = |age: &str, values: &[(&str, u64)]| FragmentGroup {
        labels: vec![age.to_owned(), "*".to_owned()],
        size: values.iter().map(|v| v.1).sum(),
        values: vec![values.iter().map(|(text, n)| (code(text), *n)).collect()],
    };
    let groups = vec![
        group(
            "[20-31]",
            &[("Cancer", 1), ("Asthma", 1), ("Flu", 1), ("Epilepsy", 1)],
        ),
        group("[32-39]", &[("Cancer", 2), ("Asthma", 2), ("Flu", 2)]),
    ];
    let column = FragmentColumn {
        name: "disease".into(),
        domain: domain.clone(),
    };
    let fragments = Fragments::new(vec!["age".into(), "zip".into()], vec![column], groups)
        .ok()
        .unwrap();
    let lines = MarginalLines::fragmented(&columns, &binnings, &fragments, &MISSING).unwrap();
    let names = ["age", "zip", "disease"].map(str::to_owned);
    let found = distances(
        &names,
        &MarginalLines::original(&columns, &binnings),
        &lines,
    );
    assert!(
        found.columns.iter().all(|c| close(c.total_variation, 0.0)),
        "{:?}",
        found.columns
    );
    // each of four people has one of ten ages × one disease; the release has each of them with all
    // four
    let of_four = 4.0 * (0.1 - 0.025);
    // each of six has one disease of three
    let of_six = 6.0 * (0.1 - 0.1 / 3.0);
    let age_disease = &found.pairs[1];
    assert_eq!(age_disease.columns, ["age", "disease"]);
    assert!(
        close(age_disease.total_variation, of_four + of_six),
        "{}",
        age_disease.total_variation
    );
}

#[test]
fn what_cannot_be_read_is_an_error_without_the_label() {
    let table = example::hospitals();
    let columns: Vec<&Column> = table.columns.iter().collect();
    let binnings: Vec<Binning> = columns.iter().map(|c| Binning::values(c)).collect();
    let release = |age: &str, disease: &str| {
        let opaque = |name, role| mingle_model::ColumnSpec {
            kind: Some(mingle_model::Kind::Category),
            ..mingle_model::ColumnSpec::new(name, role)
        };
        let specs = [
            opaque("age", mingle_model::Role::QuasiIdentifier),
            opaque("zip", mingle_model::Role::QuasiIdentifier),
            opaque("disease", mingle_model::Role::Sensitive),
        ];
        let row = [age, "*", disease, "P"].map(str::to_owned).to_vec();
        let release = example::table(&specs, &[row]);
        MarginalLines::generalized(&columns, &binnings, &release, &MISSING, false)
            .map(|lines| lines.one(2))
    };
    for label in ["secret", "[200-300]"] {
        let problem = release(label, "Flu").unwrap_err();
        assert_eq!(
            problem.to_string(),
            "column age: a label cannot be read, or covers no value of the original"
        );
    }
    let outside = release("*", "Gout").unwrap();
    assert_eq!(
        outside.last(),
        Some(&1.0),
        "a value that the original lacks is somewhere else"
    );
}

#[test]
fn many_cells_are_taken_together_in_pairs_only() {
    let cells = MOST * 3;
    let lines = |shift: usize| {
        let codes = |c: usize| {
            (
                (0..cells)
                    .map(|row| ((row * c + shift) % cells) as u32)
                    .collect::<Codes>(),
                cells,
            )
        };
        MarginalLines::of_cells(vec![1; cells], [codes(1), codes(7)])
    };
    let (counts, _) = lines(0).two(0, 1);
    assert_eq!(counts.len(), MOST_OF_PAIR);
    assert!(close(counts.iter().sum(), cells as f64));
    assert_eq!(lines(0).one(0).len(), cells);
    assert_eq!(United::coarse(cells, MOST).cell(cells - 1), MOST - 1);
}

#[test]
fn the_column_with_more_cells_gives_way_first() {
    for (cells, expected) in [
        ((2, 3000), (2, MOST)),
        ((3000, 2), (MOST, 2)),
        ((200, 300), (200, 300)),
        ((100, 3000), (100, 655)),
        ((300, 3000), (256, 256)),
        ((0, 3000), (0, MOST)),
    ] {
        let (first, second) = United::coarse_pair(cells.0, cells.1);
        assert_eq!((first.cells(), second.cells()), expected, "{cells:?}");
        assert!(first.cells() * second.cells() <= MOST_OF_PAIR);
    }
}

#[test]
fn tables_of_another_size_are_refused() {
    assert!(CountTables::new(vec![2, 3], vec![(vec![0, 1], vec![0.0; 6])]).is_some());
    assert!(CountTables::new(vec![2, 3], vec![(vec![0, 1], vec![0.0; 5])]).is_none());
    assert!(CountTables::new(vec![2, 3], vec![(vec![1, 0], vec![0.0; 6])]).is_none());
    assert!(CountTables::new(vec![2, 3], vec![(vec![2], vec![0.0; 3])]).is_none());
    assert!(CountTables::new(vec![usize::MAX - 1, 3], vec![(vec![0, 1], vec![])]).is_none());
}

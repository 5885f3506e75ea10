use super::*;
use crate::utility::example;
use crate::utility::marginals::CountTables;
use mingle_model::{ColumnSpec, Role};
use proptest::prelude::*;

/// A column of numbers and one of words.
fn cube(rows: &[(u32, u32)]) -> Cube {
    let specs = [
        ColumnSpec::new("n", Role::QuasiIdentifier),
        ColumnSpec::new("w", Role::QuasiIdentifier),
    ];
    let row = |(n, w): &(u32, u32)| vec![(10 * n).to_string(), format!("w{w}"), "P".to_owned()];
    Cube::new(example::table(
        &specs,
        &rows.iter().map(row).collect::<Vec<_>>(),
    ))
}

fn value(cube: &Cube, column: usize, code: Code) -> String {
    cube.quasi_identifiers()[column]
        .domain
        .text(code)
        .to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn records_are_inside_by_their_values(
        original in prop::collection::vec((0..6u32, 0..4u32), 1..30),
        release in prop::collection::vec(((0..70u32, 0..4u32), 0..4u64), 1..30),
        seed in 0u64..100,
    ) {
        let cube = cube(&original);
        let domain = |c: usize| &cube.quasi_identifiers()[c].domain;
        let number = |code: Code| value(&cube, 0, code).parse::<u32>().unwrap();
        let numbers: Vec<u32> = (0..domain(0).len() as Code).map(number).collect();
        let stands = |n: u32| match numbers.binary_search(&n) {
            Ok(code) => Stands::For(vec![code as Code]),
            Err(code) => Stands::Before(code as Code),
        };
        let word = |w: u32| {
            let found = (0..domain(1).len() as Code).find(|&code| value(&cube, 1, code) == format!("w{w}"));
            Stands::For(found.into_iter().collect())
        };
        let columns = [
            (release.iter().map(|r| r.0.0).collect(), (0..70).map(stands).collect()),
            (release.iter().map(|r| r.0.1).collect(), (0..4).map(word).collect()),
        ];
        let lines = QueryLines::new(columns, release.iter().map(|r| r.1).collect());
        let values: Vec<u64> = (0..2).map(|c| domain(c).len() as u64).collect();
        let queries = draw(&values, 30, seed);
        for (query, error) in queries.iter().zip(answer(&cube, &lines, &queries)) {
            let [n, w] = &query.predicates[..] else { panic!("two columns") };
            let inside = |x: u32, y: &str| {
                let words: Vec<String> = (w.lo..=w.hi).map(|code| value(&cube, 1, code)).collect();
                number(n.lo) <= x && x <= number(n.hi) && words.iter().any(|word| word == y)
            };
            let truth = original.iter().filter(|(n, w)| inside(10 * n, &format!("w{w}"))).count() as f64;
            let counted = release.iter().filter(|((n, w), _)| inside(*n, &format!("w{w}"))).map(|r| r.1 as f64);
            let expected = (counted.sum::<f64>() - truth).abs() / truth.max(original.len() as f64 / 1000.0);
            prop_assert!((error - expected).abs() < 1e-9, "{error} {expected}");
        }
    }

    #[test]
    fn marginals_with_all_columns_answer_like_their_cells(
        original in prop::collection::vec((0..6u32, 0..4u32), 1..30),
        counts in prop::collection::vec(0.0..9.0f64, 12),
        seed in 0u64..100,
    ) {
        let cube = cube(&original);
        // three bins of two numbers each, four words; what occurs of them
        let domain = |c: usize| &cube.quasi_identifiers()[c].domain;
        let codes = |c: usize| 0..domain(c).len() as Code;
        let number = |code: Code| value(&cube, 0, code).parse::<u32>().unwrap();
        let bin = |b: u32| Stands::For(codes(0).filter(|&code| number(code) / 20 == b).collect());
        let word = |w: u32| Stands::For(codes(1).filter(|&code| value(&cube, 1, code) == format!("w{w}")).collect());
        let stands = [(0..3).map(bin).collect::<Vec<_>>(), (0..4).map(word).collect::<Vec<_>>()];
        let tables = CountTables::new(vec![3, 4], vec![(vec![0, 1], counts.clone())]).unwrap();
        let release = Marginals::new(&tables, [(0, stands[0].clone()), (1, stands[1].clone())]);
        let one: Vec<f64> = (0..3).map(|b| counts[b * 4..][..4].iter().sum()).collect();
        let other: Vec<f64> = (0..4).map(|w| (0..3).map(|b| counts[b * 4 + w]).sum()).collect();
        let apart = CountTables::new(vec![3, 4], vec![(vec![0], one), (vec![1], other)]).unwrap();
        let independent = Marginals::new(&apart, [(0, stands[0].clone()), (1, stands[1].clone())]);
        let total: f64 = counts.iter().sum();
        let values: Vec<u64> = (0..2).map(|c| domain(c).len() as u64).collect();
        let queries = draw(&values, 20, seed);
        let joint = answer(&cube, &release, &queries);
        let product = answer(&cube, &independent, &queries);
        for ((query, joint), product) in queries.iter().zip(joint).zip(product) {
            let [n, w] = &query.predicates[..] else { panic!("two columns") };
            let within = |c: usize, cell: usize, p: &Predicate| {
                let Stands::For(values) = &stands[c][cell] else { panic!("cells") };
                let inside = values.iter().filter(|v| (p.lo..=p.hi).contains(v)).count();
                if values.is_empty() { 0.0 } else { inside as f64 / values.len() as f64 }
            };
            let cell = |i: usize| counts[i] * within(0, i / 4, n) * within(1, i % 4, w);
            let estimate: f64 = (0..12).map(cell).sum();
            let sum = |f: &dyn Fn(usize) -> f64| (0..12).map(f).sum::<f64>();
            let independent = if total > 0.0 { sum(&|i| counts[i] * within(0, i / 4, n)) * sum(&|i| counts[i] * within(1, i % 4, w)) / total } else { 0.0 };
            let inside = |row: &(u32, u32)| {
                let number = number(n.lo) <= 10 * row.0 && 10 * row.0 <= number(n.hi);
                number && (w.lo..=w.hi).any(|code| value(&cube, 1, code) == format!("w{}", row.1))
            };
            let truth = original.iter().filter(|row| inside(row)).count() as f64;
            let least = truth.max(original.len() as f64 / 1000.0);
            prop_assert!((joint - (estimate - truth).abs() / least).abs() < 1e-6);
            prop_assert!((product - (independent - truth).abs() / least).abs() < 1e-6);
        }
    }
}

/// Tables ab and bc answer a, b, c as ab · (bc given b).
#[test]
fn tables_are_chained_by_what_they_share() {
    let stands = || {
        (0..2)
            .map(|code| Stands::For(vec![code]))
            .collect::<Vec<_>>()
    };
    let (ab, bc) = (vec![6.0, 2.0, 1.0, 1.0], vec![3.0, 4.0, 1.0, 2.0]);
    let tables = CountTables::new(vec![2, 2, 2], vec![(vec![0, 1], ab), (vec![1, 2], bc)]).unwrap();
    let release = Marginals::new(&tables, (0..3).map(|c| (c, stands())));
    let estimate = |lo: [Code; 3], hi: [Code; 3]| {
        let predicate = |column: usize| Predicate {
            column,
            lo: lo[column],
            hi: hi[column],
        };
        release.reduced(&[0, 1, 2])(&Query {
            predicates: (0..3).map(predicate).collect(),
        })
    };
    // a = 0, b = 0: 6; of b = 0 there are 7, of them c = 1: 4
    assert!((estimate([0, 0, 1], [0, 0, 1]) - 6.0 * 4.0 / 7.0).abs() < 1e-12);
    assert!((estimate([0; 3], [1; 3]) - 10.0).abs() < 1e-12);
    let nothing = CountTables::new(vec![2, 2, 2], vec![(vec![0], vec![4.0, 4.0])]).unwrap();
    let release = Marginals::new(&nothing, (0..3).map(|c| (c, stands())));
    let query = Query {
        predicates: (0..3)
            .map(|column| Predicate {
                column,
                lo: 0,
                hi: 0,
            })
            .collect(),
    };
    assert!(
        (release.reduced(&[0, 1, 2])(&query) - 1.0).abs() < 1e-12,
        "half of half of half of eight"
    );
}
